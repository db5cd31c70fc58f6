/* saved.c: the exact state of an instance as bytes.
 *
 *     head | parameters | inputs | those of the simulation | x | the state of the simulation
 *
 * A state is loaded by an instance of the same FMU, in the same or in another process of the same
 * build; hol_sim_state_load sees damage.
 */
#include "fmu/component.h"

#include "base/context.h"

#include <string.h>

typedef struct head {
    char mark[8], token[64];
    size_t size;
    int state, exchange, event_mode, early_return, ended, has_sim;
    double start, stop, tolerance, t, jumped_at, jumped_to;
    long happened;
} head;

static const char mark[8] = "hol fmu";

static size_t numbers(const hol__fmu *c) {
    const hol__fmu_table *t = &c->table;
    return (size_t)(t->first_input - t->first_parameter + 2 * t->n_inputs + t->n_states);
}

size_t hol__fmu_state_size(hol__fmu *c) {
    return sizeof(head) + sizeof(double) * numbers(c) + (c->sim ? hol_sim_state_size(c->sim) : 0);
}

/* n numbers out or in, and the place behind them. */
static unsigned char *walk(double *x, size_t n, unsigned char *at, int in) {
    if (n) memcpy(in ? (void *)x : at, in ? at : (void *)x, n * sizeof *x);
    return at + n * sizeof *x;
}

static unsigned char *walk_all(hol__fmu *c, unsigned char *at, int in) {
    const hol__fmu_table *t = &c->table;
    at = walk(c->parameters, (size_t)(t->first_input - t->first_parameter), at, in);
    at = walk(c->inputs, (size_t)t->n_inputs, at, in);
    at = walk(c->given, (size_t)t->n_inputs, at, in);
    return walk(c->x, (size_t)t->n_states, at, in);
}

hol_status hol__fmu_state_save(hol__fmu *c, void *block, size_t size) {
    head h;
    memset(&h, 0, sizeof h);
    memcpy(h.mark, mark, sizeof h.mark);
    memcpy(h.token, c->table.token, sizeof h.token);
    h.size = hol__fmu_state_size(c);
    h.state = (int)c->state, h.exchange = c->exchange, h.event_mode = c->event_mode;
    h.early_return = c->early_return, h.ended = c->ended, h.has_sim = c->sim != NULL;
    h.start = c->start, h.stop = c->stop, h.tolerance = c->tolerance, h.t = c->t;
    h.jumped_at = c->jumped_at, h.jumped_to = c->jumped_to, h.happened = c->happened;
    if (size < h.size) return HOL_ERR_ARGUMENT;
    memcpy(block, &h, sizeof h);
    unsigned char *at = walk_all(c, (unsigned char *)block + sizeof h, 0);
    return c->sim ? hol_sim_state_save(c->sim, at, size - (size_t)(at - (unsigned char *)block))
                  : HOL_OK;
}

hol_status hol__fmu_state_load(hol__fmu *c, const void *block, size_t size) {
    head h;
    if (size < sizeof h) return HOL_ERR_ARGUMENT;
    memcpy(&h, block, sizeof h);
    if (memcmp(h.mark, mark, sizeof mark) != 0 || h.size > size || h.exchange != c->exchange ||
        memcmp(h.token, c->table.token, sizeof h.token) != 0 ||
        h.size < sizeof h + sizeof(double) * numbers(c))
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "the bytes are no state of an instance of this FMU");
    /* the simulation is made from the model as that was; then it gets its state */
    hol__fmu_reset(c);
    c->event_mode = h.event_mode, c->early_return = h.early_return;
    unsigned char *at = walk_all(c, (unsigned char *)block + sizeof h, 1);
    c->start = h.start, c->stop = h.stop, c->tolerance = h.tolerance, c->t = h.t;
    hol_status status = h.has_sim ? hol__fmu_prepare(c) : HOL_OK;
    at = walk_all(c, (unsigned char *)block + sizeof h, 1);
    if (!status && h.has_sim)
        status =
            hol_sim_state_load(c->sim, at, h.size - (size_t)(at - (const unsigned char *)block));
    c->jumped_at = h.jumped_at, c->jumped_to = h.jumped_to, c->happened = h.happened;
    c->ended = h.ended;
    c->placed = 0;
    c->state = status ? HOL__FMU_FAILED : (hol__fmu_state)h.state;
    return status;
}
