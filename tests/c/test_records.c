/* Bounded descriptors, the last error, and BNNSGather itself through both of its doors. */
#include "bnnspy.h"
#include "parts.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static BNNSNDArrayDescriptor vector(void *data, size_t n, uint32_t type)
{
    BNNSNDArrayDescriptor d;
    memset(&d, 0, sizeof d);
    d.layout = BNNSDataLayoutVector;
    d.size[0] = n;
    d.data_type = type;
    d.data = data;
    return d;
}

/* A record with nothing worked out in advance, as a C caller may write it. */
static bnnspy_bounded bare(BNNSNDArrayDescriptor descriptor, void *base, size_t nbytes)
{
    bnnspy_bounded record;
    memset(&record, 0, sizeof record);
    record.descriptor = descriptor;
    record.base = base;
    record.nbytes = nbytes;
    record.writable = 1;
    record.live = 1;
    return record;
}

void test_bounds(void)
{
    static float memory[64];
    bnnspy_bounded model, record, before;
    memset(&model, 0, sizeof model);
    model.descriptor.layout = BNNSDataLayoutRowMajorMatrix;
    model.descriptor.data_type = BNNSDataTypeFloat32;
    model.descriptor.size[0] = 3; /* columns */
    model.descriptor.size[1] = 2;
    model.descriptor.stride[1] = 5; /* 5 + 3 elements; a batch is 10 */
    memset(&record, 0x33, sizeof record);
    before = record;
    for (size_t batches = 1; batches <= 3; batches++) {
        const size_t needed = (8 + 10 * (batches - 1)) * sizeof(float);
        record = before;
        EXPECT((int)bnnspy_bind(&record, &model, memory, needed - 1, 1, batches) == -1);
        EXPECT(memcmp(&record, &before, sizeof record) == 0);
        EXPECT(bnnspy_bind(&record, &model, memory, needed, 1, batches) == 0);
        EXPECT(record.descriptor.data == memory && record.base == memory);
        EXPECT(record.nbytes == needed && record.live && record.writable);
        EXPECT(record.checked && record.distinct && record.view.count == 6);
    }
    EXPECT((int)bnnspy_bind(&record, &model, memory, SIZE_MAX, 1, SIZE_MAX) == -1);
    EXPECT(bnnspy_bind(&record, &model, memory, 31, 0, 0) == 0); /* unchecked, and known to be */
    EXPECT(!record.checked && !record.distinct && !record.writable);
    model.descriptor.stride[0] = 2;
    model.descriptor.stride[1] = 4;
    EXPECT(bnnspy_bind(&record, &model, memory, sizeof memory, 1, 1) == 0);
    EXPECT(record.checked && !record.distinct); /* elements 0, 2, 4 and 4, 6, 8 */
    model.descriptor.size[0] = 0; /* no element in any of the batches */
    EXPECT(bnnspy_bind(&record, &model, NULL, 0, 1, 3) == 0 && record.view.count == 0);
    bnnspy_view view;
    const size_t root = (size_t)1 << (sizeof(size_t) * 4); /* its square is 0 */
    model.descriptor.size[0] = model.descriptor.size[1] = root;
    model.descriptor.stride[0] = model.descriptor.stride[1] = 1;
    EXPECT((int)bnnspy_describe(&model.descriptor, "data", &view) == -1);
    model.descriptor.size[1] = 1;
    EXPECT(bnnspy_describe(&model.descriptor, "data", &view) == 0 && view.count == root);
    model.descriptor = vector(NULL, 5, BNNSDataTypeUInt4); /* the last byte is half in use */
    EXPECT((int)bnnspy_bind(&record, &model, memory, 2, 1, 1) == -1);
    EXPECT(bnnspy_bind(&record, &model, memory, 3, 1, 1) == 0);
    model.descriptor.data_type = 0;
    EXPECT((int)bnnspy_bind(&record, &model, memory, sizeof memory, 1, 1) == -1);
    EXPECT(bnnspy_bind(&model, &model, memory, sizeof memory, 1, 0) == 0 && !model.checked);
}

static void *fails_elsewhere(void *unused)
{
    (void)unused;
    EXPECT(bnnspy_last_error()->status == 0 && bnnspy_last_error()->sentence[0] == 0);
    EXPECT(BNNSGather(0, NULL, NULL, NULL, NULL) == -1);
    EXPECT(strcmp(bnnspy_last_error()->sentence, "input is NULL") == 0);
    return NULL;
}

void test_errors(void)
{
    float values[3] = {1, 2, 3}, out[2] = {0, 0};
    uint64_t places[2] = {1, UINT64_MAX};
    BNNSNDArrayDescriptor i = vector(values, 3, BNNSDataTypeFloat32);
    BNNSNDArrayDescriptor x = vector(places, 2, BNNSDataTypeUInt64);
    BNNSNDArrayDescriptor o = vector(out, 2, BNNSDataTypeFloat32);
    EXPECT(BNNSGather(0, &i, &x, &o, NULL) == -1005);
    const bnnspy_error error = *bnnspy_last_error();
    EXPECT(error.status == -1005 && error.has_index && !error.index_negative && !error.missing);
    EXPECT(error.index == UINT64_MAX && error.valid_from == 0 && error.valid_to == 3);
    EXPECT(error.rank == 1 && error.position[0] == 1);
    EXPECT(strcmp(error.argument, "indices") == 0);
    EXPECT(strstr(error.sentence, "indices[1] is 18446744073709551615, outside 0..2") != NULL);

    pthread_t other;
    EXPECT(pthread_create(&other, NULL, fails_elsewhere, NULL) == 0);
    EXPECT(pthread_join(other, NULL) == 0);
    EXPECT(memcmp(&error, bnnspy_last_error(), sizeof error) == 0); /* each thread has its own */

    places[1] = 0;
    EXPECT(BNNSGather(0, &i, &x, &o, NULL) == 0);
    EXPECT(memcmp(&error, bnnspy_last_error(), sizeof error) == 0); /* success leaves it alone */
    EXPECT(BNNSGather(3, &i, &x, &o, NULL) == -1);
    EXPECT(strcmp(bnnspy_last_error()->argument, "axis") == 0);
    EXPECT(!bnnspy_last_error()->has_index);
}

static void *reads_elsewhere(void *outcome)
{
    bnnspy_error error;
    bnnspy_error_of(*(const bnnspy_outcome *)outcome, &error); /* of a thread that never failed */
    EXPECT(error.status == -1 && error.argument[0] == 0 && !error.has_index);
    EXPECT(strstr(error.sentence, "no longer known") != NULL);
    return NULL;
}

/* Each outcome names its own record, until 16 failures have come after it. */
void test_outcomes(void)
{
    enum { KEPT = 16 };
    float values[2] = {1, 2};
    int32_t place[1] = {0};
    bnnspy_bounded i = bare(vector(values, 2, BNNSDataTypeFloat32), values, sizeof values);
    bnnspy_bounded x = bare(vector(place, 1, BNNSDataTypeInt32), place, sizeof place);
    bnnspy_bounded o = bare(vector(values, 1, BNNSDataTypeFloat32), values, sizeof values);
    bnnspy_outcome outcome[2 * KEPT];
    bnnspy_error error, last;
    char expected[64];
    for (int made = 0; made < 2 * KEPT; made++) {
        outcome[made] = bnnspy_gather_default((size_t)made + 1, &i, &x, &o);
        for (int old = 0; old <= made; old++) {
            bnnspy_error_of(outcome[old], &error);
            EXPECT(error.status == -1 && (int)outcome[old] == -1);
            (void)snprintf(expected, sizeof expected, "axis is %d, outside", old + 1);
            const bool kept = made - old < KEPT;
            EXPECT((strncmp(error.sentence, expected, strlen(expected)) == 0) == kept);
            EXPECT((strcmp(error.argument, "axis") == 0) == kept);
            EXPECT((strstr(error.sentence, "no longer known") != NULL) == !kept);
        }
    }
    last = *bnnspy_last_error();
    pthread_t other;
    EXPECT(pthread_create(&other, NULL, reads_elsewhere, &outcome[2 * KEPT - 1]) == 0);
    EXPECT(pthread_join(other, NULL) == 0);
    bnnspy_error_of(0, &error);
    EXPECT(error.status == 0 && error.sentence[0] == 0);
    bnnspy_error_of(((bnnspy_outcome)1 << 62) - 1003, &error); /* of no call at all */
    EXPECT(error.status == -1003 && strstr(error.sentence, "-1003") != NULL);
    EXPECT(memcmp(&last, bnnspy_last_error(), sizeof last) == 0); /* reading changes nothing */

    EXPECT(bnnspy_set_last_error(&last) == outcome[2 * KEPT - 1]); /* it is that already */
    (void)snprintf(last.sentence, sizeof last.sentence, "in other words");
    const bnnspy_outcome named = bnnspy_set_last_error(&last);
    EXPECT(named != outcome[2 * KEPT - 1] && (int)named == -1);
    EXPECT(strcmp(bnnspy_last_error()->sentence, "in other words") == 0);
    bnnspy_error_of(outcome[2 * KEPT - 1], &error);
    EXPECT(strcmp(error.sentence, "in other words") != 0);
    bnnspy_error_of(named, &error);
    EXPECT(memcmp(&error, &last, sizeof error) == 0);
}

static int no_memory(void **memory, size_t alignment, size_t size)
{
    (void)memory, (void)alignment, (void)size;
    EXPECT(!"one thread needs no memory");
    return -1;
}

static void no_free(void *memory)
{
    (void)memory;
    EXPECT(!"nothing was allocated");
}

/* The same call at both doors, with records that leave everything to be worked out. */
static int both(size_t axis, bnnspy_bounded *i, bnnspy_bounded *x, bnnspy_bounded *o)
{
    const BNNSFilterParameters one = {0, 1, no_memory, no_free};
    const int status = (int)bnnspy_gather(axis, i, x, o, &one);
    const int open = BNNSGather(axis, &i->descriptor, &x->descriptor, &o->descriptor, &one);
    EXPECT(status == open && status == (int)bnnspy_gather_default(axis, i, x, o));
    return status;
}

/* Of several that are dead the first is named, in the order of the arguments. */
static void dead_tensors(bnnspy_bounded i, bnnspy_bounded x, bnnspy_bounded o)
{
    bnnspy_bounded *const all[] = {&i, &x, &o};
    static const char *const names[] = {"input", "indices", "output"};
    for (unsigned dead = 1; dead < 8; dead++) {
        unsigned first = 0;
        for (unsigned k = 3; k-- > 0;) {
            all[k]->live = !(dead >> k & 1);
            first = dead >> k & 1 ? k : first;
        }
        EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1 && bnnspy_last_error()->missing);
        EXPECT(strcmp(bnnspy_last_error()->argument, names[first]) == 0);
        EXPECT(strstr(bnnspy_last_error()->sentence, "has been deallocated") != NULL);
    }
    i.live = 1;
    EXPECT((int)bnnspy_gather(0, &i, NULL, NULL, NULL) == -1);
    EXPECT(strcmp(bnnspy_last_error()->sentence, "indices is NULL") == 0);
}

/* Nothing is written to an output without elements, so it may be read-only. */
static void without_elements(bnnspy_bounded i, bnnspy_bounded x, bnnspy_bounded o)
{
    bnnspy_bounded bound;
    x.descriptor.size[0] = o.descriptor.size[0] = 0;
    o.writable = 0;
    EXPECT(bnnspy_gather(0, &i, &x, &o, NULL) == 0);
    EXPECT(bnnspy_bind(&bound, &o, o.descriptor.data, 0, 0, 1) == 0);
    EXPECT(bnnspy_gather(0, &i, &x, &bound, NULL) == 0);
    BNNSNDArrayDescriptor bare_output = o.descriptor, bare_indices = x.descriptor;
    bare_output.data = bare_indices.data = NULL; /* nor need there be memory */
    EXPECT(BNNSGather(0, &i.descriptor, &bare_indices, &bare_output, NULL) == 0);
    x.descriptor.size[0] = o.descriptor.size[0] = 1;
    EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1);
    EXPECT(strcmp(bnnspy_last_error()->sentence, "output points to memory that is read-only") == 0);
}

void test_gather(void)
{
    float values[8] = {10, 20, 30, 40, 50, 60, 70, 80}, out[6] = {-1, -1, -1, -1, -1, -1};
    int32_t places[4] = {1, 3, 7, 5};
    bnnspy_bounded i = bare(vector(values, 8, BNNSDataTypeFloat32), values, sizeof values);
    bnnspy_bounded x = bare(vector(places, 4, BNNSDataTypeInt32), places, sizeof places);
    bnnspy_bounded o = bare(vector(out + 1, 4, BNNSDataTypeFloat32), out, sizeof out);
    EXPECT(both(0, &i, &x, &o) == 0);
    const float expected[6] = {-1, 20, 40, 80, 60, -1};
    EXPECT(memcmp(out, expected, sizeof out) == 0);

    /* What the bounded door knows besides. The memory is whole, so the other door would do it. */
    o.nbytes = 5 * sizeof(float) - 1;
    EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1);
    o.nbytes = 5 * sizeof(float);
    EXPECT(bnnspy_gather(0, &i, &x, &o, NULL) == 0);
    o.base = out + 2; /* data lies before it */
    EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1);
    o.base = values; /* data lies behind its end */
    o.nbytes = sizeof(float);
    o.descriptor.data = values + 3;
    EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1);
    EXPECT(strstr(bnnspy_last_error()->sentence, "its memory of 4 bytes has fewer") != NULL);
    o.descriptor.data = out + 1;
    o.nbytes = 5 * sizeof(float);
    o.base = out;
    o.writable = 0;
    EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1);
    o.writable = 1;
    x.live = 0;
    EXPECT((int)bnnspy_gather(0, &i, &x, &o, NULL) == -1 && bnnspy_last_error()->missing);
    x.live = 1;
    i.writable = 0; /* which only outputs need */
    EXPECT(bnnspy_gather(0, &i, &x, &o, NULL) == 0);

    EXPECT((int)bnnspy_gather(0, NULL, &x, &o, NULL) == -1);
    EXPECT(BNNSGather(0, &i.descriptor, NULL, &o.descriptor, NULL) == -1);
    EXPECT(BNNSGather(0, &i.descriptor, &x.descriptor, NULL, NULL) == -1);
    dead_tensors(i, x, o);
    without_elements(i, x, o);
    places[2] = 8;
    memset(out, 0, sizeof out);
    EXPECT(both(0, &i, &x, &o) == -1005);
    for (unsigned k = 0; k < 6; k++)
        EXPECT(out[k] == 0);
    EXPECT(both(SIZE_MAX, &i, &x, &o) == -1);
    o.descriptor.size[0] = 3;
    EXPECT(both(0, &i, &x, &o) == -1003);
}

/* --- one fault or two, with what bnnspy_bind works out and without -------------------------------- */

enum { INPUT, INDICES, OUTPUT, TENSORS, FAULTS = 14 };

struct setting {
    bnnspy_bounded record[TENSORS];
    size_t axis;
};

static void spoil(struct setting *s, unsigned fault, float *values, float *out)
{
    bnnspy_bounded *input = &s->record[INPUT], *indices = &s->record[INDICES],
                   *output = &s->record[OUTPUT];
    switch (fault) {
    case 0: break;
    case 1: indices->live = 0; break;
    case 2: input->descriptor.data = NULL; break;
    case 3: output->descriptor.data_type = 0x30020; break;
    case 4: input->descriptor.data_type = BNNSDataTypeInt32; break;
    case 5: indices->descriptor.data_type = BNNSDataTypeFloat32; break;
    case 6: output->descriptor.layout = 0x10077; break;
    case 7: indices->descriptor.stride[0] = SIZE_MAX; break;
    case 8: s->axis = 1; break;
    case 9: output->descriptor.size[0] = 5; break;
    case 10: input->nbytes = 31; break;
    case 11: output->writable = 0; break;
    case 12:
        output->descriptor.data = values + 1;
        output->base = values;
        break;
    case 13:
        output->descriptor.data = out;
        output->descriptor.size[0] = 0;
        break;
    }
}

/* Binds as a face does: with what the record says, and `live` put back afterwards. */
static void bind_again(bnnspy_bounded *record)
{
    const bnnspy_bounded was = *record;
    char *data = was.descriptor.data;
    const size_t before = data ? (size_t)(data - (const char *)was.base) : 0;
    EXPECT(bnnspy_bind(record, &was, data, was.nbytes - before, was.writable, 0) == 0);
    record->live = was.live;
}

/* Which of the records are bound must not show: not in the status, the sentence or the memory. */
void test_faults(void)
{
    float values[8] = {10, 20, 30, 40, 50, 60, 70, 80}, out[5];
    int32_t places[4] = {1, 3, 7, 5};
    for (unsigned faults = 0; faults < FAULTS * FAULTS; faults++) {
        struct setting s = {
            .record = {bare(vector(values, 8, BNNSDataTypeFloat32), values, sizeof values),
                       bare(vector(places, 4, BNNSDataTypeInt32), places, sizeof places),
                       bare(vector(out, 4, BNNSDataTypeFloat32), out, sizeof out)}};
        spoil(&s, faults / FAULTS, values, out);
        spoil(&s, faults % FAULTS, values, out);
        int status = 0;
        bnnspy_error error;
        for (unsigned bound = 0; bound < 1 << TENSORS; bound++) {
            bnnspy_bounded r[TENSORS];
            for (unsigned k = 0; k < TENSORS; k++) {
                r[k] = s.record[k];
                if (bound >> k & 1)
                    bind_again(&r[k]);
            }
            memset(out, 0, sizeof out);
            const int found = (int)bnnspy_gather(s.axis, &r[INPUT], &r[INDICES], &r[OUTPUT], NULL);
            if (bound == 0) {
                status = found;
                error = *bnnspy_last_error();
            }
            EXPECT(found == status);
            EXPECT(memcmp(&error, bnnspy_last_error(), sizeof error) == 0);
            EXPECT((out[0] == 20) == (found == 0) && (found == 0 || out[0] == 0));
        }
        EXPECT((status == 0) == (faults == 0));
    }
}
