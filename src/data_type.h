/* What a data type code means. */
#ifndef BNNSPY_DATA_TYPE_H
#define BNNSPY_DATA_TYPE_H

#include "bnns/bnns_constants.h"

#include <stddef.h>

enum data_kind { KIND_FLOAT, KIND_SIGNED, KIND_UNSIGNED, KIND_INDEXED, KIND_BOOLEAN };

struct data_type {
    uint32_t code;
    uint8_t bits; /* of one element; below 8 elements are packed */
    uint8_t kind;
    const char *name;
};

enum { DATA_TYPE_COUNT = 24 };
extern const struct data_type bnnspy_data_types[DATA_TYPE_COUNT];

/* The row of a code, or NULL. */
static inline const struct data_type *bnnspy_data_type(uint32_t code)
{
    for (unsigned i = 0; i < DATA_TYPE_COUNT; i++)
        if (bnnspy_data_types[i].code == code)
            return &bnnspy_data_types[i];
    return NULL;
}

#endif
