"""Print the oldest versions that pyproject.toml allows of what the package runs on, for pip.

pip install $(python tests/lowest.py) ".[test]"

Data frames are not needed to run it, but handed to it: their oldest versions, too. The tests' own
tools and peers stay as new as they come.
"""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
extras = project["optional-dependencies"]
FRAMES = [need for need in extras["test"] if need.startswith(("pandas", "polars"))]
EXTRAS = [need for name in ("cli", "plot", "parquet", "html") for need in extras[name]]
needs = (*project["dependencies"], *EXTRAS, *FRAMES)
for requirement in needs:
    name, version, marker = re.fullmatch(r"([\w.-]+)>=([\d.]+)(;.*)?", requirement).groups()
    print(f"{name}=={version}{marker or ''}")
print("pyparsing<3.3")  # later ones warn of what the oldest matplotlib calls
