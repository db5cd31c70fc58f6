// cloud.js: cases as points, and as densities where points would cover the chart.

import { styleValue } from '../dom.js';

const RADIUS = 1.6;

// Whether so many points would cover the area: then where they lie cannot be seen, and their density is drawn.
export const isCrowd = (count, area) => count * Math.PI * RADIUS * RADIUS > area;

function drawPoints(chart, xs, ys, mask, wanted, color) {
    const { ctx } = chart;
    ctx.fillStyle = color;
    ctx.beginPath();
    for (let i = 0; i < xs.length; i++) {
        if ((mask && mask[i] !== wanted) || !Number.isFinite(xs[i]) || !Number.isFinite(ys[i])) continue;
        const [px, py] = [chart.X(xs[i]), chart.Y(ys[i])];
        ctx.moveTo(px + RADIUS, py);
        ctx.arc(px, py, RADIUS, 0, 7);
    }
    ctx.fill();
}

// Squares of the size of a point, as strong as the logarithm of the cases in them.
function drawDensity(chart, xs, ys, mask, wanted, color) {
    const { ctx } = chart;
    const size = 2 * RADIUS;
    const [nx, ny] = [Math.ceil(chart.inner / size), Math.ceil(chart.tall / size)];
    const count = new Uint32Array(nx * ny);
    let most = 0;
    for (let i = 0; i < xs.length; i++) {
        if (mask && mask[i] !== wanted) continue;
        const [k, l] = [Math.floor((chart.X(xs[i]) - chart.left) / size), Math.floor((chart.Y(ys[i]) - chart.top) / size)];
        if (k >= 0 && k < nx && l >= 0 && l < ny && ++count[l * nx + k] > most) most = count[l * nx + k];
    }
    ctx.fillStyle = color;
    for (let l = 0; l < ny; l++)
        for (let k = 0; k < nx; k++) {
            const cases = count[l * nx + k];
            if (!cases) continue;
            ctx.globalAlpha = 0.15 + (0.85 * Math.log1p(cases)) / Math.log1p(most);
            ctx.fillRect(chart.left + k * size, chart.top + l * size, size, size);
        }
    ctx.globalAlpha = 1;
}

// All cases, and those that are picked before them.
export function drawCloud(chart, xs, ys, mask) {
    const draw = isCrowd(xs.length, chart.inner * chart.tall) ? drawDensity : drawPoints;
    chart.ctx.globalAlpha = 1;
    draw(chart, xs, ys, mask, 0, mask ? styleValue('--line') : styleValue('--ink'));
    if (mask) draw(chart, xs, ys, mask, 1, styleValue('--mark'));
}
