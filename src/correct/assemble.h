/* assemble.h: what the files of assembly share (assemble*.c); others call hol__assemble. */
#ifndef HOL_CORRECT_ASSEMBLE_H
#define HOL_CORRECT_ASSEMBLE_H

#include "correct/correct.h"

/* Radians by which drivers are led in one step: as many as a step of Newton's method may turn a
 * body. */
#define HOL__LED 0.5

typedef struct hol__assembly {
    hol_data *data;
    hol__arena arena;
    hol__csr W, D;
    hol__kernel *kernel;
    double *weight; /* of each velocity direction */
    unsigned char *fixed, *fixed_v, *given;
    unsigned char *yields; /* a given velocity that gives way to fixed ones */
    double *q0, *q_try, *delta, *pull, *rhs;
    double *angles0; /* tracked angles as drawn */
    double *off;     /* Phi - offset at the positions in data, … */
    double *offset;  /* … by holonomic row: where drivers are led to */
    double tolerance;
} hol__assembly;

/* ---- assemble.c ---- */

/* |Phi - offset| at the positions in data, the rows into off. */
double hol__assembly_residual(hol__assembly *s);

/* By how much rows may be off that are closed. */
double hol__assembly_slack(const hol__assembly *s);

/* Newton from the positions in data; *closed: whether it ended on the constraints. */
hol_status hol__assembly_close(hol__assembly *s, int *closed);

/* ---- assemble_lead.c ---- */

/* What row i of a driver that turns is off at the drawn position, in whose place data is; 0 for all
 * other rows. */
double hol__assembly_asked_turn(const hol__assembly *s, int i);

/* Say which drivers ask for more than a turn: radians may have been taken for degrees. */
void hol__assembly_warn_of_turns(const hol__assembly *s, const double *asked);

/* Lead all drivers that turn from the drawn position to what they ask for; *closed: they are there.
 * asked: what their rows are off as drawn, and most the largest. */
hol_status hol__assembly_lead(hol__assembly *s, const double *asked, double most, int *closed);

/* ---- assemble_velocities.c ---- */

hol_status hol__assembly_velocities(hol__assembly *s);

/* ---- assemble_open.c ---- */

/* Whether an element drives a coordinate. */
int hol__assembly_drives(const hol__element *e);

/* Name the joints that stay open; and the joint whose rows are not finite at the positions in
 * data. */
hol_status hol__assembly_report_open(hol__assembly *s);
hol_status hol__assembly_report_infinite(hol__assembly *s);

#endif
