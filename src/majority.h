/* The majority references of subsets of coders.

   AF_LANES items lie side by side, so that one instruction works on 8 to 32 of them. Each subset is
   reached from the one before by adding and removing coders. See compiler.h for AF_DISPATCH. */
#ifndef AGREEMENT_FAST_MAJORITY_H
#define AGREEMENT_FAST_MAJORITY_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"

#define AF_LANES 64

/* How ties are resolved; the names are in _majority.pyx. */
enum { AF_EXACT, AF_FRACTIONAL, AF_MEDIAN };

/* Adds `one` to counts[code] of each item. Assumes n_categories <= 32767: codes have 16 bits
   (references.MOST_CATEGORIES). */
static inline void af_add_coder(uint16_t *restrict counts, const int16_t *restrict codes,
                                int64_t n_categories, uint16_t one)
{
    for (int64_t k = 0; k < n_categories; ++k)
        for (int j = 0; j < AF_LANES; ++j)
            counts[k * AF_LANES + j] += codes[j] == (int16_t)k ? one : 0;
}

/* Of each item, the number of judgments of its top category. */
static inline void af_tops(const uint16_t *restrict counts, int64_t n_categories,
                           uint16_t *restrict top)
{
    memset(top, 0, AF_LANES * sizeof *top);
    for (int64_t k = 0; k < n_categories; ++k)
        for (int j = 0; j < AF_LANES; ++j) {
            uint16_t n = counts[k * AF_LANES + j];
            top[j] = n > top[j] ? n : top[j];
        }
}

/* Whether the top categories differ from the chosen ones, among the categories to compare: all if a
   change of the tie counts, those up to the reference if the first of the tied categories counts. */
static inline void af_moved_exact(const uint16_t *restrict counts, const uint16_t *restrict chosen,
                                  const uint16_t *restrict looked_at, int64_t n_categories,
                                  uint16_t *restrict moved)
{
    uint16_t top[AF_LANES];
    af_tops(counts, n_categories, top);
    for (int j = 0; j < AF_LANES; ++j) moved[j] = top[j] == 0 ? 0xFFFF : 0;
    for (int64_t k = 0; k < n_categories; ++k)
        for (int j = 0; j < AF_LANES; ++j) {
            int64_t at = k * AF_LANES + j;
            uint16_t is_top = counts[at] == top[j] ? 0xFFFF : 0;
            moved[j] |= (is_top ^ chosen[at]) & looked_at[at];
        }
}

/* Whether the top category differs from the chosen one; if several tie, the lower median of all
   judgments is compared. `below` marks the categories before the chosen one. Assumes fewer than 2^14
   judgments of an item, so that twice their number fits 16 bits (majority.MOST_JUDGMENTS). */
static inline void af_moved_median(const uint16_t *restrict counts, const uint16_t *restrict chosen,
                                   const uint16_t *restrict below, int64_t n_categories,
                                   uint16_t *restrict moved)
{
    uint16_t top[AF_LANES], tops[AF_LANES], lower[AF_LANES], own[AF_LANES], size[AF_LANES];
    memset(tops, 0, sizeof tops);
    memset(lower, 0, sizeof lower);
    memset(own, 0, sizeof own);
    memset(size, 0, sizeof size);
    af_tops(counts, n_categories, top);
    for (int64_t k = 0; k < n_categories; ++k)
        for (int j = 0; j < AF_LANES; ++j) {
            int64_t at = k * AF_LANES + j;
            uint16_t n = counts[at];
            tops[j] += n == top[j] ? 1 : 0;
            size[j] += n;
            lower[j] += n & below[at];
            own[j] += n & chosen[at];
        }
    for (int j = 0; j < AF_LANES; ++j) {
        uint16_t twice = lower[j] + lower[j], up_to = twice + own[j] + own[j];
        uint16_t one = tops[j] == 1 ? 0xFFFF : 0, is_top = own[j] == top[j] ? 0xFFFF : 0;
        uint16_t above = twice < size[j] ? 0xFFFF : 0, not_past = up_to >= size[j] ? 0xFFFF : 0;
        uint16_t judged = size[j] > 0 ? 0xFFFF : 0;
        moved[j] = ~(((one & is_top) | (~one & above & not_past)) & judged);
    }
}

/* Of each item, the number of categories that share the reference, in the subset or among all coders
   (the larger number), and the number of categories common to both. */
static inline void af_equal_parts(const uint16_t *restrict counts, const uint16_t *restrict chosen,
                                  int64_t n_categories, uint16_t *restrict parts,
                                  uint16_t *restrict common)
{
    uint16_t top[AF_LANES], wholes[AF_LANES];
    memset(parts, 0, AF_LANES * sizeof *parts);
    memset(wholes, 0, sizeof wholes);
    memset(common, 0, AF_LANES * sizeof *common);
    af_tops(counts, n_categories, top);
    /* without judgments, no count is the top */
    for (int j = 0; j < AF_LANES; ++j) top[j] = top[j] ? top[j] : 0xFFFF;
    for (int64_t k = 0; k < n_categories; ++k)
        for (int j = 0; j < AF_LANES; ++j) {
            int64_t at = k * AF_LANES + j;
            uint16_t is_top = counts[at] == top[j] ? 1 : 0, want = chosen[at] & 1;
            parts[j] += is_top;
            wholes[j] += want;
            common[j] += is_top & want;
        }
    for (int j = 0; j < AF_LANES; ++j) parts[j] = parts[j] > wholes[j] ? parts[j] : wholes[j];
}

/* Sums 1 - common / parts over the items, times `unit`: the share of the reference that changes if the
   tied categories share it equally. Assumes that the weights times `unit` add up to less than 2^62
   (walk.Walk). */
static inline int64_t af_moved_fractions(const uint16_t *restrict counts,
                                         const uint16_t *restrict chosen, int64_t n_categories,
                                         const int64_t *restrict weights, int64_t unit)
{
    uint16_t parts[AF_LANES], common[AF_LANES];
    int64_t sum = 0;
    af_equal_parts(counts, chosen, n_categories, parts, common);
    for (int j = 0; j < AF_LANES; ++j)
        if (parts[j] != common[j]) sum += weights[j] * (unit - unit / parts[j] * common[j]);
    return sum;
}

/* The same for items that weigh 1 or 0, and few units. Assumes unit < 2^16 / AF_LANES, so that the
   sum of a block fits 16 bits (af_moved). */
static inline int64_t af_moved_few_units(const uint16_t *restrict counts,
                                         const uint16_t *restrict chosen, int64_t n_categories,
                                         const uint16_t *restrict present, uint16_t unit)
{
    uint16_t parts[AF_LANES], common[AF_LANES], held[AF_LANES], sum = 0;
    memset(held, 0, sizeof held);
    af_equal_parts(counts, chosen, n_categories, parts, common);
    /* 16 bits throughout, so that the compiler does not widen the lanes */
    for (uint16_t n = 1; n <= n_categories; ++n) {
        uint16_t part = unit / n;
        for (int j = 0; j < AF_LANES; ++j) {
            uint16_t these = parts[j] == n ? 0xFFFF : 0;
            held[j] += (uint16_t)(part * common[j]) & these;
        }
    }
    for (int j = 0; j < AF_LANES; ++j) sum += (uint16_t)(present[j] * (uint16_t)(unit - held[j]));
    return sum;
}

/* The structs are passed by pointer, and their arrays are `restrict`: otherwise the compiler tests in
   every short loop whether they overlap. */

/* The judgments of items in whole blocks. codes are coders x items, `stride` from one coder to the
   next; -1 is missing. `present` is NULL, or the weights if all are 1 or 0. */
typedef struct {
  const int16_t *restrict codes;
  int64_t stride;
  const int64_t *restrict weights;
  const uint16_t *restrict present;
} af_items;

/* The reference of all coders; `chosen` and `mask` are blocks x n_categories x AF_LANES. */
typedef struct {
  int ties;
  int64_t unit, n_categories;
  const uint16_t *restrict chosen, *restrict mask;
} af_reference;

/* moves[ends[s - 1] .. ends[s] - 1] are the coders who join (c) or leave (-1 - c), from the subset
   before or, with `afresh`, from the empty subset. */
typedef struct {
  const int32_t *restrict moves;
  const int64_t *restrict ends;
  int64_t n_subsets;
  int afresh;
} af_moves;

/* Adds to out[s] what subset s changes in one block of items. `counts` is room for n_categories x
   AF_LANES.

   Assumes existing coders, who join before they leave. `references` and `walk` check what the functions
   above assume. */
AF_DISPATCH
static void af_moved(const af_items *restrict items, const af_reference *restrict reference,
                     int64_t block, const af_moves *restrict subsets, uint16_t *restrict counts, int64_t *restrict out)
{
    const int64_t n_categories = reference->n_categories, unit = reference->unit;
    const int64_t stride = items->stride, n_subsets = subsets->n_subsets;
    const int ties = reference->ties, afresh = subsets->afresh;
    const int16_t *restrict codes = items->codes + block * AF_LANES;
    const int64_t *restrict weights = items->weights + block * AF_LANES;
    const uint16_t *restrict present = items->present ? items->present + block * AF_LANES : NULL;
    const uint16_t *restrict chosen = reference->chosen + block * n_categories * AF_LANES;
    const uint16_t *restrict mask = reference->mask + block * n_categories * AF_LANES;
    const int32_t *restrict moves = subsets->moves;
    const int64_t *restrict ends = subsets->ends;
    uint16_t moved[AF_LANES];
    int64_t move = 0, room = n_categories * AF_LANES * (int64_t)sizeof *counts;
    memset(counts, 0, room);
    for (int64_t s = 0; s < n_subsets; ++s) {
        if (afresh) memset(counts, 0, room);
        for (; move < ends[s]; ++move) {
            int32_t coder = moves[move];
            if (coder >= 0)
                af_add_coder(counts, codes + coder * stride, n_categories, 1);
            else
                af_add_coder(counts, codes + (-1 - coder) * stride, n_categories, 0xFFFF);
        }
        if (ties == AF_FRACTIONAL) {
            out[s] += present && unit < 0x10000 / AF_LANES
                          ? af_moved_few_units(counts, chosen, n_categories, present, unit)
                          : af_moved_fractions(counts, chosen, n_categories, weights, unit);
            continue;
        }
        if (ties == AF_MEDIAN)
            af_moved_median(counts, chosen, mask, n_categories, moved);
        else
            af_moved_exact(counts, chosen, mask, n_categories, moved);
        int64_t sum = 0;
        for (int j = 0; j < AF_LANES; ++j) sum += moved[j] ? weights[j] : 0;
        out[s] += sum;
    }
}

#endif
