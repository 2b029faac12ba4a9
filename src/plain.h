/* A look at the first rows of a small table, which settles what most tables leave no doubt about. */
#ifndef AGREEMENT_FAST_PLAIN_H
#define AGREEMENT_FAST_PLAIN_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* The rows that are looked at, for columns fewer; the most columns; the highest number of a scale; the fewest
   complete rows that show what a column follows from, but for sums. As `_looks` has them. */
enum { AF_HEAD = 32, AF_HEAD_OF_COLUMN = 20, AF_COLUMNS = 32, AF_SCALE = 10, AF_SHOWN = 8 };

/* The first rows, column by column, -1 beyond the last row. Of each row: the missing cells, the sum of the
   others, and the most equal cells. Of each cell: how many others are equal to it, and how many are less. */
typedef struct {
  int64_t rows, width;
  int8_t cells[AF_COLUMNS][AF_HEAD];
  uint8_t equal[AF_COLUMNS][AF_HEAD], less[AF_COLUMNS][AF_HEAD];
  uint8_t gaps[AF_HEAD], complete[AF_HEAD], most[AF_HEAD], only[AF_HEAD];
  int16_t sums[AF_HEAD];
} af_head;

AF_INLINE void af_take_head(af_head *t, const int8_t *codes, int64_t n_rows, int64_t width) {
  t->rows = n_rows < AF_HEAD ? n_rows : AF_HEAD;
  t->width = width;
  memset(t->gaps, 0, sizeof t->gaps);
  memset(t->sums, 0, sizeof t->sums);
  memset(t->cells, -1, (size_t)width * AF_HEAD);
  for (int64_t i = 0; i < t->rows; i++)
    for (int64_t c = 0; c < width; c++) t->cells[c][i] = codes[i * width + c];
  for (int64_t c = 0; c < width; c++)
    for (int i = 0; i < AF_HEAD; i++) {
      t->gaps[i] += t->cells[c][i] < 0;
      t->sums[i] += t->cells[c][i] < 0 ? 0 : t->cells[c][i];
    }
  for (int i = 0; i < AF_HEAD; i++) t->complete[i] = t->gaps[i] == 0;
}

AF_INLINE void af_compare_head(af_head *t) {
  memset(t->equal, 0, (size_t)t->width * AF_HEAD);
  memset(t->less, 0, (size_t)t->width * AF_HEAD);
  memset(t->most, 0, sizeof t->most);
  memset(t->only, 0, sizeof t->only);
  for (int64_t a = 1; a < t->width; a++)
    for (int64_t b = 0; b < a; b++)
      for (int i = 0; i < AF_HEAD; i++) {
        const int8_t x = t->cells[a][i], y = t->cells[b][i];
        t->equal[a][i] += x == y;
        t->equal[b][i] += x == y;
        t->less[a][i] += y < x;
        t->less[b][i] += x < y;
      }
  for (int64_t c = 0; c < t->width; c++)
    for (int i = 0; i < AF_HEAD; i++) {
      const uint8_t n = t->equal[c][i] + 1;
      t->most[i] = n > t->most[i] ? n : t->most[i];
    }
  for (int64_t c = 0; c < t->width; c++)
    for (int i = 0; i < AF_HEAD; i++) t->only[i] += t->equal[c][i] + 1 == t->most[i];
  /* one label is the most frequent if it has all these cells */
  for (int i = 0; i < AF_HEAD; i++) t->only[i] = t->only[i] == t->most[i];
}

/* The labels of the first of a column's cells, as bits, of rows that are kept. */
AF_INLINE uint64_t af_labels_of(const int8_t *cells, const uint8_t *kept, int n) {
  uint64_t used = 0;
  for (int i = 0; i < n; i++) used |= (uint64_t)(kept[i] & (cells[i] >= 0)) << (cells[i] & 63);
  return used;
}

/* Whether a column begins with three values or more, over and over or in runs of one length. */
AF_INLINE int af_is_even(const int8_t *cells, int64_t rows) {
  int64_t period = 1, run = 1;
  while (period < rows && cells[period] != cells[0]) period++;
  while (run < rows && cells[run] == cells[0]) run++;
  int cycle = 2 < period && 3 * period <= rows, runs = 2 < run && 3 * run <= rows;
  for (int64_t i = 1; i < rows && (cycle || runs); i++) {
    cycle = cycle && (i < period || cells[i] == cells[i - period]);
    runs = runs && (i % run != 0) == (cells[i] == cells[i - 1]);
  }
  return cycle || runs;
}

/* Whether each column has labels of coders: none differs in all rows, as their numbers do, repeats in order, goes
   beyond a scale or has labels of its own, and the first row does not name the columns. */
AF_INLINE int af_are_coders(const af_head *t, int numbers) {
  static const uint8_t every[AF_HEAD] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const int64_t rows = t->rows < AF_HEAD_OF_COLUMN ? t->rows : AF_HEAD_OF_COLUMN;
  uint64_t used[AF_COLUMNS], once = 0, twice = 0;
  int64_t named = 0;
  for (int64_t c = 0; c < t->width; c++) {
    const int8_t *cells = t->cells[c];
    used[c] = af_labels_of(cells, every, AF_HEAD_OF_COLUMN);
    twice |= once & used[c];
    once |= used[c];
    for (int i = 0; i < AF_HEAD; i++) named += cells[i] == t->cells[0][0];
    if (AF_COUNT_BITS(used[c]) == rows || af_is_even(cells, rows)) return 0;
  }
  if (numbers ? once >> AF_SCALE >> 1 != 0 : named == 1) return 0;
  for (int64_t c = 0; c < t->width; c++)
    if (used[c] && !(used[c] & twice)) return 0;
  return 1;
}

/* Whether sums of rows differ, and columns with zeros do not vary against each other, so that none are counts. */
AF_INLINE int af_are_no_counts(const af_head *t, int64_t n_rows) {
  int64_t zeros = 0, total = 0, squares = 0, own = 0, own_squares = 0, gaps = 0;
  if (n_rows == t->width) return 0;
  /* a sum of three rows in four is that of one of the first quarter and one more */
  for (int64_t k = 0; k <= t->rows / 4; k++) {
    int64_t same = 0;
    for (int i = 0; i < AF_HEAD; i++) same += (i < t->rows) & (t->sums[i] == t->sums[k]);
    if (4 * same >= 3 * t->rows) return 0;
  }
  for (int i = 0; i < AF_HEAD; i++) {
    gaps += i < t->rows && t->gaps[i];
    total += t->sums[i];
    squares += (int32_t)t->sums[i] * t->sums[i];
  }
  for (int64_t c = 0; c < t->width; c++) {
    int32_t sum = 0, of_squares = 0;
    for (int i = 0; i < AF_HEAD; i++) {
      const int16_t x = t->cells[c][i] < 0 ? 0 : t->cells[c][i];
      zeros += t->cells[c][i] == 0;
      sum += x;
      of_squares += x * x;
    }
    own += (int64_t)sum * sum;
    own_squares += of_squares;
  }
  return gaps || 2 * zeros < t->rows ||
         100 * (t->rows * squares - total * total) >= 86 * (t->rows * own_squares - own);
}

/* Whether each two of three columns repeat more than three pairs. A missing cell repeats none. */
AF_INLINE int af_pairs_repeat(const af_head *t) {
  for (int a = 0; a < 2; a++)
    for (int b = a + 1; b < 3; b++) {
      uint64_t seen[64];
      int64_t distinct = 0;
      memset(seen, 0, sizeof seen);
      for (int64_t i = 0; i < t->rows; i++) {
        const int8_t x = t->cells[a][i], y = t->cells[b][i];
        distinct += x < 0 || y < 0 || !(seen[x & 63] >> (y & 63) & 1);
        seen[x & 63] |= (uint64_t)1 << (y & 63);
      }
      if (distinct >= t->rows - AF_HEAD / 10) return 0;
    }
  return 1;
}

/* Whether something refutes that a column is the sum, the mean, the least, the largest, the median, the
   majority, one or, rounded, the mean of the others, or is empty or filled if they are equal, and only then. Of
   `few` rows, only sums and means are looked for. */
AF_INLINE int af_is_not_computed(const af_head *t, int64_t at, int numbers, int few) {
  const uint8_t kinds = (uint8_t)(numbers ? few ? 130 : 63 : few ? 0 : 96);
  const int8_t *cells = t->cells[at];
  const int others = (int)t->width - 1;
  uint8_t refuted = 0, blanks = 3, any = 0;
  uint8_t flags[AF_HEAD], blank[AF_HEAD], missing[AF_HEAD];
  for (int i = 0; i < AF_HEAD; i++) {
    const int16_t away = (int16_t)((others + 1) * cells[i] - t->sums[i]);
    const int16_t more = (int16_t)(2 * cells[i] - t->sums[i]);
    const uint8_t equal = t->equal[at][i], less = t->less[at][i];
    const uint8_t greater = (uint8_t)(others - equal - less), alone = equal == 0;
    const uint8_t outside = (uint8_t)((2 * less >= others) | (2 * greater >= others)) & (less != greater);
    const uint8_t same = (equal == others) | ((t->most[i] == others) & alone);
    const uint8_t empty = cells[i] < 0;
    flags[i] = (uint8_t)((((2 * away > others) | (-2 * away > others)) << 0 | (more != 0) << 1 |
                (alone | (less > 0)) << 2 | (alone | (greater > 0)) << 3 | outside << 4 |
                (alone | ((equal + 1 < t->most[i]) & t->only[i])) << 5 | alone << 6 | (away != 0) << 7) &
               -t->complete[i]);
    blank[i] = (uint8_t)((1 << (empty == same)) & -(t->gaps[i] == empty));
    missing[i] = empty & (t->gaps[i] == 1);
  }
  for (int i = 0; i < AF_HEAD; i++) {
    refuted |= flags[i];
    any |= missing[i];
  }
  if (any) {
    blanks = 0;
    for (int i = 0; i < AF_HEAD; i++) blanks |= blank[i];
  }
  return blanks == 3 && (refuted & kinds) == kinds;
}

/* Whether something refutes that a column of two values says where two others, or all, are equal. */
AF_INLINE int af_says_not_equal(const af_head *t, int64_t at) {
  const int8_t *cells = t->cells[at];
  int8_t first = -1;
  for (int i = AF_HEAD - 1; i >= 0; i--) first = t->complete[i] ? cells[i] : first;
  for (int64_t a = 0; a < t->width; a++)
    for (int64_t b = 0; b <= a; b++) {
      int both = 0;
      if ((a == at) != (b == at)) continue; /* once, for all others */
      if (a == b && a != at) continue;
      for (int i = 0; i < AF_HEAD; i++) {
        const int same = a == b ? (t->equal[at][i] == t->width - 1) |
                                      ((t->most[i] == t->width - 1) & (t->equal[at][i] == 0))
                                : t->cells[a][i] == t->cells[b][i];
        both |= t->complete[i] ? 1 << (same == (cells[i] == first)) : 0;
      }
      if (both != 3) return 0;
    }
  return 1;
}

/* Whether a column has one value for each value of another, in complete rows. */
AF_INLINE int af_follows_one(const af_head *t, int64_t source, int64_t at) {
  int8_t image[64];
  memset(image, -1, sizeof image);
  for (int64_t i = 0; i < t->rows; i++)
    if (t->complete[i]) {
      int8_t *of = image + (t->cells[source][i] & 63);
      if (*of >= 0 && *of != t->cells[at][i]) return 0;
      *of = t->cells[at][i];
    }
  return 1;
}

/* Whether no column can follow from others, of those that are looked for. */
AF_INLINE int af_none_follows(const af_head *t, int64_t n_rows, int numbers) {
  int64_t kinds[AF_COLUMNS], complete = 0;
  int few;
  for (int i = 0; i < AF_HEAD; i++) complete += t->complete[i];
  few = complete * n_rows < AF_SHOWN * t->rows;
  for (int64_t c = 0; c < t->width; c++)
    kinds[c] = AF_COUNT_BITS(af_labels_of(t->cells[c], t->complete, AF_HEAD));
  for (int64_t at = 0; at < t->width; at++) {
    if (!af_is_not_computed(t, at, numbers, few)) return 0;
    if (few) continue;
    if (kinds[at] == 2 && !af_says_not_equal(t, at)) return 0;
    for (int64_t c = 0; c < t->width; c++)
      if (kinds[c] > kinds[at] && kinds[at] > 1 && af_follows_one(t, c, at)) return 0;
  }
  if (t->width == 3 && numbers) /* a column may be the difference of two */
    for (int at = 0; at < 3; at++) {
      const int8_t *x = t->cells[(at + 1) % 3], *y = t->cells[(at + 2) % 3];
      int other = 0;
      for (int i = 0; i < AF_HEAD; i++) {
        const int apart = x[i] < y[i] ? y[i] - x[i] : x[i] - y[i];
        other |= t->complete[i] & (apart != t->cells[at][i]);
      }
      if (!other) return 0;
    }
  return 1;
}

/* Whether the first rows of a table of codes leave no doubt that they are labels of items x coders, which is
   settled by necessary conditions alone: if not, `_looks` looks at them closely. A code is a number from 0 to
   63, or stands for a word; -1 is missing. Assumes 2 to 32 columns. */
AF_DISPATCH static int af_is_plain(const int8_t *codes, int64_t n_rows, int64_t width, int numbers) {
  af_head t;
  af_take_head(&t, codes, n_rows, width);
  if (!af_are_coders(&t, numbers) || (numbers && !af_are_no_counts(&t, n_rows))) return 0;
  if (width == 2) return 1;
  if (width == 3 && !af_pairs_repeat(&t)) return 0;
  af_compare_head(&t);
  return af_none_follows(&t, n_rows, numbers);
}

#endif
