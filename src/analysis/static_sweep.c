/* static_sweep.c: equilibria over a parameter of a mechanism with joints that push and do not pull.
 *
 * Which of them carry changes along the way, so that there is no smooth curve to follow by arc
 * length: the parameter goes in equal steps, and at each value the mechanism settles from where it
 * rested before (static_contact.h). Where others carry than before, halving finds the value to
 * 2^-16 of a step.
 */
#include "analysis/static_contact.h"
#include "analysis/static_curve.h"
#include "analysis/static_rest.h"
#include "model/node.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 101, HALVINGS = 16 };

/* How many gaps of a joint are closed in a case. */
static int closed_of(const hol__static_case *c, int joint) {
    const hol__rigid *r = c->model->joints[joint].rigid;
    int n = 0;
    for (int i = 0; r && i < r->slots; i++)
        n += (c->sim->switching.touch[r->first + i] & HOL__TOUCH_CLOSED) != 0;
    return n;
}

/* The first joint that carries in one case and not in the other; -1: none. */
static int changed(const hol__static_case *a, const hol__static_case *b) {
    for (int i = 0; i < a->model->n_joints; i++)
        if (!closed_of(a, i) != !closed_of(b, i)) return i;
    return -1;
}

/* The case with another value of the parameter, settled from where one rests. */
static hol_status settle_at(const hol__sweep *s, hol__static_case *from, double p,
                            hol__static_case *out) {
    char text[64];
    hol__equilibrium e = {.method = s->options->method};
    hol__print(text, sizeof text, "%.17g", p);
    hol_status status = hol_spec_set(s->spec, s->path, text, "--vary");
    if (!status)
        status = hol__static_case_open(s->ctx, s->spec, s->options->time, s->options->steady, out);
    if (!status) {
        const hol_model *m = out->data->model;
        double *none = hol__alloc(s->ctx, (size_t)m->nv + 1, sizeof *none);
        if (none) hol__data_carry(out->data, from->data);
        status = none ? hol__static_shift(out->system, none) : HOL_ERR_MEMORY;
        hol__release(s->ctx, none);
    }
    if (!status && out->gaps) status = hol__static_case_touch(out);
    if (!status) status = hol__static_case_settle(out, &e);
    if (!status) status = hol__static_case_check(out);
    if (status)
        hol__report(s->ctx, HOL_ERROR, status < 0 ? status : HOL_ERR_TOLERANCE, NULL, "statics",
                    "this was with %s = %.10g, on the way from %.10g to %.10g", s->options->name, p,
                    s->options->from, s->options->to);
    return status > 0 ? HOL_ERR_TOLERANCE : status;
}

/* A point to whoever is told. */
static hol_status tell(const hol__sweep *s, hol__static_case *c, double p, const char *change) {
    hol__rest *rest;
    const hol_status status = hol__rest_new(c->system, &rest);
    if (status) return status;
    const hol__curve_point point = {.kind = change ? HOL__CURVE_CHANGE : HOL__CURVE_POINT,
                                    .p = p,
                                    .least = rest->n ? rest->value[0] : NAN,
                                    .negative = rest->n_negative,
                                    .at = c,
                                    .change = change};
    hol__rest_free(rest);
    return s->fn(s->self, &point);
}

/* Halve between a, which rests, and b at which others carry; found is the case at b. Right at the
 * change contacts may be undecided: it stays as near as it has come. */
static hol_status halve(const hol__sweep *s, hol__static_case *at_a, double a, double *b,
                        hol__static_case *found) {
    hol_status status = settle_at(s, at_a, *b, found);
    for (int k = 0; k < HALVINGS && !status; k++) {
        const double middle = 0.5 * (a + *b);
        hol__static_case there;
        const hol_status tried = settle_at(s, at_a, middle, &there);
        const int differs = !tried && changed(at_a, &there) >= 0;
        hol__static_case_close(differs ? found : &there);
        if (tried == HOL_ERR_MEMORY) status = tried;
        if (tried) break;
        if (differs)
            *found = there, *b = middle;
        else
            a = middle;
    }
    return status;
}

/* The value between a, which rests, and b at which others carry, to whoever is told. */
static hol_status locate(const hol__sweep *s, hol__static_case *at_a, double a, double b) {
    hol_context *quiet = hol__context_like(s->ctx);
    hol__sweep aside = *s;
    hol__static_case found = {.ctx = quiet};
    char change[300];
    if (!quiet) return HOL_ERR_MEMORY;
    aside.ctx = quiet;
    hol_status status = halve(&aside, at_a, a, &b, &found);
    const int joint = status ? -1 : changed(at_a, &found);
    if (joint >= 0) {
        snprintf(change, sizeof change, "joint '%.200s' %s", found.model->joints[joint].name,
                 closed_of(&found, joint) ? "carries" : "lets go");
        status = tell(s, &found, b, change);
    }
    hol__static_case_close(&found);
    hol_context_free(quiet);
    return status;
}

hol_status hol__static_sweep(const hol__sweep *s, hol__static_case *now) {
    const hol__curve_options *o = s->options;
    const int n = o->most > 1 ? o->most : VALUES;
    double last = o->from;
    hol_status status = tell(s, now, last, NULL);
    for (int k = 1; k < n && !status; k++) {
        const double p = k == n - 1 ? o->to : o->from + (o->to - o->from) * k / (n - 1);
        hol__static_case next = {.ctx = s->ctx};
        status = settle_at(s, now, p, &next);
        if (!status && changed(now, &next) >= 0) status = locate(s, now, last, p);
        if (!status) status = tell(s, &next, p, NULL);
        hol__static_case_close(status ? &next : now);
        if (!status) *now = next;
        last = p;
    }
    return status;
}
