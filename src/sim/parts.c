/* parts.c: the rows of all tables, for lists and help. */
#include "sim/sim.h"

#include "base/give.h"

const hol_method_doc *hol_method_get(int i) {
    return i >= 0 ? hol__method_get(i) : NULL;
}

/* Row i of one table as a part; NULL as name past its end. */
typedef hol_part_doc part_fn(int i);

#define PART(function, word, type, get)                                                            \
    static hol_part_doc function(int i) {                                                          \
        const type *row = get(i);                                                                  \
        return row ? (hol_part_doc){.part = word, .name = row->name, .title = row->title}          \
                   : (hol_part_doc){.name = NULL};                                                 \
    }

PART(kernel, "kernel", hol__kernel_type, hol__kernel_get)
/* What stands where a run names its kernel and is none: it cannot be chosen by name. */
static hol_part_doc solver(int i) {
    static const char *const rows[][2] = {
        {"frame", "R^T M R within the basis that independent coordinates keep [GJB 5.67]"},
        {"recursive", "articulated bodies, from tip to base and back: an open tree in relative "
                      "coordinates leaves no constraints, and the kernel kkt is not asked"}};
    return i < (int)(sizeof rows / sizeof *rows)
               ? (hol_part_doc){.part = "solver", .name = rows[i][0], .title = rows[i][1]}
               : (hol_part_doc){.name = NULL};
}

PART(basis, "basis", hol__basis_type, hol__basis_get)
PART(state, "state", hol__state_type, hol__state_get)
PART(stabilizer, "stabilizer", hol__stabilizer_type, hol__stabilizer_get)
PART(gains, "gains", hol__gain_rule_type, hol__gain_rule_get)
PART(correction, "correction", hol__correction_type, hol__correction_get)
PART(integrator, "integrator", hol__stepper_type, hol__stepper_get)
PART(coordinates, "coordinates", hol__coords, hol__coords_get)

hol_status hol_part_get(int i, hol_part_doc *doc) {
    static part_fn *const tables[] = {kernel, solver,     basis,      state,      stabilizer,
                                      gains,  correction, integrator, coordinates};
    for (size_t k = 0; i >= 0 && k < sizeof tables / sizeof *tables; k++)
        for (int row = 0; tables[k](row).name; row++)
            if (i-- == 0) {
                const hol_part_doc found = tables[k](row);
                return hol__give(NULL, "hol_part_get", &found, sizeof found, doc);
            }
    return HOL_ERR_ARGUMENT;
}
