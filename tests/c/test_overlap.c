/* Shared bytes, compared with marking every byte of small random views. */
#include "overlap.h"
#include "parts.h"

#include <string.h>

enum { ROOM = 8192 };

static const uint32_t types[] = {BNNSDataTypeInt8,  BNNSDataTypeFloat16, BNNSDataTypeFloat32,
                                 BNNSDataTypeInt64, BNNSDataTypeUInt4,   BNNSDataTypeUInt1,
                                 BNNSDataTypeUInt3};
enum { WHOLE_BYTES = 4, ALL = 7 };

/* A view of some layout (turned axes among them) with strides that rise, nested or not. */
static bnnspy_view some_view(unsigned type_count)
{
    static const uint32_t layouts[] = {0x18000, 0x28000, 0x28001, 0x20000, 0x38001,
                                       0x40001, 0x40002, 0x48000, 0x58001};
    BNNSNDArrayDescriptor d;
    bnnspy_view view;
    do {
        memset(&d, 0, sizeof d);
        d.layout = layouts[test_random(0, 8)];
        d.data_type = types[test_random(0, type_count - 1)];
        const int64_t gap = test_random(0, 1) ? 40 : 6;
        size_t least = (size_t)test_random(1, gap / 2);
        for (unsigned k = 0; k < d.layout >> 16; k++) {
            d.size[k] = (size_t)test_random(1, 4);
            d.stride[k] = least;
            least += (size_t)test_random(0, gap);
        }
        if (test_random(0, 3) == 0)
            memset(d.stride, 0, sizeof d.stride);
    } while (bnnspy_describe(&d, "it", &view) != 0 || view.extent > ROOM / 32);
    return view;
}

/* How often each bit of memory belongs to an element; the first at `from`. */
static void mark(const bnnspy_view *view, size_t from, uint16_t *bits)
{
    memset(bits, 0, ROOM * 8 * sizeof *bits);
    size_t turn[8] = {0};
    for (size_t i = 0; i < view->count; i++) {
        ptrdiff_t element = (ptrdiff_t)view->start;
        for (unsigned k = 0; k < view->rank; k++)
            element += (ptrdiff_t)turn[k] * view->stride[k];
        for (uint32_t b = 0; b < view->bits; b++)
            bits[from * 8 + (size_t)element * view->bits + b]++;
        for (unsigned k = 0; k < view->rank; k++) {
            if (++turn[k] < view->size[k])
                break;
            turn[k] = 0;
        }
    }
}

static int touches(const uint16_t *bits, size_t byte)
{
    for (unsigned b = 0; b < 8; b++)
        if (bits[byte * 8 + b])
            return 1;
    return 0;
}

static unsigned found, none;

static void two_views(unsigned type_count)
{
    static uint16_t in_a[ROOM * 8], in_b[ROOM * 8];
    static char memory[ROOM];
    const bnnspy_view a = some_view(type_count), b = some_view(type_count);
    const size_t at = ROOM / 4 + (size_t)test_random(0, 60);
    const size_t other = ROOM / 4 + (size_t)test_random(0, 60);
    mark(&a, at, in_a);
    mark(&b, other, in_b);
    int shared = 0;
    for (size_t byte = 0; byte < ROOM; byte++)
        shared |= touches(in_a, byte) && touches(in_b, byte);
    const struct extent left = {memory + at, &a}, right = {memory + other, &b};
    const enum overlap answer = bnnspy_overlap(left, right);
    EXPECT(answer == bnnspy_overlap(right, left));
    EXPECT(!(shared && bnnspy_ranges_apart(left, right)));
    if (type_count == WHOLE_BYTES)
        EXPECT(answer == (shared ? OVERLAP_FOUND : OVERLAP_NONE));
    else /* packed elements may be taken to be a byte longer, never shorter */
        EXPECT(!shared || answer == OVERLAP_FOUND);
    found += answer == OVERLAP_FOUND;
    none += answer == OVERLAP_NONE && !bnnspy_ranges_apart(left, right);
}

static void one_view(void)
{
    static uint16_t bits[ROOM * 8];
    const bnnspy_view view = some_view(ALL);
    mark(&view, 0, bits);
    int shared = 0;
    for (size_t i = 0; i < ROOM * 8; i++)
        shared |= bits[i] > 1;
    const enum overlap answer = bnnspy_overlaps_itself(&view);
    EXPECT(answer == (shared ? OVERLAP_FOUND : OVERLAP_NONE));
    found += answer == OVERLAP_FOUND;
    none += answer == OVERLAP_NONE;
}

static bnnspy_view last_major(unsigned rank, const size_t *size, const size_t *stride,
                              uint32_t type)
{
    BNNSNDArrayDescriptor d;
    bnnspy_view view;
    memset(&d, 0, sizeof d);
    d.layout = 0x8000 + 0x10000 * rank;
    d.data_type = type;
    memcpy(d.size, size, rank * sizeof *size);
    memcpy(d.stride, stride, rank * sizeof *stride);
    EXPECT(bnnspy_describe(&d, "it", &view) == 0);
    return view;
}

/* What people do with one matrix: halves of its columns, planes that lie between each other. */
static void usual_cases(void)
{
    static float matrix[64 * 1000];
    const size_t half[2] = {500, 64}, whole_row[2] = {1, 1000};
    const bnnspy_view columns = last_major(2, half, whole_row, BNNSDataTypeFloat32);
    const struct extent left = {(char *)matrix, &columns};
    const struct extent right = {(char *)(matrix + 500), &columns};
    const struct extent on_both = {(char *)(matrix + 499), &columns};
    EXPECT(!bnnspy_ranges_apart(left, right));
    EXPECT(bnnspy_overlap(left, right) == OVERLAP_NONE);
    EXPECT(bnnspy_overlap(left, on_both) == OVERLAP_FOUND);
    EXPECT(bnnspy_overlap(left, left) == OVERLAP_FOUND);
    const size_t pixels[1] = {20000}, channels[1] = {3};
    const bnnspy_view plane = last_major(1, pixels, channels, BNNSDataTypeFloat32);
    const struct extent red = {(char *)matrix, &plane}, blue = {(char *)(matrix + 2), &plane};
    EXPECT(bnnspy_overlap(red, blue) == OVERLAP_NONE);
    const struct extent in_gap = {(char *)matrix + 5, &plane};
    const struct extent on_edge = {(char *)matrix + 9, &plane};
    EXPECT(bnnspy_overlap(red, in_gap) == OVERLAP_NONE);
    EXPECT(bnnspy_overlap(red, on_edge) == OVERLAP_FOUND);
}

/* Sums of many strides that do not nest: the search gives up and says so. */
static void undecided(void)
{
    const size_t size[8] = {8, 13, 10, 10, 6, 9, 8}, one[1] = {1}, packed[1] = {1};
    const size_t stride[8] = {5403, 7535, 10913, 12505, 14575, 16946, 19775};
    static char memory[1 << 20];
    const bnnspy_view wide = last_major(7, size, stride, BNNSDataTypeUInt8);
    const bnnspy_view point = last_major(1, one, packed, BNNSDataTypeUInt8);
    EXPECT(wide.extent <= sizeof memory);
    const struct extent all = {memory, &wide}, single = {memory + 268784, &point};
    EXPECT(bnnspy_overlap(single, all) == OVERLAP_UNDECIDED);
    const size_t few[6] = {3, 11, 4, 6, 9, 12};
    const size_t steps[6] = {5968, 7411, 8642, 11344, 13605, 16251};
    const bnnspy_view itself = last_major(6, few, steps, BNNSDataTypeUInt8);
    EXPECT(bnnspy_overlaps_itself(&itself) == OVERLAP_UNDECIDED);
}

void test_overlap(void)
{
    for (unsigned round = 0; round < 3000; round++)
        two_views(WHOLE_BYTES);
    EXPECT(found > 300 && none > 300);
    for (unsigned round = 0; round < 1000; round++)
        two_views(ALL);
    found = none = 0;
    for (unsigned round = 0; round < 3000; round++)
        one_view();
    EXPECT(found > 300 && none > 300);
    usual_cases();
    undecided();
}
