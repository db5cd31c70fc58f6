/* errors.c: guards, exceptions that wait, and messages as exceptions and warnings. */
#include "core.h"

/* ---- guards ---- */

int guard_init(guard *g) {
    g->lock = PyThread_allocate_lock();
    if (!g->lock) PyErr_NoMemory();
    return g->lock != NULL;
}

void guard_free(guard *g) {
    if (g->lock) PyThread_free_lock(g->lock);
    g->lock = NULL;
}

int guard_enter(guard *g, use what) {
    const unsigned long me = PyThread_get_thread_ident();
    if (g->owner == me) {
        if (g->calling && what == ASKS) return 2;
        PyErr_SetString(PyExc_RuntimeError,
                        "this object is in use by the call around this callback: ask it what you "
                        "want to know, but change, step or run another one");
        return 0;
    }
    if (!PyThread_acquire_lock(g->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(g->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
    g->owner = me;
    g->calling = 0;
    return 1;
}

void guard_leave(guard *g, int taken) {
    if (taken != 1) return;
    g->owner = 0;
    PyThread_release_lock(g->lock);
}

callback callback_begin(guard *g) {
    callback c = {.state = PyGILState_Ensure(), .guard = g, .before = g ? g->calling : 0};
    if (g) g->calling = 1;
    return c;
}

void callback_end(callback *c) {
    if (c->guard) c->guard->calling = c->before;
    PyGILState_Release(c->state);
}

/* ---- exceptions ---- */

/* An exception of a callback of this thread that waits until the library has returned. */
static _Thread_local struct { PyObject *type, *value, *trace; } failed;

void failed_take(void) {
    if (failed.type)
        PyErr_Clear();
    else
        PyErr_Fetch(&failed.type, &failed.value, &failed.trace);
}

/* Raise it; 0 where there is none. */
static int failed_raise(void) {
    if (!failed.type) return 0;
    PyErr_Restore(failed.type, failed.value, failed.trace);
    failed.type = failed.value = failed.trace = NULL;
    return 1;
}

/* ---- messages ---- */

PyObject *messages_of(const hol_context *ctx) {
    const int n = hol_message_count(ctx);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < n; i++) {
        const hol_message *m = hol_message_get(ctx, i);
        PyObject *item =
            Py_BuildValue("(iiNNNii)", (int)m->severity, (int)m->status, text_of(m->element),
                          text_of(m->text), text_of(m->where.file), m->where.line, m->where.column);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* Set the exception that Python makes of a status and its messages. */
static void raise(hol_status status, PyObject *messages) {
    PyObject *error = core.error ? PyObject_CallFunction(core.error, "isO", (int)status,
                                                         hol_status_text(status), messages)
                                 : NULL;
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_RuntimeError, hol_status_text(status));
    Py_XDECREF(error);
}

int settle(hol_context *ctx, hol_status status) {
    if (failed.type) {
        hol_message_clear(ctx);
        return !failed_raise();
    }
    if (!status && !hol_message_count(ctx)) return 1;
    PyObject *messages = messages_of(ctx), *done = NULL;
    hol_message_clear(ctx);
    if (!messages) return 0;
    if (status == HOL_ERR_MEMORY)
        PyErr_NoMemory();
    else if (status)
        raise(status, messages);
    else
        done = core.heard ? PyObject_CallFunctionObjArgs(core.heard, messages, NULL) : NULL;
    Py_DECREF(messages);
    Py_XDECREF(done);
    return done != NULL;
}

int settle_null(hol_context *ctx) {
    hol_status status = HOL_ERR_MEMORY;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_ERROR) status = m->status;
    }
    return settle(ctx, status);
}
