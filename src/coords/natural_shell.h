/* natural_shell.h: what natural coordinates in the plane and in space share: the walks over
 * the bodies, and the tables.
 *
 * natural_planar.c and natural_spatial.c include it below their parts, so that these are compiled
 * into the loops. A part is about one body, carried by its items; base is the place, velocity or
 * the acceleration of the first of them:
 *
 *     part              the record that a body has in the work of a data
 *     BODIES            the bodies in hol__bodies: b2 or b3
 *     pose_body         the pose from q
 *     turn_body         velocity and bias J' v from v
 *     accelerate_body   accelerations from a
 *     pull, pull_rate   a wrench on the items (hol__pulls)
 */
static int work_size(const hol_model *model) {
    return model->nb * (int)(sizeof(part) / sizeof(double));
}

static void poses(const hol_model *model, const double *q, hol__bodies *bodies, double *work) {
    part *w = (part *)(void *)work;
    for (int i = 0; i < model->nb; i++) {
        const hol__carried *b = &model->items->carried[i];
        pose_body(model, i, q, hol__item_place(model, q, b->item[0]), &bodies->BODIES[i], &w[i]);
    }
}

static void twists(const hol_model *model, const double *v, hol__bodies *bodies, double *work) {
    part *w = (part *)(void *)work;
    for (int i = 0; i < model->nb; i++) {
        const hol__carried *b = &model->items->carried[i];
        turn_body(model, b, v, hol__item_rate(model, v, b->item[0]), &bodies->BODIES[i], &w[i]);
    }
}

static void accelerations(const hol_model *model, const hol__bodies *bodies, double *work,
                          const double *a, double *acc) {
    const part *w = (const part *)(const void *)work;
    for (int i = 0; i < model->nb; i++, acc += model->bw) {
        const hol__carried *b = &model->items->carried[i];
        accelerate_body(model, b, a, hol__item_rate(model, a, b->item[0]), &bodies->BODIES[i],
                        &w[i], acc);
    }
    memset(acc, 0, sizeof(double) * (size_t)model->bw);
}

static const double *bias_of(const hol_model *model, int body, const double *work) {
    (void)model;
    return ((const part *)(const void *)work)[body].bias;
}

static const hol__maps maps = {.choose = hol__items_choose,
                               .count_own = hol__items_count_own,
                               .own_row = hol__items_own_row,
                               .own_body = hol__items_own_body,
                               .lay_rows = hol__items_lay_rows,
                               .work_size = work_size,
                               .from_bodies = from_bodies,
                               .rows = hol__items_rows,
                               .rows_rate = hol__items_rows_rate,
                               .bias = hol__items_bias,
                               .own_position = hol__items_own_position,
                               .own_bias = hol__items_own_bias,
                               .own_rate = hol__items_own_rate,
                               .forces = hol__items_forces,
                               .accelerations = accelerations,
                               HOL__ITEMS_VARIATION};

/* The members of hol__coords that both have. */
#define ITEMS_COORDS                                                                               \
    .start = hol__start_drawn, .poses = poses, .twists = twists, .plus = hol__items_plus,          \
    .minus = hol__items_minus, .rate = hol__items_rate, .mass = hol__items_mass,                   \
    .inertia = inertia, .maps = &maps
