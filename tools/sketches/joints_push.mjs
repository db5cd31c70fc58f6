// joints_push.mjs: joints that push and do not pull: rigid contact, ropes, stops.

import { badge, faint, free, ink, key, load, note, one, polar, symbol, two } from './paper.mjs';
import { arc, arrow, box, circle, dashed, dimension, dot, line, turn } from './lines.mjs';
import { ground } from './parts.mjs';

export const section = 'joints';

export const sketches = {
    rigid_contact: {
        words: 'Two shapes that never overlap: the gap g is open, or the push N holds them apart, with friction against sliding; an '
            + 'impact throws them back.',
        parts: () => [
            ground([14, 152], [306, 152]), badge([40, 140], one),
            circle([86, 78], 34, two), badge([86, 66], two), arrow([126, 78], [126, 118], free), symbol([138, 104], 'v', free),
            dimension([52, 152], [52, 112], -18, 'g'),
            box(186, 104, 84, 48, two, 3), badge([228, 118], two),
            arrow([206, 186], [206, 154], load, { width: 2.4 }), symbol([194, 182], 'N', load),
            arrow([258, 162], [224, 162], load, { width: 2.4 }), symbol([268, 176], 'μN', load),
            arrow([228, 94], [272, 94], free), note([250, 86], 'slides', 'middle', free),
            key([160, 30], 'restitution, friction'),
        ],
    },
    rope: {
        words: 'A rope from a point of the first body to one of the second: slack it does nothing, taut it pulls, and its length is '
            + 'never exceeded.',
        parts: () => [
            ground([120, 22], [200, 22], -1), badge([112, 34], one), dot([160, 24]), key([170, 40], 'from', 'start'),
            arc([160, 24], 132, 222, 318, faint, 1, { 'stroke-dasharray': '4 3' }),
            line([160, 24], polar([160, 24], 132, 296), ink, 1.6), dot(polar([160, 24], 132, 296)),
            circle(polar([160, 24], 148, 296), 16, two), badge(polar([160, 24], 148, 296), two),
            key([206, 132], 'to', 'end'), note([214, 84], 'length', 'start'),
            dashed([160, 24], [112, 96]), circle([104, 108], 14, two), note([70, 92], 'slack', 'middle', faint),
        ],
    },
    rigid_stop: {
        words: 'A coordinate between two rigid ends, lower and upper: each pushes back and does not pull; an impact throws back with '
            + 'the restitution.',
        parts: () => {
            const c = [160, 150], arm = polar(c, 104, 62);
            return [
                ground([110, 168], [210, 168]), badge([204, 154], one), line(c, arm, two.line, 7), dot(c), circle(arm, 10, two),
                badge(polar(c, 60, 62), two), turn(c, 46, 10, 58, free), symbol([206, 116], 'x', free),
                dashed(c, [300, 150]), line(polar(c, 84, 22), polar(c, 124, 22), ink, 4), key([284, 100], 'lower', 'middle'),
                line(polar(c, 84, 128), polar(c, 124, 128), ink, 4), key([76, 44], 'upper', 'middle'),
                arc(c, 104, 22, 128, faint, 1, { 'stroke-dasharray': '4 3' }),
            ];
        },
    },
};
