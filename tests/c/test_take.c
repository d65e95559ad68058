/* bnnspy_take: what it refuses, and axes beyond 32 bits. And indices that change during a call. */
#include "bnnspy.h"
#include "parts.h"

#include <stdatomic.h>
#include <string.h>

/* --- bnnspy_take ---------------------------------------------------------------------------------- */

/* A gather of 2 rows of 3 bytes, by 2 indices, and everything that a test may change of it. */
static struct {
    size_t size[2];
    ptrdiff_t output_stride[2], input_stride[2], index_stride[2];
    bnnspy_strides strides;
    unsigned char input[12], output[6];
    int16_t indices[2];
    const void *given_input, *given_indices;
    void *given_output;
} call;

static void prepare(void)
{
    memset(&call, 0, sizeof call);
    call.size[0] = 2, call.size[1] = 3;
    call.output_stride[0] = 3, call.output_stride[1] = 1;
    call.input_stride[0] = 0, call.input_stride[1] = 1;
    call.index_stride[0] = sizeof call.indices[0];
    call.indices[0] = 3, call.indices[1] = 1;
    for (unsigned k = 0; k < sizeof call.input; k++)
        call.input[k] = (unsigned char)(k + 1);
    call.strides = (bnnspy_strides){.rank = 2,
                                    .size = call.size,
                                    .output_stride = call.output_stride,
                                    .input_stride = call.input_stride,
                                    .index_stride = call.index_stride,
                                    .index_rank = 1,
                                    .axis_size = 4,
                                    .axis_stride = 3,
                                    .item = 1,
                                    .index_type = BNNSDataTypeInt16};
    call.given_input = call.input;
    call.given_indices = call.indices;
    call.given_output = call.output;
}

static int take(void)
{
    return (int)bnnspy_take(&call.strides, call.given_input, call.given_indices, call.given_output,
                            NULL);
}

/* The call is refused for what the sentence says, nothing is written; then it is prepared anew. */
static void refused(const char *argument, const char *sentence)
{
    static const unsigned char untouched[6] = {0};
    EXPECT(take() == bnnspy_status_invalid_parameter);
    EXPECT(strcmp(bnnspy_last_error()->argument, argument) == 0);
    EXPECT(strstr(bnnspy_last_error()->sentence, sentence) != NULL);
    EXPECT(memcmp(call.output, untouched, sizeof untouched) == 0);
    prepare();
}

static void taken(void)
{
    static const unsigned char expected[6] = {10, 11, 12, 4, 5, 6};
    EXPECT(take() == 0);
    EXPECT(memcmp(call.output, expected, sizeof expected) == 0);
    prepare();
}

static void refused_loops(void)
{
    EXPECT((int)bnnspy_take(NULL, call.input, call.indices, call.output, NULL) == -1);
    EXPECT(strcmp(bnnspy_last_error()->sentence, "strides is NULL") == 0);
    call.strides.size = NULL; /* each of the four crashed once */
    refused("strides", "size is NULL, and there are 2 loops");
    call.strides.output_stride = NULL;
    refused("strides", "output_stride is NULL");
    call.strides.input_stride = NULL;
    refused("strides", "input_stride is NULL");
    call.strides.index_stride = NULL;
    refused("strides", "index_stride is NULL");
    call.strides.rank = 65;
    refused("strides", "rank is 65, outside 0..64");
    call.strides.rank = SIZE_MAX;
    refused("strides", "rank is ");
    call.strides.index_rank = 3;
    refused("strides", "3 index loops from 0 on are not among the 2 loops");
    call.strides.first_index_loop = 1, call.strides.index_rank = 2;
    refused("strides", "2 index loops from 1 on are not among the 2 loops");
    call.strides.first_index_loop = 3, call.strides.index_rank = 0;
    refused("strides", "0 index loops from 3 on");
    call.strides.first_index_loop = 2, call.strides.index_rank = SIZE_MAX;
    refused("strides", "index loops from 2 on");
    call.strides.first_index_loop = SIZE_MAX, call.strides.index_rank = 3;
    refused("strides", "3 index loops from ");
    call.strides.item = 0;
    refused("strides", "item is 0");
    call.strides.axis_size = (size_t)PTRDIFF_MAX + 1;
    refused("strides", "axis_size is ");
}

static void refused_memory(void)
{
    call.given_input = NULL;
    refused("input", "input is NULL");
    call.given_output = NULL;
    refused("output", "output is NULL");
    call.given_indices = NULL;
    refused("indices", "indices is NULL");
    call.strides.index_type = (BNNSDataType)0x30020;
    refused("indices", "index_type is 0x30020");
    call.strides.index_type = BNNSDataTypeFloat32;
    refused("indices", "Float32");
    call.strides.index_type = BNNSDataTypeUInt4;
    refused("indices", "UInt4");
    call.strides.index_type = BNNSDataTypeBoolean;
    refused("indices", "Boolean");

    /* What has no element needs no memory; indices without an output are looked at all the same. */
    call.size[1] = 0;
    call.given_input = call.given_output = NULL;
    EXPECT(take() == 0);
    call.indices[1] = 4;
    EXPECT(take() == bnnspy_status_index_out_of_range);
    EXPECT(strstr(bnnspy_last_error()->sentence, "indices[1] is 4, outside 0..3 (axis 0 of data)"));
    call.given_indices = NULL;
    refused("indices", "indices is NULL");
    call.size[0] = 0;
    call.given_input = call.given_indices = call.given_output = NULL;
    EXPECT(take() == 0);
    prepare();
    /* No loop at all: one element, one index, and no array. */
    call.strides.rank = call.strides.index_rank = 0;
    call.strides.size = NULL;
    call.strides.output_stride = call.strides.input_stride = call.strides.index_stride = NULL;
    EXPECT(take() == 0 && call.output[0] == 10 && call.output[1] == 0);
    prepare();
}

/* axis_stride 0: each index means the one element that is there, and the axis can be any length. */
static void long_axis(size_t bound, uint64_t index, uint32_t wrap, int expected)
{
    prepare();
    const uint64_t indices[2] = {index, index};
    call.strides.axis_size = bound;
    call.strides.axis_stride = 0;
    call.strides.index_type = wrap ? BNNSDataTypeInt64 : BNNSDataTypeUInt64;
    call.strides.wrap = wrap;
    call.index_stride[0] = sizeof index;
    call.given_indices = indices;
    EXPECT(take() == expected);
    EXPECT(call.output[0] == (expected == 0));
    prepare();
}

/* The same call with its loops the other way round: the indices go with the second. */
static void exchange_loops(void)
{
    call.size[0] = 3, call.size[1] = 2;
    call.output_stride[0] = 1, call.output_stride[1] = 3;
    call.input_stride[0] = 1, call.input_stride[1] = 0;
    call.index_stride[0] = 0, call.index_stride[1] = sizeof call.indices[0];
    call.strides.first_index_loop = 1;
}

/* Tables that are far for a processor with a small cache: what is fetched is not what is moved. */
static void far_table(size_t rows, size_t width, unsigned picks)
{
    enum { ELEMENTS = 3 << 20, MOST_PICKED = 1 << 20 };
    static uint32_t table[ELEMENTS], out[MOST_PICKED];
    static int64_t places[5000];
    EXPECT(rows * width <= ELEMENTS && picks * width <= MOST_PICKED && picks <= 5000);
    const size_t size[2] = {picks, width};
    const ptrdiff_t row = (ptrdiff_t)(width * sizeof *table);
    const ptrdiff_t output[2] = {row, 4}, input[2] = {0, 4}, index[2] = {8, 0};
    const bnnspy_strides strides = {.rank = 2,
                                    .size = size,
                                    .output_stride = output,
                                    .input_stride = input,
                                    .index_stride = index,
                                    .index_rank = 1,
                                    .axis_size = rows,
                                    .axis_stride = row,
                                    .item = 4,
                                    .index_type = BNNSDataTypeInt64};
    for (size_t k = 0; k < rows * width; k++)
        table[k] = (uint32_t)(k * 2654435761u);
    for (size_t k = 0; k < picks; k++)
        places[k] = (int64_t)(k * 7919 % rows);
    EXPECT(bnnspy_take(&strides, table, places, out, NULL) == 0);
    for (size_t k = 0; k < picks * width; k++)
        EXPECT(out[k] == table[(size_t)places[k / width] * width + k % width]);
}

/* The middle loop has no turn: no index is read, wherever the others would have them. */
static void no_turn_in_the_middle(void)
{
    const size_t size[3] = {2, 0, 3};
    const ptrdiff_t stride[3] = {300, 30, 2};
    call.strides.rank = call.strides.index_rank = 3;
    call.strides.size = size;
    call.strides.output_stride = call.strides.input_stride = call.strides.index_stride = stride;
    call.given_input = call.given_indices = call.given_output = NULL;
    EXPECT(take() == 0);
    prepare();
}

static void wrapping(void)
{
    call.strides.wrap = 1;
    call.indices[0] = -1, call.indices[1] = -3;
    taken();
    call.strides.wrap = 1;
    call.indices[0] = -5;
    EXPECT(take() == bnnspy_status_index_out_of_range && call.output[3] == 0);
    EXPECT(bnnspy_last_error()->valid_from == -4 && bnnspy_last_error()->valid_to == 4);
    EXPECT(strstr(bnnspy_last_error()->sentence, "indices[0] is -5, outside -4..3"));
    prepare();
    call.strides.wrap = 1;
    call.indices[0] = -4, call.indices[1] = -9;
    EXPECT(take() == bnnspy_status_index_out_of_range);
    EXPECT(strstr(bnnspy_last_error()->sentence, "indices[1] is -9, outside -4..3"));
    prepare();
    call.strides.wrap = 1; /* unsigned ones have nothing to wrap */
    call.strides.index_type = BNNSDataTypeUInt16;
    call.indices[0] = -1;
    EXPECT(take() == bnnspy_status_index_out_of_range);
    EXPECT(strstr(bnnspy_last_error()->sentence, "indices[0] is 65535, outside 0..3"));
    EXPECT(bnnspy_last_error()->valid_from == 0);
    prepare();
}

static void long_axes(void)
{
    static const uint64_t bounds[] = {INT32_MAX - 1,
                                      INT32_MAX,
                                      (uint64_t)INT32_MAX + 1,
                                      (uint64_t)INT32_MAX + 2,
                                      UINT32_MAX - UINT64_C(1),
                                      UINT32_MAX,
                                      (uint64_t)UINT32_MAX + 1,
                                      (uint64_t)UINT32_MAX + 2};
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0] && bounds[k] <= PTRDIFF_MAX; k++) {
        const size_t bound = (size_t)bounds[k];
        long_axis(bound, 0, 0, 0);
        long_axis(bound, bound - 1, 0, 0);
        long_axis(bound, bound, 0, -1005);
        long_axis(bound, UINT64_C(1) << 63, 0, -1005);
        long_axis(bound, bound - 1, 1, 0);
        long_axis(bound, 0 - (uint64_t)bound, 1, 0);
        long_axis(bound, ~(uint64_t)bound, 1, -1005);
    }
}

void test_take(void)
{
    prepare();
    taken();
    refused_loops();
    refused_memory();
    no_turn_in_the_middle();
    wrapping();
    exchange_loops();
    taken();
    exchange_loops();
    call.indices[1] = 9;
    EXPECT(take() == bnnspy_status_index_out_of_range);
    EXPECT(strstr(bnnspy_last_error()->sentence, "indices[1] is 9, outside 0..3"));
    EXPECT(bnnspy_last_error()->rank == 1 && bnnspy_last_error()->position[0] == 1);
    prepare();

    far_table(3 << 20, 1, 5000);
    far_table(1 << 20, 3, 5000);
    far_table(1 << 12, 768, 1000);
    long_axes();
}

/* --- indices that are changed between check and use ------------------------------------------------ */

enum { ROWS = 8, WIDTH = 4, PICKS = 9000 }; /* more than are looked at at once */

static struct {
    unsigned char input[ROWS * WIDTH], output[PICKS * WIDTH];
    int32_t picks[PICKS];
    int32_t *last;           /* which index changes */
    _Atomic int32_t instead; /* what comes to stand there; negative for no change */
} changing;

/* On whichever thread is first: by then all indices were checked. */
static void change_last(void)
{
    const int32_t instead = atomic_exchange(&changing.instead, -1);
    if (instead >= 0)
        __atomic_store_n(changing.last, instead, __ATOMIC_RELAXED);
}

static BNNSNDArrayDescriptor tensor(void *data, uint32_t layout, size_t rows, size_t columns,
                                    uint32_t type)
{
    BNNSNDArrayDescriptor d;
    memset(&d, 0, sizeof d);
    d.layout = (BNNSDataLayout)layout;
    d.size[0] = rows;
    d.size[1] = columns;
    d.data_type = (BNNSDataType)type;
    d.data = data;
    return d;
}

/* Gathers while the last index, 5, becomes another; -1 for no change. */
static int gather_while(int32_t instead, size_t threads)
{
    const BNNSFilterParameters parameters = {0, threads, NULL, NULL};
    BNNSNDArrayDescriptor i =
        tensor(changing.input, BNNSDataLayout2DFirstMajor, ROWS, WIDTH, BNNSDataTypeUInt8);
    BNNSNDArrayDescriptor x =
        tensor(changing.picks, BNNSDataLayoutVector, PICKS, 0, BNNSDataTypeInt32);
    BNNSNDArrayDescriptor o =
        tensor(changing.output, BNNSDataLayout2DFirstMajor, PICKS, WIDTH, BNNSDataTypeUInt8);
    memset(changing.output, 0xEE, sizeof changing.output);
    changing.picks[PICKS - 1] = 5;
    changing.last = &changing.picks[PICKS - 1];
    changing.instead = instead;
    test_before_use = change_last;
    const int status = BNNSGather(0, &i, &x, &o, &parameters);
    test_before_use = NULL;
    return status;
}

/* All rows are as the indices say, but the last, which is this one. */
static void last_is(unsigned row)
{
    for (unsigned k = 0; k < PICKS * WIDTH; k++) {
        const unsigned from = k / WIDTH == PICKS - 1 ? row : (unsigned)changing.picks[k / WIDTH];
        EXPECT(changing.output[k] == from * WIDTH + k % WIDTH);
    }
}

/* Whichever thread checks it: then no thread writes. */
static void bad_from_the_start(unsigned place, size_t threads)
{
    const int32_t good = changing.picks[place];
    changing.picks[place] = ROWS;
    EXPECT(gather_while(-1, threads) == bnnspy_status_index_out_of_range);
    EXPECT(bnnspy_last_error()->has_index && bnnspy_last_error()->position[0] == place);
    for (unsigned k = 0; k < PICKS * WIDTH; k++)
        EXPECT(changing.output[k] == 0xEE);
    changing.picks[place] = good;
}

/* An index for each element, down the columns of a table that is packed block by block. */
static void changed_in_columns(size_t threads)
{
    enum { TALL = 1024, COLUMNS = 512, LAST = TALL * COLUMNS - 1 };
    static float table[TALL * COLUMNS], out[TALL * COLUMNS];
    static int32_t each[TALL * COLUMNS];
    const BNNSFilterParameters parameters = {0, threads, NULL, NULL};
    const uint32_t layout = BNNSDataLayout2DFirstMajor;
    BNNSNDArrayDescriptor i = tensor(table, layout, TALL, COLUMNS, BNNSDataTypeFloat32);
    BNNSNDArrayDescriptor x = tensor(each, layout, TALL, COLUMNS, BNNSDataTypeInt32);
    BNNSNDArrayDescriptor o = tensor(out, layout, TALL, COLUMNS, BNNSDataTypeFloat32);
    for (int k = 0; k <= LAST; k++)
        table[k] = (float)k, each[k] = TALL - 1 - k / COLUMNS;
    changing.last = &each[LAST];
    changing.instead = TALL;
    test_before_use = change_last;
    const int status = BNNSGather(0, &i, &x, &o, &parameters);
    test_before_use = NULL;
    EXPECT(status == bnnspy_status_index_out_of_range && !bnnspy_last_error()->has_index);
    EXPECT(strstr(bnnspy_last_error()->sentence, "indices changed during the call") != NULL);
    for (int k = 0; k < LAST; k++)
        EXPECT(out[k] == table[(TALL - 1 - k / COLUMNS) * COLUMNS + k % COLUMNS]);
    EXPECT(out[LAST] == table[LAST % COLUMNS]);
}

void test_changed(void)
{
    for (unsigned k = 0; k < ROWS * WIDTH; k++)
        changing.input[k] = (unsigned char)k;
    for (unsigned k = 0; k < PICKS; k++)
        changing.picks[k] = (int32_t)(k * 3 % ROWS);
    for (size_t threads = 1; threads <= 4; threads++) {
        bad_from_the_start(0, threads);
        bad_from_the_start(PICKS / 2, threads);
        bad_from_the_start(PICKS - 2, threads);
        EXPECT(gather_while(-1, threads) == 0);
        last_is(5);
        EXPECT(gather_while(7, threads) == 0); /* another that is valid: nobody could tell */
        last_is(7);
        EXPECT(gather_while(ROWS, threads) == bnnspy_status_index_out_of_range);
        EXPECT(strstr(bnnspy_last_error()->sentence, "indices changed during the call") != NULL);
        EXPECT(strcmp(bnnspy_last_error()->argument, "indices") == 0);
        EXPECT(!bnnspy_last_error()->has_index);
        last_is(0); /* it counts as 0: no byte from outside the input */
        EXPECT(gather_while(INT32_MAX, threads) == bnnspy_status_index_out_of_range);
        last_is(0);
        changed_in_columns(threads);
    }
}
