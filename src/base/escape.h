/* escape.h: texts of others, such as names in a model, within files that have signs of their own.
 * What may not stand there is written as \x1b or \u202e, so that different names stay different. */
#ifndef HOL_BASE_ESCAPE_H
#define HOL_BASE_ESCAPE_H

#include "base/text.h"

/* For XML, HTML and MathML, as content or within quotes: no markup, and no character that XML does
 * not allow. */
void hol__text_add_xml(hol__text *out, const char *text);
void hol__text_add_xml_n(hol__text *out, const char *text, size_t n);

/* For reading: no character that drives a terminal or turns the direction of writing; ends of lines
 * and tabs stay. */
void hol__text_add_plain(hol__text *out, const char *text, size_t n);

/* The same within one line: ends of lines and tabs are blanks. */
void hol__text_add_line(hol__text *out, const char *text);

#endif
