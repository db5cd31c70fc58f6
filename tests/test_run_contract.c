/* test_run_contract.c: what holds in every run: the laws of Newton and Euler for each body with the
 * reactions of its joints, the same bits for the same input, and runs that are split at a snapshot.
 */
#include "mechanism_subjects.h"

/* ---- the laws of mechanics, body by body ---- */

/* m a = m g + applied + reactions, and J omega' + omega x J omega = moments about the mass centre,
 * global. */
static void check_balance(run *r, const char *what) {
    hol_data *data = r->data;
    const hol_model *model = r->m.model;
    const int n = model->nv + model->bw;
    double *w = calloc((size_t)n, sizeof *w);
    hol_data_update(data, HOL_STAGE_DYN);
    model->coords->inertia(model, &data->bodies, w);
    for (int i = 0; i < n; i++) w[i] = data->Q[i] - w[i];
    for (int b = 0; b < model->nb; b++) {
        const hol__body *body = &model->bodies[b];
        const hol_pose pose = pose_at(data, b);
        const double *a = hol_data_acceleration(data) + model->bw * b,
                     *v = hol_data_v(data) + model->bw * b;
        double c[3], F[3] = {0, 0, 0}, M[3] = {0, 0, 0}, H[3] = {0, 0, 0}, local[3] = {0, 0, 0},
                     size = 1, u[3];
        hol__mul3(pose.R, body->com, u);
        hol__add3(pose.r, u, c);
        for (int k = 0; k < model->dim; k++)
            F[k] = w[model->bw * b + k] + body->mass * (model->gravity[k] - a[k]);
        if (model->dim == 2) {
            M[2] = w[3 * b + 2] - body->inertia * a[2];
        } else {
            double Jw[3], gyro[3], Ja[3];
            hol__mul3(body->J, v + 3, Jw);
            hol__cross3(v + 3, Jw, gyro);
            hol__mul3(body->J, a + 3, Ja);
            for (int k = 0; k < 3; k++) local[k] = w[6 * b + 3 + k] - Ja[k] - gyro[k];
            hol__mul3(pose.R, local, H);
            hol__add3(M, H, M);
        }
        for (int j = 0; j < model->n_joints; j++) {
            const hol_reaction re = reaction_of(data, j);
            const double sign = model->joints[j].body[0] == b   ? 1
                                : model->joints[j].body[1] == b ? -1
                                                                : 0;
            double arm[3], moment[3];
            hol__sub3(re.point, c, arm);
            hol__cross3(arm, re.force, moment);
            for (int k = 0; k < 3 && sign != 0; k++)
                F[k] += sign * re.force[k], M[k] += sign * (re.moment[k] + moment[k]);
            if (sign != 0)
                size =
                    fmax(size, hol__norm3(re.force) + hol__norm3(re.moment) + hol__norm3(moment));
        }
        /* the solver's backward error and the sums: 1e-11 of the largest term */
        for (int k = 0; k < 3; k++)
            if (!(fabs(F[k]) < 1e-11 * size && fabs(M[k]) < 1e-11 * size))
                fail_msg("%s: body %s is out of balance by %g N, %g N m (of %g)", what, body->name,
                         F[k], M[k], size);
    }
    free(w);
}

/* The balance of all bodies at five instants of a run. */
static void check_balances(const subject *sub, const scene *s, const char *which) {
    char what[96];
    name_of(sub, which, what, sizeof what);
    run r = run_open(s, &scene_as_it_is);
    for (int k = 0; k <= 4; k++) {
        run_to(&r, sub->end * k / 4);
        check_balance(&r, what);
    }
    run_close(&r);
}

static void check_newton_euler(const subject *sub, scene *s) {
    const scene doubled = scene_doubled(s, 0);
    check_balances(sub, s, "balance of bodies");
    check_balances(sub, &doubled, "balance of bodies with a joint twice");
}

static void test_newton_euler(void **state) {
    (void)state;
    each_subject(check_newton_euler);
}

/* ---- once more ---- */

/* The same input gives the same bits, with given and with chosen steps. */
static void check_same_bits(const subject *sub, scene *s) {
    for (int chosen = 0; chosen < 2; chosen++) {
        if (chosen) snprintf(s->simulation, sizeof s->simulation, "end: %g", sub->end);
        twins t = twins_open(sub, "once more", s, s, &scene_as_it_is);
        const hol_model *model = t.a.m.model;
        run_to(&t.a, sub->end);
        run_to(&t.b, sub->end);
        const size_t size = sizeof(double);
        assert_memory_equal(hol_data_q(t.a.data), hol_data_q(t.b.data), size * (size_t)model->nq);
        assert_memory_equal(hol_data_v(t.a.data), hol_data_v(t.b.data), size * (size_t)model->nv);
        assert_memory_equal(hol_data_acceleration(t.a.data), hol_data_acceleration(t.b.data),
                            size * (size_t)model->nv);
        assert_memory_equal(hol_data_multipliers(t.a.data), hol_data_multipliers(t.b.data),
                            size * (size_t)model->m);
        twins_close(&t);
    }
}

static void test_same_bits(void **state) {
    (void)state;
    each_subject(check_same_bits);
}

/* Continue a run from a snapshot to the end; the snapshot is copied first, which carries over the
 * full turns of joints. */
static void continue_from(run *r, const hol_data *snapshot, double end) {
    hol_data_copy(r->data, snapshot);
    assert_int_equal(hol_sim_restart(r->sim, hol_data_time(snapshot), hol_data_q(snapshot),
                                     hol_data_v(snapshot)),
                     HOL_OK);
    run_to(r, end);
}

/* A run continued from a snapshot in another simulation is the whole run: the snapshot lies on the
 * constraints, so what restarting corrects is rounding. */
static void check_split_run(const subject *sub, scene *s) {
    twins t = twins_open(sub, "split", s, s, &scene_as_it_is);
    const double half = sub->step * floor(0.4 * sub->end / sub->step),
                 limit = sub->redundant ? 1e-8 : bound;
    hol_data *snapshot = hol_data_new(t.a.m.ctx, t.a.m.model);
    run_to(&t.a, half);
    hol_data_copy(snapshot, t.a.data);
    run_to(&t.a, sub->end);
    assert_true(hol_data_time(snapshot) == half);
    continue_from(&t.b, snapshot, sub->end);
    const double apart = motion_apart(&t.a, &t.b, &scene_as_it_is);
    if (!(apart <= limit)) fail_msg("%s: %g", t.what, apart);
    /* and back again in the first one */
    continue_from(&t.a, snapshot, sub->end);
    const double again = motion_apart(&t.a, &t.b, &scene_as_it_is);
    if (!(again <= limit)) fail_msg("%s, in the first simulation: %g", t.what, again);
    hol_data_free(snapshot);
    twins_close(&t);
}

static void test_split_run(void **state) {
    (void)state;
    each_subject(check_split_run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_euler),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_split_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
