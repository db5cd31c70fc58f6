/* schema_doc.h: what the JSON Schema and the reference page share. */
#ifndef HOL_SCHEMA_SCHEMA_DOC_H
#define HOL_SCHEMA_SCHEMA_DOC_H

#include "base/text.h"
#include "model/element.h"

/* A limit of an option at or beyond this is none. */
#define HOL__UNBOUNDED 1e300

/* Where a key of something that exists in these spaces has a meaning (HOL__IN_PLANE |
 * HOL__IN_SPACE). */
unsigned hol__key_spaces(const hol__key *key, unsigned spaces);

/* The start of an example model, down to the section `joints`, with the joint `A` or nothing in it
 * yet. */
void hol__example_frame(hol__text *text, const char *name, int planar, int with_joint);

/* The keys of a section whose items have no types; NULL when there is none of that name. */
const hol__key *hol__section_keys(const char *name);

/* The sections whose items have a type, in order, NULL past the end; and one item of each
 * ("joint"). */
const char *hol__typed_section(int i);
const char *hol__typed_item(int i);

/* The introduction of the reference page, line by line, NULL at the end. */
extern const char *const hol__schema_intro[];

/* That of its part about the section `natural`. */
extern const char *const hol__natural_intro[];

/* That of its part about the section `events`. */
extern const char *const hol__events_intro[];

/* The i-th quantity of a kind of force or joint, its own first; NULL past the end. */
const hol__quantity *hol__quantity_row(const hol__element_type *type, int i);

/* The unit of a measure's columns in words; "" for other elements. */
const char *hol__element_unit(const hol__element_type *type);

#endif
