/* fuzz_calls.c: any bytes as a sequence of public calls.
 *
 * Each call takes one byte that says which it is and a few for its arguments, good and bad. Kept is
 * what the headers ask of a caller and nothing more: a context outlives what was made with it, a
 * model its data and simulations, a writer is closed before its simulation is freed. Whatever the
 * calls answer, nothing crashes, and nothing is left when all is freed.
 */
#include "common.h"
#include "fuzz_tape.h"

#include <holonom/holonom.h>

#include <limits.h>
#include <math.h>

enum { FUZZ_LENGTH = 512 }; /* some hundred calls; longer rows take longer and lead no further */

/* One of everything, made and freed on the way; NULL where there is none. */
typedef struct player {
    tape in;
    hol_context *ctx;
    hol_spec *spec;
    hol_item *item;
    hol_model *model;
    hol_options *options;
    hol_data *data[2];
    hol_sim *sim;
    hol_writer *writer;
    char *block; /* a state that was saved */
    size_t block_size;
} player;

/* ---- arguments ---- */

static unsigned take(player *p) {
    return tape_byte(&p->in);
}

/* Mostly an index that exists in small models. */
static int take_index(player *p) {
    static const int odd[] = {-1, 3, 7, 1000, INT_MAX, INT_MIN};
    const unsigned b = take(p);
    return b < 160 ? (int)(b % 3) : odd[b % 6];
}

static double take_number(player *p) {
    static const double some[] = {0,   0.01, -0.3,  1,        2.385,     1e-3,     1e-300,
                                  1e9, NAN,  1e308, INFINITY, -INFINITY, 0x1p-1074};
    return some[take(p) % (sizeof some / sizeof *some)];
}

/* Names, paths and values, some of which fit. */
static const char *take_text(player *p) {
    static const char *const some[] = {"rod",
                                       "A",
                                       "hinge",
                                       "spring",
                                       "bodies",
                                       "joints",
                                       "forces",
                                       "measures",
                                       "mass",
                                       "inertia",
                                       "type",
                                       "revolute",
                                       "end",
                                       "step",
                                       "method",
                                       "lagrange",
                                       "tolerance",
                                       "units",
                                       "1e-3",
                                       "0.5*t",
                                       "1/0",
                                       "position",
                                       "coordinates",
                                       "natural",
                                       "relative",
                                       "joints.A.at",
                                       "forces.spring.stiffness",
                                       "bodies.rod.mass",
                                       "ground",
                                       "",
                                       "\xff",
                                       "typo",
                                       "integrator",
                                       "rodas4",
                                       "simulation",
                                       "at",
                                       "angle=deg"};
    const unsigned b = take(p);
    return b == 255 ? NULL : some[b % (sizeof some / sizeof *some)];
}

static hol_data *take_data(player *p) {
    const unsigned b = take(p);
    return b % 5 == 4 ? NULL : b % 2 && p->sim ? hol_sim_data(p->sim) : p->data[b / 2 % 2];
}

/* Six numbers, or none. */
static const double *take_vector(player *p, double out[64]) {
    const unsigned b = take(p);
    if (b > 240) return NULL;
    for (int i = 0; i < 64; i++) out[i] = b > 200 ? take_number(p) : 0.1 * i - 0.001 * b;
    return out;
}

/* ---- lives ---- */

static void drop_sim(player *p) {
    hol_writer_close(p->writer);
    hol_sim_free(p->sim);
    p->writer = NULL;
    p->sim = NULL;
}

static void drop_model(player *p) {
    drop_sim(p);
    for (int i = 0; i < 2; i++) hol_data_free(p->data[i]), p->data[i] = NULL;
    hol_model_free(p->model);
    p->model = NULL;
}

static void drop_spec(player *p) {
    hol_spec_free(p->spec);
    p->spec = NULL;
    p->item = NULL;
}

/* A pendulum with a spring, by calls. */
static void build(player *p) {
    static const char *const bodies[] = {"ground", "rod"};
    static const double zero[2] = {0, 0}, at[2] = {0.4, 0.1}, from[2] = {0.1, 0.9};
    drop_spec(p);
    p->spec = hol_spec_new(p->ctx);
    hol_item *root = hol_spec_root(p->spec);
    hol_item_number(root, "holonom", 1);
    hol_item_text(root, "space", "planar");
    hol_item *rod = hol_spec_add(p->spec, "bodies", "rod", NULL);
    hol_item_number(rod, "mass", 2.385);
    hol_item_number(rod, "inertia", 0.12);
    hol_item_vector(rod, "position", 2, at);
    hol_item *hinge = hol_spec_add(p->spec, "joints", "A", "revolute");
    hol_item_texts(hinge, "bodies", 2, bodies);
    hol_item_vector(hinge, "at", 2, zero);
    p->item = hol_spec_add(p->spec, "forces", "spring", "spring");
    hol_item_texts(p->item, "bodies", 2, bodies);
    hol_item_vector(p->item, "from", 2, from);
    hol_item_vector(p->item, "to", 2, at);
    hol_item_number(p->item, "stiffness", 31.7);
    hol_item *measure = hol_spec_add(p->spec, "measures", "turn", "angle");
    hol_item_text(measure, "body", "rod");
}

static void compile(player *p) {
    static const char *const words[] = {"reference", "natural", "relative", NULL, "typo"};
    drop_model(p);
    p->model = hol_model_compile(p->ctx, p->spec, words[take(p) % 5]);
}

static void simulate(player *p) {
    drop_sim(p);
    if (p->options) hol_options_set_integer(p->options, "max_steps", 40);
    if (p->options) hol_options_set_real(p->options, "max_time", 1);
    p->sim = hol_sim_new(p->ctx, p->model, p->options);
}

static void new_data(player *p) {
    const int i = (int)take(p) % 2;
    hol_data_free(p->data[i]);
    p->data[i] = hol_data_new(p->ctx, p->model);
}

static void new_options(player *p) {
    hol_options *before = p->options;
    const unsigned b = take(p) % 3;
    p->options = b == 0   ? hol_options_new(p->ctx)
                 : b == 1 ? hol_options_copy(p->ctx, before)
                          : hol_options_from_spec(p->ctx, p->spec);
    hol_options_free(before);
}

/* ---- calls ---- */

static hol_status on_force(void *user, hol_data *data) {
    static const double zero[3] = {0, 0, 0}, force[3] = {0.1, 0, 0};
    (void)user;
    return hol_data_add_force(data, 0, zero, force);
}

static void call_spec(player *p) {
    double x[64];
    const char *key = take_text(p), *text = take_text(p);
    const double number = take_number(p);
    switch (take(p) % 9) {
    case 0: hol_item_number(p->item, key, number); break;
    case 1: hol_item_text(p->item, key, text); break;
    case 2: hol_item_vector(p->item, key, take_index(p) % 64, take_vector(p, x)); break;
    case 3: p->item = hol_item_map(p->item, key); break;
    case 4: p->item = hol_spec_add(p->spec, key, text, take_text(p)); break;
    case 5: p->item = hol_spec_section(p->spec, key); break;
    case 6: p->item = hol_spec_root(p->spec); break;
    case 7: hol_spec_set(p->spec, key, text, NULL); break;
    default: hol_free(p->ctx, hol_spec_text(p->spec)); break;
    }
}

static void call_options(player *p) {
    const char *name = take_text(p), *text = take_text(p), *word;
    char buf[16];
    double real;
    long long integer;
    int truth;
    switch (take(p) % 9) {
    case 0: hol_options_set(p->options, name, text, NULL); break;
    case 1: hol_options_set_real(p->options, name, take_number(p)); break;
    case 2: hol_options_set_choice(p->options, name, text); break;
    case 3: hol_options_set_integer(p->options, name, take_index(p)); break;
    case 4: hol_options_set_list(p->options, name, 1, &text); break;
    case 5: hol_options_get_real(p->options, name, &real); break;
    case 6: hol_options_get_integer(p->options, name, &integer); break;
    case 7: hol_options_get_bool(p->options, name, &truth); break;
    default:
        hol_options_get_text(p->options, name, take_index(p), &word);
        hol_options_text(p->options, name, buf, take(p) % sizeof buf);
    }
}

static void call_model(player *p) {
    hol_model_info info = {.size = sizeof info};
    hol_element_info element = {.size = sizeof element};
    hol_body_info body = {.size = sizeof body};
    hol_cut cut = {.size = sizeof cut};
    hol_local_point point = {.size = sizeof point};
    double values[4];
    int count;
    char buf[32];
    const int i = take_index(p);
    const char *text = take_text(p);
    hol_model_describe(p->model, &info);
    hol_model_body_describe(p->model, i, &body);
    hol_model_joint_describe(p->model, i, &element);
    hol_model_force_describe(p->model, i, &element);
    hol_model_joint_name(p->model, hol_model_joint(p->model, text));
    hol_model_row(p->model, i);
    hol_model_measure(p->model, i);
    hol_model_cut(p->ctx, p->model, i, &cut);
    hol_model_local_point(p->ctx, p->model, i, &point);
    hol_model_velocity_name(p->model, i, buf, take(p) % sizeof buf);
    hol_model_field(p->ctx, p->model, text, (int)take(p) % 5, values, &count);
    hol_free(p->ctx, hol_model_field_text(p->ctx, p->model, text));
    hol_free(p->ctx, hol_model_element_text(p->ctx, p->model, text));
}

static void call_data(player *p) {
    hol_data *data = take_data(p);
    hol_pose pose;
    hol_twist twist;
    hol_energy energy = {.size = take(p) % (sizeof energy + 1)};
    hol_reaction reaction = {.size = sizeof reaction};
    hol_load load = {.size = sizeof load};
    hol_size size = {.size = sizeof size};
    double x[64], y[64], value, *term;
    const int i = take_index(p);
    const hol_term which = (hol_term)take_index(p);
    switch (take(p) % 11) {
    case 0: hol_data_set(data, take_number(p), take_vector(p, x), take_vector(p, y)); break;
    case 1: hol_data_update(data, (hol_stage)(take(p) % 7)); break;
    case 2: hol_data_solve(data); break;
    case 3: hol_data_body_pose(data, i, &pose); break;
    case 4: hol_data_body_twist(data, i, &twist); break;
    case 5: hol_data_energy(data, &energy); break;
    case 6: hol_data_reaction(data, i, &reaction); break;
    case 7: hol_data_force(data, i, &load); break;
    case 8: hol_data_measure(data, i, &value); break;
    case 9: hol_data_copy(data, take_data(p)); break;
    default:
        if (hol_data_term_size(data, which, &size) != HOL_OK) break;
        term = malloc(sizeof *term * (size_t)(size.rows * size.columns + 1));
        if (term) hol_data_term(data, which, term, size.rows * size.columns - (int)(take(p) & 1));
        free(term);
    }
}

/* Save the state, or load what was saved, perhaps with a byte changed. */
static void call_state(player *p) {
    const unsigned b = take(p);
    if (b % 2) {
        if (p->block && b % 3 == 0) p->block[take(p) * 7u % p->block_size] ^= 4;
        hol_sim_state_load(p->sim, p->block, p->block_size - (b % 5 == 0));
        return;
    }
    free(p->block);
    p->block_size = hol_sim_state_size(p->sim);
    p->block = p->block_size ? malloc(p->block_size) : NULL;
    hol_sim_state_save(p->sim, p->block, p->block_size);
}

static void call_sim(player *p) {
    hol_sim_info info = {.size = sizeof info};
    hol_rank rank = {.size = sizeof rank};
    hol_event event = {.size = sizeof event};
    hol_unit unit;
    double x[64], y[64];
    switch (take(p) % 9) {
    case 0: hol_sim_step(p->sim); break;
    case 1: hol_sim_advance(p->sim, hol_data_time(hol_sim_data(p->sim)) + 0.01); break;
    case 2: hol_sim_restart(p->sim, take_number(p), take_vector(p, x), take_vector(p, y)); break;
    case 3: hol_sim_rank(p->sim, &rank); break;
    case 4: hol_sim_event(p->sim, take_index(p), &event); break;
    case 5: hol_sim_measure_unit(p->sim, take_index(p), &unit); break;
    case 6: hol_sim_on_force(p->sim, take(p) % 2 ? on_force : NULL, NULL); break;
    case 7: call_state(p); break;
    default: hol_sim_run(p->sim, NULL); break;
    }
    hol_sim_describe(p->sim, &info);
}

static void call_writer(player *p) {
    const unsigned b = take(p) % 4;
    if (b == 0 && p->writer) {
        hol_writer_close(p->writer);
        p->writer = NULL;
    } else if (b == 1 && !p->writer)
        p->writer = hol_writer_open(p->sim, "calls.csv");
    else
        hol_writer_record(p->writer);
}

static void call_messages(player *p) {
    char buf[64];
    hol_message_format(hol_message_get(p->ctx, take_index(p)), buf, take(p) % sizeof buf);
    if (take(p) % 2) hol_message_clear(p->ctx);
}

/* All calls; those that make the objects stand more than once, so that there are some. */
static void (*const calls[])(player *) = {
    build,    build,       compile,     compile,       simulate,   simulate,   new_data,
    call_sim, new_options, call_spec,   call_options,  call_model, call_data,  call_data,
    call_sim, call_sim,    call_writer, call_messages, drop_spec,  drop_model, drop_sim};

void fuzz_one(const uint8_t *data, size_t size) {
    counting memory;
    player p = {.in = {data, size}, .ctx = counting_context(&memory)};
    if (!p.ctx || size > 4096) return;
    while (p.in.left) calls[take(&p) % (sizeof calls / sizeof *calls)](&p);
    drop_model(&p);
    drop_spec(&p);
    hol_options_free(p.options);
    hol_context_free(p.ctx);
    free(p.block);
    if (memory.live) fuzz_fail("memory is left behind");
}
