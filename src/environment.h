/* Numbers in environment variables: one reading of them for the whole core. */
#ifndef BNNSPY_ENVIRONMENT_H
#define BNNSPY_ENVIRONMENT_H

#include <stddef.h>

/*
 * The whole number that a variable holds, in decimal digits and nothing else; SIZE_MAX when it is
 * larger. 0 when the variable is not set or holds anything but that, which counts as not set.
 */
size_t bnnspy_environment_number(const char *name);

#endif
