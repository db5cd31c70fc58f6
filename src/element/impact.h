/* impact.h: the force of one-sided contact as a function of penetration and its rate. */
#ifndef HOL_ELEMENT_IMPACT_H
#define HOL_ELEMENT_IMPACT_H

#include "math/dual3.h"
#include "model/fields.h"

enum { HOL__IMPACT_MEMORY = 3 };

/* Stiffness k, exponent n; damping c, full from the penetration `depth` on; gain of the dissipation
 * that scales with the elastic force; the impact speed below which it does not grow any more; the
 * index of what is remembered, -1 without. */
typedef struct hol__impact {
    double k, n;
    double c, depth;
    double gain, slowest;
    int memory;
} hol__impact;

/* The push N >= 0 at penetration p (0 where p <= 0); adds the potential of the elastic part and the
 * power of the rest, which both act along p. */
double hol__impact_push(const hol__impact *impact, double p, double rate, hol__force_args *args);

/* The same in dual numbers, for tangents; memory: of all forces. */
hol__dual hol__impact_dual(const hol__impact *impact, hol__dual p, hol__dual rate,
                           const double *memory);

/* Remember p and its rate at an accepted state. */
void hol__impact_keep(const hol__impact *impact, double p, double rate, double *memory);

/* ---- keys ---- */

/* The fields of a stop and of a contact, and their rows for parameters with the members `stop` and
 * `contact`. */
typedef struct hol__stop_fields {
    double stiffness, exponent, damping, depth;
} hol__stop_fields;

typedef struct hol__contact_fields {
    double stiffness, modulus, exponent;
    int dissipation;
    double restitution, slowest_impact, damping;
    double friction, slip_speed;
} hol__contact_fields;

#define HOL__KEYS_STOP(type, force_unit)                                                           \
    {"stiffness",   HOL__KEY_NUMBER,                                                               \
     NULL,          NULL,                                                                          \
     HOL__POSITIVE, "k, in " force_unit " for exponent 1.",                                        \
     NULL,          HOL__AT(type, stop.stiffness)},                                                \
        {"exponent",                                                                               \
         HOL__KEY_NUMBER,                                                                          \
         "",                                                                                       \
         "1",                                                                                      \
         HOL__POSITIVE,                                                                            \
         "n of the elastic force k p^n.",                                                          \
         NULL,                                                                                     \
         HOL__AT(type, stop.exponent)},                                                            \
        {"damping",                                                                                \
         HOL__KEY_NUMBER,                                                                          \
         NULL,                                                                                     \
         "0",                                                                                      \
         HOL__NOT_NEGATIVE,                                                                        \
         "c, in N*s/m (in an angle N*m*s/rad); the sum of both never pulls.",                      \
         NULL,                                                                                     \
         HOL__AT(type, stop.damping)},                                                             \
    {                                                                                              \
        "depth", HOL__KEY_NUMBER, NULL, "0", HOL__NOT_NEGATIVE,                                    \
            "The penetration at which the damping is full; it grows smoothly from 0 up to there.", \
            NULL, HOL__AT(type, stop.depth)                                                        \
    }

extern const char *const hol__dissipations[];
#define HOL__KEYS_CONTACT(type)                                                                    \
    {"stiffness",   HOL__KEY_NUMBER,                                                               \
     NULL,          "",                                                                            \
     HOL__POSITIVE, "k, in N/m^n; or give `modulus`.",                                             \
     NULL,          HOL__AT(type, contact.stiffness)},                                             \
        {"modulus",                                                                                \
         HOL__KEY_NUMBER,                                                                          \
         "N/m^2",                                                                                  \
         "",                                                                                       \
         HOL__POSITIVE,                                                                            \
         "The contact modulus E of Hertz, 1/E = (1 - nu1^2)/E1 + (1 - nu2^2)/E2, instead of a "    \
         "stiffness: k = 4/3 E sqrt(R), n = "                                                      \
         "1.5.",                                                                                   \
         NULL,                                                                                     \
         HOL__AT(type, contact.modulus)},                                                          \
        {"exponent",                                                                               \
         HOL__KEY_NUMBER,                                                                          \
         "",                                                                                       \
         "1.5",                                                                                    \
         HOL__POSITIVE,                                                                            \
         "n of the elastic force k p^n.",                                                          \
         NULL,                                                                                     \
         HOL__AT(type, contact.exponent)},                                                         \
        {"dissipation",                                                                            \
         HOL__KEY_CHOICE,                                                                          \
         NULL,                                                                                     \
         "hunt_crossley",                                                                          \
         0,                                                                                        \
         "How the force grows while the bodies approach and falls while they part. exact: so "     \
         "that "                                                                                   \
         "they part at `restitution`; hunt_crossley and flores have the factors of their "         \
         "sources, "                                                                               \
         "which come near to it for nearly elastic (hunt_crossley: above 0.9, at 0.5 they part "   \
         "at "                                                                                     \
         "0.66) and for all but small ratios (flores: at 0.5 they part at 0.47).",                 \
         hol__dissipations,                                                                        \
         HOL__AT(type, contact.dissipation)},                                                      \
        {"restitution",                                                                            \
         HOL__KEY_NUMBER,                                                                          \
         "",                                                                                       \
         "1",                                                                                      \
         HOL__NOT_NEGATIVE,                                                                        \
         "The ratio of speeds after and before an impact, 0 … 1.",                                 \
         NULL,                                                                                     \
         HOL__AT(type, contact.restitution)},                                                      \
        {"slowest_impact",                                                                         \
         HOL__KEY_NUMBER,                                                                          \
         "m/s",                                                                                    \
         "0.01",                                                                                   \
         HOL__POSITIVE,                                                                            \
         "Impacts slower than this are damped as if they were this fast.",                         \
         NULL,                                                                                     \
         HOL__AT(type, contact.slowest_impact)},                                                   \
        {"damping",                                                                                \
         HOL__KEY_NUMBER,                                                                          \
         "N*s/m",                                                                                  \
         "0",                                                                                      \
         HOL__NOT_NEGATIVE,                                                                        \
         "c, for the dissipation `linear`.",                                                       \
         NULL,                                                                                     \
         HOL__AT(type, contact.damping)},                                                          \
        {"friction",                                                                               \
         HOL__KEY_NUMBER,                                                                          \
         "",                                                                                       \
         "0",                                                                                      \
         HOL__NOT_NEGATIVE,                                                                        \
         "Coefficient of sliding friction mu.",                                                    \
         NULL,                                                                                     \
         HOL__AT(type, contact.friction)},                                                         \
    {                                                                                              \
        "slip_speed", HOL__KEY_NUMBER, "m/s", "0.001", HOL__POSITIVE,                              \
            "Friction is mu N tanh(v/slip_speed): full above some three times this speed.", NULL,  \
            HOL__AT(type, contact.slip_speed)                                                      \
    }

/* The force of a stop (turns: in an angle), or of a contact with the effective radius R (0: none).
 * 0 after an error. */
int hol__impact_of_stop(hol__build *build, const void *params, const hol__stop_fields *f, int turns,
                        hol__impact *impact);
int hol__impact_of_contact(hol__build *build, const void *params, const hol__contact_fields *f,
                           double R, hol__impact *impact);

#endif
