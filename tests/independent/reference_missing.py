"""Every way to fill in missing judgments, one after the other, in rational arithmetic."""

from itertools import product

from reference import Cube


def fillings(items, missing, categories):
    """Yield the items with every combination of categories for the missing (item, coder)."""
    for labels in product(categories, repeat=len(missing)):
        filled = [dict(item) for item in items]
        for (i, coder), label in zip(missing, labels, strict=True):
            filled[i][coder] = label
        yield filled


def bounds(items, missing, categories, coefficient, distance, *, weights, coders, incomplete):
    """Return the least and the largest value, over the fillings in which it is defined."""
    values = []
    for filled in fillings(items, missing, categories):
        cube = Cube(filled, distance, weights=weights, coders=coders, categories=categories)
        value = cube.named(coefficient, incomplete).value
        if value is not None:
            values.append(value)
    return (min(values), max(values)) if values else None


def agreed_or_disagreed(items, missing, categories, d, *, agreed):
    """Return the items, each missing judgment filled in with the nearest or farthest label."""
    uses = [sum(list(item.values()).count(label) for item in items) for label in categories]
    usual = categories[uses.index(max(uses))]
    filled = [dict(item) for item in items]
    for i, coder in missing:
        others = list(filled[i].values())
        apart = [sum(d(label, other) for other in others) for label in categories]
        picked = min(apart) if agreed else max(apart)
        filled[i][coder] = categories[apart.index(picked)] if others else usual
    return filled
