/* choose.c: from the options to method, kernel, stabiliser, correction and integrator. */
#include "common/format.h"
#include "sim/sim.h"

#include "integ/stability.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Up to this size n + m a dense decomposition, 10 ms at most, needs no warning, nor do as many
 * multiplications with full matrices (sim.h). */
enum { DENSE_WITHOUT_WARNING = 400 };

/* Tolerances from which Radau IIA of order nine costs less than that of order five: its steps go as
 * the sixth root of the tolerance instead of the fourth and cost 2.5 times as much. */
static const double HIGH_ORDER_FROM = 1e-5;

/* The index of a choice option; 0 is `auto`. */
static int chosen(const hol_sim *sim, int option) {
    return (int)sim->options[option];
}

/* Whether a form of constrained equations was asked for that does not hold all constraints. */
static int has_other_form(const hol_sim *sim) {
    return sim->dae_form != hol__dae_form_get(0);
}

/* The method: `auto` means Lagrange multipliers with the mass-weighted direct correction, which
 * holds the constraints at rounding, takes redundant ones, and passes singular positions. */
static void choose_method(hol_sim *sim) {
    const int method = chosen(sim, HOL__OPT_METHOD), correction = chosen(sim, HOL__OPT_CORRECTION);
    sim->method = method ? hol__method_get(method - 1) : hol__method_find("direct-correction");
    if (correction)
        sim->correction_type = hol__correction_get(correction - 1);
    else
        sim->correction_type =
            hol__correction_find(method ? sim->method->correction : "direct-mass");
    sim->correction_asked = sim->correction_type;
    const int stabilizer = chosen(sim, HOL__OPT_STABILIZER);
    sim->stabilizer = stabilizer ? hol__stabilizer_get(stabilizer - 1)
                                 : hol__stabilizer_find(sim->method->stabilizer);
    sim->dae_form = hol__dae_form_get(chosen(sim, HOL__OPT_DAE_FORM));
    sim->state = hol__state_find(sim->method->state);
    if (!has_other_form(sim)) return;
    sim->state = sim->dae_form->state;
    if (!stabilizer) sim->stabilizer = hol__stabilizer_get(HOL__STABILIZER_NONE);
}

/* The kernel and its basis. Methods that solve through their completion still take a kernel for
 * reactions and corrections. */
static void choose_kernel(hol_sim *sim) {
    const int kernel = chosen(sim, HOL__OPT_KERNEL), basis = chosen(sim, HOL__OPT_BASIS);
    const int form = chosen(sim, HOL__OPT_NULLSPACE_FORM);
    sim->kernel_type = kernel ? hol__kernel_get(kernel - 1) : hol__kernel_find(sim->method->kernel);
    if (!sim->kernel_type) sim->kernel_type = &hol__kernel_kkt;
    sim->basis = basis ? hol__basis_get(basis - 1)
                       : hol__basis_find(sim->method->basis[0] ? sim->method->basis : "qr");
    sim->completion_basis = sim->basis == &hol__basis_svd  ? HOL__COMPLETION_SVD
                            : sim->basis == &hol__basis_qr ? HOL__COMPLETION_QR
                                                           : HOL__COMPLETION_PARTITION;
    const int stacked =
        form ? form == 2 : sim->method->form && strcmp(sim->method->form, "stacked") == 0;
    sim->nullspace_form = stacked ? HOL__NULLSPACE_STACKED : HOL__NULLSPACE_REDUCED;
    sim->reactions = (hol__reactions)chosen(sim, HOL__OPT_REACTIONS);
}

/* Refuse two parts that cannot work together. */
static hol_status clash(hol_sim *sim, int option, const char *first, const char *second,
                        const char *instead) {
    const hol_location where = hol__sim_option_where(sim, option);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "%s and %s do not go together; %s", first, second, instead);
}

/* Reactions in local frames and full local coordinates need these frames. */
static hol_status check_local(hol_sim *sim) {
    char other[96];
    const int uses_basis = (sim->kernel_type->flags & HOL__KERNEL_BASIS) != 0;
    const int reactions = sim->reactions == HOL__REACTIONS_LOCAL;
    if (!reactions && !chosen(sim, HOL__OPT_LOCAL_COORDINATES)) return HOL_OK;
    if (uses_basis && sim->basis == &hol__basis_local) return HOL_OK;
    snprintf(other, sizeof other, "the %s '%s'", uses_basis ? "basis" : "kernel",
             uses_basis ? sim->basis->name : sim->kernel_type->name);
    return clash(sim, reactions ? HOL__OPT_REACTIONS : HOL__OPT_LOCAL_COORDINATES,
                 reactions ? "the reactions 'local'" : "the local coordinates 'full'", other,
                 "take method nullspace or projection with basis local");
}

/* The model is in the coordinates that the options ask for. */
static hol_status check_coordinates(hol_sim *sim) {
    const hol_model *m = sim->model;
    const char *set = m->tree ? "relative" : m->items ? "natural" : "reference";
    const char *wanted = NULL;
    char a[96], b[96];
    hol_options_get_choice(sim->given, "coordinates", &wanted);
    if (strcmp(wanted, "auto") == 0 || strcmp(wanted, set) == 0 ||
        (strcmp(wanted, "cheapest") == 0 && !m->items))
        return HOL_OK;
    snprintf(a, sizeof a, "the option coordinates '%s'", wanted);
    snprintf(b, sizeof b, "a model in %s coordinates", set);
    return clash(sim, HOL__OPT_COORDINATES, a, b,
                 "compile the model with hol_options_coordinates of these options");
}

/* The correction hybrid takes over from Baumgarte's terms in the state that they act on. */
static hol_status check_hybrid(hol_sim *sim, const hol__state_type *state) {
    char other[96];
    const int stabilizer = (int)sim->stabilizer->id;
    if (sim->correction_type->run != hol__correct_hybrid) return HOL_OK;
    snprintf(other, sizeof other, "the state '%s'", state->name);
    if (!state->dependent)
        return clash(sim, HOL__OPT_CORRECTION, "the correction 'hybrid'", other,
                     "take method partitioning-hybrid, or the correction drift");
    snprintf(other, sizeof other, "the stabilizer '%s'", sim->stabilizer->name);
    if (stabilizer != HOL__STABILIZER_HYBRID && stabilizer != HOL__STABILIZER_BAUMGARTE)
        return clash(sim, HOL__OPT_CORRECTION, "the correction 'hybrid'", other,
                     "it takes over from Baumgarte's terms: take the stabilizer hybrid or "
                     "baumgarte, or the correction partition");
    return HOL_OK;
}

/* Independent coordinates are given to those who have some. */
static hol_status check_independent(hol_sim *sim, const hol__state_type *state) {
    char other[96];
    if (!(int)sim->options[HOL__OPT_INDEPENDENT]) return HOL_OK;
    if (chosen(sim, HOL__OPT_BASIS) && sim->basis != &hol__basis_partition && state->completed) {
        snprintf(other, sizeof other, "the basis '%s'", sim->basis->name);
        return clash(sim, HOL__OPT_INDEPENDENT, "the option independent", other,
                     "it makes rows of its own: leave the basis out");
    }
    if (state->completed || sim->correction_type->partitioned) return HOL_OK;
    snprintf(other, sizeof other, "the method '%s'", sim->method->name);
    return clash(sim, HOL__OPT_INDEPENDENT, "the option independent", other,
                 sim->kernel_type->flags & HOL__KERNEL_BASIS
                     ? "its accelerations are the same for every basis R: take method "
                       "independent, independent-extended, partitioning or canonical-independent"
                     : "it has no independent coordinates: take method partitioning, "
                       "independent, canonical-independent or one of their forms, or the "
                       "correction partition");
}

/* Other forms than the stabilised one are those of method dae as they are. */
static hol_status check_form(hol_sim *sim) {
    char a[96], b[96];
    if (!has_other_form(sim)) return HOL_OK;
    snprintf(a, sizeof a, "the form '%s' of constrained equations", sim->dae_form->name);
    snprintf(b, sizeof b, "the method '%s'", sim->method->name);
    if (strcmp(sim->method->stabilizer, "ggl") != 0)
        return clash(sim, HOL__OPT_DAE_FORM, a, b, "take method dae, or leave `dae_form` out");
    snprintf(b, sizeof b, "the stabilizer '%s'", sim->stabilizer->name);
    if (sim->stabilizer->id == HOL__STABILIZER_NONE) return HOL_OK;
    return clash(sim, HOL__OPT_DAE_FORM, a, b,
                 "it has no terms: leave the stabilizer out, or give a correction");
}

/* Combinations that the parts cannot serve. */
static hol_status check_parts(hol_sim *sim) {
    const hol__state_type *state = sim->state;
    char a[96], b[96];
    if (check_coordinates(sim) || check_form(sim)) return HOL_ERR_INPUT;
    const int by_completion =
        strcmp(sim->method->kernel, "frame") == 0 && !chosen(sim, HOL__OPT_KERNEL);
    snprintf(a, sizeof a, "the state '%s' of method '%s'", state->name, sim->method->name);
    snprintf(b, sizeof b, "the stabilizer '%s'", sim->stabilizer->name);
    if (state->reduced && sim->model->m > sim->model->mh) {
        const hol_row *row = &sim->model->rows[sim->model->mh];
        snprintf(b, sizeof b, "constraints on velocities alone (%.60s)", row->element);
        return clash(sim, HOL__OPT_METHOD, a, b,
                     "more positions are free than velocities: take partitioning-extended, "
                     "independent-extended or auto");
    }
    if (sim->stabilizer->id == HOL__STABILIZER_BRAUN_GOLDFARB && !state->dependent)
        return clash(sim, HOL__OPT_STABILIZER, a, b,
                     "it needs all coordinates: take method lagrange, nullspace or udwadia-kalaba");
    if (sim->stabilizer->id != HOL__STABILIZER_NONE &&
        (by_completion || strncmp(state->name, "canonical", 9) == 0))
        return clash(sim, HOL__OPT_STABILIZER, a, b,
                     "it has no acceleration equation to add terms to: leave the stabilizer out");
    if (sim->stabilizer->id != HOL__STABILIZER_NONE && state->completed)
        return clash(sim, HOL__OPT_STABILIZER, a, b,
                     "its velocities solve A v = b, so that terms in the accelerations move no "
                     "constraint: leave the stabilizer out, or take method partitioning-hybrid");
    if (chosen(sim, HOL__OPT_BASIS) && !state->completed &&
        !(sim->kernel_type->flags & HOL__KERNEL_BASIS)) {
        snprintf(a, sizeof a, "the basis '%s'", sim->basis->name);
        snprintf(b, sizeof b, "the kernel '%s'", sim->kernel_type->name);
        return clash(
            sim, HOL__OPT_BASIS, a, b,
            "that kernel uses none: take kernel nullspace, or method partitioning or independent");
    }
    if (state->completed && sim->basis != &hol__basis_partition && sim->basis != &hol__basis_qr &&
        sim->basis != &hol__basis_svd) {
        snprintf(b, sizeof b, "the basis '%s'", sim->basis->name);
        return clash(sim, HOL__OPT_BASIS, a, b,
                     "independent coordinates are chosen by partition, qr or svd");
    }
    if (check_hybrid(sim, state) || check_independent(sim, state)) return HOL_ERR_INPUT;
    return check_local(sim);
}

/* A formula with a history of steps chooses them itself, and f has to be one function over them. */
static hol_status check_paced(hol_sim *sim, const char *name) {
    if (sim->stepper->missing) {
        const hol_location where = hol__sim_option_where(sim, HOL__OPT_INTEGRATOR);
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, "simulation",
                           "%s cannot be used: not built with %s; take dopri5, dop853 or esdirk4, "
                           "or build the library with it",
                           name, sim->stepper->missing);
    }
    if (sim->options[HOL__OPT_STEP] > 0)
        return clash(sim, HOL__OPT_STEP, "a fixed step", name,
                     "it chooses its own steps: leave `step` out and set `tolerance`");
    if (sim->held)
        return clash(sim, HOL__OPT_SAMPLING, "terms that are held through a step", name,
                     "they make the equations others in each step: take dopri5, or leave `gains` "
                     "and `sampling` out");
    if (sim->gain_rule->id != HOL__GAINS_FIXED)
        return clash(sim, HOL__OPT_GAINS, "gains that depend on the step", name,
                     "they make the equations others in each step: give `alpha` and `beta`");
    return HOL_OK;
}

/* Braun–Goldfarb's terms, -Phi/h and -psi/h, take back in one step what it started with because the
 * weights of an explicit formula add up to one; an implicit one damps them instead. Pure
 * partitioning solves for positions in every stage, which the derivatives do not know of. */
static hol_status check_implicit(hol_sim *sim) {
    char a[96];
    if (!sim->stepper->implicit && !sim->stepper->paces) return HOL_OK;
    snprintf(a, sizeof a, "the %sintegrator '%s'", sim->stepper->implicit ? "implicit " : "",
             sim->stepper->name);
    if (strcmp(sim->stepper->name, "hht") == 0 && sim->options[HOL__OPT_SPECTRAL_RADIUS] < 0.5)
        return clash(sim, HOL__OPT_SPECTRAL_RADIUS, a, "a spectral radius below 0.5",
                     "its alpha is between 0 and 1/3: take 0.5 to 1, or generalized-alpha");
    if (sim->stepper->holonomic && sim->model->m > sim->model->mh && hol__sim_is_constrained(sim)) {
        char b[96];
        snprintf(b, sizeof b, "constraints on velocities alone (%.60s)",
                 sim->model->rows[sim->model->mh].element);
        return clash(sim, HOL__OPT_INTEGRATOR, a, b, "take radau5 or generalized-alpha");
    }
    if (sim->stabilizer->id == HOL__STABILIZER_BRAUN_GOLDFARB)
        return clash(sim, HOL__OPT_INTEGRATOR, a, "the stabilizer 'braun-goldfarb'",
                     "its terms belong to explicit formulas: take dopri5, or method auto");
    if (sim->correction_type->run == hol__correct_hybrid)
        return clash(sim, HOL__OPT_INTEGRATOR, a, "the correction 'hybrid'",
                     "it works inside the stages of explicit formulas: take dopri5, or method "
                     "partitioning");
    return sim->stepper->paces ? check_paced(sim, a) : HOL_OK;
}

/* Gains of 1/h that act at the stages grow as error control shortens the step, and with them the
 * error. */
static void warn_of_gains(hol_sim *sim) {
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_GAINS);
    if (sim->gain_rule->id == HOL__GAINS_FIXED || sim->held || sim->options[HOL__OPT_STEP] > 0)
        return;
    hol__warn(sim->ctx, &where, "simulation",
              "the gains '%s' at every stage grow as error control shortens the step, which may "
              "not end; set a fixed `step`, or `sampling: step`",
              sim->gain_rule->name);
}

/* The rule for the gains, and whether their terms are held. Rules choose alpha and beta, so that
 * there must be Baumgarte's terms; hybrid ones act by what they meet at a stage. */
static hol_status choose_gains(hol_sim *sim) {
    enum { AUTO, STAGE, STEP };
    const int rule = chosen(sim, HOL__OPT_GAINS), sampling = chosen(sim, HOL__OPT_SAMPLING);
    const hol__stabilizer id = sim->stabilizer->id;
    char a[96], b[96];
    sim->gain_rule = hol__gain_rule_get(rule                                   ? rule - 1
                                        : sim->options[HOL__OPT_STEP_GAIN] > 0 ? HOL__GAINS_STEP
                                                                               : HOL__GAINS_FIXED);
    sim->held = sampling == STEP || (sampling == AUTO && sim->gain_rule->held);
    snprintf(a, sizeof a, "the gains '%s'", sim->gain_rule->name);
    snprintf(b, sizeof b, "the stabilizer '%s'", sim->stabilizer->name);
    if (rule && sim->gain_rule->id != HOL__GAINS_FIXED && id != HOL__STABILIZER_BAUMGARTE &&
        id != HOL__STABILIZER_HYBRID)
        return clash(sim, HOL__OPT_GAINS, a, b, "they are those of method or stabilizer baumgarte");
    if (sim->gain_rule->held && sampling == STAGE)
        return clash(sim, HOL__OPT_SAMPLING, a, "the sampling 'stage'",
                     "they are made for terms that are held: leave the sampling out");
    if (sim->held && id != HOL__STABILIZER_BAUMGARTE && id != HOL__STABILIZER_PENALTY)
        return clash(sim, sampling ? HOL__OPT_SAMPLING : HOL__OPT_GAINS,
                     "terms that are held through a step", b,
                     "take stabilizer baumgarte or penalty");
    if (id == HOL__STABILIZER_BAUMGARTE) warn_of_gains(sim);
    return HOL_OK;
}

int hol__sim_is_dae(const hol_sim *sim) {
    return sim->stabilizer->id == HOL__STABILIZER_GGL || has_other_form(sim);
}

int hol__sim_is_constrained(const hol_sim *sim) {
    const hol__correction_type *correction = sim->correction_type;
    if (hol__sim_is_dae(sim)) return 1;
    return sim->state == &hol__state_dependent && correction->run && !correction->partitioned &&
           !correction->energy && correction->run != hol__correct_hybrid &&
           sim->stabilizer->id == HOL__STABILIZER_NONE;
}

/* Whether the speed of the integration decides on changes of independent coordinates: where they
 * cost it its history. */
static hol_status choose_watch(hol_sim *sim) {
    enum { AUTO, BOUND, PACE };
    const int by = chosen(sim, HOL__OPT_WATCH_BY);
    char a[96];
    sim->pace.on = by != BOUND && sim->stepper->paces && sim->state->completed &&
                   !(int)sim->options[HOL__OPT_INDEPENDENT];
    if (by != PACE || sim->pace.on) return HOL_OK;
    snprintf(a, sizeof a, "the integrator '%s'", sim->stepper->name);
    if (!sim->stepper->paces)
        return clash(sim, HOL__OPT_WATCH_BY, "watch_by 'pace'", a,
                     "it has no history that a change would cost: take adams or bdf, or auto");
    snprintf(a, sizeof a, "the method '%s'", sim->method->name);
    return clash(sim, HOL__OPT_WATCH_BY, "watch_by 'pace'",
                 sim->state->completed ? "the option independent" : a,
                 "no coordinates are chosen: leave `watch_by` out");
}

/* The constrained equations as they are need a formula that takes them. */
static hol_status check_constrained(hol_sim *sim) {
    char a[96], b[96];
    if (!hol__sim_is_dae(sim) ||
        (sim->stepper->slots && (sim->stepper->forms || !has_other_form(sim))))
        return HOL_OK;
    snprintf(a, sizeof a, "the integrator '%s'", sim->stepper->name);
    snprintf(b, sizeof b, "the form '%s' of constrained equations", sim->dae_form->name);
    return clash(sim, HOL__OPT_INTEGRATOR, a, has_other_form(sim) ? b : "the stabilizer 'ggl'",
                 "its constraints are equations of their own: take ida or radau5, or method auto");
}

const char *hol__sim_stiff_formula(const hol_sim *sim) {
    return sim->options[HOL__OPT_TOLERANCE] <= HIGH_ORDER_FROM ? "radau9" : "radau5";
}

/* A fixed step takes rk4; chosen steps take 8(5,3) for tight tolerances, 5(4) otherwise, and where
 * the run has turned out to be stiff Radau IIA of a high or a lower order; constrained equations
 * always take that. */
static const char *best_formula(const hol_sim *sim) {
    const int tight = sim->options[HOL__OPT_TOLERANCE] <= 1e-7;
    if (hol__sim_is_dae(sim)) return "radau5";
    if (sim->options[HOL__OPT_STEP] > 0) return "rk4";
    if (sim->stiff.on) return hol__sim_stiff_formula(sim);
    return tight ? "dop853" : "dopri5";
}

/* The formula. */
static hol_status choose_integrator(hol_sim *sim) {
    const int integrator = chosen(sim, HOL__OPT_INTEGRATOR);
    char names[256];
    const double step = sim->options[HOL__OPT_STEP];
    sim->stepper =
        integrator ? hol__stepper_get(integrator - 1) : hol__stepper_find(best_formula(sim));
    sim->stiff.watches =
        !integrator && step == 0 && hol__sim_is_constrained(sim) && !hol__sim_is_dae(sim);
    if (check_constrained(sim)) return HOL_ERR_INPUT;
    if (sim->stepper->error_order || step > 0) return check_implicit(sim);
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_INTEGRATOR);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "the integrator '%s' has no error estimate and needs a fixed step; set "
                       "`step`, or take %s",
                       sim->stepper->name, hol__stepper_controlled(names, sizeof names));
}

/* Both poles where they are asked for, by the stability function of the formula. */
static hol_status place_poles(hol_sim *sim, hol__step_gains *gains) {
    const double pole = sim->options[HOL__OPT_POLE];
    if (sim->stepper->varies) {
        const hol_location where = hol__sim_option_where(sim, HOL__OPT_INTEGRATOR);
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                           "gains that place poles need an integrator whose steps are all alike; "
                           "those of '%s' are not: take another rule or another integrator",
                           sim->stepper->name);
    }
    hol__stability *stability = hol__stability_new(sim->ctx, sim->stepper);
    if (!stability) return HOL_ERR_MEMORY;
    /* every formula has such gains for every pole that the option takes (test_gain_rule) */
    const int placed = hol__place_poles(hol__stability_at, stability, pole, gains);
    assert(placed);
    (void)placed;
    hol__stability_free(stability);
    return HOL_OK;
}

hol_status hol__sim_step_gains(hol_sim *sim, hol__step_gains *gains) {
    const double step_gain = sim->options[HOL__OPT_STEP_GAIN], one = step_gain > 0 ? step_gain : 1;
    *gains = (hol__step_gains){0, 0, 0};
    switch (sim->gain_rule->id) {
    case HOL__GAINS_STEP: *gains = (hol__step_gains){one, one, one}; break;
    case HOL__GAINS_TAYLOR: *gains = (hol__step_gains){1, sqrt(2), 1}; break;
    case HOL__GAINS_OPTIMAL: *gains = hol__optimal_gains(); break;
    case HOL__GAINS_POLES:
        if (!sim->held) return place_poles(sim, gains);
        *gains = hol__place_held_poles(sim->options[HOL__OPT_POLE]);
        break;
    case HOL__GAINS_FIXED:
    case HOL__GAINS_ADAPTIVE: break;
    }
    return HOL_OK;
}

/* A kernel that cannot take a singular mass matrix is refused where there is one. */
static hol_status check_kernel(hol_sim *sim) {
    for (int i = 0; i < sim->model->nb; i++) {
        const hol__body *b = &sim->model->bodies[i];
        if (b->singular && !(sim->kernel_type->flags & HOL__KERNEL_SINGULAR_MASS))
            return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &b->where, b->label,
                               "has no inertia in some direction, which the kernel '%s' cannot "
                               "take; use the kernel kkt or give it "
                               "an inertia",
                               sim->kernel_type->name);
    }
    return HOL_OK;
}

/* Momenta tell velocities where every direction has a mass. */
static hol_status check_momenta(hol_sim *sim) {
    for (int i = 0; sim->state == &hol__state_canonical_plain && i < sim->model->nb; i++) {
        const hol__body *b = &sim->model->bodies[i];
        if (b->singular)
            return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &b->where, b->label,
                               "has no inertia in some direction, so that momenta p = M v do not "
                               "tell its velocity; give it an inertia, or take dae_form index-2");
    }
    return HOL_OK;
}

/* Multiplications of an evaluation with a basis of the free directions, or with a frame of
 * independent ones; 0 for other methods. The basis itself is full, n x f, with R^T M R;
 * partitioning finds it by sparse factors, the others by a decomposition of A. */
static double dense_cost(const hol_sim *sim) {
    const double n = sim->model->nv, m = sim->model->m, f = n - m;
    const int framed = strcmp(sim->method->kernel, "frame") == 0 && !chosen(sim, HOL__OPT_KERNEL);
    if (!framed && !(sim->kernel_type->flags & HOL__KERNEL_BASIS)) return 0;
    return n * (f * f + (sim->basis == &hol__basis_partition ? 0 : m * m));
}

/* Full matrices of a large system are dear: say so, and what else there is. */
static void warn_of_cost(hol_sim *sim) {
    const double n = sim->model->nv, m = sim->model->m, dense = m > 0 ? dense_cost(sim) : 0;
    if (n + m > DENSE_WITHOUT_WARNING && sim->kernel_type == &hol__kernel_udwadia_kalaba &&
        (int)sim->options[HOL__OPT_UK_FORM] == HOL__UK_PSEUDOINVERSE) {
        const hol_location where = hol__sim_option_where(sim, HOL__OPT_UK_FORM);
        hol__warn(
            sim->ctx, &where, "simulation",
            "the pseudoinverse of %.0f constraints in %.0f velocities is dense and takes some %.1g "
            "multiplications an evaluation; uk_form 'range-space' gives the same motion with "
            "sparse matrices",
            m, n, 2 * m * m * n);
    } else if (dense > HOL__FULL_WITHOUT_WARNING) {
        const hol_location where = hol__sim_option_where(sim, HOL__OPT_METHOD);
        hol__warn(sim->ctx, &where, "simulation",
                  "the method '%s' works with full matrices: with %.0f constraints in %.0f "
                  "velocities an evaluation takes some %.1g multiplications; methods lagrange, "
                  "baumgarte and direct-correction with kernel kkt give the same motion with "
                  "sparse matrices",
                  sim->method->name, m, n, dense);
    }
}

/* To two digits, which is what a count says of the cost. */
static double two_digits(double x) {
    const double unit = pow(10, floor(log10(x)) - 1);
    return x < 100 ? x : unit * round(x / unit);
}

/* What `auto` picked, and why. */
static void tell_choice(hol_sim *sim) {
    const hol_model *m = sim->model;
    const double tolerance = sim->options[HOL__OPT_TOLERANCE];
    char *text = sim->choice;
    size_t used = 0;
    if (m->cost.reference > 0)
        used = (size_t)hol__print(
            text, sizeof sim->choice,
            "%s coordinates (an evaluation costs some %.0f multiplications, in %s ones %.0f)",
            m->tree ? "relative" : "reference-point",
            two_digits(m->tree ? m->cost.relative : m->cost.reference),
            m->tree ? "reference-point" : "relative",
            two_digits(m->tree ? m->cost.reference : m->cost.relative));
    if (!chosen(sim, HOL__OPT_METHOD) && m->m)
        used += (size_t)hol__print(text + used, sizeof sim->choice - used,
                                   "%smethod %s with correction %s (constraints stay at rounding)",
                                   used ? "; " : "", sim->method->name, sim->correction_type->name);
    else if (!chosen(sim, HOL__OPT_METHOD))
        used += (size_t)hol__print(text + used, sizeof sim->choice - used,
                                   "%smethod %s (there are no constraints)", used ? "; " : "",
                                   sim->method->name);
    if (!chosen(sim, HOL__OPT_INTEGRATOR))
        hol__print(text + used, sizeof sim->choice - used, "%sintegrator %s (%s)", used ? "; " : "",
                   sim->stepper->name,
                   sim->stiff.on                     ? "stiff"
                   : sim->stepper->slots             ? "constrained equations"
                   : sim->options[HOL__OPT_STEP] > 0 ? "fixed step"
                   : tolerance <= 1e-7               ? "tight tolerance"
                                                     : "moderate tolerance");
}

hol_status hol__sim_choose(hol_sim *sim) {
    choose_method(sim);
    choose_kernel(sim);
    hol_status status = check_parts(sim);
    if (!status) status = choose_gains(sim);
    if (!status) status = choose_integrator(sim);
    if (!status) status = choose_watch(sim);
    if (status) return status;
    tell_choice(sim);
    warn_of_cost(sim);
    status = check_momenta(sim);
    return status ? status : check_kernel(sim);
}
