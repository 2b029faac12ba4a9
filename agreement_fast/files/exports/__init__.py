"""Readers for the exports of annotation tools.

Each tool is an object in the table `export.TOOLS`. It recognises its exports by their content
and adds their judgments to a `Contents`. To add a tool, read `tool`, `contents` and the module for
the kind of file that the tool writes.

The core, in this folder:

    bundle       files, folders and archives, as members
    streams      members, one value, row or tree after the other; their beginning shows the tool
    records      keys of JSON records, with checked types; JSON values as labels
    tool         the interface of a tool, and the options of a user
    contents     answers to questions, the last of several, spans, and what was left out
    segments     spans as items, spans as units
    export       all tools, in the order in which they are tried; the selected question as a table
    reading      all steps together, for `agreement_fast.read`

The tools, in tools/, which are independent of each other:

    argilla, brat, conll, ...          one module per tool
    crowds, screening, evaluations     of similar tools

What several tools write in the same way, in tools/shared/:

    tiers                              the coder of a tier (ELAN, Praat)
    layers                             layers of annotated documents, in WebAnno TSV and UIMA CAS
"""
