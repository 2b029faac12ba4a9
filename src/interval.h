/* What the interval of a coefficient of one table is made from.

   It is that of inference/score.py with the derivatives of inference/derivatives.py, written out for one
   group of rows. The categories in use are numbered, so that others cost nothing. */
#ifndef AGREEMENT_FAST_INTERVAL_H
#define AGREEMENT_FAST_INTERVAL_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "rows.h"

/* The chance models. */
enum { AF_UNIFORM, AF_POOLED, AF_POOLED_UNBIASED, AF_INDIVIDUAL, AF_GWET };

typedef struct {
  int model;
  int by_judgments;       /* whether items count by their judgments in D_o */
  int64_t n_coders, K;    /* coders, or 1 if the model does not know them, and categories */
  const double *d;        /* K x K distances, or NULL */
  const double *numbers;  /* of those in use, whose squared differences are the distances; NULL: nominal */
  double total, largest;  /* the sum of the distances of all categories, and the largest */
  const int32_t *labels;  /* the categories in use */
  const int32_t *place;   /* of each category among them */
  int64_t n_used;
} af_case;

/* The sums over the rows, with or without the prior. */
typedef struct {
  double pairs, apart, items, selfs; /* the denominator and numerator of D_o, the items of the shares, n_i */
  double *marginal, *times;          /* (n_coders, n_used): judgments or shares, and their distances */
} af_sums;

/* D_o and D_e, and the derivatives of the coefficient in the sums. That in the number of items of the shares
   is left out: what all items have alike, also those of the prior, does not change their spread. */
typedef struct {
  double observed, expected, pairs, apart, selfs;
  double *marginal;      /* (n_coders, n_used) */
  double *by_rank;       /* in the judgments of pairs, which the ranks depend on; NULL without ranks */
  const double *of_rows; /* the term of each row in the numerator of D_o */
} af_slopes;

static inline double af_distance(const af_case *c, int64_t j, int64_t l) {
  if (c->d) return c->d[c->labels[j] * c->K + c->labels[l]];
  if (!c->numbers) return j != l;
  const double gap = c->numbers[j] - c->numbers[l];
  return gap * gap;
}

/* Adds a term, and keeps the rounding error (Neumaier 1974), here computed without a branch. */
AF_INLINE void af_add_exactly(double term, double *whole, double *lost) {
  const double before = *whole, total = before + term, added = total - before;
  *lost += (before - (total - added)) + (term - added);
  *whole = total;
}

/* Adds a term some times, at most 2^26, without rounding the product. So the sum is the same if equal terms
   are one row with a weight, or a row each, in any order. */
AF_INLINE void af_add_times(double times, double term, double *whole, double *lost) {
  uint64_t bits;
  double high;
  memcpy(&bits, &term, sizeof bits);
  bits &= ~(((uint64_t)1 << 27) - 1);
  memcpy(&high, &bits, sizeof high);
  af_add_exactly(times * high, whole, lost);
  *lost += times * (term - high);
}

static inline int af_is_nominal(const af_case *c) { return !c->d && !c->numbers; }

static inline double af_mass(const double *v, int64_t n) {
  double mass = 0;
  for (int64_t k = 0; k < n; k++) mass += v[k];
  return mass;
}

/* The number of the label in use that is nearest to the mean of v: sums about it lose no digits to what all
   numbers have alike. */
static double af_anchor(const af_case *c, const double *v) {
  const double *x = c->numbers;
  double mass = 0, sum = 0, anchor = x[0];
  for (int64_t k = 0; k < c->n_used; k++) mass += v[k], sum += v[k] * (x[k] - x[0]);
  const double mean = mass > 0 ? sum / mass : 0;
  for (int64_t k = 1; k < c->n_used; k++)
    if (fabs(x[k] - x[0] - mean) < fabs(anchor - x[0] - mean)) anchor = x[k];
  return anchor;
}

/* The sum of u_j v_l (f_j - f_l)^2 for non-negative u and v, about the number in use that is nearest to the
   mean, so that a large offset costs no digits and constant data give exactly 0. */
static double af_squared_pairs(const double *f, const double *u, const double *v, int64_t n) {
  double mass = 0, first = 0, nearest = 0, whole[6] = {0}, lost[6] = {0};
  int64_t top = 0, near = -1;
  for (int64_t k = 0; k < n; k++) {
    mass += u[k] + v[k];
    if (u[k] + v[k] > u[top] + v[top]) top = k;
  }
  if (mass == 0) return 0;
  for (int64_t k = 0; k < n; k++) first += (u[k] + v[k]) * (f[k] - f[top]);
  for (int64_t k = 0; k < n; k++) {
    const double gap = fabs(f[k] - f[top] - first / mass);
    if (u[k] + v[k] > 0 && (near < 0 || gap < nearest)) near = k, nearest = gap;
  }
  for (int64_t k = 0; k < n; k++) {
    const double gap = f[k] - f[near], masses[2] = {u[k], v[k]};
    for (int i = 0; i < 2; i++) {
      af_add_exactly(masses[i], whole + 3 * i, lost + 3 * i);
      af_add_exactly(masses[i] * gap, whole + 3 * i + 1, lost + 3 * i + 1);
      af_add_exactly(masses[i] * gap * gap, whole + 3 * i + 2, lost + 3 * i + 2);
    }
  }
  for (int i = 0; i < 6; i++) whole[i] += lost[i];
  return whole[0] * whole[5] + whole[3] * whole[2] - 2 * (whole[1] * whole[4]);
}

/* out[k] = the sum of (x_k - x_l)^2 v_l, by sums of powers of the gaps to the anchor. */
static void af_times_squared(const af_case *c, const double *v, double *out) {
  const double anchor = af_anchor(c, v);
  double mass = 0, sum = 0, squares = 0;
  for (int64_t k = 0; k < c->n_used; k++) {
    const double gap = c->numbers[k] - anchor;
    mass += v[k], sum += v[k] * gap, squares += v[k] * gap * gap;
  }
  for (int64_t k = 0; k < c->n_used; k++) {
    const double gap = c->numbers[k] - anchor;
    out[k] = fmax(mass * gap * gap + squares - 2 * gap * sum, 0);
  }
}

/* out[k] = the sum of d_kl v_l. Under the nominal distance that is all of v but v_k, and the largest is not
   subtracted from a sum that it nearly is. */
static void af_times(const af_case *c, const double *v, double *out) {
  if (c->d) {
    for (int64_t j = 0; j < c->n_used; j++) {
      double sum = 0;
      for (int64_t l = 0; l < c->n_used; l++) sum += af_distance(c, j, l) * v[l];
      out[j] = sum;
    }
    return;
  }
  if (c->numbers) {
    af_times_squared(c, v, out);
    return;
  }
  int64_t top = 0;
  for (int64_t k = 1; k < c->n_used; k++)
    if (v[k] > v[top]) top = k;
  double rest = 0, lost = 0;
  for (int64_t k = 0; k < c->n_used; k++)
    if (k != top) af_add_exactly(v[k], &rest, &lost);
  rest += lost;
  for (int64_t k = 0; k < c->n_used; k++) out[k] = k == top ? rest : rest + v[top] - v[k];
}

/* Computes s->times: the distances of each label from all judgments or shares, or from those of other coders, which
   are those of the coders before and after, without subtractions. `room` has 2 n_used numbers. */
static void af_apart(const af_case *c, af_sums *s, double *room) {
  const int64_t n = c->n_used;
  if (c->model == AF_UNIFORM || c->model == AF_GWET) return;
  if (c->model != AF_INDIVIDUAL) {
    const double *masses = s->marginal;
    for (int64_t k = 0; k < n && c->model == AF_POOLED; k++) room[k] = s->marginal[k] / s->items;
    af_times(c, c->model == AF_POOLED ? room : masses, s->times);
    return;
  }
  double *before = room, *others = room + n;
  memset(room, 0, 2 * (size_t)n * sizeof *room);
  for (int64_t i = c->n_coders - 1; i >= 0; i--)
    for (int64_t k = 0; k < n; k++) {
      s->times[i * n + k] = others[k]; /* those after */
      others[k] += s->marginal[i * n + k];
    }
  for (int64_t i = 0; i < c->n_coders; i++) {
    for (int64_t k = 0; k < n; k++) {
      others[k] = before[k] + s->times[i * n + k];
      before[k] += s->marginal[i * n + k];
    }
    af_times(c, others, s->times + i * n);
  }
}

/* The sum of v_j v_l d_jl, given the distances of each label from v. */
static double af_bilinear(const af_case *c, const double *v, const double *times) {
  double sum = 0, lost = 0;
  if (c->numbers) return af_squared_pairs(c->numbers, v, v, c->n_used);
  for (int64_t k = 0; k < c->n_used; k++) af_add_exactly(v[k] * times[k], &sum, &lost);
  return sum + lost;
}

/* D_e, and its derivatives in the marginal (out->marginal) and the number of pairs (out->selfs). */
static void af_chance(const af_case *c, const af_sums *s, double *room, af_slopes *out) {
  const int64_t n = c->n_used;
  const double k = (double)c->K;
  double sum = 0, lost = 0;
  out->selfs = 0;
  if (c->model == AF_UNIFORM) {
    out->expected = c->total / (k * k);
  } else if (c->model == AF_POOLED) {
    for (int64_t j = 0; j < n; j++) {
      room[j] = s->marginal[j] / s->items;
      out->marginal[j] = 2 * s->times[j];
    }
    out->expected = af_bilinear(c, room, s->times);
  } else if (c->model == AF_POOLED_UNBIASED) {
    const double mass = af_mass(s->marginal, n), pairs = mass * mass - s->selfs;
    sum = af_bilinear(c, s->marginal, s->times);
    for (int64_t j = 0; j < n; j++) out->marginal[j] = 2 * s->times[j] / pairs;
    out->expected = sum / pairs;
    out->selfs = -out->expected / pairs;
  } else if (c->model == AF_INDIVIDUAL) {
    const double mass = af_mass(s->marginal, n * c->n_coders);
    double weight = 0;
    for (int64_t i = 0; i < c->n_coders; i++) {
      const double own = af_mass(s->marginal + i * n, n);
      weight += own * (mass - own);
    }
    for (int64_t j = 0; j < n * c->n_coders; j++) sum += s->marginal[j] * s->times[j];
    out->expected = sum / weight;
    for (int64_t i = 0; i < c->n_coders; i++) {
      const double others = mass - af_mass(s->marginal + i * n, n);
      for (int64_t j = i * n; j < (i + 1) * n; j++)
        out->marginal[j] = 2 * (s->times[j] - out->expected * others) / weight;
    }
  } else {
    const double pairs = k > 1 ? k * (k - 1) : 1; /* one category is at no distance from itself */
    double uneven = 0, variety = 0, also_lost = 0;
    af_add_times(k - (double)n, (1 / k) * (1 / k), &uneven, &lost); /* those that are not in use */
    for (int64_t j = 0; j < n; j++) {
      const double share = s->marginal[j] / s->items;
      af_add_exactly((share - 1 / k) * (share - 1 / k), &uneven, &lost);
      af_add_exactly(share * (1 - share), &variety, &also_lost);
      out->marginal[j] =
          (2 * c->largest * k * k * (share - 1 / k) + c->total * (1 - 2 * share)) / pairs;
    }
    out->expected = (c->largest * k * k * (uneven + lost) + c->total * (variety + also_lost)) / pairs;
  }
}

/* Everything in `out`, given the sums and their distances; `room` has n_used numbers. */
static void af_slopes_of(const af_case *c, const af_sums *s, double *room, af_slopes *out) {
  const int64_t n = c->n_used * c->n_coders;
  af_chance(c, s, room, out);
  out->observed = s->apart / s->pairs;
  const double rate = out->observed / out->expected / out->expected;
  out->apart = -1 / (s->pairs * out->expected);
  out->pairs = -out->observed * out->apart;
  if (c->model == AF_POOLED || c->model == AF_GWET) { /* a sum over the items divided by their number */
    for (int64_t j = 0; j < n; j++) out->marginal[j] *= rate / s->items;
  } else if (c->model != AF_UNIFORM) {
    const double of_pairs = rate * out->selfs;
    double by_mass = 0;
    if (c->model == AF_POOLED_UNBIASED) by_mass = 2 * of_pairs * af_mass(s->marginal, n);
    for (int64_t j = 0; j < n; j++) out->marginal[j] = out->marginal[j] * rate + by_mass;
    out->selfs = -of_pairs;
  }
}

/* How a row's judgments enter the marginal: as often as they are, or as shares; not at all if D_e has none. */
static inline double af_in_marginal(const af_case *c, double size) {
  return c->model == AF_UNIFORM ? 0 : c->model == AF_POOLED || c->model == AF_GWET ? 1 / size : 1;
}

static inline int64_t af_coder(const af_case *c, const af_rows *rows, int64_t begin, int64_t i) {
  return c->n_coders == 1 ? 0 : rows->coders ? rows->coders[i] : i - begin;
}

/* Runs a loop over `rows`, which is compiled once more for tables of two coders: rows of two int32 codes. */
#define AF_OVER_ROWS(given, loop)                                           \
  do {                                                                      \
    af_rows own = *(given);                                                 \
    const af_rows *const rows = &own;                                       \
    if (own.width == 2 && own.bytes == 4 && !own.repeats && own.weights) {  \
      own.width = 2, own.bytes = 4, own.coders = NULL, own.repeats = NULL;  \
      loop;                                                                 \
    } else {                                                                \
      loop;                                                                 \
    }                                                                       \
  } while (0)

static int af_compare_labels(const void *one, const void *other) {
  const int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
  return (a > b) - (a < b);
}

/* Computes the judgments of each row, the items it stands for if it has `counted` judgments, and the sums of
   the items of `paired` judgments, their sizes and the squares of these. Numbers the labels of rows that
   count in ascending order, which have place -1 before; returns how many there are. */
AF_INLINE int64_t af_size_each(const af_rows *rows, double paired, double counted, int32_t *place,
                               int32_t *labels, double *sizes, double *sampled, double *sums) {
  int64_t n_used = 0;
  double items = 0, judgments = 0, squares = 0;
  for (int64_t row = rows->first; row < rows->last; row++) {
    const double weight = (double)af_weight(rows, row);
    const int64_t begin = af_begin(rows, row), end = af_end(rows, row);
    double size = 0;
    for (int64_t i = begin; i < end; i++)
      if (af_code(rows, i) >= 0) size += (double)af_repeats(rows, i);
    sizes[row] = size;
    sampled[row] = size >= counted ? weight : 0;
    if (size >= paired) {
      items += weight;
      judgments += weight * size;
      squares += weight * size * size;
    }
    if (sampled[row] == 0) continue;
    for (int64_t i = begin; i < end; i++) {
      const int64_t code = af_code(rows, i);
      if (code < 0 || place[code] >= 0 || !af_repeats(rows, i)) continue;
      place[code] = (int32_t)n_used;
      labels[n_used++] = (int32_t)code;
    }
  }
  sums[0] = items, sums[1] = judgments, sums[2] = squares;
  return n_used;
}

static int64_t af_size_rows(const af_rows *given, double paired, double counted, int32_t *place,
                            int32_t *labels, double *sizes, double *sampled, double *sums) {
  int64_t n_used;
  AF_OVER_ROWS(given, n_used = af_size_each(rows, paired, counted, place, labels, sizes, sampled, sums));
  int64_t ascending = 1;
  while (ascending < n_used && labels[ascending - 1] < labels[ascending]) ascending++;
  if (ascending < n_used) qsort(labels, (size_t)n_used, sizeof *labels, af_compare_labels);
  for (int64_t k = 0; k < n_used && ascending < n_used; k++) place[labels[k]] = (int32_t)k;
  return n_used;
}

/* Adds a row's judgments to the marginal, each as `factor`; returns the distances of its ordered pairs.
   `counts` has 2 n_used numbers; the first n_used are and stay 0. */
AF_INLINE double af_add_row(const af_case *c, const af_rows *rows, int64_t begin, int64_t end, double size,
                            double factor, double *marginal, double *counts) {
  double squares = 0, distances = 0, lost = 0, *labels = counts + c->n_used;
  int64_t distinct = 0;
  for (int64_t i = begin; i < end; i++) {
    const int64_t code = af_code(rows, i);
    const double n = (double)af_repeats(rows, i);
    if (code < 0 || n == 0) continue;
    const int64_t k = c->place[code];
    marginal[af_coder(c, rows, begin, i) * c->n_used + k] += factor * n;
    squares += n * (2 * counts[k] + n);
    if (counts[k] == 0) labels[distinct++] = (double)k;
    counts[k] += n;
  }
  for (int64_t i = 0; i < distinct; i++) {
    const int64_t k = (int64_t)labels[i];
    for (int64_t j = i + 1; j < distinct && !af_is_nominal(c); j++) {
      const int64_t other = (int64_t)labels[j];
      af_add_exactly(2 * counts[k] * counts[other] * af_distance(c, k, other), &distances, &lost);
    }
    counts[k] = 0;
  }
  return af_is_nominal(c) ? size * size - squares : distances + lost;
}

/* The same of a row of two judgments, which all rows of pairs of coders are. */
AF_INLINE double af_add_two(const af_case *c, const af_rows *rows, int64_t begin, double factor,
                            double *marginal) {
  const int64_t j = c->place[af_code(rows, begin)], k = c->place[af_code(rows, begin + 1)];
  marginal[j] += factor;
  marginal[(c->n_coders == 1 ? 0 : c->n_used) + k] += factor;
  return j == k ? 0 : 2 * af_distance(c, j, k);
}

/* The most numbers by the size of a row, and those that take no memory of their own. */
#define AF_BY_SIZE ((int64_t)1 << 20)
#define AF_FEW 64

static inline int af_takes_shares(const af_case *c) { return c->model == AF_POOLED || c->model == AF_GWET; }

/* Adds up the rows that are sampled, and computes the term of each in the numerator of D_o; rows of `least`
   judgments have one. `counts` is and stays 0. `by_size` has `width` numbers for each size: the sum of the
   distances, its rounding error, and how often each label occurs if shares are taken and there is room. */
AF_INLINE void af_add_each(const af_case *c, const af_rows *rows, const double *sampled, const double *sizes,
                           double least, double *apart, af_sums *sums, double *counts, double *by_size,
                           int64_t width) {
  sums->pairs = sums->apart = sums->items = sums->selfs = 0;
  for (int64_t row = rows->first; row < rows->last; row++) {
    const double size = sizes[row];
    const int64_t begin = af_begin(rows, row), end = af_end(rows, row);
    apart[row] = 0;
    if (sampled[row] == 0) continue;
    double *of_size = by_size + (int64_t)size * width;
    double *marginal = width > 2 ? of_size + 2 : sums->marginal;
    const double factor = width > 2 ? sampled[row] : sampled[row] * af_in_marginal(c, size);
    sums->items += sampled[row];
    const double distances =
        rows->width == 2 && size == 2 && !rows->repeats
            ? af_add_two(c, rows, begin, factor, marginal)
            : af_add_row(c, rows, begin, end, size, factor, marginal, counts);
    if (size < least) continue;
    const double weight = c->by_judgments ? size : 1;
    apart[row] = distances / (size * (size - 1)) * weight;
    sums->pairs += sampled[row] * weight;
    if (af_is_nominal(c))
      of_size[0] += sampled[row] * distances;
    else
      af_add_times(sampled[row], distances, of_size, of_size + 1);
    sums->selfs += sampled[row] * size;
  }
}

/* Does this, and adds up what is by size: so the sums are those of `Sums` of distances/sums/categories.py.
   `longest` is the largest size. Returns whether memory is short. */
static int af_add_rows(const af_case *c, const af_rows *given, const double *sampled, const double *sizes,
                       double least, int64_t longest, double *apart, af_sums *sums, double *counts) {
  int64_t width = 2;
  if (af_takes_shares(c) && (longest + 1) * (c->n_used + 2) <= AF_BY_SIZE) width += c->n_used;
  const int64_t n_numbers = (longest + 1) * width;
  double few[AF_FEW] = {0}, lost = 0;
  double *by_size = n_numbers <= AF_FEW ? few : calloc((size_t)n_numbers, sizeof *by_size);
  if (!by_size) return 1;
  AF_OVER_ROWS(given,
               af_add_each(c, rows, sampled, sizes, least, apart, sums, counts, by_size, width));
  for (int64_t size = 1; size <= longest; size++) {
    const double *of_size = by_size + size * width, n = (double)size;
    for (int64_t k = 0; k < width - 2; k++) sums->marginal[k] += of_size[2 + k] / n;
    const double apart_of_size = of_size[0] + of_size[1];
    if (size < 2 || apart_of_size == 0) continue;
    af_add_exactly((c->by_judgments ? n : 1) * apart_of_size / (n * (n - 1)), &sums->apart, &lost);
  }
  sums->apart += lost;
  if (by_size != few) free(by_size);
  return 0;
}

/* Counts the judgments of the rows that are sampled and have `least`. */
static void af_count(const af_case *c, const af_rows *rows, const double *sampled, const double *sizes,
                     double least, double *out) {
  memset(out, 0, (size_t)c->n_used * sizeof *out);
  for (int64_t row = rows->first; row < rows->last; row++) {
    if (sampled[row] == 0 || sizes[row] < least) continue;
    const int64_t end = af_end(rows, row);
    for (int64_t i = af_begin(rows, row); i < end; i++)
      if (af_code(rows, i) >= 0 && af_repeats(rows, i))
        out[c->place[af_code(rows, i)]] += sampled[row] * (double)af_repeats(rows, i);
  }
}

/* Puts the mid-ranks of some judgments into `numbers`, whose squared differences are then the distances; `ones` has
   n_used numbers. */
static void af_rank(af_case *c, const double *counts, double *numbers, double *ones) {
  double below = 0;
  for (int64_t k = 0; k < c->n_used; k++) {
    numbers[k] = below + counts[k] / 2;
    below += counts[k];
    ones[k] = 1;
  }
  const double reach = numbers[c->n_used - 1] - numbers[0];
  c->numbers = numbers;
  c->largest = reach * reach;
  c->total = af_squared_pairs(numbers, ones, ones, c->n_used);
}

/* The sum over a row's judgments, in any order, of the number of each label. */
static double af_row_sum(const af_case *c, const af_rows *rows, int64_t row, const double *of_labels) {
  const int64_t end = af_end(rows, row);
  double sum = 0, lost = 0;
  for (int64_t i = af_begin(rows, row); i < end; i++)
    if (af_code(rows, i) >= 0 && af_repeats(rows, i))
      af_add_times((double)af_repeats(rows, i), of_labels[c->place[af_code(rows, i)]], &sum, &lost);
  return sum + lost;
}

/* Adds the derivative of the sum of v_j v_l (x_j - x_l)^2 in each number x, times a factor. */
static void af_add_by_number(const af_case *c, double factor, const double *v, double *out) {
  double mass = 0, sum = 0;
  for (int64_t k = 0; k < c->n_used; k++) mass += v[k], sum += v[k] * c->numbers[k];
  for (int64_t k = 0; k < c->n_used; k++) out[k] += factor * 4 * v[k] * (c->numbers[k] * mass - sum);
}

/* The same of the numerator of D_o; `lost` has n_used zeros. */
static void af_observed_by_number(const af_case *c, const af_rows *rows, const double *sampled,
                                  const double *sizes, double least, double *lost, double *out) {
  for (int64_t row = rows->first; row < rows->last; row++) {
    const double size = sizes[row], weight = c->by_judgments ? size : 1;
    if (sampled[row] == 0 || size < least) continue;
    const double sum = af_row_sum(c, rows, row, c->numbers);
    for (int64_t i = af_begin(rows, row); i < af_end(rows, row); i++) {
      if (af_code(rows, i) < 0 || !af_repeats(rows, i)) continue;
      const int64_t k = c->place[af_code(rows, i)];
      const double by_number = 4 * (c->numbers[k] * size - sum) / (size * (size - 1)) * weight;
      af_add_times(sampled[row] * (double)af_repeats(rows, i), by_number, out + k, lost + k);
    }
  }
  for (int64_t k = 0; k < c->n_used; k++) out[k] += lost[k];
}

/* The same of D_e, times a factor; `room` has n_used numbers. */
static void af_add_expected_by_number(const af_case *c, const af_sums *s, double factor, double *room,
                                      double *out) {
  const int64_t n = c->n_used;
  const double k = (double)c->K, mass = af_mass(s->marginal, n * c->n_coders);
  if (c->model == AF_POOLED_UNBIASED) {
    af_add_by_number(c, factor / (mass * mass - s->selfs), s->marginal, out);
  } else if (c->model == AF_POOLED) {
    af_add_by_number(c, factor / (s->items * s->items), s->marginal, out);
  } else if (c->model == AF_INDIVIDUAL) {
    double weight = 0;
    memset(room, 0, (size_t)n * sizeof *room);
    for (int64_t i = 0; i < c->n_coders; i++) {
      const double own = af_mass(s->marginal + i * n, n);
      weight += own * (mass - own);
      for (int64_t j = 0; j < n; j++) room[j] += s->marginal[i * n + j];
    }
    af_add_by_number(c, factor / weight, room, out);
    for (int64_t i = 0; i < c->n_coders; i++) af_add_by_number(c, -factor / weight, s->marginal + i * n, out);
  } else {
    double variety = 0, uneven = 0;
    for (int64_t j = 0; j < n; j++) {
      const double share = s->marginal[j] / s->items;
      variety += share * (1 - share);
      uneven += (share - 1 / k) * (share - 1 / k);
      room[j] = 1;
    }
    if (c->model == AF_UNIFORM) {
      af_add_by_number(c, factor / (k * k), room, out);
      return;
    }
    const double pairs = k > 1 ? k * (k - 1) : 1;
    const double ends = factor * 2 * (c->numbers[n - 1] - c->numbers[0]) * k * k * uneven / pairs;
    af_add_by_number(c, factor * variety / pairs, room, out);
    out[n - 1] += ends;
    out[0] -= ends;
  }
}

/* Computes out->by_rank, if the numbers are ranks: each judgment moves those of its label by one half, and those of
   labels above by one. The sums hold `random` pairs of independent labels, of shares q; `room` has n_used numbers. */
static void af_by_rank(const af_case *c, const af_rows *rows, const double *sampled, const double *sizes,
                       double least, const af_sums *s, double random, const double *q, double *room,
                       af_slopes *out) {
  const int64_t n = c->n_used;
  double *by_rank = out->by_rank, above = 0;
  memset(room, 0, (size_t)n * sizeof *room);
  memset(by_rank, 0, (size_t)n * sizeof *by_rank);
  af_observed_by_number(c, rows, sampled, sizes, least, room, by_rank);
  if (random > 0) af_add_by_number(c, random, q, by_rank);
  for (int64_t k = 0; k < n; k++) by_rank[k] *= out->apart;
  af_add_expected_by_number(c, s, out->observed / out->expected / out->expected, room, by_rank);
  for (int64_t k = n - 1; k >= 0; k--) {
    const double own = by_rank[k];
    by_rank[k] = above + own / 2;
    above += own;
  }
}

/* The influence of each row that is sampled, once for each of two slopes. */
AF_INLINE void af_influence_each(const af_case *c, const af_rows *rows, const double *sampled,
                                 const double *sizes, double least, const af_slopes *s, double *out) {
  for (int64_t row = rows->first; row < rows->last; row++) {
    const double size = sizes[row], factor = af_in_marginal(c, size), weight = c->by_judgments ? size : 1;
    if (sampled[row] == 0) continue;
    double sum[2] = {0, 0}, of_labels[2] = {0, 0}, lost[2] = {0, 0};
    if (size >= least)
      for (int k = 0; k < 2; k++)
        sum[k] = s[k].pairs * weight + s[k].apart * s[k].of_rows[row] + s[k].selfs * size;
    const int64_t begin = af_begin(rows, row), end = factor == 0 ? begin : af_end(rows, row);
    for (int64_t i = begin; i < end; i++) {
      const int64_t code = af_code(rows, i);
      const double repeats = (double)af_repeats(rows, i);
      if (code < 0 || repeats == 0) continue;
      const int64_t place = af_coder(c, rows, begin, i) * c->n_used + c->place[code];
      for (int k = 0; k < 2; k++)
        if (rows->width == 2 || size <= 2)
          of_labels[k] += s[k].marginal[place] * repeats;
        else if (rows->repeats)
          af_add_times(repeats, s[k].marginal[place], of_labels + k, lost + k);
        else
          af_add_exactly(s[k].marginal[place], of_labels + k, lost + k);
    }
    for (int k = 0; k < 2; k++) out[2 * row + k] = sum[k] + factor * (of_labels[k] + lost[k]);
  }
}

static void af_influences(const af_case *c, const af_rows *given, const double *sampled, const double *sizes,
                          double least, const af_slopes *s, double *out) {
  AF_OVER_ROWS(given, af_influence_each(c, rows, sampled, sizes, least, s, out));
  for (int64_t row = given->first; row < given->last && s->by_rank; row++)
    for (int k = 0; k < 2 && sampled[row] != 0 && sizes[row] >= least; k++)
      out[2 * row + k] += af_row_sum(c, given, row, s[k].by_rank);
}

/* What `spread_of_groups` computes, for n groups; there is no list of groups if there is one. */
AF_INLINE void af_spread(const double *of_rows, const double *sampled, const int64_t *groups, int64_t n_rows,
                         int64_t n, const double *prior, double *out) {
  double *mean = out + n, *squares = out + 2 * n, *fourths = out + 3 * n, *lost = out + 4 * n;
  for (int64_t i = 0; i < 6 * n; i++) out[i] = 0;
  for (int64_t i = 0; i < n_rows; i++) {
    if (sampled[i] == 0) continue;
    const int64_t g = groups ? groups[i] : 0;
    out[g] += sampled[i];
    af_add_exactly(sampled[i] * of_rows[i], mean + g, lost + g);
  }
  for (int64_t g = 0; g < n; g++) {
    mean[g] += lost[g];
    lost[g] = 0;
    if (prior)
      mean[g] = (mean[g] + prior[g] * prior[n + g]) / (out[g] + prior[g]);
    else
      mean[g] /= out[g];
  }
  for (int64_t i = 0; i < n_rows; i++) {
    if (sampled[i] == 0) continue;
    const int64_t g = groups ? groups[i] : 0;
    const double gap = of_rows[i] - mean[g], square = gap * gap;
    af_add_exactly(sampled[i] * square, squares + g, lost + g);
    af_add_exactly(sampled[i] * square * square, fourths + g, lost + n + g);
  }
  for (int64_t g = 0; g < n; g++) {
    squares[g] += lost[g];
    fourths[g] += lost[n + g];
  }
}

/* The same of two influences of one table, in which equal rows may be one with a weight: out[4 * k ...] is n,
   the mean, and the sums of squares and fourth powers of the k-th. The second has `weight` items of a prior,
   whose mean influence is `of_prior`. */
static void af_spread_of_table(const double *of_rows, const double *sampled, int64_t n_rows, double weight,
                               double of_prior, double *out) {
  double n = 0, mean[2] = {0, 0}, squares[2] = {0, 0}, fourths[2] = {0, 0}, lost[6] = {0};
  for (int64_t i = 0; i < n_rows; i++) {
    const double times = sampled[i];
    if (times == 0) continue;
    n += times;
    for (int k = 0; k < 2; k++) af_add_times(times, of_rows[2 * i + k], mean + k, lost + k);
  }
  mean[0] = (mean[0] + lost[0]) / n;
  mean[1] = (mean[1] + lost[1] + weight * of_prior) / (n + weight);
  for (int64_t i = 0; i < n_rows; i++) {
    const double times = sampled[i];
    if (times == 0) continue;
    for (int k = 0; k < 2; k++) {
      const double gap = of_rows[2 * i + k] - mean[k], square = gap * gap;
      af_add_times(times, square, squares + k, lost + 2 + k);
      af_add_times(times, square * square, fourths + k, lost + 4 + k);
    }
  }
  for (int k = 0; k < 2; k++) {
    out[4 * k] = n, out[4 * k + 1] = mean[k];
    out[4 * k + 2] = squares[k] + lost[2 + k], out[4 * k + 3] = fourths[k] + lost[4 + k];
  }
}

/* Spreads one half of the prior as a marginal of K categories, and one half evenly over those in use; if
   only one is, over all. */
static void af_spread_evenly(const double *marginal, int64_t K, double *out) {
  const double mass = af_mass(marginal, K);
  int64_t used = 0;
  for (int64_t k = 0; k < K; k++) used += marginal[k] > 0;
  if (used == 1) used = K;
  for (int64_t k = 0; k < K; k++)
    out[k] = (marginal[k] / mass + (marginal[k] > 0 || used == K ? 1.0 / (double)used : 0)) / 2;
}

/* Spreads the prior over the last four numbers in use, which have no judgments: one half has the mean and
   the standard deviation of the marginal, one half those of numbers spread evenly between the ends. */
static void af_spread_numbers(const double *marginal, int64_t n, double *x, double *q) {
  const double mass = af_mass(marginal, n - 4);
  double low = x[0], high = x[0], mean = 0, square = 0;
  for (int64_t k = 0; k < n - 4; k++) {
    low = fmin(low, x[k]), high = fmax(high, x[k]);
    mean += marginal[k] / mass * (x[k] - x[0]);
  }
  for (int64_t k = 0; k < n - 4; k++) {
    const double gap = x[k] - x[0] - mean;
    square += marginal[k] / mass * gap * gap;
  }
  const double error = sqrt(square), middle = (low + high) / 2, reach = (high - low) / sqrt(12);
  mean += x[0];
  x[n - 4] = mean - error, x[n - 3] = mean + error, x[n - 2] = middle - reach, x[n - 1] = middle + reach;
  for (int64_t k = 0; k < n; k++) q[k] = k < n - 4 ? 0 : 0.25;
}

/* Adds the prior's items to the sums: `weight` of them with `size` judgments of the shares q, whose mean
   distance is `apart`. `coders` gets how many judgments of an item each coder gives. */
static void af_add_prior(const af_case *c, double weight, double size, const double *q, double apart,
                         double *coders, af_sums *s) {
  const double in_observed = weight * (c->by_judgments ? size : 1), factor = af_in_marginal(c, size);
  const int64_t n = c->n_used;
  const double mass = c->model == AF_INDIVIDUAL ? af_mass(s->marginal, n * c->n_coders) : 1;
  for (int64_t i = 0; i < c->n_coders; i++) {
    const double share = c->model == AF_INDIVIDUAL ? af_mass(s->marginal + i * n, n) / mass : 1;
    coders[i] = size * share;
    for (int64_t k = 0; k < n; k++) s->marginal[i * n + k] += weight * factor * coders[i] * q[k];
  }
  s->pairs += in_observed;
  s->apart += in_observed * apart / 2;
  s->items += weight;
  s->selfs += weight * size;
}

/* The least value that the marginals allow; `mean_size` is that of the items, `pooled` has 2 n_used numbers. */
static double af_least(const af_case *c, const af_sums *s, double expected, double mean_size,
                       double *pooled) {
  if (c->model == AF_UNIFORM || c->model == AF_GWET) return -1; /* D_e follows the marginals little */
  const int64_t n = c->n_used;
  memset(pooled, 0, (size_t)n * sizeof *pooled);
  for (int64_t i = 0; i < c->n_coders; i++)
    for (int64_t j = 0; j < n; j++) pooled[j] += s->marginal[i * n + j];
  const double mass = af_mass(pooled, n);
  double least = -1 / (mean_size - 1), farthest = 0;
  int64_t top = 0;
  for (int64_t j = 1; j < n; j++)
    if (pooled[j] > pooled[top]) top = j;
  if (c->model == AF_INDIVIDUAL) {
    af_times(c, pooled, pooled + n);
    for (int64_t j = 0; j < n; j++) farthest += pooled[j] * pooled[n + j];
    least = fmax(-1, 1 - farthest / (mass * mass) * mean_size / (mean_size - 1) / expected);
  }
  if (af_is_nominal(c)) {
    double others = 0;
    for (int64_t j = 0; j < n; j++)
      if (j != top) others += pooled[j];
    least = fmax(least, 1 - fmin(2 * others / mass, 1) / expected);
  }
  return least;
}

/* The mean influence of an item of the prior, and its mean square: out[0] and out[1].

   One half of the items are unanimous; the labels of the others are independent, of probabilities q. The
   influence is a constant, plus a term for each judgment, minus `of_pairs` times the mean distance of the
   pairs. `others` is the mean distance from each label, `square` the mean square of the distance of two in
   squares of its mean. `own` is what the terms of different coders add to the mean square. */
static void af_prior_influence(int64_t K, double m, const double *q, const double *by_label,
                               const double *others, double square_apart, double of_pairs, double constant,
                               double own, double *out) {
  double apart = 0, mean = 0, square = 0, first = 0, both = 0;
  for (int64_t k = 0; k < K; k++) {
    apart += others[k] * q[k];
    mean += by_label[k] * q[k];
  }
  const double unit = apart > 0 ? apart : 1.0, pairs = of_pairs * unit;
  apart /= unit;
  for (int64_t k = 0; k < K; k++) {
    const double gap = by_label[k] - mean, far = others[k] / unit - apart;
    square += gap * gap * q[k];
    first += far * far * q[k];
    both += gap * far * q[k];
  }
  /* The mean distance of the pairs of an item is a U statistic (Hoeffding 1948). */
  const double second = fmax(square_apart - apart * apart, 0);
  const double unanimous = constant + m * mean, random = unanimous - pairs * apart;
  out[0] = (unanimous + random) / 2;
  out[1] = (unanimous * unanimous + random * random + m * m * square + m * square - 4 * pairs * both +
            pairs * pairs * (4 * (m - 2) * first + 2 * second) / (m * (m - 1)) + own) / 2;
}

/* The same of the slopes in the sums; `room` has 2 n_used numbers. `others` is that of q. */
static void af_prior_of(const af_case *c, const af_slopes *s, double size, const double *q,
                        const double *others, const double *coders, double *room, double *out) {
  const int64_t n = c->n_used;
  const double in_observed = c->by_judgments ? size : 1;
  double *by_label = room, apart = 0, squares = 0, own = 0;
  for (int64_t k = 0; k < n; k++) apart += others[k] * q[k];
  const double unit = apart > 0 ? apart : 1.0;
  if (c->d) {
    for (int64_t j = 0; j < n; j++)
      for (int64_t l = 0; l < n; l++) {
        const double far = af_distance(c, j, l) / unit;
        squares += far * far * q[j] * q[l];
      }
  } else if (c->numbers) { /* the fourth power of the difference of two, by moments about the anchor */
    const double anchor = af_anchor(c, q);
    double mean = 0, second = 0, fourth = 0;
    for (int64_t k = 0; k < n; k++) mean += q[k] * (c->numbers[k] - anchor);
    for (int64_t k = 0; k < n; k++) {
      const double gap = c->numbers[k] - anchor - mean, square = gap * gap / unit;
      second += q[k] * square, fourth += q[k] * square * square;
    }
    squares = 2 * fourth + 6 * second * second;
  } else {
    squares = 1 / unit;
  }
  memset(by_label, 0, (size_t)n * sizeof *by_label);
  if (c->model != AF_UNIFORM)
    for (int64_t i = 0; i < c->n_coders; i++) {
      const double share = c->model == AF_INDIVIDUAL ? coders[i] / size : af_in_marginal(c, size);
      const double *slope = s->marginal + i * n;
      double mean = 0, square = 0;
      for (int64_t k = 0; k < n; k++) {
        by_label[k] += share * slope[k];
        mean += slope[k] * q[k];
      }
      for (int64_t k = 0; k < n; k++) square += (slope[k] - mean) * (slope[k] - mean) * q[k];
      own += share * square;
    }
  if (c->model == AF_INDIVIDUAL) {
    double mean = 0;
    for (int64_t k = 0; k < n; k++) mean += by_label[k] * q[k];
    for (int64_t k = 0; k < n; k++) own -= (by_label[k] - mean) * (by_label[k] - mean) * q[k];
    own *= size;
  } else {
    own = 0;
  }
  for (int64_t k = 0; k < n && s->by_rank; k++) by_label[k] += s->by_rank[k];
  af_prior_influence(n, size, q, by_label, others, squares, -in_observed * s->apart,
                     in_observed * s->pairs + size * s->selfs, own, out);
}

#endif
