// picture.mjs: a picture of a page: the report of the four-bar at t = 2.25 s with its reactions, or that of the study of tolerances
// with the rejected cases picked.
//
//   node picture.mjs PROGRAM REPOSITORY BROWSER FOLDER four_bar|study FILE

import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const [program, source, executablePath, folder, name, file] = process.argv.slice(2);
const run = (...words) => execFileSync(program, words, { cwd: folder });

const pictures = {
    four_bar: {
        size: { width: 1200, height: 700 },
        make() {
            run('run', `${source}/models/four_bar.yaml`, '-o', 'four_bar.h5', '-q');
            run('report', 'four_bar.h5', '-o', 'four_bar.html', '-q');
        },
        async show(page) {
            await page.$eval('[data-option=reactions]', (box) => box.click());
            await page.$eval('.scrub', (slider) => {
                slider.value = '0.225';
                slider.dispatchEvent(new Event('input', { bubbles: true }));
            });
        },
    },
    study: {
        size: { width: 1200, height: 1350 },
        make: () => run('study', `${source}/examples/study/tolerances.yaml`, '-o', 'study.html', '-q'),
        async show(page) {
            await page.click('.bar button:has-text("rejected")');
            await page.$eval('#summary', (card) => card.remove());
            await page.$eval('#effects', (card) => card.remove());
            await page.$eval('#yields', (card) => card.remove());
        },
    },
};

const picture = pictures[name];
picture.make();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
const context = await browser.newContext({ viewport: picture.size, deviceScaleFactor: name === 'study' ? 1.5 : 2, colorScheme: 'light' });
const page = await context.newPage();
await page.goto(`file://${folder}/${name}.html`);
await page.waitForFunction(() => window.holonom !== undefined);
await picture.show(page);
await page.waitForTimeout(500);
await page.screenshot({ path: file });
await browser.close();
console.log(file);
