"""One module or package a tool, and `shared`, which several use; `table` lists the tools."""
