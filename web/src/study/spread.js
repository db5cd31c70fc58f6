// spread.js: how a response is distributed: histogram with percentiles and limits, shares below each value, yields against limits.

import { formatNumber } from '../data.js';
import { el, styleValue } from '../dom.js';
import { Chart, domainOf, formatterOf } from './chart.js';
import { isSample, labelOf } from './read.js';

const PERCENTILES = [['p05', '5 %'], ['median', '50 %'], ['p95', '95 %']];

// Percentiles of a response as lines.
function percentilesOf(study, response) {
    const table = study.tables.get('summary');
    const i = table?.rows.indexOf(response.name) ?? -1;
    return i < 0 ? [] : PERCENTILES.map(([name, text]) => ({ x: table.at(i, table.columns.indexOf(name)), text, color: '--text-soft', dash: [2, 3] }));
}

// Vertical lines {x, text, color, dash} with a word each, in rows where they are close.
function drawLines(chart, ctx, lines) {
    ctx.lineWidth = 1.3;
    const ends = [];
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    for (const { x, text, color, dash } of lines.filter((line) => Number.isFinite(line.x)).sort((a, b) => a.x - b.x)) {
        const px = chart.X(x);
        const wide = ctx.measureText(text).width;
        const from = Math.min(px + 4, chart.left + chart.inner - wide - 2);
        let row = 0;
        while (ends[row] > from) row++;
        ends[row] = from + wide + 6;
        ctx.strokeStyle = ctx.fillStyle = styleValue(color);
        ctx.setLineDash(dash);
        chart.line(px, chart.top, px, chart.top + chart.tall);
        ctx.setLineDash([]);
        ctx.lineWidth = 3;
        ctx.strokeStyle = styleValue('--plot');
        ctx.strokeText(text, from, chart.top + 3 + 14 * row);
        ctx.lineWidth = 1.3;
        ctx.fillText(text, from, chart.top + 3 + 14 * row);
    }
}

// A share as a line, in the band between two others.
function drawShare(chart, ctx, color, xs, share, band) {
    ctx.fillStyle = ctx.strokeStyle = styleValue(color);
    if (band) {
        const [low, high] = band;
        ctx.globalAlpha = 0.16;
        ctx.beginPath();
        xs.forEach((x, i) => ctx[i ? 'lineTo' : 'moveTo'](chart.X(x), chart.Y(high[i])));
        for (let i = xs.length - 1; i >= 0; i--) ctx.lineTo(chart.X(xs[i]), chart.Y(low[i]));
        ctx.fill();
        ctx.globalAlpha = 1;
    }
    ctx.lineWidth = 1.8;
    chart.path(xs, share);
}

// The limits of conditions on a response.
const limitsOf = (study, response) => study.conditions.filter((c) => c.left === response.name && Number.isFinite(c.limit)).map((c) => ({ x: c.limit, text: `${c.name} ${c.above ? '>' : '<'} ${formatNumber(c.limit)}`, color: '--reaction', dash: [] }));

function buildHistogram(study, state, response) {
    const table = study.tables.get(`histogram_${response.name}`);
    if (!table || table.length < 1) return { parts: [el('h2', {}, `Distribution of ${response.name}`), el('p', { class: 'note' }, 'All cases have the same value, or none has one: there is nothing to draw.')], charts: [] };
    const middles = table.column(0);
    const counts = table.column(1);
    const width = middles.length > 1 ? middles[1] - middles[0] : (domainOf(response.values, 0)[1] - domainOf(response.values, 0)[0]) || 1;
    const low = middles[0] - width / 2;
    const lines = limitsOf(study, response);
    const domain = domainOf([low, low + width * middles.length, ...lines.map(({ x }) => x)], 0.02);
    const most = Math.max(...counts);
    const text = formatterOf(response.values);
    const chart = new Chart({
        label: `Histogram of ${response.name}`, height: 250, only: 'x',
        x: { domain: () => domain, label: labelOf(response) }, y: { domain: () => [0, most * 1.2], label: 'cases' },
        draw(c, ctx) {
            const bar = (i, n, color, alpha) => {
                ctx.fillStyle = styleValue(color);
                ctx.globalAlpha = alpha;
                ctx.fillRect(c.X(low + i * width) + 0.5, c.Y(n), c.X(low + (i + 1) * width) - c.X(low + i * width) - 1, c.Y(0) - c.Y(n));
                ctx.globalAlpha = 1;
            };
            counts.forEach((n, i) => bar(i, n, '--ink', state.mask ? 0.3 : 0.75));
            if (state.mask) {
                const picked = new Float64Array(counts.length);
                response.values.forEach((x, i) => {
                    if (state.mask[i] && Number.isFinite(x)) picked[Math.min(counts.length - 1, Math.max(0, Math.floor((x - low) / width)))] += study.cases.every;
                });
                picked.forEach((n, i) => n && bar(i, n, '--mark', 0.9));
            }
            drawLines(c, ctx, [...percentilesOf(study, response), ...lines]);
        },
        tip: (x) => {
            const i = Math.floor((x - low) / width);
            return counts[i] !== undefined ? `${text(low + i * width)} to ${text(low + (i + 1) * width)}\n${counts[i]} cases` : null;
        },
        pick: (range) => state.pick(range && ((i) => response.values[i] >= range[0] && response.values[i] <= range[1]), range && `${response.name} from ${text(range[0])} to ${text(range[1])}`),
    });
    return { parts: [el('h2', {}, `Distribution of ${response.name}`), el('p', { class: 'note' }, 'Drag over the bars to pick their cases.'), chart.element], charts: [chart] };
}

function buildShares(study, response) {
    const table = study.tables.get(`distribution_${response.name}`);
    if (!table || table.length < 2) return [];
    const [xs, share, low, high] = [0, 1, 2, 3].map((k) => table.column(k));
    const text = formatterOf(response.values);
    const lines = limitsOf(study, response);
    const chart = new Chart({
        label: `Share of cases up to each ${response.name}`, height: (width) => Math.min(440, Math.max(250, 0.6 * width)),
        x: { domain: () => domainOf([...xs, ...lines.map(({ x }) => x)], 0.02), label: labelOf(response) }, y: { domain: () => [-0.02, 1.02], label: 'share of cases' },
        draw(c, ctx) {
            drawShare(c, ctx, '--ink', xs, share, isSample(study) && [low, high]);
            drawLines(c, ctx, lines);
        },
        tip: (x) => {
            let i = 0;
            while (i + 1 < xs.length && xs[i + 1] <= x) i++;
            return x < xs[0] ? null : `${formatNumber(100 * share[i])} % up to ${text(xs[i])}`;
        },
    });
    return [el('h2', {}, 'Shares below each value'), isSample(study) ? el('p', { class: 'note' }, 'The band holds the shares of the whole population with 95 %, for independent cases.') : null, chart.element];
}

// The yield of a condition against its limit.
function buildLimit(study, condition) {
    const table = study.tables.get(`yield_${condition.name}`);
    if (!table || table.length < 2) return null;
    const order = Array.from({ length: table.length }, (_, i) => i).sort((a, b) => table.at(a, 0) - table.at(b, 0));
    const [xs, share, low, high] = [0, 1, 2, 3].map((k) => order.map((i) => table.at(i, k)));
    const here = condition.limit ?? 0;
    const at = xs.indexOf(here);
    const chart = new Chart({
        label: `Yield of ${condition.name} against its limit`, height: 220,
        x: { domain: () => domainOf([...xs, here], 0.02), label: `${table.columns[0]}${table.units[0] ? ` [${table.units[0]}]` : ''}` }, y: { domain: () => [-0.02, 1.02], label: 'yield' },
        draw(c, ctx) {
            drawShare(c, ctx, '--good', xs, share, isSample(study) && [low, high]);
            drawLines(c, ctx, [{ x: here, text: at >= 0 ? `now ${formatNumber(Number((100 * share[at]).toPrecision(3)))} %` : 'now', color: '--reaction', dash: [] }]);
        },
        tip: (x) => {
            let i = 0;
            while (i + 1 < xs.length && xs[i + 1] <= x) i++;
            return x < xs[0] ? null : `limit ${formatterOf(xs)(xs[i])}\nyield ${formatNumber(100 * share[i])} %${isSample(study) ? ` (${formatNumber(100 * low[i])} to ${formatNumber(100 * high[i])})` : ''}`;
        },
    });
    return el('div', {}, el('h3', {}, condition.name), el('p', { class: 'note' }, condition.text), chart.element);
}

export function buildYields(study) {
    const charts = study.conditions.map((condition) => buildLimit(study, condition)).filter(Boolean);
    if (!charts.length) return null;
    const without = study.conditions.filter(({ name }) => !study.tables.has(`yield_${name}`)).map(({ name }) => name);
    return el('section', { class: 'card', id: 'yields' }, el('h2', {}, 'Yield against limits'), el('p', { class: 'note' }, `How the share of accepted cases follows when a limit is moved${isSample(study) ? ', with Wilson’s 95 % interval for independent cases' : ''}.${without.length ? ` Conditions that are not one comparison have no such limit: ${without.join(', ')}.` : ''}`),
        el('div', { class: charts.length > 1 ? 'columns' : '' }, ...charts));
}

export const buildSpread = (study, state, response) => ({ histogram: buildHistogram(study, state, response), shares: buildShares(study, response) });
