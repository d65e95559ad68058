/* The version: the build passes it, so that pyproject.toml is the one place that has it. */
#include "bnnspy.h"

#ifndef BNNSPY_VERSION
#define BNNSPY_VERSION "0.0.0"
#endif

const char *bnnspy_version(void)
{
    return BNNSPY_VERSION;
}
