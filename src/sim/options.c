/* options.c: the options of a simulation, one row each. */
#include "sim/options.h"

#include "correct/correct.h"
#include "form/method.h"
#include "integ/stepper.h"
#include "kernel/basis.h"
#include "kernel/kernel.h"

#include <math.h>

/* The choices of an option: `auto` and then the names of a table. */
static const char *method_choice(int i) {
    const hol_method_doc *row = i > 0 ? hol__method_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *kernel_choice(int i) {
    const hol__kernel_type *row = i > 0 ? hol__kernel_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *stabilizer_choice(int i) {
    const hol__stabilizer_type *row = i > 0 ? hol__stabilizer_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *correction_choice(int i) {
    const hol__correction_type *row = i > 0 ? hol__correction_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *integrator_choice(int i) {
    const hol__stepper_type *row = i > 0 ? hol__stepper_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *basis_choice(int i) {
    const hol__basis_type *row = i > 0 ? hol__basis_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *form_choice(int i) {
    static const char *const names[] = {"auto", "reduced", "stacked", NULL};
    return names[i];
}

static const char *reactions_choice(int i) {
    static const char *const names[] = {"kernel", "local", NULL};
    return names[i];
}

static const char *coordinates_choice(int i) {
    static const char *const names[] = {"auto", "reference", "natural", "relative", NULL};
    return names[i];
}

static const char *storage_choice(int i) {
    static const char *const names[] = {"auto", "dense", "sparse", NULL};
    return names[i];
}

static const char *output_choice(int i) {
    static const char *const names[] = {"land", "dense", NULL};
    return names[i];
}

#define REAL(name, low, high, initial, unit, doc)                                                  \
    { name, HOL_OPTION_REAL, low, high, initial, unit, 0, doc }
#define CHOICE(name, list, initial, doc)                                                           \
    { name, HOL_OPTION_CHOICE, 0, 0, initial, "", list, doc }

static const hol_option table[HOL__OPT_COUNT] = {
    [HOL__OPT_START] = REAL("start", -1e300, 1e300, "0", "s", "Time at which the run starts."),
    [HOL__OPT_END] = REAL("end", -1e300, 1e300, "10", "s", "Time at which it ends."),
    [HOL__OPT_COORDINATES] =
        CHOICE("coordinates", coordinates_choice, "auto",
               "The unknowns: reference (positions of all bodies), natural "
               "(points and vectors that the bodies share at the joints) or "
               "relative (joint coordinates of a spanning tree; the other "
               "joints close the loops); auto: those of the method, with method "
               "auto relative for open trees of ten bodies and more, else "
               "reference."),
    [HOL__OPT_METHOD] =
        CHOICE("method", method_choice, "auto",
               "How the constrained equations of motion are solved (holonom methods)."),
    [HOL__OPT_KERNEL] = CHOICE("kernel", kernel_choice, "auto",
                               "The linear solver inside; auto: that of the method."),
    [HOL__OPT_BASIS] = CHOICE(
        "basis", basis_choice, "auto",
        "Basis of the directions that the constraints leave free; auto: that of the method."),
    [HOL__OPT_NULLSPACE_FORM] = CHOICE("nullspace_form", form_choice, "auto",
                                       "How the null-space kernel solves: reduced (R^T M R) or "
                                       "stacked ([A; R^T M]); auto: that of the method."),
    [HOL__OPT_REACTIONS] =
        CHOICE("reactions", reactions_choice, "kernel",
               "Where reactions come from: kernel (its multipliers, the smallest where they are "
               "not unique) or local (from the local frames of the basis local; constraints that "
               "it leaves out carry nothing)."),
    [HOL__OPT_WATCH] =
        REAL("watch", 1.01, 1e6, "2", "",
             "Independent coordinates are chosen again when a dependent one moves more than this "
             "times as far as the one that moves it (in radians and sizes of the mechanism)."),
    [HOL__OPT_STORAGE] = CHOICE("storage", storage_choice, "auto",
                                "Matrices inside the solver; auto: by size and density."),
    [HOL__OPT_STABILIZER] =
        CHOICE("stabilizer", stabilizer_choice, "auto",
               "Terms that pull the motion back onto the constraints; auto: those of the method."),
    [HOL__OPT_ALPHA] = REAL("alpha", 0, 1e9, "5", "1/s", "Baumgarte's gain on velocities."),
    [HOL__OPT_BETA] = REAL("beta", 0, 1e9, "5", "1/s", "Baumgarte's gain on positions."),
    [HOL__OPT_STEP_GAIN] = REAL("step_gain", 0, 2, "0", "",
                                "When positive, Baumgarte's gains are this divided by the step: "
                                "critically damped for the step (1 is a good value)."),
    [HOL__OPT_PENALTY] = REAL("penalty", 1, 1e15, "1e7", "",
                              "Penalty factor alpha of the penalty and augmented-Lagrangian "
                              "methods, as a multiple of the largest term of the mass matrix."),
    [HOL__OPT_ITERATIONS] = {"iterations", HOL_OPTION_INTEGER, -1, 1000, "-1", "", 0,
                             "Iterations of the augmented Lagrangian after the first solution; -1: "
                             "until they no longer change it."},
    [HOL__OPT_OMEGA] =
        REAL("omega", 0, 1e9, "10", "1/s", "Natural frequency Omega of the penalty terms."),
    [HOL__OPT_MU] = REAL("mu", 0, 1e9, "1", "", "Damping ratio mu of the penalty terms."),
    [HOL__OPT_ENERGY_LIMIT] =
        REAL("energy_limit", 0, 1, "0.1", "",
             "Largest share by which an energy correction may change the speed in one step; 0: "
             "braun-goldfarb corrects constraints only."),
    [HOL__OPT_THRESHOLD] = REAL("threshold", 0, 1e9, "1e-8", "",
                                "Violation above which the hybrid stabilizer acts, and drift above "
                                "which a partitioned state is brought back by Newton."),
    [HOL__OPT_CORRECTION] =
        CHOICE("correction", correction_choice, "auto",
               "What restores the constraints inside each step; auto: that of the method."),
    [HOL__OPT_INTEGRATOR] = CHOICE("integrator", integrator_choice, "auto",
                                   "The integration formula; auto: rk4 for a fixed step, otherwise "
                                   "dop853 or dopri5 by tolerance."),
    [HOL__OPT_STEP] =
        REAL("step", 0, 1e300, "0", "s",
             "Fixed step; 0: steps are chosen so that the local error meets the tolerance."),
    [HOL__OPT_TOLERANCE] = REAL("tolerance", 1e-15, 0.1, "1e-8", "",
                                "Local error allowed per step, relative to the size of the "
                                "mechanism, to one radian, and to their rates."),
    [HOL__OPT_FIRST_STEP] =
        REAL("first_step", 0, 1e300, "0", "s", "First step when steps are chosen; 0: estimated."),
    [HOL__OPT_MAX_STEP] =
        REAL("max_step", 0, 1e300, "0", "s", "Largest step when steps are chosen; 0: no limit."),
    [HOL__OPT_MAX_STEPS] = {"max_steps", HOL_OPTION_INTEGER, 0, 9e15, "0", "", 0,
                            "The run stops with an error after this many steps; 0: no limit."},
    [HOL__OPT_OUTPUT] = REAL("output", 0, 1e300, "0", "s",
                             "Interval of the output; 0: a thousandth of the run, in whole steps "
                             "where the step is fixed."),
    [HOL__OPT_OUTPUT_MODE] = CHOICE("output_mode", output_choice, "land",
                                    "land: steps end at output times exactly, but for steps over a "
                                    "singular position with error control; dense: states there "
                                    "are interpolated and brought onto the constraints."),
    [HOL__OPT_POSITION_TOLERANCE] =
        REAL("position_tolerance", 1e-17, 1, "1e-15", "",
             "Norm of the position residual that assembly and corrections leave, relative to the "
             "size of the mechanism (at least 1 m)."),
    [HOL__OPT_VELOCITY_TOLERANCE] =
        REAL("velocity_tolerance", 1e-17, 1, "1e-15", "", "The same for velocities."),
    [HOL__OPT_MAX_VIOLATION] = REAL("max_violation", 0, 1e300, "0", "",
                                    "The run stops with an error when the norm of a position or "
                                    "velocity residual exceeds this; 0: it is only reported."),
    [HOL__OPT_MAX_ENERGY_ERROR] = REAL("max_energy_error", 0, 1e300, "0", "",
                                       "The run stops with an error when the relative error of the "
                                       "energy balance exceeds this; 0: it is only reported."),
    [HOL__OPT_RANK_TOLERANCE] =
        REAL("rank_tolerance", 1e-15, 1e-2, "1e-11", "",
             "A constraint whose independent part is below this fraction counts as redundant."),
};

const hol_option *hol_options(int *n) {
    *n = HOL__OPT_COUNT;
    return table;
}
