/* dual_forces.c: the directions of a tangent one after the other. See dual_forces.h. */
#include "element/dual_forces.h"

#include <string.h>

void hol__dual_body(const hol__force_args *args, int body, hol__body_dual *b) {
    memset(b, 0, sizeof *b);
    hol__center_of(args, body, b->r.f);
    hol__spin_of(args, body, b->w.f);
    if (args->bodies.b2) {
        const hol__body2 *x = &args->bodies.b2[body];
        const double R[9] = {x->c, -x->s, 0, x->s, x->c, 0, 0, 0, 1};
        memcpy(b->R, R, sizeof R);
        memcpy(b->v.f, x->v, sizeof x->v);
    } else {
        memcpy(b->R, args->bodies.b3[body].R, sizeof b->R);
        memcpy(b->v.f, args->bodies.b3[body].v, sizeof b->v.f);
    }
}

/* A unit direction of the pose (twist: of the velocities). The angular velocity R w turns with the
 * body. */
static void set_direction(hol__body_dual *b, int k, int plane, int twist) {
    const int dim = plane ? 2 : 3, axis = plane ? 2 : k - 3;
    if (k < dim) {
        *(twist ? &b->v.d[k] : &b->r.d[k]) = 1;
        return;
    }
    double e[3] = {0, 0, 0};
    e[axis] = 1;
    if (twist) {
        hol__mul3(b->R, e, b->w.d);
        return;
    }
    double turn[3];
    memcpy(b->turn, e, sizeof e);
    hol__mul3(b->R, e, turn);
    hol__cross3(turn, b->w.f, b->w.d);
}

/* One call; the derivatives of wrenches and rates into column k. */
static void add_column(const void *record, hol__dual_args *x, hol__dual_force *force, double *w,
                       double *r, int width, int k, const hol__force_tangent *out) {
    const int bw = out->n / 2;
    force(record, x);
    for (int slot = 0; slot < 2; slot++) {
        const hol__body_dual *b = &x->body[slot];
        const hol__dual3 turn = hol__dual3_in(b->R, b->turn, b->moment);
        for (int i = 0; i < bw; i++)
            w[(slot * bw + i) * width + k] += x->plane ? (i < 2 ? b->force.d[i] : b->moment.d[2])
                                              : i < 3  ? b->force.d[i]
                                                       : turn.d[i - 3];
    }
    for (int i = 0; i < out->n_aux; i++) r[i * width + k] += x->rate[i].d;
}

/* Bodies and states at rest, so to say: no variation anywhere. */
static void reset(hol__dual_args *x, const hol__force_tangent *out) {
    for (int i = 0; i < 2; i++) hol__dual_body(x->args, out->body[i], &x->body[i]);
    for (int i = 0; i < out->n_aux; i++) {
        x->state[i] = (hol__dual){x->args->aux[out->aux + i], 0};
        x->rate[i] = (hol__dual){0, 0};
    }
}

void hol__dual_tangent(const void *record, hol__force_args *args, hol__dual_force *force,
                       hol__force_tangent *out) {
    hol__dual state[HOL__DUAL_STATES], rate[HOL__DUAL_STATES];
    hol__dual_args x = {.args = args,
                        .plane = args->bodies.b2 != NULL,
                        .none = out->none,
                        .along = out->along,
                        .state = state,
                        .rate = rate};
    const int bw = out->n / 2;
    for (int slot = 0; slot < 2; slot++)
        for (int k = 0; k < 2 * bw; k++) {
            const int twist = k >= bw, at = slot * bw + k % bw;
            reset(&x, out);
            set_direction(&x.body[slot], k % bw, x.plane, twist);
            add_column(record, &x, force, twist ? out->twist : out->pose,
                       twist ? out->rate_twist : out->rate_pose, out->n, at, out);
        }
    for (int k = 0; k < out->n_reads; k++) {
        reset(&x, out);
        out->along[out->reads[k]] = 1;
        add_column(record, &x, force, out->input, out->rate_input, out->n_reads, k, out);
        out->along[out->reads[k]] = 0;
    }
    for (int k = 0; k < out->n_aux; k++) {
        reset(&x, out);
        state[k].d = 1;
        add_column(record, &x, force, out->state, out->rate_state, out->n_aux, k, out);
    }
}

hol__dual hol__dual_law(const hol__law *law, const hol__dual_args *x, int n,
                        const hol__dual *local) {
    const hol__force_args *args = x->args;
    if (!law->e) return (hol__dual){law->value, 0};
    for (int i = 0; i < n; i++) {
        args->inputs[args->local + i] = local[i].f;
        x->along[args->local + i] = local[i].d;
    }
    const hol__jet f = hol__expr_jet(law->e, args->inputs, x->along, x->none, args->scratch);
    for (int i = 0; i < n; i++) x->along[args->local + i] = 0;
    return (hol__dual){f.f, f.d1};
}
