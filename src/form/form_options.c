/* form_options.c: the options of formulations: method, independent coordinates, stabilisers. */
#include "form/dae_form.h"
#include "form/gain_rule.h"
#include "form/method.h"

static const char *method_choice(int i) {
    const hol_method_doc *row = i > 0 ? hol__method_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *stabilizer_choice(int i) {
    const hol__stabilizer_type *row = i > 0 ? hol__stabilizer_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *dae_form_choice(int i) {
    const hol__dae_form *row = hol__dae_form_get(i);
    return row ? row->name : NULL;
}

static const char *gains_choice(int i) {
    const hol__gain_rule_type *row = i > 0 ? hol__gain_rule_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *sampling_choice(int i) {
    static const char *const names[] = {"auto", "stage", "step", NULL};
    return names[i];
}

static const char *watch_choice(int i) {
    static const char *const names[] = {"auto", "bound", "pace", NULL};
    return names[i];
}

static const char *change_choice(int i) {
    static const char *const names[] = {"stop", "exchange", NULL};
    return names[i];
}

/* The method, which names the other parts. */
static const hol_option methods[] = {
    HOL__CHOICE("method", method_choice, "auto",
                "Formulation of the constrained equations of motion (see holonom methods)."),
};

const hol__option_rows hol__method_options = HOL__ROWS(methods);

/* Independent coordinates and stabilisers. */
static const hol_option rows[] = {
    HOL__REAL("watch", 1.01, 1e6, "2", "",
              "Independent coordinates are chosen again when a dependent one moves more than this "
              "times as far as the one that moves it (in radians and sizes of the mechanism)."),
    HOL__CHOICE("watch_by", watch_choice, "auto",
                "What happens beyond `watch`. bound: others are chosen at once; pace: when the "
                "speed of the integration has lost as much as its fresh start costs; auto: pace "
                "with integrators that have a history of steps (adams, bdf), else bound."),
    HOL__LIST("independent",
              "Your own choice of independent coordinates instead of the program's: as many as "
              "there are degrees of freedom, each a name that `holonom check` lists or a sum of "
              "such names with factors, e.g. 2*crank.angle - rod.x; they are not changed."),
    HOL__CHOICE("independent_change", change_choice, "stop",
                "What to do where the coordinates given no longer determine the motion. stop: the "
                "run stops and says where; exchange: the program chooses others, as with `watch`."),
    HOL__CHOICE("dae_form", dae_form_choice, "ggl",
                "The equations that method dae gives to its integrator. ggl: constraints of "
                "positions and velocities; index-1: their second derivatives alone; index-2: "
                "velocities alone; index-2-canonical: the same with momenta p = M v."),
    HOL__CHOICE("stabilizer", stabilizer_choice, "auto",
                "Terms that pull the motion back onto the constraints; auto: those of the method."),
    HOL__CHOICE("gains", gains_choice, "auto",
                "How alpha and beta of Baumgarte's terms are chosen; auto: step where step_gain is "
                "positive, else fixed."),
    HOL__CHOICE("sampling", sampling_choice, "auto",
                "Where Baumgarte's terms are evaluated: at every stage, as printed, or at the "
                "start of a step, and held through it; auto: as the rule for the gains needs it."),
    HOL__REAL("pole", 0, 0.999, "0", "",
              "Pole placement: the share of a violation that is left after a step."),
    HOL__REAL("alpha", 0, 1e9, "5", "1/s", "Baumgarte's gain on velocities."),
    HOL__REAL("beta", 0, 1e9, "5", "1/s", "Baumgarte's gain on positions."),
    HOL__REAL("step_gain", 0, 2, "0", "",
              "When positive, Baumgarte's gains are this divided by the step, which is "
              "`gains: step`: critically damped for the step."),
    HOL__REAL("omega", 0, 1e9, "10", "rad/s", "Natural frequency Omega of the penalty terms."),
    HOL__REAL("mu", 0, 1e9, "1", "", "Damping ratio mu of the penalty terms."),
    HOL__REAL("threshold", 0, 1e9, "1e-8", "",
              "Violation above which the hybrid stabilizer acts and the correction hybrid "
              "takes over if it fails, at which adaptive gains keep it; drift above which the "
              "correction drift acts."),
};

const hol__option_rows hol__form_option_rows = HOL__ROWS(rows);
