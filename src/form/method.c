/* method.c: the table of methods. A new combination is a line. */
#include "form/method.h"

#include <string.h>

/* clang-format off */
static const hol_method_doc methods[] = {
    /* name, title, state, kernel, basis, stabilizer, correction, source, form, coordinates */
    {"lagrange", "Lagrange multipliers; constraints drift",
     "dependent", "kkt", "", "none", "none", "GJB 5.1.1, algorithm 5-1", NULL, NULL},
    {"baumgarte", "Lagrange multipliers with Baumgarte's terms; bounded drift",
     "dependent", "kkt", "", "baumgarte", "none", "GJB 5.1.3.2; MSF 13", NULL, NULL},
    {"projection", "null space of the constraints, [A; R^T M] v' = [c; R^T Q], A factored once",
     "dependent", "nullspace", "partition", "none", "none",
     "GJB 5.1.2 (5.17), algorithm 5-2", "stacked", NULL},
    {"penalty", "constraints as stiff springs and dampers",
     "dependent", "penalty", "", "penalty", "none", "GJB 5.1.4 (5.37), (5.47)", NULL, NULL},
    {"augmented-lagrangian", "penalty with iterated multipliers",
     "dependent", "augmented-lagrangian", "", "penalty", "none",
     "GJB (5.51), (5.52), algorithm 5-3; MSF 24", NULL, NULL},
    {"index1-projection", "augmented Lagrangian, positions and velocities projected in each step",
     "dependent", "augmented-lagrangian", "", "none", "mass-orthogonal", "MSF 26-30", NULL, NULL},
    {"direct-correction", "Lagrange multipliers; constraints restored in each step",
     "dependent", "kkt", "", "none", "direct", "MSF 41, 49", NULL, NULL},
    {"partitioning", "independent coordinates by coordinate partitioning",
     "independent", "kkt", "partition", "none", "none",
     "GJB 5.2.2 (5.56); PV 7.2; MSF 14, 15", NULL, NULL},
    {"partitioning-extended", "all positions, independent velocities; Newton when they drift",
     "extended", "kkt", "partition", "none", "drift", "GJB 5.2.2 (5.58), Paul", NULL, NULL},
    {"partitioning-hybrid", "Baumgarte's terms above a threshold; pure partitioning while they do "
     "not hold it",
     "dependent", "kkt", "partition", "hybrid", "hybrid", "GJB 5.2.2, Park and Haug", NULL, NULL},
    {"independent", "independent coordinates with a constant basis, R^T M R",
     "independent", "frame", "qr", "none", "none", "GJB 5.2.3, algorithm 5-5", NULL, NULL},
    {"independent-extended", "the same with all positions integrated",
     "extended", "frame", "qr", "none", "none", "GJB 5.2.3, algorithm 5-4", NULL, NULL},
    {"nullspace", "null space of the constraints, R^T M R, basis made at every evaluation",
     "dependent", "nullspace", "qr", "none", "none", "GJB (5.67); PV 7.2-7.6; BL", "reduced", NULL},
    {"udwadia-kalaba", "explicit equations with the pseudoinverse of A M^-1/2 (uk_form: "
     "range-space is lagrange with kernel schur)",
     "dependent", "udwadia-kalaba", "", "none", "none", "PV 7.7 (89)", NULL, NULL},
    {"canonical", "Hamilton's equations with multipliers; drift in positions only",
     "canonical", "kkt", "", "none", "none", "GJB algorithm 5-6", NULL, NULL},
    {"canonical-independent", "Hamilton's equations in independent coordinates",
     "canonical-independent", "frame", "partition", "none", "none",
     "GJB algorithm 5-7", NULL, NULL},
    {"canonical-augmented", "Hamilton's equations, augmented Lagrangian with the integral of Phi",
     "canonical-integral", "augmented-lagrangian", "", "none", "none",
     "GJB algorithm 5-8, (5.125)", NULL, NULL},
    {"canonical-augmented-basic", "the same without the integral; stiff, kept for comparison",
     "canonical-basic", "augmented-lagrangian", "", "none", "none", "GJB (5.116)", NULL, NULL},
    {"velocity-transformation", "coordinates of the open chain; multipliers for what closes loops "
     "(in relative coordinates direct-correction with direct-mass)",
     "dependent", "open-chain", "local", "none", "direct-mass",
     "GJB 5.3 (5.92)", NULL, "relative"},
    {"dae", "the mixed differential-algebraic equations themselves, stabilised index 2, by an "
     "integrator for them",
     "dependent", "kkt", "", "ggl", "none", "GJB 5.1.3.1; HW VII.1", NULL, NULL},
    {"braun-goldfarb", "violations of constraints and energy at the start of a step taken back "
     "within it",
     "dependent", "udwadia-kalaba", "", "braun-goldfarb", "none", "BG 16, 17, 20", NULL, NULL},
};

static const hol__stabilizer_type stabilizers[] = {
    {HOL__STABILIZER_NONE,      "none",      "nothing added to the constraint equations"},
    {HOL__STABILIZER_BAUMGARTE, "baumgarte", "c - 2 alpha Phi' - beta^2 Phi instead of c"},
    {HOL__STABILIZER_PENALTY,   "penalty",   "c - 2 Omega mu Phi' - Omega^2 Phi instead of c"},
    {HOL__STABILIZER_BRAUN_GOLDFARB, "braun-goldfarb",
     "violations at the start of the step over its length, in positions, velocities, energy"},
    {HOL__STABILIZER_HYBRID,    "hybrid",
     "as baumgarte in steps that begin above a threshold"},
    {HOL__STABILIZER_GGL,       "ggl",
     "A v = b and Phi = 0 as they are, d' = v - A^T mu (Gear, Gupta, Leimkuhler); integrators of "
     "constrained equations"},
};
/* clang-format on */

const hol_method_doc *hol__method_get(int i) {
    return i < (int)(sizeof methods / sizeof *methods) ? &methods[i] : NULL;
}

const hol_method_doc *hol__method_find(const char *name) {
    for (int i = 0; hol__method_get(i); i++)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return NULL;
}

const hol__stabilizer_type *hol__stabilizer_get(int i) {
    return i < (int)(sizeof stabilizers / sizeof *stabilizers) ? &stabilizers[i] : NULL;
}

const hol__stabilizer_type *hol__stabilizer_find(const char *name) {
    for (int i = 0; hol__stabilizer_get(i); i++)
        if (strcmp(stabilizers[i].name, name) == 0) return &stabilizers[i];
    return NULL;
}
