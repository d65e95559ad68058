/* See kernels.h. The table is in order of preference; the last row needs nothing. */
#include "kernels/kernels.h"

#include "bnnspy.h"
#include "compiler.h"
#include "cpu.h"

#include <stdatomic.h>

static const struct kernels variants[] = {
#if BNNSPY_X86
    {"avx512", CPU_AVX512, bnnspy_narrow_avx512, bnnspy_table_avx512, bnnspy_copy_avx2},
    {"avx2", CPU_AVX2, bnnspy_narrow_avx2, NULL, bnnspy_copy_avx2},
#endif
    {"portable", 0, bnnspy_narrow_portable, NULL, bnnspy_copy_portable},
};

const struct kernels *bnnspy_kernels(void)
{
    static _Atomic(const struct kernels *) chosen; /* all threads choose the same */
    const struct kernels *found = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (found == NULL) {
        const unsigned features = bnnspy_cpu_features();
        found = variants;
        while ((found->needs & features) != found->needs)
            found++;
        atomic_store_explicit(&chosen, found, memory_order_relaxed);
    }
    return found;
}

const char *bnnspy_kernel_variant(void)
{
    return bnnspy_kernels()->name;
}
