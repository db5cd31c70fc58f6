// joints_pairs.mjs: joints in which two bodies touch along a surface, a line or a point.

import { add, at, axial, badge, faint, free, given, ink, key, mix, note, one, plain, polar, symbol, two } from './paper.mjs';
import { arc, arrow, axis, bar, beam, box, callout, circle, dashed, dimension, dot, head, line, path, plate, shape,
    turn } from './lines.mjs';
import { bearing_on_ground, pin, weld } from './parts.mjs';
import { add3, mul3, view } from './space.mjs';

export const section = 'joints';

// A turn about a horizontal axis that points to the right, of the half that faces the reader.
function front_turn([x, y], r) {
    const bend = [[x + 4, y - r], [x - 7, y - r + 8], [x - 7, y + r - 8], [x + 1, y + r - 5]].map(at);
    return [path(`M${bend[0]}C${bend.slice(1).join(' ')}`, free, 1.8), head([x + 5, y + r], [5, 5.5], free)];
}

const X = [1, 0, 0], Y = [0, 1, 0], Z = [0, 0, 1];

export const sketches = {
    revolute: {
        words: 'In the plane a bar turns on a bearing about the point at by the angle φ; in space two hinge plates turn '
            + 'about the axis through at.',
        parts: () => {
            const c = [58, 128], tip = polar(c, 84, 38), v = view({ origin: [226, 104] });
            return [
                bearing_on_ground(c, 0, one), dashed(c, [140, 128]), bar(c, tip, two, 8), pin(c),
                turn(c, 46, 0, 38, free), symbol([114, 116], 'φ', free), callout(c, 'at', [32, 104], 'end'),
                badge(mix(c, tip, 0.82), two), badge([58, 142], one),
                note([70, 184], 'in the plane', 'middle', faint),
                v.block([-36, 0, 0], [30, 3, 34], one), v.block([36, 0, 0], [30, 3, 34], two),
                v.axis([0, 0, -58], [0, 0, -36]), v.cylinder([0, 0, -36], [0, 0, -12], 9, one),
                v.cylinder([0, 0, -12], [0, 0, 12], 9, two),
                v.cylinder([0, 0, 12], [0, 0, 36], 9, one), v.axis([0, 0, 36], [0, 0, 66]),
                v.key([0, 0, 62], [6, 2], 'axis', 'start'),
                v.turn([0, 0, 47], Z, 16, -120, 110, free), v.symbol([0, 0, 47], [-24, 2], 'φ', free),
                v.callout([0, 0, 0], 'at', [196, 174], 'end'), badge(v.p([-40, 0, 0]), one), badge(v.p([42, 0, 0]), two),
                note([262, 184], 'in space', 'middle', faint),
            ];
        },
    },
    prismatic: {
        words: 'A square bar, the second body, slides by s along the axis in a square sleeve, the first body, without turning.',
        parts: () => {
            const v = view({ origin: [156, 98] });
            return [
                v.axis([-170, 0, 0], [-120, 0, 0]), v.block([-80, 0, 0], [40, 14, 14], two),
                v.block([0, 0, 0], [40, 32, 30], one),
                v.block([80, 0, 0], [40, 14, 14], two), v.axis([120, 0, 0], [165, 0, 0]), v.key([150, 0, 0], [4, -6], 'axis'),
                v.arrow([52, -14, -34], [112, -14, -34], free, { both: true }), v.symbol([84, -14, -34], [-2, 17], 's', free),
                v.callout([40, 0, 0], 'at', [188, 62]), badge(v.p([-4, -32, 0]), one), badge(v.p([-78, -14, 0]), two),
            ];
        },
    },
    cylindrical: {
        words: 'A round bar, the second body, slides by s along the axis and turns about it by φ in a round sleeve, the '
            + 'first body.',
        parts: () => {
            const v = view({ origin: [152, 98] });
            return [
                v.axis([-170, 0, 0], [-120, 0, 0]), v.cylinder([-120, 0, 0], [-38, 0, 0], 14, two),
                v.cylinder([-40, 0, 0], [40, 0, 0], 32, one),
                v.cylinder([40, 0, 0], [118, 0, 0], 14, two), v.axis([118, 0, 0], [168, 0, 0]),
                v.key([156, 0, 0], [2, -7], 'axis'),
                v.arrow([54, 0, -34], [112, 0, -34], free, { both: true }), v.symbol([84, 0, -34], [-2, 17], 's', free),
                v.turn([92, 0, 0], X, 25, -70, 150, free), v.symbol([92, 0, 28], [12, -6], 'φ', free),
                v.callout([40, 0, 0], 'at', [186, 52]), badge(v.p([-4, -20, -8]), one), badge(v.p([-84, -8, 0]), two),
            ];
        },
    },
    spherical: {
        words: 'A ball of the second body in a socket of the first: their centres, at, coincide and all three rotations '
            + 'are free.',
        parts: () => {
            const c = [122, 116], v = view({ origin: c }), up = polar(c, 124, 38), w = view({ origin: [236, 150] }),
                o = [0, 0, 0];
            const lip = (a) => line(polar(c, 50, a), polar(c, 35, a), one.line);
            return [
                beam([20, 116], [76, 116], 10, one), circle(c, 50, one),
                plate([c, polar(c, 90, 84), polar(c, 90, -8)], { fill: '#fbfcfd', line: '#fbfcfd' }), lip(84), lip(-8),
                beam(c, up, 10, two), v.sphere(o, 35, two), callout(c, 'at', [96, 190], 'middle'),
                w.axes(o, 68, ['', '', ''], axial), w.turn([46, 0, 0], X, 13, -150, 110, free),
                w.turn([0, 50, 0], Y, 13, -60, 200, free), w.turn([0, 0, 46], Z, 15, -140, 110, free),
                w.symbol([46, 0, 0], [2, 27], 'φ₁', free), w.symbol([0, 50, 0], [26, 6], 'φ₂', free),
                w.symbol([0, 0, 46], [-26, 4], 'φ₃', free), dot(w.p(o)),
                badge([46, 116], one), badge(polar(c, 84, 38), two),
            ];
        },
    },
    universal: {
        words: 'Two forks on a cross: the arm of the cross along axis turns in the fork of the first body, the arm along '
            + 'axis_second in that of the second; the arms meet at right angles in at.',
        parts: () => {
            const v = view({ origin: [158, 100], scale: 1.22, height: 22 }), y = [0, -1, 0];
            return [
                v.axis([0, 72, 0], [0, 46, 0]), v.block([14, 36, 0], [22, 4, 9], two),
                v.axis([-132, 0, 0], [-92, 0, 0]), v.cylinder([-92, 0, 0], [-40, 0, 0], 10, one),
                v.block([-38, 0, 0], [4, 9, 42], one),
                v.block([-14, 0, -38], [22, 9, 4], one), v.axis([0, 0, -68], [0, 0, -44]),
                v.cylinder([0, 0, -34], [0, 0, 34], 6, plain), v.cylinder([0, 34, 0], [0, -34, 0], 6, plain),
                v.block([-14, 0, 38], [22, 9, 4], one), v.axis([0, 0, 42], [0, 0, 74]),
                v.key([0, 0, 70], [-22, 2], 'axis', 'end'),
                v.block([38, 0, 0], [4, 40, 9], two), v.cylinder([42, 0, 0], [92, 0, 0], 10, two),
                v.axis([92, 0, 0], [126, 0, 0]),
                v.block([14, -36, 0], [22, 4, 9], two), v.axis([0, -40, 0], [0, -100, 0]),
                v.key([0, -100, 0], [-4, 14], 'axis_second'),
                v.turn([0, 0, 56], Z, 13, -140, 90, free), v.symbol([0, 0, 56], [28, 4], 'φ₁', free),
                v.turn([0, -66, 0], y, 13, -60, 170, free), v.symbol([0, -66, 0], [-26, -2], 'φ₂', free),
                v.callout([0, 0, 0], 'at', [236, 36]), badge(v.p([-68, 0, 0]), one), badge(v.p([70, 0, 0]), two),
            ];
        },
    },
    fixed: {
        words: 'A bar welded to a block: the two bodies keep their place and their direction against each other.',
        parts: () => {
            const p = [134, 100];
            return [
                box(62, 44, 72, 112, one, 4), beam(p, [262, 100], 15, two),
                weld([134, 85], [1, 0], [0, -1], 11), weld([134, 115], [1, 0], [0, 1], 11),
                callout(p, 'at', [164, 54]), badge([92, 100], one), badge([222, 100], two),
                note([214, 150], 'nothing is free', 'middle', faint),
            ];
        },
    },
    generic: {
        words: 'The six directions of the frame of the joint, at the point at: translations x, y, z and rotations rx, ry, '
            + 'rz, each locked, driven as a function of time, or free.',
        parts: () => {
            const v = view({ origin: [104, 102], azimuth: -58 }), o = [0, 0, 0];
            return [
                v.block([-8, 6, -42], [34, 26, 12], one), v.line(o, [0, 0, -30], one.line, 6),
                v.line(o, [0, 0, -30], one.fill, 3.4),
                v.line(o, [-66, 0, 18], two.line, 6), v.line(o, [-66, 0, 18], two.fill, 3.4),
                v.block([-76, 0, 26], [20, 16, 16], two),
                v.axes(o, 78, ['x', 'y', 'z'], axial), v.key([0, 0, 78], [10, -4], 'axis', 'start'),
                v.turn([54, 0, 0], X, 15, -150, 110, faint), v.turn([0, 54, 0], Y, 15, -60, 200, faint),
                v.turn([0, 0, 50], Z, 17, -140, 110, given),
                v.symbol([54, 0, 0], [4, 30], 'rx', faint), v.symbol([0, 54, 0], [27, 12], 'ry', faint),
                v.symbol([0, 0, 50], [28, 4], 'rz', given),
                v.callout(o, 'at', [48, 122], 'end'), dot(v.p(o), ink, 3.4), badge(v.p([-8, -20, -42]), one),
                badge(v.p([-76, -16, 26]), two),
                key([182, 146], 'lock: [x, y, z, rx, ry]', 'start', faint),
                key([182, 165], 'drive: {rz: f(t)}', 'start', given),
                note([182, 183], 'what is in neither is free', 'start', free),
            ];
        },
    },
    planar: {
        words: 'A block, the second body, lies on a plane of the first with the normal axis: it slides in x and y and '
            + 'turns by φ.',
        parts: () => {
            const v = view({ origin: [150, 114], azimuth: -56, height: 30 });
            return [
                v.block([0, 0, -8], [112, 72, 8], one), v.block([0, 0, 14], [34, 26, 14], two),
                v.axis([0, 0, 28], [0, 0, 92]), v.key([0, 0, 90], [6, 4], 'axis', 'start'),
                v.turn([0, 0, 52], Z, 22, -150, 110, free), v.symbol([0, 0, 52], [-32, 4], 'φ', free),
                v.arrow([60, -6, 0], [104, -6, 0], free), v.symbol([104, -6, 0], [0, 14], 'x', free),
                v.arrow([60, -6, 0], [60, 46, 0], free), v.symbol([60, 46, 0], [10, 4], 'y', free),
                v.callout([0, 0, 28], 'at', [92, 66], 'end'), badge(v.p([-80, -30, 0]), one), badge(v.p([0, -26, 14]), two),
            ];
        },
    },
    screw: {
        words: 'A threaded bar, the second body, in a nut, the first: a full turn φ about the axis moves it along by the '
            + 'pitch.',
        parts: () => {
            const y = 96, threads = [];
            for (let x = 34; x <= 262; x += 13) threads.push(`M${x} ${y - 15}L${x + 6.5} ${y + 15}`);
            return [
                axis([12, y], [308, y]), box(28, y - 15, 248, 30, two, 2), path(threads.join(''), two.line, 1.2),
                box(112, y - 42, 66, 27, one, 3), box(112, y + 15, 66, 27, one, 3),
                path('M118 81L124 59M131 81L142 54M150 81L161 54M167 81L176 59M118 138L129 111M137 138L148 111M156 138L167 111',
                    one.shade, 1),
                dimension([209.5, y + 15], [222.5, y + 15], -14, 'pitch', { slide: [36, -9] }), key([298, y - 8], 'axis'),
                arrow([216, y - 32], [268, y - 32], free), symbol([242, y - 38], 's = pitch · φ/2π', free),
                front_turn([56, y], 27),
                symbol([38, 72], 'φ', free), callout([145, y], 'at', [145, 172], 'middle'), badge([145, 64], one),
                badge([78, y], two),
            ];
        },
    },
    constant_velocity: {
        words: 'Two shafts meet in at under any angle; balls in the plane that halves the angle carry the rotation, so '
            + 'that both shafts turn by the same angle.',
        parts: () => {
            const c = [166, 112], tilt = 26, out = polar(c, 140, tilt),
                balls = [90 + tilt / 2, -90 + tilt / 2].map((a) => polar(c, 30, a));
            return [
                axis([14, 112], [236, 112]), axis(c, polar(c, 156, tilt)), arc(c, 62, 0, tilt, ink, 1), 
                beam([44, 112], [116, 112], 11, one),
                shape('M112 101L126 101C134 72 160 62 186 68L183 80A34 34 0 1 0 183 144L186 156C160 162 134 152 126 123L112 123Z',
                    one),
                beam(polar(c, 12, tilt), polar(c, 118, tilt), 10, two), circle(c, 24, two),
                dashed(polar(c, 62, 90 + tilt / 2), polar(c, 62, -90 + tilt / 2)),
                balls.map((b) => circle(b, 9, plain)), dot(c),
                front_turn([66, 112], 20), symbol([52, 92], 'φ', free),
                turn(polar(c, 92, tilt), 22, tilt + 100, tilt + 250, free), symbol([226, 52], 'φ', free),
                callout(c, 'at', [146, 186], 'middle'), key([16, 104], 'axis', 'start'), key([290, 36], 'axis_second', 'end'),
                badge([90, 112], one), badge(polar(c, 58, tilt), two),
            ];
        },
    },
    point_on_line: {
        words: 'A pin of the second body in a straight slot of the first, along axis: it slides by s and the body turns by φ.',
        parts: () => {
            const a = [70, 128], b = [214, 92], p = mix(a, b, 0.58), tip = add(p, [62, -62]);
            return [
                plate([[30, 116], [44, 164], [256, 112], [244, 62]], one), bar(a, b, { fill: '#fbfcfd', line: one.line }, 8),
                axis(mix(a, b, -0.38), mix(a, b, 1.58)), bar(p, tip, two, 8), pin(p, 7),
                arrow(add(p, [-16, 30]), add(p, [-62, 41.5]), free), symbol(add(p, [-70, 48]), 's', free),
                arrow(add(p, [-16, 30]), add(p, [30, 18.5]), free),
                turn(p, 46, 62, 104, free), turn(p, 46, 28, -6, free), symbol(add(p, [58, -2]), 'φ', free),
                callout(mix(a, b, 0.1), 'at', [62, 78], 'middle'), callout(p, 'at_second', [124, 56], 'middle'),
                key([292, 68], 'axis'), badge([54, 146], one), badge(mix(p, tip, 0.8), two),
            ];
        },
    },
    point_in_plane: {
        words: 'The tip of the second body stays in a plane of the first with the normal axis: it slides in the plane and '
            + 'turns freely.',
        parts: () => {
            const v = view({ origin: [140, 116], azimuth: -56, height: 30 }), t = [34, 10, 0], d = [0.35, 0.2, 0.9];
            return [
                v.block([0, 0, -5], [112, 72, 5], one), v.axis([-50, 10, 0], [-50, 10, 84]),
                v.key([-50, 10, 82], [-6, 4], 'axis', 'end'),
                v.callout([-50, 10, 0], 'at', [58, 92], 'end'), v.square_mark([-50, 10, 0], X, Z, 12),
                v.arrow(t, add3(t, [58, 0, 0]), free), v.symbol(add3(t, [58, 0, 0]), [8, 0], 'x', free),
                v.arrow(t, add3(t, [0, 56, 0]), free), v.symbol(add3(t, [0, 56, 0]), [12, 2], 'y', free),
                v.cone(add3(t, mul3(d, 34)), t, 11, two), v.cylinder(add3(t, mul3(d, 34)), add3(t, mul3(d, 110)), 11, two),
                v.turn(add3(t, mul3(d, 92)), d, 24, -150, 110, free), symbol([244, 54], 'φ', free),
                v.callout(t, 'at_second', [100, 176], 'middle'), badge(v.p([-84, -40, 0]), one),
                badge(v.p(add3(t, mul3(d, 64))), two),
            ];
        },
    },
    line_in_plane: {
        words: 'A straight edge of the second body, along line, stays in a plane of the first with the normal axis.',
        parts: () => {
            const v = view({ origin: [146, 116], azimuth: -56, height: 30 }), d = [0.94, 0.34, 0], n = [0.2, -0.5, 0.84],
                o = [4, -6, 0];
            const on = (u, w) => add3(o, mul3(d, u), mul3(n, w));
            return [
                v.block([0, 0, -5], [118, 70, 5], one), v.axis([-66, 20, 0], [-66, 20, 84]),
                v.key([-66, 20, 82], [-6, 4], 'axis', 'end'),
                v.callout([-66, 20, 0], 'at', [48, 84], 'end'), v.square_mark([-66, 20, 0], X, Z, 12),
                v.axis(on(-84, 0), on(118, 0)), v.face([on(-56, 0), on(56, 0), on(44, 52), on(-40, 52)], two),
                v.line(on(-56, 0), on(56, 0), two.line, 3.2), v.key(on(112, 0), [0, -8], 'line'),
                v.callout(on(0, 0), 'at_second', [100, 178], 'middle'),
                v.turn(on(0, 0), Z, 74, 58, 96, free, { both: true }), symbol([224, 82], 'φ', free),
                v.turn(on(82, 0), d, 13, -150, 110, free), v.symbol(on(82, 0), [-2, 30], 'ψ', free),
                badge(v.p([-94, -44, 0]), one), badge(v.p(on(2, 28)), two),
            ];
        },
    },
};
