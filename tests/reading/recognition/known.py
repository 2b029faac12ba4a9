"""Write which cells are known to be wrong: ``python tests/reading/recognition/known.py``.

It opens the cells of the first two tiers and writes those that are wrong to ``known.json``, with
the reason. Texts such as ``"gold:"`` choose the tables whose names begin so; ``--fast`` opens only
cells of the first tier, ``--engines`` only those of the engines; the others are kept. ``--verbose``
prints what each door answered.

`test_conformance.py` holds the list against the package, strictly: a cell that is right must leave
it. So it is run after a change that makes cells right, and its difference is read before it is
committed: a cell that was right must not enter.
"""

import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Write the list."""
    sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "independent")]
    from conformance import write_known
    from doors import BREADTH, ENGINES, FAST

    warnings.simplefilter("ignore")
    starts = tuple(text for text in sys.argv[1:] if not text.startswith("--"))
    tiers: tuple[str, ...] = (FAST, BREADTH)
    if "--fast" in sys.argv:
        tiers = (FAST,)
    if "--engines" in sys.argv:
        tiers = (ENGINES,)
    write_known(starts or ("",), tiers, verbose="--verbose" in sys.argv)


if __name__ == "__main__":
    main()
