// study.mjs: pages of studies in a browser: what they say is what the answer holds, brushing picks the same cases everywhere, the table
// sorts and its CSV holds what the program wrote, odd studies (one factor, no case that ended, thirty factors, words) are shown.

import { readFileSync, writeFileSync } from 'node:fs';
import { ask, check, holonom, holonomFails, near, runAll, screenshots, settle, source, test, withPage, work } from './harness.mjs';

const write = (name, text) => writeFileSync(`${work}/${name}`, text);
const study = (name, ...more) => holonom('study', `${name}.yaml`, '-q', '-o', `${name}.html`, '-o', `${name}.json`, '-o', `${name}.csv`, ...more);
const answer = (name) => JSON.parse(readFileSync(`${work}/${name}.json`, 'utf8'));
const shot = (page, name) => page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });

// A rectangle over a canvas in shares of it.
async function drag(page, selector, from, to) {
    await page.$eval(selector, (canvas) => canvas.scrollIntoView({ block: 'center' }));
    await settle(page);
    const box = await (await page.$(selector)).boundingBox();
    const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
    await page.mouse.move(...at(to));
    await page.mouse.up();
    await settle(page);
}

write('pair.yaml', `title: "Fish & <chips>"
factors: {a: {from: -1 m, to: 2 m}, b: {from: 0, to: 1}}
design: sobol
cases: 512
responses: {s: "a^2 + 0.3*b", t: "a*b"}
accept: {low: "s < 2.3"}
`);

test('a page of a study says what its answer holds', async (browser) => {
    study('pair');
    const data = answer('pair').answer ?? answer('pair');
    await withPage(browser, 'pair.html', async (page) => {
        check(await page.title() === 'Fish & <chips> – Holonom', await page.title());
        const says = await page.$eval('.says', (list) => list.textContent);
        const share = data.tables.yield.values[0][0];
        check(says.includes(`${Number((100 * share).toPrecision(3))} %`), `${says}: not ${100 * share}`);
        const held = await ask(page, () => ({ factors: window.holonom.factors, responses: window.holonom.responses, rows: window.holonom.rows }));
        check(held.rows === 512 && held.responses.join() === 's,t' && held.factors[0].unit === 'm', JSON.stringify(held));
        const [row] = data.tables.surfaces_s.values;
        const words = await page.$eval('#surface .note', (note) => note.textContent);
        check(words.includes(`degree ${row[3]}`) && words.includes(`${Number((100 * row[6]).toPrecision(3))} %`), `${words}: ${row}`);
        // the other response
        await page.click('.bar .chips button:nth-child(2)');
        await settle(page);
        check((await page.$eval('#histogram h2', (head) => head.textContent)) === 'Distribution of t', 'the response was not changed');
        await shot(page, 'study');
    });
});

test('cases that are picked in one chart are picked everywhere', async (browser) => {
    await withPage(browser, 'pair.html', async (page) => {
        await drag(page, '.matrix figure:nth-of-type(1) canvas', [0.5, 0], [1, 1]);
        const picked = await ask(page, () => window.holonom.picked);
        const values = answer('pair').tables.cases.values;
        // the right half of the chart: a above the middle of its range, whose ends are a twentieth wider on both sides
        const list = values.map((row) => row[1]);
        const middle = (Math.min(...list) + Math.max(...list)) / 2;
        const wanted = list.filter((a) => a > middle).length;
        check(Math.abs(picked - wanted) <= 0.02 * values.length, `${picked} are picked, of ${wanted}`);
        await page.click('#cases label input');
        await settle(page);
        const csv = await ask(page, () => window.holonom.csv());
        check(csv.trim().split('\n').length === picked + 1, 'the CSV holds other cases');
        await page.click('.bar button:has-text("Let go")');
        await settle(page);
        check((await ask(page, () => window.holonom.picked)) === null, 'cases are still picked');
        await page.click('.bar button:has-text("rejected")');
        await settle(page);
        const rejected = values.filter((row) => !(row[5] > 0)).length;
        check((await ask(page, () => window.holonom.picked)) === rejected, `of ${rejected} rejected cases ${await ask(page, () => window.holonom.picked)} are picked`);
    });
});

test('the table sorts, shows what is in sight, and its CSV is that of the program', async (browser) => {
    await withPage(browser, 'pair.html', async (page) => {
        const csv = await ask(page, () => window.holonom.csv());
        const lines = csv.trim().split('\n').map((line) => line.split(','));
        const [head, ...wanted] = readFileSync(`${work}/pair.cases.csv`, 'utf8').trim().split('\n').map((line) => line.split(','));
        check(lines[0].join() === head.join(), `${lines[0]} is not ${head}`);
        wanted.forEach((row, i) => row.forEach((x, k) => check(Number(x) === Number(lines[i + 1][k]), `row ${i}: ${lines[i + 1]} is not ${row}`)));
        check((await ask(page, () => window.holonom.shown)) < 100, 'all rows are in the page');
        const { values } = answer('pair').tables.cases;
        const least = values.reduce((best, row) => (row[3] < best[3] ? row : best));
        const most = values.reduce((best, row) => (row[3] > best[3] ? row : best));
        await page.click('#cases thead th:nth-child(4) button');
        await settle(page);
        check((await ask(page, () => window.holonom.first)) === least[0], 'the least is not first');
        await page.click('#cases thead th:nth-child(4) button');
        await settle(page);
        check((await ask(page, () => window.holonom.first)) === most[0], 'the largest is not first');
        check((await page.$$eval('#cases thead th', (heads) => heads.map((head) => head.getAttribute('aria-sort')).join())) === 'none,none,none,descending,none,none', 'the heading does not say so');
    });
});

test('failed cases, words, commands that replay a case', async (browser) => {
    write('closes.yaml', `model: ${source}/models/four_bar.yaml
set: {tolerance: 1e-4, end: 0.2}
factors: {L1: {from: 0.5, to: 5}, L2: {from: 1, to: 6}, L3: {from: 2, to: 6}, method: {words: [lagrange, nullspace]}}
design: sobol
cases: 128
responses: {back: min crank_angle}
`);
    study('closes');
    await withPage(browser, 'closes.html', async (page) => {
        const { failures } = answer('closes').tables;
        check(failures.values[0][0] > 0, 'no case failed');
        const text = await page.$eval('#failures', (card) => card.textContent);
        check(text.includes(failures.rows[0]), `${text} does not say ${failures.rows[0]}`);
        check((await ask(page, () => window.holonom.factors[3].words.join())) === 'lagrange,nullspace', 'words are lost');
        const command = await page.$eval('#failures code', (code) => code.textContent);
        check(command.startsWith(`holonom study closes.yaml --case ${failures.values[0][1]} `), command);
        const { status } = holonomFails('study', 'closes.yaml', '--case', String(failures.values[0][1]), '-q');
        check(status !== 0, 'the case that failed runs by itself');
        // the command of a case that ended is taken as it stands
        const [run, report] = (await ask(page, () => window.holonom.replay(3))).split(' && ').map((part) => part.split(' ').slice(1));
        holonom(...run, '-q');
        holonom(...report, '-o', 'case.html');
        check(readFileSync(`${work}/case.html`).length > 100000, 'no report of the case');
    });
});

test('odd studies are shown: one factor, none that ended, constant and missing values, thirty factors', async (browser) => {
    const factors = Array.from({ length: 30 }, (_, i) => `x${i}: {from: 0, to: ${i + 1}}`).join(', ');
    write('one.yaml', 'factors: {a: {from: 1, to: 2}}\ndesign: sobol\ncases: 32\nresponses: {s: "sqrt(a - 1.3)", c: "2 + 0*a", none: "sqrt(-a)"}\naccept: {good: "s < 0.5", odd: "s < 0.5 and a > 1.4"}\n');
    write('none.yaml', `model: ${source}/models/four_bar.yaml\nset: {end: 1}\nfactors: {L1: {from: 50, to: 60}}\ndesign: random\ncases: 5\nresponses: {back: min crank_angle}\naccept: {reaches: "back < 10 deg"}\n`);
    write('thirty.yaml', `factors: {${factors}}\ndesign: latin-hypercube\ncases: 60\nresponses: {y: "x3^2 + x5"}\n`);
    write('single.yaml', 'factors: {a: [1]}\nresponses: {y: "a"}\naccept: {ok: "y < 2"}\n');
    for (const [name, rows] of [['one', 32], ['none', 0], ['thirty', 60], ['single', 1]]) {
        study(name);
        await withPage(browser, `${name}.html`, async (page) => {
            check((await ask(page, () => window.holonom.rows)) === rows, `${name}: ${await ask(page, () => window.holonom.rows)} rows`);
            const words = await page.$eval('#app', (app) => app.textContent);
            check(!/(?<!\()NaN|undefined|Infinity|could not be shown/.test(words), `${name}: ${words}`);
            for (const chip of await page.$$('.bar .chips button')) await chip.click();
            await settle(page);
        });
    }
});

test('on a phone nothing is wider than the page, and dark paper is dark', async (browser) => {
    await withPage(browser, 'pair.html', async (page) => {
        const wide = await ask(page, () => document.documentElement.scrollWidth);
        check(wide <= 390, `${wide} pixels are wider than the phone`);
        check((await ask(page, () => window.holonom.theme)) === 'dark', 'not dark');
        const [r, g, b] = (await ask(page, () => getComputedStyle(document.body).backgroundColor)).match(/\d+/g).map(Number);
        near(r + g + b, 0, 120, 'darkness of the page');
        await shot(page, 'study-phone');
    }, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
});

await runAll();
