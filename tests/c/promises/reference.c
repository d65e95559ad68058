/* See reference.h. Sources of the layouts: the formulas of Apple's BNNSDataLayout. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

unsigned reference_bits(uint32_t type)
{
    static const uint32_t known[] = {
        0x10010, 0x10020, 0x18010, 0x20001, 0x20002, 0x20004, 0x20008, 0x20010,
        0x20020, 0x20040, 0x40001, 0x40002, 0x40003, 0x40004, 0x40006, 0x40008,
        0x40010, 0x40020, 0x40040, 0x80001, 0x80002, 0x80004, 0x80008, 0x100008,
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i] == type)
            return type & 0xFF; /* Apple's codes end with the width */
    return 0;
}

/* The rank of a layout that strides can say, or 0. */
static unsigned rank_of(uint32_t layout)
{
    const unsigned rank = layout >> 16, low = layout & 0xFFFF;
    if (rank < 1 || rank > 8)
        return 0;
    if (low == 0x8000 || low == 0x8001)
        return rank;
    switch (rank) {
    case 1: return low == 0 ? 1 : 0;
    case 2: return low <= 1 ? 2 : 0;
    case 3: return low <= 3 ? 3 : 0;
    case 4: return low <= 2 ? 4 : 0;
    default: return 0;
    }
}

bool reference_places(const BNNSNDArrayDescriptor *d, struct places *p)
{
    const uint32_t layout = d->layout;
    const unsigned n = rank_of(layout);
    const bool first_major = (layout & 0xFFFF) == 0x8001;
    uint64_t stride[8], next = 1, before = 0;
    bool lost = false; /* the default does not fit */
    if (n == 0)
        return false;
    for (unsigned slot = 0; slot < n; slot++) {
        const uint64_t size = d->size[first_major ? n - 1 - slot : slot];
        stride[slot] = d->stride[slot] != 0 ? d->stride[slot] : next;
        if (d->stride[slot] == 0 && lost)
            return false;
        if (stride[slot] > PTRDIFF_MAX || (size > 1 && stride[slot] < before))
            return false;
        if (size > 1)
            before = stride[slot];
        lost = __builtin_mul_overflow(stride[slot], size > 1 ? size : 1, &next);
    }
    *p = (struct places){.rank = n, .extent = 1};
    uint64_t count = 1;
    for (unsigned k = 0; k < n; k++) {
        unsigned size_slot = k, stride_slot = first_major ? n - 1 - k : k;
        bool backwards = false;
        if (layout == BNNSDataLayoutRowMajorMatrix)
            size_slot = stride_slot = 1 - k;
        if (layout == BNNSDataLayoutConvolutionWeightsIOHrWr && k > 1)
            size_slot = stride_slot = 5 - k;
        if (layout == BNNSDataLayoutConvolutionWeightsOIHrWr ||
            layout == BNNSDataLayoutConvolutionWeightsIOHrWr)
            backwards = k < 2;
        const uint64_t size = d->size[size_slot], turns = size > 1 ? size - 1 : 0;
        uint64_t way;
        if (__builtin_mul_overflow(turns, stride[stride_slot], &way) ||
            __builtin_add_overflow(p->extent, way, &p->extent) ||
            __builtin_mul_overflow(count, turns + 1, &count))
            return false;
        p->size[k] = d->size[size_slot];
        p->stride[k] = backwards ? -(int64_t)stride[stride_slot] : (int64_t)stride[stride_slot];
        p->start += backwards ? (int64_t)way : 0;
        p->empty |= size == 0;
    }
    return p->extent <= (uint64_t)1 << 56;
}

bool reference_inside(const struct call *c, unsigned t, const struct places *p)
{
    const struct buffer *b = &c->buffer[c->uses[t]];
    const uintptr_t data = (uintptr_t)c->tensor[t].data, from = (uintptr_t)b->bytes;
    const uint64_t bytes = (p->extent * reference_bits(c->tensor[t].data_type) + 7) / 8;
    if (p->empty)
        return true;
    return data >= from && data - from <= b->size && bytes <= b->size - (data - from);
}

static bool step(size_t *at, const struct places *p)
{
    for (unsigned k = p->rank; k-- > 0;) {
        if (++at[k] < p->size[k])
            return true;
        at[k] = 0;
    }
    return false;
}

/* The bit at which the element begins, from data. */
static int64_t bit_of(const struct call *c, unsigned t, const struct places *p, const size_t *at)
{
    int64_t element = p->start;
    for (unsigned k = 0; k < p->rank; k++)
        if (p->size[k] > 1)
            element += (int64_t)at[k] * p->stride[k];
    return element * (int64_t)reference_bits(c->tensor[t].data_type);
}

/* The bytes of a tensor as they were before the call. */
static const unsigned char *before(const struct call *c, unsigned t)
{
    const struct buffer *b = &c->buffer[c->uses[t]];
    return b->before + ((unsigned char *)c->tensor[t].data - b->bytes);
}

/* One index; false when it is out of range. */
static bool index_at(const struct call *c, const struct places *p, const size_t *at, size_t bound,
                     size_t *index)
{
    const unsigned char *place = before(c, INDICES) + bit_of(c, INDICES, p, at) / 8;
    const unsigned bits = reference_bits(c->tensor[INDICES].data_type);
    const bool has_sign = (c->tensor[INDICES].data_type & BNNSDataTypeIntBit) != 0;
    uint64_t value;
    switch (bits) {
    case 8: value = *place; break;
    case 16: value = *(const uint16_t *)memcpy(&(uint16_t){0}, place, 2); break;
    case 32: value = *(const uint32_t *)memcpy(&(uint32_t){0}, place, 4); break;
    default: value = *(const uint64_t *)memcpy(&(uint64_t){0}, place, 8); break;
    }
    if (has_sign && value >> (bits - 1) & 1) {
        const uint64_t down = bits == 64 ? -value : ((uint64_t)1 << bits) - value; /* below 0 */
        if (!c->wraps || down > bound)
            return false;
        value = bound - down;
    }
    *index = (size_t)value;
    return value < bound;
}

bool reference_bad_index(const struct call *c)
{
    struct places in, x;
    size_t at[8] = {0}, index;
    if (!reference_places(&c->tensor[INPUT], &in) || !reference_places(&c->tensor[INDICES], &x) ||
        x.empty || c->axis >= in.rank)
        return false;
    do {
        if (!index_at(c, &x, at, in.size[c->axis], &index))
            return true;
    } while (step(at, &x));
    return false;
}

void reference_remember(struct call *c)
{
    for (unsigned b = 0; b < TENSORS; b++)
        if (c->buffer[b].size != 0)
            memcpy(c->buffer[b].before, c->buffer[b].bytes, c->buffer[b].size);
}

static bool fits(const struct call *c, const struct places *in, const struct places *x,
                 const struct places *out)
{
    bool good = in->rank == out->rank && c->axis < in->rank &&
                (x->rank == 1 || x->rank == in->rank);
    for (unsigned k = 0; good && k < in->rank; k++) {
        good = k == c->axis || in->size[k] == out->size[k];
        if (x->rank > 1)
            good &= x->size[k] == out->size[k];
    }
    return good && (x->rank > 1 || x->size[0] == out->size[c->axis]);
}

/* Marks the bits of output's elements; false when one is there twice. */
static bool mark(const struct call *c, const struct places *out, unsigned char *marks)
{
    const int64_t data = (unsigned char *)c->tensor[OUTPUT].data - c->buffer[c->uses[OUTPUT]].bytes;
    const unsigned bits = reference_bits(c->tensor[OUTPUT].data_type);
    size_t at[8] = {0};
    do {
        const int64_t first = data * 8 + bit_of(c, OUTPUT, out, at);
        for (int64_t bit = first; bit < first + bits; bit++) {
            if (marks[bit / 8] >> (bit % 8) & 1)
                return false;
            marks[bit / 8] |= (unsigned char)(1u << (bit % 8));
        }
    } while (step(at, out));
    return true;
}

/* True when an element of the tensor has a byte of which a bit is marked. */
static bool touches(const struct call *c, unsigned t, const struct places *p,
                    const unsigned char *marks)
{
    const int64_t data = (unsigned char *)c->tensor[t].data - c->buffer[c->uses[t]].bytes;
    const unsigned bits = reference_bits(c->tensor[t].data_type);
    size_t at[8] = {0};
    do {
        const int64_t first = data * 8 + bit_of(c, t, p, at);
        for (int64_t byte = first / 8; byte <= (first + bits - 1) / 8; byte++)
            if (marks[byte] != 0)
                return true;
    } while (step(at, p));
    return false;
}

static void move_bits(unsigned char *to, int64_t at, const unsigned char *from, int64_t source,
                      unsigned bits)
{
    for (unsigned bit = 0; bit < bits; bit++, at++, source++) {
        const unsigned set = from[source / 8] >> (source % 8) & 1u;
        to[at / 8] = (unsigned char)((to[at / 8] & ~(1u << (at % 8))) | set << (at % 8));
    }
}

/* What the output's buffer has to hold; NULL, or what is wrong with the call that did succeed. */
static const char *gather(const struct call *c, unsigned char *expected)
{
    struct places in, x, out;
    if (!reference_places(&c->tensor[INPUT], &in) || !reference_places(&c->tensor[INDICES], &x) ||
        !reference_places(&c->tensor[OUTPUT], &out))
        return "succeeded with a descriptor that can't be understood";
    if (!fits(c, &in, &x, &out))
        return "succeeded with shapes that do not fit";
    if (out.empty)
        return NULL;
    for (unsigned t = 0; t < TENSORS; t++)
        if (!reference_inside(c, t, t == INPUT ? &in : t == INDICES ? &x : &out))
            return "succeeded with a tensor that is larger than its memory";
    size_t at[8] = {0};
    do {
        size_t from[8], index = 0;
        memcpy(from, at, sizeof from);
        if (!index_at(c, &x, x.rank == 1 ? &at[c->axis] : at, in.size[c->axis], &index))
            return "succeeded with an index out of range";
        from[c->axis] = index;
        const int64_t data =
            (unsigned char *)c->tensor[OUTPUT].data - c->buffer[c->uses[OUTPUT]].bytes;
        move_bits(expected, data * 8 + bit_of(c, OUTPUT, &out, at), before(c, INPUT),
                  bit_of(c, INPUT, &in, from), reference_bits(c->tensor[INPUT].data_type));
    } while (step(at, &out));
    unsigned char *marks = calloc(c->buffer[c->uses[OUTPUT]].size + 8, 1);
    const char *wrong = NULL;
    if (!mark(c, &out, marks))
        wrong = "succeeded with an output whose elements overlap";
    else if ((c->uses[INPUT] == c->uses[OUTPUT] && touches(c, INPUT, &in, marks)) ||
             (c->uses[INDICES] == c->uses[OUTPUT] && touches(c, INDICES, &x, marks)))
        wrong = "succeeded with an output that overlaps input or indices";
    free(marks);
    return wrong;
}

/* Every buffer is as it was, but for the output's, which is as expected (NULL: as it was). */
static const char *compare(const struct call *c, const unsigned char *expected)
{
    for (unsigned b = 0; b < TENSORS; b++) {
        const struct buffer *buffer = &c->buffer[b];
        const bool output = expected != NULL && b == c->uses[OUTPUT];
        if (buffer->size != 0 &&
            memcmp(buffer->bytes, output ? expected : buffer->before, buffer->size) != 0)
            return output ? "wrong bytes in the output's memory" : "memory changed";
    }
    return NULL;
}

const char *reference_judge(const struct call *c, int status)
{
    if (status == bnnspy_status_success) {
        const struct buffer *b = &c->buffer[c->uses[OUTPUT]];
        unsigned char *expected = malloc(b->size + 8);
        if (b->size != 0)
            memcpy(expected, b->before, b->size);
        const char *wrong = gather(c, expected);
        if (wrong == NULL)
            wrong = compare(c, expected);
        free(expected);
        return wrong;
    }
    if (status != bnnspy_status_invalid_parameter && status != bnnspy_status_shape_mismatch &&
        status != bnnspy_status_index_out_of_range)
        return "a status that is none";
    if (status == bnnspy_status_index_out_of_range && !reference_bad_index(c))
        return "-1005 without an index out of range";
    return compare(c, NULL);
}
