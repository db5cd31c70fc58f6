// forces_drive.mjs: motors with a torque curve, controllers and rotors.

import { badge, faint, free, given, ink, key, load, note, plain, polar, samples, symbol, two } from './paper.mjs';
import { arrow, box, callout, circle, graph, polyline, turn } from './lines.mjs';
import { block, machine, rocker } from './parts.mjs';
import { add3, mul3, unit3, view } from './space.mjs';

export const section = 'forces';

export const sketches = {
    motor: {
        words: 'A motor in a joint turns the second body with a torque that follows from its speed by a curve, times a '
            + 'command.',
        parts: () => {
            const c = [70, 128], curve = samples(0, 1, 24, (u) => [u, 0.92 - 0.16 * u - 0.72 * u ** 5]);
            return [
                rocker(c, polar(c, 96, 40), two, 10), machine(c, 13), badge(polar(c, 76, 40), two),
                turn(c, 50, -6, 28, load, { width: 2.4 }), symbol([130, 122], 'T', load), turn(c, 108, 26, 50, free),
                key([134, 42], 'speed', 'start', free),
                callout(polar(c, 13, 150), 'joint', [30, 92], 'middle'), graph([196, 148], 94, 84, curve, ['', 'T'], load),
                key([246, 166], 'speed'), key([250, 62], 'curve', 'middle', load),
                note([244, 184], 'T = command · curve', 'middle', ink),
            ];
        },
    },
    pid: {
        words: 'A control loop: the difference of target and measured goes through proportional, integral and derivative '
            + 'parts; with feed added and bounded by limit it acts in the joint.',
        parts: () => {
            const y = 74, sum = [62, y], plus = [188, y];
            return [
                arrow([14, y], [53, y], ink, { width: 1.2 }), key([10, y - 8], 'target', 'start', given),
                circle(sum, 9, { fill: '#fff', line: ink }), symbol([72, y + 20], '−'), symbol([50, y - 14 + 4 + 22], '+'),
                symbol([84, y - 6], 'e'),
                polyline([[71, y], [92, y]], ink, 1.2), polyline([[92, 34], [92, 114]], ink, 1.2),
                [[34, 'proportional'], [74, 'integral'],
                    [114, 'derivative']].map(([h, text]) => [arrow([92, h], [100, h], ink, { width: 1.2 }),
                    block(100, h - 13, 74, 26, text, { 'font-size': 11 }),
                    h === 74 ? arrow([174, h], [179, h], ink, { width: 1.2 }) : polyline([[174, h], [188, h]], ink, 1.2)]),
                arrow([188, 34], [188, 65], ink, { width: 1.2 }), arrow([188, 114], [188, 83], ink, { width: 1.2 }),
                circle(plus, 9, { fill: '#fff', line: ink }), symbol([188, y + 4], '+'),
                arrow([212, 40], [195, 67], ink, { width: 1.2 }), key([216, 34], 'feed', 'middle', given),
                arrow([197, y], [210, y], ink, { width: 1.2 }), box(210, y - 15, 34, 30, { fill: '#fff', line: ink }, 4),
                polyline([[214, y + 9], [220, y + 9], [234, y - 9], [240, y - 9]], ink, 1.6), key([227, y + 30], 'limit'),
                arrow([244, y], [264, y], load, { width: 2 }), symbol([254, y - 8], 'F', load),
                block(264, y - 17, 44, 34, 'joint'), polyline([[286, y + 17], [286, 158], [62, 158]], ink, 1.2),
                arrow([62, 158], [62, 84], ink, { width: 1.2 }), key([176, 152], 'measured', 'middle', free),
                note([176, 176], 'the coordinate of the joint, or any law of measures', 'middle', faint),
            ];
        },
    },
    rotor: {
        words: 'A rotor turns at a constant speed about an axis that is fixed in a body: when the body turns by ω, its '
            + 'spin h answers with the torque T = −ω × h.',
        parts: () => {
            const v = view({ origin: [150, 112] }), a = unit3([1, 0.25, 0.1]), on = (u) => mul3(a, u);
            return [
                v.block([0, 0, -52], [66, 34, 8], two), v.block([-50, -6, -20], [6, 12, 26], two), v.axis(on(-120), on(-50)),
                v.cylinder(on(-58), on(-11), 5, plain), v.cylinder(on(-11), on(11), 38, plain),
                v.cylinder(on(11), on(58), 5, plain),
                v.block([50, 12, -20], [6, 12, 26], two), v.axis(on(58), on(132)), v.key(on(130), [2, 14], 'axis'),
                v.turn(on(78), a, 18, -150, 120, free), v.key(on(78), [2, 36], 'speed', 'middle', free),
                v.arrow(on(84), on(118), given), v.symbol(on(108), [4, -10], 'h', given),
                v.axis([0, 0, 38], [0, 0, 88]), v.turn([0, 0, 66], [0, 0, 1], 19, -140, 110, free),
                v.symbol([0, 0, 66], [-30, 4], 'ω', free), v.key([-40, -34, -54], [0, 4], 'body'),
                v.callout(add3(on(11), [0, 12, 22]), 'inertia', [214, 54], 'start'),
                v.arrow(on(12), add3(on(12), [0, -74, 0]), load, { width: 2.4 }),
                v.symbol(add3(on(12), [0, -74, 0]), [-8, 2], 'T', load),
            ];
        },
    },
};
