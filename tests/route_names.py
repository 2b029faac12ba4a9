"""The routes by which rows are summed; all must give the same result."""

ROUTES = ("keys", "counts", "rows", "patterns")
