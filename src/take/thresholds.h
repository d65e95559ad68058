/*
 * The measured numbers of the plan, each with what it decides. benchmarks/tune.py builds the core with
 * other values (-DBNNSPY_FETCH_FROM=..), times them, and prints what it would change.
 */
#ifndef BNNSPY_THRESHOLDS_H
#define BNNSPY_THRESHOLDS_H

/* 1: runs of usual lengths are copied by code made for their length; 0: only to measure that. */
#ifndef BNNSPY_LITERAL_RUNS
#define BNNSPY_LITERAL_RUNS 1
#endif

/* 1: indices are used where they are, where that can be; 0: only to measure that. */
#ifndef BNNSPY_DIRECT
#define BNNSPY_DIRECT 1
#endif

/* Rows of so many bytes are copied by a loop of our own, not by memcpy. */
#ifndef BNNSPY_COPY_FROM
#define BNNSPY_COPY_FROM 2048
#endif

/*
 * A table of so many bytes, and of so many times the second cache, is far enough for fetching what is
 * needed soon to pay:
 */
#ifndef BNNSPY_FETCH_FROM
#define BNNSPY_FETCH_FROM (1 << 20)
#endif
#ifndef BNNSPY_FETCH_CACHES
#define BNNSPY_FETCH_CACHES 4
#endif
/* so many elements ahead, */
#ifndef BNNSPY_FETCH_ELEMENTS
#define BNNSPY_FETCH_ELEMENTS 64
#endif
/* or rows of so many bytes, these into the first cache. */
#ifndef BNNSPY_FETCH_BYTES
#define BNNSPY_FETCH_BYTES 3072
#endif

/* So many indices are made private at a time then, and those that are fetched for besides. */
#ifndef BNNSPY_FETCH_PART
#define BNNSPY_FETCH_PART 128
#endif

/* Tables of this size fit the first cache, so that the next one can be brought there, */
#ifndef BNNSPY_TABLE_LEAST
#define BNNSPY_TABLE_LEAST (4 << 10)
#endif
#ifndef BNNSPY_TABLE_MOST
#define BNNSPY_TABLE_MOST (32 << 10)
#endif
/* where all of them together do not fit the second; */
#ifndef BNNSPY_TABLES_FROM
#define BNNSPY_TABLES_FROM (1 << 20)
#endif
/* so many indices are between two portions of it. */
#ifndef BNNSPY_TABLE_PART
#define BNNSPY_TABLE_PART 64
#endif

/*
 * Where the next table is fetched, the indices and the output that follow are too: the processor's
 * own fetching stops at each page. 0: only to measure that.
 */
#ifndef BNNSPY_FETCH_STREAMS
#define BNNSPY_FETCH_STREAMS 1
#endif
/* They are fetched so many bytes before they are used. */
#ifndef BNNSPY_INDICES_AHEAD
#define BNNSPY_INDICES_AHEAD 4096
#endif
#ifndef BNNSPY_OUTPUT_AHEAD
#define BNNSPY_OUTPUT_AHEAD 2048
#endif
/* So are, where tables fit the registers, the next ones, with an output of so many bytes. */
#ifndef BNNSPY_TABLE_AHEAD
#define BNNSPY_TABLE_AHEAD 2048
#endif
#ifndef BNNSPY_STREAMS_FROM
#define BNNSPY_STREAMS_FROM (64 << 10)
#endif

/* Columns are packed where the table has so many bytes, */
#ifndef BNNSPY_COLUMNS_FROM
#define BNNSPY_COLUMNS_FROM (1 << 20)
#endif
/* blocks of at most so many bytes wide, of elements of at most so many. */
#ifndef BNNSPY_COLUMN_BYTES
#define BNNSPY_COLUMN_BYTES 256
#endif
#ifndef BNNSPY_COLUMN_RUN
#define BNNSPY_COLUMN_RUN 16
#endif
/* So many rows ahead, what is needed of them is fetched. */
#ifndef BNNSPY_ROWS_AHEAD
#define BNNSPY_ROWS_AHEAD 4
#endif

/* Rows this long, into an output this large, are written around the cache. */
#ifndef BNNSPY_STREAM_ROW
#define BNNSPY_STREAM_ROW 1024
#endif
#ifndef BNNSPY_STREAM_FROM
#define BNNSPY_STREAM_FROM (16 << 20)
#endif

/* A thread is to have so many elements, or so many bytes, to move: it costs some 25 us to make one. */
#ifndef BNNSPY_THREAD_MOVES
#define BNNSPY_THREAD_MOVES 200000
#endif
#ifndef BNNSPY_THREAD_BYTES
#define BNNSPY_THREAD_BYTES (4 << 20)
#endif

#endif
