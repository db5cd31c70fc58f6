/* tangent_fixture.h: shared by the tests of tangents: derivatives of the whole pipeline by
 * differences of order six, at two steps.
 *
 * The error of a difference is h^6 |f^(7)|/140 + 2 eps |f|/h. The difference of those at the steps
 * h and h/2 is 63 times the first part of the finer one, so that it bounds it where f is smooth;
 * where it is large the function has a kink nearby, and the state says nothing.
 */
#ifndef HOLONOM_TEST_TANGENT_FIXTURE_H
#define HOLONOM_TEST_TANGENT_FIXTURE_H

#include "model_fixture.h"

#include "dyn/tangent.h"

#include <dirent.h>

/* What is differentiated, at fixed a and lambda. */
typedef struct residual {
    const hol_model *model;
    hol_data *data;
    int parts;
    double t, *q, *v, *z, *a, *lambda; /* the state around which it is */
    double *q_at, *v_at, *z_at;
    int n; /* of the values: nv + m + m + n_aux */
} residual;

/* Values: Q - M a - A^T lambda (the chosen parts), c - A a, psi, z'. */
static inline void residual_values(residual *r, double t, double *out) {
    const hol_model *m = r->model;
    hol_data *d = r->data;
    const int forces = (r->parts & HOL__PART_FORCES) != 0;
    hol_data_set(d, t, r->q_at, r->v_at);
    if (m->n_aux) memcpy(d->aux, r->z_at, sizeof(double) * (size_t)m->n_aux);
    assert_int_equal(hol_data_update(d, HOL_STAGE_DYN), HOL_OK);
    hol__data_psi(d);
    for (int i = 0; i < m->nv; i++) out[i] = forces ? d->Q[i] : 0;
    if (r->parts & HOL__PART_INERTIA) hol__csr_mul_add(hol__data_mass(d), -1, r->a, out);
    if (r->parts & HOL__PART_REACTIONS) hol__csr_mul_t_add(&d->A, -1, r->lambda, out);
    double *c = out + m->nv;
    for (int i = 0; i < m->m; i++) c[i] = forces ? d->c[i] : 0;
    if (r->parts & HOL__PART_INERTIA) hol__csr_mul_add(&d->A, -1, r->a, c);
    memcpy(c + m->m, d->psi, sizeof(double) * (size_t)m->m);
    if (m->n_aux) memcpy(c + 2 * m->m, d->aux_rate, sizeof(double) * (size_t)m->n_aux);
}

/* By q (0), v (1), t (2) or z (3). */
enum { BY_Q, BY_V, BY_T, BY_Z };

static inline void residual_at(residual *r, int by, int k, double h, double *out) {
    const hol_model *m = r->model;
    double *d = calloc((size_t)m->nv + 1, sizeof *d);
    memcpy(r->v_at, r->v, sizeof(double) * (size_t)m->nv);
    if (m->n_aux) memcpy(r->z_at, r->z, sizeof(double) * (size_t)m->n_aux);
    if (by == BY_Q) d[k] = h;
    if (by == BY_V) r->v_at[k] += h;
    if (by == BY_Z) r->z_at[k] += h;
    m->coords->plus(m, r->q, d, r->q_at);
    residual_values(r, r->t + (by == BY_T ? h : 0), out);
    free(d);
}

/* The difference of order six with step h. */
static inline void residual_slope(residual *r, int by, int k, double h, double *out) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    double *f = calloc((size_t)r->n, sizeof *f);
    memset(out, 0, sizeof(double) * (size_t)r->n);
    for (int i = 1; i <= 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            residual_at(r, by, k, sign * i * h, f);
            for (int j = 0; j < r->n; j++) out[j] += sign * weight[i - 1] / h * f[j];
        }
    free(f);
}

/* ---- a state to look at ---- */

static inline double *numbers(int n) {
    return calloc((size_t)n + 1, sizeof(double));
}

static inline residual residual_open(hol_context *ctx, const hol_model *m) {
    residual r = {.model = m,
                  .data = hol_data_new(ctx, m),
                  .q = numbers(m->nq),
                  .v = numbers(m->nv),
                  .z = numbers(m->n_aux),
                  .a = numbers(m->nv),
                  .lambda = numbers(m->m),
                  .q_at = numbers(m->nq),
                  .v_at = numbers(m->nv),
                  .z_at = numbers(m->n_aux),
                  .n = m->nv + 2 * m->m + m->n_aux};
    assert_non_null(r.data);
    return r;
}

static inline void residual_close(residual *r) {
    double *const all[] = {r->q, r->v, r->z, r->a, r->lambda, r->q_at, r->v_at, r->z_at};
    for (int i = 0; i < 8; i++) free(all[i]);
    hol_data_free(r->data);
}

/* A state near the drawn one: moved by `far` of the mechanism's length, with velocities and
 * accelerations of all kinds. */
static inline void residual_random(residual *r, double far, uint64_t *seed) {
    const hol_model *m = r->model;
    double *d = numbers(m->nv);
    r->t = 0.371 + 0.2 * random_one(seed);
    for (int i = 0; i < m->nv; i++) {
        const double size = hol__is_turn(m, i) ? 1 : m->length;
        d[i] = far * size * random_one(seed);
        r->v[i] = m->v0[i] + 0.7 * size * random_one(seed);
        r->a[i] = 2.3 * size * random_one(seed);
    }
    for (int i = 0; i < m->n_aux; i++) r->z[i] = m->aux0[i] + 1e-3 * random_one(seed);
    for (int i = 0; i < m->m; i++) r->lambda[i] = 3.1 * random_one(seed);
    m->coords->plus(m, m->q0, d, r->q);
    hol_data_set(r->data, r->t, m->q0, r->v);
    hol__data_keep_angles(r->data);
    hol_data_set(r->data, r->t, r->q, r->v);
    hol__data_keep_angles(r->data);
    free(d);
}

/* The state into the data, with a and lambda. */
static inline void residual_put(residual *r) {
    const hol_model *m = r->model;
    hol_data_set(r->data, r->t, r->q, r->v);
    if (m->n_aux) memcpy(r->data->aux, r->z, sizeof(double) * (size_t)m->n_aux);
    memcpy(r->data->a, r->a, sizeof(double) * (size_t)m->nv);
    if (m->m) memcpy(r->data->lambda, r->lambda, sizeof(double) * (size_t)m->m);
}

/* ---- the checks ---- */

/* What the checks found. */
static int failures, checked, skipped;
static double worst;

/* One column against differences; rows: values and their scale. */
static inline int check_tangent_column(residual *r, int by, int k, const double *found,
                                       const double *size, const char *what) {
    const hol_model *m = r->model;
    const double scale = by == BY_Q && !hol__is_turn(m, k) ? m->length : 1;
    const double h = by == BY_Z ? 1e-5 : 2e-3 * scale;
    double *coarse = numbers(r->n), *fine = numbers(r->n);
    int kinks = 0;
    residual_slope(r, by, k, h, coarse);
    residual_slope(r, by, k, 0.5 * h, fine);
    for (int i = 0; i < r->n; i++) {
        const double error = fabs(coarse[i] - fine[i]), off = fabs(found[i] - fine[i]);
        const double allowed = 1e-8 * (size[i] / scale + fabs(fine[i])) + 3 * error;
        checked++;
        if (error > 1e-6 * (size[i] / scale + fabs(fine[i]))) {
            kinks++;
            skipped++;
            continue;
        }
        worst = fmax(worst, off / (size[i] / scale + fabs(fine[i]) + 1e-300));
        if (!(off <= allowed)) {
            if (failures++ < 40)
                print_error("%s: value %d of %d by %c[%d]: %.15g, by differences %.15g +- %.1e\n",
                            what, i, r->n, "qvtz"[by], k, found[i], fine[i], error);
        }
    }
    free(coarse);
    free(fine);
    return kinks;
}

/* Column j of a sparse matrix. */
static inline void column_of(const hol__csr *A, int j, double *out) {
    for (int i = 0; i < A->rows; i++) {
        const int at = hol__csr_find(A, i, j);
        out[i] = at < 0 ? 0 : A->x[at];
    }
}

/* All columns at the state of the residual; returns how many values had a kink. */
static inline int check_tangent(residual *r, hol__tangent *t, const char *what) {
    const hol_model *m = r->model;
    double *found = numbers(r->n), *size = numbers(r->n);
    int kinks = 0;
    residual_put(r);
    assert_int_equal(hol__tangent_update(t, r->data, r->parts), HOL_OK);
    double *A = numbers(m->m * m->nv);
    hol__csr_to_dense(&r->data->A, A);
    residual_at(r, BY_T, 0, 0, size);
    double most[3] = {0};
    for (int i = 0; i < r->n; i++) {
        const int group = i < m->nv ? 0 : i < m->nv + 2 * m->m ? 1 : 2;
        most[group] = fmax(most[group], fabs(size[i]));
    }
    for (int i = 0; i < r->n; i++) size[i] = most[i < m->nv ? 0 : i < m->nv + 2 * m->m ? 1 : 2];
    double *c = found + m->nv, *psi = c + m->m, *z = psi + m->m;
    for (int j = 0; j < m->nv; j++) {
        column_of(&t->K, j, found);
        column_of(&t->Cq, j, c);
        column_of(&t->Pq, j, psi);
        for (int k = 0; k < m->n_aux; k++) z[k] = t->Rq[k * m->nv + j];
        kinks += check_tangent_column(r, BY_Q, j, found, size, what);
        if (!(r->parts & HOL__PART_FORCES)) continue;
        column_of(&t->B, j, found);
        column_of(&t->Cv, j, c);
        for (int i = 0; i < m->m; i++) psi[i] = A[i * m->nv + j];
        for (int k = 0; k < m->n_aux; k++) z[k] = t->Rv[k * m->nv + j];
        kinks += check_tangent_column(r, BY_V, j, found, size, what);
    }
    memcpy(found, t->F_t, sizeof(double) * (size_t)m->nv);
    memcpy(c, t->C_t, sizeof(double) * (size_t)m->m);
    memcpy(psi, t->P_t, sizeof(double) * (size_t)m->m);
    if (m->n_aux) memcpy(z, t->R_t, sizeof(double) * (size_t)m->n_aux);
    kinks += check_tangent_column(r, BY_T, 0, found, size, what);
    for (int j = 0; (r->parts & HOL__PART_FORCES) && j < m->n_aux; j++) {
        for (int i = 0; i < m->nv; i++) found[i] = t->Qz[i * m->n_aux + j];
        for (int i = 0; i < m->m; i++)
            c[i] = t->Cz[i * m->n_aux + j], psi[i] = t->Pz[i * m->n_aux + j];
        for (int i = 0; i < m->n_aux; i++) z[i] = t->Rz[i * m->n_aux + j];
        kinks += check_tangent_column(r, BY_Z, j, found, size, what);
    }
    free(A);
    free(found);
    free(size);
    return kinks;
}

/* ---- models ---- */

/* A model of models/ in a set of coordinates; NULL where that is refused. */
static inline hol_model *tangent_model(hol_context *ctx, const char *file, const char *set) {
    char path[1024];
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    if (!hol_spec_read_file(spec, path)) model = hol_model_compile(ctx, spec, set);
    hol_spec_free(spec);
    return model;
}

enum { MOST_FILES = 200 };

typedef struct file_list {
    char name[MOST_FILES][128];
    int count;
} file_list;

static inline int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The model files of a folder under models/, by name without ".yaml". */
static inline void list_files(const char *folder, file_list *out) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        const char *end = strstr(e->d_name, ".yaml");
        if (!end || end[5]) continue;
        assert_true(out->count < MOST_FILES);
        snprintf(out->name[out->count++], sizeof out->name[0], "%s%.*s", folder,
                 (int)(end - e->d_name), e->d_name);
    }
    closedir(dir);
    qsort(out->name, (size_t)out->count, sizeof out->name[0], by_name);
}

/* Every model of models/, models/elements and models/gjb in every set of coordinates, or those
 * whose names hold the text of the environment variable TANGENT_ONLY, with a seed of its own;
 * returns whether all were asked for. */
static inline int each_model(void (*check)(const char *file, const char *set, uint64_t *seed),
                             uint64_t salt) {
    static const char *const folders[] = {"", "elements/", "gjb/"};
    static const char *const sets[] = {"reference", "relative", "natural"};
    const char *only = getenv("TANGENT_ONLY");
    file_list files = {.count = 0};
    for (int i = 0; i < 3; i++) list_files(folders[i], &files);
    for (int i = 0; i < files.count; i++)
        for (int k = 0; k < 3; k++) {
            uint64_t seed = seed_of(sets[k], seed_of(files.name[i], salt));
            if (!only || strstr(files.name[i], only)) check(files.name[i], sets[k], &seed);
        }
    return !only;
}

#endif
