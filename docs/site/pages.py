"""Put the pages of the site together: ``python docs/site/pages.py FOLDER``.

Pages are the Markdown files of the repository as they are. Only links that lead out of a folder
that has moved are changed: README.md is the first page, and its links to docs/ lose that folder.
"""

import re
import shutil
import sys
from pathlib import Path

import api
import gallery
from links import CODE, moved
from navigation import FROM_ELSEWHERE, SECTIONS, TABS, Section

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Folders of `docs/` that make the site and are not shown on it.
MACHINERY = ("site", "gallery")


def main(folder: Path) -> None:
    """Write every page of the site, and what pages link to, into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder, ignore=lambda at, _: MACHINERY if Path(at) == DOCS else ())
    places = {file: folder / file.relative_to(DOCS) for file in sources()}
    places |= {ROOT / file: folder / f"{name}.md" for name, file in FROM_ELSEWHERE.items()}
    for source, place in places.items():
        if source.suffix == ".md":
            text = moved(source.read_text(encoding="utf-8"), source, places, folder / "files")
            place.write_text(text, encoding="utf-8")
    for section in SECTIONS:
        write_section(folder, section)
    with (folder / "index.md").open("a", encoding="utf-8") as index:
        index.write(f"\n{toctree(tuple(f'{tab} <{name}>' for tab, name in TABS))}")
    gallery.write(DOCS / "gallery", folder / "gallery", folder / "as_they_are/gallery/shown")
    api.write(folder / "api")


def sources() -> list[Path]:
    """The files of docs/ that are carried along."""
    return [
        file
        for file in sorted(DOCS.rglob("*"))
        if file.is_file() and file.relative_to(DOCS).parts[0] not in MACHINERY
    ]


def write_section(folder: Path, section: Section) -> None:
    """The page of a section: its pages, each with the first sentence it says."""
    lines = [f"# {section.title}", "", section.says, ""]
    for name in section.pages:
        file = folder / f"{name}.md"
        if not file.exists():
            raise SystemExit(
                f"docs/site/navigation.py names {name}, but there is no docs/{name}.md"
            )
        text = file.read_text(encoding="utf-8")
        lines += [f"- **[{title_of(text)}]({name}.md)**{first_sentence(text)}"]
    (folder / f"{section.name}.md").write_text(
        "\n".join([*lines, "", toctree(section.pages)]), encoding="utf-8"
    )


def title_of(text: str) -> str:
    """The first heading."""
    return next(line[2:] for line in text.splitlines() if line.startswith("# "))


def first_sentence(text: str) -> str:
    """The first sentence of the first paragraph that is prose, behind a colon."""
    for paragraph in CODE.sub("", text).split("\n\n"):
        words = " ".join(paragraph.split())
        if words and words[0].isalnum():
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", words)
            return f"<br>{re.split(r'(?<=[a-z)`][.:]) (?=[A-Z`])', words)[0].rstrip(':.')}."
    return ""


def toctree(names: tuple[str, ...]) -> str:
    """What puts pages into the navigation, unseen."""
    return "\n".join(["```{toctree}", ":hidden:", "", *names, "```", ""])


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
