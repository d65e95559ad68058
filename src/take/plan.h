/* How a folded take is carried out: every choice that only speed depends on, made in one place. */
#ifndef BNNSPY_PLAN_H
#define BNNSPY_PLAN_H

#include "take/take.h"

enum { PLAN_BLOCK = 1024 }; /* indices made private on the stack at a time: 8 KB at most */

struct plan {
    size_t part;         /* indices swept at a time */
    size_t ahead;        /* elements or rows fetched ahead, 0 for none */
    size_t table;        /* bytes that one sweep can reach, where tables are fetched ahead */
    size_t columns;      /* columns packed at a time, 0 for none */
    size_t workspace;    /* bytes wanted, 0 for none */
    size_t threads;      /* so many would pay, if they are there */
    bool indices_once;   /* all sweeps go through the same indices, made private once */
    bool direct; /* none is made private: each is loaded, checked again and used at once */
    bool fetch_tables; /* the next sweeps' tables are fetched during this one */
    bool fetch_streams; /* so are the indices and the output that follow */
    bool stream; /* rows are written around the cache */
    bool turns; /* a call of a kernel makes all sweeps of the innermost loop */
    bool registers; /* and has the table of each in registers */
};

void bnnspy_plan(const struct take *take, struct plan *plan);

/* The same when there is no workspace. */
void bnnspy_plan_without(const struct take *take, struct plan *plan);

/* True when what a folded take reads is far enough for fetching it ahead. */
bool bnnspy_plan_fetches(const struct take *take);

#endif
