/* All that depends on the compiler: every other header is plain C11.

   Results do not depend on the compiler or the processor: no multiplication is fused with an addition
   (CMakeLists.txt), and sums keep their order. `make levels` and `make compilers` compare them. */
#ifndef AGREEMENT_FAST_COMPILER_H
#define AGREEMENT_FAST_COMPILER_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the kernels read several bytes as a word, and need a processor that stores low bytes first"
#endif

/* x87 registers hold more digits than a double, so that sums would depend on the compiler. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "the kernels need doubles that round to 64 bits: compile with -msse2 -mfpmath=sse"
#endif

/* AGREEMENT_FAST_PLAIN selects the code for all other compilers (for tests). */
#if defined(AGREEMENT_FAST_PLAIN)
#elif defined(__GNUC__) || defined(__clang__)
#define AF_GNU
#elif defined(_MSC_VER)
#define AF_MSVC
#include <intrin.h>
#endif

/* A function marked AF_DISPATCH is compiled for three levels of x86-64, and the right one is chosen when
   the module loads. This needs GCC 12 and glibc; other compilers compile the function once. Nothing is
   compiled for the building machine alone. A kernel may leave such functions of a header unused. GCC
   optimizes them more than the rest, whose compilation would take a fifth longer for nothing. */
#if defined(AF_GNU) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    __GNUC__ >= 12 && !defined(AGREEMENT_FAST_ONE_LEVEL)
#define AF_DISPATCH \
  __attribute__((unused, optimize("O3"), \
                 target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#elif defined(AF_GNU)
#define AF_DISPATCH __attribute__((unused))
#else
#define AF_DISPATCH
#endif

/* The number of values processed together: intermediate results stay in the first-level cache. */
#define AF_BLOCK 256

/* Inlined, so that it is compiled for the level of its caller. */
#if defined(AF_GNU)
#define AF_INLINE static inline __attribute__((always_inline))
#elif defined(AF_MSVC)
#define AF_INLINE static __forceinline
#else
#define AF_INLINE static inline
#endif

/* Prefetches memory. It is a hint: any address is allowed. */
#if defined(AF_GNU)
#define AF_FETCH(address) __builtin_prefetch(address)
#elif defined(AF_MSVC) && defined(_M_X64)
#define AF_FETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#elif defined(AF_MSVC) && defined(_M_ARM64)
#define AF_FETCH(address) __prefetch(address)
#else
#define AF_FETCH(address) ((void)(address))
#endif

/* Prefetches an object: tuples of three and short texts take about 60 bytes, often on two lines. */
static inline void af_prefetch(const void *object) {
  AF_FETCH(object);
  AF_FETCH((const char *)object + 40);
}

/* How many bits of a word are set. */
#if defined(AF_GNU)
#define AF_COUNT_BITS(word) __builtin_popcountll(word)
#else
#define AF_COUNT_BITS(word) af_count_bits(word)
#endif

/* Sums of two, four and eight neighbouring bits, and of the eight bytes. */
static inline int af_count_bits(uint64_t word) {
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (int)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* Eight doubles that are added and multiplied lane by lane. */
#if defined(AF_GNU)
typedef double af_vector __attribute__((vector_size(64), aligned(8), may_alias));
#define AF_LANE(vector, k) (vector)[k]

/* sum += a * b */
AF_INLINE void af_add_products(af_vector *sum, const double *a, const double *b) {
  *sum += *(const af_vector *)a * *(const af_vector *)b;
}

/* sum += other */
AF_INLINE void af_add_vector(af_vector *sum, const af_vector *other) { *sum += *other; }
#else
typedef struct {
  double lanes[8];
} af_vector;
#define AF_LANE(vector, k) (vector).lanes[k]

AF_INLINE void af_add_products(af_vector *sum, const double *a, const double *b) {
  for (int k = 0; k < 8; k++) sum->lanes[k] += a[k] * b[k];
}

AF_INLINE void af_add_vector(af_vector *sum, const af_vector *other) {
  for (int k = 0; k < 8; k++) sum->lanes[k] += other->lanes[k];
}
#endif

/* The sum of the lanes, always in the same order. */
AF_INLINE double af_total(const af_vector *v) {
  return ((AF_LANE(*v, 0) + AF_LANE(*v, 1)) + (AF_LANE(*v, 2) + AF_LANE(*v, 3))) +
         ((AF_LANE(*v, 4) + AF_LANE(*v, 5)) + (AF_LANE(*v, 6) + AF_LANE(*v, 7)));
}

#endif
