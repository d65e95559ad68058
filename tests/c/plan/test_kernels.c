/*
 * The kernels by themselves: a caller's index that has gone bad counts as 0 wherever it stands, the
 * check sees every index, and copies of long rows are exact. Prints one line a failed expectation;
 * the exit status is how many there were. Compiled against the core by tests/test_plans.py.
 */
#include "kernels/kernels.h"

#include <stdio.h>
#include <string.h>

static int failures;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition) && failures < 100) {                                                      \
            printf("%s:%d: not so: %s\n", __func__, __LINE__, #condition);                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { ROWS = 50, COUNT = 37, LONGEST = 100, GUARD = 64 };

static uint64_t stored[COUNT]; /* the indices, 64 or 32 bits wide */
static unsigned char table[ROWS * LONGEST];
static unsigned char out[GUARD + COUNT * LONGEST + GUARD], wanted[sizeof out];

static void put(bool wide, size_t i, uint64_t index)
{
    if (wide)
        stored[i] = index;
    else
        ((uint32_t *)stored)[i] = (uint32_t)index;
}

/* What a move of `run` bytes has to give with the index at `bad` (COUNT for none) not valid. */
static void expect_runs(const struct move *m, bool wide, size_t bad)
{
    memset(out, 0xA5, sizeof out);
    memset(wanted, 0xA5, sizeof wanted);
    for (size_t i = 0; i < m->count; i++) {
        const size_t index = i == bad ? 0 : i * 7 % ROWS;
        memcpy(wanted + GUARD + i * m->run, table + index * m->run, m->run);
        put(wide, i, i == bad ? (wide ? UINT64_MAX : UINT32_MAX) : index);
    }
    EXPECT(bnnspy_move(m) == (bad >= m->count));
    EXPECT(memcmp(out, wanted, sizeof out) == 0);
    if (bad < m->count) {
        put(wide, bad, ROWS); /* the least that is not valid */
        memset(out, 0xA5, sizeof out);
        EXPECT(!bnnspy_move(m));
        EXPECT(memcmp(out, wanted, sizeof out) == 0);
    }
}

/* As after a change between check and use, for which no thread is needed here. */
static void callers_indices(void)
{
    static const size_t runs[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 64, LONGEST};
    for (size_t i = 0; i < sizeof table; i++)
        table[i] = (unsigned char)(i * 2654435761u >> 13);
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        for (unsigned way = 0; way < 8; way++) {
            const bool wide = way & 1;
            struct move m = {.out = (char *)out + GUARD, .in = (const char *)table, .turns = 1};
            m.out_step = m.index_step = (ptrdiff_t)runs[k];
            m.run = runs[k];
            m.index = stored;
            m.form = wide ? FORM_CALLERS_64 : FORM_CALLERS_32;
            m.bound = ROWS;
            m.known = COUNT;
            m.count = way & 4 ? COUNT : 5; /* with less than the loop takes at once */
            m.ahead = way & 2 ? 3 : 0;
            for (size_t bad = 0; bad <= m.count; bad++)
                expect_runs(&m, wide, bad);
        }
    }
}

/* More than one may have gone bad. */
static void all_bad(void)
{
    struct move m = {.out = (char *)out + GUARD, .in = (const char *)table, .turns = 1};
    m.out_step = m.index_step = 4;
    m.run = 4;
    m.index = stored;
    m.form = FORM_CALLERS_64;
    m.bound = ROWS;
    m.known = m.count = COUNT;
    for (size_t i = 0; i < COUNT; i++)
        put(true, i, ROWS + i);
    EXPECT(!bnnspy_move(&m));
    for (size_t i = 0; i < COUNT; i++)
        EXPECT(memcmp(out + GUARD + 4 * i, table, 4) == 0);
}

/* Turns with the same private indices, whose tables and outputs are some way on. */
static void turns(void)
{
    static const uint32_t picks[3] = {2, 0, 1};
    static const uint16_t tables[4][5] = {{1, 2, 3, 0, 0}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    uint16_t made[4][4];
    memset(made, 0, sizeof made);
    struct move m = {.out = (char *)made, .in = (const char *)tables, .turns = 4};
    m.out_step = m.index_step = (ptrdiff_t)sizeof(uint16_t);
    m.run = sizeof(uint16_t);
    m.index = picks;
    m.form = FORM_NARROW;
    m.bound = m.known = m.count = 3;
    m.turn_in = (ptrdiff_t)sizeof tables[0];
    m.turn_out = (ptrdiff_t)sizeof made[0];
    EXPECT(bnnspy_move(&m));
    for (unsigned turn = 0; turn < 4; turn++) {
        for (unsigned i = 0; i < 3; i++)
            EXPECT(made[turn][i] == tables[turn][picks[i]]);
        EXPECT(made[turn][3] == 0);
    }
}

enum { MANY = 20001 }; /* some stretches of each of the readers, and a rest */

/* Wherever the one is that is not valid. */
static void every_index_is_checked(void)
{
    static int64_t wide[MANY];
    static int16_t narrow[MANY];
    struct index_row rows[2] = {
        {(const char *)wide, sizeof wide[0], 9, INDEX_INT64, false},
        {(const char *)narrow, sizeof narrow[0], 9, INDEX_INT16, false},
    };
    EXPECT(bnnspy_indices_sound(&rows[0], MANY) && bnnspy_indices_sound(&rows[1], MANY));
    for (size_t bad = 0; bad < MANY; bad += bad % 2048 < 3 || bad > MANY - 9 ? 1 : 41) {
        wide[bad] = 9;
        narrow[bad] = -1;
        EXPECT(!bnnspy_indices_sound(&rows[0], MANY) && !bnnspy_indices_sound(&rows[1], MANY));
        EXPECT(bnnspy_indices_sound(&rows[0], bad) && bnnspy_indices_sound(&rows[1], bad));
        rows[0].wrap = rows[1].wrap = true;
        EXPECT(!bnnspy_indices_sound(&rows[0], MANY) && bnnspy_indices_sound(&rows[1], MANY));
        rows[0].wrap = rows[1].wrap = false;
        wide[bad] = narrow[bad] = 0;
    }
}

/* At each distance modulo a line and at some others, whatever the length. */
static void long_copies(void)
{
    enum { MOST = 700, PAGE = 4096 };
    static _Alignas(64) unsigned char from[2 * PAGE], to[3 * PAGE], right[3 * PAGE];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 2654435761u >> 11);
    for (size_t bytes = 0; bytes <= MOST; bytes += bytes < 140 ? 1 : 37) {
        for (size_t behind = 0; behind < 130; behind += behind < 70 ? 1 : 19) {
            const size_t in = behind % 3 * 16, at = (in + behind) % PAGE + PAGE;
            memset(to, 0xA5, sizeof to);
            memset(right, 0xA5, sizeof right);
            memcpy(right + at, from + in, bytes);
            bnnspy_kernels()->copy((char *)to + at, (const char *)from + in, bytes);
            EXPECT(memcmp(to, right, sizeof to) == 0);
        }
    }
}

int main(void)
{
    callers_indices();
    all_bad();
    turns();
    every_index_is_checked();
    long_copies();
    return failures;
}
