"""Agreement on units counted place by place: slow, exact, independent of the package.

A study is a dict from document to a dict from coder to the coder's row: a list with an entry for
each place of the document, None for a gap, or (unit, category). A coder who is not in a document's
dict did not see it. Places of one unit need not be neighbours.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

GAP = None


def places(study):
    """List every place of every coder: (document, coder, place, unit or place alone, category)."""
    result = []
    for document, rows in study.items():
        if len(rows) < 2:
            continue
        for coder, row in rows.items():
            for at, cell in enumerate(row):
                if cell is GAP:
                    # a gap has no structure: each of its places is by itself
                    result.append((document, coder, at, (document, coder, "gap", at), GAP))
                else:
                    result.append(
                        (document, coder, at, (document, coder, "unit", cell[0]), cell[1])
                    )
    return result


def observed(study, differs, looked_at=lambda one, other: True):
    """Sum over ordered pairs of coders what differs in a place, by m - 1, and what is looked at."""
    apart = together = Fraction(0)
    for rows in study.values():
        for one, other in permutations(rows.values(), 2):
            for a, b in zip(one, other, strict=True):
                a, b = (cell if cell is GAP else cell[1] for cell in (a, b))
                if looked_at(a, b):
                    together += Fraction(1, len(rows) - 1)
                    apart += Fraction(differs(a, b), len(rows) - 1)
    return apart, together


def expected(some, differs):
    """Take the mean over pairs of places that are not of one segment."""
    apart = pairs = 0
    for a in some:
        for b in some:
            if a[3] != b[3]:
                pairs += 1
                apart += differs(a[4], b[4])
    return Fraction(apart, pairs) if pairs else None


def coefficient(study, differs):
    """D_o and D_e over all places, or None if there are no pairs."""
    apart, together = observed(study, differs)
    chance = expected(places(study), differs)
    return None if not together or chance is None else (apart / together, chance)


def u_alpha(study):
    """uα: another category, a gap being one."""
    return coefficient(study, lambda a, b: int(a != b))


def binary_u_alpha(study):
    """|uα: a unit for one, a gap for the other."""
    return coefficient(study, lambda a, b: int((a is GAP) != (b is GAP)))


def intersections(study, account, category=None):
    """D_o and D_e of cuα, or of (k)uα of a category: what is left out of chance counts by account.

    Places are counted in each ordered pair of coders. Of each unit, 2016 leaves out the squared
    number of places that it has in common with each other coder, by m - 1; 2019 that of the places
    that it has in common with any.
    """
    observed, alone = Counter(), Counter()
    for rows in study.values():
        own = defaultdict(lambda: defaultdict(set))
        for one, other in permutations(rows, 2):
            for at, (a, b) in enumerate(zip(rows[one], rows[other], strict=True)):
                if a is not GAP and b is not GAP:
                    observed[a[1], b[1]] += Fraction(1, len(rows) - 1)
                    own[one, a][other].add(at)
        for (_, (_, kind)), by_coder in own.items():
            alone[kind] += (
                len(set.union(*by_coder.values())) ** 2
                if account.endswith("2019")
                else Fraction(sum(len(places) ** 2 for places in by_coder.values()), len(rows) - 1)
            )
    margin = Counter()
    for (kind, _), length in observed.items():
        margin[kind] += length
    if category is not None and not margin[category]:
        return None
    kinds = list(margin) if category is None else [category]
    total = sum(margin.values())
    apart = sum(length for (a, b), length in observed.items() if a in kinds and a != b)
    chance = sum(margin[a] * margin[b] for a in kinds for b in margin if a != b)
    pairs = sum(margin[a] * total - alone[a] for a in kinds)
    if not total or pairs <= 0:
        return None
    return apart / sum(margin[a] for a in kinds), Fraction(chance) / pairs


def alpha_u(study, category):
    """D_o and D_e of one category of α_U (Krippendorff 2004), of units without other pieces."""
    study = {document: rows for document, rows in study.items() if len(rows) > 1}
    everything = sum(len(row) for rows in study.values() for row in rows.values())
    length = sum(len(next(iter(rows.values()))) for rows in study.values())
    squares, units, gaps = Fraction(0), [], []
    for rows in study.values():
        cut = {coder: _segments(row, category) for coder, row in rows.items()}
        for one, other in permutations(cut, 2):
            squares += Fraction(_squares(cut[one], cut[other]), len(rows) - 1)
        for segments in cut.values():
            for start, end, is_unit in segments:
                (units if is_unit else gaps).append(end - start)
    ways = Fraction(0)
    for own in units:
        ways += Fraction(len(units) - 1, 3) * (2 * own**3 - 3 * own**2 + own)
        ways += own**2 * sum(gap - own + 1 for gap in gaps if gap >= own)
    pairs = everything * (everything - 1) - sum(own * (own - 1) for own in units)
    return squares / (everything * length), Fraction(2, length) * ways / pairs


def _segments(row, category):
    """List (start, end, is it a unit?) of one category's units and the gaps between them."""
    result, at = [], 0
    while at < len(row):
        own = row[at] if row[at] is not GAP and row[at][1] == category else GAP
        end = at
        while end < len(row):
            cell = row[end] if row[end] is not GAP and row[end][1] == category else GAP
            if cell != own:
                break
            end += 1
        result.append((at, end, own is not GAP))
        at = end
    return result


def _squares(one, other):
    result = 0
    for a_start, a_end, a_unit in one:
        for b_start, b_end, b_unit in other:
            if a_unit and b_unit:
                if a_start < b_end and b_start < a_end:
                    result += (a_start - b_start) ** 2 + (a_end - b_end) ** 2
            elif a_unit and b_start <= a_start and a_end <= b_end:
                result += (a_end - a_start) ** 2
            elif b_unit and a_start <= b_start and b_end <= a_end:
                result += (b_end - b_start) ** 2
    return result
