/* archive.c: an FMU unzipped, and its description read and checked by rules of the standard. */
#include "fmu/importer.h"
#include "fmu/rules.h"

#include "model_fixture.h"

#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

/* ---- unzipping ---- */

static void make_folders(char *path) {
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0755);
            *at = '/';
        }
}

void fmu_unzip(const char *path, const char *folder) {
    zip_t *archive = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, NULL);
    assert_non_null(archive);
    for (zip_int64_t k = 0; k < zip_get_num_entries(archive, 0); k++) {
        zip_stat_t about;
        char name[900];
        assert_int_equal(zip_stat_index(archive, (zip_uint64_t)k, 0, &about), 0);
        assert_null(strstr(about.name, ".."));
        assert_true(about.name[0] != '/');
        snprintf(name, sizeof name, "%s/%s", folder, about.name);
        make_folders(name);
        zip_file_t *in = zip_fopen_index(archive, (zip_uint64_t)k, 0);
        FILE *out = fopen(name, "wb");
        char block[65536];
        zip_int64_t n;
        assert_non_null(in);
        assert_non_null(out);
        while ((n = zip_fread(in, block, sizeof block)) > 0) fwrite(block, 1, (size_t)n, out);
        assert_int_equal(n, 0);
        fclose(out);
        zip_fclose(in);
    }
    zip_close(archive);
}

/* ---- the description ---- */

static void attribute(xmlNode *node, const char *name, char *out, size_t size) {
    xmlChar *value = xmlGetProp(node, (const xmlChar *)name);
    snprintf(out, size, "%s", value ? (const char *)value : "");
    xmlFree(value);
}

static int has(xmlNode *node, const char *name) {
    return xmlHasProp(node, (const xmlChar *)name) != NULL;
}

static double number(xmlNode *node, const char *name, double otherwise) {
    char text[64];
    attribute(node, name, text, sizeof text);
    return *text ? strtod(text, NULL) : otherwise;
}

static int is(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *child(xmlNode *node, const char *name) {
    for (xmlNode *at = node->children; at; at = at->next)
        if (is(at, name)) return at;
    return NULL;
}

static int count(xmlNode *node, const char *name) {
    int n = 0;
    for (xmlNode *at = node ? node->children : NULL; at; at = at->next) n += is(at, name);
    return n;
}

static void read_variable(fmu_archive *fmu, xmlNode *node, int k) {
    fmu_variable *v = &fmu->variables[k];
    xmlNode *type = fmu->version == 2 ? child(node, "Real") : node;
    assert_non_null(type);
    attribute(node, "name", v->name, sizeof v->name);
    attribute(node, "causality", v->causality, sizeof v->causality);
    attribute(node, "variability", v->variability, sizeof v->variability);
    attribute(node, "initial", v->initial, sizeof v->initial);
    attribute(type, "unit", v->unit, sizeof v->unit);
    v->reference = (unsigned)number(node, "valueReference", -1);
    v->has_start = has(type, "start");
    v->start = number(type, "start", NAN);
    v->derivative = (int)number(type, "derivative", -1);
}

/* The place of a variable of the structure: an index from 1, or a value reference. */
static int place_of(const fmu_archive *fmu, int from) {
    if (fmu->version == 2) {
        assert_in_range(from, 1, fmu->n_variables);
        return from - 1;
    }
    for (int i = 0; i < fmu->n_variables; i++)
        if (fmu->variables[i].reference == (unsigned)from) return i;
    fail_msg("no variable %d", from);
    return -1;
}

/* The unknowns of a list of the structure: what each is, by place; how many. */
static int read_unknowns(const fmu_archive *fmu, xmlNode *structure, const char *list2,
                         const char *element3, int *places) {
    xmlNode *list = fmu->version == 2 ? child(structure, list2) : structure;
    int n = 0;
    for (xmlNode *at = list ? list->children : NULL; at; at = at->next) {
        if (!is(at, fmu->version == 2 ? "Unknown" : element3)) continue;
        places[n++] =
            place_of(fmu, (int)number(at, fmu->version == 2 ? "index" : "valueReference", -1));
    }
    return n;
}

/* The vectors of states and rates, and how many event indicators there are. */
static void read_structure(fmu_archive *fmu, xmlNode *root) {
    xmlNode *structure = child(root, "ModelStructure");
    int *places = calloc((size_t)fmu->n_variables + 1, sizeof *places);
    const int n = read_unknowns(fmu, structure, "Derivatives", "ContinuousStateDerivative", places);
    fmu->n_states = n;
    fmu->states = calloc((size_t)n + 1, sizeof *fmu->states);
    fmu->rates = calloc((size_t)n + 1, sizeof *fmu->rates);
    for (int i = 0; i < n; i++) {
        const int state = place_of(fmu, fmu->variables[places[i]].derivative);
        fmu->rates[i] = fmu->variables[places[i]].reference;
        fmu->states[i] = fmu->variables[state].reference;
    }
    if (fmu->version == 3)
        fmu->n_conditions = read_unknowns(fmu, structure, "", "EventIndicator", places);
    free(places);
}

static void read_interface(fmu_archive *fmu, xmlNode *root, const char *name, int *there) {
    xmlNode *node = child(root, name);
    *there = node != NULL;
    if (!node) return;
    attribute(node, "modelIdentifier", fmu->identifier, sizeof fmu->identifier);
    assert_true(fmu->identifier[0] != '\0');
}

static void read_description(fmu_archive *fmu) {
    char path[700], version[16];
    snprintf(path, sizeof path, "%s/modelDescription.xml", fmu->folder);
    xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    const char *broken = fmu_broken_rule(doc);
    if (broken) fail_msg("%s: %s", path, broken);
    xmlNode *root = xmlDocGetRootElement(doc), *list = child(root, "ModelVariables");
    assert_true(is(root, "fmiModelDescription") && has(root, "modelName") && list);
    attribute(root, "fmiVersion", version, sizeof version);
    fmu->version = version[0] - '0';
    attribute(root, fmu->version == 2 ? "guid" : "instantiationToken", fmu->token,
              sizeof fmu->token);
    read_interface(fmu, root, "ModelExchange", &fmu->has_exchange);
    read_interface(fmu, root, "CoSimulation", &fmu->has_simulation);
    const char *element = fmu->version == 2 ? "ScalarVariable" : "Float64";
    fmu->n_variables = count(list, element);
    fmu->variables = calloc((size_t)fmu->n_variables, sizeof *fmu->variables);
    int k = 0;
    for (xmlNode *at = list->children; at; at = at->next)
        if (is(at, element)) read_variable(fmu, at, k++);
    fmu->n_conditions = (int)number(root, "numberOfEventIndicators", 0);
    read_structure(fmu, root);
    xmlNode *experiment = child(root, "DefaultExperiment");
    fmu->start = number(experiment, "startTime", 0);
    fmu->stop = number(experiment, "stopTime", 1);
    fmu->tolerance = number(experiment, "tolerance", 1e-6);
    fmu->step = number(experiment, "stepSize", 0);
    xmlFreeDoc(doc);
}

void fmu_open(fmu_archive *fmu, const char *path, const char *folder, const char *runtime) {
    char binary[900], full[4096];
    *fmu = (fmu_archive){.version = 0};
    mkdir(folder, 0755);
    assert_non_null(realpath(folder, full));
    snprintf(fmu->folder, sizeof fmu->folder, "%.500s", full);
    fmu_unzip(path, fmu->folder);
    read_description(fmu);
    snprintf(fmu->resources, sizeof fmu->resources,
             fmu->version == 2 ? "file://%s/resources" : "%s/resources/", fmu->folder);
    snprintf(binary, sizeof binary, "%s/binaries/%s/%s.so", fmu->folder,
             fmu->version == 2 ? "linux64" : "x86_64-linux", fmu->identifier);
    fmu->library = dlopen(runtime ? runtime : binary, RTLD_NOW | RTLD_LOCAL);
    if (!fmu->library) fail_msg("%s", dlerror());
}

void fmu_close(fmu_archive *fmu) {
    dlclose(fmu->library);
    free(fmu->variables);
    free(fmu->states);
    free(fmu->rates);
}

int fmu_find(const fmu_archive *fmu, const char *name) {
    for (int i = 0; i < fmu->n_variables; i++)
        if (strcmp(fmu->variables[i].name, name) == 0) return i;
    fail_msg("the FMU has no variable '%s'", name);
    return -1;
}

void *fmu_function(const fmu_archive *fmu, const char *name) {
    void *f = dlsym(fmu->library, name);
    if (!f) fail_msg("the FMU has no function %s", name);
    return f;
}
