/* Hashes with secrets, drawn by every process: nobody can write labels or ids that share slots of
   a hash table. No result depends on them. */
#ifndef AF_MIX_H
#define AF_MIX_H

#include <stdint.h>
#include <string.h>

/* One to add, one to multiply by, one to begin texts with, and the two words of a key. Each kernel that
   includes this header has its own. */
enum { AF_SECRETS = 5 };
static uint64_t af_secrets[AF_SECRETS];

static inline void af_set_secrets(const uint8_t *bytes)
{
    memcpy(af_secrets, bytes, sizeof af_secrets);
    af_secrets[1] |= 1;
}

/* Every input bit moves every output bit; different words stay different. */
static inline uint64_t af_mix(uint64_t h)
{
    h += af_secrets[0];
    h ^= h >> 32;
    h *= af_secrets[1];
    h ^= h >> 29;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 32;
    return h;
}

static inline void af_sip_round(uint64_t v[4])
{
#define AF_ROTATED(x, bits) ((x) << (bits) | (x) >> (64 - (bits)))
    v[0] += v[1];
    v[2] += v[3];
    v[1] = AF_ROTATED(v[1], 13) ^ v[0];
    v[3] = AF_ROTATED(v[3], 16) ^ v[2];
    v[0] = AF_ROTATED(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = AF_ROTATED(v[1], 17) ^ v[2];
    v[3] = AF_ROTATED(v[3], 21) ^ v[0];
    v[2] = AF_ROTATED(v[2], 32);
#undef AF_ROTATED
}

/* SipHash-1-3 with 128 bits (Aumasson & Bernstein 2012), by which texts are known that are not kept. */
static inline void af_keyed_hash(const char *text, int64_t length, uint64_t out[2])
{
    const uint64_t key = af_secrets[3], other = af_secrets[4];
    uint64_t word, v[4] = {key ^ UINT64_C(0x736f6d6570736575), other ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
                           key ^ UINT64_C(0x6c7967656e657261), other ^ UINT64_C(0x7465646279746573)};
    int64_t place = 0;
    for (; place + 8 <= length; place += 8) {
        memcpy(&word, text + place, 8);
        v[3] ^= word;
        af_sip_round(v);
        v[0] ^= word;
    }
    word = 0;
    memcpy(&word, text + place, (size_t)(length - place));
    word |= (uint64_t)length << 56;
    v[3] ^= word;
    af_sip_round(v);
    v[0] ^= word;
    v[2] ^= 0xee;
    for (int i = 0; i < 3; i++) af_sip_round(v);
    out[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    for (int i = 0; i < 3; i++) af_sip_round(v);
    out[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif
