/* meaning.c: what the text of the standard says of a description beyond its schema: which
 * causalities, variabilities and starts go together, what stands in the structure, what units are.
 */
#include "fmu/rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- units ---- */

enum { KG, M, S, RAD, BASES };

typedef struct dimension {
    int of[BASES];
} dimension;

static const struct {
    const char *name;
    dimension is;
} symbols[] = {{"kg", {{1, 0, 0, 0}}},   {"g", {{1, 0, 0, 0}}},   {"m", {{0, 1, 0, 0}}},
               {"s", {{0, 0, 1, 0}}},    {"rad", {{0, 0, 0, 1}}}, {"deg", {{0, 0, 0, 1}}},
               {"N", {{1, 1, -2, 0}}},   {"J", {{1, 2, -2, 0}}},  {"W", {{1, 2, -3, 0}}},
               {"Pa", {{1, -1, -2, 0}}}, {"Hz", {{0, 0, -1, 0}}}, {"1", {{0, 0, 0, 0}}}};

/* A unit such as kg*m^2/(s^2*rad) or N*s/m by its symbols; 0 where one is not known. */
static int read_unit(const char *text, dimension *out) {
    int below = 0, inside = 0;
    *out = (dimension){{0}};
    while (*text) {
        if (*text == '(') inside = below, text++;
        if (*text == ')') inside = 0, below = 0, text++;
        if (*text == '*') text++;
        if (*text == '/') below = 1, text++;
        if (*text == '(') inside = below, text++;
        if (!*text) break;
        size_t n = 0;
        while (isalnum((unsigned char)text[n])) n++;
        int known = 0, power = 1;
        const char *name = text;
        text += n;
        if (*text == '^') power = (int)strtol(text + 1, (char **)&text, 10);
        for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
            if (strlen(symbols[k].name) != n || strncmp(symbols[k].name, name, n) != 0) continue;
            known = 1;
            for (int b = 0; b < BASES; b++)
                out->of[b] += (below ? -power : power) * symbols[k].is.of[b];
        }
        if (!known || !n) return 0;
        if (!inside && *text != '/') below = 0;
    }
    return 1;
}

static dimension base_of(const xmlNode *unit) {
    static const char *const names[] = {"kg", "m", "s", "rad"};
    const xmlNode *base = fmu_child(unit, "BaseUnit");
    dimension out = {{0}};
    for (int b = 0; b < BASES && base; b++) out.of[b] = atoi(fmu_attribute(base, names[b]));
    return out;
}

static xmlNode *find_unit(const xmlNode *root, const char *name) {
    xmlNode *units = fmu_child(root, "UnitDefinitions");
    for (xmlNode *at = fmu_first(units); at; at = fmu_next(at))
        if (strcmp(fmu_attribute(at, "name"), name) == 0) return at;
    return NULL;
}

/* Units are defined once, and their exponents are those of their names. */
static const char *check_units(const xmlNode *root) {
    xmlNode *units = fmu_child(root, "UnitDefinitions");
    for (xmlNode *at = fmu_first(units); at; at = fmu_next(at)) {
        const char *name = fmu_attribute(at, "name");
        dimension own, base = base_of(at);
        if (find_unit(root, name) != at) return fmu_broken(at, "'%s' is defined twice", name);
        if (!read_unit(name, &own)) {
            if (fmu_child(at, "BaseUnit"))
                return fmu_broken(at, "'%s' has exponents, and is no unit", name);
            continue;
        }
        if (memcmp(&own, &base, sizeof own) != 0)
            return fmu_broken(at, "'%s' is kg^%d m^%d s^%d rad^%d", name, base.of[KG], base.of[M],
                              base.of[S], base.of[RAD]);
    }
    return NULL;
}

/* ---- variables ---- */

enum { MOST = 6000 };

typedef struct variables {
    int version, n;
    const xmlNode *root, *node[MOST], *type[MOST];
    int is_state[MOST], is_rate[MOST];
} variables;

static const char *of(const variables *v, int i, const char *attribute) {
    return fmu_attribute(v->node[i], attribute);
}

static int is(const variables *v, int i, const char *attribute, const char *value) {
    return strcmp(of(v, i, attribute), value) == 0;
}

/* The start that follows from causality and variability, where it is not written (the tables of
 * initial); allowed: e exact, a approx, c calculated, - none; "": the two do not go together. */
static const char *allowed_initial(const char *causality, const char *variability) {
    const int constant = strcmp(variability, "constant") == 0,
              parameter = strcmp(variability, "fixed") == 0 || strcmp(variability, "tunable") == 0;
    if (strcmp(causality, "parameter") == 0 || strcmp(causality, "structuralParameter") == 0)
        return parameter ? "e" : "";
    if (strcmp(causality, "calculatedParameter") == 0) return parameter ? "ca" : "";
    if (strcmp(causality, "input") == 0) return constant || parameter ? "" : "-";
    if (strcmp(causality, "independent") == 0)
        return strcmp(variability, "continuous") == 0 ? "-" : "";
    if (strcmp(causality, "output") == 0) return parameter ? "" : constant ? "e" : "cea";
    return constant ? "e" : parameter ? "ca" : "cea"; /* local */
}

static const char *or_else(const char *text, const char *otherwise) {
    return *text ? text : otherwise;
}

/* The letter of initial, as written or as it follows. */
static char initial_of(const variables *v, int i) {
    const char *allowed = allowed_initial(or_else(of(v, i, "causality"), "local"),
                                          or_else(of(v, i, "variability"), "continuous"));
    const char *written = of(v, i, "initial");
    return *written ? *written : *allowed;
}

static const char *check_start(const variables *v, int i) {
    const char *allowed = allowed_initial(or_else(of(v, i, "causality"), "local"),
                                          or_else(of(v, i, "variability"), "continuous"));
    const char initial = initial_of(v, i);
    const int has_start = xmlHasProp((xmlNode *)v->type[i], (const xmlChar *)"start") != NULL,
              wants = initial == 'e' || initial == 'a' || is(v, i, "causality", "input");
    if (!*allowed || !strchr(allowed, initial))
        return fmu_broken(v->node[i], "causality, variability and initial do not go together");
    if (has_start != wants)
        return fmu_broken(v->node[i],
                          has_start ? "has a start that nothing takes" : "has no start");
    return NULL;
}

/* Identifiers between dots, each with indices in brackets; quoted parts; der(…) around it. */
static int is_structured(const char *at) {
    const int derived = strncmp(at, "der(", 4) == 0;
    if (derived) at += 4;
    for (;;) {
        if (*at == '\'') {
            for (at++; *at && *at != '\''; at++) at += *at == '\\' && at[1];
            if (*at++ != '\'') return 0;
        } else {
            if (!isalpha((unsigned char)*at) && *at != '_') return 0;
            while (isalnum((unsigned char)*at) || *at == '_') at++;
        }
        if (*at == '[') {
            at += 1 + strspn(at + 1, "0123456789,");
            if (*at++ != ']') return 0;
        }
        if (*at != '.') break;
        at++;
    }
    if (derived && *at++ != ')') return 0;
    return *at == '\0';
}

static const char *check_variable(const variables *v, int i) {
    const char *name = of(v, i, "name"), *unit = fmu_attribute(v->type[i], "unit");
    const char *broken = check_start(v, i);
    if (broken) return broken;
    if (!is_structured(name)) return fmu_broken(v->node[i], "'%s' is no structured name", name);
    if (*unit && !find_unit(v->root, unit))
        return fmu_broken(v->node[i], "unit '%s' is not defined", unit);
    if (is(v, i, "causality", "independent") && strcmp(unit, "s") != 0)
        return fmu_broken(v->node[i], "the time is in '%s'", unit);
    for (int k = 0; k < i; k++) {
        if (strcmp(of(v, k, "name"), name) == 0)
            return fmu_broken(v->node[i], "'%s' is there twice", name);
        if (strcmp(of(v, k, "valueReference"), of(v, i, "valueReference")) == 0)
            return fmu_broken(v->node[i], "'%s' has the reference of '%s'", name, of(v, k, "name"));
    }
    return NULL;
}

/* The variable that a number of the structure means: an index from 1, or a value reference. */
static int find(const variables *v, const char *number) {
    if (v->version == 2) return atoi(number) >= 1 && atoi(number) <= v->n ? atoi(number) - 1 : -1;
    for (int i = 0; i < v->n; i++)
        if (is(v, i, "valueReference", number)) return i;
    return -1;
}

/* Derivatives belong to continuous variables, each to one, in units of these over s. */
static const char *check_derivatives(variables *v) {
    for (int i = 0; i < v->n; i++) {
        const char *number = fmu_attribute(v->type[i], "derivative");
        dimension rate, state;
        if (!*number) continue;
        const int k = find(v, number);
        if (k < 0 || k == i) return fmu_broken(v->node[i], "derivative of no variable");
        if (v->is_state[k]) return fmu_broken(v->node[i], "a second derivative of one variable");
        v->is_state[k] = v->is_rate[i] = 1;
        if (!is(v, k, "variability", "continuous"))
            return fmu_broken(v->node[i], "a state that is not continuous");
        if (!read_unit(fmu_attribute(v->type[i], "unit"), &rate) ||
            !read_unit(fmu_attribute(v->type[k], "unit"), &state))
            continue;
        state.of[S] -= 1;
        if (*fmu_attribute(v->type[k], "unit") && memcmp(&rate, &state, sizeof rate) != 0)
            return fmu_broken(v->node[i], "'%s' is not '%s' over s",
                              fmu_attribute(v->type[i], "unit"), fmu_attribute(v->type[k], "unit"));
    }
    return NULL;
}

/* ---- structure ---- */

/* What a list of the structure has to hold. */
static int is_output(const variables *v, int i) {
    return is(v, i, "causality", "output");
}

static int is_rate(const variables *v, int i) {
    return v->is_rate[i];
}

static int is_initial_unknown(const variables *v, int i) {
    const char initial = initial_of(v, i);
    return (initial == 'c' || initial == 'a') &&
           (is_output(v, i) || is(v, i, "causality", "calculatedParameter") || v->is_state[i] ||
            v->is_rate[i]);
}

static int is_continuous(const variables *v, int i) {
    return is(v, i, "variability", "continuous");
}

/* What an unknown may depend on, in the run and in initialisation. */
static int is_known(const variables *v, int i, int initial) {
    return is(v, i, "causality", "input") || is(v, i, "causality", "independent") ||
           (initial ? initial_of(v, i) == 'e' : v->is_state[i]);
}

static const char *check_dependencies(const variables *v, const xmlNode *node, int initial) {
    char list[4000];
    int last = -1;
    snprintf(list, sizeof list, "%s", fmu_attribute(node, "dependencies"));
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
        const int k = find(v, word);
        if (k < 0 || !is_known(v, k, initial)) return fmu_broken(node, "depends on %s", word);
        if (v->version == 2 && k <= last) return fmu_broken(node, "dependencies out of order");
        last = k;
    }
    return NULL;
}

/* The list holds exactly what belongs there, once; sorted: in the order of the variables. */
static const char *check_list(const variables *v, const xmlNode *list, const char *element,
                              int (*belongs)(const variables *v, int i), int exactly, int sorted) {
    static unsigned char there[MOST];
    int last = -1;
    memset(there, 0, sizeof there);
    for (xmlNode *at = fmu_first(list); at; at = fmu_next(at)) {
        if (!fmu_is(at, element)) continue;
        const char *number = fmu_attribute(at, v->version == 2 ? "index" : "valueReference");
        const int k = find(v, number);
        if (k < 0 || there[k] || !belongs(v, k))
            return fmu_broken(at, "%s does not belong", number);
        if (sorted && k < last) return fmu_broken(at, "%s is out of order", number);
        last = k;
        there[k] = 1;
        const char *broken = check_dependencies(v, at, belongs == is_initial_unknown);
        if (broken) return broken;
    }
    for (int i = 0; i < v->n && exactly; i++)
        if (belongs(v, i) && !there[i])
            return fmu_broken(v->node[i], "'%s' is missing in the structure", of(v, i, "name"));
    return NULL;
}

static const char *check_structure(const variables *v) {
    const xmlNode *all = fmu_child(v->root, "ModelStructure");
    const int two = v->version == 2;
    const char *broken = check_list(v, two ? fmu_child(all, "Outputs") : all,
                                    two ? "Unknown" : "Output", is_output, 1, 0);
    if (!broken)
        broken = check_list(v, two ? fmu_child(all, "Derivatives") : all,
                            two ? "Unknown" : "ContinuousStateDerivative", is_rate, 1, 0);
    if (!broken)
        broken = check_list(v, two ? fmu_child(all, "InitialUnknowns") : all,
                            two ? "Unknown" : "InitialUnknown", is_initial_unknown, 1, two);
    if (!broken && !two) broken = check_list(v, all, "EventIndicator", is_continuous, 0, 0);
    return broken;
}

/* ---- all ---- */

static int is_identifier(const char *text) {
    if (!isalpha((unsigned char)*text) && *text != '_') return 0;
    while (isalnum((unsigned char)*text) || *text == '_') text++;
    return *text == '\0';
}

/* At least one interface, by identifiers of C; an experiment that can be made. */
static const char *check_head(const xmlNode *root, int version) {
    const xmlNode *kinds[] = {fmu_child(root, "ModelExchange"), fmu_child(root, "CoSimulation")};
    const xmlNode *run = fmu_child(root, "DefaultExperiment");
    if (!kinds[0] && !kinds[1]) return fmu_broken(root, "has no interface");
    for (int k = 0; k < 2; k++)
        if (kinds[k] && !is_identifier(fmu_attribute(kinds[k], "modelIdentifier")))
            return fmu_broken(kinds[k], "modelIdentifier is none of C");
    if (version == 2 && kinds[0] && !*fmu_attribute(root, "numberOfEventIndicators"))
        return fmu_broken(root, "numberOfEventIndicators is missing");
    if (run &&
        (atof(fmu_attribute(run, "stopTime")) <= atof(fmu_attribute(run, "startTime")) ||
         atof(fmu_attribute(run, "tolerance")) <= 0 || atof(fmu_attribute(run, "stepSize")) <= 0))
        return fmu_broken(run, "cannot be made");
    return NULL;
}

const char *fmu_broken_meaning(xmlDoc *doc) {
    static variables v;
    memset(&v, 0, sizeof v);
    v.root = xmlDocGetRootElement(doc);
    v.version = *fmu_attribute(v.root, "fmiVersion") == '2' ? 2 : 3;
    const char *broken = check_head(v.root, v.version);
    int times = 0;
    if (!broken) broken = check_units(v.root);
    const xmlNode *list = fmu_child(v.root, "ModelVariables");
    for (xmlNode *at = fmu_first(list); at && v.n < MOST; at = fmu_next(at), v.n++) {
        v.node[v.n] = at;
        v.type[v.n] = v.version == 2 ? fmu_first(at) : at;
    }
    for (int i = 0; i < v.n && !broken; i++) {
        broken = check_variable(&v, i);
        times += is(&v, i, "causality", "independent");
    }
    if (!broken && times > 1) broken = fmu_broken(list, "has %d times", times);
    if (!broken && v.version == 3 && times != 1) broken = fmu_broken(list, "has no time");
    if (!broken) broken = check_derivatives(&v);
    return broken ? broken : check_structure(&v);
}
