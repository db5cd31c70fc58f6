/* xml.h: the descriptions of an FMU, written from its table. */
#ifndef HOL_FMU_XML_H
#define HOL_FMU_XML_H

#include "base/escape.h"
#include "fmu/table.h"

/* modelDescription.xml of FMI 2.0 and of FMI 3.0. name: the identifier of the binary; files: of an
 * FMU of sources, those to be compiled, each with a line feed behind it (NULL: it has a binary). */
void hol__fmu_xml2(const hol__fmu_table *table, const char *name, const char *files,
                   hol__text *out);
void hol__fmu_xml3(const hol__fmu_table *table, const char *name, const char *files,
                   hol__text *out);

/* buildDescription.xml of FMI 3.0; a page with the variables. */
void hol__fmu_build3(const char *name, const char *files, hol__text *out);
void hol__fmu_page(const hol__fmu_table *table, hol__text *out);

/* An element for each file: <element name="file"/>. */
void hol__fmu_files(const char *files, const char *element, hol__text *out);

/* UnitDefinitions, LogCategories and DefaultExperiment, which both versions write alike. */
void hol__fmu_xml_common(const hol__fmu_table *table, hol__text *out);

/* Causality and variability of a variable, and how it starts ("": nothing is said). */
const char *hol__fmu_causality(const hol__fmu_variable *row);
const char *hol__fmu_variability(const hol__fmu_variable *row);
const char *hol__fmu_initial(const hol__fmu_variable *row);

/* Whether its start value is written; and whether it is among what initialisation finds. */
int hol__fmu_has_start(const hol__fmu_variable *row);
int hol__fmu_is_unknown(const hol__fmu_variable *row);

#endif
