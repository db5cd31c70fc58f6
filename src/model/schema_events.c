/* schema_events.c: the keys of the section `events`. */
#include "model/schema.h"

static const char *const directions[] = {"rising", "falling", "both", NULL};

const hol__key hol__event_keys[] = {
    {"when", HOL__KEY_LAW, "", "", 0,
     "It happens at the instant at which this becomes true (or positive). What is true at the "
     "start does not count.",
     NULL, HOL__NO_FIELD},
    {"measure", HOL__KEY_TEXT, NULL, "", 0,
     "Instead of `when`: the column of a measure, such as tip.x, that crosses a value.", NULL,
     HOL__NO_FIELD},
    {"crosses", HOL__KEY_NUMBER, NULL, "", 0, "That value.", NULL, HOL__NO_FIELD},
    {"direction", HOL__KEY_CHOICE, NULL, "both", 0, "In which direction.", directions,
     HOL__NO_FIELD},
    {"times", HOL__KEY_NUMBER, "", "", HOL__POSITIVE,
     "Maximum number of times, a whole number. Default: no limit.", NULL, HOL__NO_FIELD},
    {"do", HOL__KEY_ACTIONS, NULL, NULL, 0, "The action, or a list of actions in order.", NULL,
     HOL__NO_FIELD},
    HOL__KEY_END,
};

const hol__key hol__action_keys[] = {
    {"activate", HOL__KEY_ELEMENTS, NULL, "", 0,
     "The joints or forces to activate, all together, for example one that is inactive at the "
     "start (`active: false`).",
     NULL, HOL__NO_FIELD},
    {"set", HOL__KEY_SETTINGS, NULL, "", 0,
     "Variables (measures of that type) and parameters that get values: numbers or expressions of "
     "time and measures, all evaluated before any is set. With new parameters the model is rebuilt "
     "at the current positions and velocities of the bodies.",
     NULL, HOL__NO_FIELD},
    {"impact", HOL__KEY_IMPACT, NULL, "", 0,
     "The velocities jump: along the equations of a joint that does not act the bodies rebound.",
     NULL, HOL__NO_FIELD},
    {"release", HOL__KEY_ELEMENTS, NULL, "", 0, "The joints or forces to release.", NULL,
     HOL__NO_FIELD},
    HOL__KEY_END,
};

const hol__key hol__impact_keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0,
     "Whose equations give the directions of the impulses. It does not act (`active: false`).",
     NULL, HOL__NO_FIELD},
    {"restitution", HOL__KEY_NUMBER, "", "0", HOL__NOT_NEGATIVE,
     "The rate of each equation after the impact over that before, with the other sign; 0 to 1.",
     NULL, HOL__NO_FIELD},
    {"friction", HOL__KEY_NUMBER, "", "0", HOL__NOT_NEGATIVE,
     "mu of Coulomb's law for the impulse across: it sticks while that is at most mu times the "
     "impulse along the equation, and slides against mu times it otherwise. The joint has one "
     "equation, along a line; the bodies rub at its point on the second body.",
     NULL, HOL__NO_FIELD},
    {"radius", HOL__KEY_NUMBER, "m", "0", HOL__NOT_NEGATIVE,
     "With `friction`: the bodies rub so far from that point, on the side of the first body: the "
     "radius of a ball or wheel whose centre is the point.",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};
