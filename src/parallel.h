/* Threads: how many, and a body of work that runs on all of them. Nothing else knows them. */
#ifndef BNNSPY_PARALLEL_H
#define BNNSPY_PARALLEL_H

#include "bnnspy.h"

#include <stdbool.h>

enum { MOST_THREADS = 64 };

/*
 * Threads for a call: what parameters ask for; when they leave it open (NULL, or 0), as many as
 * there are processors for this process, but no more than `worth` would pay for. 1 to MOST_THREADS.
 */
unsigned bnnspy_threads(const BNNSFilterParameters *parameters, size_t worth);

/*
 * Whole processors that a control group's file (cpu.max) leaves, rounded up; at most MOST_THREADS,
 * and 0 when the file is not there or sets no limit.
 */
unsigned bnnspy_quota(const char *path);

struct team;

/* part counts from 0; the caller's thread is part 0. parts is the same for all. */
typedef void (*bnnspy_body)(void *context, struct team *team, unsigned part, unsigned parts);

/*
 * Runs body on so many threads and returns when all have ended. Where threads can't be made there
 * are fewer parts. The threads block all signals.
 */
void bnnspy_parallel(unsigned threads, bnnspy_body body, void *context);

/* Waits until every part has come here. True when no part said false. */
bool bnnspy_meet(struct team *team, bool good);

#endif
