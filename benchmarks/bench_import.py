"""The time of an import after numpy's, in fresh processes."""

import subprocess
import sys
from importlib.util import find_spec

import alone
import pytest
from workloads import QUICK

PROGRAM = """
import numpy
from time import perf_counter
began = perf_counter()
import {module}
print(perf_counter() - began)
"""

MODULES = {
    "agreement_fast": "agreement_fast",
    "krippendorff": "krippendorff",
    "nltk": "nltk.metrics.agreement",
    "statsmodels": "statsmodels.stats.inter_rater",
    "scikit-learn": "sklearn.metrics",
}


@pytest.mark.benchmark(group="import after numpy", timer=alone.clock)
@pytest.mark.parametrize("tool", MODULES)
def test_import(benchmark, tool):
    if find_spec(MODULES[tool].partition(".")[0]) is None:
        pytest.skip(f"{tool} is not installed")
    command = [sys.executable, "-P", "-c", PROGRAM.format(module=MODULES[tool])]

    def start():
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        alone.advance(float(done.stdout))

    ours = tool == "agreement_fast"
    rounds = 11 if ours else 1 if QUICK else 3
    benchmark.extra_info.update(role="ours" if ours else "rival", tool=tool, form="import", items=1)
    benchmark.pedantic(start, rounds=rounds, warmup_rounds=0 if QUICK else 1)
