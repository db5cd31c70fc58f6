/* instance.h: what fmi2.c and fmi3.c share: a component with the importer's logger and memory, and
 * the question of what may be called when.
 *
 * Every call is one row of a table: its name, and the states in which the standard allows it, for
 * model exchange and for co-simulation. A call outside of these is refused with an error and
 * changes nothing.
 */
#ifndef HOL_FMU_INSTANCE_H
#define HOL_FMU_INSTANCE_H

#include "fmu/component.h"

/* A call, and where it may be made. */
typedef struct fmu_call {
    const char *name;
    unsigned exchange, simulation; /* hol__fmu_state bits */
} fmu_call;

/* Sets of states. */
enum {
    FMU_I = HOL__FMU_INSTANTIATED,
    FMU_N = HOL__FMU_INITIALIZATION,
    FMU_E = HOL__FMU_EVENT,
    FMU_C = HOL__FMU_CONTINUOUS,
    FMU_S = HOL__FMU_STEP,
    FMU_U = HOL__FMU_INTERMEDIATE,
    FMU_T = HOL__FMU_TERMINATED,
    FMU_X = HOL__FMU_FAILED,
    FMU_NOT = 0,
    FMU_RUN = FMU_E | FMU_C | FMU_S,
    FMU_KEPT = FMU_I | FMU_N | FMU_RUN | FMU_T,         /* the state can be saved and loaded */
    FMU_READ = FMU_N | FMU_RUN | FMU_T | FMU_X | FMU_U, /* values can be read */
    FMU_ANY = FMU_KEPT | FMU_X | FMU_U
};

/* How a message of the library reaches the importer: category and text, and whether it is an
 * error. */
typedef struct fmu_sink {
    void (*tell)(void *user, hol_severity severity, const char *text);
    void *user;
} fmu_sink;

/* The messages of a context go to the sink, which must stay as long as it. */
void fmu_listen(hol_context *ctx, fmu_sink *sink);

/* Whether the call may be made now; otherwise it is reported. */
int fmu_may(const hol__fmu *c, const fmu_call *call);

/* HOL_OK, or an error where n pointers are needed and one is missing. */
hol_status fmu_need(const hol__fmu *c, const char *call, size_t n, const void *array);

/* After a calculation that went wrong the instance can only be read, reset, loaded and freed; a
 * wrong argument leaves it as it is. Returns whether the status is an error. */
int fmu_after(hol__fmu *c, hol_status status);

#endif
