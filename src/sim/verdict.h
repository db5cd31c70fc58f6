/* verdict.h: whether a run ended within what its tolerances mean. */
#ifndef HOL_SIM_VERDICT_H
#define HOL_SIM_VERDICT_H

#include <holonom/model.h>

/* The largest residual of a kind so far: as a share of the size of its row, when, and of what: in
 * words, because the model that had the row may be gone, where elements take hold and let go. */
typedef struct hol__worst {
    double share, t;
    char element[96], direction[64];
} hol__worst;

typedef struct hol__verdict {
    double *size; /* of the rows, in m or rad: what a length or a radian of the mechanism moves */
    hol__worst position, velocity;
    double t_energy; /* when the energy balance was off the most */
    double force;    /* the sum of all forces at the start … */
    double rounding; /* … and what they do to it where positions are rounded, in a step */
} hol__verdict;

/* The sizes of the rows at the positions in data. */
hol_status hol__verdict_init(hol_sim *sim);

/* The residuals at the state in data, counted where `counts`; those of energies are with the
 * watch. */
void hol__verdict_watch(hol_sim *sim, int counts);

/* What rounding means, at the state at the start. */
void hol__verdict_start(hol_sim *sim);

/* What the run may be off by so far: residuals as shares of the mechanism's size, and the energy
 * balance. */
double hol__verdict_violation_limit(const hol_sim *sim);
double hol__verdict_energy_limit(const hol_sim *sim);

/* HOL_BEYOND_... of the run so far, and its words. */
unsigned hol__verdict_beyond(const hol_sim *sim);
const char *hol__verdict_text(const hol_sim *sim);

/* Warnings for all that is beyond. */
void hol__verdict_say(hol_sim *sim);

/* The same as bytes: what is kept for the next state. */
void hol__verdict_walk(hol_sim *sim, struct hol__archive *archive);

#endif
