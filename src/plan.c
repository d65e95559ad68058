/*
 * See plan.h. The thresholds were measured; benchmarks/tune.py measures them again, and
 * docs/performance.md says what each of them gains.
 */
#include "plan.h"

#include "compiler.h"
#include "cpu.h"
#include "kernels/kernels.h"
#include "workspace.h"

enum {
    /* A table of this size is out of the cache, so that fetching what is needed soon pays. */
    FETCH_FROM = 4 << 20,
    FETCH_ELEMENTS = 64, /* this many elements ahead, */
    FETCH_BYTES = 8192,  /* or rows of so many bytes */

    /* Tables of this size fit the first cache, so that the next one can be brought there. */
    TABLE_LEAST = 4 << 10,
    TABLE_MOST = 32 << 10,
    TABLES_FROM = 1 << 20, /* where all of them together do not fit the second */
    TABLE_PART = 64,       /* indices between two portions of it */

    /* Columns are packed where the table is out of the second cache and each row is asked for. */
    COLUMNS_FROM = 1 << 20,
    COLUMN_BYTES = 256,
    COLUMN_RUN = 16,

    /* Rows this long, into an output this large, are written around the cache. */
    STREAM_ROW = 1024,
    STREAM_FROM = 16 << 20,

    /* What a thread has to have to do, against some 25 us that it costs to make one. */
    THREAD_MOVES = 200000,
    THREAD_BYTES = 4 << 20,
};

static size_t distance(int64_t step)
{
    return (size_t)(step < 0 ? -step : step);
}

static size_t moves(const struct take *t)
{
    size_t count = 1;
    for (unsigned k = 0; k < t->n; k++)
        count *= t->loops[k].count;
    return count;
}

/* True when there are sweeps, and all go through the same indices. */
static bool reuses_indices(const struct take *t)
{
    for (unsigned k = 0; k + 1 < t->n; k++)
        if (t->loops[k].step[TAKE_INDEX] != 0)
            return false;
    return t->n > 1;
}

/* Output that the last cache can hold is better left there, for who reads it next. */
static size_t stream_from(void)
{
    const size_t half = bnnspy_cpu_last_cache() / 2;
    return half > STREAM_FROM ? half : STREAM_FROM;
}

/* True when the processor has a kernel for tables in registers, and this one is such a table. */
static bool fits_registers(const struct take *t)
{
    const struct loop *swept = &t->loops[t->n - 1];
    return bnnspy_kernels()->table != NULL && t->run == 4 && t->index_step == 4 &&
           swept->step[TAKE_OUT] == 4 && swept->step[TAKE_IN] == 0 &&
           t->indices.bound <= REGISTER_TABLE;
}

/* True when sweep after sweep goes through a table of its own, side by side in memory. */
static bool changes_tables(const struct take *t, size_t table)
{
    if (t->n < 2 || t->run > LINE || table < TABLE_LEAST || table > TABLE_MOST ||
        t->loops[t->n - 1].step[TAKE_IN] != 0)
        return false;
    const struct loop *next = &t->loops[t->n - 2];
    return distance(next->step[TAKE_IN]) >= table && next->count * table >= TABLES_FROM &&
           t->loops[t->n - 1].count * t->run >= table / 4;
}

/* How many columns to pack at a time for an elementwise gather along a slow axis; 0 for no packing. */
static size_t packed_columns(const struct take *t, size_t table)
{
    if (t->n < 2 || t->run > COLUMN_RUN || table < COLUMNS_FROM)
        return 0;
    const struct loop *rows = &t->loops[t->n - 2], *columns = &t->loops[t->n - 1];
    const bool side_by_side = columns->step[TAKE_IN] == (int64_t)t->run;
    const bool along_rows = rows->step[TAKE_IN] == 0 && rows->step[TAKE_INDEX] != 0;
    if (!side_by_side || !along_rows || rows->count < t->indices.bound / 2)
        return 0;
    for (size_t bytes = COLUMN_BYTES; bytes >= LINE; bytes /= 2)
        if (t->indices.bound <= WORKSPACE_MOST / bytes && columns->count >= bytes / t->run)
            return bytes / t->run;
    return 0;
}

void bnnspy_plan_without(const struct take *t, struct plan *p)
{
    const struct loop *swept = &t->loops[t->n - 1];
    const size_t table = t->indices.bound * distance(t->index_step);
    p->workspace = p->columns = p->table = 0;
    p->part = PLAN_BLOCK;
    p->ahead = 0;
    p->fetch_tables = false;
    p->indices_once = swept->count <= PLAN_BLOCK && (t->n == 1 || reuses_indices(t));
    if (table >= FETCH_FROM) {
        p->ahead = t->run <= LINE ? FETCH_ELEMENTS : FETCH_BYTES / t->run + 1;
    } else if (changes_tables(t, table)) {
        p->fetch_tables = true;
        p->table = table;
        p->part = TABLE_PART;
    }
    const size_t count = moves(t), bytes = count * t->run;
    p->stream = t->run >= STREAM_ROW && bytes >= stream_from();
    p->threads = count / THREAD_MOVES + bytes / THREAD_BYTES;
    p->registers = p->indices_once && fits_registers(t);
}

void bnnspy_plan(const struct take *t, struct plan *p)
{
    bnnspy_plan_without(t, p);
    const struct loop *swept = &t->loops[t->n - 1];
    const size_t index_bytes = bnnspy_fits_32(t->indices.bound) ? sizeof(uint32_t) : sizeof(size_t);
    p->columns = packed_columns(t, t->indices.bound * distance(t->index_step));
    if (p->columns) {
        p->workspace = t->indices.bound * p->columns * t->run;
        p->ahead = 0;
    } else if (!p->indices_once && reuses_indices(t) &&
               swept->count <= WORKSPACE_MOST / index_bytes) {
        p->indices_once = true;
        p->workspace = swept->count * index_bytes;
    }
}
