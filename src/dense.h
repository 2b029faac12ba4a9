/* Sums over counts of categories: U rows of K numbers. */
#ifndef AGREEMENT_FAST_DENSE_H
#define AGREEMENT_FAST_DENSE_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "rows.h"
#include "sums.h"

/* Rows whose disagreement is computed side by side. */
#define AF_BESIDE 32

/* For each of AF_BESIDE rows: total[i] = sum of room[a][i] room[b][i] matrix[a][b] over a > b.

   `room` is (K, AF_BESIDE), `matrix` is (K, K). Four of its lines share what is read of `room`. Each row's
   additions have the order of a plain loop, on every processor. */
AF_DISPATCH static void af_beside(const double *restrict matrix, int64_t K, const double *restrict room,
                                  double *restrict total) {
  double sums[AF_BESIDE];
  memset(sums, 0, sizeof sums);
  int64_t a = 0;
  for (; a + 4 <= K; a += 4) {
    double p[AF_BESIDE], q[AF_BESIDE], r[AF_BESIDE], s[AF_BESIDE];
    const double *line = matrix + a * K, *own = room + a * AF_BESIDE;
    for (int i = 0; i < AF_BESIDE; i++) p[i] = q[i] = r[i] = s[i] = 0;
    for (int64_t b = 0; b < a; b++) {
      const double *counts = room + b * AF_BESIDE;
      const double d = line[b], e = line[K + b], f = line[2 * K + b], g = line[3 * K + b];
      for (int i = 0; i < AF_BESIDE; i++) {
        p[i] += counts[i] * d;
        q[i] += counts[i] * e;
        r[i] += counts[i] * f;
        s[i] += counts[i] * g;
      }
    }
    for (int i = 0; i < AF_BESIDE; i++) { /* the last three below the diagonal */
      q[i] += own[i] * line[K + a];
      r[i] += own[i] * line[2 * K + a];
      s[i] += own[i] * line[3 * K + a];
      r[i] += own[AF_BESIDE + i] * line[2 * K + a + 1];
      s[i] += own[AF_BESIDE + i] * line[3 * K + a + 1];
      s[i] += own[2 * AF_BESIDE + i] * line[3 * K + a + 2];
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
      for (int i = 0; i < AF_BESIDE; i++) p[i] += room[b * AF_BESIDE + i] * matrix[a * K + b];
    for (int i = 0; i < AF_BESIDE; i++) sums[i] += room[a * AF_BESIDE + i] * p[i];
  }
  memcpy(total, sums, sizeof sums);
}

/* The most categories whose counts are looked at column by column. */
#define AF_FEW 64

/* Lanes whose sums stay in registers. */
#define AF_LANES 32

/* Of n rows of K counts: their sizes, and the unordered pairs of equal judgments. Adds the squares of the
   numbers of categories that each row has to `squares`. Rows of few narrow counts are turned, and left in
   `columns`; returns whether they are. Their squares fit 32 bits if their sizes fit 16. */
#define AF_LOOK_AT_ROWS(type)                                                                      \
  AF_INLINE int af_look_at_rows_##type(const type##_t *cells, int64_t K, int64_t n, int64_t readable,\
                                       type##_t *columns, int64_t *restrict sizes,                 \
                                       uint64_t *restrict same, int64_t *restrict squares) {       \
    if (sizeof(type##_t) <= 2 && n == AF_BLOCK && K <= AF_FEW) {                                   \
      uint32_t most = 0, found = 0;                                                                \
      af_turn_##type(cells, K, AF_BLOCK, readable, columns);                                       \
      for (int first = 0; first < AF_BLOCK; first += AF_LANES) {                                   \
        uint32_t size[AF_LANES], square[AF_LANES], used[AF_LANES];                                 \
        for (int i = 0; i < AF_LANES; i++) size[i] = square[i] = used[i] = 0;                      \
        for (int64_t k = 0; k < K; k++)                                                            \
          for (int i = 0; i < AF_LANES; i++) {                                                     \
            const uint32_t count = (uint32_t)columns[k * AF_BLOCK + first + i];                    \
            size[i] += count;                                                                      \
            square[i] += count * count;                                                            \
            used[i] += count != 0;                                                                 \
          }                                                                                        \
        for (int i = 0; i < AF_LANES; i++) {                                                       \
          most |= size[i];                                                                         \
          found += used[i] * used[i];                                                              \
          sizes[first + i] = size[i];                                                              \
          same[first + i] = (square[i] - size[i]) / 2;                                             \
        }                                                                                          \
      }                                                                                            \
      if (most >> 16 == 0) {                                                                       \
        *squares += found;                                                                         \
        return 1;                                                                                  \
      }                                                                                            \
    }                                                                                              \
    for (int64_t i = 0; i < n; i++, cells += K) {                                                  \
      uint64_t square = 0;                                                                         \
      int64_t size = 0, used = 0;                                                                  \
      for (int64_t k = 0; k < K; k++) size += cells[k];                                            \
      if (size >> 16 == 0) {                                                                       \
        uint32_t few = 0, seen = 0;                                                                \
        for (int64_t k = 0; k < K; k++) {                                                          \
          few += (uint32_t)cells[k] * (uint32_t)cells[k];                                          \
          seen += cells[k] != 0;                                                                   \
        }                                                                                          \
        square = few;                                                                              \
        used = seen;                                                                               \
      } else                                                                                       \
        for (int64_t k = 0; k < K; k++) {                                                          \
          square += (uint64_t)cells[k] * (uint64_t)cells[k];                                       \
          used += cells[k] != 0;                                                                   \
        }                                                                                          \
      sizes[i] = size;                                                                             \
      same[i] = (square - (uint64_t)size) / 2;                                                     \
      *squares += used * used;                                                                     \
    }                                                                                              \
    return 0;                                                                                      \
  }

/* Of rows of K counts, each with a line of sums at `out + size * width`: adds to the numbers of rows, of
   unordered pairs of equal judgments, of missing judgments (none) and of judgments of each category.
   place[row], if any, gets the row's size. Returns the sum of the squares of the numbers of categories
   that a row has, or -1 if a size has no line. */
#define AF_COUNT_CELLS(type)                                                                       \
  AF_DISPATCH static int64_t af_count_cells_##type(                                                \
      const type##_t *cells, int64_t K, int64_t n, const int64_t *restrict weights, int64_t n_sizes,\
      int64_t width, int32_t *restrict place, int64_t *restrict out) {                             \
    int64_t squares = 0;                                                                           \
    for (int64_t row = 0; row < n; row += AF_BLOCK, cells += AF_BLOCK * K) {                       \
      type##_t columns[sizeof(type##_t) <= 2 ? AF_FEW * AF_BLOCK : 1];                             \
      const int64_t here = n - row < AF_BLOCK ? n - row : AF_BLOCK;                                \
      int64_t sizes[AF_BLOCK], other = 0;                                                          \
      uint64_t same[AF_BLOCK];                                                                     \
      const int turned =                                                                           \
          af_look_at_rows_##type(cells, K, here, (n - row) * K, columns, sizes, same, &squares);    \
      for (int64_t i = 0; i < here; i++) {                                                         \
        if (sizes[i] >= n_sizes) return -1;                                                        \
        const int64_t weight = weights ? weights[row + i] : 1;                                     \
        int64_t *line = out + sizes[i] * width;                                                    \
        line[0] += weight;                                                                         \
        line[1] = (int64_t)((uint64_t)line[1] + (uint64_t)weight * same[i]);                       \
        if (place) place[row + i] = (int32_t)sizes[i];                                             \
        other |= sizes[i] ^ sizes[0];                                                              \
      }                                                                                            \
      int64_t *labels = out + sizes[0] * width + 3;                                                \
      if (turned && !other && !weights)                                                            \
        for (int64_t k = 0; k < K; k++) {                                                          \
          int32_t sum = 0;                                                                         \
          for (int i = 0; i < AF_BLOCK; i++) sum += columns[k * AF_BLOCK + i];                     \
          labels[k] += sum;                                                                        \
        }                                                                                          \
      else                                                                                         \
        for (int64_t i = 0; i < here; i++) {                                                       \
          const type##_t *restrict own = cells + i * K;                                            \
          int64_t *restrict sums = out + sizes[i] * width + 3;                                     \
          if (weights)                                                                             \
            for (int64_t k = 0; k < K; k++) sums[k] += weights[row + i] * (int64_t)own[k];         \
          else                                                                                     \
            for (int64_t k = 0; k < K; k++) sums[k] += own[k];                                     \
        }                                                                                          \
    }                                                                                              \
    return squares;                                                                                \
  }

/* The sum of each row; returns how many cells are not 0. */
#define AF_ADD_ROWS(type)                                                                          \
  AF_DISPATCH static int64_t af_add_rows_##type(const type##_t *restrict cells, int64_t K,         \
                                               int64_t n, int64_t *restrict sums) {                \
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
#define AF_ADD_COLUMNS(type)                                                                       \
  AF_DISPATCH static int64_t af_add_columns_##type(const type##_t *restrict cells, int64_t K,      \
                                                   int64_t n, int64_t *restrict sums) {            \
    int64_t together[AF_BLOCK] = {0}, most = K < AF_BLOCK ? AF_BLOCK / K : 1, i = 0;               \
    for (; most > 1 && i + most <= n; i += most, cells += most * K)                                \
      for (int64_t k = 0; k < most * K; k++) together[k] += cells[k];                              \
    for (; i < n; i++, cells += K)                                                                 \
      for (int64_t k = 0; k < K; k++) sums[k] += cells[k];                                         \
    for (int64_t k = 0; k < most * K && most > 1; k++) sums[k % K] += together[k];                 \
    return n;                                                                                      \
  }

/* room[k][i]: the count of category k in row i of n <= AF_BESIDE rows. */
#define AF_TURN_CELLS(type)                                                                        \
  AF_DISPATCH static int64_t af_turn_cells_##type(const type##_t *restrict cells, int64_t K,       \
                                                 int64_t n, double *restrict room) {               \
    for (int64_t i = 0; i < n; i++, cells += K)                                                    \
      for (int64_t k = 0; k < K; k++) room[k * AF_BESIDE + i] = (double)cells[k];                  \
    return n;                                                                                      \
  }

/* The cells that are not 0, row by row: their columns and values. `start` gets the ends of the rows. */
#define AF_LIST_CELLS(type)                                                                        \
  static int64_t af_list_cells_##type(const type##_t *restrict cells, int64_t K, int64_t n,        \
                                      int64_t *restrict start, int32_t *restrict columns,          \
                                      int64_t *restrict values) {                                  \
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

#define AF_EVERY_TYPE(make) make(int8) make(int16) make(int32) make(int64)

AF_EVERY_TYPE(AF_LOOK_AT_ROWS)
AF_EVERY_TYPE(AF_COUNT_CELLS)
AF_EVERY_TYPE(AF_ADD_ROWS)
AF_EVERY_TYPE(AF_ADD_COLUMNS)
AF_EVERY_TYPE(AF_TURN_CELLS)
AF_EVERY_TYPE(AF_LIST_CELLS)

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
                                     int32_t *place, int64_t *out) {
  return AF_CELLS(af_count_cells, counts, counts->first, counts->n_labels,
                  counts->last - counts->first, counts->weights ? counts->weights + counts->first : NULL,
                  n_sizes, width, place ? place + counts->first : NULL, out);
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
