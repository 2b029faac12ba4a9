"""Readers for the exports of annotation tools.

Each tool is an object in the table `tools.table.TOOLS`. It recognises its exports by their content
and adds their judgments to a `Found`. To add a tool, read `tool`, `found` and the module for the
kind of file that the tool writes.

The core, in this folder:

    bundle                             files, folders and archives, as members
    json_stream, csv_stream, xml       members, one value, row or tree after the other
    look                               the beginning of a member, for recognising its tool
    records                            keys of JSON records, with checked types
    tool                               the interface of a tool, and the options of a user
    found                              answers to questions, spans, and what was left out
    segments, units                    spans as items, spans as units
    export                             the selected question, as a table
    reading                            all steps together, for `agreement_fast.read`

The tools, in tools/, which are independent of each other:

    table                              all tools, in the order in which they are tried
    appen, argilla, brat, ...          one module or package per tool

What several tools write in the same way, in tools/shared/:

    in_time                            the last of several answers (Label Studio, Prodigy)
    labels                             JSON values as labels (Argilla, Inspect, lm-eval, MTurk)
    tiers                              the coder of a tier (ELAN, Praat)
    layers                             layers of annotated documents (INCEpTION, WebAnno, UIMA)
    annotated_file                     an annotated document, in one of the following formats
    webanno_tsv, uima_cas              WebAnno TSV; UIMA CAS in XMI and JSON
"""
