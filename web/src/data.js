// data.js: the data of the page: JSON beside a block of bytes, both in script elements that the browser does not run.

const TYPES = { f4: Float32Array, f8: Float64Array };

// The bytes of a base64 text.
export function decode(text) {
    const raw = atob(text.trim());
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes.buffer;
}

// Whether the machine keeps the low byte first, as the page does.
const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

// Replace {type, offset, count} by an array over the buffer, everywhere in the tree.
export function attach(value, buffer) {
    if (Array.isArray(value)) return value.map((item) => attach(item, buffer));
    if (value === null || typeof value !== 'object') return value;
    if (TYPES[value.type] && Number.isInteger(value.offset) && Number.isInteger(value.count)) {
        if (isLittle) return new TYPES[value.type](buffer, value.offset, value.count);
        const view = new DataView(buffer, value.offset);
        const read = value.type === 'f4' ? (i) => view.getFloat32(4 * i, true) : (i) => view.getFloat64(8 * i, true);
        return TYPES[value.type].from({ length: value.count }, (_, i) => read(i));
    }
    const out = {};
    for (const key of Object.keys(value)) Object.defineProperty(out, key, { value: attach(value[key], buffer), enumerable: true });
    return out;
}

// The results of the page. Texts stay as they are; geometry and columns hold arrays.
export function readPage(doc) {
    const data = JSON.parse(doc.getElementById('holonom-data').textContent);
    const buffer = decode(doc.getElementById('holonom-bytes').textContent);
    data.results = data.results.map((result) => ({
        ...result,
        motion: attach(result.motion, buffer),
        roads: attach(result.roads, buffer),
        table: attach(result.table, buffer),
        branches: result.texts.records === 'assembly', // its records are positions of a mechanism, and no motion
    }));
    Object.assign(timeUnit, data.results[0]?.table.timeUnit);
    return data;
}

// The last index i with times[i] <= t, at least 0.
export function indexAt(times, t) {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= t) low = middle;
        else high = middle - 1;
    }
    return low;
}

// The value of a column at a time, linear between points.
export function valueAt(times, values, t) {
    if (!times.length) return NaN;
    const i = indexAt(times, t);
    const j = Math.min(i + 1, times.length - 1);
    const span = times[j] - times[i];
    const s = span > 0 ? Math.min(1, Math.max(0, (t - times[i]) / span)) : 0;
    return values[i] + s * (values[j] - values[i]);
}

// Digits without the zeros at the end of the decimals; zeros before the point stay.
const withoutZeros = (digits) => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);

// A number for reading: four digits, five from 0.001 to 99999, without noise.
export function formatNumber(x) {
    if (!Number.isFinite(x)) return '–';
    if (x === 0) return '0';
    const size = Math.abs(x);
    // 99999.5 and more is rounded to six digits before the point
    if (size >= 99999.5 || size < 1e-3) {
        const [mantissa, exponent] = x.toExponential(3).split('e');
        return `${withoutZeros(mantissa)}e${exponent.replace('+', '')}`.replaceAll('-', '−');
    }
    return withoutZeros(x.toPrecision(5)).replace('-', '−');
}

// How many decimals a number such as a step of marks needs.
function decimalsOf(step) {
    for (let n = 0; n < 16; n++) if (Math.abs(step * 10 ** n - Math.round(step * 10 ** n)) < 1e-6 * step * 10 ** n) return n;
    return 16;
}

// A mark of an axis whose marks lie a step apart: as many digits as tell it from its neighbours.
export function formatMark(x, step) {
    if (!(step > 0) || !Number.isFinite(step)) return formatNumber(x);
    if (Math.abs(x) < 1e-9 * step) return '0';
    const [mantissa, power] = step.toExponential().split('e');
    const size = Math.floor(Math.log10(Math.abs(x)) + 1e-12);
    if (size < 6 && Number(power) > -5) return x.toFixed(decimalsOf(step)).replace('-', '−');
    const digits = size - Number(power) + decimalsOf(Number(mantissa));
    const [head, exponent] = x.toExponential(Math.min(16, Math.max(0, digits))).split('e');
    return `${withoutZeros(head)}e${exponent.replace('+', '')}`.replaceAll('-', '−');
}

// Marks of a logarithmic axis: powers of ten, or every so many of them; also their twofold and fivefold where there are less than three.
export function logMarks(low, high) {
    const first = Math.ceil(Math.log10(low) - 1e-6);
    const last = Math.floor(Math.log10(high) + 1e-6);
    const marks = [];
    if (last - first >= 2) {
        const every = Math.ceil((last - first + 1) / 7);
        for (let power = first; power <= last; power += every) marks.push(Number(`1e${power}`));
        return marks;
    }
    for (let power = first - 1; power <= last; power++)
        for (const digit of [1, 2, 5]) {
            const mark = Number(`${digit}e${power}`);
            if (mark >= low * (1 - 1e-6) && mark <= high * (1 + 1e-6)) marks.push(mark);
        }
    return marks;
}

// One of them: 5e−3.
export const formatLogMark = (x) => x.toExponential(0).replace('+', '').replace('-', '−');

// The least and the largest value of a column and when: over all steps where the file says so, else over the records.
export function extremesOf(table, column, isBranches = false) {
    if (!isBranches && column.extremes?.every((x) => x !== null)) return column.extremes;
    let [low, high] = [-1, -1];
    column.values.forEach((x, i) => {
        if (Number.isFinite(x) && (low < 0 || x < column.values[low])) low = i;
        if (Number.isFinite(x) && (high < 0 || x > column.values[high])) high = i;
    });
    return low < 0 ? [NaN, NaN, NaN, NaN] : [column.values[low], table.time[low], column.values[high], table.time[high]];
}

// Rounding beside the values that a measure of the same unit and name reaches: main_load.fy of 1e-12 N beside main_load.fx.
export function roundingOf(table, columns) {
    const most = new Map();
    const groupOf = (column) => `${column.name.split('.')[0]} ${column.unit}`;
    for (const column of columns) {
        const [low, , high] = extremesOf(table, column);
        most.set(groupOf(column), Math.max(most.get(groupOf(column)) ?? 0, Math.abs(low) || 0, Math.abs(high) || 0));
    }
    return (column, x) => x !== 0 && Math.abs(x) < 1e-12 * most.get(groupOf(column));
}

// The unit in which the page shows the time, which is in seconds everywhere else.
export const timeUnit = { name: 's', factor: 1 };
export const timeText = (t) => `${formatNumber(t * timeUnit.factor)} ${timeUnit.name}`;

// A length, force or moment of the drawing, which has SI units, as the result shows its kind: its number, and its unit.
export const shown = (result, kind, x) => x * result.units[kind].factor;
export const unitOf = (result, kind) => result.units[kind].name.replaceAll('*', '·');

// "tip.x [m]"
export function columnLabel(column) {
    return column.unit ? `${column.name} [${column.unit}]` : column.name;
}
