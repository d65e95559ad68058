/* Random calls through all doors against the reference, in memory with walls around it. */
#define _DEFAULT_SOURCE
#include "generate.h"
#include "promises.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 16, MARGIN = 32, MARK = 0xE7 };

struct walled walled_memory(size_t least)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (least + page - 1) / page * page;
    unsigned char *all =
        mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(all != MAP_FAILED);
    EXPECT(mprotect(all + page, inner, PROT_READ | PROT_WRITE) == 0);
    return (struct walled){all + page, all + page + inner};
}

static struct walled memory[2 * TENSORS];
static struct source choices;

/* Against the wall behind or before it; on the other side are MARGIN bytes that have to stay. */
static unsigned char *give(unsigned buffer, size_t size)
{
    struct walled *m = &memory[buffer];
    if (m->begin == NULL)
        *m = walled_memory(MOST);
    if (pick(&choices, 2) == 0) {
        memset(m->begin + size, MARK, MARGIN);
        return m->begin;
    }
    memset(m->end - size - MARGIN, MARK, MARGIN);
    return m->end - size;
}

static bool margin_stays(unsigned buffer, const unsigned char *bytes, size_t size)
{
    const struct walled *m = &memory[buffer];
    const unsigned char *margin = bytes == m->begin ? bytes + size : bytes - MARGIN;
    for (unsigned i = 0; i < MARGIN; i++)
        if (margin[i] != MARK)
            return false;
    return true;
}

static const struct arena arena = {give, MOST, TENSORS};

static void check(const struct call *c, enum door door, unsigned turn, int status)
{
    const char *wrong = reference_judge(c, status);
    for (unsigned b = 0; wrong == NULL && b < TENSORS; b++)
        if (!margin_stays(b, c->buffer[b].bytes, c->buffer[b].size))
            wrong = "a byte outside of the memory described";
    if (wrong == NULL)
        return;
    (void)fprintf(stderr, "call %u, door %d, status %d: %s\n", turn, (int)door, status, wrong);
    exit(1);
}

static BNNSFilterParameters parameters_of(void)
{
    BNNSFilterParameters p = {0};
    p.n_threads = pick(&choices, 64) == 0 ? (size_t)pick(&choices, 4) : 1;
    return p;
}

void promise_random(void)
{
    unsigned done = 0, moved = 0, refused = 0;
    choices.state = UINT64_C(88172645463325252);
    for (unsigned turn = 0; turn < turns(60000); turn++) {
        struct call c;
        const enum door door = (enum door)pick(&choices, DOORS);
        if (!generate(&choices, &arena, door == DOOR_TAKE && pick(&choices, 2), &c))
            continue;
        const BNNSFilterParameters parameters = parameters_of();
        const bool packed = reference_bits(c.tensor[INPUT].data_type) < 8;
        reference_remember(&c);
        const int expected = reference_bad_index(&c) ? bnnspy_status_index_out_of_range : 0;
        const int status = hand_over(&c, packed ? DOOR_BOUND : door, &parameters);
        if (packed && status == bnnspy_status_invalid_parameter)
            refused++; /* a run that would end within a byte */
        else if (status != expected)
            (void)fprintf(stderr, "call %u, door %d: %d, not %d (last: %s)\n", turn, (int)door,
                          status, expected, bnnspy_last_error()->sentence);
        EXPECT(status == expected || (packed && status == bnnspy_status_invalid_parameter));
        check(&c, door, turn, status);
        done++;
        moved += status == 0;
    }
    EXPECT(moved > done / 2);
    printf("%u calls, %u moved what the reference moves, %u of them refused for bits\n", done,
           moved, refused);
}

/* A byte too few: at the doors that know the bounds that is -1, whatever else the call says. */
static unsigned lacks_a_byte(void)
{
    struct call c;
    struct places p;
    const struct arena short_arena = {give, MOST, (unsigned)pick(&choices, TENSORS)};
    const enum door door = (enum door)pick(&choices, DOOR_PUBLIC);
    if (!generate(&choices, &short_arena, false, &c))
        return 0;
    EXPECT(reference_places(&c.tensor[OUTPUT], &p));
    const bool needed = !p.empty;
    EXPECT(reference_places(&c.tensor[short_arena.lack], &p));
    if (p.empty || !needed)
        return 0;
    reference_remember(&c);
    const int status = hand_over(&c, door, NULL);
    EXPECT(status == bnnspy_status_invalid_parameter);
    check(&c, door, 0, status);
    return 1;
}

void promise_faults(void)
{
    unsigned done = 0, refused = 0;
    choices.state = UINT64_C(1181783497276652981);
    for (unsigned turn = 0; turn < turns(120000); turn++) {
        struct call c;
        if (!generate(&choices, &arena, false, &c))
            continue;
        const uint64_t kind = pick(&choices, 4);
        if (kind < 2)
            generate_faults(&choices, &c);
        else if (kind == 2)
            generate_shared(&choices, &c);
        else
            generate_raw(&choices, &c);
        reference_remember(&c);
        const BNNSFilterParameters parameters = parameters_of();
        const enum door door = (enum door)pick(&choices, DOOR_TAKE);
        const int status = hand_over(&c, door, &parameters);
        check(&c, door, turn, status);
        done++;
        refused += status != 0;
    }
    EXPECT(refused > done / 4);
    for (unsigned turn = 0; turn < turns(10000); turn++)
        refused += lacks_a_byte();
    printf("%u calls with odd or raw fields, %u refused, no byte touched that is not described\n",
           done, refused);
}
