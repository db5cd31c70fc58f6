// joints_directions.mjs: joints that hold directions of two bodies, but not their places.

import { badge, faint, free, ink, note, one, symbol, two } from './paper.mjs';
import { add3, mul3, unit3, view } from './space.mjs';

export const section = 'joints';

const Z = [0, 0, 1];

// The free translations of the second body.
const moves = (v) => v.axes([0, 0, 0], 28, ['x', 'y', 'z'], free);

// Two boxes apart from each other, with a direction on each.
function pair(first, second, name = 'axis_second') {
    const v = view({ origin: [142, 116] }), w = view({ origin: [268, 176] }), a = unit3(first), b = unit3(second),
        p = [-72, -30, 0], q = [66, 8, 0];
    const tip = (o, d, r) => add3(o, mul3(d, r));
    return {
        v, a, b, p, q,
        bodies: [
            v.block(p, [28, 24, 18], one), v.block(q, [28, 24, 18], two), badge(v.p(add3(p, [0, -24, 0])), one),
            badge(v.p(add3(q, [0, -24, 0])), two),
            v.arrow(tip(p, a, 0), tip(p, a, 92), ink), v.axis(tip(p, a, 92), tip(p, a, 104)),
            v.key(tip(p, a, 84), [-8, 2], 'axis', 'end'),
            v.arrow(tip(q, b, 0), tip(q, b, 92), ink),
            v.key(tip(q, b, 92), b[2] > 0.9 ? [8, 6] : b[2] > 0.1 ? [0, -8] : [20, 20], name, b[2] > 0.9 ? 'start'
            : b[2] > 0.1 ? 'middle' : 'end'), v.dot(p), v.dot(q),
        ],
        moves: moves(w),
    };
}

export const sketches = {
    parallel_axes: {
        words: 'A direction of the second body stays parallel to a direction of the first; the body moves freely and '
            + 'turns by φ about it.',
        parts: () => {
            const { v, a, q, p, bodies, moves: xyz } = pair(Z, Z);
            return [bodies, xyz, v.turn(add3(q, mul3(a, 52)), a, 17, -140, 110, free),
                v.symbol(add3(q, mul3(a, 52)), [-26, 4], 'φ', free),
                v.dashed(add3(p, [0, 0, 70]), add3(q, [0, 0, 70])),
                v.symbol(add3(mul3(add3(p, q), 0.5), [0, 0, 70]), [0, 4], '∥', ink)];
        },
    },
    perpendicular_axes: {
        words: 'A direction of the second body stays perpendicular to a direction of the first; all else is free.',
        parts: () => {
            const { v, a, b, q, bodies, moves: xyz } = pair(Z, [0.55, 0.83, 0]);
            return [bodies, xyz, v.dashed(q, add3(q, mul3(a, 84)), ink), v.square_mark(q, a, b, 34),
                note(v.p(add3(q, [0, 0, 92])), 'parallel to axis', 'middle', faint)];
        },
    },
    constant_angle: {
        words: 'A direction of the second body keeps an angle to a direction of the first: it stays on a cone about it.',
        parts: () => {
            const { v, a, b, q, bodies, moves: xyz } = pair(Z, [0.5, 0.35, 0.8]), c = unit3(b)[2] * 74,
                r = 74 * Math.sqrt(1 - unit3(b)[2] ** 2);
            const sweep = Array.from({ length: 13 }, (_, i) => unit3(add3(mul3(a, 1 - i / 12), mul3(b, i / 12))));
            return [
                v.arc(add3(q, [0, 0, c]), Z, r, 0, 360, faint, 1, { 'stroke-dasharray': '4 3' }), bodies, xyz,
                v.dashed(q, add3(q, mul3(a, 96)), ink),
                v.polyline(sweep.map((d) => add3(q, mul3(d, 44))), ink, 1.2),
                v.key(add3(q, mul3(a, 44)), [-6, 0], 'angle', 'end'),
            ];
        },
    },
    same_orientation: {
        words: 'The second body moves freely in all directions but keeps its orientation against the first.',
        parts: () => {
            const v = view({ origin: [140, 116] }), p = [-62, -24, -16], q = [54, 20, 6];
            return [
                v.block(p, [30, 24, 20], one), v.block(q, [30, 24, 20], two), v.axes(add3(p, [0, 0, 20]), 44),
                v.axes(add3(q, [0, 0, 20]), 44),
                badge(v.p(add3(p, [0, -24, 0])), one), badge(v.p(add3(q, [0, -24, 0])), two),
                moves(view({ origin: [262, 156] })),
                note([160, 188], 'the axes of both frames keep their directions', 'middle', faint),
            ];
        },
    },
};
