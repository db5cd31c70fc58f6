// forces.mjs: forces at points, and the springs, dampers and media between bodies.

import { add, badge, faint, free, ink, key, load, note, one, polar, symbol, two } from './paper.mjs';
import { arrow, axes, bar, blob, box, callout, circle, dashed, dimension, dot, graph, line, path, polyline, through,
    turn } from './lines.mjs';
import { actuator, bearing_on_ground, dashpot, ground, mass_centre, pin, spiral, spring } from './parts.mjs';

export const section = 'forces';

export const sketches = {
    force: {
        words: 'A force with given components acts at the point at of a body.',
        parts: () => {
            const p = [196, 82], q = [278, 40];
            return [
                axes([30, 168], 34, 0, ['x', 'y']), blob([136, 108], 76, 52, two), key([90, 140], 'body'),
                mass_centre([122, 112]), callout(p, 'at', [186, 124], 'middle'), dashed(p, [q[0], p[1]]),
                dashed([q[0], p[1]], q),
                arrow(p, q, load, { width: 2.4 }), key([224, 44], 'force', 'middle', load), symbol([244, 98], 'Fx', load),
                symbol([294, 66], 'Fy', load), dot(p),
                axes([74, 92], 24, 18, ['', ''], two.line),
                note([218, 184], 'frame: global, or that of the body', 'middle', faint),
            ];
        },
    },
    torque: {
        words: 'A torque acts on a body, and the opposite one on the body that is given as reaction.',
        parts: () => {
            const a = [92, 102], b = [230, 102];
            return [
                blob(a, 58, 50, one), blob(b, 58, 50, two), key([92, 106], 'reaction'), key([230, 106], 'body'),
                turn(b, 34, -60, 200, load, { width: 2.4 }), turn(a, 34, 240, -20, load, { width: 2.4 }),
                symbol([230, 40], 'T', load), symbol([92, 40], '−T', load),
                key([230, 178], 'torque', 'middle', load),
            ];
        },
    },
    spring: {
        words: 'A spring, a damper and an actuator side by side between the point from of the first body and the point to '
            + 'of the second; the force F is positive when it pulls them together.',
        parts: () => {
            const l = 88, r = 232, rows = [56, 96, 136];
            return [
                box(16, 40, 44, 112, one, 5), box(260, 40, 44, 112, two, 5), badge([36, 134], one), badge([284, 134], two),
                spring([l, rows[0]], [r, rows[0]], 9, 8), dashpot([l, rows[1]], [r, rows[1]], 8),
                actuator([l, rows[2]], [r, rows[2]], 7),
                polyline([[l, rows[0]], [l, rows[2]]], ink, 1.6), polyline([[r, rows[0]], [r, rows[2]]], ink, 1.6),
                line([60, 96], [l, 96], ink, 1.6), line([r, 96], [260, 96], ink, 1.6),
                key([160, 40], 'stiffness'), key([160, 81], 'damping'), key([160, 122], 'force'),
                callout([60, 96], 'from', [54, 72], 'end'), callout([260, 96], 'to', [272, 72], 'start'),
                dimension([60, 152], [260, 152], -14, 'length', { slide: [0, 4] }),
                arrow([62, 112], [84, 112], load, { width: 2.4 }), arrow([258, 112], [236, 112], load, { width: 2.4 }),
                symbol([74, 128], 'F', load), symbol([246, 128], 'F', load),
            ];
        },
    },
    axial_spring: {
        words: 'A spring with a damper along a direction, axis, that is fixed in the first body: what the point to does '
            + 'across it does not matter. The force acts at to on both bodies.',
        parts: () => {
            const p = [70, 132], q = [232, 74], foot = [70, 74];
            return [box(30, 132, 92, 34, one, 5), badge([46, 150], one), blob([258, 66], 42, 34, two), badge([276, 60], two),
                spring([62, 74], [62, 132], 6, 8), dashpot([82, 74], [82, 132], 7), line([56, 74], [88, 74], ink, 1.6),
                line([88, 74], q, faint, 1, { 'stroke-dasharray': '4 3' }),
                arrow([150, 166], [150, 118], free, { width: 2.2 }), key([164, 146], 'axis', 'start', free),
                arrow(q, [232, 112], load, { width: 2.4 }), symbol([242, 112], 'F', load, 'start'),
                dimension([36, 74], [36, 132], 10, 'x', { slide: [-8, 0] }), dot(foot),
                callout(p, 'from', [104, 182], 'start'), callout(q, 'to', [206, 46], 'end')];
        },
    },
    torsion: {
        words: 'A spiral spring, with a damper, in a joint: its torque T on the second body turns it back to free_angle.',
        parts: () => {
            const c = [124, 132], tip = polar(c, 128, 30), turns = 3.1;
            return [
                dashed(c, [292, 132]), dashed(c, polar(c, 116, 76), ink), bearing_on_ground(c, 0, one), bar(c, tip, two, 9),
                ground([62, 112], [62, 152]),
                spiral(c, 7, 36, turns, 180 - 360 * turns), line([88, 132], [62, 132], ink, 1.6), pin(c),
                badge(polar(c, 112, 30), two),
                turn(c, 92, 0, 30, free), symbol([226, 112], 'φ', free), turn(c, 62, 0, 76, ink, { width: 1 }),
                key([142, 42], 'free_angle', 'end'),
                turn(c, 112, 44, 66, load, { width: 2.4 }), symbol([204, 38], 'T', load),
                callout(c, 'joint', [176, 178], 'start'), key([66, 86], 'stiffness', 'middle'),
                note([66, 99], 'damping', 'middle'),
            ];
        },
    },
    bushing: {
        words: 'An elastic ring between two bodies: it resists displacements x, y and rotations of the second body '
            + 'against a frame at the point at of the first.',
        parts: () => {
            const c = [94, 96], d = [102, 88];
            return [
                circle(c, 78, one), circle(c, 64, { fill: '#eceff2', line: one.line }), circle(d, 26, two),
                spring(add(d, [26, 0]), [c[0] + 63, d[1]], 4, 6), spring(add(d, [-26, 0]), [c[0] - 63, d[1]], 4, 6),
                spring(add(d, [0, -26]), [d[0], c[1] - 63], 3, 6), spring(add(d, [0, 26]), [d[0], c[1] + 63], 4, 6),
                axes(c, 26, 0, ['', '']), line(c, d, free, 1.8), dot(c), dot(d), callout(c, 'at', [20, 186], 'middle'),
                callout(d, 'at_second', [186, 34]),
                badge(polar(c, 71, 225), one), badge([96, 72], two), turn(d, 33, 20, 70, free), symbol([139, 66], 'φ', free),
                symbol([186, 72], 'K', ink, 'start'), key([204, 72], 'stiffness', 'start'),
                symbol([186, 90], 'C', ink, 'start'), key([204, 90], 'damping', 'start'), symbol([186, 108], 'h', ink, 'start'),
                key([204, 108], 'force, torque', 'start'), symbol([186, 138], 'f = −K x − C x′ − h', load, 'start'),
                note([186, 160], 'x: displacement and', 'start', free),
                note([186, 172], 'rotation of the frames', 'start', free),
            ];
        },
    },
    bump_stop: {
        words: 'A stop between two points pushes them apart with N once their distance l is below length; above it '
            + 'nothing acts. With acts: above it is a rope that pulls.',
        parts: () => {
            const push = [[0, 0.95], [0.28, 0.4], [0.5, 0], [1, 0]], pull = [[0.5, 0], [0.8, 0.42], [1, 0.85]], o = [196, 132];
            for (const list of [push, pull]) list.smooth = false;
            return [
                ground([20, 164], [132, 164]), box(34, 148, 84, 16, one, 3),
                path('M60 148C60 128 66 114 76 114S92 128 92 148Z', ink, 1.4, { fill: '#dfe4e8' }), box(34, 56, 84, 34, two, 3),
                dot([76, 148]), dot([76, 90]), key([98, 142], 'from', 'start'), key([84, 102], 'to', 'start'),
                dimension([34, 148], [34, 90], 8, 'l', { italic: true, slide: [0, 0] }), badge([106, 156], one),
                badge([100, 73], two),
                arrow([76, 52], [76, 24], load, { width: 2.4 }), symbol([88, 34], 'N', load), arrow([52, 30], [52, 54], free),
                symbol([42, 46], 'v', free),
                graph(o, 92, 84, push, ['l', 'N'], load),
                path(`M${o[0] + 46} ${o[1]}L${o[0] + 92} ${o[1] - 71}`, load, 1.4, { 'stroke-dasharray': '4 3' }),
                line([o[0] + 46, o[1] - 4], [o[0] + 46, o[1] + 4], ink),
                key([o[0] + 46, o[1] + 18], 'length'), note([o[0] + 18, o[1] - 96], 'acts: below', 'start', load),
                note([o[0] + 72, o[1] - 78], 'above', 'middle', load), key([o[0] + 49, o[1] - 52], 'stiffness', 'middle'),
                note([o[0] + 46, 174], 'damping, depth', 'middle'),
            ];
        },
    },
    limit: {
        words: 'Two elastic stops hold the angle (or the displacement) of a joint between lower and upper; at the upper '
            + 'one the force N turns it back.',
        parts: () => {
            const c = [126, 122], high = 116, low = -22;
            const stop = (deg, sign) => {
                const n = polar([0, 0], 1, deg + 90 * sign), q = (u, w) => add(polar(c, u, deg), [n[0] * w, n[1] * w]);
                return [ground(q(90 - 16 * sign, 28), q(90 + 16 * sign, 28)), spring(q(90, 11), q(90, 28), 3, 7),
                    line(q(80, 11), q(100, 11), ink, 3)];
            };
            return [
                dashed(c, polar(c, 150, 0)), dashed(c, polar(c, 116, high)), dashed(c, polar(c, 124, low)), stop(high, 1),
                stop(low, -1), bearing_on_ground(c, 0, one), bar(c, polar(c, 108, 50), two, 9), pin(c),
                badge(polar(c, 88, 50), two),
                turn(c, 42, 0, high, ink, { width: 1 }), key([118, 70], 'upper', 'start'),
                turn(c, 64, 0, low, ink, { width: 1 }), key([146, 162], 'lower', 'start'), turn(c, 72, 0, 50, free),
                symbol([202, 98], 'x', free), callout(c, 'joint', [74, 150], 'end'),
                turn(c, 104, high - 2, high - 18, load, { width: 2.4 }), symbol([104, 14], 'N', load),
                note([22, 76], 'stiffness,', 'start'), note([22, 88], 'damping', 'start'),
                note([266, 116], '0 as drawn', 'middle', faint),
            ];
        },
    },
    drag: {
        words: 'A medium slows a body: the force F acts at the point at against the velocity u of that point relative to '
            + 'the wind, a torque against its rotation.',
        parts: () => {
            const c = [164, 104],
                stream = (y,
                b) => path(through([[304, y], [250, y + b * 0.1], [206, y + b], [164, y + b * 1.25], [120, y + b],
                [84, y + b * 0.3], [26, y]]), faint, 1);
            return [
                stream(42, -8), stream(68, -16), stream(146, 18), stream(172, 8),
                arrow([36, 42], [22, 42], faint, { width: 1 }), arrow([36, 172], [22, 172], faint, { width: 1 }),
                key([290, 32], 'wind', 'middle', faint),
                blob(c, 44, 32, two), dot(c), arrow(c, [252, 104], free), symbol([262, 108], 'u', free),
                arrow(c, [66, 104], load, { width: 2.4 }), symbol([58, 96], 'F', load), callout(c, 'at', [148, 124], 'end'),
                key([182, 94], 'body'),
                turn(c, 58, 40, 68, free), symbol([216, 60], 'ω', free), turn(c, 58, -42, -70, load, { width: 2.4 }),
                symbol([212, 160], 'T', load), note([50, 122], 'linear,', 'middle', load),
                note([50, 134], 'quadratic', 'middle', load),
            ];
        },
    },
};
