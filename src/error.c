/* The last error of each thread. Only failing calls come here. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local bnnspy_error last;

static void record(int status, const char *argument, const char *sentence, va_list values)
{
    memset(&last, 0, sizeof last);
    last.status = status;
    (void)snprintf(last.argument, sizeof last.argument, "%s", argument);
    (void)vsnprintf(last.sentence, sizeof last.sentence, sentence, values);
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
    last.missing = 1;
    return bnnspy_status_invalid_parameter;
}

const bnnspy_error *bnnspy_last_error(void)
{
    return &last;
}

void bnnspy_set_last_error(const bnnspy_error *error)
{
    last = *error;
}
