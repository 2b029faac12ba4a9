"""The hashes of the kernels again in plain Python, and how to fix their secrets."""

import contextlib
import os
import struct

from agreement_fast._kernels import _arrow, _group, _patterns, _texts

KERNELS = (_arrow, _group, _patterns, _texts)
ALL = 2**64 - 1

#: What is added, multiplied by, and begins texts, and the two words of a key.
KNOWN = (0x0123456789ABCDEF, 0xFF51AFD7ED558CCD, 0x1111222233334444, 0x5555, 0x6666777788889999)


@contextlib.contextmanager
def secrets(*words):
    """Let all kernels hash with these secrets, and with new ones afterwards."""
    try:
        for kernel in KERNELS:
            kernel.set_secrets(struct.pack("<5Q", *words))
        yield
    finally:
        for kernel in KERNELS:
            kernel.set_secrets(os.urandom(40))


def mix(h, words=KNOWN):
    """Mix a word: it is added to, and twice multiplied."""
    h = (h + words[0]) & ALL
    h ^= h >> 32
    h = h * (words[1] | 1) & ALL
    h ^= h >> 29
    h = h * 0xC4CEB9FE1A85EC53 & ALL
    return h ^ h >> 32


def unmix(h, words=KNOWN):
    """Return the word that is mixed to this one."""
    h ^= h >> 32
    h = h * pow(0xC4CEB9FE1A85EC53, -1, 2**64) & ALL
    h ^= (h >> 29) ^ (h >> 58)
    h = h * pow(words[1] | 1, -1, 2**64) & ALL
    h ^= h >> 32
    return (h - words[0]) & ALL


def keyed(text, words=KNOWN):
    """SipHash-1-3 with 128 bits, from its paper."""
    magic = struct.unpack(">4Q", b"somepseudorandomlygeneratedbytes")
    v = [m ^ k for m, k in zip(magic, (*words[3:], *words[3:]), strict=True)]
    v[1] ^= 0xEE

    def turn(x, bits):
        return (x << bits | x >> (64 - bits)) & ALL

    def rounds(n):
        for _ in range(n):
            for a, b, bits, last in ((0, 1, 13, 32), (2, 3, 16, 0), (0, 3, 21, 0), (2, 1, 17, 32)):
                v[a] = (v[a] + v[b]) & ALL
                v[b] = turn(v[b], bits) ^ v[a]
                v[a] = turn(v[a], last) if last else v[a]

    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(1)
        v[0] ^= word
    v[2] ^= 0xEE
    rounds(3)
    first = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xDD
    rounds(3)
    return first, v[0] ^ v[1] ^ v[2] ^ v[3]
