/* analysis.c: ask(): one entry for every analysis, and the few calls beside it: certificates of a
 * run, compiled code. */
#include "analysis.h"

#include <string.h>

/* The analysis of that name. */
static const analysis *find(const char *name) {
    for (const analysis *a = analyses; a->name; a++)
        if (strcmp(a->name, name) == 0) return a;
    PyErr_Format(PyExc_ValueError, "there is no analysis '%s'", name);
    return NULL;
}

/* Run it without the interpreter lock. */
static PyObject *carry_out(const analysis *a, description_object *d, job *j) {
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = a->call(j);
    Py_END_ALLOW_THREADS if (status == HOL_ERR_INTERRUPTED && j->answer) status = HOL_OK;
    if (settle(d->ctx, status) && j->answer) return answer_wrap(d, j->answer);
    hol_answer_free(j->answer);
    return NULL;
}

/* ask(name, description, sim, options, function): the description becomes that of the answer. */
static PyObject *ask(PyObject *module, PyObject *args) {
    const char *name;
    PyObject *description, *with, *options, *function, *answer = NULL;
    pool p;
    (void)module;
    if (!PyArg_ParseTuple(args, "sOOO!O", &name, &description, &with, &PyDict_Type, &options,
                          &function))
        return NULL;
    const analysis *a = find(name);
    description_object *d = a ? as_description(description) : NULL;
    sim_object *sim = d && a->wants_sim ? as_sim(with) : NULL;
    if (!d || (a->wants_sim && !sim) || !pool_init(&p)) return NULL;
    job j = {.ctx = d->ctx,
             .spec = d->spec,
             .sim = sim ? sim->sim : NULL,
             .function = function == Py_None ? NULL : function};
    j.how = a->size ? pool_alloc(&p, 1, a->size) : NULL;
    if (j.how) *(size_t *)j.how = a->size;
    if ((j.how || !a->size) && (!a->more || a->more(&p, options, j.how, &j)) &&
        fill_struct(&p, name, a->members, options, j.how)) {
        const int of_sim = sim ? guard_enter(&sim->guard, CHANGES) : 2;
        const int of_spec = of_sim ? guard_enter(&d->guard, CHANGES) : 0;
        if (of_spec) answer = carry_out(a, d, &j);
        guard_leave(&d->guard, of_spec);
        if (sim) {
            hol_message_clear(sim->ctx);
            guard_leave(&sim->guard, of_sim);
        }
    }
    pool_free(&p);
    return answer;
}

/* certify_run(description, sim) */
static PyObject *certify_run(PyObject *module, PyObject *args) {
    PyObject *description, *simulation;
    int certified = 0, good = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &description, &simulation)) return NULL;
    description_object *d = as_description(description);
    sim_object *sim = d ? as_sim(simulation) : NULL;
    const int of_sim = sim ? guard_enter(&sim->guard, CHANGES) : 0;
    const int of_spec = of_sim ? guard_enter(&d->guard, CHANGES) : 0;
    if (of_spec) {
        hol_status status;
        Py_BEGIN_ALLOW_THREADS status = hol_certify_run(d->ctx, d->spec, sim->sim, &certified);
        Py_END_ALLOW_THREADS good = settle(d->ctx, status);
        guard_leave(&d->guard, of_spec);
    }
    if (sim) guard_leave(&sim->guard, of_sim);
    return good ? PyBool_FromLong(certified) : NULL;
}

/* compile_code(description, cache, compiler) */
static PyObject *compile_code(PyObject *module, PyObject *args) {
    PyObject *description;
    hol_code_options how = {.size = sizeof how};
    (void)module;
    if (!PyArg_ParseTuple(args, "Ozz", &description, &how.cache, &how.compiler)) return NULL;
    description_object *d = as_description(description);
    code_object *self = d ? new_object(core.code) : NULL;
    if (!self) return NULL;
    self->ctx = hol_context_new();
    const int taken = self->ctx ? guard_enter(&d->guard, CHANGES) : 0;
    int good = 0;
    if (taken) {
        hol_status status;
        Py_BEGIN_ALLOW_THREADS status = hol_code_new(self->ctx, d->spec, &how, &self->code);
        Py_END_ALLOW_THREADS good = settle(self->ctx, status);
        guard_leave(&d->guard, taken);
    } else if (!self->ctx)
        PyErr_NoMemory();
    if (!good) Py_CLEAR(self);
    return (PyObject *)self;
}

PyMethodDef analysis_methods[] = {
    {"ask", ask, METH_VARARGS, "ask(name, description, sim, options, function)"},
    {"certify_run", certify_run, METH_VARARGS, "certify_run(description, sim)"},
    {"compile_code", compile_code, METH_VARARGS, "compile_code(description, cache, compiler)"},
    {NULL, NULL, 0, NULL},
};
