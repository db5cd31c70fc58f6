/* stages.c: formulas by name. Of first-same-as-last ones the last stage is f at the end, which the
 * next step evaluates. */
#include "generate/stages.h"

#include "integ/rk.h"

int hol__gstages_find(const char *name, hol__gstages *out) {
    const hol__stepper_type *type = hol__stepper_find(name);
    if (!type || type->ops != &hol__rk) return 0;
    const hol__rk_table *table = type->table;
    *out = (hol__gstages){.name = type->name,
                          .title = type->title,
                          .n = table->fsal ? table->stages - 1 : table->stages,
                          .width = table->stages,
                          .a = table->a,
                          .b = table->b,
                          .c = table->c};
    return 1;
}
