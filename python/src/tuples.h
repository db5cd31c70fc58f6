/* tuples.h: the named tuples that data answers with. */
#ifndef HOLONOM_PYTHON_TUPLES_H
#define HOLONOM_PYTHON_TUPLES_H

#include "core.h"

typedef enum tuple_kind {
    TUPLE_POSE,
    TUPLE_TWIST,
    TUPLE_ENERGY,
    TUPLE_REACTION,
    TUPLE_LOAD,
    TUPLE_KINDS
} tuple_kind;

/* A named tuple of n values, which it takes over; NULL where one of them is. */
PyObject *named_tuple(tuple_kind kind, int n, PyObject **values);

int add_tuple_types(PyObject *module);

#endif
