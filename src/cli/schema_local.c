/* schema_local.c: holonom schema --local: the local coordinates of every joint type, their
 * constraint matrix and its complement in symbols, from the examples of the types. */
#include "cli/cli.h"

#include <string.h>

/* Types that exist in the plane and in space have a planar example; these are their joints in
 * space, on the rod of the spatial examples. */
static const struct {
    const char *type, *joint;
} in_space[] = {
    {"revolute", "at: [0, 0, 0], axis: [0, 0, 1]"},
    {"prismatic", "at: [0, 0, 0], axis: [1, 0, 0]"},
    {"fixed", "at: [0, 0, 0]"},
    {"distance", "from: [0, 1, 0], to: [1, 0, 0]"},
    {"generic", "at: [0, 0, 0], lock: [x, y, rx]"},
    {"point_on_line", "at: [0, 0, 0], at_second: [1, 0, 0], axis: [1, 0, 0]"},
    {"same_orientation", ""},
    {"revolute_revolute", "from: [0.4, 1, 0], to: [1, 0, 0], axis: [0, 0, 1]"},
    {"rolling_disk", "plane: [0, 0, -0.3], radius: 0.3, axis: [0, 1, 0]"},
    {NULL, NULL},
};

static void put_head(void) {
    puts("# Local coordinates of the joints\n");
    puts("Written by `holonom schema --local` (`tools/docs.sh`) from the tables that the program "
         "computes with. Theory:\n[basis local](theory/bases/local.md), source [BL].\n");
    puts("With `local_coordinates: fewest`, the default, every constraint is its own local "
         "coordinate: n_i = m_i, C_i = 1, no D_i.\nWith `local_coordinates: full` a joint has the "
         "whole relative position, or the whole relative orientation, of its two\nbodies that it "
         "constrains in part. Each line below is one constrained point: m_i constraints over n_i "
         "local coordinates.\n");
    puts("| symbol | |\n|---|---|\n"
         "| P1, P2 | the point of the joint on the first and second body |\n"
         "| F1, F2 | the frame of the joint on the bodies, in their components |\n"
         "| R1, R2; w1, w2 | orientations of the bodies; angular velocities in their frames |\n"
         "| e_i | the axes of the joint that are locked, in components of the first body |\n"
         "| a1, a2 | the axes of the joint on the bodies |\n"
         "| p_0, p | the relative quaternion of the frames; [p]x w = p x w |\n"
         "| C_i, C_ij | row i of the constraint matrix, its entry |\n"
         "| e_k | the axis that C_1 has the least of |\n");
    puts("Where x' stands only the rates are coordinates (quasi-coordinates). A row itself: x = "
         "Phi, for a constraint on velocities\nx' = A v.\n");
    puts(
        "| joint | in the | m_i | n_i | x_i | row i of C_i | D_i |\n|---|---|---|---|---|---|---|");
}

/* Whether a point belongs to a joint of that type. */
static int is_of(const hol_model *model, const hol_local_point *p, const char *type) {
    for (int k = 0; k < cli_about(model).n_joints; k++) {
        char label[256];
        hol_element_info joint = {.size = sizeof joint};
        hol_model_joint_describe(model, k, &joint);
        snprintf(label, sizeof label, "joint '%s'", joint.name);
        if (strcmp(joint.type, type) == 0 && strcmp(label, p->element) == 0) return 1;
    }
    return 0;
}

/* The points of the joints of that type in a model; rows that are their own coordinates in one
 * line. */
static void put_points(cli_session *cli, const hol_model *model, const char *type,
                       const char *space) {
    hol_local_point p = {.size = sizeof p}, next = p;
    int more = hol_model_local_point(cli->ctx, model, 0, &next) == HOL_OK;
    for (int i = 1; more; i++) {
        p = next;
        int same = 1;
        while ((more = hol_model_local_point(cli->ctx, model, i, &next) == HOL_OK) &&
               p.n_coordinates == 1 && next.n_coordinates == 1 && strcmp(p.x, next.x) == 0 &&
               strcmp(p.element, next.element) == 0)
            i++, same++;
        if (is_of(model, &p, type))
            cli_printf(stdout, "| %s | %s | %d | %d | %s | %s | %s |\n", type, space,
                       same * p.n_constraints, same * p.n_coordinates, p.x, p.C, p.D);
    }
}

/* A whole model file; 0 when it cannot be read. */
static int put_model(cli_session *cli, const char *text, const char *type, const char *space) {
    hol_spec *spec = hol_spec_new(cli->ctx);
    hol_model *model = NULL;
    if (spec && text && hol_spec_read_text(spec, text, type) == HOL_OK)
        model = hol_model_from_spec(cli->ctx, spec, NULL);
    if (model) put_points(cli, model, type, space);
    hol_model_free(model);
    hol_spec_free(spec);
    return model != NULL;
}

/* The joint of a type in space. */
static int put_in_space(cli_session *cli, const char *type) {
    int i = 0;
    char text[1024];
    while (in_space[i].type && strcmp(in_space[i].type, type) != 0) i++;
    if (!in_space[i].type) return 1;
    snprintf(text, sizeof text,
             "holonom: 1\nspace: spatial\nbodies:\n"
             "  rod: {mass: 1.2, inertia: [0.1, 0.2, 0.2], along: [[0, 0, 0], [1, 0, 0]]}\n"
             "joints:\n  A: {type: %s, bodies: [ground, rod]%s%s}\n",
             type, in_space[i].joint[0] ? ", " : "", in_space[i].joint);
    return put_model(cli, text, type, "space");
}

int cli_schema_local(cli_session *cli) {
    hol_element_doc e = {.size = sizeof e};
    int ok = 1;
    put_head();
    for (int i = 0; ok && hol_element_get(i, &e) == HOL_OK; i++) {
        if (strcmp(e.section, "joints") != 0) continue;
        char *text = hol_element_example(cli->ctx, e.section, e.name);
        ok = put_model(cli, text, e.name, e.planar ? "plane" : "space");
        if (ok && e.planar && e.spatial) ok = put_in_space(cli, e.name);
        hol_free(cli->ctx, text);
    }
    return ok ? CLI_OK : cli_exit_code(cli->status);
}
