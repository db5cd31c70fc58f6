/* record.c: the layout of a record: which quantities there are, and where each lies. */
#include "io/record.h"

#include <assert.h>
#include <string.h>

/* How many of something a field has; the sizes come from the shape. */
typedef enum count { ONE, COUNT_Q, COUNT_V, BODIES, JOINTS, FORCES } count;

static const struct field_row {
    const char *group, *name;
    count rows;
    int width; /* 1: a number a row */
    const char *unit, *frame, *doc;
} rows[] = {
    [HOL__FIELD_KINETIC] = {"energy", "kinetic", ONE, 1, "J", "", "kinetic energy"},
    [HOL__FIELD_POTENTIAL] = {"energy", "potential", ONE, 1, "J", "", "potential energy"},
    [HOL__FIELD_WORK] = {"energy", "work", ONE, 1, "J", "",
                         "work done so far by everything that is not conservative"},
    [HOL__FIELD_BALANCE] = {"energy", "balance", ONE, 1, "J", "",
                            "kinetic + potential - work, constant in an exact solution"},
    [HOL__FIELD_POSITION_VIOLATION] = {"constraints", "position_violation", ONE, 1, "", "",
                                       "Euclidean norm of Phi(q, t), in m and rad"},
    [HOL__FIELD_VELOCITY_VIOLATION] = {"constraints", "velocity_violation", ONE, 1, "", "",
                                       "Euclidean norm of A v - b, in m/s and rad/s"},
    [HOL__FIELD_Q] =
        {"state", "q", COUNT_Q, 1, "", "",
         "coordinates, in m and rad (or quaternions); reference-point ones where joints or forces "
         "take hold and let go"},
    [HOL__FIELD_V] = {"state", "v", COUNT_V, 1, "", "", "velocities of these, in m/s and rad/s"},
    [HOL__FIELD_BODY_POSITION] = {"bodies", "position", BODIES, 3, "m", "global",
                                  "origin of the body frame"},
    [HOL__FIELD_BODY_QUATERNION] =
        {"bodies", "quaternion", BODIES, 4, "", "global",
         "orientation of the body frame: unit quaternion, scalar first, body to global"},
    [HOL__FIELD_JOINT_POINT] = {"joints", "point", JOINTS, 3, "m", "global",
                                "where the reaction is taken"},
    [HOL__FIELD_JOINT_FORCE] = {"joints", "force", JOINTS, 3, "N", "global",
                                "force on the first body of the joint"},
    [HOL__FIELD_JOINT_MOMENT] = {"joints", "moment", JOINTS, 3, "N*m", "global",
                                 "moment on the first body of the joint about the point"},
    [HOL__FIELD_JOINT_FORCE_OWN] =
        {"joints", "force_joint", JOINTS, 3, "N", "joint",
         "force on the first body of the joint; joint frame: z along the axis, fixed in the first "
         "body"},
    [HOL__FIELD_JOINT_MOMENT_OWN] =
        {"joints", "moment_joint", JOINTS, 3, "N*m", "joint",
         "moment on the first body of the joint; joint frame: z along the axis, fixed in the first "
         "body"},
    [HOL__FIELD_JOINT_UNIQUE] = {"joints", "unique", JOINTS, 1, "", "",
                                 "1 where the reaction is unique, 0 where redundant constraints "
                                 "leave it open and the least "
                                 "one is shown"},
    [HOL__FIELD_FORCE_POINT] = {"forces", "point", FORCES, 3, "m", "global",
                                "where the force acts on its first body: its point there, or the "
                                "place of contact while shapes touch"},
    [HOL__FIELD_FORCE_FORCE] = {"forces", "force", FORCES, 3, "N", "global",
                                "force on the first body of the force"},
    [HOL__FIELD_FORCE_MOMENT] = {"forces", "moment", FORCES, 3, "N*m", "global",
                                 "moment on the first body of the force about the point"},
};

static_assert(sizeof rows / sizeof *rows == HOL__FIELD_COUNT, "a row for each field");

/* How many rows a field has in a record of that shape. */
static int count_of(const hol__shape *shape, count what) {
    switch (what) {
    case COUNT_Q: return shape->n_q;
    case COUNT_V: return shape->n_v;
    case BODIES: return shape->n_bodies;
    case JOINTS: return shape->n_joints;
    case FORCES: return shape->n_forces;
    default: return 1;
    }
}

/* Append a field to the table. */
static void add_field(hol__record *record, hol__field field) {
    field.size = 1;
    for (int i = 0; i < field.rank; i++) field.size *= field.dims[i];
    field.offset = record->size;
    record->size += field.size;
    record->fields[record->n_fields++] = field;
}

int hol__record_init(hol__record *record, hol__arena *arena, const hol__shape *shape) {
    *record = (hol__record){.shape = *shape};
    record->fields = HOL__NEW_N(arena, hol__field, 1 + shape->n_measures + HOL__FIELD_COUNT);
    record->units = HOL__NEW_N(arena, hol_unit, 1 + shape->n_measures + HOL__FIELD_COUNT);
    if (!record->fields || !record->units) return 0;
    add_field(record, (hol__field){"", "time", "s", "", "time", 0, {0, 0}, 0, 0, 0, 0});
    for (int i = 0; i < shape->n_measures; i++) {
        const hol_column *column = &shape->measures[i];
        add_field(record, (hol__field){"measures",
                                       column->name,
                                       column->unit,
                                       column->frame,
                                       column->doc,
                                       0,
                                       {0, 0},
                                       0,
                                       0,
                                       0,
                                       0});
    }
    for (int i = 0; i < HOL__FIELD_COUNT; i++) {
        const struct field_row *row = &rows[i];
        const int rank = row->rows == ONE ? 0 : row->width == 1 ? 1 : 2;
        add_field(record, (hol__field){row->group,
                                       row->name,
                                       row->unit,
                                       row->frame,
                                       row->doc,
                                       rank,
                                       {count_of(shape, row->rows), row->width},
                                       0,
                                       0,
                                       0,
                                       0});
    }
    record->values = HOL__NEW_N(arena, double, record->size);
    return record->values != NULL;
}

double *hol__record_at(const hol__record *record, const char *group, const char *name) {
    for (int i = 0; i < record->n_fields; i++) {
        const hol__field *field = &record->fields[i];
        const int is_measure = i >= 1 && i <= record->shape.n_measures;
        if (is_measure != (strcmp(group, "measures") == 0)) continue;
        if (strcmp(field->name, name) == 0 && strcmp(field->group, group) == 0)
            return record->values + field->offset;
    }
    return NULL;
}
