/* record_sim.c: a record filled from a simulation: the only place where writers and simulation
 * meet. */
#include "io/record.h"
#include "model/model.h"
#include "sim/extremes.h"
#include "sim/sim.h"
#include "sim/switching.h"

#include <holonom/version.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_SIZE = 4096 };

/* The names of the bodies or joints; NULL without memory. */
static const char **names_of(hol__arena *arena, const hol_model *model, int n,
                             const char *(*name)(const hol_model *, int)) {
    const char **names = HOL__NEW_N(arena, const char *, n);
    for (int i = 0; names && i < n; i++) names[i] = name(model, i);
    return names;
}

/* The options with their values as they are used; NULL without memory. */
static hol__pair *options_of(hol__arena *arena, const hol_sim *sim, int *n) {
    char buf[OPTION_SIZE];
    *n = 0;
    while (hol_option_get(*n)) ++*n;
    hol__pair *pairs = HOL__NEW_N(arena, hol__pair, *n);
    for (int i = 0; pairs && i < *n; i++) {
        const char *name = hol_option_get(i)->name;
        const char *value = hol_options_text(hol_sim_options(sim), name, buf, sizeof buf);
        pairs[i] = (hol__pair){name, hol__arena_text(arena, value ? value : "")};
        if (!pairs[i].value) return NULL;
    }
    return pairs;
}

/* Append a text, copied, unless memory has run out. */
static void add_pair(hol__arena *arena, hol__pair *pairs, int *n, const char *key,
                     const char *value) {
    if (pairs) pairs[(*n)++] = (hol__pair){key, hol__arena_text(arena, value ? value : "")};
}

/* What the run was made of, as texts; NULL without memory. */
static hol__pair *texts_of(hol__arena *arena, const hol_model_info *model, const hol_sim *sim,
                           const hol_sim_info *info, int *n) {
    int most = 0;
    while (hol_statistic_get(most)) most++;
    hol__pair *pairs = HOL__NEW_N(arena, hol__pair, most + 4);
    *n = 0;
    add_pair(arena, pairs, n, "holonom_version", hol_version());
    add_pair(arena, pairs, n, "model_name", model->name);
    add_pair(arena, pairs, n, "model_hash", hol__arena_format(arena, "%016llx", model->hash));
    if (sim->records) add_pair(arena, pairs, n, "records", sim->records);
    for (int i = 0; hol_statistic_get(i); i++)
        if (hol_statistic_get(i)->show & HOL_SHOW_HEAD)
            add_pair(arena, pairs, n, hol_statistic_get(i)->key, hol_statistic_of(info, i).text);
    return arena->failed ? NULL : pairs;
}

/* Time, measures and energies in the units that the run asks for; what has rows stays in SI units,
 * as its attributes say. */
static void show_in_units(hol__record *record, const hol_sim *sim, int n_measures) {
    for (int i = 0; i < record->n_fields; i++) {
        hol__field *field = &record->fields[i];
        hol_unit unit;
        if (field->rank != 0 || !*field->unit) continue;
        if (i < 1 || i > n_measures)
            hol_sim_unit(sim, field->unit, &unit);
        else if (hol_sim_measure_unit(sim, i - 1, &unit))
            continue;
        record->units[i] = unit;
        field->unit = record->units[i].name;
        field->times = unit.times, field->over = unit.over;
    }
}

/* The values of a record that was filled, in the units of its fields. */
static void convert(hol__record *record) {
    for (int i = 0; i < record->n_fields; i++) {
        const hol__field *field = &record->fields[i];
        if (field->times == field->over) continue;
        record->values[field->offset] =
            hol_unit_show(&record->units[i], record->values[field->offset]);
    }
}

int hol__record_of_sim(hol__record *record, hol__arena *arena, hol_sim *sim) {
    const hol_model *model = hol_sim_model(sim);
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    hol_sim_info run = {.size = sizeof run};
    hol_sim_describe(sim, &run);
    /* of the set that the run began with */
    if (sim->made.size) run.kernel = sim->made.kernel, run.correction = sim->made.correction;
    hol__constraint_columns constraints;
    if (!hol__constraint_columns_of(&constraints, arena, sim)) return 0;
    hol_column *measures = HOL__NEW_N(arena, hol_column, info.n_measures + constraints.n);
    hol__shape shape = {.n_measures = info.n_measures + constraints.n,
                        .n_q = info.n_q,
                        .n_v = info.n_v,
                        .n_bodies = info.n_bodies,
                        .n_joints = info.n_joints,
                        .n_forces = info.n_forces,
                        .measures = measures,
                        .model = info.text ? info.text : "",
                        .length = model->length};
    if (hol__model_varies(
            model)) { /* the coordinates of the bodies: others come and go with the joints */
        shape.n_q = (info.space == HOL_PLANAR ? 3 : 7) * info.n_bodies;
        shape.n_v = (info.space == HOL_PLANAR ? 3 : 6) * info.n_bodies;
    }
    for (int i = 0; measures && i < info.n_measures; i++)
        measures[i] = *hol_model_measure(model, i);
    for (int i = 0; measures && i < constraints.n; i++)
        measures[info.n_measures + i] = constraints.columns[i];
    shape.bodies = names_of(arena, model, info.n_bodies, hol_model_body_name);
    shape.joints = names_of(arena, model, info.n_joints, hol_model_joint_name);
    shape.forces = names_of(arena, model, info.n_forces, hol_model_force_name);
    shape.texts = texts_of(arena, &info, sim, &run, &shape.n_texts);
    shape.options = options_of(arena, sim, &shape.n_options);
    if (!measures || !shape.bodies || !shape.joints || !shape.forces || !shape.texts ||
        !shape.options)
        return 0;
    if (!hol__record_init(record, arena, &shape)) return 0;
    record->constraints = constraints;
    show_in_units(record, sim, info.n_measures);
    return 1;
}

/* The unit quaternion p of the rotation R, from the largest of its four components; of the two
 * signs the one nearer to what p was, so that the record has no jumps. */
static void quaternion_of(const double R[9], double p[4]) {
    const double trace = R[0] + R[4] + R[8];
    const double size[4] = {trace, R[0], R[4], R[8]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (size[i] > size[k]) k = i;
    const double s = 2 * sqrt(k == 0 ? 1 + trace : 1 + 2 * size[k] - trace);
    const double d[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    double u[4];
    if (k == 0) {
        u[0] = s / 4;
        for (int i = 0; i < 3; i++) u[i + 1] = d[i] / s;
    } else {
        u[0] = d[k - 1] / s;
        for (int i = 0; i < 3; i++) u[i + 1] = (R[3 * i + k - 1] + R[3 * (k - 1) + i]) / s;
        u[k] = s / 4;
    }
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += u[i] * p[i];
    const double sign = dot < 0 || (dot == 0 && u[0] < 0) ? -1 : 1;
    for (int i = 0; i < 4; i++) p[i] = sign * u[i];
}

/* |x| of n numbers. */
static double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* x = y for three numbers. */
static void put3(double *x, const double y[3]) {
    for (int i = 0; i < 3; i++) x[i] = y[i];
}

/* Poses of the bodies; quaternions with the sign nearer to those that stand there. */
static void fill_bodies(const hol__record *record, hol_data *data, double *values) {
    double *r = hol__record_place(record, HOL__FIELD_BODY_POSITION, values);
    double *p = hol__record_place(record, HOL__FIELD_BODY_QUATERNION, values);
    for (int i = 0; i < record->shape.n_bodies; i++) {
        hol_pose pose;
        hol_data_body_pose(data, i, &pose);
        put3(r + 3 * i, pose.r);
        quaternion_of(pose.R, p + 4 * i);
    }
}

/* Reactions of the joints; NaN where the equations of motion cannot be solved. */
static hol_status fill_joints(const hol__record *record, hol_data *data, double *values) {
    double *point = hol__record_place(record, HOL__FIELD_JOINT_POINT, values);
    double *force = hol__record_place(record, HOL__FIELD_JOINT_FORCE, values);
    double *moment = hol__record_place(record, HOL__FIELD_JOINT_MOMENT, values);
    double *force_joint = hol__record_place(record, HOL__FIELD_JOINT_FORCE_OWN, values);
    double *moment_joint = hol__record_place(record, HOL__FIELD_JOINT_MOMENT_OWN, values);
    double *unique = hol__record_place(record, HOL__FIELD_JOINT_UNIQUE, values);
    for (int i = 0; i < record->shape.n_joints; i++) {
        hol_reaction reaction = {.size = sizeof reaction};
        const hol_status status = hol_data_reaction(data, i, &reaction);
        if (status < 0) return status;
        put3(point + 3 * i, reaction.point);
        put3(force + 3 * i, reaction.force);
        put3(moment + 3 * i, reaction.moment);
        put3(force_joint + 3 * i, reaction.force_joint);
        put3(moment_joint + 3 * i, reaction.moment_joint);
        unique[i] = reaction.unique != 0;
    }
    return HOL_OK;
}

/* What the forces do. */
static hol_status fill_forces(const hol__record *record, hol_data *data, double *values) {
    double *point = hol__record_place(record, HOL__FIELD_FORCE_POINT, values);
    double *force = hol__record_place(record, HOL__FIELD_FORCE_FORCE, values);
    double *moment = hol__record_place(record, HOL__FIELD_FORCE_MOMENT, values);
    for (int i = 0; i < record->shape.n_forces; i++) {
        hol_load load = {.size = sizeof load};
        const hol_status status = hol_data_force(data, i, &load);
        if (status) return status;
        put3(point + 3 * i, load.point);
        put3(force + 3 * i, load.force);
        put3(moment + 3 * i, load.moment);
    }
    return HOL_OK;
}

/* Energies, violations, coordinates and poses. */
static hol_status fill_motion(const hol__record *record, hol_sim *sim, double *values) {
    hol_data *data = hol_sim_data(sim);
    const hol_model *model = hol_data_model(data);
    hol_energy energy = {.size = sizeof energy};
    const hol_status status = hol_data_energy(data, &energy);
    if (status) return status;
    double *e = hol__record_place(record, HOL__FIELD_KINETIC, values);
    e[0] = energy.kinetic, e[1] = energy.potential, e[2] = energy.work, e[3] = energy.balance;
    double *violation = hol__record_place(record, HOL__FIELD_POSITION_VIOLATION, values);
    violation[0] = norm(hol_data_position_residual(data), model->mh);
    violation[1] = norm(hol_data_velocity_residual(data), model->m);
    double *q = hol__record_place(record, HOL__FIELD_Q, values),
           *v = hol__record_place(record, HOL__FIELD_V, values);
    if (hol__model_varies(model))
        hol__sim_bodies_state(sim, q, v);
    else {
        memcpy(q, hol_data_q(data), sizeof(double) * (size_t)record->shape.n_q);
        memcpy(v, hol_data_v(data), sizeof(double) * (size_t)record->shape.n_v);
    }
    fill_bodies(record, data, values);
    return HOL_OK;
}

/* The reactions of single constraints. */
static hol_status fill_constraints(hol__record *record, hol_data *data) {
    const int first = 1 + record->shape.n_measures - record->constraints.n;
    return hol__constraint_columns_fill(&record->constraints, data, record->values + first);
}

/* Whether the state is that of the values. Its stamp says so of positions and time. */
static int is_same(const hol__record *record, const hol_data *data, unsigned long stamp) {
    const double *v = hol__record_place(record, HOL__FIELD_V, record->values);
    return record->stamp == stamp && !hol__model_varies(hol_data_model(data)) &&
           memcmp(v, hol_data_v(data), sizeof(double) * (size_t)record->shape.n_v) == 0;
}

/* The time, and the fields that are not known yet at the state of the simulation: motion, forces
 * and reactions. What is asked for becomes known. */
static hol_status fill(hol__record *record, hol_sim *sim, unsigned what) {
    hol_data *data = hol_sim_data(sim);
    const size_t turns = 4 * sizeof(double) * (size_t)record->shape.n_bodies;
    double *p = hol__record_place(record, HOL__FIELD_BODY_QUATERNION, record->values);
    hol_status status = HOL_OK;
    const unsigned long stamp = hol__extremes_sight(sim).stamp;
    record->values[0] = hol_data_time(data);
    if (!what) return HOL_OK;
    if (!is_same(record, data, stamp)) record->known = 0;
    record->stamp = stamp;
    const unsigned missing = what & ~record->known;
    if (missing & HOL__KNOWS_MOTION) {
        /* a step has the sign that a record there would have */
        if (record->extremes.n) memcpy(p, record->extremes.turns, turns);
        status = fill_motion(record, sim, record->values);
    }
    if (!status && missing & HOL__KNOWS_FORCES) status = fill_forces(record, data, record->values);
    if (!status && missing & HOL__KNOWS_JOINTS) status = fill_joints(record, data, record->values);
    if (!status && missing & HOL__KNOWS_CONSTRAINTS) status = fill_constraints(record, data);
    if (status >= 0) record->known |= what;
    return status;
}

hol_status hol__record_fill(hol__record *record, hol_sim *sim, int whole) {
    hol_data *data = hol_sim_data(sim);
    const int n = record->shape.n_measures - record->constraints.n;
    const unsigned what = whole                   ? HOL__KNOWS_ALL
                          : record->constraints.n ? HOL__KNOWS_CONSTRAINTS
                                                  : 0;
    hol_status status = HOL_OK;
    for (int i = 0; i < n; i++)
        if ((status = hol_data_measure(data, i, &record->values[1 + i])) < 0) return status;
    status = fill(record, sim, what);
    if (status) return status;
    hol__record_take_written(record, what);
    convert(record);
    record->known = 0; /* values have units now */
    return HOL_OK;
}

void hol__record_look(hol__record *record, hol_sim *sim, int whole) {
    const hol__sight sight = hol__extremes_sight(sim);
    unsigned what = 0;
    if (whole) what |= HOL__KNOWS_MOTION;
    if (whole && sight.forces) what |= HOL__KNOWS_FORCES;
    if (whole && sight.solved) what |= HOL__KNOWS_JOINTS;
    if (record->constraints.n && sight.solved) what |= HOL__KNOWS_CONSTRAINTS;
    if (fill(record, sim, what) == HOL_OK) hol__record_take(record, what);
}
