/* tuples.c: the named tuples that data answers with. */
#include "tuples.h"

#include <string.h>

static PyStructSequence_Field pose_fields[] = {
    {"r", "position, global"}, {"R", "rotation, body to global"}, {NULL, NULL}};
static PyStructSequence_Field twist_fields[] = {
    {"v", "velocity, global"}, {"omega", "angular velocity, global"}, {NULL, NULL}};
static PyStructSequence_Field energy_fields[] = {
    {"kinetic", "J"}, {"potential", "J"}, {"work", "J"}, {"balance", "J"}, {NULL, NULL}};
static PyStructSequence_Field reaction_fields[] = {
    {"point", "where it is taken, global"},
    {"force", "N, global"},
    {"moment", "N*m about the point, global"},
    {"force_joint", "N, in the frame of the joint"},
    {"moment_joint", "N*m, in the frame of the joint"},
    {"unique", "False where redundant constraints leave it open"},
    {NULL, NULL}};
static PyStructSequence_Field load_fields[] = {{"point", "where it acts, global"},
                                               {"force", "N, global"},
                                               {"moment", "N*m about the point, global"},
                                               {NULL, NULL}};

static PyStructSequence_Desc tuples[TUPLE_KINDS] = {
    [TUPLE_POSE] = {"holonom.Pose", "The pose of a body.", pose_fields, 2},
    [TUPLE_TWIST] = {"holonom.Twist", "The velocities of a body.", twist_fields, 2},
    [TUPLE_ENERGY] = {"holonom.Energy", "Energies.", energy_fields, 4},
    [TUPLE_REACTION] = {"holonom.Reaction", "What the first body of a joint receives from it.",
                        reaction_fields, 6},
    [TUPLE_LOAD] = {"holonom.Load", "What the first body of a force receives from it.", load_fields,
                    3},
};

static PyTypeObject *types[TUPLE_KINDS];

PyObject *named_tuple(tuple_kind kind, int n, PyObject **values) {
    PyObject *tuple = PyStructSequence_New(types[kind]);
    int good = tuple != NULL;
    for (int i = 0; i < n; i++) {
        good &= values[i] != NULL;
        if (tuple)
            PyStructSequence_SetItem(tuple, i, values[i]);
        else
            Py_XDECREF(values[i]);
    }
    if (good) return tuple;
    Py_XDECREF(tuple);
    return NULL;
}

int add_tuple_types(PyObject *module) {
    for (int i = 0; i < TUPLE_KINDS; i++) {
        types[i] = PyStructSequence_NewType(&tuples[i]);
        if (!types[i] ||
            PyModule_AddObjectRef(module, strchr(tuples[i].name, '.') + 1, (PyObject *)types[i]))
            return 0;
    }
    return 1;
}
