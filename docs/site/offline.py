"""Refuse a site that loads something from elsewhere: ``python docs/site/offline.py FOLDER``."""

import re
import sys
from pathlib import Path

#: Addresses that a browser asks by itself; links are for the reader.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc\s*=\s*["']?(?:https?:)?//[^"'\s>]*"""
    r"""|<link\b[^>]*?\bhref\s*=\s*["']?(?:https?:)?//[^"'\s>]*"""
    r"""|url\(\s*["']?(?:https?:)?//[^)]*|@import\s+["'](?:https?:)?//[^"']*""",
    re.IGNORECASE,
)


def main(folder: Path) -> int:
    """Print each file of a site with what it loads from elsewhere."""
    n_files = 0
    found = []
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".html", ".css", ".svg"}:
            n_files += 1
            text = file.read_text(encoding="utf-8")
            found += [f"{file}: {hit[0]}" for hit in LOADED.finditer(text)]
    print("\n".join(found) or f"{n_files} files load nothing from elsewhere")
    return int(bool(found) or not n_files)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
