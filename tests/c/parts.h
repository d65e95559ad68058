/* The parts of the C unit tests, and what they check with. */
#ifndef BNNSPY_TEST_PARTS_H
#define BNNSPY_TEST_PARTS_H

#include <stdint.h>

extern unsigned long test_checks;

/* Counts a check; ends the program with the place and the seed when it fails. */
void test_expect(int holds, const char *text, const char *file, int line);
#define EXPECT(condition) test_expect((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

/* A number from low to high, the same sequence in every run. */
int64_t test_random(int64_t low, int64_t high);

/* What is done before indices are made private, and before runs are moved; NULL for nothing: see probe/. */
extern void (*_Atomic test_before_use)(void);

void test_layouts(void);
void test_data_sizes(void);
void test_fold(void);
void test_overlap(void);
void test_bounds(void);
void test_errors(void);
void test_outcomes(void);
void test_gather(void);
void test_faults(void);
void test_environment(void);
void test_quota(void);
void test_narrow(void);
void test_take(void);
void test_changed(void);
void test_turn(void);
void test_runs(void);
void test_copies(void);
void test_copy_plan(void);
void test_transpose_pages(void);

#endif
