/* correct_options.c: the options of corrections. */
#include "correct/correct.h"

static const char *correction_choice(int i) {
    const hol__correction_type *row = i > 0 ? hol__correction_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

static const char *newton_choice(int i) {
    static const char *const names[] = {"modified", "full", NULL};
    return names[i];
}

static const char *assemble_choice(int i) {
    static const char *const names[] = {"on", "off", NULL};
    return names[i];
}

/* In the order of the documentation. */
static const hol_option rows[] = {
    HOL__CHOICE(
        "assemble", assemble_choice, "on",
        "on: bodies are moved and missing velocities added so that the run starts on the "
        "constraints; off: it starts as drawn, even off the constraints, and reports by how much."),
    HOL__CHOICE("correction", correction_choice, "auto",
                "What restores the constraints inside each step; auto: that of the method."),
    HOL__CHOICE(
        "newton", newton_choice, "modified",
        "The matrix of the mass-orthogonal projection: modified (kept from the start of the "
        "projection while that serves) or full (factored in every iteration)."),
    HOL__REAL("energy_limit", 0, 1, "0.01", "",
              "Largest share by which an energy correction may change the speed in one step; 0: "
              "braun-goldfarb corrects constraints only."),
    HOL__REAL("position_tolerance", 1e-17, 1, "1e-15", "",
              "Norm of the position residual that assembly and corrections leave, relative to the "
              "size of the mechanism (at least 1 m)."),
    HOL__REAL("velocity_tolerance", 1e-17, 1, "1e-15", "", "The same for velocities."),
};

const hol__option_rows hol__correction_options = HOL__ROWS(rows);
