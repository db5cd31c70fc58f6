/* dae_form.h: the forms in which integrators of constrained equations are given the equations of
 * motion: which constraints stand among them, and what is differentiated (constrained.c). */
#ifndef HOL_FORM_DAE_FORM_H
#define HOL_FORM_DAE_FORM_H

struct hol__state_type;

typedef struct hol__dae_form {
    const char *name, *title;
    const struct hol__state_type *state; /* y = (d, v), or (d, p) with p = M v */
    int accelerations;                   /* A v' = c in the place of A v = b */
    int positions;                       /* Phi = 0 beside them, with mu */
} hol__dae_form;

/* The i-th form, NULL past the end; the first is the default and holds all constraints. */
const hol__dae_form *hol__dae_form_get(int i);

#endif
