/* description.c: descriptions of mechanisms and options of runs.
 *
 * A description is read or built, and then only copied: each analysis and each compilation has a
 * copy of its own, with its own context, so that threads do not wait for each other. */
#include "core.h"

#include <math.h>

/* A new description over a new context, empty or a copy. */
static description_object *make(PyTypeObject *type, const hol_spec *from) {
    description_object *self = new_object(type);
    if (!self) return NULL;
    self->ctx = hol_context_new();
    if (self->ctx) self->spec = from ? hol_spec_copy(self->ctx, from) : hol_spec_new(self->ctx);
    if (!self->spec) PyErr_NoMemory();
    if (self->spec && guard_init(&self->guard)) return self;
    Py_DECREF(self);
    return NULL;
}

static PyObject *description_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "", names)) return NULL;
    return (PyObject *)make(type, NULL);
}

static void description_dealloc(PyObject *object) {
    description_object *self = (description_object *)object;
    hol_spec_free(self->spec);
    hol_context_free(self->ctx);
    guard_free(&self->guard);
    free_object(self);
}

description_object *as_description(PyObject *value) {
    if (PyObject_TypeCheck(value, core.description)) return (description_object *)value;
    PyErr_SetString(PyExc_TypeError, "a description is needed");
    return NULL;
}

static PyObject *description_copy(PyObject *object, PyObject *none) {
    description_object *self = (description_object *)object;
    (void)none;
    const int taken = guard_enter(&self->guard, CHANGES);
    description_object *copy = taken ? make(core.description, self->spec) : NULL;
    guard_leave(&self->guard, taken);
    return (PyObject *)copy;
}

/* read_file(path, root): root NULL for the folder of the file. */
static PyObject *description_read_file(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    const char *path, *root;
    hol_status status = HOL_OK;
    if (!PyArg_ParseTuple(args, "sz", &path, &root)) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    Py_BEGIN_ALLOW_THREADS if (root) status = hol_spec_set_include_root(self->spec, root);
    if (!status) status = hol_spec_read_file(self->spec, path);
    Py_END_ALLOW_THREADS const int good = settle(self->ctx, status);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *description_read_text(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    const char *text, *name, *root;
    hol_status status = HOL_OK;
    if (!PyArg_ParseTuple(args, "ssz", &text, &name, &root)) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    Py_BEGIN_ALLOW_THREADS if (root) status = hol_spec_set_include_root(self->spec, root);
    if (!status) status = hol_spec_read_text(self->spec, text, name);
    Py_END_ALLOW_THREADS const int good = settle(self->ctx, status);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* set(path, text, origin) */
static PyObject *description_set(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    const char *path, *text, *origin;
    if (!PyArg_ParseTuple(args, "sss", &path, &text, &origin)) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    const int good = settle(self->ctx, hol_spec_set(self->spec, path, text, origin));
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* add(section, name, type): a new element, whose keys set() gives. */
static PyObject *description_add(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    const char *section, *name, *type;
    if (!PyArg_ParseTuple(args, "ssz", &section, &name, &type)) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    const int good = hol_spec_add(self->spec, section, name, type) ? settle(self->ctx, HOL_OK)
                                                                   : settle_null(self->ctx);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* key(section, name, key, text): a key of a section (name None) or of an item of it. */
static PyObject *description_key(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    const char *section, *name, *key, *text;
    if (!PyArg_ParseTuple(args, "zzss", &section, &name, &key, &text)) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    hol_item *item = section ? hol_spec_section(self->spec, section) : hol_spec_root(self->spec);
    if (item && name) item = hol_item_map(item, name);
    const int good =
        item ? settle(self->ctx, hol_item_text(item, key, text)) : settle_null(self->ctx);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *description_allow_massless(PyObject *object, PyObject *none) {
    description_object *self = (description_object *)object;
    (void)none;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    const int good = settle(self->ctx, hol_spec_allow_massless(self->spec));
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* A text that the library handed out, given back to it. */
static PyObject *take_text(description_object *self, char *text) {
    PyObject *value = text ? text_of(text) : NULL;
    const int good = text ? settle(self->ctx, HOL_OK) : settle_null(self->ctx);
    hol_free(self->ctx, text);
    if (!good) Py_CLEAR(value);
    return value;
}

static PyObject *description_text(PyObject *object, PyObject *none) {
    description_object *self = (description_object *)object;
    (void)none;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    PyObject *text = take_text(self, hol_spec_text(self->spec));
    guard_leave(&self->guard, taken);
    return text;
}

/* rewrite(names, values): the model file with other numbers. */
static PyObject *description_rewrite(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    PyObject *names, *values, *text = NULL;
    pool p;
    int n = 0;
    Py_ssize_t m = 0;
    if (!PyArg_ParseTuple(args, "OO", &names, &values) || !pool_init(&p)) return NULL;
    const char *const *texts = texts_of(&p, names, "names", &n);
    double *numbers = texts ? all_numbers_of(values, "values", &m) : NULL;
    const int taken = numbers && n == m ? guard_enter(&self->guard, CHANGES) : 0;
    if (taken) text = take_text(self, hol_spec_rewrite(self->spec, n, texts, numbers));
    guard_leave(&self->guard, taken);
    PyMem_Free(numbers);
    pool_free(&p);
    if (numbers && n != m) PyErr_SetString(PyExc_ValueError, "as many names as values are needed");
    return text;
}

static PyObject *description_options(PyObject *object, PyObject *none) {
    description_object *self = (description_object *)object;
    (void)none;
    hol_context *ctx = hol_context_new();
    if (!ctx) return PyErr_NoMemory();
    const int taken = guard_enter(&self->guard, CHANGES);
    hol_options *options = taken ? hol_options_from_spec(ctx, self->spec) : NULL;
    int good = 0;
    if (taken) good = options ? settle(ctx, HOL_OK) : settle_null(ctx);
    guard_leave(&self->guard, taken);
    if (good) return options_wrap(ctx, options);
    hol_options_free(options);
    hol_context_free(ctx);
    return NULL;
}

/* compile(coordinates) */
static PyObject *description_compile(PyObject *object, PyObject *args) {
    description_object *self = (description_object *)object;
    const char *coordinates;
    if (!PyArg_ParseTuple(args, "z", &coordinates)) return NULL;
    hol_context *ctx = hol_context_new();
    if (!ctx) return PyErr_NoMemory();
    const int taken = guard_enter(&self->guard, CHANGES);
    hol_model *model = NULL;
    int good = 0;
    if (taken) {
        Py_BEGIN_ALLOW_THREADS model = hol_model_compile(ctx, self->spec, coordinates);
        Py_END_ALLOW_THREADS good = model ? settle(ctx, HOL_OK) : settle_null(ctx);
    }
    guard_leave(&self->guard, taken);
    if (good) return model_wrap(ctx, model);
    hol_model_free(model);
    hol_context_free(ctx);
    return NULL;
}

static PyMethodDef description_methods[] = {
    {"copy", description_copy, METH_NOARGS, "The description once more, with its own context."},
    {"read_file", description_read_file, METH_VARARGS, "read_file(path, root)"},
    {"read_text", description_read_text, METH_VARARGS, "read_text(text, name, root)"},
    {"set", description_set, METH_VARARGS, "set(path, text, origin)"},
    {"add", description_add, METH_VARARGS, "add(section, name, type)"},
    {"key", description_key, METH_VARARGS, "key(section, name, key, text)"},
    {"allow_massless", description_allow_massless, METH_NOARGS, "Bodies may lack masses."},
    {"text", description_text, METH_NOARGS, "The description as a model file."},
    {"rewrite", description_rewrite, METH_VARARGS, "rewrite(names, values)"},
    {"options", description_options, METH_NOARGS, "The options of its section simulation."},
    {"compile", description_compile, METH_VARARGS, "compile(coordinates)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot description_slots[] = {
    {Py_tp_new, description_new},
    {Py_tp_dealloc, description_dealloc},
    {Py_tp_methods, description_methods},
    {Py_tp_doc, "A description of a mechanism, before any mathematics."},
    {0, NULL},
};

static PyType_Spec description_spec = {"holonom._core.Description", sizeof(description_object), 0,
                                       Py_TPFLAGS_DEFAULT, description_slots};

/* ---- options ---- */

PyObject *options_wrap(hol_context *ctx, hol_options *options) {
    options_object *self = new_object(core.options);
    if (!self) {
        hol_options_free(options);
        hol_context_free(ctx);
        return NULL;
    }
    self->ctx = ctx;
    self->options = options;
    if (guard_init(&self->guard)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void options_dealloc(PyObject *object) {
    options_object *self = (options_object *)object;
    hol_options_free(self->options);
    hol_context_free(self->ctx);
    guard_free(&self->guard);
    free_object(self);
}

static PyObject *options_copy(PyObject *object, PyObject *none) {
    options_object *self = (options_object *)object;
    (void)none;
    hol_context *ctx = hol_context_new();
    const int taken = ctx ? guard_enter(&self->guard, CHANGES) : 0;
    hol_options *options = taken ? hol_options_copy(ctx, self->options) : NULL;
    guard_leave(&self->guard, taken);
    if (options) return options_wrap(ctx, options);
    hol_context_free(ctx);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

/* A list of texts. */
static hol_status set_list(options_object *self, const char *name, PyObject *value) {
    pool p;
    int n = 0;
    hol_status status = HOL_ERR_ARGUMENT;
    if (!pool_init(&p)) return status;
    const char *const *texts = texts_of(&p, value, name, &n);
    if (texts) status = hol_options_set_list(self->options, name, n, texts);
    pool_free(&p);
    return status;
}

/* Whether Python's value is a number and no truth value. */
static int is_number(PyObject *value) {
    return PyNumber_Check(value) && !PyBool_Check(value);
}

/* A value of the kind that the row has; a text is read as in a model file. */
static hol_status set_value(options_object *self, const char *name, PyObject *value) {
    const hol_option *row = hol_option_find(name);
    if (PyUnicode_Check(value) || !row) {
        const char *text = PyUnicode_Check(value) ? utf8_of(value, name) : "";
        return text ? hol_options_set(self->options, name, text, NULL) : HOL_ERR_ARGUMENT;
    }
    if (row->kind == HOL_OPTION_LIST) return set_list(self, name, value);
    if (PyBool_Check(value) && row->kind == HOL_OPTION_BOOL)
        return hol_options_set_bool(self->options, name, value == Py_True);
    if (PyBool_Check(value) && row->kind == HOL_OPTION_CHOICE)
        return hol_options_set_choice(self->options, name, value == Py_True ? "on" : "off");
    if (is_number(value) && row->kind == HOL_OPTION_REAL) {
        const double number = PyFloat_AsDouble(value);
        return PyErr_Occurred() ? HOL_ERR_ARGUMENT
                                : hol_options_set_real(self->options, name, number);
    }
    if (is_number(value) && row->kind == HOL_OPTION_INTEGER) {
        PyObject *index = PyNumber_Index(value);
        const long long number = index ? PyLong_AsLongLong(index) : 0;
        Py_XDECREF(index);
        return PyErr_Occurred() ? HOL_ERR_ARGUMENT
                                : hol_options_set_integer(self->options, name, number);
    }
    static const char *const kinds[] = {"a number", "a whole number", "True or False", "a word",
                                        "a list of str"};
    PyErr_Format(PyExc_TypeError, "option '%s' takes %s", name, kinds[row->kind]);
    return HOL_ERR_ARGUMENT;
}

static PyObject *options_set(PyObject *object, PyObject *args) {
    options_object *self = (options_object *)object;
    const char *name;
    PyObject *value;
    if (!PyArg_ParseTuple(args, "sO", &name, &value)) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    const hol_status status = set_value(self, name, value);
    const int good = PyErr_Occurred() ? 0 : settle(self->ctx, status);
    hol_message_clear(self->ctx);
    guard_leave(&self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* All texts of a list. */
static PyObject *get_list(const options_object *self, const char *name) {
    PyObject *list = PyList_New(0);
    const char *text;
    for (int k = 0; list && hol_options_get_text(self->options, name, k, &text) == HOL_OK; k++) {
        PyObject *item = text_of(text);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *options_get(PyObject *object, PyObject *name) {
    options_object *self = (options_object *)object;
    const char *key = utf8_of(name, "the name of an option");
    const hol_option *row = key ? hol_option_find(key) : NULL;
    double real = NAN;
    long long integer = 0;
    int truth = 0;
    char buf[64];
    if (!key) return NULL;
    if (!row) return PyErr_Format(PyExc_KeyError, "there is no option '%s'", key);
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    PyObject *value = NULL;
    if (row->kind == HOL_OPTION_LIST)
        value = get_list(self, key);
    else if (row->kind == HOL_OPTION_REAL && !row->choice &&
             hol_options_get_real(self->options, key, &real) == HOL_OK)
        value = PyFloat_FromDouble(real);
    else if (row->kind == HOL_OPTION_INTEGER && !row->choice &&
             hol_options_get_integer(self->options, key, &integer) == HOL_OK)
        value = PyLong_FromLongLong(integer);
    else if (row->kind == HOL_OPTION_BOOL &&
             hol_options_get_bool(self->options, key, &truth) == HOL_OK)
        value = PyBool_FromLong(truth);
    else
        value = text_of(hol_options_text(self->options, key, buf, sizeof buf));
    hol_message_clear(self->ctx);
    guard_leave(&self->guard, taken);
    return value;
}

static PyObject *options_coordinates(PyObject *object, PyObject *to_run) {
    options_object *self = (options_object *)object;
    return text_of(PyObject_IsTrue(to_run) ? hol_options_run_coordinates(self->options)
                                           : hol_options_coordinates(self->options));
}

static PyMethodDef options_methods[] = {
    {"copy", options_copy, METH_NOARGS, "The same values, with a context of their own."},
    {"set", options_set, METH_VARARGS, "set(name, value)"},
    {"get", options_get, METH_O, "get(name)"},
    {"coordinates", options_coordinates, METH_O, "coordinates(to_run)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot options_slots[] = {
    {Py_tp_dealloc, options_dealloc},
    {Py_tp_methods, options_methods},
    {Py_tp_doc, "One value for each row of the table of options."},
    {0, NULL},
};

static PyType_Spec options_spec = {"holonom._core.Options", sizeof(options_object), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                   options_slots};

int add_description_types(PyObject *module) {
    core.description = add_type(module, &description_spec, "Description");
    core.options = add_type(module, &options_spec, "Options");
    return core.description && core.options;
}
