/* Unit tests of the C core without Python: each part prints its name and how much it checked. */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long test_checks;
static const char *part;
static uint64_t state;

void test_expect(int holds, const char *text, const char *file, int line)
{
    test_checks++;
    if (holds)
        return;
    (void)fprintf(stderr, "%s:%d: %s, check %lu: not so: %s\n", file, line, part, test_checks,
                  text);
    exit(1);
}

int64_t test_random(int64_t low, int64_t high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (int64_t)(state % (uint64_t)(high - low + 1));
}

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"layouts", test_layouts},
    {"data_sizes", test_data_sizes},
    {"fold", test_fold},
    {"overlap", test_overlap},
    {"bounds", test_bounds},
    {"errors", test_errors},
    {"outcomes", test_outcomes},
    {"gather", test_gather},
    {"faults", test_faults},
    {"quota", test_quota},
    {"environment", test_environment},
    {"narrow", test_narrow},
    {"take", test_take},
    {"changed", test_changed},
    {"turn", test_turn},
    {"runs", test_runs},
    {"copies", test_copies},
    {"copy_plan", test_copy_plan},
    {"transpose_pages", test_transpose_pages},
};

int main(int argc, char **argv)
{
    int ran = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (argc > 1 && strcmp(argv[1], parts[i].name) != 0)
            continue;
        part = parts[i].name;
        state = UINT64_C(88172645463325252);
        test_checks = 0;
        parts[i].run();
        printf("%s: %lu checks\n", part, test_checks);
        ran++;
    }
    return ran > 0 ? 0 : 2;
}
