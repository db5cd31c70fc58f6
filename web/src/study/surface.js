// surface.js: a response over two factors: the surface that the answer holds, with the cases on it.

import { formatNumber } from '../data.js';
import { el, styleValue } from '../dom.js';
import { Chart, domainOf, formatterOf } from './chart.js';
import { rampText } from './color.js';
import { labelOf } from './read.js';

// The different values of a column, in order.
const different = (values) => [...new Set(values)].sort((a, b) => a - b);

// The edges of cells around places: half-way between them.
function edgesOf(places) {
    const step = places.length > 1 ? (places.at(-1) - places[0]) / (places.length - 1) : 1;
    const inner = places.slice(1).map((x, i) => (x + places[i]) / 2);
    return [places.length > 1 ? places[0] - (inner[0] - places[0]) : places[0] - step / 2, ...inner, places.length > 1 ? places.at(-1) + (places.at(-1) - inner.at(-1)) : places[0] + step / 2];
}

// The cells of a pair: places along both factors, values, and where there are none NaN.
function gridOf(table, pair, x, y, response) {
    const [p, kx, ky, kz] = [table.column('pair'), table.column(x), table.column(y), table.column(response)];
    const error = table.column('standard error');
    const rows = [...p.keys()].filter((i) => p[i] === pair);
    const xs = different(rows.map((i) => kx[i]));
    const ys = different(rows.map((i) => ky[i]));
    const cell = new Map(rows.map((i) => [`${kx[i]} ${ky[i]}`, [kz[i], error[i]]]));
    return { xs, ys, at: (i, j) => cell.get(`${xs[i]} ${ys[j]}`) ?? [NaN, NaN], zs: rows.map((i) => kz[i]) };
}

function scaleBar(low, high, response) {
    const bar = el('canvas', { width: 140, height: 1, 'aria-hidden': 'true' });
    const ctx = bar.getContext('2d');
    for (let i = 0; i < 140; i++) {
        ctx.fillStyle = rampText(i / 139);
        ctx.fillRect(i, 0, 1, 1);
    }
    const text = formatterOf([low, high]);
    return el('div', { class: 'scale' }, text(low), bar, text(high), el('span', {}, labelOf(response)));
}

// Cases of a pair as dots, those that are picked before the others, and failed ones as crosses.
function drawCases(chart, ctx, state, x, y, failed) {
    const most = 4000; // of dots, beside which the surface is seen no more: every so many
    const every = Math.ceil(x.values.length / most);
    const everyPicked = Math.ceil((state.picked || 0) / most);
    for (const wanted of state.mask ? [0, 1] : [0]) {
        ctx.fillStyle = wanted ? styleValue('--mark') : '#0009';
        ctx.strokeStyle = '#fff9';
        ctx.lineWidth = 0.8;
        let seen = 0;
        for (let i = 0; i < x.values.length; i++) {
            if ((state.mask && state.mask[i] !== wanted) || seen++ % (wanted ? everyPicked : every)) continue;
            ctx.beginPath();
            ctx.arc(chart.X(x.values[i]), chart.Y(y.values[i]), wanted ? 2.2 : 1.6, 0, 7);
            ctx.fill();
            ctx.stroke();
        }
    }
    if (!failed) return;
    const [fx, fy] = [failed.column(x.name), failed.column(y.name)];
    ctx.strokeStyle = styleValue('--reaction');
    ctx.lineWidth = 1.4;
    for (let i = 0; i < fx.length; i += Math.ceil(fx.length / most)) {
        const [px, py] = [chart.X(fx[i]), chart.Y(fy[i])];
        chart.line(px - 2.5, py - 2.5, px + 2.5, py + 2.5);
        chart.line(px - 2.5, py + 2.5, px + 2.5, py - 2.5);
    }
}

export function buildSurface(study, state, response) {
    const list = study.tables.get(`surfaces_${response.name}`);
    const table = study.tables.get(`surface_${response.name}`);
    if (!list || !list.length) return { parts: [], charts: [] };
    const column = (name) => list.columns.indexOf(name);
    const order = [...Array(list.length).keys()].sort((a, b) => (list.at(b, column('explained')) || 0) - (list.at(a, column('explained')) || 0));
    const head = [el('h2', {}, `${response.name} over two factors`)];
    const body = el('div', {});
    const chooser = el('select', { 'aria-label': 'Two factors', onchange: () => show(Number(chooser.value)) }, ...order.map((i) => el('option', { value: String(i) }, `${list.rows[i]} (${formatNumber(Number((100 * Math.max(0, list.at(i, column('explained')) || 0)).toPrecision(2)))} %)`)));
    const out = { parts: [el('div', { class: 'card-head' }, ...head, el('span', { class: 'grow' }), chooser), body], charts: [] };

    function show(pair) {
        const [x, y] = [study.factors[list.at(pair, column('factor'))], study.factors[list.at(pair, column('other factor'))]];
        const value = (name) => list.at(pair, column(name));
        const unit = response.unit ? ` ${response.unit}` : '';
        const error = `Of cases that are left out it is off by ${formatNumber(value('left-out error'))}${unit} (root mean square); the mean of all cases by ${formatNumber(value('error of their mean'))}${unit}.`;
        if (!value('degree')) {
            out.charts.splice(0);
            body.replaceChildren(el('p', { class: 'note' }, `No surface over ${x.name} and ${y.name} is better than the mean of all ${formatNumber(value('cases'))} cases. ${error}`));
            return;
        }
        const words = `A polynomial of degree ${value('degree')} fitted to ${value('cases').toLocaleString('en').replaceAll(',', ' ')} cases: the mean over all other factors. ${error} So these two explain ${formatNumber(Number((100 * value('explained')).toPrecision(3)))} % of the variance. Blank where there are no cases.`;
        const grid = gridOf(table, pair, x.name, y.name, response.name);
        const [low, high] = domainOf(grid.zs, 0);
        const nameOf = (factor) => (factor.words ? (v) => factor.words[v] : formatterOf(factor.values));
        const [textX, textY, textZ] = [nameOf(x), nameOf(y), formatterOf([low, high])];
        const [ex, ey] = [edgesOf(grid.xs), edgesOf(grid.ys)];
        const around = (factor, edges) => (factor.words ? [-0.5, factor.words.length - 0.5] : domainOf([edges[0], edges.at(-1), ...factor.values], 0.01));
        const chart = new Chart({
            label: `${response.name} over ${x.name} and ${y.name}`, height: (width) => Math.min(460, Math.max(260, 0.62 * width)),
            x: { domain: () => around(x, ex), label: labelOf(x), words: x.words }, y: { domain: () => around(y, ey), label: labelOf(y), words: y.words },
            draw(c, ctx) {
                for (let i = 0; i < grid.xs.length; i++)
                    for (let j = 0; j < grid.ys.length; j++) {
                        const [z] = grid.at(i, j);
                        if (!Number.isFinite(z)) continue;
                        ctx.fillStyle = rampText(high > low ? (z - low) / (high - low) : 0.5);
                        const [left, right, top, bottom] = [c.X(ex[i]), c.X(ex[i + 1]), c.Y(ey[j + 1]), c.Y(ey[j])];
                        ctx.fillRect(left, top, right - left + 0.6, bottom - top + 0.6);
                    }
                drawCases(c, ctx, state, x, y, study.tables.get('failed'));
            },
            tip: (px, py) => {
                const [i, j] = [ex.findIndex((edge, k) => px >= edge && px < ex[k + 1]), ey.findIndex((edge, k) => py >= edge && py < ey[k + 1])];
                const [z, half] = i < 0 || j < 0 ? [NaN, NaN] : grid.at(i, j);
                return Number.isFinite(z) ? `${x.name} ${textX(grid.xs[i])}\n${y.name} ${textY(grid.ys[j])}\n${response.name} ${textZ(z)}${unit} ± ${formatNumber(half)} (standard error)` : null;
            },
            pick: (r) => state.pick(r && ((i) => x.values[i] >= r[0] && x.values[i] <= r[1] && y.values[i] >= r[2] && y.values[i] <= r[3]), r && `a range of ${x.name} and ${y.name}`),
        });
        out.charts.splice(0, Infinity, chart);
        body.replaceChildren(el('p', { class: 'note' }, words), chart.element, scaleBar(low, high, response));
    }
    show(order[0]);
    return out;
}
