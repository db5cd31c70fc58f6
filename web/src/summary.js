// summary.js: what was run and how it went, warnings, the model text, the data as CSV.

import { el, icon, iconButton, ICONS } from './dom.js';
import { formatNumber, timeText, timeUnit } from './data.js';

const ENDS = {
    time: 'reached its end time',
    stop: 'stopped by its own condition',
    interrupted: 'was interrupted',
    failed: 'failed',
    running: 'was cut off (the file was never closed)',
};

// What the reader should know before anything else.
export function warningsOf(result) {
    const list = [];
    const { texts } = result;
    const end = texts['statistics.end'] || texts.end;
    const last = result.table.time.length ? result.table.time[result.table.time.length - 1] : null;
    const goal = texts['options.end'];
    if (!result.complete)
        list.push(`This result is incomplete: the run ${ENDS[end] || `ended with “${end}”`}${last === null ? '; it holds no records' : ` at t = ${timeText(last)}${goal ? ` of ${timeText(Number(goal))}` : ''}`}.`);
    else if (last === null) list.push('This result holds no records.');
    if (result.trouble) list.push(`The mechanism cannot be drawn in full: ${result.trouble}`);
    if (texts['statistics.warnings']) list.push(...texts['statistics.warnings'].split('\n').map((line) => line.replace(/^warning: /, '')));
    else if (Number(texts['statistics.redundant']) > 0) list.push(`${texts['statistics.redundant']} of ${texts['statistics.constraints']} constraints are redundant.`);
    if (result.notUnique.length && !list.some((line) => line.includes('not unique')))
        list.push(`Redundant constraints leave the reactions of these joints open (the least ones are shown): ${result.notUnique.map((i) => result.joints[i]?.name ?? `joint ${i + 1}`).join(', ')}.`);
    return list;
}

function rows(pairs) {
    return el('dl', { class: 'facts' }, ...pairs.filter(([, value]) => value !== undefined && value !== '' && value !== null)
        .map(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]).flat());
}

// The text of a statistic, numbers rounded for reading.
function statistic(texts, key) {
    const text = texts[key];
    return !text || Number.isNaN(Number(text)) || Number.isInteger(Number(text)) ? text : formatNumber(Number(text));
}

// [title, text] of the statistics of a result: of its head (method, kernel …), or of the run.
function statisticsOf(page, result, isHead) {
    return page.statistics.filter(([, , inHead]) => inHead === isHead)
        .map(([key, title]) => [title.replace('Phi', 'Φ').replace('psi', 'ψ'), statistic(result.texts, key)]);
}

// Cells of a CSV file in quotes where they need them.
function cell(text) {
    return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(result) {
    const { columns, sampleTime } = result.table;
    const time = sampleTime || result.table.time;
    const lines = [[`time [${timeUnit.name}]`, ...columns.map((column) => (column.unit ? `${column.name} [${column.unit}]` : column.name))].map(cell).join(',')];
    for (let i = 0; i < time.length; i++) lines.push([time[i] * timeUnit.factor, ...columns.map((column) => (column.samples || column.values)[i])].join(','));
    return `${lines.join('\n')}\n`;
}

function download(name, text, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = el('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function stem(result) {
    return result.file.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80) || 'result';
}

// Column by column where several results are compared.
function comparison(page) {
    const { results } = page;
    const columns = results.map((r) => [...statisticsOf(page, r, true), ...statisticsOf(page, r, false), ['end', r.texts.end]]);
    const shown = columns[0].map(([name], i) => [name, columns.map((column) => column[i][1])]).filter(([, values]) => values.some((value) => value));
    return el('div', { class: 'scroll' }, el('table', { class: 'compare' },
        el('thead', {}, el('tr', {}, el('th', {}), ...results.map((r) => el('th', { scope: 'col' }, r.label)))),
        el('tbody', {}, ...shown.map(([name, values]) => el('tr', {}, el('th', { scope: 'row' }, name), ...values.map((value) => el('td', {}, value ?? '–')))))));
}

function resultCard(page, result) {
    const { texts } = result;
    const { time } = result.table;
    const kept = time.length < result.rows ? ` (the page keeps ${time.length} points of each curve and ${result.frames} frames)` : '';
    const run = rows([
        ['model', result.name], ['file', result.file], ['written by', texts.version && `holonom ${texts.version}`], ...statisticsOf(page, result, true),
        ['time', time.length ? `${timeText(time[0])} to ${timeText(time[time.length - 1])}` : undefined], ['ended', result.view ? undefined : ENDS[texts.end] ?? texts.end],
        ['records', result.view ? undefined : `${result.rows}${kept}`],
    ]);
    const statistics = rows([
        ['bodies', result.bodies.length - 1], ['joints', result.joints.length], ['forces', result.forces.length || undefined],
        ...statisticsOf(page, result, false),
    ]);
    const options = Object.keys(texts).filter((key) => key.startsWith('options.'));
    return el('section', { class: 'card' },
        el('div', { class: 'card-head' }, el('h2', {}, result.label), el('span', { class: 'grow' }),
            result.view ? null : el('button', { type: 'button', class: 'chip', onclick: () => download(`${stem(result)}.csv`, csvOf(result), 'text/csv') }, icon(ICONS.download), 'CSV')),
        el('div', { class: 'columns' }, run, statistics),
        options.length ? el('details', {}, el('summary', {}, 'Options of the run'), rows(options.map((key) => [key.slice(8), texts[key]]))) : null);
}

export function buildSummary(container, page) {
    if (page.results.length > 1) container.append(el('section', { class: 'card' }, el('h2', {}, 'Comparison'), comparison(page)));
    for (const result of page.results) container.append(resultCard(page, result));
    container.append(el('p', { class: 'credits' }, 'Drawn with three.js and uPlot (MIT License); their notices are in the source of this page.'));
}

export function buildModel(container, results) {
    const seen = new Map();
    for (const result of results) {
        if (!result.model || seen.has(result.model)) continue;
        seen.set(result.model, true);
        const text = result.model;
        container.append(el('section', { class: 'card' },
            el('div', { class: 'card-head' }, el('h2', {}, result.name), el('span', { class: 'grow' }),
                el('button', { type: 'button', class: 'chip', onclick: () => download(`${stem(result)}.yaml`, text, 'application/yaml') }, icon(ICONS.download), 'YAML')),
            el('pre', { class: 'code', tabindex: '0' }, text)));
    }
    if (!seen.size) container.append(el('p', { class: 'quiet' }, 'The result does not hold its model.'));
}

export function buildWarnings(container, results) {
    const shown = [];
    for (const result of results)
        for (const line of warningsOf(result)) {
            const text = results.length > 1 ? `${result.label}: ${line}` : line;
            if (!shown.includes(text)) shown.push(text);
        }
    container.replaceChildren(...shown.map((line) => {
        const banner = el('div', { class: 'warning', role: 'status' }, icon(ICONS.warning), el('span', {}, line));
        banner.append(iconButton('close', 'Hide', () => banner.remove()));
        return banner;
    }));
    return shown;
}
