/* writer.h: a simulation, a record of it, and where the records go: a file (writer.c) or memory
 * (writer_memory.c). */
#ifndef HOL_IO_WRITER_H
#define HOL_IO_WRITER_H

#include "io/format.h"
#include "sim/extremes.h"

struct hol_writer {
    hol_context *ctx;
    hol__arena arena;
    hol_sim *sim;
    hol__record record;
    hol__sink sink;              /* in memory: its format and its rows alone */
    hol__onlooker onlooker;      /* of accepted steps, for extremes */
    double row_bytes, max_bytes; /* of one record; of all, 0: no limit */
    double *extremes;            /* room for the four lists of them */
    int in_memory;
    long capacity; /* in memory: records that the block takes */
    double *block;
};

/* A writer of the simulation that goes nowhere yet, NULL without memory; and its end. */
hol_writer *hol__writer_new(hol_sim *sim);
void hol__writer_release(hol_writer *writer);

/* Keep the extremes of what the records have beside the measures, where they are wanted; 0 without
 * memory. */
int hol__writer_keep_extremes(hol_writer *writer);

/* The figures of the run with the extremes in the units of the records, of all columns or (whole 0)
 * of measures. */
void hol__writer_describe(hol_writer *writer, int whole, hol_sim_info *info);

/* In memory: append the values of the record as they stand. */
hol_status hol__writer_keep(hol_writer *writer);

#endif
