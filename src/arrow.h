/* Arrow's C data and C stream interfaces, as specified, and the texts of a column. */
#ifndef AGREEMENT_FAST_ARROW_H
#define AGREEMENT_FAST_ARROW_H

#include <stdint.h>

#include "numbering.h"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* How texts are laid out: 32-bit offsets, 64-bit offsets, or views of 16 bytes. */
enum { AF_NO_TEXT, AF_OFFSETS, AF_LARGE_OFFSETS, AF_VIEWS };

/* The layout that a schema describes. The layout of a dictionary column is that of its codes. */
static inline int af_layout(const struct ArrowSchema *schema)
{
    if (strcmp(schema->format, "u") == 0) return AF_OFFSETS;
    if (strcmp(schema->format, "U") == 0) return AF_LARGE_OFFSETS;
    return strcmp(schema->format, "vu") == 0 ? AF_VIEWS : AF_NO_TEXT;
}

/* A view: its length, and up to 12 bytes, or a prefix, the number of a buffer and a place there. */
static inline af_text af_viewed(const struct ArrowArray *array, int64_t i)
{
    const uint8_t *view = (const uint8_t *)array->buffers[1] + 16 * i;
    int32_t parts[4];
    memcpy(parts, view, 16);
    if (parts[0] <= 12) return (af_text){view + 4, parts[0]};
    return (af_text){(const uint8_t *)array->buffers[2 + parts[2]] + parts[3], parts[0]};
}

/* Texts first, first + 1, ... of an array. */
static inline void af_take_texts(const struct ArrowArray *array, int layout, int64_t first, int count,
                                 af_text *out)
{
    const uint8_t *valid = (const uint8_t *)array->buffers[0];
    const uint8_t *bytes = layout == AF_VIEWS ? NULL : (const uint8_t *)array->buffers[2];
    first += array->offset;
    if (layout == AF_OFFSETS) {
        const int32_t *ends = (const int32_t *)array->buffers[1] + first;
        for (int i = 0; i < count; i++) out[i] = (af_text){bytes + ends[i], ends[i + 1] - ends[i]};
    } else if (layout == AF_LARGE_OFFSETS) {
        const int64_t *ends = (const int64_t *)array->buffers[1] + first;
        for (int i = 0; i < count; i++) out[i] = (af_text){bytes + ends[i], ends[i + 1] - ends[i]};
    } else {
        for (int i = 0; i < count; i++) out[i] = af_viewed(array, first + i);
    }
    if (valid == NULL) return;
    for (int i = 0; i < count; i++)
        if (!(valid[(first + i) >> 3] >> ((first + i) & 7) & 1)) out[i].length = -1;
}

/* Numbers the texts of an array; returns 0 if memory runs out. */
static inline int af_number_array(af_numbering *known, const struct ArrowArray *array, int layout,
                                  int64_t place, int32_t *out)
{
    af_text texts[AF_RUN];
    for (int64_t begin = 0; begin < array->length; begin += AF_RUN) {
        const int count = array->length - begin < AF_RUN ? (int)(array->length - begin) : AF_RUN;
        af_take_texts(array, layout, begin, count, texts);
        if (!af_number_texts(known, texts, count, place + begin, out + begin)) return 0;
    }
    return 1;
}

#endif
