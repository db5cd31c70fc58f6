/* xml_fmi3.c: modelDescription.xml of FMI 3.0. Variables are named by their value references, the
 * rows of the table. */
#include "fmu/xml.h"

#include <holonom/version.h>

/* The library has derivatives, event mode and early returns by itself; generated code has not. */
static void add_interfaces(const hol__fmu_table *t, const char *name, const char *files,
                           hol__text *out) {
    const char *derivatives = files ? ""
                                    : " providesDirectionalDerivatives=\"true\" "
                                      "providesAdjointDerivatives=\"true\"";
    static const char common[] = "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
    if (t->exchanges)
        hol__text_add(out,
                      "  <ModelExchange modelIdentifier=\"%s\" %s%s "
                      "needsCompletedIntegratorStep=\"true\" "
                      "providesEvaluateDiscreteStates=\"true\"/>\n",
                      name, common, derivatives);
    hol__text_add(out,
                  "  <CoSimulation modelIdentifier=\"%s\" %s%s "
                  "canHandleVariableCommunicationStepSize=\"true\" "
                  "providesIntermediateUpdate=\"true\" %s"
                  "canReturnEarlyAfterIntermediateUpdate=\"true\"%s/>\n",
                  name, common, derivatives, files ? "" : "mightReturnEarlyFromDoStep=\"true\" ",
                  files ? "" : " hasEventMode=\"true\" providesEvaluateDiscreteStates=\"true\"");
}

static void add_variable(const hol__fmu_table *t, int i, hol__text *out) {
    const hol__fmu_variable *row = &t->rows[i];
    const char *initial = hol__fmu_initial(row);
    hol__text_add(out, "    <Float64 name=\"");
    hol__text_add_xml(out, row->name);
    hol__text_add(out, "\" valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", i,
                  hol__fmu_causality(row), hol__fmu_variability(row));
    if (*initial) hol__text_add(out, " initial=\"%s\"", initial);
    if (*row->doc) {
        hol__text_add(out, " description=\"");
        hol__text_add_xml(out, row->doc);
        hol__text_add(out, "\"");
    }
    if (*row->unit) {
        hol__text_add(out, " unit=\"");
        hol__text_add_xml(out, row->unit);
        hol__text_add(out, "\"");
    }
    if (hol__fmu_has_start(row)) hol__text_add(out, " start=\"%.17g\"", row->start);
    if (row->kind == HOL__FMU_RATE)
        hol__text_add(out, " derivative=\"%d\"", t->first_state + row->index);
    hol__text_add(out, "/>\n");
}

/* The elements of ModelStructure for the rows from..to - 1. */
static void add_structure(const hol__fmu_table *t, const char *element, int from, int to,
                          hol__text *out) {
    for (int i = from; i < to; i++) {
        const hol__fmu_variable *row = &t->rows[i];
        const int follows = row->kind == HOL__FMU_RATE && t->n_q == t->n_v && row->index < t->n_q;
        hol__text_add(out, "    <%s valueReference=\"%d\"", element, i);
        if (follows)
            hol__text_add(out, " dependencies=\"%d\"", t->first_state + t->n_q + row->index);
        hol__text_add(out, "/>\n");
    }
}

void hol__fmu_xml3(const hol__fmu_table *t, const char *name, const char *files, hol__text *out) {
    hol__text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"");
    hol__text_add_xml(out, t->name);
    hol__text_add(out,
                  "\" instantiationToken=\"%s\" generationTool=\"Holonom %s\" "
                  "variableNamingConvention=\"structured\">\n",
                  t->token, HOL_VERSION);
    add_interfaces(t, name, files, out);
    hol__fmu_xml_common(t, out);
    hol__text_add(out, "  <ModelVariables>\n");
    for (int i = 0; i < t->n; i++) add_variable(t, i, out);
    hol__text_add(out, "  </ModelVariables>\n  <ModelStructure>\n");
    add_structure(t, "Output", t->first_output, t->first_state, out);
    add_structure(t, "ContinuousStateDerivative", t->first_rate, t->first_condition, out);
    for (int i = 0; i < t->n; i++)
        if (hol__fmu_is_unknown(&t->rows[i]))
            hol__text_add(out, "    <InitialUnknown valueReference=\"%d\"/>\n", i);
    add_structure(t, "EventIndicator", t->first_condition, t->n, out);
    hol__text_add(out, "  </ModelStructure>\n</fmiModelDescription>\n");
}

void hol__fmu_build3(const char *name, const char *files, hol__text *out) {
    hol__text_add(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                  "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                  "    <SourceFileSet language=\"C99\">\n",
                  name);
    hol__fmu_files(files, "SourceFile", out);
    hol__text_add(out, "      <PreprocessorDefinition name=\"FMI3_OVERRIDE_FUNCTION_PREFIX\" "
                       "optional=\"true\" description=\"for a shared library: functions "
                       "without the prefix\"/>\n"
                       "    </SourceFileSet>\n  </BuildConfiguration>\n"
                       "</fmiBuildDescription>\n");
}
