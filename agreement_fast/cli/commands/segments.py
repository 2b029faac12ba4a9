"""Measure agreement on segmentations: texts or recordings cut into pieces.

Read how coders cut texts into segments without gaps, and print how far they agree on where
boundaries are, and on which segment an element belongs to, and the error rates P_k and
WindowDiff of each pair of coders. A file has one segmentation per row (a coder, a document,
and marks such as 00100 or lengths such as 3 3), or one segment per row (a coder, a document,
a start and an end).

examples:
  agreement-fast units --of segments cuts.csv
      the columns are guessed from their names
  agreement-fast units --of segments cuts.csv --marks boundaries
      a column with a 0 or 1 for every place between two elements, such as 00100
  agreement-fast units --of segments cuts.csv --lengths pieces --gold expert
      a column of lengths such as 3 4 5; all coders are scored against one of them
  agreement-fast units --of segments topics.csv --start from --end to
      one segment per row; the end is the first place after it
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Outcome
from agreement_fast.cli.output import (
    document_of,
    keep_digests,
    read_section,
    renamed,
    shown_notes,
    shown_source,
)
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.documents import json_fields, json_rows
from agreement_fast.present.sections import Block, Brief, Full, Rows, Section, Terms
from agreement_fast.present.terminal import shorten, show_label

if TYPE_CHECKING:
    from agreement_fast._kernels.arrays import Array
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import ColumnTable, Role, Source
    from agreement_fast.points import Point
    from agreement_fast.present.tables import Table

BOUNDARIES = (
    "Each place between two elements is labelled as a boundary or not. A boundary that is off by"
    " one element counts as fully wrong."
)
MEMBERS = (
    "The label of each element is the segment that contains it: coders who share most of a segment"
    " agree for the most part (Artstein & Poesio 2005, 4.4)."
)

#: Number of pairs of coders that are printed.
SHOWN = 15

NAME = "units --of segments"


ROWS = {
    **options.WHERE,
    "--gold CODER": "compute the error rates only against this coder (default: against each coder)",
    **options_of("units.segmentation_scores:p_k", "--window N:int"),
    **options.CONFIDENCE,
}


COLUMNS = {
    "--document COLUMN": "the document that was cut (without such a column: there is only one)",
    "--coder COLUMN": "who cut it",
    **options.CODER_FROM,
    "--marks COLUMN": "a 0 or 1 for each place between two elements, such as 00100",
    "--lengths COLUMN": "lengths of the segments, such as 3 3",
    "--start COLUMN": "where the segment starts",
    "--end COLUMN": "where the segment ends: the first place after it",
    **options.EXCLUDE,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_files(parser)
    options.declare(parser, "what coders marked", options.OF)
    options.declare(parser, "columns (guessed from their names if not given)", COLUMNS)
    options.declare(parser, "rows and measures", ROWS, confidence_level=0.95)
    options.declare(parser, "names", options.ANONYMOUS)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compute the agreement."""
    confidence = options.confidence_level(arguments)
    table = _read(arguments)
    with in_options(arguments):
        return _compute(_segmentations(table), arguments, table.source, confidence)


@dataclass(frozen=True)
class _Segmentations(Outcome):
    """The results."""

    arguments: argparse.Namespace
    source: Source
    confidence: float
    n_documents: int
    n_elements: int
    n_segments: int
    coders: tuple[Any, ...]
    boundaries: Table
    segments: Table
    pairs: Table

    def text(self) -> list[Section]:
        """Give what was read, both coefficients, and the error rates."""
        source, reference, confidence = self.source, self.arguments.gold, self.confidence
        data = {
            "documents": f"{self.n_documents:,}",
            "elements": f"{self.n_elements:,}",
            "coders": f"{len(self.coders):,}",
            "segments": f"{self.n_segments:,}",
        }
        places: list[Block] = [*values_blocks(self.boundaries, self.n_documents)]
        members: list[Any] = values_blocks(self.segments, self.n_documents)
        # What the intervals rest on stands with the boundaries
        members[1:2] = map(Full, members[1:2])
        columns = self.pairs.to_dict()
        order = sorted(range(len(self.pairs)), key=lambda i: -columns["window_diff"][i])
        against = "each coder" if reference is None else show_label(reference)
        message = (
            f"Error rates against {against}, over all documents; 0 means the same boundaries. They"
            " are not corrected for chance, and depend on how many boundaries a coder sets."
            " Intervals are from 2,000 resamples of documents; one document has none."
        )
        layout = (
            "reference | coder | documents = n_documents:d | P_k = p_k | p_k_low..high |"
            " WindowDiff = window_diff | window_diff_low..high"
        )
        rows = Rows.laid(
            columns, layout, order, sides="<<>>>>>>>", limit=32, level=confidence, what="pair",
            hint="--csv has them", most=SHOWN, brief=2,
        )  # fmt: skip
        rates: list[Block] = [Full(message), Full(""), rows]
        return [
            *opening_of(source, source.notes, data),
            Section("Boundaries", [Full(BOUNDARIES), Full(""), *places]),
            Section("Segments", [Full(MEMBERS), Full(""), *members]),
            Section("Error rates", rates if order else ["No two coders cut the same text."]),
        ]

    def table(self) -> Table:
        """Return coefficients and error rates as one table."""
        from agreement_fast.present.tables import Table

        places, members = json_rows(self.boundaries), json_rows(self.segments)
        rows = [{"of": "boundaries", **row} for row in places]
        rows += [{"of": "segments", **row} for row in members]
        for pair, measure in itertools.product(json_rows(self.pairs), ("p_k", "window_diff")):
            own = {"value": measure, "low": f"{measure}_low", "high": f"{measure}_high"}
            own |= {name: name for name in ("reference", "coder", "n_documents")}
            row = {name: pair[column] for name, column in own.items()}
            rows.append({"of": "pair", "coefficient": measure, **row})
        names = dict.fromkeys(name for row in rows for name in row)
        return Table({name: [row.get(name) for row in rows] for name in names})

    def document(self) -> dict[str, Any]:
        """Give the document of docs/output.schema.json."""

        return {
            **document_of(self.arguments, self.source, self.source.notes),
            **json_fields(self, "n_documents n_elements n_segments boundaries segments pairs"),
            "coders": list(map(str, self.coders)),
        }


# ---------------------------------------------------------------------------------------------
# Reading


def _read(arguments: argparse.Namespace) -> ColumnTable:
    from agreement_fast.files import Role

    text, number = (Role(kind, needed=False) for kind in ("text", "number"))
    cuts = {"marks": text, "lengths": text, "start": number, "end": number}
    named = {role for role in cuts if getattr(arguments, role) is not None}
    if named:
        named |= {"start", "end"} if named <= {"start", "end"} else set()
        cuts = {role: cuts[role] for role in cuts if role in named}
    roles = {"coder": Role("key"), "document": Role("key", needed=False), **cuts}
    return read_table(arguments, roles, "segmentations")


def _segmentations(table: ColumnTable) -> dict[Any, dict[Any, Array]]:
    """Return the marks of each coder by document."""
    held: list[str] = [way for way in ("marks", "lengths") if way in table.keys]
    held += ["start and end"] * ({"start", "end"} <= table.numbers.keys())
    if len(held) != 1:
        problem = f"{' and '.join(held)} exclude each other" if held else "no column holds the cuts"
        raise UsageError(f"{problem}: pass --marks, or --lengths, or --start and --end")
    coder, document = table.keys["coder"], table.keys.get("document")
    who = coder.values[coder.codes].tolist()
    where = [None] * len(who) if document is None else document.values[document.codes].tolist()
    if held[0] == "start and end":
        return _of_segments(who, where, table.numbers["start"], table.numbers["end"])
    cells = table.keys[held[0]]
    texts = [None if code < 0 else str(cells.values[code]) for code in cells.codes.tolist()]
    cuts: dict[Any, dict[Any, Array]] = {}
    for row, (name, text, cut) in enumerate(zip(who, where, texts, strict=True), 1):
        place = _place(name, text)
        if cut is None:
            raise UsageError(f"row {row:,} below the header ({place}) has an empty cell")
        if name in cuts.setdefault(text, {}):
            raise UsageError(f"row {row:,} below the header: {place} has two segmentations")
        where_read = f"row {row:,} below the header ({place})"
        cuts[text][name] = _cuts(cut, held[0] == "marks", where_read)
    return cuts


def _place(coder: Any, document: Any) -> str:
    return f"coder {coder!r}" + ("" if document is None else f", document {document!r}")


def _cuts(text: str, are_marks: bool, place: str) -> Array:
    """Return marks of 0 and 1 from a text of marks, or of lengths."""
    import numpy as np

    from agreement_fast.units import from_lengths

    if are_marks:
        plain = re.sub(r"[\s,;|]", "", text)
        if not re.fullmatch("[01]*", plain):
            raise UsageError(f"{place}: marks must be 0 and 1, got {text[:40]!r}")
        return np.frombuffer(plain.encode(), np.uint8).astype(np.int8) - ord("0")
    pieces = [piece for piece in re.split(r"[\s,;|]+", text.strip("[]() \t")) if piece]
    if not pieces or not all(re.fullmatch(r"0*[1-9]\d{0,8}", piece) for piece in pieces):
        raise UsageError(f"{place}: lengths must be whole numbers above 0, got {text[:40]!r}")
    return from_lengths([int(piece) for piece in pieces])


def _of_segments(
    coders: Sequence[Any], documents: Sequence[Any], starts: Array, ends: Array
) -> dict[Any, dict[Any, Array]]:
    """Return marks from the start and the end of every segment; gaps and overlaps are errors."""
    import numpy as np

    for name, column in (("start", starts), ("end", ends)):
        if column.dtype.kind == "f":
            raise UsageError(f"--{name}: places of segmentations must be whole numbers")
    rows: dict[tuple[Any, Any], list[tuple[int, int]]] = {}
    for coder, document, start, end in zip(
        coders, documents, starts.tolist(), ends.tolist(), strict=True
    ):
        rows.setdefault((document, coder), []).append((start, end))
    cuts: dict[Any, dict[Any, Array]] = {}
    extents: dict[Any, tuple[int, int, Any]] = {}
    for (document, coder), spans in rows.items():
        spans.sort()
        place = _place(coder, document)
        for (_, stop), (start, _) in itertools.pairwise(spans):
            if start != stop:
                what = "a gap" if start > stop else "an overlap"
                raise UsageError(
                    f"{place}: there is {what} between {min(start, stop)} and {max(start, stop)};"
                    " segments must have neither (agreement-fast units allows both)"
                )
        if any(stop <= start for start, stop in spans):
            raise UsageError(f"{place}: a segment must end after its start")
        begin, end = spans[0][0], spans[-1][1]
        known = extents.setdefault(document, (begin, end, coder))
        if known[:2] != (begin, end):
            raise UsageError(
                f"{place}: the segments reach from {begin} to {end}, those of {known[2]!r} from"
                f" {known[0]} to {known[1]}: all coders must cut the same text"
            )
        if end - begin > 100_000_000:
            raise UsageError(f"{place}: {end - begin:,} places are too many")
        marks = np.zeros(end - begin - 1, np.int8)
        marks[[stop - begin - 1 for _, stop in spans[:-1]]] = 1
        cuts.setdefault(document, {})[coder] = marks
    return cuts


# ---------------------------------------------------------------------------------------------
# Computing


def _compute(
    cuts: Mapping[Any, Mapping[Any, Array]],
    arguments: argparse.Namespace,
    source: Source,
    confidence: float,
) -> _Segmentations:
    from agreement_fast.distances import spans
    from agreement_fast.errors import AgreementError
    from agreement_fast.points import chosen
    from agreement_fast.units import judgments

    coders = tuple(dict.fromkeys(coder for by_coder in cuts.values() for coder in by_coder))
    if arguments.gold is not None and arguments.gold not in coders:
        raise UsageError(f"--gold: no coder {arguments.gold!r}; there are {shorten(coders)}")
    texts = {
        coder: {
            "the text" if document is None else document: by_coder[coder]
            for document, by_coder in cuts.items()
            if coder in by_coder
        }
        for coder in coders
    }
    try:
        places, elements = judgments(texts), judgments(texts, "segment")
    except AgreementError as error:
        raise UsageError(str(error)) from None
    of_places = chosen(["alpha", "pi", "kappa"], ["nominal"], True)
    of_elements = chosen(["alpha"], [spans("dice"), spans("jaccard")], True)
    return _Segmentations(
        arguments,
        source,
        confidence,
        n_documents=len(cuts),
        n_elements=elements.n_items,
        n_segments=sum(int(m.sum()) + 1 for by_coder in cuts.values() for m in by_coder.values()),
        coders=coders,
        boundaries=values_table(places, of_places, confidence),
        segments=values_table(elements, of_elements, confidence),
        pairs=_pairs(cuts, coders, arguments.gold, arguments.window, confidence),
    )


def _pairs(
    cuts: Mapping[Any, Mapping[Any, Array]],
    coders: Sequence[Any],
    reference: str | None,
    window: int | None,
    confidence: float,
) -> Table:
    """Score each coder against each other one, or against the reference, over all documents."""
    from agreement_fast.present.tables import Table
    from agreement_fast.units import p_k, window_diff

    rows: list[dict[str, Any]] = []
    for first, second in itertools.permutations(coders, 2):
        if reference not in (None, first):
            continue
        both = {
            document: (by_coder[first], by_coder[second])
            for document, by_coder in cuts.items()
            if first in by_coder and second in by_coder and len(by_coder[first])
        }
        if not both:
            continue
        entry, other = ({name: pair[k] for name, pair in both.items()} for k in (0, 1))
        row = {"reference": first, "coder": second, "n_documents": len(both)}
        for name, score in (("p_k", p_k), ("window_diff", window_diff)):
            result = score(entry, other, window=window, confidence_level=confidence, rng=0)
            row |= {name: float(result), f"{name}_low": result.low, f"{name}_high": result.high}
        rows.append(row)
    names = ["reference", "coder", "n_documents"]
    names += [f"{name}{end}" for name in ("p_k", "window_diff") for end in ("", "_low", "_high")]
    return Table({name: [row[name] for row in rows] for name in names})


# ---------------------------------------------------------------------------------------------
# What chains have, too: reading a table of special labels, and the values of coefficients


def read_table(
    arguments: argparse.Namespace,
    roles: Mapping[str, Role],
    what: Literal["links", "segmentations"],
) -> ColumnTable:
    """Read the columns that the options name, or that their names tell."""
    from agreement_fast.files import ReadError, Workplace, read_columns

    options.need_file(arguments)
    columns = options.chosen_columns(arguments, roles)
    with ExitStack() as stack:
        try:
            workplace = Workplace(stack)
            table = read_columns(workplace, arguments.files, columns, roles, what)
            keep_digests(arguments, workplace, table.source.files)
        except ReadError as error:
            raise UsageError(str(error)) from None
    return _anonymous(arguments, table) if arguments.anonymous else table


def _anonymous(arguments: argparse.Namespace, table: ColumnTable) -> ColumnTable:
    """Call coders by letters, documents and mentions by numbers, also where an option has them."""
    import numpy as np

    from agreement_fast.files.tables import Coded

    known, keys = arguments.renamed, dict(table.keys)
    for role in (role for role in table.keys if role not in ("marks", "lengths")):
        what = "mention" if role == "antecedent" else role
        values = renamed(arguments, what, keys[role].values.tolist())
        keys[role] = Coded(keys[role].codes, np.array(values, object))
    if (gold := getattr(arguments, "gold", None)) is not None:
        arguments.gold = known["coder"].get(gold, gold)
    notes = shown_notes(arguments, table.source.notes, itertools.chain(*known.values()))
    source = replace(shown_source(arguments, table.source), notes=tuple(notes))
    return replace(table, source=source, keys=keys)


def opening_of(source: Source, notes: Iterable[str], data: Mapping[str, str]) -> list[Section]:
    """Return the first sections: what was read, and facts about the data."""
    facts = Full(Terms(list(data.items())))
    brief = ", ".join(f"{name} {value}" for name, value in data.items())
    return [read_section(source, notes), Section("Data", [Brief(brief), facts])]


def values_table(
    annotations: Annotations, points: Iterable[Point], confidence_level: float
) -> Table:
    """Compute coefficients, with intervals.

    Parameters
    ----------
    annotations : Annotations
        Their items are pairs of a document and a place in it. Items of a document depend on each
        other: if there are two documents or more, the documents are the sample.
    points : iterable of Point
    confidence_level : float

    Returns
    -------
    Table
        A row for each point.
    """
    from agreement_fast.coefficients import agreement
    from agreement_fast.inference import standard_error
    from agreement_fast.present.tables import Table, of_each

    documents = [document for document, _ in annotations.items]
    cluster = documents if len(set(documents)) > 1 else None
    how: Any = {"confidence_level": confidence_level, "cluster": cluster}
    values, errors = [], []
    for name, distance in ((point.name, point.distance) for point in points):
        values.append(agreement(annotations, name, distance=distance))
        errors.append(standard_error(annotations, name, distance=distance, **how))
    return Table(
        of_each(values, "coefficient distance value")
        | of_each(errors, "standard_error low high confidence_level")
        | of_each(values, "observed_disagreement expected_disagreement n_items undefined")
    )


def values_blocks(table: Table, n_documents: int) -> list[str | Rows]:
    """Show what `values_table` gave."""
    columns = table.to_dict()
    if not columns["value"]:
        return []
    rows = Rows.laid(
        columns,
        "coefficient | distance | D_o = observed_disagreement:# | D_e = expected_disagreement:# |"
        " value | low..high",
        sides="<<>>>>>",
        limit=60,
        level=columns["confidence_level"][0],
    )
    sample = (
        f"Intervals are from standard errors with the {n_documents:,} documents as the sample."
        if n_documents > 1
        else "There is one document: intervals take its items for independent, and are too narrow."
    )
    why = dict.fromkeys(reason for reason in columns["undefined"] if reason)
    undefined = [f"Undefined: {reason}." for reason in why]
    return [rows, sample, *undefined]
