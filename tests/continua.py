"""Random continua, and the package's continuum of units as the reference takes them."""

from itertools import pairwise

from hypothesis import strategies as st

from agreement_fast import units


def continuum(marked, extents, coders, **options):
    """The package's continuum of units as the reference takes them."""
    columns = list(zip(*marked, strict=True)) or [(), (), (), (), ()]
    who, starts, ends, categories, documents = columns
    return units.Continuum.from_rows(
        who,
        starts,
        ends,
        categories,
        documents,
        extents=extents,
        all_coders=list(coders),
        **options,
    )


@st.composite
def studies(draw, *, coders=None, exclusive=False):
    """Small continua: 2 to 5 coders, 1 to 3 documents, up to 3 categories, gaps anywhere."""
    names = [f"c{i}" for i in range(coders or draw(st.integers(2, 5)))]
    extents = {}
    for document in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(-5, 20))
        extents[f"d{document}"] = (begin, begin + draw(st.integers(1, 14)))
    marked = []
    for name in names:
        for document, (begin, end) in extents.items():
            for category in ["one"] if exclusive else ["x", "y", "z"][: draw(st.integers(0, 3))]:
                cuts = sorted(draw(st.lists(st.integers(begin, end), unique=True, max_size=6)))
                for start, stop in pairwise(cuts):
                    if draw(st.booleans()):
                        kind = draw(st.sampled_from("xyz")) if exclusive else category
                        marked.append((name, start, stop, kind, document))
    return draw(st.permutations(marked)), extents, names
