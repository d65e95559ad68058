/* The last errors of each thread. Only failing calls come here. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A power of two, so that the place of a record does not jump where the count of failures wraps. */
enum { KEPT = 16 };

/* Record k is that of the thread's last failure whose number is k modulo KEPT. */
static _Thread_local struct {
    uint32_t newest; /* failures so far */
    bnnspy_error records[KEPT];
} errors;

bnnspy_error *bnnspy_newest_error(void)
{
    return &errors.records[errors.newest % KEPT];
}

static bnnspy_error *next(int status)
{
    errors.newest++;
    memset(bnnspy_newest_error(), 0, sizeof(bnnspy_error));
    bnnspy_newest_error()->status = status;
    return bnnspy_newest_error();
}

static void record(int status, const char *argument, const char *sentence, va_list values)
{
    bnnspy_error *error = next(status);
    (void)snprintf(error->argument, sizeof error->argument, "%s", argument);
    (void)vsnprintf(error->sentence, sizeof error->sentence, sentence, values);
}

int bnnspy_fail(int status, const char *argument, const char *sentence, ...)
{
    if (argument == NULL)
        return status;
    va_list values;
    va_start(values, sentence);
    record(status, argument, sentence, values);
    va_end(values);
    return status;
}

int bnnspy_fail_missing(const char *argument, const char *sentence, ...)
{
    va_list values;
    va_start(values, sentence);
    record(bnnspy_status_invalid_parameter, argument, sentence, values);
    va_end(values);
    bnnspy_newest_error()->missing = 1;
    return bnnspy_status_invalid_parameter;
}

bnnspy_outcome bnnspy_outcome_of_failure(int status)
{
    return (bnnspy_outcome)((uint64_t)errors.newest << 32 | (uint32_t)status);
}

const bnnspy_error *bnnspy_last_error(void)
{
    return bnnspy_newest_error();
}

void bnnspy_error_of(bnnspy_outcome outcome, bnnspy_error *error)
{
    const uint32_t number = (uint32_t)((uint64_t)outcome >> 32);
    const bnnspy_error *kept = &errors.records[number % KEPT];
    const int status = (int)outcome;
    if (status != bnnspy_status_success && errors.newest - number < KEPT &&
        kept->status == status) {
        *error = *kept;
        return;
    }
    memset(error, 0, sizeof *error);
    error->status = status;
    if (status != bnnspy_status_success)
        (void)snprintf(error->sentence, sizeof error->sentence,
                       "the call failed with %d; its reason is no longer known, since %d calls of "
                       "this thread have failed after it",
                       status, KEPT);
}

bnnspy_outcome bnnspy_set_last_error(const bnnspy_error *error)
{
    if (memcmp(error, bnnspy_newest_error(), sizeof *error) != 0)
        *next(error->status) = *error;
    return bnnspy_outcome_of_failure(error->status);
}
