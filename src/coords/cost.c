/* cost.c: multiplications of an evaluation in reference-point and in relative coordinates.
 *
 * In reference-point coordinates [M A^T; A 0] is sparse; it is ordered and its factorisation
 * counted (cost_bodies.c). In relative ones M couples all velocities on a path to the root. It is
 * eliminated from the tips: at a link that is k unknowns with s left that they meet, and
 *
 *     sum over t = s … s+k-1 of t (t+1)/2      to factor
 *     2 sum of t                               to solve
 *
 * where k are its velocities and the closing rows whose bodies meet there, s the velocities up to
 * the root and the closing rows on their way. Rows that reach ground are left at the end
 * (cost_ground.c). Before that M is made by composite bodies, a product for each pair of velocities
 * on one path, and A = G J, one for each velocity on the paths of a row to the root. Without
 * closing rows there is neither, but the recursion over articulated bodies. With few of them on
 * long paths M is taken by its root (tree_root.h): the articulated bodies, a walk for each row and
 * two for the loads, and the products of these rows with each other.
 *
 * What goes with every velocity and every row beside that (to fill, gather, scale, integrate and
 * correct it) is UNKNOWN multiplications each. What both sets share is not counted: forces,
 * measures, rows over the bodies.
 */
#include "coords/cost.h"

#include "coords/tree.h"

/* Multiplications to move an inertia to another point: of a composite body (mass, centre, inertia)
 * and of an articulated one (a full matrix). */
static const double COMPOSITE[] = {[2] = 6, [3] = 40}, ARTICULATED[] = {[2] = 12, [3] = 110};

/* Measured, in instructions of steps of loops of 6 to 50 links in the plane and in space: some 12
 * for a multiplication and 250 to 400 for an unknown (docs/decisions.md). */
static const double UNKNOWN = 25;

typedef struct count {
    const hol_model *model;
    const hol__tree *tree;
    int *above;   /* by link: velocities of the links up to the root */
    int *passing; /* closing rows that leave the link upwards */
    int *carried; /* rows of A with entries at the link, in relative coordinates */
    int *meeting; /* closing rows whose bodies meet at the link */
    int *base;    /* the link on ground that a link hangs on */
    int closing;  /* all closing rows */
    hol__grounded grounded;
} count;

/* To eliminate k of k + s unknowns that all meet, and to solve with that. */
static double eliminate(double k, double s) {
    const double all = s + k;
    return ((all + 1) * all * (all - 1) - (s + 1) * s * (s - 1)) / 6 + (2 * s + k - 1) * k;
}

/* Where two links meet; n: on ground. */
static int meet(const hol__tree *tree, int a, int b) {
    while (a != b && a < tree->n && b < tree->n)
        if (a > b)
            a = tree->links[a].parent;
        else
            b = tree->links[b].parent;
    return a == b ? a : tree->n;
}

/* Where the bodies of a record meet; n: on ground. */
static int meeting_of(const count *c, const hol__con *con) {
    int at = -1;
    for (int i = 0; i < con->n_bodies; i++) {
        if (con->body[i] >= c->model->nb) return c->tree->n;
        const int link = c->tree->of_body[con->body[i]];
        at = at < 0 ? link : meet(c->tree, at, link);
    }
    return at < 0 ? c->tree->n : at;
}

/* A record that closes a loop: its rows start at the links of its bodies. */
static void close_loop(count *c, const hol__con *con) {
    const int at = meeting_of(c, con), rows = con->n_rows;
    int n = 0;
    for (int i = 0; i < con->n_bodies; i++) {
        if (con->body[i] >= c->model->nb) continue;
        const int link = c->tree->of_body[con->body[i]];
        c->passing[link] += rows, c->carried[link] += rows;
        n++;
    }
    c->closing += rows;
    if (at == c->tree->n) return;
    c->passing[at] -= n * rows, c->carried[at] -= (n - 1) * rows;
    c->meeting[at] += rows;
}

/* A record whose rows reach ground: the links there that they come over, each once. */
static void reach_ground(count *c, const hol__con *con) {
    hol__grounded *g = &c->grounded;
    int list[HOL__MAX_BODIES], n = 0;
    if (meeting_of(c, con) < c->tree->n) return;
    for (int i = 0; i < con->n_bodies; i++) {
        int known = con->body[i] >= c->model->nb;
        for (int k = 0; k < n && !known; k++)
            known = list[k] == c->base[c->tree->of_body[con->body[i]]];
        if (!known) list[n++] = c->base[c->tree->of_body[con->body[i]]];
    }
    for (int k = 0; k < con->n_rows; k++, g->rows++)
        for (int i = 0; i < n; i++, g->n++)
            if (g->row) g->row[g->n] = g->rows, g->link[g->n] = list[i];
}

/* Call f for every record that closes a loop. */
static void each_closing(count *c, void (*f)(count *c, const hol__con *con)) {
    const hol_model *model = c->model;
    for (int i = 0; i < model->n_con_batches; i++)
        for (int k = 0; k < model->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&model->con_batches[i], k);
            if (c->tree->of_joint[con->element] < 0) f(c, con);
        }
}

/* Sums along the paths. */
static void follow_paths(count *c) {
    const hol__link *links = c->tree->links;
    const int n = c->tree->n;
    for (int i = 0; i < n; i++) {
        const int parent = links[i].parent;
        c->above[i] = parent < n ? c->above[parent] + links[parent].nv : 0;
        c->base[i] = parent < n ? c->base[parent] : i;
    }
    each_closing(c, close_loop);
    for (int i = n - 1; i >= 0; i--) {
        const int parent = links[i].parent;
        if (parent < n) c->passing[parent] += c->passing[i], c->carried[parent] += c->carried[i];
    }
}

/* What is left at ground: counted, listed, eliminated. */
static double eliminate_ground(count *c, hol__arena *scratch) {
    each_closing(c, reach_ground);
    int *list = HOL__NEW_N(scratch, int, 2 * c->grounded.n + 1);
    if (!list) return 0;
    c->grounded = (hol__grounded){.links = c->tree->n, .row = list, .link = list + c->grounded.n};
    each_closing(c, reach_ground);
    return hol__cost_ground(&c->grounded, scratch);
}

/* With closing rows: M, A = G J and the elimination. */
static double closed_link(const count *c, int i) {
    const hol__link *l = &c->tree->links[i];
    const double bw = c->model->bw, nv = l->nv, above = c->above[i];
    return eliminate(nv + c->meeting[i], above + c->passing[i]) +
           bw * nv * (2 + above + (nv + 1) / 2 + c->carried[i]) +
           (l->parent < c->tree->n ? COMPOSITE[c->model->dim] : 0);
}

/* Without them: articulated bodies. */
static double open_link(const count *c, int i) {
    const hol__link *l = &c->tree->links[i];
    const double bw = c->model->bw, nv = l->nv;
    return eliminate(nv, 0) + 2 * bw * nv +
           (l->parent < c->tree->n ? nv * bw * (bw + 1) / 2 + ARTICULATED[c->model->dim] : 0);
}

/* The same with a walk for each of `rows` closing rows, and their products. */
static double rooted_link(const hol_model *model, const hol__tree *tree, int i, double rows) {
    const hol__link *l = &tree->links[i];
    const double bw = model->bw, nv = l->nv, dim = model->dim;
    return nv * bw * (bw + 1) / 2 + ARTICULATED[model->dim] +
           (rows + 2) * (nv * (2 * bw + 2) + dim * (dim - 1)) + nv * rows * (rows + 5) / 2;
}

/* Velocities up to the root beyond those of the link. */
static double above_of(const hol__tree *tree, int i) {
    double sum = 0;
    for (int up = tree->links[i].parent; up < tree->n; up = tree->links[up].parent)
        sum += tree->links[up].nv;
    return sum;
}

/* Whether M by its root takes fewer than the elimination of M alone by its entries. */
static int prefers_root(const hol_model *model, const hol__tree *tree, double rows) {
    double rooted = 0, full = 0;
    for (int i = 0; i < tree->n; i++) rooted += rooted_link(model, tree, i, rows);
    for (int i = 0; i < tree->n && full <= rooted; i++)
        full += eliminate(tree->links[i].nv, above_of(tree, i));
    return full > rooted;
}

int hol__tree_prefers_root(const hol_model *model) {
    return prefers_root(model, model->tree, model->m);
}

static hol__cost add_up(count *c, hol__arena *scratch) {
    const hol_model *model = c->model;
    int rows = c->closing;
    for (int k = 0; k < model->n_joints; k++)
        if (c->tree->of_joint[k] >= 0) rows += hol__joint_rows(model, &model->joints[k]);
    hol__cost cost = {.reference = hol__cost_bodies(model, scratch) +
                                   UNKNOWN * (model->bw * model->nb + rows),
                      .relative = UNKNOWN * (model->nv + c->closing)};
    const int by_root = c->closing && prefers_root(model, c->tree, c->closing);
    if (c->closing && !by_root) cost.relative += eliminate_ground(c, scratch);
    for (int i = 0; i < c->tree->n; i++) {
        const hol__link *l = &c->tree->links[i];
        if (by_root)
            cost.relative += rooted_link(model, c->tree, i, c->closing) +
                             model->bw * l->nv * (2.0 + c->carried[i]);
        else
            cost.relative += c->closing ? closed_link(c, i) : open_link(c, i);
    }
    return cost;
}

hol__cost hol__coords_cost(hol_model *model, const unsigned char *cut) {
    hol__cost cost = {0, 0};
    hol__arena scratch;
    if (!model->nb || hol__tree_span(model, cut)) return cost;
    hol__arena_init(&scratch, model->arena.ctx);
    const int n = model->tree->n + 1;
    count c = {.model = model, .tree = model->tree, .above = HOL__NEW_N(&scratch, int, 5 * n)};
    if (c.above) {
        c.passing = c.above + n, c.carried = c.above + 2 * n, c.meeting = c.above + 3 * n;
        c.base = c.above + 4 * n;
        follow_paths(&c);
        cost = add_up(&c, &scratch);
    }
    if (scratch.failed) model->arena.failed = 1;
    hol__arena_free(&scratch);
    model->tree = NULL;
    model->nq = model->nv = 0;
    return cost;
}
