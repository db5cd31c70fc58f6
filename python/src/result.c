/* result.c: results read from files, and compiled code as an object. */
#include "core.h"

/* Result(path) */
static PyObject *result_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"path", "units", NULL};
    const char *path, *units = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|z", names, &path, &units)) return NULL;
    result_object *self = new_object(type);
    if (!self) return NULL;
    self->ctx = hol_context_new();
    int good = 0;
    if (!self->ctx)
        PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS self->result = hol_result_read(self->ctx, path);
        Py_END_ALLOW_THREADS good =
            self->result ? settle(self->ctx, HOL_OK) : settle_null(self->ctx);
    }
    if (good && units) good = settle(self->ctx, hol_result_set_units(self->result, units));
    if (good) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void result_dealloc(PyObject *object) {
    result_object *self = (result_object *)object;
    hol_result_free(self->result);
    hol_context_free(self->ctx);
    free_object(self);
}

/* columns(): (name, unit, frame, doc, values) of each. */
static PyObject *result_columns(PyObject *object, PyObject *none) {
    result_object *self = (result_object *)object;
    const Py_ssize_t shape[] = {hol_result_rows(self->result)}, strides[] = {sizeof(double)};
    PyObject *list = PyList_New(0);
    (void)none;
    for (int i = 0; list && hol_result_column(self->result, i); i++) {
        const hol_column *c = hol_result_column(self->result, i);
        PyObject *item = Py_BuildValue(
            "(NNNNN)", text_of(c->name), text_of(c->unit), text_of(c->frame), text_of(c->doc),
            block_new(object, &self->views, hol_result_values(self->result, i), 1, shape, strides));
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *result_text(PyObject *object, PyObject *key) {
    const char *name = utf8_of(key, "a key");
    return name ? text_of(hol_result_text(((result_object *)object)->result, name)) : NULL;
}

/* extremes(i): (minimum, time, maximum, time), None where the file does not say. */
static PyObject *result_extremes(PyObject *object, PyObject *args) {
    hol_extremes x = {.size = sizeof x};
    int i;
    if (!PyArg_ParseTuple(args, "i", &i)) return NULL;
    if (hol_result_extremes(((result_object *)object)->result, i, &x)) Py_RETURN_NONE;
    return Py_BuildValue("(dddd)", x.minimum, x.minimum_time, x.maximum, x.maximum_time);
}

static PyMethodDef result_methods[] = {
    {"columns", result_columns, METH_NOARGS, NULL},
    {"text", result_text, METH_O, NULL},
    {"extremes", result_extremes, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot result_slots[] = {
    {Py_tp_new, result_new},
    {Py_tp_dealloc, result_dealloc},
    {Py_tp_methods, result_methods},
    {Py_tp_doc, "A result file in memory."},
    {0, NULL},
};

static PyType_Spec result_spec = {"holonom._core.Result", sizeof(result_object), 0,
                                  Py_TPFLAGS_DEFAULT, result_slots};

/* ---- code ---- */

static void code_dealloc(PyObject *object) {
    code_object *self = (code_object *)object;
    hol_code_free(self->code);
    hol_context_free(self->ctx);
    free_object(self);
}

static PyType_Slot code_slots[] = {
    {Py_tp_dealloc, code_dealloc},
    {Py_tp_doc, "Accelerations of a mechanism as machine code."},
    {0, NULL},
};

static PyType_Spec code_spec = {"holonom._core.Code", sizeof(code_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, code_slots};

int add_result_type(PyObject *module) {
    core.result = add_type(module, &result_spec, "Result");
    core.code = add_type(module, &code_spec, "Code");
    return core.result && core.code;
}
