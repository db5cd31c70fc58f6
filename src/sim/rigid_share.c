/* rigid_share.c: how contacts whose gaps follow from each other share a load.
 *
 * Rigid bodies do not say: four corners of a box on a floor carry its weight in many ways. Where
 * nothing rubs it does not matter; where something does, friction mu N of each corner follows, and
 * with it when the box slips and how it turns. Of all pushes with the same effect the least are
 * taken, |z_N|^2, those of equal stiff springs under all slots. With the independent rows of gaps
 * and the others r that follow from them, row_r = sum alpha_rj row_j, these have
 *
 *     v_r . z_N = 0,   v_r = e_r - sum_j alpha_rj e_j      (G_NN v_r = 0)
 *
 * and the problem with G + rho sum_r v_r v_r^T/|v_r|^2 in place of G has them as its solution, for
 * any rho > 0 where all push: the accelerations w are those without it. A slot that comes out
 * without a push although it does not part is idle, and is left out; the rest is solved again. The
 * same law gives friction its pushes in a run (dyn/slide.c).
 *
 * That what slides goes on sliding and the rest sticks is tried first, as a linear problem with its
 * least solution: where that is within the cones it is the answer, and no path has to be followed.
 */
#include "la/cod.h"
#include "la/tolerances.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What is needed on the way, by row and by slot. */
typedef struct sharing {
    double *G, *z, *w; /* as they were */
    hol__cone_state *state;
    unsigned char *takes_part;
    double *v; /* a null vector, by slot */
    int *row;  /* independent slots … */
    double *L; /* … and G over them, as Cholesky has it */
    int n;
} sharing;

static int make_room(hol__contacts *c, sharing *s) {
    const int m = c->p.m, n = c->n;
    hol__arena *arena = &c->arena;
    s->G = HOL__NEW_N(arena, double, m *m + 1);
    s->z = HOL__NEW_N(arena, double, m + 1);
    s->w = HOL__NEW_N(arena, double, m + 1);
    s->v = HOL__NEW_N(arena, double, n + 1);
    s->L = HOL__NEW_N(arena, double, (n + 1) * (n + 1));
    s->row = HOL__NEW_N(arena, int, n + 1);
    s->state = HOL__NEW_N(arena, hol__cone_state, n + 1);
    s->takes_part = HOL__NEW_N(arena, unsigned char, n + 1);
    return !arena->failed;
}

/* Move between c and what was kept. */
static void keep(const hol__contacts *c, sharing *s) {
    const size_t m = (size_t)c->p.m;
    memcpy(s->G, c->p.G, sizeof(double) * m * m);
    memcpy(s->z, c->z, sizeof(double) * m);
    memcpy(s->w, c->w, sizeof(double) * m);
    memcpy(s->state, c->state, sizeof *s->state * (size_t)c->n);
}

static void restore(hol__contacts *c, const sharing *s) {
    const size_t m = (size_t)c->p.m;
    memcpy(c->z, s->z, sizeof(double) * m);
    memcpy(c->w, s->w, sizeof(double) * m);
    memcpy(c->state, s->state, sizeof *s->state * (size_t)c->n);
    memset(c->idle, 0, (size_t)c->n);
}

/* G of the gaps of two slots. */
static double between(const hol__contacts *c, const sharing *s, int i, int k) {
    return s->G[(size_t)c->at[i].first * (size_t)c->p.m + (size_t)c->at[k].first];
}

/* v of slot i, beside the independent ones; 0: it is one of these, and added to them. */
static int null_vector(const hol__contacts *c, sharing *s, int i) {
    double *l = s->L + (size_t)s->n * (size_t)c->n, rest = between(c, s, i, i);
    for (int k = 0; k < s->n; k++) {
        const double *Lk = s->L + (size_t)k * (size_t)c->n;
        l[k] = between(c, s, i, s->row[k]);
        for (int j = 0; j < k; j++) l[k] -= l[j] * Lk[j];
        l[k] /= Lk[k];
        rest -= l[k] * l[k];
    }
    if (rest > HOL__DEPENDENT * between(c, s, i, i)) {
        l[s->n] = sqrt(rest);
        s->row[s->n++] = i;
        return 0;
    }
    memset(s->v, 0, sizeof *s->v * (size_t)c->n);
    s->v[i] = 1;
    for (int k = s->n - 1; k >= 0; k--) { /* L^T alpha = l */
        for (int j = k + 1; j < s->n; j++)
            l[k] -= s->L[(size_t)j * (size_t)c->n + (size_t)k] * -s->v[s->row[j]];
        s->v[s->row[k]] = -l[k] / s->L[(size_t)k * (size_t)c->n + (size_t)k];
    }
    return 1;
}

/* Whether the slots of v stay closed together: their accelerations without pushes agree. */
static int agrees(const hol__contacts *c, const double *v) {
    double sum = 0, noise = 0;
    for (int i = 0; i < c->n; i++) {
        sum += v[i] * c->free[c->at[i].first];
        noise += fabs(v[i]) * c->free_noise[c->at[i].first];
    }
    return fabs(sum) <= noise;
}

/* G <- G + rho v v^T/|v|^2 over the gaps. */
static void stiffen(hol__contacts *c, const sharing *s) {
    double rho = 0, size = 0;
    for (int i = 0; i < c->n; i++) {
        size += s->v[i] * s->v[i];
        rho += s->v[i] * s->v[i] * between(c, s, i, i);
    }
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->n; k++)
            c->p.G[(size_t)c->at[i].first * (size_t)c->p.m + (size_t)c->at[k].first] +=
                rho / size * (s->v[i] / size) * s->v[k];
}

/* G with all null vectors of those that take part; how many. */
static int stiffen_all(hol__contacts *c, sharing *s) {
    int count = 0;
    s->n = 0;
    for (int i = 0; i < c->n; i++) {
        if (!s->takes_part[i] || !null_vector(c, s, i) || !agrees(c, s->v)) continue;
        stiffen(c, s);
        count++;
    }
    return count;
}

/* ---- nothing changes ---- */

/* w = G z + b. */
static void find_w(hol__contacts *c) {
    for (int i = 0; i < c->p.m; i++) {
        c->w[i] = c->free[i];
        for (int k = 0; k < c->p.m; k++) c->w[i] += c->p.G[i * c->p.m + k] * c->z[k];
    }
}

/* Whether slot i pushes, within its cone where it does not slide, and stays closed, or where it
 * is. */
static int is_held(const hol__contacts *c, int i) {
    const hol__touching *at = &c->at[i];
    const double *z = c->z + at->first;
    const int across = c->cones[i].slides ? 0 : at->rigid->across;
    double T = 0, terms = 0, w = 0, noise = 0;
    for (int j = 0; j <= across; j++) {
        const int row = at->first + j;
        double sum = fabs(c->free[row]);
        for (int k = 0; k < c->p.m; k++) sum += fabs(c->p.G[row * c->p.m + k] * c->z[k]);
        terms = fmax(terms, sum);
        w = fmax(w, fabs(c->w[row]));
        noise = fmax(noise, c->free_noise[row]);
        if (j) T = hypot(T, z[j]);
    }
    return z[0] > 0 && T <= c->cones[i].mu * z[0] && w <= hol__cone_accepts(c->p.m) * terms + noise;
}

/* Column `row` of G, with the friction of a slot i that slides. */
static double along(const hol__contacts *c, int i, int row, int k) {
    const double *G = c->p.G + (size_t)k * (size_t)c->p.m;
    double sum = G[row];
    for (int j = 0; c->cones[i].slides && j < c->at[i].rigid->across; j++)
        sum -= c->cones[i].mu * c->cones[i].slide[j] * G[row + 1 + j];
    return sum;
}

/* The unknowns while nothing changes: of what slides its push, of the others all rows; the slot of
 * each, and how many. */
static int list_unknown(const hol__contacts *c, const unsigned char *flag, int *row, int *slot) {
    int m = 0;
    for (int i = 0; i < c->n; i++) {
        const int across = c->cones[i].slides ? 0 : c->at[i].rigid->across;
        for (int k = 0; flag[i] && k <= across; k++) {
            slot[m] = i;
            row[m++] = c->at[i].first + k;
        }
    }
    return m;
}

/* The least z with which everything goes on as it moves; whether that is a solution. */
static int goes_on(hol__contacts *c, sharing *s, const unsigned char *flag) {
    int *slot = HOL__NEW_N(&c->arena, int, c->p.m + 1), *row = c->part_row, right = 1;
    const int m = slot ? list_unknown(c, flag, row, slot) : 0;
    hol__cod *cod = m ? hol__cod_new(&c->arena, m, m) : NULL;
    double *b = cod ? HOL__NEW_N(&c->arena, double, 2 * m) : NULL;
    if (!b) return 0;
    memcpy(s->takes_part, flag, (size_t)c->n);
    stiffen_all(c, s);
    for (int k = 0; k < m; k++) {
        b[k] = -c->free[row[k]];
        for (int i = 0; i < m; i++) cod->qr->a[k * m + i] = along(c, slot[k], row[k], row[i]);
    }
    memcpy(c->p.G, s->G, sizeof(double) * (size_t)c->p.m * (size_t)c->p.m);
    if (hol__cod_factor(cod)) return 0;
    hol__cod_truncate(cod, hol__cod_rank(cod, HOL__PIVOT_ROUNDING));
    hol__cod_solve(cod, b, b + m);
    memset(c->z, 0, sizeof(double) * (size_t)c->p.m);
    for (int k = 0; k < m; k++) {
        const hol__cone_contact *cone = &c->cones[slot[k]];
        c->z[row[k]] = b[m + k];
        for (int j = 0; cone->slides && j < cone->across; j++)
            c->z[row[k] + 1 + j] = -cone->mu * cone->slide[j] * b[m + k];
    }
    find_w(c);
    for (int i = 0; i < c->n; i++) {
        right &= !flag[i] || is_held(c, i);
        c->state[i] = !flag[i]             ? HOL__CONE_OPEN
                      : c->cones[i].slides ? HOL__CONE_SLIDES
                                           : HOL__CONE_STICKS;
    }
    return right;
}

/* ---- some push, some are idle ---- */

/* The terms of w along the gap of slot i. */
static double terms_of(const hol__contacts *c, int i) {
    const int row = c->at[i].first;
    double terms = fabs(c->free[row]) + c->free_noise[row] / (256 * DBL_EPSILON);
    for (int k = 0; k < c->p.m; k++) terms += fabs(c->p.G[row * c->p.m + k] * c->z[k]);
    return terms;
}

/* What a null vector adds to these at most: |rho v_i (v . z)|/|v|^2, rho a mean of G_ii. */
static double terms_of_stiffness(const hol__contacts *c) {
    double push = 0, most = 0;
    for (int i = 0; i < c->n; i++) {
        push += fabs(c->z[c->at[i].first]);
        most = fmax(most, c->p.G[c->at[i].first * c->p.m + c->at[i].first]);
    }
    return most * push;
}

/* w = G z + b; whether it is 0 along the gaps of those that push, and no less along the others, but
 * for what a solution of the problem made stiffer by `count` null vectors leaves of its terms. */
static int is_solution(hol__contacts *c, const sharing *s, const unsigned char *flag, int count) {
    const double share = hol__cone_accepts(c->p.m), more = count * terms_of_stiffness(c);
    int right = 1;
    find_w(c);
    for (int i = 0; i < c->n; i++) {
        const double w = c->w[c->at[i].first], left = share * (terms_of(c, i) + more);
        right &= !flag[i] || (w >= -left && (!s->takes_part[i] || w <= left));
    }
    return right;
}

/* Slots that carry nothing leave; whether some did. */
static int leave(hol__contacts *c, sharing *s) {
    int some = 0;
    for (int i = 0; i < c->n; i++) {
        if (!s->takes_part[i] || c->state[i] != HOL__CONE_OPEN) continue;
        s->takes_part[i] = 0;
        c->idle[i] = 1;
        some = 1;
    }
    return some;
}

/* What idle slots do: as the others of their joint. */
static void name_idle(hol__contacts *c) {
    for (int i = 0; i < c->n; i++) {
        int slides = c->cones[i].slides;
        if (!c->idle[i]) continue;
        for (int k = 0; k < c->n; k++)
            slides |=
                c->at[k].joint == c->at[i].joint && !c->idle[k] && c->state[k] == HOL__CONE_SLIDES;
        c->state[i] = slides ? HOL__CONE_SLIDES : HOL__CONE_STICKS;
    }
}

hol_status hol__contacts_share(hol__contacts *c, const unsigned char *flag) {
    sharing s;
    int again = 1, rubs = 0, count = 0;
    memset(c->idle, 0, (size_t)c->n);
    for (int i = 0; i < c->n; i++) rubs |= flag[i] && c->at[i].rigid->across;
    if (!rubs) return hol__contacts_solve(c, flag, c->free);
    if (!make_room(c, &s)) return HOL_ERR_MEMORY;
    keep(c, &s);
    if (goes_on(c, &s, flag)) return HOL_OK;
    hol_status status = hol__contacts_solve(c, flag, c->free);
    if (status) return status;
    keep(c, &s);
    for (int i = 0; i < c->n; i++) s.takes_part[i] = flag[i] && c->state[i] != HOL__CONE_OPEN;
    for (int round = 0; again && !status && round <= c->n; round++) {
        count = stiffen_all(c, &s);
        if (!count && !round) return HOL_OK;
        status = hol__contacts_solve(c, s.takes_part, c->free);
        memcpy(c->p.G, s.G, sizeof(double) * (size_t)c->p.m * (size_t)c->p.m);
        again = leave(c, &s);
    }
    if (status < 0) return status;
    if (status || again || !is_solution(c, &s, flag, count))
        restore(c, &s);
    else
        name_idle(c);
    return HOL_OK;
}
