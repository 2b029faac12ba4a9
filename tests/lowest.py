"""Print the oldest versions that pyproject.toml allows of what the package runs on, for pip.

pip install $(python tests/lowest.py) ".[test]"
"""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
extras = project["optional-dependencies"]
for requirement in (*project["dependencies"], *extras["cli"], *extras["plot"], *extras["parquet"]):
    name, version = re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement).groups()
    print(f"{name}=={version}.*")
