// harness.mjs: cases in TAP, the program, and pages that notice every error and every request.

import { execFileSync, spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

export const [program, source, browserPath, work, screenshots] = process.argv.slice(2);

// ---- cases ----

const cases = [];
export function test(name, run) {
    cases.push({ name, run });
}

export function check(condition, words) {
    if (!condition) throw new Error(words);
}

export function near(a, b, tolerance, words) {
    check(Math.abs(a - b) <= tolerance, `${words}: ${a} is not within ${tolerance} of ${b}`);
}

export async function runAll() {
    console.log(`1..${cases.length}`);
    let failed = 0;
    const browser = await chromium.launch({
        executablePath: browserPath,
        args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
    });
    const only = process.env.HOLONOM_CASES && new RegExp(process.env.HOLONOM_CASES);
    for (const [i, { name, run }] of cases.entries()) {
        if (only && !only.test(name)) continue;
        const start = performance.now();
        try {
            await run(browser);
            console.log(`ok ${i + 1} - ${name}\n# ${Math.round(performance.now() - start)} ms`);
        } catch (error) {
            failed++;
            console.log(`not ok ${i + 1} - ${name}`);
            console.log(String(error.stack || error).split('\n').slice(0, 8).map((line) => `# ${line}`).join('\n'));
        }
    }
    await browser.close();
    process.exit(failed ? 1 : 0);
}

// ---- the program ----

export function holonom(...words) {
    return execFileSync(program, words, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

export function holonomFails(...words) {
    const { status, stderr } = spawnSync(program, words, { cwd: work, encoding: 'utf8' });
    return { status, stderr };
}

// Columns of a result: {time: [...], name: [...]}.
export function columns(file, ...names) {
    const lines = holonom('results', file, 'time', ...names).trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
    return Object.fromEntries(['time', ...names].map((name, k) => [name, lines.map((line) => line[k])]));
}

// ---- pages ----

// Open a page; call use(page); then nothing may have been said on the console and nothing asked of the network.
// options.allow: words on the console that the test itself provokes; options.before runs in the page before its own script.
export async function withPage(browser, file, use, { allow = /^$/, before, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, colorScheme: 'light', acceptDownloads: true, ...options });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    const troubles = [];
    page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
    page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith('blob:') && !url.startsWith('data:') && url !== `file://${work}/${file}`) troubles.push(`request: ${url}`);
    });
    try {
        await page.goto(`file://${work}/${file}`, { timeout: 60000 });
        await page.waitForFunction(() => window.holonom !== undefined, null, { timeout: 60000 });
        await settle(page);
        await use(page);
        // the driver of this machine may remark on reading pixels back; that is not the page's doing
        const real = troubles.filter((words) => !/GPU stall due to ReadPixels|GL Driver Message/.test(words) && !allow.test(words));
        check(real.length === 0, real.join('; '));
    } finally {
        await context.close();
    }
}

// Two drawn frames later everything that was asked for is on the screen.
export async function settle(page) {
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))); }));
}

export const ask = (page, expression) => page.evaluate(expression);

// Go to the frame k of the result by the slider, exactly to its time.
export async function goTo(page, fraction) {
    await page.$eval('.scrub', (slider, value) => {
        slider.value = String(value);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, fraction);
    await settle(page);
}

// The share of pixels near a place of the drawing that are not background or grid.
export function inkAround(page, x, y, half) {
    return page.evaluate(([px, py, h]) => {
        const canvas = document.querySelector('.canvas');
        const ratio = canvas.width / canvas.clientWidth;
        const copy = document.createElement('canvas');
        const size = Math.max(1, Math.round(2 * h * ratio));
        copy.width = copy.height = size;
        const pen = copy.getContext('2d');
        pen.drawImage(canvas, (px - h) * ratio, (py - h) * ratio, size, size, 0, 0, size, size);
        const { data } = pen.getImageData(0, 0, size, size);
        const [r, g, b] = [0xf4, 0xf6, 0xf9];
        let ink = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) > 140) ink++;
        return ink / (data.length / 4);
    }, [x, y, half]);
}
