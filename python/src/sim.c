/* sim.c: a simulation: made, stepped, saved, restarted, asked. Runs are in run.c. */
#include "core.h"

#include "run.h"

#include <math.h>

sim_object *as_sim(PyObject *value) {
    if (PyObject_TypeCheck(value, core.sim) && ((sim_object *)value)->sim)
        return (sim_object *)value;
    PyErr_SetString(PyExc_TypeError, "a simulation is needed");
    return NULL;
}

/* A simulation that Sim.__new__ alone has made has no parts: every call says so. */
static int enter(sim_object *self, use what) {
    if (self->sim) return guard_enter(&self->guard, what);
    PyErr_SetString(PyExc_RuntimeError, "this simulation was not made");
    return 0;
}

/* Sim(model, options, force, kinematic) */
static PyObject *sim_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"model", "options", "force", "kinematic", NULL};
    PyObject *model, *options, *force = Py_None;
    int kinematic = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!|Op", names, core.model, &model,
                                     core.options, &options, &force, &kinematic))
        return NULL;
    if (force != Py_None && !PyCallable_Check(force))
        return PyErr_Format(PyExc_TypeError, "force must be a function of the data");
    sim_object *self = new_object(type);
    if (!self) return NULL;
    self->kinematic = kinematic;
    self->model = Py_NewRef(model);
    self->force = force == Py_None ? NULL : Py_NewRef(force);
    self->ctx = hol_context_new();
    if (!self->ctx) PyErr_NoMemory();
    options_object *how = (options_object *)options;
    const int taken = self->ctx && guard_init(&self->guard) ? guard_enter(&how->guard, CHANGES) : 0;
    if (taken) {
        const hol_model *compiled = ((model_object *)model)->model;
        Py_BEGIN_ALLOW_THREADS self->sim =
            kinematic ? hol_kinematics_new(self->ctx, compiled, how->options)
                      : hol_sim_new(self->ctx, compiled, how->options);
        Py_END_ALLOW_THREADS guard_leave(&how->guard, taken);
        const int good = self->sim ? settle(self->ctx, HOL_OK) : settle_null(self->ctx);
        if (good && self->force) hol_sim_on_force(self->sim, run_force, self);
        if (good) return (PyObject *)self;
    }
    Py_DECREF(self);
    return NULL;
}

static int sim_traverse(PyObject *object, visitproc visit, void *arg) {
    const sim_object *self = (sim_object *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->model);
    Py_VISIT(self->code);
    Py_VISIT(self->force);
    Py_VISIT(self->on_output);
    Py_VISIT(self->on_step);
    Py_VISIT(self->on_checkpoint);
    return 0;
}

/* What may refer back to the simulation. */
static int sim_clear(PyObject *object) {
    sim_object *self = (sim_object *)object;
    Py_CLEAR(self->on_output);
    Py_CLEAR(self->on_step);
    Py_CLEAR(self->on_checkpoint);
    Py_CLEAR(self->force);
    return 0;
}

static void sim_dealloc(PyObject *object) {
    sim_object *self = (sim_object *)object;
    PyObject_GC_UnTrack(object);
    sim_clear(object);
    hol_sim_free(self->sim);
    hol_context_free(self->ctx);
    guard_free(&self->guard);
    Py_XDECREF((PyObject *)self->force_data);
    Py_XDECREF(self->code);
    Py_XDECREF(self->model);
    free_object(self);
}

/* ---- steps ---- */

static PyObject *sim_step(PyObject *object, PyObject *const *args, Py_ssize_t n_args) {
    sim_object *self = (sim_object *)object;
    long n = 1;
    if (n_args > 1) return PyErr_Format(PyExc_TypeError, "step() takes how many steps to make");
    if (n_args && (n = PyLong_AsLong(args[0])) < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "n must not be negative");
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    hol_status status = HOL_OK;
    Py_BEGIN_ALLOW_THREADS for (long i = 0; i < n && !status; i++) {
        if (i) status = run_look(self);
        if (!status) status = hol_sim_step(self->sim);
    }
    Py_END_ALLOW_THREADS const int good = settle(self->ctx, status);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* To the time t, step by step, looking for signals on the way. hol_sim_advance ends it: it says
 * what is wrong with t, and where the run has ended there is no way to go. */
static hol_status advance_to(sim_object *self, double t) {
    hol_status status = HOL_OK;
    double before = -HUGE_VAL, now = hol_data_time(hol_sim_data(self->sim));
    while (!status && isfinite(t) && now < t && now > before) {
        status = hol_sim_step_to(self->sim, t);
        if (!status) status = run_look(self);
        before = now;
        now = hol_data_time(hol_sim_data(self->sim));
    }
    return status ? status : hol_sim_advance(self->sim, t);
}

static PyObject *sim_advance(PyObject *object, PyObject *time) {
    sim_object *self = (sim_object *)object;
    const double t = PyFloat_AsDouble(time);
    if (PyErr_Occurred()) return NULL;
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = advance_to(self, t);
    Py_END_ALLOW_THREADS const int good = settle(self->ctx, status);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* restart(t, q, v) */
static PyObject *sim_restart(PyObject *object, PyObject *args) {
    sim_object *self = (sim_object *)object;
    PyObject *q, *v;
    double t;
    hol_model_info info = {.size = sizeof info};
    if (!PyArg_ParseTuple(args, "dOO", &t, &q, &v)) return NULL;
    if (!isfinite(t)) return PyErr_Format(PyExc_ValueError, "t must be finite");
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    hol_model_describe(hol_data_model(hol_sim_data(self->sim)), &info);
    double *both = PyMem_Malloc(sizeof *both * (size_t)(info.n_q + info.n_v + 1));
    if (!both) PyErr_NoMemory();
    int good =
        both && numbers_of(q, "q", info.n_q, both) && numbers_of(v, "v", info.n_v, both + info.n_q);
    if (good) {
        hol_status status;
        Py_BEGIN_ALLOW_THREADS status = hol_sim_restart(self->sim, t, both, both + info.n_q);
        Py_END_ALLOW_THREADS good = settle(self->ctx, status);
    }
    PyMem_Free(both);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* ---- exact states ---- */

static PyObject *sim_save_state(PyObject *object, PyObject *none) {
    sim_object *self = (sim_object *)object;
    (void)none;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    const size_t size = hol_sim_state_size(self->sim);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes && !settle(self->ctx, hol_sim_state_save(self->sim, PyBytes_AsString(bytes), size)))
        Py_CLEAR(bytes);
    guard_leave(&self->guard, taken);
    return bytes;
}

static PyObject *sim_load_state(PyObject *object, PyObject *block) {
    sim_object *self = (sim_object *)object;
    char *bytes;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(block, &bytes, &n)) return NULL;
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    const int good = settle(self->ctx, hol_sim_state_load(self->sim, bytes, (size_t)n));
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *sim_write_checkpoint(PyObject *object, PyObject *path) {
    sim_object *self = (sim_object *)object;
    const char *file = utf8_of(path, "the path");
    const int taken = file ? enter(self, ASKS) : 0;
    if (!taken) return NULL;
    const int good = settle(self->ctx, hol_checkpoint_write(self->sim, file, NULL));
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *sim_read_checkpoint(PyObject *object, PyObject *path) {
    sim_object *self = (sim_object *)object;
    const char *file = utf8_of(path, "the path");
    const int taken = file ? enter(self, CHANGES) : 0;
    if (!taken) return NULL;
    hol_checkpoint *from = hol_checkpoint_read(self->ctx, file);
    const int good =
        from ? settle(self->ctx, hol_checkpoint_load(from, self->sim)) : settle_null(self->ctx);
    hol_checkpoint_free(from);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* ---- questions ---- */

static PyObject *sim_get_data(PyObject *object, void *closure) {
    sim_object *self = (sim_object *)object;
    (void)closure;
    if (!self->sim) return PyErr_Format(PyExc_RuntimeError, "this simulation was not made");
    return data_view(hol_sim_data(self->sim), object, self->ctx, &self->guard, self->model);
}

static PyObject *sim_get_time(PyObject *object, void *closure) {
    sim_object *self = (sim_object *)object;
    (void)closure;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *t = PyFloat_FromDouble(hol_data_time(hol_sim_data(self->sim)));
    guard_leave(&self->guard, taken);
    return t;
}

/* The value of a statistic. */
static PyObject *statistic(const hol_sim_info *info, int i) {
    const hol_statistic_value value = hol_statistic_of(info, i);
    switch (hol_statistic_get(i)->kind) {
    case HOL_STATISTIC_COUNT: return PyLong_FromLong(value.count);
    case HOL_STATISTIC_REAL: return PyFloat_FromDouble(value.real);
    case HOL_STATISTIC_TEXT: return text_of(value.text ? value.text : "");
    default: return array_of(value.list.values, value.list.n, -1);
    }
}

/* All statistics by their keys, and what is not among them. */
static PyObject *sim_info(PyObject *object, PyObject *none) {
    sim_object *self = (sim_object *)object;
    hol_sim_info info = {.size = sizeof info};
    (void)none;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    hol_sim_describe(self->sim, &info);
    PyObject *all = Py_BuildValue("{s:s,s:d,s:d,s:d,s:d,s:i,s:N}", "end", hol_end_name(info.end),
                                  "t_start", info.t_start, "t_end", info.t_end, "t", info.t, "step",
                                  info.step, "beyond", (int)info.beyond, "certificate",
                                  text_of(info.certificate ? info.certificate : ""));
    for (int i = 0; all && hol_statistic_get(i); i++) {
        PyObject *value = statistic(&info, i);
        if (!value || PyDict_SetItemString(all, hol_statistic_get(i)->key, value)) Py_CLEAR(all);
        Py_XDECREF(value);
    }
    guard_leave(&self->guard, taken);
    return all;
}

/* What joints or forces did at an event: {name: "takes hold"}. */
static PyObject *changes(const hol_model *model, int n, const signed char *what,
                         const char *(*name)(const hol_model *, int)) {
    PyObject *all = PyDict_New();
    for (int i = 0; all && what && i < n; i++) {
        if (!what[i]) continue;
        PyObject *word = text_of(hol_change_name((hol_change)what[i]));
        if (!word || PyDict_SetItemString(all, name(model, i), word)) Py_CLEAR(all);
        Py_XDECREF(word);
    }
    return all;
}

/* {joint: (point, impulse, angular, unique)} of those that received something at event i. */
static PyObject *impulses(const hol_sim *sim, const hol_model *model, int i, int n) {
    PyObject *all = PyDict_New();
    for (int k = 0; all && k < n; k++) {
        hol_impulse p = {.size = sizeof p};
        double size = 0;
        if (hol_sim_event_impulse(sim, i, k, &p)) continue;
        for (int j = 0; j < 3; j++) size += fabs(p.impulse[j]) + fabs(p.angular[j]);
        if (!(size > 0)) continue;
        PyObject *item =
            Py_BuildValue("(NNNN)", array_of(p.point, 3, -1), array_of(p.impulse, 3, -1),
                          array_of(p.angular, 3, -1), PyBool_FromLong(p.unique));
        if (!item || PyDict_SetItemString(all, hol_model_joint_name(model, k), item)) Py_CLEAR(all);
        Py_XDECREF(item);
    }
    return all;
}

/* events(first): those of the run so far, from that one on. */
static PyObject *sim_events(PyObject *object, PyObject *args) {
    sim_object *self = (sim_object *)object;
    int first = 0;
    hol_model_info m = {.size = sizeof m};
    if (!PyArg_ParseTuple(args, "|i", &first)) return NULL;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    const hol_model *model = hol_sim_model(self->sim);
    PyObject *list = PyList_New(0);
    hol_model_describe(model, &m);
    for (int i = first > 0 ? first : 0; list; i++) {
        hol_event e = {.size = sizeof e};
        if (hol_sim_event(self->sim, i, &e)) break;
        PyObject *item = Py_BuildValue(
            "{s:d,s:N,s:N,s:N,s:d,s:d,s:i,s:i,s:N,s:N}", "t", e.t, "name", text_of(e.name),
            "joints", changes(model, m.n_joints, e.joints, hol_model_joint_name), "forces",
            changes(model, m.n_forces, e.forces, hol_model_force_name), "energy_lost",
            e.energy_lost, "gap", e.gap, "dof", e.dof, "n_redundant", e.n_redundant, "rebounds",
            text_of(e.rebounds < 0 ? NULL : hol_model_joint_name(model, e.rebounds)), "impulses",
            impulses(self->sim, model, i, m.n_joints));
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    hol_message_clear(self->ctx);
    guard_leave(&self->guard, taken);
    return list;
}

static PyObject *sim_rank(PyObject *object, PyObject *none) {
    sim_object *self = (sim_object *)object;
    hol_rank r = {.size = sizeof r};
    (void)none;
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    PyObject *all = NULL;
    if (settle(self->ctx, hol_sim_rank(self->sim, &r))) {
        const Py_ssize_t n = r.n_rows;
        all = Py_BuildValue("{s:i,s:i,s:i,s:d,s:y#,s:y#}", "rank", r.rank, "n_redundant",
                            r.n_redundant, "dof", r.dof, "smallest", r.smallest, "redundant",
                            (const char *)r.redundant, r.redundant ? n : 0, "undetermined",
                            (const char *)r.undetermined, r.undetermined ? n : 0);
    }
    guard_leave(&self->guard, taken);
    return all;
}

static PyObject *sim_messages(PyObject *object, PyObject *none) {
    sim_object *self = (sim_object *)object;
    (void)none;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *list = messages_of(hol_sim_context(self->sim));
    guard_leave(&self->guard, taken);
    return list;
}

static PyObject *sim_option(PyObject *object, PyObject *none) {
    sim_object *self = (sim_object *)object;
    (void)none;
    hol_context *ctx = hol_context_new();
    const int taken = ctx ? enter(self, ASKS) : 0;
    hol_options *copy = taken ? hol_options_copy(ctx, hol_sim_options(self->sim)) : NULL;
    guard_leave(&self->guard, taken);
    if (copy) return options_wrap(ctx, copy);
    hol_context_free(ctx);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

static PyObject *sim_use_code(PyObject *object, PyObject *code) {
    sim_object *self = (sim_object *)object;
    if (!PyObject_TypeCheck(code, core.code))
        return PyErr_Format(PyExc_TypeError, "compiled code is needed");
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    const int good = settle(self->ctx, hol_sim_use_code(self->sim, ((code_object *)code)->code));
    if (good) replace_ref(&self->code, Py_NewRef(code));
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* ---- the type ---- */

static PyMethodDef sim_methods[] = {
    {"step", (PyCFunction)(void (*)(void))sim_step, METH_FASTCALL,
     "step(n=1)\n--\n\nOne accepted step of the integrator, or n of them."},
    {"advance", sim_advance, METH_O,
     "advance(t)\n--\n\nSteps until the time t, which is met exactly."},
    {"restart", sim_restart, METH_VARARGS,
     "restart(t, q, v)\n--\n\nContinue from a state of your own; a method with a correction brings "
     "it onto the constraints first."},
    {"save_state", sim_save_state, METH_NOARGS,
     "save_state()\n--\n\nThe exact state between steps, for load_state of a simulation of the "
     "same model with the same options: it goes on with the same bits."},
    {"load_state", sim_load_state, METH_O,
     "load_state(block)\n--\n\nGo on from save_state(). Load blocks of your own only."},
    {"write_checkpoint", sim_write_checkpoint, METH_O,
     "write_checkpoint(path)\n--\n\nThe exact state as a file."},
    {"read_checkpoint", sim_read_checkpoint, METH_O,
     "read_checkpoint(path)\n--\n\nGo on from a file of write_checkpoint."},
    {"_info", sim_info, METH_NOARGS, NULL},
    {"_events", sim_events, METH_VARARGS, NULL},
    {"_rank", sim_rank, METH_NOARGS, NULL},
    {"_messages", sim_messages, METH_NOARGS, NULL},
    {"_options", sim_option, METH_NOARGS, NULL},
    {"_use_code", sim_use_code, METH_O, NULL},
    {"_run", (PyCFunction)(void (*)(void))run_whole, METH_VARARGS | METH_KEYWORDS, NULL},
    {"_mode", run_mode, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef sim_getset[] = {
    {"data", sim_get_data, NULL, "The state now, and what follows from it.", NULL},
    {"t", sim_get_time, NULL, "The time now, in s.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot sim_slots[] = {
    {Py_tp_new, sim_new},
    {Py_tp_dealloc, sim_dealloc},
    {Py_tp_traverse, sim_traverse},
    {Py_tp_clear, sim_clear},
    {Py_tp_methods, sim_methods},
    {Py_tp_getset, sim_getset},
    {Py_tp_doc, "A run of a model: method, integrator, state, statistics."},
    {0, NULL},
};

static PyType_Spec sim_spec = {"holonom._core.Sim", sizeof(sim_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                               sim_slots};

int add_sim_type(PyObject *module) {
    core.sim = add_type(module, &sim_spec, "Sim");
    return core.sim != NULL;
}
