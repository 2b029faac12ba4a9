/* Compiling a loop for several levels of the instruction set.

   If the compiler and the loader can do it (GCC 12 and glibc on x86-64), a function marked AF_DISPATCH
   is compiled for three levels, and the right one is taken when the module loads. Nothing is compiled
   for the building machine alone. Results do not depend on the level: no multiplication is fused with
   an addition (CMakeLists.txt), and sums keep their order. `make levels` compares them. */
#ifndef AGREEMENT_FAST_DISPATCH_H
#define AGREEMENT_FAST_DISPATCH_H

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 12 && \
    !defined(AGREEMENT_FAST_ONE_LEVEL)
#define AF_DISPATCHES
#define AF_DISPATCH __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define AF_DISPATCH
#endif

/* Values that are looked at together, so that what is made of them stays in the first cache. */
#define AF_BLOCK 256

#endif
