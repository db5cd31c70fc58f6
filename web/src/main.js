// main.js: the page put together.

import { readPage, formatNumber, timeText, timeUnit } from './data.js';
import { el, icon, iconButton, ICONS } from './dom.js';
import { DARK, LIGHT } from './palette.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { buildModel, buildSummary, buildWarnings, csvOf } from './summary.js';
import { View } from './view.js';

// ---- names of results ----

// What tells results apart: the model where they differ in it, else the method and what else differs.
function labelResults(results) {
    const differs = (get) => new Set(results.map(get)).size > 1;
    const parts = [(r) => r.name, (r) => r.texts.method, (r) => r.texts.integrator, (r) => r.texts['options.tolerance'] && `tol ${r.texts['options.tolerance']}`, (r) => r.file].filter(differs);
    const used = new Set();
    for (const result of results) {
        let label = results.length === 1 ? result.name : '';
        for (const part of parts) {
            label = [label, part(result)].filter(Boolean).join(', ');
            if (results.filter((other) => parts.slice(0, parts.indexOf(part) + 1).every((p) => p(other) === p(result))).length === 1) break;
        }
        label = label || result.file;
        for (let n = 2; used.has(label); n++) label = `${label.replace(/ \(\d+\)$/, '')} (${n})`;
        used.add(label);
        result.label = label;
    }
}

// ---- theme ----

function themeNow() {
    const chosen = document.documentElement.dataset.theme;
    if (chosen) return chosen;
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

// ---- transport ----

function buildTransport(player, result) {
    const many = result.motion.time.length > 1;
    const playButton = iconButton('play', 'Play or pause (space)', () => player.toggle(), { class: 'tool primary' });
    const slider = el('input', { type: 'range', class: 'scrub', min: '0', max: '1', step: 'any', value: '0', 'aria-label': 'Time', oninput: () => {
        player.pause();
        player.seek(player.start + Number(slider.value) * (player.end - player.start));
    } });
    const clock = el('output', { class: 'clock', 'aria-label': 'Time now' });
    const speed = el('span', { class: 'speed', title: 'Speed' });
    const loop = iconButton('loop', 'Repeat', () => {
        player.loop = !player.loop;
        loop.setAttribute('aria-pressed', String(player.loop));
    }, { 'aria-pressed': 'true' });
    let shownPlaying = null;
    const show = () => {
        if (shownPlaying !== player.playing) {
            playButton.replaceChildren(icon(ICONS[player.playing ? 'pause' : 'play'], true));
            playButton.setAttribute('aria-pressed', String(player.playing));
            shownPlaying = player.playing;
        }
        const span = player.end - player.start;
        slider.value = String(span > 0 ? (player.time - player.start) / span : 0);
        speed.textContent = `${formatNumber(player.speed)}×`;
        if (player.discrete) {
            clock.textContent = `branch ${player.time} of ${player.end}`;
            slider.setAttribute('aria-valuetext', clock.textContent);
            return;
        }
        slider.setAttribute('aria-valuetext', timeText(player.time));
        const digits = span > 0 ? Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(span * timeUnit.factor)))) : 2;
        clock.textContent = `${(player.time * timeUnit.factor).toFixed(digits)} ${timeUnit.name}`;
    };
    player.onChange(show);
    show();
    return el('div', { class: many ? 'transport' : 'transport single' },
        iconButton('first', 'To the start (Home)', () => player.seek(player.start)),
        iconButton('back', 'One frame back (←)', () => player.step(-1)),
        playButton,
        iconButton('next', 'One frame on (→)', () => player.step(1)),
        slider, clock,
        el('span', { class: 'speed-group' },
            el('button', { type: 'button', class: 'tool small', title: 'Slower (−)', 'aria-label': 'Slower', onclick: () => player.faster(-1) }, '−'), speed,
            el('button', { type: 'button', class: 'tool small', title: 'Faster (+)', 'aria-label': 'Faster', onclick: () => player.faster(1) }, '+')),
        loop);
}

// ---- what the drawing shows ----

function buildViewMenu(view, results) {
    const toggle = (name, text) => {
        const box = el('input', { type: 'checkbox', checked: Boolean(view.options[name]), 'data-option': name, onchange: (event) => view.setOption(name, event.target.checked) });
        return el('label', { class: 'menu-item' }, box, el('span', {}, text));
    };
    const scaleText = el('span', { class: 'value' }, '1×');
    const scale = el('input', { type: 'range', min: '-2', max: '2', step: '0.05', value: '0', 'data-option': 'arrowScale', 'aria-label': 'Scale of arrows', oninput: () => {
        const factor = 10 ** Number(scale.value);
        scaleText.textContent = `${formatNumber(Number(factor.toPrecision(2)))}×`;
        view.setOption('arrowScale', factor);
    } });
    const posesText = el('span', { class: 'value' }, 'off');
    const poses = el('input', { type: 'range', min: '0', max: '40', step: '1', value: '0', 'data-option': 'strobe', 'aria-label': 'Poses of the stroboscope', oninput: () => {
        posesText.textContent = Number(poses.value) ? `${poses.value} poses` : 'off';
        view.setOption('strobe', Number(poses.value));
    } });
    const every = el('input', { type: 'number', min: '0', step: 'any', value: String(view.options.strobeEvery), 'data-option': 'strobeEvery', 'aria-label': 'Seconds between poses', oninput: () => {
        if (Number(every.value) > 0) view.setOption('strobeEvery', Number(every.value));
    } });
    const followed = el('select', { 'aria-label': 'Follow a body', 'data-option': 'follow', onchange: () => view.setOption('follow', Number(followed.value)) });
    const fillBodies = () => followed.replaceChildren(el('option', { value: '-1' }, 'nothing'), ...view.result.bodies.slice(0, -1).map((body, i) => el('option', { value: String(i), selected: i === view.options.follow }, body.name)));
    fillBodies();
    const { motion, forces } = view.result;
    const panel = el('div', { class: 'menu-panel right' },
        toggle('trails', 'Trails'), motion.jointForce ? toggle('reactions', 'Reactions') : null, forces.length && motion.forceForce ? toggle('forces', 'Forces') : null,
        toggle('names', 'Names'), toggle('axes', 'Axes of bodies'), toggle('grid', 'Grid'), results.length > 1 ? toggle('overlay', 'All results') : null,
        el('label', { class: 'menu-item column' }, el('span', {}, 'Length of arrows ', scaleText), scale),
        motion.time.length > 1 ? el('label', { class: 'menu-item column' }, el('span', {}, 'Stroboscope ', posesText), poses) : null,
        motion.time.length > 1 ? el('label', { class: 'menu-item column' }, el('span', {}, 'Seconds between poses'), every) : null,
        el('label', { class: 'menu-item column' }, el('span', {}, 'Follow'), followed));
    const menu = el('details', { class: 'menu' }, el('summary', { class: 'chip' }, 'Show'), panel);
    return { menu, fillBodies };
}

// Buttons for the standard views of a drawing in space.
function buildLooks(view) {
    const looks = [['front', 'Front (1)'], ['side', 'Side (2)'], ['top', 'Top (3)'], ['iso', 'Between them (4)']];
    return el('span', { class: 'looks', role: 'group', 'aria-label': 'Views' }, ...looks.map(([name, title]) =>
        el('button', { type: 'button', class: 'chip', title, 'data-look': name, onclick: () => view.look(name) }, name)));
}

// The box around an object of the scene, in its own frame: [low, high].
function boxOf(object) {
    object.geometry.computeBoundingBox();
    const { min, max } = object.geometry.boundingBox;
    return [min.toArray(), max.toArray()];
}

// ---- keyboard ----

function listenToKeys(player, view) {
    const actions = {
        ' ': () => player.toggle(), ArrowRight: (e) => player.step(e.shiftKey ? 10 : 1), ArrowLeft: (e) => player.step(e.shiftKey ? -10 : -1),
        Home: () => player.seek(player.start), End: () => player.seek(player.end), '+': () => player.faster(1), '=': () => player.faster(1), '-': () => player.faster(-1),
        f: () => view?.fit(), 1: () => view?.look('front'), 2: () => view?.look('side'), 3: () => view?.look('top'), 4: () => view?.look('iso'),
        Escape: () => view?.card.choose(null), PageUp: () => view?.zoom(1.25), PageDown: () => view?.zoom(0.8),
    };
    document.addEventListener('keydown', (event) => {
        const { target } = event;
        const typing = target.matches?.('input:not([type=range]):not([type=checkbox]), select, textarea');
        const pressing = target.matches?.('button, summary') && (event.key === ' ' || event.key === 'Enter');
        const scrolling = target.matches?.('pre') && event.key !== ' ';
        if (typing || pressing || scrolling || event.ctrlKey || event.metaKey || event.altKey) return;
        const action = actions[event.key];
        if (!action) return;
        event.preventDefault();
        action(event);
    });
}

// ---- tabs ----

function buildTabs(tabs, onShow) {
    const bar = el('div', { class: 'tabs', role: 'tablist' });
    const buttons = tabs.map(([name, panel], i) => {
        panel.id = `panel-${i}`;
        panel.setAttribute('role', 'tabpanel');
        return el('button', { type: 'button', role: 'tab', class: 'tab', 'aria-controls': panel.id, onclick: () => show(i) }, name);
    });
    function show(index) {
        tabs.forEach(([, panel], i) => {
            panel.hidden = i !== index;
            buttons[i].setAttribute('aria-selected', String(i === index));
        });
        onShow(index);
    }
    bar.append(...buttons);
    return { bar, show };
}

// A still picture with a word on why nothing moves.
function showStill(stage, results, words) {
    const note = el('div', { class: 'no-view' }, el('p', {}, words));
    const { still } = results.find((result) => result.still) ?? {};
    if (still) note.prepend(el('img', { class: 'still', alt: 'The mechanism at the start', src: `data:image/svg+xml,${encodeURIComponent(still)}` }));
    stage.append(note);
    return note;
}

// The drawing stops when the browser takes the graphics away, and goes on when it gives them back.
function watchContext(canvas, stage, results, view) {
    let note = null;
    canvas.addEventListener('webglcontextlost', (event) => {
        event.preventDefault();
        note ??= showStill(stage, results, 'The browser has taken its graphics (WebGL) away from this page; reload it if they do not come back.');
    });
    canvas.addEventListener('webglcontextrestored', () => {
        note?.remove();
        note = null;
        view.build();
    });
}

// The drawing, or a still picture with a word on why.
function makeView(canvas, overlay, stage, results) {
    if (!results.some((result) => result.frames > 0)) {
        stage.append(el('p', { class: 'no-view' }, 'This result holds no motion to draw.'));
        return null;
    }
    try {
        const view = new View(canvas, overlay, results, themeNow() === 'dark' ? DARK : LIGHT);
        watchContext(canvas, stage, results, view);
        return view;
    } catch (error) {
        canvas.remove();
        showStill(stage, results, `This browser does not let the page draw the motion (WebGL is off: ${error.message.replace(/^THREE\.WebGLRenderer: /, '')}). This is a still picture of the start.`);
        return null;
    }
}

function start() {
    const page = readPage(document);
    const { results } = page;
    labelResults(results);
    const title = results.length > 1 && new Set(results.map((r) => r.name)).size > 1 ? `${results.length} results` : results[0].name;
    document.title = `${title} – Holonom`;

    const canvas = el('canvas', { class: 'canvas', tabindex: '0', 'aria-label': 'The mechanism in motion' });
    const overlay = el('div', { class: 'labels', 'aria-hidden': 'true' });
    const stage = el('div', { class: 'stage' }, canvas, overlay);
    const longest = results.reduce((best, r) => (r.table.time.length && r.table.time[r.table.time.length - 1] > (best.table.time[best.table.time.length - 1] ?? -Infinity) ? r : best), results[0]);
    const times = longest.motion.time.length ? longest.motion.time : longest.table.time;
    const player = new Player(times.length ? times[0] : 0, times.length ? times[times.length - 1] : 0, times, longest.branches);

    const plotsPanel = el('div', { class: 'panel plots' });
    const summaryPanel = el('div', { class: 'panel summary' });
    const modelPanel = el('div', { class: 'panel model' });
    const warnings = el('div', { class: 'warnings' });
    const isView = results.every((r) => r.view);
    const plots = new Plots(plotsPanel, results, player);
    let started = false;
    const tabList = isView ? [['Summary', summaryPanel], ['Model', modelPanel]] : [['Plots', plotsPanel], ['Summary', summaryPanel], ['Model', modelPanel]];
    const tabs = buildTabs(tabList, () => plots.resize());
    buildSummary(summaryPanel, page);
    buildModel(modelPanel, results);
    const shownWarnings = buildWarnings(warnings, results);

    const themeButton = iconButton('theme', 'Light or dark', () => {
        document.documentElement.dataset.theme = themeNow() === 'dark' ? 'light' : 'dark';
        applyTheme();
    });
    const header = el('header', { class: 'top' }, el('span', { class: 'brand' }, 'Holonom'), el('h1', { title }, title),
        el('span', { class: 'grow' }), el('span', { class: 'badge' }, results.length > 1 ? `${results.length} results` : isView ? 'model' : `${results[0].texts.method ?? ''}`), themeButton);
    const side = el('aside', { class: 'side' }, tabs.bar, ...tabList.map(([, panel]) => panel));
    const toolbar = el('div', { class: 'toolbar' });
    const main = el('main', { class: 'layout' }, el('section', { class: 'viewer card' }, stage, toolbar, buildTransport(player, results[0])), side);
    document.getElementById('app').append(header, warnings, main);

    const view = makeView(canvas, overlay, stage, results);
    if (view) {
        const { menu, fillBodies } = buildViewMenu(view, results);
        if (results.length > 1) {
            const chooser = el('select', { class: 'chooser', 'aria-label': 'Result', onchange: () => {
                view.select(Number(chooser.value));
                fillBodies();
            } }, ...results.map((r, i) => el('option', { value: String(i) }, r.label)));
            toolbar.append(chooser);
        }
        toolbar.append(...(results.every((r) => r.planar) ? [] : [buildLooks(view)]), menu, iconButton('fit', 'See all (f)', () => view.fit()));
        new ResizeObserver(() => view.resize()).observe(stage);
        player.onChange(() => view.setTime(player.time));
        view.setTime(player.time);
    }
    player.onChange(() => plots.setTime(player.time));
    listenToKeys(player, view);

    function applyTheme() {
        const theme = themeNow();
        view?.setTheme(theme === 'dark' ? DARK : LIGHT);
        plots.redraw();
    }
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
    new ResizeObserver(() => {
        if (!started && side.clientWidth) {
            started = true;
            plots.start();
        }
        plots.resize();
    }).observe(side);
    tabs.show(0);
    document.addEventListener('click', (event) => {
        for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
    });

    // For tests and the curious: what is shown, to be read only.
    window.holonom = Object.freeze({
        version: page.version,
        results: results.map((r) => Object.freeze({ name: r.name, label: r.label, file: r.file, complete: r.complete, frames: r.frames, rows: r.rows, bodies: r.bodies.slice(0, -1).map((b) => b.name), shapes: r.bodies.slice(0, -1).map((b) => b.shapes.map((shape) => shape.kind)), size: r.size, joints: r.joints.map((j) => j.name), columns: r.table.columns.map((c) => c.name) })),
        get time() { return player.time; },
        get playing() { return player.playing; },
        get speed() { return player.speed; },
        get theme() { return themeNow(); },
        warnings: Object.freeze([...shownWarnings]),
        body: (i) => Object.freeze({ point: view.main.bodyPoint(i), pixel: view.project(view.main.bodyPoint(i)) }),
        joint: (i) => Object.freeze({ point: view.main.jointPoint(i), pixel: view.project(view.main.jointPoint(i)) }),
        record: (i, frame) => Object.freeze({ time: results[i].motion.time[frame], position: Array.from(results[i].motion.position.slice(3 * frame * (results[i].bodies.length - 1), 3 * (frame + 1) * (results[i].bodies.length - 1))) }),
        arrows: () => view.main.arrows.filter((a) => a.group.visible && a.part.object.visible).map((a) => Object.freeze({ set: a.set, name: a.element.name, turns: a.turns, length: a.part.shown, value: a.value, point: a.part.object.position.toArray(), end: view.project(a.part.end.toArray()) })),
        labels: () => view.labels.items.filter((item) => !item.element.hidden).map((item) => Object.freeze({ words: item.element.textContent, covers: item.covers, ...item.box })),
        at: (point) => view.project(point),
        axes: () => view.triad.shown,
        scale: () => view.scaleBar.shown,
        frames: () => view.main.axes.map((group, i) => group.visible && view.main.axisEnds(i).map((end) => view.project(end))),
        picked: () => view.card.chosen && Object.freeze({ ...view.card.chosen, words: view.card.element.textContent }),
        springs: () => view.main.stretched.map(({ element, part }) => Object.freeze({ name: element.name, box: boxOf(part.object.geometry ? part.object : part.object.children[0]) })),
        trails: () => view.main.trails.filter((t) => t.group.visible).map((t) => t.name),
        strobe: () => view.poses.filter((pose) => pose.object.visible).map((pose) => Object.freeze({ time: pose.time, strength: pose.strength, pixels: pose.bodies.slice(0, -1).map((_, i) => view.project(pose.bodyPoint(i))) })),
        plots: () => plots.values(),
        csv: (i) => csvOf(results[i]),
    });
}

try {
    start();
} catch (error) {
    document.getElementById('app').append(el('p', { class: 'no-view' }, `The page could not be shown: ${error.message}`));
    throw error;
}
