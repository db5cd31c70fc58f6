/* natural_variation.c: how the bodies follow natural coordinates, to second order (natural.h,
 * variation.h).
 *
 * A body follows its base and its legs alone, so that every derivative is taken body by body, along
 * one coordinate of one item at a time, in dual numbers: exact. In the plane, with the leg d and
 * arm = R s:
 *
 *     theta' = w = (J d . d')/d^2     w' = (J d . d'')/d^2 - 2 (d . d') w/d^2     r = base + arm,  
 * arm' = w J arm
 *     a wrench (f, n) pulls the leg with (n + arm x f) J d/d^2
 *
 * In space natural_dual.c. Own rows Phi = sigma (d_a . d_b - kappa) have the constant second
 * derivative sigma (D_a^T D_b + D_b^T D_a) with d_a = D_a q.
 */
#include "coords/natural_variation.h"
#include "coords/variation.h"

#include <string.h>

enum { PLACES = 3, MOST = 9 }; /* base and two legs, three components each */

/* How many items carry the pose of a body: a base, and one leg in the plane or two in space. */
static int places(const hol_model *model, const hol__carried *b) {
    return b->n < model->dim ? b->n : model->dim;
}

int hol__items_movers(const hol_model *model, int body, int *list) {
    const hol__carried *b = &model->items->carried[body];
    int n = 0;
    for (int k = 0; k < places(model, b); k++)
        for (int i = 0; b->item[k] < model->items->n_free && i < model->dim; i++, n++)
            if (list) list[n] = model->dim * b->item[k] + i;
    return n;
}

/* work: second derivatives of J^T w over the coordinates of each body, and q. */
int hol__items_variation_size(const hol_model *model) {
    return MOST * MOST * model->nb + model->nq;
}

/* ---- one body along one direction ---- */

/* d = tip - base of leg k, or its rate. */
static void leg_of(const hol_model *model, const hol__carried *b, int k, const double *x,
                   const double *(*at)(const hol_model *, const double *, int), double *d) {
    const double *tip = at(model, x, b->item[k]), *base = at(model, x, b->item[0]);
    for (int i = 0; i < model->dim; i++) d[i] = tip[i] - (b->by_point[k] ? base[i] : 0);
}

/* The body at q with the rates v and second rates a (NULL: none), no variation. */
static hol__carried_dual still_body(const hol_model *model, const hol__carried *b, const double *q,
                                    const double *v, const double *a) {
    hol__carried_dual x;
    memset(&x, 0, sizeof x);
    x.carried = b;
    for (int k = 0; k < places(model, b); k++) {
        if (k) leg_of(model, b, k, q, hol__item_place, x.d[k - 1].f);
        for (int i = 0; !k && i < model->dim; i++) {
            if (v) x.v[0].f[i] = hol__item_rate(model, v, b->item[0])[i];
            if (a) x.a[0].f[i] = hol__item_rate(model, a, b->item[0])[i];
        }
        if (k && v) leg_of(model, b, k, v, hol__item_rate, x.v[k].f);
        if (k && a) leg_of(model, b, k, a, hol__item_rate, x.a[k].f);
    }
    return x;
}

static hol__dual times(hol__dual a, hol__dual b) {
    return (hol__dual){a.f * b.f, a.d * b.f + a.f * b.d};
}

/* a x + b y of pairs, in duals */
static hol__dual dot2(const hol__dual *a, hol__dual3 b) {
    const hol__dual x = times(a[0], (hol__dual){b.f[0], b.d[0]}),
                    y = times(a[1], (hol__dual){b.f[1], b.d[1]});
    return (hol__dual){x.f + y.f, x.d + y.d};
}

/* k J a - l a */
static hol__dual3 swing(hol__dual k, hol__dual l, hol__dual3 a) {
    const hol__dual3 Ja = {{-a.f[1], a.f[0], 0}, {-a.d[1], a.d[0], 0}};
    return hol__dual3_add(hol__dual3_scale(k, Ja), -1, hol__dual3_scale(l, a));
}

/* The body in the plane. */
static void carried_dual2(hol__carried_dual *x) {
    const hol__dual d[2] = {{x->d[0].f[0], x->d[0].d[0]}, {x->d[0].f[1], x->d[0].d[1]}};
    const hol__dual d2 = dot2(d, x->d[0]), inverse = {1 / d2.f, -d2.d / (d2.f * d2.f)};
    const hol__dual turn[2] = {times((hol__dual){-d[1].f, -d[1].d}, inverse), times(d[0], inverse)};
    const double theta = turn[0].f * d[0].d + turn[1].f * d[1].d;
    const hol__dual3 arm = {{x->arm[0], x->arm[1], 0}, {-theta * x->arm[1], theta * x->arm[0], 0}};
    const hol__dual w = dot2(turn, x->v[1]), ratio = times(dot2(d, x->v[1]), inverse);
    hol__dual alpha = dot2(turn, x->a[1]);
    const hol__dual bias = times(ratio, w);
    alpha = (hol__dual){alpha.f - 2 * bias.f, alpha.d - 2 * bias.d};
    x->turn[2] = theta;
    x->reach = arm;
    x->V = hol__dual3_add(swing(w, (hol__dual){0, 0}, arm), 1, x->v[0]);
    x->A = hol__dual3_add(swing(alpha, times(w, w), arm), 1, x->a[0]);
    x->W.f[2] = w.f, x->W.d[2] = w.d;
    x->B.f[2] = alpha.f, x->B.d[2] = alpha.d;
    const hol__dual tau = {x->n[2] + arm.f[0] * x->f[1] - arm.f[1] * x->f[0],
                           arm.d[0] * x->f[1] - arm.d[1] * x->f[0]};
    for (int i = 0; i < 2; i++) {
        const hol__dual p = times(tau, turn[i]);
        x->pull[0].f[i] = p.f, x->pull[0].d[i] = p.d;
    }
}

/* Everything of the body; a point mass has no legs. */
static void evaluate(const hol_model *model, hol__carried_dual *x) {
    if (x->carried->n == 1)
        x->V = x->v[0], x->A = x->a[0];
    else if (model->dim == 2)
        carried_dual2(x);
    else
        hol__carried_dual3(x);
}

/* The variation of the legs when component i of place k moves by 1: into d, or into the rates v. */
static void point_at(hol__carried_dual *x, int n, int k, int i, int rates) {
    for (int leg = 1; leg < n; leg++) {
        const double by = k == leg ? 1 : k == 0 && x->carried->by_point[leg] ? -1 : 0;
        *(rates ? &x->v[leg].d[i] : &x->d[leg - 1].d[i]) = by;
    }
    if (rates && k == 0) x->v[0].d[i] = 1;
}

/* R s in the plane, which only the pose knows with its sign. */
static void set_arm(const hol__bodies *bodies, int body, hol__carried_dual *x) {
    if (!bodies->b2) return;
    const hol__body2 *b = &bodies->b2[body];
    const double *s = x->carried->s;
    x->arm[0] = b->c * s[0] - b->s * s[1];
    x->arm[1] = b->s * s[0] + b->c * s[1];
}

/* Linear and angular numbers of a pair; the latter are in the body frame already. */
static void put(const hol_model *model, const double *lin, const double *turn, double *out) {
    memcpy(out, lin, sizeof(double) * (size_t)model->dim);
    if (model->dim == 2)
        out[2] = turn[2];
    else
        memcpy(out + 3, turn, 3 * sizeof *out);
}

/* The pairs of a body. */
static void vary_body(const hol_model *model, const hol__bodies *bodies, int body, const double *q,
                      const double *v, const double *a, const hol__variation *out) {
    const hol__carried *b = &model->items->carried[body];
    const int n = places(model, b);
    int local = out->of_ptr[body];
    for (int k = 0; k < n; k++)
        for (int i = 0; b->item[k] < model->items->n_free && i < model->dim; i++, local++) {
            const int at = model->bw * out->of[local];
            hol__carried_dual x = still_body(model, b, q, v, a);
            set_arm(bodies, body, &x);
            point_at(&x, n, k, i, 0);
            evaluate(model, &x);
            if (k == 0) x.reach.d[i] += 1;
            put(model, x.reach.d, x.turn, out->pose + at);
            put(model, x.V.d, x.W.d, out->twist + at);
            put(model, x.A.d, x.B.d, out->acc + at);
            x = still_body(model, b, q, v, NULL);
            set_arm(bodies, body, &x);
            point_at(&x, n, k, i, 1);
            evaluate(model, &x);
            put(model, x.A.d, x.B.d, out->bias + at);
        }
}

void hol__items_vary(const hol_model *model, const hol__bodies *bodies, const double *work,
                     const double *q, const double *v, const double *a, hol__variation *out) {
    (void)work;
    memcpy(out->work + MOST * MOST * model->nb, q, sizeof(double) * (size_t)model->nq);
    for (int i = 0; i < model->nb; i++) vary_body(model, bodies, i, q, v, a, out);
}

/* ---- wrenches ---- */

/* The derivative of J^T w along the direction of x over base and legs. */
static void bent_pull(const hol_model *model, const hol__carried_dual *x, double out[PLACES][3]) {
    memset(out, 0, sizeof(double) * PLACES * 3);
    for (int leg = 1; leg < places(model, x->carried); leg++)
        for (int i = 0; i < model->dim; i++) {
            out[leg][i] = x->pull[leg - 1].d[i];
            if (x->carried->by_point[leg]) out[0][i] -= out[leg][i];
        }
}

void hol__items_hold(const hol_model *model, const hol__bodies *bodies, const double *w,
                     hol__variation *variation) {
    const hol__items *nat = model->items;
    const double *q = variation->work + MOST * MOST * model->nb;
    for (int body = 0; body < model->nb; body++, w += model->bw) {
        const hol__carried *b = &nat->carried[body];
        double *bend = variation->work + MOST * MOST * body;
        const int n = places(model, b);
        int column = 0;
        memset(bend, 0, sizeof(double) * MOST * MOST);
        for (int k = 0; b->n > 1 && k < n; k++)
            for (int i = 0; b->item[k] < nat->n_free && i < model->dim; i++, column++) {
                hol__carried_dual x = still_body(model, b, q, NULL, NULL);
                double out[PLACES][3];
                set_arm(bodies, body, &x);
                memcpy(x.f, w, sizeof(double) * (size_t)model->dim);
                memcpy(model->dim == 2 ? x.n + 2 : x.n, w + model->dim,
                       sizeof(double) * (size_t)(model->bw - model->dim));
                point_at(&x, n, k, i, 0);
                evaluate(model, &x);
                bent_pull(model, &x, out);
                int row = 0;
                for (int p = 0; p < n; p++)
                    for (int d = 0; b->item[p] < nat->n_free && d < model->dim; d++, row++)
                        bend[MOST * row + column] = out[p][d];
            }
    }
}

void hol__items_bend(const hol_model *model, const hol__variation *x, int j, double *column) {
    (void)model;
    for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++) {
        const int body = x->body[k], first = x->of_ptr[body], n = x->of_ptr[body + 1] - first;
        const double *bend = x->work + MOST * MOST * body;
        int own = 0;
        while (x->of_v[first + own] != j) own++;
        for (int i = 0; i < n; i++) column[x->of_v[first + i]] += bend[MOST * i + own];
    }
}

/* ---- own rows ---- */

void hol__items_own_bend(const hol_model *model, const double *lambda, hol__csr *K) {
    const hol__items *nat = model->items;
    for (int k = 0; k < nat->n_rigid; k++) {
        const hol__rigid *r = &nat->rigid[k];
        const hol__carried *b = &nat->carried[r->body];
        const double strength = r->sigma * lambda[nat->first_rigid + k];
        const int item[3] = {b->item[0], b->item[r->a], b->item[r->b]};
        const double Da[3] = {b->by_point[r->a] ? -1 : 0, 1, 0};
        const double Db[3] = {b->by_point[r->b] ? -1 : 0, r->a == r->b, r->a != r->b};
        for (int p = 0; p < 3; p++)
            for (int s = 0; s < 3; s++) {
                const double h = strength * (Da[p] * Db[s] + Db[p] * Da[s]);
                if (h == 0 || item[p] >= nat->n_free || item[s] >= nat->n_free) continue;
                for (int i = 0; i < model->dim; i++)
                    K->x[hol__csr_find(K, model->dim * item[p] + i, model->dim * item[s] + i)] -= h;
            }
    }
}
