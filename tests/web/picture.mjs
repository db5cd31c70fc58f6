// picture.mjs: the picture of the README: the report of the four-bar at t = 2.25 s, with its reactions.
//
//   node picture.mjs PROGRAM REPOSITORY BROWSER FOLDER FILE

import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const [program, source, executablePath, folder, file] = process.argv.slice(2);
execFileSync(program, ['run', `${source}/models/four_bar.yaml`, '-o', `${folder}/four_bar.h5`, '-q']);
execFileSync(program, ['report', `${folder}/four_bar.h5`, '-o', `${folder}/four_bar.html`, '-q']);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
const context = await browser.newContext({ viewport: { width: 1200, height: 700 }, deviceScaleFactor: 2, colorScheme: 'light' });
const page = await context.newPage();
await page.goto(`file://${folder}/four_bar.html`);
await page.waitForFunction(() => window.holonom !== undefined);
await page.$eval('[data-option=reactions]', (box) => box.click());
await page.$eval('.scrub', (slider) => {
    slider.value = '0.225';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
});
await page.waitForTimeout(500);
await page.screenshot({ path: file });
await browser.close();
console.log(file);
