"""Reading the exports of annotation tools.

Each tool is an object in the table `tools.table.TOOLS`: it recognises its exports by their content,
and puts what they hold into a `Found`. The way from files to judgments goes one direction. Who adds
a tool needs `tool`, `found` and what reads the kind of file that the tool writes.

The core, in this folder:

    bundle                             files, folders and archives, as members
    json_stream, csv_stream, xml       members one value, row or tree after the other
    look                               what is seen of a member before it is read
    records                            keys of JSON records, whose types are checked
    tool                               what a tool answers, and what a user may ask of it
    found                              answers to questions, spans, what was left out
    segments, units                    spans as items, spans as units
    export                             the question that is meant, as a table
    reading                            all of it, as `agreement_fast.read` does it

The tools, in tools/, which know nothing of each other:

    table                              all of them, in the order in which they are tried
    appen, argilla, brat, ...          one module a tool, or a package where there are several

What several tools write alike, in tools/shared/:

    in_time                            the last of several answers (Label Studio, Prodigy)
    labels                             values of JSON as labels (Argilla, Inspect, lm-eval, MTurk)
    tiers                              whose a tier is (ELAN, Praat)
    layers                             layers of annotated documents (INCEpTION, WebAnno, UIMA)
    annotated_file                     such a document, in one of the formats that follow
    webanno_tsv, uima_cas              WebAnno TSV; UIMA CAS in XMI and JSON
"""
