/* assemblies_answer.c: what is told of the assemblies that were found. */
#include "analysis/assemblies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

/* "2" or "2 crank" */
static void row_name(int branch, const char *what, char name[NAME]) {
    snprintf(name, NAME, "%d%s%.200s", branch + 1, what ? " " : "", what ? what : "");
}

/* The coordinates that are held, with commas. */
static void tell_held(const hol__assemblies *a, hol_answer *answer) {
    char list[1024] = "nothing", name[NAME];
    size_t used = 0;
    for (int i = 0; i < a->closing.n_held && used + 1 < sizeof list; i++) {
        const hol__hold *held = &a->closing.held[i];
        if (held->joint < 0) hol_model_velocity_name(a->from, held->velocity, name, sizeof name);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 held->joint < 0 ? name : a->from->joints[held->joint].name);
    }
    hol__answer_text(answer, "held", "held", "%s", list);
}

static void tell_branches(hol__assemblies *a, hol_answer *answer) {
    static const char *const names[] = {"found", "freedoms", "sign", "displacement", "rotation"};
    static const char *const units[] = {"", "", "", "m", "rad"};
    char name[NAME];
    hol__sheet *sheet = hol__answer_sheet(
        answer, "assemblies", "assemblies, and how far bodies are from where they are drawn", 5);
    for (int i = 0; i < 5; i++) hol__sheet_column(sheet, i, names[i], units[i]);
    for (int i = 0; i < a->n; i++) {
        double apart[2];
        row_name(i, NULL, name);
        double *row = hol__sheet_add(sheet, name);
        hol__assemblies_apart(a, a->branch[i].q, a->drawn, apart);
        if (!row) continue;
        row[0] = a->branch[i].count;
        row[1] = a->branch[i].freedoms;
        row[2] = a->branch[i].sign;
        row[3] = apart[0], row[4] = apart[1];
    }
}

/* The pose of every body in each assembly. */
static void tell_poses(hol__assemblies *a, hol_answer *answer) {
    static const char *const plane[] = {"x", "y", "angle"};
    static const char *const space[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    const hol_model *m = a->from;
    const int n = m->dim == 2 ? 3 : 7;
    char name[NAME];
    hol__sheet *sheet = hol__answer_sheet(answer, "poses", "mass centres and orientations", n);
    for (int i = 0; i < n; i++)
        hol__sheet_column(sheet, i, (m->dim == 2 ? plane : space)[i],
                          i < m->dim    ? "m"
                          : m->dim == 2 ? "rad"
                                        : "");
    for (int i = 0; i < a->n; i++)
        for (int b = 0; b < m->nb; b++) {
            row_name(i, m->bodies[b].name, name);
            double *row = hol__sheet_add(sheet, name);
            if (row) memcpy(row, a->branch[i].q + (size_t)b * (size_t)n, sizeof *row * (size_t)n);
            if (row && m->dim == 2) row[2] = remainder(row[2], 6.283185307179586476925);
        }
}

/* The coordinates of joints in each assembly: a vector with the unit of each. */
static void tell_joints(hol__assemblies *a, hol_answer *answer) {
    const hol_model *m = a->from;
    char name[NAME];
    int n = 0;
    for (int j = 0; j < m->n_joints; j++) n += hol__joint_place_kind(&m->joints[j]) != 0;
    if (!n || !a->n) return;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "joints", "coordinates of joints in each assembly, 0 as drawn", a->n);
    for (int i = 0; i < a->n; i++) {
        row_name(i, NULL, name);
        hol__sheet_column(sheet, i, name, "");
    }
    for (int j = 0, row = 0; j < m->n_joints; j++) {
        const int kind = hol__joint_place_kind(&m->joints[j]);
        if (!kind) continue;
        double *x = hol__sheet_add(sheet, m->joints[j].name);
        hol__sheet_row_unit(sheet, row++, kind == 1 ? "rad" : "m");
        for (int i = 0; i < a->n && x; i++) x[i] = a->branch[i].coordinates[j];
    }
}

/* By how much the coordinates of the first differ from the drawing. */
static void tell_moved(hol__assemblies *a, hol_answer *answer) {
    const hol_model *m = a->from;
    char name[NAME];
    if (!a->n) return;
    hol__sheet *sheet =
        hol__answer_sheet(answer, "moved", "coordinates of assembly 1 against the drawing", 1);
    hol__sheet_column(sheet, 0, "moved", "");
    m->coords->minus(m, a->branch[0].q, a->drawn, a->closing.away);
    for (int i = 0; i < m->nv; i++) {
        hol_model_velocity_name(m, i, name, sizeof name);
        double *row = hol__sheet_add(sheet, name);
        hol__sheet_row_unit(sheet, i, hol__is_turn(m, i) ? "rad" : "m");
        if (row) row[0] = a->closing.away[i];
    }
}

void hol__assemblies_tell(hol__assemblies *a, hol_answer *answer) {
    int moving = 0;
    hol__answer_number(answer, "assemblies", "assemblies found", a->n, "");
    for (int i = 0; i < a->n; i++) moving += a->branch[i].freedoms > 0;
    if (moving)
        hol__answer_number(answer, "moving", "of them families that can still move", moving, "");
    hol__answer_number(answer, "starts", "starts", a->starts + 1, "");
    hol__answer_number(answer, "closed", "starts that closed", a->closed, "");
    tell_held(a, answer);
    if (a->more)
        hol__report(
            a->ctx, HOL_WARNING, HOL_OK, NULL, "assemblies",
            "more than %d were met, and no more are listed: hold more coordinates, or look at "
            "loops that have nothing to do with each other in models of their own",
            HOL__MOST_ASSEMBLIES);
    tell_branches(a, answer);
    tell_moved(a, answer);
    tell_joints(a, answer);
    hol__assemblies_tell_elbows(a, answer);
    tell_poses(a, answer);
}
