"""Judgments that an engine holds: DuckDB, Polars, Spark, Dask, or a database behind Ibis.

Every coefficient needs only distinct rows of judgments and how often each occurs, and that is two
group-bys. So the engine groups, and what comes back is small.

===============  ===============================================================================
`table`          three columns of a lazy frame: items, coders, labels; and those beside them
`queries`        what is asked of an engine, and how much came back
`items`          one row an item, and one row for items that are alike
`repeats`        several judgments of an item by one coder
`patterns`       the first way: a column a coder
`coders`         who is who, and the judgments that are the only one of their item
`counts`         the second way: how many coders gave an item each label, and coders' marginals
`partitions`     the third way: whole items, some at a time, are read as they are
`reading`        how a part of them is read, here or on a worker
`cuts`           where a stream of rows is cut
`beside`         groups and documents of patterns
`read`           which way is taken
`wide`           items × coders, which need one group-by only
===============  ===============================================================================

narwhals writes the queries, so that one expression serves all engines. No frame that is collected
has more than `queries.MOST_ROWS` rows or `queries.MOST_CELLS` cells; the third way has a part of
the rows in memory, and patterns of `partitions.MOST_BYTES`.
"""
