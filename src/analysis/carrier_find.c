/* carrier_find.c: the screw motions and the spins of a motion. See carrier.h. */
#include "analysis/carrier_solid.h"

#include "element/coupler.h"
#include "la/cod.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { WISHES = 3, ALONG = 6 };

/* Least squares for (u L^-1, Omega), with equations that are added one vector at a time. */
typedef struct fit {
    hol__cod *cod;
    double *b;
    int row, rows, columns;
    const int *column; /* which of the six unknowns; ALONG: of Omega what is along `axis` */
    double axis[3];
    const int *of; /* by body: its part, and … */
    int part;      /* … that which is looked at */
} fit;

/* Three equations: [U W] (u, Omega) = b, matrices row-major 3 x 3 (NULL: zero). */
static void equate(fit *f, const double *U, const double *W, const double *b, double weight) {
    for (int i = 0; i < 3; i++, f->row++) {
        for (int c = 0; c < f->columns; c++) {
            const int k = f->column[c];
            const double *const from = k < 3 ? U : W;
            const double x = !from        ? 0
                             : k == ALONG ? hol__dot3(from + 3 * i, f->axis)
                                          : from[3 * i + k % 3];
            f->cod->qr->a[c * f->rows + f->row] = weight * x;
        }
        f->b[f->row] = weight * b[i];
    }
}

/* - [x]: Omega -> Omega x x. */
static void turned(const double *x, double *W) {
    hol__skew3(x, W);
    for (int i = 0; i < 9; i++) W[i] = -W[i];
}

/* R^T as a matrix. */
static void turned_back(const double *R, double *RT) {
    for (int j = 0; j < 9; j++) RT[j] = R[3 * (j % 3) + j / 3];
}

/* All equations of the bodies of a part; L makes lengths of angles. */
static void equations(fit *f, const hol_data *data, int still, double L) {
    const double U[9] = {L, 0, 0, 0, L, 0, 0, 0, L};
    for (int i = 0; i < data->model->nb; i++) {
        if (f->of[i] != f->part) continue;
        const hol__solid s = hol__solid_of(data, i);
        double W[9], K[9], RT[9], skew[9];
        turned(s.r, W);
        equate(f, U, W, s.v, 1 / L);
        if (still) continue;
        turned(s.v, W);
        equate(f, NULL, W, s.a, 1 / L);
        turned_back(s.R, RT);
        hol__skew3(s.w, skew); /* omega' = omega x s = - omega x R^T Omega */
        hol__mat3_mul(skew, RT, K);
        for (int j = 0; j < 9; j++) K[j] = -K[j];
        equate(f, NULL, K, s.alpha, 1);
    }
}

/* Where a joint holds a body of the part to ground; 0: it does not. */
static int ground_point(const fit *f, const hol_data *data, int joint, double *P) {
    hol_element_info info = {.size = sizeof info};
    const int ground = data->model->nb;
    if (hol_model_joint_describe(data->model, joint, &info)) return 0;
    const int end = info.body[0] == ground ? 0 : 1;
    if (info.body[end] != ground || info.body[1 - end] == ground) return 0;
    if (f->of[info.body[1 - end]] != f->part) return 0;
    memcpy(P, info.point[end], sizeof info.point[end]);
    return 1;
}

/* What the choice among the solutions makes small: the spins; Omega; or what of Omega is not along
 * gravity, and the velocity of the points at which joints hold something to ground. */
static void wishes(fit *f, const hol_data *data, int which) {
    const double none[3] = {0, 0, 0}, L = hol__mechanism_size(data->model),
                 unit[9] = {L, 0, 0, 0, L, 0, 0, 0, L};
    double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, g[3];
    hol_model_gravity(data->model, g);
    const double square = hol__dot3(g, g);
    for (int j = 0; which == 2 && square > 0 && j < 9; j++) one[j] -= g[j / 3] * g[j % 3] / square;
    for (int i = 0; i < data->model->nb; i++) {
        const hol__solid s = hol__solid_of(data, i);
        const int in = f->of[i] == f->part;
        double RT[9];
        turned_back(s.R, RT);
        equate(f, NULL, !in ? NULL : which ? one : RT, which || !in ? none : s.w, 1);
    }
    for (int i = 0; i < data->model->n_joints; i++) {
        double P[3], W[9];
        const int held = which == 2 && ground_point(f, data, i, P);
        if (held) turned(P, W);
        equate(f, held ? unit : NULL, held ? W : NULL, none, 1 / L);
    }
}

/* Room for so many equations of the same unknowns. */
static int fit_new(fit *f, int rows, const fit *like, hol__arena *arena) {
    *f = *like;
    f->row = 0;
    f->rows = rows;
    f->cod = hol__cod_new(arena, rows, f->columns);
    f->b = HOL__NEW_N(arena, double, rows);
    return f->cod && f->b;
}

/* x += Z c with the c for which the wishes are met best; Z: the null space of the equations. */
static hol_status choose(fit *f, const hol_data *data, int which, hol__arena *arena, double *x) {
    const int free = f->columns - f->cod->rank,
              rows = 3 * (data->model->nb + data->model->n_joints);
    double Z[36], c[6];
    fit wish;
    hol__cod *cod = hol__cod_new(arena, rows, free);
    if (!cod || !fit_new(&wish, rows, f, arena)) return HOL_ERR_MEMORY;
    for (int k = 0; k < free; k++) hol__cod_null_vector(f->cod, k, Z + f->columns * k);
    wishes(&wish, data, which);
    hol__dense_product(0, 0, rows, free, f->columns, wish.cod->qr->a, Z, cod->qr->a);
    hol__dense_mul(rows, f->columns, -1, wish.cod->qr->a, x, 1, wish.b);
    if (hol__cod_factor(cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(cod, hol__cod_rank(cod, 1e-9));
    hol__cod_solve(cod, wish.b, c);
    hol__dense_mul(f->columns, free, 1, Z, c, 1, x);
    return HOL_OK;
}

/* The screw motion of one part, of the unknowns that are wanted. */
static hol_status fit_screw(hol_data *data, int which, int still, const fit *wanted,
                            hol__arena *arena, double *screw) {
    const hol_model *m = data->model;
    const double L = hol__mechanism_size(m);
    double x[6] = {0};
    int count = 0;
    fit f;
    for (int i = 0; i < m->nb; i++) count += wanted->of[i] == wanted->part;
    if (!fit_new(&f, (still ? 3 : 9) * count, wanted, arena)) return HOL_ERR_MEMORY;
    equations(&f, data, still, L);
    if (hol__cod_factor(f.cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(f.cod, hol__cod_rank(f.cod, 1e-9));
    hol__cod_solve(f.cod, f.b, x);
    const hol_status status = f.cod->rank < f.columns ? choose(&f, data, which, arena, x) : HOL_OK;
    memset(screw, 0, 6 * sizeof *screw);
    for (int c = 0; c < f.columns && !status; c++) {
        const int k = f.column[c];
        if (k == ALONG)
            for (int i = 0; i < 3; i++) screw[3 + i] = x[c] * f.axis[i];
        else
            screw[k] = x[c] * (k < 3 ? L : 1);
    }
    return status;
}

/* The screw motion of one part. What turns across gravity in a state that is yet to become steady
 * will not go on; and no slower turn along gravity says that it is one. */
static hol_status solve(hol_data *data, int which, int still, int part, hol__arena *arena,
                        hol__carrier *out) {
    static const int all[] = {0, 1, 2, 3, 4, 5}, plane[] = {0, 1, 5}, upright[] = {0, 1, 2, ALONG};
    const hol_model *m = data->model;
    const int flat = m->dim == 2;
    double *screw = out->screw + 6 * part, across[3];
    fit f = {.columns = flat ? 3 : 6, .column = flat ? plane : all, .of = out->part, .part = part};
    hol_model_gravity(m, f.axis);
    const double g = hol__norm3(f.axis);
    const hol_status status = fit_screw(data, which, still, &f, arena, screw);
    if (status || flat || !still || which != 2 || g == 0) return status;
    for (int i = 0; i < 3; i++) f.axis[i] /= g;
    const double along = hol__dot3(screw + 3, f.axis);
    for (int i = 0; i < 3; i++) across[i] = screw[3 + i] - along * f.axis[i];
    f.column = upright;
    f.columns = fabs(along) > hol__norm3(across) ? 4 : 3;
    return fit_screw(data, which, still, &f, arena, screw);
}

/* Numbers that are rounding of the velocities are none. */
static void clean(hol_data *data, hol__carrier *out) {
    const hol_model *m = data->model;
    const double L = hol__mechanism_size(m);
    double speed, acceleration;
    hol__motion_scales(data, &speed, &acceleration);
    /* below 1e-9 rad/s nothing turns within a lifetime */
    const double fastest = fmax(fmax(speed / L, sqrt(acceleration / L)), 1e-9);
    for (int k = 0; k < 6 * out->parts; k++) {
        if (fabs(out->screw[k]) <= 1e-12 * (k % 6 < 3 ? L : 1) * fastest) out->screw[k] = 0;
        if (out->screw[k] != 0) out->moving = 1;
    }
    for (int i = 0; i < m->nb; i++) {
        const hol__solid s = hol__solid_of(data, i);
        double turn[3];
        hol__mul3_t(s.R, hol__carrier_screw(out, i) + 3, turn);
        for (int k = 0; k < 3; k++) {
            out->spin[3 * i + k] = s.w[k] - turn[k];
            if (fabs(out->spin[3 * i + k]) <= 1e-12 * fastest) out->spin[3 * i + k] = 0;
            if (out->spin[3 * i + k] != 0) out->moving = 1;
        }
    }
}

/* Of a spin what is about an axis around which the body is the same: the only one that can last. */
static void lasting(hol__eigh *eigh, const double *J, const double *spin, double *out) {
    static const double even = 1e-9; /* moments that differ by less, of the largest, are equal */
    const double *l = eigh->values;
    memcpy(out, spin, 3 * sizeof *out);
    memcpy(eigh->a, J, 9 * sizeof *J);
    if (hol__norm3(spin) == 0 || hol__eigh_factor(eigh, 3)) return;
    const int low = l[1] - l[0] <= even * l[2], high = l[2] - l[1] <= even * l[2];
    if (low && high) return;
    const double *axis = eigh->a + (low ? 6 : 0);
    const double along = low || high ? hol__dot3(spin, axis) : 0;
    for (int k = 0; k < 3; k++) out[k] = along * axis[k];
}

/* Spins that cannot last go, and with them those that are no faster: a fork that steers a little
 * while the frame tips. */
static hol_status stop_tumbling(const hol_model *m, hol__arena *arena, hol__carrier *out) {
    hol__eigh *eigh = hol__eigh_new(arena, 3);
    double fastest = 0, rest[3];
    if (!eigh) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->nb; i++) {
        double *spin = out->spin + 3 * i;
        lasting(eigh, m->bodies[i].J, spin, rest);
        for (int k = 0; k < 3; k++) spin[k] -= rest[k];
        fastest = fmax(fastest, hol__norm3(spin));
        memcpy(spin, rest, sizeof rest);
    }
    for (int i = 0; i < m->nb; i++)
        if (hol__norm3(out->spin + 3 * i) <= fastest)
            memset(out->spin + 3 * i, 0, 3 * sizeof *out->spin);
    return HOL_OK;
}

/* ---- parts ---- */

/* The bodies of an element belong together. */
static void join(const hol_model *m, const hol__element *e, int *part) {
    const int a = e->body[0], b = e->body[1];
    if (a < 0 || b < 0 || a >= m->nb || b >= m->nb || e->off) return;
    const int from = part[b], to = part[a];
    for (int k = 0; k < m->nb && from != to; k++)
        if (part[k] == from) part[k] = to;
}

/* Whether a joint only says how coordinates of other joints go together (gears, belts, couplers),
 * whatever the places of its bodies. */
static int only_couples(const hol_model *m, const hol__element *joint) {
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con_type *type = m->con_batches[joint->part[i].batch].type;
        if (type != &hol__con_coupler && type != &hol__con_rate) return 0;
    }
    return joint->n_parts > 0;
}

/* Which bodies go together, numbered from 0; returns how many parts there are. loose: joints that
 * push and do not pull, those that only couple, and forces do not hold bodies together. */
static int find_parts(const hol_model *m, int loose, int *part) {
    int n = 0;
    for (int i = 0; i < m->nb; i++) part[i] = -1 - i;
    for (int i = 0; i < m->n_joints; i++)
        if (!loose || !(m->joints[i].rigid || only_couples(m, &m->joints[i])))
            join(m, &m->joints[i], part);
    for (int i = 0; !loose && i < m->n_forces; i++) join(m, &m->forces[i], part);
    for (int i = 0; i < m->nb; i++) {
        if (part[i] >= 0) continue;
        const int from = part[i];
        for (int k = i; k < m->nb; k++)
            if (part[k] == from) part[k] = n;
        n++;
    }
    return n;
}

hol_status hol__carrier_find(hol_data *data, int which, int still, hol__arena *arena,
                             hol__carrier *out) {
    const hol_model *m = data->model;
    *out = hol__carrier_new(m, arena);
    if (arena->failed) return HOL_ERR_MEMORY;
    if (!m->nb) return HOL_OK;
    const int whole = find_parts(m, 0, out->part);
    out->parts = which < WISHES ? whole : find_parts(m, 1, out->part);
    out->repeats = which >= WISHES && out->parts == whole;
    hol__data_accelerations(data);
    hol_status status = HOL_OK;
    for (int k = 0; k < out->parts && !status; k++)
        status = solve(data, which % WISHES, still, k, arena, out);
    if (!status) clean(data, out);
    if (!status && still && which % WISHES == 2 && m->dim == 3)
        status = stop_tumbling(m, arena, out);
    return status;
}
