/* run.h: runs of a simulation, with callbacks. */
#ifndef HOLONOM_PYTHON_RUN_H
#define HOLONOM_PYTHON_RUN_H

#include "core.h"

/* The force of the caller, as the library calls it; user is the simulation. */
hol_status run_force(void *user, hol_data *data);

/* Whether a signal has come, looked for now and then, the interpreter lock released. */
hol_status run_look(sim_object *self);

/* Sim._run(record, on_output, on_step, on_checkpoint) and Sim._mode(settle, mode, frames,
 * amplitude). */
PyObject *run_whole(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *run_mode(PyObject *self, PyObject *args);

#endif
