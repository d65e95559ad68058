/*
 * What a call allocates: nothing at all where its access pattern wants no workspace; one workspace
 * from the caller's allocator where it does, given back in the end; and when there is none, the same
 * result without.
 */
#include "bnnspy.h"
#include "generate.h"
#include "promises.h"

#include <string.h>

enum { MOST = 1 << 20 };

static unsigned char *buffers[2 * TENSORS];

static unsigned char *give(unsigned buffer, size_t size)
{
    (void)size;
    if (buffers[buffer] == NULL)
        buffers[buffer] = malloc(MOST);
    return buffers[buffer];
}

static const struct arena arena = {give, MOST, TENSORS};

/* An allocator that counts, and answers in different ways. */
static struct {
    enum { WELL, NO_MEMORY, SAYS_NO_AND_SETS, NULL_AND_SUCCESS, NO_SECOND, MISALIGNED } manner;
    unsigned asked, given, freed;
    size_t largest;
} allocator;

enum { UNTOUCHED = 0x5A };
static _Alignas(64) unsigned char pool[4][(1 << 20) + 128];

static int allocate(void **memory, size_t alignment, size_t size)
{
    EXPECT(*memory == NULL && alignment == 64 && size <= 1 << 20);
    unsigned char *place = pool[allocator.asked++ % 4];
    if (size > allocator.largest)
        allocator.largest = size;
    switch (allocator.manner) {
    case NO_MEMORY: return -1;
    case SAYS_NO_AND_SETS: *memory = place; return 12;
    case NULL_AND_SUCCESS: return 0;
    case NO_SECOND:
        if (allocator.asked == 2)
            return -1;
        break;
    case MISALIGNED: place += 8; break;
    case WELL: break;
    }
    allocator.given++;
    *memory = place;
    return 0;
}

static void give_back(void *memory)
{
    EXPECT(memory != NULL);
    allocator.freed++;
}

/* Memory that is not aligned as it was asked for is given back as it was. */
static void only_aligned_memory_is_used(void)
{
    const unsigned char *bytes = (const unsigned char *)pool;
    for (size_t k = 0; allocator.manner == MISALIGNED && k < sizeof pool; k++)
        EXPECT(bytes[k] == UNTOUCHED);
}

/* A gather that wants a workspace: rows of more indices than the stack has room for. */
static struct {
    float input[40 * 3000], output[40 * 5000], right[40 * 5000];
    int32_t indices[5000];
} wide;

static int gather_wide(const BNNSFilterParameters *parameters)
{
    BNNSNDArrayDescriptor i, x, o;
    memset(&i, 0, sizeof i);
    memset(&x, 0, sizeof x);
    i.layout = BNNSDataLayoutRowMajorMatrix;
    i.data_type = BNNSDataTypeFloat32;
    i.size[0] = 3000;
    i.size[1] = 40;
    o = i;
    o.size[0] = 5000;
    i.data = wide.input;
    o.data = wide.output;
    x.layout = BNNSDataLayoutVector;
    x.size[0] = 5000;
    x.data_type = BNNSDataTypeInt32;
    x.data = wide.indices;
    memset(wide.output, 0, sizeof wide.output);
    return BNNSGather(1, &i, &x, &o, parameters);
}

static void fill_wide(void)
{
    for (size_t k = 0; k < sizeof wide.input / sizeof wide.input[0]; k++)
        wide.input[k] = (float)k;
    for (size_t k = 0; k < 5000; k++)
        wide.indices[k] = (int32_t)(k * 1237 % 3000);
    for (size_t row = 0; row < 40; row++)
        for (size_t k = 0; k < 5000; k++)
            wide.right[row * 5000 + k] = wide.input[row * 3000 + (size_t)wide.indices[k]];
}

void promise_allocation(void)
{
    struct source choices = {.state = UINT64_C(2685821657736338717)};
    unsigned done = 0, failed = 0, asked = 0;
    if (allocations() < 0) {
        printf("left out: this build does not count allocations\n");
        return;
    }
    void *probe = malloc(100);
    EXPECT(probe != NULL && allocations() > 0);
    free(probe);
    fill_wide();
    for (unsigned turn = 0; turn < turns(40000); turn++) {
        struct call c;
        const enum door door = (enum door)pick(&choices, DOORS);
        if (!generate(&choices, &arena, false, &c))
            continue;
        memset(&allocator, 0, sizeof allocator);
        const BNNSFilterParameters one = {0, 1, allocate, give_back};
        const long before = allocations();
        const int status = hand_over(&c, door, &one);
        EXPECT(allocations() == before);
        EXPECT(allocator.given == allocator.freed && allocator.asked <= 1);
        asked += allocator.asked;
        done++;
        failed += status != 0;
    }
    /* And through no allocator of one's own: nothing where no workspace is wanted. */
    const BNNSFilterParameters one = {0, 1, NULL, NULL};
    float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[4];
    int64_t where[4] = {1, 3, 7, 5};
    BNNSNDArrayDescriptor i, x, o;
    memset(&i, 0, sizeof i);
    i.layout = BNNSDataLayoutVector;
    i.size[0] = 8;
    i.data_type = BNNSDataTypeFloat32;
    i.data = in;
    x = o = i;
    x.size[0] = o.size[0] = 4;
    x.data = where;
    x.data_type = BNNSDataTypeInt64;
    o.data = out;
    const long before = allocations();
    EXPECT(BNNSGather(0, &i, &x, &o, &one) == 0 && BNNSGather(0, &i, &x, &o, NULL) == 0);
    EXPECT(allocations() == before);
    EXPECT(gather_wide(&one) == 0);
    EXPECT(allocations() == before + 1); /* the one workspace, by posix_memalign */
    printf("%u calls on one thread (%u failing) allocated nothing; %u asked for a workspace\n",
           done, failed, asked);
}

void promise_allocators(void)
{
    unsigned calls = 0;
    fill_wide();
    for (unsigned threads = 1; threads <= 4; threads++) {
        for (unsigned manner = WELL; manner <= MISALIGNED; manner++) {
            memset(&allocator, 0, sizeof allocator);
            memset(pool, UNTOUCHED, sizeof pool);
            allocator.manner = manner;
            const BNNSFilterParameters parameters = {0, threads, allocate, give_back};
            EXPECT(gather_wide(&parameters) == 0);
            EXPECT(memcmp(wide.output, wide.right, sizeof wide.output) == 0);
            EXPECT(allocator.asked >= 1 && allocator.asked <= threads);
            EXPECT(allocator.given == allocator.freed);
            only_aligned_memory_is_used();
            wide.indices[4999] = 3000;
            EXPECT(gather_wide(&parameters) == bnnspy_status_index_out_of_range);
            for (size_t k = 0; k < sizeof wide.output / sizeof wide.output[0]; k++)
                EXPECT(wide.output[k] == 0);
            EXPECT(allocator.given == allocator.freed);
            only_aligned_memory_is_used();
            wide.indices[4999] = (int32_t)(4999 * 1237 % 3000);
            calls += 2;
        }
    }
    const BNNSFilterParameters no_free = {0, 1, allocate, NULL};
    memset(&allocator, 0, sizeof allocator);
    EXPECT(gather_wide(&no_free) == 0);
    EXPECT(memcmp(wide.output, wide.right, sizeof wide.output) == 0);
    printf("%u calls with allocators that work, fail, lie or misalign\n", calls + 1);
}
