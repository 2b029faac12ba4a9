"""One module or package per tool; `shared` has what several use, and `table` lists the tools."""
