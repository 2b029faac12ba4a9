/* Pairs of sets that share a set of elements, for all sets of elements that any two sets share. */
#ifndef AGREEMENT_FAST_SET_PAIRS_H
#define AGREEMENT_FAST_SET_PAIRS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"

/* The cost of one set of elements, in steps along the lists of a pair. */
#define AF_SUBSET 2

/* The most elements whose sets have a table, and the most lengths that holders of a table have. */
#define AF_TABLE_BITS 16
#define AF_TABLE_LENGTHS 32

/* The steps in a table that cost one step along the lists of a pair. */
#define AF_TABLE_STEP 64.0

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
  const uint16_t *firsts; /* the first AF_TABLE_BITS elements of each set, as bits */
  const uint64_t *u, *v;
  const uint64_t *choose; /* choose[r (longest + 1) + s]: sets of s out of r elements */
  uint64_t *shared;
  int64_t *uses;        /* zeros, one for each element */
  uint64_t *u_of, *v_of, *same; /* zeros, one for each length */
  af_children *levels;  /* zeros, `longest` of them */
  uint32_t *tables;     /* room for two tables, or NULL until one is needed */
} af_subsets;

static inline int32_t af_length(const af_subsets *sets, int32_t i) {
  return (int32_t)(sets->start[i + 1] - sets->start[i]);
}

/* How many of the first elements a set has. */
static inline int32_t af_n_firsts(const af_subsets *sets, int32_t i) {
  return (int32_t)AF_COUNT_BITS((uint64_t)sets->firsts[i]);
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

/* Finds the children of n holders, whose rests add up to `rests` > 0, without those of the first elements
   if these had a table. Returns their number, or -1 if memory runs out. A child has at least two holders,
   so that there are at most rests / 2 children. */
static int64_t af_find_children(const af_subsets *sets, const af_holder *holders, int64_t n,
                                int64_t rests, int had_table, af_children *found) {
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
    const int32_t begin = had_table ? af_n_firsts(sets, holders[k].set) : 0;
    for (int32_t q = begin; q < holders[k].rest; q++) sets->uses[elements[q]]++;
  }
  /* From the uses of an element to ~ the place of its next holder, which is below 0, and to 0. */
  int64_t n_children = 0, place = 0;
  for (int64_t k = 0; k < n; k++) {
    const int32_t *elements = sets->elements + sets->start[holders[k].set];
    const int32_t begin = had_table ? af_n_firsts(sets, holders[k].set) : 0;
    for (int32_t q = begin; q < holders[k].rest; q++) {
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

/* table[t width + a]: from the number of holders of each set t of some elements, those of all sets that
   contain t (Yates 1937). Assumes a width that is a multiple of 8. */
AF_DISPATCH static void af_supersets(uint32_t *table, int bits, int64_t width) {
  for (int64_t step = width; step < width << bits; step *= 2)
    for (int64_t first = 0; first < width << bits; first += 2 * step)
      for (int64_t k = first; k < first + step; k += 8)
        for (int lane = 0; lane < 8; lane++) table[k + lane] += table[k + step + lane];
}

/* sums[(bits(t) width + a) width + b] += u[t width + a] v[t width + b] over all sets t. */
AF_DISPATCH static void af_table_products(const uint32_t *u, const uint32_t *v, int bits, int64_t width,
                                          uint64_t *sums) {
  for (int64_t t = 0; t < INT64_C(1) << bits; t++, u += width, v += width) {
    uint64_t *own = sums + (int64_t)af_count_bits((uint64_t)t) * width * width;
    for (int64_t a = 0; a < width; a++) {
      if (!u[a]) continue;
      for (int64_t b = 0; b < width; b += 8)
        for (int lane = 0; lane < 8; lane++) own[a * width + b + lane] += (uint64_t)u[a] * v[b + lane];
    }
  }
}

/* The number of the holders of each set of the first `bits` elements, in rows of their lengths; without
   holders, of all sets. Adds u v of each length, and of each number of these elements, to `same`. */
AF_DISPATCH static void af_fill_tables(const af_subsets *sets, const af_holder *holders, int64_t n, int bits,
                                       int64_t least, int64_t width, uint32_t *of_u, uint32_t *of_v,
                                       uint64_t *same) {
  for (int64_t k = 0; k < n; k++) {
    const int64_t i = holders ? holders[k].set : k, t = sets->firsts[i] & ((1 << bits) - 1);
    const int64_t length = sets->start[i + 1] - sets->start[i] - least;
    of_u[t * width + length] += (uint32_t)sets->u[i];
    if (of_v != of_u) of_v[t * width + length] += (uint32_t)sets->v[i];
    same[AF_COUNT_BITS((uint64_t)t) * width + length] += sets->u[i] * sets->v[i];
  }
}

/* Counts the sets of elements that each pair of n holders of m elements shares, by a table of all sets of
   the first `bits` elements; without holders, for all sets, and without the empty set. Assumes fewer than
   2^32 u and v, and lengths from `least` on that are fewer than `width`. Returns 0 if memory runs out.
   O(2^bits (bits width + width^2)). */
static int af_share_by_table(af_subsets *sets, const af_holder *holders, int64_t n, int64_t m, int bits,
                             int64_t least, int64_t width) {
  const int64_t size = (int64_t)AF_TABLE_LENGTHS << AF_TABLE_BITS, side = sets->longest + 1;
  const int64_t products = (bits + 1) * width * width, other = sets->u == sets->v ? 0 : size;
  uint64_t same[(AF_TABLE_BITS + 1) * AF_TABLE_LENGTHS] = {0};
  if (!sets->tables) sets->tables = (uint32_t *)malloc(2 * (size_t)size * sizeof(uint32_t));
  uint64_t *sums = (uint64_t *)calloc((size_t)products, sizeof(uint64_t));
  if (!sets->tables || !sums) {
    free(sums);
    return 0;
  }
  for (int64_t begin = 0; begin <= other; begin += size)
    memset(sets->tables + begin, 0, ((size_t)width << bits) * sizeof(uint32_t));
  af_fill_tables(sets, holders, n, bits, least, width, sets->tables, sets->tables + other, same);
  for (int64_t begin = 0; begin <= other; begin += size) af_supersets(sets->tables + begin, bits, width);
  af_table_products(sets->tables, sets->tables + other, bits, width, sums);
  for (int64_t k = holders ? 0 : width * width; k < products; k++) {
    const int64_t s = k / width / width, a = least + k / width % width, b = least + k % width;
    if (sums[k]) *af_cell(sets, a, b, m + s) += sums[k];
  }
  free(sums);
  for (int64_t rest = 0; rest <= bits; rest++) /* no set is a pair with itself */
    for (int64_t a = 0; a < width; a++)
      if (same[rest * width + a])
        for (int64_t s = !holders; s <= rest; s++)
          *af_cell(sets, least + a, least + a, m + s) -=
              sets->choose[rest * side + s] * same[rest * width + a];
  return 1;
}

/* The cost of a table, in steps along the lists of a pair. */
static inline double af_table_cost(int64_t bits, int64_t width) {
  return (double)(INT64_C(1) << bits) * (double)(width * (width + bits)) / AF_TABLE_STEP;
}

/* Counts the sets of the first `bits` elements that each pair of n sets shares, if a table of all of them
   costs less than one for each: begin[e + 1] - begin[e] sets have element e. Returns whether it does, or
   -1 if memory runs out. */
static int af_share_firsts(af_subsets *sets, int64_t n, const int64_t *begin, int bits) {
  double by_pairs = 0, by_subsets = 0;
  int64_t least = sets->longest, most = 0;
  uint64_t of_u = 0, of_v = 0;
  for (int e = 0; e < bits; e++)
    by_pairs += (double)(begin[e + 1] - begin[e]) * (double)(begin[e + 1] - begin[e]);
  for (int64_t i = 0; i < n; i++) {
    const int64_t length = sets->start[i + 1] - sets->start[i];
    of_u += sets->u[i];
    of_v += sets->v[i];
    by_subsets += AF_SUBSET * (double)(INT64_C(1) << af_n_firsts(sets, (int32_t)i));
    least = length < least ? length : least;
    most = length > most ? length : most;
  }
  const int64_t width = (most - least + 8) / 8 * 8;
  const double by_table = af_table_cost(bits, width);
  if (by_table > by_pairs || by_table > by_subsets || width > AF_TABLE_LENGTHS || (of_u | of_v) >> 32)
    return 0;
  return af_share_by_table(sets, NULL, n, 0, bits, least, width) ? 1 : -1;
}

/* Counts the sets of elements that each pair of n holders shares: those that contain the current m
   elements and otherwise only elements before them. Goes pair by pair, by a table of all sets of the
   first of these elements, or adds one element at a time, by the lowest cost: O(min(n^2 longest,
   2^elements longest^2, sum of 2^rest)). Returns 0 if memory runs out. */
static int af_share_subsets(af_subsets *sets, const af_holder *holders, int64_t n, int64_t m) {
  int64_t rests = 0, subsets = 0, least = sets->longest, most = 0, before = 0;
  uint64_t of_u = 0, of_v = 0; /* no sum of u or v is as large as 2^63 */
  for (int64_t k = 0; k < n; k++) {
    const int32_t i = holders[k].set, length = af_length(sets, i), rest = holders[k].rest;
    of_u += sets->u[i];
    of_v += sets->v[i];
    rests += rest;
    subsets += INT64_C(1) << (rest < 30 ? rest : 30);
    least = length < least ? length : least;
    most = length > most ? length : most;
    if (rest && sets->elements[sets->start[i] + rest - 1] >= before)
      before = sets->elements[sets->start[i] + rest - 1] + 1;
  }
  if (n < 2 || !of_u || !of_v) return 1;
  const int64_t width = (most - least + 8) / 8 * 8;
  const double by_pairs = (double)n * (double)(n + rests), by_subsets = (double)AF_SUBSET * (double)subsets;
  const int bits = before < AF_TABLE_BITS ? (int)before : AF_TABLE_BITS;
  const double by_table = af_table_cost(bits, width);
  const int has_table = by_table <= by_pairs && by_table <= by_subsets && width <= AF_TABLE_LENGTHS &&
                        (of_u | of_v) >> 32 == 0;
  if (has_table) {
    if (!af_share_by_table(sets, holders, n, m, bits, least, width)) return 0;
    if (before == bits) return 1;
  } else if (by_pairs <= by_subsets) {
    af_share_pairs(sets, holders, n, m);
    return 1;
  } else {
    af_share(sets, holders, n, m);
  }
  if (!rests) return 1;
  af_children *found = sets->levels + (m - 1);
  const int64_t n_children = af_find_children(sets, holders, n, rests, has_table, found);
  if (n_children < 0) return 0;
  for (int64_t c = 0; c < n_children; c++) {
    const int64_t begin = found->begins[c];
    if (!af_share_subsets(sets, found->holders + begin, found->begins[c + 1] - begin, m + 1)) return 0;
  }
  return 1;
}

#endif
