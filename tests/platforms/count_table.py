"""Load every kernel, and count a table by them, without numpy: `make wasm` runs it in two programs.

Python for WebAssembly has no numpy on the registries of packages. The kernels take any buffer, and
ask numpy for the arrays that they make themselves, which this makes none of.
"""

import importlib
import sys
from array import array
from fractions import Fraction
from pathlib import Path
from types import ModuleType


class StandIn(ModuleType):
    """Has every name, none of which is called here."""

    def __getattr__(self, name):
        return None


sys.modules["numpy"] = StandIn("numpy")

N, C, K = 5_000, 6, 5


def zeros(*shape):
    """A view of whole numbers."""
    n = 1
    for length in shape:
        n *= length
    return memoryview(array("q", bytes(8 * n))).cast("B").cast("q", shape)


def codes():
    """Labels of N items by C coders, -1 being missing, the same anywhere."""
    state, out = 20_260, array("b")
    for _ in range(N):
        state = (state * 1_103_515_245 + 12_345) % 2**31
        true = state // 65_536 % K
        for _ in range(C):
            state = (state * 1_103_515_245 + 12_345) % 2**31
            draw = state // 65_536 % 100
            out.append(-1 if draw < 15 else true if draw < 70 else draw % K)
    return out


def main():
    kernels = Path(importlib.import_module("agreement_fast._kernels").__path__[0])
    for path in sorted(kernels.glob("*.abi3.so")):
        name = path.name.partition(".")[0]
        print(importlib.import_module(f"agreement_fast._kernels.{name}").__name__)
    from agreement_fast._kernels._rows import Rows
    from agreement_fast._kernels._sums import coders, coincidences, sizes

    rows = Rows(codes(), C)
    pairs, of_coders, of_items = zeros(C + 1, K + 1, K + 1), zeros(C, K + 1), zeros(N)
    assert coincidences(rows, pairs)
    coders(rows, None, of_coders)
    sizes(rows, of_items)
    print(pairs.tolist(), of_coders.tolist(), sum(of_items))
    # Krippendorff's alpha: pairs within an item of n judgments count 1 / (n - 1).
    judged = range(1, K + 1)
    unequal = sum(
        Fraction(2 * pairs[size, j, k], size - 1)
        for size in range(2, C + 1) for j in judged for k in judged if j != k
    )  # fmt: skip
    both = [
        sum(
            Fraction(pairs[size, j, k] + pairs[size, k, j], size - 1)
            for size in range(2, C + 1) for k in judged
        )
        for j in judged
    ]  # fmt: skip
    n = sum(both)
    print(float(1 - (n - 1) * unequal / (n**2 - sum(x**2 for x in both))))


if __name__ == "__main__":
    main()
