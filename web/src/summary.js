// summary.js: what was run and how it went, warnings, the model text, the data as CSV.

import { el, icon, iconButton, ICONS } from './dom.js';
import { extremesOf, formatNumber, roundingOf, timeText, timeUnit } from './data.js';

const ENDS = {
    time: 'reached its end time',
    stop: 'stopped by its own condition',
    interrupted: 'was interrupted',
    failed: 'failed',
    running: 'was cut off (the file was never closed)',
};

// A message without the word for its severity and the folder of its file.
function withoutWord(line) {
    return line.replace(/^(?:warning|error): /, '').replace(/^(?:[^:]*\/)?([^:/]+:\d+:\d+): (?:warning|error): /, '$1: ');
}

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
    // why a run failed: the last error says what stopped it, with the place in the model
    const errors = (texts['statistics.errors'] || '').split('\n').filter(Boolean);
    if (!result.complete && errors.length) list[list.length - 1] += ` ${withoutWord(errors[errors.length - 1])}`;
    if (result.trouble) list.push(`The mechanism cannot be drawn in full: ${result.trouble}`);
    if (texts['statistics.warnings']) list.push(...texts['statistics.warnings'].split('\n').map(withoutWord));
    else if (Number(texts['statistics.redundant']) > 0) list.push(`${texts['statistics.redundant']} of ${texts['statistics.constraints']} constraints are redundant.`);
    if (result.notUnique.length && !list.some((line) => line.includes('not unique')))
        list.push(`Redundant constraints do not determine the reactions of these joints (the minimum-norm solution is shown): ${result.notUnique.map((i) => result.joints[i]?.name ?? `joint ${i + 1}`).join(', ')}.`);
    return list;
}

// Lines break between words: a word with a hyphen that fits into a line of a phone stays whole.
function whole(text) {
    return text.split(/(\S+-\S+)/).filter(Boolean).map((part) => (/^\S{1,24}$/.test(part) ? el('span', { class: 'whole' }, part) : part));
}

function rows(pairs) {
    return el('dl', { class: 'facts' }, ...pairs.filter(([, value]) => value !== undefined && value !== '' && value !== null)
        .map(([name, value]) => [el('dt', {}, name), el('dd', {}, ...whole(String(value)))]).flat());
}

// The text of a statistic, numbers rounded for reading.
function statistic(texts, key) {
    const text = texts[key];
    return !text || Number.isNaN(Number(text)) || Number.isInteger(Number(text)) ? text : formatNumber(Number(text));
}

// What a mechanism is, and how well the run went; what else was counted is folded. Loads have a list of their own.
const SIZES = ['degrees_of_freedom', 'constraints', 'redundant'].map((key) => `statistics.${key}`);
const LOADS = 'statistics.largest_loads';
// What happened at some times: the heading, and the texts with the names and the times.
const HAPPENED = [['Events', 'event'], ['Joints and forces that took hold or let go', 'switch']].map(([title, word]) => [title, `statistics.${word}_names`, `statistics.${word}_times`]);

// [title, text, key] of the statistics of a result: of its head (method, kernel …), or of the run.
function statisticsOf(page, result, isHead) {
    return page.statistics.filter(([, , inHead]) => inHead === isHead)
        .map(([key, title]) => [title.replace('Phi', 'Φ').replace('psi', 'ψ'), statistic(result.texts, key), key]);
}

// Those of the run in three parts: sizes of the mechanism, what says how good it is, counters and lists.
function partsOf(page, result) {
    const listed = [LOADS, ...HAPPENED.filter((item) => linesOf(result, item).length).flatMap(([, ...keys]) => keys)];
    const all = statisticsOf(page, result, false).filter(([, , key]) => !listed.includes(key));
    const isCounter = ([, text]) => !text || /^-?\d+(, |$)/.test(text);
    return {
        sizes: all.filter(([, , key]) => SIZES.includes(key)),
        quality: all.filter((row) => !SIZES.includes(row[2]) && !isCounter(row)),
        counters: all.filter((row) => !SIZES.includes(row[2]) && isCounter(row)),
    };
}

// ---- measures ----

// A name that may go on in the next line behind a dot.
const breakable = (name) => name.split(/(?<=\.)/).flatMap((part, i) => (i ? [el('wbr'), part] : [part]));

// Measures with their values at the end, their least and their largest ones.
function measureTable(result) {
    const { table } = result;
    const columns = table.columns.filter((column) => !column.log && !/^(energy|constraints)\./.test(column.name));
    if (!columns.length || !table.time.length) return null;
    const isRounding = roundingOf(table, columns);
    const branches = result.branches;
    const at = (t) => (branches ? formatNumber(t) : formatNumber(t * timeUnit.factor));
    const cell = (column, x, t) => el('td', { title: String(x), 'data-at': t === undefined ? null : `${branches ? 'branch' : 'at'} ${at(t)}${branches ? '' : ` ${timeUnit.name}`}` },
        isRounding(column, x) ? '≈ 0' : formatNumber(x));
    const row = (column) => {
        const [low, lowTime, high, highTime] = extremesOf(table, column, branches);
        const last = (column.samples || column.values).at(-1);
        return el('tr', {}, el('th', { scope: 'row', title: column.doc, 'data-unit': column.unit }, ...breakable(column.name)), el('td', { class: 'unit' }, column.unit), cell(column, last),
            ...(result.view ? [] : [cell(column, low, lowTime), el('td', { class: 'when' }, at(lowTime)), cell(column, high, highTime), el('td', { class: 'when' }, at(highTime))]));
    };
    const when = branches ? 'branch' : `at [${timeUnit.name}]`;
    const names = result.view ? ['', 'unit', 'value'] : ['', 'unit', branches ? 'last' : 'end', 'minimum', when, 'maximum', when];
    const every = columns.every((column) => column.extremes);
    return el('div', {}, el('div', { class: 'scroll' }, el('table', { class: 'measures' },
        el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col', class: { [when]: 'when', unit: 'unit' }[name] }, name)))), el('tbody', {}, ...columns.map(row)))),
    result.view || branches ? null : el('p', { class: 'quiet' }, every ? 'Minima and maxima are over all steps of the run.' : 'Minima and maxima are over the records.'));
}

// The largest loads, one a line.
function loadsOf(result) {
    const loads = (result.texts[LOADS] || '').split('; ').filter(Boolean);
    return loads.length ? el('div', { class: 'loads' }, el('h3', {}, 'Largest loads'), el('ul', {}, ...loads.map((line) => el('li', {}, line)))) : null;
}

// "4.1829 s: joint 'rope' lets go", where there is a time for each.
function linesOf({ texts }, [, names, times]) {
    const what = (texts[names] || '').split('; ').filter(Boolean);
    const when = (texts[times] || '').split(',').filter((text) => text.trim());
    return what.length === when.length ? what.map((words, i) => `${timeText(Number(when[i]))}: ${words}`) : [];
}

// What happened, one a line; long lists are folded.
function happenedOf(result, item) {
    const lines = linesOf(result, item);
    const list = el('ul', {}, ...lines.map((line) => el('li', {}, line)));
    if (!lines.length) return null;
    return el('div', { class: 'loads happened' }, el('h3', {}, item[0]), lines.length > 8 ? el('details', {}, el('summary', {}, `${lines.length} instants`), list) : list);
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
        ['branches', result.branches ? time.length : undefined], ['time', time.length && !result.branches ? `${timeText(time[0])} to ${timeText(time[time.length - 1])}` : undefined], ['ended', result.view || result.branches ? undefined : ENDS[texts.end] ?? texts.end],
        ['records', result.view || result.branches ? undefined : `${result.rows}${kept}`],
    ]);
    const { sizes, quality, counters } = partsOf(page, result);
    const mechanism = rows([
        ['bodies', result.bodies.length - 1], ['joints', result.joints.length], ['forces', result.forces.length || undefined], ...sizes,
    ]);
    const options = Object.keys(texts).filter((key) => key.startsWith('options.'));
    return el('section', { class: 'card' },
        el('div', { class: 'card-head' }, el('h2', {}, result.label), el('span', { class: 'grow' }),
            result.view ? null : el('button', { type: 'button', class: 'chip', onclick: () => download(`${stem(result)}.csv`, csvOf(result), 'text/csv') }, icon(ICONS.download), 'CSV')),
        measureTable(result), loadsOf(result), ...HAPPENED.map((item) => happenedOf(result, item)),
        quality.length ? el('div', {}, el('h3', {}, 'Accuracy'), rows(quality)) : null,
        el('h3', {}, result.view ? 'Model' : 'Run'), run, el('h3', {}, 'Mechanism'), mechanism,
        counters.some(([, text]) => text) ? el('details', {}, el('summary', {}, 'Steps, evaluations and other counts'), rows(counters)) : null,
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

// A line that can be hidden. Where it is longer than three lines the rest is shown on demand.
function bannerOf(line) {
    const words = el('span', { class: 'words folded' }, line);
    const more = el('button', { type: 'button', class: 'chip more', hidden: true, 'aria-expanded': 'false', onclick: () => {
        const isFolded = words.classList.toggle('folded');
        more.textContent = isFolded ? 'more' : 'less';
        more.setAttribute('aria-expanded', String(!isFolded));
    } }, 'more');
    new ResizeObserver(() => {
        if (words.classList.contains('folded')) more.hidden = words.scrollHeight <= words.clientHeight + 1;
    }).observe(words);
    const banner = el('div', { class: 'warning', role: 'status' }, icon(ICONS.warning), words, more);
    banner.append(iconButton('close', 'Hide', () => banner.remove()));
    return banner;
}

export function buildWarnings(container, results) {
    const shown = [];
    for (const result of results)
        for (const line of warningsOf(result)) {
            const text = results.length > 1 ? `${result.label}: ${line}` : line;
            if (!shown.includes(text)) shown.push(text);
        }
    container.replaceChildren(...shown.map(bannerOf));
    return shown;
}
