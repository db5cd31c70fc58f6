/* static_preload.c: see static_preload.h. */
#include "analysis/static_preload.h"

#include "analysis/static_search.h"
#include "model/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double enough = 1e-9; /* of the largest force */

/* What a type of force has to set. */
static const struct preload_key {
    const char *type, *key, *unit;
} keys[] = {
    {"spring", "free_length", "m"},
    {"axial_spring", "free_length", "m"},
    {"torsion", "free_angle", "rad"},
};

typedef struct preload {
    hol__static_case *c;
    hol_spec *spec; /* with the values so far */
    int n;
    const char *const *names;
    hol__preload *out;
    double *S, *f, *y; /* nv x n; nv; n */
    hol__svd *svd;
} preload;

static hol_status set_value(preload *w, int i, double value) {
    char text[64];
    hol__print(text, sizeof text, "%.17g", value);
    return hol_spec_set(w->spec, w->out[i].path, text, "--preload");
}

/* The force of that name and its key; reports what cannot be preloaded. */
static hol_status find_key(preload *w, int i) {
    const hol_model *m = w->c->model;
    const int at = hol__model_named(m, HOL__FORCES, w->names[i]);
    if (at < 0)
        return hol__report(w->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "--preload: the model has no force '%s'", w->names[i]);
    const hol__element *e = &m->forces[at];
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (strcmp(e->type->name, keys[k].type) != 0) continue;
        snprintf(w->out[i].path, sizeof w->out[i].path, "forces.%.180s.%s", w->names[i],
                 keys[k].key);
        w->out[i].unit = keys[k].unit;
        return HOL_OK;
    }
    return hol__report(w->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &e->where, e->label,
                       "is of type %s, which has no free length for --preload to find; name forces "
                       "of the types spring, axial_spring or torsion",
                       e->type->name);
}

/* The value that a spring has: as given, or the length as drawn. */
static hol_status find_value(preload *w, int i) {
    const hol_model *m = w->c->model;
    const hol__element *e = &m->forces[hol__model_named(m, HOL__FORCES, w->names[i])];
    int count = 0;
    hol_status status = hol_model_field(w->c->ctx, m, w->out[i].path, 1, &w->out[i].before, &count);
    if (status || count) return status;
    hol_pose pose[2];
    double d[3], sum = 0;
    for (int k = 0; k < 2; k++) hol_data_body_pose(w->c->data, e->body[k], &pose[k]);
    hol_element_info info = {.size = sizeof info};
    hol_model_force_describe(m, e->index, &info);
    for (int k = 0; k < 3; k++) {
        d[k] = pose[1].r[k] - pose[0].r[k];
        for (int j = 0; j < 3; j++)
            d[k] +=
                pose[1].R[3 * k + j] * info.point[1][j] - pose[0].R[3 * k + j] * info.point[0][j];
        sum += d[k] * d[k];
    }
    w->out[i].before = sqrt(sum);
    return HOL_OK;
}

/* f of the description as it stands now, at the position of the case, in its motions. */
static hol_status forces_of(preload *w, double *f) {
    hol__static_case other;
    const hol__static *s = w->c->system;
    hol_context *quiet = hol__context_like(w->c->ctx);
    if (!quiet) return HOL_ERR_MEMORY;
    hol_status status = hol__static_case_like(w->c, quiet, w->spec, &other);
    if (!status) status = hol_data_update(other.data, HOL_STAGE_DYN);
    if (!status && s->n) hol__dense_mul_t(s->model->nv, s->n, 1, s->Z, other.data->Q, 0, f);
    hol__static_case_close(&other);
    hol_context_free(quiet);
    return status;
}

/* S by a difference, which is exact where forces are linear. */
static hol_status find_column(preload *w, int i) {
    const hol__static *s = w->c->system;
    double *column = w->S + (size_t)i * (size_t)s->model->nv;
    const double step = 1e-2 * fmax(fabs(w->out[i].after), 1e-2 * s->model->length);
    hol_status status = set_value(w, i, w->out[i].after + step);
    if (!status) status = forces_of(w, column);
    for (int k = 0; k < s->n; k++) column[k] = (column[k] - w->f[k]) / step;
    const hol_status back = set_value(w, i, w->out[i].after);
    return status ? status : back;
}

/* y of smallest norm in the forces, by singular values; adds it to the values. */
static hol_status improve(preload *w) {
    const hol__static *s = w->c->system;
    const int rows = s->n, nv = s->model->nv;
    hol_status status = forces_of(w, w->f);
    for (int i = 0; i < w->n && !status; i++) status = find_column(w, i);
    if (status) return status;
    for (int i = 0; i < w->n; i++) {
        const double *column = w->S + (size_t)i * (size_t)nv;
        w->y[i] = hol__norm(column, rows);
        for (int k = 0; k < rows; k++)
            w->svd->a[i * rows + k] = w->y[i] > 0 ? column[k] / w->y[i] : 0;
    }
    if (hol__svd_factor(w->svd)) return HOL_ERR_SINGULAR;
    const int most = rows < w->n ? rows : w->n;
    for (int i = 0; i < w->n; i++) {
        double change = 0;
        for (int k = 0; k < most; k++) {
            double along = 0;
            if (!(w->svd->s[k] > 1e-9 * w->svd->s[0])) continue;
            for (int j = 0; j < rows; j++) along -= w->svd->u[k * rows + j] * w->f[j];
            change += w->svd->vt[i * w->n + k] * along / w->svd->s[k];
        }
        if (w->y[i] > 0) w->out[i].after += change / w->y[i];
        status = set_value(w, i, w->out[i].after);
        if (status) return status;
    }
    return HOL_OK;
}

/* Say what is left. */
static hol_status explain(preload *w, double left) {
    const hol__static *s = w->c->system;
    char motion[512];
    hol__static_tell(s, w->f, motion, sizeof motion);
    const hol__body *b = &s->model->bodies[hol__static_most(s, w->f)];
    return hol__report(w->c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &b->where, b->label,
                       "--preload: these springs cannot hold it as drawn: a force of %.4g N is "
                       "left (%s); name springs that act in that direction too",
                       left, motion);
}

static hol_status solve(preload *w, double *residual) {
    hol__static *s = w->c->system;
    hol_status status = hol__static_evaluate(s);
    for (int i = 0; i < w->n && !status; i++) {
        status = find_key(w, i);
        if (!status) status = find_value(w, i);
        w->out[i].after = w->out[i].before;
        if (!status) status = set_value(w, i, w->out[i].after);
    }
    if (status || !s->n) return status;
    for (int k = 0; k < 2 && !status; k++) status = improve(w); /* rounding goes in the second */
    if (!status) status = forces_of(w, w->f);
    if (status) return status;
    const double left = hol__norm(w->f, s->n);
    *residual = s->force > 0 ? left / s->force : 0;
    return *residual <= enough ? HOL_OK : explain(w, left);
}

/* With contacts a run with these springs must not move from where they are drawn: they push. */
static hol_status check_contacts(preload *w) {
    hol__static_case drawn;
    if (!w->c->gaps) return HOL_OK;
    hol_status status = hol__static_case_open(w->c->ctx, w->spec, w->c->data->t, 0, &drawn);
    if (!status) status = hol__static_case_check(&drawn);
    hol__static_case_close(&drawn);
    return status;
}

hol_status hol__static_preload(hol__static_case *c, const hol_spec *spec, int n,
                               const char *const *names, hol__preload *out, double *residual) {
    preload w = {.c = c, .n = n, .names = names, .out = out, .spec = hol_spec_copy(c->ctx, spec)};
    hol__arena arena;
    *residual = 0;
    hol__arena_init(&arena, c->ctx);
    hol_status status = w.spec ? hol__static_evaluate(c->system) : HOL_ERR_MEMORY;
    const int nv = c->data->model->nv, rows = c->system->n > 0 ? c->system->n : 1;
    w.S = HOL__NEW_N(&arena, double, (size_t)nv *(size_t)n + 1);
    w.f = HOL__NEW_N(&arena, double, nv + 1);
    w.y = HOL__NEW_N(&arena, double, n + 1);
    w.svd = hol__svd_new(&arena, rows, n);
    if (!status && (!w.svd || arena.failed)) status = HOL_ERR_MEMORY;
    if (!status) status = solve(&w, residual);
    if (!status) status = check_contacts(&w);
    if (!status) {
        hol__static_case with;
        status = hol__static_case_like(c, c->ctx, w.spec, &with);
        if (!status) {
            hol__static_case_close(c);
            *c = with;
        } else
            hol__static_case_close(&with);
    }
    hol__arena_free(&arena);
    hol_spec_free(w.spec);
    return status > 0 ? HOL_ERR_SINGULAR : status;
}
