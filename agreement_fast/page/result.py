"""What making a page gives."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

from agreement_fast.page.whole import write_whole

__all__ = ["Page"]


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A page of HTML that needs no other file. In a notebook it shows itself.

    Attributes
    ----------
    title : str
    html : str
        The whole file.
    """

    title: str
    html: str

    def __repr__(self) -> str:
        return f"<page {self.title!r}: {len(self.html.encode()) / 1000:,.0f} kB>"

    def save(self, path: str | Path) -> None:
        """Write the page; what was there before stays until it is whole.

        Parameters
        ----------
        path : str or Path
        """
        write_whole(path, self.html)

    def _repr_html_(self) -> str:
        """Show the page in a frame, so that its style stays its own."""
        return (
            f'<iframe title="{html.escape(self.title)}" width="100%" height="720"'
            ' sandbox="allow-scripts allow-downloads" style="border:1px solid #8888"'
            f' srcdoc="{html.escape(self.html)}"></iframe>'
        )
