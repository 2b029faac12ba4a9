"""The draws, and the rounding of sums, depend on the items but not on their order."""

import numpy as np
import polars as pl
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import inference
from agreement_fast.distances.sums import columns

#: Items, coders, labels: counts that fit a word and such that do not, few rows and many.
SHAPES = [(60, 3, 4), (5000, 5, 3), (300, 4, 60), (200, 20, 3), (40, 30, 100)]


def judgments(n_items, n_coders, n_labels, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_labels, (n_items, n_coders))
    items, coders = np.nonzero(rng.random(labels.shape) > 0.2)
    document = items // 7
    columns = {"item": items, "coder": coders, "label": labels[items, coders], "document": document}
    return pl.DataFrame(columns)


def numbers_of(data, coefficient, distance, **options):
    error = inference.standard_error(data, coefficient, distance=distance, **options)
    drawn = af.bootstrap(data, coefficient, distance=distance, n_resamples=30, rng=4, **options)
    return [float(error), error.low, error.high, drawn.low, drawn.high, *drawn.replicates.tolist()]


@pytest.mark.few
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(
    ("coefficient", "distance"),
    [("alpha", "nominal"), ("kappa", "nominal"), ("ac", "nominal"), ("alpha", "interval")],
)
def test_shuffled_items_give_the_same_numbers(shape, coefficient, distance):
    frame = judgments(*shape)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=2)
    one, other = (af.Annotations.from_frame(some, along="document") for some in (frame, shuffled))
    assert list(one.items) != list(other.items)
    assert numbers_of(one, coefficient, distance) == numbers_of(other, coefficient, distance)
    by_document = [
        numbers_of(some, coefficient, distance, cluster="document") for some in (one, other)
    ]
    assert by_document[0] == by_document[1]
    assert by_document[0] != numbers_of(one, coefficient, distance)


def test_documents_drawn_are_all_their_items():
    """The cluster bootstrap again, from the whole rows of the documents that were drawn."""
    frame = judgments(60, 3, 4)
    data = af.Annotations.from_frame(frame, along="document")
    result = af.bootstrap(data, "alpha", cluster="document", n_resamples=5, rng=4)
    documents = np.array(data.along["document"])
    names = np.unique(documents)
    own = np.random.default_rng(4).spawn(1)[0]
    table = data.to_wide()
    for replicate in nonempty(result.replicates):
        drawn = names[own.integers(0, len(names), len(names), dtype=np.int32)]
        again = np.concatenate([table[documents == document] for document in drawn])
        assert replicate == pytest.approx(af.alpha(af.Annotations.from_wide(again)), rel=1e-12)


def test_patterns_are_not_pairs():
    data = af.Annotations.from_frame(judgments(60, 3, 4))
    with pytest.raises(ValueError, match=r"need the names of items.*paired=False"):
        af.compare(data, af.concat([data], keep_items=False), paired=True)


def test_very_many_distinct_rows_are_summed_as_they_are(monkeypatch):
    frame = judgments(300, 4, 60)
    data = af.Annotations.from_frame(frame)
    for name in nonempty(["alpha", "pi", "ac"]):
        sorted_rows = inference.standard_error(data, name)
        with monkeypatch.context() as patch:
            patch.setattr(columns, "SORTED", 0)
            patch.setattr(columns, "UNSORTED", 10)
            result = inference.standard_error(data, name)
        for part in ("low", "high", "standard_error"):
            assert getattr(result, part) == pytest.approx(getattr(sorted_rows, part), rel=1e-12)
