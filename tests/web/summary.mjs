// summary.mjs: the summary of a report, its banners, and the words over the drawing: what an engineer reads first.

import { readFileSync, writeFileSync } from 'node:fs';
import { ask, check, columns, goTo, holonom, holonomFails, near, screenshots, settle, source, test, withPage, work } from './harness.mjs';

const wide = { viewport: { width: 1400, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const shot = (page, name) => page.screenshot({ path: `${screenshots}/${name}.png` });
const read = (words) => Number(words.replaceAll('−', '-').replace('≈ 0', '0'));

// A crank with a long rod that drives a piston upwards, written in millimetres: forces, moments, a name at the top of the drawing.
const engine = `holonom: 1
name: engine
space: spatial
gravity: [0, 0, -9.81]
units: {length: mm}
points: {O: [0, 0, 0], P: [0, 0, 0.05], Q: [0, 0, 0.29]}
bodies:
  crank: {mass: 2, inertia: [1e-3, 1e-3, 1e-3], along: [O, P]}
  rod: {mass: 1, inertia: [5e-3, 5e-3, 1e-4], along: [P, Q]}
  piston: {mass: 0.6, inertia: [4e-4, 4e-4, 4e-4], position: Q}
joints:
  main: {type: revolute, bodies: [ground, crank], at: O, axis: [0, 1, 0]}
  big_end: {type: revolute, bodies: [crank, rod], at: P, axis: [0, 1, 0]}
  small_end: {type: revolute, bodies: [rod, piston], at: Q, axis: [0, 1, 0]}
  bore: {type: prismatic, bodies: [ground, piston], at: Q, axis: [0, 0, 1]}
  drive: {type: motor, joint: main, speed: 40}
measures:
  main_load: {type: reaction, joint: main}
  stroke: {type: joint_coordinate, joint: bore}
  torque: {type: load, joint: drive}
simulation: {end: 0.5, output: 0.031}
`;

// Words of the elements that go on in a second line.
const brokenWords = (page, where) => page.evaluate((selector) => {
    const broken = [];
    for (const part of document.querySelectorAll(selector)) {
        const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode())
            for (const match of node.data.matchAll(/\S+/g)) {
                const range = document.createRange();
                range.setStart(node, match.index);
                range.setEnd(node, match.index + match[0].length);
                if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(match[0]);
            }
    }
    return broken;
}, where);

test('summary: measures come first with their least and largest values over all steps, counters are folded, no word is broken', async (browser) => {
    writeFileSync(`${work}/stroke_engine.yaml`, engine);
    holonom('run', 'stroke_engine.yaml', '-o', 'stroke_engine.h5', '-o', 'stroke_engine.csv', '-q');
    holonom('report', 'stroke_engine.h5');
    const lines = readFileSync(`${work}/stroke_engine.extremes.csv`, 'utf8').trim().split('\n').slice(1).filter((line) => !line.startsWith('#'));
    const extremes = new Map(lines.map((line) => [line.slice(0, line.indexOf(' [')), line.split(',').slice(1).map(Number)]));
    const records = columns('stroke_engine.h5', 'torque.load')['torque.load'];
    check(extremes.get('torque.load')[2] > Math.max(...records) * 1.001, 'the records miss the largest torque');
    for (const [name, options] of [['wide', wide], ['phone', phone]])
        await withPage(browser, 'stroke_engine.html', async (page) => {
            await page.click('role=tab[name="Summary"]');
            await settle(page);
            const table = await page.$$eval('.measures tbody tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
            check(table.length === 9, `${table.length} measures`);
            for (const [measure, unit, end, least, leastTime, largest, largestTime] of table) {
                const [low, lowTime, high, highTime] = extremes.get(measure);
                // five digits are shown; loads are some 100 N and 10⁴ N·mm, and rounding of them counts as 0
                const size = Math.max(Math.abs(low), Math.abs(high), 1e-8);
                near(read(least), low, 1e-4 * size, `the least ${measure}`);
                near(read(largest), high, 1e-4 * size, `the largest ${measure}`);
                near(read(leastTime), lowTime, 1e-3 * lowTime + 1e-12, `when ${measure} is least`);
                near(read(largestTime), highTime, 1e-3 * highTime + 1e-12, `when ${measure} is largest`);
                check(Number.isFinite(read(end)) && unit.length > 0, `${measure}: ${end} ${unit}`);
            }
            const order = await page.$$eval('.summary .measures, .summary .loads, .summary details', (parts) => parts.map((part) => part.className || part.tagName));
            check(order[0].includes('measures') && order[1] === 'loads', JSON.stringify(order));
            check(!(await page.isVisible('dt:text-is("evaluations")')), 'counters are folded');
            check((await page.$$('.loads li')).length >= 2, 'a line for each load');
            const broken = await brokenWords(page, '.summary dd, .summary td, .summary li, .summary .measures th');
            check(broken.length === 0, `broken on ${name}: ${broken.join(' ')}`);
            const sizes = await ask(page, () => [document.documentElement, document.querySelector('.summary .scroll')].flatMap((part) => [part.scrollWidth, part.clientWidth]));
            check(sizes[0] <= sizes[1] && sizes[2] <= sizes[3] + 1, `the table is too wide on ${name}: ${sizes}`);
            await shot(page, `summary_${name}`);
        }, options);
});

test('summary: what took hold and let go stands with its times, long lists are folded, and not among what says how accurate the run is', async (browser) => {
    holonom('run', `${source}/models/elbow_lock.yaml`, '-q', '-o', 'lock.h5');
    holonom('report', 'lock.h5', '-o', 'lock.html');
    await withPage(browser, 'lock.html', async (page) => {
        await page.click('text=Summary');
        const lines = await page.$$eval('.happened li', (list) => list.map((line) => line.textContent));
        check(JSON.stringify(lines) === JSON.stringify(["0.5 s: joint 'lock' takes hold", "1.1 s: joint 'lock' lets go"]), `the lines are ${JSON.stringify(lines)}`);
        const facts = await page.$$eval('.facts', (list) => list.map((part) => part.textContent).join(' '));
        check(!facts.includes('takes hold'), 'it stands among the facts too');
        check(await page.$('.happened details') === null, 'two lines are folded');
    }, wide);
    holonom('run', `${source}/models/rebounding_ball.yaml`, '-q', '-o', 'ball.h5');
    holonom('report', 'ball.h5', '-o', 'ball.html');
    await withPage(browser, 'ball.html', async (page) => {
        await page.click('text=Summary');
        check((await page.$$('.happened details li')).length > 8, 'a long list is not folded');
    }, wide);
});

test('extremes follow the units of the columns: results --units and a report of results in two units', async (browser) => {
    const stroke = (...words) => holonom('results', 'stroke_engine.h5', ...words).split('\n').findLast((line) => line.includes('stroke [')).trim().split(/\s+/);
    const [mm, m] = [stroke(), stroke('--units', '')];
    check(mm[1] === '[mm]' && m[1] === '[m]', `${mm} and ${m}`);
    for (const k of [2, 4]) near(Number(m[k]), Number(mm[k]) / 1000, 1e-9, 'metres are 1000 mm');
    holonom('run', 'stroke_engine.yaml', '-o', 'metres.h5', '-q', '--units', 'length=m');
    holonom('report', 'metres.h5', 'stroke_engine.h5', '-o', 'two_units.html');
    await withPage(browser, 'two_units.html', async (page) => {
        await page.click('role=tab[name="Summary"]');
        const rows = await page.$$eval('.measures tbody tr', (list) => list.map((row) => [...row.children].map((cell) => cell.textContent)).filter(([name]) => name === 'stroke'));
        check(rows.length === 2 && rows[0].join() === rows[1].join() && rows[0][1] === 'm', JSON.stringify(rows));
    }, wide);
});

test('the banner of a run that failed says why; a long one is shown in full on demand', async (browser) => {
    writeFileSync(`${work}/fails.yaml`, `holonom: 1
space: planar
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
forces: {pull: {type: spring, bodies: [ground, rod], from: [1, 1], to: [1, 0], stiffness: 50*sqrt(0.3 - t)}}
simulation: {end: 2, output: 0.01}
`);
    check(holonomFails('run', 'fails.yaml', '-o', 'fails.h5', '-q').status !== 0, 'the run fails');
    holonom('report', 'fails.h5', '-o', 'fails.html');
    await withPage(browser, 'fails.html', async (page) => {
        const [line] = await ask(page, () => window.holonom.warnings);
        check(line.includes('failed') && line.includes("force 'pull'") && line.includes('NaN or infinite') && line.includes('fails.yaml:6'), line);
        const banner = () => page.$eval('.warning', (part) => ({ bottom: part.getBoundingClientRect().bottom, words: part.querySelector('.words').scrollHeight - part.querySelector('.words').clientHeight, below: document.querySelector('.layout').getBoundingClientRect().top, box: part.parentElement.scrollHeight - part.parentElement.clientHeight }));
        const folded = await banner();
        check(folded.words > 2 && folded.bottom <= folded.below && folded.box <= 0, `the folded banner: ${JSON.stringify(folded)}`);
        await page.click('.warning .more');
        const open = await banner();
        check(open.words <= 1 && open.bottom <= open.below && open.box <= 0, `the open banner: ${JSON.stringify(open)}`);
        await shot(page, 'failed_phone');
    }, phone);
});

test('names keep clear of the buttons, the axes and the scale, on phones and beside them', async (browser) => {
    for (const width of [390, 500, 760, 1200])
        await withPage(browser, 'stroke_engine.html', async (page) => {
            for (const fraction of [0, 0.3, 0.7]) {
                await goTo(page, fraction);
                const { names, parts } = await ask(page, () => {
                    const { left, top } = document.querySelector('.canvas').getBoundingClientRect();
                    const boxes = [...document.querySelectorAll('.toolbar > *, .triad, .scale-bar')].map((part) => part.getBoundingClientRect());
                    return { names: window.holonom.labels(), parts: boxes.map((box) => ({ left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top })) };
                });
                check(names.length >= 4, `${names.length} names`);
                for (const name of names)
                    for (const part of parts)
                        check(name.right <= part.left || name.left >= part.right || name.bottom <= part.top || name.top >= part.bottom, `'${name.words}' lies under a part of the page at ${width} px: ${JSON.stringify([name, part])}`);
            }
            if (width === 390) await shot(page, 'names_phone');
        }, { viewport: { width, height: 844 } });
});

test('arrows: values say whose they are and have the colour of their arrow and the units of the result', async (browser) => {
    await withPage(browser, 'stroke_engine.html', async (page) => {
        await page.click('summary:has-text("Show")');
        await page.click('[data-option=reactions]');
        await goTo(page, 0.37);
        const labels = await page.$$eval('.label.value', (list) => list.filter((label) => !label.hidden).map((label) => ({ words: label.textContent, color: getComputedStyle(label).color, moment: label.classList.contains('moment') })));
        const arrows = await ask(page, () => window.holonom.arrows());
        const moments = labels.filter((label) => label.moment);
        check(moments.length > 0 && moments.length < labels.length, JSON.stringify(labels));
        for (const { words, moment, color } of labels) {
            const [, name, value, unit] = words.match(/^(\S+) (\S+) (\S+)$/) ?? [];
            const arrow = arrows.find((a) => a.name === name && a.turns === moment);
            check(arrow && unit === (moment ? 'N·mm' : 'N'), words);
            // lengths are in millimetres: moments are 1000 times as many N·mm
            near(read(value) / (arrow.value * (moment ? 1000 : 1)), 1, 1e-3, words);
            check(color === (moment ? 'rgb(116, 68, 196)' : 'rgb(184, 44, 68)'), `${words} is ${color}`);
        }
        const scale = await ask(page, () => ({ ...window.holonom.scale(), words: document.querySelector('.scale-bar span').textContent }));
        const [a, b] = await ask(page, () => [[0, 0, 0], [0, 0, 0.001]].map((point) => window.holonom.at(point)));
        check(scale.unit === 'mm' && scale.words === `${scale.length} mm`, JSON.stringify(scale));
        // the bar is that of the middle of the drawing, seen from the front: within a third of what stands near
        const upright = Math.hypot(a.x - b.x, a.y - b.y) * scale.length;
        check(upright > 0.66 * scale.pixels && upright < 1.5 * scale.pixels, `${scale.length} mm are ${upright} pixels, the bar has ${scale.pixels}`);
        await page.mouse.click(5, 5);
        await shot(page, 'arrows_mm');
    }, wide);
});

test('curves are drawn where their points are, not at whole pixels', async (browser) => {
    writeFileSync(`${work}/slow.yaml`, 'holonom: 1\nspace: planar\nbodies: {disc: {mass: 1, inertia: 1, velocity: [1, 0]}}\nmeasures: {x: {type: position, body: disc, component: x}, top: {type: expression, value: 40*sin(2*t)}}\nsimulation: {end: 1, output: 1e-3}\n');
    holonom('run', 'slow.yaml', '-o', 'slow.h5', '-q');
    holonom('report', 'slow.h5');
    await withPage(browser, 'slow.html', async (page) => {
        // near its top, at t = 0.785, the second curve is flat: whole pixels would leave long level pieces, with few kinds of columns of pixels
        const kinds = await ask(page, () => {
            const canvas = document.querySelectorAll('.chart canvas')[1];
            const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const seen = new Set();
            for (let x = Math.round(0.7 * width); x < Math.round(0.9 * width); x++) {
                const shades = [];
                for (let y = 0; y < height; y++) {
                    const at = 4 * (y * width + x);
                    // the blue of the curve, over nothing or over the grid
                    if (data[at + 3] > 20 && data[at + 2] > data[at] + 60) shades.push(`${y}:${data[at]}:${data[at + 3]}`);
                }
                seen.add(shades.join());
            }
            return seen.size;
        });
        check(kinds > 27, `${kinds} kinds of columns`);
    });
});
