/* Layouts against the formulas of Apple's descriptions: slots, directions and default strides. */
#include "bnnspy.h"
#include "data_type.h"
#include "parts.h"

#include <string.h>

/*
 * Tuple axis k has size[sizes[k]] and stride[strides[k]], and runs backwards where turned[k] is 1.
 * Written from the descriptions, not from the core's table.
 */
struct formula {
    uint32_t code;
    const char *sizes, *strides, *turned;
};

static const struct formula formulas[] = {
    {0x10000, "0", "0", "0"},                      /* Vector */
    {0x18000, "0", "0", "0"},                      /* 1DLastMajor */
    {0x18001, "0", "0", "0"},                      /* 1DFirstMajor */
    {0x20000, "10", "10", "00"},                   /* RowMajorMatrix: {columns, rows} */
    {0x20001, "01", "01", "00"},                   /* ColumnMajorMatrix */
    {0x28000, "01", "01", "00"},                   /* 2DLastMajor */
    {0x28001, "01", "10", "00"},                   /* 2DFirstMajor */
    {0x30000, "012", "012", "000"},                /* ImageCHW */
    {0x30001, "012", "012", "000"},                /* SNE */
    {0x30002, "012", "012", "000"},                /* NSE */
    {0x30003, "012", "012", "000"},                /* MHA_DHK */
    {0x38000, "012", "012", "000"},                /* 3DLastMajor */
    {0x38001, "012", "210", "000"},                /* 3DFirstMajor */
    {0x40000, "0123", "0123", "0000"},             /* ConvolutionWeightsOIHW */
    {0x40001, "0123", "0123", "1100"},             /* ConvolutionWeightsOIHrWr */
    {0x40002, "0132", "0132", "1100"},             /* ConvolutionWeightsIOHrWr */
    {0x48000, "0123", "0123", "0000"},             /* 4DLastMajor */
    {0x48001, "0123", "3210", "0000"},             /* 4DFirstMajor */
    {0x58000, "01234", "01234", "00000"},          /* 5DLastMajor */
    {0x58001, "01234", "43210", "00000"},          /* 5DFirstMajor */
    {0x68000, "012345", "012345", "000000"},       /* 6DLastMajor */
    {0x68001, "012345", "543210", "000000"},       /* 6DFirstMajor */
    {0x78000, "0123456", "0123456", "0000000"},    /* 7DLastMajor */
    {0x78001, "0123456", "6543210", "0000000"},    /* 7DFirstMajor */
    {0x88000, "01234567", "01234567", "00000000"}, /* 8DLastMajor */
    {0x88001, "01234567", "76543210", "00000000"}, /* 8DFirstMajor */
};
enum { FORMULAS = sizeof formulas / sizeof formulas[0] };

/* The place of a tuple, as the description of the layout has it. */
static size_t place(const struct formula *f, const size_t *size, const size_t *stride,
                    const size_t *tuple)
{
    size_t sum = 0;
    for (unsigned k = 0; f->sizes[k]; k++) {
        const size_t n = size[f->sizes[k] - '0'];
        const size_t i = f->turned[k] == '1' ? n - 1 - tuple[k] : tuple[k];
        sum += i * stride[f->strides[k] - '0'];
    }
    return sum;
}

/* Goes on to the next tuple; 0 after the last. */
static int next_tuple(const struct formula *f, const size_t *size, size_t *tuple)
{
    for (unsigned k = 0; f->sizes[k]; k++) {
        if (++tuple[k] < size[f->sizes[k] - '0'])
            return 1;
        tuple[k] = 0;
    }
    return 0;
}

/* Every element of a view lies where the formula says, with these resolved strides. */
static void compare(const struct formula *f, const BNNSNDArrayDescriptor *d, const size_t *stride)
{
    bnnspy_view view;
    EXPECT(bnnspy_describe(d, "it", &view) == 0);
    EXPECT(view.rank == strlen(f->sizes));
    size_t tuple[8] = {0}, count = 0, highest = 0;
    do {
        ptrdiff_t seen = (ptrdiff_t)view.start;
        for (unsigned k = 0; k < view.rank; k++)
            seen += (ptrdiff_t)tuple[k] * view.stride[k];
        const size_t expected = place(f, d->size, stride, tuple);
        EXPECT(seen == (ptrdiff_t)expected);
        highest = expected > highest ? expected : highest;
        count++;
    } while (next_tuple(f, d->size, tuple));
    EXPECT(view.count == count);
    EXPECT(view.extent == highest + 1);
    for (unsigned k = 0; k < view.rank; k++) {
        EXPECT(view.size_slot[k] == f->sizes[k] - '0');
        EXPECT(view.stride_slot[k] == f->strides[k] - '0');
        EXPECT(view.size[k] == d->size[view.size_slot[k]]);
    }
}

/* The size that a stride slot steps over. */
static size_t size_at_stride(const struct formula *f, const size_t *size, unsigned slot)
{
    for (unsigned k = 0; f->sizes[k]; k++)
        if ((unsigned)(f->strides[k] - '0') == slot)
            return size[f->sizes[k] - '0'];
    return 0;
}

static void one_layout(const struct formula *f)
{
    const unsigned rank = (unsigned)strlen(f->sizes);
    BNNSNDArrayDescriptor d;
    memset(&d, 0, sizeof d);
    d.layout = f->code;
    d.data_type = BNNSDataTypeFloat32;
    EXPECT(BNNSDataLayoutGetRank(d.layout) == rank);
    for (unsigned round = 0; round < 40; round++) {
        size_t stride[8] = {0}, next = 1;
        for (unsigned k = 0; k < rank; k++)
            d.size[k] = (size_t)test_random(1, rank < 5 ? 4 : 2);
        for (unsigned k = rank; k < 8; k++) { /* beyond the rank nothing is looked at */
            d.size[k] = (size_t)test_random(0, 5);
            d.stride[k] = (size_t)test_random(0, 5);
        }
        for (unsigned k = 0; k < rank; k++) {
            const int explicit_stride = test_random(0, 2) != 0;
            stride[k] = explicit_stride ? next + (size_t)test_random(0, 3) : next;
            d.stride[k] = explicit_stride ? stride[k] : 0;
            next = stride[k] * size_at_stride(f, d.size, k);
        }
        compare(f, &d, stride);
    }
}

static void refused(void)
{
    bnnspy_view view, before;
    memset(&view, 0x5A, sizeof view);
    before = view;
    BNNSNDArrayDescriptor d;
    memset(&d, 0, sizeof d);
    for (unsigned k = 0; k < 8; k++)
        d.size[k] = 2;
    const uint32_t codes[] = {0,       1,       0x10001, 0x21001,   0x38002,
                              0x40010, 0x98000, 0x98001, UINT32_MAX};
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        d.layout = codes[i];
        EXPECT((int)bnnspy_describe(&d, "it", &view) == -1);
    }
    d.layout = BNNSDataLayout2DFirstMajor;
    const size_t most = SIZE_MAX;
    const size_t falling[][4] = {{2, 2, 4, 1}, {2, 2, 0, 0}, {3, 2, 7, 6}};
    for (unsigned i = 0; i < 3; i++) {
        memcpy(d.size, falling[i], 2 * sizeof(size_t));
        memcpy(d.stride, falling[i] + 2, 2 * sizeof(size_t));
        EXPECT((int)bnnspy_describe(&d, "it", &view) == (i == 1 ? 0 : -1));
        view = before;
    }
    d.size[0] = 1; /* of one element there is no next: its stride is no fault */
    EXPECT(d.stride[0] > d.stride[1] && bnnspy_describe(&d, "it", &view) == 0);
    view = before;
    const size_t too_large[][4] = {{most, 2, 0, 0}, {most / 2, 2, 0, 0}, {2, 2, 1, most},
                                   {2, 1, most, 0}, {1, 1, most, 0},     {most / 8, 1, 0, 0}};
    for (unsigned i = 0; i < sizeof too_large / sizeof too_large[0]; i++) {
        memcpy(d.size, too_large[i], 2 * sizeof(size_t));
        memcpy(d.stride, too_large[i] + 2, 2 * sizeof(size_t));
        EXPECT((int)bnnspy_describe(&d, "it", &view) == -1);
    }
    EXPECT(memcmp(&view, &before, sizeof view) == 0);
}

void test_layouts(void)
{
    for (unsigned i = 0; i < FORMULAS; i++)
        one_layout(&formulas[i]);
    /* These 26, and the two that no strides can say: no other code is a layout. */
    unsigned known = 0;
    for (uint32_t code = 0; code < 0x100000; code++)
        known += BNNSDataLayoutGetRank(code) != SIZE_MAX;
    EXPECT(known == FORMULAS + 2);
    EXPECT(BNNSDataLayoutGetRank(BNNSDataLayoutFullyConnectedSparse) == 2);
    EXPECT(BNNSDataLayoutGetRank(BNNSDataLayoutConvolutionWeightsOIHW_Pack32) == 4);
    EXPECT(BNNSDataLayoutGetRank(UINT32_MAX) == SIZE_MAX);
    refused();
}

static size_t data_size(uint32_t layout, uint32_t type, const size_t *size, const size_t *stride)
{
    static char memory[1];
    BNNSNDArrayDescriptor d;
    memset(&d, 0, sizeof d);
    d.layout = layout;
    d.data_type = type;
    d.data = memory; /* never read */
    memcpy(d.size, size, sizeof d.size);
    if (stride)
        memcpy(d.stride, stride, sizeof d.stride);
    return BNNSNDArrayGetDataSize(&d);
}

void test_data_sizes(void)
{
    const size_t size[8] = {3, 5, 2, 33, 1, 1, 1, 1};
    const size_t empty[8] = {3, 0}, huge[8] = {SIZE_MAX / 2, 3};
    const size_t padded[8] = {1, 10}, falling[8] = {10, 1};
    unsigned known = 0;
    for (uint32_t type = 0; type < 0x180000; type++)
        known += bnnspy_data_type(type) != NULL;
    EXPECT(known == DATA_TYPE_COUNT);
    for (unsigned i = 0; i < DATA_TYPE_COUNT; i++) {
        const uint32_t type = bnnspy_data_types[i].code;
        const size_t bytes = (type & 0xFF) / 8; /* the low byte of a code is the width in bits */
        EXPECT(bnnspy_data_types[i].bits == (type & 0xFF));
        EXPECT(data_size(BNNSDataLayoutRowMajorMatrix, type, size, NULL) == 15 * bytes);
        EXPECT(data_size(BNNSDataLayoutRowMajorMatrix, type, size, padded) == 43 * bytes);
        EXPECT(data_size(BNNSDataLayoutRowMajorMatrix, type, size, falling) == 0);
        EXPECT(data_size(BNNSDataLayoutRowMajorMatrix, type, empty, NULL) == 0);
        EXPECT(data_size(BNNSDataLayoutRowMajorMatrix, type, huge, NULL) == 0);
        EXPECT(data_size(BNNSDataLayoutFullyConnectedSparse, type, size, NULL) == 0);
        EXPECT(data_size(0, type, size, NULL) == 0);
        const uint32_t pack32 = BNNSDataLayoutConvolutionWeightsOIHW_Pack32;
        EXPECT(data_size(pack32, type, size, NULL) == 32 * 3 * 5 * 2 * 2 * bytes);
        EXPECT(data_size(pack32, type, huge, NULL) == 0);
    }
    EXPECT(data_size(BNNSDataLayoutVector, 0, size, NULL) == 0);
    EXPECT(BNNSNDArrayGetDataSize(NULL) == 0);
}
