/* tree_root.h: M = L L^T of a tree by its articulated bodies, in time proportional to the number of
 * bodies; the same walk in the plane and in space.
 *
 * The elimination of a velocity with the motion s from the tips leaves (relative_spatial_solve.c)
 *     U = inertia times s,  d = s . U
 * and a generalised force f becomes, with the wrench w that the links beyond pass on,
 *     u = f + s . w,  w <- w - U u / d
 * on the way to the root, the accelerations on the way back from that of the parent, a:
 *     x = (u - U . a) / d,  a <- a + s x
 * Both ways are transposes of each other over 1 / d, so that with r = 1 / sqrt(d)
 *     (L^-1 f)_k = r u,    x = L^-T y:  x_k = r (y_k - r U . a)
 * and L and L^T are the same steps turned round: f = u - s . w with u = y / r, and
 * y_k = r (d x_k + U . a).
 *
 * Included like tree_walks.h, below
 *
 *     start_inertias, reduce   of tree_solve.h
 *     start_none               no wrenches
 *     put_record               s and U of velocity k of a link that was reduced; returns d
 *     WIDTH                    numbers of a motion
 *     pass_up, pass_down       a wrench to the parent, added; the motion of the parent at the link
 *
 * The numbers in root: a wrench or motion for each link and ground, D of each link, a record of
 * each velocity: s, U, r, 1 / r.
 */
enum { RECORD = 2 * WIDTH + 2 };

/* The parts of root. */
static inline double *record_of(const hol__tree *tree, double *root, int velocity) {
    return root + (WIDTH + 3) * (tree->n + 1) + RECORD * velocity;
}

static inline double *offset_of(const hol__tree *tree, double *root, int link) {
    return root + WIDTH * (tree->n + 1) + 3 * link;
}

static inline double product(const double *a, const double *b) {
    double sum = 0;
    for (int j = 0; j < WIDTH; j++) sum += a[j] * b[j];
    return sum;
}

int WALK(root_size)(const hol_model *model) {
    return (WIDTH + 3) * (model->tree->n + 1) + RECORD * model->nv;
}

hol_status WALK(root)(const hol_model *model, const hol__bodies *bodies, double *work,
                      double *root) {
    const walk t = walk_of(model, bodies, work);
    start_inertias(&t);
    start_none(&t);
    for (int i = t.tree->n - 1; i >= 0; i--) {
        const hol__link *link = &t.tree->links[i];
        part *w = &t.all[i];
        double *D = offset_of(t.tree, root, i);
        if (!reduce(&t, link, w, link->parent < t.tree->n ? &t.all[link->parent] : NULL))
            return HOL_SINGULAR;
        for (int j = 0; j < model->dim; j++) D[j] = w->D[j];
        for (int k = 0; k < link->nv; k++) {
            double *record = record_of(t.tree, root, link->v + k);
            const double q = sqrt(put_record(&t, link, w, k, record, record + WIDTH));
            record[2 * WIDTH] = 1 / q;
            record[2 * WIDTH + 1] = q;
        }
    }
    return HOL_OK;
}

/* From the tips to the root, x <- L^-1 x. */
void WALK(root_lower)(const hol_model *model, double *root, double *x) {
    const hol__tree *tree = model->tree;
    memset(root, 0, sizeof *root * WIDTH * (size_t)(tree->n + 1));
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        double *w = root + WIDTH * i;
        for (int k = link->v + link->nv - 1; k >= link->v; k--) {
            const double *s = record_of(tree, root, k), *U = s + WIDTH, r = U[WIDTH];
            const double y = r * (x[k] + product(s, w)), g = r * y;
            for (int j = 0; j < WIDTH; j++) w[j] -= U[j] * g;
            x[k] = y;
        }
        if (link->parent < tree->n)
            pass_up(offset_of(tree, root, i), w, root + WIDTH * link->parent);
    }
}

/* From the root to the tips, x <- L^-T x. */
void WALK(root_upper)(const hol_model *model, double *root, double *x) {
    const hol__tree *tree = model->tree;
    memset(root + WIDTH * tree->n, 0, sizeof *root * WIDTH);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        double *a = root + WIDTH * i;
        pass_down(offset_of(tree, root, i), root + WIDTH * link->parent, a);
        for (int k = link->v; k < link->v + link->nv; k++) {
            const double *s = record_of(tree, root, k), *U = s + WIDTH, r = U[WIDTH];
            const double z = r * (x[k] - r * product(U, a));
            for (int j = 0; j < WIDTH; j++) a[j] += s[j] * z;
            x[k] = z;
        }
    }
}

/* y = L^T x. */
static void times_upper(const hol_model *model, double *root, const double *x, double *y) {
    const hol__tree *tree = model->tree;
    memset(root + WIDTH * tree->n, 0, sizeof *root * WIDTH);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        double *a = root + WIDTH * i;
        pass_down(offset_of(tree, root, i), root + WIDTH * link->parent, a);
        for (int k = link->v; k < link->v + link->nv; k++) {
            const double *s = record_of(tree, root, k), *U = s + WIDTH;
            y[k] = U[WIDTH + 1] * x[k] + U[WIDTH] * product(U, a);
            for (int j = 0; j < WIDTH; j++) a[j] += s[j] * x[k];
        }
    }
}

/* y = L L^T x. */
void WALK(root_times)(const hol_model *model, double *root, const double *x, double *y) {
    const hol__tree *tree = model->tree;
    times_upper(model, root, x, y);
    memset(root, 0, sizeof *root * WIDTH * (size_t)(tree->n + 1));
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        double *w = root + WIDTH * i;
        for (int k = link->v + link->nv - 1; k >= link->v; k--) {
            const double *s = record_of(tree, root, k), *U = s + WIDTH, g = U[WIDTH] * y[k];
            y[k] = U[WIDTH + 1] * y[k] - product(s, w);
            for (int j = 0; j < WIDTH; j++) w[j] -= U[j] * g;
        }
        if (link->parent < tree->n)
            pass_up(offset_of(tree, root, i), w, root + WIDTH * link->parent);
    }
}
