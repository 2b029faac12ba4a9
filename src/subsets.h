/* Loops over every subset of the coders, in C so that the compiler sees plain arrays; see compiler.h
   for AF_DISPATCH. */
#ifndef AGREEMENT_FAST_SUBSETS_H
#define AGREEMENT_FAST_SUBSETS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* The number of lanes of an af_vector. */
#define AF_LANES 8

/* The number of items summed at a time: their data stay in the first level of the cache. */
#define AF_TILE 128

/* out[i] = source[i] + (column[i] + constant) */
AF_DISPATCH static void af_add_column(const double *restrict source, const double *restrict column,
                                      double constant, int64_t n, double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = source[i] + (column[i] + constant);
}

/* out[i] = 1 - x[i] / (p + q * y[i]), or NaN if the denominator is not positive */
AF_DISPATCH static void af_ratios(const double *restrict x, const double *restrict y, double p,
                                  double q, int64_t n, double *restrict out) {
  for (int64_t i = 0; i < n; i++) {
    const double expected = p + q * y[i];
    const double value = 1.0 - x[i] / expected;
    out[i] = expected > 0 ? value : (double)NAN;
  }
}

/* The bin of each value, (v - low) * scale cut off to 0 .. bins - 1; `bins` for NaN. Monotone in v.
   Assumes n <= AF_BLOCK, and low and scale finite (summary.grid). */
AF_INLINE void af_bins(const double *restrict v, int64_t n, double low, double scale,
                           int32_t bins, int32_t *restrict out) {
  const double top = bins - 1;
  for (int64_t i = 0; i < n; i++) {
    double place = (v[i] - low) * scale;
    place = place > 0 ? place : 0;
    place = place < top ? place : top;
    const int32_t bin = (int32_t)place;
    out[i] = v[i] == v[i] ? bin : bins;
  }
}

/* The first pass. grid: low and scale of af_bins. Updates moments (the sum, smallest and largest of the
   values other than NaN) and counts (the values of each bin; counts[bins] counts NaN). Assumes fewer than
   2^31 values of a piece of work in each bin (summary.First). */
AF_DISPATCH static void af_describe(const double *restrict v, int64_t n, const double *grid,
                                    int32_t bins, double *moments, int32_t *counts) {
  const double low = grid[0], scale = grid[1];
  double sum[AF_LANES] = {0}, least[AF_LANES], most[AF_LANES];
  int32_t where[AF_BLOCK];
  for (int k = 0; k < AF_LANES; k++) least[k] = moments[1], most[k] = moments[2];
  for (int64_t first = 0; first < n; first += AF_BLOCK) {
    const double *here = v + first;
    const int64_t count = n - first < AF_BLOCK ? n - first : AF_BLOCK;
    const int64_t whole = count - count % AF_LANES;
    for (int64_t i = 0; i < whole; i += AF_LANES)
      for (int k = 0; k < AF_LANES; k++) {
        const double x = here[i + k];
        sum[k] += x == x ? x : 0;
        least[k] = x < least[k] ? x : least[k];
        most[k] = x > most[k] ? x : most[k];
      }
    for (int64_t i = whole; i < count; i++) {
      const double x = here[i];
      sum[0] += x == x ? x : 0;
      least[0] = x < least[0] ? x : least[0];
      most[0] = x > most[0] ? x : most[0];
    }
    af_bins(here, count, low, scale, bins, where);
    for (int64_t i = 0; i < count; i++) counts[where[i]]++;
  }
  moments[0] += ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
  for (int k = 0; k < AF_LANES; k++) {
    moments[1] = least[k] < moments[1] ? least[k] : moments[1];
    moments[2] = most[k] > moments[2] ? most[k] : moments[2];
  }
}

/* Whether a value is so close to an edge, low plus a multiple of 1 / scale, that rounding may give a
   wrong bin. Assumes that no value is more than 2^30 bins from low: they lie between the edges. */
AF_INLINE int af_near_edge(const double *restrict v, int64_t n, double low, double scale,
                           double slack) {
  int near = 0;
  for (int64_t i = 0; i < n; i++) {
    const double place = (v[i] - low) * scale;
    const double nearest = (double)(int32_t)(place == place ? place + 0.5 : 0);
    const double gap = place - nearest; /* NaN is near no edge */
    near |= (gap < slack) & (gap > -slack);
  }
  return near;
}

/* What is known of the values of a group before the second pass. */
typedef struct {
  const double *grid;  /* low and scale of af_bins */
  int32_t bins;        /* of the grid */
  const uint8_t *keep; /* whether to keep the values of each bin, and NaN (the last entry) */
  double mean;
  const double *edges; /* n_edges + 1, from the smallest value to the largest */
  int32_t n_edges;
} af_bounds;

/* The second pass: returns the sum of squares about the mean, counts the values between n_edges + 1
   edges as numpy.histogram does (NaN in counts[n_edges]), and appends the values of the bins to keep to
   `found`. Assumes values between the first and the last edge, which are their extremes
   (summary.First.edges), and edges[0] < edges[n_edges]. `found` needs room for one value more than are
   kept: each is written before it is kept or not. */
AF_DISPATCH static double af_refine(const double *restrict v, int64_t n, const af_bounds *bounds,
                                    int32_t *counts, double *found, int64_t *n_found) {
  const double low = bounds->grid[0], scale = bounds->grid[1], mean = bounds->mean;
  const int32_t bins = bounds->bins, n_edges = bounds->n_edges;
  const uint8_t *keep = bounds->keep;
  const double *edges = bounds->edges;
  double squares[AF_LANES] = {0};
  int32_t where[AF_BLOCK], column[AF_BLOCK];
  const double first_edge = edges[0], last_edge = edges[n_edges];
  const double per = n_edges / (last_edge - first_edge);
  /* edges are rounded to their own size, which may be large beside a bin */
  const double slack = 1e-9 + 1e-15 * (fabs(first_edge) + fabs(last_edge)) * per;
  int64_t kept = *n_found;
  for (int64_t first = 0; first < n; first += AF_BLOCK) {
    const double *here = v + first;
    const int64_t count = n - first < AF_BLOCK ? n - first : AF_BLOCK;
    const int64_t whole = count - count % AF_LANES;
    for (int64_t i = 0; i < whole; i += AF_LANES)
      for (int k = 0; k < AF_LANES; k++) {
        const double gap = here[i + k] - mean;
        squares[k] += gap == gap ? gap * gap : 0;
      }
    for (int64_t i = whole; i < count; i++) {
      const double gap = here[i] - mean;
      squares[0] += gap == gap ? gap * gap : 0;
    }
    af_bins(here, count, low, scale, bins, where);
    af_bins(here, count, first_edge, per, n_edges, column);
    if (af_near_edge(here, count, first_edge, per, slack))
      for (int64_t i = 0; i < count; i++)
        if (column[i] < n_edges) {
          column[i] -= here[i] < edges[column[i]];
          column[i] += here[i] >= edges[column[i] + 1] && column[i] + 1 < n_edges;
        }
    for (int64_t i = 0; i < count; i++) {
      counts[column[i]]++;
      found[kept] = here[i];
      kept += keep[where[i]];
    }
  }
  *n_found = kept;
  return ((squares[0] + squares[1]) + (squares[2] + squares[3])) +
         ((squares[4] + squares[5]) + (squares[6] + squares[7]));
}

/* Counts table[(pattern * K + k) * T + i] for every pattern of some coders and T = AF_TILE items. The codes
   of the n_items items are codes[i * width + coder]; cells beyond these items stay 0. Assumes room for
   2^n_coders * K * T bytes (incomplete.TABLE), and at most 255 coders in all, so that counts fit a byte: a
   mask has 64 bits. */
static void af_count_table(const int8_t *codes, int64_t width, int64_t n_items, int64_t n_coders,
                           int64_t K, uint8_t *table) {
  const int64_t T = AF_TILE;
  memset(table, 0, (size_t)(K * T));
  for (int64_t c = 0; c < n_coders; c++) {
    const int64_t half = INT64_C(1) << c, cells = half * K * T;
    memcpy(table + cells, table, (size_t)cells);
    for (int64_t pattern = half; pattern < 2 * half; pattern++)
      for (int64_t i = 0; i < n_items; i++) {
        const int8_t code = codes[i * width + c];
        if (code >= 0) table[(pattern * K + code) * T + i]++;
      }
  }
}

/* a . b. Assumes n a multiple of 2 * AF_LANES, as AF_TILE is. */
AF_INLINE double af_dot(const double *restrict a, const double *restrict b, int64_t n) {
  af_vector even = {0}, odd = {0};
  for (int64_t i = 0; i < n; i += 2 * AF_LANES) {
    af_add_products(&even, a + i, b + i);
    af_add_products(&odd, a + i + AF_LANES, b + i + AF_LANES);
  }
  af_add_vector(&even, &odd);
  return af_total(&even);
}

/* a . x and b . x, added to what is there. Assumes n a multiple of 2 * AF_LANES, as AF_TILE is. */
AF_INLINE void af_two_dots(const double *restrict a, const double *restrict b,
                           const double *restrict x, int64_t n, double *a_x, double *b_x) {
  af_vector first = {0}, second = {0}, third = {0}, fourth = {0};
  for (int64_t i = 0; i < n; i += 2 * AF_LANES) {
    af_add_products(&first, a + i, x + i);
    af_add_products(&second, b + i, x + i);
    af_add_products(&third, a + i + AF_LANES, x + i + AF_LANES);
    af_add_products(&fourth, b + i + AF_LANES, x + i + AF_LANES);
  }
  af_add_vector(&first, &third);
  af_add_vector(&second, &fourth);
  *a_x += af_total(&first);
  *b_x += af_total(&second);
}

AF_INLINE void af_multiply(const double *restrict a, const double *restrict b, int64_t n,
                           double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = a[i] * b[i];
}

AF_INLINE void af_widen(const uint8_t *restrict bytes, int64_t n, double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = (int32_t)bytes[i];
}

/* The weights of AF_TILE items of n judgments in the sums of af_sum_subset, if these are at least
   `one` or `two`: five lines of room. Assumes one >= 1 and two >= 2 (af_sum_subset). */
AF_INLINE void af_item_weights(const double *restrict n, const double *restrict weights, double one,
                               double two, double *restrict room) {
  double *const judged = room, *const pairable = room + AF_TILE, *const share = room + 2 * AF_TILE,
                *const item = room + 3 * AF_TILE, *const judgment = room + 4 * AF_TILE;
  for (int64_t i = 0; i < AF_TILE; i++) {
    const double w = weights[i], least = n[i] >= one ? w : 0, both = n[i] >= two ? w : 0;
    const double inverse = 1 / (n[i] >= 2 ? n[i] * (n[i] - 1) : 1);
    judged[i] = least;
    pairable[i] = both;
    item[i] = both * inverse;
    judgment[i] = both * inverse * n[i];
    share[i] = least * (n[i] >= 2 ? inverse * (n[i] - 1) : 1);
  }
}

/* The sums of af_sum_subset, over items with at least `least` judgments:

     totals: the items, those with at least two judgments, and the judgments of the latter
     labels[0 .. K - 1]: w n_k / n; labels[K .. 2K - 1]: w n_k over items with at least two judgments
     items: for j < l, w n_j n_l / (n (n - 1)); judgments: w n_j n_l / (n - 1) */
typedef struct {
  double *totals, *labels, *items, *judgments;
} af_sums;

/* Adds AF_TILE items to the sums of one subset; n_k of item i is counts[k * AF_TILE + i]. An item without
   judgments never counts. room: (K + 9) * AF_TILE doubles; the first AF_TILE must be ones. */
AF_DISPATCH static void af_sum_subset(const uint8_t *counts, const double *weights, int64_t K,
                                      int64_t least, double *room, const af_sums *sums) {
  enum { T = AF_TILE };
  const double *ones = room;
  double *n = room + T, *judged = room + 2 * T, *pairable = room + 3 * T, *share = room + 4 * T,
         *item = room + 5 * T, *judgment = room + 6 * T, *by_item = room + 7 * T,
         *by_judgment = room + 8 * T, *n_k = room + 9 * T;
  double *const labels = sums->labels, *items = sums->items, *judgments = sums->judgments;
  const double one = least > 1 ? least : 1, two = least > 2 ? least : 2;
  uint8_t sizes[T];
  memset(sizes, 0, T);
  for (int64_t k = 0; k < K; k++)
    for (int64_t i = 0; i < T; i++) sizes[i] = (uint8_t)(sizes[i] + counts[k * T + i]);
  af_widen(sizes, T, n);
  af_widen(counts, K * T, n_k);
  af_item_weights(n, weights, one, two, judged);
  sums->totals[0] += af_dot(judged, ones, T);
  af_two_dots(ones, n, pairable, T, sums->totals + 1, sums->totals + 2);
  for (int64_t k = 0; k < K; k++)
    af_two_dots(share, pairable, n_k + k * T, T, labels + k, labels + K + k);
  for (int64_t j = 0; j + 1 < K; j++) {
    af_multiply(item, n_k + j * T, T, by_item);
    af_multiply(judgment, n_k + j * T, T, by_judgment);
    for (int64_t l = j + 1; l < K; l++)
      af_two_dots(by_item, by_judgment, n_k + l * T, T, items++, judgments++);
  }
}

/* out = a + b, bytes */
AF_DISPATCH static void af_add_bytes(const uint8_t *restrict a, const uint8_t *restrict b, int64_t n,
                                     uint8_t *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = (uint8_t)(a[i] + b[i]);
}

#endif
