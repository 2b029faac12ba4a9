"""Readers for the exports of annotation tools.

Each tool is an object in the table `export.TOOLS`. It recognises its exports by their content
and adds their judgments to a `Contents`. To add a tool, read `tool`, `contents` and the module for
the kind of file that the tool writes.

The core:

    bundle       files, folders and archives, as members
    streams      members, one value or row after the other; their beginning shows the tool
    elements     members that are XML
    tool         the interface of a tool, the options of a user, and what readers share
    contents     answers to questions, the last of several, spans, and what was left out
    segments     spans as items, spans as units
    export       all tools, in the order in which they are tried; the selected question as a table
    reading      all steps together, for `agreement_fast.read`

The tools, one module for each but

    tables       MTurk and Appen, Covidence and Rayyan
    tiers        ELAN and Praat
    evaluations  Inspect and lm-eval
    inception    INCEpTION, WebAnno TSV and UIMA CAS, whose layers `layers` reads
"""
