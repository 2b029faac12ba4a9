"""Reading the exports of annotation tools.

Each tool is an object in the table `tools.table.TOOLS`: it recognises its exports by their content,
and puts what they hold into a `Found`. The way from files to judgments goes one direction:

    bundle, json_stream, xml, look     files, folders and archives, and what is seen of them
    tools/                             one module a tool
    found                              answers to questions, spans, what was left out
    segments, units                    spans as items, spans as units
    export                             the question that is meant, as a table
"""
