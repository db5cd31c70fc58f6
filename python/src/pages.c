/* pages.c: reports, charts and pictures, as files. */
#include "core.h"

/* The end of a call over a context of its own. */
static PyObject *finish(hol_context *ctx, hol_status status) {
    const int good = settle(ctx, status);
    hol_context_free(ctx);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* report(results, path) */
static PyObject *report(PyObject *module, PyObject *args) {
    PyObject *results;
    const char *path;
    pool p;
    int n = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &results, &path) || !pool_init(&p)) return NULL;
    const char *const *files = texts_of(&p, results, "results", &n);
    hol_context *ctx = files ? hol_context_new() : NULL;
    hol_status status = HOL_ERR_MEMORY;
    if (!ctx) {
        pool_free(&p);
        return files ? PyErr_NoMemory() : NULL;
    }
    Py_BEGIN_ALLOW_THREADS status = hol_report_write(ctx, n, files, path);
    Py_END_ALLOW_THREADS PyObject *done = finish(ctx, status);
    pool_free(&p);
    return done;
}

/* view(sim, path, width, height, show, names, dark): a picture (.svg, .png), a page (.html) or a
 * scene (.glb, .gltf) of the mechanism as it stands; kind: "picture", "page", "scene". */
static PyObject *view(PyObject *module, PyObject *args) {
    PyObject *object;
    const char *path, *kind;
    hol_strobe strobe = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "Ossiiipp", &object, &kind, &path, &strobe.width, &strobe.height,
                          (int *)&strobe.show, &strobe.names, &strobe.dark))
        return NULL;
    sim_object *sim = as_sim(object);
    const int taken = sim ? guard_enter(&sim->guard, CHANGES) : 0;
    if (!taken) return NULL;
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = *kind == 's'     ? hol_motion_view(sim->sim, path)
                                    : kind[1] == 'a' ? hol_report_view(sim->sim, path)
                                                     : hol_strobe_view(sim->sim, &strobe, path);
    Py_END_ALLOW_THREADS const int good = settle(sim->ctx, status);
    guard_leave(&sim->guard, taken);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* strobe(result, path, every, times, width, height, show, names, dark) */
static PyObject *strobe(PyObject *module, PyObject *args) {
    const char *result, *path;
    PyObject *times;
    hol_strobe s = {0};
    Py_ssize_t n_times = 0;
    int n;
    (void)module;
    if (!PyArg_ParseTuple(args, "ssdOiiipp", &result, &path, &s.every, &times, &s.width, &s.height,
                          (int *)&s.show, &s.names, &s.dark))
        return NULL;
    double *all = times == Py_None ? NULL : all_numbers_of(times, "times", &n_times);
    if (!all && times != Py_None) return NULL;
    s.times = all;
    s.n_times = (int)n_times;
    hol_context *ctx = hol_context_new();
    hol_status status = HOL_ERR_MEMORY;
    if (ctx) {
        Py_BEGIN_ALLOW_THREADS status = hol_strobe_write(ctx, result, &s, path, &n);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(all);
    return ctx ? finish(ctx, status) : PyErr_NoMemory();
}

/* chart(results, columns, path, x, title, width, height, log_x, log_y, units) */
static PyObject *chart(PyObject *module, PyObject *args) {
    PyObject *results, *columns;
    const char *path;
    hol_chart c = {0};
    pool p;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOszziippz", &results, &columns, &path, &c.x, &c.title, &c.width,
                          &c.height, &c.log_x, &c.log_y, &c.units) ||
        !pool_init(&p))
        return NULL;
    c.results = texts_of(&p, results, "results", &c.n_results);
    c.columns = c.results ? texts_of(&p, columns, "columns", &c.n_columns) : NULL;
    hol_context *ctx = c.columns ? hol_context_new() : NULL;
    PyObject *done = NULL;
    if (ctx) {
        hol_status status;
        Py_BEGIN_ALLOW_THREADS status = hol_chart_write(ctx, &c, path);
        Py_END_ALLOW_THREADS done = finish(ctx, status);
    } else if (c.columns)
        PyErr_NoMemory();
    pool_free(&p);
    return done;
}

/* motion(result, path, rate, speed, show): a scene in motion, .glb or .gltf */
static PyObject *motion(PyObject *module, PyObject *args) {
    const char *result, *path;
    hol_motion m = {0};
    int n;
    (void)module;
    if (!PyArg_ParseTuple(args, "ssddi", &result, &path, &m.rate, &m.speed, (int *)&m.show))
        return NULL;
    hol_context *ctx = hol_context_new();
    if (!ctx) return PyErr_NoMemory();
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_motion_write(ctx, result, &m, path, &n);
    Py_END_ALLOW_THREADS return finish(ctx, status);
}

/* frames(result, folder, rate, width, height, png, show): how many pictures were written */
static PyObject *frames(PyObject *module, PyObject *args) {
    const char *result, *folder;
    hol_frames f = {0};
    int n = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "ssdiipi", &result, &folder, &f.rate, &f.width, &f.height, &f.png,
                          (int *)&f.show))
        return NULL;
    hol_context *ctx = hol_context_new();
    if (!ctx) return PyErr_NoMemory();
    hol_status status;
    Py_BEGIN_ALLOW_THREADS status = hol_frames_write(ctx, result, &f, folder, &n);
    Py_END_ALLOW_THREADS PyObject *done = finish(ctx, status);
    if (!done) return NULL;
    Py_DECREF(done);
    return PyLong_FromLong(n);
}

PyMethodDef page_methods[] = {
    {"report", report, METH_VARARGS, NULL},
    {"view", view, METH_VARARGS, NULL},
    {"strobe", strobe, METH_VARARGS, NULL},
    {"chart", chart, METH_VARARGS, NULL},
    {"motion", motion, METH_VARARGS, NULL},
    {"frames", frames, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
