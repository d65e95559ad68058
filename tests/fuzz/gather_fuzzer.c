/*
 * Fuzzing of the C face: bytes become descriptors, arguments and buffers of known size, which go
 * through one of the doors, under AddressSanitizer; then status and memory are judged.
 *
 * Most inputs are calls that would work, some with odd fields, shared memory or raw descriptors: see
 * tests/c/promises/generate.h. Every buffer is a block of its own of exactly the size that the call
 * is told, so that one byte beside it is found. tests/prove fuzz builds and runs this; with -DREPLAY
 * it is a program that runs the files it is given once, for machines without libFuzzer.
 */
#define _DEFAULT_SOURCE
#include "../c/promises/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

static unsigned char *blocks[2 * TENSORS];

static unsigned char *give(unsigned buffer, size_t size)
{
    free(blocks[buffer]);
    blocks[buffer] = malloc(size);
    return blocks[buffer];
}

static void complain(const char *what, int status)
{
    (void)fprintf(stderr, "broken promise: %s (status %d)\n", what, status);
    abort();
}

/* An allocator of the caller's, which fails now and then. */
static unsigned fail_next, held;

static int allocate(void **memory, size_t alignment, size_t size)
{
    if (fail_next)
        return -1;
    held++;
    return posix_memalign(memory, alignment, size);
}

static void give_back(void *memory)
{
    held--;
    free(memory);
}

static BNNSFilterParameters parameters_of(struct source *s)
{
    BNNSFilterParameters p = {0, 1, NULL, NULL};
    if (seldom(s, 40))
        p.n_threads = (size_t)pick(s, 4);
    if (seldom(s, 4)) {
        p.alloc_memory = allocate;
        p.free_memory = give_back;
    }
    fail_next = seldom(s, 3);
    return p;
}

/* The two functions that only look at a descriptor. */
static void questions(const BNNSNDArrayDescriptor *d)
{
    struct places p;
    const unsigned bits = reference_bits(d->data_type);
    const bool known = reference_places(d, &p);
    const size_t bytes = BNNSNDArrayGetDataSize(d), rank = BNNSDataLayoutGetRank(d->layout);
    if (known && rank != p.rank)
        complain("BNNSDataLayoutGetRank", (int)rank);
    if (rank != SIZE_MAX && (rank < 1 || rank > 8))
        complain("BNNSDataLayoutGetRank of a layout that is none", (int)rank);
    const bool told = known && bits >= 8 && d->data != NULL && !p.empty;
    const bool packed = d->layout == BNNSDataLayoutConvolutionWeightsOIHW_Pack32;
    if (bytes != 0 && !packed && (!told || bytes != p.extent * (bits / 8)))
        complain("BNNSNDArrayGetDataSize", 0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    /* So that small rows are written around it, and fetched. */
    return setenv("BNNSPY_LAST_CACHE", "1", 1) | setenv("BNNSPY_SECOND_CACHE", "1", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    struct source s = {.bytes = bytes, .left = size};
    struct call c;
    const enum door door = (enum door)pick(&s, DOORS);
    const uint64_t kind = pick(&s, 8);
    const BNNSFilterParameters parameters = parameters_of(&s);
    const bool raw = door != DOOR_TAKE && kind >= 4, lacking = raw && kind == 6;
    const struct arena arena = {give, MOST, lacking ? (unsigned)pick(&s, TENSORS) : TENSORS};
    if (!generate(&s, &arena, door == DOOR_TAKE && kind % 2, &c))
        return 0;
    if (raw && kind == 4)
        generate_raw(&s, &c);
    if (raw && kind == 5)
        generate_shared(&s, &c);
    if (raw && (kind == 4 || kind == 7))
        generate_faults(&s, &c);
    reference_remember(&c);
    for (unsigned t = 0; t < TENSORS; t++)
        questions(&c.tensor[t]);
    const int status = hand_over(&c, door, &parameters);
    const char *wrong = reference_judge(&c, status);
    if (wrong != NULL)
        complain(wrong, status);
    if (held != 0)
        complain("memory of the caller's allocator was kept", status);
    return 0;
}

#if defined(REPLAY)
int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 16];
    (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL)
            return 2;
        const size_t size = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        (void)LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
#endif
