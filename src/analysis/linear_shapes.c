/* linear_shapes.c: how bodies and joints move in a mode.
 *
 * The eigenvector of a pair is complex: entry z moves as |z| cos(w t + arg z), which is told by
 * amplitude and phase. A mode is scaled such that its largest displacement is 0.1 of the size of
 * the mechanism, or its largest rotation 0.1 rad, whichever is the smaller motion. Joints are told
 * by
 * the second body against the first: the turn about the axis of the joint, the displacement along
 * it (the axis of a joint in the plane that turns is z).
 */
#include "analysis/linearize.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AMPLITUDE 0.1

static const char *const planar[] = {"x", "y", "angle"};
static const char *const spatial[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};

/* One part, real or imaginary, of all modes and directions: bw nb numbers each, in metres, radians;
 * turns in the global frame. */
typedef struct shapes {
    hol__small *s;
    int width, modes, zeros;
    double *re, *im;
} shapes;

/* dx of the bodies for the states in vector. */
static void displace(const shapes *x, const double *vector, double *out) {
    const hol__small *s = x->s;
    const hol_model *m = s->model;
    const double L = hol__mechanism_size(m);
    memset(out, 0, sizeof(double) * (size_t)x->width);
    for (int k = 0; k < s->p.n; k++)
        for (int i = 0; i < x->width; i++)
            out[i] += vector[k] * s->E[hol__area(k, s->rows) + (size_t)i];
    for (int i = 0; i < x->width; i++)
        if (hol__is_length(m, i)) out[i] *= L;
    for (int i = 0; m->dim == 3 && i < m->nb; i++) {
        double turn[3];
        hol__mul3(s->data->bodies.b3[i].R, out + 6 * i + 3, turn);
        memcpy(out + 6 * i + 3, turn, sizeof turn);
    }
}

/* The largest displacement is AMPLITUDE. */
static void scale(const shapes *x, double *re, double *im) {
    const hol_model *m = x->s->model;
    const double L = hol__mechanism_size(m);
    double most = 0;
    for (int i = 0; i < x->width; i++)
        most = fmax(most, hypot(re[i], im[i]) / (hol__is_length(m, i) ? L : 1));
    for (int i = 0; i < x->width && most > 0; i++)
        re[i] *= AMPLITUDE / most, im[i] *= AMPLITUDE / most;
}

static hol_status shapes_new(hol__small *s, const hol__spectrum *spectrum, shapes *x) {
    *x = (shapes){.s = s,
                  .width = s->model->bw * s->model->nb,
                  .modes = hol__mode_count(spectrum),
                  .zeros = spectrum->n_still};
    const int columns = x->modes + x->zeros;
    x->re = HOL__NEW_N(&s->matrices, double, hol__area(x->width, columns) + 1);
    x->im = HOL__NEW_N(&s->matrices, double, hol__area(x->width, columns) + 1);
    if (!x->re || !x->im) return HOL_ERR_MEMORY;
    for (int i = 0; i < columns; i++) {
        const int zero = i >= x->modes, k = zero ? spectrum->n - spectrum->n_zero + i - x->modes
                                                 : hol__mode_column(spectrum, i);
        double *re = x->re + hol__area(i, x->width), *im = x->im + hol__area(i, x->width);
        displace(x, spectrum->vectors + hol__area(k, spectrum->n), re);
        if (!zero && spectrum->im[k] > 0)
            displace(x, spectrum->vectors + hol__area(k + 1, spectrum->n), im);
        scale(x, re, im);
    }
    return HOL_OK;
}

/* A table with a column for each mode and each still direction. */
static hol__sheet *sheet_of(hol_answer *answer, const shapes *x, const char *name,
                            const char *title, const char *unit) {
    char column[32];
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, x->modes + x->zeros);
    for (int i = 0; i < x->modes + x->zeros; i++) {
        if (i < x->modes)
            snprintf(column, sizeof column, "mode %d", i + 1);
        else
            snprintf(column, sizeof column, "still %d", i - x->modes + 1);
        hol__sheet_column(sheet, i, column, unit);
    }
    return sheet;
}

/* Numbers that are rounding of the amplitude are none. */
static double cleaned(double x) {
    return fabs(x) > 1e-12 * AMPLITUDE ? x : 0;
}

/* Amplitude and phase of one number in all columns; re and im are those of mode 0, the next ones
 * follow in this distance. */
static void fill(hol__sheet *amplitudes, hol__sheet *phases, const char *name, const char *unit,
                 int columns, const double *re, const double *im, int distance) {
    double *a = hol__sheet_add(amplitudes, name), *p = hol__sheet_add(phases, name);
    if (!a || !p) return;
    for (int i = 0; i < columns; i++) {
        const double x = cleaned(re[i * distance]), y = cleaned(im[i * distance]);
        a[i] = hypot(x, y);
        p[i] = x != 0 || y != 0 ? atan2(y, x) : NAN;
    }
    (void)unit;
}

/* The rows of all bodies. */
static void tell_bodies(hol_answer *answer, const shapes *x) {
    const hol_model *m = x->s->model;
    char name[300];
    hol__sheet *amplitudes = sheet_of(answer, x, "shapes", "modes: amplitudes of the bodies", ""),
               *phases = sheet_of(answer, x, "phases", "modes: phases of the bodies", "rad");
    for (int i = 0; i < x->width; i++) {
        snprintf(name, sizeof name, "%s.%s", m->bodies[i / m->bw].name,
                 (m->dim == 2 ? planar : spatial)[i % m->bw]);
        fill(amplitudes, phases, name, "", x->modes + x->zeros, x->re + i, x->im + i, x->width);
        hol__sheet_row_unit(amplitudes, i, hol__is_length(m, i) ? "m" : "rad");
    }
}

/* ---- joints ---- */

/* A joint in the global frame: its point on either body and its axis. */
typedef struct place {
    int body[2];
    double arm[2][3], axis[3];
    int turns, slides;
} place;

/* R a of body i, ground included, and from its mass centre. */
static void to_global(const hol__small *s, int i, const double *a, int is_point, double *out) {
    const hol_model *m = s->model;
    double x[3];
    memcpy(x, a, sizeof x);
    if (is_point && i < m->nb) hol__sub3(a, m->bodies[i].com, x);
    memcpy(out, x, sizeof x);
    if (i >= m->nb) return;
    if (m->dim == 3) {
        hol__mul3(s->data->bodies.b3[i].R, x, out);
        return;
    }
    const hol__body2 *b = &s->data->bodies.b2[i];
    out[0] = b->c * x[0] - b->s * x[1];
    out[1] = b->s * x[0] + b->c * x[1];
}

static int find_place(const hol__small *s, int joint, place *p) {
    hol_element_info info = {.size = sizeof info};
    if (hol_model_joint_describe(s->model, joint, &info)) return 0;
    for (int k = 0; k < 2; k++) {
        p->body[k] = info.body[k];
        if (info.body[k] < 0 || info.body[k] > s->model->nb) return 0;
        to_global(s, info.body[k], info.point[k], 1, p->arm[k]);
    }
    to_global(s, info.body[0], info.axis[0], 0, p->axis);
    return p->body[0] != p->body[1];
}

/* The relative turn about, and displacement along, the axis for displacements dx of the bodies. */
static void relative(const hol__small *s, const place *p, const double *dx, double out[2]) {
    const hol_model *m = s->model;
    double turn[3] = {0, 0, 0}, move[3] = {0, 0, 0};
    const double normal[3] = {0, 0, 1};
    for (int k = 0; k < 2; k++) {
        if (p->body[k] >= m->nb) continue;
        const double *x = dx + m->bw * p->body[k], sign = k ? 1 : -1;
        const double r[3] = {x[0], x[1], m->dim == 3 ? x[2] : 0};
        const double w[3] = {m->dim == 3 ? x[3] : 0, m->dim == 3 ? x[4] : 0,
                             m->dim == 3 ? x[5] : x[2]};
        double side[3];
        hol__cross3(w, p->arm[k], side);
        for (int i = 0; i < 3; i++) turn[i] += sign * w[i], move[i] += sign * (r[i] + side[i]);
    }
    const double length = hol__norm3(p->axis);
    const double *about = m->dim == 2 || !(length > 0) ? normal : p->axis;
    out[0] = hol__dot3(turn, about) / hol__norm3(about);
    out[1] = length > 0 ? hol__dot3(move, p->axis) / length : 0;
}

/* Two rows, turn and displacement, for a joint; those that no mode has are left out. */
static hol_status tell_joint(const shapes *x, int joint, hol__sheet *amplitudes, hol__sheet *phases,
                             int *row) {
    const int columns = x->modes + x->zeros;
    static const char *const parts[] = {"turn", "slide"};
    const hol__small *s = x->s;
    place p;
    double *re = HOL__NEW_N(&x->s->matrices, double, 2 * columns + 2),
           *im = HOL__NEW_N(&x->s->matrices, double, 2 * columns + 2);
    if (!re || !im) return HOL_ERR_MEMORY;
    if (!find_place(s, joint, &p)) return HOL_OK;
    double most[2] = {0, 0};
    for (int i = 0; i < columns; i++) {
        relative(s, &p, x->re + hol__area(i, x->width), re + 2 * i);
        relative(s, &p, x->im + hol__area(i, x->width), im + 2 * i);
        for (int k = 0; k < 2; k++) most[k] = fmax(most[k], hypot(re[2 * i + k], im[2 * i + k]));
    }
    for (int k = 0; k < 2; k++) {
        char name[300];
        if (most[k] <= 1e-9 * AMPLITUDE) continue;
        snprintf(name, sizeof name, "%s.%s", s->model->joints[joint].name, parts[k]);
        fill(amplitudes, phases, name, "", columns, re + k, im + k, 2);
        hol__sheet_row_unit(amplitudes, (*row)++, k ? "m" : "rad");
    }
    return HOL_OK;
}

hol_status hol__tell_shapes(hol_answer *answer, hol__small *s, const hol__spectrum *spectrum) {
    shapes x;
    int row = 0;
    hol_status status = shapes_new(s, spectrum, &x);
    if (status || x.modes + x.zeros == 0 || !x.width) return status;
    tell_bodies(answer, &x);
    if (!s->model->n_joints) return HOL_OK;
    hol__sheet *amplitudes = sheet_of(answer, &x, "joints", "modes: amplitudes of the joints", ""),
               *phases = sheet_of(answer, &x, "joint_phases", "modes: phases of the joints", "rad");
    for (int i = 0; i < s->model->n_joints && !status; i++)
        status = tell_joint(&x, i, amplitudes, phases, &row);
    return status;
}
