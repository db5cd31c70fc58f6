// sections.mjs: parts of the reference page that are no elements: gravity, bodies and the shapes that give mass and inertia.

import { add, axial, faint, free, ink, key, load, mix, note, one, polar, symbol, two } from './paper.mjs';
import { arc, arrow, axes, blob, callout, dashed, dot, line, turn } from './lines.mjs';
import { mass_centre } from './parts.mjs';
import { view } from './space.mjs';

export const section = '';

const Z = [0, 0, 1];

export const sketches = {
    gravity: {
        words: 'Left: uniform gravity, the same on all bodies. Right: the field of a centre of strength mu, towards it '
            + 'and falling with the square of the distance.',
        parts: () => {
            const c = [236, 100],
                down = [26, 53, 80, 107,
                134].map((x) => [28,
                84].map((y) => (Math.abs(x - 80) > 30 || y < 50) && arrow([x, y], [x, y + 34], load, { width: 1.4 })));
            return [
                down, blob([80, 112], 26, 18, two), mass_centre([80, 112], 5),
                arrow([80, 118], [80, 156], load, { width: 2.4 }), symbol([94, 150], 'm g', load),
                key([80, 182], 'gravity: [gx, gy]'), line([160, 24], [160, 178], '#cbd2d9', 1),
                [0, 45, 90, 135, 180, 225, 270].map((a) => arrow(polar(c, 62, a), polar(c, 44, a), load, { width: 1.4 })),
                [22, 68, 112, 158, 202, 248].map((a) => arrow(polar(c, 34, a), polar(c, 14, a), load, { width: 1.8 })),
                dot(c, ink, 5), callout(c, 'center', [190, 30], 'middle'), key([256, 104], 'mu', 'start'),
                blob([288, 142], 17, 12, two), mass_centre([288, 142], 4), arrow([284, 138], [264, 122], load, { width: 2.4 }),
                symbol([236, 184], 'g = mu / r²', load),
            ];
        },
    },
    bodies: {
        words: 'The frame of a body, with origin at position and turned by angle, its mass centre com in that frame, and '
            + 'the velocity of the mass centre and omega at the start; or along, from one point to another.',
        parts: () => {
            const o = [24, 176], p = [84, 134], t = 20, c = polar(p, 74, 46), q = [292, 92], r = [222, 148];
            return [
                blob([122, 100], 68, 50, two, 24), axes(o, 30, 0, ['x', 'y']), arrow(o, p, axial, { width: 1.2 }),
                key([66, 168], 'position', 'start'), axes(p, 38, t, ['', ''], two.line), dashed(p, [160, 134]),
                arc(p, 54, 0, t, ink, 1), key([144, 128], 'angle', 'start'),
                arrow(p, c, axial, { width: 1 }), mass_centre(c), key(add(c, [9, 16]), 'com', 'start'),
                arrow(c, add(c, [56, -30]), free), key(add(c, [60, -30]), 'velocity', 'start', free),
                turn(c, 20, 90, 210, free), key(add(c, [-40, -18]), 'omega', 'middle', free), dot(p),
                line(r, q, two.line, 15), line(r, q, two.fill, 12.2), mass_centre(mix(r, q, 0.5), 5),
                arrow(r, polar(r, 26, 38.7), two.line, { width: 1.4 }), dot(r), dot(q), symbol([216, 168], 'P'),
                symbol([304, 88], 'Q'), key([268, 178], 'along: [P, Q]'),
            ];
        },
    },
    shapes: {
        words: 'Box, cylinder (also a tube), sphere (also hollow), cone, rod, ring, torus and point, each about its mass '
            + 'centre and its z axis.',
        parts: () => {
            const x = [42, 118, 200, 278], top = 46, low = 138;
            const [b, c, s, k] = x.map((u) => view({ origin: [u, top] })), [r, g, o] = x.map((u) => view({ origin: [u, low] }));
            const word = (i, y, text, keys) => [key([x[i], y], text), note([x[i], y + 11], keys)];
            return [
                b.block([0, 0, 0], [26, 17, 13], two), b.dot([0, 0, 0]), c.axis([0, 0, -34], [0, 0, -18]),
                c.cylinder([0, 0, -20], [0, 0, 20], 18, two), c.disc([0, 0, 20], Z, 8, { fill: '#fbfcfd', line: two.line }),
                c.axis([0, 0, 20], [0, 0, 38]),
                s.sphere([0, 0, 0], 25, two), s.dot([0, 0, 0]), k.axis([0, 0, -34], [0, 0, -18]),
                k.cone([0, 0, -18], [0, 0, 34], 22, two), k.axis([0, 0, 34], [0, 0, 44]), k.dot([0, 0, -5]),
                word(0, 90, 'box', 'size'), word(1, 90, 'cylinder', 'radius, length'),
                note([x[1], 111], '(inner)', 'middle', faint), word(2, 90, 'sphere', 'radius'),
                note([x[2], 111], '(inner)', 'middle', faint), word(3, 90, 'cone', 'radius, length'),
                r.cylinder([-30, 0, 0], [30, 0, 0], 3, two), r.dot([0, 0, 0]), g.arc([0, 0, 0], Z, 26, 0, 360, two.line, 3.4),
                g.arc([0, 0, 0], Z, 26, 0, 360, two.fill, 1.2), g.axis([0, 0, -20], [0, 0, 22]), g.dot([0, 0, 0]),
                o.arc([0, 0, 0], Z, 22, 0, 360, two.line, 15), o.arc([0, 0, 0], Z, 22, 0, 360, two.fill, 12.2),
                o.arc([0, 0, 3], Z, 22, 0, 360, '#fdf3df', 3), o.axis([0, 0, -24], [0, 0, 24]), dot([x[3], low], two.line, 4),
                word(0, 178, 'rod', 'length'), word(1, 178, 'ring', 'radius'), word(2, 178, 'torus', 'radius, tube'),
                word(3, 178, 'point', 'mass'),
            ];
        },
    },
};
