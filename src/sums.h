/* Sums over the rows of a table of bytes or shorts, a block of rows at a time and column by column, so
   that one instruction looks at many rows. */
#ifndef AGREEMENT_FAST_SUMS_H
#define AGREEMENT_FAST_SUMS_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "rows.h"

/* The widest table for these functions; its pairs of columns fit 16 bits. */
#define AF_WIDEST 64

/* Swaps the upper lanes of one word with the lower lanes of the other: lanes of `shift` bits. */
#define AF_SWAP(one, other, shift)                                                                 \
  do {                                                                                             \
    const uint64_t lower = UINT64_MAX / ((UINT64_C(1) << (shift)) + 1);                            \
    const uint64_t moved = ((one) >> (shift) ^ (other)) & lower;                                   \
    (other) ^= moved;                                                                              \
    (one) ^= moved << (shift);                                                                     \
  } while (0)

/* Transposes n <= AF_BLOCK rows of codes, in matrices of words of eight bytes: swaps their quarters, the
   quarters of these, and so on. `readable` codes are readable from `codes`. If a read of a word would pass
   their end, it goes code by code. Assumes a machine that stores low bytes first, like af_count_bytes. */
#define AF_TURN(type)                                                                              \
  AF_INLINE void af_turn_##type(const type##_t *codes, int64_t width, int64_t n, int64_t readable, \
                                type##_t *columns) {                                               \
    enum { LANES = 8 / sizeof(type##_t) };                                                         \
    const int64_t whole = (n + LANES - 1) / LANES * LANES;                                         \
    if ((whole - 1) * width + (width + LANES - 1) / LANES * LANES > readable) {                    \
      for (int64_t c = 0; c < width; c++)                                                          \
        for (int64_t i = 0; i < n; i++) columns[c * AF_BLOCK + i] = codes[i * width + c];          \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t first = 0; first < width; first += LANES) {                                       \
      const int64_t some = width - first < LANES ? width - first : LANES;                          \
      for (int64_t i = 0; i < whole; i += LANES) {                                                 \
        uint64_t x[LANES];                                                                         \
        for (int r = 0; r < LANES; r++) memcpy(x + r, codes + (i + r) * width + first, 8);         \
        for (int r = 0; r < LANES / 2; r++) AF_SWAP(x[r], x[r + LANES / 2], 32);                   \
        if (LANES == 8)                                                                            \
          for (int r = 0; r < LANES; r++)                                                          \
            if (!(r & 2)) AF_SWAP(x[r], x[(r + 2) % LANES], 16);                                   \
        if (LANES > 2)                                                                             \
          for (int r = 0; r < LANES; r += 2) AF_SWAP(x[r], x[(r + 1) % LANES], 64 / LANES % 64);   \
        for (int64_t k = 0; k < some; k++) memcpy(columns + (first + k) * AF_BLOCK + i, x + k, 8); \
      }                                                                                            \
    }                                                                                              \
  }

AF_TURN(int8)
AF_TURN(int16)
AF_TURN(int32)
AF_TURN(int64)

/* Of each of n <= AF_BLOCK rows: how many judgments are missing. `columns` has room for
   width * AF_BLOCK codes, which are left there column by column, -1 beyond the last row. */
#define AF_TAKE_COLUMNS(name, integer, turn)                                                       \
  AF_DISPATCH static void name(const integer *codes, int64_t width, int64_t n, int64_t readable,   \
                               integer *columns, uint8_t *gone) {                                  \
    turn(codes, width, n, readable, columns);                                                      \
    memset(gone, 0, AF_BLOCK);                                                                     \
    for (int64_t c = 0; c < width; c++) {                                                          \
      integer *column = columns + c * AF_BLOCK;                                                    \
      for (int64_t i = n; i < AF_BLOCK; i++) column[i] = -1;                                       \
      for (int i = 0; i < AF_BLOCK; i++) gone[i] += column[i] < 0;                                 \
    }                                                                                              \
  }

AF_TAKE_COLUMNS(af_take_int8, int8_t, af_turn_int8)
AF_TAKE_COLUMNS(af_take_int16, int16_t, af_turn_int16)

/* Of each row: how many of the unordered pairs of judgments are equal, missing ones included. */
#define AF_COMPARE_COLUMNS(name, integer)                                                          \
  AF_DISPATCH static void name(const integer *columns, int64_t width, uint16_t *same) {            \
    memset(same, 0, AF_BLOCK * sizeof *same);                                                      \
    for (int64_t a = 1; a < width; a++) {                                                          \
      const integer *one = columns + a * AF_BLOCK;                                                 \
      uint8_t with_earlier[AF_BLOCK];                                                              \
      memset(with_earlier, 0, sizeof with_earlier);                                                \
      for (int64_t b = 0; b < a; b++) {                                                            \
        const integer *other = columns + b * AF_BLOCK;                                             \
        for (int i = 0; i < AF_BLOCK; i++) with_earlier[i] += one[i] == other[i];                  \
      }                                                                                            \
      for (int i = 0; i < AF_BLOCK; i++) same[i] += with_earlier[i];                               \
    }                                                                                              \
  }

AF_COMPARE_COLUMNS(af_compare_int8, int8_t)
AF_COMPARE_COLUMNS(af_compare_int16, int16_t)

/* How many of some rows have a label in a column; `here` is 1 for these rows, 0 for others. */
AF_INLINE int64_t af_count_label(const int8_t *column, int8_t label, const uint8_t *here) {
  uint8_t upper = 0, lower = 0; /* a byte holds half a block */
  for (int i = 0; i < AF_BLOCK / 2; i++) upper += (column[i] == label) & here[i];
  for (int i = AF_BLOCK / 2; i < AF_BLOCK; i++) lower += (column[i] == label) & here[i];
  return upper + lower;
}

/* The most labels, each with each size of a row, that are looked for in whole columns: adding up the codes
   of the rows one by one takes longer for fewer. */
#define AF_FEW_SOUGHT 32

/* Adds the counts of AF_BLOCK rows of bytes to the lines of their sizes, as BySize has them; `step` leads to
   the counts of the next column. Returns 0 if there are too many labels and sizes. */
AF_DISPATCH static int af_count_block(const int8_t *columns, const uint8_t *gone, const uint16_t *same,
                                      int64_t width, int64_t n_labels, int64_t step, int64_t line,
                                      int64_t *out) {
  uint8_t here[AF_BLOCK];
  int16_t rows[AF_WIDEST + 1];
  int64_t n_sizes = 0;
  for (int64_t missing = 0; missing <= width; missing++) {
    rows[missing] = 0;
    for (int i = 0; i < AF_BLOCK; i++) rows[missing] += gone[i] == (uint8_t)missing;
    n_sizes += rows[missing] > 0;
    if (n_sizes * (n_labels + 1) > AF_FEW_SOUGHT) return 0;
  }
  for (int64_t missing = 0; missing <= width; missing++) {
    int64_t *sums = out + (width - missing) * line + 3;
    int32_t equal = 0;
    if (!rows[missing]) continue;
    for (int i = 0; i < AF_BLOCK; i++) here[i] = gone[i] == (uint8_t)missing;
    for (int i = 0; i < AF_BLOCK; i++) equal += same[i] * here[i];
    sums[-3] += rows[missing];
    sums[-2] += equal - rows[missing] * (missing * (missing - 1) / 2);
    for (int64_t c = 0; c < width; c++, sums += step)
      for (int64_t k = missing ? -1 : 0; k < n_labels; k++)
        sums[k] += af_count_label(columns + c * AF_BLOCK, (int8_t)k, here);
  }
  return 1;
}

/* out[lines[i] + (a + 1) * states + b + 1] += weights[i] for the codes a and b of each two columns in
   each of n rows, a being the later column's. Assumes that lines fit 32 bits with what is added. */
#define AF_COUNT_PAIRS(name, integer)                                                              \
  AF_DISPATCH static void name(const integer *columns, int64_t width, int64_t n, uint32_t states,  \
                               const uint32_t *lines, const int64_t *weights, int64_t *out) {      \
    uint32_t keys[AF_BLOCK];                                                                       \
    for (int64_t a = 1; a < width; a++)                                                            \
      for (int64_t b = 0; b < a; b++) {                                                            \
        const integer *one = columns + a * AF_BLOCK, *other = columns + b * AF_BLOCK;              \
        for (int i = 0; i < AF_BLOCK; i++)                                                         \
          keys[i] = lines[i] + (uint32_t)(one[i] + 1) * states + (uint32_t)(other[i] + 1);         \
        for (int64_t i = 0; i < n; i++) out[keys[i]] += weights[i];                                \
      }                                                                                            \
  }

AF_COUNT_PAIRS(af_count_pairs_int8, int8_t)
AF_COUNT_PAIRS(af_count_pairs_int16, int16_t)

/* The same for tables of bytes or shorts; `columns` has room for shorts. Of n_rows that may be read, n
   from `first` on are. */
static inline void af_take(const af_rows *rows, int64_t n_rows, int64_t first, int64_t n, void *columns,
                           uint8_t *gone) {
  const int64_t begin = first * rows->width, readable = n_rows * rows->width - begin;
  if (rows->bytes == 1)
    af_take_int8((const int8_t *)rows->codes + begin, rows->width, n, readable, (int8_t *)columns, gone);
  else
    af_take_int16((const int16_t *)rows->codes + begin, rows->width, n, readable, (int16_t *)columns, gone);
}

static inline void af_compare(const af_rows *rows, const void *columns, uint16_t *same) {
  if (rows->bytes == 1)
    af_compare_int8((const int8_t *)columns, rows->width, same);
  else
    af_compare_int16((const int16_t *)columns, rows->width, same);
}

static inline void af_count_pairs(const af_rows *rows, const void *columns, int64_t n, uint32_t states,
                                  const uint32_t *lines, const int64_t *weights, int64_t *out) {
  if (rows->bytes == 1)
    af_count_pairs_int8((const int8_t *)columns, rows->width, n, states, lines, weights, out);
  else
    af_count_pairs_int16((const int16_t *)columns, rows->width, n, states, lines, weights, out);
}

#endif
