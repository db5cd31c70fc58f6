/* run.c: whole runs: records in memory, observers and forces of the caller, signals. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <math.h>
#include <time.h>

enum { LOOK_EVERY = 50 * 1000 * 1000 }; /* for signals, in ns */

/* ---- forces ---- */

/* A data object for a callback: the one that is kept, or a new one. */
static data_object *borrow(sim_object *self) {
    data_object *data = self->force_data;
    self->force_data = NULL;
    return data ? data : (data_object *)data_view(NULL, NULL, NULL, NULL, self->model);
}

/* Keep it for the next callback, unless somebody else has it or one is kept already. */
static void give_back(sim_object *self, data_object *data) {
    if (!self->force_data && Py_REFCNT((PyObject *)data) == 1)
        self->force_data = data;
    else
        Py_DECREF(data);
}

/* The data is that of the library while the function runs; other threads wait, and then find it
 * gone. */
static PyObject *call_with(sim_object *self, data_object *data, hol_data *from, int inside) {
    PyThread_acquire_lock(data->own.lock, WAIT_LOCK);
    data->own.owner = PyThread_get_thread_ident();
    data->own.calling = 1;
    data->ctx = inside ? self->ctx : NULL;
    data->data = from;
    data->owner = Py_NewRef((PyObject *)self);
    data->adds = 1;
    PyObject *done = PyObject_CallFunctionObjArgs(self->force, (PyObject *)data, NULL);
    data->adds = 0;
    data->data = NULL;
    Py_CLEAR(data->owner);
    data->own.owner = 0;
    PyThread_release_lock(data->own.lock);
    return done;
}

hol_status run_force(void *user, hol_data *from) {
    sim_object *self = user;
    const PyGILState_STATE state = PyGILState_Ensure();
    const int inside = self->guard.owner == PyThread_get_thread_ident();
    const int before = self->guard.calling;
    if (inside) self->guard.calling = 1;
    data_object *data = self->force ? borrow(self) : NULL;
    PyObject *done = data ? call_with(self, data, from, inside) : NULL;
    if (data) give_back(self, data);
    const int good = done != NULL;
    if (!good && PyErr_Occurred()) failed_take();
    Py_XDECREF(done);
    if (inside) self->guard.calling = before;
    PyGILState_Release(state);
    return good ? HOL_OK : HOL_ERR_INTERRUPTED;
}

/* ---- observers ---- */

/* Call a function with the simulation; what is true stops the run. */
static hol_status observe(sim_object *self, PyObject *function) {
    callback c = callback_begin(&self->guard);
    PyObject *done = PyObject_CallFunctionObjArgs(function, (PyObject *)self, NULL);
    const int stop = done ? PyObject_IsTrue(done) : -1;
    if (stop < 0) failed_take();
    Py_XDECREF(done);
    callback_end(&c);
    return stop ? HOL_ERR_INTERRUPTED : HOL_OK;
}

hol_status run_look(sim_object *self) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long ns = now.tv_sec * 1000000000LL + now.tv_nsec;
    if (ns - self->looked < LOOK_EVERY) return HOL_OK;
    self->looked = ns;
    callback c = callback_begin(&self->guard);
    const int signal = PyErr_CheckSignals();
    if (signal) failed_take();
    callback_end(&c);
    return signal ? HOL_ERR_INTERRUPTED : HOL_OK;
}

static hol_status on_output(void *user, hol_sim *sim) {
    sim_object *self = user;
    if (self->writer) {
        const hol_status status = hol_writer_record(self->writer);
        if (status) return status;
    }
    (void)sim;
    return self->on_output ? observe(self, self->on_output) : HOL_OK;
}

/* With tolerance_kind: end there are other simulations on the way, which nobody is shown. */
static hol_status on_step(void *user, hol_sim *sim) {
    sim_object *self = user;
    const hol_status status = run_look(self);
    if (status || !self->on_step || sim != self->sim) return status;
    return observe(self, self->on_step);
}

static hol_status on_checkpoint(void *user, hol_sim *sim) {
    sim_object *self = user;
    (void)sim;
    return observe(self, self->on_checkpoint);
}

/* ---- runs ---- */

/* After a run that ended before its time the last state is recorded too, where it can be. */
static void keep_last(sim_object *self) {
    int rows = 0, width = 0;
    const double *values = hol_writer_values(self->writer, &rows, &width);
    hol_data *data = hol_sim_data(self->sim);
    if (!values || !rows || hol_data_update(data, HOL_STAGE_ACC) != HOL_OK) return;
    hol_unit unit;
    hol_sim_unit(self->sim, "s", &unit);
    if (hol_unit_show(&unit, hol_data_time(data)) > values[(size_t)(rows - 1) * (size_t)width])
        hol_writer_record(self->writer);
}

/* Set or leave out a callback. */
static int take(PyObject **at, PyObject *function, const char *name) {
    if (function != Py_None && !PyCallable_Check(function)) {
        PyErr_Format(PyExc_TypeError, "%s must be a function of the simulation", name);
        return 0;
    }
    replace_ref(at, function == Py_None ? NULL : Py_NewRef(function));
    return 1;
}

/* The exception gets what was recorded as its attribute `record`. */
static void attach(PyObject *record) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && PyObject_SetAttrString(value, "record", record)) PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

/* The run itself, its guard held. */
static hol_status run(sim_object *self) {
    const hol_observer observer = {on_output, on_step, self};
    hol_status status;
    self->looked = 0;
    Py_BEGIN_ALLOW_THREADS hol_sim_on_checkpoint(self->sim,
                                                 self->on_checkpoint ? on_checkpoint : NULL, self);
    status = hol_sim_run(self->sim, &observer);
    if (status && status != HOL_ERR_INTERRUPTED && self->writer) keep_last(self);
    hol_sim_on_checkpoint(self->sim, NULL, NULL);
    Py_END_ALLOW_THREADS return status == HOL_ERR_INTERRUPTED ? HOL_OK : status;
}

PyObject *run_whole(PyObject *object, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"record", "on_output", "on_step", "on_checkpoint", NULL};
    sim_object *self = as_sim(object);
    PyObject *output = Py_None, *step = Py_None, *checkpoint = Py_None, *record = NULL;
    int wants = 1;
    if (!self || !PyArg_ParseTupleAndKeywords(args, kwargs, "|pOOO", names, &wants, &output, &step,
                                              &checkpoint))
        return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    if (take(&self->on_output, output, "on_output") && take(&self->on_step, step, "on_step") &&
        take(&self->on_checkpoint, checkpoint, "on_checkpoint")) {
        self->writer = wants ? hol_writer_open_memory(self->sim) : NULL;
        if (wants && !self->writer)
            settle_null(self->ctx);
        else {
            const hol_status status = run(self);
            record = self->writer ? record_wrap(self, self->writer) : Py_NewRef(Py_None);
            self->writer = NULL;
            if (record && !settle(self->ctx, status)) {
                attach(record);
                Py_CLEAR(record);
            }
        }
    }
    Py_CLEAR(self->on_output);
    Py_CLEAR(self->on_step);
    Py_CLEAR(self->on_checkpoint);
    guard_leave(&self->guard, taken);
    return record;
}

/* ---- modes ---- */

/* The records of mode i over the time that shows it. */
static hol_status move(sim_object *self, hol_modes *modes, int i, int frames, double amplitude) {
    const double time = hol_modes_time(modes, i);
    hol_status status = hol_modes_put(modes, i, 0, amplitude, self->sim);
    if (!status && !(self->writer = hol_writer_open_memory(self->sim))) return HOL_ERR_MEMORY;
    for (int k = 0; k <= frames && !status; k++) {
        status = hol_modes_put(modes, i, time * k / frames, amplitude, self->sim);
        if (!status) status = hol_writer_record(self->writer);
    }
    return status;
}

PyObject *run_mode(PyObject *object, PyObject *args) {
    sim_object *self = as_sim(object);
    int settled, i, frames;
    double amplitude;
    hol_modes *modes = NULL;
    if (!self || !PyArg_ParseTuple(args, "iiid", &settled, &i, &frames, &amplitude)) return NULL;
    if (frames < 1 || !isfinite(amplitude))
        return PyErr_Format(PyExc_ValueError, "frames must be positive, the amplitude finite");
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    PyObject *record = NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_modes_new(self->ctx, self->sim, settled, &modes);
    if (!status && i >= 0 && i < hol_modes_count(modes))
        status = move(self, modes, i, frames, amplitude);
    Py_END_ALLOW_THREADS if (settle(self->ctx, status)) {
        if (self->writer)
            record = record_wrap(self, self->writer);
        else
            PyErr_Format(PyExc_IndexError, "there is no mode %d; there are %d", i,
                         hol_modes_count(modes));
    }
    else {
        hol_writer_discard(self->writer);
    }
    self->writer = NULL;
    hol_modes_free(modes);
    guard_leave(&self->guard, taken);
    return record;
}
