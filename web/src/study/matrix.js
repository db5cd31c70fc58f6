// matrix.js: every response over every factor: cases as points or densities. What is picked in one chart shows in all.

import { el } from '../dom.js';
import { Chart, domainOf, formatterOf } from './chart.js';
import { drawCloud, isCrowd } from './cloud.js';
import { labelOf } from './read.js';

const WIDE = 130;
const TALL = 112;

const domainOfItem = (item) => (item.words ? [-0.5, item.words.length - 0.5] : domainOf(item.values, 0.05));

export function buildMatrix(study, state) {
    const rows = [...study.responses];
    const charts = [];
    const grid = el('div', { class: 'matrix', role: 'group', 'aria-label': 'Scatter matrix' });
    grid.style.gridTemplateColumns = `minmax(48px, 110px) repeat(${study.factors.length}, minmax(${WIDE}px, 1fr))`;
    const texts = new Map([...study.factors, ...rows].map((item) => [item, item.words ? (x) => item.words[Math.round(x)] ?? '' : formatterOf(item.values)]));
    const domains = new Map([...study.factors, ...rows].map((item) => [item, domainOfItem(item)]));
    for (const response of rows) {
        grid.append(el('div', { class: 'name lead' }, labelOf(response)));
        for (const factor of study.factors) {
            const chart = new Chart({
                label: `${response.name} over ${factor.name}`, height: TALL, bare: true, lazy: true,
                x: { domain: () => domains.get(factor) }, y: { domain: () => domains.get(response) },
                draw: (c) => drawCloud(c, factor.values, response.values, state.mask),
                tip: (x, y) => `${factor.name} ${texts.get(factor)(x)}\n${response.name} ${texts.get(response)(y)}`,
                pick: (r) => {
                    for (const other of charts) if (other !== chart) other.forget();
                    state.pick(r && ((i) => factor.values[i] >= r[0] && factor.values[i] <= r[1] && response.values[i] >= r[2] && response.values[i] <= r[3]), r && `a range of ${factor.name} and ${response.name}`);
                },
            });
            charts.push(chart);
            grid.append(chart.element);
        }
    }
    grid.append(el('div', { class: 'name lead' }), ...study.factors.map((factor) => el('div', { class: 'name' }, labelOf(factor))));
    const crowd = isCrowd(study.cases.length, WIDE * TALL);
    return { charts, element: el('section', { class: 'card', id: 'matrix' }, el('h2', {}, 'Responses over factors'),
        el('p', { class: 'note' }, `Drag a rectangle to pick cases in all charts and in the table; a click lets them go.${crowd ? ' The cases would cover the charts as points; their density is drawn.' : ''}${study.cases.every > 1 ? ` Of ${study.cases.whole.toLocaleString('en')} cases this page holds every ${study.cases.every}th.` : ''}`), grid) };
}
