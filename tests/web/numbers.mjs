// numbers.mjs: the numbers of the report page read back: over all magnitudes and signs what is shown is the number, to the digits shown.

import { pathToFileURL } from 'node:url';

const [source] = process.argv.slice(2);
const { formatNumber, formatMark } = await import(pathToFileURL(`${source}/web/src/data.js`));

let failed = 0;
function check(condition, words) {
    if (condition) return;
    failed++;
    if (failed < 20) console.log(`# ${words}`);
}

// The number that a text shows.
const read = (text) => Number(text.replaceAll('−', '-'));

const mantissas = [1, 1.23, 2, 4.99996, 5, 9.9996, 9.99996, 9.999996, 9.99999999];
for (let power = -323; power <= 307; power++)
    for (const mantissa of mantissas)
        for (const sign of [1, -1]) {
            const x = sign * Number(`${mantissa}e${power}`);
            const shown = formatNumber(x);
            // four digits at least: half a unit of the fourth is 5e-4 where the first is a one
            check(Math.abs(read(shown) - x) <= 5.0001e-4 * Math.abs(x), `${x} is shown as ${shown}`);
            check(shown.length <= 11, `${x} is shown as ${shown}, which is long`);
        }
const known = [[20000, '20000'], [12300, '12300'], [9999.96, '10000'], [999999.5, '1e6'], [99999.5, '1e5'], [99999.4, '99999'], [1e21, '1e21'], [0, '0'], [-0, '0'],
    [-12300, '−12300'], [0.001, '0.001'], [5e-324, '4.941e−324'], [NaN, '–'], [Infinity, '–']];
for (const [x, text] of known) check(formatNumber(x) === text, `${x} is shown as ${formatNumber(x)} instead of ${text}`);
console.log(`${failed ? 'not ok' : 'ok'} 1 - numbers are what they show`);

// Marks of axes: each is its number to a hundredth of the step, and no two are alike.
const before = failed;
for (let power = -300; power <= 300; power++)
    for (const digit of [1, 2, 2.5, 5])
        for (const first of [0, 1, -3, 17, 800, 12345, -99999]) {
            const step = Number(`${digit}e${power}`);
            const marks = [0, 1, 2, 3].map((k) => (first + k) * step);
            const shown = marks.map((x) => formatMark(x, step));
            shown.forEach((text, k) => check(Math.abs(read(text) - marks[k]) <= 0.01 * step, `${marks[k]} is marked ${text}, step ${step}`));
            check(new Set(shown).size === 4, `marks alike: ${shown.join(' ')}, step ${step}`);
        }
console.log(`${failed > before ? 'not ok' : 'ok'} 2 - marks of axes are the numbers, and differ`);
console.log('1..2');
process.exit(failed ? 1 : 0);
