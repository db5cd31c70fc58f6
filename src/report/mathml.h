/* mathml.h: formulas in the LaTeX that symbolic/write.c makes, as MathML, which every browser sets
 * by itself. */
#ifndef HOL_REPORT_MATHML_H
#define HOL_REPORT_MATHML_H

#include "base/text.h"

/* The element <math> of a formula; plain: the same as text, for those who copy or hear it. */
void hol__mathml(hol__text *out, const char *latex, const char *plain);

#endif
