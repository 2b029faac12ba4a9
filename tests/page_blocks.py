"""What a page of the documentation holds: its blocks, the files that it shows, its commands."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def pages(root=ROOT):
    """The README and the pages of docs/."""
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def blocks(page):
    """The line number of each block that is fenced, its language, what else is said, its text."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```(\w+)(.*)\n((?:.*\n)*?)```$", text, re.MULTILINE):
        yield text.count("\n", 0, block.start(3)), block[1], block[2], block[3]


def write(path, text):
    """Write a file that a page shows; of a workbook it shows the cells, with blanks between."""
    if path.suffix != ".xlsx":
        path.write_text(text, encoding="utf-8")
        return
    import openpyxl

    workbook = openpyxl.Workbook()
    for row in text.splitlines():
        workbook.active.append(re.split(r" {2,}", row.strip()))
    workbook.save(path)


def commands(block):
    """Each command of a block, behind "$ ", and the lines that it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = part.replace("\\\n", "").partition("\n")
        yield command, printed
