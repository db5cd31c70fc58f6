/* test_constrained.c: the contract of the constrained equations that integrators see
 * (integ/dae.h): in the plane and in space, in all coordinates, with drivers, redundant
 * constraints, velocity constraints, states of elements and singular masses, in all forms.
 *
 * The matrix is compared with differences of the residual: for any increment c of (y, x), also a
 * complex one, J c by a central difference of F along it must be brought back to c by the solver.
 */
#include "model_fixture.h"

#include "form/constrained.h"
#include "sim/sim.h"

static const struct {
    const char *file, *coordinates;
    int redundant; /* rows that are left out */
    int massless;  /* M is singular */
} rows[] = {
    {"four_bar", "reference", 0, 0},
    {"four_bar", "natural", 0, 0},
    {"four_bar", "relative", 0, 0},
    {"heavy_top", "reference", 0, 0},
    {"slider_crank_spatial", "reference", 0, 0},
    {"slider_crank_spatial", "natural", 0, 0},
    {"slider_crank_spatial", "relative", 0, 0},
    {"a04_bricard", "reference", 1, 0},
    {"a04_bricard", "relative", 1, 0},
    {"a05_flyball_governor", "reference", 0, 0},
    {"iltis_corner", "reference", 0, 1},
    {"elements/driver", "reference", 0, 0},
    {"elements/motor", "reference", 0, 0},
    {"elements/wheel", "reference", 0, 0},
    {"elements/bushing", "reference", 0, 0},
    {"a02_forty_four_bar", "reference", 0, 0}, /* large: by KLU where it is built in */
};

enum { N_ROWS = sizeof rows / sizeof *rows };

/* How many forms there are. */
static int n_kinds(void) {
    int n = 0;
    while (hol__dae_form_get(n)) n++;
    return n;
}

/* Whether the matrix of the form has all derivatives: in momenta those of M' are left out, which is
 * constant but in relative coordinates. */
static int is_exact(int i, int kind) {
    return hol__dae_form_get(kind)->state == &hol__state_dependent ||
           strcmp(rows[i].coordinates, "relative") != 0;
}

/* Whether the form takes the model: momenta p = M v do not tell velocities without a mass. */
static int is_taken(int i, int kind) {
    return hol__dae_form_get(kind)->state == &hol__state_dependent || !rows[i].massless;
}

/* Numbers without pattern in (-1, 1). */
static double noise(unsigned long *seed) {
    *seed = *seed * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* A run in the middle of its motion, with the equations of its form. */
typedef struct subject {
    run r;
    hol__constrained *c;
    int n, N;
    double t, *y, *f, *x, *F;
} subject;

static double *numbers(int n) {
    return calloc((size_t)n + 1, sizeof(double));
}

static hol_status f_residual(void *self, double t, const double *y, const double *ydot,
                             const double *x, double *F) {
    return hol__constrained_residual(self, t, y, ydot, x, F);
}

static hol_status f_linearize(void *self, double t, const double *y, const double *ydot,
                              const double *x) {
    return hol__constrained_linearize(self, t, y, ydot, x);
}

static hol_status f_shift(void *self, int slot, const hol__sigma *sigma) {
    return hol__constrained_shift(self, slot, sigma->d, sigma->v);
}

static hol_status f_solve(void *self, int slot, double *re, double *im) {
    return hol__constrained_solve(self, slot, re, im);
}

static subject open_subject(int i, int kind) {
    const hol__dae_form *form = hol__dae_form_get(kind);
    char settings[192];
    subject s = {0};
    snprintf(settings, sizeof settings,
             "simulation.coordinates=%s simulation.method=dae simulation.integrator=radau5 "
             "simulation.dae_form=%s",
             rows[i].coordinates, form->name);
    s.r = run_open(rows[i].file, settings);
    run_to(&s.r, 0.0371);
    hol_sim *sim = s.r.sim;
    assert_int_equal(hol__constrained_new(sim->ctx, &sim->form, form, HOL__SADDLE_SLOTS, 1, &s.c),
                     HOL_OK);
    s.n = s.c->n;
    s.N = s.n + s.c->m + s.c->mh;
    s.t = sim->data->t;
    s.y = numbers(s.n), s.f = numbers(s.n), s.x = numbers(s.N), s.F = numbers(s.N);
    hol__form_pack(&sim->form, s.y);
    assert_int_equal(hol__form_rhs(&sim->form, s.t, s.y, s.f), HOL_OK);
    return s;
}

static void close_subject(subject *s) {
    hol__constrained_free(s->c);
    run_close(&s->r);
    free(s->y), free(s->f), free(s->x), free(s->F);
}

static hol__dae view(const subject *s) {
    return (hol__dae){.n = s->n,
                      .nd = s->c->nv,
                      .m = s->c->m,
                      .mh = s->c->mh,
                      .self = s->c,
                      .residual = f_residual,
                      .linearize = f_linearize,
                      .shift = f_shift,
                      .solve = f_solve};
}

static double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* With the rates of the ordinary form and the multipliers that belong to the kept rows the residual
 * vanishes: M a, Q and A^T lambda agree with the kernel of the method, up to its rounding and that
 * of the constraints, 1e-9 of the largest force. */
static void test_residual(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < N_ROWS * n_kinds(); k++) {
        const int i = k / n_kinds();
        if (!is_taken(i, k % n_kinds())) continue;
        subject s = open_subject(i, k % n_kinds());
        const hol__dae dae = view(&s);
        assert_int_equal(hol__dae_multipliers(&dae, s.t, s.y, s.f, 1e-3, s.x, s.F), HOL_OK);
        assert_int_equal(dae.residual(dae.self, s.t, s.y, s.f, s.x, s.F), HOL_OK);
        const hol_data *data = s.r.sim->data;
        const double force = 1 + largest(data->Q, s.c->nv) + largest(s.x, s.c->m);
        print_message("%s in %s, %s: %d unknowns, residual %.1e of %.1e\n", rows[i].file,
                      rows[i].coordinates, s.c->kind->name, s.N, largest(s.F, s.N), force);
        assert_true(largest(s.F, s.N) < 1e-9 * force);
        assert_int_equal(s.r.model->m - s.c->m > 0, rows[i].redundant);
        close_subject(&s);
    }
}

/* J c by a central difference of F along (c_y, sigma c_y, c_x), with an increment that is small
 * against the state. */
static void difference(const subject *s, const double *ydot, const double *c_y, const double *c_dot,
                       const double *c_x, double *out) {
    const double e = 1e-5;
    double *y = numbers(s->n), *p = numbers(s->n), *x = numbers(s->N), *F = numbers(s->N);
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < s->n; i++) {
            y[i] = s->y[i] + sign * e * c_y[i];
            p[i] = ydot[i] + sign * e * c_dot[i];
        }
        for (int i = 0; i < s->N - s->n; i++) x[i] = s->x[i] + sign * e * c_x[i];
        assert_int_equal(hol__constrained_residual(s->c, s->t, y, p, x, F), HOL_OK);
        for (int i = 0; i < s->N; i++) out[i] += sign * F[i] / (2 * e);
    }
    free(y), free(p), free(x), free(F);
}

/* The increments as c_y' of y': sigma times them. */
static void rates(const subject *s, const hol__sigma *g, const double *re, const double *im,
                  double *dre, double *dim) {
    for (int i = 0; i < s->n; i++) {
        const double *k = i < s->c->nv ? g->d : g->v;
        dre[i] = k[0] * re[i] - k[1] * im[i];
        dim[i] = k[0] * im[i] + k[1] * re[i];
    }
}

/* The size of an increment of y_i: those of momenta are masses times those of velocities. */
static double size_of(const subject *s, int i, double share) {
    const hol__csr *M = hol__data_mass(s->c->form->data);
    const int nv = s->c->nv, row = i - nv;
    if (i < nv) return share;
    if (row >= nv || s->c->kind->state == &hol__state_dependent) return 1;
    double mass = 0;
    for (int k = M->ptr[row]; k < M->ptr[row + 1]; k++) mass += M->idx[k] == row ? M->x[k] : 0;
    return mass;
}

/* By how much the solver does not undo the difference along increments of which those of positions
 * are `share` of the others. */
static double undone(const subject *s, int slot, const hol__sigma *sigma, double share) {
    double *re = numbers(s->N), *im = numbers(s->N), *dre = numbers(s->n), *dim = numbers(s->n);
    double *b = numbers(s->N), *ib = numbers(s->N), *ydot = numbers(s->n);
    unsigned long seed = 2385;
    for (int i = 0; i < s->N; i++) re[i] = noise(&seed);
    for (int i = 0; i < s->N && slot; i++) im[i] = noise(&seed);
    re[s->n - 1] = im[s->n - 1] = 0; /* the work stands apart */
    for (int i = 0; i < s->n; i++) re[i] *= size_of(s, i, share), im[i] *= size_of(s, i, share);
    for (int i = 0; i < s->n; i++) ydot[i] = s->f[i];
    rates(s, sigma, re, im, dre, dim);
    difference(s, ydot, re, dre, re + s->n, b);
    difference(s, ydot, im, dim, im + s->n, ib);
    assert_int_equal(hol__constrained_linearize(s->c, s->t, s->y, ydot, s->x), HOL_OK);
    assert_int_equal(hol__constrained_shift(s->c, slot, sigma->d, sigma->v), HOL_OK);
    assert_int_equal(hol__constrained_solve(s->c, slot, b, slot ? ib : NULL), HOL_OK);
    double off = 0;
    for (int i = 0; i < s->n - 1; i++)
        off = fmax(off,
                   fmax(fabs(b[i] - re[i]), fabs(ib[i] - im[i]) * (slot > 0)) / size_of(s, i, 1));
    free(re), free(im), free(dre), free(dim), free(b), free(ib), free(ydot);
    return off;
}

/* The solver undoes the difference, slot by slot. Differences are off by e^2/6 of third derivatives
 * and by rounding, eps |F| / e = 2e-11 |F|, times the condition of the matrix. */
static void check_slot(const subject *s, int slot, const hol__sigma *sigma, const char *what) {
    const double off = undone(s, slot, sigma, 1);
    print_message("%s, %s, slot %d: %.1e\n", what, s->c->kind->name, slot, off);
    assert_true(off < 1e-5);
}

static void test_matrix(void **state) {
    static const hol__sigma sigmas[] = {
        {{37.1, 0}, {23.9, 0}}, {{41.3, 27.7}, {41.3, 27.7}}, {{1.3e4, -2.1e4}, {1.3e4, -2.1e4}}};
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < N_ROWS * n_kinds(); k++) {
        const int i = k / n_kinds();
        if (!is_taken(i, k % n_kinds()) || !is_exact(i, k % n_kinds())) continue;
        subject s = open_subject(i, k % n_kinds());
        const hol__dae dae = view(&s);
        assert_int_equal(hol__dae_multipliers(&dae, s.t, s.y, s.f, 1e-3, s.x, s.F), HOL_OK);
        for (int slot = 0; slot < HOL__SADDLE_SLOTS; slot++)
            check_slot(&s, slot, &sigmas[slot], rows[i].file);
        close_subject(&s);
    }
}

/* Away from the base point, where rotations are not zero: as a stage of a step sees it. */
static void test_matrix_in_a_step(void **state) {
    static const hol__sigma sigma = {{37.1, 0}, {37.1, 0}};
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < N_ROWS * n_kinds(); k++) {
        const int i = k / n_kinds();
        if (!is_taken(i, k % n_kinds()) || !is_exact(i, k % n_kinds())) continue;
        subject s = open_subject(i, k % n_kinds());
        const hol__dae dae = view(&s);
        assert_int_equal(hol__dae_multipliers(&dae, s.t, s.y, s.f, 1e-3, s.x, s.F), HOL_OK);
        for (int j = 0; j < 2 * s.c->nv; j++) s.y[j] += 0.02 * s.f[j];
        check_slot(&s, 0, &sigma, rows[i].file);
        close_subject(&s);
    }
}

/* What the matrix of momenta leaves out is M' x_v beside sigma M x_v, where increments of positions
 * are those of velocities over sigma: with ten times the sigma a tenth is off. */
static void test_matrix_of_momenta(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < N_ROWS * n_kinds(); k++) {
        const int i = k / n_kinds();
        if (is_exact(i, k % n_kinds())) continue;
        subject s = open_subject(i, k % n_kinds());
        const hol__dae dae = view(&s);
        double off[2];
        assert_int_equal(hol__dae_multipliers(&dae, s.t, s.y, s.f, 1e-3, s.x, s.F), HOL_OK);
        for (int j = 0; j < 2; j++) {
            const double sigma = j ? 2.385e4 : 2.385e3;
            off[j] = undone(&s, 0, &(hol__sigma){{sigma, 0}, {sigma, 0}}, 1 / sigma);
        }
        print_message("%s in %s: %.1e, %.1e\n", rows[i].file, rows[i].coordinates, off[0], off[1]);
        assert_true(off[0] < 0.1 && off[1] < 0.12 * off[0] + 1e-5);
        close_subject(&s);
    }
}

/* M and A alone: increments x of v, z, the work and lambda change F, which is linear in y' and
 * lambda, by sigma M x_v + A^T x_lambda, sigma x_z, sigma x_W + b . x_lambda, and A v by A x_v; the
 * solver brings them back. Rates and Phi are those of the residual, to the bit. */
static void check_inertial(subject *s, const char *what) {
    const int nv = s->c->nv, n = s->n;
    const double sigma = 238.5;
    double *x = numbers(s->N), *ydot = numbers(n), *none = numbers(s->N), *F = numbers(s->N);
    double *part = numbers(s->N), *y = numbers(n);
    unsigned long seed = 2385;
    for (int i = nv; i < n + s->c->m; i++) x[i] = noise(&seed);
    for (int i = nv; i < n; i++) ydot[i] = sigma * x[i];
    for (int i = 0; i < n; i++) y[i] = s->y[i] + (i >= nv && i < 2 * nv ? x[i] : 0);
    assert_int_equal(hol__constrained_residual(s->c, s->t, s->y, ydot, x + n, F), HOL_OK);
    assert_int_equal(hol__constrained_residual(s->c, s->t, y, none, none, part), HOL_OK);
    memcpy(F + n, part + n, sizeof *F * (size_t)s->c->m);
    assert_int_equal(hol__constrained_residual(s->c, s->t, s->y, none, none, part), HOL_OK);
    for (int i = 0; i < n + s->c->m; i++) F[i] -= part[i];
    assert_int_equal(hol__inertial_keep(s->c), HOL_OK);
    assert_int_equal(hol__inertial_solve(s->c, sigma, F), HOL_OK);
    double off = 0;
    for (int i = nv; i < n + s->c->m; i++) off = fmax(off, fabs(F[i] - x[i]));
    print_message("%s, M and A alone: %.1e\n", what, off);
    assert_true(off < 1e-8); /* rounding of forces, 1e5 N, times the condition */
    hol__inertial_rate(s->c, s->y, F);
    for (int i = 0; i < nv; i++) assert_true(F[i] == -part[i]);
    assert_int_equal(hol__inertial_places(s->c, s->t, s->y, F), HOL_OK);
    for (int i = 0; i < s->c->mh; i++) assert_true(F[i] == part[n + s->c->m + i]);
    free(x), free(ydot), free(none), free(F), free(part), free(y);
}

static void test_inertial(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < N_ROWS; i++) {
        subject s = open_subject(i, 0);
        check_inertial(&s, rows[i].file);
        close_subject(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual),         cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_matrix_in_a_step), cmocka_unit_test(test_matrix_of_momenta),
        cmocka_unit_test(test_inertial),
    };
    return cmocka_run_group_tests_name("constrained", tests, NULL, NULL);
}
