/* Sums over the rows of a table of bytes or shorts, a block of rows at a time and column by column, so
   that one instruction looks at many rows. */
#ifndef AGREEMENT_FAST_SUMS_H
#define AGREEMENT_FAST_SUMS_H

#include <stdint.h>
#include <string.h>

#include "dispatch.h"

/* The widest table that is looked at in this way; its pairs of columns fit 16 bits. */
#define AF_WIDEST 64

/* Of each of n <= AF_BLOCK rows: how many judgments are missing, and how many of the unordered pairs
   of judgments are equal, missing ones included. `columns` has room for width * AF_BLOCK codes, which
   are left there column by column. */
#define AF_COMPARE_COLUMNS(name, integer)                                                          \
  AF_DISPATCH static void name(const integer *codes, int64_t width, int64_t n, integer *columns,   \
                               uint8_t *gone, uint16_t *same) {                                    \
    memset(gone, 0, AF_BLOCK);                                                                     \
    memset(same, 0, AF_BLOCK * sizeof *same);                                                      \
    for (int64_t c = 0; c < width; c++) {                                                          \
      integer *column = columns + c * AF_BLOCK;                                                    \
      for (int64_t i = 0; i < n; i++) column[i] = codes[i * width + c];                            \
      for (int64_t i = n; i < AF_BLOCK; i++) column[i] = -1;                                       \
      for (int i = 0; i < AF_BLOCK; i++) gone[i] += column[i] < 0;                                 \
    }                                                                                              \
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

#endif
