"""The routes by which rows are summed, each of which must give the same."""

ROUTES = ("keys", "counts", "rows", "patterns")
