"""Distances between texts, against their definitions."""

import sys
from itertools import product

import numpy as np
import pytest
import reference_texts as slow

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances import forms
from agreement_fast.distances import named as texts
from agreement_fast.distances.forms import Matrix
from agreement_fast.errors import InputError

close = pytest.approx

#: All texts of up to three of three characters, one of them a blank.
ALL = ["".join(some) for n in range(4) for some in product("ab ", repeat=n)]


@pytest.mark.parametrize("name", slow.DISTANCES)
def test_all_short_texts_have_the_distance_of_the_definition(name):
    expected = [[float(slow.DISTANCES[name](a, b)) for b in ALL] for a in ALL]
    result = getattr(distances, name).matrix(ALL)
    assert result == close(np.array(expected), abs=1e-15)
    assert (result == result.T).all()


def test_the_distances_are_those_of_the_package():
    assert set(texts.TEXTS) == set(slow.DISTANCES)
    assert set(texts.TEXTS) <= set(distances.NAMED)


def test_known_words():
    pair = ["night", "nacht"]
    assert distances.bigram_dice.matrix(pair)[0, 1] == 0.75
    assert distances.edit.matrix(["kitten", "sitting"])[0, 1] == 3
    assert distances.edit_scaled.matrix(["kitten", "sitting"])[0, 1] == close(3 / 7)
    assert distances.edit.matrix(["naïve 🙂", "naive 🙃"])[0, 1] == 2
    assert distances.word_dice.matrix(["to be or", "or not to be"])[0, 1] == close(1 / 7)


def test_terms_by_bigrams_are_nearer_than_they_are_by_name():
    """Artstein & Poesio 2005, section 4.5: terms by a distance based on Dice, or on bigrams."""
    rows = [
        ["ID-2 receptors", "ID-2 receptor"],
        ["ID-2", "ID-2 receptors"],
        ["gene", "gene"],
        ["promoter", "promoter region"],
    ]
    result = af.alpha(rows, "bigram_dice")
    sets = [[frozenset(slow.bigrams(text)) for text in row] for row in rows]
    assert result == close(af.alpha(sets, "dice").value, rel=1e-14)
    assert result > af.alpha(rows).value + 0.2


def words(n, seed):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("abcde "), rng.integers(0, 9))) for _ in range(n)]


def small_blocks(monkeypatch, size):
    """Let a matrix, and a block of rows of one, hold fewer distances."""
    monkeypatch.setattr(forms, "BLOCK", size)
    monkeypatch.setattr(texts, "BLOCK", size)


@pytest.mark.parametrize("name", ["edit", "edit_scaled"])
@pytest.mark.parametrize("kept", [0, 1 << 20])
def test_more_texts_than_a_matrix_holds(name, kept, monkeypatch):
    rows = list(zip(words(40, 1), words(40, 1)[::-1], words(40, 2), strict=True))
    expected = {
        coefficient: af.agreement(rows, coefficient, distance=name)
        for coefficient in ("alpha", "beta", "weighted_s")
    }
    labels = sorted({text for row in rows for text in row})
    assert isinstance(getattr(distances, name).bind(tuple(labels), False), Matrix)
    small_blocks(monkeypatch, 500)
    monkeypatch.setattr(texts, "KEPT", kept)
    form = getattr(distances, name).bind(tuple(labels), False)
    assert isinstance(form, texts.Edits)
    for coefficient, one in expected.items():
        result = af.agreement(rows, coefficient, distance=name)
        assert result.value == close(one.value, rel=1e-12)
        assert result.largest_distance == one.largest_distance
        assert result.observed_disagreement == close(one.observed_disagreement, rel=1e-12)
    places = np.arange(len(labels))
    matrix = getattr(distances, name).matrix(labels)
    assert (form.between(places, places[::-1]) == matrix[places, places[::-1]]).all()
    assert form.largest == matrix.max()
    assert form.total() == close(matrix.sum())


def test_the_largest_number_of_edits_may_be_anywhere(monkeypatch):
    small_blocks(monkeypatch, 10)
    form = distances.edit.bind(("aaaa", "bbbb", "ab", "ba", "aba", "bab", "abb"), False)
    assert form.largest == 4


def test_edits_are_counted_once_where_they_can_be_kept(monkeypatch):
    small_blocks(monkeypatch, 50)
    counted = []
    real = texts.Edits._count

    def listening(self, first, second):
        counted.append(len(first) * len(second))
        return real(self, first, second)

    monkeypatch.setattr(texts.Edits, "_count", listening)
    labels = tuple(dict.fromkeys(words(40, 3)))
    form = distances.edit.bind(labels, False)
    ones = np.ones(len(labels))
    assert form.bilinear(ones, ones) == form.total()
    assert sum(counted) < 0.6 * len(labels) ** 2


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize("name", slow.DISTANCES)
def test_what_is_no_text_is_refused(name):
    with pytest.raises(InputError, match=f"{name} needs texts, but category 3 is not a text"):
        af.alpha([["a", "b"], [3, "a"]], name)


def test_dice_of_text_names_what_compares_texts():
    with pytest.raises(InputError, match="bigram_dice, word_dice and edit compare texts"):
        af.alpha([["a", "b"], ["b", "b"]], "dice")


def test_too_many_characters_are_refused(monkeypatch):
    monkeypatch.setattr(texts, "STEPS", 100)
    with pytest.raises(InputError, match="all pairs of 39 texts of 3 characters"):
        distances.edit.matrix(ALL[1:])
    assert distances.bigram_dice.matrix(ALL).shape == (40, 40)


def test_edits_need_a_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(InputError, match=r'rapidfuzz: pip install "agreement-fast\[texts\]"'):
        af.alpha([["a", "b"], ["b", "b"]], "edit")
    assert af.alpha([["a", "b"], ["b", "b"]], "bigram_dice").n_items == 2


def test_euclidean_names_two_distances_and_is_refused():
    with pytest.raises(InputError, match=r"'linear', which is \|a - b\|, or 'interval', which is"):
        af.alpha([[1, 2], [3, 3]], "euclidean")
