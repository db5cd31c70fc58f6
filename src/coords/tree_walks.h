/* tree_walks.h: the walks over the tree that relative coordinates in the plane and in space have in
 * common: generalised forces, momenta, accelerations of the bodies, reactions.
 *
 * relative_planar_dyn.c and relative_spatial_dyn.c include it below their parts, so that these are
 * compiled into the loops:
 *
 *     walk                the model, its tree, the bodies, the records; walk_of makes one
 *     part, WIDTH         a record; numbers of a body's velocity
 *     start_wrenches      f, n of every link: load - M_b J' v
 *     put_forces          what the wrench of a link does along its velocities
 *     pass_own            the wrench of a link over to its parent
 *     put_reaction        the wrench of a link as a reaction
 *     start_momenta       momenta of the bodies, and the wrenches of M_b J' v
 *     put_momentum_rate   M' v of a link, added
 *     pass_momenta        its momenta over to its parent
 *     carry, move         the acceleration of the parent at P, and that of a velocity on top
 *     put_acceleration    that of the body
 *     load_link           the wrench of inertia less the load
 *
 * WALK(forces) is the name of a function.
 */
void WALK(forces)(const hol_model *model, const hol__bodies *bodies, double *work,
                  const double *load, double *Q) {
    const walk t = walk_of(model, bodies, work);
    start_wrenches(&t, load);
    for (int i = t.tree->n - 1; i >= 0; i--) {
        const hol__link *link = &t.tree->links[i];
        const part *w = &t.all[i];
        put_forces(&t, link, w, Q);
        if (link->parent < t.tree->n) pass_own(&t.all[link->parent], w);
    }
}

/* out += M' v. */
void WALK(momentum_rate)(const hol_model *model, const hol__bodies *bodies, double *work,
                         double *out) {
    const walk t = walk_of(model, bodies, work);
    start_momenta(&t);
    for (int i = t.tree->n - 1; i >= 0; i--) {
        const hol__link *link = &t.tree->links[i];
        part *parent = &t.all[link->parent];
        put_momentum_rate(&t, link, parent, &t.all[i], out + link->v);
        if (link->parent == t.tree->n) continue;
        pass_own(parent, &t.all[i]);
        pass_momenta(parent, &t.all[i]);
    }
}

void WALK(accelerations)(const hol_model *model, const hol__bodies *bodies, double *work,
                         const double *a, double *acc) {
    const walk t = walk_of(model, bodies, work);
    for (int i = 0; i < t.tree->n; i++) {
        const hol__link *link = &t.tree->links[i];
        part *w = &t.all[i];
        carry(&t.all[link->parent], w);
        for (int k = 0; k < link->nv; k++) move(&t, link, w, k, a[link->v + k]);
        put_acceleration(&t, link, w, acc + WIDTH * link->body);
    }
    memset(acc + WIDTH * model->nb, 0, WIDTH * sizeof *acc);
}

void WALK(reactions)(const hol_model *model, const hol__bodies *bodies, double *work,
                     const double *acc, const double *load, double *out) {
    const walk t = walk_of(model, bodies, work);
    for (int i = 0; i < t.tree->n; i++) {
        const int at = WIDTH * t.tree->links[i].body;
        load_link(&t, i, acc + at, load + at);
    }
    for (int i = t.tree->n - 1; i >= 0; i--) {
        const int parent = t.tree->links[i].parent;
        put_reaction(&t.all[i], out + 6 * i);
        if (parent < t.tree->n) pass_own(&t.all[parent], &t.all[i]);
    }
}
