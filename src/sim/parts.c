/* parts.c: the rows of all tables, for lists and help. */
#include "sim/sim.h"

hol_method_doc hol_method_get(int i) {
    static const hol_method_doc none = {0};
    const hol_method_doc *row = hol__method_get(i);
    return row ? *row : none;
}

hol_part_doc hol_part_get(int i) {
    for (int k = 0; hol__kernel_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"kernel", hol__kernel_get(k)->name, hol__kernel_get(k)->title};
    for (int k = 0; hol__basis_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"basis", hol__basis_get(k)->name, hol__basis_get(k)->title};
    for (int k = 0; hol__state_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"state", hol__state_get(k)->name, hol__state_get(k)->title};
    for (int k = 0; hol__stabilizer_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"stabilizer", hol__stabilizer_get(k)->name,
                                  hol__stabilizer_get(k)->title};
    for (int k = 0; hol__correction_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"correction", hol__correction_get(k)->name,
                                  hol__correction_get(k)->title};
    for (int k = 0; hol__stepper_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"integrator", hol__stepper_get(k)->name,
                                  hol__stepper_get(k)->title};
    for (int k = 0; hol__coords_get(k); k++)
        if (i-- == 0)
            return (hol_part_doc){"coordinates", hol__coords_get(k)->name,
                                  hol__coords_get(k)->title};
    return (hol_part_doc){0};
}
