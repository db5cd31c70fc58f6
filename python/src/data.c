/* data.c: the state of a mechanism and what follows from it. */
#include "core.h"

#include "tuples.h"

#include <stdint.h>
#include <string.h>

/* Enter the guard of the data; 0 with an exception, also where the data is gone. */
static int enter(data_object *self, use what) {
    const int taken = guard_enter(self->guard, what);
    if (self->data || !taken) return taken;
    guard_leave(self->guard, taken);
    PyErr_SetString(PyExc_RuntimeError,
                    "the data of a callback is gone when the callback has returned; keep "
                    "data.copy() instead");
    return 0;
}

/* A data object over data of a simulation, whose guard counts, or (g NULL) of a callback. */
PyObject *data_view(hol_data *data, PyObject *owner, hol_context *ctx, guard *g, PyObject *model) {
    data_object *self = new_object(core.data);
    if (!self) return NULL;
    self->ctx = ctx;
    self->data = data;
    self->owner = Py_XNewRef(owner);
    self->model = Py_NewRef(model);
    self->guard = g ? g : &self->own;
    if (g || guard_init(&self->own)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

/* Data(model): at the drawn position with the given velocities. */
static PyObject *data_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"model", NULL};
    PyObject *model;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!", names, core.model, &model)) return NULL;
    data_object *self = new_object(type);
    if (!self) return NULL;
    self->model = Py_NewRef(model);
    self->guard = &self->own;
    self->ctx = hol_context_new();
    if (self->ctx) self->data = hol_data_new(self->ctx, ((model_object *)model)->model);
    self->owns = 1;
    if (!self->data) PyErr_NoMemory();
    if (self->data && guard_init(&self->own)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static int data_traverse(PyObject *object, visitproc visit, void *arg) {
    const data_object *self = (data_object *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->owner);
    Py_VISIT(self->model);
    return 0;
}

static void data_dealloc(PyObject *object) {
    data_object *self = (data_object *)object;
    PyObject_GC_UnTrack(object);
    if (self->owns) {
        hol_data_free(self->data);
        hol_context_free(self->ctx);
    }
    guard_free(&self->own);
    Py_XDECREF(self->owner);
    Py_XDECREF(self->model);
    free_object(self);
}

static PyObject *data_copy(PyObject *object, PyObject *none) {
    data_object *self = (data_object *)object;
    (void)none;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *copy = PyObject_CallFunctionObjArgs((PyObject *)core.data, self->model, NULL);
    data_object *to = (data_object *)copy;
    if (copy) to->owner = Py_XNewRef(self->owner); /* whose force the copy calls */
    if (copy && !settle(to->ctx, hol_data_copy(to->data, self->data))) Py_CLEAR(copy);
    guard_leave(self->guard, taken);
    return copy;
}

/* ---- the state ---- */

static void sizes(const data_object *self, hol_model_info *info) {
    *info = (hol_model_info){.size = sizeof *info};
    hol_model_describe(hol_data_model(self->data), info);
}

static PyObject *data_get_t(PyObject *object, void *closure) {
    data_object *self = (data_object *)object;
    (void)closure;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *t = PyFloat_FromDouble(hol_data_time(self->data));
    guard_leave(self->guard, taken);
    return t;
}

enum { GET_Q, GET_V, GET_A, GET_LAMBDA, GET_PHI, GET_PSI };

/* A vector of the state; accelerations and multipliers are solved for where nobody has. */
static PyObject *data_get_vector(PyObject *object, void *closure) {
    data_object *self = (data_object *)object;
    const int what = (int)(intptr_t)closure;
    hol_model_info info;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *array = NULL;
    sizes(self, &info);
    hol_status status = HOL_OK;
    const double *values = NULL;
    int n = info.n_v;
    if (what == GET_A || what == GET_LAMBDA) status = hol_data_update(self->data, HOL_STAGE_ACC);
    switch (what) {
    case GET_Q: values = hol_data_q(self->data), n = info.n_q; break;
    case GET_V: values = hol_data_v(self->data); break;
    case GET_A: values = hol_data_acceleration(self->data); break;
    case GET_LAMBDA: values = hol_data_multipliers(self->data), n = info.n_constraints; break;
    case GET_PHI: values = hol_data_position_residual(self->data), n = info.n_holonomic; break;
    default: values = hol_data_velocity_residual(self->data), n = info.n_constraints;
    }
    if (settle(self->ctx, status)) array = array_of(values, values ? n : 0, -1);
    guard_leave(self->guard, taken);
    return array;
}

/* set(t, q, v) */
static PyObject *data_set(PyObject *object, PyObject *args) {
    data_object *self = (data_object *)object;
    PyObject *q, *v;
    double t;
    hol_model_info info;
    if (!PyArg_ParseTuple(args, "dOO", &t, &q, &v)) return NULL;
    if (t - t != 0) return PyErr_Format(PyExc_ValueError, "t must be finite");
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    sizes(self, &info);
    double *both = PyMem_Malloc(sizeof *both * (size_t)(info.n_q + info.n_v + 1));
    const int good =
        both && numbers_of(q, "q", info.n_q, both) && numbers_of(v, "v", info.n_v, both + info.n_q);
    if (good) hol_data_set(self->data, t, both, both + info.n_q);
    if (!both) PyErr_NoMemory();
    PyMem_Free(both);
    guard_leave(self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *data_solve(PyObject *object, PyObject *none) {
    data_object *self = (data_object *)object;
    (void)none;
    const int taken = enter(self, CHANGES);
    if (!taken) return NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_data_solve(self->data);
    Py_END_ALLOW_THREADS const int good = settle(self->ctx, status);
    guard_leave(self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* ---- terms ---- */

static const struct {
    const char *name;
    hol_term term;
    int vector;
} terms[] = {
    {"M", HOL_TERM_M, 0},         {"A", HOL_TERM_A, 0},
    {"R", HOL_TERM_R, 0},         {"Phi", HOL_TERM_PHI, 1},
    {"b", HOL_TERM_B, 1},         {"c", HOL_TERM_C, 1},
    {"Q", HOL_TERM_Q, 1},         {"K", HOL_TERM_K, 0},
    {"Q_v", HOL_TERM_Q_V, 0},     {"c_q", HOL_TERM_C_Q, 0},
    {"c_v", HOL_TERM_C_V, 0},     {"psi_q", HOL_TERM_PSI_Q, 0},
    {"f_t", HOL_TERM_F_T, 1},     {"c_t", HOL_TERM_C_T, 1},
    {"psi_t", HOL_TERM_PSI_T, 1}, {"Phi_t", HOL_TERM_PHI_T, 1},
    {"J", HOL_TERM_LOCAL_J, 0},   {"C", HOL_TERM_LOCAL_C, 0},
    {"D", HOL_TERM_LOCAL_D, 0},   {"reactions", HOL_TERM_REACTIONS, 0},
};

/* The row of a term by its name; -1 with an exception. */
static int find_term(PyObject *name) {
    const char *key = utf8_of(name, "the name of a term");
    const int n = (int)(sizeof terms / sizeof *terms);
    for (int i = 0; key && i < n; i++)
        if (strcmp(terms[i].name, key) == 0) return i;
    if (key)
        PyErr_Format(PyExc_KeyError,
                     "there is no term '%s'; take M, A, R, Phi, b, c, Q, K, Q_v, c_q, c_v, psi_q, "
                     "f_t, c_t, psi_t, Phi_t, J, C, D or reactions",
                     key);
    return -1;
}

static PyObject *data_term(PyObject *object, PyObject *name) {
    data_object *self = (data_object *)object;
    const int i = find_term(name);
    hol_size size = {.size = sizeof size};
    Py_buffer view;
    const int taken = i < 0 ? 0 : enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *array = NULL;
    if (settle(self->ctx, hol_data_term_size(self->data, terms[i].term, &size)))
        array = array_new(size.rows, terms[i].vector ? -1 : size.columns, &view);
    if (array) {
        const hol_status status =
            hol_data_term(self->data, terms[i].term, view.buf, size.rows * size.columns);
        PyBuffer_Release(&view);
        if (!settle(self->ctx, status)) Py_CLEAR(array);
    }
    guard_leave(self->guard, taken);
    return array;
}

/* term_rows(name): (values, columns, starts, (rows, columns)) as scipy.sparse.csr_array takes. */
static PyObject *data_term_rows(PyObject *object, PyObject *name) {
    data_object *self = (data_object *)object;
    const int i = find_term(name);
    hol_size size = {.size = sizeof size};
    const int taken = i < 0 ? 0 : enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *result = NULL;
    int *places = NULL;
    double *values = NULL;
    if (settle(self->ctx, hol_data_term_size(self->data, terms[i].term, &size))) {
        places = PyMem_Calloc((size_t)(size.rows + 1 + size.entries), sizeof *places);
        values = PyMem_Calloc((size_t)size.entries + 1, sizeof *values);
        if (!places || !values)
            PyErr_NoMemory();
        else if (settle(self->ctx,
                        hol_data_term_rows(self->data, terms[i].term, places,
                                           places + size.rows + 1, values, size.entries)))
            result = Py_BuildValue("(NNN(ii))", array_of(values, size.entries, -1),
                                   int_array_of(places + size.rows + 1, size.entries),
                                   int_array_of(places, size.rows + 1), size.rows, size.columns);
    }
    PyMem_Free(places);
    PyMem_Free(values);
    guard_leave(self->guard, taken);
    return result;
}

/* ---- bodies, joints, forces, measures ---- */

/* The index that a name or a number means; -1 with an exception. */
static int index_of(const data_object *self, PyObject *what, const char *kind,
                    int (*find)(const hol_model *, const char *)) {
    int i = -1;
    if (PyUnicode_Check(what)) {
        const char *name = utf8_of(what, kind);
        if (!name) return -1;
        i = find(hol_data_model(self->data), name);
        if (i < 0) PyErr_Format(PyExc_KeyError, "there is no %s '%s'", kind, name);
        return i;
    }
    i = (int)PyLong_AsLong(what);
    if (PyErr_Occurred()) return -1;
    if (i < 0) PyErr_Format(PyExc_IndexError, "there is no %s %d", kind, i);
    return i;
}

static PyObject *data_pose(PyObject *object, PyObject *body) {
    data_object *self = (data_object *)object;
    hol_pose pose;
    const int taken = enter(self, ASKS);
    const int i = taken ? index_of(self, body, "body", hol_model_body) : -1;
    PyObject *tuple = NULL;
    if (i >= 0 && settle(self->ctx, hol_data_body_pose(self->data, i, &pose)))
        tuple = named_tuple(TUPLE_POSE, 2,
                            (PyObject *[]){array_of(pose.r, 3, -1), array_of(pose.R, 3, 3)});
    guard_leave(self->guard, taken);
    return tuple;
}

static PyObject *data_twist(PyObject *object, PyObject *body) {
    data_object *self = (data_object *)object;
    hol_twist twist;
    const int taken = enter(self, ASKS);
    const int i = taken ? index_of(self, body, "body", hol_model_body) : -1;
    PyObject *tuple = NULL;
    if (i >= 0 && settle(self->ctx, hol_data_body_twist(self->data, i, &twist)))
        tuple = named_tuple(TUPLE_TWIST, 2,
                            (PyObject *[]){array_of(twist.v, 3, -1), array_of(twist.omega, 3, -1)});
    guard_leave(self->guard, taken);
    return tuple;
}

static PyObject *data_energy(PyObject *object, PyObject *none) {
    data_object *self = (data_object *)object;
    hol_energy e = {.size = sizeof e};
    (void)none;
    const int taken = enter(self, ASKS);
    if (!taken) return NULL;
    PyObject *tuple = NULL;
    if (settle(self->ctx, hol_data_energy(self->data, &e)))
        tuple = named_tuple(
            TUPLE_ENERGY, 4,
            (PyObject *[]){PyFloat_FromDouble(e.kinetic), PyFloat_FromDouble(e.potential),
                           PyFloat_FromDouble(e.work), PyFloat_FromDouble(e.balance)});
    guard_leave(self->guard, taken);
    return tuple;
}

static PyObject *data_reaction(PyObject *object, PyObject *joint) {
    data_object *self = (data_object *)object;
    hol_reaction r = {.size = sizeof r};
    const int taken = enter(self, ASKS);
    const int i = taken ? index_of(self, joint, "joint", hol_model_joint) : -1;
    PyObject *tuple = NULL;
    if (i >= 0 && settle(self->ctx, hol_data_reaction(self->data, i, &r)))
        tuple =
            named_tuple(TUPLE_REACTION, 6,
                        (PyObject *[]){array_of(r.point, 3, -1), array_of(r.force, 3, -1),
                                       array_of(r.moment, 3, -1), array_of(r.force_joint, 3, -1),
                                       array_of(r.moment_joint, 3, -1), PyBool_FromLong(r.unique)});
    guard_leave(self->guard, taken);
    return tuple;
}

static PyObject *data_load(PyObject *object, PyObject *force) {
    data_object *self = (data_object *)object;
    hol_load l = {.size = sizeof l};
    const int taken = enter(self, ASKS);
    const int i = taken ? index_of(self, force, "force", hol_model_force) : -1;
    PyObject *tuple = NULL;
    if (i >= 0 && settle(self->ctx, hol_data_force(self->data, i, &l)))
        tuple = named_tuple(TUPLE_LOAD, 3,
                            (PyObject *[]){array_of(l.point, 3, -1), array_of(l.force, 3, -1),
                                           array_of(l.moment, 3, -1)});
    guard_leave(self->guard, taken);
    return tuple;
}

static PyObject *data_measure(PyObject *object, PyObject *column) {
    data_object *self = (data_object *)object;
    double value = 0;
    const int taken = enter(self, ASKS);
    const int i = taken ? index_of(self, column, "measured column", hol_model_measure_index) : -1;
    PyObject *number = NULL;
    if (i >= 0 && settle(self->ctx, hol_data_measure(self->data, i, &value)))
        number = PyFloat_FromDouble(value);
    guard_leave(self->guard, taken);
    return number;
}

/* ---- forces of the caller ---- */

/* Up to three numbers, the rest zero. */
static int vector_of(PyObject *value, const char *what, double out[3]) {
    const Py_ssize_t n = PySequence_Check(value) ? PySequence_Size(value) : -1;
    out[0] = out[1] = out[2] = 0;
    if (n != 2 && n != 3) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s must have 2 or 3 numbers", what);
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        out[i] = item ? PyFloat_AsDouble(item) : 0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) return 0;
        if (out[i] - out[i] == 0) continue;
        PyErr_Format(PyExc_ValueError, "%s: number %zd is not finite", what, i);
        return 0;
    }
    return 1;
}

/* Whether forces may be added now. */
static int may_add(const data_object *self) {
    if (self->adds) return 1;
    PyErr_SetString(PyExc_RuntimeError,
                    "forces are added within the function that Simulation(force=...) was given");
    return 0;
}

static PyObject *data_add_force(PyObject *object, PyObject *args) {
    data_object *self = (data_object *)object;
    PyObject *body, *point, *force;
    double p[3], f[3];
    if (!PyArg_ParseTuple(args, "OOO", &body, &point, &force)) return NULL;
    const int taken = may_add(self) ? enter(self, ASKS) : 0;
    if (!taken) return NULL;
    const int i = index_of(self, body, "body", hol_model_body);
    const int good = i >= 0 && vector_of(point, "the point", p) &&
                     vector_of(force, "the force", f) &&
                     settle(self->ctx, hol_data_add_force(self->data, i, p, f));
    guard_leave(self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *data_add_torque(PyObject *object, PyObject *args) {
    data_object *self = (data_object *)object;
    PyObject *body, *torque;
    double m[3] = {0};
    if (!PyArg_ParseTuple(args, "OO", &body, &torque)) return NULL;
    const int taken = may_add(self) ? enter(self, ASKS) : 0;
    if (!taken) return NULL;
    const int i = index_of(self, body, "body", hol_model_body);
    int good = i >= 0;
    if (good && PyNumber_Check(torque) && !PySequence_Check(torque))
        good = numbers_of(torque, "the torque", 1, m + 2); /* in the plane: about z */
    else if (good)
        good = vector_of(torque, "the torque", m);
    good = good && settle(self->ctx, hol_data_add_torque(self->data, i, m));
    guard_leave(self->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* ---- the type ---- */

static PyMethodDef data_methods[] = {
    {"copy", data_copy, METH_NOARGS,
     "copy()\n--\n\nA snapshot that answers every question as this does, also when the simulation "
     "is gone."},
    {"set", data_set, METH_VARARGS,
     "set(t, q, v)\n--\n\nSet time, coordinates and velocities; what follows from them is computed "
     "when it is asked for."},
    {"solve", data_solve, METH_NOARGS,
     "solve()\n--\n\nSolve the plain equations of motion M a + A^T lambda = Q, A a = c here."},
    {"term", data_term, METH_O,
     "term(name)\n--\n\nA term of the equations of motion as a new array: M, A, R, Phi, b, c, Q; "
     "derivatives K, Q_v, c_q, c_v, psi_q, f_t, c_t, psi_t, Phi_t; J, C, D of local coordinates; "
     "reactions of single constraints."},
    {"term_rows", data_term_rows, METH_O,
     "term_rows(name)\n--\n\nThe same by compressed rows: (values, columns, starts, shape), as "
     "scipy.sparse.csr_array takes them: csr_array((values, columns, starts), shape)."},
    {"pose", data_pose, METH_O,
     "pose(body)\n--\n\nPosition r of the frame of a body and its rotation R (body to global)."},
    {"twist", data_twist, METH_O,
     "twist(body)\n--\n\nVelocity v of the origin of the frame of a body and its angular velocity "
     "omega, global."},
    {"energy", data_energy, METH_NOARGS,
     "energy()\n--\n\nKinetic and potential energy, work of all that is not conservative, and the "
     "balance kinetic + potential - work."},
    {"reaction", data_reaction, METH_O,
     "reaction(joint)\n--\n\nWhat the first body of a joint receives from it."},
    {"load", data_load, METH_O,
     "load(force)\n--\n\nWhat the first body of a force receives from "
     "it."},
    {"measure", data_measure, METH_O, "measure(name)\n--\n\nA measured column, in SI units."},
    {"add_force", data_add_force, METH_VARARGS,
     "add_force(body, point, force)\n--\n\nWithin a force function: a force (global frame) at a "
     "point of the body's frame."},
    {"add_torque", data_add_torque, METH_VARARGS,
     "add_torque(body, torque)\n--\n\nWithin a force function: a torque (global frame; in the "
     "plane a number)."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef data_getset[] = {
    {"t", data_get_t, NULL, "Time, in s.", NULL},
    {"q", data_get_vector, NULL, "Coordinates.", (void *)GET_Q},
    {"v", data_get_vector, NULL, "Velocities.", (void *)GET_V},
    {"a", data_get_vector, NULL, "Accelerations, the rates of v.", (void *)GET_A},
    {"multipliers", data_get_vector, NULL, "Lagrange multipliers.", (void *)GET_LAMBDA},
    {"position_residual", data_get_vector, NULL, "Phi(q, t).", (void *)GET_PHI},
    {"velocity_residual", data_get_vector, NULL, "A v - b.", (void *)GET_PSI},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot data_slots[] = {
    {Py_tp_new, data_new},
    {Py_tp_dealloc, data_dealloc},
    {Py_tp_traverse, data_traverse},
    {Py_tp_methods, data_methods},
    {Py_tp_getset, data_getset},
    {Py_tp_doc, "The state of a mechanism and what follows from it."},
    {0, NULL},
};

static PyType_Spec data_spec = {"holonom._core.Data", sizeof(data_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, data_slots};

int add_data_type(PyObject *module) {
    core.data = add_type(module, &data_spec, "Data");
    return core.data && add_tuple_types(module);
}
