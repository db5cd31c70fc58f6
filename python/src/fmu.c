/* fmu.c: a model as an FMU. */
#include "core.h"

static const member members[] = {M(hol_fmu_options, INT, version),
                                 M(hol_fmu_options, TEXT, name),
                                 M(hol_fmu_options, TEXT, module),
                                 M(hol_fmu_options, FLAG, sources),
                                 LIST(hol_fmu_options, inputs),
                                 LIST(hol_fmu_options, tunables),
                                 END};

/* write_fmu(description, path, options): what the FMU has, in the order of holonom._fmu.Fmu. */
static PyObject *write_fmu(PyObject *module, PyObject *args) {
    PyObject *description, *options, *made = NULL;
    const char *path;
    hol_fmu_options how = {.size = sizeof how};
    hol_fmu_info info = {.size = sizeof info};
    pool p;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsO!", &description, &path, &PyDict_Type, &options)) return NULL;
    description_object *d = as_description(description);
    if (!d || !pool_init(&p)) return NULL;
    const int taken =
        fill_struct(&p, "fmu", members, options, &how) ? guard_enter(&d->guard, CHANGES) : 0;
    if (taken) {
        hol_status status;
        Py_BEGIN_ALLOW_THREADS status = hol_fmu_write(d->ctx, d->spec, path, &how, &info);
        Py_END_ALLOW_THREADS if (settle(d->ctx, status)) made = Py_BuildValue(
            "(siiiiiNiid)", info.token, info.n_parameters, info.n_inputs, info.n_outputs,
            info.n_states, info.n_conditions, PyBool_FromLong(info.exchanges), info.n_constants,
            info.n_left_out, info.step);
        guard_leave(&d->guard, taken);
    }
    pool_free(&p);
    return made;
}

PyMethodDef fmu_methods[] = {
    {"write_fmu", write_fmu, METH_VARARGS, "write_fmu(description, path, options)"},
    {NULL, NULL, 0, NULL},
};
