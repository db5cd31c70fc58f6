// parts.mjs: the parts of machines as a textbook draws them: ground, pins, springs, dampers, gears, motors.

import { add, at, bearing, faint, ink, left, mix, mul, num, plain, polar, samples, size_of, sub, tag, unit } from './paper.mjs';
import { bar, box, circle, dot, line, path, plate, polyline, shape } from './lines.mjs';

const dark = '#4d5964';

// A line of ground from a to b, hatched on its right.
export function ground(a, b) {
    const e = unit(sub(b, a)), n = mul(left(e), -7), length = size_of(sub(b, a)), m = Math.round(length / 7);
    const strokes = samples(0.5 / m, 1 - 0.5 / m, m - 1, (t) => {
        const p = mix(a, b, t);
        return `M${at(p)}L${at(sub(add(p, n), mul(e, 6)))}`;
    });
    return [path(strokes.join(''), faint, 0.9), line(a, b, dark, 1.8)];
}

// A pin through two bodies.
export const pin = (c, r = 4) => [tag('circle', { cx: c[0], cy: c[1], r, fill: '#fff', stroke: ink, 'stroke-width': 1.4 }),
    dot(c, ink, 1.3)];

// A bearing on ground, its pin at c; deg turns it about the pin. With a paint it is a foot of that body.
export function bearing_on_ground(c, deg = 0, paint = plain) {
    const q = (x, y) => polar(c, Math.hypot(x, y), bearing([0, 0], [x, y]) + deg);
    return [shape(`M${at(q(-13, 20))}L${at(q(-6, -2))}A7 7 0 0 1 ${at(q(6, -2))}L${at(q(13, 20))}Z`, paint),
        ground(q(-20, 20), q(20, 20))];
}

// A rocker: a bar that turns on a bearing at c.
export const rocker = (c, tip, paint, r = 7) => [bearing_on_ground(c), bar(c, tip, paint, r), pin(c)];

// A helical spring from a to b.
export function spring(a, b, turns = 6, half = 8, color = ink) {
    const e = unit(sub(b, a)), n = left(e), length = size_of(sub(b, a)), lead = Math.min(10, length * 0.12);
    const zigzag = samples(0, 1, 2 * turns, (t) => t).map((t, i, all) =>
        add(add(a, mul(e, lead + t * (length - 2 * lead))),
            mul(n, i === 0 || i === all.length - 1 ? 0 : i % 2 ? half : -half)));
    return polyline([a, ...zigzag, b], color, 1.6);
}

// A damper from a to b: a pot on the side of a, a piston on that of b.
export function dashpot(a, b, half = 7, color = ink) {
    const e = unit(sub(b, a)), n = mul(left(e), half), p = mix(a, b, 0.34), q = mix(a, b, 0.66), m = mix(a, b, 0.5),
        k = mul(n, 0.72);
    return [plate([sub(p, n), add(p, n), add(q, n), sub(q, n)], { fill: '#fff', line: 'none' }),
        polyline([add(q, n), add(p, n), sub(p, n), sub(q, n)], color, 1.6), line(a, p, color, 1.6),
        line(add(m, k), sub(m, k), color, 2.2), line(m, b, color, 1.6)];
}

// An actuator from a to b: a cylinder and its rod.
export function actuator(a, b, half = 7, color = ink) {
    const e = unit(sub(b, a)), n = mul(left(e), half), p = mix(a, b, 0.28), q = mix(a, b, 0.68);
    return [plate([sub(p, n), add(p, n), add(q, n), sub(q, n)], { fill: '#fbd9d6', line: color }), line(a, p, color, 1.6),
        line(q, b, color, 3)];
}

// A spiral spring about c, from an inner to an outer radius.
export function spiral(c, from, to, turns, start, color = ink) {
    const point = (t) => polar(c, from + t * (to - from), start + 360 * turns * t);
    return polyline(samples(0, 1, Math.round(30 * turns), point), color, 1.6);
}

// ---- gears ----

// The outline of a gear wheel: pitch radius r, height of a tooth 2 h.
function teeth_of(c, r, n, turned, h) {
    const pitch = 360 / n, points = [];
    for (let i = 0; i < n; i++) {
        const a = turned + i * pitch;
        points.push(polar(c, r - h, a - pitch * 0.34), polar(c, r + h, a - pitch * 0.15), polar(c, r + h, a + pitch * 0.15),
            polar(c, r - h, a + pitch * 0.34));
    }
    return points;
}
export const gear = (c, r, n, paint, turned = 0, h = 3.2) => plate(teeth_of(c, r, n, turned, h), paint);
// A ring with teeth inside.
export function ring_gear(c, r, outer, n, paint, turned = 0, h = 3.2) {
    const half = `A${num(outer)} ${num(outer)} 0 1 0 `, [east, west] = [0, 180].map((a) => at(polar(c, outer, a)));
    return tag('path', { d: `M${east}${half}${west}${half}${east}ZM${teeth_of(c, r, n, turned, h).map(at).join('L')}Z`,
        fill: paint.fill, stroke: paint.line, 'stroke-width': 1.2, 'fill-rule': 'evenodd' });
}
export const pitch_circle = (c, r) => tag('circle',
    { cx: c[0], cy: c[1], r, fill: 'none', stroke: ink, 'stroke-width': 0.9, 'stroke-dasharray': '8 3 2 3' });

// A rack whose pitch line goes from x to x + w at the height y, teeth upwards; `shift` moves the teeth.
export function rack(x, y, w, pitch, paint, shift = 0, h = 3.2, depth = 13) {
    const points = [[x, y + depth]];
    for (let t = x + shift; t + pitch <= x + w + 0.01; t += pitch)
        points.push([t + pitch * 0.16, y + h], [t + pitch * 0.35, y - h], [t + pitch * 0.65, y - h], [t + pitch * 0.84, y + h]);
    return plate([points[0], [x, y + h], ...points.slice(1), [x + w, y + h], [x + w, y + depth]], paint);
}

// ---- drives and signals ----

// The symbol of an electric motor.
export const machine = (c, r = 13, text = 'M') => [circle(c, r, plain),
    tag('text', { x: c[0], y: c[1] + 4.5, 'text-anchor': 'middle', 'font-size': 13, 'font-weight': 'bold', stroke: 'none' },
        text)];

// A block of a diagram with words in it.
export const block = (x, y, w, h, words, more = {}) => [box(x, y, w, h, plain, 4),
    [words].flat().map((text, i, all) => tag('text',
        { x: x + w / 2, y: y + h / 2 + 4 + (i - (all.length - 1) / 2) * 14, 'text-anchor': 'middle', stroke: 'none', ...more },
        text))];

// The mark of a mass centre.
export function mass_centre(c, r = 6) {
    const quarter = (a, b) => `M${at(c)}L${at(add(c, a))}A${num(r)} ${num(r)} 0 0 1 ${at(add(c, b))}Z`;
    return [circle(c, r, { fill: '#fff', line: ink }),
        tag('path', { d: quarter([0, -r], [r, 0]) + quarter([0, r], [-r, 0]), fill: ink, stroke: 'none' })];
}

// The weld of two parts at p: fillets to both sides of the line along e, against the face on the left of it.
export const weld = (p, along, away, r = 8) => plate([p, add(p, mul(unit(along), r)), add(p, mul(unit(away), r))],
    { fill: '#4d5964', line: '#4d5964' });
