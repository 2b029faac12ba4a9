/* Sums over counts of categories: U rows of K numbers. */
#ifndef AGREEMENT_FAST_DENSE_H
#define AGREEMENT_FAST_DENSE_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "rows.h"

/* Rows whose disagreement is computed side by side. */
#define AF_BESIDE 32

/* For each of AF_BESIDE rows: total[i] = sum of room[a][i] room[b][i] lower[a][b] over a > b.

   `room` is (K, AF_BESIDE), `lower` is (K, K) with zeros on and above the diagonal. Four lines of `lower`
   share what is read of `room`. Each row's additions have the order of a plain loop, on every processor:
   the zeros of the last three columns change no sum. */
AF_DISPATCH static void af_beside(const double *restrict lower, int64_t K, const double *restrict room,
                                  double *restrict total) {
  double sums[AF_BESIDE];
  memset(sums, 0, sizeof sums);
  int64_t a = 0;
  for (; a + 4 <= K; a += 4) {
    double p[AF_BESIDE], q[AF_BESIDE], r[AF_BESIDE], s[AF_BESIDE];
    const double *line = lower + a * K, *own = room + a * AF_BESIDE;
    for (int i = 0; i < AF_BESIDE; i++) p[i] = q[i] = r[i] = s[i] = 0;
    for (int64_t b = 0; b < a + 3; b++) {
      const double *counts = room + b * AF_BESIDE;
      const double d = line[b], e = line[K + b], f = line[2 * K + b], g = line[3 * K + b];
      for (int i = 0; i < AF_BESIDE; i++) {
        p[i] += counts[i] * d;
        q[i] += counts[i] * e;
        r[i] += counts[i] * f;
        s[i] += counts[i] * g;
      }
    }
    for (int i = 0; i < AF_BESIDE; i++) {
      sums[i] += own[i] * p[i];
      sums[i] += own[AF_BESIDE + i] * q[i];
      sums[i] += own[2 * AF_BESIDE + i] * r[i];
      sums[i] += own[3 * AF_BESIDE + i] * s[i];
    }
  }
  for (; a < K; a++) {
    double p[AF_BESIDE];
    for (int i = 0; i < AF_BESIDE; i++) p[i] = 0;
    for (int64_t b = 0; b < a; b++)
      for (int i = 0; i < AF_BESIDE; i++) p[i] += room[b * AF_BESIDE + i] * lower[a * K + b];
    for (int i = 0; i < AF_BESIDE; i++) sums[i] += room[a * AF_BESIDE + i] * p[i];
  }
  memcpy(total, sums, sizeof sums);
}

/* Of rows of K counts, each with a line of sums at `out + size * width`: adds to the numbers of rows, of
   unordered pairs of equal judgments, of missing judgments (none) and of judgments of each category.
   Returns the sum of the squares of the numbers of categories that a row has, or -1 if a size has no line. */
#define AF_COUNT_CELLS(name, integer)                                                              \
  AF_DISPATCH static int64_t name(const integer *restrict cells, int64_t K, int64_t n,             \
                                  const int64_t *restrict weights, int64_t n_sizes, int64_t width, \
                                  int64_t *restrict out) {                                         \
    int64_t squares = 0;                                                                           \
    for (int64_t i = 0; i < n; i++, cells += K) {                                                  \
      const int64_t weight = weights ? weights[i] : 1;                                             \
      int64_t size = 0;                                                                            \
      for (int64_t k = 0; k < K; k++) size += cells[k];                                            \
      if (size >= n_sizes) return -1;                                                              \
      int64_t *restrict line = out + size * width, *restrict labels = line + 3;                    \
      uint64_t same = 0;                                                                           \
      int64_t used = 0;                                                                            \
      if (size < 1 << 15) { /* its square fits 32 bits */                                          \
        int32_t few = 0, seen = 0;                                                                 \
        for (int64_t k = 0; k < K; k++) {                                                          \
          few += (int32_t)cells[k] * (int32_t)cells[k];                                            \
          seen += cells[k] != 0;                                                                   \
        }                                                                                          \
        same = (uint64_t)few;                                                                      \
        used = seen;                                                                               \
      } else                                                                                       \
        for (int64_t k = 0; k < K; k++) {                                                          \
          same += (uint64_t)cells[k] * (uint64_t)cells[k];                                         \
          used += cells[k] != 0;                                                                   \
        }                                                                                          \
      line[0] += weight;                                                                           \
      line[1] = (int64_t)((uint64_t)line[1] + (uint64_t)weight * ((same - (uint64_t)size) / 2));   \
      squares += used * used;                                                                      \
      if (weight == 1)                                                                             \
        for (int64_t k = 0; k < K; k++) labels[k] += cells[k];                                     \
      else                                                                                         \
        for (int64_t k = 0; k < K; k++) labels[k] += weight * (int64_t)cells[k];                   \
    }                                                                                              \
    return squares;                                                                                \
  }

/* The sum of each row; returns how many cells are not 0. */
#define AF_ADD_ROWS(name, integer)                                                                 \
  AF_DISPATCH static int64_t name(const integer *restrict cells, int64_t K, int64_t n,             \
                                  int64_t *restrict sums) {                                        \
    int64_t used = 0;                                                                              \
    for (int64_t i = 0; i < n; i++, cells += K) {                                                  \
      int64_t sum = 0;                                                                             \
      int64_t seen = 0;                                                                            \
      for (int64_t k = 0; k < K; k++) {                                                            \
        sum += cells[k];                                                                           \
        seen += cells[k] != 0;                                                                     \
      }                                                                                            \
      sums[i] = sum;                                                                               \
      used += seen;                                                                                \
    }                                                                                              \
    return used;                                                                                   \
  }

/* Adds each column to its sum. Rows of few cells are added some together. */
#define AF_ADD_COLUMNS(name, integer)                                                              \
  AF_DISPATCH static int64_t name(const integer *restrict cells, int64_t K, int64_t n,             \
                                  int64_t *restrict sums) {                                        \
    int64_t together[AF_BLOCK], most = K < AF_BLOCK ? AF_BLOCK / K : 1, i = 0;                     \
    memset(together, 0, sizeof together);                                                          \
    if (most > 1)                                                                                  \
      for (; i + most <= n; i += most, cells += most * K)                                          \
        for (int64_t k = 0; k < most * K; k++) together[k] += cells[k];                            \
    for (; i < n; i++, cells += K)                                                                 \
      for (int64_t k = 0; k < K; k++) sums[k] += cells[k];                                         \
    if (most > 1)                                                                                  \
      for (int64_t k = 0; k < most * K; k++) sums[k % K] += together[k];                           \
    return n;                                                                                      \
  }

/* room[k][i]: the count of category k in row i of n <= AF_BESIDE rows, 0 beyond. */
#define AF_TURN_CELLS(name, integer)                                                               \
  AF_DISPATCH static int64_t name(const integer *restrict cells, int64_t K, int64_t n,             \
                                  double *restrict room) {                                         \
    if (n < AF_BESIDE) memset(room, 0, (size_t)K * AF_BESIDE * sizeof *room);                      \
    for (int64_t i = 0; i < n; i++, cells += K)                                                    \
      for (int64_t k = 0; k < K; k++) room[k * AF_BESIDE + i] = (double)cells[k];                  \
    return n;                                                                                      \
  }

/* The cells that are not 0, row by row: their columns and values. `start` gets the ends of the rows. */
#define AF_LIST_CELLS(name, integer)                                                               \
  static int64_t name(const integer *restrict cells, int64_t K, int64_t n, int64_t *restrict start, \
                      int32_t *restrict columns, int64_t *restrict values) {                       \
    int64_t last = 0;                                                                              \
    for (int64_t i = 0; i < n; i++, cells += K) {                                                  \
      for (int64_t k = 0; k < K; k++)                                                              \
        if (cells[k]) {                                                                            \
          columns[last] = (int32_t)k;                                                              \
          values[last++] = cells[k];                                                               \
        }                                                                                          \
      start[i + 1] = last;                                                                         \
    }                                                                                              \
    return last;                                                                                   \
  }

#define AF_EVERY_TYPE(make, name)                                                                  \
  make(name##_int8, int8_t) make(name##_int16, int16_t) make(name##_int32, int32_t)                \
  make(name##_int64, int64_t)

AF_EVERY_TYPE(AF_COUNT_CELLS, af_count_cells)
AF_EVERY_TYPE(AF_ADD_ROWS, af_add_rows)
AF_EVERY_TYPE(AF_ADD_COLUMNS, af_add_columns)
AF_EVERY_TYPE(AF_TURN_CELLS, af_turn_cells)
AF_EVERY_TYPE(AF_LIST_CELLS, af_list_cells)

/* Calls the function of a name for the type of the cells, from a row on. */
#define AF_CELLS(name, counts, row, ...)                                                           \
  ((counts)->bytes == 1   ? name##_int8((const int8_t *)af_cells(counts, row), __VA_ARGS__)        \
   : (counts)->bytes == 2 ? name##_int16((const int16_t *)af_cells(counts, row), __VA_ARGS__)      \
   : (counts)->bytes == 4 ? name##_int32((const int32_t *)af_cells(counts, row), __VA_ARGS__)      \
                          : name##_int64((const int64_t *)af_cells(counts, row), __VA_ARGS__))

static inline const void *af_cells(const af_counts *counts, int64_t row) {
  return (const char *)counts->cells + row * counts->n_labels * counts->bytes;
}

static inline int64_t af_count_cells(const af_counts *counts, int64_t n_sizes, int64_t width,
                                     int64_t *out) {
  return AF_CELLS(af_count_cells, counts, counts->first, counts->n_labels,
                  counts->last - counts->first, counts->weights ? counts->weights + counts->first : NULL,
                  n_sizes, width, out);
}

static inline int64_t af_add_rows(const af_counts *counts, int64_t *sums) {
  return AF_CELLS(af_add_rows, counts, 0, counts->n_labels, counts->last, sums);
}

static inline int64_t af_add_columns(const af_counts *counts, int64_t *sums) {
  return AF_CELLS(af_add_columns, counts, 0, counts->n_labels, counts->last, sums);
}

static inline int64_t af_turn_cells(const af_counts *counts, int64_t row, int64_t n, double *room) {
  return AF_CELLS(af_turn_cells, counts, row, counts->n_labels, n, room);
}

static inline int64_t af_list_cells(const af_counts *counts, int64_t *start, int32_t *columns,
                                    int64_t *values) {
  return AF_CELLS(af_list_cells, counts, 0, counts->n_labels, counts->last, start, columns, values);
}

#endif
