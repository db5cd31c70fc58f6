/* xml.c: what the descriptions of both versions share. */
#include "fmu/xml.h"

#include "base/expr.h"

#include <math.h>
#include <string.h>

#include <holonom/version.h>

const char *hol__fmu_causality(const hol__fmu_variable *row) {
    switch (row->kind) {
    case HOL__FMU_TIME: return "independent";
    case HOL__FMU_PARAMETER:
    case HOL__FMU_TUNABLE: return "parameter";
    case HOL__FMU_CALCULATED: return "calculatedParameter";
    case HOL__FMU_INPUT: return "input";
    case HOL__FMU_OUTPUT: return "output";
    default: return "local";
    }
}

const char *hol__fmu_variability(const hol__fmu_variable *row) {
    switch (row->kind) {
    case HOL__FMU_CONSTANT: return "constant";
    case HOL__FMU_PARAMETER:
    case HOL__FMU_CALCULATED: return "fixed";
    case HOL__FMU_TUNABLE: return "tunable";
    default: return "continuous";
    }
}

/* Whether the value at the start is given and not computed. */
static int is_exact(const hol__fmu_variable *row) {
    return row->kind == HOL__FMU_CONSTANT || row->kind == HOL__FMU_PARAMETER ||
           row->kind == HOL__FMU_TUNABLE;
}

const char *hol__fmu_initial(const hol__fmu_variable *row) {
    if (row->kind == HOL__FMU_TIME || row->kind == HOL__FMU_INPUT) return "";
    return is_exact(row) ? "exact" : "calculated";
}

int hol__fmu_has_start(const hol__fmu_variable *row) {
    return is_exact(row) || row->kind == HOL__FMU_INPUT;
}

int hol__fmu_is_unknown(const hol__fmu_variable *row) {
    return row->kind == HOL__FMU_CALCULATED || row->kind == HOL__FMU_OUTPUT ||
           row->kind == HOL__FMU_STATE || row->kind == HOL__FMU_RATE;
}

/* Whether a unit has occurred in an earlier row. */
static int is_repeated(const hol__fmu_table *t, int i) {
    for (int k = 0; k < i; k++)
        if (strcmp(t->rows[k].unit, t->rows[i].unit) == 0) return 1;
    return 0;
}

static void add_exponent(hol__text *out, const char *base, int exponent) {
    if (exponent) hol__text_add(out, " %s=\"%d\"", base, exponent);
}

/* The units of all variables by the exponents of their base units. */
static void add_units(const hol__fmu_table *t, hol__text *out) {
    hol__text_add(out, "  <UnitDefinitions>\n");
    for (int i = 0; i < t->n; i++) {
        const char *unit = t->rows[i].unit;
        if (!*unit || is_repeated(t, i)) continue;
        const hol__dim dim = hol__dim_of(unit);
        hol__text_add(out, "    <Unit name=\"");
        hol__text_add_xml(out, unit);
        hol__text_add(out, "\">");
        if (dim.known) {
            hol__text_add(out, "<BaseUnit");
            add_exponent(out, "kg", dim.kg);
            add_exponent(out, "m", dim.m);
            add_exponent(out, "s", dim.s);
            add_exponent(out, "rad", dim.rad);
            if (dim.cycle) hol__text_add(out, " factor=\"6.283185307179586\"");
            hol__text_add(out, "/>");
        }
        hol__text_add(out, "</Unit>\n");
    }
    hol__text_add(out, "  </UnitDefinitions>\n");
}

void hol__fmu_files(const char *files, const char *element, hol__text *out) {
    for (const char *at = files; *at; at += strcspn(at, "\n") + 1)
        hol__text_add(out, "      <%s name=\"%.*s\"/>\n", element, (int)strcspn(at, "\n"), at);
}

void hol__fmu_xml_common(const hol__fmu_table *t, hol__text *out) {
    add_units(t, out);
    hol__text_add(out,
                  "  <LogCategories>\n"
                  "    <Category name=\"logStatusError\" description=\"errors\"/>\n"
                  "    <Category name=\"logStatusWarning\" description=\"warnings\"/>\n"
                  "    <Category name=\"logEvents\" description=\"what happens in the run\"/>\n"
                  "  </LogCategories>\n");
    hol__text_add(out,
                  "  <DefaultExperiment startTime=\"%.17g\" stopTime=\"%.17g\" "
                  "tolerance=\"%.17g\" stepSize=\"%.17g\"/>\n",
                  t->start, t->end, t->tolerance, t->step);
}

void hol__fmu_page(const hol__fmu_table *t, hol__text *out) {
    hol__text_add(out,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>");
    hol__text_add_xml(out, t->name);
    hol__text_add(out, "</title></head>\n<body>\n<h1>");
    hol__text_add_xml(out, t->name);
    hol__text_add(out,
                  "</h1>\n<p>Made by Holonom %s. All numbers are in SI units and radians.</p>\n"
                  "<table>\n<tr><th>variable</th><th>is</th>"
                  "<th>unit</th><th>start</th><th></th></tr>\n",
                  HOL_VERSION);
    for (int i = 0; i < t->n; i++) {
        const hol__fmu_variable *row = &t->rows[i];
        hol__text_add(out, "<tr><td>");
        hol__text_add_xml(out, row->name);
        hol__text_add(out, "</td><td>%s</td><td>", hol__fmu_causality(row));
        hol__text_add_xml(out, row->unit);
        hol__text_add(out, "</td><td>%.9g</td><td>", row->start);
        hol__text_add_xml(out, row->doc);
        hol__text_add(out, "</td></tr>\n");
    }
    hol__text_add(out, "</table>\n</body>\n</html>\n");
}
