// table.js: all cases in a table that is sorted by its headings; only the rows in sight are there. And the same as CSV.

import { el, icon, ICONS } from '../dom.js';
import { formatterOf } from './chart.js';
import { copyButton } from './ends.js';
import { hasRuns, replayOf } from './read.js';

const ROW = 26;

// A cell of CSV: quoted where it has to be.
const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Rows of the cases as CSV, with all digits; words as words.
export function csvOf(study, rows) {
    const { columns, units } = study.cases;
    const words = columns.map((name) => study.factors.find((f) => f.name === name)?.words);
    const lines = [columns.map((name, k) => cell(units[k] ? `${name} [${units[k]}]` : name)).join(',')];
    for (const i of rows) lines.push(columns.map((_, k) => {
        const x = study.cases.at(i, k);
        return words[k] ? cell(words[k][x] ?? '') : Number.isFinite(x) ? String(x) : '';
    }).join(','));
    return `${lines.join('\n')}\n`;
}

function download(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    const link = el('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export class CaseTable {
    constructor(study, state) {
        Object.assign(this, { study, state, by: 0, down: false, only: false });
        this.words = study.cases.columns.map((name) => study.factors.find((f) => f.name === name)?.words);
        this.formats = study.cases.columns.map((_, k) => formatterOf(study.cases.column(k)));
        this.body = el('tbody', {});
        this.heads = study.cases.columns.map((name, k) => el('th', { scope: 'col', 'aria-sort': 'none' }, el('button', { type: 'button', onclick: () => this.sort(k) }, name, el('small', {}, study.cases.units[k] ?? ''))));
        this.box = el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': 'Cases', onscroll: () => this.show() },
            el('table', {}, el('thead', {}, el('tr', {}, ...this.heads, hasRuns(study) ? el('th', {}) : null)), this.body));
        this.note = el('span', { class: 'quiet' });
        const only = el('input', { type: 'checkbox', onchange: () => {
            this.only = only.checked;
            this.fill();
        } });
        const stem = (study.facts.get('file').text.split('/').pop().replace(/\.[^.]*$/, '') || 'study').replace(/[^\p{L}\p{N}._-]+/gu, '_');
        this.element = el('section', { class: 'card', id: 'cases' }, el('div', { class: 'card-head' }, el('h2', {}, 'Cases'), this.note, el('span', { class: 'grow' }),
            el('label', { class: 'chip' }, only, 'picked cases alone'), el('button', { type: 'button', class: 'chip', onclick: () => download(`${stem}.cases.csv`, csvOf(study, this.rows)) }, icon(ICONS.download), 'CSV')), this.box);
        state.on('picked', () => {
            this.shown = '';
            if (this.only) this.fill();
            else this.show();
        });
        this.fill();
    }

    sort(column) {
        this.down = this.by === column ? !this.down : false;
        this.by = column;
        this.fill();
    }

    // The rows in their order; those without a number last.
    fill() {
        const { cases } = this.study;
        const { mask } = this.state;
        const values = cases.column(this.by);
        const sign = this.down ? -1 : 1;
        const compare = (a, b) => {
            const [x, y] = [values[a], values[b]];
            if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a - b;
            return sign * (x - y) || a - b;
        };
        this.rows = Uint32Array.from([...Array(cases.length).keys()].filter((i) => !this.only || (mask && mask[i]))).sort(compare);
        this.heads.forEach((head, k) => {
            head.setAttribute('aria-sort', k === this.by ? (this.down ? 'descending' : 'ascending') : 'none');
            head.firstChild.firstChild.textContent = `${cases.columns[k]}${k === this.by ? (this.down ? ' ▾' : ' ▴') : ''}`;
        });
        this.note.textContent = `${this.rows.length.toLocaleString('en').replaceAll(',', ' ')} of ${cases.whole.toLocaleString('en').replaceAll(',', ' ')}`;
        this.shown = '';
        this.show();
    }

    // The rows in sight, between two that take the room of the others.
    show() {
        const first = Math.max(0, Math.min(this.rows.length - 1, Math.floor(this.box.scrollTop / ROW) - 10));
        const end = Math.min(this.rows.length, first + Math.ceil((this.box.clientHeight || 420) / ROW) + 30);
        const key = `${first} ${end}`;
        if (key === this.shown) return;
        this.shown = key;
        const space = (n) => {
            const row = el('tr', { class: 'space' }, el('td', { colSpan: this.heads.length + 1 }));
            row.firstChild.style.height = `${n * ROW}px`;
            return row;
        };
        this.body.replaceChildren(space(first), ...Array.from({ length: Math.max(0, end - first) }, (_, k) => this.row(this.rows[first + k])), space(this.rows.length - end));
    }

    row(i) {
        const { study, state } = this;
        const number = study.cases.at(i, 0);
        const text = (x, k) => (this.words[k] ? this.words[k][x] ?? '' : !k ? String(x) : this.formats[k](x));
        return el('tr', { class: state.mask && state.mask[i] ? 'picked' : '' }, ...study.cases.columns.map((_, k) => el('td', {}, text(study.cases.at(i, k), k))),
            hasRuns(study) ? el('td', {}, copyButton(() => replayOf(study, number), 'Replay')) : null);
    }
}
