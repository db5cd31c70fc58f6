/* importer.h: a small importer of FMUs, 2.0 and 3.0, that keeps to the standard's order of calls:
 * one that is not allowed in the present state is a failure of the test that makes it.
 *
 * It knows nothing of the library: it unzips (libzip), reads the description (libxml2) and checks
 * it by rules of its own, loads the binary (dlopen) and calls it. FMI 2.0 and 3.0 stand behind the
 * same functions here.
 */
#ifndef FMU_IMPORTER_H
#define FMU_IMPORTER_H

#include <stddef.h>

/* A variable as the description has it. */
typedef struct fmu_variable {
    char name[96], causality[24], variability[16], initial[16], unit[24];
    unsigned reference;
    double start;
    int has_start, derivative; /* of the variable with this place in the list; -1: of none */
} fmu_variable;

typedef struct fmu_archive {
    int version; /* 2 or 3 */
    char folder[512], token[80], identifier[80], resources[600];
    int has_exchange, has_simulation;
    int n_variables, n_states, n_conditions;
    fmu_variable *variables;
    unsigned *states, *rates; /* value references in the order of the vectors */
    double start, stop, tolerance, step;
    void *library;
} fmu_archive;

/* Unzip into the folder, read and check the description; fails the test where a rule is broken.
 * runtime: the binary in place of the one in the archive; NULL: that one. */
void fmu_open(fmu_archive *fmu, const char *path, const char *folder, const char *runtime);
void fmu_close(fmu_archive *fmu);

/* Unzip alone. */
void fmu_unzip(const char *path, const char *folder);

/* The place of a variable by name; fails where there is none. */
int fmu_find(const fmu_archive *fmu, const char *name);

/* What an instance is in. */
typedef enum fmu_mode {
    FMU_NEW,
    FMU_INIT,
    FMU_EVENTS,
    FMU_CONTINUOUS,
    FMU_STEPS,
    FMU_ENDED
} fmu_mode;

typedef struct fmu_instance {
    const fmu_archive *fmu;
    void *handle;
    fmu_mode mode;
    int exchange, uses_events;
    int errors;       /* messages of that kind */
    char last[1024];  /* the last message */
    long blocks;      /* of memory that the instance holds (FMI 2.0) */
    int updates, ask; /* intermediate updates so far; ask for an early return at this one */
    double t;
    /* of the last event mode and step */
    int changed, terminate, has_next, event, early;
    double next, reached;
} fmu_instance;

/* Make one, with event mode and early return in co-simulation of FMI 3.0; and give it back. */
void fmu_start(fmu_instance *i, const fmu_archive *fmu, int exchange, int uses_events);
void fmu_free(fmu_instance *i);

/* Initialise over start..stop; set values in between by fmu_begin, fmu_set, fmu_ready. */
void fmu_begin(fmu_instance *i, double start, double stop);
void fmu_ready(fmu_instance *i);
void fmu_set(fmu_instance *i, unsigned reference, double value);
double fmu_get(fmu_instance *i, unsigned reference);

/* Model exchange. */
void fmu_set_time(fmu_instance *i, double t);
void fmu_set_states(fmu_instance *i, const double *x);
void fmu_get_states(fmu_instance *i, double *x);
void fmu_get_rates(fmu_instance *i, double *rates);
void fmu_get_conditions(fmu_instance *i, double *z);
int fmu_step_completed(fmu_instance *i);
void fmu_events(fmu_instance *i); /* into event mode, until nothing is left, and out again */

/* Co-simulation: 0 where the step was made, 1 where the model ended its run. */
int fmu_do_step(fmu_instance *i, double t, double h);

/* Derivatives. */
void fmu_forward(fmu_instance *i, size_t n_unknown, const unsigned *unknown, size_t n_known,
                 const unsigned *known, const double *seed, double *out);
void fmu_backward(fmu_instance *i, size_t n_unknown, const unsigned *unknown, size_t n_known,
                  const unsigned *known, const double *seed, double *out);

/* States: kept, loaded, freed; and through bytes into another instance. */
void *fmu_keep(fmu_instance *i);
void fmu_load(fmu_instance *i, void *state);
void fmu_drop(fmu_instance *i, void *state);
void *fmu_carry(fmu_instance *from, void *state, fmu_instance *to);

/* The address of a function of the binary. */
void *fmu_function(const fmu_archive *fmu, const char *name);

/* An instance with raw callbacks, for calls in any order; FMI 2.0 counts blocks in *blocks. */
void *fmu_raw(const fmu_archive *fmu, int exchange, int uses_events, long *blocks);

/* ---- a run in model exchange by the classical formula of Runge and Kutta ---- */

/* From where the instance is to the time `end` in n equal steps, events located by bisection. */
void fmu_integrate(fmu_instance *i, double end, int n);

#endif
