// answers.mjs: pages of answers (kinematics, inverse, linearize …): charts, paths with one scale, folded tables, dark paper, phones;
// and the report of assemblies, which are positions and no motion.

import { readFileSync, writeFileSync } from 'node:fs';
import { ask, check, columns, goTo, holonom, near, screenshots, settle, source, test, withPage, work } from './harness.mjs';

// A driven four-bar whose coupler point goes around a closed curve.
const linkage = `holonom: 1
name: coupler
space: planar
gravity: [0, -9.81]
points: {A: [0, 0], B: [0, 0.1], C: [0.4, 0.25], D: [0.4, 0]}
bodies:
  crank: {mass: 0.5, inertia: 1e-3, along: [A, B]}
  rod: {mass: 1, inertia: 0.02, along: [B, C]}
  rocker: {mass: 0.8, inertia: 0.01, along: [D, C]}
joints:
  a: {type: revolute, bodies: [ground, crank], at: A}
  b: {type: revolute, bodies: [crank, rod], at: B}
  c: {type: revolute, bodies: [rod, rocker], at: C}
  d: {type: revolute, bodies: [ground, rocker], at: D}
  motor: {type: motor, joint: a, speed: 6.2}
measures:
  foot: {type: position, body: rod, at: [0.2, 0.4]}
  phi: {type: angle, body: rocker}
simulation: {end: 1, output: 0.01}
`;

// Open a page without script; use(page).
async function withAnswer(browser, file, use, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, colorScheme: 'light', ...options });
    try {
        const page = await context.newPage();
        const troubles = [];
        page.on('console', (message) => troubles.push(message.text()));
        page.on('request', (request) => { if (request.url() !== `file://${work}/${file}`) troubles.push(request.url()); });
        await page.goto(`file://${work}/${file}`);
        await use(page);
        check(troubles.length === 0, troubles.join('; '));
    } finally {
        await context.close();
    }
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const shot = (page, name) => page.screenshot({ path: `${screenshots}/${name}.png` });

// The charts that are seen: names of axes, and the points of their curves in pixels of the drawing.
const charts = (page) => page.$$eval('svg', (list) => list.filter((svg) => svg.getBoundingClientRect().width > 0).map((svg) => ({
    texts: [...svg.querySelectorAll('text')].map((text) => text.textContent),
    size: Math.min(...[...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().height || Infinity)),
    width: svg.getBoundingClientRect().width,
    curves: [...svg.querySelectorAll('g polyline')].map((line) => [...line.points].map(({ x, y }) => [x, y])),
    dots: svg.querySelectorAll('g circle').length,
    ticks: [...svg.querySelectorAll('text[text-anchor=middle]:not([transform])')].map((text) => [Number(text.textContent.replace('−', '-')), Number(text.getAttribute('x'))]).filter(([x]) => Number.isFinite(x)),
    rises: [...svg.querySelectorAll('text[text-anchor=end]')].map((text) => [Number(text.textContent.replace('−', '-')), Number(text.getAttribute('y'))]).filter(([x]) => Number.isFinite(x)),
})));
const scaleOf = (marks) => (marks.at(-1)[1] - marks[0][1]) / (marks.at(-1)[0] - marks[0][0]);

test('answers: kinematics has charts over time and the path of a point with one scale; long tables are folded files', async (browser) => {
    writeFileSync(`${work}/coupler.yaml`, linkage);
    holonom('kinematics', 'coupler.yaml', '--cycle', 'motor', '--motion', 'coupler.h5', '-o', 'coupler.html', '-q');
    const table = columns('coupler.h5', 'foot.x', 'foot.y', 'phi');
    await withAnswer(browser, 'coupler.html', async (page) => {
        const [path, place, angle] = await charts(page);
        check(path.texts.includes('foot') && place.texts.includes('time [s]') && angle.texts.includes('time [s]'), JSON.stringify([path.texts, place.texts]));
        // as many pixels a metre across as upwards, to the two decimals of the numbers in the picture
        const [across, up] = [scaleOf(path.ticks), -scaleOf(path.rises)];
        near(across / up, 1, 0.01, 'one scale');
        const [curve] = path.curves;
        const extent = (k) => Math.max(...curve.map((p) => p[k])) - Math.min(...curve.map((p) => p[k]));
        const range = (name) => Math.max(...table[name]) - Math.min(...table[name]);
        near(extent(0) / across, range('foot.x'), 0.01 * range('foot.x'), 'the width of the path');
        near(extent(1) / up, range('foot.y'), 0.01 * range('foot.y'), 'the height of the path');
        near(Math.hypot(curve[0][0] - curve.at(-1)[0], curve[0][1] - curve.at(-1)[1]), 0, 1, 'the path is closed');
        check(place.curves.length === 2 && angle.curves.length === 1, 'one chart for each unit');
        // the table is folded, and its numbers are a file
        check(!(await page.isVisible('details table')) && (await page.isVisible('table')), 'long tables are folded, short ones are not');
        const href = await page.getAttribute('a[download="motion.csv"]', 'href');
        const lines = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64').toString().trim().split('\n');
        check(lines[0] === 'time [s],foot.x [m],foot.y [m],phi [rad]' && lines.length === 362, `${lines[0]} and ${lines.length} lines`);
        near(Number(lines[101].split(',')[1]), table['foot.x'][100], 1e-12, 'a number of the file');
        await shot(page, 'answer');
    });
});

test('answers: dark paper has dark charts; on a phone nothing is wider than it and letters can be read', async (browser) => {
    holonom('linearize', `${source}/models/bicycle.yaml`, '-o', 'bicycle.html', '-q');
    for (const name of ['coupler', 'bicycle'])
        await withAnswer(browser, `${name}.html`, async (page) => {
            const wide = await ask(page, () => document.documentElement.scrollWidth);
            check(wide <= 390, `${name} is ${wide} wide on a phone`);
            for (const { size, width } of await charts(page)) check(size >= 10 && width <= 390, `letters are ${size} high in a chart of ${width}`);
            await shot(page, `answer_${name}_phone`);
        }, { ...phone, colorScheme: 'dark' });
    await withAnswer(browser, 'coupler.html', async (page) => {
        const colors = await ask(page, () => ({
            body: getComputedStyle(document.documentElement).backgroundColor,
            paper: getComputedStyle(document.querySelector('svg > rect')).fill,
            ink: getComputedStyle(document.querySelector('svg text')).fill,
            grid: getComputedStyle(document.querySelector('svg > polyline[stroke="#dddddd"]')).stroke,
        }));
        const light = (color) => Math.max(...color.match(/\d+/g).slice(0, 3).map(Number));
        check(colors.paper === 'none' && light(colors.body) < 60 && light(colors.ink) > 130 && light(colors.grid) < 110, JSON.stringify(colors));
        await shot(page, 'answer_dark');
    }, { colorScheme: 'dark' });
});

test('answers: a workspace in space is seen from three sides', async (browser) => {
    writeFileSync(`${work}/arm.yaml`, `holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  post: {mass: 2, inertia: [0.1, 0.1, 0.1], along: [[0, 0, 0], [0, 0, 0.4]]}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], along: [[0, 0, 0.4], [0.6, 0, 0.4]]}
joints:
  base: {type: revolute, bodies: [ground, post], at: [0, 0, 0], axis: [0, 0, 1]}
  shoulder: {type: revolute, bodies: [post, arm], at: [0, 0, 0.4], axis: [0, 1, 0]}
  turn: {type: motor, joint: base, angle: 0}
  lift: {type: motor, joint: shoulder, angle: 0}
measures: {tip: {type: position, body: arm, at: [0.6, 0, 0.4]}}
simulation: {end: 1}
`);
    holonom('kinematics', 'arm.yaml', '--workspace', 'turn=-1:1,lift=-0.5:1', '--point', 'tip', '--points', '15', '-o', 'arm.html', '-q');
    await withAnswer(browser, 'arm.html', async (page) => {
        const seen = await charts(page);
        check(seen.length === 3 && seen.every(({ dots, curves }) => dots === 225 && curves.length === 0), JSON.stringify(seen.map(({ dots }) => dots)));
        const axes = seen.map(({ texts }) => texts.filter((text) => /^[xyz] \[m\]$/.test(text)).join());
        check(axes.join(';') === 'x [m],y [m];x [m],z [m];y [m],z [m]', axes.join(';'));
        for (const { ticks, rises } of seen) near(scaleOf(ticks) / -scaleOf(rises), 1, 0.01, 'one scale');
        check(!(await page.isVisible('table')), 'the table is folded');
        await shot(page, 'workspace');
    });
});

test('assemblies are positions: nothing between them, and the axis says branch', async (browser) => {
    holonom('assemble', 'coupler.yaml', '--motion', 'branches.h5', '-q');
    holonom('report', 'branches.h5');
    const table = columns('branches.h5', 'phi');
    check(table.time.length >= 2, `${table.time.length} branches`);
    await withPage(browser, 'branches.html', async (page) => {
        const poses = [];
        for (let k = 0; k < table.time.length; k++) {
            await page.keyboard.press(k ? 'ArrowRight' : 'Home');
            await settle(page);
            poses.push(await ask(page, () => window.holonom.body(2).point));
        }
        check(poses.some((pose) => Math.hypot(pose[0] - poses[0][0], pose[1] - poses[0][1]) > 0.01), 'branches differ');
        // wherever the slider stands, one of the branches is shown
        for (const fraction of [0.1, 0.3, 0.45, 0.55, 0.77]) {
            await goTo(page, fraction);
            const { time, point } = await ask(page, () => ({ time: window.holonom.time, point: window.holonom.body(2).point }));
            check(Number.isInteger(time), `branch ${time}`);
            near(Math.hypot(point[0] - poses[time - 1][0], point[1] - poses[time - 1][1]), 0, 1e-9, `the pose at ${fraction}`);
            const shown = await ask(page, () => window.holonom.plots().flatMap((plot) => plot.curves).find((curve) => curve.label === 'phi').value);
            near(shown, table.phi[time - 1], 1e-9, `phi of branch ${time}`);
        }
        check((await page.textContent('.clock')).startsWith('branch '), await page.textContent('.clock'));
        check((await page.$$eval('.against option:first-child', (list) => list.map((option) => option.textContent))).every((words) => words === 'branch'), 'what plots stand against');
        check((await ask(page, () => window.holonom.trails())).length === 0, 'there are no trails');
        await page.click('role=tab[name="Summary"]');
        check((await page.textContent('.measures thead')).includes('branch'), 'the summary says branch');
        await page.click('role=tab[name="Plots"]');
        await shot(page, 'branches');
    });
});
