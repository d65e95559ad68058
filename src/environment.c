/* See environment.h. */
#include "environment.h"

#include "integer.h"

#include <stdlib.h>

size_t bnnspy_environment_number(const char *name)
{
    const char *text = getenv(name);
    size_t number = 0;
    for (; text != NULL && *text != 0; text++) {
        if (*text < '0' || *text > '9')
            return 0;
        if (multiply_overflows(number, 10, &number) ||
            add_overflows(number, (size_t)(*text - '0'), &number))
            number = SIZE_MAX; /* and so it stays: ten times that overflows too */
    }
    return number;
}
