// paper.mjs: the sheet that every sketch is drawn on: its size, colours and letters, and points in the plane of the sheet.
//
// A drawing is text: each function here and in the files beside it returns SVG elements, and a sketch is a list of them, painted
// in order. Points are [x, y] in units of the sheet, x to the right, y down. Angles are in degrees, counter-clockwise as seen.

export const size = [320, 200];

// Bodies are filled and outlined in one hue; `shade` is for the faces that the light does not reach.
export const one = { fill: '#cfe0f1', shade: '#a9c5e0', line: '#2b5a88' };
export const two = { fill: '#f7e1ba', shade: '#e6c588', line: '#8f5d10' };
// What has no mass, or belongs to no body.
export const plain = { fill: '#ffffff', shade: '#e3e7eb', line: '#4d5964' };
export const hole = { fill: '#fbfcfd', shade: '#eef1f4', line: '#4d5964' };

export const ink = '#1f2933';    // letters, dimensions
export const faint = '#7b8794';  // construction lines, ground
export const axial = '#374350';  // axes
export const free = '#12783f';   // what stays free
export const given = '#7a35a8';  // what is prescribed
export const load = '#c4261d';   // forces and torques

// ---- points ----

export const add = (a, b) => [a[0] + b[0], a[1] + b[1]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1]];
export const mul = (a, k) => [a[0] * k, a[1] * k];
export const mix = (a, b, t) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
export const size_of = (a) => Math.hypot(a[0], a[1]);
export const unit = (a) => mul(a, 1 / size_of(a));
// To the left of a direction, as seen.
export const left = (a) => [a[1], -a[0]];
export const radians = (deg) => (deg * Math.PI) / 180;
// The point at a distance from another, in a direction.
export const polar = (c, r, deg) => [c[0] + r * Math.cos(radians(deg)), c[1] - r * Math.sin(radians(deg))];
// The direction from a to b in degrees.
export const bearing = (a, b) => (Math.atan2(a[1] - b[1], b[0] - a[0]) * 180) / Math.PI;
// A whole number of samples of f over [from, to].
export const samples = (from, to, n, f) => Array.from({ length: n + 1 }, (_, i) => f(from + ((to - from) * i) / n));

// ---- text of an SVG ----

// A number with one decimal; never -0.
export const num = (x) => {
    const text = (Math.round(x * 10) / 10).toString();
    return text === '-0' ? '0' : text;
};
export const at = (p) => `${num(p[0])} ${num(p[1])}`;
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

// An element with its attributes; numbers are rounded.
export function tag(name, attributes, inside) {
    const list = Object.entries(attributes)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}="${typeof value === 'number' ? num(value) : value}"`)
        .join('');
    return inside === undefined ? `<${name}${list}/>` : `<${name}${list}>${inside}</${name}>`;
}

// Letters with a rim of the colour of the sheet, so that lines may pass behind them.
function letters(p, text, anchor, more) {
    return tag('text', { x: p[0], y: p[1], 'text-anchor': anchor === 'start' ? undefined : anchor,
        'paint-order': 'stroke', ...more }, escape(text));
}

// A word of the model file. `anchor` is start, middle or end.
export const key = (p, text, anchor = 'middle', color = ink) =>
    letters(p, text, anchor, { fill: color === ink ? undefined : color });
// A symbol of the equations.
export const symbol = (p, text, color = ink, anchor = 'middle') =>
    letters(p, text, anchor, { fill: color === ink ? undefined : color, 'font-style': 'italic' });
// A small remark.
export const note = (p, text, anchor = 'middle', color = ink) =>
    letters(p, text, anchor, { fill: color === ink ? undefined : color, 'font-size': 10 });

// The number of a body, on it.
export const badge = (p, body) => tag('g', {},
    tag('circle', { cx: p[0], cy: p[1], r: 7.2, fill: body.line, stroke: 'none' })
    + tag('text', { x: p[0], y: p[1] + 3.6, 'text-anchor': 'middle', fill: '#fff', stroke: 'none',
        'font-size': 10, 'font-weight': 'bold' }, body === one ? '1' : '2'));

// The whole file.
export function sheet(title, words, parts) {
    const [w, h] = size;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img">
<title>${escape(title)}</title>
<desc>${escape(words)}</desc>
<rect x="0.5" y="0.5" width="${w - 1}" height="${h - 1}" rx="8" fill="#fbfcfd" stroke="#cbd2d9"/>
<g font-family="sans-serif" font-size="12" fill="${ink}" stroke="#fbfcfd" stroke-width="3"
   stroke-linecap="round" stroke-linejoin="round">
${parts.flat(9).filter(Boolean).join('\n')}
</g>
</svg>
`;
}
