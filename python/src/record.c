/* record.c: records of a run, and blocks of numbers that are shown without copies. */
#include "core.h"

/* ---- blocks ---- */

enum { MOST_DIMENSIONS = 3 };

/* Numbers of another object, as a buffer. */
typedef struct block_object {
    PyObject_HEAD PyObject *owner;
    int *views; /* of the owner */
    const double *values;
    int ndim;
    Py_ssize_t shape[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
} block_object;

PyObject *block_new(PyObject *owner, int *views, const double *values, int ndim,
                    const Py_ssize_t *shape, const Py_ssize_t *strides) {
    static const double nothing = 0;
    block_object *self = new_object(core.block);
    if (!self) return NULL;
    self->owner = Py_NewRef(owner);
    self->views = views;
    ++*views;
    self->values = values ? values : &nothing;
    self->ndim = ndim;
    for (int i = 0; i < ndim; i++) self->shape[i] = shape[i], self->strides[i] = strides[i];
    return (PyObject *)self;
}

static void block_dealloc(PyObject *object) {
    block_object *self = (block_object *)object;
    if (self->views) --*self->views;
    Py_XDECREF(self->owner);
    free_object(self);
}

/* Whether the rows follow each other without gaps; *n: how many numbers there are. */
static int is_contiguous(const block_object *self, Py_ssize_t *n) {
    int contiguous = 1;
    *n = 1;
    for (int i = self->ndim - 1; i >= 0; i--) {
        if (self->shape[i] > 1 && self->strides[i] != *n * (Py_ssize_t)sizeof(double))
            contiguous = 0;
        *n *= self->shape[i];
    }
    return contiguous;
}

static int block_getbuffer(PyObject *object, Py_buffer *view, int flags) {
    block_object *self = (block_object *)object;
    Py_ssize_t n;
    const int contiguous = is_contiguous(self, &n);
    const int strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    const int wants_rows = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS;
    const int wants_columns = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
    view->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "results are read-only; copy them to change them");
        return -1;
    }
    if ((!contiguous && (!strided || wants_rows)) || (wants_columns && self->ndim > 1)) {
        PyErr_SetString(PyExc_BufferError, "these numbers do not lie in that order");
        return -1;
    }
    view->buf = (void *)(uintptr_t)self->values;
    view->obj = Py_NewRef(object);
    view->len = n * (Py_ssize_t)sizeof(double);
    view->readonly = 1;
    view->itemsize = sizeof(double);
    view->format = flags & PyBUF_FORMAT ? "d" : NULL;
    view->ndim = self->ndim;
    view->shape = flags & PyBUF_ND ? self->shape : NULL;
    view->strides = strided ? self->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

static PyType_Slot block_slots[] = {
    {Py_tp_dealloc, block_dealloc},
    {Py_bf_getbuffer, block_getbuffer},
    {Py_tp_doc, "Numbers of another object, as a buffer."},
    {0, NULL},
};

static PyType_Spec block_spec = {"holonom._core.Block", sizeof(block_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 block_slots};

/* ---- records ---- */

PyObject *record_wrap(sim_object *sim, hol_writer *writer) {
    record_object *self = new_object(core.record);
    if (!self) {
        hol_writer_discard(writer);
        return NULL;
    }
    self->sim = Py_NewRef((PyObject *)sim);
    self->writer = writer;
    return (PyObject *)self;
}

static int record_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((record_object *)object)->sim);
    return 0;
}

/* The writer is known to its simulation, which another thread may be running. */
static void record_dealloc(PyObject *object) {
    record_object *self = (record_object *)object;
    PyObject *type, *value, *trace;
    PyObject_GC_UnTrack(object);
    PyErr_Fetch(&type, &value, &trace);
    guard *g = self->sim ? &((sim_object *)self->sim)->guard : NULL;
    const int taken = g ? guard_enter(g, CHANGES) : 0;
    PyErr_Clear();
    hol_writer_discard(self->writer);
    if (g) guard_leave(g, taken);
    Py_XDECREF(self->sim);
    PyErr_Restore(type, value, trace);
    free_object(self);
}

/* values(): all records as one block of rows. */
static PyObject *record_values(PyObject *object, PyObject *none) {
    record_object *self = (record_object *)object;
    int rows, width;
    (void)none;
    const double *values = hol_writer_values(self->writer, &rows, &width);
    const Py_ssize_t shape[] = {rows, width};
    const Py_ssize_t strides[] = {width * (Py_ssize_t)sizeof(double), sizeof(double)};
    return block_new(object, &self->views, values, 2, shape, strides);
}

/* The names of bodies, joints or forces. */
static PyObject *names_of(const hol_quantity *q) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && q->names && i < q->dims[0]; i++) {
        PyObject *name = text_of(q->names[i]);
        if (!name || PyList_Append(list, name)) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* quantities(): (group, name, unit, frame, doc, rank, rows, columns, offset, names) of each. */
static PyObject *record_quantities(PyObject *object, PyObject *none) {
    record_object *self = (record_object *)object;
    PyObject *list = PyList_New(0);
    (void)none;
    for (int i = 0; list; i++) {
        hol_quantity q = {.size = sizeof q};
        if (hol_writer_quantity(self->writer, i, &q)) break;
        PyObject *item = Py_BuildValue("(NNNNNiiiiN)", text_of(q.group), text_of(q.name),
                                       text_of(q.unit), text_of(q.frame), text_of(q.doc), q.rank,
                                       q.dims[0], q.dims[1], q.offset, names_of(&q));
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* Enter the guard of the simulation for a change of the records; 0 with an exception. */
static int enter(record_object *self, int moves) {
    if (moves && self->views) {
        PyErr_SetString(PyExc_RuntimeError, "arrays of this result are in use");
        return 0;
    }
    return guard_enter(&((sim_object *)self->sim)->guard, CHANGES);
}

/* cut(t): keep the records before the time t alone. */
static PyObject *record_cut(PyObject *object, PyObject *args) {
    record_object *self = (record_object *)object;
    sim_object *sim = (sim_object *)self->sim;
    double t;
    int rows, width;
    hol_unit unit;
    if (!PyArg_ParseTuple(args, "d", &t)) return NULL;
    const int taken = enter(self, 1);
    if (!taken) return NULL;
    const double *values = hol_writer_values(self->writer, &rows, &width);
    hol_sim_unit(sim->sim, "s", &unit);
    while (rows && values[(size_t)(rows - 1) * (size_t)width] >= hol_unit_show(&unit, t)) rows--;
    const int good = settle(sim->ctx, hol_writer_cut(self->writer, rows));
    guard_leave(&sim->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* add(): the simulation as it stands, as one more record. */
static PyObject *record_add(PyObject *object, PyObject *none) {
    record_object *self = (record_object *)object;
    sim_object *sim = (sim_object *)self->sim;
    (void)none;
    const int taken = enter(self, 1);
    if (!taken) return NULL;
    const int good = settle(sim->ctx, hol_writer_record(self->writer));
    guard_leave(&sim->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *record_save(PyObject *object, PyObject *path) {
    record_object *self = (record_object *)object;
    sim_object *sim = (sim_object *)self->sim;
    const char *file = utf8_of(path, "the path");
    const int taken = file ? enter(self, 0) : 0;
    if (!taken) return NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_writer_save(self->writer, file);
    Py_END_ALLOW_THREADS const int good = settle(sim->ctx, status);
    guard_leave(&sim->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef record_methods[] = {
    {"values", record_values, METH_NOARGS, "All records as one block of rows."},
    {"quantities", record_quantities, METH_NOARGS, "What the numbers of a record are."},
    {"cut", record_cut, METH_VARARGS, "cut(t): keep the records before the time t alone."},
    {"add", record_add, METH_NOARGS, "The simulation as it stands, as one more record."},
    {"save", record_save, METH_O, "save(path): a result file, .h5 or .csv."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot record_slots[] = {
    {Py_tp_dealloc, record_dealloc},
    {Py_tp_traverse, record_traverse},
    {Py_tp_methods, record_methods},
    {Py_tp_doc, "The records of a run in memory."},
    {0, NULL},
};

static PyType_Spec record_spec = {
    "holonom._core.Record", sizeof(record_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, record_slots};

int add_record_types(PyObject *module) {
    core.block = add_type(module, &block_spec, "Block");
    core.record = add_type(module, &record_spec, "Record");
    return core.block && core.record;
}
