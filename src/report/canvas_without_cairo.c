/* canvas_without_cairo.c: stands in for PNG and PDF where the library was built without cairo. */
#include "report/canvas_type.h"

const hol__canvas_type hol__canvas_png = {.ending = "png", .missing = "cairo"};
const hol__canvas_type hol__canvas_pdf = {.ending = "pdf", .missing = "cairo"};
