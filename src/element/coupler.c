/* coupler.c: one equation between scalar coordinates x_i, on positions or on velocities.
 *
 * On positions (holonomic), with the gradient g and the Hessian H of F over (t, x):
 *
 *     Phi = F(t, x) = 0      A = sum_i F_i dx_i      b = -F_t
 *     A' = sum_i (F_i dx_i' + (F_it + sum_j F_ij x_j') dx_i)      b' = -(F_tt + sum_i F_ti x_i')
 *
 * dx_i is the row of coordinate i (coordinate.c). With constant factors F = sum_i a_i x_i - f(t).
 *
 * On velocities (nonholonomic), with factors a_i that may depend on t and on coordinates, and rates
 * u_i:
 *
 *     A v = sum_i a_i(t, x) u_i = f(t, x)        b = f,   b' = f_t + sum_j f_j x_j'
 *
 * A prescribed acceleration is a velocity that is a state of the system, b = z with z' = f(t):
 * exact at every level, and b' = f.
 */
#include "element/coupler.h"

#include <string.h>

/* ---- positions ---- */

static void linear_row(const hol__coupler *rec, const hol__con_args *args,
                       const hol__coordinate_row *x, hol__row *row) {
    const hol__jet f = hol__law_jet(&rec->f, args->inputs[0], args->scratch);
    row->Phi = -f.f;
    row->b = (hol__dual){f.d1, f.d2};
    for (int i = 0; i < rec->n; i++) {
        row->Phi += rec->factor[i] * x[i].x;
        hol__coordinate_add(&rec->x[i], (hol__dual){rec->factor[i], 0}, &x[i], row);
    }
}

static void expression_row(const hol__coupler *rec, const hol__con_args *args,
                           const hol__coordinate_row *x, hol__row *row) {
    const int m = rec->n + 1;
    double in[1 + HOL__COUPLED] = {args->inputs[0]}, rate[1 + HOL__COUPLED] = {1};
    double g[1 + HOL__COUPLED], H[(1 + HOL__COUPLED) * (1 + HOL__COUPLED)] = {0},
                                                            gdot[1 + HOL__COUPLED] = {0};
    for (int i = 0; i < rec->n; i++) in[i + 1] = x[i].x, rate[i + 1] = x[i].rate;
    if (args->want & (HOL__WANT_VEL | HOL__WANT_ADOT))
        row->Phi = hol__expr_hessian(rec->F, in, g, H, args->scratch);
    else
        row->Phi = hol__expr_gradient(rec->F, in, g, args->scratch);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) gdot[i] += H[i * m + j] * rate[j];
    row->b = (hol__dual){-g[0], -gdot[0]};
    for (int i = 0; i < rec->n; i++)
        hol__coordinate_add(&rec->x[i], (hol__dual){g[i + 1], gdot[i + 1]}, &x[i], row);
}

static void fill_coupler(const void *records, int n, const hol__con_args *args) {
    const hol__coupler *rec = records;
    for (int k = 0; k < n; k++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        hol__coordinate_row x[HOL__COUPLED];
        hol__row row;
        memset(&row, 0, sizeof row);
        hol__movers(&rec->con, args, movers);
        for (int i = 0; i < rec->n; i++) hol__coordinate_eval(&rec->x[i], movers, args, &x[i]);
        if (rec->F)
            expression_row(rec, args, x, &row);
        else
            linear_row(rec, args, x, &row);
        hol__row_put(&rec->con, 0, movers, &row, args);
    }
}

/* ---- velocities ---- */

/* A law of (t, x) and its rate. */
static hol__dual law_dual(const hol__law *law, const double *in, const double *rate,
                          const hol__con_args *args) {
    static const double zero[1 + HOL__COUPLED];
    if (!law->e) return (hol__dual){law->value, 0};
    const hol__jet f = hol__expr_jet(law->e, in, rate, zero, args->scratch);
    return (hol__dual){f.f, f.d1};
}

static void fill_rate(const void *records, int n, const hol__con_args *args) {
    const hol__rate *rec = records;
    for (int k = 0; k < n; k++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        hol__coordinate_row x;
        hol__row row;
        double in[1 + HOL__COUPLED] = {args->inputs[0]}, rate[1 + HOL__COUPLED] = {1};
        memset(&row, 0, sizeof row);
        hol__movers(&rec->con, args, movers);
        for (int i = 0; i < rec->n_x; i++) {
            hol__coordinate_eval(&rec->x[i], movers, args, &x);
            in[i + 1] = x.x;
            rate[i + 1] = x.rate;
        }
        for (int i = 0; i < rec->n; i++) {
            hol__coordinate_eval(&rec->term[i], movers, args, &x);
            hol__coordinate_add(&rec->term[i], law_dual(&rec->factor[i], in, rate, args), &x, &row);
        }
        row.b = law_dual(&rec->f, in, rate, args);
        if (rec->state >= 0) row.b = (hol__dual){args->aux[rec->state], row.b.f};
        hol__row_put(&rec->con, 0, movers, &row, args);
    }
}

/* ---- tables ---- */

/* The columns of the coordinates that touch the slot. */
static unsigned live_of(const hol__coordinate *x, int n, int slot) {
    unsigned bits = 0;
    for (int i = 0; i < n; i++)
        if (x[i].slot[0] == slot || x[i].slot[1] == slot) bits |= hol__coordinate_live(&x[i]);
    return bits;
}

static unsigned live_coupler(const void *record, int k, int slot) {
    const hol__coupler *rec = record;
    (void)k;
    return live_of(rec->x, rec->n, slot);
}

static unsigned live_rate(const void *record, int k, int slot) {
    const hol__rate *rec = record;
    (void)k;
    return live_of(rec->term, rec->n, slot);
}

static const char *label_coupler(const void *record, int k) {
    (void)k;
    return ((const hol__coupler *)record)->label;
}

static const char *label_rate(const void *record, int k) {
    (void)k;
    return ((const hol__rate *)record)->label;
}

const hol__con_type hol__con_coupler = {
    .name = "coupled coordinates",
    .size = sizeof(hol__coupler),
    .holonomic = 1,
    .live = live_coupler,
    .label = label_coupler,
    .fill = fill_coupler,
    .formula = hol__coupler_formula,
};
const hol__con_type hol__con_rate = {
    .name = "coupled velocities",
    .size = sizeof(hol__rate),
    .holonomic = 0,
    .live = live_rate,
    .label = label_rate,
    .fill = fill_rate,
    .formula = hol__rate_formula,
};

/* ---- adding ---- */

/* Names that live as long as the model. */
static void keep_names(hol__build *build, const char **names) {
    for (int i = 0; i < HOL__COUPLED && names[i]; i++) names[i] = hol__keep(build, names[i]);
}

int hol__add_coupler(hol__build *build, hol__element *element, const hol__coupler *coupler) {
    hol__coupler *rec = hol__add_con(build, element, &hol__con_coupler, 1);
    if (!rec) return 0;
    const hol__con con = rec->con;
    *rec = *coupler;
    rec->con = con;
    keep_names(build, rec->names);
    for (int i = 0; i < rec->n; i++)
        if (!hol__coordinate_place(build, &rec->con, &rec->x[i])) return 0;
    return 1;
}

int hol__add_rate(hol__build *build, hol__element *element, const hol__rate *rate) {
    hol__rate *rec = hol__add_con(build, element, &hol__con_rate, 1);
    if (!rec) return 0;
    const hol__con con = rec->con;
    *rec = *rate;
    rec->con = con;
    keep_names(build, rec->names);
    if (rec->f.e || rec->f.value != 0 || rec->state >= 0) build->model->rheonomic = 1;
    for (int i = 0; i < rec->n; i++)
        if (!hol__coordinate_place(build, &rec->con, &rec->term[i])) return 0;
    for (int i = 0; i < rec->n_x; i++)
        if (!hol__coordinate_place(build, &rec->con, &rec->x[i])) return 0;
    return 1;
}

int hol__add_pair(hol__build *build, hol__element *element, const hol__coordinate *x1,
                  double factor1, const hol__coordinate *x2, double factor2, double value,
                  const char *label) {
    const hol__coupler pair = {
        .n = 2, .x = {*x1, *x2}, .factor = {factor1, factor2}, .f = {value, NULL}, .label = label};
    return hol__add_coupler(build, element, &pair);
}
