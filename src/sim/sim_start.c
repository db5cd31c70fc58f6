/* sim_start.c: where a run starts: assembled, or as drawn (option `assemble`), or at the
 * equilibrium that is found from there (`start_at`).
 *
 * With other than reference-point coordinates both are found for the bodies in these, so that the
 * start does not depend on the coordinates.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* The state of bodies in a model of their own becomes that of the run: q, v,
 * and the full turns of joints. */
static void take_over(hol_sim *sim, hol_data *drawn) {
    const hol_model *m = sim->model, *from = drawn->model;
    hol_data *data = sim->data;
    hol__data_take_bodies(data, drawn);
    for (int k = 0; k < m->n_joints; k++)
        if (m->joints[k].angle >= 0 && from->joints[k].angle >= 0)
            data->angles_base[m->joints[k].angle] = drawn->angles[from->joints[k].angle];
    hol_data_set(data, drawn->t, NULL, NULL);
}

/* How far body i of one data is from that of another, in positions and velocities: translations,
 * and rotations as what they move at the size of the mechanism. */
static void differ(hol_data *a, hol_data *b, int i, double off[2]) {
    const double length = fmax(1, a->model->length);
    hol_pose p[2];
    hol_twist u[2];
    double turn = 0, shift = 0, spin = 0, rate = 0;
    hol_data_body_pose(a, i, &p[0]), hol_data_body_pose(b, i, &p[1]);
    hol_data_body_twist(a, i, &u[0]), hol_data_body_twist(b, i, &u[1]);
    for (int k = 0; k < 9; k++) turn = fmax(turn, fabs(p[0].R[k] - p[1].R[k]));
    for (int k = 0; k < 3; k++) {
        shift = fmax(shift, fabs(p[0].r[k] - p[1].r[k]));
        spin = fmax(spin, fabs(u[0].omega[k] - u[1].omega[k]));
        rate = fmax(rate, fabs(u[0].v[k] - u[1].v[k]));
    }
    off[0] = fmax(shift, length * turn);
    off[1] = fmax(rate, length * spin);
}

/* Coordinates that bodies share cannot hold a drawing that is apart there: say what starts
 * otherwise than it is drawn. */
static void warn_of_lost(hol_sim *sim, hol_data *drawn) {
    static const char *const what[] = {"positions", "velocities"};
    const double *o = sim->options, length = fmax(1, sim->model->length),
                 most[] = {o[HOL__OPT_POSITION_TOLERANCE] * length,
                           o[HOL__OPT_VELOCITY_TOLERANCE] * length};
    double off[2];
    for (int kind = 0; kind < 2; kind++) {
        int worst = -1;
        double largest = most[kind];
        for (int i = 0; i < sim->model->nb; i++) {
            differ(sim->data, drawn, i, off);
            if (off[kind] > largest) largest = off[kind], worst = i;
        }
        if (worst < 0) continue;
        const hol__body *body = &sim->model->bodies[worst];
        hol__warn(sim->ctx, &body->where, body->label,
                  "`assemble: off`: in these coordinates (%s), which bodies share, it cannot start "
                  "as drawn: its %s are off by %.3g; take coordinates reference",
                  sim->model->coords->name, what[kind], largest);
    }
}

/* The bodies of another model, at the drawn position, assembled unless options is NULL. */
static hol_status start_from(hol_sim *sim, const hol_model *from,
                             const hol__kernel_options *options) {
    const hol_model *m = sim->model;
    const double tolerance = sim->options[HOL__OPT_POSITION_TOLERANCE] * fmax(1, m->length);
    hol_data *drawn = hol_data_new(sim->ctx, from);
    if (!drawn) return HOL_ERR_MEMORY;
    hol__data_set_q(drawn, sim->options[HOL__OPT_START], NULL);
    const hol_status status =
        options ? hol__assemble(drawn, options, tolerance, &sim->moved) : HOL_OK;
    if (!status) take_over(sim, drawn);
    if (!status && !options) warn_of_lost(sim, drawn);
    hol_data_free(drawn);
    return status;
}

/* Whether some body is given by its length, so that the drawing need not fit. */
static int is_sketch(const hol_model *m) {
    for (int i = 0; i < m->nb; i++)
        if (m->bodies[i].scale != 1) return 1;
    return 0;
}

/* Consistent positions and velocities; where joints have values at the start, in the model that has
 * rows for them. */
static hol_status assemble(hol_sim *sim, const hol__kernel_options *options) {
    const hol_model *m = sim->model, *from = m->assembly ? m->assembly : m->reference;
    const double tolerance = sim->options[HOL__OPT_POSITION_TOLERANCE] * fmax(1, m->length);
    const hol_status status = from ? start_from(sim, from, options)
                                   : hol__assemble(sim->data, options, tolerance, &sim->moved);
    if (!status && sim->moved > 1e-3 * m->length && !m->assembly && !is_sketch(m))
        hol__warn(sim->ctx, NULL, "assembly",
                  "the drawn position does not close the joints; largest correction: %.3g m",
                  sim->moved);
    return status;
}

/* Refuse values of joints at the start, which assembly alone can give. */
static hol_status refuse_starts(hol_sim *sim) {
    const hol_model *from = sim->model->assembly;
    int i = 0;
    while (!from->joints[i].start) i++;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &from->joints[i].where,
                       from->joints[i].label,
                       "needs the assembly that `assemble: off` leaves out: draw the bodies where "
                       "they start, or leave one of the two out");
}

/* How far the state in data is off the constraints. */
static hol_status note_residual(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    const hol_status status = hol_data_update(data, HOL_STAGE_VEL);
    if (status) return status;
    hol__data_psi(data);
    sim->start_position = hol__norm(data->Phi, m->mh);
    sim->start_velocity = hol__norm(data->psi, m->m);
    return HOL_OK;
}

/* The row of x whose number is the largest. */
static int largest_row(const double *x, int rows) {
    int at = 0;
    for (int i = 1; i < rows; i++)
        if (fabs(x[i]) > fabs(x[at])) at = i;
    return at;
}

/* An integrator of constrained equations has Phi = 0 and A v = b among them, as its form says: they
 * have no solution that starts elsewhere. Refuse a start that is off them by more than the
 * tolerances of the run. */
static hol_status refuse_violations(hol_sim *sim) {
    const hol_model *m = sim->model;
    const hol_data *data = sim->data;
    const double length = fmax(1, m->length);
    const int of_positions =
        sim->dae_form->positions &&
        sim->start_position > sim->options[HOL__OPT_POSITION_TOLERANCE] * length;
    if (!sim->stepper->slots || !hol__sim_is_constrained(sim) || sim->dae_form->accelerations)
        return HOL_OK;
    if (!of_positions && sim->start_velocity <= sim->options[HOL__OPT_VELOCITY_TOLERANCE] * length)
        return HOL_OK;
    const int row = of_positions ? largest_row(data->Phi, m->mh) : largest_row(data->psi, m->m);
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_ASSEMBLE);
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
        "`assemble: off` does not go with the integrator '%s', which has the constraints among its "
        "equations, so that no solution starts off them: here positions are off by %.3g and "
        "velocities by %.3g, most at %s; leave `assemble` out, draw the bodies where they start, "
        "or take method direct-correction with dopri5 or dop853",
        sim->stepper->name, sim->start_position, sim->start_velocity, m->rows[row].element);
}

/* The drawn positions and given velocities as they are. */
static hol_status as_drawn(hol_sim *sim) {
    const hol_model *m = sim->model;
    if (m->assembly) return refuse_starts(sim);
    hol_status status = m->reference ? start_from(sim, m->reference, NULL) : HOL_OK;
    if (!status) status = note_residual(sim);
    if (!status) status = refuse_violations(sim);
    if (status) return status;
    return hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "assembly",
                       "off: the run starts as drawn, with positions that are off the constraints "
                       "by %.3g and velocities by %.3g",
                       sim->start_position, sim->start_velocity);
}

/* The positions in data closed to the tolerance of the run, and the velocities of the file there,
 * in a model of the bodies; or the velocities alone. */
static hol_status assemble_here(hol_sim *sim, const hol_model *from,
                                const hol__kernel_options *options, int positions) {
    const hol_model *m = sim->model;
    const double tolerance = sim->options[HOL__OPT_POSITION_TOLERANCE] * fmax(1, m->length);
    double moved;
    hol_data *drawn = hol_data_new(sim->ctx, from);
    double *v = drawn ? hol__alloc(sim->ctx, (size_t)from->nv + 1, sizeof *v) : NULL;
    if (!v) {
        hol_data_free(drawn);
        return HOL_ERR_MEMORY;
    }
    memcpy(v, drawn->v, sizeof(double) * (size_t)from->nv);
    hol__data_take_bodies(drawn, sim->data);
    for (int k = 0; k < m->n_joints; k++)
        if (m->joints[k].angle >= 0 && from->joints[k].angle >= 0)
            drawn->angles_base[from->joints[k].angle] = sim->data->angles_base[m->joints[k].angle];
    hol_data_set(drawn, sim->data->t, NULL, v);
    const hol_status status = positions ? hol__assemble(drawn, options, tolerance, &moved)
                                        : hol__assemble_velocities(drawn, options);
    if (!status) take_over(sim, drawn);
    hol__release(sim->ctx, v);
    hol_data_free(drawn);
    return status;
}

/* From the assembled position to the equilibrium. */
static hol_status settle(hol_sim *sim, const hol__kernel_options *options) {
    const hol_model *m = sim->model;
    hol_status status = sim->settle(sim);
    if (!status) status = assemble_here(sim, m->reference ? m->reference : m, options, 1);
    /* values of joints at the start are where the search began; their rates hold */
    if (!status && m->assembly) status = assemble_here(sim, m->assembly, options, 0);
    return status;
}

/* An equilibrium has closed joints. */
static hol_status refuse_equilibrium(hol_sim *sim) {
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_START_AT);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "`start_at: equilibrium` needs the assembly that `assemble: off` leaves "
                       "out; leave one of the two out");
}

hol_status hol__sim_place(hol_sim *sim, const hol__kernel_options *options) {
    const int settles = (int)sim->options[HOL__OPT_START_AT] == HOL__START_EQUILIBRIUM;
    if ((int)sim->options[HOL__OPT_ASSEMBLE] == HOL__ASSEMBLE_OFF)
        return settles ? refuse_equilibrium(sim) : as_drawn(sim);
    hol_status status = assemble(sim, options);
    if (!status && settles) status = settle(sim, options);
    return status ? status : note_residual(sim);
}
