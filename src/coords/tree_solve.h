/* tree_solve.h: M a = Q by articulated bodies, in time proportional to the number of bodies; the
 * same walk in the plane and in space.
 *
 * Included like tree_walks.h, below the parts that differ:
 *
 *     start_inertias   inertia of every body about P
 *     start_wrenches   f, n of every link: load - M_b J' v
 *     reduce           eliminate the velocities of a link, and pass on to its parent (NULL: ground)
 *                      what is left; 0 when singular
 *     carry, unroll    the acceleration of the parent at P, and those of the velocities on top
 */
hol_status WALK(solve)(const hol_model *model, const hol__bodies *bodies, double *work,
                       const double *load, double *a) {
    const walk t = walk_of(model, bodies, work);
    start_inertias(&t);
    start_wrenches(&t, load);
    for (int i = t.tree->n - 1; i >= 0; i--) {
        const hol__link *link = &t.tree->links[i];
        part *parent = link->parent < t.tree->n ? &t.all[link->parent] : NULL;
        if (!reduce(&t, link, &t.all[i], parent)) return HOL_SINGULAR;
    }
    for (int i = 0; i < t.tree->n; i++) {
        const hol__link *link = &t.tree->links[i];
        carry(&t.all[link->parent], &t.all[i]);
        unroll(&t, link, &t.all[i], a + link->v);
    }
    return HOL_OK;
}
