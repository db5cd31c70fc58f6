// read.js: the answer of a study as the page has it: facts, tables, and what is drawn of them.

import { attach, decode } from '../data.js';

// A table whose numbers stand row after row.
class Table {
    constructor(data) {
        Object.assign(this, data);
        this.length = this.columns.length ? this.values.length / this.columns.length : 0;
    }

    at(row, column) {
        return this.values[row * this.columns.length + column];
    }

    // A column by its place or its name; undefined where there is none.
    column(which) {
        const k = typeof which === 'number' ? which : this.columns.indexOf(which);
        return k < 0 ? undefined : Float64Array.from({ length: this.length }, (_, i) => this.at(i, k));
    }
}

// What facts of a kind name: "factor_L1" is {name: "L1", text}.
const named = (facts, kind) => facts.filter(({ key }) => key.startsWith(`${kind}_`)).map(({ key, text }) => ({ name: key.slice(kind.length + 1), text }));

// The words of a factor, by their numbers: "words: 0 lagrange, 1 nullspace".
const wordsOf = (text) => (text.startsWith('words: ') ? text.slice(7).split(', ').map((part) => part.replace(/^\d+ /, '')) : null);

export function readStudy(doc) {
    const data = JSON.parse(doc.getElementById('holonom-data').textContent);
    const buffer = decode(doc.getElementById('holonom-bytes').textContent);
    const tables = new Map(data.tables.map((table) => [table.name, new Table(attach(table, buffer))]));
    const facts = new Map(data.facts.map((fact) => [fact.key, fact]));
    const cases = tables.get('cases');
    const unit = (name) => cases.units[cases.columns.indexOf(name)] ?? '';
    const withValues = (item) => ({ ...item, unit: unit(item.name), values: cases.column(item.name) });
    const factors = named(data.facts, 'factor').map((item) => ({ ...withValues(item), words: wordsOf(item.text) }));
    const responses = named(data.facts, 'response').map(withValues);
    const conditions = named(data.facts, 'accept').map((item) => ({ ...withValues(item), limit: facts.get(`limit_${item.name}`)?.value,
        left: /^\s*([A-Za-z_]\w*)\s*[<>]/.exec(item.text)?.[1], above: /^[^<>]*>/.test(item.text) }));
    return { title: data.title, version: data.version, facts, factList: data.facts, tables, cases, numbers: cases.column('case'), factors, responses, conditions };
}

// A name with its unit: "L1 [m]".
export const labelOf = ({ name, unit }) => (unit ? `${name} [${unit}]` : name);

// The text as a word of a shell.
const quoted = (text) => (/^[\w./+:@%,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// The command that runs a case again and shows it.
export function replayOf(study, number) {
    const file = quoted(study.facts.get('file').text);
    return `holonom study ${file} --case ${number} -o case-${number}.h5 && holonom report case-${number}.h5`;
}

// Whether the cases are a sample of a distribution, so that intervals of confidence mean something: those of a grid or a list are none.
export const isSample = (study) => !['full', 'table'].includes(study.facts.get('design').text);

// Whether cases are runs: without a model they are formulas, and there is nothing to replay.
export const hasRuns = (study) => study.facts.has('model');
