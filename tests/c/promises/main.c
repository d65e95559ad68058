/*
 * The promises of the library, each attacked without Python.
 *
 *     promises [-PERCENT] [part ..]     all parts, when none is named
 *
 * It prints a line for each part, and ends with 1 and a place when a promise is broken.
 */
#include "promises.h"

#include <string.h>

unsigned promise_percent = 100;

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"random", promise_random},
    {"faults", promise_faults},
    {"allocation", promise_allocation},
    {"allocators", promise_allocators},
    {"sharing", promise_sharing},
    {"rewriting", promise_rewriting},
    {"signals", promise_signals},
    {"fork", promise_fork},
    {"far", promise_far},
};

static bool named(const char *part, int argc, char **argv)
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        any |= argv[i][0] != '-';
        if (strcmp(argv[i], part) == 0)
            return true;
    }
    return !any;
}

int main(int argc, char **argv)
{
    int ran = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            promise_percent = (unsigned)strtoul(argv[i] + 1, NULL, 10);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!named(parts[i].name, argc, argv))
            continue;
        printf("%s: ", parts[i].name);
        (void)fflush(stdout);
        parts[i].run();
        (void)fflush(stdout);
        ran++;
    }
    return ran > 0 ? 0 : 2;
}
