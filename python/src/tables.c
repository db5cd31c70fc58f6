/* tables.c: the tables of the library: options, elements, methods, parts, features. */
#include "core.h"

#include <math.h>

/* Append an item and give it up; 0 with an exception. */
static int append(PyObject *list, PyObject *item) {
    const int good = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return good;
}

/* The words of a choice. */
static PyObject *choices_of(const hol_option *row) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && row->choice && row->choice(i); i++)
        if (!append(list, text_of(row->choice(i)))) Py_CLEAR(list);
    return list;
}

/* (name, kind, min, max, default, unit, choices, doc) of each option. */
static PyObject *options(PyObject *module, PyObject *none) {
    static const char *const kinds[] = {"real", "integer", "bool", "choice", "list"};
    PyObject *list = PyList_New(0);
    const hol_option *row;
    (void)module, (void)none;
    for (int i = 0; list && (row = hol_option_get(i)); i++)
        if (!append(list, Py_BuildValue("(NsddNNNN)", text_of(row->name), kinds[row->kind],
                                        row->min, row->max, text_of(row->initial),
                                        text_of(row->unit), choices_of(row), text_of(row->doc))))
            Py_CLEAR(list);
    return list;
}

/* (section, name, title, equations, example, planar, spatial, unit) of each kind of element. */
static PyObject *elements(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    hol_element_doc d = {.size = sizeof d};
    (void)module, (void)none;
    for (int i = 0; list && hol_element_get(i, &d) == HOL_OK; i++)
        if (!append(list, Py_BuildValue("(NNNNNNNN)", text_of(d.section), text_of(d.name),
                                        text_of(d.title), text_of(d.equations), text_of(d.example),
                                        PyBool_FromLong(d.planar), PyBool_FromLong(d.spatial),
                                        text_of(d.unit))))
            Py_CLEAR(list);
    return list;
}

/* keys(section, element): (name, kind, unit, default, doc, choices) of each key. */
static PyObject *keys(PyObject *module, PyObject *args) {
    const char *section, *element;
    PyObject *list = PyList_New(0);
    hol_key_doc d = {.size = sizeof d};
    (void)module;
    if (!PyArg_ParseTuple(args, "zz", &section, &element)) Py_CLEAR(list);
    for (int i = 0; list && hol_element_key(section, element, i, &d) == HOL_OK; i++) {
        PyObject *words = PyList_New(0);
        for (int k = 0; words && d.choices && d.choices[k]; k++)
            if (!append(words, text_of(d.choices[k]))) Py_CLEAR(words);
        if (!append(list,
                    Py_BuildValue("(NNNNNN)", text_of(d.name), text_of(d.kind), text_of(d.unit),
                                  text_of(d.initial), text_of(d.doc), words)))
            Py_CLEAR(list);
    }
    return list;
}

/* (name, title, state, kernel, basis, stabilizer, correction, source) of each method. */
static PyObject *methods(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    const hol_method_doc *m;
    (void)module, (void)none;
    for (int i = 0; list && (m = hol_method_get(i)); i++)
        if (!append(list, Py_BuildValue("(NNNNNNNN)", text_of(m->name), text_of(m->title),
                                        text_of(m->state), text_of(m->kernel), text_of(m->basis),
                                        text_of(m->stabilizer), text_of(m->correction),
                                        text_of(m->source))))
            Py_CLEAR(list);
    return list;
}

/* (part, name, title) of each part of methods and integrators. */
static PyObject *parts(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    hol_part_doc d = {.size = sizeof d};
    (void)module, (void)none;
    for (int i = 0; list && hol_part_get(i, &d) == HOL_OK; i++)
        if (!append(list,
                    Py_BuildValue("(NNN)", text_of(d.part), text_of(d.name), text_of(d.title))))
            Py_CLEAR(list);
    return list;
}

/* (name, built, purpose) of each optional part of the library. */
static PyObject *features(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    const hol_feature *f;
    (void)module, (void)none;
    for (int i = 0; list && (f = hol_feature_get(i)); i++)
        if (!append(list, Py_BuildValue("(NNN)", text_of(f->name), PyBool_FromLong(f->built),
                                        text_of(f->purpose))))
            Py_CLEAR(list);
    return list;
}

/* (key, title) of each statistic of a run. */
static PyObject *statistics(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    const hol_statistic *s;
    (void)module, (void)none;
    for (int i = 0; list && (s = hol_statistic_get(i)); i++)
        if (!append(list, Py_BuildValue("(NN)", text_of(s->key), text_of(s->title))))
            Py_CLEAR(list);
    return list;
}

/* (name, title) of each algorithm of optimize. */
static PyObject *algorithms(PyObject *module, PyObject *none) {
    PyObject *list = PyList_New(0);
    const char *name, *title;
    (void)module, (void)none;
    for (int i = 0; list && (name = hol_optimize_algorithm(i, &title)); i++)
        if (!append(list, Py_BuildValue("(NN)", text_of(name), text_of(title)))) Py_CLEAR(list);
    return list;
}

/* example(section, name): a whole model file that uses the element. */
static PyObject *example(PyObject *module, PyObject *args) {
    const char *section, *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "ss", &section, &name)) return NULL;
    hol_context *ctx = hol_context_new();
    if (!ctx) return PyErr_NoMemory();
    char *text = hol_element_example(ctx, section, name);
    PyObject *value = text ? text_of(text) : NULL;
    if (!text) settle_null(ctx);
    hol_free(ctx, text);
    hol_context_free(ctx);
    return value;
}

PyMethodDef table_methods[] = {
    {"options", options, METH_NOARGS, NULL},
    {"elements", elements, METH_NOARGS, NULL},
    {"keys", keys, METH_VARARGS, NULL},
    {"methods", methods, METH_NOARGS, NULL},
    {"parts", parts, METH_NOARGS, NULL},
    {"features", features, METH_NOARGS, NULL},
    {"statistics", statistics, METH_NOARGS, NULL},
    {"algorithms", algorithms, METH_NOARGS, NULL},
    {"example", example, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
