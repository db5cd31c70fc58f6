// lines.mjs: lines, arrows, axes, dimensions and filled outlines in the plane of the sheet.

import { add, at, axial, bearing, faint, given, ink, key, left, mix, mul, num, polar, radians, size_of, sub, symbol, tag,
    unit } from './paper.mjs';

// Attributes of a line without a filling, and of an outline of a body.
const pen = (color, width, more) => ({ fill: 'none', stroke: color, 'stroke-width': width, ...more });
const brush = (paint) => ({ fill: paint.fill, stroke: paint.line, 'stroke-width': 1.2 });

// ---- open lines ----

export const path = (d, color = ink, width = 1.4, more) => tag('path', { d, ...pen(color, width, more) });
export const line = (a, b, color = ink, width = 1.4, more) => path(`M${at(a)}L${at(b)}`, color, width, more);
export const polyline = (points, color = ink, width = 1.4, more) => path(`M${points.map(at).join('L')}`, color, width, more);
export const dashed = (a, b, color = faint) => line(a, b, color, 1, { 'stroke-dasharray': '4 3' });
// The centre line of an axis.
export const axis = (a, b) => line(a, b, axial, 1, { 'stroke-dasharray': '10 3 2 3' });

// The head of an arrow that ends at p and points along d.
export function head(p, d, color, length = 8) {
    const e = unit(d), base = sub(p, mul(e, length)), side = mul(left(e), length * 0.36);
    return tag('path', { d: `M${at(p)}L${at(add(base, side))}L${at(sub(base, side))}Z`, fill: color, stroke: 'none' });
}

export function arrow(a, b, color = ink, { both = false, width = 1.8 } = {}) {
    const e = unit(sub(b, a)), inset = mul(e, 6);
    return [line(both ? add(a, inset) : a, sub(b, inset), color, width), head(b, e, color), both && head(a, mul(e, -1), color)];
}

// Part of a circle, from one angle to another.
export function arc(c, r, from, to, color = ink, width = 1.4, more) {
    const large = Math.abs(to - from) > 180 ? 1 : 0, sweep = to > from ? 0 : 1;
    return path(`M${at(polar(c, r, from))}A${num(r)} ${num(r)} 0 ${large} ${sweep} ${at(polar(c, r, to))}`, color, width, more);
}

// A turn: an arc with a head at its end, or at both.
export function turn(c, r, from, to, color = ink, { both = false, width = 1.8 } = {}) {
    const sense = Math.sign(to - from), cut = ((7 / r) * 180 / Math.PI) * sense;
    const tip = (deg, s) => head(polar(c, r, deg), sub(polar(c, r, deg), polar(c, r, deg - s * 7 / r * 40)), color);
    return [arc(c, r, both ? from + cut : from, to - cut, color, width), tip(to, sense), both && tip(from, -sense)];
}

// ---- outlines ----

export const circle = (c, r, paint) => tag('circle', { cx: c[0], cy: c[1], r, ...brush(paint) });
export const ring = (c, r, color = ink, width = 1.4, more) => tag('circle',
    { cx: c[0], cy: c[1], r, ...pen(color, width, more) });
export const dot = (c, color = ink, r = 2.4) => tag('circle', { cx: c[0], cy: c[1], r, fill: color, stroke: 'none' });
export const plate = (points, paint) => tag('path', { d: `M${points.map(at).join('L')}Z`, ...brush(paint) });
export const shape = (d, paint) => tag('path', { d, ...brush(paint) });
export const box = (x, y, w, h, paint, r = 3) => tag('rect', { x, y, width: w, height: h, rx: r, ...brush(paint) });

// A bar with round ends about a and b.
export function bar(a, b, paint, r = 8) {
    const e = unit(sub(b, a)), n = mul(left(e), r), R = num(r);
    return shape(`M${at(add(a, n))}A${R} ${R} 0 0 0 ${at(sub(a, n))}L${at(sub(b, n))}A${R} ${R} 0 0 0 ${at(add(b, n))}Z`,
        paint);
}

// A rectangle about the line from a to b.
export function beam(a, b, half, paint) {
    const n = mul(left(unit(sub(b, a))), half);
    return plate([add(a, n), add(b, n), sub(b, n), sub(a, n)], paint);
}

// A smooth body of no particular form about c.
export function blob(c, rx, ry, paint, tilt = 0) {
    const d = [1, 1.06, 0.96, 1.08, 1, 1.1, 0.95, 1.07].map((k, i) => {
        const w = radians(45 * i), p = [k * rx * Math.cos(w), k * ry * Math.sin(w)];
        return polar(c, size_of(p), bearing([0, 0], [p[0], -p[1]]) + tilt);
    });
    return shape(closed(d), paint);
}

// A smooth curve through points (Catmull and Rom, as cubic Bézier pieces), open or closed.
export function through(points) {
    const p = (i) => points[Math.max(0, Math.min(points.length - 1, i))];
    return spline(points.length - 1, p, points[0]);
}
export function closed(points) {
    const n = points.length;
    return `${spline(n, (i) => points[(i + n) % n], points[0])}Z`;
}
function spline(n, p, start) {
    let d = `M${at(start)}`;
    for (let i = 0; i < n; i++) {
        const a = add(p(i), mul(sub(p(i + 1), p(i - 1)), 1 / 6)), b = sub(p(i + 1), mul(sub(p(i + 2), p(i)), 1 / 6));
        d += `C${at(a)} ${at(b)} ${at(p(i + 1))}`;
    }
    return d;
}

// ---- lettering with lines ----

// A word with a thin line to the point that it names.
export function callout(point, text, where, anchor = 'start') {
    const away = anchor === 'start' ? [-3, -4] : anchor === 'end' ? [3, -4] : [0, where[1] > point[1] ? -11 : 3];
    return [line(point, add(where, away), faint, 0.8), dot(point), key(where, text, anchor)];
}

// A dimension from a to b, drawn at a distance to the left, with its name beside it; `slide` moves the name.
export function dimension(a, b, distance, text, { slide = [0, 0], italic = false, anchor = 'middle' } = {}) {
    const e = unit(sub(b, a)), n = left(e), p = add(a, mul(n, distance)), q = add(b, mul(n, distance));
    const over = mul(n, distance + 3 * Math.sign(distance)), gap = mul(n, 3 * Math.sign(distance));
    const width = size_of(sub(b, a)), short = width < 18;
    const out = mul(e, 12);
    const word = add(add(mix(p, q, 0.5), mul(n, 9 * (Math.sign(distance) || 1))), add([0, 4], slide));
    return [
        distance !== 0 && [line(add(a, gap), add(a, over), faint, 0.8), line(add(b, gap), add(b, over), faint, 0.8)],
        short ? [arrow(sub(p, out), p, ink, { width: 0.9 }), arrow(add(q, out), q, ink, { width: 0.9 }), line(p, q, ink, 0.9)]
            : arrow(p, q, ink, { both: true, width: 0.9 }),
        italic ? symbol(word, text, ink, anchor) : key(word, text, anchor),
    ];
}

// A cross through something that is not possible.
export const barred = (c, r = 6, color = ink) => [line(add(c, [-r, -r]), add(c, [r, r]), color, 2),
    line(add(c, [-r, r]), add(c, [r, -r]), color, 2)];

// Two axes with their names, turned by an angle.
export function axes(c, length, deg, names, color = axial) {
    const x = polar(c, length, deg), y = polar(c, length, deg + 90);
    return [arrow(c, x, color, { width: 1.2 }), arrow(c, y, color, { width: 1.2 }),
        symbol(add(polar(c, length + 8, deg), [0, 4]), names[0], color),
        symbol(add(polar(c, length + 8, deg + 90), [0, 4]), names[1], color)];
}

// A graph: its axes with their names, and a curve through points in units of the axes; straight when points.smooth is false.
export function graph([x, y], w, h, points, names, color = given) {
    const p = ([u, v]) => [x + u * w, y - v * h];
    return [arrow([x, y], [x, y - h - 8], ink, { width: 1 }), arrow([x, y], [x + w + 8, y], ink, { width: 1 }),
        path(points.smooth === false ? `M${points.map(p).map(at).join('L')}` : through(points.map(p)), color, 2),
        symbol([x + w + 12, y + 4], names[0], ink, 'start'), symbol([x - 4, y - h - 2], names[1], ink, 'end')];
}
