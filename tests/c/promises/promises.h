/* The parts of the promises, and what they check with. */
#ifndef BNNSPY_PROMISES_H
#define BNNSPY_PROMISES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* How often a part repeats what it does; 100 unless the command line says another percentage. */
extern unsigned promise_percent;
static inline unsigned turns(unsigned usual)
{
    const unsigned n = (unsigned)((uint64_t)usual * promise_percent / 100);
    return n > 0 ? n : 1;
}

/* Ends the program when a condition does not hold. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Bytes between two pages that can't be touched: flush with the first or with the last of them. */
struct walled {
    unsigned char *begin, *end;
};
struct walled walled_memory(size_t least);

/* Allocations of this process so far, or -1 when counting.c does not count them. */
long allocations(void);

/* Each prints what it did, in one line. */
void promise_random(void);
void promise_faults(void);
void promise_allocation(void);
void promise_allocators(void);
void promise_sharing(void);
void promise_rewriting(void);
void promise_signals(void);
void promise_fork(void);
void promise_far(void);

#endif
