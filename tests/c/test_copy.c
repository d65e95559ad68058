/*
 * Copies over any strides, against loops that move one byte at a time: each variant of the turning
 * kernels by itself, runs of every length, and whole copies by several threads. Everything lies between
 * guard bytes, and all bytes that belong to no element have to stay.
 */
/* Anonymous memory is no part of C11. */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "copy/copies.h"
#include "copy/copy_plan.h"
#include "copy/runs.h"
#include "copy/turn.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD = 0x5A, AROUND = 128 };

/* Memory between guards that begins `offset` bytes behind a line, so that it may not be aligned. */
struct memory {
    unsigned char *whole, *body;
    size_t nbytes, around;
};

static struct memory memory_of(size_t nbytes, size_t offset)
{
    struct memory m = {NULL, NULL, nbytes + 2 * AROUND + 64, AROUND};
    m.whole = aligned_alloc(64, (m.nbytes + 63) / 64 * 64);
    memset(m.whole, GUARD, m.nbytes);
    m.body = m.whole + AROUND + offset;
    return m;
}

static void fill(struct memory m)
{
    for (size_t i = 0; i < m.nbytes; i++)
        m.whole[i] = (unsigned char)test_random(0, 255);
}

/* A plane of some size, pitches and places: turned, and byte for byte what it has to be. */
static void turn_one(void (*turn)(const struct plane *), size_t rows, size_t cols, unsigned width,
                     size_t gap, bool large)
{
    const size_t in_pitch = cols * width + gap, out_pitch = rows * width + gap * 2;
    struct memory in = memory_of(rows * in_pitch, (size_t)test_random(0, 63));
    struct memory out = memory_of(cols * out_pitch, large ? 0 : (size_t)test_random(0, 63));
    struct memory wanted = memory_of(cols * out_pitch, (size_t)(out.body - out.whole) - AROUND);
    fill(in);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            for (size_t byte = 0; byte < width; byte++)
                wanted.body[c * out_pitch + r * width + byte] =
                    in.body[r * in_pitch + c * width + byte];
    const struct plane plane = {
        .out = (char *)out.body,
        .in = (const char *)in.body,
        .out_pitch = (ptrdiff_t)out_pitch,
        .in_pitch = (ptrdiff_t)in_pitch,
        .rows = rows,
        .cols = cols,
        .width = width,
        .large = large,
    };
    turn(&plane);
    EXPECT(memcmp(out.whole, wanted.whole, out.nbytes) == 0);
    free(in.whole);
    free(out.whole);
    free(wanted.whole);
}

static const unsigned widths[] = {1, 2, 3, 4, 6, 8, 12, 16};

static void turn_all(void (*turn)(const struct plane *))
{
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const unsigned width = widths[w];
        for (size_t rows = 1; rows <= 5; rows++) /* a few: also dense, and side by side */
            for (size_t cols = 1; cols <= 40; cols += 3) {
                turn_one(turn, rows, cols, width, 0, false);
                turn_one(turn, cols, rows, width, 0, false);
                turn_one(turn, rows, cols, width, (size_t)test_random(1, 9), false);
            }
        for (unsigned n = 0; n < 60; n++)
            turn_one(turn, (size_t)test_random(1, 150), (size_t)test_random(1, 150), width,
                     n % 2 ? 0 : (size_t)test_random(1, 40), n % 3 == 0);
        /* Pitches of 1024, with and without lines at the same place in each row. */
        for (unsigned n = 0; n < 6; n++)
            turn_one(turn, 1024 / width - (n % 3), 70 + n, width, n % 3 * width, n % 2);
        turn_one(turn, 1024, 100, width, 0, true);
        turn_one(turn, 300, 1024, width, 0, true);
    }
}

static void backwards(void)
{
    char in[3 * 5], out[3 * 5];
    for (int i = 0; i < 15; i++)
        in[i] = (char)i;
    /* Row 0 is the last one in memory: a kernel's layout has that. */
    const struct plane plane = {.out = out,
                                .in = in + 10,
                                .out_pitch = 3,
                                .in_pitch = -5,
                                .rows = 3,
                                .cols = 5,
                                .width = 1};
    bnnspy_turn(&plane);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 5; c++)
            EXPECT(out[c * 3 + r] == (2 - r) * 5 + c);
}

void test_turn(void)
{
#define TURN(name, needs)                                                                          \
    if (((needs) & bnnspy_cpu_features()) == (needs))                                              \
        turn_all(bnnspy_turn_##name);
    BNNSPY_TURNERS(TURN)
#undef TURN
    turn_all(bnnspy_turn);
    backwards();
}

static void runs_of(size_t run, size_t count, size_t out_gap, ptrdiff_t in_step, bool stream)
{
    const size_t out_step = run + out_gap;
    struct memory in = memory_of(run + (size_t)in_step * count, (size_t)test_random(0, 63));
    struct memory out = memory_of(out_step * count, (size_t)test_random(0, 63));
    struct memory wanted = memory_of(out_step * count, (size_t)(out.body - out.whole) - AROUND);
    fill(in);
    for (size_t i = 0; i < count; i++)
        for (size_t byte = 0; byte < run; byte++)
            wanted.body[i * out_step + byte] = in.body[(ptrdiff_t)i * in_step + (ptrdiff_t)byte];
    const struct runs runs = {
        (char *)out.body, (const char *)in.body, (ptrdiff_t)out_step, in_step, count, run, stream};
    bnnspy_copy_runs(&runs);
    EXPECT(memcmp(out.whole, wanted.whole, out.nbytes) == 0);
    free(in.whole);
    free(out.whole);
    free(wanted.whole);
}

void test_runs(void)
{
    for (size_t run = 1; run <= 200; run++) {
        for (size_t count = 1; count <= 7; count += 3) {
            runs_of(run, count, 0, (ptrdiff_t)run + 3, false);
            runs_of(run, count, 5, (ptrdiff_t)run, run % 2);
            runs_of(run, count, 0, 0, false);
        }
    }
    for (unsigned n = 0; n < 40; n++) {
        const size_t run = (size_t)test_random(200, 9000);
        runs_of(run, 3, (size_t)test_random(0, 70), (ptrdiff_t)test_random(0, 9000), n % 2);
    }
    runs_of(12, 1000, 0, 0, false); /* one run again and again, beyond what is copied at a time */
}

/* Some loops over bytes that no two turns share in the output: like those of a tensor. */
static void whole(size_t item, size_t threads, bool large)
{
    const unsigned n = (unsigned)test_random(1, 4);
    const size_t most = large ? 40 : 7;
    struct copy c = {.n = n, .run = item};
    unsigned order[4] = {0, 1, 2, 3};
    for (unsigned k = n; k-- > 1;) { /* the input's axes in another order */
        const unsigned other = (unsigned)test_random(0, k), held = order[k];
        order[k] = order[other];
        order[other] = held;
    }
    int64_t out_step = (int64_t)item, in_step = (int64_t)item;
    for (unsigned k = n; k-- > 0;) {
        c.loops[k].count = (size_t)test_random(1, (int64_t)most);
        c.loops[k].step[COPY_OUT] = out_step;
        out_step = out_step * (int64_t)c.loops[k].count + (test_random(0, 3) == 0 ? 4 : 0);
    }
    for (unsigned k = 0; k < n; k++) {
        struct loop *loop = &c.loops[order[k]];
        loop->step[COPY_IN] = test_random(0, 7) == 0 ? 0 : in_step;
        in_step = in_step * (int64_t)loop->count + (test_random(0, 3) == 0 ? 4 : 0);
    }
    struct memory in = memory_of((size_t)in_step + item, 0);
    struct memory out = memory_of((size_t)out_step + item, (size_t)test_random(0, 63));
    struct memory wanted =
        memory_of((size_t)out_step + item, (size_t)(out.body - out.whole) - AROUND);
    fill(in);
    struct place place;
    bnnspy_begin(&place, n);
    do
        memcpy(wanted.body + place.offset[COPY_OUT], in.body + place.offset[COPY_IN], item);
    while (bnnspy_next(&place, c.loops, n));
    c.out = (char *)out.body;
    c.in = (const char *)in.body;
    const BNNSFilterParameters parameters = {0, threads, NULL, NULL};
    c.parameters = &parameters;
    bnnspy_copy_fold(&c);
    bnnspy_copy(&c);
    EXPECT(memcmp(out.whole, wanted.whole, out.nbytes) == 0);
    free(in.whole);
    free(out.whole);
    free(wanted.whole);
}

void test_copies(void)
{
    static const size_t items[] = {1, 2, 3, 4, 5, 8, 16, 20};
    for (unsigned n = 0; n < 1200; n++)
        whole(items[n % 8], 1 + n / 8 % 7, n % 10 == 0);
}

/* A matrix of `rows` by `cols`, its axes exchanged; `pad` bytes behind each row of the input. */
static struct copy_plan plan_of(size_t rows, size_t cols, size_t width, size_t pad)
{
    const int64_t item = (int64_t)width;
    struct copy c = {.n = 2, .run = width};
    c.loops[0] = (struct loop){cols, {(int64_t)(rows * width), item}};
    c.loops[1] = (struct loop){rows, {item, (int64_t)(cols * width + pad)}};
    bnnspy_copy_fold(&c);
    struct copy_plan plan;
    bnnspy_copy_plan(&c, &plan);
    return plan;
}

void test_copy_plan(void)
{
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        EXPECT(plan_of(30, 40, widths[w], 0).turns);
        EXPECT(plan_of(30, 40, widths[w], widths[w]).turns);
        EXPECT(!plan_of(1, 40, widths[w], 0).turns); /* nothing is left but a run */
    }
    EXPECT(!plan_of(30, 40, 20, 0).turns);
    EXPECT(plan_of(30, 40, 4, 0).threads < 2);
    EXPECT(plan_of(1000, 1000, 4, 0).threads >= 2);
    EXPECT(!plan_of(1000, 1000, 4, 0).large);
    EXPECT(plan_of((size_t)1 << 20, 4096, 4, 0).large); /* no cache is so large */
    EXPECT(plan_of((size_t)1 << 20, 4096, 2048, 0).stream);
    EXPECT(!plan_of((size_t)1 << 20, 4096, 20, 0).stream);
    EXPECT(!plan_of(10, 10, 2048, 0).stream);
}

/* --- what BNNSTranspose promises of memory ------------------------------------------------------- */

/* Memory of which both ends meet pages that may not be touched: at its beginning, or at its end. */
struct pages {
    char *whole, *body;
    size_t nbytes;
};

static struct pages pages_of(size_t nbytes, int at_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), middle = (nbytes + page - 1) / page * page;
    struct pages p = {NULL, NULL, middle + 2 * page};
    p.whole = mmap(NULL, p.nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    EXPECT(p.whole != MAP_FAILED);
    EXPECT(mprotect(p.whole, page, PROT_NONE) == 0);
    EXPECT(mprotect(p.whole + page + middle, page, PROT_NONE) == 0);
    p.body = p.whole + page + (at_end ? middle - nbytes : 0);
    return p;
}

static const struct {
    size_t batches, rows, cols;
} planes[] = {{1, 1, 1},   {1, 3, 5},   {1, 16, 16},  {1, 17, 33},  {2, 64, 56},
              {1, 3, 500}, {1, 500, 4}, {3, 129, 31}, {1, 300, 70}, {2, 5, 1024}};

static const struct {
    BNNSDataType type;
    size_t width;
} types[] = {{BNNSDataTypeUInt8, 1},
             {BNNSDataTypeFloat16, 2},
             {BNNSDataTypeFloat32, 4},
             {BNNSDataTypeInt64, 8}};

static void transpose_in_pages(unsigned shape, unsigned type, int at_end, size_t threads)
{
    const size_t batches = planes[shape].batches, rows = planes[shape].rows;
    const size_t cols = planes[shape].cols, width = types[type].width;
    const size_t nbytes = batches * rows * cols * width;
    struct pages in = pages_of(nbytes, at_end), out = pages_of(nbytes, at_end);
    for (size_t i = 0; i < nbytes; i++)
        in.body[i] = (char)test_random(0, 255);
    BNNSNDArrayDescriptor src = {.layout = BNNSDataLayout3DFirstMajor,
                                 .size = {batches, rows, cols},
                                 .data_type = types[type].type,
                                 .data = in.body};
    BNNSNDArrayDescriptor dest = src;
    dest.size[1] = cols;
    dest.size[2] = rows;
    dest.data = out.body;
    const BNNSFilterParameters parameters = {0, threads, NULL, NULL};
    EXPECT(BNNSTranspose(&dest, &src, 1, 2, &parameters) == 0);
    int same = 1;
    for (size_t b = 0; b < batches; b++)
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < cols; c++)
                same &= memcmp(out.body + ((b * cols + c) * rows + r) * width,
                               in.body + ((b * rows + r) * cols + c) * width, width) == 0;
    EXPECT(same);
    munmap(in.whole, in.nbytes);
    munmap(out.whole, out.nbytes);
}

void test_transpose_pages(void)
{
    for (unsigned shape = 0; shape < sizeof planes / sizeof planes[0]; shape++)
        for (unsigned type = 0; type < sizeof types / sizeof types[0]; type++)
            for (unsigned way = 0; way < 4; way++)
                transpose_in_pages(shape, type, way % 2, 1 + way / 2 * 2);
}
