/* Threads that share inputs, a thread that rewrites indices, signals, fork, and tensors far apart. */
#define _GNU_SOURCE
#include "bnnspy.h"
#include "promises.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 64, WIDTH = 24, PICKS = 3000, IN = 0x11, OUTSIDE = 0xEE, FILL = 0x22 };

static BNNSNDArrayDescriptor matrix(void *data, size_t rows, size_t columns, uint32_t type)
{
    BNNSNDArrayDescriptor d;
    memset(&d, 0, sizeof d);
    d.layout = BNNSDataLayout2DFirstMajor;
    d.size[0] = rows;
    d.size[1] = columns;
    d.data_type = type;
    d.data = data;
    return d;
}

static BNNSNDArrayDescriptor vector(void *data, size_t n, uint32_t type)
{
    BNNSNDArrayDescriptor d = matrix(data, n, 0, type);
    d.layout = BNNSDataLayoutVector;
    return d;
}

/* --- threads that share inputs ------------------------------------------------------------------- */

static struct {
    uint32_t input[ROWS * WIDTH];
    int32_t picks[PICKS];
    int64_t each[PICKS * WIDTH];
} shared;

struct sharer {
    uint32_t output[PICKS * WIDTH];
    unsigned n_threads;
    unsigned calls;
};

static void *share_inputs(void *argument)
{
    struct sharer *s = argument;
    const BNNSFilterParameters parameters = {0, s->n_threads, NULL, NULL};
    BNNSNDArrayDescriptor i = matrix(shared.input, ROWS, WIDTH, BNNSDataTypeUInt32);
    BNNSNDArrayDescriptor o = matrix(s->output, PICKS, WIDTH, BNNSDataTypeUInt32);
    for (unsigned turn = 0; turn < turns(30); turn++) {
        memset(s->output, 0, sizeof s->output);
        BNNSNDArrayDescriptor x = turn % 2 ? vector(shared.picks, PICKS, BNNSDataTypeInt32)
                                           : matrix(shared.each, PICKS, WIDTH, BNNSDataTypeInt64);
        EXPECT(BNNSGather(0, &i, &x, &o, &parameters) == 0);
        for (size_t k = 0; k < (size_t)PICKS * WIDTH; k++) {
            const size_t row = turn % 2 ? (size_t)shared.picks[k / WIDTH] : (size_t)shared.each[k];
            EXPECT(s->output[k] == shared.input[row * WIDTH + k % WIDTH]);
        }
        s->calls++;
        /* A failure of one's own: the other threads' errors are theirs. */
        EXPECT(BNNSGather(2 + s->n_threads, &i, &x, &o, NULL) == -1);
        char sentence[64];
        (void)snprintf(sentence, sizeof sentence, "axis is %u,", 2 + s->n_threads);
        EXPECT(strstr(bnnspy_last_error()->sentence, sentence) != NULL);
    }
    return NULL;
}

void promise_sharing(void)
{
    static struct sharer sharers[4];
    pthread_t threads[4];
    unsigned calls = 0;
    for (size_t k = 0; k < (size_t)ROWS * WIDTH; k++)
        shared.input[k] = (uint32_t)(k * 2654435761u);
    for (size_t k = 0; k < PICKS; k++)
        shared.picks[k] = (int32_t)(k * 7 % ROWS);
    for (size_t k = 0; k < (size_t)PICKS * WIDTH; k++)
        shared.each[k] = (int64_t)(k * 11 % ROWS);
    for (unsigned k = 0; k < 4; k++) {
        sharers[k].n_threads = k + 1;
        EXPECT(pthread_create(&threads[k], NULL, share_inputs, &sharers[k]) == 0);
    }
    for (unsigned k = 0; k < 4; k++) {
        EXPECT(pthread_join(threads[k], NULL) == 0);
        calls += sharers[k].calls;
    }
    printf("%u calls of 4 threads at once, on 1 to 4 threads each, on one input\n", calls);
}

/* --- indices that change during calls ------------------------------------------------------------ */

static struct {
    unsigned char arena[ROWS * WIDTH + 2 * 4096];
    unsigned char output[PICKS * WIDTH + 2 * 4096];
    int64_t wide[PICKS];
    int32_t narrow[PICKS];
    atomic_bool stop;
} rewritten;

static void *rewrite(void *unused)
{
    static const int64_t bad[] = {ROWS,      -1,        ROWS + 40, INT32_MAX,
                                  INT32_MIN, INT64_MIN, INT64_MAX, (int64_t)1 << 32};
    (void)unused;
    for (unsigned turn = 0; !atomic_load(&rewritten.stop); turn++) {
        for (size_t k = turn / 2 % 7; k < PICKS; k += 7) {
            const int64_t value = turn % 2 ? (int64_t)(turn % ROWS) : bad[turn / 2 % 8];
            __atomic_store_n(&rewritten.wide[k], value, __ATOMIC_RELAXED);
            __atomic_store_n(&rewritten.narrow[k], (int32_t)value, __ATOMIC_RELAXED);
        }
        if (turn % 2)
            usleep(turn % 128);
    }
    return NULL;
}

static void only(const unsigned char *bytes, size_t n, unsigned char a, unsigned char b)
{
    for (size_t k = 0; k < n; k++)
        EXPECT(bytes[k] == a || bytes[k] == b);
}

/* What a failing call says of an index: it is a bad one, and it was there; true for a change. */
static bool says_changed(const bnnspy_error *error)
{
    EXPECT(error->status == bnnspy_status_index_out_of_range);
    EXPECT(strcmp(error->argument, "indices") == 0);
    if (!error->has_index) {
        EXPECT(strstr(error->sentence, "changed during the call") != NULL);
        return true;
    }
    EXPECT(error->index_negative ? (int64_t)error->index < 0 : error->index >= ROWS);
    EXPECT(error->rank == 1 && error->position[0] < PICKS);
    return false;
}

void promise_rewriting(void)
{
    unsigned good = 0, bad = 0, changed = 0;
    unsigned char *input = rewritten.arena + 4096, *output = rewritten.output + 4096;
    const size_t out_bytes = (size_t)PICKS * WIDTH;
    pthread_t thread;
    memset(rewritten.arena, OUTSIDE, sizeof rewritten.arena);
    memset(input, IN, (size_t)ROWS * WIDTH);
    memset(rewritten.output, OUTSIDE, sizeof rewritten.output);
    EXPECT(pthread_create(&thread, NULL, rewrite, NULL) == 0);
    BNNSNDArrayDescriptor i = matrix(input, ROWS, WIDTH, BNNSDataTypeUInt8);
    BNNSNDArrayDescriptor o = matrix(output, PICKS, WIDTH, BNNSDataTypeUInt8);
    /* Until calls have met both what is good and what is bad: else nothing was rewritten. */
    for (unsigned turn = 0; turn < turns(6000) || (turn < 600000 && (!good || !bad)); turn++) {
        const BNNSFilterParameters parameters = {0, 1 + turn % 16 / 14, NULL, NULL};
        BNNSNDArrayDescriptor x = turn % 2 ? vector(rewritten.wide, PICKS, BNNSDataTypeInt64)
                                           : vector(rewritten.narrow, PICKS, BNNSDataTypeInt32);
        memset(output, FILL, out_bytes);
        const int status = BNNSGather(0, &i, &x, &o, &parameters);
        EXPECT(status == 0 || status == bnnspy_status_index_out_of_range);
        const bool mid = status != 0 && says_changed(bnnspy_last_error());
        only(output, out_bytes, IN, status == 0 ? IN : FILL);
        only(rewritten.output, 4096, OUTSIDE, OUTSIDE);
        only(output + out_bytes, 4096, OUTSIDE, OUTSIDE);
        good += status == 0;
        bad += status != 0 && !mid;
        changed += mid;
    }
    atomic_store(&rewritten.stop, true);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(good > 0 && bad > 0);
    printf("%u calls saw good indices, %u bad ones, %u a change; no foreign byte\n", good, bad,
           changed);
}

/* --- signals ------------------------------------------------------------------------------------- */

static pthread_t main_thread;
static atomic_uint signals_here, signals_elsewhere;

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(
        pthread_equal(pthread_self(), main_thread) ? &signals_here : &signals_elsewhere, 1);
}

void promise_signals(void)
{
    enum { COUNT = 1 << 21 };
    uint16_t *input = malloc(COUNT * sizeof *input), *output = malloc(COUNT * sizeof *output);
    uint32_t *picks = malloc(COUNT * sizeof *picks);
    struct sigaction action;
    const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    EXPECT(input && output && picks);
    for (uint32_t k = 0; k < COUNT; k++) {
        input[k] = (uint16_t)(k * 40503u);
        picks[k] = k * 2654435761u % COUNT;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal; /* without SA_RESTART: whatever can be interrupted is */
    EXPECT(sigaction(SIGALRM, &action, NULL) == 0);
    main_thread = pthread_self();
    EXPECT(setitimer(ITIMER_REAL, &often, NULL) == 0);
    BNNSNDArrayDescriptor i = vector(input, COUNT, BNNSDataTypeUInt16);
    BNNSNDArrayDescriptor x = vector(picks, COUNT, BNNSDataTypeUInt32);
    BNNSNDArrayDescriptor o = vector(output, COUNT, BNNSDataTypeUInt16);
    unsigned calls = 0;
    for (; calls < turns(40) || (atomic_load(&signals_here) == 0 && calls < 1000); calls++) {
        const BNNSFilterParameters parameters = {0, 1 + calls % 3, NULL, NULL};
        memset(output, 0, COUNT * sizeof *output);
        EXPECT(BNNSGather(0, &i, &x, &o, &parameters) == 0);
        for (size_t k = 0; k < COUNT; k += 61)
            EXPECT(output[k] == input[picks[k]]);
    }
    EXPECT(setitimer(ITIMER_REAL, &never, NULL) == 0); /* the handler stays: one may still come */
    if (atomic_load(&signals_elsewhere) > 0)
        (void)fprintf(stderr, "%u signals to other threads\n", signals_elsewhere);
    EXPECT(atomic_load(&signals_here) > 0 && atomic_load(&signals_elsewhere) == 0);
    free(input);
    free(output);
    free(picks);
    printf("%u calls, %u signals, all to the caller's thread\n", calls, signals_here);
}

/* --- fork ---------------------------------------------------------------------------------------- */

static void threaded_call(void)
{
    static uint32_t output[PICKS * WIDTH], input[ROWS * WIDTH];
    static int32_t picks[PICKS];
    const BNNSFilterParameters parameters = {0, 3, NULL, NULL};
    for (uint32_t k = 0; k < ROWS * WIDTH; k++)
        input[k] = k;
    for (uint32_t k = 0; k < PICKS; k++)
        picks[k] = (int32_t)(k % ROWS);
    BNNSNDArrayDescriptor i = matrix(input, ROWS, WIDTH, BNNSDataTypeUInt32);
    BNNSNDArrayDescriptor x = vector(picks, PICKS, BNNSDataTypeInt32);
    BNNSNDArrayDescriptor o = matrix(output, PICKS, WIDTH, BNNSDataTypeUInt32);
    EXPECT(BNNSGather(0, &i, &x, &o, &parameters) == 0);
    for (uint32_t k = 0; k < PICKS * WIDTH; k++)
        EXPECT(output[k] == (uint32_t)picks[k / WIDTH] * WIDTH + k % WIDTH);
}

void promise_fork(void)
{
    const unsigned children = turns(50);
    for (unsigned k = 0; k < children; k++) {
        threaded_call();
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (child == 0) {
            (void)signal(SIGALRM, SIG_DFL);
            (void)alarm(60); /* a call that waits for a thread of the parent's ends here */
            threaded_call();
            _exit(0);
        }
        int status = -1;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    printf("%u children gathered on threads after a threaded call of the parent\n", children);
}

/* --- tensors far apart in memory ----------------------------------------------------------------- */

/* Five times 1 GB needs more than 1 GB, also where a size has 32 bits. */
static void far_batches(void)
{
    bnnspy_bounded model, record;
    memset(&model, 0, sizeof model);
    model.descriptor = vector(NULL, (size_t)1 << 27, BNNSDataTypeUInt64);
    EXPECT((int)bnnspy_bind(&record, &model, &model, (size_t)1 << 30, 1, 5) == -1);
    EXPECT(bnnspy_bind(&record, &model, &model, (size_t)1 << 30, 1, 1) == 0);
    EXPECT((int)bnnspy_bind(&record, &model, &model, SIZE_MAX, 1, 5) ==
           (SIZE_MAX > UINT32_MAX ? 0 : -1));
}

/* Rows so far apart that their distance in bits (32-bit machines) or bytes needs 33 bits or more. */
void promise_far(void)
{
    const size_t stride = (size_t)(SIZE_MAX > UINT32_MAX ? UINT64_C(5) << 28 : 3 << 26);
    const size_t bytes = (stride + 4) * sizeof(uint32_t);
    uint32_t *input = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (input == MAP_FAILED) {
        printf("left out: no address space for %zu MB\n", bytes >> 20);
        return;
    }
    far_batches();
    uint32_t output[4], each[8] = {0};
    int16_t picks[2] = {1, 0};
    input[0] = 10, input[1] = 11, input[stride] = 20, input[stride + 1] = 21;
    BNNSNDArrayDescriptor i = matrix(input, 2, 2, BNNSDataTypeUInt32);
    BNNSNDArrayDescriptor x = vector(picks, 2, BNNSDataTypeInt16);
    BNNSNDArrayDescriptor o = matrix(output, 2, 2, BNNSDataTypeUInt32);
    i.stride[0] = 1;
    i.stride[1] = stride;
    EXPECT(BNNSNDArrayGetDataSize(&i) == (stride + 2) * sizeof(uint32_t));
    EXPECT(BNNSGather(0, &i, &x, &o, NULL) == 0); /* the index steps far */
    EXPECT(output[0] == 20 && output[1] == 21 && output[2] == 10 && output[3] == 11);
    EXPECT(BNNSGather(1, &i, &x, &o, NULL) == 0); /* the loops do */
    EXPECT(output[0] == 11 && output[1] == 10 && output[2] == 21 && output[3] == 20);

    /* A reversed axis begins at its far end. */
    i.layout = o.layout = BNNSDataLayoutConvolutionWeightsOIHrWr;
    const size_t sizes[4] = {2, 2, 1, 1};
    memcpy(i.size, sizes, sizeof sizes);
    memcpy(o.size, sizes, sizeof sizes);
    x.size[0] = 2;
    EXPECT(BNNSGather(1, &i, &x, &o, NULL) == 0);
    EXPECT(output[0] == 20 && output[1] == 21 && output[2] == 10 && output[3] == 11);

    /* Into far apart, and rows that are as long: one run of many bits. */
    o = i;
    i = matrix(each, 2, 2, BNNSDataTypeUInt32);
    each[0] = 1, each[1] = 2, each[2] = 3, each[3] = 4;
    o.layout = BNNSDataLayout2DFirstMajor;
    EXPECT(BNNSGather(0, &i, &x, &o, NULL) == 0);
    EXPECT(input[0] == 3 && input[1] == 4 && input[stride] == 1 && input[stride + 1] == 2);
    EXPECT(munmap(input, bytes) == 0);

    /* Elements; where a pointer has 32 bits, more than 512 MB: the length in bits needs 33. */
    const size_t row = (size_t)(SIZE_MAX > UINT32_MAX ? 1 << 20 : 9 << 24);
    input = mmap(NULL, row * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (input == MAP_FAILED) {
        printf("rows %zu MB apart; left out: no address space for long ones\n", bytes >> 20);
        return;
    }
    input[0] = 1, input[row - 1] = 2;
    i = matrix(input, 1, row, BNNSDataTypeUInt32);
    o = matrix(input + row, 1, row, BNNSDataTypeUInt32);
    picks[0] = 0;
    x.size[0] = 1;
    EXPECT(BNNSGather(0, &i, &x, &o, NULL) == 0);
    EXPECT(input[row] == 1 && input[2 * row - 1] == 2);
    EXPECT(munmap(input, row * 8) == 0);
    printf("rows %zu MB apart, and rows of %zu MB\n", stride >> 18, row >> 18);
}
