/* rules.h: a description of an FMU (modelDescription.xml, buildDescription.xml) against the
 * standard's schemas and the rules in its text. It knows nothing of the library. */
#ifndef FMU_RULES_H
#define FMU_RULES_H

#include <libxml/tree.h>

/* The first rule that the description breaks, in words with the place; NULL: none. The text is
 * kept until the next call. */
const char *fmu_broken_rule(xmlDoc *doc);

/* The same, of its elements and attributes alone (rules.c); and of what they mean (meaning.c). */
const char *fmu_broken_schema(xmlDoc *doc);
const char *fmu_broken_meaning(xmlDoc *doc);

/* For both: the words of a broken rule, with the line of the node. */
const char *fmu_broken(const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* An attribute, "" where there is none. */
const char *fmu_attribute(const xmlNode *node, const char *name);
int fmu_is(const xmlNode *node, const char *name);
xmlNode *fmu_first(const xmlNode *node); /* the first child that is an element */
xmlNode *fmu_next(const xmlNode *node);
xmlNode *fmu_child(const xmlNode *node, const char *name);

#endif
