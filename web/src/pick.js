// pick.js: a card with what is known of a body, a joint or a force at the time that is shown.

import { formatNumber, shown, unitOf } from './data.js';
import { el, iconButton } from './dom.js';
import { place } from './motion.js';

// A vector of lengths, forces or moments, and its size, in the unit that the result shows.
const vector = (result, kind, x) => (result.planar ? x.slice(0, 2) : x).map((c) => formatNumber(shown(result, kind, c))).join(', ');
const size = (result, kind, x) => formatNumber(shown(result, kind, Math.hypot(...x)));

// The angle of a turn about z, or the axis and the angle in space.
function orientation(q, planar) {
    const sign = q[0] < 0 ? -1 : 1;
    const [w, x, y, z] = q.map((c) => sign * c);
    if (planar) return [['angle', `${formatNumber((2 * Math.atan2(z, w) * 180) / Math.PI)}°`]];
    const s = Math.hypot(x, y, z);
    const angle = `${formatNumber((2 * Math.atan2(s, w) * 180) / Math.PI)}°`;
    return [['turned by', s > 1e-9 ? `${angle} about (${[x, y, z].map((c) => formatNumber(c / s)).join(', ')})` : angle]];
}

// Lines of the card: [name, text, unit].
function bodyLines(mechanism, i) {
    const { result, poses } = mechanism;
    const body = result.bodies[i];
    const at = mechanism.bodyPoint(i);
    return [['mass', formatNumber(body.mass), 'kg'], ['mass centre', vector(result, 'length', at), unitOf(result, 'length')], ...orientation(poses[i].q, result.planar)];
}

function elementLines(mechanism, element, i, names) {
    const { result, motion, poses } = mechanism;
    const at = motion.locate(mechanism.time);
    const point = place(poses[element.bodies[0]], element.points[0], [0, 0, 0]);
    const other = place(poses[element.bodies[1]], element.points[1], [0, 0, 0]);
    const length = Math.hypot(...point.map((x, k) => x - other[k]));
    const lines = [['between', element.bodies.map((b) => result.bodies[b].name).join(' and ')], ['point', vector(result, 'length', point), unitOf(result, 'length')]];
    if (element.type === 'spring' || element.symbol === 'link') lines.push(['length', formatNumber(shown(result, 'length', length)), unitOf(result, 'length')]);
    const force = motion.vector(names[0], i, at, [0, 0, 0]);
    const moment = motion.vector(names[1], i, at, [0, 0, 0]);
    if (force) lines.push(['force', `${vector(result, 'force', force)}; |F| = ${size(result, 'force', force)}`, unitOf(result, 'force')]);
    const about = (m) => (result.planar ? formatNumber(shown(result, 'moment', m[2])) : `${vector(result, 'moment', m)}; |M| = ${size(result, 'moment', m)}`);
    if (moment) lines.push(['moment', about(moment), unitOf(result, 'moment')]);
    return lines;
}

export class PickCard {
    constructor(stage, view) {
        this.view = view;
        this.chosen = null;
        this.title = el('strong', {});
        this.kind = el('span', { class: 'quiet' });
        this.list = el('dl', { class: 'facts' });
        this.element = el('div', { class: 'pick card', hidden: true, 'aria-live': 'polite' },
            el('div', { class: 'card-head' }, this.title, this.kind, el('span', { class: 'grow' }), iconButton('close', 'Close', () => this.choose(null))), this.list);
        stage.append(this.element);
    }

    // {kind: 'body' | 'joint' | 'force', index}, or null.
    choose(chosen) {
        this.chosen = chosen;
        this.update();
        this.view.request();
    }

    lines() {
        const { main } = this.view;
        const { kind, index } = this.chosen;
        if (kind === 'body') return bodyLines(main, index);
        const element = (kind === 'joint' ? main.result.joints : main.result.forces)[index];
        return elementLines(main, element, index, kind === 'joint' ? ['jointForce', 'jointMoment'] : ['forceForce', 'forceMoment']);
    }

    update() {
        this.element.hidden = !this.chosen;
        if (!this.chosen) return;
        const { result } = this.view.main;
        const { kind, index } = this.chosen;
        const thing = { body: result.bodies, joint: result.joints, force: result.forces }[kind][index];
        this.title.textContent = thing.name;
        this.kind.textContent = kind === 'body' ? 'body' : `${thing.type}${kind === 'joint' ? '; on the first body' : ''}`;
        this.list.replaceChildren(...this.lines().flatMap(([name, text, unit]) => [el('dt', {}, name), el('dd', {}, unit ? `${text} ${unit}` : text)]));
    }
}
