// The finaliser of MurmurHash3 (Appleby, public domain): every input bit moves every output bit.
#ifndef AF_MIX_H
#define AF_MIX_H

#include <stdint.h>

static inline uint64_t af_mix(uint64_t h) {
    h ^= h >> 33;
    h *= UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 33;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 33;
    return h;
}

#endif
