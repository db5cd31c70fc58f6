// influence.js: which factors matter: Sobol's indices with their intervals, or correlations; and main effects.

import { formatNumber } from '../data.js';
import { el, styleValue } from '../dom.js';
import { Chart, domainOf } from './chart.js';
import { labelOf } from './read.js';

const ROW = 30;

// Charts of main effects and bars that are not folded.
const MOST_CHARTS = 8;
const MOST_BARS = 12;

// Bars from 0 with intervals: items {name, values: [{value, half}]}.
function barsOf(items, colors, label, domain) {
    return new Chart({
        label, height: () => 30 + ROW * items.length,
        x: { domain: () => domain }, y: { domain: () => [items.length - 0.5, -0.5], words: items.map(({ name }) => name) },
        draw(chart, ctx) {
            items.forEach(({ values }, i) => values.forEach(({ value, half }, k) => {
                if (!Number.isFinite(value)) return;
                const tall = (ROW - 12) / values.length;
                const top = chart.Y(i) - (ROW - 12) / 2 + k * tall;
                ctx.fillStyle = styleValue(colors[k]);
                ctx.globalAlpha = k ? 0.45 : 0.9;
                ctx.fillRect(Math.min(chart.X(0), chart.X(value)), top, Math.abs(chart.X(value) - chart.X(0)), tall - 1);
                ctx.globalAlpha = 1;
                if (!half) return;
                ctx.strokeStyle = styleValue('--text');
                ctx.lineWidth = 1.2;
                const middle = top + tall / 2 - 0.5;
                chart.line(chart.X(value - half), middle, chart.X(value + half), middle);
                for (const end of [-half, half]) chart.line(chart.X(value + end), middle - 3, chart.X(value + end), middle + 3);
            }));
        },
        tip: (x, y) => {
            const item = items[Math.round(y)];
            return item ? `${item.name}\n${item.values.map(({ name, value, half }) => `${name} ${formatNumber(value)}${half ? ` ± ${formatNumber(half)}` : ''}`).join('\n')}` : null;
        },
    });
}

// The longest bars, and the others folded.
function foldedBars(items, ...rest) {
    if (items.length <= MOST_BARS) return [barsOf(items, ...rest).element];
    return [barsOf(items.slice(0, MOST_BARS), ...rest).element, el('details', {}, el('summary', {}, `${items.length - MOST_BARS} more factors`), barsOf(items.slice(MOST_BARS), ...rest).element)];
}

function hiddenTable(caption, items) {
    return el('table', { class: 'hidden' }, el('caption', {}, caption), el('tbody', {}, ...items.map(({ name, values }) =>
        el('tr', {}, el('th', { scope: 'row' }, name), ...values.map(({ name: what, value, half }) => el('td', {}, `${what} ${formatNumber(value)}${half ? ` ± ${formatNumber(half)}` : ''}`))))));
}

// Sobol's indices of a response, or the correlations with it.
function buildIndices(study, response) {
    const table = study.tables.get(`indices_${response.name}`);
    if (table) {
        const items = table.rows.map((name, i) => ({ name, values: [{ name: 'alone', value: table.at(i, 0), half: table.at(i, 1) }, { name: 'with others', value: table.at(i, 2), half: table.at(i, 3) }] }))
            .sort((a, b) => b.values[1].value - a.values[1].value);
        const [, high] = domainOf(items.flatMap(({ values }) => values.map(({ value, half }) => value + half)), 0.02);
        const [low] = domainOf([0, ...items.flatMap(({ values }) => values.map(({ value, half }) => value - half))], 0.02);
        const chart = foldedBars(items, ['--ink', '--ink'], `Sobol indices of ${response.name}`, [Math.min(0, low), Math.max(high, 0.05)]);
        return [el('h2', {}, 'Which factors matter'), el('p', { class: 'note' }, `Sobol indices: the share of the variance of ${response.name} that each factor causes, with 95 % intervals.`),
            ...chart, el('div', { class: 'keys' }, key('--ink', 'alone (first order)', 0.9), key('--ink', 'together with others (total)', 0.45)), hiddenTable(`Sobol indices of ${response.name}`, items)];
    }
    const linear = study.tables.get('correlation');
    const k = linear?.columns.indexOf(response.name) ?? -1;
    if (k < 0) return [];
    const items = linear.rows.map((name, i) => ({ name, values: [{ name: 'correlation', value: linear.at(i, k) }] })).sort((a, b) => Math.abs(b.values[0].value) - Math.abs(a.values[0].value));
    return [el('h2', {}, 'Which factors matter'), el('p', { class: 'note' }, `Linear correlation of each factor with ${response.name}. The design “indices” tells shares of the variance.`),
        ...foldedBars(items, ['--ink'], `Correlation of factors with ${response.name}`, [-1.02, 1.02]), hiddenTable(`Correlation with ${response.name}`, items)];
}

function key(color, text, alpha = 1, box = true) {
    const mark = el('i', { class: box ? 'box' : '' });
    mark.style.background = `var(${color})`;
    mark.style.opacity = String(alpha);
    return el('span', {}, mark, text);
}

// The value below which a share of sorted numbers lies.
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.round(share * (sorted.length - 1)))];

// Where the parts of a factor lie: its levels, or the middles of equal shares of the cases.
function placesOf(factor, shares) {
    const sorted = Float64Array.from(factor.values).filter(Number.isFinite).sort();
    const levels = sorted.filter((x, i) => !i || x > sorted[i - 1]);
    return levels.length === shares.length ? levels : shares.map((share) => quantile(sorted, share));
}

// Means of the response over the parts of each factor, all with the same scale.
function buildEffects(study, response) {
    const curves = [];
    for (const [name, table] of study.tables) {
        if (name !== `effects_${response.name}` && !new RegExp(`^effects_${response.name}_\\d+$`).test(name)) continue;
        for (const column of table.columns.slice(1)) {
            const factor = study.factors.find((f) => f.name === column);
            if (factor) curves.push({ factor, xs: placesOf(factor, Array.from(table.column(0))), ys: table.column(column) });
        }
    }
    if (!curves.length) return [];
    curves.sort((a, b) => spanOf(b.ys) - spanOf(a.ys));
    const shared = domainOf(curves.flatMap(({ ys }) => Array.from(ys)), 0.08);
    return [el('h2', {}, 'Main effects'), el('p', { class: 'note' }, `The mean of ${labelOf(response)} over the cases in which the factor lies near each value; the factor with the largest effect first.`),
        ...inParts(curves.map(({ factor, xs, ys }) => {
            const chart = new Chart({
                label: `Main effect of ${factor.name} on ${response.name}`, height: 150,
                x: { domain: () => (factor.words ? [-0.5, factor.words.length - 0.5] : domainOf(xs, 0.06)), words: factor.words }, y: { domain: () => shared },
                draw(c, ctx) {
                    ctx.strokeStyle = ctx.fillStyle = styleValue('--ink');
                    ctx.lineWidth = 1.8;
                    if (!factor.words) c.path(xs, ys);
                    xs.forEach((x, i) => {
                        if (!Number.isFinite(ys[i])) return;
                        ctx.beginPath();
                        ctx.arc(c.X(x), c.Y(ys[i]), 2.6, 0, 7);
                        ctx.fill();
                    });
                },
            });
            return el('div', {}, el('h3', {}, labelOf(factor)), chart.element);
        }))];
}

// The first charts, and the others folded.
function inParts(charts) {
    const grid = (list) => el('div', { class: 'small-plots' }, ...list);
    if (charts.length <= MOST_CHARTS) return [grid(charts)];
    return [grid(charts.slice(0, MOST_CHARTS)), el('details', {}, el('summary', {}, `${charts.length - MOST_CHARTS} more factors`), grid(charts.slice(MOST_CHARTS)))];
}

function spanOf(ys) {
    const [low, high] = domainOf(ys, 0);
    return high - low;
}

export const buildInfluence = (study, response) => ({ indices: buildIndices(study, response), effects: buildEffects(study, response) });
