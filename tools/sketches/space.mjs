// space.mjs: solids in space, seen from far away (parallel projection).
//
// A view has x to the right and a little down, y to the right and back, z up. Its methods take points [x, y, z] and return SVG as
// the functions of the plane do. A circle about a normal n appears as an ellipse whose small half axis lies along the picture of n,
// shortened by n . towards the viewer: from that all outlines follow. What is in front is painted last, by the order of the calls.

import { add, at, ink, key, left, mul, num, radians, samples, size_of, sub, symbol, tag, unit } from './paper.mjs';
import * as flat from './lines.mjs';

// ---- vectors ----

const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross3 = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const add3 = (...all) => all.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
export const mul3 = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
export const sub3 = (a, b) => add3(a, mul3(b, -1));
export const unit3 = (a) => mul3(a, 1 / Math.hypot(...a));
// Two directions that make a right-handed frame with n.
function across(n) {
    const u = unit3(cross3(Math.abs(n[2]) > 0.9 * Math.hypot(...n) ? [0, 1, 0] : [0, 0, 1], n));
    return [u, unit3(cross3(n, u))];
}

// ---- the view ----

export function view({ origin = [160, 100], scale = 1, azimuth = -60, height = 24 } = {}) {
    const [t, h] = [radians(azimuth), radians(height)];
    const right = [-Math.sin(t), Math.cos(t), 0], up = [-Math.cos(t) * Math.sin(h), -Math.sin(t) * Math.sin(h), Math.cos(h)];
    const towards = [Math.cos(t) * Math.cos(h), Math.sin(t) * Math.cos(h), Math.sin(h)];
    const p = (r) => [origin[0] + scale * dot3(right, r), origin[1] - scale * dot3(up, r)];
    const nearer = (r) => dot3(towards, r);
    const round = (c, n, r) => (deg) => {
        const [u, v] = across(n);
        return p(add3(c, mul3(u, r * Math.cos(radians(deg))), mul3(v, r * Math.sin(radians(deg)))));
    };

    // The ellipse of a circle: its half axes and how far it is turned.
    function ellipse(n, r) {
        const e = sub(p(unit3(n)), p([0, 0, 0])), tilt = size_of(e) < 1e-6 ? 0 : (Math.atan2(e[1], e[0]) * 180) / Math.PI + 90;
        return { rx: r * scale, ry: r * scale * Math.abs(nearer(unit3(n))), tilt };
    }

    const self = {
        p,
        line: (a, b, ...more) => flat.line(p(a), p(b), ...more),
        polyline: (points, ...more) => flat.polyline(points.map(p), ...more),
        axis: (a, b) => flat.axis(p(a), p(b)),
        dashed: (a, b, ...more) => flat.dashed(p(a), p(b), ...more),
        arrow: (a, b, ...more) => flat.arrow(p(a), p(b), ...more),
        dot: (a, ...more) => flat.dot(p(a), ...more),
        face: (points, paint) => flat.plate(points.map(p), paint),
        callout: (point, ...more) => flat.callout(p(point), ...more),
        key: (point, shift, ...more) => key(add(p(point), shift), ...more),
        symbol: (point, shift, ...more) => symbol(add(p(point), shift), ...more),

        disc(c, n, r, paint) {
            const e = ellipse(n, r), [x, y] = p(c);
            return tag('ellipse', { cx: x, cy: y, rx: e.rx, ry: e.ry, transform: `rotate(${num(e.tilt)} ${num(x)} ${num(y)})`,
                fill: paint.fill, stroke: paint.line, 'stroke-width': 1.2 });
        },
        // A cylinder from a to b, with light on its upper side.
        cylinder(a, b, r, paint) {
            const n = unit3(sub3(b, a)), [from, to] = nearer(n) >= 0 ? [a, b] : [b, a], axis = unit3(sub3(to, from));
            const e = ellipse(axis, r), P = p(from), Q = p(to), d = unit(sub(Q, P)), s = mul(left(d), r * scale);
            const curve = `A${num(e.rx)} ${num(e.ry)} ${num(e.tilt)} 0 `;
            const lit = left(d)[1] <= 0 ? 1 : -1;
            const strip = (u, v, fill, opacity) => {
                const edge = (w) => [add(P, sub(mul(s, lit * w), mul(d, e.ry * Math.sqrt(1 - w * w)))),
                    add(Q, mul(s, lit * w))];
                const [[a0, a1], [b0, b1]] = [edge(u), edge(v)];
                return tag('path', { d: `M${at(a0)}L${at(a1)}L${at(b1)}L${at(b0)}Z`, fill, opacity, stroke: 'none' });
            };
            const side = `M${at(add(P, s))}${curve}0 ${at(sub(P, s))}L${at(sub(Q, s))}${curve}1 ${at(add(Q, s))}Z`;
            return [
                flat.shape(side, { fill: paint.fill, line: 'none' }), strip(0.35, 0.75, '#fff', '.6'),
                strip(-0.95, -0.45, paint.shade, '.8'),
                flat.shape(side, { fill: 'none', line: paint.line }),
                self.disc(to, axis, r, paint),
            ];
        },
        // A cone about an axis from the centre of its base to its tip, seen from the side.
        cone(base, tip, r, paint) {
            const n = unit3(sub3(tip, base)), e = ellipse(n, r), B = p(base), T = p(tip), d = unit(sub(T, B)),
                H = size_of(sub(T, B));
            const k = e.ry / H, along = mul(d, e.ry * k), wide = mul(left(d), e.rx * Math.sqrt(1 - k * k));
            const [u, v] = [add(add(B, along), wide), sub(add(B, along), wide)];
            const open = nearer(n) < 0;
            const curve = `A${num(e.rx)} ${num(e.ry)} ${num(e.tilt)} `;
            return [flat.shape(`M${at(u)}L${at(T)}L${at(v)}${curve}1 1 ${at(u)}Z`, paint),
                open && self.disc(base, n, r, { ...paint, fill: paint.shade })];
        },
        // A box about c with half lengths along three directions (the axes of space when left out).
        block(c, half, paint, dirs = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
            const faces = [];
            for (let k = 0; k < 3; k++) {
                const sign = nearer(dirs[k]) >= 0 ? 1 : -1, n = mul3(dirs[k], sign * half[k]);
                const [i, j] = [(k + 1) % 3, (k + 2) % 3].map((m) => mul3(dirs[m], half[m]));
                const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([a, b]) => add3(c, n, mul3(i, a), mul3(j, b)));
                const light = sign * dirs[k][2] > 0.5, dim = sign * dirs[k][0] > 0.5;
                faces.push(self.face(corners, { fill: dim ? paint.shade : paint.fill, line: paint.line }),
                    light && tag('path',
                        { d: `M${corners.map(p).map(at).join('L')}Z`, fill: '#fff', opacity: '.5', stroke: 'none' }));
            }
            return faces;
        },
        // A sphere with light on its upper left and shade below.
        sphere(c, r, paint) {
            const [x, y] = p(c), R = r * scale, q = (u, w) => at([x + R * u, y + R * w]);
            const arc = (k) => `A${num(R * k)} ${num(R * k)} 0 0 `;
            const shade = `M${q(0.92, 0.2)}${arc(0.94)}1 ${q(-0.75, 0.56)}${arc(1.25)}0 ${q(0.92, 0.2)}Z`;
            return [
                flat.circle([x, y], R, paint), tag('path', { d: shade, fill: paint.shade, opacity: '.8', stroke: 'none' }),
                tag('ellipse', { cx: x - R * 0.35, cy: y - R * 0.42, rx: R * 0.3, ry: R * 0.2, fill: '#fff', opacity: '.75',
                    stroke: 'none', transform: `rotate(-40 ${q(-0.35, -0.42)})` }),
            ];
        },
        // Part of a circle about an axis n through c.
        arc: (c, n, r, from, to, ...more) => flat.polyline(samples(from, to, 28, round(c, n, r)), ...more),
        // A turn about n, with a head at its end.
        turn(c, n, r, from, to, color, { width = 1.8, both = false } = {}) {
            const f = round(c, n, r), sense = Math.sign(to - from), step = 30 * sense;
            const cut = (end, s) => {
                let a = end;
                for (let i = 0; i < 60 && size_of(sub(f(a), f(end))) < 6; i++) a -= s * 2;
                return a;
            };
            const last = cut(to, sense), first = both ? cut(from, -sense) : from;
            return [flat.polyline(samples(first, last, 28, f), color, width),
                flat.head(f(to), sub(f(to), f(last - step / 10)), color),
                both && flat.head(f(from), sub(f(from), f(first + step / 10)), color)];
        },
        // The mark of a right angle.
        square_mark(c, a, b, r) {
            const [u, w] = [mul3(a, r), mul3(b, r)];
            return self.polyline([add3(c, u), add3(c, u, w), add3(c, w)], ink, 1);
        },
        // Three axes with names.
        axes(c, length, names = ['x', 'y', 'z'], color = ink, dirs = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
            return dirs.map((d, i) => {
                const from = p(c), end = p(add3(c, mul3(d, length))), beyond = add(end, mul(unit(sub(end, from)), 8));
                return [flat.arrow(from, end, color, { width: 1.2 }), symbol(add(beyond, [0, 4]), names[i], color)];
            });
        },
    };
    return self;
}
