/* Chebyshev's nodes, between which a polynomial is nearly a smooth function. */
#ifndef AGREEMENT_FAST_CHEBYSHEV_H
#define AGREEMENT_FAST_CHEBYSHEV_H

#define AF_NODES 16

/* cos((2 k + 1) π / 32) */
static inline double af_node(int k) {
  static const double half[AF_NODES / 2] = {0.9951847266721969,  0.9569403357322088,  0.881921264348355,
                                            0.773010453362737,   0.6343932841636455,  0.4713967368259978,
                                            0.29028467725446233, 0.09801714032956077};
  return k < AF_NODES / 2 ? half[k] : -half[AF_NODES - 1 - k];
}

#endif
