// labels.js: words in the drawing that keep clear of each other and, where there is room, of what is drawn: names of bodies and
// joints, values of arrows. A word stands in one of eight directions from its point, at one of three distances; what counts is
// how much of the drawing it covers, then how far away it is, then the order of the directions (as in src/report/labels.c).
// What finds no place that is free of other words is left out. Those that come first choose first.

import { el } from './dom.js';

const DIRECTIONS = [[1, -1], [1, 1], [-1, -1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]];
const RINGS = [0, 0.8, 2];
const GAP = 8;
const HEIGHT = 16;
const CELL = 6;
// How much better another place has to be before a word leaves the one that it has, so that words do not jump.
const HOLD = 0.25;

const BESIDE = 4; // pixels between words on one line
const apart = (a, b) => a.right + BESIDE <= b.left || b.right + BESIDE <= a.left || a.bottom <= b.top || b.bottom <= a.top;

// The drawing in small squares, drawn on or free.
export class Ink {
    constructor(width, height) {
        this.columns = Math.ceil(width / CELL);
        this.rows = Math.ceil(height / CELL);
        this.cells = new Uint8Array(this.columns * this.rows);
    }

    mark(x, y) {
        const c = Math.floor(x / CELL);
        const r = Math.floor(y / CELL);
        if (c >= 0 && r >= 0 && c < this.columns && r < this.rows) this.cells[r * this.columns + c] = 1;
    }

    line(a, b) {
        const steps = 1 + Math.min(500, Math.floor(Math.hypot(b.x - a.x, b.y - a.y) / CELL));
        for (let k = 0; k <= steps; k++) this.mark(a.x + ((b.x - a.x) * k) / steps, a.y + ((b.y - a.y) * k) / steps);
    }

    // The share of a box inside the drawing that is drawn on.
    share(box) {
        let drawn = 0;
        const [c0, c1, r0, r1] = [box.left, box.right, box.top, box.bottom].map((x) => Math.floor(x / CELL));
        for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) drawn += this.cells[r * this.columns + c] ?? 0;
        return drawn / ((c1 - c0 + 1) * (r1 - r0 + 1));
    }
}

export class Labels {
    constructor(overlay) {
        this.overlay = overlay;
        this.items = [];
    }

    clear() {
        this.overlay.replaceChildren();
        this.items = [];
    }

    // at() gives the point in pixels or null; text() the words, for those that change.
    add(kind, words, at, text = null) {
        const element = el('span', { class: `label ${kind}` }, words.length > 60 ? `${words.slice(0, 57)}…` : words);
        this.overlay.append(element);
        this.items.push({ element, at, text, width: 0, place: -1 });
    }

    // The box of a word beside a point, for the place k.
    static box(p, width, k) {
        const ring = Math.floor(k / DIRECTIONS.length);
        const [dx, dy] = DIRECTIONS[k % DIRECTIONS.length];
        const away = (GAP + RINGS[ring] * HEIGHT) * (dx && dy ? 0.7 : 1);
        const left = p.x + dx * (width / 2 + away) - width / 2;
        const top = p.y + dy * (HEIGHT / 2 + away) - HEIGHT / 2;
        return { left, right: left + width, top, bottom: top + HEIGHT };
    }

    // The best place for a word: {k, box}, or null.
    static choose(p, item, size, taken, ink) {
        let best = null;
        for (let k = 0; k < RINGS.length * DIRECTIONS.length; k++) {
            const box = Labels.box(p, item.width, k);
            const isInside = box.left > 2 && box.right < size.width - 2 && box.top > 2 && box.bottom < size.height - 2;
            if (!isInside || !taken.every((other) => apart(box, other))) continue;
            const cost = 2 * ink.share(box) + 0.12 * Math.floor(k / DIRECTIONS.length) + 0.01 * (k % DIRECTIONS.length) - (k === item.place ? HOLD : 0);
            if (!best || cost < best.cost) best = { k, box, cost };
        }
        return best;
    }

    // Put all words where there is room beside the boxes that are taken; makeInk() is what is drawn, asked for where there is a word.
    place(width, height, makeInk, boxes = []) {
        const taken = [...boxes];
        let ink = null;
        for (const item of this.items) {
            const p = item.at();
            const isIn = p && p.x > -20 && p.x < width + 20 && p.y > -20 && p.y < height + 20;
            if (isIn && item.text) {
                const words = item.text();
                if (words !== item.words) {
                    item.element.textContent = words;
                    item.words = words;
                    item.width = 0;
                }
            }
            item.element.hidden = !isIn;
            if (!isIn) continue;
            if (!item.width) item.width = item.element.offsetWidth || 7 * item.element.textContent.length;
            ink ??= makeInk();
            const found = Labels.choose(p, item, { width, height }, taken, ink);
            item.element.hidden = !found;
            if (!found) continue;
            item.place = found.k;
            item.box = found.box;
            item.covers = ink.share(found.box);
            taken.push(found.box);
            item.element.style.transform = `translate(${item.box.left.toFixed(1)}px, ${item.box.top.toFixed(1)}px)`;
        }
    }
}
