/* certify.h: runs that are held against each other, and what follows from them.
 *
 * All runs leave their numbers at the same instants (the grid): t_k = start + k interval, and the
 * end, which is the last row whenever it comes. A number that a run did not leave is NaN. A witness
 * is a formulation in a set of coordinates with an integrator, run twice at least: a coarse and a
 * fine run, whose difference is what it says of its own error. docs/theory/certify.md.
 */
#ifndef HOL_ANALYSIS_CERTIFY_H
#define HOL_ANALYSIS_CERTIFY_H

#include "base/answer.h"
#include "model/model.h"

#include <holonom/certify.h>
#include <holonom/sim.h>

enum {
    HOL__WITNESSES = 5,   /* at most, the run as asked for among them */
    HOL__COUNTED = 3,     /* the most precise ones, that the bound is made of */
    HOL__COORDINATES = 4, /* compiled sets: reference, natural, relative, and as asked for */
    HOL__WHY = 400
};

/* The instants at which runs are compared, and what is kept there: n measured columns, and then the
 * places of joints, three numbers each. */
typedef struct hol__grid {
    double start, interval, end;
    int rows; /* the last one is the end */
    int n, joints, width;
} hol__grid;

/* How a run is made. NULL: what the method, or the program, chooses. */
typedef struct hol__run_setting {
    const char *family; /* "multipliers" */
    const char *method, *coordinates, *integrator, *correction;
    double tolerance, max_step, step;
    double moved; /* by which the start is moved, in sizes of the coordinates; 0: not at all */
    long most;    /* evaluations, after which it is given up; 0: no limit */
    int as_asked; /* all but the tolerance (the step) as the description has it */
} hol__run_setting;

/* What one run left. */
typedef struct hol__run {
    hol__run_setting with;
    hol_status status;
    int made;    /* it was set up: what it did counts */
    int dear;    /* it was given up for the evaluations it took */
    int stopped; /* it ended by a condition and not by time */
    double *x;   /* rows x width */
    double t;    /* where it ended */
    long steps, evaluations, factorizations, crossings;
    double crossed[8]; /* when, the first of them */
    double energy_error, energy_limit;
    int n_jumps; /* switches and events, and when: the first of them */
    double jumps[64];
    char method[32], integrator[24], coordinates[12];
    char why[HOL__WHY]; /* its first error */
} hol__run;

typedef struct hol__witness {
    hol__run coarse, fine;
    int whole;     /* both reached the end */
    int counted;   /* among those that the bound is made of */
    double own;    /* its estimate of its error: the largest share of a size over all columns */
    double *error; /* rows x n: the estimate, as an envelope */
    double off;    /* the largest share of a size by which it differs from the answer … */
    int off_column, off_row; /* … where, and the row where it begins to be more than it says */
    int apart;               /* it differs by more than the estimates say, and than is asked for */
    int apart_row, apart_column, apart_joint;
    const double *jolted; /* the fine run again from a start that rounding moved; NULL: not made */
    long jolted_steps;
} hol__witness;

/* How neighbouring motions part. */
typedef struct hol__growth {
    int known;
    double most;     /* the largest factor over the run */
    double rate;     /* of an exponential through the factors, 1/s */
    int exponential; /* which fits them better than a power of time does */
    double *factor;  /* by row */
} hol__growth;

typedef struct hol__certify {
    hol_context *ctx, *quiet;
    const hol_spec *spec;
    hol_certify_options o;
    hol__arena arena;
    hol_model *models[HOL__COORDINATES];
    hol_context *compiled[HOL__COORDINATES]; /* what was said of each */
    hol_options *options;                    /* of the description */
    const hol_model *model;                  /* as asked for */
    hol__grid grid;
    double digits, share; /* asked for; 10^-digits */
    hol__run judged;      /* the run as asked for, or the samples */
    hol__witness refined; /* the same, refined */
    int n;
    hol__witness witness[HOL__WITNESSES];
    int n_counted;
    int answer;          /* the witness whose fine run is the answer; -1: none */
    const double *x;     /* that */
    double *size;        /* by column */
    unsigned char *open; /* by column: reactions that are not unique */
    unsigned char *left; /* by row: at a jump, not compared */
    unsigned char
        *zero;     /* by column: nothing but zero is known of it, its size is that of others */
    double *bound; /* rows x n */
    double *off;   /* rows x n: of what is judged, |difference| + bound */
    hol__growth growth;
    double rate;         /* the fastest time scale of a force at the start, 1/s … */
    const char *fastest; /* … and its name; NULL: none */
    int dear[2];         /* explicit and implicit rows that were given up for what they cost */
    int notes;           /* of witnesses that are missing, so far */
    char note[8][HOL__WHY + 100];
    /* the verdict */
    int certified;
    char verdict[900], cause[1200], attempt[500];
} hol__certify;

/* certify.c: the model and its options, read; all runs and the verdict; and the end of it. */
hol_status hol__certify_open(hol_context *ctx, const hol_spec *spec,
                             const hol_certify_options *options, hol__certify **out);
hol_status hol__certify_carry_out(hol__certify *c);
void hol__certify_close(hol__certify *c);

/* certify_run.c: one run over the whole span. HOL_ERR_MEMORY and HOL_ERR_INTERRUPTED only; else
 * the course says how it went. */
hol_status hol__certify_run(hol__certify *c, const hol__run_setting *with, hol__run *out);

/* The model in these coordinates; NULL where it has none such. */
const hol_model *hol__certify_model(hol__certify *c, const char *coordinates);

/* The numbers of the state now, a row of the grid; and how the run went. */
hol_status hol__certify_row(const hol__grid *grid, hol_sim *sim, double *row);
void hol__certify_figures(hol_sim *sim, hol__run *out);

/* The options of a run. */
hol_options *hol__certify_options(hol__certify *c, const hol__run_setting *with);

/* certify_judged.c: what is judged: the run as the description asks for it, or samples; and the
 * grid that follows from its outputs. */
hol_status hol__certify_judged(hol__certify *c);

/* certify_panel.c: all witnesses. */
hol_status hol__certify_panel(hol__certify *c);

/* The answer with a better estimate of its error where that is more than is wanted: a coarse run
 * with ten times the tolerance of the fine one, and then, since there is no lower tolerance, a fine
 * run with half the steps. */
hol_status hol__certify_sharpen(hol__certify *c);

/* The largest estimate of a pair of runs as a share of the sizes of columns; the envelope of it. */
double hol__certify_own(hol__certify *c, hol__witness *w);

/* certify_bound.c: sizes of the columns after a run; the answer, the bound, who is apart. */
void hol__certify_sizes(hol__certify *c, const double *x);
hol_status hol__certify_bound(hol__certify *c);

/* The largest |x - x_c| of a witness around an instant. */
double hol__certify_around(const hol__certify *c, const hol__witness *w, int row, int column);

/* The digits of a bound of a column; at most HOL__MOST_DIGITS. */
#define HOL__MOST_DIGITS 15
double hol__certify_digits(const hol__certify *c, int column, double bound);

/* The fewest digits of a table (rows x n) over the columns that count, and where; INT_MAX rows
 * where there are none. */
typedef struct hol__fewest {
    double digits, t;
    int column, row;
} hol__fewest;

hol__fewest hol__certify_fewest(const hol__certify *c, const double *bound, int from, int to);

/* Whether a number counts. */
static inline int hol__certify_counts(const hol__certify *c, int row, int column) {
    return !c->open[column] && !c->left[row];
}

/* The time of a row of the grid. */
static inline double hol__grid_time(const hol__grid *g, int row) {
    return row == g->rows - 1 ? g->end : g->start + row * g->interval;
}

/* certify_growth.c: how neighbouring motions part, by a second run from a start nearby. */
hol_status hol__certify_growth(hol__certify *c);

/* The start of a simulation moved by so many sizes of its coordinates, and back onto the
 * constraints. */
hol_status hol__certify_move(hol__certify *c, const hol_model *m, hol_sim *sim, double by);

/* certify_noise.c: what rounding makes of a column in a witness, as a share of its size, by a
 * second run whose start was moved by rounding; 0 where that could not be made. */
double hol__certify_noise(hol__certify *c, hol__witness *w, int column);

/* What takes the digits that the answer lacks at a place, told from the runs. */
void hol__certify_lack(hol__certify *c, const hol__fewest *where, char *out, size_t size);

/* certify_laws.c: the force whose energy is not what its force does, along the run that is the
 * answer: its index, -1: none; *by: the power that is missing, over the largest power. */
hol_status hol__certify_laws(hol_sim *sim, int *force, double *by);
hol_status hol__certify_find_law(hol__certify *c, int *force, double *by, double *t);

/* certify_verdict.c: whether it is certified; else what is in the way and what to try. */
void hol__certify_judge(hol__certify *c);

/* certify_answer.c: facts and tables. */
hol_answer *hol__certify_tell(hol__certify *c);

#endif
