"""Hashes have secrets: no result depends on them, and nobody can write ids that share a slot."""

import random

import numpy as np
import pytest
from hash_secrets import ALL, KNOWN, keyed, mix, secrets, unmix
from loops import nonempty

import agreement_fast as af
from agreement_fast._kernels import _arrow, _group, _patterns
from agreement_fast.patterns import as_table
from agreement_fast.reading.kept_moments import group_counts

pa = pytest.importorskip("pyarrow")

#: Secrets of several processes; a factor is made odd.
SEVERAL = (KNOWN, (0, 0, 0, 0, 0), (ALL, ALL, ALL, ALL, ALL), (7, 2**63 + 2, 5, 2**40, 1))


def keys_of(texts):
    """The keys of texts, as bytes."""
    ends = np.cumsum([0, *map(len, texts)])
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    column = pa.Array.from_buffers(pa.large_string(), len(texts), buffers)
    batch, _ = _arrow.Batches(pa.table({"a": column}).__arrow_c_stream__()).next()
    out = np.empty((len(texts), 2), np.int64)
    _arrow.take_keys(batch, 0, out)
    return out


def grouped(numbers):
    """The numbers of 64-bit words, in order of first appearance."""
    rows = np.asarray(numbers, np.uint64)[:, None].view(np.uint8)
    out = np.empty(len(rows), np.int32)
    _patterns.group_rows(rows, out)
    return out.tolist()


def test_keys_of_texts_are_a_keyed_hash():
    """At every length around a word, under several keys: SipHash-1-3 in plain Python."""
    texts = [bytes(97 + (i * i) % 26 for i in range(n)) for n in (*range(26), 255, 256, 257)]
    for words in nonempty(SEVERAL):
        with secrets(*words):
            result = keys_of(texts).view(np.uint64).tolist()
        assert [tuple(key) for key in result] == [keyed(text, words) for text in texts]


def test_bins_are_the_upper_bits_of_the_mixed_word():
    """So a change of the mixer is seen, and the crafted words below do what they are for."""
    rows = np.array([[0], [1], [2**62], [-1], [-(2**63)]])
    for words in nonempty(SEVERAL):
        ends, out = np.empty(16, np.int64), np.empty_like(rows)
        with secrets(*words):
            _group.sort_into_bins(rows, ends, out)
        order = sorted(rows[:, 0].tolist(), key=lambda x: mix(x & ALL, words) >> 60)
        assert out[:, 0].tolist() == order
        assert [unmix(mix(x, words), words) for x in (0, 5, ALL)] == [0, 5, ALL]


def test_words_that_share_a_slot_are_told_apart():
    """Who knows the secrets can write them; they are numbered rightly even so."""
    crafted = [unmix(i << 40) for i in range(1000)] * 2
    for words in nonempty(SEVERAL):
        with secrets(*words):
            assert grouped(crafted) == [*range(1000)] * 2


def test_the_inverse_of_a_mixer_without_secrets_shares_no_slots():
    """Written for the finaliser of MurmurHash3: they spread as plain numbers do."""

    def inverse(h):
        for factor in (0xC4CEB9FE1A85EC53, 0xFF51AFD7ED558CCD):
            h ^= h >> 33
            h = h * pow(factor, -1, 2**64) & ALL
        return h ^ h >> 33

    crafted = np.array([inverse(i << 32) for i in range(1, 4097)], np.uint64)
    assert grouped(crafted) == [*range(4096)]
    rows = np.ascontiguousarray(crafted.view(np.int64)[:, None])
    ends, out = np.empty(64, np.int64), np.empty_like(rows)
    _group.sort_into_bins(rows, ends, out)
    assert np.diff(ends, prepend=0).max() < 4 * 4096 / 64
    keys, counts = np.full(1 << 14, ALL, np.uint64), np.zeros(1 << 14, np.int64)
    assert _patterns.count_words(crafted, None, keys, counts, 0) == 4096
    longest = max(map(len, "".join("x" if c else " " for c in counts).split()))
    assert longest < 200  # of neighbouring slots in use; all of them would be 4096


def test_texts_written_to_meet_in_two_seeds_have_two_keys():
    """Two hashes from seeds that are known, whose pairs could be written down."""

    def murmur(h):
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            h ^= h >> 33
            h = h * factor & ALL
        return h ^ h >> 33

    def state(first, seed):
        return (murmur(seed * 33 & ALL ^ first) + 0x9E3779B97F4A7C15) & ALL

    seed, other = 0x243F6A8885A308D3, 0x6A09E667F3BCC909
    flip = (seed * 33 ^ other * 33) & ALL
    for first in (0, 1, 0x6162636465666768):
        second = state(first, seed) ^ state(first ^ flip, seed)
        # the same difference of the states for both seeds, so the pair meets in both hashes
        assert second == state(first, other) ^ state(first ^ flip, other)
        one = [word.to_bytes(8, "little") for word in (first, 0)]
        two = [word.to_bytes(8, "little") for word in (first ^ flip, second)]
        keys = keys_of([b"".join(one), b"".join(two)])
        assert (keys[0] != keys[1]).all()


def results():
    """What has passed every hash table: ids and labels of any type, patterns, counts, bins."""
    draw = random.Random(4)
    items = [f"a rather long name of item {draw.randrange(60)}" for _ in range(400)]
    coders = [draw.randrange(6) * 10**12 for _ in items]
    labels = [draw.choice("abc") for _ in items]
    table = pa.table({"item": items, "coder": coders, "label": labels})
    data = af.Annotations.from_frame(
        table, item="item", coder="coder", label="label", duplicates="last"
    )
    result = [af.alpha(data), af.kappa(data), data.categories, list(data.items), list(data.coders)]
    result += [data.patterns().codes.tolist(), data.patterns().weights.tolist()]
    codes = np.random.default_rng(0).integers(-1, 3, (500, 4)).astype(np.int8)
    counted = group_counts(as_table(codes, None), 3)
    return repr([*result, counted.repeats.tolist(), counted.weights.tolist()])


def test_no_result_depends_on_the_secrets():
    """Nor on the order in which a hash table would hold its entries."""
    expected = results()
    for words in nonempty(SEVERAL):
        with secrets(*words):
            assert results() == expected


def test_secrets_have_a_length():
    with pytest.raises(ValueError, match="39 bytes of secrets"):
        _group.set_secrets(bytes(39))
