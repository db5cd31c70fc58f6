/* core.h: what the files of the extension module share.
 *
 * The module is written against the stable interface of CPython (3.11 and later) and the public
 * headers of the library, and against nothing else: arrays are made by calling numpy.empty and
 * filled through the buffer protocol, blocks that objects own are shown through it.
 *
 * Rules:
 * - every object that reports has a context of its own, and a guard that lets one thread at a time
 *   use it; a thread that has to wait does so without the interpreter lock;
 * - calls that may take long run without the interpreter lock, which callbacks take for themselves;
 * - an exception in a callback stops the call, and is what the call raises.
 */
#ifndef HOLONOM_PYTHON_CORE_H
#define HOLONOM_PYTHON_CORE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>

#include <holonom/holonom.h>

/* ---- guards ---- */

/* Which thread uses an object, and whether it is within a callback of that use. */
typedef struct guard {
    PyThread_type_lock lock;
    unsigned long owner; /* 0: nobody */
    int calling;
} guard;

/* What a call does to an object: questions may be asked within its callbacks, changes may not. */
typedef enum use { ASKS, CHANGES } use;

/* Memory for a guard, 0 without; its end. */
int guard_init(guard *g);
void guard_free(guard *g);

/* Take the guard: 1 taken, 2 held already by the call around a callback, 0 with an exception. Give
 * it back with the number that was returned. */
int guard_enter(guard *g, use what);
void guard_leave(guard *g, int taken);

/* ---- exceptions ---- */

/* Keep the exception of a callback until the library has returned, in this thread; a second one is
 * dropped. */
void failed_take(void);

/* What follows from a call: the exception of a callback, or that of the status with all messages of
 * the context (NULL: there are none), or warnings; then the context has none any more. 0 where an
 * exception is set. */
int settle(hol_context *ctx, hol_status status);

/* The same where the library answers with NULL: the status of the last error. */
int settle_null(hol_context *ctx);

/* A message as (severity, status, element, text, file, line, column), and all of a context. */
PyObject *messages_of(const hol_context *ctx);

/* ---- objects ---- */

/* A description (and the context that it belongs to). */
typedef struct description_object {
    PyObject_HEAD hol_context *ctx;
    hol_spec *spec;
    guard guard;
} description_object;

typedef struct options_object {
    PyObject_HEAD hol_context *ctx;
    hol_options *options;
    guard guard;
} options_object;

/* A compiled model, which never changes: no guard. */
typedef struct model_object {
    PyObject_HEAD hol_context *ctx;
    hol_model *model;
    guard guard; /* of the context, for questions that report */
} model_object;

typedef struct data_object {
    PyObject_HEAD hol_context *ctx;
    hol_data *data;  /* NULL: that of a callback which has returned */
    PyObject *owner; /* whose data it is; NULL: its own */
    PyObject *model;
    guard *guard; /* that of the owner, or its own */
    guard own;
    int owns; /* data and context are its own */
    int adds; /* a callback for forces is running */
} data_object;

typedef struct sim_object {
    PyObject_HEAD hol_context *ctx;
    hol_sim *sim;
    PyObject *model, *code;
    guard guard;
    PyObject *force;         /* of the caller … */
    data_object *force_data; /* … and the data that it gets, kept from one call to the next */
    PyObject *on_output, *on_step, *on_checkpoint;
    hol_writer *writer; /* of the run that is under way */
    long long looked;   /* when signals were looked for, in ns */
    int kinematic;      /* made by hol_kinematics_new */
} sim_object;

/* The records of a run. */
typedef struct record_object {
    PyObject_HEAD PyObject *sim; /* its simulation, whose guard counts */
    hol_writer *writer;
    int views; /* buffers that are out: the block may not move */
} record_object;

typedef struct answer_object {
    PyObject_HEAD PyObject *description; /* of whose context it is */
    hol_answer *answer;
    int views;
} answer_object;

typedef struct result_object {
    PyObject_HEAD hol_context *ctx;
    hol_result *result;
    guard guard;
    int views;
} result_object;

typedef struct code_object {
    PyObject_HEAD hol_context *ctx;
    hol_code *code;
} code_object;

/* Types and what Python gave the module. */
typedef struct core_state {
    PyTypeObject *description, *options, *model, *data, *sim, *record, *answer, *result, *code,
        *block;
    PyObject *empty;   /* numpy.empty */
    PyObject *asarray; /* numpy.asarray */
    PyObject *error;   /* (status, messages) to an exception */
    PyObject *heard;   /* messages of a call that succeeded */
} core_state;

extern core_state core;

/* *at gives up what it has for a new reference. */
static inline void replace_ref(PyObject **at, PyObject *to) {
    PyObject *before = *at;
    *at = to;
    Py_XDECREF(before);
}

/* A new object of a type, all zero. */
void *new_object(PyTypeObject *type);

/* Free the memory of an object that has given back all else. */
void free_object(void *self);

/* ---- values ---- */

/* A text, None for NULL. */
PyObject *text_of(const char *text);

/* The UTF-8 of a str, without zeros in it; NULL with an exception that names what it is. */
const char *utf8_of(PyObject *value, const char *what);

/* A new array with these numbers (rows x columns; columns < 0: one dimension). */
PyObject *array_of(const double *values, Py_ssize_t rows, Py_ssize_t columns);
PyObject *int_array_of(const int *values, Py_ssize_t n);

/* A new array to be filled: *view is its buffer, which the caller releases. */
PyObject *array_new(Py_ssize_t rows, Py_ssize_t columns, Py_buffer *view);

/* n finite numbers from anything that numpy.asarray takes; 0 with an exception that names it. */
int numbers_of(PyObject *value, const char *what, Py_ssize_t n, double *out);

/* The same of any length, in memory that the caller frees with PyMem_Free. */
double *all_numbers_of(PyObject *value, const char *what, Py_ssize_t *n);

/* Numbers that another object owns, as a buffer without a copy, read-only. *views of the owner
 * counts them. Strides in bytes. */
PyObject *block_new(PyObject *owner, int *views, const double *values, int ndim,
                    const Py_ssize_t *shape, const Py_ssize_t *strides);

/* What a call keeps until it ends. */
typedef struct pool {
    PyObject *keep; /* a list */
    void *blocks[64];
    int n_blocks;
} pool;

int pool_init(pool *p);
void pool_free(pool *p);
void *pool_alloc(pool *p, size_t n, size_t size);

/* n texts of a sequence of str, which live as long as the pool. */
const char *const *texts_of(pool *p, PyObject *value, const char *what, int *n);

/* Members of a struct of options by name. */
typedef enum member_kind { INT, REAL, TEXT, TEXTS, FLAG, UNSIGNED, AT } member_kind;

typedef struct member {
    const char *name;
    member_kind kind;
    size_t offset, count; /* of a list: where its length stands */
} member;

/* Rows of such a table: a member, a list whose length is n_NAME, and the last row. */
#define M(type, kind, member)                                                                      \
    { #member, kind, offsetof(type, member), 0 }
#define LIST(type, member)                                                                         \
    { #member, TEXTS, offsetof(type, member), offsetof(type, n_##member) }
#define END                                                                                        \
    { NULL, INT, 0, 0 }

/* Fill a struct from a dictionary; names that are not in the table are a TypeError. */
int fill_struct(pool *p, const char *call, const member *members, PyObject *values, void *out);

/* ---- shared between files ---- */

PyObject *data_view(hol_data *data, PyObject *owner, hol_context *ctx, guard *g, PyObject *model);
PyObject *options_wrap(hol_context *ctx, hol_options *options);
PyObject *model_wrap(hol_context *ctx, hol_model *model);
PyObject *record_wrap(sim_object *sim, hol_writer *writer);

/* Within the library: call Python with the guard's owner marked as calling. The interpreter lock is
 * taken; end with callback_end. */
typedef struct callback {
    PyGILState_STATE state;
    guard *guard;
    int before;
} callback;

callback callback_begin(guard *g);
void callback_end(callback *c);

/* An object as one of its type; NULL with an exception. */
sim_object *as_sim(PyObject *value);
description_object *as_description(PyObject *value);

int add_description_types(PyObject *module);
int add_model_type(PyObject *module);
int add_data_type(PyObject *module);
int add_sim_type(PyObject *module);
int add_record_types(PyObject *module);
int add_answer_type(PyObject *module);
int add_result_type(PyObject *module);

/* A type added to the module under its name. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec, const char *name);

extern PyMethodDef analysis_methods[], study_methods[], table_methods[], page_methods[],
    fmu_methods[];

#endif
