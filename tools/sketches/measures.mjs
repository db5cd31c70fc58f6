// measures.mjs: what is measured of bodies, joints and the whole motion.

import { add, at, axial, badge, faint, free, given, ink, key, load, mix, note, one, polar, samples, symbol,
    two } from './paper.mjs';
import { arrow, axes, axis, bar, blob, box, callout, dashed, dot, line, path, through, turn } from './lines.mjs';
import { bearing_on_ground, block, ground, pin, spring } from './parts.mjs';
import { view } from './space.mjs';

export const section = 'measures';

// A body with a point that runs along a path; `inside` draws the vectors at that point.
const runner = (p, inside) => [
    path(through([[84, 172], [108, 148], [150, 112], p, [252, 60], [300, 56]]), faint, 1, { 'stroke-dasharray': '4 3' }),
    blob([166, 128], 62, 40, two, 20), key([140, 146], 'body'), axes([26, 170], 32, 0, ['x', 'y']), inside,
    callout(p, 'at', [190, 118], 'middle'),
];
const components = (p, d, name, color) => {
    const q = add(p, d);
    return [dashed(p, [q[0], p[1]]), dashed([q[0], p[1]], q), arrow(p, q, color, { width: 2.2 }),
        symbol(add(q, [8, -2]), name, color, 'start')];
};

export const sketches = {
    position: {
        words: 'The components x, y (and z) of the place of the point at of a body, in the global frame.',
        parts: () => {
            const o = [52, 158], p = [214, 72];
            return [
                blob([234, 88], 60, 42, two, 12), key([262, 104], 'body'), axes(o, 48, 0, ['', '']),
                arrow(o, p, free, { width: 2 }), dashed(p, [p[0], o[1]]), dashed(p, [o[0], p[1]]),
                arrow([o[0], 176], [p[0], 176], free, { both: true, width: 1.2 }), symbol([134, 172], 'x', free),
                arrow([32, o[1]], [32, p[1]], free, { both: true, width: 1.2 }), symbol([22, 118], 'y', free),
                dot(o), callout(p, 'at', [196, 40], 'middle'), note([40, 174], 'O', 'middle'),
            ];
        },
    },
    velocity: {
        words: 'The components of the velocity v of the point at of a body: along its path.',
        parts: () => runner([200, 82], components([200, 82], [62, -32], 'v', free)),
    },
    acceleration: {
        words: 'The components of the acceleration a of the point at of a body: towards the inside of its path where it bends.',
        parts: () => runner([200, 82], [components([200, 82], [58, 26], 'a', given), dashed([200, 82], [262, 50])]),
    },
    momentum: {
        words: 'The components of the momentum p = m v of a body: along the path of its mass centre.',
        parts: () => {
            const c = [166, 118];
            return [path(through([[70, 168], [112, 138], c, [226, 104], [296, 102]]), faint, 1, { 'stroke-dasharray': '4 3' }),
                blob(c, 62, 40, two, 20), key([140, 142], 'body'), axes([26, 170], 32, 0, ['x', 'y']),
                components(c, [78, -22], 'p', free), dot(c)];
        },
    },
    angular_momentum: {
        words: 'The angular momentum L of a body about a point of space, about: that of its momentum p = m v and that of its '
            + 'own rotation ω.',
        parts: () => {
            const o = [62, 148], c = [206, 100];
            return [blob(c, 58, 38, two, 14), key([226, 130], 'body'), arrow(o, c, given, { width: 1.4 }),
                arrow(c, add(c, [30, -48]), free, { width: 2.2 }), symbol(add(c, [38, -48]), 'p', free, 'start'),
                turn(c, 22, 100, 185, free), symbol(add(c, [-26, -16]), 'ω', free), turn(o, 36, 60, 150, free),
                symbol([54, 100], 'L', free), dot(c), dot(o), callout(o, 'about', [84, 180], 'middle')];
        },
    },
    angle: {
        words: 'The angle of a body against another, relative_to, or against ground; in space about an axis.',
        parts: () => {
            const c = [64, 144], u = polar(c, 190, 8), w = polar(c, 160, 40);
            return [bar(c, u, one, 9), bar(c, w, two, 9), pin(c), axis(c, polar(c, 222, 8)), axis(c, polar(c, 188, 40)),
                turn(c, 108, 8, 40, free), symbol([177, 100], 'φ', free), key(add(mix(c, u, 0.74), [4, 28]), 'relative_to'),
                key(add(mix(c, w, 0.78), [-16, -10]), 'body', 'end'), dot(c),
                note([64, 180], 'axis: out of the sheet', 'middle', faint)];
        },
    },
    angular_velocity: {
        words: 'The components of the angular velocity ω of a body, in the global frame or in that of the body.',
        parts: () => {
            const v = view({ origin: [176, 112] }), d = [[0.9, 0.3, 0.316], [-0.28, 0.954, -0.1], [-0.33, 0.0, 0.944]],
                o = [0, 0, 0], w = [18, -10, 88];
            return [view({ origin: [44, 156] }).axes(o, 36, ['x', 'y', 'z'], axial), note([54, 186], 'global', 'middle', faint),
                v.block(o, [46, 34, 24], two, d), key(add(v.p([-26, -34, -10]), [0, 4]), 'body'), v.axis([-12, 7, -60], o),
                v.arrow(o, w, free, { width: 2.4 }), v.symbol(w, [12, 4], 'ω', free),
                v.turn([14, -8, 68], w, 18, -140, 110, free),
                v.axes([56, 10, 6], 34, ['x', 'y', 'z'], two.line, d), dot(v.p(o))];
        },
    },
    angular_acceleration: {
        words: 'The components of the angular acceleration ω′ of a body, in the global frame or as another body sees it.',
        parts: () => {
            const v = view({ origin: [176, 112] }), d = [[0.9, 0.3, 0.316], [-0.28, 0.954, -0.1], [-0.33, 0.0, 0.944]],
                o = [0, 0, 0], w = [10, -6, 74], a = [84, -40, 84];
            return [view({ origin: [44, 156] }).axes(o, 36, ['x', 'y', 'z'], axial), note([54, 186], 'in', 'middle', faint),
                v.block(o, [46, 34, 24], two, d), key(add(v.p([-26, -34, -10]), [0, 4]), 'body'),
                v.arrow(o, w, free, { width: 1.6 }), v.symbol(w, [-8, 0], 'ω', free),
                v.arrow(o, a, given, { width: 2.4 }), v.symbol(a, [12, 4], 'ω′', given), dot(v.p(o))];
        },
    },
    orientation: {
        words: 'The rotation from the global frame to that of a body, about the direction e by the angle θ, as a unit '
            + 'quaternion.',
        parts: () => {
            const v = view({ origin: [196, 104] }), d = [[0.72, 0.64, 0.27], [-0.6, 0.77, -0.22], [-0.35, 0.0, 0.937]],
                o = [0, 0, 0];
            return [view({ origin: [44, 138] }).axes(o, 44, ['x', 'y', 'z'], axial), note([62, 168], 'global', 'middle', faint),
                v.block([0, 0, 0], [42, 32, 20], two, d), v.axes(o, 76, ['x', 'y', 'z'], two.line, d),
                key(add(v.p([-30, -30, -12]), [-2, 6]), 'body'),
                v.axis(o, [34, -26, 92]), v.turn([20, -15, 54], [34, -26, 92], 20, -140, 110, free),
                v.symbol([34, -26, 92], [10, 4], 'e', ink), v.symbol([20, -15, 54], [28, 6], 'θ', free), dot(v.p(o)),
                symbol([190, 186], 'p = (cos θ/2, e sin θ/2)')];
        },
    },
    distance: {
        words: 'The length of the line from a point of the first body to a point of the second, or its rate.',
        parts: () => {
            const p = [92, 126], q = [228, 74];
            return [blob([64, 136], 46, 36, one), blob([256, 64], 44, 36, two), badge([46, 146], one), badge([276, 56], two),
                arrow(p, q, free, { both: true }), key([166, 86], 'length', 'end', free),
                arrow(add(q, [4, 22]), add(q, [38, 9]), free), key([252, 116], 'rate', 'middle', free),
                callout(p, 'from', [106, 162]), callout(q, 'to', [206, 46], 'end')];
        },
    },
    joint_coordinate: {
        words: 'The angle φ of a joint that turns, or the displacement s of one that slides, counted from the drawn '
            + 'position; or its rate.',
        parts: () => {
            const c = [50, 128];
            return [dashed(c, [142, 128]), bearing_on_ground(c, 0, one), bar(c, polar(c, 84, 40), two, 8), pin(c),
                turn(c, 50, 0, 40, free), symbol([110, 116], 'φ', free), badge(polar(c, 66, 40), two),
                callout(c, 'joint', [24, 100], 'middle'), key([82, 180], 'angle', 'middle', free),
                ground([184, 138], [304, 138]), box(188, 128, 112, 10, one, 2), box(236, 96, 46, 32, two, 3),
                line([206, 88], [206, 128], faint, 1, { 'stroke-dasharray': '4 3' }), line([259, 84], [259, 96], faint, 1),
                arrow([206, 84], [259, 84], free), symbol([232, 78], 's', free), badge([259, 112], two),
                note([202, 58], 'as drawn', 'middle', faint), line([206, 62], [206, 84], faint, 0.8),
                key([244, 180], 'displacement', 'middle', free)];
        },
    },
    reaction: {
        words: 'The force and the moment that the first body of a joint receives from it, at the joint; the second '
            + 'receives the opposite.',
        parts: () => {
            const c = [128, 106], d = [214, 78];
            return [bar(c, [30, 138], one, 12), bar(d, [300, 46], two, 12), pin(c, 5), pin(d, 5), dashed(c, d),
                badge([56, 129.5], one), badge([276, 55], two), arrow(c, [184, 106], load, { width: 2.4 }),
                symbol([192, 110], 'fx', load, 'start'), arrow(c, [128, 50], load, { width: 2.4 }),
                symbol([128, 44], 'fy', load), turn(c, 26, 200, 330, load, { width: 2.4 }), symbol([132, 148], 'mz', load),
                callout(c, 'joint', [86, 66], 'middle'), arrow(d, [214, 122], faint), arrow(d, [170, 78], faint),
                axes([28, 66], 28, 0, ['x', 'y']), note([214, 184], 'frame: global, or that of the joint', 'middle', faint)];
        },
    },
    load: {
        words: 'What a force does: the force on each body, the length of a spring, its rate, its tension, its power; what a '
            + 'driver takes; what a body weighs.',
        parts: () => {
            const p = [84, 122], q = [226, 82];
            return [blob([58, 132], 44, 36, one), blob([254, 72], 44, 36, two), badge([42, 144], one), badge([274, 64], two),
                spring(p, q, 9, 8), arrow(add(p, [-5, -18]), add(p, [43, -31]), load, { width: 2.4 }),
                arrow(add(q, [5, 18]), add(q, [-43, 31]), load, { width: 2.4 }), key([104, 76], 'force', 'middle', load),
                key([206, 134], 'on, in', 'middle', load), key([160, 178], 'quantity', 'middle'),
                note([160, 30], 'length, rate, tension, power, energy …', 'middle', faint)];
        },
    },
    multiplier: {
        words: 'The multiplier λ of one equation of a joint, row: what the equation exerts along its coordinate, with the sign '
            + 'of the equations of motion.',
        parts: () => {
            const c = [128, 106], d = [206, 88];
            return [bar(c, [30, 138], one, 12), bar(d, [300, 56], two, 12), pin(c, 5), pin(d, 5), dashed(c, [d[0], c[1]]),
                dashed([d[0], c[1]], d), badge([56, 129.5], one), badge([276, 64], two),
                arrow(c, [184, 106], load, { width: 2.4 }), symbol([190, 122], 'λ', load), note([160, 96], 'row 1', 'middle', faint),
                note([214, 104], 'row 2', 'start', faint), callout(c, 'joint', [86, 66], 'middle'),
                symbol([170, 176], "M v′ + Aᵀ λ = Q")];
        },
    },
    energy: {
        words: 'Over time: kinetic and potential energy, the work of what is not conservative, and the balance T + V − W, '
            + 'which does not change.',
        parts: () => {
            const o = [40, 148], w = 186, f = (g) => samples(0, 1, 48, (u) => [o[0] + u * w, o[1] - g(u)]),
                decay = (u) => Math.exp(-0.5 * u), T = (u) => 70 * decay(u) * Math.sin(9 * u) ** 2,
                V = (u) => 14 + 70 * decay(u) * Math.cos(9 * u) ** 2, W = (u) => T(u) + V(u) - 84;
            const curve = (g, color, dash) => path(`M${f(g).map(at).join('L')}`, color, 2, dash);
            return [arrow([40, 184], [40, 34], ink, { width: 1 }),
                arrow([o[0], o[1]], [o[0] + w + 16, o[1]], ink, { width: 1 }), symbol([o[0] + w + 10, o[1] + 15], 't'),
                curve(T, free), curve(V, given), curve(W, load), curve(() => 84, ink, { 'stroke-dasharray': '6 3' }),
                key([234, 68], 'balance', 'start'), key([234, 106], 'potential  V', 'start', given),
                key([234, 134], 'kinetic  T', 'start', free), key([234, 180], 'work  W', 'start', load),
                symbol([134, 54], 'T + V − W')];
        },
    },
    expression: {
        words: 'A value made of time, parameters and other measures becomes a column of the result.',
        parts: () => [
            block(20, 34, 84, 28, 'time t'), block(20, 86, 84, 28, 'parameters'), block(20, 138, 84, 28, 'measures'),
            block(146, 78, 72, 44, ['value', 'f( … )']),
            [48, 100, 152].map((y) => arrow([104, y], [146, 100 + (y - 100) * 0.2], ink, { width: 1.2 })),
            arrow([218, 100], [242, 100], ink, { width: 1.2 }),
            box(242, 62, 66, 76, { fill: '#fff', line: ink }, 0),
            [93, 108, 123].map((y) => line([242, y], [308, y], faint, 0.8)),
            box(242, 62, 66, 16, { fill: '#e3e7eb', line: ink }, 0), note([275, 73.5], 'name [unit]'),
            [88, 103, 118, 133].map((y, i) => note([275, y], ['0.137', '0.152', '0.171', '0.196'][i])),
        ],
    },
    variable: {
        words: 'A number keeps its value until an event sets another one: a line over the time with steps at the events.',
        parts: () => [
            arrow([30, 160], [300, 160], ink, { width: 1.2 }), note([296, 174], 't'),
            arrow([30, 160], [30, 30], ink, { width: 1.2 }), note([66, 124], 'value'),
            line([30, 130], [110, 130], ink, 2), line([110, 130], [110, 60], faint, 0.8),
            line([110, 60], [210, 60], ink, 2), line([210, 60], [210, 100], faint, 0.8),
            line([210, 100], [290, 100], ink, 2),
            note([110, 174], 'event'), note([210, 174], 'event'),
        ],
    },
};
