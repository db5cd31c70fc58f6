/* code.c: generated code that runs of the library evaluate their equations with. It is compiled
 * once, and known by the description, this build and the compiler. See holonom/generate.h. */
#include <holonom/generate.h>

#include "base/argument.h"
#include "analysis/parameter_tangent.h"
#include "base/build_id.h"
#include "generate/compiler.h"
#include "generate/making.h"
#include "model/node.h"
#include "sim/sim.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rounding of both is far below this share of the largest acceleration, a wrong term above. */
static const double TOLERANCE = 1e-9;

enum { KEY_SIZE = 48, MOST_OTHERS = 16 };

struct hol_code {
    hol_context *ctx;
    void *library;
    unsigned long long hash; /* of the description */
    int sizes[3];            /* nq, nv, followed angles */
    hol__form_code functions;
    int n_places; /* numbers that are read from each model, where values vary */
    hol__gplace *places;
    int varied;
};

/* ---- how it is known ---- */

/* h with the text of the description. */
static hol_status hash_text(const hol_spec *spec, unsigned long long *h) {
    char *text = hol_spec_text(spec);
    if (!text) return HOL_ERR_MEMORY;
    *h = hol__hash(*h, text, strlen(text));
    hol__release(spec->ctx, text);
    return HOL_OK;
}

/* h with the mechanism, and with those options of a run that the code depends on. */
static hol_status hash_mechanism(hol_context *ctx, const hol_spec *spec, unsigned long long *h) {
    hol_options *options = hol_options_from_spec(ctx, spec);
    hol_spec *copy = options ? hol_spec_copy(ctx, spec) : NULL;
    hol_status status = options ? copy ? HOL_OK : HOL_ERR_MEMORY : hol__why_not_made(ctx);
    char buf[64];
    for (int i = 0; !status && hol__gstates_options[i]; i++) {
        const char *text = hol_options_text(options, hol__gstates_options[i], buf, sizeof buf);
        if (text) *h = hol__hash(*h, text, strlen(text) + 1);
    }
    hol__node *simulation = status ? NULL : hol__node_get(copy->root, "simulation");
    if (simulation) hol__node_remove(simulation);
    if (!status) status = hash_text(copy, h);
    hol_spec_free(copy);
    hol_options_free(options);
    return status;
}

static hol_status make_key(const hol_spec *spec, const char *compiler, hol_code *code,
                           char key[KEY_SIZE]) {
    char build[HOL__BUILD_ID_SIZE] = "";
    unsigned long long mechanism = HOL__HASH_START, maker = HOL__HASH_START;
    code->hash = HOL__HASH_START;
    hol_status status = hash_text(spec, &code->hash);
    if (!status) status = hash_mechanism(code->ctx, spec, &mechanism);
    hol__build_id(build);
    maker = hol__hash(maker, build, strlen(build) + 1);
    maker = hol__hash(maker, compiler, strlen(compiler));
    snprintf(key, KEY_SIZE, "%016llx-%016llx", mechanism, maker);
    return status;
}

/* ---- loaded ---- */

/* The functions of a library that is of this key; 0 where it is not. */
static int load(hol_code *code, const char *path, const char *key) {
    code->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!code->library) return 0;
    const char *own = dlsym(code->library, "hol_code_key");
    const int *sizes = dlsym(code->library, "hol_code_sizes");
    void *rates = dlsym(code->library, "hol_code_rates");
    if (own && sizes && rates && strcmp(own, key) == 0) {
        memcpy(code->sizes, sizes, sizeof code->sizes);
        memcpy(&code->functions.at, &rates, sizeof rates);
        return 1;
    }
    dlclose(code->library);
    code->library = NULL;
    return 0;
}

/* The places of the numbers that the code has not folded. */
static hol_status keep_places(hol_code *code, const hol__program *p) {
    code->places = hol__alloc(code->ctx, (size_t)p->n_opened + 1, sizeof *code->places);
    if (!code->places) return HOL_ERR_MEMORY;
    code->n_places = p->n_opened;
    for (int i = 0; i < p->n_opened; i++) code->places[i] = p->opened[i].place;
    return HOL_OK;
}

/* Generated and compiled, for the description and n models with other values. */
static hol_status compile(hol_code *code, const hol_spec *spec, int n,
                          const hol_model *const *others, hol__shelf *shelf, const char *key) {
    const hol_generate_options how = {.size = sizeof how, .integrator = "rk4"};
    hol__making g;
    hol__text text;
    hol__text_init(&text, code->ctx);
    hol_status status = hol__making_open_varied(&g, code->ctx, spec, &how, n, others);
    if (!status) status = hol__gcode_rates(&g.code, key, &text);
    if (!status) status = keep_places(code, &g.program);
    if (!status) status = hol__shelf_compile(shelf, &text);
    hol__text_free(&text);
    hol__making_close(&g);
    return status;
}

/* From the shelf, or made; where values vary always made. */
static hol_status obtain(hol_code *code, const hol_spec *spec, int n,
                         const hol_model *const *others, hol__shelf *shelf) {
    char key[KEY_SIZE];
    int there = 0;
    hol_status status = make_key(spec, shelf->compiler, code, key);
    if (!status) status = hol__shelf_find(shelf, key, &there);
    if (status || (there && load(code, shelf->path, key))) return status;
    /* none, damaged, or of another kind of machine */
    status = compile(code, spec, n, others, shelf, key);
    if (status || load(code, shelf->path, key)) return status;
    const char *why = dlerror();
    return hol__report(code->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                       "the compiled code cannot be loaded: %s; try another compiler, named by the "
                       "environment variable CC, or run without --compiled",
                       why ? why : "it has no functions");
}

/* Code for the description, and for n models with other values. */
static hol_status make(hol_context *ctx, const hol_spec *spec, int n,
                       const hol_model *const *others, const hol_code_options *how,
                       hol_code **out) {
    hol_code *code = hol__alloc(ctx, 1, sizeof *code);
    if (!code) return HOL_ERR_MEMORY;
    code->ctx = ctx;
    code->varied = n > 0;
    hol__shelf shelf = {.ctx = ctx,
                        .folder = how && !n ? how->cache : NULL,
                        .compiler = how && how->compiler ? how->compiler : "cc"};
    const hol_status status = obtain(code, spec, n, others, &shelf);
    hol__shelf_close(&shelf);
    if (status)
        hol_code_free(code);
    else
        *out = code;
    return status;
}

hol_status hol_code_new(hol_context *ctx, const hol_spec *spec, const hol_code_options *how,
                        hol_code **out) {
    static const char call[] = "hol_code_new";
    if (!ctx || hol__need(ctx, call, "the description", spec) ||
        hol__need(ctx, call, "the code", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    return make(ctx, spec, 0, NULL, how, out);
}

hol_status hol_code_new_varied(hol_context *ctx, const hol_spec *spec, int n,
                               hol_varied *const *others, const hol_code_options *how,
                               hol_code **out) {
    static const char call[] = "hol_code_new_varied";
    const hol_model *models[MOST_OTHERS];
    if (!ctx || hol__need(ctx, call, "the description", spec) ||
        hol__need(ctx, call, "the mechanisms", others) || hol__need(ctx, call, "the code", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    if (n < 1 || n > MOST_OTHERS)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "from 1 to %d mechanisms with other values are needed", MOST_OTHERS);
    for (int k = 0; k < n; k++) {
        models[k] = hol_varied_model(others[k]);
        if (!models[k] || !models[k]->tree)
            return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                               "the mechanisms must have values, and relative coordinates");
    }
    return make(ctx, spec, n, models, how, out);
}

void hol_code_free(hol_code *code) {
    if (!code) return;
    if (code->library) dlclose(code->library);
    hol__release(code->ctx, code->places);
    hol__release(code->ctx, code);
}

/* ---- used ---- */

static hol_status refuse(hol_sim *sim, const char *why) {
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "compiled code",
                       "cannot be used for this run: %s", why);
}

/* Why it does not fit; NULL: it does. */
static const char *misfit(const hol_sim *sim, const hol_code *code) {
    const hol_model *m = sim->model;
    if (!m->tree) return "it has the equations in relative coordinates";
    if ((!code->varied && m->hash != code->hash) || m->nq != code->sizes[0] ||
        m->nv != code->sizes[1] || m->n_angles != code->sizes[2])
        return "it was made from another description";
    if (strcmp(sim->method->name, "direct-correction") != 0 || sim->stabilizer->id ||
        sim->state != &hol__state_dependent)
        return "it has the plain equations of motion; take the method direct-correction";
    if (sim->options[HOL__OPT_KERNEL] != 0) return "it stands for a kernel: name none";
    return NULL;
}

/* The numbers that the code reads from the model. */
static hol_status read_numbers(hol_sim *sim, const hol_code *code) {
    if (!code->n_places) return HOL_OK;
    hol__release(sim->ctx, sim->code_numbers);
    sim->code_numbers = hol__alloc(sim->ctx, (size_t)code->n_places, sizeof *sim->code_numbers);
    if (!sim->code_numbers) return HOL_ERR_MEMORY;
    for (int i = 0; i < code->n_places; i++)
        sim->code_numbers[i] = hol__gplace_value(&code->places[i], sim->model);
    sim->form.code_numbers = sim->code_numbers;
    return HOL_OK;
}

/* The accelerations at the start by both. */
static hol_status compare(hol_sim *sim, const hol_code *code) {
    hol_data *data = sim->data;
    const int n = sim->model->nv;
    double power, largest = 1, off = 0, *a = hol__alloc(sim->ctx, (size_t)n + 1, sizeof *a);
    if (!a) return HOL_ERR_MEMORY;
    hol_status status = hol__form_solve(&sim->form);
    const int known = !status && code->functions.at(data->t, data->q, data->v, data->angles_base,
                                                    sim->code_numbers, a, &power);
    for (int i = 0; i < n && known; i++) {
        largest = fmax(largest, fabs(data->a[i]));
        off = fmax(off, fabs(data->a[i] - a[i]));
    }
    hol__release(sim->ctx, a);
    if (status) return status;
    if (off <= TOLERANCE * largest) return HOL_OK;
    return refuse(sim, "its accelerations at the start differ from those of the library; try "
                       "another compiler");
}

hol_status hol_sim_use_code(hol_sim *sim, const hol_code *code) {
    static const char call[] = "hol_sim_use_code";
    if (!sim || hol__need(sim->ctx, call, "the code", code)) return HOL_ERR_ARGUMENT;
    const char *why = misfit(sim, code);
    if (why) return refuse(sim, why);
    hol_status status = read_numbers(sim, code);
    if (!status) status = compare(sim, code);
    if (!status) sim->code = sim->form.code = &code->functions;
    return status;
}
