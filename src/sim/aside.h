/* aside.h: redundant constraints set aside for as long as they depend on the others. */
#ifndef HOL_SIM_ASIDE_H
#define HOL_SIM_ASIDE_H

#include "base/archive.h"
#include "dyn/data.h"
#include "kernel/kernel.h"
#include "la/gauge.h"

/* Since when rows that are set aside have not been looked at (aside_rest.c). */
typedef struct hol__aside_rest {
    int steps;           /* accepted without a look at them */
    double motion, step; /* of the mechanism since the look, and in the last step */
    double stretch;      /* the motion over which every look saw them depend */
    long instants;       /* met when they were looked at */
    int resting;         /* the state that is being accepted has no values of them */
} hol__aside_rest;

typedef struct hol__sim_aside {
    hol__set_aside set;         /* for the kernels; rows = 0: none can be set aside */
    unsigned char *rows;        /* its rows; NULL: the parts need all */
    const unsigned char *given; /* to take these, of a state that is being loaded; NULL: choose */
    /* of the constraints: 1 where all rows are among them, by record and by row */
    unsigned char *records, *zero;
    hol__spared spared; /* these, for the data */
    int turned;         /* others count than before since somebody asked (hol__aside_turned) */

    /* the rows that are kept */
    int *row;
    hol__csr A;
    hol__gauge *gauge;
    double *lengths, *scratch; /* by row */
    double *z;                 /* a free direction */
    int n_shares;
    double *shares;        /* at the last reading */
    double share, t_share; /* the smallest of them, and when that was */
    double least;          /* from which on the rows may be set aside */
    int only_read; /* the parts need all rows; the kept ones serve to see singular positions */
    int recurses;  /* without these rows there is an open tree, to be solved by recursion */
    int every;     /* steps from one look at rows set aside to the next, at most */
    hol__aside_rest rest;
} hol__sim_aside;

/* Which rows can be set aside with these parts; before the kernels are made. options receives
 * them. */
hol_status hol__aside_init(hol_sim *sim, hol__kernel_options *options);

/* Read how independent the kept rows are at the positions in data, where they were chosen. */
void hol__aside_gauge(hol_sim *sim);

/* All rows count, from the state in data on. */
void hol__aside_reset(hol_sim *sim);

/* At an accepted state: set the rows aside, or take them back; whether they depend on the kept
 * ones, which keep their rank within reach. speed, reach: of the motion, as in crossing_ahead.c. */
int hol__aside_look(hol_sim *sim, double speed, double reach);

/* Whether the shares of the kept rows, which hol__aside_look has read, stand for those of all rows:
 * they depend on which rows were chosen. */
int hol__aside_suffices(const hol_sim *sim);

/* Whether y' has become another function of y at this accepted state, because rows were set aside
 * or came back; asked once. */
int hol__aside_turned(hol_sim *sim);

/* Around the steps of the integrator, in which rows set aside are not evaluated. */
void hol__aside_begin(hol_sim *sim);
void hol__aside_end(hol_sim *sim);

/* Around the acceptance of a state: rows that are set aside are left out where they may rest. */
void hol__aside_rest_begin(hol_sim *sim);
void hol__aside_rest_end(hol_sim *sim);

/* For aside.c: the steps from one look at so many rows to the next; the mechanism has moved in a
 * step; rows were looked at, and this is the largest share of one of them that is new. */
int hol__aside_every(const hol_model *model, int rows);
void hol__aside_moves(hol_sim *sim, double motion);
void hol__aside_proves(hol_sim *sim, int good, double newest);
void hol__aside_rest_walk(hol_sim *sim, hol__archive *archive);

/* The rows and whether they are aside through the archive, behind the data, of which `data` is the
 * beginning; the parts are made anew where other rows were chosen. */
hol_status hol__aside_walk(hol_sim *sim, hol__archive *archive, const hol__archive *data);

#endif
