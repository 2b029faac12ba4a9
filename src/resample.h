/* Sums over rows of judgments under several resamples of the coders at once, one lane for each: one
   instruction processes a judgment in several resamples. */
#ifndef AGREEMENT_FAST_RESAMPLE_H
#define AGREEMENT_FAST_RESAMPLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "rows.h"

/* The most resamples at a time: their sums stay in the registers of a processor. */
#define AF_LANES 16

/* Rows of at most this many distinct labels are summed over pairs of labels. */
#define AF_IN_PAIRS 16

enum af_kind { AF_NOMINAL, AF_MATRIX, AF_SQUARED, AF_ABSOLUTE, AF_LISTED, AF_RANKED };

/* The form of the distances of labels: a K x K matrix, K x width features, K x 1 positions, the distances
   of the pairs of each row one after the other, or a feature of each label in each resample. */
typedef struct {
  int kind;
  const double *values;
  int64_t width;
} af_apart;

/* Coder c was drawn copies[c * lanes + l] times in resample l, a whole number. */
typedef struct {
  const double *copies;
  int64_t lanes;
  int64_t *seen;   /* a zero for each label */
  int32_t *labels; /* room for the distinct labels of a row, */
  double *counts;  /* and for how often each occurs in each resample */
} af_copies;

/* sizes[row, l] and selfs[row, l]: the judgments of the row, each as often as its coder was drawn, and the
   sum of the squares of these numbers. */
AF_INLINE void af_sizes_in(const af_rows *rows, const af_copies *given, const int64_t lanes,
                           double *restrict sizes, double *restrict selfs) {
  for (int64_t row = rows->first; row < rows->last; row++) {
    double size[AF_LANES] = {0}, self[AF_LANES] = {0};
    for (int64_t i = rows->start[row]; i < rows->start[row + 1]; i++) {
      const double *times = given->copies + rows->coders[i] * lanes;
      for (int64_t l = 0; l < lanes; l++) {
        size[l] += times[l];
        self[l] += times[l] * times[l];
      }
    }
    for (int64_t l = 0; l < lanes; l++) *sizes++ = size[l];
    for (int64_t l = 0; l < lanes; l++) *selfs++ = self[l];
  }
}

/* The distinct labels of a row in order of appearance, and how often each occurs; returns how many. */
AF_INLINE int64_t af_gather(const af_rows *rows, const af_copies *given, const int64_t lanes,
                            int64_t row) {
  const int32_t *codes = (const int32_t *)rows->codes;
  int64_t r = 0;
  for (int64_t i = rows->start[row]; i < rows->start[row + 1]; i++) {
    const double *times = given->copies + rows->coders[i] * lanes;
    int64_t place = given->seen[codes[i]];
    if (place == 0) {
      given->labels[r] = codes[i];
      given->seen[codes[i]] = place = ++r;
      for (int64_t l = 0; l < lanes; l++) given->counts[(place - 1) * lanes + l] = times[l];
    } else {
      double *restrict sums = given->counts + (place - 1) * lanes;
      for (int64_t l = 0; l < lanes; l++) sums[l] += times[l];
    }
  }
  for (int64_t a = 0; a < r; a++) given->seen[given->labels[a]] = 0;
  return r;
}

/* Σ over the ordered pairs of unequal judgments: n² - Σ n_k², whole numbers below 2^53 for up to 9e7
   coders, which is the sum of the copies (resample.CoderDraw). */
AF_INLINE void af_unequal(const double *counts, int64_t r, const int64_t lanes, double *out) {
  double size[AF_LANES] = {0}, squares[AF_LANES] = {0};
  for (int64_t a = 0; a < r; a++)
    for (int64_t l = 0; l < lanes; l++) {
      const double count = counts[a * lanes + l];
      size[l] += count;
      squares[l] += count * count;
    }
  for (int64_t l = 0; l < lanes; l++) out[l] = size[l] * size[l] - squares[l];
}

/* Σ of squared differences over ordered pairs as 2 n Σ n_k (f_k - mean)²: the mean lies between the
   drawn features, so that equal ones give exactly 0. The rounding error of the mean counts only squared.
   Feature of label k in resample l: values[k * width + across * l]. */
AF_INLINE void af_spread(const double *values, int64_t width, int64_t across, const int32_t *labels,
                         const double *counts, int64_t r, const int64_t lanes, double *out) {
  double size[AF_LANES] = {0}, mean[AF_LANES] = {0}, total[AF_LANES] = {0};
  double low[AF_LANES], high[AF_LANES];
  for (int64_t l = 0; l < lanes; l++) low[l] = INFINITY, high[l] = -INFINITY;
  for (int64_t a = 0; a < r; a++)
    for (int64_t l = 0; l < lanes; l++) {
      const double count = counts[a * lanes + l], f = values[labels[a] * width + across * l];
      size[l] += count;
      mean[l] += count * f;
      low[l] = count > 0 && f < low[l] ? f : low[l];
      high[l] = count > 0 && f > high[l] ? f : high[l];
    }
  for (int64_t l = 0; l < lanes; l++) {
    mean[l] /= size[l] > 0 ? size[l] : 1;
    mean[l] = mean[l] < low[l] ? low[l] : mean[l];
    mean[l] = mean[l] > high[l] ? high[l] : mean[l];
  }
  for (int64_t a = 0; a < r; a++)
    for (int64_t l = 0; l < lanes; l++) {
      const double count = counts[a * lanes + l];
      const double gap = count > 0 ? values[labels[a] * width + across * l] - mean[l] : 0;
      total[l] += count * gap * gap;
    }
  for (int64_t l = 0; l < lanes; l++) out[l] += 2 * size[l] * total[l];
}

/* part[l] += count[l] * the distance of labels j and k. `listed` is that of AF_LISTED. */
AF_INLINE void af_add_apart(const af_apart *apart, int64_t j, int64_t k, double listed,
                            const double *count, const int64_t lanes, double *part) {
  const double *values = apart->values;
  double distance = listed;
  if (apart->kind == AF_RANKED) {
    for (int64_t l = 0; l < lanes; l++) {
      const double gap = values[j * lanes + l] - values[k * lanes + l];
      part[l] += count[l] * gap * gap;
    }
    return;
  }
  if (apart->kind == AF_SQUARED) {
    for (int64_t f = 0; f < apart->width; f++) {
      const double gap = values[j * apart->width + f] - values[k * apart->width + f];
      for (int64_t l = 0; l < lanes; l++) part[l] += count[l] * gap * gap;
    }
    return;
  }
  if (apart->kind == AF_MATRIX) distance = values[j * apart->width + k];
  if (apart->kind == AF_ABSOLUTE) distance = fabs(values[j] - values[k]);
  for (int64_t l = 0; l < lanes; l++) part[l] += count[l] * distance;
}

/* out[row, l]: the distances of the row's ordered pairs of judgments. */
AF_INLINE void af_disagreement_in(const af_rows *rows, const af_copies *given, const af_apart *apart,
                                  const int64_t lanes, double *out) {
  int64_t n_listed = 0;
  for (int64_t row = rows->first; row < rows->last; row++, out += lanes) {
    const int64_t r = af_gather(rows, given, lanes, row);
    const double *counts = given->counts;
    const int32_t *labels = given->labels;
    for (int64_t l = 0; l < lanes; l++) out[l] = 0;
    if (apart->kind == AF_NOMINAL) {
      af_unequal(counts, r, lanes, out);
    } else if (apart->kind == AF_RANKED && r > AF_IN_PAIRS) {
      af_spread(apart->values, lanes, 1, labels, counts, r, lanes, out);
    } else if (apart->kind == AF_SQUARED && r > AF_IN_PAIRS) {
      for (int64_t f = 0; f < apart->width; f++)
        af_spread(apart->values + f, apart->width, 0, labels, counts, r, lanes, out);
    } else {
      for (int64_t a = 1; a < r; a++) {
        double part[AF_LANES] = {0};
        for (int64_t b = 0; b < a; b++)
          af_add_apart(apart, labels[a], labels[b],
                       apart->kind == AF_LISTED ? apart->values[n_listed++] : 0,
                       counts + b * lanes, lanes, part);
        for (int64_t l = 0; l < lanes; l++) out[l] += 2 * counts[a * lanes + l] * part[l];
      }
    }
  }
}

/* out[label, l] += amounts[row, l] for each judgment, as often as its coder was drawn. */
AF_INLINE void af_add_in(const af_rows *rows, const af_copies *given, const double *amounts,
                         const int64_t lanes, double *restrict out) {
  const int32_t *codes = (const int32_t *)rows->codes;
  for (int64_t row = rows->first; row < rows->last; row++, amounts += lanes)
    for (int64_t i = rows->start[row]; i < rows->start[row + 1]; i++) {
      const double *times = given->copies + rows->coders[i] * lanes;
      double *restrict sums = out + codes[i] * lanes;
      for (int64_t l = 0; l < lanes; l++) sums[l] += amounts[l] * times[l];
    }
}

/* Each is compiled for a constant number of resamples, and for any smaller number. All assume lists of
   int32 codes with coders, and at most AF_LANES lanes (Copies). */
AF_DISPATCH static void af_copied_sizes(const af_rows *rows, const af_copies *given, double *sizes,
                                        double *selfs) {
  if (given->lanes == AF_LANES)
    af_sizes_in(rows, given, AF_LANES, sizes, selfs);
  else
    af_sizes_in(rows, given, given->lanes, sizes, selfs);
}

AF_DISPATCH static void af_copied_disagreement(const af_rows *rows, const af_copies *given,
                                               const af_apart *apart, double *out) {
  if (given->lanes == AF_LANES)
    af_disagreement_in(rows, given, apart, AF_LANES, out);
  else
    af_disagreement_in(rows, given, apart, given->lanes, out);
}

AF_DISPATCH static void af_add_copied(const af_rows *rows, const af_copies *given,
                                      const double *amounts, double *out) {
  if (given->lanes == AF_LANES)
    af_add_in(rows, given, amounts, AF_LANES, out);
  else
    af_add_in(rows, given, amounts, given->lanes, out);
}

#endif
