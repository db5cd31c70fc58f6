/* answer.c: what an analysis answers: facts, and tables whose numbers are shown without copies. */
#include "core.h"

#include "analysis.h"

PyObject *answer_wrap(description_object *description, hol_answer *answer) {
    answer_object *self = new_object(core.answer);
    if (!self) {
        hol_answer_free(answer);
        return NULL;
    }
    self->description = Py_NewRef((PyObject *)description);
    self->answer = answer;
    return (PyObject *)self;
}

/* The guard of the context. */
static guard *guard_of(const answer_object *self) {
    return &((description_object *)self->description)->guard;
}

static hol_context *context_of(const answer_object *self) {
    return ((description_object *)self->description)->ctx;
}

static void answer_dealloc(PyObject *object) {
    answer_object *self = (answer_object *)object;
    hol_answer_free(self->answer);
    Py_XDECREF(self->description);
    free_object(self);
}

/* head(): (command, title) */
static PyObject *answer_head(PyObject *object, PyObject *none) {
    const answer_object *self = (answer_object *)object;
    (void)none;
    return Py_BuildValue("(NN)", text_of(hol_answer_command(self->answer)),
                         text_of(hol_answer_title(self->answer)));
}

/* facts(): (key, title, value, unit) of each. */
static PyObject *answer_facts(PyObject *object, PyObject *none) {
    const answer_object *self = (answer_object *)object;
    PyObject *list = PyList_New(0);
    (void)none;
    for (int i = 0; list && i < hol_answer_facts(self->answer); i++) {
        hol_fact f = {.size = sizeof f};
        if (hol_answer_fact(self->answer, i, &f)) break;
        PyObject *item =
            Py_BuildValue("(NNNN)", text_of(f.key), text_of(f.title),
                          f.text ? text_of(f.text) : PyFloat_FromDouble(f.value), text_of(f.unit));
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* n texts as a list, None where there are none. */
static PyObject *texts(const char *const *from, int n) {
    if (!from) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < n; i++) {
        PyObject *text = text_of(from[i]);
        if (!text || PyList_Append(list, text)) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* table(i): (name, title, rows, columns, row_names, column_names, row_units, column_units, units,
 * values, formulas, latex) */
static PyObject *answer_table(PyObject *object, PyObject *args) {
    answer_object *self = (answer_object *)object;
    hol_table t = {.size = sizeof t};
    int i;
    if (!PyArg_ParseTuple(args, "i", &i)) return NULL;
    if (i < 0 || i >= hol_answer_tables(self->answer) || hol_answer_table(self->answer, i, &t))
        return PyErr_Format(PyExc_IndexError, "there is no table %d", i);
    static const char *const units[] = {"columns", "rows", "both"};
    const Py_ssize_t shape[] = {t.rows, t.columns};
    const Py_ssize_t strides[] = {t.columns * (Py_ssize_t)sizeof(double), sizeof(double)};
    const int n = t.rows * t.columns;
    return Py_BuildValue("(NNiiNNNNsNNN)", text_of(t.name), text_of(t.title), t.rows, t.columns,
                         texts(t.row_names, t.rows), texts(t.column_names, t.columns),
                         texts(t.row_units, t.rows), texts(t.column_units, t.columns),
                         units[t.units],
                         block_new(object, &self->views, t.values, 2, shape, strides),
                         texts(t.formulas, n), texts(t.latex, n));
}

static PyObject *answer_model(PyObject *object, PyObject *none) {
    (void)none;
    return text_of(hol_answer_model(((answer_object *)object)->answer));
}

static PyObject *answer_set_units(PyObject *object, PyObject *units) {
    answer_object *self = (answer_object *)object;
    const char *text = utf8_of(units, "units");
    if (!text) return NULL;
    if (self->views)
        return PyErr_Format(PyExc_RuntimeError, "arrays of this answer are in use: set units "
                                                "before the tables are read");
    const int taken = guard_enter(guard_of(self), CHANGES);
    if (!taken) return NULL;
    const int good = settle(context_of(self), hol_answer_set_units(self->answer, text));
    guard_leave(guard_of(self), taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *answer_write(PyObject *object, PyObject *path) {
    answer_object *self = (answer_object *)object;
    const char *file = utf8_of(path, "the path");
    const int taken = file ? guard_enter(guard_of(self), CHANGES) : 0;
    if (!taken) return NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_answer_write(self->answer, file);
    Py_END_ALLOW_THREADS const int good = settle(context_of(self), status);
    guard_leave(guard_of(self), taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *answer_report(PyObject *object, PyObject *path) {
    answer_object *self = (answer_object *)object;
    const char *file = utf8_of(path, "the path");
    const int taken = file ? guard_enter(guard_of(self), CHANGES) : 0;
    if (!taken) return NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_report_answer(context_of(self), self->answer, file);
    Py_END_ALLOW_THREADS const int good = settle(context_of(self), status);
    guard_leave(guard_of(self), taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* text(most_rows); json where it is negative. */
static PyObject *answer_text(PyObject *object, PyObject *args) {
    answer_object *self = (answer_object *)object;
    int most;
    if (!PyArg_ParseTuple(args, "i", &most)) return NULL;
    const int taken = guard_enter(guard_of(self), CHANGES);
    if (!taken) return NULL;
    char *text =
        most < 0 ? hol_answer_to_json(self->answer) : hol_answer_to_text(self->answer, most);
    PyObject *value = text ? text_of(text) : NULL;
    if (!text) settle_null(context_of(self));
    hol_free(context_of(self), text);
    guard_leave(guard_of(self), taken);
    return value;
}

static PyObject *answer_count(PyObject *object, PyObject *none) {
    (void)none;
    return PyLong_FromLong(hol_answer_tables(((answer_object *)object)->answer));
}

static PyMethodDef answer_methods[] = {
    {"head", answer_head, METH_NOARGS, NULL},   {"facts", answer_facts, METH_NOARGS, NULL},
    {"count", answer_count, METH_NOARGS, NULL}, {"table", answer_table, METH_VARARGS, NULL},
    {"model", answer_model, METH_NOARGS, NULL}, {"set_units", answer_set_units, METH_O, NULL},
    {"write", answer_write, METH_O, NULL},      {"report", answer_report, METH_O, NULL},
    {"text", answer_text, METH_VARARGS, NULL},  {NULL, NULL, 0, NULL},
};

static PyType_Slot answer_slots[] = {
    {Py_tp_dealloc, answer_dealloc},
    {Py_tp_methods, answer_methods},
    {Py_tp_doc, "Facts and tables of an analysis."},
    {0, NULL},
};

static PyType_Spec answer_spec = {"holonom._core.Answer", sizeof(answer_object), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  answer_slots};

int add_answer_type(PyObject *module) {
    core.answer = add_type(module, &answer_spec, "Answer");
    return core.answer != NULL;
}
