/* attributes.c: numbers and words of attributes, each finite and checked where it stands. */
#include "exchange/import.h"

#include "common/number.h"

#include <math.h>
#include <string.h>

/* Ends of ranges mean "none" beyond this. */
static const double huge_limit = 1e15;

void hol__import_error(hol_import *im, const hol__xml *element, const char *attribute,
                       const char *format, ...) {
    const hol__xml_attribute *a = attribute ? hol__xml_find(element, attribute) : NULL;
    va_list args;
    va_start(args, format);
    hol__verror(im->ctx, a ? &a->where : &element->where, hol__xml_title(&im->arena, element),
                format, args);
    va_end(args);
}

/* The number at *text, which may end with a unit of nothing but white space; 0 after an error. */
static int read_number(hol_import *im, const hol__xml *element, const char *attribute,
                       const char **text, int infinite, double *out) {
    const char *end;
    const double value = hol__number_read(*text, &end);
    const int ends = end != *text && (*end == '\0' || strchr(" \t\r\n,", *end) != NULL);
    const char *what = attribute ? attribute : element->name;
    if (!ends) {
        const int n = (int)strcspn(*text, " \t\r\n,");
        hol__import_error(im, element, attribute, "'%s' wants numbers, and '%.*s' is none%s", what,
                          n < 60 ? n : 60, *text,
                          strchr(*text, '$') ? " (is this file to be processed by xacro first?)"
                                             : "");
        return 0;
    }
    if (isnan(value) || (!infinite && !(fabs(value) <= HOL__HUGE_NUMBER))) {
        hol__import_error(im, element, attribute, "'%s' has a number that is %s", what,
                          isnan(value)   ? "not a number (NaN)"
                          : isinf(value) ? "infinite"
                                         : "beyond 1e30");
        return 0;
    }
    *text = end;
    *out = value;
    return 1;
}

int hol__import_numbers(hol_import *im, const hol__xml *element, const char *attribute,
                        const char *text, int most, double *out) {
    int n = 0;
    for (text += strspn(text, " \t\r\n,"); *text; text += strspn(text, " \t\r\n,")) {
        double value;
        if (!read_number(im, element, attribute, &text, 0, &value)) return -1;
        if (n == most) {
            hol__import_error(im, element, attribute, "'%s' has more than %d number%s",
                              attribute ? attribute : element->name, most, most == 1 ? "" : "s");
            return -1;
        }
        out[n++] = value;
    }
    return n;
}

/* The value of an attribute, or (NULL) the text of the element; NULL where there is none. */
static const char *value_of(const hol__xml *element, const char *attribute) {
    if (!element) return NULL;
    if (attribute) return hol__xml_value(element, attribute);
    return *element->text ? element->text : NULL;
}

int hol__xml_some(hol_import *im, const hol__xml *element, const char *attribute, int low, int high,
                  double *out) {
    double read[16];
    const char *text = value_of(element, attribute);
    if (!text) return 0;
    const int n = hol__import_numbers(im, element, attribute, text, high < 16 ? high : 16, read);
    if (n < 0) return 0;
    if (n < low) {
        hol__import_error(im, element, attribute, "'%s' wants %d number%s and has %d",
                          attribute ? attribute : element->name, low, low == 1 ? "" : "s", n);
        return 0;
    }
    memcpy(out, read, (size_t)n * sizeof *out);
    return n;
}

int hol__xml_vector(hol_import *im, const hol__xml *element, const char *attribute, int n,
                    double *out) {
    return hol__xml_some(im, element, attribute, n, n, out);
}

double hol__xml_number(hol_import *im, const hol__xml *element, const char *attribute,
                       double otherwise) {
    double value = otherwise;
    hol__xml_some(im, element, attribute, 1, 1, &value);
    return value;
}

double hol__xml_limit(hol_import *im, const hol__xml *element, const char *attribute,
                      double otherwise) {
    const char *text = value_of(element, attribute);
    double value = otherwise;
    if (!text) return otherwise;
    text += strspn(text, " \t\r\n");
    if (!read_number(im, element, attribute, &text, 1, &value)) return otherwise;
    return fabs(value) < huge_limit ? value : value < 0 ? -HUGE_VAL : HUGE_VAL;
}

int hol__xml_flag(hol_import *im, const hol__xml *element, const char *attribute, int otherwise) {
    static const char *const words[] = {"true", "1", "True", "false", "0", "False"};
    const char *text = value_of(element, attribute);
    if (!text) return otherwise;
    const size_t n = strcspn(text, " \t\r\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(words[i], text, n) == 0) return i < 3;
    hol__import_error(im, element, attribute, "'%s' is '%.60s'; it must be true or false",
                      attribute ? attribute : element->name, text);
    return otherwise;
}

int hol__all_zero(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0) return 0;
    return 1;
}
