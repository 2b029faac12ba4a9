"""What coders mark themselves: spans, segments, chains of mentions, links and objects."""

__all__: list[str] = []
