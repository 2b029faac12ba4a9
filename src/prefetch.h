/* Asks for memory before it is needed. A hint: the address may be any. */
#ifndef AGREEMENT_FAST_PREFETCH_H
#define AGREEMENT_FAST_PREFETCH_H

/* An object: tuples of three and short texts take about 60 bytes, and often lie on two lines. */
static inline void af_prefetch(const void *object) {
#if defined(__GNUC__)
  __builtin_prefetch(object);
  __builtin_prefetch((const char *)object + 40);
#else
  (void)object;
#endif
}

#endif
