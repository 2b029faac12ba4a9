/* Numbers distinct entries in order of first appearance: an open hash table.

   It takes runs of at most AF_RUN entries. All slots of a run are prefetched before the first is read,
   so that the delays of memory overlap. They alone limit the speed of large tables. */
#ifndef AGREEMENT_FAST_NUMBERING_H
#define AGREEMENT_FAST_NUMBERING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "mix.h"

enum { AF_RUN = 128 };

/* Bytes that must stay in place while they are numbered. A length of -1 is a missing text. */
typedef struct {
    const uint8_t *bytes;
    int64_t length;
} af_text;

typedef struct {
    uint32_t *slots; /* number + 1, or 0 if free; a power of two of them, at most half in use */
    uint64_t mask;
    uint64_t *keys; /* of each number: its place in the table */
    int64_t *first; /* of each number: the place of its first appearance */
    af_text *texts; /* of each number, if the keys are hashes of texts */
    int64_t count, room;
    int of_texts;
} af_numbering;

/* Up to 8 bytes as a word. Two texts of the same length differ if and only if their words do. */
static inline uint64_t af_word(const uint8_t *bytes, int64_t length)
{
    uint64_t word;
    uint32_t low, high;
    if (length >= 8) {
        memcpy(&word, bytes, 8);
        return word;
    }
    if (length >= 4) { /* the two halves overlap */
        memcpy(&low, bytes, 4);
        memcpy(&high, bytes + length - 4, 4);
        return low | (uint64_t)high << 32;
    }
    if (length <= 0) return 0;
    return bytes[0] | (uint64_t)bytes[length / 2] << 8 | (uint64_t)bytes[length - 1] << 16;
}

static inline uint64_t af_hash(af_text text)
{
    uint64_t h = af_secrets[2] ^ (uint64_t)text.length;
    int64_t place = 0;
    for (; place + 8 < text.length; place += 8)
        h = af_mix(h ^ af_word(text.bytes + place, 8)) + UINT64_C(0x9e3779b97f4a7c15);
    if (text.length >= 8) /* the last word, which may overlap the one before */
        return af_mix(h ^ af_word(text.bytes + text.length - 8, 8));
    return af_mix(h ^ af_word(text.bytes, text.length));
}

static inline int af_same(af_text a, af_text b)
{
    if (a.length != b.length) return 0;
    if (a.length < 8) return af_word(a.bytes, a.length) == af_word(b.bytes, b.length);
    for (int64_t place = 0; place + 8 < a.length; place += 8)
        if (af_word(a.bytes + place, 8) != af_word(b.bytes + place, 8)) return 0;
    return af_word(a.bytes + a.length - 8, 8) == af_word(b.bytes + b.length - 8, 8);
}

static inline void af_close(af_numbering *known)
{
    free(known->slots);
    free(known->keys);
    free(known->first);
    free(known->texts);
    memset(known, 0, sizeof *known);
}

/* Makes room for `room` numbers, a power of two; returns 0 if memory runs out. */
static inline int af_resize(af_numbering *known, int64_t room)
{
    void *keys, *first, *texts = NULL;
    free(known->slots);
    known->slots = NULL;
    keys = realloc(known->keys, (size_t)room * sizeof *known->keys);
    if (keys != NULL) known->keys = keys;
    first = realloc(known->first, (size_t)room * sizeof *known->first);
    if (first != NULL) known->first = first;
    if (known->of_texts) {
        texts = realloc(known->texts, (size_t)room * sizeof *known->texts);
        if (texts != NULL) known->texts = texts;
    }
    known->slots = calloc((size_t)room * 2, sizeof *known->slots);
    if (keys == NULL || first == NULL || (known->of_texts && texts == NULL) || known->slots == NULL)
        return 0;
    known->room = room;
    known->mask = 2 * (uint64_t)room - 1;
    for (int64_t begin = 0; begin < known->count; begin += AF_RUN) {
        const int64_t end = known->count - begin < AF_RUN ? known->count : begin + AF_RUN;
        for (int64_t i = begin; i < end; i++) AF_FETCH(&known->slots[known->keys[i] & known->mask]);
        for (int64_t i = begin; i < end; i++) {
            uint64_t slot = known->keys[i] & known->mask;
            while (known->slots[slot]) slot = (slot + 1) & known->mask;
            known->slots[slot] = (uint32_t)i + 1;
        }
    }
    return 1;
}

/* Opens an empty table; returns 0 if memory runs out. */
static inline int af_open(af_numbering *known, int of_texts)
{
    memset(known, 0, sizeof *known);
    known->of_texts = of_texts;
    return af_resize(known, 512);
}

/* Whether there is room for a run. Numbers stay below 2^31, so that they fit int32. */
static inline int af_ready(af_numbering *known)
{
    if (known->count + AF_RUN <= known->room) return 1;
    if (known->room >= INT64_C(1) << 31) return 0;
    return af_resize(known, known->room * (known->room < 1 << 20 ? 4 : 2));
}

/* The number of a key and, in a table of texts, of a text. Assumes room for one more. */
static inline int32_t af_number(af_numbering *known, uint64_t key, const af_text *text, int64_t place)
{
    uint64_t slot = key & known->mask;
    uint32_t found;
    while ((found = known->slots[slot]) != 0) {
        if (known->keys[found - 1] == key && (text == NULL || af_same(known->texts[found - 1], *text)))
            return (int32_t)(found - 1);
        slot = (slot + 1) & known->mask;
    }
    known->slots[slot] = (uint32_t)++known->count;
    known->keys[known->count - 1] = key;
    known->first[known->count - 1] = place;
    if (text != NULL) known->texts[known->count - 1] = *text;
    return (int32_t)(known->count - 1);
}

/* Numbers a run of words; `place` is that of the first. Returns 0 if memory runs out.
   Assumes count <= AF_RUN. */
static inline int af_number_words(af_numbering *known, const uint64_t *words, int count, int64_t place,
                                  int32_t *out)
{
    uint64_t keys[AF_RUN];
    if (!af_ready(known)) return 0;
    for (int i = 0; i < count; i++) {
        keys[i] = af_mix(words[i]);
        AF_FETCH(&known->slots[keys[i] & known->mask]);
    }
    for (int i = 0; i < count; i++) {
        const uint32_t found = known->slots[keys[i] & known->mask];
        if (found) AF_FETCH(&known->keys[found - 1]);
    }
    for (int i = 0; i < count; i++) out[i] = af_number(known, keys[i], NULL, place + i);
    return 1;
}

/* The same for texts; missing ones become -1. */
static inline int af_number_texts(af_numbering *known, const af_text *texts, int count, int64_t place,
                                  int32_t *out)
{
    uint64_t keys[AF_RUN];
    if (!af_ready(known)) return 0;
    for (int i = 0; i < count; i++) {
        keys[i] = af_hash(texts[i]);
        AF_FETCH(&known->slots[keys[i] & known->mask]);
    }
    for (int i = 0; i < count; i++) {
        const uint32_t found = known->slots[keys[i] & known->mask];
        if (found) {
            AF_FETCH(&known->keys[found - 1]);
            AF_FETCH(&known->texts[found - 1]);
        }
    }
    for (int i = 0; i < count; i++)
        out[i] = texts[i].length < 0 ? -1 : af_number(known, keys[i], &texts[i], place + i);
    return 1;
}

/* Numbers rows of `width` bytes each; returns 0 if memory runs out. */
static inline int af_number_rows(af_numbering *known, const uint8_t *rows, int64_t n, int64_t width,
                                 int32_t *out)
{
    uint64_t words[AF_RUN];
    af_text texts[AF_RUN];
    for (int64_t begin = 0; begin < n; begin += AF_RUN) {
        const int count = n - begin < AF_RUN ? (int)(n - begin) : AF_RUN;
        const uint8_t *run = rows + begin * width;
        int there;
        if (width == 8) {
            memcpy(words, run, (size_t)count * 8);
        } else if (width < 8) {
            for (int i = 0; i < count; i++) words[i] = af_word(run + i * width, width);
        } else {
            for (int i = 0; i < count; i++) texts[i] = (af_text){run + i * width, width};
        }
        there = width <= 8 ? af_number_words(known, words, count, begin, out + begin)
                           : af_number_texts(known, texts, count, begin, out + begin);
        if (!there) return 0;
    }
    return 1;
}

#endif
