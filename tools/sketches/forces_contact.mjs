// forces_contact.mjs: contact with roads, planes and spheres, and friction in joints.

import { add, at, badge, bearing, faint, free, ink, key, load, note, one, polar, samples, symbol, two } from './paper.mjs';
import { arc, arrow, axis, turn, box, callout, circle, dashed, dimension, dot, line, path, ring, shape,
    through } from './lines.mjs';
import { dashpot, ground, spring } from './parts.mjs';

export const section = 'forces';

// Friction over speed: the peak at rest, the fall over the Stribeck speed, the viscous rise.
const stribeck = (v) => (0.55 + 0.38 * Math.exp(-((v / 0.24) ** 2))) * Math.tanh(v / 0.035) + 0.16 * v;

export const sketches = {
    friction: {
        words: 'Friction in a joint acts against its rate v: level_static at rest, falling to level over stribeck_speed, '
            + 'with a viscous part that rises with the speed.',
        parts: () => {
            const o = [206, 104], w = 84, h = 62, curve = samples(-1, 1, 64, (v) => [o[0] + v * w, o[1] - h * stribeck(v)]);
            return [
                ground([14, 130], [112, 130]), box(30, 92, 64, 38, two, 3), badge([62, 104], two), badge([102, 142], one),
                arrow([66, 74], [102, 74], free), symbol([84, 68], 'v', free),
                arrow([58, 124], [16, 124], load, { width: 2.4 }), symbol([20, 116], 'F', load),
                arrow([o[0], 172], [o[0], 26], ink, { width: 1 }),
                arrow([o[0] - w, o[1]], [o[0] + w + 10, o[1]], ink, { width: 1 }), symbol([o[0] + w + 8, o[1] - 7], 'v'),
                symbol([o[0] - 8, 34], 'F'), path(`M${curve.map(at).join('L')}`, load, 2),
                dashed([o[0] - 4, o[1] - h * 0.93], [o[0] + 40, o[1] - h * 0.93]),
                key([o[0] + 16, o[1] - h * 0.93 - 5], 'level_static', 'start'),
                dashed([o[0] - 4, o[1] - h * 0.55], [o[0] + w, o[1] - h * 0.55]),
                key([o[0] + 32, o[1] - h * 0.55 + 14], 'level', 'start'),
                line([o[0] + 20, o[1] - 3], [o[0] + 20, o[1] + 3], ink), key([o[0] + 16, o[1] + 16], 'stribeck_speed', 'start'),
                note([o[0] + 82, o[1] - h * 0.76], 'viscous', 'middle', load), note([62, 164], 'in a joint:', 'middle', faint),
                note([62, 176], 'force or torque', 'middle', faint),
            ];
        },
    },
    rolling_resistance: {
        words: 'A disk or a sphere that rolls under a load N: the plane answers ahead of the centre, by arm, so that the moment M acts '
            + 'against rolling; where it slips, friction acts against slipping.',
        parts: () => {
            const y = 146, c = [146, 90], r = 56, ahead = c[0] + 22;
            return [
                circle(c, r, two), ground([24, y], [296, y]), badge([118, 70], two), badge([44, y - 12], one),
                dashed(c, [c[0], y]), dot(c),
                arrow([c[0], 30], [c[0], 84], load, { width: 2.4 }), key([c[0] + 8, 26], 'load  N', 'start', load),
                arrow([ahead, 186], [ahead, y + 2], load, { width: 2.4 }), symbol([ahead + 12, 182], 'N', load),
                dimension([c[0], y - 2], [ahead, y - 2], 14, 'arm', { slide: [32, 10] }),
                turn(c, 34, 220, 320, load, { width: 2.4 }), symbol([108, 112], 'M', load), turn(c, 66, 60, 30, free),
                symbol([204, 38], 'ω', free),
                arrow([212, 90], [272, 90], free), symbol([280, 94], 'v', free), arrow([138, y + 12], [86, y + 12], load),
                note([80, y + 24], 'friction, with slip', 'middle', load),
            ];
        },
    },
    tyre: {
        words: 'A tyre about center, with a radius, on a road whose height is an expression of x: a spring and a damper '
            + 'along the normal push with N while the tyre is pressed in by p.',
        parts: () => {
            const road = (x) => 150 - 14 * Math.sin((x - 30) / 34) - 0.04 * x, c = [150, 88], r = 60;
            const line_of = samples(14, 306, 40, (x) => [x, road(x)]),
                foot = line_of.reduce((b, p) => (Math.hypot(p[0] - c[0], p[1] - c[1]) < Math.hypot(b[0] - c[0], b[1] - c[1]) ? p
                : b));
            const e = [foot[0] - c[0], foot[1] - c[1]], d = Math.hypot(...e), n = [e[0] / d, e[1] / d], t = [-n[1], n[0]],
                on = (u, w) => [c[0] + n[0] * u + t[0] * w, c[1] + n[1] * u + t[1] * w];
            return [
                ring(c, r, '#b9c2ca', 8), ring(c, r + 4, ink, 1.2), ring(c, r - 4, faint, 1),
                shape(`M14 186L${line_of.map(at).join('L')}L306 186Z`, { fill: '#e6eaee', line: 'none' }),
                path(through(line_of), ink, 2),
                arc(c, r + 4, bearing(c, foot) - 24, bearing(c, foot) + 24, ink, 1, { 'stroke-dasharray': '3 3' }),
                symbol(add(on(d + 9, 24), [-2, 8]), 'p'),
                circle(c, 9, two), spring(on(8, 9), on(d - 1, 9), 5, 5), dashpot(on(8, -9), on(d - 1, -9), 5), dot(c),
                callout(c, 'center', [58, 66], 'end'), line(c, polar(c, r + 4, 38), ink, 0.9),
                key([196, 66], 'radius', 'start'),
                arrow(on(d + 42, 0), on(d + 3, 0), load, { width: 2.4 }), symbol(add(on(d + 34, 0), [14, 4]), 'N', load),
                key([258, 174], 'road: f(x)'), callout(polar(c, 9, 70), 'body', [176, 20], 'start'),
                note([54, 98], 'stiffness,'), note([54, 110], 'damping'), line([80, 100], on(30, 3), faint, 0.8),
            ];
        },
    },
    contact: {
        words: 'Two shapes on two bodies touch: at every corner of the region in which they lie on each other they are pressed '
            + 'into each other by p and push with N, with friction across it.',
        parts: () => {
            const y = 132;
            return [
                box(96, 60, 110, y - 52, two, 3), box(20, y, 190, 46, { ...one, fill: '#cfe0f1cc' }, 3),
                line([20, y], [210, y], one.line, 2), dashed([96, y + 8], [236, y + 8]), dashed([210, y], [236, y]),
                dimension([228, y], [228, y + 8], 0, 'p', { italic: true, slide: [13, 0] }),
                arrow([100, y + 42], [100, y + 10], load, { width: 2.4 }), symbol([114, y + 36], 'N', load),
                arrow([204, y + 42], [204, y + 10], load, { width: 2.4 }), symbol([192, y + 36], 'N', load),
                arrow([98, y - 5], [58, y - 5], load, { width: 2.4 }), key([56, 118], 'friction', 'middle', load),
                arrow([216, 92], [254, 92], free), symbol([248, 84], 'v', free),
                badge([44, 164], one), badge([151, 92], two), key([151, 48], 'shapes'),
                circle([282, 62], 18, two), ring([282, 62], 18, two.line, 1), note([282, 96], 'sphere'),
                line([266, 122], [298, 122], two.line, 16, { 'stroke-linecap': 'round' }), note([282, 146], 'capsule'),
                shape('M268 182L280 160L298 168L294 184Z', { fill: two.fill, line: two.line }), note([254, 178], 'hull'),
            ];
        },
    },
    contact_plane: {
        words: 'A sphere of a radius about point touches a plane with a normal: pressed in by p, it gets the force N '
            + 'along the normal and friction along the plane.',
        parts: () => {
            const y = 136, c = [170, 96], r = 48;
            return [
                circle(c, r, two), box(20, y, 280, 44, { ...one, fill: '#cfe0f1' }, 3),
                path(`M${170 - 26.5} ${y}A${r} ${r} 0 0 0 ${170 + 26.5} ${y}`, two.line, 1.2, { 'stroke-dasharray': '4 3' }),
                line([20, y], [300, y], one.line, 2),
                callout(c, 'point', [226, 40], 'start'), line(c, polar(c, r, 150), ink, 0.9), key([140, 74], 'radius'),
                dimension([236, y], [236, y + 8], 0, 'p', { italic: true, slide: [13, 0] }), dashed([170, y + 8], [250, y + 8]),
                callout([58, y], 'plane', [42, 160], 'start'), arrow([58, y], [58, 88], ink, { width: 1.2 }),
                key([58, 80], 'normal'), arrow([170, y + 40], [170, y + 9], load, { width: 2.4 }),
                symbol([182, y + 34], 'N', load), arrow([168, y - 3], [112, y - 3], load, { width: 2.4 }),
                key([104, 126], 'friction', 'middle', load),
                arrow([186, 96], [262, 96], free), symbol([256, 88], 'v', free), badge([284, 166], one), badge([170, 64], two),
            ];
        },
    },
    contact_spheres: {
        words: 'Two spheres about from and to touch: where they overlap by p, they push each other apart with N along the '
            + 'line of centres, with friction across it.',
        parts: () => {
            const a = [112, 112], b = [204, 82], ra = 56, rb = 46, d = Math.hypot(92, 30), e = [92 / d, -30 / d],
                n = [e[1], -e[0]], on = (u, w = 0) => [a[0] + e[0] * u + n[0] * w, a[1] + e[1] * u + n[1] * w];
            return [
                circle(a, ra, one), circle(b, rb, { ...two, fill: '#f7e1bacc' }),
                ring(a, ra, one.line, 1.2, { 'stroke-dasharray': '4 3' }), axis(on(-76), on(d + 74)),
                line(a, polar(a, ra, 255), ink, 0.9), line(b, polar(b, rb, 62), ink, 0.9),
                line(polar(a, ra * 0.65, 255), [126, 179], faint, 0.8), key([129, 186], 'radius_from', 'start'),
                line(polar(b, rb * 0.65, 62), [252, 36], faint, 0.8), key([246, 30], 'radius_to', 'start'),
                callout(a, 'from', [44, 52], 'middle'), callout(b, 'to', [236, 142], 'start'),
                dimension(on(d - rb, 0), on(ra, 0), 66, 'p', { italic: true, slide: [16, -2] }),
                arrow(on(ra + 4), on(ra + 40), load, { width: 2.4 }),
                arrow(on(d - rb - 4), on(d - rb - 40), load, { width: 2.4 }), symbol(add(on(ra + 26, 0), [2, 16]), 'N', load),
                symbol(add(on(d - rb - 30, 0), [4, 16]), 'N', load), badge(on(-36, 0), one), badge(on(d + 30, 0), two),
                dashed(on((ra + d - rb) / 2, -70), on((ra + d - rb) / 2, 52)),
            ];
        },
    },
};
