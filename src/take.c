/* See take.h. */
#include "take.h"

#include "compiler.h"
#include "kernels/move.h"

enum {
    BLOCK = 1024,             /* indices made private at a time: 8 KB of stack */
    FETCH_FROM = 4 << 20,     /* bytes of table from which memory is fetched ahead */
    FETCH_AHEAD = 64,         /* elements ahead */
    FETCH_BYTES = 4096,       /* bytes of rows ahead */
    STREAM_FROM = 16 << 20,   /* bytes of output from which long rows go around the cache */
    STREAM_ROW = 1024,        /* bytes of a row for that */
};

static void rotate_to_end(struct loop *loops, unsigned n, unsigned k)
{
    for (; k + 1 < n; k++) {
        const struct loop moved = loops[k];
        loops[k] = loops[k + 1];
        loops[k + 1] = moved;
    }
}

void bnnspy_take_fold(struct take *t)
{
    bnnspy_sort_loops(t->loops, t->n);
    t->n = bnnspy_fold(t->loops, t->n);
    while (t->n > 0) {
        const struct loop *last = &t->loops[t->n - 1];
        const int64_t run = (int64_t)t->run;
        if (last->step[TAKE_OUT] != run || last->step[TAKE_IN] != run || last->step[TAKE_INDEX] != 0)
            break;
        t->run *= last->count;
        t->n--;
    }
    unsigned swept = t->n;
    while (swept > 0 && t->loops[swept - 1].step[TAKE_INDEX] == 0)
        swept--;
    if (swept == 0)
        t->loops[t->n++] = (struct loop){1, {0}}; /* one index for all */
    else
        rotate_to_end(t->loops, t->n, swept - 1);
}

bool bnnspy_all_sound(struct index_row row, struct loop *loops, unsigned n)
{
    bnnspy_sort_loops(loops, n);
    n = bnnspy_fold(loops, n);
    if (n == 0)
        loops[n++] = (struct loop){1, {0}};
    n--;
    row.step = (ptrdiff_t)loops[n].step[0];
    const char *origin = row.place;
    struct place place;
    bnnspy_begin(&place, n);
    do {
        row.place = origin + place.offset[0];
        if (!bnnspy_indices_sound(&row, loops[n].count))
            return false;
    } while (bnnspy_next(&place, loops, n));
    return true;
}

static size_t distance(ptrdiff_t step)
{
    return (size_t)(step < 0 ? -step : step);
}

/* How many indices ahead to fetch: none where the table is in the cache anyway. */
static size_t fetch_ahead(const struct take *t)
{
    if (t->indices.bound * distance(t->index_step) < FETCH_FROM)
        return 0;
    return t->run <= LINE ? FETCH_AHEAD : FETCH_BYTES / t->run + 1;
}

static size_t output_bytes(const struct take *t)
{
    size_t bytes = t->run;
    for (unsigned k = 0; k < t->n; k++)
        bytes *= t->loops[k].count;
    return bytes;
}

/* True when the outer loops all go through the same indices. */
static bool reuses_indices(const struct take *t)
{
    for (unsigned k = 0; k + 1 < t->n; k++)
        if (t->loops[k].step[TAKE_INDEX] != 0)
            return false;
    return t->n > 1;
}

bool bnnspy_take_run(const struct take *t)
{
    size_t block[BLOCK];
    const unsigned outer = t->n - 1;
    const struct loop *swept = &t->loops[outer];
    struct index_row row = t->indices;
    row.step = (ptrdiff_t)swept->step[TAKE_INDEX];
    struct move m;
    m.out_step = (ptrdiff_t)swept->step[TAKE_OUT];
    m.in_step = (ptrdiff_t)swept->step[TAKE_IN];
    m.index_step = t->index_step;
    m.index = block;
    m.run = t->run;
    m.ahead = fetch_ahead(t);
    m.wide = !bnnspy_fits_32(row.bound);
    m.stream = t->run >= STREAM_ROW && output_bytes(t) >= STREAM_FROM;

    bool sound = true;
    const bool once = swept->count <= BLOCK && reuses_indices(t);
    if (once)
        sound = bnnspy_narrow(&row, swept->count, block);
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        for (size_t done = 0; done < swept->count; done += m.count) {
            const ptrdiff_t at = (ptrdiff_t)done;
            m.count = swept->count - done < BLOCK ? swept->count - done : BLOCK;
            m.out = t->out + place.offset[TAKE_OUT] + at * m.out_step;
            m.in = t->in + place.offset[TAKE_IN] + at * m.in_step;
            row.place = t->indices.place + place.offset[TAKE_INDEX] + at * row.step;
            if (!once)
                sound &= bnnspy_narrow(&row, m.count, block);
            bnnspy_move(&m);
        }
    } while (bnnspy_next(&place, t->loops, outer));
    return sound;
}
