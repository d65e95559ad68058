/*
 * Gather calls made from a stream of choices: of a fuzzer's bytes, or of a random number generator.
 * The calls are right to begin with, so that most of them get as far as moving something.
 */
#ifndef BNNSPY_PROMISES_GENERATE_H
#define BNNSPY_PROMISES_GENERATE_H

#include "reference.h"

/* Choices: bytes while there are any, then 0; or without bytes pseudo-random numbers from state. */
struct source {
    const uint8_t *bytes;
    size_t left;
    uint64_t state;
};

/* A number below n (at least 1). */
uint64_t pick(struct source *source, uint64_t n);

/* True once in n. With no bytes left it is false. */
bool seldom(struct source *source, uint64_t n);

/* How a call is handed over. */
enum door { DOOR_BARE, DOOR_BOUND, DOOR_PUBLIC, DOOR_TAKE, DOORS };

/* Memory for the tensors of calls, at least `size` bytes with nothing behind them. */
struct arena {
    unsigned char *(*give)(unsigned buffer, size_t size);
    size_t most;   /* bytes of a buffer */
    unsigned lack; /* the tensor whose buffer is a byte too short, TENSORS for none */
};

/*
 * Makes a call without a fault, save for two: an index may be out of range, and elements of less
 * than 8 bits may not be whole bytes. The buffers are as large as the tensors need, now and then a
 * few bytes larger, and filled. wraps: negative indices too. False when it would need more than
 * arena.most.
 */
bool generate(struct source *source, const struct arena *arena, bool wraps, struct call *call);

/* Points the output into the input's or the indices' buffer, if it has room for it. */
void generate_shared(struct source *source, struct call *call);

/* Overwrites a few fields with odd values. The buffers stay as they are. */
void generate_faults(struct source *source, struct call *call);

/* Overwrites descriptors by raw bytes; data points to where the choices say. */
void generate_raw(struct source *source, struct call *call);

/*
 * Makes the call through a door. Where this one can't take it (the public one, when the tensors do
 * not lie in their memory; bnnspy_take, when it answers for too much) it goes through DOOR_BARE.
 */
int hand_over(const struct call *call, enum door door, const BNNSFilterParameters *parameters);

#endif
