// numbers.mjs: the numbers of the report page read back: over all magnitudes and signs what is shown is the number, to the digits shown.

import { pathToFileURL } from 'node:url';

const [source] = process.argv.slice(2);
const { formatNumber, formatMark, formatLogMark, logMarks, roundingOf } = await import(pathToFileURL(`${source}/web/src/data.js`));

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

// Marks of logarithmic axes: each is its number, they lie in the axis, rise, and are three at least where the axis spans a decade or more.
const early = failed;
for (let power = -300; power <= 290; power += 7)
    for (const [from, to] of [[1, 10], [2, 8], [0.9, 1.1e3], [3, 4e12], [1, 1e9], [4.99, 5.01]]) {
        const [low, high] = [from, to].map((x) => Number(`${x}e${power}`) || x * 10 ** power);
        const marks = logMarks(low, high);
        check(high / low < 9.9 || marks.length >= 3, `${marks.length} marks from ${low} to ${high}`);
        check(marks.length <= 8, `${marks.length} marks from ${low} to ${high}`);
        check(marks.every((x, i) => x >= low * (1 - 1e-5) && x <= high * (1 + 1e-5) && (!i || x > marks[i - 1])), `marks from ${low} to ${high}: ${marks}`);
        for (const x of marks) check(Math.abs(read(formatLogMark(x)) - x) <= 1e-12 * x, `${x} is marked ${formatLogMark(x)}`);
    }
console.log(`${failed > early ? 'not ok' : 'ok'} 3 - marks of logarithmic axes`);

// Rounding is told by what the measure reaches in any component of that unit; what is 0, or the only one, is none.
const column = (name, unit, low, high) => ({ name, unit, extremes: [low, 0, high, 1] });
const columns = [column('pin.fx', 'N', -1e-13, 3e-12), column('pin.fy', 'N', -20, 1000), column('pin.mz', 'N*m', 0, 1e-14), column('x', 'm', 1e-20, 2e-20)];
const isRounding = roundingOf({ time: [0, 1] }, columns);
const wanted = [[0, 3e-12, true], [0, -1e-13, true], [0, 0, false], [1, 1e-9, false], [1, 1e-10, true], [2, 1e-14, false], [3, 1e-20, false]];
const late = failed;
for (const [i, x, is] of wanted) check(isRounding(columns[i], x) === is, `${x} of ${columns[i].name} is ${is ? '' : 'no '}rounding`);
console.log(`${failed > late ? 'not ok' : 'ok'} 4 - rounding is told from small numbers`);
console.log('1..4');
process.exit(failed ? 1 : 0);
