/* pendulum_by_calls.c: a pendulum described by calls, run to its end, printed as a table.
 *
 *     cc pendulum_by_calls.c $(pkg-config --cflags --libs holonom) -o pendulum && ./pendulum
 *
 * The way is always the same: a context, a description (hol_spec), the compiled model, options, a
 * simulation of both.
 */
#include <holonom/holonom.h>

#include <stdio.h>

/* Messages are printed as they arise: "error: body 'rod': mass is -1; it must be positive". */
static void print_message(void *user, const hol_message *message) {
    char line[512];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* The same keys as in a model file (docs/model-file.md). A call that fails is remembered by the
 * description, which then does not compile, so there is no need to look at each of them. */
static void describe(hol_spec *spec) {
    static const char *const centre[] = {"L/2*cos(start)", "L/2*sin(start)"};
    static const char *const bodies[] = {"ground", "rod"};
    static const double gravity[2] = {0, -9.81}, origin[2] = {0, 0};

    hol_item *model = hol_spec_root(spec);
    hol_item_number(model, "holonom", 1); /* version of the format */
    hol_item_text(model, "name", "pendulum");
    hol_item_text(model, "space", "planar");
    hol_item_vector(model, "gravity", 2, gravity);

    hol_item *parameters = hol_spec_section(spec, "parameters");
    hol_item_number(parameters, "L", 0.6);
    hol_item_number(parameters, "m", 2.5);
    hol_item_text(parameters, "start", "-30 deg"); /* any value may be an expression with units */

    hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
    hol_item_text(rod, "mass", "m");
    hol_item_text(rod, "inertia", "m*L^2/12");
    hol_item_texts(rod, "position", 2, centre);
    hol_item_text(rod, "angle", "start");

    hol_item *hinge = hol_spec_add(spec, "joints", "hinge", "revolute");
    hol_item_texts(hinge, "bodies", 2, bodies);
    hol_item_vector(hinge, "at", 2, origin);

    hol_item *angle = hol_spec_add(spec, "measures", "angle", "angle");
    hol_item_text(angle, "body", "rod");
    hol_item *pin =
        hol_spec_add(spec, "measures", "pin", "reaction"); /* columns pin.fx, pin.fy, pin.mz */
    hol_item_text(pin, "joint", "hinge");
    hol_spec_add(spec, "measures", "energy", "energy"); /* energy.kinetic, …, energy.balance */
}

/* How to run it; what is not set keeps its default (holonom options lists all). NULL when a value
 * is refused. */
static hol_options *choose(hol_context *ctx) {
    hol_options *options = hol_options_new(ctx);
    if (options && !hol_options_set_real(options, "end", 2) &&
        !hol_options_set_real(options, "output", 0.1) &&
        !hol_options_set_real(options, "tolerance", 1e-10))
        return options;
    hol_options_free(options);
    return NULL;
}

/* Called at each output time, with the equations of motion solved: all measures are valid. */
static hol_status print_row(void *user, hol_sim *sim) {
    const int *column = user;
    hol_data *data = hol_sim_data(sim);
    double x[4];
    for (int i = 0; i < 4; i++) {
        const hol_status status = hol_data_measure(data, column[i], &x[i]);
        if (status) return status;
    }
    printf("%6.2f %12.8f %12.6f %12.6f %14.10f\n", hol_data_time(data), x[0], x[1], x[2], x[3]);
    return HOL_OK;
}

/* Run the model and print its table. */
static hol_status run(hol_context *ctx, const hol_model *model, const hol_options *options) {
    int column[4];
    static const char *const names[4] = {"angle", "pin.fx", "pin.fy", "energy.balance"};
    for (int i = 0; i < 4; i++) column[i] = hol_model_measure_index(model, names[i]);

    hol_sim *sim = hol_sim_new(ctx, model, options);
    if (!sim) return HOL_ERR_INPUT; /* the messages say why */
    const hol_observer observer = {.on_output = print_row, .user = column};
    printf("%6s %12s %12s %12s %14s\n", "t", "angle", "pin.fx", "pin.fy", "T + V");
    const hol_status status = hol_sim_run(sim, &observer);

    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    printf("%s with %s: %ld steps, largest violation of the joint %.0e m, relative error of the "
           "energy %.0e\n",
           info.method, info.integrator, info.steps, info.max_position_violation,
           info.relative_energy_error);
    hol_sim_free(sim);
    return status;
}

int main(void) {
    hol_context *ctx = hol_context_new();
    if (!ctx) return 1;
    hol_context_on_message(ctx, print_message, NULL);

    hol_spec *spec = hol_spec_new(ctx);
    if (spec) describe(spec);
    hol_model *model = spec ? hol_model_compile(ctx, spec, "auto") : NULL;
    hol_spec_free(spec); /* no longer needed; every _free takes NULL */
    hol_options *options = choose(ctx);
    const hol_status status = model && options ? run(ctx, model, options) : HOL_ERR_INPUT;

    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
    return status == HOL_OK ? 0 : 1;
}
