/* export_tree.c: bodies and joints of a model as a robot: a tree from the ground outwards, and
 * joints that close its loops.
 *
 * All is at the assembled start; `ref` of a joint is its coordinate there, counted from the drawn
 * position as in the model. A joint of several freedoms is a chain of hinges and slides with links
 * of no mass between:
 *
 *     cylindrical   slide, hinge              planar   slide, slide, hinge
 *     universal     hinge, hinge              screw    slide, hinge, coupled
 *
 * Loops are cut at hinges, balls and fixed joints. A body in the plane that no joint holds gets a
 * planar one.
 */
#include "exchange/export.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <string.h>

/* What a type of joint is here. */
typedef struct kind {
    const char *type;
    hol__joint_kind steps[3];
    int n, cuttable;
} kind;

static const kind kinds[] = {
    {"revolute", {HOL__JOINT_HINGE}, 1, 1},
    {"prismatic", {HOL__JOINT_SLIDE}, 1, 0},
    {"spherical", {HOL__JOINT_BALL}, 1, 1},
    {"fixed", {HOL__JOINT_FIXED}, 1, 1},
    {"cylindrical", {HOL__JOINT_SLIDE, HOL__JOINT_HINGE}, 2, 0},
    {"universal", {HOL__JOINT_HINGE, HOL__JOINT_HINGE}, 2, 0},
    {"screw", {HOL__JOINT_SLIDE, HOL__JOINT_HINGE}, 2, 0},
    {"planar", {HOL__JOINT_SLIDE, HOL__JOINT_SLIDE, HOL__JOINT_HINGE}, 3, 0}};

typedef struct graph {
    hol_export *ex;
    int nb;          /* the ground */
    const kind **of; /* of each joint; NULL: none of these */
    char *in_tree, *seen;
    int *set;                  /* bodies that are connected */
    int *queue, *first, *next; /* joints at each body: 2 j + end */
} graph;

/* ---- bodies ---- */

static hol__placement pose_of(hol_export *ex, int body) {
    hol__placement at = HOL__PLACEMENT_ZERO;
    hol_pose pose;
    if (body >= ex->model->nb || hol_data_body_pose(hol_sim_data(ex->sim), body, &pose)) return at;
    memcpy(at.r, pose.r, sizeof at.r);
    hol__quat_from_matrix(pose.R, at.q);
    return at;
}

/* The shapes of a body. */
static void read_shapes(hol_export *ex, const hol__body *b, int body) {
    static const char *const types[] = {"box", "cylinder", "sphere"};
    for (int i = 0; i < b->n_shapes; i++) {
        const hol_shape *s = &b->shapes[i];
        hol__placement at;
        memcpy(at.r, s->at, sizeof at.r);
        hol__quat_from_matrix(s->R, at.q);
        if (s->kind > HOL_SHAPE_SPHERE) {
            hol__note_at(ex->im, HOL_IMPORT_NO_EFFECT, b->where, b->label,
                         "shape %d is not drawn: boxes, cylinders and spheres are", i + 1);
            continue;
        }
        hol__drawn *d = hol__robot_draw(ex->im, body, types[s->kind], &at);
        if (!d) return;
        memcpy(d->size, s->size, sizeof d->size);
        if (strlen(s->color) < sizeof d->color) strcpy(d->color, s->color);
    }
}

/* One body; in the plane its inertia about the axes in the plane does not act, and is the third. */
static void read_body(hol_export *ex, int i) {
    const hol__body *b = &ex->model->bodies[i];
    const hol__placement at = pose_of(ex, i);
    const int body = hol__robot_add_body(ex->im, b->name, NULL, &at);
    if (body < 0) return;
    hol__robot_body *r = &ex->im->robot.bodies[body];
    r->mass = b->mass;
    memcpy(r->com, b->com, sizeof r->com);
    if (ex->model->dim == 3)
        memcpy(r->J, b->J, sizeof r->J);
    else
        r->J[0] = r->J[4] = r->J[8] = b->inertia;
    read_shapes(ex, b, body);
    if (b->motion)
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, b->where, b->label,
                     "it moves as given: that is not part of the format");
}

/* ---- coordinates at the start ---- */

/* The drawn frame of a body. */
static hol__placement drawn(const hol_export *ex, int body) {
    hol__placement at = HOL__PLACEMENT_ZERO;
    if (body >= ex->model->nb) return at;
    const hol__body *b = &ex->model->bodies[body];
    if (ex->model->dim == 3)
        memcpy(at.q, b->p, sizeof at.q);
    else
        at.q[0] = cos(b->theta / 2), at.q[3] = sin(b->theta / 2);
    double com[3];
    hol__placement_turn(&at, b->com, com);
    hol__sub3(b->r, com, at.r);
    return at;
}

/* The angle of the second body about an axis in its frame against the first, now less drawn. */
static double angle_of(hol_export *ex, const hol__element *e, const double axis[3]) {
    hol__placement rel[2];
    for (int now = 0; now < 2; now++) {
        const hol__placement a = now ? pose_of(ex, e->body[0]) : drawn(ex, e->body[0]),
                             b = now ? pose_of(ex, e->body[1]) : drawn(ex, e->body[1]);
        const hol__placement back = hol__placement_inverse(&a);
        rel[now] = hol__placement_mul(&back, &b);
    }
    const hol__placement back = hol__placement_inverse(&rel[0]);
    const hol__placement turn = hol__placement_mul(&back, &rel[1]);
    double q = 2 * atan2(hol__dot3(turn.q + 1, axis), turn.q[0]);
    const double pi = acos(-1.0);
    if (q > pi) q -= 2 * pi;
    if (q < -pi) q += 2 * pi;
    return q;
}

/* The points and directions of a joint now, and its coordinates. */
typedef struct placed {
    double at[2][3], axis[3], x[3], y[3], second[3];
    double angle, displacement;
} placed;

static void column(const hol__placement *at, const double F[9], int i, double out[3]) {
    const double local[3] = {F[i], F[3 + i], F[6 + i]};
    hol__placement_turn(at, local, out);
}

static void place_joint(hol_export *ex, const hol__element *e, placed *p) {
    const hol_model *model = ex->model;
    const hol__placement body[2] = {pose_of(ex, e->body[0]), pose_of(ex, e->body[1])};
    double d[3], axis[3];
    for (int k = 0; k < 2; k++) {
        const double *com = e->body[k] < model->nb ? model->bodies[e->body[k]].com : NULL;
        double s[3];
        for (int i = 0; i < 3; i++) s[i] = e->marker[k].s[i] + (com ? com[i] : 0);
        hol__placement_point(&body[k], s, p->at[k]);
    }
    const int slides = model->dim == 2 && e->slides;
    column(&body[0], e->marker[0].F, model->dim == 2 ? (slides ? 0 : 2) : 2, p->axis);
    column(&body[0], e->marker[0].F, 0, p->x);
    column(&body[0], e->marker[0].F, 1, p->y);
    hol__placement_turn(&body[1], e->second_axis, p->second);
    hol__sub3(p->at[1], p->at[0], d);
    p->displacement = hol__dot3(d, p->axis);
    const double *F = e->marker[1].F;
    for (int i = 0; i < 3; i++) axis[i] = F[3 * i + 2];
    p->angle = angle_of(ex, e, axis);
}

/* ---- joints ---- */

static const kind *kind_of(const hol__element *e) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(e->type->name, kinds[i].type) == 0) return &kinds[i];
    return NULL;
}

static int to_robot(const graph *g, int body) {
    return body == g->nb ? HOL__GROUND : body;
}

/* A step of a joint between two bodies, or the links between them. */
static int add_step(graph *g, const char *name, hol__joint_kind k, int parent, int child,
                    const double at[3], const double axis[3], double ref) {
    const int j = hol__robot_add_joint(g->ex->im, name, NULL, k, parent, child);
    if (j < 0) return -1;
    hol__robot_joint *joint = &g->ex->im->robot.joints[j];
    memcpy(joint->at, at, sizeof joint->at);
    memcpy(joint->axis, axis, sizeof joint->axis);
    joint->ref = hol__clean(ref, 1);
    return j;
}

/* Exchange the bodies of a joint: with the axis reversed its coordinate is the same. */
static void reverse(hol__robot_joint *j) {
    const int parent = j->parent;
    j->parent = j->child, j->child = parent;
    for (int i = 0; i < 3; i++) j->axis[i] = -j->axis[i];
}

/* s - s0 = pitch (angle - angle0) of a screw. */
static void couple_screw(graph *g, const hol__element *e, int slide, int hinge) {
    hol__coupling *c = HOL__NEW(&g->ex->im->arena, hol__coupling);
    if (!c) return;
    *c = (hol__coupling){
        .name = e->name, .n = 2, .joints = {slide, hinge}, .factors = {1, -e->pitch}};
    if (g->ex->last_coupling)
        g->ex->last_coupling->next = c;
    else
        g->ex->couplings = c;
    g->ex->last_coupling = c;
    hol__note_at(g->ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                 "it is a slide and a hinge that are coupled");
}

/* The steps of a joint; reversed: the tree comes from its second body. */
static void add_joint(graph *g, int index, int reversed) {
    hol_export *ex = g->ex;
    const hol__element *e = &ex->model->joints[index];
    const kind *k = g->of[index];
    placed p;
    int made[3] = {-1, -1, -1}, bodies[4];
    place_joint(ex, e, &p);
    bodies[0] = to_robot(g, e->body[0]);
    bodies[k->n] = to_robot(g, e->body[1]);
    for (int i = 1; i < k->n; i++) {
        hol__placement at = pose_of(ex, e->body[0]);
        memcpy(at.r, p.at[1], sizeof at.r);
        bodies[i] = hol__robot_add_link(
            ex->im, hol__arena_format(&ex->im->arena, "%s_link%d", e->name, i), NULL, &at);
    }
    const int planar = k->n == 3, universal = strcmp(k->type, "universal") == 0;
    for (int n = 0; n < k->n; n++) {
        const int i = reversed ? k->n - 1 - n : n, hinge = k->steps[i] == HOL__JOINT_HINGE;
        const double *axis = planar && i < 2 ? (i ? p.y : p.x) : universal && i ? p.second : p.axis;
        const char *name = k->n == 1
                               ? e->name
                               : hol__arena_format(&ex->im->arena, "%s_%s", e->name,
                                                   hinge ? (universal && i ? "angle2" : "angle")
                                                         : (i        ? "y"
                                                            : planar ? "x"
                                                                     : "shift"));
        made[i] =
            add_step(g, name, k->steps[i], bodies[i], bodies[i + 1], p.at[k->n == 1 ? 0 : 1], axis,
                     planar || universal ? 0
                     : hinge             ? p.angle
                                         : p.displacement);
        if (made[i] >= 0 && k->steps[i] == HOL__JOINT_SLIDE && k->n == 1)
            memcpy(ex->im->robot.joints[made[i]].at, p.at[1], sizeof p.at[1]);
        if (made[i] >= 0 && reversed) reverse(&ex->im->robot.joints[made[i]]);
    }
    if (!planar && !universal) {
        const int hinge = k->n == 2 ? 1 : 0;
        ex->of[index][0] = made[hinge];
        ex->of[index][1] = k->n == 2 ? made[0] : -1;
    }
    if (strcmp(k->type, "screw") == 0) couple_screw(g, e, made[0], made[1]);
    if (k->n > 1)
        hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                     "it is %d joints one after another, whose coordinates are 0 at the start%s",
                     k->n, planar || universal ? "" : " as here");
}

/* A joint that closes a loop. */
static void add_closing(graph *g, int index) {
    hol_export *ex = g->ex;
    const hol__element *e = &ex->model->joints[index];
    const kind *k = g->of[index];
    placed p;
    if (!k->cuttable || !ex->to_mjcf) {
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label,
                     ex->to_mjcf
                         ? "it closes a loop, and only revolute, spherical and fixed joints can"
                         : "it closes a loop, and URDF knows trees only");
        return;
    }
    place_joint(ex, e, &p);
    const int j = add_step(g, e->name, k->steps[0], to_robot(g, e->body[0]),
                           to_robot(g, e->body[1]), p.at[0], p.axis, 0);
    if (j < 0) return;
    ex->im->robot.joints[j].closes = 1;
    ex->of[index][0] = j;
    hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                 "it closes a loop: an equality constraint, which is soft in MuJoCo");
}

/* ---- the tree ---- */

static int root_of(int *set, int b) {
    while (set[b] != b) b = set[b] = set[set[b]];
    return b;
}

/* Choose the joints of the tree: first those at which no loop can be cut, last those with `cut`. */
static void choose_tree(graph *g) {
    const hol_model *model = g->ex->model;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < model->n_joints; i++) {
            const hol__element *e = &model->joints[i];
            if (!g->of[i] || g->ex->done[i]) continue;
            const int rank = !g->of[i]->cuttable ? 0 : e->cut ? 2 : 1;
            const int a = root_of(g->set, e->body[0]), b = root_of(g->set, e->body[1]);
            if (rank != pass || a == b) continue;
            g->set[a] = b;
            g->in_tree[i] = 1;
        }
}

/* Follow the joints of the tree from a body on. */
static void spread(graph *g, int from) {
    int head = 0, tail = 0;
    g->queue[tail++] = from;
    g->seen[from] = 1;
    while (head < tail) {
        const int body = g->queue[head++];
        for (int k = g->first[body]; k >= 0; k = g->next[k]) {
            const hol__element *e = &g->ex->model->joints[k / 2];
            const int far = e->body[k % 2 ? 0 : 1];
            if (g->seen[far]) continue;
            add_joint(g, k / 2, k % 2);
            g->seen[far] = 1;
            g->queue[tail++] = far;
        }
    }
}

/* A body that no joint holds: it moves freely, in the plane by a planar joint. */
static void let_free(graph *g, int body) {
    hol_export *ex = g->ex;
    const hol__placement at = pose_of(ex, body);
    const char *name = ex->im->robot.bodies[body].name;
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const char *const words[] = {"x", "y", "angle"};
    if (ex->model->dim == 3) {
        add_step(g, NULL, HOL__JOINT_FREE, HOL__GROUND, body, at.r, axes[2], 0);
        return;
    }
    for (int i = 0, parent = HOL__GROUND; i < 3; i++) {
        const char *called = hol__arena_format(&ex->im->arena, "%s_%s", name, words[i]);
        const int child =
            i == 2
                ? body
                : hol__robot_add_link(ex->im,
                                      hol__arena_format(&ex->im->arena, "%s_link%d", name, i + 1),
                                      NULL, &at);
        add_step(g, called, i < 2 ? HOL__JOINT_SLIDE : HOL__JOINT_HINGE, parent, child, at.r,
                 axes[i], 0);
        parent = child;
    }
}

/* Memory and the joints at each body; 0 without. */
static int open_graph(graph *g) {
    hol_export *ex = g->ex;
    hol__arena *arena = &ex->im->arena;
    const int n = ex->model->n_joints;
    g->nb = ex->model->nb;
    g->of = hol__arena_alloc(arena, (size_t)n + 1, sizeof *g->of);
    g->in_tree = HOL__NEW_N(arena, char, n + 1);
    g->seen = HOL__NEW_N(arena, char, g->nb + 1);
    g->set = HOL__NEW_N(arena, int, g->nb + 1);
    g->queue = HOL__NEW_N(arena, int, g->nb + 1);
    g->first = HOL__NEW_N(arena, int, g->nb + 1);
    g->next = HOL__NEW_N(arena, int, 2 * n + 1);
    if (!g->of || !g->in_tree || !g->seen || !g->set || !g->queue || !g->first || !g->next)
        return 0;
    for (int i = 0; i <= g->nb; i++) g->set[i] = i, g->first[i] = -1;
    for (int i = 0; i < n; i++) g->of[i] = kind_of(&ex->model->joints[i]);
    return 1;
}

/* Joints at their bodies, the first one in front. */
static void hang(graph *g) {
    for (int i = g->ex->model->n_joints - 1; i >= 0; i--) {
        if (!g->in_tree[i]) continue;
        for (int end = 0; end < 2; end++) {
            const int body = g->ex->model->joints[i].body[end];
            g->next[2 * i + end] = g->first[body];
            g->first[body] = 2 * i + end;
        }
    }
}

int hol__export_tree(hol_export *ex) {
    graph g = {.ex = ex};
    const int n = ex->model->n_joints;
    ex->of = hol__arena_alloc(&ex->im->arena, (size_t)n + 1, sizeof *ex->of);
    ex->done = HOL__NEW_N(&ex->im->arena, char, n + 1);
    ex->rotor = HOL__NEW_N(&ex->im->arena, char, ex->model->nb + 1);
    ex->armature = HOL__NEW_N(&ex->im->arena, double, n + 1);
    if (!ex->armature || !ex->of || !ex->done || !ex->rotor || !open_graph(&g)) return 0;
    for (int i = 0; i < n; i++) ex->of[i][0] = ex->of[i][1] = -1;
    for (int i = 0; i < ex->model->nb; i++) read_body(ex, i);
    hol__export_armatures(ex);
    choose_tree(&g);
    hang(&g);
    spread(&g, g.nb);
    for (int i = 0; i < g.nb; i++)
        if (!g.seen[i] && !ex->rotor[i]) {
            let_free(&g, i);
            spread(&g, i);
        }
    for (int i = 0; i < n; i++) {
        const hol__element *e = &ex->model->joints[i];
        if (g.of[i] && !g.in_tree[i] && !ex->done[i]) add_closing(&g, i);
        if (g.of[i] && (e->active || e->by_event || e->off))
            hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label,
                         "that it acts at some times only");
    }
    return !ex->im->arena.failed;
}
