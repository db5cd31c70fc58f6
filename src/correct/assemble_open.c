/* assemble_open.c: what is told of joints that cannot be closed. */
#include "correct/assemble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAMED = 5 };

/* Where joints have values at the start, these may be what keeps the others open. */
static void report_starts(hol__assembly *s) {
    const hol_model *m = s->data->model;
    hol__assembly_residual(s);
    for (int i = 0; i < m->mh; i++) {
        const hol__element *rows = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (rows && rows->start)
            hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &rows->where, rows->label,
                        "the joints cannot be closed with this %s from the drawn position (it is "
                        "off by %.3g at best); change it or leave it out",
                        m->rows[i].direction, s->data->Phi[i]);
    }
}

/* The residual of a joint; values at the start are not held against it. */
static double open_by(const hol__assembly *s, int joint) {
    const hol_model *m = s->data->model;
    double sum = 0;
    for (int i = 0; i < m->mh && !m->joints[joint].start; i++)
        if (m->row_joint[i] == joint) sum += s->data->Phi[i] * s->data->Phi[i];
    return sqrt(sum);
}

/* The joint that is open most, by more than least, -1: none, and how many are. */
static int most_open(const hol__assembly *s, double least, int *count) {
    const hol_model *m = s->data->model;
    double largest = least;
    int worst = -1;
    *count = 0;
    for (int j = 0; j < m->n_joints; j++) {
        const double size = open_by(s, j);
        if (size > least) ++*count;
        if (size > largest) largest = size, worst = j;
    }
    return worst;
}

/* What else may keep joints open: values of joints at the start, coordinates that are fixed. */
static const char *other_causes(const hol__assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->mh; i++)
        if (m->row_joint[i] >= 0 && m->joints[m->row_joint[i]].start)
            return ", or change or leave out a `start`";
    for (int i = 0; i < m->nv; i++)
        if (s->fixed[i]) return ", or leave out a `fix`";
    return "";
}

/* Name the rows of a joint that are open, which count as closed from then on. */
static void report_open_joint(hol__assembly *s, int joint) {
    const hol_model *m = s->data->model;
    const hol__element *e = &m->joints[joint];
    const double size = open_by(s, joint);
    double *Phi = s->data->Phi;
    char rows[256] = "";
    for (int i = 0; i < m->mh; i++) {
        if (m->row_joint[i] != joint) continue;
        const size_t used = strlen(rows);
        if (fabs(Phi[i]) > 1e-6 * size)
            hol__print(rows + used, sizeof rows - used, "%s%s %.3g", used ? ", " : "",
                       m->rows[i].direction, Phi[i]);
        Phi[i] = 0;
    }
    hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &e->where, e->label,
                "cannot be closed: off by %.3g at best (%s); check the lengths, what drivers ask "
                "for and the drawn position%s",
                size, rows, other_causes(s));
}

int hol__assembly_drives(const hol__element *e) {
    return e->type && e->type->late && e->type->quantities && !e->start;
}

/* "joint 'A', joint 'B' and 2 more": those that are open beside one. */
static void list_others(const hol__assembly *s, int one, double least, char *list, size_t size) {
    const hol_model *m = s->data->model;
    size_t used = 0;
    int n = 0;
    snprintf(list, size, "the joints of what it moves");
    for (int j = 0; j < m->n_joints; j++) {
        if (j == one || !(open_by(s, j) > least) || ++n > MAX_NAMED || used + 1 >= size) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%.80s", n > 1 ? ", " : "",
                                 m->joints[j].label);
    }
    if (n > MAX_NAMED && used < size)
        snprintf(list + used, size - used, " and %d more", n - MAX_NAMED);
}

/* The driver that asks for most of what cannot be closed, with what stops it: the residual of the
 * nearest position lies in the rows that hold against each other. Returns whether there is one. */
static int report_impossible(hol__assembly *s, double least) {
    const hol_model *m = s->data->model;
    double most = least;
    int driver = -1;
    char list[600];
    for (int j = 0; j < m->n_joints; j++)
        if (hol__assembly_drives(&m->joints[j]) && open_by(s, j) > most)
            most = open_by(s, j), driver = j;
    if (driver < 0) return 0;
    const hol__element *e = &m->joints[driver];
    list_others(s, driver, least, list, sizeof list);
    hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &e->where, e->label,
                "asks for a position at t = %.6g that cannot be reached from the drawn one: the "
                "nearest is %.4g %s off, and it is stopped by %s. Give it one that the linkage "
                "reaches, or change the lengths",
                s->data->t, most, e->pushes ? "m" : "rad", list);
    for (int i = 0; i < m->mh; i++) /* it is named, and counts as closed from then on */
        if (m->row_joint[i] == driver) s->data->Phi[i] = 0;
    return 1;
}

/* Drivers whose law does not begin near the drawn position may be what keeps the others open: the
 * coordinate of a point or a distance was taken for a displacement from there. */
static void report_far_drivers(hol__assembly *s) {
    const hol_model *m = s->data->model;
    hol__data_set_q(s->data, s->data->t, s->q0);
    hol__assembly_residual(s);
    for (int i = 0; i < m->mh; i++) {
        const hol__element *e = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (e && hol__assembly_drives(e) &&
            fabs(s->data->Phi[i]) > 0.1 * (e->pushes ? m->length : 1))
            hol__report(s->data->ctx, HOL_NOTE, HOL_OK, &e->where, e->label,
                        "at the start it asks for something %.4g away from the drawn position; a "
                        "driver of a body or a distance takes the coordinate itself, not a "
                        "displacement",
                        fabs(s->data->Phi[i]));
    }
}

/* Name the joints that stay open, worst first, and say how many are not named. One that is off by a
 * thousandth of the worst is not quite closed because of that. Where none is open by its share of
 * the whole, the values at the start are. */
hol_status hol__assembly_report_open(hol__assembly *s) {
    double least = 1e-3 * hol__assembly_residual(s) / sqrt(s->data->model->n_joints);
    int count, joint = most_open(s, least, &count);
    if (joint >= 0) least = fmax(least, 1e-3 * open_by(s, joint));
    int named = report_impossible(s, least);
    for (; (joint = most_open(s, least, &count)) >= 0 && named < MAX_NAMED; named++)
        report_open_joint(s, joint);
    if (joint >= 0)
        hol__report(s->data->ctx, HOL_NOTE, HOL_OK, NULL, NULL,
                    "%d more joint%s cannot be closed; those that are off most are named", count,
                    count == 1 ? "" : "s");
    s->data->stage = HOL_STAGE_NONE;
    report_starts(s);
    report_far_drivers(s);
    return HOL_ERR_ASSEMBLY;
}

/* Name the joint whose rows are not finite at the positions in data: nothing closes there. */
hol_status hol__assembly_report_infinite(hol__assembly *s) {
    hol_data *data = s->data;
    if (!hol__data_report_culprit(data, hol__data_blame(data), data->t))
        hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "assembly",
                    "the constraints are NaN or infinite at the drawn position, t = %.6g", data->t);
    return HOL_ERR_SINGULAR;
}
