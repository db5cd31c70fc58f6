/* fmu.c: a description as an FMU.
 *
 *     modelDescription.xml
 *     binaries/linux64/NAME.so (FMI 2.0), binaries/x86_64-linux/NAME.so (FMI 3.0)
 *     resources/model.yaml: the description with all that it includes
 *     resources/tunable.txt: names of parameters that can change during the run
 *     documentation/index.html, documentation/licenses/third_party.txt
 *
 * The table of variables is made from these files, as the runtime makes it, so that both agree. An
 * FMU of sources is made in sources.c.
 */
#include "base/argument.h"
#include "common/ascii.h"
#include "fmu/making.h"
#include "fmu/module_file.h"
#include "fmu/xml.h"
#include "fmu/zip.h"

#include <holonom/document.h>
#include <holonom/fmu.h>
#include <holonom/result.h>

#include <stdio.h>
#include <string.h>

/* The licences of what the binary holds. */
static const char licences[] =
    "The binary of this FMU holds, beside Holonom (BSD-3-Clause), parts of:\n"
    "OpenBLAS and LAPACK (BSD-3-Clause), KLU, BTF and SuiteSparse_config (LGPL-2.1-or-later),\n"
    "AMD and COLAMD (BSD-3-Clause), CVODE and IDA of SUNDIALS (BSD-3-Clause), libfyaml (MIT),\n"
    "and the GNU Fortran runtime (GPL-3.0-or-later with the GCC runtime exception) with\n"
    "libquadmath (LGPL-2.0-or-later). Sources: the Debian packages of these names. The binary is\n"
    "linked by Holonom's own build (cmake/HolonomFmu.cmake), where other versions can be put in.\n";

/* ---- the model ---- */

hol_spec *hol__fmu_with_inputs(hol_context *ctx, const hol_spec *spec, int n,
                               const char *const *names) {
    hol_spec *copy = hol_spec_copy(ctx, spec);
    hol_status status = copy ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !status; i++) status = hol_spec_add_input(copy, names[i]);
    if (!status) return copy;
    hol_spec_free(copy);
    return NULL;
}

/* The name of parameter i. */
static const char *parameter_name(const void *list, int i) {
    const hol_item *at = list ? hol_item_first(list) : NULL;
    while (at && i-- > 0) at = hol_item_next(at);
    return at ? hol_item_key(at) : NULL;
}

/* Whether the parameter is there; an error with the nearest name otherwise. */
static hol_status check_parameter(hol_context *ctx, const hol_item *parameters, const char *name) {
    char hint[160];
    if (hol_item_find(parameters, name)) return HOL_OK;
    hol__did_you_mean(hol__nearest(name, parameter_name, parameters), hint, sizeof hint);
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "there is no parameter '%s' in the model%s", name, hint);
}

/* The description with its inputs, and with parameters that can change as variables too. */
static hol_spec *equip(hol__fmu_making *m, const hol_spec *spec, const hol_fmu_options *how) {
    const hol_item *parameters = hol_item_find(hol_spec_root((hol_spec *)spec), "parameters");
    for (int i = 0; i < how->n_tunables; i++) {
        if (check_parameter(m->ctx, parameters, how->tunables[i])) return NULL;
        hol__text_add(&m->tunables, "%s\n", how->tunables[i]);
    }
    hol_spec *with = hol__fmu_with_inputs(m->ctx, spec, how->n_inputs, how->inputs);
    hol_spec *all =
        with ? hol__fmu_with_inputs(m->ctx, with, how->n_tunables, how->tunables) : NULL;
    hol_spec_free(with);
    return all;
}

/* The text as a description of its own. */
static hol_status read_text(hol__fmu_making *m) {
    hol_spec_free(m->spec);
    m->spec = hol_spec_new(m->ctx);
    hol_status status = m->spec && m->text ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) status = hol_spec_set_include_root(m->spec, "");
    return status ? status : hol_spec_read_text(m->spec, m->text, "model.yaml");
}

/* The table of the description as it is now. */
static hol_status make_table(hol__fmu_making *m) {
    hol__fmu_model made;
    hol_status status = hol__fmu_compile(m->ctx, m->spec, &made);
    if (status) return status;
    hol_sim *sim = hol_sim_new(m->ctx, made.model, made.options);
    status = sim ? hol__fmu_table_make(m->ctx, m->spec, sim, m->tunables.data, &m->table)
                 : HOL_ERR_INPUT;
    hol_sim_free(sim);
    hol__fmu_model_free(&made);
    return status;
}

/* Where elements come and go the number of relative coordinates does too: the model runs in
 * reference-point coordinates, unless others were asked for. */
static hol_status fix_coordinates(hol__fmu_making *m) {
    const hol_location where = {NULL, 0, 0};
    if (m->table.exchanges) return HOL_OK;
    const hol_item *given =
        hol_item_find(hol_item_find(hol_spec_root(m->spec), "simulation"), "coordinates");
    if (hol_item_value(given))
        return hol__report(m->ctx, HOL_WARNING, HOL_OK, &where, "FMU",
                           "is for co-simulation alone: elements switch, and in coordinates '%s' "
                           "the number of states changes with them; model exchange takes "
                           "coordinates: reference",
                           hol_item_value(given));
    hol_status status = hol_spec_set(m->spec, "simulation.coordinates", "reference", "FMU");
    hol_free(m->ctx, m->text);
    m->text = status ? NULL : hol_spec_text(m->spec);
    if (!status) status = read_text(m);
    hol__fmu_table_free(&m->table);
    hol__report(m->ctx, HOL_NOTE, HOL_OK, NULL, "FMU",
                "runs in reference-point coordinates, whose number stays when elements switch");
    return status ? status : make_table(m);
}

static hol_status take_model(hol__fmu_making *m, const hol_spec *spec, const hol_fmu_options *how) {
    hol_spec *own = equip(m, spec, how);
    if (!own) return HOL_ERR_INPUT;
    m->text = hol_spec_text(own);
    hol_spec_free(own);
    hol_status status = read_text(m);
    if (!status) status = make_table(m);
    if (status && how->n_inputs + how->n_tunables)
        hol__report(m->ctx, HOL_NOTE, HOL_OK, NULL, "FMU",
                    "what changes during a run becomes a variable, which laws of forces and "
                    "drivers and conditions "
                    "may read; masses, places and other parameters may not: set these as "
                    "parameters of the FMU before the run");
    return status ? status : fix_coordinates(m);
}

/* ---- the archive ---- */

/* An identifier in C: as given, or from the name of the file. */
static hol_status take_name(hol__fmu_making *m, const char *path, const char *given) {
    const char *slash = strrchr(path, '/'), *from = given ? given : slash ? slash + 1 : path;
    const size_t n = given ? strlen(given) : strcspn(from, ".");
    int good = n > 0 && n + 2 < sizeof m->name;
    snprintf(m->name, sizeof m->name, "%s%.*s", n && hol__is_digit(*from) ? "_" : "", (int)n, from);
    for (char *at = m->name; *at; at++)
        if (!hol__is_letter(*at) && !hol__is_digit(*at) && *at != '_') good &= !given, *at = '_';
    if (good && (!given || strcmp(given, m->name) == 0)) return HOL_OK;
    return hol__report(m->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                       "'%s' is no identifier: letters, digits and _, fewer than %zu of them, the "
                       "first no digit",
                       given ? given : path, sizeof m->name - 2);
}

hol_status hol__fmu_write_archive(hol_context *ctx, const char *path, int n,
                                  const hol__zipped *files) {
    void *archive;
    size_t size;
    hol_status status = hol__zip_files(ctx, n, files, &archive, &size);
    if (status) return status;
    status = hol_output_write(ctx, path, archive, size);
    hol__release(ctx, archive);
    return status;
}

static hol_status write_archive(hol__fmu_making *m, const char *path, int version) {
    char binary[200];
    snprintf(binary, sizeof binary, "binaries/%s/%s.so", version == 2 ? "linux64" : "x86_64-linux",
             m->name);
    const hol__zipped files[] = {
        {"modelDescription.xml", m->xml.data, m->xml.length},
        {binary, m->module, m->module_size},
        {"resources/model.yaml", m->text, strlen(m->text)},
        {"documentation/index.html", m->page.data, m->page.length},
        {version == 2 ? "documentation/licenses.txt" : "documentation/licenses/third_party.txt",
         licences, sizeof licences - 1},
        {"resources/tunable.txt", m->tunables.data, m->tunables.length},
    };
    return hol__fmu_write_archive(m->ctx, path, m->tunables.length ? 6 : 5, files);
}

static void describe(const hol__fmu_making *m, hol_fmu_info *out) {
    const hol__fmu_table *t = &m->table;
    hol_fmu_info info = {.size = sizeof info,
                         .n_inputs = t->n_inputs,
                         .n_outputs = t->n_outputs,
                         .n_states = t->n_states,
                         .n_conditions = t->n_conditions,
                         .exchanges = t->exchanges,
                         .n_left_out = m->n_left_out,
                         .step = m->step};
    for (int i = t->first_parameter; i < t->first_output; i++) {
        const hol__fmu_kind kind = t->rows[i].kind;
        info.n_parameters += kind == HOL__FMU_PARAMETER || kind == HOL__FMU_TUNABLE;
        info.n_inputs -= kind == HOL__FMU_TUNABLE && i >= t->first_input;
        info.n_constants += kind == HOL__FMU_CONSTANT;
    }
    memcpy(info.token, t->token, sizeof info.token);
    const size_t size = out->size < sizeof info ? out->size : sizeof info;
    memcpy(out, &info, size);
    out->size = size;
}

static hol_status make(hol__fmu_making *m, const hol_spec *spec, const char *path,
                       const hol_fmu_options *how, int version) {
    hol_status status = take_name(m, path, how->name);
    if (!status && how->sources) return hol__fmu_write_sources(m, spec, path, how, version);
    if (!status) status = hol__fmu_read_module(m->ctx, how->module, &m->module, &m->module_size);
    if (!status) status = take_model(m, spec, how);
    if (status) return status;
    if (version == 2)
        hol__fmu_xml2(&m->table, m->name, NULL, &m->xml);
    else
        hol__fmu_xml3(&m->table, m->name, NULL, &m->xml);
    hol__fmu_page(&m->table, &m->page);
    if (m->xml.failed || m->page.failed) return HOL_ERR_MEMORY;
    return write_archive(m, path, version);
}

hol_status hol_fmu_write(hol_context *ctx, const hol_spec *spec, const char *path,
                         const hol_fmu_options *how, hol_fmu_info *info) {
    static const char call[] = "hol_fmu_write";
    hol_fmu_options options = {.size = sizeof options};
    if (!ctx) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need(ctx, call, "the description", spec);
    if (!status) status = hol__need(ctx, call, "the path", path);
    if (status) return status;
    if (how) memcpy(&options, how, how->size < sizeof options ? how->size : sizeof options);
    const int version = options.version ? options.version : 2;
    if (version != 2 && version != 3)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "there is no FMI %d here: take 2 or 3", version);
    if (options.n_inputs)
        status = hol__need_texts(ctx, call, "inputs", options.n_inputs, options.inputs);
    if (!status && options.n_tunables)
        status = hol__need_texts(ctx, call, "tunables", options.n_tunables, options.tunables);
    if (status) return status;
    hol__fmu_making m = {.ctx = ctx};
    hol__arena_init(&m.table.arena, ctx);
    hol__text_init(&m.xml, ctx);
    hol__text_init(&m.page, ctx);
    hol__text_init(&m.tunables, ctx);
    status = make(&m, spec, path, &options, version);
    if (!status && info && info->size) describe(&m, info);
    hol__text_free(&m.xml);
    hol__text_free(&m.page);
    hol__text_free(&m.tunables);
    hol__fmu_table_free(&m.table);
    hol_spec_free(m.spec);
    hol_free(ctx, m.text);
    hol__release(ctx, m.module);
    return status;
}
