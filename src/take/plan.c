/* See plan.h. docs/performance.md says what each choice gains; the numbers are in thresholds.h. */
#include "take/plan.h"

#include "compiler.h"
#include "cpu.h"
#include "kernels/kernels.h"
#include "take/thresholds.h"
#include "workspace.h"

_Static_assert(BNNSPY_FETCH_PART + BNNSPY_FETCH_ELEMENTS <= PLAN_BLOCK &&
                   BNNSPY_FETCH_PART + BNNSPY_FETCH_BYTES / LINE + 1 <= PLAN_BLOCK &&
                   BNNSPY_TABLE_PART <= PLAN_BLOCK && BNNSPY_COLUMN_BYTES <= PLAN_BLOCK,
               "private indices, with those that are fetched for, have room on the stack");

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

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The bytes that the indices of a sweep can reach. */
static size_t table_of(const struct take *t)
{
    return t->indices.bound * distance(t->index_step);
}

/* What is little more than the second cache holds answers soon enough. */
bool bnnspy_plan_fetches(const struct take *t)
{
    return table_of(t) >=
           larger(BNNSPY_FETCH_FROM, BNNSPY_FETCH_CACHES * bnnspy_cpu_second_cache());
}

/* Output that the last cache can hold is better left there, for who reads it next. */
static size_t stream_from(void)
{
    return larger(BNNSPY_STREAM_FROM, bnnspy_cpu_last_cache() / 2);
}

/* True when the processor has a kernel for tables in registers, and this one is such a table. */
static bool fits_registers(const struct take *t)
{
    const struct loop *swept = &t->loops[t->n - 1];
    return bnnspy_kernels()->table != NULL && t->run == 4 && t->index_step == 4 &&
           swept->step[TAKE_OUT] == 4 && swept->step[TAKE_IN] == 0 &&
           t->indices.bound <= REGISTER_TABLE;
}

/*
 * For sweeps that share their private indices, where nothing is to be done between them. Elements
 * out of registers move so fast that only bytes are worth a thread.
 */
static void use_turns(const struct take *t, struct plan *p)
{
    const size_t bytes = moves(t) * t->run;
    p->registers = fits_registers(t);
    p->turns = p->registers || (p->ahead == 0 && !p->fetch_tables && !p->stream);
    if (p->registers) {
        p->fetch_streams = BNNSPY_FETCH_STREAMS && bytes >= BNNSPY_STREAMS_FROM;
        p->threads = bytes / BNNSPY_THREAD_BYTES;
    }
}

/* True when sweep after sweep goes through a table of its own, side by side in memory. */
static bool changes_tables(const struct take *t, size_t table)
{
    if (t->n < 2 || t->run > LINE || table < BNNSPY_TABLE_LEAST || table > BNNSPY_TABLE_MOST ||
        t->loops[t->n - 1].step[TAKE_IN] != 0)
        return false;
    const struct loop *next = &t->loops[t->n - 2];
    return distance(next->step[TAKE_IN]) >= table && next->count * table >= BNNSPY_TABLES_FROM &&
           t->loops[t->n - 1].count * t->run >= table / 4;
}

/* True when the indices of a sweep, and its elements in the output, follow each other in memory. */
static bool streams(const struct take *t)
{
    const struct loop *swept = &t->loops[t->n - 1];
    return BNNSPY_FETCH_STREAMS && t->run <= LINE && swept->step[TAKE_OUT] == (int64_t)t->run &&
           swept->step[TAKE_INDEX] > 0 && swept->step[TAKE_INDEX] <= (int64_t)sizeof(uint64_t);
}

/*
 * True when the indices of a sweep can be used where they are: one after the other in aligned words
 * of 32 or 64 bits that the axis fits, counted from the front, for runs one after the other too that
 * cost less than a copy of their index.
 */
static bool uses_direct(const struct take *t)
{
    const struct loop *swept = &t->loops[t->n - 1];
    const size_t bytes = bnnspy_bytes_of_index(t->indices.kind);
    const int64_t run = (int64_t)t->run;
    const bool fits = bytes == 8 || (bytes == 4 && bnnspy_fits_32(t->indices.bound));
    const bool packed = swept->step[TAKE_INDEX] == (int64_t)bytes && t->index_step == run &&
                        swept->step[TAKE_OUT] == run && swept->step[TAKE_IN] == 0;
    uint64_t places = (uintptr_t)t->indices.place;
    for (unsigned k = 0; k < t->n; k++)
        places |= (uint64_t)t->loops[k].step[TAKE_INDEX];
    return BNNSPY_DIRECT && fits && packed && places % bytes == 0 && !t->indices.wrap &&
           t->run <= LINE;
}

/* How many columns to pack at a time for an elementwise gather along a slow axis; 0 for no packing. */
static size_t packed_columns(const struct take *t, size_t table)
{
    if (t->n < 2 || t->run > BNNSPY_COLUMN_RUN || table < BNNSPY_COLUMNS_FROM)
        return 0;
    const struct loop *rows = &t->loops[t->n - 2], *columns = &t->loops[t->n - 1];
    const bool side_by_side = columns->step[TAKE_IN] == (int64_t)t->run;
    const bool along_rows = rows->step[TAKE_IN] == 0 && rows->step[TAKE_INDEX] != 0;
    if (!side_by_side || !along_rows || rows->count < t->indices.bound / 2)
        return 0;
    for (size_t bytes = BNNSPY_COLUMN_BYTES; bytes >= LINE; bytes /= 2)
        if (t->indices.bound <= WORKSPACE_MOST / bytes && columns->count >= bytes / t->run)
            return bytes / t->run;
    return 0;
}

void bnnspy_plan_without(const struct take *t, struct plan *p)
{
    const struct loop *swept = &t->loops[t->n - 1];
    const size_t table = table_of(t);
    p->workspace = p->columns = p->table = 0;
    p->part = PLAN_BLOCK;
    p->ahead = 0;
    p->fetch_tables = p->fetch_streams = p->turns = p->registers = false;
    p->indices_once = swept->count <= PLAN_BLOCK && (t->n == 1 || reuses_indices(t));
    p->direct = !p->indices_once && uses_direct(t);
    if (bnnspy_plan_fetches(t)) {
        p->ahead = t->run <= LINE ? BNNSPY_FETCH_ELEMENTS : BNNSPY_FETCH_BYTES / t->run + 1;
        p->part = p->direct ? PLAN_BLOCK : BNNSPY_FETCH_PART;
    } else if (changes_tables(t, table)) {
        p->fetch_tables = true;
        p->table = table;
        p->fetch_streams = !p->indices_once && streams(t);
        p->part = BNNSPY_TABLE_PART;
    }
    const size_t count = moves(t), bytes = count * t->run;
    p->stream = t->run >= BNNSPY_STREAM_ROW && bytes >= stream_from();
    p->threads = count / BNNSPY_THREAD_MOVES + bytes / BNNSPY_THREAD_BYTES;
    if (p->indices_once)
        use_turns(t, p);
}

void bnnspy_plan(const struct take *t, struct plan *p)
{
    bnnspy_plan_without(t, p);
    const struct loop *swept = &t->loops[t->n - 1];
    const size_t index_bytes = bnnspy_fits_32(t->indices.bound) ? sizeof(uint32_t) : sizeof(size_t);
    p->columns = packed_columns(t, table_of(t));
    if (p->columns) {
        p->direct = false;
        p->workspace = t->indices.bound * p->columns * t->run;
        p->ahead = 0;
    } else if (!p->indices_once && reuses_indices(t) &&
               swept->count <= WORKSPACE_MOST / index_bytes) {
        p->indices_once = true;
        p->direct = false;
        p->fetch_streams = false; /* the indices are read no more */
        p->workspace = swept->count * index_bytes;
        use_turns(t, p);
    }
}
