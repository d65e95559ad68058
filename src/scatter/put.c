/*
 * See put.h. One body, compiled for the runs that are met often: with a literal length a copy is a
 * load and a store. An addition is either of one element, or of a run by a function for its type.
 */
#include "scatter/put.h"

#include "kernels/stream.h"

typedef void update(const struct put *p, char *restrict to, const char *restrict from, size_t run);

/* Which indices there are, and whether places are fetched ahead: literals of the body. */
enum form { FORM_NARROW, FORM_WIDE, FORM_CHOSEN };

BNNSPY_INLINE size_t index_of(const void *index, enum form form, size_t i)
{
    return form == FORM_NARROW ? ((const uint32_t *)index)[i] : ((const size_t *)index)[i];
}

BNNSPY_INLINE void fetch(const char *place, size_t run)
{
    for (size_t byte = 0; byte < run; byte += LINE)
        BNNSPY_PREFETCH_WRITE(place + byte);
    if (run > LINE)
        BNNSPY_PREFETCH_WRITE(place + run - 1); /* one that starts inside a line ends in one more */
}

/*
 * All but the first argument are literals, mostly. Where runs are packed on both sides, their length
 * says where they are, and a shift takes the place of two multiplications.
 */
BNNSPY_INLINE void each(const struct put *p, enum form form, bool packed, bool fetching, size_t run,
                        update *one)
{
    /* As locals: for all the compiler knows, a store through out changes *p. */
    char *const out = p->out;
    const char *const in = p->in;
    const ptrdiff_t out_step = packed ? 0 : p->out_step;
    const ptrdiff_t in_step = packed ? (ptrdiff_t)run : p->in_step;
    const ptrdiff_t index_step = packed ? (ptrdiff_t)run : p->index_step;
    const void *const index = p->index;
    const uint32_t *const from = p->from;
    const size_t count = p->count, last = count - 1, ahead = p->ahead;
    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t j = (ptrdiff_t)(form == FORM_CHOSEN ? from[i] : i);
        if (fetching) {
            const size_t next = i + ahead < last ? i + ahead : last;
            const ptrdiff_t k = (ptrdiff_t)(form == FORM_CHOSEN ? from[next] : next);
            fetch(out + k * out_step + (ptrdiff_t)index_of(index, form, next) * index_step, run);
        }
        const ptrdiff_t place = (ptrdiff_t)index_of(index, form, i) * index_step;
        one(p, out + j * out_step + place, in + j * in_step, run);
    }
}

BNNSPY_INLINE void by_packing(const struct put *p, enum form form, bool fetching, size_t run,
                              update *one)
{
    const ptrdiff_t step = (ptrdiff_t)run;
    if (p->out_step == 0 && p->in_step == step && p->index_step == step)
        each(p, form, true, fetching, run, one);
    else
        each(p, form, false, fetching, run, one);
}

BNNSPY_INLINE void by_form(const struct put *p, size_t run, update *one)
{
    const bool fetching = p->ahead != 0;
    if (p->from != NULL)
        fetching ? each(p, FORM_CHOSEN, false, true, run, one)
                 : each(p, FORM_CHOSEN, false, false, run, one);
    else if (p->wide)
        fetching ? each(p, FORM_WIDE, false, true, run, one)
                 : each(p, FORM_WIDE, false, false, run, one);
    else
        fetching ? by_packing(p, FORM_NARROW, true, run, one)
                 : by_packing(p, FORM_NARROW, false, run, one);
}

/* --- overwriting ------------------------------------------------------------------------------- */

BNNSPY_INLINE void copy(const struct put *p, char *restrict to, const char *restrict from,
                        size_t run)
{
    (void)p;
    memcpy(to, from, run);
}

/* Whole lines are stored without being read first. */
BNNSPY_INLINE void stream(const struct put *p, char *restrict to, const char *restrict from,
                          size_t run)
{
    (void)p;
    bnnspy_stream_row(to, from, run);
}

static void put_runs(const struct put *p)
{
    switch (p->run) {
    case 1: by_form(p, 1, copy); break;
    case 2: by_form(p, 2, copy); break;
    case 4: by_form(p, 4, copy); break;
    case 8: by_form(p, 8, copy); break;
    case 16: by_form(p, 16, copy); break;
    case 32: by_form(p, 32, copy); break;
    case 64: by_form(p, 64, copy); break;
    case 256: by_form(p, 256, copy); break;
    default: by_form(p, p->run, copy); break;
    }
}

static void put_streams(const struct put *p)
{
    by_form(p, p->run, stream);
    bnnspy_stream_end(); /* before anybody is told that the runs are there */
}

/* --- adding ------------------------------------------------------------------------------------ */

#define UPDATE(name, sum)                                                                          \
    BNNSPY_INLINE void name(const struct put *p, char *restrict to, const char *restrict from,     \
                            size_t run)                                                            \
    {                                                                                              \
        (void)p;                                                                                   \
        (void)run;                                                                                 \
        bnnspy_add_one(sum, to, from);                                                             \
    }
UPDATE(add_float32, SUM_FLOAT32)
UPDATE(add_float16, SUM_FLOAT16)
UPDATE(add_bfloat16, SUM_BFLOAT16)
UPDATE(add_8, SUM_8)
UPDATE(add_16, SUM_16)
UPDATE(add_32, SUM_32)
UPDATE(add_64, SUM_64)
UPDATE(add_boolean, SUM_BOOLEAN)

static void add_elements(const struct put *p)
{
    switch (p->sum) {
    case SUM_FLOAT32: by_form(p, 4, add_float32); break;
    case SUM_FLOAT16: by_form(p, 2, add_float16); break;
    case SUM_BFLOAT16: by_form(p, 2, add_bfloat16); break;
    case SUM_8: by_form(p, 1, add_8); break;
    case SUM_16: by_form(p, 2, add_16); break;
    case SUM_32: by_form(p, 4, add_32); break;
    case SUM_64: by_form(p, 8, add_64); break;
    case SUM_BOOLEAN: by_form(p, 1, add_boolean); break;
    case SUM_NONE: break;
    }
}

/* Runs are added by the function for their type. */
static void add_runs(const struct put *p)
{
    bnnspy_add *const add = bnnspy_adder(p->sum);
    for (size_t i = 0; i < p->count; i++) {
        const ptrdiff_t j = (ptrdiff_t)(p->from ? p->from[i] : i);
        const bool wide = p->wide || p->from != NULL;
        const enum form form = wide ? FORM_WIDE : FORM_NARROW;
        if (p->ahead != 0 && i + p->ahead < p->count) {
            const size_t next = i + p->ahead;
            const ptrdiff_t k = (ptrdiff_t)(p->from ? p->from[next] : next);
            const ptrdiff_t place = (ptrdiff_t)index_of(p->index, form, next) * p->index_step;
            fetch(p->out + k * p->out_step + place, p->run);
        }
        const ptrdiff_t place = (ptrdiff_t)index_of(p->index, form, i) * p->index_step;
        add(p->out + j * p->out_step + place, p->in + j * p->in_step, p->run);
    }
}

void bnnspy_put(const struct put *p)
{
    if (p->sum != SUM_NONE)
        p->single ? add_elements(p) : add_runs(p);
    else if (p->stream)
        put_streams(p);
    else
        put_runs(p);
}
