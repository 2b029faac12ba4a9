/* The E-step of latent classes, in C so that numbers of classes are constants. _latent.pyx says what is
   assumed of cells, tables and probabilities.

   Tables hold probabilities. A row's likelihood is their product, which only falls with each judgment.
   If its sum over the classes ends above AF_SAFE, a class that underflowed on the way has a posterior
   below 1e-100. Otherwise each class keeps an exponent of its own, and nothing underflows. */
#ifndef AGREEMENT_FAST_LATENT_H
#define AGREEMENT_FAST_LATENT_H

#include <math.h>
#include <stdint.h>

#define AF_SAFE 1e-200
#define AF_SMALL 0x1p-500
#define AF_LARGE 0x1p+500
#define AF_LOG_LARGE 346.5735902799726547

/* A number for each of n classes, and for each coder, category and class. */
typedef struct {
  int64_t n, n_categories, n_coders;
  double *each, *table;
} af_by_class;

/* Rows as cells of a table of coders x categories, one for each judgment, and the items of each row. */
typedef struct {
  const int32_t *cells;
  const int64_t *start;
  const double *weights;
  int64_t n_categories;
  int64_t first, last; /* the rows to look at */
} af_judged;

/* The posterior of a row whose product may underflow; returns its log-likelihood. Takes logarithms of
   products of hundreds of factors. A row that has probability 0 in each class has the posterior 0
   everywhere, and -infinity is returned. */
static double af_small_posterior(const int32_t *cells, int64_t n, const af_by_class *at, double *out) {
  double top = -INFINITY, total = 0;
  for (int64_t t = 0; t < at->n; t++) {
    double product = at->each[t], shifts = 0;
    for (int64_t i = 0; i < n; i++) {
      double factor = at->table[cells[i] * at->n + t];
      if (factor < AF_SMALL) {
        factor *= AF_LARGE;
        shifts++;
      }
      product *= factor;
      if (product < AF_SMALL) {
        product *= AF_LARGE;
        shifts++;
      }
    }
    out[t] = product > 0 ? log(product) - shifts * AF_LOG_LARGE : -INFINITY;
    top = out[t] > top ? out[t] : top;
  }
  for (int64_t t = 0; t < at->n; t++) {
    out[t] = top > -INFINITY ? exp(out[t] - top) : 0;
    total += out[t];
  }
  if (total > 0)
    for (int64_t t = 0; t < at->n; t++) out[t] /= total;
  return top > -INFINITY ? top + log(total) : top;
}

/* out[t] = P(class t | the n judgments of a row); returns the row's log-likelihood. */
#define AF_POSTERIOR(name, classes)                                                                \
  static inline double name(const int32_t *cells, int64_t n, const af_by_class *at, double *out) { \
    double total = 0;                                                                              \
    for (int64_t t = 0; t < (classes); t++) out[t] = at->each[t];                                  \
    for (int64_t i = 0; i < n; i++) {                                                              \
      const double *const factors = at->table + cells[i] * (classes);                              \
      for (int64_t t = 0; t < (classes); t++) out[t] *= factors[t];                                \
    }                                                                                              \
    for (int64_t t = 0; t < (classes); t++) total += out[t];                                       \
    if (total < AF_SAFE) return af_small_posterior(cells, n, at, out);                             \
    const double inverse = 1 / total;                                                              \
    for (int64_t t = 0; t < (classes); t++) out[t] *= inverse;                                     \
    return log(total);                                                                             \
  }

/* Adds a row's posterior, weighted in place, to the sums and to the counts of its cells. */
#define AF_ADD(name, classes)                                                                      \
  static inline void name(const int32_t *cells, int64_t n, double weight, double *posterior,       \
                          const af_by_class *at) {                                                \
    for (int64_t t = 0; t < (classes); t++) {                                                      \
      posterior[t] *= weight;                                                                      \
      at->each[t] += posterior[t];                                                                \
    }                                                                                              \
    for (int64_t i = 0; i < n; i++) {                                                              \
      double *const counts = at->table + cells[i] * (classes);                                    \
      for (int64_t t = 0; t < (classes); t++) counts[t] += posterior[t];                           \
    }                                                                                              \
  }

static inline void af_clear(const af_by_class *out) {
  for (int64_t t = 0; t < out->n; t++) out->each[t] = 0;
  for (int64_t i = 0; i < out->n_coders * out->n_categories * out->n; i++) out->table[i] = 0;
}

/* The E-step over some rows; returns their log-likelihood, summed with compensation. `room` declares
   where a posterior is kept: in registers, if the number of classes is a constant. */
#define AF_EXPECT(name, classes, room)                                                             \
  AF_POSTERIOR(name##_posterior, classes)                                                          \
  AF_ADD(name##_add, classes)                                                                      \
  static double name(const af_judged *rows, const af_by_class *at, double *posteriors,             \
                     const af_by_class *out) {                                                     \
    double total = 0, lost = 0;                                                                    \
    room;                                                                                          \
    (void)posteriors;                                                                              \
    af_clear(out);                                                                                 \
    for (int64_t row = rows->first; row < rows->last; row++) {                                     \
      const int32_t *const cells = rows->cells + rows->start[row];                                 \
      const int64_t n = rows->start[row + 1] - rows->start[row];                                   \
      const double weight = rows->weights[row];                                                    \
      if (weight == 0) continue;                                                                   \
      const double term = weight * name##_posterior(cells, n, at, posterior);                      \
      const double sum = total + term;                                                             \
      lost += fabs(total) >= fabs(term) ? (total - sum) + term : (term - sum) + total;             \
      total = sum;                                                                                 \
      name##_add(cells, n, weight, posterior, out);                                                \
    }                                                                                              \
    return total > -INFINITY ? total + lost : total;                                               \
  }

AF_EXPECT(af_expect_2, 2, double posterior[2])
AF_EXPECT(af_expect_3, 3, double posterior[3])
AF_EXPECT(af_expect_4, 4, double posterior[4])
AF_EXPECT(af_expect_5, 5, double posterior[5])
AF_EXPECT(af_expect_6, 6, double posterior[6])
AF_EXPECT(af_expect_any, at->n, double *const posterior = posteriors)

/* The same for any number of classes. `room` holds one double for each. */
static double af_expect(const af_judged *rows, const af_by_class *at, double *room,
                        const af_by_class *out) {
  switch (at->n) {
    case 2: return af_expect_2(rows, at, room, out);
    case 3: return af_expect_3(rows, at, room, out);
    case 4: return af_expect_4(rows, at, room, out);
    case 5: return af_expect_5(rows, at, room, out);
    case 6: return af_expect_6(rows, at, room, out);
    default: return af_expect_any(rows, at, room, out);
  }
}

#endif
