// joints_rolling.mjs: constraints on velocities where bodies roll or glide on a plane.

import { add, badge, faint, free, ink, key, note, one, plain, polar, two } from './paper.mjs';
import { arrow, axis, barred, callout, line, plate } from './lines.mjs';
import { add3, mul3, unit3, view } from './space.mjs';

export const section = 'joints';

const X = [1, 0, 0], Z = [0, 0, 1];

// A plane of the first body with its normal.
const floor = (v, o, shift = [-26, 26], mark = [96, -50, 0]) => [v.block([0, 0, -4], [116, 70, 4], one),
    v.callout(o, 'plane', add(v.p(o), shift), 'middle'), v.arrow(o, add3(o, [0, 0, 62]), ink, { width: 1.2 }),
    v.key(add3(o, [0, 0, 62]), [0, -5], 'normal'), badge(v.p(mark), one)];
const stage = () => view({ origin: [158, 126], azimuth: -58, height: 27 });

export const sketches = {
    rolling_disk: {
        words: 'A thin disk of a radius about center rolls on a plane with a normal: its lowest point X has no velocity '
            + 'against the plane.',
        parts: () => {
            const v = stage(), a = unit3([-0.38, -0.9, 0.2]), r = 46, u = unit3([-a[0] * a[2], -a[1] * a[2], 1 - a[2] * a[2]]),
                c = mul3(u, r), d = unit3([0.9, -0.38, 0]);
            return [
                floor(v, [74, 40, 0], [28, 20], [-96, -16, 0]), v.cylinder(add3(c, mul3(a, -4)), add3(c, mul3(a, 4)), r, two),
                v.line(add3(c, mul3(a, 4)), [0, 0, 0], ink, 0.9),
                v.axis(add3(c, mul3(a, 4)), add3(c, mul3(a, 84))), v.key(add3(c, mul3(a, 84)), [-4, -4], 'axis', 'end'),
                v.callout(add3(c, mul3(a, 4)), 'center', [92, 34], 'end'), v.key(mul3(c, 0.5), [6, 4], 'radius', 'start'),
                badge(v.p(add3(c, mul3(u, 28))), two),
                v.arrow(mul3(d, 22), mul3(d, 84), free), v.symbol(mul3(d, 52), [10, 0], 'v = r ω', free, 'start'),
                v.dot([0, 0, 0], ink, 3), v.callout([0, 0, 0], 'X', [128, 182], 'middle'),
                v.turn(add3(c, mul3(a, 44)), a, 14, 150, -110, free), v.symbol(add3(c, mul3(a, 44)), [-6, 28], 'ω', free),
            ];
        },
    },
    rolling_sphere: {
        words: 'A sphere of a radius about center rolls on a plane with a normal: its lowest point X has no velocity '
            + 'against the plane. It may spin about the normal.',
        parts: () => {
            const v = stage(), r = 38, c = [0, 0, r];
            return [
                floor(v, [-84, -8, 0]), v.sphere(c, r, two), v.dashed(c, [0, 0, 0], ink), v.callout(c, 'center', [222, 52]),
                v.key([0, 0, r / 2], [6, 4], 'radius', 'start'), badge(v.p([-18, 0, r + 8]), two),
                v.arrow([46, 0, 0], [100, 0, 0], free), v.symbol([100, 0, 0], [0, -8], 'v', free), v.dot([0, 0, 0], ink, 3),
                v.callout([0, 0, 0], 'X', [146, 186], 'middle'),
                v.axis([0, 0, 2 * r], [0, 0, 2 * r + 34]), v.turn([0, 0, 2 * r + 14], Z, 17, -140, 110, free),
                v.key([0, 0, 2 * r + 14], [24, 4], 'spin', 'start', free),
            ];
        },
    },
    wheel: {
        words: 'Seen from above: a wheel without mass on a carrier, the second body. Its centre moves forward but not '
            + 'along its axis.',
        parts: () => {
            const c = [112, 100], f = 24,
                p = (u, w) => add(polar(c, u, f), [polar([0, 0], w, f + 90)[0], polar([0, 0], w, f + 90)[1]]);
            return [
                plate([p(-30, 34), p(118, 34), p(142, 14), p(142, -14), p(118, -34), p(-30, -34)], two), badge(p(112, 0), two),
                axis(p(0, -88), p(0, 84)), key(add(p(0, 84), [6, 6]), 'axis', 'start'),
                plate([p(-26, 9), p(26, 9), p(26, -9), p(-26, -9)], plain),
                [-18, -9, 0, 9, 18].map((u) => line(p(u, 9), p(u, -9), faint, 0.9)),
                arrow(p(0, 0), p(72, 0), free), key(add(p(72, 0), [-4, -12]), 'speed', 'middle', free),
                arrow(p(0, -12), p(0, -58), faint), arrow(p(0, 12), p(0, 58), faint), barred(p(0, -40), 6), barred(p(0, 40), 6),
                callout(c, 'center', [44, 62], 'middle'), note([250, 180], 'seen from above', 'middle', faint),
                note([70, 184], 'no slip along the axis', 'middle', faint),
            ];
        },
    },
    knife_edge: {
        words: 'A skate, the second body, on a plane with a normal: its point at moves along axis, the direction of the '
            + 'blade, and not across it; it turns freely.',
        parts: () => {
            const v = stage(), d = unit3([0.97, -0.25, 0]), l = unit3([0.25, 0.97, 0]),
                on = (u, w) => add3(mul3(d, u), [0, 0, w]);
            return [
                floor(v, [-88, -8, 0], [-26, 26], [60, 60, 0]), v.axis(on(-62, 0), on(106, 0)),
                v.key(on(96, 0), [10, -6], 'axis', 'start'),
                v.arrow([0, 0, 0], mul3(l, 88), faint), v.arrow([0, 0, 0], mul3(l, -56), faint), barred(v.p(mul3(l, 72)), 5),
                barred(v.p(mul3(l, -36)), 5),
                v.face([on(-40, 0), on(34, 0), on(46, 9), on(46, 22), on(-44, 22), on(-44, 4)], two),
                v.line(on(-40, 0), on(34, 0), two.line, 3), v.block(add3(on(0, 28)), [46, 11, 6], two, [d, l, Z]),
                v.arrow(on(50, 0), on(92, 0), free), v.symbol(on(80, 0), [-8, 12], 'v', free),
                v.turn([0, 0, 52], Z, 20, -140, 110, free), v.axis([0, 0, 34], [0, 0, 78]),
                v.symbol([0, 0, 52], [-30, 4], 'φ', free),
                v.callout([0, 0, 0], 'at', [146, 188], 'middle'), badge(v.p(on(-20, 11)), two),
            ];
        },
    },
};
