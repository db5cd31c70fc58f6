/* natural_dual.c: a body of natural coordinates in space with its variation along one direction,
 * exactly: the equations of natural_spatial.c in dual numbers x + x' eps. Vectors along e1, e2, e3
 * have the components E^T of those in the body frame.
 */
#include "coords/natural_variation.h"

/* The frame of the legs. */
typedef struct frame {
    hol__dual3 e[3];
    hol__dual n1, n2, h;
} frame;

static hol__dual mul(hol__dual a, hol__dual b) {
    return (hol__dual){a.f * b.f, a.d * b.f + a.f * b.d};
}

static hol__dual over(hol__dual a, hol__dual b) {
    const double f = a.f / b.f;
    return (hol__dual){f, (a.d - f * b.d) / b.f};
}

/* a + k b */
static hol__dual add(hol__dual a, double k, hol__dual b) {
    return (hol__dual){a.f + k * b.f, a.d + k * b.d};
}

static hol__dual3 gather(hol__dual a, hol__dual b, hol__dual c) {
    return (hol__dual3){{a.f, b.f, c.f}, {a.d, b.d, c.d}};
}

static hol__dual component(const hol__dual3 *a, int k) {
    return (hol__dual){a->f[k], a->d[k]};
}

/* e1 = d1/n1, e2 = (d2 - h e1)/n2, e3 = e1 x e2 */
static frame frame_of(hol__dual3 d1, hol__dual3 d2) {
    frame x;
    x.e[0] = hol__dual3_unit(d1, &x.n1);
    x.h = hol__dual3_dot(d2, x.e[0]);
    x.e[1] = hol__dual3_unit(hol__dual3_add(d2, -1, hol__dual3_scale(x.h, x.e[0])), &x.n2);
    x.e[2] = hol__dual3_cross(x.e[0], x.e[1]);
    return x;
}

/* Global components of a vector along e. */
static hol__dual3 out_of(const frame *x, hol__dual3 y) {
    const hol__dual3 first = hol__dual3_scale(component(&y, 0), x->e[0]),
                     second = hol__dual3_scale(component(&y, 1), x->e[1]),
                     third = hol__dual3_scale(component(&y, 2), x->e[2]);
    return hol__dual3_add(hol__dual3_add(first, 1, second), 1, third);
}

/* omega along e from the rates of the legs. */
static hol__dual3 spin(const frame *x, hol__dual3 v1, hol__dual3 v2) {
    const hol__dual a = over(hol__dual3_dot(x->e[2], v1), x->n1),
                    b = over(hol__dual3_dot(x->e[1], v1), x->n1), g = hol__dual3_dot(x->e[2], v2);
    return gather(over(add(g, -1, mul(x->h, a)), x->n2), (hol__dual){-a.f, -a.d}, b);
}

/* The rate of omega along e for constant rates of the legs. */
static hol__dual3 spin_bias(const frame *x, hol__dual3 v1, hol__dual3 v2, hol__dual3 w) {
    hol__dual3 e2_rate = hol__dual3_add(hol__dual3_scale(component(&w, 0), x->e[2]), -1,
                                        hol__dual3_scale(component(&w, 2), x->e[0]));
    hol__dual3 e3_rate = hol__dual3_add(hol__dual3_scale(component(&w, 1), x->e[0]), -1,
                                        hol__dual3_scale(component(&w, 0), x->e[1]));
    const hol__dual a = hol__dual3_dot(x->e[2], v1), b = hol__dual3_dot(x->e[1], v1);
    const hol__dual r1 = over(hol__dual3_dot(x->e[0], v1), x->n1);
    const hol__dual h_rate = add(hol__dual3_dot(v2, x->e[0]), 1, mul(x->n2, component(&w, 2)));
    const hol__dual r2 =
        over(add(hol__dual3_dot(x->e[1], v2), -1, over(mul(x->h, b), x->n1)), x->n2);
    const hol__dual da = add(hol__dual3_dot(e3_rate, v1), -1, mul(a, r1)),
                    db = add(hol__dual3_dot(e2_rate, v1), -1, mul(b, r1)),
                    dg = hol__dual3_dot(e3_rate, v2);
    /* n2 w1 = g - h a/n1 */
    const hol__dual inner = over(add(mul(h_rate, a), 1, mul(x->h, da)), x->n1);
    const hol__dual first = add(over(add(dg, -1, inner), x->n2), -1, mul(component(&w, 0), r2));
    const hol__dual second = over(da, x->n1);
    return gather(first, (hol__dual){-second.f, -second.d}, over(db, x->n1));
}

/* Components in the body frame of a vector along e. */
static hol__dual3 in_body(const hol__carried *b, hol__dual3 y) {
    hol__dual3 out;
    hol__mul3(b->E, y.f, out.f);
    hol__mul3(b->E, y.d, out.d);
    return out;
}

/* What a wrench does to the legs. */
static void pulls(const frame *x, hol__dual3 s, hol__carried_dual *out) {
    const hol__dual3 f = hol__dual3_still(out->f);
    const hol__dual3 fe =
        gather(hol__dual3_dot(x->e[0], f), hol__dual3_dot(x->e[1], f), hol__dual3_dot(x->e[2], f));
    double n[3];
    hol__mul3_t(out->carried->E, out->n, n);
    const hol__dual3 t = hol__dual3_add(hol__dual3_cross(s, fe), 1, hol__dual3_still(n));
    const hol__dual k3 = over(component(&t, 0), x->n2), k2 = over(component(&t, 2), x->n1);
    hol__dual k1 = over(add(component(&t, 1), 1, mul(k3, x->h)), x->n1);
    k1 = (hol__dual){-k1.f, -k1.d};
    out->pull[0] = hol__dual3_add(hol__dual3_scale(k1, x->e[2]), 1, hol__dual3_scale(k2, x->e[1]));
    out->pull[1] = hol__dual3_scale(k3, x->e[2]);
}

void hol__carried_dual3(hol__carried_dual *x) {
    const hol__carried *b = x->carried;
    const frame e = frame_of(x->d[0], x->d[1]);
    double arm[3];
    hol__mul3_t(b->E, b->s, arm);
    const hol__dual3 s = hol__dual3_still(arm);
    const hol__dual3 w = spin(&e, x->v[1], x->v[2]);
    const hol__dual3 alpha =
        hol__dual3_add(spin_bias(&e, x->v[1], x->v[2], w), 1, spin(&e, x->a[1], x->a[2]));
    const hol__dual3 ws = hol__dual3_cross(w, s);
    const hol__dual3 as = hol__dual3_add(hol__dual3_cross(alpha, s), 1, hol__dual3_cross(w, ws));
    const hol__dual3 turn = spin(&e, hol__dual3_still(x->d[0].d), hol__dual3_still(x->d[1].d));
    hol__mul3(b->E, turn.f, x->turn);
    x->reach = out_of(&e, s);
    x->V = hol__dual3_add(out_of(&e, ws), 1, x->v[0]);
    x->A = hol__dual3_add(out_of(&e, as), 1, x->a[0]);
    x->W = in_body(b, w);
    x->B = in_body(b, alpha);
    pulls(&e, s, x);
}
