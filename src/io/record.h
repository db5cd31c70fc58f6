/* record.h: what is written at each output time, as one flat row of numbers with a table that says
 * what is where.
 *
 * The writers know only this: a shape (names and texts), a table of fields and the values. They can
 * be tested with made-up records, and a new quantity is one more line in the table of record.c.
 *
 *     values = [ time | measure 1 | … | measure n | energies | violations | q | v
 *                | bodies | joints | forces ]
 *
 * Field 0 is the time; fields 1 … n_measures are the measures, one number each, the last of them
 * the reactions of single constraints where the run was asked for them.
 */
#ifndef HOL_IO_RECORD_H
#define HOL_IO_RECORD_H

#include "base/archive.h"
#include "base/arena.h"

#include <holonom/sim.h>

typedef struct hol__pair {
    const char *key, *value;
} hol__pair;

/* Names and texts of a run; the arrays must outlive the record. */
typedef struct hol__shape {
    int n_measures, n_q, n_v, n_bodies, n_joints, n_forces;
    const hol_column *measures;
    const char *const *bodies, *const *joints, *const *forces; /* names */
    const char *model;                                         /* the whole model file */
    int n_texts, n_options;
    const hol__pair *texts;   /* "method", "kernel" … */
    const hol__pair *options; /* as they are used */
    double length;            /* the size of the mechanism: positions are rounded against it */
} hol__shape;

/* One quantity: a number (rank 0), n numbers (rank 1) or n rows of m numbers (rank 2) a record. */
typedef struct hol__field {
    const char *group, *name; /* group "" stands at the top */
    const char *unit, *frame, *doc;
    int rank;
    int dims[2];
    int offset, size;   /* in the values */
    double times, over; /* values are kept as SI value * over / times; 0: as they are */
} hol__field;

/* The fields behind the measures, in this order: rows of the table of record.c. */
enum {
    HOL__FIELD_KINETIC,
    HOL__FIELD_POTENTIAL,
    HOL__FIELD_WORK,
    HOL__FIELD_BALANCE,
    HOL__FIELD_POSITION_VIOLATION,
    HOL__FIELD_VELOCITY_VIOLATION,
    HOL__FIELD_Q,
    HOL__FIELD_V,
    HOL__FIELD_BODY_POSITION,
    HOL__FIELD_BODY_QUATERNION,
    HOL__FIELD_JOINT_POINT,
    HOL__FIELD_JOINT_FORCE,
    HOL__FIELD_JOINT_MOMENT,
    HOL__FIELD_JOINT_FORCE_OWN,
    HOL__FIELD_JOINT_MOMENT_OWN,
    HOL__FIELD_JOINT_UNIQUE,
    HOL__FIELD_FORCE_POINT,
    HOL__FIELD_FORCE_FORCE,
    HOL__FIELD_FORCE_MOMENT,
    HOL__FIELD_COUNT,
    HOL__FIELD_NUMBERS = HOL__FIELD_Q /* the first of them are one number each */
};

/* The reactions of single constraints (record_constraints.c): columns behind the measures, and the
 * rows of A that they are made of. n is 0 where nobody asked for them. */
typedef struct hol__constraint_columns {
    int n, rows, entries;
    hol_column *columns;
    int *start, *column;
    double *value;
} hol__constraint_columns;

/* The extremes of all values over the accepted steps while a file is open, and over its records
 * alone, in SI units (record_extremes.c); n is 0 where they are not kept. */
typedef struct hol__record_extremes {
    int n;
    long samples; /* records */
    double *low, *t_low, *high, *t_high;
    double *sample_low, *sample_high;
    double *turns; /* the quaternions that were written last */
    double *peak;  /* by joint and force the largest load and its time (record_peaks.c) */
} hol__record_extremes;

typedef struct hol__record {
    hol__record_extremes extremes;
    hol__constraint_columns constraints;
    hol__shape shape;
    int n_fields;
    hol__field *fields;
    hol_unit *units; /* of the fields that are shown in a unit of their own */
    int size;
    double *values;
    unsigned long
        stamp; /* of the state that the values belong to, and what of them is known there */
    unsigned known;
} hol__record;

/* Parts of a record that become known together. */
enum {
    HOL__KNOWS_MOTION = 1, /* energies, violations, coordinates, poses */
    HOL__KNOWS_FORCES = 2,
    HOL__KNOWS_JOINTS = 4,      /* reactions */
    HOL__KNOWS_CONSTRAINTS = 8, /* reactions of single constraints */
    HOL__KNOWS_ALL = 15
};

/* Lay out a record of that shape in the arena; 0 without memory. */
int hol__record_init(hol__record *record, hol__arena *arena, const hol__shape *shape);

/* The columns that the simulation's options ask for, 0 without memory; and their values. */
int hol__constraint_columns_of(hol__constraint_columns *columns, hol__arena *arena, hol_sim *sim);
hol_status hol__constraint_columns_fill(const hol__constraint_columns *columns, hol_data *data,
                                        double *out);

/* Where the values of a field lie; NULL when there is no such field. */
double *hol__record_at(const hol__record *record, const char *group, const char *name);

/* Lay out a record for a simulation; 0 without memory. */
int hol__record_of_sim(hol__record *record, hol__arena *arena, hol_sim *sim);

/* Fill the values from the simulation as it stands: all of them, or (whole 0) the time, the
 * measures and the reactions of single constraints. */
hol_status hol__record_fill(hol__record *record, hol_sim *sim, int whole);

/* Where field `row` of that table begins among values of this layout. */
static inline double *hol__record_place(const hol__record *record, int row, double *values) {
    return values + record->fields[1 + record->shape.n_measures + row].offset;
}

/* Keep extremes from here on; 0 without memory. The parts that are named count with the values as
 * they stand, in SI units; so does a record, as a written one; and an accepted step as far as it is
 * known without further work, of all fields or of the reactions of single constraints alone. */
int hol__record_keep_extremes(hol__record *record, hol__arena *arena);
void hol__record_take(hol__record *record, unsigned what);
void hol__record_take_written(hol__record *record, unsigned what);
void hol__record_look(hol__record *record, hol_sim *sim, int whole);

/* What a record keeps from one step to the next, out or in. */
void hol__record_walk(hol__record *record, hol__archive *archive);

/* record_peaks.c: the largest loads, beside the extremes and by the same rules; and in words, in
 * the units of the simulation. */
int hol__record_keep_peaks(hol__record *record, hol__arena *arena);
void hol__record_take_peaks(hol__record *record, unsigned what);
void hol__record_walk_peaks(hol__record *record, hol__archive *archive);
void hol__record_tell_loads(const hol__record *record, const hol_sim *sim, char *text, size_t size);

/* A warning where the records miss extremes of bodies, joints or forces by much. */
void hol__record_warn(hol_context *ctx, const hol__record *record);

#endif
