/* active.c: the key `active` of joints and forces: when they act; and leaving out of a model those
 * that do not.
 *
 * A condition without memory says at every state whether the element acts; one with memory says
 * when it lets go (`until`) and when it takes hold (`from`). A model in which some elements do not
 * act has all of them by name and index, with their measures, tracked angles and states, but no
 * records of those that do not: rows, freedoms, trees and patterns follow from what is left.
 */
#include "compile/compile.h"
#include "element/rigid.h"
#include "element/joints.h"

#include <string.h>

static const char *const places[] = {"drawn", "here", NULL};

const hol__key hol__active_keys[] = {
    {"initially", HOL__KEY_BOOL, NULL, "", 0,
     "Whether it acts at the start. Needed where both `until` and `from` are given; default: true "
     "with `until` alone, false with `from` alone.",
     NULL, HOL__NO_FIELD},
    {"until", HOL__KEY_LAW, "", "", 0, "It is released when this becomes true (or positive).", NULL,
     HOL__NO_FIELD},
    {"from", HOL__KEY_LAW, "", "", 0, "It engages when this becomes true (or positive).", NULL,
     HOL__NO_FIELD},
    {"catch", HOL__KEY_CHOICE, NULL, "drawn", 0,
     "Joints that lock directions of a frame: `drawn`, they hold what is drawn, and must fit when "
     "they take hold; `here`, they hold the second body as it then lies.",
     places, HOL__NO_FIELD},
    HOL__KEY_END,
};

/* ---- reading ---- */

/* Whether column c of a measure shows what that joint or force does. */
static int shows_doing(const hol__measure *m, int c, const hol__element *of) {
    if (strcmp(of->type->section, "forces") == 0)
        return m->force == of->index && (m->acts >> c & 1);
    return m->joint == of->index &&
           (m->kind == &hol__measure_reaction || m->kind == &hol__measure_multiplier ||
            m->kind == &hol__measure_load);
}

/* Whether an expression reads what the element does, also through other measures. */
static int reads_doing(const hol_model *model, const hol__expr *e, const hol__element *of) {
    for (int k = 0; k < model->n_measures; k++) {
        const hol__measure *m = &model->measures[k];
        for (int c = 0; c < m->count; c++)
            if (hol__expr_reads(e, 1 + m->first + c) &&
                (shows_doing(m, c, of) || (m->e && reads_doing(model, m->e, of))))
                return 1;
    }
    return 0;
}

/* A condition without memory, which may not follow from what the element itself does. */
static void read_condition(hol__build *build, hol__node *node, const hol__element *e,
                           hol__active *active) {
    active->initially = -1;
    if (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0) {
        active->initially = node->text[0] == 't';
        return;
    }
    active->when = hol__read_expr(build, node, HOL__NAMES_ALL, NULL, NULL);
    if (active->when && e->by_event)
        hol__build_error(build, node,
                         "says at every state whether it acts, and events switch it as well; say "
                         "`true` or `false` for the start, or {until: …, from: …}");
    if (active->when && e->type && reads_doing(build->model, active->when, e))
        hol__build_error(build, node,
                         "reads the %s itself, which is zero while it does not act; say when it "
                         "lets go and when it takes hold: {until: …, from: …}",
                         strcmp(e->type->section, "joints") == 0 ? "reaction of the joint"
                                                                 : "load of the force");
}

/* The expression of a key of the map; NULL where it is not there. */
static const hol__expr *read_law(hol__build *build, const hol__node *map, const char *key) {
    hol__node *node = hol__node_get(map, key);
    return node ? hol__read_expr(build, node, HOL__NAMES_ALL, NULL, NULL) : NULL;
}

/* Whether `catch: here` has a meaning: a frame of which something is locked as drawn. */
static int can_catch_here(const hol__element *e) {
    return e->lock && !(e->lock & HOL__LOCK_DRIVEN) && e->pitch == 0 &&
           e->type != &hol__joint_universal;
}

/* A condition with memory. */
static void read_map(hol__build *build, hol__node *map, const hol__element *e,
                     hol__active *active) {
    hol__check_keys(build, map, hol__active_keys, NULL, "`active`");
    active->until = read_law(build, map, "until");
    active->from = read_law(build, map, "from");
    hol__node *until = hol__node_get(map, "until"), *from = hol__node_get(map, "from");
    if (!until && !from && !e->by_event)
        hol__build_error(build, map,
                         "says neither `until` when it acts nor `from` when; give one of them, or "
                         "a condition such as active: t < 2");
    if (until && from && !hol__node_get(map, "initially"))
        hol__build_error(build, map,
                         "does not say whether it acts at the start; add `initially: true` or "
                         "`initially: false`");
    active->initially = hol__node_get(map, "initially")
                            ? hol__read_bool(build, map, hol__active_keys, "initially") != 0
                            : until != NULL;
    active->here = hol__read_choice(build, map, hol__active_keys, "catch") == 1;
    if (active->here && !can_catch_here(e))
        hol__build_error(build, hol__node_get(map, "catch"),
                         "this element does not lock directions of a frame and cannot be placed "
                         "where it takes hold; leave out `catch`, and let it fit");
}

/* The key `active` of one item. */
static void read_active(hol__build *build, hol__node *item, hol__element *e) {
    hol__node *node = item->kind == HOL__MAP ? hol__node_get(item, "active") : NULL;
    if (!node || !e->type) return;
    hol__active *active = HOL__NEW(build->arena, hol__active);
    if (!active) return;
    build->element = e->label;
    node->used = 1;
    active->where = hol__keep_location(build, node->where);
    if (node->kind == HOL__SCALAR)
        read_condition(build, node, e, active);
    else if (node->kind == HOL__MAP)
        read_map(build, node, e, active);
    else
        hol__build_error(build, node,
                         "expected a condition such as t < 2, or {until: …, from: …}, found %s",
                         hol__node_kind_name(node));
    e->active = active;
    build->model->n_switched++;
}

/* What events switch without such a key acts at the start. */
static void mark_switched(hol__build *build, hol__element *elements, int n) {
    for (hol__element *e = elements; e && e < elements + n; e++) {
        hol__active *active =
            e->by_event && !e->active ? HOL__NEW(build->arena, hol__active) : NULL;
        if (!active) continue;
        *active = (hol__active){.initially = 1, .where = e->where};
        e->active = active;
        build->model->n_switched++;
    }
}

/* ---- what is left out ---- */

/* Whether a record belongs to a joint that does not act, or for which one that pushes stands in. */
static int is_left_out(const void *self, int batch, int record) {
    const hol_model *model = self;
    const hol__con_batch *from = &model->con_batches[batch];
    const hol__con *con = hol__con_record(from, record);
    const hol__element *joint = &model->joints[con->element];
    return joint->off || (hol__rigid_stands_in(joint) && !hol__rigid_has_rows(from->type));
}

/* The elements that do not act, marked; their records, and those of forces that joints brought,
 * out. */
static void leave_out(hol__build *build) {
    hol_model *model = build->model;
    const hol__variant *variant = build->variant;
    if (!variant) return;
    for (int k = 0; k < variant->n_joints; k++) model->joints[k].off = variant->off[k];
    for (int k = 0; k < model->n_forces; k++)
        model->forces[k].off = variant->off[variant->n_joints + k];
    hol__drop_records(model, is_left_out, model);
    hol__drop_forces(build);
    for (int k = 0; k < model->n_joints; k++)
        if (model->joints[k].off || hol__rigid_stands_in(&model->joints[k]))
            model->joints[k].lock = 0;
}

void hol__compile_active(hol__build *build) {
    static const char *const sections[2] = {"joints", "forces"};
    hol__element *const elements[2] = {build->model->joints, build->model->forces};
    for (int s = 0; s < 2; s++) {
        const hol__node *map = hol__section(build, sections[s]);
        hol__element *e = elements[s];
        for (hol__node *item = map && e ? map->first : NULL; item; item = item->next)
            read_active(build, item, e++);
    }
    mark_switched(build, build->model->joints, build->model->n_joints);
    mark_switched(build, build->model->forces, build->model->n_forces);
    if (!build->errors) leave_out(build);
}
