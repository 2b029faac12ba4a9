/* Asks for memory before it is needed. A hint: the address may be any. */
#ifndef AGREEMENT_FAST_PREFETCH_H
#define AGREEMENT_FAST_PREFETCH_H

static inline void af_prefetch(const void *address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

#endif
