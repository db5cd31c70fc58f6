// summary.js: what was studied, and what it says in sentences.

import { formatNumber } from '../data.js';
import { el } from '../dom.js';
import { formatterOf } from './chart.js';
import { hasRuns, isSample } from './read.js';

// Rows of the list of factors and responses beyond which it is folded.
const MOST_ROWS = 16;

const percent = (x) => `${formatNumber(Number((100 * x).toPrecision(3)))} %`;
const whole = (x) => Math.round(x).toLocaleString('en').replaceAll(',', ' ');
const withUnit = (x, unit) => `${formatNumber(x)}${unit ? ` ${unit}` : ''}`;

function rows(pairs) {
    const list = el('dl', { class: 'facts' });
    for (const [title, text] of pairs) if (text) list.append(el('dt', {}, title), el('dd', {}, text));
    return list;
}

// Sentences: parts in bold are arrays.
function sentence(...parts) {
    return el('li', {}, ...parts.map((part) => (Array.isArray(part) ? el('b', {}, part[0]) : part)));
}

function sayYield(study) {
    const table = study.tables.get('yield');
    if (!table || !study.cases.length) return [];
    const ended = study.facts.get('failed').value ? `cases that ended` : 'cases';
    return table.rows.map((name, i) => {
        const condition = study.conditions.find((c) => c.name === name);
        const sure = isSample(study) ? `; between ${percent(table.at(i, 1))} and ${percent(table.at(i, 2))} with 95 % confidence.` : '.';
        return sentence([percent(table.at(i, 0))], ` of the ${ended} are accepted by `, [name], condition ? ` (${condition.text})` : '', sure);
    });
}

// The factors that cause most of a response.
function sayIndices(study, response) {
    const table = study.tables.get(`indices_${response.name}`);
    if (!table) return [];
    const order = table.rows.map((name, i) => ({ name, first: table.at(i, 0), total: table.at(i, 2) })).filter(({ total }) => Number.isFinite(total)).sort((a, b) => b.total - a.total);
    if (!order.length) return [];
    const sum = order.reduce((all, { first }) => all + first, 0);
    const names = order.slice(0, 3).map(({ name, total }) => `${name} (${percent(Math.max(0, total))})`);
    return [sentence(['Variance of ', response.name].join(''), ' is caused by ', [names.join(', ')], sum > 0.9 ? '; the factors hardly act together.' : `; ${percent(1 - sum)} by factors acting together.`)];
}

function saySpread(study, response) {
    const table = study.tables.get('summary');
    const i = table?.rows.indexOf(response.name) ?? -1;
    if (i < 0 || !Number.isFinite(table.at(i, 0))) return [sentence([response.name], ' has no value in any case.')];
    const text = formatterOf([table.at(i, 2), table.at(i, table.columns.length - 1)]);
    const value = (name) => text(table.at(i, table.columns.indexOf(name)));
    const unit = response.unit ? ` ${response.unit}` : '';
    return [sentence([response.name], ` is ${value('mean')} ± ${formatNumber(Number(table.at(i, 1).toPrecision(3)))}${unit}; 90 % of the cases lie between `, [value('p05')], ' and ', [value('p95')], `${unit}, all between ${value('least')} and ${value('largest')}${unit}.`)];
}

function sayFailures(study) {
    const failed = study.facts.get('failed').value;
    const beyond = study.facts.get('beyond').value;
    const done = study.facts.get('done').value;
    const open = study.facts.get('cases').value - done;
    const out = [];
    if (open > 0) out.push(sentence([whole(open)], ' cases are not done yet.'));
    if (failed > 0) out.push(sentence([whole(failed)], ` of ${whole(done)} cases failed (${percent(failed / done)}); their reasons are below.`));
    if (beyond > 0) out.push(sentence([whole(beyond)], ' cases exceeded their tolerances.'));
    return out;
}

// How long the cases took that this start has run.
function timeOf(fact) {
    const run = fact('done').value - fact('found').value;
    if (!run) return 'all cases are from the log';
    return `${withUnit(fact('seconds').value, fact('seconds').unit)}${fact('found').value ? ` for ${whole(run)} cases; the others are from the log` : ''}`;
}

export function buildSummary(study) {
    const fact = (key) => study.facts.get(key);
    const says = [...sayYield(study), ...study.responses.slice(0, 4).flatMap((r) => [...saySpread(study, r), ...sayIndices(study, r)]), ...sayFailures(study)];
    const about = rows([
        ['Model', fact('model')?.text], ['Study', fact('file')?.text], ['Design', `${fact('design').text}, seed ${fact('seed').value}`],
        ['Cases', `${whole(fact('cases').value)}, ${whole(fact('done').value)} done, ${whole(fact('failed').value)} failed`],
        ['Steps', fact('steps') && `${whole(fact('steps').value)}, ${whole(fact('evaluations').value)} evaluations`],
        ['Time', hasRuns(study) && timeOf(fact)], ['Version', `Holonom ${study.version}`],
    ]);
    const items = [['response', study.responses], ['accepted', study.conditions], ['factor', study.factors]];
    const list = el('table', { class: 'list' }, el('thead', {}, el('tr', {}, el('th', { class: 'short' }, 'Name'), el('th', { class: 'short' }, 'Unit'), el('th', {}, 'What it is'))),
        el('tbody', {}, ...items.flatMap(([kind, list]) =>
            list.map((item) => el('tr', {}, el('th', { scope: 'row', class: 'short' }, item.name), el('td', { class: 'short' }, item.unit), el('td', {}, el('span', { class: 'quiet' }, `${kind} `), item.text))))));
    const count = study.factors.length + study.responses.length + study.conditions.length;
    const folded = count > MOST_ROWS ? el('details', {}, el('summary', {}, `all ${count}`), el('div', { class: 'scroll' }, list)) : el('div', { class: 'scroll' }, list);
    return el('section', { class: 'card', id: 'summary' }, el('h2', {}, 'What it says'), el('ul', { class: 'says' }, ...says),
        el('div', { class: 'columns' }, el('div', {}, el('h3', {}, 'Study'), about), el('div', {}, el('h3', {}, 'Factors and responses'), folded)));
}
