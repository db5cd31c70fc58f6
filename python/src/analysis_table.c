/* analysis_table.c: the analyses of the library: options and calls. */
#include "analysis.h"

#include <math.h>
#include <string.h>

static const member nothing[] = {END};

/* ---- callbacks ---- */

/* {"number": …, "values": {…}} of an attempt of a search. */
static PyObject *attempt_dict(const hol_attempt *a) {
    PyObject *values = PyDict_New();
    for (int i = 0; values && i < a->n; i++) {
        PyObject *number = PyFloat_FromDouble(a->values[i]);
        if (!number || PyDict_SetItemString(values, a->names[i], number)) Py_CLEAR(values);
        Py_XDECREF(number);
    }
    return Py_BuildValue("{s:l,s:N,s:N,s:d,s:d,s:N}", "number", a->number, "better",
                         PyBool_FromLong(a->better), "failed", PyBool_FromLong(a->failed), "value",
                         a->value, "violation", a->violation, "values", values);
}

/* Signals, and the function of the caller, which ends the search with what is true. */
static hol_status on_attempt(void *user, const hol_attempt *attempt) {
    const job *j = user;
    callback c = callback_begin(NULL);
    int stop = PyErr_CheckSignals() ? -1 : 0;
    if (!stop && j->function) {
        PyObject *what = attempt_dict(attempt);
        PyObject *done = what ? PyObject_CallFunctionObjArgs(j->function, what, NULL) : NULL;
        stop = done ? PyObject_IsTrue(done) : -1;
        Py_XDECREF(what);
        Py_XDECREF(done);
    }
    if (stop < 0) failed_take();
    callback_end(&c);
    return stop ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* ---- calls ---- */

static hol_status call_equations(job *j) {
    return hol_equations(j->ctx, j->sim, &j->answer);
}

static const member symbolic[] = {M(hol_symbolic_options, FLAG, name_all), END};

static hol_status call_symbolic(job *j) {
    return hol_equations_symbolic(j->ctx, j->spec, j->how, &j->answer);
}

static const member statics[] = {M(hol_statics_options, AT, time),
                                 M(hol_statics_options, TEXT, search),
                                 M(hol_statics_options, REAL, tolerance),
                                 M(hol_statics_options, FLAG, steady),
                                 M(hol_statics_options, INT, starts),
                                 M(hol_statics_options, REAL, reach),
                                 M(hol_statics_options, TEXT, vary),
                                 {"from_", REAL, offsetof(hol_statics_options, from), 0},
                                 M(hol_statics_options, REAL, to),
                                 M(hol_statics_options, INT, points),
                                 LIST(hol_statics_options, preload),
                                 END};

static hol_status call_statics(job *j) {
    return hol_statics(j->ctx, j->spec, j->how, &j->answer);
}

static const member linearize[] = {
    M(hol_linearize_options, INT, settle),        LIST(hol_linearize_options, inputs),
    LIST(hol_linearize_options, outputs),         M(hol_linearize_options, REAL, frequency_from),
    M(hol_linearize_options, REAL, frequency_to), M(hol_linearize_options, INT, n_frequencies),
    M(hol_linearize_options, REAL, period),       END};

static hol_status call_linearize(job *j) {
    return hol_linearize(j->ctx, j->sim, j->spec, j->how, &j->answer);
}

static const member locus[] = {M(hol_locus_options, TEXT, parameter),
                               {"from_", REAL, offsetof(hol_locus_options, from), 0},
                               M(hol_locus_options, REAL, to),
                               M(hol_locus_options, INT, n),
                               M(hol_locus_options, REAL, at),
                               M(hol_locus_options, INT, settle),
                               END};

static hol_status call_locus(job *j) {
    hol_options *options = hol_options_from_spec(j->ctx, j->spec);
    if (!options) return HOL_ERR_INPUT;
    const hol_status status = hol_locus(j->ctx, j->spec, options, j->how, &j->answer);
    hol_options_free(options);
    return status;
}

static const member gears[] = {LIST(hol_gears_options, shafts), LIST(hol_gears_options, loads),
                               END};

static hol_status call_gears(job *j) {
    return hol_gears(j->ctx, j->sim, j->how, &j->answer);
}

static const member sensitivity[] = {
    LIST(hol_sensitivity_options, parameters), M(hol_sensitivity_options, TEXT, goals),
    M(hol_sensitivity_options, TEXT, by),      M(hol_sensitivity_options, REAL, tolerance),
    M(hol_sensitivity_options, INT, points),   END};

static hol_status call_sensitivity(job *j) {
    return hol_sensitivity(j->ctx, j->spec, j->how, &j->answer);
}

/* What is asked of a search, and how widely it is done; the first is where hol_optimize_options
 * has it. */
typedef struct optimize_how {
    hol_optimize_options o;
    hol_wide_options wide;
} optimize_how;

static const member optimize[] = {LIST(hol_optimize_options, vary),
                                  LIST(hol_optimize_options, minimize),
                                  LIST(hol_optimize_options, maximize),
                                  LIST(hol_optimize_options, subject),
                                  M(hol_optimize_options, TEXT, algorithm),
                                  M(hol_optimize_options, TEXT, by),
                                  M(hol_optimize_options, REAL, tolerance),
                                  M(hol_optimize_options, INT, evaluations),
                                  M(hol_optimize_options, UNSIGNED, seed),
                                  M(hol_optimize_options, FLAG, model),
                                  {"starts", INT, offsetof(optimize_how, wide.starts), 0},
                                  {"population", INT, offsetof(optimize_how, wide.population), 0},
                                  {"threads", INT, offsetof(optimize_how, wide.threads), 0},
                                  {"log", TEXT, offsetof(optimize_how, wide.log), 0},
                                  {"fresh", FLAG, offsetof(optimize_how, wide.fresh), 0},
                                  END};

/* Signals, while searches go on in many places. */
static hol_status on_progress(void *user, const hol_wide_state *state) {
    callback c = callback_begin(NULL);
    const int stop = PyErr_CheckSignals() ? -1 : 0;
    (void)user;
    (void)state;
    if (stop < 0) failed_take();
    callback_end(&c);
    return stop ? HOL_ERR_INTERRUPTED : HOL_OK;
}

static hol_status call_optimize(job *j) {
    optimize_how *how = j->how;
    const char *algorithm = how->o.algorithm;
    const int evolves = algorithm && strncmp(algorithm, "evolution", 9) == 0;
    how->o.size = sizeof how->o;
    how->o.on_attempt = on_attempt;
    how->o.user = j;
    if (!evolves && how->wide.starts < 2 && !how->wide.population && !how->wide.log)
        return hol_optimize(j->ctx, j->spec, &how->o, &j->answer);
    how->wide.size = sizeof how->wide;
    how->wide.on_progress = on_progress;
    return hol_optimize_widely(j->ctx, j->spec, &how->o, &how->wide, &j->answer);
}

static const member identify[] = {LIST(hol_identify_options, vary),
                                  M(hol_identify_options, TEXT, data),
                                  LIST(hol_identify_options, fit),
                                  M(hol_identify_options, REAL, tolerance),
                                  M(hol_identify_options, INT, evaluations),
                                  M(hol_identify_options, FLAG, model),
                                  END};

static hol_status call_identify(job *j) {
    hol_identify_options *how = j->how;
    how->on_attempt = on_attempt;
    how->user = j;
    return hol_identify(j->ctx, j->spec, how, &j->answer);
}

static const member certify[] = {
    M(hol_certify_options, REAL, digits),    M(hol_certify_options, INT, points),
    M(hol_certify_options, FLAG, refine),    M(hol_certify_options, FLAG, quick),
    M(hol_certify_options, TEXT, conserved), END};

static hol_status call_certify(job *j) {
    return hol_certify(j->ctx, j->spec, j->how, &j->answer);
}

/* samples: {"time": numbers, column: numbers, …} */
static int certify_samples(pool *p, PyObject *values, void *how, job *j) {
    PyObject *samples = PyDict_GetItemString(values, "samples"), *key, *value;
    (void)j;
    if (!samples || samples == Py_None) return 1;
    PyObject *times = PyDict_Check(samples) ? PyDict_GetItemString(samples, "time") : NULL;
    if (!times) {
        PyErr_SetString(PyExc_TypeError, "samples must be a dict with 'time' and columns");
        return 0;
    }
    const size_t n = (size_t)PyDict_Size(samples);
    hol_certify_samples *out = pool_alloc(p, 1, sizeof *out);
    const char **names = out ? pool_alloc(p, n, sizeof *names) : NULL;
    const double **columns = names ? pool_alloc(p, n, sizeof *columns) : NULL;
    Py_ssize_t rows = 0, have = 0, at = 0;
    if (!columns) return 0;
    if (!(out->times = all_numbers_of(times, "time", &rows))) return 0;
    p->blocks[p->n_blocks++] = (void *)(uintptr_t)out->times;
    out->rows = (int)rows;
    out->names = names;
    out->values = columns;
    while (PyDict_Next(samples, &at, &key, &value)) {
        if (value == times) continue;
        const int i = out->columns;
        if (PyList_Append(p->keep, key) || !(names[i] = utf8_of(key, "a column"))) return 0;
        if (p->n_blocks + 1 >= (int)(sizeof p->blocks / sizeof *p->blocks)) {
            PyErr_SetString(PyExc_ValueError, "too many columns of samples: 50 at a time");
            return 0;
        }
        if (!(columns[i] = all_numbers_of(value, names[i], &have))) return 0;
        p->blocks[p->n_blocks++] = (void *)(uintptr_t)columns[i];
        if (have != rows) {
            PyErr_Format(PyExc_ValueError, "%s has %zd numbers, and time has %zd", names[i], have,
                         rows);
            return 0;
        }
        out->columns++;
    }
    ((hol_certify_options *)how)->samples = out;
    return PyDict_DelItemString(values, "samples") == 0;
}

static const member generate[] = {M(hol_generate_options, TEXT, folder),
                                  M(hol_generate_options, TEXT, name),
                                  M(hol_generate_options, TEXT, integrator),
                                  M(hol_generate_options, REAL, step),
                                  LIST(hol_generate_options, parameters),
                                  M(hol_generate_options, INT, lanes),
                                  END};

static hol_status call_generate(job *j) {
    return hol_generate(j->ctx, j->spec, j->how, &j->answer);
}

static const member kinematics[] = {M(hol_kinematics_options, TEXT, cycle),
                                    M(hol_kinematics_options, INT, points),
                                    M(hol_kinematics_options, FLAG, loads),
                                    M(hol_kinematics_options, TEXT, transmission),
                                    M(hol_kinematics_options, FLAG, motion),
                                    M(hol_kinematics_options, REAL, turns),
                                    END};

static hol_status call_kinematics(job *j) {
    return hol_kinematics(j->ctx, j->sim, j->how, &j->answer);
}

static const member workspace[] = {M(hol_workspace_options, INT, points),
                                   M(hol_workspace_options, TEXT, point), END};

/* drivers: {name: (from, to), name: (from, to)} */
static int workspace_drivers(pool *p, PyObject *values, void *how, job *j) {
    hol_workspace_options *o = how;
    PyObject *drivers = PyDict_GetItemString(values, "drivers"), *key, *value;
    Py_ssize_t at = 0;
    (void)j;
    if (!drivers || !PyDict_Check(drivers) || PyDict_Size(drivers) != 2) {
        PyErr_SetString(PyExc_TypeError, "drivers must be a dict of two: {name: (from, to), …}");
        return 0;
    }
    for (int i = 0; i < 2 && PyDict_Next(drivers, &at, &key, &value); i++) {
        double range[2];
        if (PyList_Append(p->keep, key) || !(o->drivers[i] = utf8_of(key, "a driver"))) return 0;
        if (!numbers_of(value, o->drivers[i], 2, range)) return 0;
        o->from[i] = range[0], o->to[i] = range[1];
    }
    return PyDict_DelItemString(values, "drivers") == 0;
}

static hol_status call_workspace(job *j) {
    return hol_workspace(j->ctx, j->sim, j->how, &j->answer);
}

static const member assemblies[] = {M(hol_assemblies_options, INT, starts),
                                    M(hol_assemblies_options, TEXT, hold), END};

static hol_status call_assemblies(job *j) {
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(j->ctx, j->spec, &options);
    const hol_status status =
        model ? hol_assemblies(j->ctx, model, options, j->how, &j->answer) : HOL_ERR_INPUT;
    hol_options_free(options);
    hol_model_free(model);
    return status;
}

/* actuators: {name: {"weight": w, "low": l, "high": h}}; motion: a result file */
static int inverse_actuators(pool *p, PyObject *values, void *how, job *j) {
    hol_inverse_options *o = how;
    PyObject *all = PyDict_GetItemString(values, "actuators"), *key, *value;
    PyObject *motion = PyDict_GetItemString(values, "motion");
    Py_ssize_t at = 0;
    if (motion && motion != Py_None) {
        if (PyList_Append(p->keep, motion) || !(j->motion = utf8_of(motion, "motion"))) return 0;
    }
    if (all && all != Py_None) {
        static const member members[] = {M(hol_actuator, REAL, weight), M(hol_actuator, REAL, low),
                                         M(hol_actuator, REAL, high), END};
        if (!PyDict_Check(all)) {
            PyErr_SetString(PyExc_TypeError, "actuators must be a dict of their names");
            return 0;
        }
        hol_actuator *list = pool_alloc(p, (size_t)PyDict_Size(all), sizeof *list);
        if (!list) return 0;
        while (PyDict_Next(all, &at, &key, &value)) {
            hol_actuator *a = &list[o->n_actuators++];
            if (PyList_Append(p->keep, key) || !(a->name = utf8_of(key, "an actuator"))) return 0;
            if (value != Py_None && !PyDict_Check(value)) {
                PyErr_Format(PyExc_TypeError, "actuator '%s' takes a dict, or None", a->name);
                return 0;
            }
            if (value != Py_None) {
                /* one limit alone leaves the other side open */
                if (PyDict_GetItemString(value, "low")) a->high = INFINITY;
                if (PyDict_GetItemString(value, "high")) a->low = -INFINITY;
                if (!fill_struct(p, "actuator", members, value, a)) return 0;
            }
        }
        o->actuators = list;
    }
    PyDict_DelItemString(values, "actuators");
    PyDict_DelItemString(values, "motion");
    PyErr_Clear();
    return 1;
}

static hol_status take_state(void *user, hol_sim *sim) {
    return hol_inverse_take(user, hol_sim_data(sim));
}

/* The simulation of a result, from the model that it holds. */
static hol_sim *sim_of_result(hol_context *ctx, const char *path, hol_model **model) {
    hol_result *result = hol_result_read(ctx, path);
    const char *text = result ? hol_result_text(result, "model") : NULL;
    const char *coordinates = result ? hol_result_text(result, "coordinates") : NULL;
    hol_spec *spec = text ? hol_spec_new(ctx) : NULL;
    hol_options *options = NULL;
    hol_sim *sim = NULL;
    if (result && !text) {
        const hol_location where = {path, 0, 0};
        hol_place_error(ctx, where, "this result does not hold the model of its run");
    }
    if (spec && !hol_spec_set_include_root(spec, "") && !hol_spec_read_text(spec, text, path)) {
        const char *word = !coordinates                      ? "auto"
                           : strstr(coordinates, "natural")  ? "natural"
                           : strstr(coordinates, "relative") ? "relative"
                                                             : "reference";
        if (!hol_spec_set(spec, "simulation.coordinates", word, path))
            *model = hol_model_from_spec(ctx, spec, &options);
        if (*model) sim = hol_sim_new(ctx, *model, options);
    }
    hol_options_free(options);
    hol_spec_free(spec);
    hol_result_free(result);
    return sim;
}

static hol_status call_inverse(job *j) {
    hol_inverse *inverse = NULL;
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(j->ctx, j->spec, &options), *other = NULL;
    hol_sim *sim = NULL;
    hol_status status = model ? hol_inverse_new(j->ctx, model, j->how, &inverse) : HOL_ERR_INPUT;
    const hol_observer observer = {.on_output = take_state, .user = inverse};
    if (!status) {
        sim = j->motion ? sim_of_result(j->ctx, j->motion, &other)
                        : hol_sim_new(j->ctx, model, options);
        status = !sim ? HOL_ERR_INPUT
                 : j->motion
                     ? hol_result_replay(j->ctx, j->motion, -INFINITY, INFINITY, sim, &observer)
                     : hol_sim_run(sim, &observer);
    }
    if (!status)
        status = hol_inverse_finish(inverse, &j->answer);
    else
        hol_inverse_free(inverse);
    hol_sim_free(sim);
    hol_model_free(other);
    hol_options_free(options);
    hol_model_free(model);
    return status;
}

const analysis analyses[] = {
    {"equations", nothing, 1, call_equations, 0, NULL},
    {"symbolic", symbolic, 0, call_symbolic, sizeof(hol_symbolic_options), NULL},
    {"statics", statics, 0, call_statics, sizeof(hol_statics_options), NULL},
    {"linearize", linearize, 1, call_linearize, sizeof(hol_linearize_options), NULL},
    {"locus", locus, 0, call_locus, sizeof(hol_locus_options), NULL},
    {"gears", gears, 1, call_gears, sizeof(hol_gears_options), NULL},
    {"sensitivity", sensitivity, 0, call_sensitivity, sizeof(hol_sensitivity_options), NULL},
    {"optimize", optimize, 0, call_optimize, sizeof(optimize_how), NULL},
    {"identify", identify, 0, call_identify, sizeof(hol_identify_options), NULL},
    {"certify", certify, 0, call_certify, sizeof(hol_certify_options), certify_samples},
    {"generate", generate, 0, call_generate, sizeof(hol_generate_options), NULL},
    {"kinematics", kinematics, 1, call_kinematics, sizeof(hol_kinematics_options), NULL},
    {"workspace", workspace, 1, call_workspace, sizeof(hol_workspace_options), workspace_drivers},
    {"assemblies", assemblies, 0, call_assemblies, sizeof(hol_assemblies_options), NULL},
    {"inverse", nothing, 0, call_inverse, sizeof(hol_inverse_options), inverse_actuators},
    {NULL, NULL, 0, NULL, 0, NULL},
};
