/* compare.c: descriptions in MuJoCo beside the models that are imported from them, and models
 * beside what they are exported as: compare FOLDER MODELS. Built where Debian's libmujoco-dev is
 * installed. With further words, these files alone, which may be any trees: MJCF itself, URDF and
 * SDFormat as they are exported here, for their meshes may be missing.
 *
 * A random state is set here (starts of joints, velocities of bodies) and, from the poses and rates
 * that the library says, in MuJoCo. There bodies must be at the same places, and the
 * accelerations of hinges and slides agree: to 1e-9 of the largest for trees, to what
 * is said below for loops, which are soft in MuJoCo. Then both move freely. Limits, contacts and
 * dry friction are off. */
#include <holonom/holonom.h>
#include <mujoco/mujoco.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    hol_context *ctx;
    hol_model *model;
    hol_options *options;
    hol_sim *sim;
    mjModel *m;
    mjData *d;
    int exported;
} pair;

typedef struct row {
    const char *file;
    double accelerations, end; /* allowed: relative; of coordinates after 0.3 s */
    int exported;              /* MuJoCo reads what the model is exported as */
} row;

/* hand.xml has a mesh, whose numbers MuJoCo keeps in single precision. Loops are softened there by
 * impedances of 0.999. */
static const row rows[] = {{"walker.xml", 1e-9, 1e-9, 0},      {"hand.xml", 1e-8, 2e-9, 0},
                           {"crane.xml", 1e-9, 1e-9, 0},       {"delta_leg.urdf", 1e-9, 1e-9, 0},
                           {"linkage.xml", 5e-3, 5e-3, 0},     {"walker.xml", 1e-9, 1e-9, 1},
                           {"delta_leg.urdf", 1e-9, 1e-9, 1},  {"arm_gripper.urdf", 5e-3, 5e-3, 1},
                           {"carts.world", 1e-9, 1e-9, 1},     {"quadruped.xml", 1e-9, 1e-9, 1},
                           {"old_mower.sdf", 1e-9, 1e-9, 1},   {"humanoid.urdf", 5e-3, 5e-3, 1},
                           {"stewart.xml", 5e-3, 5e-3, 1},     {"pendulum.yaml", 1e-9, 1e-9, 1},
                           {"gripper_arm.sdf", 5e-3, 5e-3, 1}, {"linkage.xml", 5e-3, 5e-3, 1},
                           {"four_bar.yaml", 5e-3, 5e-3, 1}};

static unsigned seed = 1;

/* A number between -1 and 1. */
static double random_number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608.0 - 1;
}

/* ---- a state here ---- */

/* Whether a joint of MuJoCo is a hinge or slide that the model has too. */
static int is_coordinate(const pair *p, const mjModel *m, int j) {
    const char *name = mj_id2name(m, mjOBJ_JOINT, j);
    const int kind = m->jnt_type[j] == mjJNT_SLIDE || m->jnt_type[j] == mjJNT_HINGE;
    return kind && name && hol_model_joint(p->model, name) >= 0;
}

/* A measure of a coordinate, or of its rate. */
static void add_measure(hol_spec *spec, const char *prefix, const char *joint, const char *what) {
    char name[300];
    snprintf(name, sizeof name, "%s__%s", prefix, joint);
    hol_item *item = hol_spec_add(spec, "measures", name, "joint_coordinate");
    hol_item_text(item, "joint", joint);
    hol_item_text(item, "component", what);
}

/* Starts of hinges and slides, coordinates and rates as measures, angular velocities of bodies on
 * balls. */
static void set_state(hol_spec *spec, const pair *p, const mjModel *m, double size) {
    char path[300];
    for (int j = 0; j < m->njnt; j++) {
        const int slides = m->jnt_type[j] == mjJNT_SLIDE;
        if (!is_coordinate(p, m, j)) continue;
        const char *name = mj_id2name(m, mjOBJ_JOINT, j);
        const char *word = slides ? "displacement" : "angle";
        char text[200];
        snprintf(path, sizeof path, "joints.%s.start", name);
        snprintf(text, sizeof text, "{%s: %.17g, %s_rate: %.17g}", word,
                 size * (slides ? 0.1 : 0.5) * random_number(), word, size * 2 * random_number());
        if (m->neq == 0 || (j == 0 && !p->exported)) hol_spec_set(spec, path, text, "test");
        add_measure(spec, "q", name, slides ? "displacement" : "angle");
        add_measure(spec, "rate", name, slides ? "displacement_rate" : "angle_rate");
    }
    for (int b = 1; b < m->nbody; b++) {
        const char *name = mj_id2name(m, mjOBJ_BODY, b);
        const int j = m->body_jntadr[b];
        if (j < 0 || m->jnt_type[j] != mjJNT_BALL || m->neq) continue;
        char text[100];
        snprintf(path, sizeof path, "bodies.%s.omega", name);
        snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", random_number(), random_number(),
                 random_number());
        hol_spec_set(spec, path, text, "test");
    }
}

/* ---- the same state in MuJoCo ---- */

static double measure(hol_data *data, const hol_model *model, const char *what, const char *name) {
    char column[300];
    double value = NAN;
    snprintf(column, sizeof column, "%s%s", what, name);
    hol_data_measure(data, hol_model_measure_index(model, column), &value);
    return value;
}

/* out = R^T x */
static void turn_back(const double R[9], const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}

/* The coordinates of a ball between two poses, and its velocity. */
static void set_ball(const mjModel *m, mjData *d, int j, hol_data *data, const hol_model *model) {
    const int body = m->jnt_bodyid[j], parent = m->body_parentid[body];
    hol_pose child, holder;
    hol_twist wc, wp;
    const int c = hol_model_body(model, mj_id2name(m, mjOBJ_BODY, body));
    const int p = parent ? hol_model_body(model, mj_id2name(m, mjOBJ_BODY, parent)) : -1;
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    hol_data_body_pose(data, c, &child);
    hol_data_body_pose(data, p >= 0 ? p : info.n_bodies, &holder);
    hol_data_body_twist(data, c, &wc);
    hol_data_body_twist(data, p >= 0 ? p : info.n_bodies, &wp);
    double own[9], base[9], rel[9], w[3];
    mju_quat2Mat(own, m->body_quat + 4 * body);
    mju_mulMatMat(base, holder.R, own, 3, 3, 3);
    mju_mulMatTMat(rel, base, child.R, 3, 3, 3);
    mju_mat2Quat(d->qpos + m->jnt_qposadr[j], rel);
    for (int i = 0; i < 3; i++) w[i] = wc.omega[i] - wp.omega[i];
    turn_back(child.R, w, d->qvel + m->jnt_dofadr[j]);
}

/* The pose of a free body, and its velocity: that of its origin, and the angular one in it. */
static void set_free(const mjModel *m, mjData *d, int j, hol_data *data, const hol_model *model) {
    const int b = hol_model_body(model, mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[j]));
    double *q = d->qpos + m->jnt_qposadr[j], *v = d->qvel + m->jnt_dofadr[j];
    hol_pose pose;
    hol_twist w;
    hol_data_body_pose(data, b, &pose);
    hol_data_body_twist(data, b, &w);
    mju_copy3(q, pose.r);
    mju_mat2Quat(q + 3, pose.R);
    mju_copy3(v, w.v);
    turn_back(pose.R, w.omega, v + 3);
}

/* What a coordinate of MuJoCo is more than one here: `ref` of what is imported. */
static double offset(const pair *p, int j) {
    return p->exported ? 0 : p->m->qpos0[p->m->jnt_qposadr[j]];
}

static void copy_state(pair *p, hol_data *data) {
    const mjModel *m = p->m;
    for (int j = 0; j < m->njnt; j++) {
        const char *name = mj_id2name(m, mjOBJ_JOINT, j);
        const int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
        if (m->jnt_type[j] == mjJNT_BALL)
            set_ball(m, p->d, j, data, p->model);
        else if (m->jnt_type[j] == mjJNT_FREE)
            set_free(m, p->d, j, data, p->model);
        else if (is_coordinate(p, m, j)) {
            p->d->qpos[q] = offset(p, j) + measure(data, p->model, "q__", name);
            p->d->qvel[v] = measure(data, p->model, "rate__", name);
        }
    }
}

/* ---- comparisons ---- */

/* How far apart bodies are. */
static double places_apart(pair *p, hol_data *data) {
    double most = 0;
    for (int b = 1; b < p->m->nbody; b++) {
        hol_pose pose;
        const char *name = mj_id2name(p->m, mjOBJ_BODY, b);
        const int ours = name ? hol_model_body(p->model, name) : -1;
        if (ours < 0) continue; /* without a name there, or not carried over */
        hol_data_body_pose(data, ours, &pose);
        for (int i = 0; i < 3; i++) most = fmax(most, fabs(pose.r[i] - p->d->xpos[3 * b + i]));
        for (int i = 0; i < 9; i++) most = fmax(most, fabs(pose.R[i] - p->d->xmat[9 * b + i]));
    }
    return most;
}

/* The place of a joint in the velocities here; -1: it is none of them by itself. */
static int velocity_of(const hol_model *model, const char *joint) {
    char name[300];
    for (int i = 0; hol_model_velocity_name(model, i, name, sizeof name) == HOL_OK; i++)
        if (strcmp(name, joint) == 0) return i;
    return -1;
}

/* How far accelerations of coordinates are apart, over the largest. */
static double accelerations_apart(pair *p, hol_data *data) {
    const double *a = hol_data_acceleration(data);
    double most = 0, scale = 0;
    int count = 0;
    for (int j = 0; j < p->m->njnt; j++) {
        if (!is_coordinate(p, p->m, j)) continue;
        const int i = velocity_of(p->model, mj_id2name(p->m, mjOBJ_JOINT, j));
        if (!a) return NAN;
        if (i < 0) continue; /* a coordinate of the other tree of a loop */
        count++;
        const char *name = mj_id2name(p->m, mjOBJ_JOINT, j);
        const double rate = measure(data, p->model, "rate__", name);
        /* a joint of the tree may count from its second body to its first */
        const double ours = rate * hol_data_v(data)[i] < 0 ? -a[i] : a[i];
        const double theirs = p->d->qacc[p->m->jnt_dofadr[j]];
        most = fmax(most, fabs(ours - theirs));
        scale = fmax(scale, fabs(theirs));
    }
    return count ? most / fmax(scale, 1) : NAN;
}

/* How far coordinates are apart after both have moved freely. */
static double ends_apart(pair *p, double t) {
    const int steps = 6000;
    double most = 0;
    p->m->opt.timestep = t / steps;
    p->m->opt.integrator = mjINT_RK4;
    for (int i = 0; i < steps; i++) mj_step(p->m, p->d);
    mj_kinematics(p->m, p->d);
    if (hol_sim_advance(p->sim, t)) return NAN;
    hol_data *data = hol_sim_data(p->sim);
    for (int j = 0; j < p->m->njnt; j++) {
        if (!is_coordinate(p, p->m, j)) continue;
        const int q = p->m->jnt_qposadr[j];
        const double x = measure(data, p->model, "q__", mj_id2name(p->m, mjOBJ_JOINT, j));
        most = fmax(most, fabs(x - (p->d->qpos[q] - offset(p, j))));
    }
    return most;
}

/* ---- a description ---- */

/* What MuJoCo does that is left out here. */
static void switch_off(mjModel *m) {
    m->opt.disableflags |= mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_FRICTIONLOSS;
    m->opt.viscosity = m->opt.density = 0;
    for (int i = 0; i < m->ntendon; i++) {
        const char *name = mj_id2name(m, mjOBJ_TENDON, i);
        if (name && strcmp(name, "wound") == 0) m->tendon_stiffness[i] = 0;
    }
    for (int i = 0; i < m->nu; i++) { /* a muscle pulls at rest */
        const char *name = mj_id2name(m, mjOBJ_ACTUATOR, i);
        if (name && strcmp(name, "biceps") == 0) m->actuator_biastype[i] = mjBIAS_NONE;
    }
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_type[j] == mjJNT_BALL)
            for (int k = 0; k < 3; k++) m->dof_armature[m->jnt_dofadr[j] + k] = 0;
}

/* The description of a row: a model file, or what is imported; NULL after errors. */
static hol_spec *read_spec(pair *p, const char *path) {
    const hol_import_options how = {.size = sizeof how, .no_limits = 1, .repair_inertia = 1};
    const char *dot = strrchr(path, '.');
    hol_spec *spec = hol_spec_new(p->ctx);
    hol_status status = HOL_OK;
    if (strcmp(dot, ".yaml") == 0)
        status = hol_spec_read_file(spec, path);
    else {
        hol_import *import = hol_import_read(p->ctx, path, &how);
        char *text = import ? hol_import_text(import) : NULL;
        status = text ? hol_spec_read_text(spec, text, path) : HOL_ERR_INPUT;
        hol_free(p->ctx, text);
        hol_import_free(import);
    }
    if (status) hol_spec_free(spec), spec = NULL;
    return spec;
}

/* Read the description in MuJoCo: itself, or what the model is exported as. */
static mjModel *open_theirs(pair *p, const char *path, char *error, int size) {
    if (!p->exported) return mj_loadXML(path, NULL, error, size);
    const hol_export_options how = {.size = sizeof how, .output = "exported.xml", .partial = 1};
    hol_spec *spec = read_spec(p, path);
    if (spec) hol_spec_set(spec, "simulation.method", "auto", "test");
    hol_model *model = spec ? hol_model_compile(p->ctx, spec, NULL) : NULL;
    hol_export *export = model ? hol_export_new(p->ctx, model, &how) : NULL;
    mjModel *m = NULL;
    for (int i = 0; i < hol_export_note_count(export); i++)
        if (hol_export_note_get(export, i)->kind == HOL_IMPORT_LEFT_OUT)
            printf("# left out: %s: %s\n", hol_export_note_get(export, i)->element,
                   hol_export_note_get(export, i)->text);
    if (export && hol_export_write(export, how.output) == HOL_OK)
        m = mj_loadXML(how.output, NULL, error, size);
    hol_export_free(export);
    hol_model_free(model);
    hol_spec_free(spec);
    return m;
}

static int open_pair(pair *p, const char *path, double size) {
    hol_spec *spec = read_spec(p, path);
    hol_model *plain = spec ? hol_model_compile(p->ctx, spec, "relative") : NULL;
    if (plain) {
        p->model = plain;
        set_state(spec, p, p->m, size);
        hol_spec_set(spec, "simulation.tolerance", "1e-12", "test");
        hol_spec_set(spec, "simulation.coordinates", "relative", "test");
        p->model = hol_model_compile(p->ctx, spec, "relative");
        p->options = hol_options_from_spec(p->ctx, spec);
        p->sim = p->model ? hol_sim_new(p->ctx, p->model, p->options) : NULL;
    }
    hol_model_free(plain);
    hol_spec_free(spec);
    return p->sim != NULL;
}

static void close_pair(pair *p) {
    hol_sim_free(p->sim);
    hol_options_free(p->options);
    hol_model_free(p->model);
    p->sim = NULL, p->options = NULL, p->model = NULL;
}

/* Compare one description, the test's case of that number; 0 where it agrees. */
static int compare(const char *folder, const row *r, int number) {
    char path[1000], error[500] = "";
    pair p = {.ctx = hol_context_new(), .exported = r->exported};
    double apart = 0, places = 0, ends = 0;
    snprintf(path, sizeof path, "%s/%s", folder, r->file);
    p.m = open_theirs(&p, path, error, sizeof error);
    if (!p.m) {
        printf("not ok %d - %s: MuJoCo: %s\n", number, r->file, error);
        for (int i = 0; i < hol_message_count(p.ctx) && i < 5; i++)
            printf("# %s\n", hol_message_get(p.ctx, i)->text);
        return 1;
    }
    switch_off(p.m);
    p.d = mj_makeData(p.m);
    int bad = 0;
    for (int k = 0; k < 12 && !bad; k++) {
        bad = !open_pair(&p, path, k ? 1 : 0);
        if (bad) break;
        hol_data *data = hol_sim_data(p.sim);
        hol_data_update(data, HOL_STAGE_ACC);
        mj_resetData(p.m, p.d);
        copy_state(&p, data);
        mj_forward(p.m, p.d);
        places = fmax(places, places_apart(&p, data));
        const double now = accelerations_apart(&p, data);
        /* MuJoCo leaves J' v out of its constraints: loops are compared at rest */
        if (p.m->neq == 0 || k == 0) apart = isnan(now) ? NAN : fmax(apart, now);
        bad = isnan(apart);
        if (k == 1) ends = ends_apart(&p, 0.3);
        close_pair(&p);
    }
    const int fails =
        bad || !(apart <= r->accelerations) || !(ends <= r->end) || !(places <= 1e-12);
    printf("%s %d - %s%s: places %.1e, accelerations %.1e, coordinates after 0.3 s %.1e\n",
           fails ? "not ok" : "ok", number, r->file, r->exported ? " exported" : "", places, apart,
           ends);
    for (int i = 0; fails && i < hol_message_count(p.ctx) && i < 5; i++)
        printf("# %s\n", hol_message_get(p.ctx, i)->text);
    mj_deleteData(p.d);
    mj_deleteModel(p.m);
    hol_context_free(p.ctx);
    return fails;
}

/* Files of the command line. */
static int compare_files(int n, char **files) {
    int fails = 0;
    for (int i = 0; i < n; i++) {
        const char *slash = strrchr(files[i], '/'), *dot = strrchr(files[i], '.');
        char folder[1000] = ".";
        if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - files[i]), files[i]);
        const row one = {slash ? slash + 1 : files[i], 1e-9, 1e-9,
                         !dot || strcmp(dot, ".xml") != 0};
        fails += compare(folder, &one, i + 1);
        fflush(stdout);
    }
    return fails != 0;
}

int main(int argc, char **argv) {
    int fails = 0;
    if (argc < 3) return 2;
    if (argc > 3) return compare_files(argc - 3, argv + 3);
    printf("1..%d\n", (int)(sizeof rows / sizeof *rows));
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
        fails += compare(strstr(rows[i].file, ".yaml") ? argv[2] : argv[1], &rows[i], i + 1);
    return fails != 0;
}
