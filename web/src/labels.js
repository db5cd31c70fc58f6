// labels.js: words in the drawing that keep clear of each other: names of bodies and joints, values of arrows. A word stands
// beside its point, on the first of several places that is free; what finds none is left out. Those that come first choose first.

import { el } from './dom.js';

// Places around a point: of the left edge and the middle of the word, in its widths, heights and pixels.
const PLACES = [[0, 0, 9, -13], [0, 0, 9, 12], [-1, 0, -9, -13], [-1, 0, -9, 12], [-0.5, 0, 0, -20], [-0.5, 0, 0, 20], [0, 0, 16, 0], [-1, 0, -16, 0], [0, 0, 20, -26], [0, 0, 20, 26]];

const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

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
        this.items.push({ element, at, text, width: 0, place: 0 });
    }

    // Put all words where there is room.
    place(width, height) {
        const taken = [];
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
            // the place of the last time first, so that words do not jump
            const order = [item.place, ...PLACES.keys()];
            const found = order.find((k) => {
                const [fx, , dx, dy] = PLACES[k];
                const left = p.x + fx * item.width + dx;
                const box = { left, right: left + item.width, top: p.y + dy - 8, bottom: p.y + dy + 8 };
                const isInside = box.left > 2 && box.right < width - 2 && box.top > 2 && box.bottom < height - 2;
                if (!isInside || !taken.every((other) => apart(box, other))) return false;
                item.box = box;
                return true;
            });
            item.element.hidden = found === undefined;
            if (found === undefined) continue;
            item.place = found;
            taken.push(item.box);
            item.element.style.transform = `translate(${item.box.left.toFixed(1)}px, ${item.box.top.toFixed(1)}px)`;
        }
    }
}
