/*
 * One body, compiled once for each length that is met often: with the length literal a copy is a few
 * loads and stores. The others go by 16 bytes at a time.
 */
#include "copy/runs.h"

#include "compiler.h"
#include "kernels/stream.h"

#include <stdint.h>
#include <string.h>

/* The fields as locals: a store through out could change *r, for all the compiler knows. */
BNNSPY_INLINE void literal(const struct runs *r, size_t run)
{
    char *restrict out = r->out;
    const char *restrict in = r->in;
    const ptrdiff_t out_step = r->out_step, in_step = r->in_step;
    const size_t count = r->count;
    if (out_step == (ptrdiff_t)run) {
        for (size_t i = 0; i < count; i++)
            memcpy(out + i * run, in + (ptrdiff_t)i * in_step, run);
        return;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(out + (ptrdiff_t)i * out_step, in + (ptrdiff_t)i * in_step, run);
}

/*
 * A row by itself: 64 bytes at a time, the last ones once more where the length is no multiple. The C
 * library's memcpy may use the processor's string instruction from a few KB on, which on some takes ten
 * times as long where the output lies a few bytes behind the input, counted modulo 4096.
 */
BNNSPY_INLINE void copy_row(char *restrict out, const char *restrict in, size_t run)
{
    char line[LINE];
    if (run < LINE) {
        memcpy(out, in, run);
        return;
    }
    memcpy(out, in, LINE);
    for (size_t done = LINE - (uintptr_t)out % LINE; done + LINE <= run; done += LINE) {
        memcpy(line, in + done, LINE);
        memcpy(out + done, line, LINE);
    }
    memcpy(line, in + run - LINE, LINE);
    memcpy(out + run - LINE, line, LINE);
}

static void rows(const struct runs *r)
{
    for (size_t i = 0; i < r->count; i++)
        copy_row(r->out + (ptrdiff_t)i * r->out_step, r->in + (ptrdiff_t)i * r->in_step, r->run);
}

static void stream_rows(const struct runs *r)
{
    for (size_t i = 0; i < r->count; i++)
        bnnspy_stream_row(r->out + (ptrdiff_t)i * r->out_step, r->in + (ptrdiff_t)i * r->in_step,
                          r->run);
    bnnspy_stream_end();
}

/* The same run again and again, side by side: copies of copies, twice as long each time. */
static void repeat(const struct runs *r)
{
    enum { AT_ONCE = 4096 }; /* what is copied is in the first cache */
    const size_t whole = r->count * r->run;
    const size_t most = AT_ONCE / r->run * r->run;
    copy_row(r->out, r->in, r->run);
    for (size_t done = r->run; done < whole;) {
        const size_t known = done < most ? done : most;
        const size_t next = whole - done < known ? whole - done : known;
        copy_row(r->out + done, r->out, next);
        done += next;
    }
}

static void long_rows(const struct runs *r)
{
    if (r->stream)
        stream_rows(r);
    else
        rows(r);
}

void bnnspy_copy_runs(const struct runs *r)
{
    if (r->in_step == 0 && r->out_step == (ptrdiff_t)r->run && r->run <= LINE && r->count > 4) {
        repeat(r);
        return;
    }
    switch (r->run) {
    case 1: literal(r, 1); break;
    case 2: literal(r, 2); break;
    case 3: literal(r, 3); break;
    case 4: literal(r, 4); break;
    case 6: literal(r, 6); break;
    case 8: literal(r, 8); break;
    case 12: literal(r, 12); break;
    case 16: literal(r, 16); break;
    case 24: literal(r, 24); break;
    case 32: literal(r, 32); break;
    case 64: literal(r, 64); break;
    default: long_rows(r); break;
    }
}
