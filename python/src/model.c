/* model.c: the compiled mechanism: names, sizes, numbers of its elements. */
#include "core.h"

PyObject *model_wrap(hol_context *ctx, hol_model *model) {
    model_object *self = new_object(core.model);
    if (!self) {
        hol_model_free(model);
        hol_context_free(ctx);
        return NULL;
    }
    self->ctx = ctx;
    self->model = model;
    if (guard_init(&self->guard)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void model_dealloc(PyObject *object) {
    model_object *self = (model_object *)object;
    hol_model_free(self->model);
    hol_context_free(self->ctx);
    guard_free(&self->guard);
    free_object(self);
}

static PyObject *model_info(PyObject *object, PyObject *none) {
    const model_object *self = (model_object *)object;
    hol_model_info i = {.size = sizeof i};
    (void)none;
    hol_model_describe(self->model, &i);
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:K,s:N}", "name",
        text_of(i.name), "source", text_of(i.source), "coordinates", text_of(i.coordinates),
        "space", i.space == HOL_PLANAR ? "planar" : "spatial", "n_q", i.n_q, "n_v", i.n_v,
        "n_constraints", i.n_constraints, "n_holonomic", i.n_holonomic, "n_bodies", i.n_bodies,
        "n_joints", i.n_joints, "n_forces", i.n_forces, "n_measures", i.n_measures, "n_switched",
        i.n_switched, "n_events", i.n_events, "hash", i.hash, "text", text_of(i.text));
}

/* ---- lists of names ---- */

/* A list of what make(model, i) gives until it gives NULL. */
static PyObject *list_of(const model_object *self, PyObject *(*make)(const hol_model *, int)) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list; i++) {
        PyObject *item = make(self->model, i);
        if (!item) break;
        if (PyList_Append(list, item)) Py_CLEAR(list);
        Py_DECREF(item);
    }
    if (list && PyErr_Occurred()) Py_CLEAR(list);
    return list;
}

/* A name; nothing past the end. */
static PyObject *name_of(const char *name) {
    return name ? text_of(name) : NULL;
}

static PyObject *body_name(const hol_model *model, int i) {
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    return i < info.n_bodies ? name_of(hol_model_body_name(model, i)) : NULL;
}

static PyObject *joint_name(const hol_model *model, int i) {
    return name_of(hol_model_joint_name(model, i));
}

static PyObject *force_name(const hol_model *model, int i) {
    return name_of(hol_model_force_name(model, i));
}

/* (name, unit, frame, doc) */
static PyObject *measure(const hol_model *model, int i) {
    const hol_column *c = hol_model_measure(model, i);
    return c ? Py_BuildValue("(NNNN)", text_of(c->name), text_of(c->unit), text_of(c->frame),
                             text_of(c->doc))
             : NULL;
}

/* (name, value, unit) */
static PyObject *parameter(const hol_model *model, int i) {
    const hol_parameter *p = hol_model_parameter(model, i);
    return p ? Py_BuildValue("(NdN)", text_of(p->name), p->value, text_of(p->unit)) : NULL;
}

/* (name, unit) */
static PyObject *velocity(const hol_model *model, int i) {
    char name[256];
    if (hol_model_velocity_name(model, i, name, sizeof name)) return NULL;
    return Py_BuildValue("(NN)", text_of(name), text_of(hol_model_velocity_unit(model, i)));
}

/* (element, direction, file, line, column) */
static PyObject *row(const hol_model *model, int i) {
    const hol_row *r = hol_model_row(model, i);
    return r ? Py_BuildValue("(NNNii)", text_of(r->element), text_of(r->direction),
                             text_of(r->where.file), r->where.line, r->where.column)
             : NULL;
}

static PyObject *model_names(PyObject *object, PyObject *what) {
    static const struct {
        const char *name;
        PyObject *(*make)(const hol_model *, int);
    } lists[] = {{"bodies", body_name}, {"joints", joint_name},    {"forces", force_name},
                 {"measures", measure}, {"parameters", parameter}, {"velocities", velocity},
                 {"constraints", row}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (PyUnicode_CompareWithASCIIString(what, lists[i].name) == 0)
            return list_of((model_object *)object, lists[i].make);
    return PyErr_Format(PyExc_KeyError, "there is no list %R", what);
}

/* ---- elements ---- */

static PyObject *model_body(PyObject *object, PyObject *name) {
    const model_object *self = (model_object *)object;
    const char *key = utf8_of(name, "the name of a body");
    hol_body_info b = {.size = sizeof b};
    if (!key) return NULL;
    if (hol_model_body_describe(self->model, hol_model_body(self->model, key), &b))
        return PyErr_Format(PyExc_KeyError, "there is no body '%s'", key);
    return Py_BuildValue("{s:N,s:d,s:N,s:N}", "name", text_of(b.name), "mass", b.mass, "com",
                         array_of(b.com, 3, -1), "inertia", array_of(b.inertia, 3, 3));
}

/* A joint (force 0) or a force as a dictionary. */
static PyObject *element(const model_object *self, PyObject *name, int force) {
    const char *key = utf8_of(name, "the name of an element");
    hol_element_info e = {.size = sizeof e};
    if (!key) return NULL;
    const hol_status status =
        force ? hol_model_force_describe(self->model, hol_model_force(self->model, key), &e)
              : hol_model_joint_describe(self->model, hol_model_joint(self->model, key), &e);
    if (status)
        return PyErr_Format(PyExc_KeyError, "there is no %s '%s'", force ? "force" : "joint", key);
    return Py_BuildValue(
        "{s:N,s:N,s:(NN),s:N,s:N,s:N,s:i,s:i}", "name", text_of(e.name), "type", text_of(e.type),
        "bodies", text_of(hol_model_body_name(self->model, e.body[0])),
        text_of(hol_model_body_name(self->model, e.body[1])), "point",
        array_of(&e.point[0][0], 2, 3), "axis", array_of(&e.axis[0][0], 2, 3), "file",
        text_of(e.where.file), "line", e.where.line, "column", e.where.column);
}

static PyObject *model_joint(PyObject *object, PyObject *name) {
    return element((model_object *)object, name, 0);
}

static PyObject *model_force(PyObject *object, PyObject *name) {
    return element((model_object *)object, name, 1);
}

/* field(path): the numbers of a field of an element. */
static PyObject *model_field(PyObject *object, PyObject *path) {
    model_object *self = (model_object *)object;
    const char *key = utf8_of(path, "a path");
    double small[16], *values = small;
    int n = 0;
    if (!key) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    hol_status status = hol_model_field(self->ctx, self->model, key, 16, small, &n);
    if (!status && n > 16) {
        values = PyMem_Malloc(sizeof *values * (size_t)n);
        if (values) status = hol_model_field(self->ctx, self->model, key, n, values, &n);
    }
    PyObject *array = NULL;
    if (!values)
        PyErr_NoMemory();
    else if (settle(self->ctx, status))
        array = array_of(values, n, -1);
    guard_leave(&self->guard, taken);
    if (values != small) PyMem_Free(values);
    return array;
}

/* element_text(path): all that an element was given. */
static PyObject *model_element_text(PyObject *object, PyObject *path) {
    model_object *self = (model_object *)object;
    const char *key = utf8_of(path, "a path");
    if (!key) return NULL;
    const int taken = guard_enter(&self->guard, CHANGES);
    if (!taken) return NULL;
    char *text = hol_model_element_text(self->ctx, self->model, key);
    PyObject *value = text ? text_of(text) : NULL;
    if (!text) settle_null(self->ctx);
    hol_free(self->ctx, text);
    guard_leave(&self->guard, taken);
    return value;
}

static PyObject *model_gravity(PyObject *object, PyObject *none) {
    double g[3] = {0};
    (void)none;
    hol_model_gravity(((model_object *)object)->model, g);
    return array_of(g, 3, -1);
}

static PyMethodDef model_methods[] = {
    {"info", model_info, METH_NOARGS, "Name, coordinates and sizes."},
    {"names", model_names, METH_O, "names(what): bodies, joints, forces, measures, …"},
    {"body", model_body, METH_O, "body(name)"},
    {"joint", model_joint, METH_O, "joint(name)"},
    {"force", model_force, METH_O, "force(name)"},
    {"field", model_field, METH_O, "field(path)"},
    {"element_text", model_element_text, METH_O, "element_text(path)"},
    {"gravity", model_gravity, METH_NOARGS, "The acceleration of gravity."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot model_slots[] = {
    {Py_tp_dealloc, model_dealloc},
    {Py_tp_methods, model_methods},
    {Py_tp_doc, "A compiled mechanism, which threads share."},
    {0, NULL},
};

static PyType_Spec model_spec = {"holonom._core.Model", sizeof(model_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 model_slots};

int add_model_type(PyObject *module) {
    core.model = add_type(module, &model_spec, "Model");
    return core.model != NULL;
}
