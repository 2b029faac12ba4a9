/* What the interval of kappa or beta of two coders is made from, by the cells of their contingency table.

   It is that of inference/score.py, written out for items of two judgments and coders with marginals of
   their own: the prior is one item, and an influence is a term for the label of each coder less one for
   their distance. */
#ifndef AGREEMENT_FAST_TWO_CODERS_H
#define AGREEMENT_FAST_TWO_CODERS_H

#include <math.h>
#include <stdint.h>

/* A label of a table. */
typedef struct {
  int32_t label;
  double own, other;              /* how often each coder used it */
  double share, pooled;           /* of the prior's judgments, and of all of them with the prior's */
  double by_own, by_other;        /* its distances from the others, times their numbers */
  double by_share, by_pooled;     /* and times their shares */
  double first, second;           /* the terms of both coders with this label in an influence */
  double plain_first, plain_second; /* without the prior */
} af_label;

/* The cells of a table: how often the coders gave the labels first[i] and second[i]. */
typedef struct {
  const int32_t *first, *second;
  const int64_t *counts;
  int64_t n;
} af_cells;

/* The standard error, and what `inference.score.of_spread` takes. */
typedef struct {
  double error, centre, least;
  double spread[4]; /* n, the mean influence, and the sums of squares and fourth powers about it */
  double prior[3];  /* items of the prior, their mean influence and its mean square */
} af_of_two;

/* Fills `used` with the labels of some cells and their counts, and place[label] with their places; returns
   their number. Assumes place[label] < 0 for all, and room for every label. */
static int64_t af_label_counts(const af_cells *cells, int32_t *place, af_label *used) {
  int64_t n_used = 0;
  for (int64_t i = 0; i < cells->n; i++)
    for (int side = 0; side < 2; side++) {
      const int32_t label = side ? cells->second[i] : cells->first[i];
      if (place[label] < 0) {
        place[label] = (int32_t)n_used;
        used[n_used] = (af_label){0};
        used[n_used++].label = label;
      }
      *(side ? &used[place[label]].other : &used[place[label]].own) += (double)cells->counts[i];
    }
  return n_used;
}

/* The square of a number less a mean. */
static inline double af_square_about(double x, double mean) { return (x - mean) * (x - mean); }

/* Assumes symmetric K x K distances `d`, and what af_label_counts assumes. All is NaN without a value. */
static af_of_two af_score_of_two(const af_cells *cells, const double *d, int64_t K, int is_nominal,
                                 int32_t *place, af_label *used) {
  af_of_two out = {NAN, NAN, NAN, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}};
  const int64_t n_used = af_label_counts(cells, place, used);
  double n = 0, apart = 0; /* the items, and the sum of their distances */
  for (int64_t i = 0; i < cells->n; i++) {
    n += (double)cells->counts[i];
    apart += (double)cells->counts[i] * d[cells->first[i] * K + cells->second[i]];
  }
  const double total = n + 1;
  for (int64_t j = 0; j < n_used; j++) {
    used[j].share = ((used[j].own + used[j].other) / (2 * n) + 1.0 / (double)n_used) / 2;
    used[j].pooled = (used[j].own + used[j].other + 2 * used[j].share) / (2 * total);
  }
  double chance = 0, expected = 0, random = 0, square = 0, farthest = 0, most = 0;
  for (int64_t j = 0; j < n_used; j++) {
    af_label *const here = used + j;
    for (int64_t l = 0; l < n_used; l++) {
      const double distance = d[here->label * K + used[l].label];
      here->by_own += distance * used[l].own;
      here->by_other += distance * used[l].other;
      here->by_share += distance * used[l].share;
      here->by_pooled += distance * used[l].pooled;
      square += here->share * used[l].share * distance * distance;
    }
    chance += here->own * here->by_other;
    expected += (here->own + here->share) * (here->by_other + here->by_share);
    random += here->share * here->by_share;
    farthest += here->pooled * here->by_pooled;
    if (here->pooled > most) most = here->pooled;
  }
  chance /= n * n;
  expected /= total * total;
  if (chance > 0) {
    const double plain = apart / n, observed = (apart + random / 2) / total, ratio = observed / expected;
    const double rate = ratio / expected / (total * total), of_pair = 1 / (total * expected);
    const double plain_rate = plain / chance / chance / (n * n), plain_pair = 1 / (n * chance);
    double sum = 0, plain_sum = 0;
    for (int64_t j = 0; j < n_used; j++) {
      af_label *const here = used + j;
      here->first = (here->by_other + here->by_share - expected * total) * rate;
      here->second = (here->by_own + here->by_share - expected * total) * rate;
      here->plain_first = (here->by_other - chance * n) * plain_rate;
      here->plain_second = (here->by_own - chance * n) * plain_rate;
    }
    for (int pass = 0; pass < 2; pass++) {
      double squares = 0, fourths = 0, plain_squares = 0;
      for (int64_t i = 0; i < cells->n; i++) {
        const af_label *const j = used + place[cells->first[i]], *const l = used + place[cells->second[i]];
        const double distance = d[j->label * K + l->label], count = (double)cells->counts[i];
        const double influence = j->first + l->second - (distance - observed) * of_pair;
        const double own = j->plain_first + l->plain_second - (distance - plain) * plain_pair;
        if (!pass) {
          sum += count * influence;
          plain_sum += count * own;
          continue;
        }
        const double gap = af_square_about(influence, out.spread[1]);
        squares += count * gap;
        fourths += count * gap * gap;
        plain_squares += count * af_square_about(own, plain_sum / n);
      }
      if (pass) {
        out.spread[2] = squares;
        out.spread[3] = fourths;
        out.error = n > 1 ? sqrt(plain_squares * (n / (n - 1))) : NAN;
        continue;
      }
      /* The prior's item is unanimous, or two judgments at random, with the same probability. */
      double means[2] = {0, 0}, of_coders = 0, of_both = 0, with_pairs = 0;
      for (int64_t k = 0; k < n_used; k++) {
        means[0] += used[k].first * used[k].share;
        means[1] += used[k].second * used[k].share;
      }
      const double mean = (means[0] + means[1]) / 2;
      for (int64_t k = 0; k < n_used; k++) {
        const double both = (used[k].first + used[k].second) / 2 - mean;
        of_coders += (af_square_about(used[k].first, means[0]) + af_square_about(used[k].second, means[1])) *
                     used[k].share;
        of_both += both * both * used[k].share;
        with_pairs += both * (used[k].by_share - random) * used[k].share;
      }
      const double unanimous = observed * of_pair + 2 * mean, drawn = unanimous - of_pair * random;
      const double of_squares = square > random * random ? square - random * random : 0;
      const double varied = of_pair * of_pair * of_squares + of_coders - 4 * of_pair * with_pairs;
      out.prior[0] = 1;
      out.prior[1] = (unanimous + drawn) / 2;
      out.prior[2] = (unanimous * unanimous + 4 * of_both + drawn * drawn + varied) / 2;
      out.spread[0] = n;
      out.spread[1] = (sum + out.prior[1]) / total;
    }
    out.centre = 1 - ratio;
    out.least = fmax(-1, 1 - 2 * farthest / expected);
    if (is_nominal) out.least = fmax(out.least, 1 - fmin(2 * (1 - most), 1) / expected);
  }
  for (int64_t j = 0; j < n_used; j++) place[used[j].label] = -1;
  return out;
}

#endif
