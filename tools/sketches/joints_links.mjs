// joints_links.mjs: two points that keep their distance, and links without mass between joints at their ends.

import { add, badge, faint, free, note, one, plain, symbol, two } from './paper.mjs';
import { bar, barred, blob, callout, dimension } from './lines.mjs';
import { pin } from './parts.mjs';
import { add3, mul3, unit3, view } from './space.mjs';

export const section = 'joints';

// The ends of the link on the sheet, and in the space whose x and z the link lies in.
const P = [86, 132], Q = [232, 78], v = view({ origin: P }), here = [0, 0, 0], there = [168.6, 0, 96.6];
const along = unit3(there);

const bodies = () => [blob([58, 142], 44, 34, one), blob([260, 68], 42, 34, two), badge([40, 152], one), badge([280, 60], two)];
const names = () => [callout(P, 'from', [108, 174]), callout(Q, 'to', [206, 40], 'end')];
const length = (text, italic) => dimension(P, Q, -24, text, { italic, slide: [8, 2] });
const link = () => v.cylinder(here, there, 4.5, plain);

// What the link ends in.
const ball = (c) => v.sphere(c, 10, plain);
const hinge = (c, d) => {
    const n = unit3(d);
    return [v.axis(add3(c, mul3(n, -44)), add3(c, mul3(n, -15))),
        v.cylinder(add3(c, mul3(n, -15)), add3(c, mul3(n, 15)), 8, plain), v.axis(add3(c, mul3(n, 15)), add3(c, mul3(n, 58)))];
};
const cross = (c) => [v.cylinder(add3(c, [0, 18, 0]), add3(c, [0, -18, 0]), 4, plain),
    v.cylinder(add3(c, [0, 0, -18]), add3(c, [0, 0, 18]), 4, plain)];
const spin = (c, n, r, from = -140, to = 110) => v.turn(c, n, r, from, to, free);

export const sketches = {
    distance: {
        words: 'A rod without mass keeps the point from of the first body at the distance length from the point to of the '
            + 'second.',
        parts: () => [bodies(), bar(P, Q, plain, 5), pin(P), pin(Q), names(), length('length')],
    },
    spherical_spherical: {
        words: 'A link without mass, of length L, with a spherical joint at from on the first body and another at to on '
            + 'the second.',
        parts: () => [bodies(), link(), ball(here), ball(there), spin(mul3(along, 84), along, 13, -150, 110),
            symbol([152, 84], 'φ', free), names(), length('L', true)],
    },
    revolute_spherical: {
        words: 'A link without mass, of length L, that turns about axis in the point from of the first body and has a '
            + 'spherical joint at to on the second.',
        parts: () => {
            const n = [0.1, 0, 1];
            return [bodies(), link(), hinge(here, n), ball(there), spin(mul3(n, 32), n, 15),
                symbol(add(v.p(mul3(n, 32)), [25, 4]), 'φ', free),
                v.key(mul3(n, 54), [-7, 4], 'axis', 'end'), names(), length('L', true)];
        },
    },
    revolute_revolute: {
        words: 'A link without mass, of length L, that turns about axis in the point from of the first body and about '
            + 'axis_second in the point to of the second.',
        parts: () => {
            const n = [0.1, 0, 1], m = [-0.16, 0.1, 1], q = add3(there, mul3(m, 34));
            return [bodies(), link(), hinge(here, n), hinge(there, m), spin(mul3(n, 32), n, 15),
                symbol(add(v.p(mul3(n, 32)), [25, 4]), 'φ₁', free),
                v.key(mul3(n, 54), [-7, 4], 'axis', 'end'), spin(q, m, 15), symbol(add(v.p(q), [26, 4]), 'φ₂', free),
                v.key(add3(there, mul3(m, 52)), [-7, 4], 'axis_second', 'end'),
                callout(P, 'from', [108, 174]), callout(Q, 'to', [262, 112]),
                dimension(P, Q, -24, 'L', { italic: true, slide: [2, 2] })];
        },
    },
    universal_spherical: {
        words: 'A link without mass, of length L, with a universal joint at from on the first body and a spherical joint '
            + 'at to on the second; it does not spin about itself.',
        parts: () => [bodies(), link(), cross(here), ball(there), v.turn(mul3(along, 84), along, 13, -150, 110, faint),
            barred(v.p(mul3(along, 84)), 7), note([150, 76], 'no spin', 'middle', faint),
            names(), length('L', true)],
    },
};
