// main.js: the page of a study put together.

import { el, iconButton } from '../dom.js';
import { buildEnds, buildFailures } from './ends.js';
import { buildInfluence } from './influence.js';
import { buildMatrix } from './matrix.js';
import { State } from './picked.js';
import { readStudy, replayOf } from './read.js';
import { buildSpread, buildYields } from './spread.js';
import { buildSummary } from './summary.js';
import { buildSurface } from './surface.js';
import { CaseTable, csvOf } from './table.js';

function themeNow() {
    return document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

// Which response is looked at, and what is picked.
function buildBar(study, state) {
    const chips = study.responses.map((response, i) => el('button', { type: 'button', class: 'chip', 'aria-pressed': String(i === state.response), onclick: () => state.look(i) }, response.name));
    state.on('response', () => chips.forEach((chip, i) => chip.setAttribute('aria-pressed', String(i === state.response))));
    const picked = el('output', { class: 'picked', 'aria-live': 'polite' });
    const clear = el('button', { type: 'button', class: 'chip', hidden: true, onclick: () => state.pick(null) }, 'Let go');
    const rejected = study.conditions.map((condition) => el('button', { type: 'button', class: 'chip', title: `Pick the cases that are not accepted: ${condition.text}`,
        onclick: () => state.pick((i) => !(condition.values[i] > 0), `not accepted by ${condition.name}`) }, `Pick rejected: ${condition.name}`));
    state.on('picked', () => {
        picked.textContent = state.mask ? `${state.picked} cases picked: ${state.words}` : '';
        clear.hidden = !state.mask;
    });
    const bar = el('nav', { class: 'bar', 'aria-label': 'Response and picked cases' }, el('div', {}, el('span', { class: 'quiet' }, 'Response'), el('span', { class: 'chips' }, ...chips), el('span', { class: 'grow' }), picked, clear, ...rejected));
    new IntersectionObserver(([entry]) => bar.classList.toggle('stuck', entry.intersectionRatio < 1), { threshold: [1], rootMargin: '-1px 0px 0px 0px' }).observe(bar);
    return bar;
}

function start() {
    const study = readStudy(document);
    const state = new State(study.cases.length);
    document.title = `${study.title} – Holonom`;
    const cases = study.facts.get('cases').value;
    const badge = `${study.facts.get('design').text}, ${cases.toLocaleString('en').replaceAll(',', ' ')} cases`;
    const header = el('header', { class: 'top' }, el('span', { class: 'brand' }, 'Holonom'), el('h1', { title: study.title }, study.title), el('span', { class: 'grow' }), el('span', { class: 'badge' }, badge),
        iconButton('theme', 'Light or dark', () => {
            document.documentElement.dataset.theme = themeNow() === 'dark' ? 'light' : 'dark';
            drawAll();
        }));

    const card = (id, wide) => el('section', { class: `card ${wide}`, id });
    const cards = { indices: card('influence', 'half'), histogram: card('histogram', 'half'), effects: card('effects', ''), shares: card('shares', 'half'), surface: card('surface', 'half'), ends: card('ends', '') };
    let parts = [];
    const matrix = study.cases.length && study.factors.length ? buildMatrix(study, state) : null;
    const table = new CaseTable(study, state);
    const page = el('main', { class: 'page' }, buildSummary(study), cards.indices, cards.histogram, cards.effects, cards.surface, cards.shares, buildYields(study), matrix?.element, cards.ends, buildFailures(study), table.element);

    // The cards of the response that is looked at.
    function showResponse() {
        const response = study.responses[state.response];
        const influence = buildInfluence(study, response);
        const spread = buildSpread(study, state, response);
        const surface = buildSurface(study, state, response);
        parts = [spread.histogram, surface];
        const fill = (element, children) => {
            element.replaceChildren(...children.filter(Boolean));
            element.hidden = !element.childElementCount;
        };
        fill(cards.indices, influence.indices);
        fill(cards.effects, influence.effects);
        fill(cards.histogram, spread.histogram.parts);
        fill(cards.shares, spread.shares);
        fill(cards.surface, surface.parts);
        cards.shares.classList.toggle('half', !cards.surface.hidden);
        fill(cards.ends, buildEnds(study, response));
    }
    const charts = () => [...(matrix?.charts ?? []), ...parts.flatMap((part) => part.charts)];
    function drawAll() {
        showResponse();
        const yields = document.getElementById('yields');
        if (yields) yields.replaceWith(buildYields(study));
        for (const chart of charts()) chart.draw();
    }
    state.on('response', showResponse);
    state.on('picked', () => {
        for (const chart of charts()) {
            if (!state.mask) chart.range = null;
            chart.draw();
        }
    });
    document.getElementById('app').append(header, buildBar(study, state), page, el('p', { class: 'credits' }, `Made by Holonom ${study.version}. Nothing in this page reaches the network.`));
    showResponse();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

    // For tests and the curious: what is shown, to be read only.
    window.holonom = Object.freeze({
        version: study.version,
        factors: study.factors.map(({ name, unit, words }) => Object.freeze({ name, unit, words })),
        responses: study.responses.map(({ name }) => name),
        rows: study.cases.length,
        get picked() { return state.mask ? state.picked : null; },
        get first() { return table.rows.length ? study.cases.at(table.rows[0], 0) : null; },
        get shown() { return table.body.childElementCount - 2; },
        get theme() { return themeNow(); },
        csv: () => csvOf(study, table.rows),
        replay: (k) => replayOf(study, k),
    });
}

try {
    start();
} catch (error) {
    document.getElementById('app').append(el('p', { class: 'no-view' }, `The page could not be shown: ${error.message}`));
    throw error;
}
