"""Agreement on units straight from the definitions: slow, exact, independent of the package.

Units are (coder, start, end, category, document) with whole half-open positions. ``extents`` is a
dict from document to (begin, end), ``coders`` a list of all coders. A coder's row of segments is
written out with its gaps, and every pair of segments is looked at.
"""

from fractions import Fraction
from itertools import permutations, product

GAP = None


def segments(units, coder, extents, keep=lambda unit: True):
    """List a coder's segments of each document: (document, start, end, category), gaps between."""
    row = []
    for document, (begin, stop) in extents.items():
        own = sorted(u for u in units if u[0] == coder and u[4] == document and keep(u))
        position = begin
        for _, start, end, category, _ in own:
            if position < start:
                row.append((document, position, start, GAP))
            row.append((document, start, end, category))
            position = end
        if position < stop:
            row.append((document, position, stop, GAP))
    return row


def squared_difference(g, h):
    """Krippendorff's δ² of two segments of two coders (1995, equation 11; 2004, section 11.6)."""
    (g_doc, g_start, g_end, g_category), (h_doc, h_start, h_end, h_category) = g, h
    if g_doc != h_doc:
        return 0
    if g_category is not GAP and h_category is not GAP:
        overlap = g_start < h_end and h_start < g_end
        return (g_start - h_start) ** 2 + (g_end - h_end) ** 2 if overlap else 0
    if g_category is not GAP and h_start <= g_start and g_end <= h_end:
        return (g_end - g_start) ** 2
    if h_category is not GAP and g_start <= h_start and h_end <= g_end:
        return (h_end - h_start) ** 2
    return 0


def alpha_u_category(units, category, extents, coders):
    """D_o and D_e of one category (Krippendorff 2004, section 11.6)."""
    m, length = len(coders), sum(end - begin for begin, end in extents.values())
    rows = {c: segments(units, c, extents, lambda u: u[3] == category) for c in coders}
    observed = sum(
        squared_difference(g, h)
        for i, j in permutations(coders, 2)
        for g in rows[i]
        for h in rows[j]
    )
    everything = [segment for row in rows.values() for segment in row]
    lengths = [end - start for _, start, end, kind in everything if kind is not GAP]
    gaps = [end - start for _, start, end, kind in everything if kind is GAP]
    expected = sum(
        Fraction(len(lengths) - 1, 3) * (2 * n**3 - 3 * n**2 + n)
        + n**2 * sum(gap - n + 1 for gap in gaps if gap >= n)
        for n in lengths
    )
    places = m * length * (m * length - 1) - sum(n * (n - 1) for n in lengths)
    return Fraction(observed, m * (m - 1) * length**2), Fraction(2, length) * expected / places


def alpha_u(units, extents, coders):
    """D_o and D_e summed over the categories."""
    parts = [alpha_u_category(units, c, extents, coders) for c in {u[3] for u in units}]
    return sum(o for o, _ in parts), sum(e for _, e in parts)


# ---------------------------------------------------------------- the family of 2016


def meet(g, h):
    """Measure the length in which two segments intersect."""
    return max(0, min(g[2], h[2]) - max(g[1], h[1])) if g[0] == h[0] else 0


def coincidences(units, extents, coders):
    """ℓ_ck and ε_ck over categories and the gap (equations 1 and 4)."""
    rows = {coder: segments(units, coder, extents) for coder in coders}
    kinds = [GAP, *sorted({u[3] for u in units})]
    observed = {
        (c, k): Fraction(
            sum(
                meet(g, h)
                for i, j in permutations(coders, 2)
                for g in rows[i]
                for h in rows[j]
                if g[3] == c and h[3] == k
            ),
            len(coders) - 1,
        )
        for c, k in product(kinds, repeat=2)
    }
    everything = [segment for row in rows.values() for segment in row]
    alone = dict.fromkeys(kinds, 0)
    for _, start, end, kind in everything:
        alone[kind] += end - start if kind is GAP else (end - start) ** 2
    return observed, expect(observed, kinds, alone), kinds


def expect(observed, kinds, alone):
    """What is expected from the marginals, without pairs of a segment with itself."""
    margin = {c: sum(observed[c, k] for k in kinds) for c in kinds}
    whole = sum(margin.values())
    if not whole:
        return None
    denominator = whole - Fraction(sum(alone.values())) / whole
    return {
        (c, k): (margin[c] * margin[k] - (alone[c] if c == k else 0)) / denominator
        for c, k in product(kinds, repeat=2)
    }


def family(units, extents, coders):
    """Pairs of D_o and D_e of uα, |uα, and for two coders cuα and (k)uα; None where 0/0."""
    observed, expected, kinds = coincidences(units, extents, coders)
    whole = sum(observed.values())
    real = [k for k in kinds if k is not GAP]
    out = {
        "u_alpha": tuple(
            sum(x[c, k] for c, k in product(kinds, repeat=2) if c != k) / whole
            for x in (observed, expected)
        ),
        "binary_u_alpha": tuple(
            2 * sum(x[GAP, k] for k in real) / whole for x in (observed, expected)
        ),
    }
    if len(coders) == 2:
        rows = [segments(units, coder, extents) for coder in coders]
        alone = dict.fromkeys(real, 0)
        for row, other in (rows, rows[::-1]):
            for g in row:
                if g[3] is not GAP:
                    alone[g[3]] += sum(meet(g, h) for h in other if h[3] is not GAP) ** 2
        inner = expect(observed, real, alone)
        out["inner"] = None if inner is None else (observed, inner)
    return out


def cu_alpha(inner, real, distance=lambda c, k: int(c != k)):
    """D_o and D_e of cuα (equation 11), by the length that both coders marked."""
    observed, expected = inner
    whole = sum(observed[c, k] for c, k in product(real, repeat=2))
    return tuple(
        sum(Fraction(distance(c, k)) * x[c, k] for c, k in product(real, repeat=2)) / whole
        for x in (observed, expected)
    )


def ku_alpha(inner, real, k):
    """D_o and D_e of (k)uα (equation 13b), or None where the other coder marked none of it."""
    observed, expected = inner
    margin, chance = (sum(x[c, k] for c in real) for x in (observed, expected))
    if not margin or not chance:
        return None
    return 1 - observed[k, k] / margin, 1 - expected[k, k] / chance
