/* whole_way.c: the life of every object: description, model, options, simulation, checkpoint,
 * terms. */
#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>

/* Errors and warnings as they arise; the context keeps them too. */
static void print_message(void *user, const hol_message *message) {
    char line[512];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* A pendulum. A call that fails is remembered by the description, which then does not compile. */
static hol_model *make_model(hol_context *ctx) {
    static const char *const bodies[] = {"ground", "rod"};
    static const double gravity[2] = {0, -9.81}, origin[2] = {0, 0}, centre[2] = {0.3, 0};
    hol_spec *spec = hol_spec_new(ctx);
    if (!spec) return NULL;
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, gravity);
    hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
    hol_item_number(rod, "mass", 2.5);
    hol_item_number(rod, "inertia", 0.075);
    hol_item_vector(rod, "position", 2, centre);
    hol_item *hinge = hol_spec_add(spec, "joints", "hinge", "revolute");
    hol_item_texts(hinge, "bodies", 2, bodies);
    hol_item_vector(hinge, "at", 2, origin);
    hol_model *model = hol_model_compile(ctx, spec, "reference");
    hol_spec_free(spec); /* the model stands by itself */
    return model;
}

/* Run to the middle, keep the exact state, go on from it in another simulation: the same bits. */
static hol_status run_in_two(hol_sim *first, hol_sim *second, double t) {
    hol_status status = hol_sim_advance(first, t);
    const size_t size = status ? 0 : hol_sim_state_size(first);
    void *block = size ? malloc(size) : NULL;
    if (!status && !block) status = HOL_ERR_MEMORY;
    if (!status) status = hol_sim_state_save(first, block, size);
    if (!status) status = hol_sim_state_load(second, block, size);
    free(block);
    return status ? status : hol_sim_advance(second, 2 * t);
}

/* The joint force and the Jacobian of the joint at the end. */
static hol_status print_end(hol_sim *sim) {
    hol_data *data = hol_sim_data(sim);
    hol_reaction pin = {.size = sizeof pin}; /* structs that may grow know their size */
    hol_size size = {.size = sizeof size};
    double A[6];
    hol_status status = hol_data_reaction(data, hol_model_joint(hol_sim_model(sim), "hinge"), &pin);
    if (!status) status = hol_data_term_size(data, HOL_TERM_A, &size);
    if (!status) status = hol_data_term(data, HOL_TERM_A, A, 6);
    if (status) return status;
    printf("t = %g s, force of the hinge (%.6f, %.6f) N\n", hol_data_time(data), pin.force[0],
           pin.force[1]);
    for (int i = 0; i < size.rows; i++)
        printf("%s: %9.6f %9.6f %9.6f\n", hol_model_row(hol_sim_model(sim), i)->direction, A[3 * i],
               A[3 * i + 1], A[3 * i + 2]);
    return HOL_OK;
}

/* One run in two pieces, compared with the run in one. */
static hol_status run(hol_context *ctx, const hol_model *model, const hol_options *options) {
    hol_sim *whole = hol_sim_new(ctx, model, options), *a = hol_sim_new(ctx, model, options),
            *b = hol_sim_new(ctx, model, options);
    hol_status status = whole && a && b ? hol_sim_advance(whole, 0.5) : HOL_ERR_INPUT;
    if (!status) status = hol_sim_advance(whole, 1);
    if (!status) status = run_in_two(a, b, 0.5);
    if (!status) status = print_end(b);
    for (int i = 0; !status && i < 3; i++)
        if (hol_data_q(hol_sim_data(whole))[i] != hol_data_q(hol_sim_data(b))[i])
            status = HOL_ERR_TOLERANCE;
    if (!status) printf("the run in two pieces is the run in one, bit for bit\n");
    hol_sim_free(b);
    hol_sim_free(a);
    hol_sim_free(whole);
    return status;
}

int main(void) {
    hol_context *ctx = hol_context_new();
    if (!ctx) return 1;
    hol_context_on_message(ctx, print_message, NULL);
    hol_model *model = make_model(ctx);
    hol_options *options = hol_options_new(ctx);
    hol_status status = model && options ? HOL_OK : HOL_ERR_INPUT;
    if (!status) status = hol_options_set_real(options, "end", 1);
    if (!status) status = hol_options_set_choice(options, "method", "lagrange");
    if (!status) status = run(ctx, model, options);
    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
    return status == HOL_OK ? 0 : 1;
}
