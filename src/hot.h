/* Loops over every judgment of a corpus, in C so that the compiler sees plain arrays. */
#ifndef AGREEMENT_FAST_HOT_H
#define AGREEMENT_FAST_HOT_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* Adding 1.5 * 2^52 rounds a double to a whole number and leaves it in the low bits. */
#define AF_ROUND 6755399441055744.0
#define AF_ROUND_BITS UINT64_C(0x4338000000000000)

/* Writes whole numbers from -128 to 127 as bytes, and NaN as nan_as.
   Bits of the result: 1 if a value is no such number, 2 if one is NaN, 4 if one equals nan_as.
   Assumes nan_as in -128..127 (labels.whole_numbers) and that doubles round to the nearest. */
#define AF_NARROW_FLOATS(name, number)                                                             \
  AF_DISPATCH static int name(const number *values, int64_t n, int nan_as, int8_t *out) {          \
    uint64_t broken = 0, missing = 0, taken = 0;                                                   \
    const uint64_t stand_in = (uint64_t)(int64_t)nan_as;                                           \
    const double stand_in_value = nan_as;                                                          \
    uint64_t whole[AF_BLOCK];                                                                      \
    for (int64_t first = 0; first < n; first += AF_BLOCK) {                                        \
      const int64_t count = n - first < AF_BLOCK ? n - first : AF_BLOCK;                           \
      for (int64_t i = 0; i < count; i++) {                                                        \
        const double value = values[first + i];                                                    \
        const double shifted = value + AF_ROUND;                                                   \
        uint64_t bits;                                                                             \
        memcpy(&bits, &shifted, 8);                                                                \
        const uint64_t is_nan = 0 - (uint64_t)(value != value);                                       \
        const uint64_t differs = 0 - (uint64_t)(shifted - AF_ROUND != value);                         \
        bits -= AF_ROUND_BITS;                                                                     \
        broken |= (differs | ((bits + 128) & ~UINT64_C(255))) & ~is_nan;                           \
        missing |= is_nan;                                                                         \
        taken |= 0 - (uint64_t)(value == stand_in_value);                                             \
        whole[i] = (bits & ~is_nan) | (stand_in & is_nan);                                         \
      }                                                                                            \
      for (int64_t i = 0; i < count; i++) out[first + i] = (int8_t)whole[i];                       \
    }                                                                                              \
    return (broken != 0) | (missing != 0) << 1 | (taken != 0) << 2;                                \
  }

AF_NARROW_FLOATS(af_narrow_double, double)
AF_NARROW_FLOATS(af_narrow_float, float)

/* Writes integers as bytes or shorts, and finds the smallest and the largest. Returns 1 if a value does
   not fit; the outputs are then invalid. Assumes n >= 1 (labels.narrowed). */
#define AF_NARROW_INTEGERS(name, integer, narrow, lowest, highest)                                 \
  AF_DISPATCH static int name(const integer *values, int64_t n, narrow *out, narrow *low,          \
                              narrow *high) {                                                      \
    uint64_t outside = 0;                                                                          \
    narrow least = highest, most = lowest;                                                         \
    for (int64_t first = 0; first < n && !outside; first += AF_BLOCK) {                            \
      const int64_t last = n - first < AF_BLOCK ? n : first + AF_BLOCK;                            \
      for (int64_t i = first; i < last; i++) {                                                     \
        outside |= ((uint64_t)(int64_t)values[i] - (uint64_t)(lowest)) &                           \
                   ~(uint64_t)((highest) - (lowest));                                              \
        out[i] = (narrow)values[i];                                                                \
      }                                                                                            \
      for (int64_t i = first; i < last; i++) {                                                     \
        least = out[i] < least ? out[i] : least;                                                   \
        most = out[i] > most ? out[i] : most;                                                      \
      }                                                                                            \
    }                                                                                              \
    *low = least;                                                                                  \
    *high = most;                                                                                  \
    return outside != 0;                                                                           \
  }

AF_NARROW_INTEGERS(af_narrow_int16, int16_t, int8_t, -128, 127)
AF_NARROW_INTEGERS(af_narrow_int32, int32_t, int8_t, -128, 127)
AF_NARROW_INTEGERS(af_narrow_int64, int64_t, int8_t, -128, 127)
AF_NARROW_INTEGERS(af_shorten_int32, int32_t, int16_t, -32768, 32767)
AF_NARROW_INTEGERS(af_shorten_int64, int64_t, int16_t, -32768, 32767)

/* Returns the bits of the codes that occur, up to 63, or 0 if one is below -1 or above. */
AF_DISPATCH static uint64_t af_used_codes(const int8_t *codes, int64_t n) {
  uint64_t used = 0;
  int8_t beyond = 0;
  for (int64_t i = 0; i < n; i++) {
    beyond |= (int8_t)(codes[i] + 1 < 0 || codes[i] > 63);
    used |= (uint64_t)(codes[i] >= 0) << (codes[i] & 63);
  }
  return beyond ? 0 : used;
}

/* Writes codes as the places of those that occur, which are bits of `used`; those below 0 stay. */
AF_DISPATCH static void af_place_codes(int8_t *codes, int64_t n, uint64_t used) {
  for (int k = 0; k < 64 && used >> k; k++)
    if (!(used >> k & 1)) { /* all above move down, and so do their bits */
      int64_t gap = 1;
      while (!(used >> k >> gap & 1)) gap++;
      for (int64_t i = 0; i < n; i++) codes[i] = (int8_t)(codes[i] > k ? codes[i] - gap : codes[i]);
      used = (used >> k >> gap << k) | (used & (((uint64_t)1 << k) - 1));
    }
}

/* Writes values as codes: `first` has code 0, first + 1 has code 1, and so on. If `missing` is 1, the
   value first - 1 is missing; otherwise `missing` is 0. `states` counts the codes and the missing value.
   Other values become -1; returns whether there are any. Assumes all states within the type
   (labels.encode). */
#define AF_COPY_CODES(name, integer, natural)                                                      \
  AF_DISPATCH static int name(const integer *values, int64_t n, int64_t first, int missing,        \
                              int64_t states, integer *out) {                                      \
    const natural lowest = (natural)(first - missing), absent = (natural)missing;                  \
    const natural most = (natural)(states - 1);                                                    \
    natural outside = 0;                                                                           \
    if (states < 1) {                                                                              \
      for (int64_t i = 0; i < n; i++) out[i] = -1;                                                 \
      return n > 0;                                                                                \
    }                                                                                              \
    for (int64_t i = 0; i < n; i++) {                                                              \
      const natural place = (natural)((natural)values[i] - lowest);                                \
      const natural beyond = (natural)(place > most ? ~(natural)0 : 0);                            \
      outside |= beyond;                                                                           \
      out[i] = (integer)((natural)(place - absent) | beyond);                                      \
    }                                                                                              \
    return outside != 0;                                                                           \
  }

AF_COPY_CODES(af_copy_int8, int8_t, uint8_t)
AF_COPY_CODES(af_copy_int16, int16_t, uint16_t)
AF_COPY_CODES(af_copy_int32, int32_t, uint32_t)

/* Sets flags[k] to whether low + k occurs, for k < n_states. Returns 0 if another value occurs. Assumes
   that low .. low + n_states - 1 are bytes. memchr finds a value that occurs soon, and is fast if it does
   not: with few states this is faster than a look at each value. */
AF_DISPATCH static int af_mark_bytes(const int8_t *values, int64_t n, int low, int n_states,
                                     uint8_t *flags) {
  int8_t least = (int8_t)low, most = (int8_t)low;
  for (int64_t i = 0; i < n; i++) {
    least = values[i] < least ? values[i] : least;
    most = values[i] > most ? values[i] : most;
  }
  for (int k = 0; k < n_states; k++) flags[k] = memchr(values, low + k, (size_t)n) != NULL;
  return least >= low && most < low + n_states;
}

/* Few distinct doubles and their numbers, in a hash table without collisions: one slot gives the number of
   a value, or says that it is new. -0.0 is 0.0, and NaN has the number -1. */
enum { AF_FEW_BITS = 12, AF_FEW_SLOTS = 1 << AF_FEW_BITS, AF_FEW_MOST = 127 };

/* The key of a free slot. It is a NaN, and no value has it: the key of every NaN is AF_FEW_NAN. */
#define AF_FEW_FREE (~UINT64_C(0))
#define AF_FEW_NAN UINT64_C(0x7ff8000000000000)

typedef struct {
  uint64_t factor; /* odd */
  int count;       /* of labels; NaN is none */
  double labels[AF_FEW_MOST];
  uint64_t keys[AF_FEW_SLOTS];
  int8_t codes[AF_FEW_SLOTS];
} af_few;

static inline uint64_t af_few_key(double value) {
  const double plain = value + 0.0; /* 0.0 for -0.0 */
  uint64_t bits;
  memcpy(&bits, &plain, 8);
  return value != value ? AF_FEW_NAN : bits;
}

/* The slot of a key: the upper bits of a 64-bit product. */
static inline uint32_t af_few_slot(const af_few *few, uint64_t key) {
  return (uint32_t)(((key ^ key >> 32) * few->factor) >> (64 - AF_FEW_BITS));
}

/* Puts a key into its slot; returns whether the slot was free. */
static inline int af_few_put(af_few *few, uint64_t key, int8_t code) {
  const uint32_t slot = af_few_slot(few, key);
  if (few->keys[slot] != AF_FEW_FREE) return 0;
  few->keys[slot] = key;
  few->codes[slot] = code;
  return 1;
}

/* Gives every label a slot of its own, and its index among the labels as its number; returns 0 if no
   factor is found. One random factor in eight works for 127 labels in 4096 slots, and nearly all for ten. */
static inline int af_few_arrange(af_few *few) {
  for (int tries = 0; tries < 1000; tries++) {
    few->factor = (few->factor * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963406)) | 1;
    memset(few->keys, 0xff, sizeof few->keys);
    memset(few->codes, 0xff, sizeof few->codes);
    int fits = af_few_put(few, AF_FEW_NAN, -1);
    for (int i = 0; i < few->count && fits; i++)
      fits = af_few_put(few, af_few_key(few->labels[i]), (int8_t)i);
    if (fits) return 1;
  }
  return 0;
}

/* Numbers values by the order of the labels; returns how many precede the first that is not a label. */
AF_DISPATCH static int64_t af_few_number(const af_few *few, const double *values, int64_t n, int8_t *out) {
  uint64_t keys[AF_BLOCK];
  uint32_t slots[AF_BLOCK];
  for (int64_t first = 0; first < n; first += AF_BLOCK) {
    const int64_t count = n - first < AF_BLOCK ? n - first : AF_BLOCK;
    for (int64_t i = 0; i < count; i++) {
      keys[i] = af_few_key(values[first + i]);
      slots[i] = af_few_slot(few, keys[i]);
    }
    uint64_t unknown = 0;
    for (int64_t i = 0; i < count; i++) {
      unknown |= keys[i] ^ few->keys[slots[i]];
      out[first + i] = few->codes[slots[i]];
    }
    if (unknown)
      for (int64_t i = 0; i < count; i++)
        if (keys[i] != few->keys[slots[i]]) return first + i;
  }
  return n;
}

/* Adds a new label as the last one; returns 0 on failure. */
static inline int af_few_add(af_few *few, double value) {
  if (few->count == AF_FEW_MOST) return 0;
  few->labels[few->count++] = value + 0.0;
  return af_few_put(few, af_few_key(value), (int8_t)(few->count - 1)) || af_few_arrange(few);
}

/* Sorts the labels and renumbers the codes in `out`; returns 0 on failure. */
static inline int af_few_sort(af_few *few, int8_t *out, int64_t n) {
  int place[AF_FEW_MOST];
  int8_t ranks[256];
  double sorted[AF_FEW_MOST];
  for (int i = 0; i < few->count; i++) {
    int k = i;
    for (; k > 0 && sorted[k - 1] > few->labels[i]; k--) {
      sorted[k] = sorted[k - 1];
      place[k] = place[k - 1];
    }
    sorted[k] = few->labels[i];
    place[k] = i;
  }
  int changed = 0;
  memset(ranks, 0xff, sizeof ranks);
  for (int k = 0; k < few->count; k++) {
    ranks[place[k]] = (int8_t)k;
    changed |= place[k] != k;
  }
  if (!changed) return 1;
  memcpy(few->labels, sorted, sizeof(double) * (size_t)few->count);
  for (int64_t i = 0; i < n; i++) out[i] = ranks[(uint8_t)out[i]];
  return af_few_arrange(few);
}

/* Adds keys to `sides` histograms (1 or 4) of n_keys each, in turn: successive additions to one cell would
   wait for each other. Assumes every key below n_keys: the callers mask each digit. */
#define AF_COUNT_KEYS(type)                                                                        \
  AF_INLINE void af_count_##type(const type##_t *keys, int64_t count, int sides, int64_t n_keys,   \
                                 int64_t *out) {                                                   \
    int64_t i = 0;                                                                                 \
    if (sides == 4)                                                                                \
      for (; i + 4 <= count; i += 4)                                                               \
        for (int side = 0; side < 4; side++) out[side * n_keys + (int64_t)keys[i + side]]++;       \
    for (; i < count; i++) out[keys[i]]++;                                                         \
  }

AF_COUNT_KEYS(uint8)
AF_COUNT_KEYS(uint16)
AF_COUNT_KEYS(uint32)
AF_COUNT_KEYS(uint64)

/* The number of rows of some bytes that fill a word. */
static inline int af_rows_of_word(int64_t width) { return 8 % width ? 1 : (int)(8 / width); }

/* Histogram of the keys of rows of at most 8 adjacent bytes. Column c fills `bits` bits (1 to 8) of the
   key, from bit c * bits, with value - low modulo 2^bits. Assumes bits * width <= 31 (patterns.key_bits), n
   that is a multiple of af_rows_of_word, and that the eight bytes at rows + (n - 1) * width are readable if
   this is 1 (count_keys_of_rows). */
AF_DISPATCH static void af_count_bytes(const int8_t *rows, int64_t n, int width, int low, int bits,
                                       int sides, int64_t *out) {
  const uint64_t every = UINT64_C(0x0101010101010101);
  const uint64_t add = every * (uint8_t)(-low), high = every << 7, inside = every * ((1u << bits) - 1);
  const int beside = af_rows_of_word(width), step = beside * width;
  const uint64_t own = step == 8 ? inside : inside & ((UINT64_C(1) << (8 * step)) - 1);
  /* the low bits of every second byte, pair of bytes, four bytes; their neighbours move next to them */
  const uint64_t one = ((UINT64_C(1) << bits) - 1) * UINT64_C(0x0001000100010001);
  const uint64_t two = ((UINT64_C(1) << (2 * bits)) - 1) * UINT64_C(0x0000000100000001);
  const uint64_t four = (UINT64_C(1) << (4 * bits)) - 1;
  const int64_t n_keys = INT64_C(1) << (bits * width);
  union {
    uint64_t words[AF_BLOCK];
    uint32_t halves[2 * AF_BLOCK];
    uint16_t shorts[4 * AF_BLOCK];
    uint8_t bytes[8 * AF_BLOCK];
  } keys;
  for (int64_t first = 0; first < n; first += AF_BLOCK * beside) {
    const int64_t count = n - first < AF_BLOCK * beside ? n - first : AF_BLOCK * beside;
    for (int64_t i = 0; i < count / beside; i++) {
      uint64_t word;
      memcpy(&word, rows + first * width + i * step, 8);
      /* bytewise sum without carries, then the bytes' low bits moved together by halves */
      word = (((word & ~high) + (add & ~high)) ^ ((word ^ add) & high)) & own;
      if (width > 1) word = (word & one) | (word >> (8 - bits) & one << bits);
      if (width > 2) word = (word & two) | (word >> (16 - 2 * bits) & two << (2 * bits));
      if (width > 4) word = (word & four) | (word >> (32 - 4 * bits) & four << (4 * bits));
      keys.words[i] = word;
    }
    switch (beside) { /* the rows of a word, the first in its lowest bytes */
      case 1: af_count_uint64(keys.words, count, sides, n_keys, out); break;
      case 2: af_count_uint32(keys.halves, count, sides, n_keys, out); break;
      case 4: af_count_uint16(keys.shorts, count, sides, n_keys, out); break;
      default: af_count_uint8(keys.bytes, count, sides, n_keys, out);
    }
  }
}

/* The same for contiguous columns, `across` bytes apart: n keys, each of `beside` rows that are `apart` rows
   from each other. Assumes bits * width * beside <= 31 and n <= apart (patterns.key_bits,
   patterns.key_histogram). */
AF_DISPATCH static void af_count_columns(const int8_t *columns, int64_t across, int64_t n, int width,
                                         int beside, int64_t apart, int low, int bits, int sides,
                                         int64_t *out) {
  const uint32_t mask = (UINT32_C(1) << bits) - 1;
  uint32_t keys[AF_BLOCK];
  const int64_t n_keys = INT64_C(1) << (bits * width * beside);
  for (int64_t first = 0; first < n; first += AF_BLOCK) {
    const int64_t count = n - first < AF_BLOCK ? n - first : AF_BLOCK;
    for (int64_t i = 0; i < count; i++) keys[i] = 0;
    int shift = 0;
    for (int row = 0; row < beside; row++)
      for (int c = 0; c < width; c++, shift += bits) {
        const int8_t *restrict column = columns + c * across + row * apart + first;
        for (int64_t i = 0; i < count; i++)
          keys[i] |= ((uint32_t)((int32_t)column[i] - low) & mask) << shift;
      }
    af_count_uint32(keys, count, sides, n_keys, out);
  }
}

/* out[i]: the row's counts of each category, `bits` bits a category. The code -1 is missing.
   Assumes fewer than 2^bits judgments in a row and K * bits <= 64 for codes below K
   (routes.group_counts); otherwise counts overflow. */
static inline void af_pack_counts(const int8_t *codes, const int64_t *start, int64_t width, int64_t first,
                           int64_t last, int bits, uint64_t *out) {
  uint64_t one[256];
  memset(one, 0, sizeof one);
  for (int k = 0; k * bits < 64; k++) one[k] = UINT64_C(1) << (k * bits);
  for (int64_t row = first; row < last; row++) {
    const int64_t begin = width ? row * width : start[row];
    const int64_t end = width ? begin + width : start[row + 1];
    uint64_t word = 0;
    for (int64_t i = begin; i < end; i++) word += one[(uint8_t)codes[i]];
    out[row - first] = word;
  }
}

/* Bit planes of rows first .. first + n - 1 (n at most 64 * words), of the coders from `coder` on: bit i of
   planes[(c * K + k) * words ...] says that coder c put row first + i in category k. A code's binary digits
   come first, so that the work for a code grows with the digits of K. Assumes codes in -1..K - 1 and
   1 <= K <= 127, which bytes of codes have (patterns.pair_tables). */
AF_DISPATCH static void af_bit_planes(const int8_t *codes, int64_t width, int64_t first, int64_t n,
                                      int64_t coder, int64_t K, int64_t words, uint64_t *planes) {
  memset(planes + coder * K * words, 0, sizeof(uint64_t) * (size_t)((width - coder) * K * words));
  int n_digits = 1;
  while (K >> n_digits) n_digits++;
  for (int64_t w = 0; w * 64 < n; w++) {
    const int64_t count = n - w * 64 < 64 ? n - w * 64 : 64;
    for (int64_t c = coder; c < width; c++) {
      uint8_t column[64]; /* code + 1, so that missing is 0, as what is beyond the last row */
      uint64_t digits[8] = {0, 0, 0, 0, 0, 0, 0, 0};
      const int8_t *here = codes + (first + w * 64) * width + c;
      for (int64_t i = count; i < 64; i++) column[i] = 0;
      for (int64_t i = 0; i < count; i++) column[i] = (uint8_t)(here[i * width] + 1);
      for (int b = 0; b < 8; b++) {
        uint64_t eight;
        memcpy(&eight, column + 8 * b, 8);
        for (int d = 0; d < n_digits; d++)
          /* the lowest bits of eight bytes move together into one */
          digits[d] |= ((eight >> d & UINT64_C(0x0101010101010101)) *
                            UINT64_C(0x0102040810204080) >> 56) << (8 * b);
      }
      for (int64_t k = 0; k < K; k++) {
        uint64_t plane = ~UINT64_C(0);
        for (int d = 0; d < n_digits; d++) plane &= (k + 1) >> d & 1 ? digits[d] : ~digits[d];
        planes[(c * K + k) * words + w] = plane;
      }
    }
  }
}

/* The bits that two planes share, in words that are a multiple of 4. */
AF_INLINE int64_t af_shared_bits(const uint64_t *x, const uint64_t *y, int64_t words) {
  int64_t even = 0, odd = 0;
  for (int64_t w = 0; w < words; w += 4) {
    even += AF_COUNT_BITS(x[w] & y[w]) + AF_COUNT_BITS(x[w + 1] & y[w + 1]);
    odd += AF_COUNT_BITS(x[w + 2] & y[w + 2]) + AF_COUNT_BITS(x[w + 3] & y[w + 3]);
  }
  return even + odd;
}

/* tables[pair * K * K + j * K + l] += rows that the first coder put in j and the second in l, for n_pairs
   pairs in the order (0, 1), (0, 2), ..., (1, 2), ... from (first, first + 1) on. Of a coder who judged all n
   rows, the last category has what the others leave of the other coder's. `totals` has K + 1 numbers for
   each coder. Assumes planes as af_bit_planes leaves them: no bit is set beyond row n; `words` is a multiple
   of 4. */
AF_DISPATCH static void af_pair_counts(const uint64_t *planes, int64_t width, int64_t K, int64_t words,
                                       int64_t n, int64_t first, int64_t n_pairs, int64_t *totals,
                                       int64_t *tables) {
  const int64_t used = (n + 255) / 256 * 4;
  for (int64_t c = first; c < width; c++) {
    int64_t *own = totals + c * (K + 1), judged = 0;
    for (int64_t k = 0; k < K; k++) {
      const uint64_t *plane = planes + (c * K + k) * words;
      judged += own[k] = af_shared_bits(plane, plane, used);
    }
    own[K] = judged == n; /* complete */
  }
  for (int64_t a = first; n_pairs; a++)
    for (int64_t b = a + 1; b < width && n_pairs; b++, n_pairs--, tables += K * K) {
      const int64_t *of_a = totals + a * (K + 1), *of_b = totals + b * (K + 1);
      int64_t *last = tables + (K - 1) * K;
      if (of_a[K])
        for (int64_t l = 0; l < K; l++) last[l] += of_b[l];
      for (int64_t j = 0; j < K - of_a[K]; j++) {
        const uint64_t *x = planes + (a * K + j) * words;
        int64_t *line = tables + j * K, rest = of_a[j];
        for (int64_t l = 0; l < K - of_b[K]; l++) {
          const int64_t both = af_shared_bits(x, planes + (b * K + l) * words, used);
          line[l] += both;
          rest -= both;
          if (of_a[K]) last[l] -= both;
        }
        if (of_b[K]) {
          line[K - 1] += rest;
          if (of_a[K]) last[K - 1] -= rest;
        }
      }
    }
}

#endif
