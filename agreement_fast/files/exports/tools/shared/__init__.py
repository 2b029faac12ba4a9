"""Formats that several tools share: tiers, layers of annotated documents, labels, times."""
