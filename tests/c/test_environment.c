/* What the core takes from outside: numbers in environment variables, and a control group's quota. */
#define _POSIX_C_SOURCE 200112L
#include "environment.h"
#include "parallel.h"
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t number_of(const char *text)
{
    EXPECT(setenv("BNNSPY_TEST_NUMBER", text, 1) == 0);
    return bnnspy_environment_number("BNNSPY_TEST_NUMBER");
}

/* What strtol takes for 8, 2 and 5 was taken for numbers of threads once. */
void test_environment(void)
{
    static const char *const none[] = {"",
                                       " ",
                                       "8abc",
                                       "2,3",
                                       "5e3",
                                       "abc",
                                       "-3",
                                       "+3",
                                       "0x10",
                                       " 8",
                                       "8 ",
                                       "3.0",
                                       "1_0",
                                       "0",
                                       "000",
                                       "\t4",
                                       "4\n",
                                       "\xd9\xa3",
                                       "99999999999999999999999999999x"};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        EXPECT(number_of(none[k]) == 0);
    EXPECT(number_of("1") == 1);
    EXPECT(number_of("64") == 64);
    EXPECT(number_of("007") == 7);
    EXPECT(number_of("1234567890") == 1234567890);
    char most[32], more[32];
    (void)snprintf(most, sizeof most, "%zu", SIZE_MAX);
    (void)snprintf(more, sizeof more, "%zu", SIZE_MAX - 1);
    EXPECT(number_of(more) == SIZE_MAX - 1);
    EXPECT(number_of(most) == SIZE_MAX);
    most[strlen(most) - 1]++; /* ends with 5 */
    EXPECT(number_of(most) == SIZE_MAX);
    EXPECT(number_of("99999999999999999999999999999") == SIZE_MAX);
    EXPECT(number_of("10000000000000000000000000000000000000000") == SIZE_MAX);
    EXPECT(unsetenv("BNNSPY_TEST_NUMBER") == 0);
    EXPECT(bnnspy_environment_number("BNNSPY_TEST_NUMBER") == 0);
}

static unsigned quota_of(const char *text)
{
    const char path[] = "bnnspy-test-cpu.max";
    FILE *file = fopen(path, "w");
    EXPECT(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    const unsigned found = bnnspy_quota(path);
    EXPECT(remove(path) == 0);
    return found;
}

void test_quota(void)
{
    EXPECT(quota_of("100000 100000\n") == 1);
    EXPECT(quota_of("200000 100000\n") == 2);
    EXPECT(quota_of("150000 100000\n") == 2); /* one and a half: rounded up, not down */
    EXPECT(quota_of("200001 100000\n") == 3);
    EXPECT(quota_of("1000 100000\n") == 1);
    EXPECT(quota_of("6400000 100000\n") == MOST_THREADS);
    EXPECT(quota_of("9000000 100000\n") == MOST_THREADS);
    EXPECT(quota_of("2147483647 1\n") == MOST_THREADS);
    EXPECT(quota_of("max 100000\n") == 0);
    EXPECT(quota_of("") == 0);
    EXPECT(quota_of("100000\n") == 0);
    EXPECT(quota_of("100000 0\n") == 0);
    EXPECT(quota_of("0 100000\n") == 0);
    EXPECT(quota_of("-1 100000\n") == 0);
    EXPECT(bnnspy_quota("no such folder/cpu.max") == 0);
    bnnspy_set_num_threads(1000); /* as many, but no more than a call can have */
    EXPECT(bnnspy_num_threads() == MOST_THREADS);
    bnnspy_set_num_threads(3);
    EXPECT(bnnspy_num_threads() == 3);
    bnnspy_set_num_threads(0);
    EXPECT(bnnspy_num_threads() >= 1 && bnnspy_num_threads() <= MOST_THREADS);
}
