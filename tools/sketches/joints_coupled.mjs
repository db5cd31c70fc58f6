// joints_coupled.mjs: coordinates of joints that are coupled or prescribed: gears, belts, curves, drivers.

import { add, at, axial, badge, bearing, faint, free, given, ink, key, mix, note, one, plain, polar, samples, symbol,
    two } from './paper.mjs';
import { arc, arrow, axes, axis, bar, box, callout, circle, closed, dashed, dot, graph, line, path, plate, polyline, shape,
    through, turn } from './lines.mjs';
import { block, gear, ground, machine, pin, pitch_circle, rack, ring_gear, rocker } from './parts.mjs';

export const section = 'joints';

// The law of time of a driver, in a small graph.
const wave = samples(0, 1, 24, (u) => [u, 0.5 + 0.4 * Math.sin(6.5 * u) * (1 - 0.3 * u)]);
const law = (p, name, w = 62, h = 36) => graph(p, w, h, wave, ['t', name], given);

// The outline of a cam: an eccentric with a nose.
const lift = (c, r, e, deg) => samples(0, 352, 44,
    (a) => polar(c, r + e * Math.exp(-(((((a - 90 + 540) % 360) - 180) / 52) ** 2)), a + deg));

// How high the centre of a roller of radius r stands above x on a cam.
function resting(cam, x, r) {
    let y = 0;
    while (cam.every((p) => Math.hypot(p[0] - x, p[1] - y) > r)) y += 0.1;
    return y;
}

// The two straight parts of a belt over circles.
function belt_lines(a, ra, b, rb, crossed) {
    const d = Math.hypot(b[0] - a[0], b[1] - a[1]), base = (Math.atan2(a[1] - b[1], b[0] - a[0]) * 180) / Math.PI;
    const w = (Math.acos((ra + (crossed ? rb : -rb)) / d) * 180) / Math.PI;
    return [w, -w].map((s) => [polar(a, ra, base + s), polar(b, rb, crossed ? base + s + 180 : base + s)]);
}

// Two rockers whose coordinates, or rates, named p and q, enter the block.
function coupled(p, q, words, angles) {
    const a = [66, 146], b = [214, 146], u = polar(a, 88, 116), v = polar(b, 88, 58);
    return [
        dashed(a, [122, 146]), dashed(b, [270, 146]), rocker(a, u, one), rocker(b, v, two), badge(mix(a, u, 0.78), one),
        badge(mix(b, v, 0.78), two),
        angles ? [turn(a, 36, 0, 116, free), turn(b, 40, 0, 58, free)]
        : [turn(a, 46, 44, 106, free), turn(b, 52, 14, 49, free)],
        symbol([angles ? 104 : 106, 112], p, free), symbol([angles ? 264 : 270, 124], q, free),
        block(92, 20, 128, 40, words), arrow([110, 98], [110, 60], ink, { width: 1 }),
        polyline([[282, 120], [290, 120], [290, 40], [230, 40]], ink, 1), arrow([240, 40], [220, 40], ink, { width: 1 }),
    ];
}

export const sketches = {
    gear: {
        words: 'Two gear wheels in mesh, turning in two joints on a carrier; the pitch circles roll on each other. Small: '
            + 'a pair with inner teeth and a pair of bevel gears.',
        parts: () => {
            const a = [58, 96], b = [150, 96], ra = 32, rb = 60, r = [252, 50], n = 16, m = 30;
            return [
                bar(a, b, { ...plain, fill: '#eef1f4' }, 11), gear(a, ra, n, one, 0), gear(b, rb, m, two, 6),
                pitch_circle(a, ra), pitch_circle(b, rb), line(a, polar(a, ra, 112), ink, 0.9),
                line(b, polar(b, rb, 62), ink, 0.9), pin(a), pin(b),
                symbol([44, 82], 'r₁'), symbol([158, 62], 'r₂'), turn(a, 15, -160, -20, free), symbol([58, 123], 'φ₁', free),
                turn(b, 36, -40, -120, free), symbol([150, 147], 'φ₂', free),
                badge([77, 83], one), badge([186, 100], two), note([104, 180], 'external', 'middle', faint),
                line(a, [84, 27], faint, 0.8), line(b, [100, 27], faint, 0.8), key([92, 24], 'joints'),
                ring_gear(r, 28, 36, 26, two, 0, 2.4), gear([r[0] - 12.9, r[1]], 15.1, 14, one, 0, 2.4), pin(r, 3),
                pin([r[0] - 12.9, r[1]], 3), note([252, 100], 'internal', 'middle', faint),
                axis([224, 144], [306, 144]), axis([262, 176], [262, 112]),
                plate([[236, 118], [246, 128], [246, 160], [236, 170]], one),
                plate([[246, 160], [278, 160], [288, 170], [236, 170]], two), note([262, 188], 'bevel', 'middle', faint),
            ];
        },
    },
    rack_pinion: {
        words: 'A pinion turns by φ in one joint while the rack slides by s = r φ in the other; both joints are on one '
            + 'carrier.',
        parts: () => {
            const c = [150, 78], r = 46, pitch = (2 * Math.PI * r) / 22;
            return [
                gear(c, r, 22, one, 360 / 44 + 270), rack(40, c[1] + r, 232, pitch, two, (c[0] - 40 - pitch / 2) % pitch),
                pitch_circle(c, r), axis([24, c[1] + r], [296, c[1] + r]),
                pin(c), callout(c, 'pinion', [64, 42], 'middle'), line(c, polar(c, r, 52), ink, 0.9),
                key([178, 64], 'radius', 'start'),
                turn(c, 24, 190, 300, free), symbol([128, 108], 'φ', free), ground([40, 152], [272, 152]),
                circle([70, 144.5], 6, plain), circle([242, 144.5], 6, plain),
                arrow([206, 106], [262, 106], free), symbol([234, 100], 's = r φ', free),
                callout([110, 132], 'rack', [110, 182], 'middle'), badge([150, 54], one), badge([204, 132], two),
            ];
        },
    },
    belt: {
        words: 'A belt runs without slip over two pulleys that turn in two joints on a carrier: open, both turn alike; '
            + 'crossed, against each other.',
        parts: () => {
            const a = [76, 112], b = [228, 92], ra = 34, rb = 58, open = belt_lines(a, ra, b, rb, false),
                cross = belt_lines(a, ra, b, rb, true);
            return [
                cross.map(([p, q]) => dashed(p, q)), circle(a, ra - 1, one), circle(b, rb - 1, two),
                open.map(([p, q]) => line(p, q, ink, 3)),
                arc(a, ra, bearing(a, open[0][0]), 360 + bearing(a, open[1][0]), ink, 3),
                arc(b, rb, bearing(b, open[1][1]), bearing(b, open[0][1]), ink, 3),
                line(a, polar(a, ra, 200), ink, 0.9), line(b, polar(b, rb, -40), ink, 0.9), symbol([57, 132], 'r₁'),
                symbol([246, 128], 'r₂'), pin(a), pin(b),
                turn(a, 19, 0, 130, free), symbol([102, 100], 'φ₁', free), turn(b, 34, 20, 140, free),
                symbol([216, 52], 'φ₂', free),
                badge([84, 130], one), badge([262, 88], two), line(a, [140, 170], faint, 0.8), line(b, [160, 170], faint, 0.8),
                key([150, 182], 'joints'), note([262, 184], 'dashed: crossed', 'middle', faint),
            ];
        },
    },
    coupler: {
        words: 'Two rockers turn by the angles a and b, which one equation couples.',
        parts: () => [coupled('a', 'b', ['equation', 'F(t, a, b) = 0'], true),
            note([160, 188], 'or factors and value:  p a + q b = f(t)', 'middle', faint)],
    },
    driver: {
        words: 'A coordinate of a body, here the height y of its point at, follows a given function of time.',
        parts: () => {
            const a = [54, 128], tip = [196, 88];
            return [
                rocker(a, tip, two, 9), key(add(mix(a, tip, 0.5), [-6, -14]), 'body'), axes([30, 74], 26, 0, ['x', 'y']),
                arrow([196, 154], [196, 100], given), ground([160, 154], [232, 154]),
                symbol([186, 134], 'y', given, 'end'), callout(tip, 'at', [176, 56], 'end'), law([238, 108], 'y', 50),
                key([272, 132], 'position', 'middle', given), note([272, 146], 'or velocity,', 'middle', given),
                note([272, 158], 'acceleration', 'middle', given),
            ];
        },
    },
    motor: {
        words: 'A motor sits in a joint and turns its second body by a given function of time: angle, speed or acceleration.',
        parts: () => {
            const a = [76, 128], tip = polar(a, 104, 40);
            return [
                dashed(a, [172, 128]), rocker(a, tip, two, 10), machine(a, 13), turn(a, 58, 0, 40, given),
                symbol([144, 112], 'φ', given), badge(polar(a, 82, 40), two),
                callout(polar(a, 13, 150), 'joint', [32, 92], 'middle'), law([212, 100], 'φ', 70, 44),
                key([250, 126], 'angle, speed or', 'middle', given), key([250, 141], 'acceleration', 'middle', given),
            ];
        },
    },
    point_on_curve: {
        words: 'A pin of the second body runs in a curved groove of the first, given by x(s) and y(s) in the frame at, or '
            + 'by points.',
        parts: () => {
            const points = samples(0, 1, 10, (u) => [64 + 170 * u, 118 - 34 * Math.sin(5.4 * u - 0.6) - 14 * u]), p = points[6],
                tip = add(p, [52, -64]);
            return [
                plate([[30, 58], [262, 46], [276, 152], [36, 172]], one), path(through(points), one.line, 15),
                path(through(points), '#fbfcfd', 12.4), path(through(points), axial, 1, { 'stroke-dasharray': '10 3 2 3' }),
                bar(p, tip, two, 8), pin(p, 6), axes([60, 152], 28, 4, ['x', 'y']), dot([60, 152]),
                key([54, 168], 'at', 'middle'),
                arrow(points[6].map((x, i) => x + [-2, 18][i]), points[8].map((x, i) => x + [-4, 22][i]), free),
                symbol(add(points[8], [6, 30]), 's', free),
                callout(p, 'point', [124, 36], 'end'), key([104, 68], 'x(s), y(s)'), badge([248, 66], one),
                badge(mix(p, tip, 0.82), two), line([104, 72], points[2], faint, 0.8),
            ];
        },
    },
    cam: {
        words: 'A cam, the first body, lifts a follower, the second: with a roller of a radius about point; small: a '
            + 'pointed follower and one with a flat face.',
        parts: () => {
            const c = [92, 130], cam = lift(c, 28, 24, 36), o = [c[0], resting(cam, c[0], 12)],
                small = (x) => lift([x, 138], 20, 12, 0), p = 192, f = 262;
            return [
                shape(closed(cam), one), pin(c), callout(c, 'at', [40, 178], 'middle'), box(86, 16, 12, o[1] - 20, two, 2),
                circle(o, 12, two), pin(o, 3),
                ground([70, 24], [70, 54]), ground([114, 54], [114, 24]), turn(c, 20, -160, -40, free),
                symbol([116, 148], 'φ', free),
                callout(o, 'point', [56, 66], 'end'), line(o, polar(o, 12, 20), ink, 0.9), key([108, 77], 'radius', 'start'),
                badge([74, 108], one), badge([92, 38], two), arrow([142, 60], [142, 28], free, { both: true }),
                symbol([150, 47], 's', free),
                shape(closed(small(p)), one), pin([p, 138], 3),
                plate([[p - 6, 56], [p + 6, 56], [p + 6, 92], [p, 106], [p - 6, 92]], two),
                note([p, 178], 'pointed', 'middle', faint), callout([p, 106], 'point', [p + 20, 84], 'start'),
                shape(closed(small(f)), one), pin([f, 138], 3),
                plate([[f - 6, 56], [f + 6, 56], [f + 6, 98], [f + 28, 98], [f + 28, 106], [f - 28, 106], [f - 28, 98],
                [f - 6, 98]], two), arrow([f + 24, 106], [f + 24, 130], axial, { width: 1.2 }), key([f + 42, 143], 'face'),
                note([f, 178], 'flat', 'middle', faint),
            ];
        },
    },
    velocity_coupler: {
        words: 'Two rockers turn at the rates a′ and b′, whose sum with factors has a given value.',
        parts: () => [coupled('a′', 'b′', ['factors, value', 'p a′ + q b′ = f'], false),
            note([160, 188], 'p, q, f: numbers or expressions of t, a, b', 'middle', faint)],
    },
    velocity_constraint: {
        words: 'A sum of velocities of points and angular velocities of bodies, with factors that depend on time and '
            + 'coordinates, has a given value.',
        parts: () => {
            const p = [118, 116], e = polar(p, 104, 21);
            return [
                axes([28, 168], 30, 0, ['x', 'y']), plate([[74, 150], [62, 112], [150, 76], [166, 114]], two),
                badge([82, 126], two),
                arrow(p, [206, 116], free), arrow(p, [118, 44], free), symbol([212, 120], 'vx', free, 'start'),
                symbol([110, 46], 'vy', free, 'end'),
                turn(p, 46, 200, 262, free), symbol([96, 176], 'omega', free), dashed(p, e), arc(p, 80, 0, 21, ink, 1),
                symbol([205, 103], 'a'), dot(p),
                block(200, 18, 108, 40, ['terms, value', 'Σ aᵢ uᵢ = f']), note([254, 72], 'uᵢ: vx, vy, omega', 'middle', faint),
                note([216, 186], 'such as −sin(a) vx + cos(a) vy = 0', 'middle', faint),
            ];
        },
    },
};
