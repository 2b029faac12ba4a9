"""The result of making a page."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from pathlib import Path


def write_whole(path: str | Path, text: str) -> None:
    """Write a text as UTF-8; an existing file is replaced only when the new one is complete."""
    target = Path(path)
    unfinished = target.with_name(f".{os.getpid()}.unfinished{target.suffix}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """An HTML page that needs no other file. Notebooks display it.

    Attributes
    ----------
    title : str
        The title of the page.
    html : str
        The content of the file.
    """

    title: str
    html: str

    def __repr__(self) -> str:
        return f"<page {self.title!r}: {len(self.html.encode()) / 1000:,.0f} kB>"

    def save(self, path: str | Path) -> None:
        """Write the page to a file, which replaces an existing one only when it is complete.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        write_whole(path, self.html)

    def _repr_html_(self) -> str:
        """Return the page in a frame, which separates its style from the notebook's."""
        return (
            f'<iframe title="{html.escape(self.title)}" width="100%" height="720"'
            ' sandbox="allow-scripts allow-downloads" style="border:1px solid #8888"'
            f' srcdoc="{html.escape(self.html)}"></iframe>'
        )
