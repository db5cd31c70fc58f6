/* step_with_force.c: a simulation stepped by the caller, with a force of the caller: a controller
 * holds a pendulum upright.
 *
 *     cc step_with_force.c $(pkg-config --cflags --libs holonom) -lm -o hold && ./hold
 *
 * The motor at the hinge applies T = -k (angle - upright) - c omega, limited to what it can give.
 * The library calls the function at every evaluation of the equations of motion; the work of the
 * motor enters the energy balance.
 */
#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>

static const double upright = 1.5707963267948966;

/* The controller and what it did. */
typedef struct controller {
    int body;
    double k, c, limit; /* N m/rad, N m s/rad, N m */
    double torque;      /* at the last evaluation */
} controller;

/* The angle of the rod now. */
static double angle_of(hol_data *data, int body) {
    hol_pose pose;
    if (hol_data_body_pose(data, body, &pose)) return NAN;
    return atan2(pose.R[3], pose.R[0]);
}

/* A hol_force_fn: look at the state, add forces and torques. Positions and velocities are valid
 * here. */
static hol_status hold_upright(void *user, hol_data *data) {
    controller *ctl = user;
    hol_twist twist;
    const hol_status status = hol_data_body_twist(data, ctl->body, &twist);
    if (status) return status;
    const double wanted = -ctl->k * (angle_of(data, ctl->body) - upright) - ctl->c * twist.omega[2];
    ctl->torque = fmax(-ctl->limit, fmin(ctl->limit, wanted));
    const double torque[3] = {0, 0, ctl->torque};
    return hol_data_add_torque(data, ctl->body, torque); /* anything but HOL_OK stops the run */
}

static void print_message(void *user, const hol_message *message) {
    char line[512];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* A rod of 1 m and 1.5 kg, hinged at the origin, 12 degrees off the upright position, falling. */
static hol_model *make_model(hol_context *ctx) {
    static const char *const bodies[] = {"ground", "rod"}, *const centre[] = {"0.5*cos(78 deg)",
                                                                              "0.5*sin(78 deg)"};
    static const double gravity[2] = {0, -9.81}, origin[2] = {0, 0};
    hol_spec *spec = hol_spec_new(ctx);
    if (!spec) return NULL;
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, gravity);
    hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
    hol_item_number(rod, "mass", 1.5);
    hol_item_text(rod, "inertia", "1.5/12");
    hol_item_texts(rod, "position", 2, centre);
    hol_item_text(rod, "angle", "78 deg");
    hol_item_text(rod, "omega", "-20 deg/s");
    hol_item *hinge = hol_spec_add(spec, "joints", "hinge", "revolute");
    hol_item_texts(hinge, "bodies", 2, bodies);
    hol_item_vector(hinge, "at", 2, origin);
    hol_model *model = hol_model_compile(ctx, spec, "auto");
    hol_spec_free(spec);
    return model;
}

static void print_state(hol_data *data, const controller *ctl) {
    hol_energy energy = {.size = sizeof energy};
    if (hol_data_energy(data, &energy)) return;
    printf("%6.3f s  angle %8.4f deg  torque %8.4f N m  work %9.6f J  balance %.8f J\n",
           hol_data_time(data), angle_of(data, ctl->body) * 90 / upright, ctl->torque, energy.work,
           energy.balance);
}

/* One step of the integrator after the other. (hol_sim_advance goes to a time, which it meets
 * exactly.) */
static hol_status run(hol_sim *sim, controller *ctl) {
    hol_status status = HOL_OK;
    print_state(hol_sim_data(sim), ctl);
    hol_sim_info info = {.size = sizeof info}; /* so that the struct may grow in later versions */
    if (!status) status = hol_sim_describe(sim, &info);
    while (!status && info.end == HOL_END_RUNNING) {
        status = hol_sim_step(sim);
        if (!status) print_state(hol_sim_data(sim), ctl);
        if (!status) status = hol_sim_describe(sim, &info);
    }
    return status;
}

int main(void) {
    hol_context *ctx = hol_context_new();
    if (!ctx) return 1;
    hol_context_on_message(ctx, print_message, NULL);
    hol_model *model = make_model(ctx);
    hol_options *options = hol_options_new(ctx);
    const int set = options && hol_options_set_real(options, "end", 4) == HOL_OK;
    hol_sim *sim = model && set ? hol_sim_new(ctx, model, options) : NULL;
    hol_status status = HOL_ERR_INPUT;
    if (sim) {
        controller ctl = {.body = hol_model_body(model, "rod"), .k = 40, .c = 9, .limit = 12};
        hol_sim_on_force(sim, hold_upright, &ctl);
        status = run(sim, &ctl);
        const double off = fabs(angle_of(hol_sim_data(sim), ctl.body) - upright);
        printf("the rod %s upright\n", off < 1e-3 ? "stands" : "does not stand");
        if (!status && off >= 1e-3) status = HOL_ERR_TOLERANCE;
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
    return status == HOL_OK ? 0 : 1;
}
