/* spring_law.h: the pull of a spring, a damper and an actuator along one coordinate x.
 *
 *     P = k (x - x0) + c x' + f(x, x', t, measures)      positive towards smaller x
 *     V = k (x - x0)^2 / 2 when k is a number; the rest counts as power, -P x'
 */
#ifndef HOL_ELEMENT_SPRING_LAW_H
#define HOL_ELEMENT_SPRING_LAW_H

#include "element/dual_forces.h"
#include "model/fields.h"

typedef struct hol__spring_law {
    double x0;
    double sign; /* of f in P: -1 where the file gives it positive towards larger x */
    hol__law k, c, f;
} hol__spring_law;

/* Whether `stiffness`, `damping` or the field of f is given; reports it otherwise. */
int hol__spring_acts(hol__build *build, const void *params, const char *f_key);

/* P at x with the rate x'; adds the potential and the power. Tells x, x', x - x0 and sign P, which
 * are the first four quantities of the force. */
double hol__spring_pull(const hol__spring_law *law, double x, double rate, hol__force_args *args);

/* The same in dual numbers, for tangents. */
hol__dual hol__spring_dual(const hol__spring_law *law, hol__dual x, hol__dual rate,
                           const hol__dual_args *args);

/* The same as a formula, for elements of the record; NULL where a law has none. */
struct hol__symbolic;
const struct hol__sym_node *
hol__spring_formula(struct hol__symbolic *to, const hol__spring_law *law, const char *const *locals,
                    const struct hol__sym_node *x, const struct hol__sym_node *rate);

#endif
