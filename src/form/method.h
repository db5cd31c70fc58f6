/* method.h: methods are rows: state, kernel, stabiliser and correction by name. */
#ifndef HOL_FORM_METHOD_H
#define HOL_FORM_METHOD_H

#include "base/option.h"
#include <holonom/sim.h>

/* Terms added to the constraint equations at the acceleration level. */
typedef enum hol__stabilizer {
    HOL__STABILIZER_NONE,
    HOL__STABILIZER_BAUMGARTE,
    HOL__STABILIZER_PENALTY,
    HOL__STABILIZER_BRAUN_GOLDFARB,
    HOL__STABILIZER_HYBRID,
    HOL__STABILIZER_GGL /* multipliers of its own; the equations are those of integ/dae.h */
} hol__stabilizer;

typedef struct hol__stabilizer_type {
    hol__stabilizer id;
    const char *name, *title;
} hol__stabilizer_type;

/* Row i of the method table, NULL past the end; and by name. */
const hol_method_doc *hol__method_get(int i);
const hol_method_doc *hol__method_find(const char *name);

/* The i-th stabiliser, NULL past the end; and by name. */
const hol__stabilizer_type *hol__stabilizer_get(int i);
const hol__stabilizer_type *hol__stabilizer_find(const char *name);

/* The option `method`, and those of states and stabilisers. */
extern const hol__option_rows hol__method_options, hol__form_option_rows;

#endif
