"""What can be tested of Antoine, Villaneau & Lefeuvre 2014, Weighted Krippendorff's alpha.

Their annotations could not be obtained, so none of its values is repeated here; tested are
the operations it rests on: merging five classes to three, the Euclidean distance, and what it says
of the coefficients for any data.
"""

import pytest
import reference
from strategies import seeded

import agreement_fast as af

SCALE = [-2, -1, 0, 1, 2]  # Table 1: very negative .. very positive
POLARITY = {-2: -1, -1: -1, 0: 0, 1: 1, 2: 1}  # section 5.1: the three classes


def annotations():
    """Synthetic judgments of 60 sentences by 25 subjects on the five-valued scale."""
    return af.Annotations.from_wide(seeded(2014, 60, 25, SCALE, missing=0).rows, categories=SCALE)


def merged_by_hand():
    """The same judgments, replaced label by label."""
    rows = seeded(2014, 60, 25, SCALE, missing=0).rows
    return af.Annotations.from_wide(
        [tuple(POLARITY[label] for label in row) for row in rows], categories=[-1, 0, 1]
    )


def test_merging_categories_is_relabelling_the_judgments():
    """Section 5.1: {-2, -1} become -1, {1, 2} become 1; the opposite poles are 2 apart."""
    merged = annotations().merge_categories({-2: -1, 2: 1})
    by_hand = merged_by_hand()
    assert list(merged.categories) == [-1, 0, 1]
    assert merged.to_wide().tolist() == by_hand.to_wide().tolist()
    for coefficient in ("kappa", "pi", "alpha"):
        result = af.agreement(merged, coefficient)
        assert result.value == pytest.approx(af.agreement(by_hand, coefficient).value, rel=1e-12)
        assert result.n_categories == 3
    result, exact = af.alpha(merged, "linear"), af.alpha(by_hand, "linear")
    assert result.value == pytest.approx(exact.value, rel=1e-12)


def test_merging_leaves_the_original():
    """Section 5.1 compares both schemes on one annotation: merging gives a new one."""
    five = annotations()
    before = af.alpha(five, "linear").value
    five.merge_categories(POLARITY)
    assert list(five.categories) == SCALE
    assert af.alpha(five, "linear").value == before


def test_merging_all_labels_or_only_those_that_change_is_the_same():
    """Labels that the mapping does not name stay as they are."""
    full = annotations().merge_categories(POLARITY)
    short = annotations().merge_categories({-2: -1, 2: 1})
    assert full.categories == short.categories
    assert full.to_wide().tolist() == short.to_wide().tolist()


def test_merging_adds_the_columns_of_the_agreement_table():
    """Table 4: the three-class distribution is the sum of the five-class one."""
    five = annotations().to_counts()
    three = annotations().merge_categories(POLARITY).to_counts()
    assert three[:, 0].tolist() == (five[:, 0] + five[:, 1]).tolist()
    assert three[:, 1].tolist() == five[:, 2].tolist()
    assert three[:, 2].tolist() == (five[:, 3] + five[:, 4]).tolist()


def test_merging_never_lowers_observed_agreement():
    """Section 3.3: fewer categories give more agreement, by chance as well."""
    five, three = annotations(), annotations().merge_categories(POLARITY)
    assert af.pi(three).observed_agreement > af.pi(five).observed_agreement
    assert af.pi(three).expected_agreement > af.pi(five).expected_agreement


def test_the_name_of_their_distance_is_refused_with_both_meanings():
    """Section 4.5: "1-dimension Euclidian distance"; docs/stability.md shows that it is squared."""
    with pytest.raises(ValueError, match=r"'linear', which is \|a - b\|, or 'interval'"):
        af.alpha(annotations(), "euclidean")


def test_euclidean_distance_in_one_dimension_is_the_linear_distance():
    """Section 4.5: the length of a - b is |a - b|, and not its square."""
    data = annotations()
    euclidean = af.alpha(data, lambda a, b: ((a - b) ** 2) ** 0.5)
    assert af.alpha(data, "linear").value == pytest.approx(euclidean.value, rel=1e-12)
    # the scale's values are its ranks here, so both linear distances agree
    assert af.alpha(data, "rank_linear").value == pytest.approx(euclidean.value, rel=1e-12)
    assert af.alpha(data, "interval").value != pytest.approx(euclidean.value, rel=1e-3)


def test_euclidean_alpha_is_what_the_definition_says():
    """Equation 2, alpha = (D_e - D_o) / D_e, against rational arithmetic."""
    table = seeded(2014, 60, 25, SCALE, missing=0)
    exact = table.cube(reference.linear).named("alpha")
    result = af.alpha(annotations(), "linear")
    assert result.observed_disagreement == pytest.approx(float(exact.observed), rel=1e-12)
    assert result.expected_disagreement == pytest.approx(float(exact.expected), rel=1e-12)
    d_o, d_e = result.observed_disagreement, result.expected_disagreement
    assert result.value == pytest.approx((d_e - d_o) / d_e, rel=1e-12)


def test_binary_coefficients_of_25_coders_are_close():
    """Section 5.1: multi-kappa, multi-pi and binary alpha agree to the third decimal."""
    data = annotations()
    values = [af.agreement(data, name).value for name in ("multi_kappa", "multi_pi", "alpha")]
    assert max(values) - min(values) < 1e-3


def test_a_weighted_kappa_of_many_coders_exists():
    """Sections 2 and 6 miss a weighted multi-coder kappa (slip): beta of 2005 is one."""
    data = annotations()
    beta, alpha = af.agreement(data, "weighted_kappa", distance="linear"), af.alpha(data, "linear")
    assert beta.coefficient == "beta"
    assert beta.value == pytest.approx(alpha.value, abs=2e-3)
