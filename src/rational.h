/* Sums of v_j (p_i - p_j)² / ((a_i + a_j) (b_i + b_j)) over many numbers p, in n log n steps.

   a and b are linear in p and not negative. The numbers ascend and are cut in halves, quarters and so on.
   For a number that is at least as far from such a part as the part is wide, the term is a smooth function
   of p_j: its poles, where a_j = -a_i or b_j = -b_i, are as far. So it is nearly its interpolation between
   Chebyshev's nodes over the part, and AF_NODES terms stand for all of the part's, with an error below 1e-13
   of the sum. This is the tree code of Barnes & Hut (1986) with interpolation (Wang, Krasny &
   Tlupova 2020). */
#ifndef AGREEMENT_FAST_RATIONAL_H
#define AGREEMENT_FAST_RATIONAL_H

#include "chebyshev.h"
#include "compiler.h"

/* The most numbers of a part that is not cut further; not less than the nodes of two. */
#define AF_LEAF 64

/* The n numbers of a part, and the weights v. */
typedef struct {
  const double *p, *a, *b, *v;
  int64_t n;
} af_part;

/* Part `place` of the halves, quarters, ... of n numbers: 1 is all, 2 place and 2 place + 1 are its halves. */
AF_INLINE void af_cut(int64_t place, int64_t n, int64_t *first, int64_t *last) {
  int level = 0;
  while (place >> (level + 1)) level++;
  const int64_t among = place - (INT64_C(1) << level);
  *first = (n * among) >> level;
  *last = (n * (among + 1)) >> level;
}

/* The nodes of a part in out[0 .. 2], and in out[3] weights for which a polynomial of a degree below
   AF_NODES has the same sum over the nodes as over n numbers with weights v. These and the nodes' p are
   differences from the part's first number, which keep the digits of close ones. Assumes that the
   numbers are within the ends of the part. */
static void af_interpolate(const af_part *whole, const double *p, const double *v, int64_t n, double *out) {
  const int64_t end = whole->n - 1;
  const double width = whole->p[end] - whole->p[0];
  double moments[AF_NODES];
  for (int m = 0; m < AF_NODES; m++) moments[m] = 0;
  for (int64_t i = 0; i < n; i++) {
    const double t = width > 0 ? (p[i] - (width - p[i])) / width : 0;
    double before = v[i], now = v[i] * t;
    for (int m = 0; m < AF_NODES; m++) {
      const double next = 2 * t * now - before;
      moments[m] += before;
      before = now;
      now = next;
    }
  }
  for (int k = 0; k < AF_NODES; k++) {
    const double t = af_node(k);
    const double upper = (1 + t) / 2, lower = (1 - t) / 2;
    double before = t, now = 2 * t * t - 1, sum = moments[0] / 2;
    for (int m = 1; m < AF_NODES; m++) {
      const double next = 2 * t * now - before;
      sum += before * moments[m];
      before = now;
      now = next;
    }
    out[k] = width * upper;
    out[AF_NODES + k] = whole->a[0] * lower + whole->a[end] * upper;
    out[2 * AF_NODES + k] = whole->b[0] * lower + whole->b[end] * upper;
    out[3 * AF_NODES + k] = sum * 2 / AF_NODES;
  }
}

AF_INLINE af_part af_slice(const af_part *all, int64_t first, int64_t last) {
  const af_part some = {all->p + first, all->a + first, all->b + first, all->v + first, last - first};
  return some;
}

AF_INLINE af_part af_nodes_of(const double *nodes, int64_t place) {
  const double *here = nodes + place * 4 * AF_NODES;
  const af_part some = {here, here + AF_NODES, here + 2 * AF_NODES, here + 3 * AF_NODES, AF_NODES};
  return some;
}

/* The nodes of all parts, the last 2^levels of them not cut: nodes[place * 4 * AF_NODES ...]. */
static void af_rational_nodes(const af_part *all, int levels, double *nodes) {
  const int64_t n_leaves = INT64_C(1) << levels;
  for (int64_t place = 2 * n_leaves - 1; place > 0; place--) {
    int64_t first, last;
    af_cut(place, all->n, &first, &last);
    const af_part whole = af_slice(all, first, last);
    double p[AF_LEAF], v[AF_LEAF]; /* those of the numbers, or of the nodes of both halves */
    int64_t n = 0;
    if (place >= n_leaves)
      for (; n < whole.n; n++) {
        p[n] = whole.p[n] - whole.p[0];
        v[n] = whole.v[n];
      }
    else
      for (int half = 0; half < 2; half++) {
        const af_part some = af_nodes_of(nodes, 2 * place + half);
        af_cut(2 * place + half, all->n, &first, &last);
        for (int k = 0; k < AF_NODES; k++, n++) {
          p[n] = (all->p[first] - whole.p[0]) + some.p[k];
          v[n] = some.v[k];
        }
      }
    af_interpolate(&whole, p, v, n, nodes + place * 4 * AF_NODES);
  }
}

/* The sum of the terms of one number with those of a part; 0 / 0 is 0. */
AF_INLINE double af_rational_sum(double p, double a, double b, const af_part *some) {
  double lanes[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const int64_t whole = some->n & ~INT64_C(7);
  for (int64_t j = 0; j < whole; j += 8)
    for (int k = 0; k < 8; k++) {
      const double gap = p - some->p[j + k];
      const double scale = (a + some->a[j + k]) * (b + some->b[j + k]);
      lanes[k] += some->v[j + k] * (gap * gap) / (scale == 0 ? 1 : scale);
    }
  double total = 0;
  for (int64_t j = whole; j < some->n; j++) {
    const double gap = p - some->p[j];
    const double scale = (a + some->a[j]) * (b + some->b[j]);
    total += some->v[j] * (gap * gap) / (scale == 0 ? 1 : scale);
  }
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])) + total;
}

/* out[i - first]: the sum of the terms of number i with all, for i from `first` to the place before
   `last`, which are in one of the parts that are not cut. */
AF_DISPATCH static void af_rational_leaf(const af_part *all, const double *nodes, int levels, int64_t first,
                                         int64_t last, double *out) {
  int64_t waiting[64], n_waiting = 0;
  for (int64_t i = first; i < last; i++) out[i - first] = 0;
  waiting[n_waiting++] = 1;
  while (n_waiting) {
    const int64_t place = waiting[--n_waiting];
    int64_t begin, end;
    af_cut(place, all->n, &begin, &end);
    af_part part = af_slice(all, begin, end);
    const double width = part.p[part.n - 1] - part.p[0];
    const double above = all->p[first] - part.p[part.n - 1], below = part.p[0] - all->p[last - 1];
    const int is_leaf = place >> levels != 0;
    const int is_far = (above > below ? above : below) >= width && part.n > AF_NODES;
    if (!is_far && !is_leaf) {
      waiting[n_waiting++] = 2 * place;
      waiting[n_waiting++] = 2 * place + 1;
      continue;
    }
    const double origin = is_far ? part.p[0] : 0;
    if (is_far) part = af_nodes_of(nodes, place);
    for (int64_t i = first; i < last; i++)
      out[i - first] += af_rational_sum(all->p[i] - origin, all->a[i], all->b[i], &part);
  }
}

#endif
