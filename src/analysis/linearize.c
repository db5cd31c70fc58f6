/* linearize.c: hol_linearize: the answer about a state, with its eigenvalues. */
#include "analysis/linearize.h"

#include "base/argument.h"
#include "math/vec3.h"
#include "sim/sim.h"

#include <holonom/matrix.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

hol_status hol__small_spectrum(hol__small *s, const hol__spectrum *like, hol__spectrum *spectrum) {
    return hol__spectrum_of(s->A, s->p.n, s->scale, s->rate, like, &s->matrices, spectrum);
}

int hol__mode_count(const hol__spectrum *x) {
    int count = 0;
    for (int k = 0; k < x->n - x->n_zero; k++) count += x->im[k] >= 0;
    return count;
}

int hol__mode_column(const hol__spectrum *x, int i) {
    int k = 0;
    for (; k < x->n; k++)
        if (x->im[k] >= 0 && i-- == 0) break;
    return k;
}

/* ---- names ---- */

/* The coordinate that state i is one of; -1: a state of an element. */
static int coordinate(const hol__small *s, int i, int *rate) {
    const hol__perturb *p = &s->p;
    *rate = i >= p->n_q;
    return i < p->n_q ? p->at_q[i] : i < p->n_q + p->n_v ? p->at_v[i - p->n_q] : -1;
}

const char *hol__state_name(hol__small *s, int i) {
    return hol__perturb_name(s->model, &s->p, i, &s->matrices);
}

/* What unit 0 is of "m", "m/s", "m/s^2" …, by how often it is differentiated. */
static const char *unit_of(const hol_model *m, int j, int level) {
    static const char *const length[] = {"m", "m/s", "m/s^2"},
                             *const angle[] = {"rad", "rad/s", "rad/s^2"},
                             *const number[] = {"", "1/s", "1/s^2"};
    const char *unit = hol_model_velocity_unit(m, j);
    return (strcmp(unit, "m/s") == 0 ? length : strcmp(unit, "rad/s") == 0 ? angle : number)[level];
}

const char *hol__state_unit(const hol__small *s, int i) {
    int rate;
    const int j = coordinate(s, i, &rate);
    return j < 0 ? "" : unit_of(s->model, j, rate);
}

const char *hol__state_rate_unit(const hol__small *s, int i) {
    int rate;
    const int j = coordinate(s, i, &rate);
    return j < 0 ? "1/s" : unit_of(s->model, j, rate + 1);
}

hol_status hol__side_new(hol__arena *arena, int n, hol__side *side) {
    *side = (hol__side){n, HOL__NEW_N(arena, const char *, n + 1),
                        HOL__NEW_N(arena, const char *, n + 1)};
    return side->name && side->unit ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol__states_side(hol__small *s, int rates, hol__side *side) {
    const hol_status status = hol__side_new(&s->matrices, s->p.n, side);
    for (int i = 0; i < s->p.n && !status; i++) {
        side->name[i] = hol__state_name(s, i);
        side->unit[i] = rates ? hol__state_rate_unit(s, i) : hol__state_unit(s, i);
    }
    return status;
}

void hol__tell_matrix(hol_answer *answer, const char *name, const char *title,
                      const hol__side *rows, const hol__side *columns, const double *values) {
    if (!rows->n || !columns->n) return;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, columns->n);
    for (int j = 0; j < columns->n; j++)
        hol__sheet_column(sheet, j, columns->name[j], columns->unit[j]);
    for (int i = 0; i < rows->n; i++) {
        double *row = hol__sheet_add(sheet, rows->name[i]);
        hol__sheet_row_unit(sheet, i, rows->unit[i]);
        for (int j = 0; row && j < columns->n; j++)
            row[j] = values[hol__area(j, rows->n) + (size_t)i];
    }
    hol__sheet_matrix(sheet);
}

/* ---- facts ---- */

/* The part of the screw motions that a fact is about, in its key and its words. */
typedef struct naming {
    char key[16], words[80];
} naming;

/* Three numbers of a part along the axes, those that are not zero. */
static void tell_axes(hol_answer *answer, const naming *of, const char *key, const char *words,
                      const char *unit, const double *x) {
    static const char *const axes[] = {"x", "y", "z"};
    char name[32], title[128];
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "%s_%s%s", key, axes[k], of->key);
        snprintf(title, sizeof title, "%s%s %s", of->words, words, axes[k]);
        if (x[k] != 0) hol__answer_number(answer, name, title, x[k], unit);
    }
}

/* One screw motion, with the velocity u at the origin and the turning W: a translation, or a
 * turning about the axis along W through P = W x u/W^2, with what is left of u along it. */
static void tell_screw(hol_answer *answer, const hol__small *s, const naming *of,
                       const double *screw) {
    const double *u = screw, *W = screw + 3;
    const double W2 = hol__dot3(W, W), zero = 1e-12 * hol__mechanism_size(s->model);
    double P[3], along = W2 > 0 ? hol__dot3(u, W) / sqrt(W2) : 0;
    char name[32], title[128];
    if (!(W2 > 0)) {
        tell_axes(answer, of, "velocity", "carried on with the velocity", "m/s", u);
        return;
    }
    hol__cross3(W, u, P);
    for (int k = 0; k < 3; k++) P[k] = fabs(P[k]) > zero * W2 ? P[k] / W2 : 0;
    tell_axes(answer, of, "turn", "turns with the angular velocity", "rad/s", W);
    tell_axes(answer, of, "axis", "about an axis through the point", "m", P);
    snprintf(name, sizeof name, "along%s", of->key);
    snprintf(title, sizeof title, "%sand moves along that axis with", of->words);
    if (fabs(along) > zero * sqrt(W2)) hol__answer_number(answer, name, title, along, "m/s");
}

/* The screw motions of a steady motion, in words: those of bodies that go together by their
 * first. */
static void tell_carrier(hol_answer *answer, const hol__small *s) {
    const hol__carrier *c = &s->carrier;
    for (int i = 0; i < c->parts; i++) {
        naming of = {"", ""};
        int first = 0;
        while (c->part[first] != i) first++;
        if (c->parts > 1) {
            snprintf(of.key, sizeof of.key, "_%d", i + 1);
            snprintf(of.words, sizeof of.words, "%.60s: ", s->model->bodies[first].name);
        }
        tell_screw(answer, s, &of, c->screw + 6 * i);
    }
}

void hol__tell_state(hol_answer *answer, const hol__small *s) {
    static const char *const about[] = {"equilibrium", "steady motion", "state in motion"};
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(s->model, &info);
    hol__answer_number(answer, "time", "time", s->data->t, "s");
    hol__answer_text(answer, "coordinates", "coordinates", "%s", info.coordinates);
    hol__answer_text(answer, "about", "about", "%s", about[s->motion]);
    if (s->motion == HOL__MOTION_STEADY) tell_carrier(answer, s);
    hol__answer_number(answer, "off",
                       s->motion == HOL__MOTION_STATE
                           ? "accelerations that are not those of a steady motion, as a share"
                           : "accelerations that are left, as a share",
                       s->off, "");
    hol__answer_number(answer, "states", "states", s->p.n, "");
    hol__answer_number(answer, "free_positions", "of them positions", s->p.n_q, "");
    hol__answer_number(answer, "free_velocities", "of them velocities", s->p.n_v, "");
    if (s->p.n_aux)
        hol__answer_number(answer, "element_states", "of them states of elements", s->p.n_aux, "");
}

/* What the eigenvalues say. */
static void tell_stability(hol_answer *answer, const hol__small *s, const hol__spectrum *x) {
    int growing = 0, border = 0;
    for (int k = 0; k < x->n - x->n_zero; k++) {
        const double size = hypot(x->re[k], x->im[k]);
        growing += x->re[k] > 1e-10 * size;
        border += fabs(x->re[k]) <= 1e-10 * size;
    }
    hol__answer_number(answer, "growing", "eigenvalues with positive real part", growing, "");
    if (s->motion == HOL__MOTION_STATE)
        hol__answer_text(answer, "stability", "stability",
                         "not said: the eigenvalues are those of one instant");
    else if (growing)
        hol__answer_text(answer, "stability", "stability", "unstable");
    else if (border)
        hol__answer_text(answer, "stability", "stability",
                         "not decided by the linear equations: %d eigenvalue%s without damping",
                         border, border == 1 ? "" : "s");
    else
        hol__answer_text(answer, "stability", "stability", "%s",
                         x->n_zero ? "stable but for directions that are ignored" : "stable");
    if (x->n_zero)
        hol__answer_text(answer, "zeros", "eigenvalues that are zero",
                         "%d: %d direction%s in which it stays where it is put%s", x->n_zero,
                         x->n_still, x->n_still == 1 ? "" : "s",
                         x->n_zero > x->n_still ? ", the others lead along them steadily" : "");
}

/* The row of one eigenvalue: real, imaginary, frequency, damping ratio, time constant, period. */
static void fill_row(double re, double im, double *row) {
    const double size = hypot(re, im);
    if (!row) return;
    row[0] = re;
    row[1] = im;
    row[2] = im > 0 ? im / (2 * acos(-1.0)) : NAN;
    row[3] = im > 0 && size > 0 ? -re / size : NAN;
    row[4] = re != 0 ? -1 / re : NAN;
}

void hol__tell_spectrum(hol_answer *answer, const hol__small *s, const hol__spectrum *x) {
    static const char *const names[] = {"real", "imaginary", "frequency", "damping_ratio",
                                        "time_constant"};
    static const char *const units[] = {"1/s", "1/s", "Hz", "", "s"};
    char name[32];
    tell_stability(answer, s, x);
    hol__sheet *sheet = hol__answer_sheet(
        answer, "eigenvalues", "eigenvalues, of a pair that with positive imaginary part", 5);
    for (int j = 0; j < 5; j++) hol__sheet_column(sheet, j, names[j], units[j]);
    for (int i = 0; i < hol__mode_count(x); i++) {
        const int k = hol__mode_column(x, i);
        snprintf(name, sizeof name, "mode %d", i + 1);
        fill_row(x->re[k], x->im[k], hol__sheet_add(sheet, name));
    }
    for (int i = 0; i < x->n_zero; i++) {
        snprintf(name, sizeof name, "%s %d", i < x->n_still ? "still" : "drift",
                 i < x->n_still ? i + 1 : i - x->n_still + 1);
        fill_row(0, 0, hol__sheet_add(sheet, name));
    }
}

/* ---- the call ---- */

/* Everything about the state of data. */
static hol_status about_state(hol_answer *answer, hol_sim *sim, const hol_spec *spec,
                              const hol_linearize_options *how) {
    hol__small *s = NULL;
    hol__spectrum x;
    hol__side rates, states;
    hol_status status = hol__small_about(sim, how->settle, &s);
    if (!status) status = hol__small_spectrum(s, NULL, &x);
    if (!status) {
        hol__tell_state(answer, s);
        hol__tell_spectrum(answer, s, &x);
        status = hol__tell_shapes(answer, s, &x);
    }
    if (!status) status = hol__states_side(s, 1, &rates);
    if (!status) status = hol__states_side(s, 0, &states);
    if (!status) hol__tell_matrix(answer, "A", "A, s' = A s + B u", &rates, &states, s->A);
    if (!status && how->n_inputs) status = hol__tell_inputs(answer, s, &x, spec, how);
    hol__small_free(s);
    return status;
}

/* The members of how that the caller knows, zeros for the others. */
static hol_linearize_options known(const hol_linearize_options *how) {
    hol_linearize_options out = {.size = sizeof out};
    if (how) memcpy(&out, how, how->size < sizeof out ? how->size : sizeof out);
    return out;
}

hol_status hol_linearize(hol_context *ctx, hol_sim *sim, const hol_spec *spec,
                         const hol_linearize_options *how, hol_answer **out) {
    static const char call[] = "hol_linearize";
    if (!ctx || hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    const hol_linearize_options asked = known(how);
    *out = NULL;
    hol_answer *answer =
        hol__answer_of(ctx, "linearize", "small motions", hol_sim_data(sim)->model->name);
    if (!answer) return HOL_ERR_MEMORY;
    hol_status status = asked.period > 0 ? hol__tell_cycle(answer, sim, &asked)
                                         : about_state(answer, sim, spec, &asked);
    if (status > 0) status = hol__data_answer(hol_sim_data(sim), status);
    return hol__answer_finish(answer, status, out);
}
