/* study.c: studies: many runs of one model, and what they say. */
#include "core.h"

#include "analysis.h"

/* Who looks at a study that runs. */
typedef struct looker {
    guard *guard;
    PyObject *progress; /* of the caller; NULL: none */
    double shown;       /* seconds after which it was called last */
} looker;

/* Seconds between two calls of the function. */
static const double EVERY = 0.1;

/* Signals, and the function of the caller, which ends the study with what is true. */
static hol_status look(void *user, const hol_study_state *state) {
    looker *l = user;
    if (state->elapsed < l->shown + EVERY && state->done < state->cases) return HOL_OK;
    l->shown = state->elapsed;
    callback c = callback_begin(l->guard);
    int stop = PyErr_CheckSignals() ? -1 : 0;
    PyObject *done = !stop && l->progress
                         ? PyObject_CallFunction(l->progress, "LLLdd", state->done, state->cases,
                                                 state->failed, state->elapsed, state->remaining)
                         : NULL;
    if (done)
        stop = PyObject_IsTrue(done);
    else if (l->progress)
        stop = -1;
    if (stop < 0) failed_take();
    Py_XDECREF(done);
    callback_end(&c);
    return stop ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* The study of a file, or of a text; without the interpreter lock. */
static hol_status run(hol_context *ctx, const char *path, const char *text,
                      const hol_study_options *how, hol_answer **answer) {
    hol_study *study = text ? hol_study_read_text(ctx, text, path) : hol_study_read(ctx, path);
    const hol_status status = study ? hol_study_run(study, how, answer) : HOL_ERR_INPUT;
    hol_study_free(study);
    return status;
}

/* run_study(description, path, text, threads, processes, log, fresh, so_far, progress): the text,
 * where it is not None, stands for the file; the description lends its context. */
static PyObject *run_study(PyObject *module, PyObject *args) {
    PyObject *description, *progress, *out = NULL;
    const char *path, *text;
    hol_study_options how = {.size = sizeof how, .on_progress = look};
    hol_answer *answer = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsziizppO", &description, &path, &text, &how.threads,
                          &how.processes, &how.log, &how.fresh, &how.so_far, &progress))
        return NULL;
    description_object *d = as_description(description);
    const int taken = d ? guard_enter(&d->guard, CHANGES) : 0;
    if (!taken) return NULL;
    looker l = {&d->guard, progress == Py_None ? NULL : progress, 0};
    how.user = &l;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = run(d->ctx, path, text, &how, &answer);
    Py_END_ALLOW_THREADS if (status == HOL_ERR_INTERRUPTED && answer) status = HOL_OK;
    if (settle(d->ctx, status) && answer)
        out = answer_wrap(d, answer);
    else
        hol_answer_free(answer);
    guard_leave(&d->guard, taken);
    return out;
}

PyMethodDef study_methods[] = {
    {"run_study", run_study, METH_VARARGS,
     "run_study(description, path, text, threads, processes, log, fresh, so_far, progress)"},
    {NULL, NULL, 0, NULL},
};
