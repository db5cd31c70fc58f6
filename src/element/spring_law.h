/* spring_law.h: the pull of a spring, a damper and an actuator along one coordinate x.
 *
 *     P = k (x - x0) + c x' + f(x, x', t, measures)      positive towards smaller x
 *     V = k (x - x0)^2 / 2 when k is a number; the rest counts as power, -P x'
 */
#ifndef HOL_ELEMENT_SPRING_LAW_H
#define HOL_ELEMENT_SPRING_LAW_H

#include "model/build.h"

typedef struct hol__spring_law {
    double x0;
    double sign; /* of f in P: -1 where the file gives it positive towards larger x */
    hol__law k, c, f;
} hol__spring_law;

/* The laws under the keys `stiffness`, `damping` and that of f, which may use the two names of x and x'. */
void hol__spring_read(hol__build *build, hol__node *item, const hol__key *keys,
                      const char *const locals[], const char *f_key, hol__spring_law *law);

/* P at x with the rate x'; adds the potential and the power. */
double hol__spring_pull(const hol__spring_law *law, double x, double rate, hol__force_args *args);

#endif
