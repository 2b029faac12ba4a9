"""Boxes and masks: IoU by counting pixels, matching by trying all, α by the general coefficient."""

from itertools import permutations

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import units
from agreement_fast.units import Objects
from agreement_fast.units.pair_scores import best_matching


def pixels(box):
    x0, y0, x1, y1 = box
    return {(x, y) for x in range(x0, x1) for y in range(y0, y1)}


def plain_iou(a, b):
    return len(pixels(a) & pixels(b)) / len(pixels(a) | pixels(b))


def drawn(box, size=12):
    mask = np.zeros((size, size), bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    return mask


def run_lengths(mask):
    """COCO's counts: pixels without and with the object in turn, down the columns."""
    flat = mask.T.reshape(-1).tolist()
    counts, value = [0], False
    for pixel in flat:
        if pixel != value:
            counts.append(0)
            value = pixel
        counts[-1] += 1
    return {"size": list(mask.shape), "counts": counts}


def some_boxes(rng, n, size=12):
    corner = rng.integers(0, size - 1, (n, 2))
    return np.hstack([corner, corner + 1 + rng.integers(0, size - 1 - corner)]).tolist()


def test_boxes_masks_and_run_lengths_cover_as_counted():
    boxes = some_boxes(np.random.default_rng(1), 40)
    first, second = (i.reshape(-1) for i in np.indices((40, 40)))
    counted = [plain_iou(boxes[i], boxes[j]) for i, j in zip(first, second, strict=True)]
    names = ["p"] * 40, ["A"] * 40
    masks = [drawn(box) for box in boxes]
    for data in (
        Objects.from_boxes(*names, boxes),
        Objects.from_boxes(*names, [(a, b, c - a, d - b) for a, b, c, d in boxes], form="xywh"),
        Objects.from_masks(*names, masks),
        Objects.from_masks(*names, [run_lengths(mask) for mask in masks]),
    ):
        np.testing.assert_allclose(data.shapes.iou(first, second), counted, rtol=1e-12)


def test_masks_need_not_be_boxes():
    rng = np.random.default_rng(2)
    masks = rng.random((30, 7, 9)) < np.linspace(0.1, 1, 30)[:, None, None]
    masks[:, 3, 3] = True
    data = Objects.from_masks(["p"] * 30, ["A"] * 30, [m.astype(int) for m in masks])
    again = Objects.from_masks(["p"] * 30, ["A"] * 30, [run_lengths(m) for m in masks])
    first, second = (i.reshape(-1) for i in np.indices((30, 30)))
    shared = (masks[first] & masks[second]).sum((1, 2))
    either = (masks[first] | masks[second]).sum((1, 2))
    for one in (data, again):
        np.testing.assert_allclose(one.shapes.iou(first, second), shared / either, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_matching_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 5, (15, 4, 5)) * (rng.random((15, 4, 5)) < 0.5)
    for table in nonempty(weights):
        first, second = np.nonzero(table)
        chosen = best_matching(first, second + 10, table[first, second].astype(float))
        best = max(sum(table[range(4), order]) for order in permutations(range(5), 4))
        assert table[first[chosen], second[chosen]].sum() == best
        assert len({*first[chosen]}) == len({*second[chosen]}) == chosen.sum()


TWO = Objects.from_boxes(
    ["p1", "p1", "p1", "p2", "p2", "p3"],
    ["Ann", "Bob", "Bob", "Ann", "Bob", "Ann"],
    [(0, 0, 10, 10), (0, 0, 10, 8), (20, 20, 30, 30), (5, 5, 9, 9), (5, 5, 9, 7), (1, 1, 2, 2)],
    ["car", "car", "dog", "car", "dog", "dog"],
)


def counts_of(score):
    return score.precision, score.recall, float(score)


def test_what_is_found_at_a_threshold():
    """Image p3 was seen by Ann only; the boxes of p2 share half, and have two labels."""
    place = units.scores(TWO, threshold=0.5, labelled=False, rng=1)["f1"]
    assert counts_of(place) == pytest.approx((2 / 3, 1, 0.8))
    assert place.n_documents == 2
    assert counts_of(units.scores(TWO, threshold=0.51, labelled=False)["f1"]) == pytest.approx(
        (1 / 3, 1 / 2, 0.4)
    )
    assert counts_of(units.scores(TWO, threshold=0.5)["f1"]) == pytest.approx((1 / 3, 1 / 2, 0.4))
    assert counts_of(units.scores(TWO, threshold=0.81)["f1"]) == (0, 0, 0)
    bob = units.scores(TWO, threshold=0.5, labelled=False, gold="Bob")["f1"]
    assert bob.key == "Bob"
    assert counts_of(bob) == pytest.approx((1, 2 / 3, 0.8))


def test_scores_by_label():
    result = units.scores(TWO, threshold=0.5, by="label", rng=1)
    assert counts_of(result.of("f1", "Ann", "Bob", label="car")) == pytest.approx((1, 1 / 2, 2 / 3))
    dog = result.of("f1", "Ann", "Bob", label="dog")
    assert dog.precision == 0
    assert np.isnan(dog.recall)
    assert dog == 0
    place = units.scores(TWO, threshold=0.5, by="label", labelled=False).of(
        "f1", "Ann", "Bob", label="dog"
    )
    assert place == 0  # matched by place, and only one of them says dog
    assert " dog " in str(result)


def test_scores_by_image():
    result = units.scores(TWO, threshold=0.5, labelled=False, by="image")
    table = result.to_dict()
    assert table["document"] == ["p1", "p2"]
    assert table["n_key"] == [1, 1]
    assert table["n_response"] == [2, 1]
    assert table["mean_iou"] == pytest.approx([0.8, 0.5])
    assert table["value"] == pytest.approx([2 / 3, 1])
    assert np.isnan(table["low"]).all()
    assert str(result).splitlines()[1].split()[:5] == ["Ann", "/", "Bob", "p1", "f1"]
    whole = units.scores(TWO, threshold=0.5, labelled=False, rng=1)["f1"]
    assert whole.mean_iou == pytest.approx(0.65)


def test_who_saw_an_image_is_said():
    """Bob marked nothing in p3, and nobody anything in p4."""
    rows = ["p1", "p1", "p3"], ["Ann", "Bob", "Ann"], [(0, 0, 9, 9)] * 3
    assert units.scores(Objects.from_boxes(*rows))["f1"] == 1
    for seen in ("all", [("p3", "Bob"), ("p4", "Ann")]):
        data = Objects.from_boxes(*rows, seen=seen)
        result = units.scores(data)["f1"]
        assert counts_of(result) == pytest.approx((1, 1 / 2, 2 / 3))
        assert units.judgments(data).to_wide().tolist() == [
            ["marked"] * 2,
            ["marked", "not marked"],
        ]
    assert units.judgments(data, not_marked=None).to_wide()[1].tolist() == ["marked", None]
    third = Objects.from_boxes(*rows, seen=[("p1", "Cem")])
    assert units.judgments(third).to_wide()[0].tolist() == ["marked", "marked", "not marked"]
    nothing = Objects.from_boxes(["p", "q"], ["A", "B"], [(0, 0, 1, 1)] * 2)
    assert units.scores(nothing)["f1"].undefined == "no document that both coders judged"


def test_groups_of_three_coders_follow_their_order():
    """Cem's box is near both others, which are not near each other: Ann's comes first."""
    boxes = [(0, 0, 10, 10), (6, 0, 16, 10), (3, 0, 13, 10), (30, 0, 40, 10), (31, 0, 41, 10)]
    coders = ["Ann", "Bob", "Cem", "Bob", "Cem"]
    data = Objects.from_boxes(["p"] * 5, coders, boxes, ["a", "b", "c", "d", "e"])
    gone = "not marked"
    assert units.judgments(data, threshold=0.5).to_wide().tolist() == [
        ["a", gone, "c"], [gone, "b", gone], [gone, "d", "e"]
    ]  # fmt: skip
    items = units.judgments(data, threshold=0.5).items
    assert list(items) == [("p", 1), ("p", 2), ("p", 3)]


def plain_groups(images, coders, boxes, threshold):
    """Coder by coder and image by image, trying all matchings."""
    result = []
    for image in dict.fromkeys(images):
        groups = []
        for coder in range(max(coders) + 1):
            left = [i for i in range(len(boxes)) if images[i] == image and coders[i] == coder]
            for earlier in range(coder):
                free = [g for g in groups if earlier in g and coder not in g]
                slots = [*free, *[None] * len(left)]
                best, most = [], 0.0
                for order in permutations(slots, len(left)):
                    iou = [
                        0 if g is None else plain_iou(boxes[g[earlier]], boxes[i])
                        for i, g in zip(left, order, strict=True)
                    ]
                    total = sum(x for x in iou if x >= threshold)
                    if total > most + 1e-12:
                        kept = zip(left, order, iou, strict=True)
                        best, most = [(i, g) for i, g, x in kept if x >= threshold], total
                for i, group in best:
                    group[coder] = i
                left = [i for i in left if i not in {j for j, _ in best}]
            groups += [{coder: i} for i in left]
        result += groups
    return result


@pytest.mark.parametrize("seed", range(8))
def test_groups_and_places_by_definition(seed):
    rng = np.random.default_rng(seed)
    n, threshold = 16, 0.2
    boxes = some_boxes(rng, n, 9)
    images, coders = rng.integers(0, 3, n).tolist(), sorted(rng.integers(0, 3, n).tolist())
    groups = plain_groups(images, coders, boxes, threshold)
    data = Objects.from_boxes(images, coders, boxes, list(range(n)), seen="all")
    wide = units.judgments(data, threshold=threshold, not_marked=-1).to_wide()
    assert {tuple(row) for row in wide.tolist()} == {
        tuple(group.get(c, -1) for c in range(max(coders) + 1)) for group in groups
    }
    paired = [g for g in groups if len(g) > 1]
    result = units.place_alpha(data, threshold, n_resamples=40, rng=1)
    assert result.n_groups == len(paired)
    assert result.n_unmatched == sum(len(g) == 1 for g in groups)
    items = [i for i, g in enumerate(paired) for _ in g]
    who = [c for g in paired for c in g]
    values = [tuple(boxes[i]) for g in paired for i in g.values()]
    general = af.alpha(
        af.Annotations.from_long(items, who, values), lambda a, b: 1 - plain_iou(a, b)
    )
    assert result.value == pytest.approx(general.value, nan_ok=True)
    assert result.observed_disagreement == pytest.approx(general.observed_disagreement, nan_ok=True)


def many(n_images=900, shift=2.0):
    rng = np.random.default_rng(4)
    corner = rng.random((n_images, 2)) * 60
    box = np.hstack([corner, corner + 20 + rng.random((n_images, 2)) * 20])
    other = box + rng.normal(0, shift, box.shape)
    third = box + rng.normal(0, shift, box.shape)
    images = np.tile(np.arange(n_images), 3)
    return Objects.from_boxes(
        images, np.repeat(list("ABC"), n_images), np.vstack([box, other, third])
    )


def test_expected_disagreement_of_many_objects_is_drawn(monkeypatch):
    data = many(100)
    exact = units.place_alpha(data, 0.3, n_resamples=40, rng=1)
    monkeypatch.setattr("agreement_fast.units.objects.ALL_PAIRS", 50)
    monkeypatch.setattr("agreement_fast.units.objects.DRAWN", 30_000)
    result = units.place_alpha(data, 0.3, n_resamples=40, rng=1)
    assert exact.expected_error == 0 < result.expected_error < 0.003
    gap = result.expected_disagreement - exact.expected_disagreement
    assert 0 < abs(gap) < 4 * result.expected_error
    assert result.observed_disagreement == exact.observed_disagreement
    assert result.low < result.value < result.high


def test_no_object_is_drawn_beside_itself(monkeypatch):
    """Two coders mark the same spots, and no spots of different images meet."""
    monkeypatch.setattr("agreement_fast.units.objects.ALL_PAIRS", 3)
    monkeypatch.setattr("agreement_fast.units.objects.DRAWN", 1000)
    corner = np.repeat(np.arange(6) * 10, 2)[:, None]
    boxes = np.hstack([corner, corner, corner + 5, corner + 5])
    data = Objects.from_boxes(np.repeat(np.arange(6), 2), ["A", "B"] * 6, boxes)
    result = units.place_alpha(data, n_resamples=1, rng=1)
    # Of eleven others, one is the same spot.
    assert result.expected_disagreement == pytest.approx(10 / 11, abs=4 * result.expected_error)
    assert 0 < result.expected_error < 0.01


def test_the_interval_is_that_of_drawn_images():
    """Against resamples of 40 images that are computed whole."""
    data = many(40, 4.0)
    result = units.place_alpha(data, 0.2, n_resamples=2000, rng=1)
    rng, values = np.random.default_rng(2), []
    for _ in range(80):
        picked = rng.integers(0, 40, 40)
        place = np.concatenate([picked + 40 * c for c in range(3)])
        again = Objects.from_boxes(
            np.tile(np.arange(40), 3), np.repeat(list("ABC"), 40), data.shapes.ends[place]
        )
        values.append(units.place_alpha(again, 0.2, n_resamples=1).value)
    assert result.standard_error == pytest.approx(np.std(values), rel=0.3)


def test_places_without_pairs_or_variation():
    apart = Objects.from_boxes(["p"] * 2, ["A", "B"], [(0, 0, 1, 1), (5, 5, 6, 6)])
    assert units.place_alpha(apart).undefined.startswith("no pairs")
    same = Objects.from_boxes(["p"] * 2, ["A", "B"], [(0, 0, 1, 1)] * 2)
    assert units.place_alpha(same).undefined.startswith("no variation")
    assert "left alone" in repr(units.place_alpha(apart))


def test_coefficients_of_matched_labels():
    """K-α: Krippendorff's α over the groups, with what one coder did not mark as a label."""
    labels = units.judgments(TWO, threshold=0.5)
    rows = [["car", "car"], ["not marked", "dog"], ["car", "dog"], ["dog", None]]
    assert labels.to_wide().tolist() == rows
    plain = af.Annotations.from_wide(rows, coders=["Ann", "Bob"])
    assert af.alpha(labels) == af.alpha(plain)
    images = [image for image, _ in labels.items]
    groups = af.agreement_by_group(labels, images, ["alpha"])
    assert len(groups) == 3


@pytest.mark.parametrize(
    ("boxes", "options", "message"),
    [
        ([(0, 0, 5, 5, 0.3)], {}, "boxes must have four numbers, not 5: rotated boxes"),
        ([(0, 0, 5)], {}, "boxes must have four numbers, not 3: pass x0, y0, x1, y1"),
        ([(3, 3, 2, 2)], {}, "box 0 is from 3, 3 to 2, 2: .* form='xywh'"),
        ([(3, 3, 0, 2)], {"form": "xywh"}, "box 0 is from 3, 3 to 3, 5: the second corner"),
        ([(0, 0, float("nan"), 1)], {}, "box 0 has the number nan"),
        ([(0, 0, "x", 1)], {}, "boxes are rows of four numbers"),
        ([(0, 0, 1, 1)], {"form": "yxyx"}, "form must be 'xyxy' or 'xywh'"),
        ([(0, 0, 1, 1)] * 2, {}, "got 1 images for 2 shapes"),
        ([(0, 0, 1, 1)], {"labels": ["a", "b"]}, "got 2 labels for 1 shapes"),
        ([(0, 0, 1, 1)], {"seen": "some"}, "seen must be 'all', a mapping"),
        ([(0, 0, 1, 1)], {"seen": ["ab"]}, "seen has row 0 'ab'"),
    ],
)
def test_boxes_that_cannot_be(boxes, options, message):
    with pytest.raises(af.AgreementError, match=message):
        Objects.from_boxes(["p"], ["A"], boxes, **options)


@pytest.mark.parametrize(
    ("masks", "message"),
    [
        ([np.zeros((2, 2), bool)], "mask 0 has no pixel: leave it out"),
        ([np.ones(4, bool)], "mask 0 is not a table of 0 and 1"),
        ([[[0, 2]]], "mask 0 is not a table of 0 and 1"),
        ([{"size": [2, 2], "counts": "abc"}], "mask 0 has compressed counts that end within"),
        ([{"size": [2, 2], "counts": [1, 2]}], "counts of mask 0 do not add up to 2 x 2"),
        ([{"size": [2, 2]}], "mask 0 has no 'size' and 'counts'"),
    ],
)
def test_masks_that_cannot_be(masks, message):
    with pytest.raises(af.AgreementError, match=message):
        Objects.from_masks(["p"], ["A"], masks)


def test_masks_of_one_image_have_one_size():
    with pytest.raises(af.AgreementError, match=r"image p have the sizes \(1, 2\) and \(2, 1\)"):
        Objects.from_masks(["p", "p"], ["A", "B"], [[[1, 1]], [[1], [1]]])
    apart = Objects.from_masks(["p", "q"], ["A", "B"], [[[1, 1]], [[1], [1]]])
    assert apart.shapes.iou(np.array([0]), np.array([1]))[0] == 1 / 3


def test_a_threshold_is_a_share():
    for wrong in (0, -0.5, 1.5):
        with pytest.raises(af.AgreementError, match="threshold must be between 0 and 1"):
            units.scores(TWO, threshold=wrong)
    same = Objects.from_boxes(["p", "p"], ["A", "B"], [(0, 0, 3, 3)] * 2)
    assert units.scores(same, threshold=1)["f1"] == 1
    with pytest.raises(af.AgreementError, match="'dog' is a label of the data"):
        units.judgments(TWO, not_marked="dog")


def test_pieces_of_pairs_are_one_whole(monkeypatch):
    data = many(40)
    whole = units.judgments(data, threshold=0.3).to_wide().tolist()
    monkeypatch.setattr("agreement_fast.units.objects.AT_ONCE", 3)
    assert units.judgments(data, threshold=0.3).to_wide().tolist() == whole


def test_nothing_marked_is_nothing_to_score():
    """Two coders who looked at an image and marked nothing."""
    data = Objects.from_boxes([], [], [], seen=[("p", "A"), ("p", "B")])
    assert units.scores(data)["f1"].undefined.startswith("neither coder marked anything")
    assert len(units.judgments(data)) == 0
    assert np.isnan(units.place_alpha(data))
    assert units.scores(data, by="image").to_dict()["n_key"] == [0]
    with pytest.raises(af.AgreementError, match="at least two coders, got 0"):
        units.scores(Objects.from_boxes([], [], []))
