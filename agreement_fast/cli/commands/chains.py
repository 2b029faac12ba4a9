"""Measure agreement on coreference chains.

Read antecedent links, join linked mentions into chains, and print how far the coders'
chains agree. A file has one link per row: a document, a coder, a mention and its
antecedent. It does not matter which member of a chain a coder names as the antecedent
(Passonneau 2004). A link without an antecedent says that the mention starts a chain.

examples:
  agreement-fast units --of chains links.csv
      the columns are guessed from their names
  agreement-fast units --of chains links.csv --mention expression --antecedent refers_to
      the same, with two of the columns named
  agreement-fast units --of chains links.csv --distance dice --csv values.csv
      one distance; write the values as a table
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.commands.segments import opening_of, read_table, values_blocks, values_table
from agreement_fast.cli.outcome import Outcome
from agreement_fast.cli.output import document_of
from agreement_fast.cli.wording import in_options
from agreement_fast.present.documents import json_rows
from agreement_fast.present.sections import Full, Section
from agreement_fast.present.terminal import show_mean

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import Source
    from agreement_fast.present.tables import Table

#: Default distances: those that Artstein & Poesio (2005, 4.1) compare, and MASI.
DISTANCES = ("passonneau", "jaccard", "dice", "masi")

NAME = "units --of chains"


ROWS = {
    **options.WHERE,
    "--left-out missing|empty": "how mentions count that a coder of their document left out:"
    " missing (no judgment, default) or empty (the empty chain)",
    "--distance NAME ...": "distance between chains; may be repeated (default:"
    f" {', '.join(DISTANCES)})",
    "--coefficient NAMES ...": "coefficients to compute, such as alpha,beta (default: alpha)",
    **options.CONFIDENCE,
}


COLUMNS = {
    "--document COLUMN": "the document of the mention",
    "--coder COLUMN": "who linked the mention",
    **options.CODER_FROM,
    "--mention COLUMN": "the referring expression",
    "--antecedent COLUMN": "the mention that it refers to; empty if it starts a chain",
    **options.EXCLUDE,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_files(parser)
    options.declare(parser, "what coders marked", options.OF)
    options.declare(parser, "columns (guessed from their names if not given)", COLUMNS)
    defaults = {"left_out": "missing", "distance": [], "confidence_level": 0.95}
    options.declare(parser, "rows and measures", ROWS, **defaults)
    options.declare(parser, "names", options.ANONYMOUS)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the links and compute the agreement on chains."""
    from agreement_fast.files import Role
    from agreement_fast.points import chosen

    confidence = options.confidence_level(arguments)
    roles = {name: Role("key") for name in ("document", "coder", "mention")}
    table = read_table(arguments, roles | {"antecedent": Role("text")}, "links")
    distances = options.listed(arguments.distance, "--distance") or list(DISTANCES)
    with in_options(arguments, phrases={"order": ""}):
        from agreement_fast.reading.frames import Dictionary
        from agreement_fast.units.chains import chain_judgments, chains_of

        named = (table.keys[role] for role in ("document", "coder", "mention", "antecedent"))
        columns = [Dictionary(entry.codes, entry.values.tolist(), False) for entry in named]
        data = chain_judgments(chains_of(*columns), arguments.left_out)
        points = chosen(options.chosen_coefficients(arguments) or ["alpha"], distances, True)
        values = values_table(data, points, confidence)
    return _Chains(arguments, table.source, data, values)


@dataclass(frozen=True)
class _Chains(Outcome):
    """The chains, and the coefficients."""

    arguments: argparse.Namespace
    source: Source
    data: Annotations
    values: Table

    def _counts(self) -> dict[str, Any]:
        data = self.data
        chains: Sequence[Any] = data.categories
        sizes = [len(chain) for chain in chains]
        return {
            "n_documents": len({document for document, _ in data.items}),
            "n_mentions": data.n_items,
            "n_coders": data.n_coders,
            "n_judgments": data.n_judgments,
            "n_chains": len(sizes),
            "mean_length": sum(sizes) / len(sizes) if sizes else None,
        }

    def text(self) -> list[Section]:
        """Give what was read, and the coefficients."""
        counts = self._counts()
        mean = counts["mean_length"]
        names = ("documents", "mentions", "coders", "judgments")
        each = "" if mean is None else f", {show_mean(mean)} mentions each"
        rows = {name: f"{counts[f'n_{name}']:,}" for name in names}
        rows["chains"] = f"{counts['n_chains']:,} different ones{each}"
        explained = (
            "The label of a mention is the chain that a coder put it in, a set of mentions. The"
            " distances say how far two such sets are apart, from 0 (the same) to 1 (nothing in"
            " common)."
        )
        values_shown = values_blocks(self.values, counts["n_documents"])
        coefficients = Section("Coefficients", [Full(explained), Full(""), *values_shown])
        return [*opening_of(self.source, self.source.notes, rows), coefficients]

    def table(self) -> Table:
        """Give a row for each coefficient."""
        return self.values

    def document(self) -> dict[str, Any]:
        """Give the document of docs/output.schema.json."""

        return {
            **document_of(self.arguments, self.source, self.source.notes),
            **self._counts(),
            "coefficients": json_rows(self.values),
        }
