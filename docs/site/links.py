"""Links of a page of Markdown once the page stands elsewhere."""

import re
import shutil
from os.path import relpath
from pathlib import Path

ROOT = Path(__file__).parents[2]

LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def moved(text: str, source: Path, places: dict[Path, Path], files: Path) -> str:
    """The text of a page with its links as they are from its new place.

    `places` has the new place of each page. A file without one is copied into the folder `files`,
    so that a link to a benchmark or to the license leads to it. A link that leads nowhere stays,
    and Sphinx names it.
    """

    def link(match: re.Match[str]) -> str:
        target = (source.parent / match[0]).resolve()
        if not target.is_file():
            return match[0]
        if target not in places:
            copy = files / target.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copy)
            return relpath(copy, places[source].parent)
        return relpath(places[target], places[source].parent)

    prose = CODE.split(text)
    blocks = [*CODE.findall(text), ""]
    return "".join(LINK.sub(link, part) + block for part, block in zip(prose, blocks, strict=True))
