/* snapshots.c: a data without a simulation, snapshots of a run, and a run that goes on from a
 * checkpoint.
 *
 *     cc snapshots.c $(pkg-config --cflags --libs holonom) -lm -o snapshots
 *     ./snapshots
 *
 * A double pendulum: the equations of motion solved once at the start, without a run; snapshots
 * that are asked for reactions when the simulation is gone; and the second half of the run made
 * again, with the same bits, by a simulation that loads the state of the first.
 */
#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SNAPSHOTS = 4 };

static void print_message(void *user, const hol_message *message) {
    char line[512];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* A rod of the pendulum from (x, y), 1 m to the right, hinged there to the body before it. */
static void add_rod(hol_spec *spec, const char *name, const char *before, double x, double y) {
    const char *const bodies[] = {before, name};
    const double at[2] = {x, y}, centre[2] = {x + 0.5, y};
    char hinge[32];
    hol_item *rod = hol_spec_add(spec, "bodies", name, NULL);
    hol_item_number(rod, "mass", 1.2);
    hol_item_text(rod, "inertia", "1.2/12");
    hol_item_vector(rod, "position", 2, centre);
    snprintf(hinge, sizeof hinge, "hinge of %s", name);
    hol_item *joint = hol_spec_add(spec, "joints", hinge, "revolute");
    hol_item_texts(joint, "bodies", 2, bodies);
    hol_item_vector(joint, "at", 2, at);
}

static hol_model *make_model(hol_context *ctx) {
    static const double gravity[2] = {0, -9.81};
    hol_spec *spec = hol_spec_new(ctx);
    if (!spec) return NULL;
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, gravity);
    add_rod(spec, "upper", "ground", 0, 0);
    add_rod(spec, "lower", "upper", 1, 0);
    hol_model *model = hol_model_compile(ctx, spec, "auto");
    hol_spec_free(spec);
    return model;
}

/* What the first hinge carries; the data solves the equations of motion where nobody has. */
static hol_status print_reaction(hol_data *data) {
    hol_reaction r = {.size = sizeof r};
    const hol_status status = hol_data_reaction(data, 0, &r);
    if (!status) printf("%5.2f s  %9.4f N  %9.4f N\n", hol_data_time(data), r.force[0], r.force[1]);
    return status;
}

/* The equations of motion at the drawn position, without a simulation. */
static hol_status solve_once(hol_context *ctx, const hol_model *model) {
    hol_data *data = hol_data_new(ctx, model);
    hol_status status = data ? hol_data_solve(data) : HOL_ERR_MEMORY;
    if (!status)
        printf("accelerations at the start: %.4f and %.4f\n", hol_data_acceleration(data)[0],
               hol_data_acceleration(data)[1]);
    hol_data_free(data);
    return status;
}

/* Advance in equal parts, keep a snapshot of each, free the simulation, then ask the snapshots. */
static hol_status keep_snapshots(hol_context *ctx, const hol_model *model,
                                 const hol_options *options) {
    hol_data *kept[SNAPSHOTS] = {0};
    hol_sim *sim = hol_sim_new(ctx, model, options);
    hol_status status = sim ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < SNAPSHOTS && !status; i++) {
        kept[i] = hol_data_new(ctx, model);
        status = kept[i] ? hol_sim_advance(sim, 0.25 * (i + 1)) : HOL_ERR_MEMORY;
        if (!status) status = hol_data_copy(kept[i], hol_sim_data(sim));
    }
    hol_sim_free(sim);
    for (int i = 0; i < SNAPSHOTS && !status; i++) status = print_reaction(kept[i]);
    for (int i = 0; i < SNAPSHOTS; i++) hol_data_free(kept[i]);
    return status;
}

/* Whether the lower rod of two simulations is in the same place, bit for bit. */
static int agree(hol_sim *first, hol_sim *second) {
    hol_pose a, b;
    return !hol_data_body_pose(hol_sim_data(first), 1, &a) &&
           !hol_data_body_pose(hol_sim_data(second), 1, &b) && memcmp(&a, &b, sizeof a) == 0;
}

/* The state of one simulation at 1 s into another, and both to the end. */
static hol_status go_on(hol_sim *first, hol_sim *second) {
    hol_status status = hol_sim_advance(first, 1);
    const size_t size = hol_sim_state_size(first);
    void *block = malloc(size);
    if (!block) return HOL_ERR_MEMORY;
    if (!status) status = hol_sim_state_save(first, block, size);
    if (!status) status = hol_sim_advance(first, 2);
    if (!status) status = hol_sim_state_load(second, block, size);
    if (!status) status = hol_sim_advance(second, 2);
    free(block);
    return status;
}

/* A run in one piece and one that goes on from a checkpoint in the middle. */
static hol_status continue_run(hol_context *ctx, const hol_model *model,
                               const hol_options *options) {
    hol_sim *first = hol_sim_new(ctx, model, options), *second = hol_sim_new(ctx, model, options);
    const hol_status status = first && second ? go_on(first, second) : HOL_ERR_MEMORY;
    const int same = !status && agree(first, second);
    if (!status) printf("from the checkpoint: %s\n", same ? "the same bits" : "another motion");
    hol_sim_free(first);
    hol_sim_free(second);
    return status ? status : same ? HOL_OK : HOL_ERR_TOLERANCE;
}

int main(void) {
    hol_context *ctx = hol_context_new();
    if (!ctx) return 1;
    hol_context_on_message(ctx, print_message, NULL);
    hol_model *model = make_model(ctx);
    hol_options *options = hol_options_new(ctx);
    hol_status status = model && options ? solve_once(ctx, model) : HOL_ERR_INPUT;
    if (!status) status = hol_options_set_real(options, "end", 2);
    if (!status) status = keep_snapshots(ctx, model, options);
    if (!status) status = continue_run(ctx, model, options);
    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
    return status == HOL_OK ? 0 : 1;
}
