/* core.c: the module. */
#include "core.h"

core_state core;

/* bind(error, heard): what makes exceptions of messages, and what hears those of calls that
 * succeeded. */
static PyObject *bind(PyObject *module, PyObject *args) {
    PyObject *error, *heard;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &error, &heard)) return NULL;
    replace_ref(&core.error, Py_NewRef(error));
    replace_ref(&core.heard, Py_NewRef(heard));
    Py_RETURN_NONE;
}

static PyMethodDef own_methods[] = {
    {"bind", bind, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "holonom._core",
    .m_doc = "The library as Python calls it; the package holonom is what to use.", .m_size = -1};

/* numpy's functions. */
static int find_numpy(void) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return 0;
    core.empty = PyObject_GetAttrString(numpy, "empty");
    core.asarray = PyObject_GetAttrString(numpy, "ascontiguousarray");
    Py_DECREF(numpy);
    return core.empty && core.asarray;
}

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && find_numpy() && add_description_types(module) && add_model_type(module) &&
        add_data_type(module) && add_sim_type(module) && add_record_types(module) &&
        add_answer_type(module) && add_result_type(module) &&
        PyModule_AddFunctions(module, own_methods) == 0 &&
        PyModule_AddFunctions(module, analysis_methods) == 0 &&
        PyModule_AddFunctions(module, study_methods) == 0 &&
        PyModule_AddFunctions(module, table_methods) == 0 &&
        PyModule_AddFunctions(module, page_methods) == 0 &&
        PyModule_AddFunctions(module, fmu_methods) == 0 &&
        PyModule_AddStringConstant(module, "version", hol_version()) == 0)
        return module;
    Py_XDECREF(module);
    return NULL;
}
