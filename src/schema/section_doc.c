/* section_doc.c: the sections whose items have keys but no types, for readers: what they are, their
 * keys, and a model file that uses them. */
#include "compile/compile.h"
#include "schema/schema_doc.h"

#include "base/give.h"

#include <string.h>

#define HEAD "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"

static const char natural_example[] =
    HEAD "points: {A: [0, 0], B: [0.3, 0.6], C: [1.1, 0.9], D: [1.4, 0]}\n"
         "natural:\n"
         "  fixed: [A, D]\n"
         "  rods:\n"
         "    crank: {points: [A, B], mass: 0.7}\n"
         "    coupler: {points: [B, C], mass: 0.9}\n"
         "    rocker: {points: [C, D], length: 0.95, mass: 0.8}\n"
         "measures:\n"
         "  C: {type: position, body: coupler, at: C}\n"
         "simulation: {end: 0.1}\n";

static const char events_example[] =
    HEAD "bodies:\n"
         "  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
         "joints:\n"
         "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
         "forces:\n"
         "  brake: {type: torsion, joint: A, damping: 3, active: false}\n"
         "measures:\n"
         "  angle: {type: joint_coordinate, joint: A, unit: deg}\n"
         "events:\n"
         "  tenth: {when: t > 0.04, do: record}\n"
         "  low: {measure: angle, crosses: -2 deg, direction: falling, do: {activate: brake}}\n"
         "simulation: {end: 0.1}\n";

static const struct {
    const char *name, *title;
    const hol__key *keys;
    const char *example;
} rows[] = {
    {"bodies", "The moving bodies by name.", hol__body_keys,
     HEAD "bodies:\n"
          "  rod: {along: [[0, 0], [1, 0]], mass: 1.2, inertia: 0.1}\n"
          "  plate: {position: [1.2, 0.1], angle: 20 deg, shape: {type: box, size: [0.5, 0.3], "
          "mass: 0.8}}\n"
          "joints:\n"
          "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
          "  B: {type: revolute, bodies: [rod, plate], at: [1, 0]}\n"
          "simulation: {end: 0.1}\n"},
    {"shapes", "What a body is made of (its key shape) and how it is drawn (draw).",
     hol__shape_keys,
     "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  hammer:\n"
     "    position: [0, 0, 1]\n"
     "    shape:\n"
     "      - {type: cylinder, radius: 0.02, length: 0.4, density: 700, axis: [1, 0, 0]}\n"
     "      - {type: box, size: [0.05, 0.12, 0.05], density: 7850, at: [0.2, 0, 0], color: "
     "\"#556677\"}\n"
     "joints:\n"
     "  A: {type: revolute, bodies: [ground, hammer], at: [-0.2, 0, 1], axis: [0, 1, 0]}\n"
     "simulation: {end: 0.1}\n"},
    {"tables", "Curves through points, of a file or a list, by name: gas(crank), road(x).",
     hol__table_keys,
     HEAD "tables:\n"
          "  lift: {points: [[0, 0], [30, 2], [60, 9], [90, 12]], x_unit: deg, y_unit: mm}\n"
          "bodies:\n"
          "  slide: {mass: 1.2, inertia: 0.1, position: [0.1, 0]}\n"
          "joints:\n"
          "  A: {type: prismatic, bodies: [ground, slide], at: [0.1, 0], axis: [0, 1]}\n"
          "  drive: {type: motor, joint: A, angle: lift(800 deg/s*t)}\n"
          "simulation: {end: 0.1}\n"},
    {"events", "What happens when a condition becomes true, by name.", hol__event_keys,
     events_example},
    {"actions", "What an event does (its key do).", hol__action_keys, events_example},
    {"natural", "A mechanism by its points, rods and distances.", hol__natural_keys,
     natural_example},
    {"rods",
     "Rods of the section natural: bodies between two points, given by lengths if you like.",
     hol__rod_keys, natural_example},
    {"distances", "Distances of the section natural: two points that stay a length apart.",
     hol__rod_distance_keys,
     HEAD "points: {A: [0, 0], B: [0.3, -0.6], C: [0.9, -0.8]}\n"
          "natural:\n"
          "  fixed: [A]\n"
          "  masses: {B: 0.7, C: 1.1}\n"
          "  distances:\n"
          "    upper: {points: [A, B]}\n"
          "    lower: {points: [B, C], length: 0.6325 + 0.1*sin(8*t)}\n"
          "simulation: {end: 0.1}\n"},
    {"elements", "Bodies of the section natural with more than two points.",
     hol__natural_element_keys,
     HEAD "points: {A: [0, 0], B: [0.4, 0.1], C: [0.2, -0.5]}\n"
          "natural:\n"
          "  fixed: [A]\n"
          "  elements:\n"
          "    plate: {points: [A, B, C], mass: 1.3, inertia: 0.04}\n"
          "simulation: {end: 0.1}\n"},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

const hol__key *hol__section_keys(const char *name) {
    for (int i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].keys;
    return NULL;
}

hol_status hol_section_get(int i, hol_section_doc *out) {
    if (i < 0 || i >= N_ROWS) return HOL_ERR_ARGUMENT;
    const hol_section_doc doc = {
        .name = rows[i].name, .title = rows[i].title, .example = rows[i].example};
    return hol__give(NULL, "hol_section_get", &doc, sizeof doc, out);
}
