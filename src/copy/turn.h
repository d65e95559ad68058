/*
 * Turning planes: in[r][c] becomes out[c][r]. Elements lie side by side along the last axis of each; the
 * pitches are free. Keyed by the width of an element, not by its type.
 */
#ifndef BNNSPY_TURN_H
#define BNNSPY_TURN_H

#include "compiler.h"
#include "cpu.h"

#include <stdbool.h>
#include <stddef.h>

struct plane {
    char *out;
    const char *in;
    ptrdiff_t out_pitch, in_pitch; /* bytes */
    size_t rows, cols;             /* of the input */
    unsigned width;                /* bytes of an element: one that bnnspy_turns says */
    bool large;                    /* it is far beyond the caches, and nobody reads it soon */
};

/*
 * The variants, in order of preference: the name, and the CPU_ bits that it needs. From this list they
 * are declared, chosen, and tested each by itself. Each writes exactly the elements of the output.
 */
#if BNNSPY_X86
#define BNNSPY_TURNERS(ROW)                                                                        \
    ROW(avx2, CPU_AVX2)                                                                            \
    ROW(portable, 0)
#else
#define BNNSPY_TURNERS(ROW) ROW(portable, 0)
#endif

#define BNNSPY_DECLARE_TURNER(name, needs) void bnnspy_turn_##name(const struct plane *plane);
BNNSPY_TURNERS(BNNSPY_DECLARE_TURNER)
#undef BNNSPY_DECLARE_TURNER

/* Whether planes of elements so wide can be turned. */
static inline bool bnnspy_turns(size_t width)
{
    return width == 1 || width == 2 || width == 4 || width == 8 || width == 16 || width == 3 ||
           width == 6 || width == 12;
}

/* By the best variant that this processor has. */
void bnnspy_turn(const struct plane *plane);

#endif
