// plots.js: charts of columns against time or against another column, tied to the time of the animation.

import uPlot from 'uplot';
import { columnLabel, formatLogMark, formatMark, formatNumber, logMarks, roundingOf, timeUnit, valueAt } from './data.js';
import { el, icon, iconButton, ICONS, styleValue } from './dom.js';
import { CURVE_COLORS } from './palette.js';

// Of the charts that a page starts with: curves in one, and charts of what was measured.
const MOST_CURVES = 6;
const MOST_CHARTS = 8;

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 3], [7, 2, 2, 2, 2, 2]];

// The columns that results share by name, in the order of the first.
function namesOf(results) {
    const names = new Map();
    for (const result of results) for (const column of result.table.columns) if (!names.has(column.name)) names.set(column.name, column);
    return names;
}

// The charts that a page starts with.
export function suggestCharts(results) {
    const names = namesOf(results);
    const charts = [];
    const plain = [...names.values()].filter((column) => !column.log && !/^energy(\.|$)/.test(column.name));
    // all that was measured, reactions and forces too: columns of one unit together, those of one measure never apart
    const units = new Map();
    for (const column of plain) {
        if (!units.has(column.unit)) units.set(column.unit, new Map());
        const [measure] = column.name.split('.');
        const measures = units.get(column.unit);
        measures.set(measure, [...(measures.get(measure) ?? []), column.name]);
    }
    for (const measures of units.values()) {
        let list = [];
        for (const names of measures.values()) {
            if (list.length && list.length + names.length > MOST_CURVES) {
                charts.push({ columns: list });
                list = [];
            }
            list.push(...names);
        }
        charts.push({ columns: list });
    }
    charts.splice(MOST_CHARTS);
    const pick = (...wanted) => wanted.filter((name) => names.has(name));
    const energies = pick('energy.kinetic', 'energy.potential', 'energy.work', 'energy.balance');
    if (energies.length) charts.push({ columns: energies });
    const violations = pick('constraints.position_violation', 'constraints.velocity_violation');
    if (violations.length) charts.push({ columns: violations, log: true });
    const error = pick('energy.error');
    if (error.length) charts.push({ columns: error, log: true });
    return charts;
}

// "energy: kinetic, potential", for names that share their first part.
function titleOf(columns) {
    if (!columns.length) return 'nothing chosen';
    const [first] = columns[0].split('.');
    const shared = columns.length > 1 && columns.every((name) => name.startsWith(`${first}.`));
    return shared ? `${first}: ${columns.map((name) => name.slice(first.length + 1)).join(', ')}` : columns.join(', ');
}

// A short piece of the line of a curve: its colour and its dashes.
function swatchOf(curve) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    for (const [key, value] of Object.entries({ class: 'swatch', width: 28, height: 4, 'aria-hidden': 'true' })) svg.setAttribute(key, String(value));
    for (const [key, value] of Object.entries({ x1: 0, y1: 2, x2: 28, y2: 2, stroke: curve.color, 'stroke-width': 2.4, 'stroke-dasharray': curve.dash.join(' ') || 'none' })) line.setAttribute(key, String(value));
    svg.append(line);
    return svg;
}

// The room to the right of a chart that the last mark of its horizontal axis needs, whose middle may stand at the edge.
function roomForMark(plot) {
    const last = plot.axes[0]._values?.at(-1) ?? '';
    return Math.max(14, Math.ceil(3.6 * last.length + 3));
}

class Chart {
    constructor(plots, setup) {
        this.plots = plots;
        this.setup = { x: '', log: false, ...setup };
        this.body = el('div', { class: 'chart-body' });
        this.legend = el('div', { class: 'legend' });
        this.head = el('div', { class: 'chart-head' });
        this.element = el('section', { class: 'chart card' }, this.head, this.body, this.legend);
        this.buildHead();
        this.draw();
    }

    // ---- controls ----

    buildHead() {
        const { names } = this.plots;
        const title = el('h3', { class: 'chart-title' }, titleOf(this.setup.columns));
        title.title = this.setup.columns.join(', ');
        const against = el('select', { class: 'against', 'aria-label': 'horizontal axis', onchange: (event) => this.change({ x: event.target.value }) },
            el('option', { value: '' }, this.plots.results[0].branches ? 'branch' : 'time'), ...[...names.keys()].map((name) => el('option', { value: name, selected: name === this.setup.x }, name)));
        const log = el('button', { type: 'button', class: 'chip', 'aria-pressed': String(this.setup.log), title: 'Logarithmic scale', onclick: () => this.change({ log: !this.setup.log }) }, 'log');
        this.head.replaceChildren(title, el('span', { class: 'grow' }), this.chooser(), el('label', { class: 'quiet', title: 'Against what' }, 'vs', against), log,
            iconButton('close', 'Remove this plot', () => this.plots.remove(this)));
    }

    // A list of all columns with boxes to tick.
    chooser() {
        const { names } = this.plots;
        const list = el('div', { class: 'menu-list' });
        const fill = (filter) => {
            list.replaceChildren(...[...names.values()].filter((column) => column.name.toLowerCase().includes(filter.toLowerCase())).slice(0, 400).map((column) =>
                el('label', { class: 'menu-item', title: column.doc }, el('input', {
                    type: 'checkbox',
                    checked: this.setup.columns.includes(column.name),
                    onchange: (event) => {
                        const rest = this.setup.columns.filter((name) => name !== column.name);
                        this.change({ columns: event.target.checked ? [...rest, column.name] : rest }, true);
                    },
                }), el('span', {}, columnLabel(column)))));
        };
        fill('');
        const search = names.size > 12 ? el('input', { type: 'search', class: 'search', placeholder: 'Find', 'aria-label': 'Find a column', oninput: (event) => fill(event.target.value) }) : null;
        return el('details', { class: 'menu' }, el('summary', { class: 'chip', title: 'Choose columns' }, icon(ICONS.plus), 'curves'), el('div', { class: 'menu-panel' }, search, list));
    }

    change(update, keepMenu = false) {
        Object.assign(this.setup, update);
        if (!keepMenu) this.buildHead();
        else this.head.querySelector('.chart-title').textContent = titleOf(this.setup.columns);
        this.draw();
    }

    // ---- curves ----

    // What is drawn: one curve for each column of each result that has it.
    collect() {
        const { results, hiddenResults } = this.plots;
        const several = results.length > 1;
        const curves = [];
        results.forEach((result, r) => {
            if (hiddenResults.has(r)) return;
            this.setup.columns.forEach((name, c) => {
                const column = result.table.columns.find((item) => item.name === name);
                if (!column) return;
                const x = this.setup.x && result.table.columns.find((item) => item.name === this.setup.x);
                if (this.setup.x && !x) return;
                const thinned = Boolean(column.samples) && Boolean(x);
                curves.push({
                    result, column, x,
                    label: several ? `${name} · ${result.label}` : name,
                    color: CURVE_COLORS[(several ? r : c) % CURVE_COLORS.length],
                    dash: several ? DASHES[c % DASHES.length] : [],
                    times: thinned ? result.table.sampleTime : result.table.time,
                    values: thinned ? column.samples : column.values,
                    across: x ? (thinned ? x.samples : x.values) : null,
                    exactTimes: column.samples ? result.table.sampleTime : result.table.time,
                    exact: column.samples || column.values,
                });
            });
        });
        return curves;
    }

    scaleOf(curve) {
        return this.setup.log ? 'log' : `y ${curve.column.unit}`;
    }

    // Numbers as the axis wants them: a logarithm has no zero.
    values(array) {
        if (!this.setup.log) return array;
        return Array.from(array, (v) => (Math.abs(v) > 0 && Number.isFinite(v) ? Math.abs(v) : null));
    }

    draw() {
        this.plot?.destroy();
        this.plot = null;
        this.curves = this.collect();
        const drawn = this.curves.filter((curve) => curve.values.length > 0);
        this.body.classList.toggle('empty', !drawn.length);
        this.body.replaceChildren();
        if (!drawn.length) {
            this.body.append(el('p', { class: 'quiet' }, this.setup.columns.length ? 'There is nothing to plot.' : 'Choose one or more columns.'));
            this.buildLegend();
            return;
        }
        const width = Math.max(200, this.body.clientWidth || 480);
        const options = { width, height: this.plots.height, ...this.common(drawn), ...(this.setup.x ? this.acrossOptions(drawn) : this.timeOptions(drawn)) };
        this.plot = new uPlot(options, this.setup.x ? this.acrossData(drawn) : this.timeData(drawn), this.body);
        this.buildLegend();
        this.setTime(this.plots.time);
    }

    common(drawn) {
        const ink = styleValue('--text-soft');
        const line = styleValue('--line');
        const grid = { stroke: line, width: 1 };
        const ticks = { stroke: line, width: 1, size: 5 };
        const font = `11px ${styleValue('--font')}`;
        const scales = [...new Set(drawn.map((curve) => this.scaleOf(curve)))].slice(0, 4);
        const axis = (scale, i) => ({
            scale, stroke: ink, font, ticks, labelFont: font, labelSize: 15, labelGap: 0, side: i % 2 ? 1 : 3, gap: 4,
            // as wide as its longest mark, −100000 for example
            size: (_, marks) => Math.max(52, 14 + 6.6 * Math.max(0, ...(marks ?? []).map((words) => String(words ?? '').length))),
            grid: i ? { show: false } : grid,
            // the library's own marks end at 1e-24
            ...(this.setup.log ? { splits: (_, axis, low, high) => logMarks(low, high), filter: (_, splits) => splits } : {}),
            label: this.setup.log ? [...new Set(drawn.map((curve) => curve.column.unit))].join(', ') || undefined : scale.slice(2) || undefined,
            values: this.setup.log ? (_, splits) => splits.map(formatLogMark) : (_, splits, i, space, step) => splits.map((v) => formatMark(v, step)),
        });
        const xColumn = drawn[0].x;
        const { branches } = drawn[0].result;
        const xFactor = xColumn || branches ? 1 : timeUnit.factor;
        this.scales = scales;
        return {
            legend: { show: false },
            pxAlign: 0, // curves are drawn where their points are, not at whole pixels
            padding: [10, scales.length > 1 ? 2 : roomForMark, 0, 2],
            axes: [{ scale: 'x', stroke: ink, font, grid, ticks, size: 26, gap: 3, labelFont: font, labelSize: 16, labelGap: 0, label: xColumn ? columnLabel(xColumn) : branches ? 'branch' : `time [${timeUnit.name}]`, ...(branches && !xColumn ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] } : {}), values: (_, splits, i, space, step) => splits.map((v) => formatMark(v * xFactor, step * xFactor)) }, ...scales.map(axis)],
            hooks: { draw: [(plot) => this.mark(plot)], setCursor: [(plot) => this.readCursor(plot)] },
        };
    }

    yScales() {
        const out = {};
        for (const scale of this.scales || []) {
            if (this.setup.log) out[scale] = { distr: 3, log: 10, range: (_, low, high) => decades(low, high) };
            else out[scale] = { range: (_, low, high) => spread(low, high) };
        }
        return out;
    }

    seriesOf(curve) {
        return { label: curve.label, stroke: curve.color, width: 1.6, dash: curve.dash.length ? curve.dash : undefined, scale: this.scaleOf(curve), spanGaps: false, pxAlign: 0, ...(curve.result.branches ? { paths: () => null, points: { show: true, size: 8, fill: curve.color } } : { points: { show: curve.values.length < 2 } }) };
    }

    // Against time: results with their own times are joined into one table.
    timeOptions(drawn) {
        return {
            scales: { x: { time: false }, ...this.yScales() },
            series: [{}, ...drawn.map((curve) => ({ ...this.seriesOf(curve), spanGaps: true }))],
            cursor: { drag: { x: true, y: false, setScale: true }, points: { size: 6 }, bind: this.binding() },
        };
    }

    timeData(drawn) {
        const tables = drawn.map((curve) => [Float64Array.from(curve.times), this.values(curve.values)]);
        const same = drawn.every((curve) => curve.times === drawn[0].times);
        if (same) return [tables[0][0], ...tables.map((table) => table[1])];
        return uPlot.join(tables.map(([t, v]) => [Array.from(t), Array.from(v)]));
    }

    // Against another column: the curve in its own order.
    acrossOptions(drawn) {
        const range = (arrays) => {
            let low = Infinity;
            let high = -Infinity;
            for (const array of arrays) for (const v of array) {
                if (v === null || !Number.isFinite(v)) continue;
                low = Math.min(low, v);
                high = Math.max(high, v);
            }
            return low <= high ? [low, high] : [0, 1];
        };
        const xRange = spread(...range(drawn.map((curve) => curve.across)));
        const scales = { x: { time: false, range: (plot, low, high) => (this.zoomed ? [low, high] : xRange) } };
        for (const scale of this.scales) {
            const full = range(drawn.filter((curve) => this.scaleOf(curve) === scale).map((curve) => this.values(curve.values)));
            const own = this.setup.log ? decades(...full) : spread(...full);
            scales[scale] = { distr: this.setup.log ? 3 : 1, log: 10, range: (plot, low, high) => (this.zoomed ? [low, high] : own) };
        }
        const paths = (plot, index) => {
            const curve = drawn[index - 1];
            const path = new Path2D();
            let down = false;
            const ys = plot.data[index][1];
            const xs = plot.data[index][0];
            for (let i = 0; i < xs.length; i++) {
                if (ys[i] === null || !Number.isFinite(xs[i])) {
                    down = false;
                    continue;
                }
                const x = plot.valToPos(xs[i], 'x', true);
                const y = plot.valToPos(ys[i], this.scaleOf(curve), true);
                if (down) path.lineTo(x, y);
                else path.moveTo(x, y);
                down = true;
            }
            const { ctx, bbox } = plot;
            ctx.save();
            ctx.beginPath();
            ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
            ctx.clip();
            ctx.strokeStyle = curve.color;
            ctx.lineWidth = 1.6 * devicePixelRatio;
            ctx.setLineDash(curve.dash.map((d) => d * devicePixelRatio));
            ctx.stroke(path);
            ctx.restore();
            return null;
        };
        return {
            mode: 2,
            scales,
            series: [{}, ...drawn.map((curve) => ({ label: curve.label, stroke: curve.color, paths, facets: [{ scale: 'x', auto: true }, { scale: this.scaleOf(curve), auto: true }] }))],
            cursor: { drag: { x: true, y: true, uni: 20, setScale: true }, points: { show: false }, bind: this.binding() },
        };
    }

    acrossData(drawn) {
        return [null, ...drawn.map((curve) => [Array.from(curve.across), Array.from(this.values(curve.values))])];
    }

    // A click goes to that time, a drag zooms, a double click shows all again.
    binding() {
        let from = null;
        return {
            mousedown: (plot, target, handler) => (event) => {
                from = [event.clientX, event.clientY];
                this.zoomed = this.setup.x ? true : this.zoomed;
                handler(event);
            },
            mouseup: (plot, target, handler) => (event) => {
                const isClick = from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 4;
                from = null;
                handler(event);
                if (isClick && !this.setup.x) this.plots.player.seek(plot.posToVal(plot.cursor.left, 'x'));
                return null;
            },
            dblclick: (plot, target, handler) => (event) => {
                this.zoomed = false;
                if (this.setup.x) this.draw();
                else handler(event);
                return null;
            },
        };
    }

    // ---- reading ----

    buildLegend() {
        this.entries = this.curves.map((curve) => {
            const value = el('span', { class: 'value' });
            const swatch = swatchOf(curve);
            const entry = el('span', { class: 'entry', title: `${columnLabel(curve.column)}${curve.column.doc ? `: ${curve.column.doc}` : ''}` }, swatch,
                el('span', { class: 'name' }, curve.label), value, el('span', { class: 'unit' }, curve.column.unit));
            return { entry, value };
        });
        this.legend.replaceChildren(...this.entries.map(({ entry }) => entry));
    }

    read(t) {
        this.curves.forEach((curve, i) => {
            const inside = curve.exactTimes.length && t <= curve.exactTimes[curve.exactTimes.length - 1] + 1e-9;
            const at = curve.result.branches ? Math.round(t) : t;
            const x = inside ? valueAt(curve.exactTimes, curve.exact, at) : NaN;
            this.entries[i].value.textContent = this.plots.isRounding(curve, x) ? '≈ 0' : formatNumber(x);
        });
    }

    readCursor(plot) {
        const { left } = plot.cursor;
        if (this.setup.x || left === undefined || left === null || left < 0) this.read(this.plots.time);
        else this.read(plot.posToVal(left, 'x'));
    }

    setTime() {
        if (!this.entries) return;
        if (!this.plot || !(this.plot.cursor.left >= 0) || this.setup.x) this.read(this.plots.time);
        this.plot?.redraw(false, false);
    }

    // The time of the animation: a line, and a dot on each curve.
    mark(plot) {
        const { ctx, bbox } = plot;
        const t = this.plots.time;
        const ratio = devicePixelRatio;
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        ctx.setLineDash([]);
        if (!this.setup.x) {
            const x = Math.round(plot.valToPos(t, 'x', true));
            ctx.strokeStyle = styleValue('--accent');
            ctx.lineWidth = 1.2 * ratio;
            ctx.globalAlpha = 0.75;
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
            ctx.globalAlpha = 1;
        }
        for (const curve of this.curves) {
            let y = valueAt(curve.times, curve.values, t);
            if (this.setup.log) y = Math.abs(y);
            const x = curve.x ? valueAt(curve.times, curve.across, t) : t;
            if (!Number.isFinite(y) || (this.setup.log && !(y > 0)) || !plot.scales[this.scaleOf(curve)]) continue;
            ctx.fillStyle = curve.color;
            ctx.strokeStyle = styleValue('--panel');
            ctx.lineWidth = 1.5 * ratio;
            ctx.beginPath();
            ctx.arc(plot.valToPos(x, 'x', true), plot.valToPos(y, this.scaleOf(curve), true), 4 * ratio, 0, 2 * Math.PI);
            ctx.fill();
            ctx.stroke();
        }
        ctx.restore();
    }

    resize() {
        const width = this.body.clientWidth;
        if (this.plot && width > 50) this.plot.setSize({ width, height: this.plots.height });
    }
}

// A range with a little room. What varies only by rounding counts as one value, which gets room around it.
function spread(low, high) {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (!(high - low > 1e-9 * size)) return [low - (0.1 * size || 1), high + (0.1 * size || 1)];
    const room = 0.06 * (high - low);
    return [low - room, high + room];
}

// Whole powers of ten around a range of positive numbers: not more than eight, for what lies deeper is rounding.
function decades(low, high) {
    if (!(high > 0) || !Number.isFinite(high)) return [1e-16, 1e-15];
    const top = Math.ceil(Math.log10(high) + 1e-9);
    const bottom = low > 0 ? Math.floor(Math.log10(low) - 1e-9) : top - 1;
    return [10 ** Math.max(bottom, top - 8), 10 ** top];
}

export class Plots {
    constructor(container, results, player) {
        this.container = container;
        this.results = results;
        this.player = player;
        this.names = namesOf(results);
        this.hiddenResults = new Set();
        this.time = player.time;
        this.height = 210;
        this.list = el('div', { class: 'charts' });
        const add = el('button', { type: 'button', class: 'wide', onclick: () => this.add({ columns: [] }, true) }, icon(ICONS.plus), 'Add a plot');
        container.append(this.list, add);
        this.charts = [];
        this.rounding = new Map(results.map((result) => [result, roundingOf(result.table, result.table.columns.filter((column) => !column.log))]));
    }

    // Whether a value of a curve is rounding beside what its measure reaches, as in the table of measures.
    isRounding({ result, column }, x) {
        return !column.log && this.rounding.get(result)(column, x);
    }

    // The first charts, once the container has its size.
    start() {
        for (const setup of suggestCharts(this.results)) this.add(setup);
    }

    add(setup, open = false) {
        const chart = new Chart(this, setup);
        this.charts.push(chart);
        this.list.append(chart.element);
        chart.resize();
        if (open) {
            chart.element.querySelector('details').open = true;
            chart.element.scrollIntoView({ block: 'nearest' });
        }
        return chart;
    }

    remove(chart) {
        chart.plot?.destroy();
        chart.element.remove();
        this.charts = this.charts.filter((item) => item !== chart);
    }

    setTime(t) {
        this.time = t;
        for (const chart of this.charts) chart.setTime();
    }

    showResult(index, shown) {
        if (shown) this.hiddenResults.delete(index);
        else this.hiddenResults.add(index);
        this.redraw();
    }

    redraw() {
        for (const chart of this.charts) chart.draw();
    }

    resize() {
        for (const chart of this.charts) chart.resize();
    }

    // What the charts show at the present time.
    values() {
        return this.charts.map((chart) => ({
            columns: [...chart.setup.columns], against: chart.setup.x || 'time', log: chart.setup.log,
            curves: chart.curves.map((curve, i) => ({ label: curve.label, unit: curve.column.unit, points: curve.values.length, value: valueAt(curve.exactTimes, curve.exact, this.time), shown: chart.entries[i].value.textContent })),
        }));
    }
}
