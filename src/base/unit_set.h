/* unit_set.h: the units that results are shown in, by kinds of quantities. */
#ifndef HOL_BASE_UNIT_SET_H
#define HOL_BASE_UNIT_SET_H

#include "base/context.h"
#include "base/expr.h"

#include <holonom/options.h>

enum { HOL__UNIT_KINDS = 17 };

/* The unit chosen for each kind; an empty name: the SI unit. */
typedef struct hol__unit_set {
    hol_unit unit[HOL__UNIT_KINDS];
} hol__unit_set;

/* Kinds of quantities with their SI units: {"length", "m"} …; name NULL past the last. */
typedef struct hol__unit_kind {
    const char *name, *si;
} hol__unit_kind;

hol__unit_kind hol__unit_kind_get(int i);

/* The unit that a text such as "mm/s" names; "" is the plain number. An error at the place, with a
 * suggestion, when there is no such unit. */
hol_status hol__unit_named(hol_context *ctx, const char *text, const hol_location *where,
                           const char *element, hol_unit *out);

/* The same without a message: 0 when there is no such unit. */
int hol__unit_try(const char *text, hol_unit *out);

/* Whether two texts name units of one dimension; angles count as plain numbers beside others. */
int hol__units_agree(const char *a, const char *b);

/* The SI unit of what the text names, into buf: "rad" for "deg", "m/s" for "km/h", and the text
 * itself where it is an SI unit. Returns buf. */
const char *hol__unit_si(const char *text, char *buf, size_t size);

/* The SI unit of a dimension into buf, "" where it is open or that of a plain number. Returns
 * buf. */
const char *hol__unit_of_dim(hol__dim dim, char *buf, size_t size);

/* Choose a unit: "length=mm", "length: mm", or "mm" alone, which tells the kind by its dimension.
 * An error at the place when that is not possible. */
hol_status hol__unit_set_add(hol_context *ctx, hol__unit_set *set, const char *text,
                             const hol_location *where);

/* Choose all units of a list with commas between them; NULL or "": none. */
hol_status hol__unit_set_read(hol_context *ctx, hol__unit_set *set, const char *list);

/* How a quantity with that SI unit is shown: in the unit of its kind, or, where its kind has none,
 * with each factor of its unit replaced (m/s becomes mm/s). */
void hol__unit_set_show(const hol__unit_set *set, const char *si, hol_unit *out);

#endif
