"""Read judgments from DuckDB, Polars, Spark, Dask, or a database behind Ibis.

Coefficients need only the distinct rows of judgments and their frequencies, which two group-bys
give. The engine computes these, and only a small table is returned.

===============  ===============================================================================
`table`          the columns of a lazy frame: items, coders, labels, and those beside them
`queries`        the queries, and how much they returned
`items`          one row per item, and one row for all equal items
`repeats`        several judgments of an item by one coder
`patterns`       the first way: one column per coder
`coders`         places of coders, and judgments that are the only one of their item
`counts`         the second way: the number of coders per item and label, and coders' marginals
`partitions`     the third way: the rows of whole items, a part at a time
`reading`        how a part is read, in this process or on a worker
`cuts`           where a stream of rows is cut into parts
`beside`         groups and documents of patterns
`moments`        the fourth way: sums of numbers
`read`           which way is used
`wide`           items × coders, which need only one group-by
===============  ===============================================================================

narwhals writes the queries, so one expression serves all engines. A collected frame has at most
`queries.MOST_ROWS` rows and `queries.MOST_CELLS` cells. The third way holds one part of the rows in
memory, and patterns of at most `partitions.MOST_BYTES`.
"""
