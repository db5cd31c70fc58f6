// drawing.mjs: what is drawn and how it is read: sizes of springs and arrows, values, words that keep apart, axes, scale, views,
// picking, plots of what was asked for.

import { readFileSync, writeFileSync } from 'node:fs';
import { ask, check, columns, goTo, holonom, inkAround, near, screenshots, settle, source, test, withPage, work } from './harness.mjs';

// A slider-crank driven fast: its reactions have peaks; seven reactions are measured.
writeFileSync(`${work}/engine.yaml`, `holonom: 1
name: engine
space: planar
gravity: [0, -9.81]
parameters: {r: 40 mm, L: 140 mm}
points: {O: [0, 0], A: [0, r], P: [0, r + L]}
bodies:
  crank: {mass: 3, inertia: 0.02, along: [O, A], com: [0, 0], omega: 314}
  rod: {mass: 0.6, inertia: 0.0012, along: [A, P], com: [L/3, 0]}
  piston: {mass: 0.5, inertia: 0.0004, position: P}
joints:
  main: {type: revolute, bodies: [ground, crank], at: O}
  pin: {type: revolute, bodies: [crank, rod], at: A}
  gudgeon: {type: revolute, bodies: [rod, piston], at: P}
  bore: {type: prismatic, bodies: [ground, piston], at: P, axis: [0, 1]}
measures:
  crank_angle: {type: joint_coordinate, joint: main}
  main: {type: reaction, joint: main}
  pin: {type: reaction, joint: pin}
  gudgeon: {type: reaction, joint: gudgeon}
  bore: {type: reaction, joint: bore}
simulation: {end: 0.04, tolerance: 1e-7, output: 0.0002}
`);

// A body on a spring and a ball joint, in space, with a road that shakes it.
writeFileSync(`${work}/strut.yaml`, `holonom: 1
name: strut
space: spatial
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 20, inertia: [0.1, 1, 1], along: [[0, 0, 0.35], [0.8, 0, 0.35]]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0.35], axis: [0, 1, 0]}
forces:
  spring: {type: spring, bodies: [ground, arm], from: [0.5, 0, 0.95], to: [0.5, 0, 0.35], stiffness: 4000, damping: 60, free_length: 0.63}
  tyre: {type: tyre, body: arm, center: [0.8, 0, 0.35], radius: 0.31, stiffness: 4e4, damping: 80, road: 0.04*sin(6*t)}
measures:
  hinge: {type: reaction, joint: hinge}
simulation: {end: 1, tolerance: 1e-7}
`);

const tick = (page, option) => page.$eval(`[data-option=${option}]`, (box) => box.click());
const pageOf = (name) => {
    holonom('run', `${name}.yaml`, '-o', `${name}.h5`, '-q');
    holonom('report', `${name}.h5`);
    return `${name}.html`;
};

test('axes of bodies: shown on demand, along the frames that the data has', async (browser) => {
    writeFileSync(`${work}/axes.yaml`, `holonom: 1
space: planar
bodies:
  rod: {mass: 1, inertia: 0.1, along: [[0, 0], [0.6, 0.8]]}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
`);
    holonom('view', 'axes.yaml');
    await withPage(browser, 'axes.html', async (page) => {
        check((await ask(page, () => window.holonom.frames())).every((frame) => frame === false), 'axes are shown without being asked for');
        await page.click('details.menu summary');
        await page.check('[data-option="axes"]');
        await settle(page);
        const [[x, y]] = await ask(page, () => window.holonom.frames());
        const { pixel } = await ask(page, () => window.holonom.body(0));
        const origin = await ask(page, () => window.holonom.at([0, 0, 0]));
        check(pixel.x !== undefined, 'no body');
        near((x.y - origin.y) / (x.x - origin.x), -0.8 / 0.6, 1e-3, 'slope of x');
        near((y.y - origin.y) / (y.x - origin.x), 0.6 / 0.8, 1e-3, 'slope of y');
        check(await inkAround(page, (y.x + origin.x) / 2, (y.y + origin.y) / 2, 4) > 0.2, 'no line where y should be');
    });
});

test('arrows: they stay in sight at every peak, carry their values, and words do not overlap', async (browser) => {
    await withPage(browser, pageOf('engine'), async (page) => {
        await page.click('summary:has-text("Show")');
        await tick(page, 'reactions');
        await page.mouse.click(5, 5);
        const box = await page.$eval('.canvas', (c) => ({ width: c.clientWidth, height: c.clientHeight }));
        let values = 0;
        for (const fraction of [0, 0.13, 0.26, 0.5, 0.77, 1]) {
            await goTo(page, fraction);
            const { arrows, labels, size } = await ask(page, () => ({ arrows: window.holonom.arrows(), labels: window.holonom.labels(), size: window.holonom.results[0].size }));
            for (const arrow of arrows) {
                check(arrow.length <= 0.22 * size, `the arrow of ${arrow.name} is ${arrow.length / size} of the mechanism`);
                check(arrow.end.x > -0.1 * box.width && arrow.end.x < 1.1 * box.width && arrow.end.y > -0.1 * box.height && arrow.end.y < 1.1 * box.height, `the arrow of ${arrow.name} leaves the view`);
            }
            values += labels.filter(({ words }) => / N(·m)?$/.test(words)).length;
            labels.forEach((a, i) => labels.slice(0, i).forEach((b) =>
                check(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, `“${a.words}” lies over “${b.words}” at ${fraction}`)));
        }
        check(values > 6, `${values} values at arrows`);
        // the value is the length of the vector in the data
        const [arrow] = await ask(page, () => window.holonom.arrows().filter((a) => a.set === 'reactions' && a.name === 'main'));
        const reaction = await ask(page, () => window.holonom.plots().flatMap((plot) => plot.curves).filter((c) => /^main\.f[xy]$/.test(c.label)).map((c) => c.value));
        near(arrow.value, Math.hypot(...reaction), 1e-5 * arrow.value, 'the value at the arrow of main');
    });
});

test('plots: every reaction that was asked for is among the first ones', async (browser) => {
    await withPage(browser, 'engine.html', async (page) => {
        const plots = await ask(page, () => window.holonom.plots().map((plot) => plot.columns));
        const shown = new Set(plots.flat());
        for (const joint of ['main', 'pin', 'gudgeon', 'bore']) for (const part of ['fx', 'fy', 'mz']) check(shown.has(`${joint}.${part}`), `${joint}.${part} is in no plot: ${JSON.stringify(plots)}`);
        for (const list of plots) check(list.length <= 6, `${list.length} curves in one plot`);
    });
});

test('legends show the dashes of the lines', async (browser) => {
    holonom('run', 'engine.yaml', '-o', 'engine2.h5', '-q', '--end', '0.03');
    holonom('report', 'engine.h5', 'engine2.h5', '-o', 'two_engines.html');
    await withPage(browser, 'two_engines.html', async (page) => {
        const styles = await page.$$eval('.chart >> nth=1 >> .swatch line', (lines) => lines.map((line) => `${line.getAttribute('stroke')} ${line.getAttribute('stroke-dasharray')}`));
        check(styles.length >= 4 && new Set(styles).size === styles.length, `two curves look alike in the legend: ${styles}`);
    });
});

test('space: a coil keeps its wire, the wheel stands on its road; axes, scale and standard views', async (browser) => {
    await withPage(browser, pageOf('strut'), async (page) => {
        const { springs, shapes } = await ask(page, () => ({ springs: window.holonom.springs(), shapes: window.holonom.results[0].shapes[0] }));
        const [low, high] = springs.find((s) => s.name === 'spring').box;
        // along y the coil is as long as the spring (0.6 m) and its wire no more; across it is slender
        near(high[1] - low[1], 0.6, 0.02, 'the length of the coil');
        check(high[0] - low[0] > 0.02 && high[0] - low[0] < 0.15, `the coil is ${high[0] - low[0]} m wide`);
        check(shapes.includes('rod') && shapes.filter((kind) => kind === 'torus').length === 2, `the arm and its wheel are ${shapes}`);
        const axes = () => ask(page, () => window.holonom.axes());
        const is = (list, wanted, words) => wanted.forEach(([x, y], k) => {
            near(list[k][0], x, 0.002, `${words}: x of axis ${k}`);
            near(list[k][1], y, 0.002, `${words}: y of axis ${k}`);
        });
        await page.click('[data-look=front]');
        await settle(page);
        is(await axes(), [[1, 0], [0, 0], [0, 1]], 'front');
        // the scale: the arm is 0.8 m long, seen across at the middle of the drawing
        const seen = await ask(page, () => ({ scale: window.holonom.scale(), hinge: window.holonom.joint(0).pixel, middle: window.holonom.body(0).pixel }));
        const metre = Math.hypot(seen.hinge.x - seen.middle.x, seen.hinge.y - seen.middle.y) / 0.4;
        check(seen.scale.pixels >= 60 && seen.scale.pixels <= 160, `the scale is ${seen.scale.pixels} pixels long`);
        near(seen.scale.pixels / seen.scale.length / metre, 1, 0.12, 'the scale');
        await page.keyboard.press('2');
        await settle(page);
        is(await axes(), [[0, 0], [1, 0], [0, 1]], 'side');
        await page.keyboard.press('3');
        await settle(page);
        is(await axes(), [[1, 0], [0, 1], [0, 0]], 'top');
        await page.click('[data-look=iso]');
        await settle(page);
        const iso = await axes();
        iso.forEach(([x, y], k) => near(Math.hypot(x, y), Math.sqrt(2 / 3), 0.002, `iso: axis ${k}`));
        // several positions at once, in space
        await page.$eval('[data-option=strobe]', (input) => {
            input.value = '5';
            input.dispatchEvent(new Event('input', { bubbles: true }));
        });
        await goTo(page, 0.5);
        const poses = await ask(page, () => window.holonom.strobe());
        check(poses.length === 5 && poses.every((pose, k) => k === 0 || pose.strength < poses[k - 1].strength), JSON.stringify(poses));
        check(Math.max(...poses.map((pose) => pose.pixels[0].y)) - Math.min(...poses.map((pose) => pose.pixels[0].y)) > 2, 'the poses differ');
    });
});

test('a click on a body, a joint or a spring shows its values, which follow the time', async (browser) => {
    await withPage(browser, 'strut.html', async (page) => {
        const box = await (await page.$('.canvas')).boundingBox();
        const click = async ({ x, y }) => {
            await page.mouse.click(box.x + x, box.y + y);
            await settle(page);
            return ask(page, () => window.holonom.picked());
        };
        const body = await click(await ask(page, () => window.holonom.body(0).pixel));
        check(body?.kind === 'body' && body.words.includes('arm') && body.words.includes('20 kg'), JSON.stringify(body));
        const joint = await click(await ask(page, () => window.holonom.joint(0).pixel));
        check(joint?.kind === 'joint' && joint.words.includes('hinge') && joint.words.includes('|F| = '), JSON.stringify(joint));
        await goTo(page, 0.6);
        const later = await ask(page, () => window.holonom.picked());
        check(later.words !== joint.words && later.words.includes('hinge'), 'the values follow the time');
        await goTo(page, 0);
        // half-way between the ends of the spring
        const [a, b] = await ask(page, () => [window.holonom.at([0.5, 0, 0.95]), window.holonom.at([0.5, 0, 0.35])]);
        const spring = await click({ x: a.x + 0.35 * (b.x - a.x), y: a.y + 0.35 * (b.y - a.y) });
        check(spring?.kind === 'force' && spring.words.includes('length') && /0\.6 m/.test(spring.words), JSON.stringify(spring));
        await page.keyboard.press('Escape');
        await settle(page);
        check((await ask(page, () => window.holonom.picked())) === null, 'Escape closes the card');
    });
});

// A slewing crane: its tower and its boom stand at the edge of the motion, its joints carry large moments, and it stops at once.
writeFileSync(`${work}/crane.yaml`, `holonom: 1
name: slewing crane
space: spatial
gravity: [0, 0, -9.81]
bodies:
  tower: {mass: 900, inertia: [2000, 2000, 300], along: [[0, 0, 0], [0, 0, 6]]}
  boom: {mass: 400, inertia: [20, 1900, 1900], along: [[0, 0, 6], [7, 0, 7.2]]}
  load: {mass: 1500, inertia: [300, 300, 300], position: [7, 0, 4.2], draw: {type: box, size: [1, 1, 0.8]}}
joints:
  slew: {type: revolute, bodies: [ground, tower], at: [0, 0, 0], axis: [0, 0, 1]}
  luff: {type: revolute, bodies: [tower, boom], at: [0, 0, 6], axis: [0, 1, 0]}
  hook: {type: spherical, bodies: [boom, load], at: [7, 0, 7.2]}
  turn: {type: motor, joint: slew, angle: "step(t, 0, 0, 2, 1.2)"}
  hold: {type: motor, joint: luff, angle: "-0.15*step(t, 0.5, 0, 2, 1)"}
forces:
  wind: {type: force, body: load, force: [0, 900*sin(2*t), 0]}
measures:
  slew: {type: reaction, joint: slew}
  luff: {type: reaction, joint: luff}
  hook: {type: reaction, joint: hook}
  torque: {type: load, joint: turn, quantity: load}
simulation: {end: 4, tolerance: 1e-6}
`);

test('arrows and rings of a crane are whole in view at every time; its reactions are among the plots', async (browser) => {
    await withPage(browser, pageOf('crane'), async (page) => {
        const plots = (await ask(page, () => window.holonom.plots().map((plot) => plot.columns))).flat();
        for (const name of ['slew', 'luff', 'hook'].flatMap((joint) => ['fx', 'fy', 'fz', 'mx', 'my', 'mz'].map((part) => `${joint}.${part}`)).concat('torque'))
            if (!/^hook\.m/.test(name)) check(plots.includes(name), `${name} is in no plot: ${plots}`);
        await tick(page, 'reactions');
        await tick(page, 'forces');
        const box = await page.$eval('.canvas', (c) => ({ width: c.clientWidth, height: c.clientHeight }));
        let rings = 0;
        for (const fraction of [0, 0.12, 0.3, 0.44, 0.61, 0.83, 1]) {
            await goTo(page, fraction);
            const { arrows, size } = await ask(page, () => ({ arrows: window.holonom.arrows(), size: window.holonom.results[0].size }));
            check(arrows.length >= 3, `${arrows.length} arrows at ${fraction}`);
            for (const arrow of arrows) {
                check(arrow.end.x > 0 && arrow.end.x < box.width && arrow.end.y > 0 && arrow.end.y < box.height, `the arrow of ${arrow.name} leaves the view at ${fraction}: ${JSON.stringify(arrow.end)}`);
                check(arrow.length <= (arrow.turns ? 0.05 : 0.22) * size, `${arrow.name}: ${arrow.length / size} of the mechanism`);
                rings += arrow.turns ? 1 : 0;
            }
        }
        check(rings > 6, `${rings} moments`);
    });
});

writeFileSync(`${work}/skid.yaml`, `holonom: 1
name: a disc that skids and rolls
space: planar
gravity: [0, -9.81]
bodies:
  disc: {mass: 2.3, inertia: 0.012, position: [0.2, 0.1], velocity: [1.4, 0], draw: {type: sphere, radius: 0.1}}
forces:
  touch: {type: contact_plane, bodies: [ground, disc], plane: [0, 0], normal: [0, 1], point: [0.2, 0.1], radius: 0.1, stiffness: 1e6, exponent: 1, dissipation: linear, damping: 2e3, friction: 0.3, slip_speed: 0.02}
measures:
  place: {type: load, force: touch, quantity: place}
simulation: {end: 1, tolerance: 1e-6, output: 0.02}
`);

test('the force of a contact is drawn where it acts, and its moment about that place is none', async (browser) => {
    await withPage(browser, pageOf('skid'), async (page) => {
        await tick(page, 'forces');
        for (const fraction of [0.3, 0.7, 1]) {
            await goTo(page, fraction);
            const { arrows, time, csv } = await ask(page, () => ({ arrows: window.holonom.arrows(), time: window.holonom.time, csv: window.holonom.csv(0) }));
            const [names, ...rows] = csv.trim().split('\n').map((line) => line.split(','));
            const column = (name) => names.findIndex((head) => head.replace(/^"|"$/g, '').startsWith(name));
            const row = rows.reduce((best, cells) => (Math.abs(Number(cells[0]) - time) < Math.abs(Number(best[0]) - time) ? cells : best));
            const [arrow] = arrows.filter((a) => a.name === 'touch' && !a.turns);
            check(arrow, `no arrow at ${fraction}`);
            check(!arrows.some((a) => a.turns), 'a moment is drawn');
            check(Math.abs(arrow.point[0] - Number(row[column('place.x')])) < 0.03, `the arrow is at ${arrow.point}, the contact at ${row}`);
            check(Math.abs(arrow.point[1]) < 0.005, `the arrow is at ${arrow.point}, above the floor`);
        }
    });
});

test('words keep clear of the drawing where there is room; cams, cylinders and tracks are drawn', async (browser) => {
    const machine = (name) => `${source}/examples/machines/${name}.yaml`;
    for (const [name, file] of [['wishbone', machine('wishbone')], ['governor', `${source}/models/a05_flyball_governor.yaml`], ['lift', machine('scissor_lift')], ['cam', `${source}/models/elements/cam.yaml`]]) {
        holonom('view', file, '-o', `${name}.html`, '-q');
        await withPage(browser, `${name}.html`, async (page) => {
            const { labels, results, springs } = await ask(page, () => ({ labels: window.holonom.labels(), results: window.holonom.results, springs: window.holonom.springs() }));
            // all names are there, apart from each other; hardly any of their area lies over bodies, and of most none
            const names = labels.map(({ words }) => words);
            for (const body of results[0].bodies) check(names.includes(body), `${name}: ${body} has no name among ${names}`);
            labels.forEach((a, i) => labels.slice(0, i).forEach((b) =>
                check(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, `${name}: “${a.words}” lies over “${b.words}”`)));
            const covered = labels.filter(({ covers }) => covers > 0.34).map(({ words }) => words);
            check(covered.length <= (name === 'cam' ? 2 : 1), `${name}: ${covered} lie on the drawing`);
            if (name === 'lift') check(springs.some((part) => part.name === 'cylinder'), 'the cylinder is drawn');
            if (name === 'cam') {
                // inside the edge, 85 mm from the middle, everything is painted; outside the edge and beside the followers nothing
                const at = (x, y) => page.evaluate(([px, py]) => window.holonom.at([px, py, 0]), [x, y]);
                const inside = await at(-0.06, -0.06);
                const outside = await at(-0.09, -0.07);
                check((await inkAround(page, inside.x, inside.y, 4)) === 1, 'the cam is filled');
                check((await inkAround(page, outside.x, outside.y, 3)) === 0, 'it ends at its edge');
            }
        });
    }
});

test('the title is whole on a phone; the last mark of an axis is whole', async (browser) => {
    writeFileSync(`${work}/named.yaml`, readFileSync(`${work}/engine.yaml`, 'utf8').replace('name: engine', 'name: a single-cylinder four-stroke engine with a long name'));
    await withPage(browser, pageOf('named'), async (page) => {
        const title = await page.$eval('h1', (h) => ({ shown: h.clientWidth, needed: h.scrollWidth, words: h.textContent, height: h.clientHeight, line: parseFloat(getComputedStyle(h).fontSize) }));
        check(title.needed <= title.shown + 1, `the title needs ${title.needed} pixels and has ${title.shown}`);
    }, { viewport: { width: 390, height: 800 } });
    await withPage(browser, 'engine.html', async (page) => {
        // the column of pixels at the right edge of the chart is free of ink over the whole height of the marks
        const ink = await page.$eval('.chart canvas', (canvas) => {
            const pen = canvas.getContext('2d');
            const { data } = pen.getImageData(canvas.width - 2, 0, 2, canvas.height);
            let marks = 0;
            for (let i = 3; i < data.length; i += 4) marks += data[i] > 0 ? 1 : 0;
            return marks;
        });
        check(ink === 0, `${ink} pixels at the right edge of the chart are inked: a mark is cut`);
    });
});

test('phone: what a plot stands against is said, and can be chosen', async (browser) => {
    await withPage(browser, 'engine.html', async (page) => {
        const label = page.locator('.chart-head > label').first();
        check(await label.isVisible() && (await label.innerText()).trim().startsWith('vs'), 'there is a “vs”');
        check((await label.evaluate((e) => parseFloat(getComputedStyle(e).fontSize))) >= 10, 'and it can be read');
        check((await ask(page, () => document.documentElement.scrollWidth <= innerWidth)), 'nothing sticks out');
        await page.selectOption('.chart >> nth=1 >> select', 'crank_angle');
        check((await ask(page, () => window.holonom.plots()[1].against)) === 'crank_angle', 'it can be changed');
    }, { viewport: { width: 390, height: 800 }, hasTouch: true });
});

// ---- rails ----

// A car on a vertical rail that is named 2.5 m above it, with an arm and a spring beside the rail.
const car = `holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  car: {mass: 350, inertia: [60, 60, 60], position: [0, 0, 0.5]}
  arm: {mass: 4, inertia: [0.08, 0.05, 0.1], along: [[0, 0.35, 0.2], [0, 0.7, 0.2]]}
joints:
  rails: {type: prismatic, bodies: [ground, car], at: [0, 0, 3], axis: [0, 0, 1]}
  hinge: {type: revolute, bodies: [car, arm], at: [0, 0.35, 0.2], axis: [1, 0, 0]}
  swing: {type: motor, joint: hinge, speed: 9}
forces:
  s: {type: spring, bodies: [car, arm], from: [0, 0.35, 0.6], to: [0, 0.6, 0.2], stiffness: 1e4, damping: 100}
measures:
  R: {type: reaction, joint: rails}
  height: {type: position, body: car, component: z}
simulation: {end: 0.3, output: 0.01}
`;

test('a block on a rail stands at its body, is held to it, has its name and its force there', async (browser) => {
    writeFileSync(`${work}/car.yaml`, car);
    holonom('run', 'car.yaml', '-o', 'car.h5', '-q');
    holonom('report', 'car.h5');
    const names = ['R.fx', 'R.fy', 'R.fz', 'R.mx', 'R.my', 'R.mz'];
    const table = columns('car.h5', 'height', ...names);
    const row = 17;
    await withPage(browser, 'car.html', async (page) => {
        await page.click('summary:has-text("Show")');
        await page.click('[data-option=reactions]');
        await goTo(page, table.time[row] / table.time.at(-1));
        const seen = await ask(page, () => ({ rails: window.holonom.joint(0), arrows: window.holonom.arrows(), labels: window.holonom.labels() }));
        [0, 0, table.height[row]].forEach((x, k) => near(seen.rails.point[k], x, 1e-6, `coordinate ${k} of the block`));
        const label = seen.labels.find(({ words }) => words === 'rails');
        const away = Math.hypot((label.left + label.right) / 2 - seen.rails.pixel.x, (label.top + label.bottom) / 2 - seen.rails.pixel.y);
        check(away < 100, `the name is ${away} pixels away`);
        // the moment about the block: that about the point of the joint, and the force at an arm of 3 m - height
        const [fx, fy, , mx, my, mz] = names.map((name) => table[name][row]);
        const arm = 3 - table.height[row];
        const moment = Math.hypot(mx - arm * fy, my + arm * fx, mz);
        near(seen.arrows.find(({ name, turns }) => name === 'rails' && turns).value, moment, 1e-5 * moment, 'the moment at the block');
        // a bar leads from the block to the hinge
        await page.click('[data-option=reactions]');
        await page.click('[data-option=names]');
        await page.mouse.click(5, 5);
        await settle(page);
        const [from, to] = await ask(page, () => [0, 1].map((i) => window.holonom.joint(i).pixel));
        for (const share of [0.35, 0.5, 0.65]) {
            const [x, y] = ['x', 'y'].map((axis) => from[axis] + share * (to[axis] - from[axis]));
            check((await inkAround(page, x, y, 4)) > 0.2, `nothing is drawn between the block and the hinge, at ${share}`);
        }
        await page.screenshot({ path: `${screenshots}/rails.png` });
    });
});

test('pictures: the trail of a point goes where the point goes, strong up to the time', () => {
    holonom('run', 'car.yaml', '-o', 'car.h5', '-q');
    holonom('view', 'car.h5', '--at', '0.15', '-o', 'plain.svg');
    holonom('view', 'car.h5', '--at', '0.15', '--trails', '-o', 'trails.svg');
    const lines = (file, width) => [...readFileSync(`${work}/${file}`, 'utf8').matchAll(new RegExp(`stroke-width="${width}" stroke-opacity="[.0-9]+" points="([^"]*)"`, 'g'))].map(([, points]) => points.split(' ').map((p) => p.split(',').map(Number)));
    check(lines('plain.svg', '2.20').length === 0, 'no trail unless it is asked for');
    const [whole] = lines('trails.svg', '1.20');
    const [past] = lines('trails.svg', '2.20');
    // 31 records over 0.3 s: the arm, which nothing holds to ground, has gone half of its way
    check(whole.length === 31 && past.length === 16, `${whole.length} and ${past.length} points`);
    past.forEach(([x, y], i) => check(x === whole[i][0] && y === whole[i][1], 'the way so far is part of the whole'));
    check(Math.max(...whole.map(([, y]) => y)) - Math.min(...whole.map(([, y]) => y)) > 20, 'the point moves');
});

test('pictures: names keep off the feet of ground, and a ring is one ring', () => {
    writeFileSync(`${work}/ring.yaml`, `holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies: {wheel: {mass: 10, inertia: [1, 2, 1], position: [0, 0, 0.3], draw: {type: torus, radius: 0.3, tube: 0.08}}}
joints: {axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0.3], axis: [0, 1, 0]}}
simulation: {end: 1}
`);
    holonom('view', 'ring.yaml', '-o', 'ring.svg');
    const svg = readFileSync(`${work}/ring.svg`, 'utf8');
    // a chain of bars had two wide lines a piece, a surface has shaded faces that are no wider than their edges
    const wide = [...svg.matchAll(/stroke-width="([\d.]+)"/g)].filter(([, width]) => Number(width) > 20);
    check(wide.length === 0, `${wide.length} wide lines`);
    check((svg.match(/<polygon/g) || []).length > 200, 'faces of the tube');
    writeFileSync(`${work}/foot.yaml`, `holonom: 1
space: planar
gravity: [0, -9.81]
bodies: {crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0.001, -0.05]]}, bar: {mass: 1, inertia: 0.1, along: [[0, 0.3], [0.4, 0.3]]}}
joints: {O: {type: revolute, bodies: [ground, crank], at: [0, 0]}, P: {type: revolute, bodies: [ground, bar], at: [0, 0.3]}}
simulation: {end: 1}
`);
    holonom('view', 'foot.yaml', '--names', '-o', 'foot.svg');
    const drawn = readFileSync(`${work}/foot.svg`, 'utf8');
    const [, x, y] = drawn.match(/<text [^>]*x="([\d.]+)" y="([\d.]+)"[^>]*>crank</).map(Number);
    // the foot of O: the triangle is the polygon with three corners that lies lower
    const feet = [...drawn.matchAll(/<polygon fill="#ffffff" points="([^"]*)"/g)].map(([, points]) => points.split(' ').map((p) => p.split(',').map(Number))).filter((points) => points.length === 3);
    const low = feet.reduce((a, b) => (a[1][1] > b[1][1] ? a : b));
    const box = { left: low[2][0], right: low[1][0], top: low[0][1], bottom: low[1][1] };
    const clear = x > box.right || x + 35 < box.left || y - 12 > box.bottom || y < box.top;
    check(feet.length === 2 && clear, `'crank' at ${x}, ${y} is struck by the foot ${JSON.stringify(box)}`);
});
