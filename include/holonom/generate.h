/* generate.h: code for one mechanism: standalone C99 that makes the steps of a run.
 *
 * The equations of a model in relative coordinates are written out operation by operation: numbers
 * folded, recursion over the tree and factorisations unrolled, nothing left that this mechanism
 * does not need. The code depends on libm alone, allocates nothing, keeps no state outside the
 * struct of its caller, and takes a bounded time for a step.
 */
#ifndef HOLONOM_GENERATE_H
#define HOLONOM_GENERATE_H

#include "answer.h"
#include "sim.h"
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_generate_options {
    size_t size;        /* sizeof(hol_generate_options), set by the caller */
    const char *folder; /* where the files go; made where there is none */
    const char *name;   /* of all that is generated; NULL: that of the model file */
    /* an explicit Runge-Kutta formula; NULL: that of the description where it is one, else rk4 */
    const char *integrator;
    double
        step; /* s, of the run that the code is compared with; 0: that of the description, 1e-3 */
    /* Parameters of the description, and variables (measures of that type that no event sets), that
     * stay inputs of the code, held during a step; all others are folded. Numbers of the model
     * that follow from them need a formula that the file tells: what has none is an error. */
    int n_parameters;
    const char *const *parameters;
    int lanes; /* 4 or 8: NAME_lanes.h and NAME_lanes.c too, that many states at once; 0: none */
} hol_generate_options;

/* Write NAME.h, NAME.c, test.c, Makefile and README.md into the folder, and those of lanes; *out
 * says what they are.
 *
 * Before anything is written the operations are carried out and compared with the terms and
 * accelerations of the library, at states of a run and near them: HOL_ERR_TOLERANCE where they
 * differ. Elements for which there is no code (contacts, events, states of their own) are errors
 * with their place: HOL_ERR_ARGUMENT. When a file cannot be written none stays. */
hol_status hol_generate(hol_context *ctx, const hol_spec *spec, const hol_generate_options *how,
                        hol_answer **out);

/* ---- code that runs of the library use ---- */

/* Accelerations as machine code: generated, compiled by the system's C compiler and loaded. It
 * serves any number of simulations and threads, and must outlive them. */
typedef struct hol_code hol_code;

typedef struct hol_code_options {
    size_t size; /* sizeof(hol_code_options), set by the caller */
    /* The folder where compiled code is kept, known by the description, the build of the library
     * and the compiler; made where there is none. It has to belong to this user, and nobody else
     * may enter it: what is found there is run. NULL: nothing is kept. */
    const char *cache;
    const char *compiler; /* a program; NULL: cc */
} hol_code_options;

/* Code for the description. How may be NULL. Elements for which there is none are errors with their
 * place: HOL_ERR_ARGUMENT; where the compiler or files fail: HOL_ERR_IO. */
hol_status hol_code_new(hol_context *ctx, const hol_spec *spec, const hol_code_options *how,
                        hol_code **out);
void hol_code_free(hol_code *code);

/* Let a simulation of the same description, in relative coordinates with the method
 * direct-correction, evaluate its equations of motion with the code; before its first step. The
 * accelerations at the start are compared with those of the library. Where the code has no digits
 * (close to singular positions) and where the caller adds forces, the library evaluates them. */
hol_status hol_sim_use_code(hol_sim *sim, const hol_code *code);

#ifdef __cplusplus
}
#endif

#endif
