/* fault_places.h: every place in the sources that asks for memory, or for a piece of work that may
 * fail, can be told from the others and made to fail.
 *
 * A place is the address from which one of the functions below is called. Calls between files of
 * the library are led through the functions here (-Wl,--wrap; tests/CMakeLists.txt takes the names
 * from the lines that begin with PLACE_). The fault of a place is what its function may do: NULL
 * and a message from those that give memory, a status from the others.
 */
#ifndef HOLONOM_TEST_FAULT_PLACES_H
#define HOLONOM_TEST_FAULT_PLACES_H

#include "fault_way.h"

#include "base/arena.h"
#include "correct/correct.h"
#include "dyn/completion.h"
#include "dyn/data.h"
#include "form/form.h"
#include "io/out_file.h"
#include "la/order.h"
#include "la/rank.h"
#include "sim/crossing.h"
#include "sim/sim.h"

#include <stdarg.h>

enum { MOST_PLACES = 4000 };

/* What can fail at a place: no memory, an error, or as well something that a smaller step mends. */
typedef enum fault_sort { LACKS_MEMORY, FAILS, FAILS_FOR_NOW } fault_sort;

/* A place: its address, the function that is called, and how often it was reached in this run. */
typedef struct fault_place {
    const void *at;
    const char *name;
    fault_sort sort;
    long reached;
} fault_place;

/* All places that were met; the armed one fails the at-th time that it is reached. */
typedef struct fault_places {
    int n, armed;
    long at;
    hol_status status;
    int failed;
    fault_place list[MOST_PLACES];
} fault_places;

static fault_places places = {.armed = -1};

/* The place of this address; a new one is added. */
static inline int place_find(const void *at, const char *name, fault_sort sort) {
    for (int i = 0; i < places.n; i++)
        if (places.list[i].at == at) return i;
    assert_true(places.n < MOST_PLACES);
    places.list[places.n] = (fault_place){at, name, sort, 0};
    return places.n++;
}

/* The status with which this call fails; HOL_OK where it does not. */
static inline hol_status place_here(const void *at, const char *name, fault_sort sort) {
    if (!faults.watching) return HOL_OK;
    const int i = place_find(at, name, sort);
    if (++places.list[i].reached != places.at || i != places.armed) return HOL_OK;
    places.failed = 1;
    return sort == LACKS_MEMORY ? HOL_ERR_MEMORY : places.status;
}

/* No memory here: said as hol__alloc says it. */
static inline int place_lacks(hol_context *ctx, const void *at, const char *name) {
    if (!place_here(at, name, LACKS_MEMORY)) return 0;
    hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL, "out of memory (at a chosen place)");
    return 1;
}

/* The same in an arena. */
static inline int arena_lacks(hol__arena *arena, const void *at, const char *name) {
    if (!place_lacks(arena->ctx, at, name)) return 0;
    arena->failed = 1;
    return 1;
}

/* A status here; a fatal one has its message. */
static inline hol_status place_fails(const void *at, const char *name, fault_sort sort) {
    const hol_status status = place_here(at, name, sort);
    if (status < 0)
        hol__report(faults.ctx, HOL_ERROR, status, NULL, NULL, "a fault at a chosen place");
    return status;
}

/* clang-format off */
#define PLACE_(name, type, params, args, lacks, fails)                                             \
    type __real_##name params;                                                                     \
    type __wrap_##name params;                                                                     \
    type __wrap_##name params {                                                                    \
        const void *at = __builtin_return_address(0);                                              \
        return lacks ? fails : __real_##name args;                                                 \
    }

/* Memory, from the context and from an arena. */
#define PLACE_MEMORY(name, type, params, args)                                                     \
    PLACE_(name, type, params, args, place_lacks(ctx, at, #name), NULL)
#define PLACE_ARENA(name, type, params, args)                                                      \
    PLACE_(name, type, params, args, arena_lacks(arena, at, #name), NULL)

/* Work with a status, of which steps of the computation may ask for a smaller step; one that makes
 * something leaves NULL. */
#define PLACE_STATUS(name, params, args, sort)                                                     \
    hol_status __real_##name params;                                                               \
    hol_status __wrap_##name params;                                                               \
    hol_status __wrap_##name params {                                                              \
        const hol_status status = place_fails(__builtin_return_address(0), #name, sort);           \
        return status ? status : __real_##name args;                                               \
    }
#define PLACE_MAKER(name, params, args)                                                            \
    hol_status __real_##name params;                                                               \
    hol_status __wrap_##name params;                                                               \
    hol_status __wrap_##name params {                                                              \
        const hol_status status = place_fails(__builtin_return_address(0), #name, FAILS);          \
        *made = NULL;                                                                              \
        return status ? status : __real_##name args;                                               \
    }
#define PLACE_WORK(name, params, args) PLACE_STATUS(name, params, args, FAILS)
#define PLACE_STEP(name, params, args) PLACE_STATUS(name, params, args, FAILS_FOR_NOW)
/* clang-format on */

PLACE_MEMORY(hol__alloc, void *, (hol_context * ctx, size_t count, size_t size), (ctx, count, size))
PLACE_MEMORY(hol__copy_text, char *, (hol_context * ctx, const char *text), (ctx, text))
PLACE_ARENA(hol__arena_alloc, void *, (hol__arena * arena, size_t count, size_t size),
            (arena, count, size))
PLACE_ARENA(hol__arena_text, char *, (hol__arena * arena, const char *text), (arena, text))
PLACE_ARENA(hol__arena_text_n, char *, (hol__arena * arena, const char *text, size_t n),
            (arena, text, n))
PLACE_ARENA(hol__arena_grow, void *,
            (hol__arena * arena, void *array, size_t size, int count, int *capacity, int need),
            (arena, array, size, count, capacity, need))

PLACE_STEP(hol_data_update, (hol_data * data, hol_stage stage), (data, stage))
PLACE_WORK(hol_data_copy, (hol_data * dst, const hol_data *src), (dst, src))
PLACE_WORK(hol__data_walk, (hol_data * data, hol__archive *archive), (data, archive))
PLACE_WORK(hol__data_analyse, (hol_data * data), (data))
PLACE_WORK(hol__data_energy, (hol_data * data, hol_energy *out), (data, out))
PLACE_WORK(hol__measure_all, (hol_data * data, double *out), (data, out))
PLACE_STEP(hol__completion_factor, (hol__completion * completion), (completion))
PLACE_MAKER(hol__kernel_new,
            (hol_context * ctx, const hol__kernel_type *type, const hol__csr *W, const hol__csr *A,
             const hol__kernel_options *options, hol__kernel **made),
            (ctx, type, W, A, options, made))
PLACE_STEP(hol__kernel_solve,
           (hol__kernel * kernel, const double *f, const double *c, double *x, double *mu),
           (kernel, f, c, x, mu))
PLACE_WORK(hol__kernel_remember_as, (hol__kernel * dst, hol__kernel *src), (dst, src))
PLACE_STEP(hol__form_unpack, (hol__form * form, double t, const double *y), (form, t, y))
PLACE_STEP(hol__form_solve, (hol__form * form), (form))
PLACE_STEP(hol__form_factor, (hol__form * form), (form))
PLACE_STEP(hol__correction_run, (hol__correction * correction), (correction))
PLACE_STEP(hol__correction_solve,
           (hol__correction * correction, int positions, double *rhs, double *x),
           (correction, positions, rhs, x))
PLACE_STEP(hol__crossing_read, (hol_sim * sim, double *share), (sim, share))
PLACE_STEP(hol__crossing_put_back, (hol_sim * sim), (sim))
PLACE_STEP(hol__sim_read_at, (hol_sim * sim, double t, int *any), (sim, t, any))
PLACE_WORK(hol__csr_identity, (hol__arena * arena, int n, hol__csr *I), (arena, n, I))
PLACE_WORK(hol__rank_analyse,
           (hol_context * ctx, const hol__csr *A, double tolerance, hol__rank_result *result),
           (ctx, A, tolerance, result))
PLACE_WORK(hol__order, (hol_context * ctx, int n, const int *ptr, const int *idx, int *perm),
           (ctx, n, ptr, idx, perm))
PLACE_WORK(hol__out_append, (hol__out_file * out, const void *data, size_t n), (out, data, n))

#endif
