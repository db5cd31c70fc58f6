// ends.js: the cases to look at: those with the least and the largest responses, and those that failed, with the commands that run
// them again.

import { formatNumber } from '../data.js';
import { el } from '../dom.js';
import { formatterOf } from './chart.js';
import { hasRuns, labelOf, replayOf } from './read.js';

// Put a text on the clipboard, and say so on the button.
export function copyButton(text, words = 'Copy') {
    const button = el('button', { type: 'button', class: 'chip', title: text(), onclick: async () => {
        try {
            await navigator.clipboard.writeText(text());
        } catch {
            const area = el('textarea', { value: text() });
            document.body.append(area);
            area.select();
            document.execCommand('copy');
            area.remove();
        }
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = words; }, 1500);
    } }, words);
    return button;
}

// A command of which the case is chosen by a click on its number.
function commandLine(study, first) {
    let number = first;
    const code = el('code', { tabindex: '0' }, replayOf(study, number));
    const set = (k) => {
        number = k;
        code.textContent = replayOf(study, k);
    };
    return { element: el('div', { class: 'command' }, code, copyButton(() => replayOf(study, number))), set };
}

const numberButton = (number, set) => el('button', { type: 'button', class: 'link', title: 'Show the command that runs this case again', onclick: () => set?.(number) }, String(number));

export function buildEnds(study, response) {
    const table = study.tables.get(`ends_${response.name}`);
    if (!table || !table.length) return [];
    const command = hasRuns(study) ? commandLine(study, table.at(0, 0)) : null;
    const text = formatterOf(response.values);
    const body = Array.from({ length: table.length }, (_, i) => el('tr', {}, ...[0, 2].flatMap((k) => [
        el('td', { class: 'n' }, numberButton(table.at(i, k), command?.set)), el('td', { class: 'n' }, text(table.at(i, k + 1)))])));
    return [el('h2', {}, `Least and largest ${response.name}`), command ? el('p', { class: 'note' }, 'This command runs a case again, with everything that a run tells; a click on a number chooses the case.') : null, command?.element,
        el('div', { class: 'scroll' }, el('table', { class: 'list' }, el('thead', {}, el('tr', {}, ...['case', `least ${labelOf(response)}`, 'case', `largest ${labelOf(response)}`].map((text) => el('th', { class: 'n' }, text)))), el('tbody', {}, ...body)))];
}

export function buildFailures(study) {
    const table = study.tables.get('failures');
    if (!table || !table.length) return null;
    const command = hasRuns(study) ? commandLine(study, table.at(0, 1)) : null;
    const total = study.facts.get('done').value;
    return el('section', { class: 'card', id: 'failures' }, el('h2', {}, 'Why cases failed'), el('p', { class: 'note' }, 'Messages are those of the first case of each kind; kinds differ in more than numbers.'), command?.element,
        el('div', { class: 'scroll' }, el('table', { class: 'list' }, el('thead', {}, el('tr', {}, el('th', { class: 'n' }, 'cases'), el('th', { class: 'n' }, 'first'), el('th', {}, 'message'))),
            el('tbody', {}, ...table.rows.map((text, i) => el('tr', {}, el('td', { class: 'n' }, `${table.at(i, 0)} (${formatNumber(Number(((100 * table.at(i, 0)) / total).toPrecision(2)))} %)`), el('td', { class: 'n' }, numberButton(table.at(i, 1), command?.set)), el('td', {}, text)))))));
}
