"""Labels of text files that write numbers: which texts are one label, and which are doubted."""

import warnings

import pytest

import agreement_fast as af


def read(folder, labels):
    rows = [f"t{i // 2},{'ab'[i % 2]},{label}\n" for i, label in enumerate(labels)]
    (folder / "t.csv").write_text("item,coder,label\n" + "".join(rows))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = af.read(folder / "t.csv")
    return data.categories, " ".join(str(warning.message) for warning in caught)


@pytest.mark.parametrize(
    ("labels", "two"),
    [
        (["1.1", "1.10", "1.9", "1.9"], ("'1.1'", "'1.10'")),
        (["10", "2", "1E1", "2"], ("'10'", "'1E1'")),
        (["01", "2", "1", "2"], ("'01'", "'1'")),
        (["1.50", "2.0", "1.5", "2"], ("'1.50'", "'1.5'")),
    ],
)
def test_spellings_of_one_number_are_not_merged(tmp_path, labels, two):
    categories, said = read(tmp_path, labels)
    assert set(categories) == set(labels)
    assert all(text in said for text in two)


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        (["1.0", "1", "2.00", "2"], {1, 2}),
        (["1.10", "1.20", "1.10", "3.50"], {1.1, 1.2, 3.5}),
        (["1.125", "2.250", "1.125", "2.250"], {1.125, 2.25}),
        (["0.125", "1.250", "1", "1"], {0.125, 1.25, 1}),
        (["1e-3", "2e-3", "1e-3", "2e-3"], {0.001, 0.002}),
    ],
)
def test_numbers_are_read_without_a_word(tmp_path, labels, values):
    categories, said = read(tmp_path, labels)
    assert set(categories) == values
    assert "point" not in said
    assert "stay texts" not in said


def test_a_point_between_thousands_is_doubted(tmp_path):
    categories, said = read(tmp_path, ["1.200", "800", "2.000", "400"])
    assert set(categories) == {1.2, 800.0, 2.0, 400.0}
    assert "'1.200' are read with a decimal point" in said
    assert "write them without it" in said


@pytest.mark.parametrize("infinity", ["inf", "-inf", "Infinity", "1e400", "-1E+400", "∞"])
@pytest.mark.parametrize("distance", ["interval", "ratio", "ordinal"])
def test_infinity_in_text_is_asked_about(tmp_path, infinity, distance):
    labels = ["1", "1", "2", infinity, "3", "2", "1", "2"]
    categories, said = read(tmp_path, labels)
    assert set(categories) == set(labels)
    assert f"label '{infinity}' (1 judgment) may mean a missing judgment" in said
    data = af.read(tmp_path / "t.csv")
    with pytest.raises(af.AgreementError, match="is not a number") as error:
        af.alpha(data, distance=distance)
    assert repr(infinity) in str(error.value)
    remedied = af.read(tmp_path / "t.csv", missing=[infinity])
    expected = af.alpha([[1, 1], [2, None], [3, 2], [1, 2]], distance=distance)
    assert float(af.alpha(remedied, distance=distance)) == float(expected)


@pytest.mark.parametrize("number", ["1e100", "1e308", "4e-400", "e400", "1e4"])
def test_large_numbers_are_finite(tmp_path, number):
    assert "missing judgment" not in read(tmp_path, ["1", "1", "2", number])[1]
