/*
 * Which plan is chosen for which loops. Prints one line a failed expectation; the exit status is
 * how many there were. Compiled against the core by tests/test_plans.py.
 */
#include "compiler.h"
#include "cpu.h"
#include "kernels/kernels.h"
#include "parallel.h"
#include "take/plan.h"
#include "take/thresholds.h"
#include "workspace.h"

#include <stdio.h>
#include <string.h>

static int failures;

/* The test sets the second cache. */
static size_t fetch_from(void)
{
    const size_t caches = BNNSPY_FETCH_CACHES * bnnspy_cpu_second_cache();
    return caches > BNNSPY_FETCH_FROM ? caches : BNNSPY_FETCH_FROM;
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __func__, __LINE__, #condition);                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* What folding leaves of a gather from (outer, bound, inner) at `count` indices along the middle. */
static struct take gather(size_t outer, size_t bound, size_t inner, size_t count, size_t item)
{
    static _Alignas(8) char memory[8];
    struct take t;
    memset(&t, 0, sizeof t);
    t.out = memory;
    t.in = memory;
    t.indices = (struct index_row){.place = memory, .bound = bound, .kind = INDEX_INT64};
    t.loops[0] =
        (struct loop){outer, {(int64_t)(count * inner * item), (int64_t)(bound * inner * item), 0}};
    t.loops[1] = (struct loop){count, {(int64_t)(inner * item), 0, 8}};
    t.loops[2] = (struct loop){inner, {(int64_t)item, (int64_t)item, 0}};
    t.n = 3;
    t.run = item;
    t.index_step = (ptrdiff_t)(inner * item);
    bnnspy_take_fold(&t);
    return t;
}

/* The same with indices shaped like the output, (rows, columns), along axis 0 or 1 of the table. */
static struct take elementwise(size_t rows, size_t columns, size_t bound, unsigned axis,
                               size_t item)
{
    struct take t = gather(1, bound, 1, 1, item);
    const int64_t size = (int64_t)item, width = (int64_t)(columns * item);
    const int64_t table_row = axis == 0 ? width : (int64_t)bound * size;
    t.loops[0] = (struct loop){rows, {width, axis == 0 ? 0 : table_row, 8 * (int64_t)columns}};
    t.loops[1] = (struct loop){columns, {size, axis == 0 ? size : 0, 8}};
    t.n = 2;
    t.run = item;
    t.index_step = axis == 0 ? (ptrdiff_t)table_row : (ptrdiff_t)item;
    bnnspy_take_fold(&t);
    return t;
}

static struct plan plan_of(struct take t)
{
    struct plan p;
    bnnspy_plan(&t, &p);
    return p;
}

static struct plan plan_without(struct take t)
{
    struct plan p;
    bnnspy_plan_without(&t, &p);
    return p;
}

/* No trick beyond private indices. */
static bool is_plain(struct plan p)
{
    return p.ahead == 0 && p.table == 0 && p.columns == 0 && p.workspace == 0 && !p.fetch_tables &&
           !p.stream && !p.registers;
}

static void small_vector(void)
{
    const struct plan p = plan_of(gather(1, 1000, 1, 1000, 4));
    EXPECT(is_plain(p));
    EXPECT(p.indices_once); /* one sweep of at most PLAN_BLOCK: the check makes them private */
    EXPECT(p.part == PLAN_BLOCK);
    EXPECT(p.threads == 0);
    const struct plan longer = plan_of(gather(1, 1000, 1, PLAN_BLOCK + 1, 4));
    EXPECT(is_plain(longer));
    EXPECT(!longer.indices_once && longer.direct);
}

/* Indices are used where they are when they are aligned words side by side, and so are the runs. */
static void direct(void)
{
    static _Alignas(8) char memory[16];
    struct take t = gather(1, 5000, 1, PLAN_BLOCK + 1, 4);
    t.indices.place = memory;
    EXPECT(plan_of(t).direct && plan_without(t).direct);
    t.indices.place = memory + 4;
    EXPECT(!plan_of(t).direct);
    t.indices.kind = INDEX_INT32;
    EXPECT(!plan_of(t).direct); /* 32 bits, 8 bytes apart */
    t.loops[0].step[TAKE_INDEX] = 4;
    EXPECT(plan_of(t).direct);
    t.indices.place = memory + 2;
    EXPECT(!plan_of(t).direct);
    t.indices.place = memory;
    t.indices.kind = INDEX_UINT32;
    t.indices.bound = INT32_MAX;
    EXPECT(plan_of(t).direct);
    t.indices.bound++; /* -1 of a signed kind could be taken for an index */
    EXPECT(!plan_of(t).direct);
    t.indices.bound = 5000;
    t.indices.wrap = true;
    EXPECT(!plan_of(t).direct);
    t.indices.wrap = false;
    t.loops[0].step[TAKE_OUT] = 8;
    EXPECT(!plan_of(t).direct);
    t.loops[0].step[TAKE_OUT] = 4;
    t.indices.kind = INDEX_INT16;
    t.loops[0].step[TAKE_INDEX] = 2;
    EXPECT(!plan_of(t).direct);
    EXPECT(!plan_of(gather(1, 5000, 17, PLAN_BLOCK + 1, 4)).direct); /* longer than a line */
    EXPECT(!plan_of(gather(2, 5000, 1, PLAN_BLOCK + 1, 4)).direct);  /* private in a workspace */
    EXPECT(plan_without(gather(2, 5000, 1, PLAN_BLOCK + 1, 4)).direct);
    EXPECT(!plan_of(elementwise(1024, 512, 1024, 0, 4)).direct);     /* packed columns */
    struct take rows = elementwise(1024, 512, 512, 1, 4);
    EXPECT(plan_of(rows).direct);
    rows.loops[0].step[TAKE_INDEX] += 4; /* the second row of indices is not aligned */
    EXPECT(!plan_of(rows).direct);
}

static void turns(void)
{
    EXPECT(plan_of(gather(1000, 56, 1, 32, 2)).turns);
    EXPECT(plan_of(gather(1000, 56, 56, 32, 4)).turns);
    EXPECT(plan_of(gather(10, 3000, 1, 2000, 4)).turns); /* out of a workspace */
    EXPECT(!plan_without(gather(10, 3000, 1, 2000, 4)).turns);
    EXPECT(!plan_of(gather(64, 4096, 1, 1024, 4)).turns); /* tables are fetched */
    EXPECT(!plan_of(gather(2, fetch_from() / 4, 1, 100, 4)).turns);
}

static void fetched_ahead(void)
{
    const size_t elements = fetch_from() / 4;
    EXPECT(plan_of(gather(1, elements - 1, 1, 5000, 4)).ahead == 0);
    const struct plan p = plan_of(gather(1, elements, 1, 5000, 4));
    EXPECT(p.ahead == BNNSPY_FETCH_ELEMENTS && p.part == PLAN_BLOCK && !p.fetch_streams);
    struct take wraps = gather(1, elements, 1, 5000, 4);
    wraps.indices.wrap = true; /* made private, with those that are fetched for */
    EXPECT(plan_of(wraps).ahead == BNNSPY_FETCH_ELEMENTS);
    EXPECT(plan_of(wraps).part == BNNSPY_FETCH_PART);
    /* A table that is walked backwards is as large. */
    struct take back = gather(1, elements, 1, 5000, 4);
    back.index_step = -back.index_step;
    EXPECT(plan_of(back).ahead == BNNSPY_FETCH_ELEMENTS);
    /* Rows: so many bytes ahead, one row at the least. */
    EXPECT(plan_of(gather(1, 50000, 768, 4096, 4)).ahead == BNNSPY_FETCH_BYTES / 3072 + 1);
    EXPECT(plan_of(gather(1, 1000, 100000, 50, 4)).ahead == 1);
}

static void tables(void)
{
    /* (64, 4096) floats, last axis: tables of 16 KB, 1 MB together. */
    const struct plan p = plan_of(gather(64, 4096, 1, 1024, 4));
    EXPECT(p.fetch_tables && p.table == 16384 && p.part == BNNSPY_TABLE_PART);
    EXPECT(p.indices_once && p.workspace == 0 && p.ahead == 0 && !p.fetch_streams);
    EXPECT(!plan_of(gather(63, 4096, 1, 1024, 4)).fetch_tables);    /* less than 1 MB together */
    EXPECT(!plan_of(gather(4096, 1023, 1, 512, 4)).fetch_tables);   /* under 4 KB each */
    EXPECT(plan_of(gather(4096, 1024, 1, 512, 4)).fetch_tables);
    EXPECT(plan_of(gather(128, 8192, 1, 4096, 4)).fetch_tables);
    EXPECT(!plan_of(gather(128, 8193, 1, 4096, 4)).fetch_tables);   /* over 32 KB each */
    EXPECT(!plan_of(gather(64, 4096, 1, 1000, 4)).fetch_tables);    /* under a quarter is used */
    EXPECT(plan_of(elementwise(64, 4096, 4096, 1, 4)).fetch_tables);
    struct take own = elementwise(64, 4096, 4096, 1, 4);
    EXPECT(plan_of(own).fetch_streams);
    own.loops[own.n - 1].step[TAKE_OUT] *= 2; /* holes: no stream */
    EXPECT(plan_of(own).fetch_tables && !plan_of(own).fetch_streams);
    EXPECT(!plan_of(gather(1, 4096, 1, 4096, 4)).fetch_tables);     /* there is no next table */
}

static void reused_indices(void)
{
    /* More than the stack's block, and used again: narrowed once, in a workspace. */
    const struct plan p = plan_of(gather(10, 3000, 1, 2000, 4));
    EXPECT(p.indices_once && p.workspace == 2000 * 4);
    /* Once they are private, nobody's indices are fetched. */
    const struct plan tables = plan_of(gather(500, 4096, 1, 1500, 4));
    EXPECT(tables.indices_once && tables.fetch_tables && !tables.fetch_streams);
    const struct plan without = plan_without(gather(10, 3000, 1, 2000, 4));
    EXPECT(!without.indices_once && without.workspace == 0);
    EXPECT(plan_of(gather(10, 3000, 1, PLAN_BLOCK, 4)).workspace == 0);
    EXPECT(plan_of(gather(2, 10, 1, WORKSPACE_MOST / 4, 4)).workspace == WORKSPACE_MOST);
    EXPECT(plan_of(gather(2, 10, 1, WORKSPACE_MOST / 4 + 1, 4)).workspace == 0);
    EXPECT(!plan_of(gather(2, 10, 1, WORKSPACE_MOST / 4 + 1, 4)).indices_once);
    /* Beyond 2^31 - 1 an index needs a size_t. */
    EXPECT(plan_of(gather(10, (size_t)1 << 31, 1, 2000, 1)).workspace == 2000 * sizeof(size_t));
}

static void columns(void)
{
    /* (1024, 512) floats along axis 0: rows of 2 KB, 2 MB together. */
    const struct plan p = plan_of(elementwise(1024, 512, 1024, 0, 4));
    EXPECT(p.columns == BNNSPY_COLUMN_BYTES / 4);
    EXPECT(p.workspace == 1024 * p.columns * 4);
    EXPECT(p.ahead == 0);
    EXPECT(plan_of(elementwise(255, 1024, 255, 0, 4)).columns == 0);  /* less than 1 MB */
    EXPECT(plan_of(elementwise(511, 512, 1024, 0, 4)).columns == 0);  /* half the rows unused */
    EXPECT(plan_of(elementwise(512, 512, 1024, 0, 4)).columns != 0);
    EXPECT(plan_of(elementwise(1024, 512, 1024, 1, 4)).columns == 0); /* the fast axis */
    EXPECT(plan_of(elementwise(1024, 512, 1024, 0, 16)).columns == BNNSPY_COLUMN_BYTES / 16);
    EXPECT(plan_of(elementwise(1024, 512, 1024, 0, 32)).columns == 0); /* long elements */
    /* A tall table gets narrower blocks, and in the end none: the workspace has its limit. */
    EXPECT(plan_of(elementwise(8192, 512, 8192, 0, 4)).workspace <= WORKSPACE_MOST);
    EXPECT(plan_of(elementwise(16384, 512, 16384, 0, 4)).columns == LINE / 4);
    EXPECT(plan_of(elementwise(16385, 512, 16385, 0, 4)).columns == 0);
    /* Few columns are no block. */
    EXPECT(plan_of(elementwise(65536, 8, 65536, 0, 4)).columns == 0);
    const struct plan without = plan_without(elementwise(1024, 512, 1024, 0, 4));
    EXPECT(without.columns == 0 && without.workspace == 0);
    /* Rows that do not move the index are a plain gather of rows. */
    EXPECT(plan_of(gather(1, 1024, 512, 1024, 4)).columns == 0);
}

static void registers(void)
{
    const bool here = bnnspy_kernels()->table != NULL;
    EXPECT(plan_of(gather(1000, 56, 1, 32, 4)).registers == here);
    EXPECT(plan_of(gather(1000, REGISTER_TABLE, 1, 32, 4)).registers == here);
    EXPECT(!plan_of(gather(1000, REGISTER_TABLE + 1, 1, 32, 4)).registers);
    EXPECT(!plan_of(gather(1000, 56, 1, 32, 2)).registers);
    EXPECT(!plan_of(gather(1000, 56, 2, 32, 4)).registers);
    struct take spread = gather(1000, 56, 1, 32, 4);
    spread.loops[spread.n - 1].step[TAKE_OUT] = 8;
    EXPECT(!plan_of(spread).registers);
    /* 900,000 elements, which two threads moved at 0.6 times the speed of one. */
    const struct plan p = plan_of(gather(28672, 56, 1, 32, 4));
    EXPECT(here ? p.threads == 0 && p.fetch_streams : p.threads >= 2 && !p.fetch_streams);
    EXPECT(!here || plan_of(gather(100000, 56, 1, 32, 4)).threads >= 2);
    EXPECT(!plan_of(gather(100, 56, 1, 32, 4)).fetch_streams); /* all of it in the cache */
}

static void streaming(void)
{
    const size_t half = bnnspy_cpu_last_cache() / 2;
    const size_t from = half > BNNSPY_STREAM_FROM ? half : BNNSPY_STREAM_FROM;
    const size_t rows = from / BNNSPY_STREAM_ROW;
    EXPECT(plan_of(gather(1, 5000, BNNSPY_STREAM_ROW, rows, 1)).stream);
    EXPECT(!plan_of(gather(1, 5000, BNNSPY_STREAM_ROW, rows - 1, 1)).stream);
    EXPECT(!plan_of(gather(1, 5000, BNNSPY_STREAM_ROW - 1, 2 * rows, 1)).stream);
}

static void threads(void)
{
    EXPECT(plan_of(gather(1, 1000, 1, BNNSPY_THREAD_MOVES - 1, 1)).threads < 2);
    EXPECT(plan_of(gather(1, 1000, 1, 2 * BNNSPY_THREAD_MOVES, 1)).threads >= 2);
    EXPECT(plan_of(gather(1, 1000, BNNSPY_THREAD_BYTES, 2, 1)).threads >= 2);
    const BNNSFilterParameters three = {0, 3, NULL, NULL}, open = {0, 0, NULL, NULL};
    EXPECT(bnnspy_threads(&three, 0) == 3);
    EXPECT(bnnspy_threads(NULL, 1) == 1);
    bnnspy_set_num_threads(5);
    EXPECT(bnnspy_threads(NULL, 100) == 5);
    EXPECT(bnnspy_threads(&open, 100) == 5);
    EXPECT(bnnspy_threads(&open, 4) == 4);
    const BNNSFilterParameters many = {0, SIZE_MAX, NULL, NULL};
    EXPECT(bnnspy_threads(&many, 0) == MOST_THREADS);
    bnnspy_set_num_threads(0);
}

int main(void)
{
    small_vector();
    direct();
    turns();
    fetched_ahead();
    tables();
    reused_indices();
    columns();
    registers();
    streaming();
    threads();
    return failures;
}
