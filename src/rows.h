/* Rows of judgments as kernels see them; _rows.pyx says who owns the arrays. */
#ifndef AGREEMENT_FAST_ROWS_H
#define AGREEMENT_FAST_ROWS_H

#include <stdint.h>

typedef struct {
  const void *codes;      /* category codes; -1 is missing */
  int bytes;              /* of a code: 1, 2 or 4 */
  int64_t width;          /* row r is codes[r * width ...], one coder a column; or, if 0, */
  const int64_t *start;   /* codes[start[r]] to codes[start[r + 1] - 1] */
  const int32_t *coders;  /* of a list's judgments, or NULL */
  const int64_t *repeats; /* how many judgments each code stands for, or NULL: one */
  const int64_t *weights; /* how many items each row stands for, or NULL: one */
  int64_t first, last;    /* the rows to look at */
} af_rows;

typedef struct {
  const void *cells;      /* how often each row has each label: row r is cells[r * n_labels ...] */
  int bytes;              /* of a cell: 1, 2, 4 or 8 */
  int64_t n_labels;
  const int64_t *weights; /* how many items each row stands for, or NULL: one */
  int64_t first, last;    /* the rows to look at */
} af_counts;

/* The only place that knows what bytes a code has. A loop over codes is compiled once for each, if the
   compiler sees that `rows` does not change, as a copy on the stack does not. */
static inline int64_t af_code(const af_rows *rows, int64_t i) {
  return rows->bytes == 1   ? ((const int8_t *)rows->codes)[i]
         : rows->bytes == 2 ? ((const int16_t *)rows->codes)[i]
                            : ((const int32_t *)rows->codes)[i];
}

static inline int64_t af_begin(const af_rows *rows, int64_t row) {
  return rows->width ? row * rows->width : rows->start[row];
}

static inline int64_t af_end(const af_rows *rows, int64_t row) {
  return rows->width ? (row + 1) * rows->width : rows->start[row + 1];
}

static inline int64_t af_weight(const af_rows *rows, int64_t row) {
  return rows->weights ? rows->weights[row] : 1;
}

static inline int64_t af_repeats(const af_rows *rows, int64_t i) {
  return rows->repeats ? rows->repeats[i] : 1;
}

#endif
