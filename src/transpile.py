"""Transpile the kernels that have changed: python transpile.py FOLDER KERNEL.pyx... -- OPTION...

One process takes half the time of one for each kernel. Views of memory, and what else Cython adds
to every kernel, are compiled once, in a module of their own.
"""

import sys
from pathlib import Path

import Cython
from Cython.Compiler.Main import setuptools_main

PACKAGE = "agreement_fast._kernels"
ROOT = Path(__file__).parents[1]
# What all kernels depend on.
SHARED = [
    Path(__file__),
    ROOT / "CMakeLists.txt",
    *ROOT.joinpath(*PACKAGE.split(".")).glob("*.pxd"),
]


def current(target: Path, *sources: Path) -> bool:
    """Whether a C source was made by this version of Cython, after its sources were changed."""
    if not target.exists():
        return False
    with target.open(encoding="utf-8") as file:
        version = file.readline()
    made = target.stat().st_mtime
    return Cython.__version__ in version and all(
        source.stat().st_mtime < made for source in [*SHARED, *sources]
    )


def cython(name: str, *arguments: str) -> None:
    sys.argv = ["cython", f"--module-name={PACKAGE}.{name}", *arguments]
    setuptools_main()


if __name__ == "__main__":
    separator = sys.argv.index("--")
    folder, *kernels = map(Path, sys.argv[1:separator])
    options = sys.argv[separator + 1 :]
    folder.mkdir(exist_ok=True)
    utilities = folder / "_utilities.c"
    if not current(utilities):
        cython("_utilities", f"--generate-shared={utilities}")
    options += ["-Werror", f"-I{ROOT}", f"-I{ROOT / 'src'}", f"--shared={PACKAGE}._utilities"]
    for kernel in kernels:
        target = folder / f"{kernel.stem}.c"
        if not current(target, kernel):
            cython(kernel.stem, *options, str(kernel), f"--output-file={target}")
