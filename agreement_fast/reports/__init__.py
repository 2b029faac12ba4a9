"""Reports on a whole study: as text, and as one page of HTML."""

__all__: list[str] = []
