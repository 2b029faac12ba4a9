/* Loops over every subset of the coders, in C so that the compiler sees plain arrays; see hot.h for
   AF_DISPATCH. */
#ifndef AGREEMENT_FAST_SUBSETS_H
#define AGREEMENT_FAST_SUBSETS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "hot.h"

#define AF_LANES 8

/* out[i] = source[i] + (column[i] + constant) */
AF_DISPATCH static void af_add_column(const double *restrict source, const double *restrict column,
                                      double constant, int64_t n, double *restrict out) {
  for (int64_t i = 0; i < n; i++) out[i] = source[i] + (column[i] + constant);
}

/* out[i] = 1 - x[i] / (p + q * y[i]); NaN where that denominator is not positive */
AF_DISPATCH static void af_ratios(const double *restrict x, const double *restrict y, double p,
                                  double q, int64_t n, double *restrict out) {
  for (int64_t i = 0; i < n; i++) {
    const double expected = p + q * y[i];
    const double value = 1.0 - x[i] / expected;
    out[i] = expected > 0 ? value : (double)NAN;
  }
}

/* The bin of each value, (v - low) * scale cut off to 0 .. bins - 1; `bins` for NaN. Monotone in v. */
static inline void af_bins(const double *restrict v, int64_t n, double low, double scale,
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

/* moments: sum, smallest, largest of the values that are not NaN; counts[bin] += 1, counts[bins]
   counting the NaN. */
AF_DISPATCH static void af_describe(const double *restrict v, int64_t n, double low, double scale,
                                    int32_t bins, double *moments, int32_t *counts) {
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

/* What needs the mean and the extremes: returns the sum of squares about the mean, counts the values
   between n_edges + 1 edges as numpy.histogram does, and appends those whose bin is wanted to
   found. */
AF_DISPATCH static double af_refine(const double *restrict v, int64_t n, double low, double scale,
                                    int32_t bins, const uint8_t *wanted, double mean,
                                    const double *edges, int32_t n_edges, int32_t *counts,
                                    double *found, int64_t *n_found) {
  double squares[AF_LANES] = {0};
  int32_t where[AF_BLOCK], column[AF_BLOCK];
  const double width = edges[n_edges] - edges[0];
  const double per = width > 0 ? n_edges / width : 0;
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
    af_bins(here, count, edges[0], per, n_edges, column);
    for (int64_t i = 0; i < count; i++) {
      int32_t c = column[i];
      if (c == n_edges) continue; /* NaN */
      /* rounding may have put a value on the wrong side of an edge */
      c -= here[i] < edges[c];
      c += here[i] >= edges[c + 1] && c + 1 < n_edges;
      counts[c]++;
      found[kept] = here[i];
      kept += wanted[where[i]];
    }
  }
  *n_found = kept;
  return ((squares[0] + squares[1]) + (squares[2] + squares[3])) +
         ((squares[4] + squares[5]) + (squares[6] + squares[7]));
}

/* Counts for every pattern of some coders: table[(pattern * K + k) * T + i], from the codes of the
   coders first .. first + n_coders - 1 for T items (codes[i * width + coder], n_items of them there). */
static void af_count_table(const int8_t *codes, int64_t width, int64_t n_items, int64_t first,
                           int64_t n_coders, int64_t K, int64_t T, uint8_t *table) {
  memset(table, 0, (size_t)(K * T));
  for (int64_t c = 0; c < n_coders; c++) {
    const int64_t half = INT64_C(1) << c, cells = half * K * T;
    memcpy(table + cells, table, (size_t)cells);
    for (int64_t pattern = half; pattern < 2 * half; pattern++)
      for (int64_t i = 0; i < n_items; i++) {
        const int8_t code = codes[i * width + first + c];
        if (code >= 0) table[(pattern * K + code) * T + i]++;
      }
  }
}

typedef double af_vector __attribute__((vector_size(8 * AF_LANES), aligned(8), may_alias));

static inline double af_total(af_vector v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/* One subset over T items (a multiple of AF_LANES), n_k of each in counts[k * T + i]: adds to

     totals: items with one judgment (or `one`) and more, with `two` and more, and these' judgments
     labels[0 .. K - 1]: sums of w n_k / n, labels[K .. 2K - 1]: of w n_k over items with `two`
     pairs[0 ..]: for j < l sums of w n_j n_l / (n (n - 1)), then, if asked for, of w n_j n_l / (n - 1)

   room: (K + 4) * T doubles. */
AF_DISPATCH static void af_sum_subset(const uint8_t *counts, const double *weights, int64_t K,
                                      int64_t T, int64_t one, int64_t two, int by_items,
                                      int by_judgments, double *room, double *totals,
                                      double *labels, double *pairs) {
  double *n_k = room, *item = room + K * T, *judgment = item + T, *share = item + 2 * T,
         *pairable = item + 3 * T;
  uint8_t sizes[AF_BLOCK];
  memset(sizes, 0, (size_t)T);
  for (int64_t k = 0; k < K; k++)
    for (int64_t i = 0; i < T; i++) sizes[i] = (uint8_t)(sizes[i] + counts[k * T + i]);
  for (int64_t i = 0; i < K * T; i++) n_k[i] = counts[i];
  for (int64_t i = 0; i < T; i++) {
    const double n = sizes[i], w = weights[i];
    const double both = n >= two ? w : 0;
    const double inverse = both / (n >= 2 ? n * (n - 1) : 1);
    item[i] = inverse;
    judgment[i] = inverse * n;
    share[i] = n >= one ? w / (n >= 1 ? n : 1) : 0;
    pairable[i] = both;
  }
  af_vector items = {0}, paired = {0}, judgments = {0};
  for (int64_t i = 0; i < T; i += AF_LANES) {
    af_vector some = {0};
    for (int k = 0; k < AF_LANES; k++) some[k] = sizes[i + k];
    for (int k = 0; k < AF_LANES; k++)
      items[k] += sizes[i + k] >= one ? weights[i + k] : 0;
    paired += *(const af_vector *)(pairable + i);
    judgments += *(const af_vector *)(pairable + i) * some;
  }
  totals[0] += af_total(items);
  totals[1] += af_total(paired);
  totals[2] += af_total(judgments);
  for (int64_t k = 0; k < K; k++) {
    af_vector shares = {0}, numbers = {0};
    for (int64_t i = 0; i < T; i += AF_LANES) {
      const af_vector here = *(const af_vector *)(n_k + k * T + i);
      shares += here * *(const af_vector *)(share + i);
      numbers += here * *(const af_vector *)(pairable + i);
    }
    labels[k] += af_total(shares);
    labels[K + k] += af_total(numbers);
  }
  for (int part = 0; part < 2; part++) {
    if (!(part ? by_judgments : by_items)) continue;
    const double *factor = part ? judgment : item;
    for (int64_t j = 0; j + 1 < K; j++) {
      /* what is not needed any more makes room */
      for (int64_t i = 0; i < T; i++) share[i] = factor[i] * n_k[j * T + i];
      for (int64_t l = j + 1; l < K; l++, pairs++) {
        af_vector sum = {0};
        for (int64_t i = 0; i < T; i += AF_LANES)
          sum += *(const af_vector *)(share + i) * *(const af_vector *)(n_k + l * T + i);
        *pairs += af_total(sum);
      }
    }
  }
}

/* Counts of one subset: rows of the tables of some chunks of coders, added. */
AF_DISPATCH static void af_add_counts(const uint8_t *tables, const int64_t *offsets,
                                      int64_t n_chunks, int64_t chunk_bits, uint64_t mask,
                                      int64_t cells, uint8_t *restrict out) {
  const uint64_t low = (UINT64_C(1) << chunk_bits) - 1;
  const uint8_t *row = tables + (int64_t)(mask & low) * cells;
  memcpy(out, row, (size_t)cells);
  for (int64_t c = 1; c < n_chunks; c++) {
    mask >>= chunk_bits;
    row = tables + offsets[c] + (int64_t)(mask & low) * cells;
    for (int64_t i = 0; i < cells; i++) out[i] = (uint8_t)(out[i] + row[i]);
  }
}

#endif
