// report.mjs: reports of many models opened in a browser: what is drawn follows the data, controls work, nothing runs that should
// not, nothing leaves the page.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, check, columns, goTo, holonom, holonomFails, inkAround, near, program, runAll, screenshots, settle, source, test, withPage, work } from './harness.mjs';

const model = (name) => `${source}/models/${name}.yaml`;
const shot = (page, name) => page.screenshot({ path: `${screenshots}/${name}.png` });

// ---- models ----

// A planar chain of n links of 0.1 m that hangs between two points and falls.
function chain(n) {
    const lines = ['holonom: 1', `name: chain of ${n} links`, 'space: planar', 'gravity: [0, -9.81]', 'bodies:'];
    for (let i = 0; i < n; i++) lines.push(`  link${i}: {mass: 0.1, inertia: 1e-4, along: [[${i / 10}, 0], [${(i + 1) / 10}, 0]]}`);
    lines.push('joints:', '  J0: {type: revolute, bodies: [ground, link0], at: [0, 0]}');
    for (let i = 1; i < n; i++) lines.push(`  J${i}: {type: revolute, bodies: [link${i - 1}, link${i}], at: [${i / 10}, 0]}`);
    lines.push('measures:', `  tip: {type: position, body: link${n - 1}, at: [${n / 10}, 0]}`, 'simulation: {end: 0.5, tolerance: 1e-6}');
    return `${lines.join('\n')}\n`;
}

// The models by name, with what shortens their runs.
const models = [
    ['four_bar', model('four_bar'), '--end', '6'],
    ['slider_crank_spatial', model('slider_crank_spatial'), '--end', '1'],
    ['bricard', model('a04_bricard'), '--end', '2'],
    ['five_bar', model('five_bar'), '--end', '2'],
    ['heavy_top', model('heavy_top'), '--end', '1'],
    ['andrews', model('a03_andrews')],
    ['two_four_bars', model('a02_two_four_bar'), '--end', '3'],
    ['chain', 'chain.yaml'],
];
for (const folder of ['models', 'models/elements'])
    for (const name of existsSync(`${source}/${folder}`) ? readdirSync(`${source}/${folder}`) : [])
        if (/governor|suspension|iltis_corner\.|coin|rolling_disk|bicycle/.test(name) && name.endsWith('.yaml') && holonomFails('check', '-q', `${source}/${folder}/${name}`).status === 0)
            models.push([name.replace(/\.yaml$/, ''), `${source}/${folder}/${name}`]);
writeFileSync(`${work}/chain.yaml`, chain(100));
// One of each kind: in the plane, in space, redundant, many bodies, rolling. The whole list is for HOLONOM_WHOLE=1.
const sample = /^(four_bar|bricard|five_bar|heavy_top|chain|bicycle)$/;
const shown = process.env.HOLONOM_WHOLE === '1' ? models : models.filter(([name]) => sample.test(name));

// What was measured of a run, at the record nearest to a time.
function rowAt(table, t) {
    let best = 0;
    table.time.forEach((time, i) => {
        if (Math.abs(time - t) < Math.abs(table.time[best] - t)) best = i;
    });
    return best;
}

// Bodies are where the data has them, in the scene and on the screen, at several times.
async function followsData(page) {
    const info = await ask(page, () => window.holonom.results[0]);
    check(info.frames > 10 && info.bodies.length > 0, `${info.frames} frames of ${info.bodies.length} bodies`);
    // what travels is followed at first; the whole way shows that it moves
    const followed = await follow(page, '-1');
    const box = await page.$eval('.canvas', (c) => ({ width: c.clientWidth, height: c.clientHeight }));
    const some = [...new Set([0, Math.floor(info.bodies.length / 2), info.bodies.length - 1])];
    let moved = 0;
    let last = null;
    for (const fraction of [0, 0.37, 0.81, 1]) {
        await goTo(page, fraction);
        const seen = await page.evaluate((list) => ({ time: window.holonom.time, bodies: list.map((i) => window.holonom.body(i)) }), some);
        for (const [k, { point, pixel }] of seen.bodies.entries()) {
            check(point.every(Number.isFinite), `body ${some[k]} is at ${point}`);
            check(pixel.x > -1 && pixel.x < box.width + 1 && pixel.y > -1 && pixel.y < box.height + 1, `body ${some[k]} is off the screen at t = ${seen.time}: ${pixel.x}, ${pixel.y}`);
            if (last) moved = Math.max(moved, Math.hypot(pixel.x - last.bodies[k].pixel.x, pixel.y - last.bodies[k].pixel.y));
        }
        last = seen;
    }
    check(moved > 2, `no body moved on the screen (by ${moved} pixels)`);
    return { ...info, followed };
}

// Follow a body (-1: none) and see all; returns which was followed before.
async function follow(page, body) {
    const before = await page.$eval('[data-option=follow]', (select, value) => {
        const old = select.value;
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        return old;
    }, body);
    await page.keyboard.press('f');
    await settle(page);
    return before;
}

for (const [name, file, ...options] of shown)
    test(`${name}: bodies on the screen follow the data, plots show values, no error and no request`, async (browser) => {
        holonom('run', file, '-o', `${name}.h5`, '-q', ...options);
        check(holonom('report', `${name}.h5`).trim() === `${name}.html`, 'the program says where the page is');
        await withPage(browser, `${name}.html`, async (page) => {
            const info = await followsData(page);
            // each of some bodies is drawn where the page says that it is
            await goTo(page, 0.37);
            for (const i of [0, info.bodies.length - 1]) {
                const { pixel } = await page.evaluate((k) => window.holonom.body(k), i);
                // the mass centre may lie beside what is drawn, so look around it
                const ink = await inkAround(page, pixel.x, pixel.y, 26);
                check(ink > 0.004, `nothing is drawn near body ${i}: ${ink}`);
            }
            const plots = await ask(page, () => window.holonom.plots());
            check(plots.length >= 3, `${plots.length} plots`);
            for (const plot of plots) check(plot.curves.length > 0 && plot.curves.every((c) => c.points > 1 && c.shown !== ''), JSON.stringify(plot));
            // a value of a plot is the one of the file at that record
            const measure = plots[0].columns[0];
            const table = columns(`${name}.h5`, measure);
            const row = Math.floor(0.6 * (table.time.length - 1));
            await page.keyboard.press('Home');
            await goTo(page, (table.time[row] - table.time[0]) / (table.time[table.time.length - 1] - table.time[0]));
            const shown = await ask(page, () => ({ time: window.holonom.time, value: window.holonom.plots()[0].curves[0].value }));
            const scale = Math.max(...table[measure].map(Math.abs), 1e-12);
            near(shown.value, table[measure][row], 1e-6 * scale, `${measure} at t = ${shown.time}`);
            await follow(page, info.followed);
            await shot(page, name);
            // graphics by software cost by the pixel
        }, { deviceScaleFactor: 0.5 });
    });

// ---- against figures from elsewhere ----

test('four-bar: the crank is where its measured angle says, to the pixel', async (browser) => {
    const table = columns('four_bar.h5', 'crank_angle');
    await withPage(browser, 'four_bar.html', async (page) => {
        // joints A (the origin) and D (2.5, 0) stand still and give the scale of the picture
        const [a, d] = await ask(page, () => [window.holonom.joint(0).pixel, window.holonom.joint(3).pixel]);
        const scale = (d.x - a.x) / 2.5;
        near(a.y, d.y, 1e-6 * scale, 'A and D are level');
        for (const fraction of [0, 0.21, 0.5, 0.77, 1]) {
            await goTo(page, fraction);
            const { time, crank } = await ask(page, () => ({ time: window.holonom.time, crank: window.holonom.body(0) }));
            const row = rowAt(table, time);
            const angle = table.crank_angle[row];
            // the mass centre of the crank is 1 m from A; between records it moves by less than 0.01 s times 7 rad/s
            const slack = 0.08 * scale;
            near(crank.pixel.x, a.x + scale * Math.cos(angle), slack, `x at t = ${time}`);
            near(crank.pixel.y, a.y - scale * Math.sin(angle), slack, `y at t = ${time}`);
            if (Math.abs(table.time[row] - time) < 1e-9) {
                // 4-byte positions of a few metres are exact to 1e-6 m
                near(crank.point[0], Math.cos(angle), 2e-6, 'x of the mass centre');
                near(crank.point[1], Math.sin(angle), 2e-6, 'y of the mass centre');
                near(crank.pixel.x, a.x + scale * Math.cos(angle), 0.01, 'x on the screen');
                near(crank.pixel.y, a.y - scale * Math.sin(angle), 0.01, 'y on the screen');
            }
        }
    });
});

test('heavy top: the body stands at its measured position at every record that is looked at', async (browser) => {
    const table = columns('heavy_top.h5', 'r.x', 'r.y', 'r.z');
    await withPage(browser, 'heavy_top.html', async (page) => {
        for (const row of [0, 17, 403, table.time.length - 1]) {
            await page.keyboard.press('Home');
            await goTo(page, (table.time[row] - table.time[0]) / (table.time[table.time.length - 1] - table.time[0]));
            const { point } = await ask(page, () => window.holonom.body(0));
            ['r.x', 'r.y', 'r.z'].forEach((name, k) => near(point[k], table[name][row], 2e-5, `${name} at record ${row}`));
        }
    });
});

// ---- controls ----

test('controls: play, pause, speed, steps, keys, slider', async (browser) => {
    await withPage(browser, 'four_bar.html', async (page) => {
        const state = () => ask(page, () => ({ time: window.holonom.time, playing: window.holonom.playing, speed: window.holonom.speed }));
        await page.keyboard.press(' ');
        check((await state()).playing, 'space plays');
        // a busy machine draws its first frame late
        for (let i = 0; i < 100 && (await state()).time === 0; i++) await sleep(200);
        await page.keyboard.press(' ');
        const paused = await state();
        check(!paused.playing && paused.time > 0, `time moved to ${paused.time}`);
        await page.keyboard.press('Home');
        check((await state()).time === 0, 'Home goes to the start');
        const frames = await ask(page, () => [0, 1, 2, 10].map((i) => window.holonom.record(0, i).time));
        await page.keyboard.press('ArrowRight');
        near((await state()).time, frames[1], 1e-12, 'one frame on');
        await page.keyboard.press('ArrowRight');
        near((await state()).time, frames[2], 1e-12, 'two frames on');
        await page.keyboard.press('ArrowLeft');
        near((await state()).time, frames[1], 1e-12, 'one back');
        await page.keyboard.press('Home');
        await page.keyboard.press('Shift+ArrowRight');
        near((await state()).time, frames[3], 1e-12, 'ten frames on');
        await page.keyboard.press('End');
        near((await state()).time, 6, 1e-9, 'End goes to the end');
        await page.keyboard.press('+');
        check((await state()).speed === 2, 'faster');
        await page.keyboard.press('-');
        await page.keyboard.press('-');
        check((await state()).speed === 0.5, 'slower');
        await page.click('[aria-label="Play or pause (space)"]');
        check((await state()).playing, 'the button plays');
        await page.click('[aria-label="Play or pause (space)"]');
        check(!(await state()).playing, 'and pauses');
        await page.click('[aria-label="To the start (Home)"]');
        await page.click('[aria-label="One frame on (→)"]');
        near((await state()).time, frames[1], 1e-12, 'the button steps');
    });
});

test('drawing: pan, zoom, see all, follow, names, trails, arrows with a scale', async (browser) => {
    await withPage(browser, 'four_bar.html', async (page) => {
        const pixel = () => ask(page, () => window.holonom.joint(0).pixel);
        const box = await (await page.$('.canvas')).boundingBox();
        const start = await pixel();
        await page.mouse.move(box.x + 60, box.y + 400);
        await page.mouse.down();
        await page.mouse.move(box.x + 110, box.y + 430, { steps: 4 });
        await page.mouse.up();
        await settle(page);
        const panned = await pixel();
        near(panned.x - start.x, 50, 2, 'the drawing moved with the mouse');
        near(panned.y - start.y, 30, 2, 'the drawing moved with the mouse');
        await page.mouse.wheel(0, -400);
        await settle(page);
        const zoomed = await ask(page, () => [window.holonom.joint(0).pixel.x, window.holonom.joint(3).pixel.x]);
        check(zoomed[1] - zoomed[0] > 1.05 * (await spanAfterFit(page)), 'the wheel zooms');
        const fitted = await pixel();
        near(fitted.x, start.x, 1, 'see all goes back');
        // names are shown, and can be switched off
        check(await page.isVisible('.label.joint >> nth=0'), 'names are shown');
        await page.click('summary:has-text("Show")');
        await page.click('[data-option=names]');
        await settle(page);
        check(!(await page.isVisible('.label.joint >> nth=0')), 'names are hidden');
        check((await ask(page, () => window.holonom.trails())).length > 0, 'there is a trail');
        await page.click('[data-option=trails]');
        await settle(page);
        check((await ask(page, () => window.holonom.trails())).length === 0, 'trails are off');
        await page.click('[data-option=reactions]');
        await settle(page);
        const arrows = await ask(page, () => window.holonom.arrows());
        check(arrows.length >= 3 && arrows.every((a) => a.set === 'reactions'), `arrows: ${JSON.stringify(arrows)}`);
        await page.$eval('[data-option=arrowScale]', (slider) => {
            slider.value = '1';
            slider.dispatchEvent(new Event('input', { bubbles: true }));
        });
        await settle(page);
        const longer = (await ask(page, () => window.holonom.arrows())).find((a) => a.name === arrows[0].name);
        near(longer.length / arrows[0].length, 10, 1e-6, 'arrows grow with their scale');
        await shot(page, 'arrows');
        // the followed body keeps its place
        await page.selectOption('[data-option=follow]', '1');
        await settle(page);
        const held = await ask(page, () => window.holonom.body(1).pixel);
        await goTo(page, 0.4);
        const later = await ask(page, () => window.holonom.body(1).pixel);
        near(later.x, held.x, 0.5, 'the followed body keeps its place');
        near(later.y, held.y, 0.5, 'the followed body keeps its place');
    });
});

test('stroboscope: poses before the time that is shown, the older ones paler, where the data has them', async (browser) => {
    const table = columns('four_bar.h5', 'crank_angle');
    await withPage(browser, 'four_bar.html', async (page) => {
        const set = (option, value) => page.$eval(`[data-option=${option}]`, (input, text) => {
            input.value = text;
            input.dispatchEvent(new Event('input', { bubbles: true }));
        }, value);
        const poses = () => ask(page, () => window.holonom.strobe());
        check((await poses()).length === 0, 'there is none at first');
        await page.click('summary:has-text("Show")');
        await set('strobe', '6');
        await set('strobeEvery', '0.25');
        await goTo(page, 0.5);
        await settle(page);
        const shown = await poses();
        check(shown.length === 6, `${shown.length} poses`);
        const [a, d] = await ask(page, () => [window.holonom.joint(0).pixel, window.holonom.joint(3).pixel]);
        const scale = (d.x - a.x) / 2.5;
        shown.forEach((pose, k) => {
            near(pose.time, 3 - 0.25 * (k + 1), 1e-9, `time of pose ${k}`);
            check(k === 0 || pose.strength < shown[k - 1].strength, 'the older ones are paler');
            // the mass centre of the crank is 1 m from A
            const angle = table.crank_angle[rowAt(table, pose.time)];
            near(pose.pixels[0].x, a.x + scale * Math.cos(angle), 0.1 * scale, `x of pose ${k}`);
            near(pose.pixels[0].y, a.y - scale * Math.sin(angle), 0.1 * scale, `y of pose ${k}`);
        });
        await page.mouse.click(5, 5);
        await shot(page, 'stroboscope');
        // poses before the start are left out, and nonsense changes nothing
        await goTo(page, 0.5 / 6);
        check((await poses()).length === 2, 'only poses of the run are shown');
        await page.click('summary:has-text("Show")');
        await set('strobeEvery', '-1');
        check((await poses()).length === 2, 'a negative time is not taken');
        await set('strobe', '0');
        check((await poses()).length === 0, 'off again');
    });
});

// The distance of A and D on the screen after "see all".
async function spanAfterFit(page) {
    await page.click('[aria-label="See all (f)"]');
    await settle(page);
    return ask(page, () => window.holonom.joint(3).pixel.x - window.holonom.joint(0).pixel.x);
}

test('drawing in space: orbit turns the view', async (browser) => {
    await withPage(browser, 'bricard.html', async (page) => {
        const box = await (await page.$('.canvas')).boundingBox();
        const before = await ask(page, () => [0, 2, 4].map((i) => window.holonom.joint(i).pixel));
        await page.mouse.move(box.x + 120, box.y + 420);
        await page.mouse.down();
        await page.mouse.move(box.x + 260, box.y + 400, { steps: 5 });
        await page.mouse.up();
        await settle(page);
        const after = await ask(page, () => [0, 2, 4].map((i) => window.holonom.joint(i).pixel));
        const moves = before.map((p, i) => after[i].x - p.x);
        check(Math.max(...moves) - Math.min(...moves) > 10, `points moved by ${moves}: that is no turn`);
        check((await ask(page, () => window.holonom.warnings)).some((line) => line.includes('redundant') && line.includes('J6')), 'the redundant constraint is named');
        await shot(page, 'bricard_turned');
    });
});

test('plots: against another column, logarithmic, several units, zoom, click to a time, CSV', async (browser) => {
    await withPage(browser, 'four_bar.html', async (page) => {
        const plot = (i) => page.evaluate((k) => window.holonom.plots()[k], i);
        check((await plot(2)).log, 'violations are logarithmic');
        await page.selectOption('.chart >> nth=1 >> select', 'crank_angle');
        check((await plot(1)).against === 'crank_angle', 'the energies stand over the angle');
        await settle(page);
        await shot(page, 'plot_across');
        // a second unit gets its own axis
        await page.click('.chart >> nth=0 >> summary');
        await page.click('.chart >> nth=0 >> label.menu-item:has-text("energy.kinetic")');
        const two = await plot(0);
        check(two.curves.length === 2 && new Set(two.curves.map((c) => c.unit)).size === 2, JSON.stringify(two));
        await page.mouse.click(5, 5);
        // a click on a plot goes to that time
        const area = await (await page.$('.chart >> nth=0 >> .u-over')).boundingBox();
        await page.mouse.click(area.x + 0.5 * area.width, area.y + 40);
        near(await ask(page, () => window.holonom.time), 3, 0.05, 'time of the click');
        // a drag zooms: the middle third fills the plot, so that a click in its middle is the middle again and one at a quarter is not
        await page.mouse.move(area.x + 0.4 * area.width, area.y + 50);
        await page.mouse.down();
        await page.mouse.move(area.x + 0.6 * area.width, area.y + 50, { steps: 5 });
        await page.mouse.up();
        await page.mouse.click(area.x + 0.02 * area.width, area.y + 50);
        const zoomed = await ask(page, () => window.holonom.time);
        near(zoomed, 2.42, 0.06, 'the left end after the zoom');
        await page.mouse.dblclick(area.x + 0.5 * area.width, area.y + 50);
        await page.mouse.click(area.x + 0.25 * area.width, area.y + 50);
        near(await ask(page, () => window.holonom.time), 1.5, 0.05, 'the whole again');
        // the legend reads the value at the time
        const shown = await plot(0);
        check(shown.curves[0].shown.length > 0, 'a value is shown');
        await page.click('button:has-text("Add a plot")');
        check((await ask(page, () => window.holonom.plots().length)) === 5, 'a plot was added');
        // CSV
        await page.click('role=tab[name="Summary"]');
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('.summary button:has-text("CSV")')]);
        check(download.suggestedFilename() === 'four_bar.csv', download.suggestedFilename());
        const text = readFileSync(await download.path(), 'utf8');
        const lines = text.trim().split('\n');
        const table = columns('four_bar.h5', 'crank_angle');
        check(lines[0].startsWith('time [s],crank_angle [rad]'), lines[0]);
        check(lines.length - 1 === table.time.length, `${lines.length - 1} lines`);
        check(Number(lines[101].split(',')[1]) === table.crank_angle[100], 'the numbers are exact');
        await shot(page, 'summary');
        await page.click('role=tab[name="Model"]');
        check((await page.textContent('.code')).includes('along: [A, B]'), 'the model text is there');
    });
});

test('numbers: what is written is the number, to four digits, over all sizes', async () => {
    const text = readFileSync(`${source}/web/src/data.js`, 'utf8');
    const { formatNumber } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const read = (words) => Number(words.replaceAll('−', '-'));
    check(formatNumber(20000) === '20000' && formatNumber(12300) === '12300', `${formatNumber(20000)} and ${formatNumber(12300)}`);
    check(formatNumber(1e20) === '1e20' && formatNumber(-2.5e-7) === '−2.5e−7' && formatNumber(1.5) === '1.5', 'short where that is exact');
    let n = 0;
    for (let power = -12; power <= 12; power++)
        for (const mantissa of [1, 1.0001, 1.5, 2, 2.385, 5, 9.9994, 9.99949, 9.99951, 9.9999])
            for (const sign of [1, -1]) {
                const x = sign * mantissa * 10 ** power;
                // half a unit of the fourth digit
                near(read(formatNumber(x)) / x, 1, 5.1e-4, `${x} as ${formatNumber(x)}`);
                n++;
            }
    check(n === 500, `${n} numbers`);
});

// ---- looks ----

test('light and dark: by the system and by the button; a phone has room for everything', async (browser) => {
    await withPage(browser, 'five_bar.html', async (page) => {
        const background = () => page.$eval('body', (body) => getComputedStyle(body).backgroundColor);
        check((await ask(page, () => window.holonom.theme)) === 'dark' && (await background()) === 'rgb(13, 16, 21)', 'the system asks for dark');
        await shot(page, 'dark');
        await page.click('[aria-label="Light or dark"]');
        await settle(page);
        check((await ask(page, () => window.holonom.theme)) === 'light' && (await background()) === 'rgb(236, 239, 243)', 'the button makes it light');
    }, { colorScheme: 'dark' });
    await withPage(browser, 'five_bar.html', async (page) => {
        const sizes = await ask(page, () => ({ page: document.documentElement.scrollWidth, window: innerWidth, canvas: document.querySelector('.canvas').clientHeight, plot: document.querySelector('.u-over').getBoundingClientRect().width }));
        check(sizes.page <= sizes.window, `the page is ${sizes.page} wide on a window of ${sizes.window}`);
        check(sizes.canvas > 250 && sizes.plot > 200, JSON.stringify(sizes));
        for (const control of ['Play or pause (space)', 'To the start (Home)', 'Faster', 'Slower']) {
            const box = await (await page.$(`[aria-label="${control}"]`)).boundingBox();
            check(box && box.x >= 0 && box.x + box.width <= sizes.window, `${control} is out of sight: ${JSON.stringify(box)}`);
        }
        await page.tap('[aria-label="Play or pause (space)"]');
        check(await ask(page, () => window.holonom.playing), 'a finger plays');
        await shot(page, 'phone');
    }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
});

// ---- several results ----

test('several results: overlaid in plots and drawing, compared in the summary', async (browser) => {
    holonom('run', model('four_bar'), '-o', 'other.h5', '-q', '--end', '4', '--method', 'lagrange', '--tol', '1e-3');
    holonom('report', 'four_bar.h5', 'other.h5', '-o', 'both.html');
    await withPage(browser, 'both.html', async (page) => {
        const { results, plots } = await ask(page, () => ({ results: window.holonom.results, plots: window.holonom.plots() }));
        check(results.length === 2 && results[0].label !== results[1].label, JSON.stringify(results.map((r) => r.label)));
        check(plots[0].curves.length === 2, 'a curve for each');
        await goTo(page, 0.5);
        await shot(page, 'both');
        await page.click('role=tab[name="Summary"]');
        check((await page.$$('.compare thead th')).length === 3, 'a column for each');
        await page.selectOption('select[aria-label=Result]', '1');
        await settle(page);
        // past the end of the shorter run its value is not shown
        await page.click('role=tab[name="Plots"]');
        await goTo(page, 0.95);
        const late = await ask(page, () => window.holonom.plots()[0].curves.map((c) => c.shown));
        check(late[0] !== '–' && late[1] === '–', JSON.stringify(late));
    });
});

test('view: the assembled model without a run', async (browser) => {
    holonom('view', model('a03_andrews'), '-o', 'view.html');
    await withPage(browser, 'view.html', async (page) => {
        const info = await ask(page, () => window.holonom.results[0]);
        check(info.frames === 1 && info.bodies.length === 7, JSON.stringify(info));
        check(await page.isVisible('.label.joint >> nth=0'), 'names are shown');
        check(!(await page.isVisible('.transport')), 'there is nothing to play');
        // assembly closed the loops: joint F is 0.007 m from O, to 4-byte numbers
        const [o, f] = await ask(page, () => [window.holonom.joint(0).point, window.holonom.joint(1).point]);
        near(Math.hypot(f[0] - o[0], f[1] - o[1]), 0.007, 1e-8, 'the crank');
        await shot(page, 'view');
    });
});

// ---- hostile and broken results ----

const long = `${'very_long_'.repeat(25)}`; // 255 bytes are allowed
const hostile = {
    body: '</script><script>window.hacked = 1</script>',
    joint: '"><img src=x onerror="window.hacked = 2">',
    second: `'; window.hacked = 3; //`,
    name: '<svg onload=window.hacked=4> & "quotes" \\ ünïcode 機構 \u202e <!-- --> ]]>',
};

test('hostile names are shown as text, and nothing of them runs', async (browser) => {
    const q = (text) => JSON.stringify(text);
    writeFileSync(`${work}/hostile.yaml`, [
        'holonom: 1', `name: ${q(hostile.name)}`, 'space: planar', 'gravity: [0, -9.81]', 'bodies:',
        `  ${q(hostile.body)}: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}`, `  ${q(long)}: {mass: 1, inertia: 0.1, along: [[1, 0], [2, 0]]}`, 'joints:',
        `  ${q(hostile.joint)}: {type: revolute, bodies: [ground, ${q(hostile.body)}], at: [0, 0]}`,
        `  ${q(hostile.second)}: {type: revolute, bodies: [${q(hostile.body)}, ${q(long)}], at: [1, 0]}`, 'simulation: {end: 1}',
    ].join('\n'));
    holonom('run', 'hostile.yaml', '-o', 'hostile.h5', '-q');
    holonom('report', 'hostile.h5');
    const html = readFileSync(`${work}/hostile.html`, 'utf8');
    check((html.match(/<script/g) || []).length === 3 && (html.match(/<\/script>/g) || []).length === 3, 'the page has three script elements');
    check(!html.includes('<img src=x') && !html.includes('<svg onload'), 'names are not markup');
    await withPage(browser, 'hostile.html', async (page) => {
        const seen = await ask(page, () => ({
            hacked: window.hacked, title: document.title, heading: document.querySelector('h1').textContent, labels: [...document.querySelectorAll('.label')].map((l) => l.textContent),
            results: window.holonom.results[0], images: document.images.length, scripts: document.scripts.length, width: document.documentElement.scrollWidth, room: innerWidth,
        }));
        check(seen.hacked === undefined, `something ran: ${seen.hacked}`);
        check(seen.heading === hostile.name && seen.title.startsWith(hostile.name), seen.heading);
        check(seen.labels.includes(hostile.body) && seen.labels.includes(hostile.joint) && seen.labels.includes(hostile.second), JSON.stringify(seen.labels));
        check(seen.results.bodies[1] === long, 'a long name is kept');
        check(seen.images === 0 && seen.scripts === 3, 'no element came out of a name');
        check(seen.width <= seen.room, 'a long name does not widen the page');
        // the policy is in force: neither text nor an element becomes code, and nothing can be fetched
        const blocked = await ask(page, () => new Promise((done) => {
            setTimeout(() => {
                const out = [];
                const attempt = (action) => {
                    try {
                        action();
                        out.push('ran');
                    } catch (error) {
                        out.push(error.name);
                    }
                };
                attempt(() => (0, eval)('window.hacked = 5')); // eslint-disable-line no-eval
                attempt(() => { document.querySelector('h1').innerHTML = '<img src=x onerror="window.hacked = 6">'; });
                fetch('data:text/plain,x').then(() => 'ran', (error) => error.name).then((name) => done([...out, name, window.hacked]));
            });
        }));
        check(blocked.slice(0, 3).join() === 'EvalError,TypeError,TypeError' && blocked[3] == null, `the policy let pass: ${blocked}`);
        await page.click('role=tab[name="Model"]');
        check((await page.textContent('.code')).includes('<script>window.hacked'), 'the model text shows it');
        await page.click('role=tab[name="Summary"]');
        await shot(page, 'hostile');
    }, { allow: /Content Security Policy|TrustedHTML|TrustedScript|Trusted Type|violates the following/i });
});

test('the result of a run that was killed gives a report that says so', async (browser) => {
    const child = spawn(program, ['run', model('a04_bricard'), '-o', 'killed.h5', '-q', '--end', '100000', '--set', 'simulation.output=0.01'], { cwd: work, stdio: 'ignore' });
    const ended = new Promise((done) => { child.on('exit', (code, signal) => done(signal)); });
    for (let i = 0; i < 100 && !(existsSync(`${work}/killed.part.h5`) && statSync(`${work}/killed.part.h5`).size > 100000); i++) await sleep(200);
    await sleep(2500);
    child.kill('SIGKILL');
    check((await ended) === 'SIGKILL', 'the run was killed');
    // what was computed stands under the name of a file that is not whole
    check(!existsSync(`${work}/killed.h5`), 'no result under the name of a whole one');
    holonom('report', 'killed.part.h5', '-o', 'killed.html');
    await withPage(browser, 'killed.html', async (page) => {
        const { warnings, results } = await ask(page, () => ({ warnings: window.holonom.warnings, results: window.holonom.results }));
        check(!results[0].complete && warnings[0].includes('incomplete') && warnings[0].includes('cut off'), JSON.stringify(warnings));
        check(results[0].frames > 1, `${results[0].frames} frames`);
        check(await page.isVisible('.warning:has-text("incomplete")'), 'the warning is in sight');
        await followsData(page);
        await shot(page, 'killed');
    });
});

test('a result without motion (CSV) still shows its plots; what is no result is refused', async (browser) => {
    holonom('run', model('four_bar'), '-o', 'table.csv', '-q', '--end', '2');
    holonom('report', 'table.csv');
    await withPage(browser, 'table.html', async (page) => {
        check((await ask(page, () => window.holonom.plots()[0].curves[0].points)) > 100, 'the curve is there');
        check(await page.isVisible('.no-view'), 'the page says that there is no motion');
    });
    writeFileSync(`${work}/broken.h5`, 'this is not HDF5');
    const broken = holonomFails('report', 'broken.h5');
    check(broken.status === 4 && broken.stderr.includes('not an HDF5 file'), JSON.stringify(broken));
    check(!existsSync(`${work}/broken.html`), 'no page is left');
    check(holonomFails('report', 'four_bar.h5', '-o', '/nowhere/x.html').status === 4, 'a folder that is not there');
});

test('a browser whose graphics are off shows a still picture and says why; plots work', async (browser) => {
    holonom('run', model('four_bar'), '--end', '1', '-o', 'still.h5', '-q');
    holonom('report', 'still.h5');
    const still = (page) => page.$eval('.no-view', (note) => ({ words: note.textContent, width: note.querySelector('img')?.naturalWidth ?? 0 }));
    await withPage(browser, 'still.html', async (page) => {
        const shown = await still(page);
        check(/WebGL is off/.test(shown.words) && /still picture of the start/.test(shown.words), `it says: ${shown.words}`);
        check(shown.width === 640, `a picture of ${shown.width} pixels`);
        check((await ask(page, () => window.holonom.plots())).length > 0, 'there are no plots');
        await shot(page, 'no_graphics');
    }, {
        allow: /WebGL/,
        before: () => {
            const { getContext } = HTMLCanvasElement.prototype;
            HTMLCanvasElement.prototype.getContext = function none(kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };
        },
    });
    await withPage(browser, 'still.html', async (page) => {
        check(!await page.$('.no-view'), 'a still picture although all is well');
        await page.$eval('.canvas', (canvas) => { window.gone = canvas.getContext('webgl2').getExtension('WEBGL_lose_context'); window.gone.loseContext(); });
        await page.waitForSelector('.no-view');
        const shown = await still(page);
        check(/taken its graphics/.test(shown.words) && shown.width === 640, `it says: ${shown.words}`);
        await ask(page, () => window.gone.restoreContext());
        await page.waitForSelector('.no-view', { state: 'detached' });
        await settle(page);
        const { pixel } = await ask(page, () => window.holonom.joint(0));
        check(await inkAround(page, pixel.x, pixel.y, 12) > 0.05, 'nothing is drawn after the graphics came back');
    }, { allow: /Context (Lost|Restored)|WebGL|GL_/ });
});

test('the page of the four-bar is small', () => {
    holonom('run', model('four_bar'), '-o', 'full.h5', '-q');
    holonom('report', 'full.h5');
    const { size } = statSync(`${work}/full.html`);
    check(size < 1.5e6, `${size} bytes`);
    const html = readFileSync(`${work}/full.html`, 'utf8');
    check(html.includes('three.js authors') && html.includes('Leon Sorokin'), 'the notices of the libraries are inside');
    check(/default-src 'none'/.test(html) && !/unsafe/.test(html.slice(0, 2000)), 'the policy is strict');
});

await import('./drawing.mjs');
await import('./summary.mjs');
await import('./answers.mjs');
await runAll();
