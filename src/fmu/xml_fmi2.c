/* xml_fmi2.c: modelDescription.xml of FMI 2.0. Variables are named by their index from 1, which is
 * the row of the table and 1. */
#include "fmu/xml.h"

#include <holonom/version.h>

static void add_interface(const char *element, const char *name, const char *files,
                          const char *more, hol__text *out) {
    hol__text_add(out,
                  "  <%s modelIdentifier=\"%s\" canGetAndSetFMUstate=\"true\" "
                  "canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"%s\"%s",
                  element, name, files ? "false" : "true", more);
    if (!files) {
        hol__text_add(out, "/>\n");
        return;
    }
    hol__text_add(out, ">\n    <SourceFiles>\n");
    hol__fmu_files(files, "File", out);
    hol__text_add(out, "    </SourceFiles>\n  </%s>\n", element);
}

static void add_interfaces(const hol__fmu_table *t, const char *name, const char *files,
                           hol__text *out) {
    if (t->exchanges) add_interface("ModelExchange", name, files, "", out);
    add_interface("CoSimulation", name, files, " canHandleVariableCommunicationStepSize=\"true\"",
                  out);
}

static void add_variable(const hol__fmu_table *t, int i, hol__text *out) {
    const hol__fmu_variable *row = &t->rows[i];
    const char *initial = hol__fmu_initial(row);
    hol__text_add(out, "    <ScalarVariable name=\"");
    hol__text_add_xml(out, row->name);
    hol__text_add(out, "\" valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", i,
                  hol__fmu_causality(row), hol__fmu_variability(row));
    if (*initial) hol__text_add(out, " initial=\"%s\"", initial);
    if (*row->doc) {
        hol__text_add(out, " description=\"");
        hol__text_add_xml(out, row->doc);
        hol__text_add(out, "\"");
    }
    hol__text_add(out, "><Real");
    if (*row->unit) {
        hol__text_add(out, " unit=\"");
        hol__text_add_xml(out, row->unit);
        hol__text_add(out, "\"");
    }
    if (hol__fmu_has_start(row)) hol__text_add(out, " start=\"%.17g\"", row->start);
    if (row->kind == HOL__FMU_RATE)
        hol__text_add(out, " derivative=\"%d\"", t->first_state + row->index + 1);
    hol__text_add(out, "/></ScalarVariable>\n");
}

static void add_unknowns(const hol__fmu_table *t, const char *list, int from, int to,
                         hol__text *out) {
    if (from == to) return;
    hol__text_add(out, "    <%s>\n", list);
    for (int i = from; i < to; i++) {
        const hol__fmu_variable *row = &t->rows[i];
        const int follows = row->kind == HOL__FMU_RATE && t->n_q == t->n_v && row->index < t->n_q;
        hol__text_add(out, "      <Unknown index=\"%d\"", i + 1);
        if (follows)
            hol__text_add(out, " dependencies=\"%d\"", t->first_state + t->n_q + row->index + 1);
        hol__text_add(out, "/>\n");
    }
    hol__text_add(out, "    </%s>\n", list);
}

void hol__fmu_xml2(const hol__fmu_table *t, const char *name, const char *files, hol__text *out) {
    hol__text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"");
    hol__text_add_xml(out, t->name);
    hol__text_add(out,
                  "\" guid=\"%s\" generationTool=\"Holonom %s\" "
                  "variableNamingConvention=\"structured\" numberOfEventIndicators=\"%d\">\n",
                  t->token, HOL_VERSION, t->n_conditions);
    add_interfaces(t, name, files, out);
    hol__fmu_xml_common(t, out);
    hol__text_add(out, "  <ModelVariables>\n");
    for (int i = 0; i < t->n; i++) add_variable(t, i, out);
    hol__text_add(out, "  </ModelVariables>\n  <ModelStructure>\n");
    add_unknowns(t, "Outputs", t->first_output, t->first_state, out);
    add_unknowns(t, "Derivatives", t->first_rate, t->first_condition, out);
    hol__text_add(out, "    <InitialUnknowns>\n");
    for (int i = 0; i < t->n; i++)
        if (hol__fmu_is_unknown(&t->rows[i]))
            hol__text_add(out, "      <Unknown index=\"%d\"/>\n", i + 1);
    hol__text_add(out, "    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n");
}
