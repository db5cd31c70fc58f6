/* symbolic_check.c: formulas against the numbers of the library, at states at random and with the
 * parameters of all samples. Both round: 1e-11 of the largest entry is far above that, and far
 * below any wrong term. */
#include "analysis/symbolic.h"

#include "dyn/data.h"

#include <holonom/matrix.h>

#include <math.h>
#include <string.h>

enum { STATES = 2 };

static const double tolerance = 1e-11;

static double draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* A state near that of the start of the model. */
static hol_status set_state(hol__equations *e, int k, hol_data *data, double share,
                            unsigned *seed) {
    const hol_model *m = e->to.models[k];
    double *d = hol__alloc(e->ctx, (size_t)m->nv + 1, sizeof *d),
           *q = hol__alloc(e->ctx, (size_t)m->nq + 1, sizeof *q),
           *v = hol__alloc(e->ctx, (size_t)m->nv + 1, sizeof *v);
    hol_status status = d && q && v ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; !status && i < m->nv; i++) {
        const double size = hol__is_turn(m, i) ? 1 : m->length > 0 ? m->length : 1;
        d[i] = share * size * draw(seed);
        v[i] = m->v0[i] + size * draw(seed);
    }
    if (!status) {
        m->coords->plus(m, m->q0, d, q);
        hol_data_set(data, 0.3 + 0.2 * draw(seed), q, v);
        status = hol_data_update(data, HOL_STAGE_DYN);
    }
    hol__release(e->ctx, d);
    hol__release(e->ctx, q);
    hol__release(e->ctx, v);
    return status;
}

/* ---- the values of symbols ---- */

static double value_of(const hol__symbolic *to, int symbol, int k, hol_data *data) {
    const hol__symbolic_source *s = &to->source[symbol];
    switch (s->kind) {
    case HOL__SYMBOLIC_Q: return data->q[s->i];
    case HOL__SYMBOLIC_V: return data->v[s->i];
    case HOL__SYMBOLIC_TIME: return data->t;
    case HOL__SYMBOLIC_OWN: return s->own[k];
    case HOL__SYMBOLIC_INPUT: return data->inputs[s->i];
    case HOL__SYMBOLIC_ANGLE: return data->angles[s->i];
    case HOL__SYMBOLIC_POSE:
        return data->bodies.b2 ? data->bodies.b2[s->i].theta : data->bodies.b3[s->i].p[s->j];
    case HOL__SYMBOLIC_STATE: return data->aux[s->i];
    case HOL__SYMBOLIC_WRENCH: hol__data_force_wrench(data, s->i); return data->wrench[s->j];
    case HOL__SYMBOLIC_LAW: {
        const hol__jet f = hol__law_jet(s->law[k], data->t, data->scratch);
        return s->i == 0 ? f.f : s->i == 1 ? f.d1 : f.d2;
    }
    default: return NAN;
    }
}

void hol__symbolic_values(hol__equations *e, int k, hol_data *data, double *values, double *work) {
    const hol__symbolic *to = &e->to;
    for (int i = 0; i < e->a->n_symbols; i++)
        values[i] = i >= e->n_derived                          ? NAN
                    : to->source[i].kind == HOL__SYMBOLIC_NONE ? e->numbers.sample[k][i]
                                                               : value_of(to, i, k, data);
    /* defined by symbols before them */
    for (int i = 0; i < e->n_derived; i++)
        if (to->source[i].kind == HOL__SYMBOLIC_DEFINED)
            values[i] = hol__sym_value(e->a, to->source[i].is, values, work);
}

/* ---- comparison ---- */

static const struct {
    hol_term term;
    const char *name;
} terms[] = {{HOL_TERM_M, "M"}, {HOL_TERM_PHI, "Phi"}, {HOL_TERM_A, "A"},
             {HOL_TERM_B, "b"}, {HOL_TERM_C, "c"},     {HOL_TERM_Q, "Q"}};

static const hol__sym *formulas_of(const hol__equations *e, hol_term term) {
    return term == HOL_TERM_M     ? e->M
           : term == HOL_TERM_PHI ? e->Phi
           : term == HOL_TERM_A   ? e->A
           : term == HOL_TERM_B   ? e->b
           : term == HOL_TERM_C   ? e->c
                                  : e->Q;
}

/* One term: the largest difference against the largest entry. > 0: the library has no number. */
static hol_status compare(hol__equations *e, hol_data *data, int which, const double *values,
                          double *work) {
    hol_size size = {.size = sizeof size};
    hol_status status = hol_data_term_size(data, terms[which].term, &size);
    const int n = size.rows * size.columns;
    if (status || !n) return status;
    double *right = hol__alloc(e->ctx, 2 * (size_t)n, sizeof *right), *got = right + n;
    if (!right) return HOL_ERR_MEMORY;
    status = hol_data_term(data, terms[which].term, right, n);
    hol__sym_values(e->a, n, formulas_of(e, terms[which].term), values, work, got);
    double largest = 0, off = 0;
    int at = -1;
    for (int i = 0; i < n && !status; i++)
        if (!isfinite(right[i])) status = HOL_NONFINITE;
    for (int i = 0; i < n && !status; i++) {
        largest = fmax(largest, fabs(right[i]));
        const double d = fabs(got[i] - right[i]);
        if (!(d <= off)) off = d, at = i; /* NaN counts */
    }
    const double relative = off / (1 + largest);
    if (!status && !(relative <= tolerance))
        status = hol__report(
            e->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
            "the formula of %s(%d,%d) has the value %.15g where the library has %.15g, with "
            "parameters and a state near those of the model: the formulas are not shown",
            terms[which].name, at / size.columns + 1, at % size.columns + 1, at < 0 ? NAN : got[at],
            at < 0 ? NAN : right[at]);
    if (status <= 0) e->worst = fmax(e->worst, relative);
    hol__release(e->ctx, right);
    return status;
}

static hol_status check_model(hol__equations *e, int k, double *values, double *work) {
    hol_data *data = hol_data_new(e->quiet, e->to.models[k]);
    unsigned seed = 1000 + (unsigned)k;
    hol_status status = data ? HOL_OK : HOL_ERR_MEMORY;
    for (int s = 0; s < STATES && !status; s++) {
        /* nearer where an element is not defined that far off */
        hol_status reached = set_state(e, k, data, 0.2, &seed);
        for (double share = 0.05; reached > 0 && share > 1e-4; share *= 0.2)
            reached = set_state(e, k, data, share, &seed);
        if (reached) {
            status = reached < 0 ? reached : HOL_OK;
            continue;
        }
        hol__symbolic_values(e, k, data, values, work);
        for (size_t i = 0; i < sizeof terms / sizeof *terms && !status; i++)
            status = compare(e, data, (int)i, values, work);
        if (!status) e->states++;
        if (status > 0) status = HOL_OK;
    }
    hol_data_free(data);
    return status;
}

hol_status hol__symbolic_check(hol__equations *e) {
    double *values = hol__alloc(e->ctx, (size_t)e->a->n_symbols + 1, sizeof *values),
           *work = hol__alloc(e->ctx, (size_t)e->a->n_nodes + 1, sizeof *work);
    hol_status status = values && work ? HOL_OK : HOL_ERR_MEMORY;
    for (int k = 0; k < e->n_models && !status; k++) status = check_model(e, k, values, work);
    hol__release(e->ctx, values);
    hol__release(e->ctx, work);
    if (!status && !e->states)
        status = hol__report(e->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, NULL,
                             "the equations cannot be evaluated near the start of the model, so "
                             "that formulas cannot be checked");
    return status;
}
