/* Distances between sets, computed from what they have in common. */
#ifndef AGREEMENT_FAST_LABELSETS_H
#define AGREEMENT_FAST_LABELSETS_H

#include <stdint.h>

#include "compiler.h"

/* Pairs that are looked at together. */
#define AF_TILE 256

enum { AF_PASSONNEAU, AF_JACCARD, AF_DICE, AF_MASI, AF_MASI_PRODUCT, AF_HAMMING, AF_OVERLAP };

/* n pairs of sets A and B: the numbers of elements of each and of both, and their weights. The numbers
   decide whether sets are equal, nested, overlapping or disjoint; the weights, how far apart they are.
   Equal sets have a distance of exactly 0. Assumes weights above 0 with a finite sum (measures.weighted)
   and at most AF_TILE pairs. */
typedef struct {
  double size_a[AF_TILE], size_b[AF_TILE], common[AF_TILE];
  double weight_a[AF_TILE], weight_b[AF_TILE], shared[AF_TILE];
} af_pairs;

/* Passonneau's distance in thirds: 0 equal, 1 one within the other, 2 overlapping, 3 disjoint. */
#define AF_DISTANCES(name, expression)                                                             \
  AF_DISPATCH static void name(const af_pairs *pairs, int64_t n, double *out) {                    \
    for (int64_t k = 0; k < n; k++) {                                                              \
      const double c = pairs->common[k], s = pairs->shared[k];                                     \
      const double a = pairs->weight_a[k], b = pairs->weight_b[k];                                 \
      const double x = pairs->size_a[k], y = pairs->size_b[k];                                     \
      const double third = c == (x > y ? x : y) ? 0 : c == (x < y ? x : y) ? 1 : c > 0 ? 2 : 3;    \
      const double differ = a + b - 2 * s, both = a + b - s, fewer = a < b ? a : b;                \
      (void)differ, (void)both, (void)fewer;                                                       \
      out[k] = third == 0 ? 0 : (expression);                                                      \
    }                                                                                              \
  }

AF_DISTANCES(af_passonneau, third / 3)
AF_DISTANCES(af_jaccard, differ / both)
AF_DISTANCES(af_dice, differ / (a + b))
AF_DISTANCES(af_masi, (both - s * ((3 - third) / 3)) / both)
AF_DISTANCES(af_masi_product, differ / both * (third / 3))
AF_DISTANCES(af_hamming, differ)
AF_DISTANCES(af_overlap, third == 1 ? 0 : (fewer - s) / fewer)

static void af_distances(int kind, const af_pairs *pairs, int64_t n, double *out) {
  switch (kind) {
    case AF_PASSONNEAU: af_passonneau(pairs, n, out); break;
    case AF_JACCARD: af_jaccard(pairs, n, out); break;
    case AF_DICE: af_dice(pairs, n, out); break;
    case AF_MASI: af_masi(pairs, n, out); break;
    case AF_MASI_PRODUCT: af_masi_product(pairs, n, out); break;
    case AF_HAMMING: af_hamming(pairs, n, out); break;
    default: af_overlap(pairs, n, out);
  }
}

/* A distance between masks of some words; see MaskDistances. */
typedef struct {
  int kind;
  int64_t n, words;
  const uint64_t *masks;
  const double *table; /* or NULL: elements weigh 1 */
  const double *sizes, *weights;
  const double *by_size; /* longest^3 distances, or NULL */
  const int32_t *places;
  int64_t longest;
} af_mask_distances;

/* out[j]: elements that a mask has in common with each of n masks of some words. Assumes words >= 1. */
AF_DISPATCH static void af_common(const uint64_t *mask, const uint64_t *masks, int64_t words, int64_t n,
                                  double *out) {
  if (words == 1) {
    const uint64_t one = mask[0];
    for (int64_t j = 0; j < n; j++) out[j] = (double)AF_COUNT_BITS(one & masks[j]);
    return;
  }
  for (int64_t j = 0; j < n; j++) {
    const uint64_t *other = masks + j * words;
    int64_t bits = 0;
    for (int64_t w = 0; w < words; w++) bits += AF_COUNT_BITS(mask[w] & other[w]);
    out[j] = (double)bits;
  }
}

/* The half of n x n numbers below the diagonal from that above, in blocks that stay in the cache. */
static void af_mirror(double *out, int64_t n) {
  for (int64_t top = 0; top < n; top += 32)
    for (int64_t left = 0; left <= top; left += 32)
      for (int64_t i = top; i < n && i < top + 32; i++)
        for (int64_t j = left; j < i && j < left + 32; j++) out[i * n + j] = out[j * n + i];
}

/* out[k]: the distance of masks i and j + k, by their sizes and what they have in common. Assumes
   distances by size, and a place among them for every set (geometry.Masks). */
AF_DISPATCH static void af_look_up(const af_mask_distances *distances, int64_t i, int64_t j,
                                   int64_t n, double *out) {
  const int64_t words = distances->words, longest = distances->longest;
  const uint64_t *mask = distances->masks + i * words, *masks = distances->masks + j * words;
  const int32_t *places = distances->places + j;
  const double *table = distances->by_size + (int64_t)distances->sizes[i] * longest * longest;
  if (words == 1) {
    const uint64_t one = mask[0];
    for (int64_t k = 0; k < n; k++)
      out[k] = table[places[k] + AF_COUNT_BITS(one & masks[k])];
    return;
  }
  for (int64_t k = 0; k < n; k++) {
    int bits = 0;
    for (int64_t w = 0; w < words; w++) bits += AF_COUNT_BITS(mask[w] & masks[k * words + w]);
    out[k] = table[places[k] + bits];
  }
}

/* out[j]: what these elements weigh; table[256 * b + x] is the weight of the bits x of byte b. Assumes a
   table of 2048 numbers for each word (geometry.Masks). */
static void af_shared(const uint64_t *mask, const uint64_t *masks, int64_t words,
                      const double *table, int64_t n, double *out) {
  for (int64_t j = 0; j < n; j++) {
    double sum = 0;
    for (int64_t w = 0; w < words; w++) {
      const uint64_t word = mask[w] & masks[j * words + w];
      for (int b = 0; b < 8; b++) sum += table[((w * 8 + b) << 8) + ((word >> (8 * b)) & 255)];
    }
    out[j] = sum;
  }
}

/* Sum of v[j] d[j] over any n. */
AF_DISPATCH static double af_dot(const double *v, const double *d, int64_t n) {
  double lanes[8] = {0, 0, 0, 0, 0, 0, 0, 0}, rest = 0;
  const int64_t whole = n & ~INT64_C(7);
  for (int64_t j = 0; j < whole; j += 8)
    for (int k = 0; k < 8; k++) lanes[k] += v[j + k] * d[j + k];
  for (int64_t j = whole; j < n; j++) rest += v[j] * d[j];
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])) + rest;
}

/* A sum of two doubles: the second holds the rounding error of the first (Knuth's two-sum). Assumes that
   sums are neither kept in longer registers nor reordered (no -ffast-math, CMakeLists.txt). */
typedef struct {
  double high, low;
} af_sum;

static inline void af_add(af_sum *sum, double value) {
  const double high = sum->high + value, part = high - sum->high;
  sum->low += (sum->high - (high - part)) + (value - part);
  sum->high = high;
}

/* whole - part, accurate even if the difference is small. */
static inline double af_less(af_sum whole, af_sum part) {
  af_add(&whole, -part.high);
  return whole.high + (whole.low - part.low);
}

#endif
