/* values.c: numbers, texts and options between Python and C. */
#include "core.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void *new_object(PyTypeObject *type) {
    const allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, 0);
}

void free_object(void *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyObject *text_of(const char *text) {
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

const char *utf8_of(PyObject *value, const char *what) {
    Py_ssize_t n;
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str", what);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(value, &n);
    if (text && (size_t)n == strlen(text)) return text;
    if (text) PyErr_Format(PyExc_ValueError, "%s has a zero character in it", what);
    return NULL;
}

/* ---- arrays ---- */

PyObject *array_new(Py_ssize_t rows, Py_ssize_t columns, Py_buffer *view) {
    PyObject *array = columns < 0 ? PyObject_CallFunction(core.empty, "n", rows)
                                  : PyObject_CallFunction(core.empty, "((nn))", rows, columns);
    if (!array) return NULL;
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) == 0) return array;
    Py_DECREF(array);
    return NULL;
}

PyObject *array_of(const double *values, Py_ssize_t rows, Py_ssize_t columns) {
    Py_buffer view;
    PyObject *array = array_new(rows, columns, &view);
    if (!array) return NULL;
    if (view.len) memcpy(view.buf, values, (size_t)view.len);
    PyBuffer_Release(&view);
    return array;
}

PyObject *int_array_of(const int *values, Py_ssize_t n) {
    PyObject *array = PyObject_CallFunction(core.empty, "ns", n, "intc");
    Py_buffer view;
    if (!array) return NULL;
    if (PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) {
        Py_DECREF(array);
        return NULL;
    }
    if (view.len) memcpy(view.buf, values, (size_t)view.len);
    PyBuffer_Release(&view);
    return array;
}

/* The value as a contiguous array of doubles in *view; the array, NULL with an exception. */
static PyObject *doubles(PyObject *value, const char *what, Py_buffer *view) {
    PyObject *array = PyObject_CallFunction(core.asarray, "Os", value, "float64");
    PyObject *flat = array ? PyObject_CallMethod(array, "ravel", NULL) : NULL;
    Py_XDECREF(array);
    if (flat && PyObject_GetBuffer(flat, view, PyBUF_C_CONTIGUOUS) == 0) return flat;
    Py_XDECREF(flat);
    if (PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be numbers", what);
    }
    return NULL;
}

double *all_numbers_of(PyObject *value, const char *what, Py_ssize_t *n) {
    Py_buffer view;
    PyObject *array = doubles(value, what, &view);
    if (!array) return NULL;
    *n = view.len / (Py_ssize_t)sizeof(double);
    double *numbers = PyMem_Malloc((size_t)view.len + sizeof(double));
    if (numbers)
        memcpy(numbers, view.buf, (size_t)view.len);
    else
        PyErr_NoMemory();
    PyBuffer_Release(&view);
    Py_DECREF(array);
    for (Py_ssize_t i = 0; numbers && i < *n; i++) {
        if (isfinite(numbers[i])) continue;
        PyErr_Format(PyExc_ValueError, "%s: number %zd is not finite", what, i);
        PyMem_Free(numbers);
        return NULL;
    }
    return numbers;
}

int numbers_of(PyObject *value, const char *what, Py_ssize_t n, double *out) {
    Py_ssize_t have = 0;
    double *numbers = all_numbers_of(value, what, &have);
    if (!numbers) return 0;
    if (have != n)
        PyErr_Format(PyExc_ValueError, "%s must have %zd numbers, not %zd", what, n, have);
    else if (n)
        memcpy(out, numbers, sizeof *out * (size_t)n);
    PyMem_Free(numbers);
    return have == n;
}

/* ---- structs of options ---- */

int pool_init(pool *p) {
    *p = (pool){.keep = PyList_New(0)};
    return p->keep != NULL;
}

void pool_free(pool *p) {
    Py_CLEAR(p->keep);
    for (int i = 0; i < p->n_blocks; i++) PyMem_Free(p->blocks[i]);
    p->n_blocks = 0;
}

void *pool_alloc(pool *p, size_t n, size_t size) {
    void *block = p->n_blocks < (int)(sizeof p->blocks / sizeof *p->blocks)
                      ? PyMem_Calloc(n ? n : 1, size)
                      : NULL;
    if (block)
        p->blocks[p->n_blocks++] = block;
    else
        PyErr_NoMemory();
    return block;
}

const char *const *texts_of(pool *p, PyObject *value, const char *what, int *n) {
    if (PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a list of str, not one str", what);
        return NULL;
    }
    PyObject *items = PySequence_Tuple(value);
    if (!items || PyList_Append(p->keep, items)) {
        Py_XDECREF(items);
        return NULL;
    }
    Py_DECREF(items); /* the pool has it */
    const Py_ssize_t count = PyTuple_Size(items);
    const char **texts = pool_alloc(p, (size_t)count, sizeof *texts);
    for (Py_ssize_t i = 0; texts && i < count; i++)
        if (!(texts[i] = utf8_of(PyTuple_GetItem(items, i), what))) return NULL;
    *n = (int)count;
    return texts;
}

/* A finite number. */
static int real_of(PyObject *value, const char *what, double *out) {
    *out = PyFloat_AsDouble(value);
    if (*out == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a number", what);
        return 0;
    }
    if (isfinite(*out)) return 1;
    PyErr_Format(PyExc_ValueError, "%s must be finite", what);
    return 0;
}

/* A whole number that fits an int. */
static int int_of(PyObject *value, const char *what, int *out) {
    PyObject *index = PyNumber_Index(value);
    const long n = index ? PyLong_AsLong(index) : -1;
    Py_XDECREF(index);
    if (PyErr_Occurred() || n > INT_MAX || n < INT_MIN) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a whole number", what);
        return 0;
    }
    *out = (int)n;
    return 1;
}

/* One member of the struct. */
static int fill_member(pool *p, const member *m, PyObject *value, char *out) {
    double number;
    double *kept;
    const char *const *texts;
    int n;
    switch (m->kind) {
    case INT: return int_of(value, m->name, (int *)(void *)(out + m->offset));
    case REAL: return real_of(value, m->name, (double *)(void *)(out + m->offset));
    case FLAG:
        n = PyObject_IsTrue(value);
        *(int *)(void *)(out + m->offset) = n;
        return n >= 0;
    case UNSIGNED:
        if (!int_of(value, m->name, &n)) return 0;
        *(unsigned long *)(void *)(out + m->offset) = (unsigned long)n;
        if (n < 0) PyErr_Format(PyExc_ValueError, "%s must not be negative", m->name);
        return n >= 0;
    case AT:
        if (!real_of(value, m->name, &number)) return 0;
        if (!(kept = pool_alloc(p, 1, sizeof number))) return 0;
        *kept = number;
        *(const double **)(void *)(out + m->offset) = kept;
        return 1;
    case TEXT:
        if (PyList_Append(p->keep, value)) return 0;
        return (*(const char **)(void *)(out + m->offset) = utf8_of(value, m->name)) != NULL;
    case TEXTS:
        if (!(texts = texts_of(p, value, m->name, &n))) return 0;
        *(const char *const **)(void *)(out + m->offset) = texts;
        *(int *)(void *)(out + m->count) = n;
        return 1;
    }
    return 0;
}

int fill_struct(pool *p, const char *call, const member *members, PyObject *values, void *out) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (values && PyDict_Next(values, &at, &key, &value)) {
        const char *name = utf8_of(key, "a name");
        const member *m = members;
        if (!name) return 0;
        if (value == Py_None) continue;
        while (m->name && strcmp(m->name, name) != 0) m++;
        if (!m->name) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%s'", call,
                         name);
            return 0;
        }
        if (!fill_member(p, m, value, out)) return 0;
    }
    return 1;
}

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec, const char *name) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (!type || PyModule_AddObjectRef(module, name, type)) {
        Py_XDECREF(type);
        return NULL;
    }
    return (PyTypeObject *)type;
}
