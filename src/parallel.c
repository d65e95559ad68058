/*
 * See parallel.h. Threads are made for a call and end with it: a pool would save some 25 us a call,
 * and be gone in the child of a fork.
 */
#define _GNU_SOURCE
#include "parallel.h"

#include "environment.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

struct team {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bnnspy_body body;
    void *context;
    unsigned parts;   /* 0 until all threads are made */
    unsigned arrived; /* at the meeting */
    unsigned meeting; /* number of the meeting */
    bool good;        /* so far, at this meeting */
    bool outcome;     /* of the last one */
};

struct member {
    struct team *team;
    unsigned part;
};

bool bnnspy_meet(struct team *team, bool good)
{
    pthread_mutex_lock(&team->lock);
    const unsigned meeting = team->meeting;
    team->good &= good;
    if (++team->arrived == team->parts) {
        team->outcome = team->good;
        team->good = true;
        team->arrived = 0;
        team->meeting++;
        pthread_cond_broadcast(&team->changed);
    }
    while (team->meeting == meeting)
        pthread_cond_wait(&team->changed, &team->lock);
    const bool outcome = team->outcome;
    pthread_mutex_unlock(&team->lock);
    return outcome;
}

static void *work(void *argument)
{
    const struct member *member = argument;
    struct team *team = member->team;
    pthread_mutex_lock(&team->lock);
    while (team->parts == 0)
        pthread_cond_wait(&team->changed, &team->lock);
    const unsigned parts = team->parts;
    pthread_mutex_unlock(&team->lock);
    team->body(team->context, team, member->part, parts);
    return NULL;
}

void bnnspy_parallel(unsigned threads, bnnspy_body body, void *context)
{
    struct team team = {.body = body, .context = context, .good = true};
    struct member members[MOST_THREADS];
    pthread_t made[MOST_THREADS];
    unsigned parts = 1;
    pthread_mutex_init(&team.lock, NULL);
    pthread_cond_init(&team.changed, NULL);

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; parts < threads && parts < MOST_THREADS; parts++) {
        members[parts] = (struct member){&team, parts};
        if (pthread_create(&made[parts], NULL, work, &members[parts]) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    pthread_mutex_lock(&team.lock);
    team.parts = parts;
    pthread_cond_broadcast(&team.changed);
    pthread_mutex_unlock(&team.lock);
    body(context, &team, 0, parts);
    for (unsigned part = 1; part < parts; part++)
        pthread_join(made[part], NULL);
    pthread_cond_destroy(&team.changed);
    pthread_mutex_destroy(&team.lock);
}

/* --- how many ------------------------------------------------------------------------------------ */

static atomic_uint chosen; /* by bnnspy_set_num_threads; 0 for not chosen */

unsigned bnnspy_quota(const char *path)
{
    long allowed = 0, period = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    const int read = fscanf(file, "%ld %ld", &allowed, &period); /* "max" is no number */
    (void)fclose(file);
    if (read != 2 || allowed <= 0 || period <= 0)
        return 0;
    const long whole = allowed / period + (allowed % period != 0);
    return whole < MOST_THREADS ? (unsigned)whole : MOST_THREADS;
}

static unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    const unsigned limit = bnnspy_quota("/sys/fs/cgroup/cpu.max");
    if (limit > 0 && (long)limit < count)
        count = (long)limit;
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (unsigned)count;
}

static unsigned from_environment(void)
{
    const size_t count = bnnspy_environment_number("BNNSPY_NUM_THREADS");
    return count < MOST_THREADS ? (unsigned)count : MOST_THREADS;
}

unsigned bnnspy_num_threads(void)
{
    static atomic_uint automatic; /* looked up at the first call */
    const unsigned set = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (set != 0)
        return set;
    unsigned count = atomic_load_explicit(&automatic, memory_order_relaxed);
    if (count == 0) {
        count = from_environment();
        if (count == 0)
            count = processors();
        atomic_store_explicit(&automatic, count, memory_order_relaxed);
    }
    return count;
}

void bnnspy_set_num_threads(unsigned threads)
{
    atomic_store_explicit(&chosen, threads < MOST_THREADS ? threads : MOST_THREADS,
                          memory_order_relaxed);
}

unsigned bnnspy_threads(const BNNSFilterParameters *parameters, size_t worth)
{
    if (parameters != NULL && parameters->n_threads != 0)
        return parameters->n_threads < MOST_THREADS ? (unsigned)parameters->n_threads
                                                    : MOST_THREADS;
    if (worth <= 1)
        return 1;
    const unsigned most = bnnspy_num_threads();
    return worth < most ? (unsigned)worth : most;
}
