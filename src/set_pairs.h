/* Pairs of sets that share a set of elements, for all sets of elements that any two sets share. */
#ifndef AGREEMENT_FAST_SET_PAIRS_H
#define AGREEMENT_FAST_SET_PAIRS_H

#include <stdint.h>
#include <stdlib.h>

/* The cost of one set of elements, in steps along the lists of a pair. */
#define AF_SUBSET 2

/* A set that holds the current elements T, and how many of its elements precede them. */
typedef struct {
  int32_t set, rest;
} af_holder;

/* The holders of T and one more element, for each element that at least two holders have. */
typedef struct {
  af_holder *holders;
  int64_t *begins; /* those of child k are holders[begins[k] .. begins[k + 1] - 1] */
  int64_t n_holders; /* the number of holders that there is room for */
} af_children;

/* Sets as lists of element numbers in ascending order, none longer than `longest`, and integers u and
   v for each. shared[(a (longest + 1) + b) (longest + 1) + m] counts, for ordered pairs of different
   sets of a and b elements, the sets of m elements that both hold: the sum of u_i v_j times that,
   modulo 2^64. All counts are unsigned, so that they wrap around; the final results are below 2^63
   (set_geometry.SharedSubsets). */
typedef struct {
  int64_t longest;
  const int64_t *start;
  const int32_t *elements;
  const uint64_t *u, *v;
  const uint64_t *choose; /* choose[r (longest + 1) + s]: sets of s out of r elements */
  uint64_t *shared;
  int64_t *uses;        /* zeros, one for each element */
  uint64_t *u_of, *v_of, *same; /* zeros, one for each length */
  af_children *levels;  /* zeros, `longest` of them */
} af_subsets;

static inline int32_t af_length(const af_subsets *sets, int32_t i) {
  return (int32_t)(sets->start[i + 1] - sets->start[i]);
}

static inline uint64_t *af_cell(const af_subsets *sets, int64_t a, int64_t b, int64_t m) {
  const int64_t side = sets->longest + 1;
  return sets->shared + (a * side + b) * side + m;
}

/* Counts the m elements that every pair of n holders shares. O(n + lengths^2). */
static void af_share(const af_subsets *sets, const af_holder *holders, int64_t n, int64_t m) {
  const int64_t side = sets->longest + 1;
  int64_t least = side, most = 0;
  for (int64_t k = 0; k < n; k++) {
    const int32_t i = holders[k].set, a = af_length(sets, i);
    sets->u_of[a] += sets->u[i];
    sets->v_of[a] += sets->v[i];
    sets->same[a] += sets->u[i] * sets->v[i];
    if (a < least) least = a;
    if (a > most) most = a;
  }
  for (int64_t a = least; a <= most; a++) {
    if (sets->u_of[a])
      for (int64_t b = least; b <= most; b++) *af_cell(sets, a, b, m) += sets->u_of[a] * sets->v_of[b];
    *af_cell(sets, a, a, m) -= sets->same[a];
  }
  for (int64_t a = least; a <= most; a++) sets->u_of[a] = sets->v_of[a] = sets->same[a] = 0;
}

/* The number of elements that two sets share among the first `rest` of each. */
static int64_t af_shared_rest(const af_subsets *sets, af_holder one, af_holder other) {
  const int32_t *p = sets->elements + sets->start[one.set], *end_p = p + one.rest;
  const int32_t *q = sets->elements + sets->start[other.set], *end_q = q + other.rest;
  int64_t shared = 0;
  while (p < end_p && q < end_q) {
    const int32_t e = *p, f = *q;
    shared += e == f;
    p += e <= f;
    q += f <= e;
  }
  return shared;
}

/* Counts the sets of elements that each pair of n holders of m elements shares. O(n^2 longest). */
static void af_share_pairs(const af_subsets *sets, const af_holder *holders, int64_t n, int64_t m) {
  for (int64_t k = 1; k < n; k++)
    for (int64_t l = 0; l < k; l++) {
      const int32_t i = holders[k].set, j = holders[l].set;
      const int64_t rest = af_shared_rest(sets, holders[k], holders[l]);
      const uint64_t *choose = sets->choose + rest * (sets->longest + 1);
      uint64_t *one = af_cell(sets, af_length(sets, i), af_length(sets, j), m);
      uint64_t *other = af_cell(sets, af_length(sets, j), af_length(sets, i), m);
      for (int64_t s = 0; s <= rest; s++) {
        one[s] += choose[s] * sets->u[i] * sets->v[j];
        other[s] += choose[s] * sets->u[j] * sets->v[i];
      }
    }
}

/* Finds the children of n holders, whose rests add up to `rests` > 0. Returns their number, or -1 if
   memory runs out. A child has at least two holders, so that there are at most rests / 2 children. */
static int64_t af_find_children(const af_subsets *sets, const af_holder *holders, int64_t n,
                                int64_t rests, af_children *found) {
  if (found->n_holders < rests) {
    free(found->holders);
    free(found->begins);
    found->holders = (af_holder *)malloc((size_t)rests * sizeof(af_holder));
    found->begins = (int64_t *)malloc((size_t)(rests / 2 + 1) * sizeof(int64_t));
    found->n_holders = found->holders && found->begins ? rests : 0;
    if (!found->n_holders) return -1;
  }
  for (int64_t k = 0; k < n; k++) {
    const int32_t *elements = sets->elements + sets->start[holders[k].set];
    for (int32_t q = 0; q < holders[k].rest; q++) sets->uses[elements[q]]++;
  }
  /* From the uses of an element to ~ the place of its next holder, which is below 0, and to 0. */
  int64_t n_children = 0, place = 0;
  for (int64_t k = 0; k < n; k++) {
    const int32_t *elements = sets->elements + sets->start[holders[k].set];
    for (int32_t q = 0; q < holders[k].rest; q++) {
      int64_t *use = sets->uses + elements[q];
      if (*use == 1) {
        *use = 0;
      } else if (*use > 1) {
        found->begins[n_children++] = place;
        const int64_t uses = *use;
        *use = ~place;
        place += uses;
      }
      if (*use < 0) {
        found->holders[~*use] = (af_holder){holders[k].set, q};
        --*use;
      }
    }
  }
  found->begins[n_children] = place;
  for (int64_t c = 0; c < n_children; c++) {
    const af_holder first = found->holders[found->begins[c]];
    sets->uses[sets->elements[sets->start[first.set] + first.rest]] = 0;
  }
  return n_children;
}

/* Counts the sets of elements that each pair of n holders shares: those that contain the current m
   elements and otherwise only elements before them. Goes pair by pair, or adds one element at a time, by
   the lower cost: O(min(n^2 longest, sum of 2^rest)). Returns 0 if memory runs out. */
static int af_share_subsets(const af_subsets *sets, const af_holder *holders, int64_t n, int64_t m) {
  int64_t rests = 0, subsets = 0;
  uint64_t of_u = 0; /* no sum of u is as large as 2^63 */
  for (int64_t k = 0; k < n; k++) {
    of_u += sets->u[holders[k].set];
    rests += holders[k].rest;
    subsets += INT64_C(1) << (holders[k].rest < 30 ? holders[k].rest : 30);
  }
  if (n < 2 || !of_u) return 1;
  if ((double)n * (double)(n + rests) <= (double)AF_SUBSET * (double)subsets) {
    af_share_pairs(sets, holders, n, m);
    return 1;
  }
  af_share(sets, holders, n, m);
  if (!rests) return 1;
  af_children *found = sets->levels + (m - 1);
  const int64_t n_children = af_find_children(sets, holders, n, rests, found);
  if (n_children < 0) return 0;
  for (int64_t c = 0; c < n_children; c++) {
    const int64_t begin = found->begins[c];
    if (!af_share_subsets(sets, found->holders + begin, found->begins[c + 1] - begin, m + 1)) return 0;
  }
  return 1;
}

#endif
