"""Read judgments from DuckDB, Polars, Spark, Dask, or a database behind Ibis.

Coefficients need only the distinct rows of judgments and their frequencies, which two group-bys
give. The engine computes these, and only a small table is returned.

===============  ===============================================================================
`table`          the columns of a lazy frame: items, coders, labels, and those beside them
`queries`        the queries, and how much they returned
`items`          one judgment of a coder and item, one row per item, and one for all equal items
`counts`         the first way: one column per coder; the second: the number of coders per item and
                 label, and coders' marginals; the fourth: sums of numbers
`partitions`     the third way: the rows of whole items, a part at a time, here or on a worker
`read`           which way is used; items × coders, which need only one group-by
===============  ===============================================================================

narwhals writes the queries, so one expression serves all engines. A collected frame has at most
`queries.MOST_ROWS` rows and `queries.MOST_CELLS` cells. The third way holds one part of the rows in
memory, and patterns of at most `partitions.MOST_BYTES`.
"""
