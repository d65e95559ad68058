/* How an operation refuses: a condition, a status, the argument at fault, and a sentence. */
#ifndef BNNSPY_CHECK_H
#define BNNSPY_CHECK_H

#include "bnnspy.h"
#include "compiler.h"

/*
 * Records the failure for this thread and returns status. argument may be ""; with NULL somebody
 * only asked, and nothing is recorded.
 */
BNNSPY_COLD BNNSPY_PRINTF(3, 4) int bnnspy_fail(int status, const char *argument,
                                                const char *sentence, ...);

/* The same for a tensor without data, which faces report as another case. */
BNNSPY_COLD BNNSPY_PRINTF(2, 3) int bnnspy_fail_missing(const char *argument, const char *sentence,
                                                        ...);

/* This thread's last error, for what has just failed to add to. */
BNNSPY_COLD bnnspy_error *bnnspy_newest_error(void);

/* What names this thread's last failure, of that status. */
BNNSPY_COLD bnnspy_outcome bnnspy_outcome_of_failure(int status);

/* What a function of bnnspy.h returns for the status that its body ended with. */
BNNSPY_INLINE bnnspy_outcome bnnspy_outcome_of(int status)
{
    return status == bnnspy_status_success ? 0 : bnnspy_outcome_of_failure(status);
}

/* The one check of every operation: leaves the function with status when condition is false. */
#define REQUIRE(condition, status, argument, ...)                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return bnnspy_fail((status), (argument), __VA_ARGS__);                                 \
    } while (0)

/* Leaves the function with the status of a step that failed. */
#define TRY(step)                                                                                  \
    do {                                                                                           \
        const int try_status = (step);                                                             \
        if (try_status != bnnspy_status_success)                                                   \
            return try_status;                                                                     \
    } while (0)

#endif
