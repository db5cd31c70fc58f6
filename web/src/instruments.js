// instruments.js: what lies over the drawing and tells directions and lengths: the axes, and a scale.

import { formatNumber } from './data.js';

const SVG = 'http://www.w3.org/2000/svg';
const ARM = 26;

function make(tag, attributes, parent) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    parent?.append(element);
    return element;
}

// The directions of x, y and z in the picture.
export class Triad {
    constructor(stage) {
        this.svg = make('svg', { class: 'triad', viewBox: '-40 -40 80 80', width: 80, height: 80, 'aria-hidden': 'true' }, stage);
        this.arms = [...'xyz'].map((letter) => ({
            line: make('line', { x1: 0, y1: 0, 'stroke-width': 2.4, 'stroke-linecap': 'round', class: `axis-${letter}` }, this.svg),
            name: make('text', { 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': 11.5, 'font-weight': 650, class: `axis-${letter}` }, this.svg),
            letter,
        }));
        for (const arm of this.arms) arm.name.textContent = arm.letter;
    }

    // directions: x and y in the picture (y upwards) of each axis, of length 1 in space; those that point at the eye are dots.
    update(directions) {
        this.shown = directions.map(({ x, y }) => [x, y]);
        this.arms.forEach((arm, k) => {
            const d = directions[k];
            const visible = d && Math.hypot(d.x, d.y) > 0.08;
            arm.line.style.display = arm.name.style.display = visible ? '' : 'none';
            if (!visible) return;
            arm.line.setAttribute('x2', (ARM * d.x).toFixed(2));
            arm.line.setAttribute('y2', (-ARM * d.y).toFixed(2));
            const out = (ARM * Math.hypot(d.x, d.y) + 8) / Math.hypot(d.x, d.y);
            arm.name.setAttribute('x', (out * d.x).toFixed(2));
            arm.name.setAttribute('y', (-out * d.y).toFixed(2));
        });
    }
}

// A bar of 1, 2 or 5 times a power of ten of the unit of lengths, between 60 and 150 pixels long.
export class ScaleBar {
    constructor(stage, el) {
        this.bar = el('span', { class: 'scale-line' });
        this.words = el('span', {});
        this.element = el('div', { class: 'scale-bar', title: 'How long this is, at the middle of the drawing' }, this.words, this.bar);
        stage.append(this.element);
    }

    // pixels: how many a unit has.
    update(pixels, unit) {
        this.element.hidden = !(pixels > 0) || !Number.isFinite(pixels);
        if (this.element.hidden) return;
        const rough = 60 / pixels;
        const power = 10 ** Math.floor(Math.log10(rough));
        const length = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough * (1 - 1e-9));
        this.shown = { length, unit, pixels: length * pixels };
        this.bar.style.width = `${(length * pixels).toFixed(1)}px`;
        this.words.textContent = `${formatNumber(Number(length.toPrecision(3)))} ${unit}`;
    }
}
