/* rules.c: elements and attributes of a description as the schemas of FMI 2.0 and 3.0 have them:
 * one row for each element, in the order in which children of one parent stand.
 *
 * An attribute is "name!type" where it must be there and "name:type" where it may. Types: s text
 * without line breaks, t any text, b true or false, u unsigned, i integer, d number, l list of
 * unsigned; a|b|c one of these words.
 */
#include "fmu/rules.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    int version; /* 0: both */
    const char *parent, *element;
    int least, most; /* -1: any number */
    const char *attributes;
} row;

#define CAUSALITY                                                                                  \
    "causality:parameter|calculatedParameter|input|output|local|independent|structuralParameter "  \
    "variability:constant|fixed|tunable|discrete|continuous initial:exact|approx|calculated "
#define REAL                                                                                       \
    "declaredType:s quantity:s unit:s displayUnit:s relativeQuantity:b unbounded:b min:d max:d "   \
    "nominal:d start:d derivative:u reinit:b "
#define UNKNOWN "dependencies:l dependenciesKind:s "
#define SHARED2                                                                                    \
    "modelIdentifier!s needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "                \
    "canNotUseMemoryManagementFunctions:b canGetAndSetFMUstate:b canSerializeFMUstate:b "          \
    "providesDirectionalDerivative:b "
#define SHARED3                                                                                    \
    "modelIdentifier!s needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "                \
    "canGetAndSetFMUState:b canSerializeFMUState:b providesDirectionalDerivatives:b "              \
    "providesAdjointDerivatives:b providesPerElementDependencies:b "
#define ABOUT                                                                                      \
    "modelName!t description:t author:t version:s copyright:t license:t generationTool:s "         \
    "generationDateAndTime:s variableNamingConvention:flat|structured "

static const row rows[] = {
    {2, "", "fmiModelDescription", 1, 1, "fmiVersion!2.0 guid!s numberOfEventIndicators:u " ABOUT},
    {3, "", "fmiModelDescription", 1, 1, "fmiVersion!3.0 instantiationToken!s " ABOUT},
    {2, "fmiModelDescription", "ModelExchange", 0, 1,
     "completedIntegratorStepNotNeeded:b " SHARED2},
    {2, "fmiModelDescription", "CoSimulation", 0, 1,
     "canHandleVariableCommunicationStepSize:b canInterpolateInputs:b maxOutputDerivativeOrder:u "
     "canRunAsynchronuously:b " SHARED2},
    {3, "fmiModelDescription", "ModelExchange", 0, 1,
     "needsCompletedIntegratorStep:b providesEvaluateDiscreteStates:b " SHARED3},
    {3, "fmiModelDescription", "CoSimulation", 0, 1,
     "canHandleVariableCommunicationStepSize:b fixedInternalStepSize:d maxOutputDerivativeOrder:u "
     "recommendedIntermediateInputSmoothness:i providesIntermediateUpdate:b "
     "mightReturnEarlyFromDoStep:b canReturnEarlyAfterIntermediateUpdate:b hasEventMode:b "
     "providesEvaluateDiscreteStates:b " SHARED3},
    {2, "ModelExchange", "SourceFiles", 0, 1, ""},
    {2, "CoSimulation", "SourceFiles", 0, 1, ""},
    {2, "SourceFiles", "File", 1, -1, "name!s "},
    {0, "fmiModelDescription", "UnitDefinitions", 0, 1, ""},
    {0, "UnitDefinitions", "Unit", 1, -1, "name!s "},
    {0, "Unit", "BaseUnit", 0, 1, "kg:i m:i s:i A:i K:i mol:i cd:i rad:i factor:d offset:d "},
    {0, "Unit", "DisplayUnit", 0, -1, "name!s factor:d offset:d "},
    {0, "fmiModelDescription", "TypeDefinitions", 0, 1, ""},
    {0, "fmiModelDescription", "LogCategories", 0, 1, ""},
    {0, "LogCategories", "Category", 1, -1, "name!s description:t "},
    {0, "fmiModelDescription", "DefaultExperiment", 0, 1,
     "startTime:d stopTime:d tolerance:d stepSize:d "},
    {0, "fmiModelDescription", "ModelVariables", 1, 1, ""},
    {2, "ModelVariables", "ScalarVariable", 1, -1,
     "name!s valueReference!u description:t canHandleMultipleSetPerTimeInstant:b " CAUSALITY},
    {2, "ScalarVariable", "Real", 1, 1, REAL},
    {3, "ModelVariables", "Float64", 1, -1,
     "name!s valueReference!u description:t canHandleMultipleSetPerTimeInstant:b "
     "intermediateUpdate:b previous:u clocks:l " CAUSALITY REAL},
    {0, "fmiModelDescription", "ModelStructure", 1, 1, ""},
    {2, "ModelStructure", "Outputs", 0, 1, ""},
    {2, "ModelStructure", "Derivatives", 0, 1, ""},
    {2, "ModelStructure", "InitialUnknowns", 0, 1, ""},
    {2, "Outputs", "Unknown", 1, -1, "index!u " UNKNOWN},
    {2, "Derivatives", "Unknown", 1, -1, "index!u " UNKNOWN},
    {2, "InitialUnknowns", "Unknown", 1, -1, "index!u " UNKNOWN},
    {3, "ModelStructure", "Output", 0, -1, "valueReference!u " UNKNOWN},
    {3, "ModelStructure", "ContinuousStateDerivative", 0, -1, "valueReference!u " UNKNOWN},
    {3, "ModelStructure", "ClockedState", 0, -1, "valueReference!u " UNKNOWN},
    {3, "ModelStructure", "InitialUnknown", 0, -1, "valueReference!u " UNKNOWN},
    {3, "ModelStructure", "EventIndicator", 0, -1, "valueReference!u " UNKNOWN},
    {3, "", "fmiBuildDescription", 1, 1, "fmiVersion!3.0 "},
    {3, "fmiBuildDescription", "BuildConfiguration", 1, -1,
     "modelIdentifier!s platform:s description:t "},
    {3, "BuildConfiguration", "SourceFileSet", 0, -1,
     "name:s language:s compiler:s compilerOptions:t "},
    {3, "SourceFileSet", "SourceFile", 1, -1, "name!s "},
    {3, "SourceFileSet", "PreprocessorDefinition", 0, -1,
     "name!s optional:b value:s description:t "},
    {3, "SourceFileSet", "IncludeDirectory", 0, -1, "name!s "},
    {3, "BuildConfiguration", "Library", 0, -1, "name!s version:s external:b description:t "},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- nodes ---- */

const char *fmu_broken(const xmlNode *node, const char *format, ...) {
    static char text[600];
    va_list args;
    va_start(args, format);
    const int n = snprintf(text, sizeof text, "line %ld, %s: ", xmlGetLineNo((xmlNode *)node),
                           (const char *)node->name);
    vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    return text;
}

const char *fmu_attribute(const xmlNode *node, const char *name) {
    const xmlAttr *a = xmlHasProp((xmlNode *)node, (const xmlChar *)name);
    return a && a->children ? (const char *)a->children->content : "";
}

int fmu_is(const xmlNode *node, const char *name) {
    return strcmp((const char *)node->name, name) == 0;
}

static xmlNode *element_from(xmlNode *node) {
    while (node && node->type != XML_ELEMENT_NODE) node = node->next;
    return node;
}

xmlNode *fmu_first(const xmlNode *node) {
    return node ? element_from(node->children) : NULL;
}

xmlNode *fmu_next(const xmlNode *node) {
    return element_from(node->next);
}

xmlNode *fmu_child(const xmlNode *node, const char *name) {
    for (xmlNode *at = fmu_first(node); at; at = fmu_next(at))
        if (fmu_is(at, name)) return at;
    return NULL;
}

/* ---- attributes ---- */

/* Whether the whole text is one number as strtod, or an integer as strtoll, reads it. */
static int is_number(const char *text, int whole, long long least) {
    char *end;
    errno = 0;
    if (!*text || *text == ' ') return 0;
    if (!whole) return strtod(text, &end), *end == '\0' && errno == 0 && !strpbrk(text, "xXpP");
    return strtoll(text, &end, 10) >= least && *end == '\0' && errno == 0;
}

static int is_list(const char *text) {
    char copy[4000];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        if (!is_number(word, 1, 0)) return 0;
    return 1;
}

/* Whether the value is of the type, of n letters. */
static int is_of_type(const char *value, const char *type, size_t n) {
    if (n > 1) {
        const char *at = strstr(type, value);
        for (; at && at < type + n; at = strstr(at + 1, value)) {
            const size_t length = strlen(value);
            const char behind = at[length];
            if ((at == type || at[-1] == '|') && (behind == '|' || at + length == type + n))
                return *value != '\0';
        }
        return 0;
    }
    switch (*type) {
    case 's': return *value != '\0' && !strpbrk(value, "\n\r\t");
    case 'b': return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    case 'u': return is_number(value, 1, 0);
    case 'i': return is_number(value, 1, -2147483647);
    case 'd': return is_number(value, 0, 0);
    case 'l': return is_list(value);
    default: return 1;
    }
}

/* The type of an attribute in the list of a row, and its length; required: that it must be there.
 */
static const char *type_of(const char *attributes, const char *name, size_t *n, int *required) {
    const size_t length = strlen(name);
    for (const char *at = attributes; *at; at += strcspn(at, " ") + 1) {
        if (strncmp(at, name, length) != 0 || (at[length] != '!' && at[length] != ':')) continue;
        *required = at[length] == '!';
        *n = strcspn(at + length + 1, " ");
        return at + length + 1;
    }
    return NULL;
}

static const char *check_attributes(const xmlNode *node, const row *r) {
    for (xmlAttr *a = node->properties; a; a = a->next) {
        int required;
        size_t n;
        const char *type = type_of(r->attributes, (const char *)a->name, &n, &required);
        const char *value = fmu_attribute(node, (const char *)a->name);
        if (!type) return fmu_broken(node, "has no attribute %s", (const char *)a->name);
        if (!is_of_type(value, type, n))
            return fmu_broken(node, "%s=\"%s\" is not %.*s", (const char *)a->name, value, (int)n,
                              type);
    }
    for (const char *at = r->attributes; *at; at += strcspn(at, " ") + 1) {
        char name[64];
        const int n = (int)strcspn(at, "!:");
        snprintf(name, sizeof name, "%.*s", n, at);
        if (at[n] == '!' && !xmlHasProp((xmlNode *)node, (const xmlChar *)name))
            return fmu_broken(node, "lacks %s", name);
    }
    return NULL;
}

/* ---- elements ---- */

static const row *row_of(int version, const char *parent, const xmlNode *node) {
    for (int i = 0; i < ROWS; i++)
        if ((!rows[i].version || rows[i].version == version) &&
            strcmp(rows[i].parent, parent) == 0 && fmu_is(node, rows[i].element))
            return &rows[i];
    return NULL;
}

static const char *check_node(int version, const char *parent, const xmlNode *node);

/* Children: known, in order, as often as they may be. */
static const char *check_children(int version, const xmlNode *node) {
    int counts[ROWS] = {0}, last = -1;
    for (xmlNode *at = fmu_first(node); at; at = fmu_next(at)) {
        const row *r = row_of(version, (const char *)node->name, at);
        if (!r) return fmu_broken(at, "is no child of %s", (const char *)node->name);
        const int i = (int)(r - rows);
        if (i < last) return fmu_broken(at, "stands behind %s", rows[last].element);
        last = i;
        counts[i]++;
        const char *broken = check_node(version, (const char *)node->name, at);
        if (broken) return broken;
    }
    for (int i = 0; i < ROWS; i++) {
        if ((rows[i].version && rows[i].version != version) || !fmu_is(node, rows[i].parent))
            continue;
        if (counts[i] < rows[i].least || (rows[i].most >= 0 && counts[i] > rows[i].most))
            return fmu_broken(node, "has %d %s", counts[i], rows[i].element);
    }
    return NULL;
}

static const char *check_node(int version, const char *parent, const xmlNode *node) {
    const row *r = row_of(version, parent, node);
    if (!r) return fmu_broken(node, "is not known");
    const char *broken = check_attributes(node, r);
    return broken ? broken : check_children(version, node);
}

const char *fmu_broken_schema(xmlDoc *doc) {
    const xmlNode *root = xmlDocGetRootElement(doc);
    return check_node(*fmu_attribute(root, "fmiVersion") == '2' ? 2 : 3, "", root);
}

const char *fmu_broken_rule(xmlDoc *doc) {
    const char *broken = fmu_broken_schema(doc);
    const int is_model = fmu_is(xmlDocGetRootElement(doc), "fmiModelDescription");
    return broken || !is_model ? broken : fmu_broken_meaning(doc);
}
