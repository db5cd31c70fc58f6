/* invariants.h: quantities that the motion keeps, as further nonideal constraints [BG 18-20]. */
#ifndef HOL_FORM_INVARIANTS_H
#define HOL_FORM_INVARIANTS_H

#include "dyn/tangent.h"
#include "form/form.h"

typedef struct hol__invariants {
    int n;
    int *column;          /* of the measures */
    double *start, *held; /* values at the start of the run; how far off at the start of the step */
    double *A, *z;        /* n rows of nv: dg/dv, and what they leave along the constraints */
    double *rate, *norm;  /* b = -rate; A z */
    hol__tangent *tangent;
    int unchecked; /* nobody has looked whether the motion keeps them at this start of a step */
} hol__invariants;

/* The columns of the model that are invariants; nothing is made where there are none. */
hol_status hol__invariants_init(hol__invariants *invariants, hol__arena *arena,
                                const hol_data *data);
void hol__invariants_free(hol__invariants *invariants);

/* The state in data is the start of a step; of the run: first. */
void hol__invariants_hold(hol__invariants *invariants, const hol_data *data, int first);

/* Add to the accelerations in data, which solve the constrained equations, what holds the
 * invariants: held is taken back over the step 1/rate. An error where one is no invariant. */
hol_status hol__invariants_add(hol__invariants *invariants, hol__form *form, double rate);

/* Remove from x, of A x = 0, what would change the invariants. */
void hol__invariants_spare(const hol__invariants *invariants, int nv, double *x);

void hol__invariants_walk(hol__invariants *invariants, int nv, hol__archive *archive);

#endif
