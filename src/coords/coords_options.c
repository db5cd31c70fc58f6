/* coords_options.c: the option that names the unknowns. */
#include "coords/coords.h"

static const char *coordinates_choice(int i) {
    static const char *const names[] = {"auto",     "reference", "natural",
                                        "relative", "cheapest",  NULL};
    return names[i];
}

/* The sets, as they are asked for. */
static const hol_option rows[] = {
    HOL__CHOICE("coordinates", coordinates_choice, "auto",
                "The unknowns: reference (positions of all bodies), natural "
                "(points and vectors that the bodies share at the joints) or "
                "relative (joint coordinates of a spanning tree; the other "
                "joints close the loops); cheapest: reference or relative, whichever "
                "needs fewer multiplications per evaluation; auto: those of the "
                "method, with method auto relative for open trees of ten or more "
                "bodies, otherwise reference. When this is not set, `holonom run` "
                "and `check` take cheapest with method auto."),
};

const hol__option_rows hol__coords_options = HOL__ROWS(rows);
