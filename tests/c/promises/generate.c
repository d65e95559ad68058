/* See generate.h. */
#include "generate.h"

#include <string.h>

uint64_t pick(struct source *s, uint64_t n)
{
    if (s->bytes == NULL) {
        s->state ^= s->state << 13;
        s->state ^= s->state >> 7;
        s->state ^= s->state << 17;
        return (s->state >> 8) % n;
    }
    uint64_t value = 0;
    for (uint64_t most = 1; most < n && s->left > 0; most <<= 8) {
        value = value << 8 | *s->bytes++;
        s->left--;
        if (most > n >> 8)
            break;
    }
    return value % n;
}

bool seldom(struct source *s, uint64_t n)
{
    return pick(s, n) == n - 1;
}

static const uint32_t wide_types[] = {
    BNNSDataTypeFloat32, BNNSDataTypeInt8,   BNNSDataTypeInt16,   BNNSDataTypeInt64,
    BNNSDataTypeFloat16, BNNSDataTypeUInt8,  BNNSDataTypeBoolean, BNNSDataTypeBFloat16,
    BNNSDataTypeInt32,   BNNSDataTypeUInt64, BNNSDataTypeUInt16,  BNNSDataTypeIndexed8,
    BNNSDataTypeUInt32,
};
static const uint32_t packed_types[] = {
    BNNSDataTypeUInt4,    BNNSDataTypeInt1,     BNNSDataTypeInt2,     BNNSDataTypeInt4,
    BNNSDataTypeUInt1,    BNNSDataTypeUInt2,    BNNSDataTypeUInt3,    BNNSDataTypeUInt6,
    BNNSDataTypeIndexed1, BNNSDataTypeIndexed2, BNNSDataTypeIndexed4,
};
static const uint32_t index_types[] = {
    BNNSDataTypeInt32,  BNNSDataTypeInt64, BNNSDataTypeUInt8,  BNNSDataTypeInt8,
    BNNSDataTypeUInt32, BNNSDataTypeInt16, BNNSDataTypeUInt64, BNNSDataTypeUInt16,
};
#define ONE_OF(source, list) (list)[pick((source), sizeof(list) / sizeof(list)[0])]

static uint32_t layout_of(struct source *s, unsigned rank)
{
    static const uint32_t others[5][4] = {
        {0},
        {BNNSDataLayoutVector, BNNSDataLayout1DLastMajor, BNNSDataLayout1DFirstMajor, 0x10000},
        {BNNSDataLayoutRowMajorMatrix, BNNSDataLayoutColumnMajorMatrix, 0x20000, 0x28000},
        {BNNSDataLayoutImageCHW, BNNSDataLayoutSNE, BNNSDataLayoutNSE, BNNSDataLayoutMHA_DHK},
        {BNNSDataLayoutConvolutionWeightsOIHW, BNNSDataLayoutConvolutionWeightsOIHrWr,
         BNNSDataLayoutConvolutionWeightsIOHrWr, 0x48000},
    };
    const uint64_t which = pick(s, 6);
    if (which < 4 && rank <= 4)
        return others[rank][which];
    return rank << 16 | 0x8000 | (which & 1);
}

/* Writes sizes, given in tuple order, to the slots of the layout. */
static void put_sizes(BNNSNDArrayDescriptor *d, unsigned rank, const size_t *size)
{
    for (unsigned k = 0; k < rank; k++)
        d->size[k] = size[k];
    const bool swapped = d->layout == BNNSDataLayoutRowMajorMatrix;
    if (swapped || d->layout == BNNSDataLayoutConvolutionWeightsIOHrWr) {
        const unsigned a = swapped ? 0 : 2;
        d->size[a] = size[a + 1];
        d->size[a + 1] = size[a];
    }
}

/* Default strides, padded ones, or (where elements may overlap) small ones. */
static void put_strides(struct source *s, BNNSNDArrayDescriptor *d, unsigned rank, bool windows,
                        unsigned grain)
{
    const bool first_major = (d->layout & 0xFFFF) == 0x8001;
    const uint64_t kind = pick(s, windows ? 5 : 4);
    if (kind < 2)
        return;
    size_t next = 1;
    for (unsigned slot = 0; slot < rank; slot++) {
        const size_t size = d->size[first_major ? rank - 1 - slot : slot];
        const size_t more = kind == 2 && slot != 0 ? 0 : pick(s, 4);
        const size_t stride = slot == 0 && grain > 1 ? 1 : next + more * grain;
        d->stride[slot] = kind == 3 && seldom(s, 4) ? 0 : stride;
        next = kind == 4 ? stride : (d->stride[slot] ? stride : next) * (size > 1 ? size : 1);
    }
}

static void describe(struct source *s, BNNSNDArrayDescriptor *d, unsigned rank, const size_t *size,
                     uint32_t type, bool windows)
{
    memset(d, 0, sizeof *d);
    d->layout = layout_of(s, rank);
    d->data_type = type;
    put_sizes(d, rank, size);
    put_strides(s, d, rank, windows, reference_bits(type) < 8 ? 8 : 1);
}

/* Sizes of a small tensor: most axes short, one perhaps long. */
static void sizes(struct source *s, unsigned rank, bool packed, size_t *size)
{
    size_t total = 1;
    for (unsigned k = 0; k < rank; k++) {
        size[k] = packed ? (size_t)1 << pick(s, 4) : 1 + pick(s, 5);
        if (seldom(s, 24))
            size[k] = 0;
        else if (rank <= 3 && seldom(s, 3))
            size[k] = 1 + pick(s, 300);
        if (total * size[k] > 6000)
            size[k] = 1;
        total *= size[k] ? size[k] : 1;
    }
}

static void fill_indices(struct source *s, struct call *c, size_t bound)
{
    static const uint64_t odd[] = {UINT64_MAX,
                                   (uint64_t)1 << 63,
                                   (uint64_t)1 << 32,
                                   ((uint64_t)1 << 32) + 1,
                                   INT64_MAX,
                                   0x7F,
                                   0x80,
                                   0xFF,
                                   0x7FFF,
                                   0x8000,
                                   0xFFFF,
                                   0x7FFFFFFF,
                                   0x80000000,
                                   0xFFFFFFFF};
    const BNNSNDArrayDescriptor *d = &c->tensor[INDICES];
    const struct buffer *b = &c->buffer[INDICES];
    const unsigned bytes = reference_bits(d->data_type) / 8;
    const bool has_sign = (d->data_type & BNNSDataTypeIntBit) != 0;
    const uint64_t top = (uint64_t)1 << (has_sign ? bytes * 8 - 1 : bytes * 8 - (bytes == 8));
    const uint64_t below = bound < top ? bound : top;
    const size_t lead = (size_t)((unsigned char *)d->data - b->bytes);
    const size_t n = (b->size - lead) / bytes;
    uint64_t state = pick(s, 1 << 16) * 2 + 1;
    const size_t bad = seldom(s, 8) ? pick(s, n + 1) : n;
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t value = below ? (state >> 33) % below : 0;
        if (c->wraps && has_sign && state >> 32 & 1)
            value -= below;
        if (i == bad)
            value = seldom(s, 2) ? bound : ONE_OF(s, odd);
        const uint8_t v8 = (uint8_t)value;
        const uint16_t v16 = (uint16_t)value;
        const uint32_t v32 = (uint32_t)value;
        unsigned char *place = b->bytes + lead + i * bytes;
        memcpy(place,
               bytes == 1   ? (const void *)&v8
               : bytes == 2 ? (const void *)&v16
               : bytes == 4 ? (const void *)&v32
                            : (const void *)&value,
               bytes);
    }
}

/* A buffer for a tensor, and data in it; false when it would be too large. */
static bool place(struct source *s, const struct arena *arena, struct call *c, unsigned t)
{
    BNNSNDArrayDescriptor *d = &c->tensor[t];
    struct places p;
    if (!reference_places(d, &p))
        return false;
    const uint64_t needed = p.empty ? 0 : (p.extent * reference_bits(d->data_type) + 7) / 8;
    const size_t lead = seldom(s, 3) ? pick(s, 16) : 0, more = seldom(s, 4) ? pick(s, 9) : 0;
    if (needed > arena->most - 64)
        return false;
    struct buffer *b = &c->buffer[t];
    b->size = (size_t)needed + lead + more;
    if (t == arena->lack && needed > 0)
        b->size = (size_t)needed + lead - 1;
    b->bytes = arena->give(t, b->size);
    b->before = arena->give(t + TENSORS, b->size);
    d->data = b->bytes + lead;
    c->uses[t] = t;
    for (size_t i = 0; i < b->size; i++)
        b->bytes[i] = (unsigned char)(i * 37 + 11 + t * 101 + (i >> 8));
    return true;
}

bool generate(struct source *s, const struct arena *arena, bool wraps, struct call *c)
{
    const bool packed = seldom(s, 6) && !wraps;
    const uint32_t type = packed ? ONE_OF(s, packed_types) : ONE_OF(s, wide_types);
    const unsigned rank = 1 + (unsigned)(seldom(s, 3) ? pick(s, 8) : pick(s, 3));
    size_t size[8];
    memset(c, 0, sizeof *c);
    c->wraps = wraps;
    sizes(s, rank, packed, size);
    c->axis = (size_t)pick(s, rank);
    describe(s, &c->tensor[INPUT], rank, size, type, true);
    const size_t bound = size[c->axis];
    size[c->axis] = seldom(s, 16) ? 0 : 1 + pick(s, seldom(s, 6) && rank < 3 ? 2500 : 20);
    describe(s, &c->tensor[OUTPUT], rank, size, type, false);
    if (pick(s, 2) == 0)
        describe(s, &c->tensor[INDICES], 1, &size[c->axis], ONE_OF(s, index_types), false);
    else
        describe(s, &c->tensor[INDICES], rank, size, ONE_OF(s, index_types), true);
    for (unsigned t = 0; t < TENSORS; t++)
        if (!place(s, arena, c, t))
            return false;
    fill_indices(s, c, bound);
    return true;
}

void generate_shared(struct source *s, struct call *c)
{
    const unsigned other = (unsigned)pick(s, 2);
    const struct buffer *b = &c->buffer[other];
    c->uses[OUTPUT] = other;
    c->tensor[OUTPUT].data = b->bytes + pick(s, b->size + 1);
}

static uint64_t odd_number(struct source *s, uint64_t was)
{
    switch (pick(s, 6)) {
    case 0: return was + 1;
    case 1: return was - 1;
    case 2: return was * 2;
    case 3: return pick(s, 10);
    case 4: return ((uint64_t)1 << pick(s, 64)) + pick(s, 3) - 1;
    default: return pick(s, UINT64_MAX);
    }
}

void generate_faults(struct source *s, struct call *c)
{
    static const uint32_t layouts[] = {BNNSDataLayoutFullyConnectedSparse,
                                       BNNSDataLayoutConvolutionWeightsOIHW_Pack32,
                                       0x90000,
                                       0x28002,
                                       0,
                                       UINT32_MAX};
    for (uint64_t left = 1 + pick(s, 3); left > 0; left--) {
        BNNSNDArrayDescriptor *d = &c->tensor[pick(s, TENSORS)];
        size_t *number = NULL;
        switch (pick(s, 9)) {
        case 0:
            d->layout = seldom(s, 2) ? ONE_OF(s, layouts) : layout_of(s, 1 + (unsigned)pick(s, 8));
            break;
        case 1:
            d->data_type = seldom(s, 2) ? (uint32_t)odd_number(s, d->data_type)
                                        : ONE_OF(s, wide_types);
            break;
        case 2:
        case 3: number = &d->size[pick(s, 8)]; break;
        case 4:
        case 5: number = &d->stride[pick(s, 8)]; break;
        case 6: d->data = (void *)((uintptr_t)d->data + (uintptr_t)pick(s, 65) - 32); break;
        case 7: d->data = seldom(s, 2) ? (void *)(uintptr_t)odd_number(s, 0) : NULL; break;
        default: number = &c->axis; break;
        }
        if (number != NULL)
            *number = (size_t)odd_number(s, *number);
    }
}

void generate_raw(struct source *s, struct call *c)
{
    for (unsigned t = 0; t < TENSORS; t++) {
        if (pick(s, 4) == 0)
            continue;
        BNNSNDArrayDescriptor *d = &c->tensor[t];
        unsigned char *raw = (unsigned char *)d;
        for (size_t i = 0; i < sizeof *d; i++)
            raw[i] = (unsigned char)pick(s, 256);
        const struct buffer *b = &c->buffer[c->uses[t]];
        if (pick(s, 4) != 0)
            d->data = b->bytes + pick(s, b->size + 1);
        if (pick(s, 4) != 0)
            d->layout = layout_of(s, 1 + (unsigned)pick(s, 8));
        if (pick(s, 4) != 0)
            d->data_type = t == INDICES ? ONE_OF(s, index_types) : BNNSDataTypeUInt8;
    }
}

/* The gather as loops over bytes; false when it is not one that bnnspy_take could be asked for. */
static bool take(const struct call *c, const BNNSFilterParameters *parameters, int *status)
{
    struct places p[TENSORS];
    ptrdiff_t step[TENSORS][8];
    char *origin[TENSORS];
    for (unsigned t = 0; t < TENSORS; t++)
        if (!reference_places(&c->tensor[t], &p[t]) || !reference_inside(c, t, &p[t]) ||
            c->uses[t] != t || c->tensor[t].data == NULL)
            return false;
    for (unsigned t = 0; t < TENSORS; t++) {
        const int64_t bytes = reference_bits(c->tensor[t].data_type) / 8;
        if (bytes == 0)
            return false;
        for (unsigned k = 0; k < p[t].rank; k++)
            step[t][k] = p[t].size[k] > 1 ? (ptrdiff_t)(p[t].stride[k] * bytes) : 0;
        origin[t] = (char *)c->tensor[t].data + (p[t].empty ? 0 : p[t].start * bytes);
    }
    const bool vector = p[INDICES].rank == 1;
    ptrdiff_t index_step[8] = {0};
    for (unsigned k = 0; k < p[OUTPUT].rank; k++)
        index_step[k] = !vector ? step[INDICES][k] : k == c->axis ? step[INDICES][0] : 0;
    const ptrdiff_t axis_step = step[INPUT][c->axis];
    step[INPUT][c->axis] = 0;
    const bnnspy_strides strides = {.rank = p[OUTPUT].rank,
                                    .size = p[OUTPUT].size,
                                    .output_stride = step[OUTPUT],
                                    .input_stride = step[INPUT],
                                    .index_stride = index_step,
                                    .first_index_loop = vector ? c->axis : 0,
                                    .index_rank = vector ? 1 : p[OUTPUT].rank,
                                    .axis = c->axis,
                                    .axis_size = p[INPUT].size[c->axis],
                                    .axis_stride = axis_step,
                                    .item = reference_bits(c->tensor[INPUT].data_type) / 8,
                                    .index_type = c->tensor[INDICES].data_type,
                                    .wrap = c->wraps};
    *status =
        (int)bnnspy_take(&strides, origin[INPUT], origin[INDICES], origin[OUTPUT], parameters);
    return true;
}

int hand_over(const struct call *c, enum door door, const BNNSFilterParameters *parameters)
{
    bnnspy_bounded record[TENSORS];
    int status;
    if (door == DOOR_TAKE && take(c, parameters, &status))
        return status;
    bool safe = true;
    for (unsigned t = 0; t < TENSORS; t++) {
        const struct buffer *b = &c->buffer[c->uses[t]];
        memset(&record[t], 0, sizeof record[t]);
        record[t].descriptor = c->tensor[t];
        record[t].base = b->bytes;
        record[t].nbytes = b->size;
        record[t].writable = record[t].live = 1;
        struct places p;
        if (reference_places(&c->tensor[t], &p))
            safe &= reference_inside(c, t, &p);
        if (door == DOOR_BOUND && c->tensor[t].data != NULL) {
            unsigned char *data = c->tensor[t].data;
            if ((uintptr_t)data >= (uintptr_t)b->bytes &&
                (uintptr_t)data - (uintptr_t)b->bytes <= b->size)
                (void)bnnspy_bind(&record[t], &record[t], data, b->size - (size_t)(data - b->bytes),
                                  1, 0);
        }
    }
    if (door == DOOR_PUBLIC && safe) {
        BNNSNDArrayDescriptor output = c->tensor[OUTPUT];
        return BNNSGather(c->axis, &c->tensor[INPUT], &c->tensor[INDICES], &output, parameters);
    }
    return (int)bnnspy_gather(c->axis, &record[INPUT], &record[INDICES], &record[OUTPUT],
                              parameters);
}
