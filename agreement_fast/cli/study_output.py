"""A study of subsets of the coders, as text and as a JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.reading import Part
from agreement_fast.json_values import json_fields, json_number
from agreement_fast.terminal import align, show_value, wrap

if TYPE_CHECKING:
    from agreement_fast.subsets import ReferenceStability, SizeSummary, SubsetStudy


@dataclass(frozen=True)
class Found:
    """The study of one group."""

    part: Part
    n_coders: int
    study: SubsetStudy
    reference: ReferenceStability | None


def sections(found: Found, width: int, explain: bool) -> Iterator[str]:
    """Return the text of a group."""
    study = found.study
    text = f"{len(study.coders):,} coders"
    if found.n_coders > len(study.coders):
        text += f" of {found.n_coders:,}, those with the most judgments"
    text += f"; {study.n_subsets:,} subsets"
    drawn = any(row.sampled for rows in study for row in rows)
    if drawn:
        text += ". A star marks sizes for which a random sample of the subsets was used"
    lines = ["Subsets of the coders", wrap(text + ".", width)]
    if explain:
        lines.append(
            wrap(
                "Each coefficient was computed as if only the coders of a subset had taken part."
                " The relative standard deviation (relative) is the standard deviation over the"
                " subsets of a size, divided by their mean. With all coders it is 0, because there"
                " is only one such set; the much smaller sizes show how far other coders like these"
                " would differ.",
                width,
            )
        )
    yield "\n".join(lines)
    for rows in study:
        yield _table(rows, width)
    if found.reference is not None:
        yield _reference(found.reference, width, explain=explain)


def _table(rows: Sequence[SizeSummary], width: int) -> str:
    def show(value: float) -> str:
        return "-" if value != value else show_value(value)

    cells = [
        (
            str(row.size),
            f"{row.n_subsets:,}{'*' if row.sampled else ''}",
            show(row.mean),
            show(row.standard_deviation),
            _percent(row.relative_standard_deviation),
            *map(show, (row.minimum, row.lower_quartile, row.median, row.upper_quartile,
                        row.maximum)),
        )
        for row in rows
    ]  # fmt: skip
    head = ("coders", "subsets", "mean", "sd", "relative", "minimum", "lower", "median", "upper",
            "maximum")  # fmt: skip
    lines = [f"{rows[0].coefficient} ({rows[0].distance})"]
    lines += align(head, cells, ">" * len(head))
    undefined = [(row.size, row.n_undefined) for row in rows if row.n_undefined]
    if undefined:
        sizes = ", ".join(f"{n:,} of {size} coders" for size, n in undefined[:6])
        more = f" and of {len(undefined) - 6} more sizes" if len(undefined) > 6 else ""
        lines.append(wrap(f"Undefined, and left out: {sizes}{more}.", width))
    steady = _steady(rows)
    if steady:
        lines.append(wrap(steady, width))
    return "\n".join(lines)


def _steady(rows: Sequence[SizeSummary]) -> str:
    """Say from which number of coders on the value varies little."""
    said = []
    # There is only one subset of all coders, which has no spread.
    shown = [row for row in rows if row.n_possible > 1]
    for limit in (0.10, 0.05):
        fine = None
        for row in reversed(shown):
            if not row.relative_standard_deviation < limit:
                break
            fine = row.size
        if fine is not None:
            said.append(f"below {limit:.0%} from {fine} coders on")
    return f"The relative standard deviation is {', '.join(said)}." if said else ""


def _percent(value: float) -> str:
    return "-" if value != value else f"{value:.2%}"


def _reference(found: ReferenceStability, width: int, *, explain: bool) -> str:
    cells = [
        tuple(map(str, (size, f"{n:,}"))) + tuple(map(_percent, shares))
        for size, n, *shares in zip(
            found.sizes.tolist(),
            found.n_subsets,
            found.changed.tolist(),
            found.standard_deviation.tolist(),
            found.minimum.tolist(),
            found.maximum.tolist(),
            found.unjudged.tolist(),
            strict=True,
        )
    ]
    lines = [f"Changes of the majority label (ties: {found.ties})"]
    if explain:
        lines.append(
            wrap(
                f"The share of the {found.n_items:,} items whose most frequent label changes if"
                " only the coders of a subset take part, on average over all subsets. Items that no"
                " coder of a subset judged (unjudged) count as changed.",
                width,
            )
        )
    head = ("coders", "subsets", "changed", "sd", "minimum", "maximum", "unjudged")
    lines += align(head, cells, ">" * len(head))
    compared = {
        n for n, every in zip(found.n_compared.tolist(), found.n_subsets, strict=True) if n < every
    }
    if compared:
        lines.append(
            wrap(
                f"If a size has more than {max(compared):,} subsets, sd, minimum and maximum are"
                f" those of a random sample of {max(compared):,} subsets.",
                width,
            )
        )
    if found.note is not None:
        lines.append(wrap(f"{found.note}.", width))
    return "\n".join(lines)


def entry(found: Found) -> dict[str, Any]:
    """Return the part of a group of docs/subsets.schema.json."""
    study, reference = found.study, found.reference
    return {
        "coders_in_files": found.n_coders,
        "coders": [str(coder) for coder in study.coders],
        "subsets": study.n_subsets,
        "coefficients": [
            {
                "coefficient": rows[0].coefficient,
                "distance": rows[0].distance,
                "sizes": [_size_document(row) for row in rows],
            }
            for rows in study
        ],
        "reference": None
        if reference is None
        else {
            "ties": reference.ties,
            "items": reference.n_items,
            "items_dropped": reference.n_items_dropped,
            "sizes": [
                {
                    "coders": size,
                    "subsets_possible": n,
                    "subsets_compared": int(reference.n_compared[i]),
                    "changed": json_number(reference.changed[i]),
                    "standard_deviation": json_number(reference.standard_deviation[i]),
                    "minimum": json_number(reference.minimum[i]),
                    "maximum": json_number(reference.maximum[i]),
                    "unjudged": json_number(reference.unjudged[i]),
                }
                for i, (size, n) in enumerate(
                    zip(reference.sizes.tolist(), reference.n_subsets, strict=True)
                )
            ],
        },
    }


def _size_document(row: SizeSummary) -> dict[str, Any]:
    return {
        "coders": row.size,
        "subsets": row.n_subsets,
        "subsets_possible": row.n_possible,
        "sampled": row.sampled,
        "undefined": row.n_undefined,
        **json_fields(
            row,
            "mean standard_deviation relative_standard_deviation minimum lower_quartile median "
            "upper_quartile maximum",
        ),
        "histogram": {
            "counts": row.counts.tolist(),
            "edges": [json_number(edge) for edge in row.edges.tolist()],
        },
    }
