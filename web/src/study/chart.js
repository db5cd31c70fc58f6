// chart.js: a chart on a canvas: axes with marks, whatever a caller draws between them, a tip under the pointer, a rectangle to pick.

import { formatMark, formatNumber } from '../data.js';
import { el, styleValue } from '../dom.js';

// A step of 1, 2 or 5 times a power of ten, with about so many marks.
export function stepOf(low, high, marks) {
    const rough = (high - low) / Math.max(1, marks);
    const power = 10 ** Math.floor(Math.log10(rough));
    const off = (digit) => Math.abs(Math.log((digit * power) / rough));
    return power * [1, 2, 5, 10].reduce((best, digit) => (off(digit) < off(best) ? digit : best));
}

// The ends of numbers, finite and apart, a little wider than they are.
export function domainOf(values, margin = 0.03) {
    let [low, high] = [Infinity, -Infinity];
    for (const x of values) {
        if (!Number.isFinite(x)) continue;
        if (x < low) low = x;
        if (x > high) high = x;
    }
    if (low > high) return [0, 1];
    const span = high - low || Math.abs(low) || 1;
    return [low - margin * span, high + margin * span];
}

// Numbers of a list as text: as many digits as tell apart what lies a thousandth of their range apart.
export function formatterOf(values) {
    const [low, high] = domainOf(values, 0);
    const step = high > low ? 10 ** (Math.floor(Math.log10(high - low)) - 3) : 0;
    const decimals = step ? Math.max(0, Math.round(-Math.log10(step))) : 0;
    const fixed = step && decimals <= 9 && Math.max(Math.abs(low), Math.abs(high)) < 1e7;
    const whole = decimals <= 3 && values.every((x) => Number.isInteger(x) || !Number.isFinite(x));
    return (x) => (!Number.isFinite(x) ? '–' : fixed ? x.toFixed(whole ? 0 : decimals).replace(/^-(0(\.0*)?)$/, '$1').replace('-', '−') : step ? formatMark(Math.round(x / step) * step, step) : formatNumber(x));
}

export class Chart {
    // options: label, x and y {domain(), label, words}, height, bare (no marks), draw(chart, ctx), tip(x, y), pick(range) with null for a click
    constructor(options) {
        this.options = options;
        this.canvas = el('canvas', { class: options.pick ? 'brush' : '', role: 'img', 'aria-label': options.label });
        this.element = el('figure', { class: 'plot' }, this.canvas);
        if (typeof options.height === 'number') this.canvas.style.height = `${options.height}px`;
        this.ctx = this.canvas.getContext('2d');
        this.width = 0;
        this.range = null;
        this.seen = true;
        new ResizeObserver(() => this.resize()).observe(this.element);
        if (options.lazy) {
            this.seen = false;
            new IntersectionObserver(([entry]) => {
                this.seen = entry.isIntersecting;
                if (this.seen && this.stale) this.draw();
            }, { rootMargin: '200px' }).observe(this.element);
        }
        addEventListener('beforeprint', () => this.element.isConnected && this.element.clientWidth && this.paint());
        if (options.tip) this.listenTip();
        if (options.pick) this.listenPick();
    }

    resize() {
        const width = this.element.clientWidth;
        if (!width || width === this.width) return;
        this.width = width;
        this.draw();
    }

    // Draw when the frame comes; many calls draw once.
    draw() {
        this.stale = true;
        if (!this.seen || this.asked || !this.width) return;
        this.asked = true;
        requestAnimationFrame(() => {
            this.asked = false;
            this.stale = false;
            this.paint();
        });
    }

    paint() {
        this.width = this.element.clientWidth || this.width;
        const { ctx, options, width } = this;
        const height = typeof options.height === 'function' ? options.height(width) : options.height;
        const scale = Math.max(1, devicePixelRatio || 1);
        this.height = height;
        this.canvas.width = Math.round(width * scale);
        this.canvas.height = Math.round(height * scale);
        this.canvas.style.height = `${height}px`;
        ctx.setTransform(scale, 0, 0, scale, 0, 0);
        ctx.font = `11.5px ${styleValue('--font')}`;
        this.xd = options.x.domain();
        this.yd = options.y.domain();
        this.layout();
        this.axes();
        ctx.save();
        ctx.beginPath();
        ctx.rect(this.left, this.top, this.inner, this.tall);
        ctx.clip();
        options.draw(this, ctx);
        if (this.range) this.drawRange();
        ctx.restore();
    }

    marksOf(axis, [low, high], room) {
        if (axis.words) return axis.words.map((text, i) => [i, text]).filter(([i]) => i >= Math.min(low, high) && i <= Math.max(low, high));
        const step = stepOf(low, high, room);
        const marks = [];
        for (let k = Math.ceil(low / step); k * step <= high; k++) marks.push([k * step, (axis.format ?? formatMark)(k * step, step)]);
        return marks;
    }

    layout() {
        const { ctx, options, width, height } = this;
        const tight = options.bare;
        [this.top, this.bottom] = [tight ? 3 : options.y.label ? 22 : 8, tight ? 3 : options.x.label ? 40 : 22];
        this.tall = Math.max(10, height - this.top - this.bottom);
        this.yMarks = tight ? [] : this.marksOf(options.y, this.yd, Math.max(3, this.tall / 45));
        const widest = Math.max(0, ...this.yMarks.map(([, text]) => ctx.measureText(text).width));
        [this.left, this.right] = tight ? [3, 3] : [widest + 12, 12];
        this.inner = Math.max(10, width - this.left - this.right);
        this.xMarks = tight ? [] : this.marksOf(options.x, this.xd, Math.max(3, this.inner / 90));
        const wide = Math.max(0, ...this.xMarks.map(([, text]) => ctx.measureText(text).width + 14));
        const every = this.xMarks.length > 1 ? Math.ceil(wide / (Math.abs(this.X(this.xMarks[1][0]) - this.X(this.xMarks[0][0])) || 1)) : 1;
        this.xMarks = this.xMarks.filter((_, i) => i % every === 0);
    }

    X(x) {
        return this.left + ((x - this.xd[0]) / (this.xd[1] - this.xd[0])) * this.inner;
    }

    Y(y) {
        return this.top + this.tall - ((y - this.yd[0]) / (this.yd[1] - this.yd[0])) * this.tall;
    }

    back(px, py) {
        return [this.xd[0] + ((px - this.left) / this.inner) * (this.xd[1] - this.xd[0]), this.yd[0] + ((this.top + this.tall - py) / this.tall) * (this.yd[1] - this.yd[0])];
    }

    axes() {
        const { ctx, options } = this;
        const [soft, grid, plot] = [styleValue('--text-soft'), styleValue('--grid'), styleValue('--plot')];
        ctx.clearRect(0, 0, this.width, this.height);
        ctx.fillStyle = plot;
        ctx.fillRect(this.left, this.top, this.inner, this.tall);
        ctx.strokeStyle = grid;
        ctx.lineWidth = 1;
        ctx.strokeRect(this.left + 0.5, this.top + 0.5, this.inner - 1, this.tall - 1);
        ctx.fillStyle = soft;
        ctx.textAlign = 'center';
        ctx.textBaseline = 'top';
        for (const [x, text] of this.xMarks) {
            const half = ctx.measureText(text).width / 2;
            this.line(this.X(x), this.top, this.X(x), this.top + this.tall);
            ctx.fillText(text, Math.min(this.width - half - 1, Math.max(half, this.X(x))), this.top + this.tall + 6);
        }
        ctx.textAlign = 'right';
        ctx.textBaseline = 'middle';
        for (const [y, text] of this.yMarks) {
            this.line(this.left, this.Y(y), this.left + this.inner, this.Y(y));
            ctx.fillText(text, this.left - 7, this.Y(y));
        }
        ctx.textBaseline = 'alphabetic';
        if (!options.bare && options.x.label) ctx.fillText(options.x.label, this.left + this.inner, this.height - 4);
        ctx.textAlign = 'left';
        if (!options.bare && options.y.label) ctx.fillText(options.y.label, Math.max(2, this.left - 30), 12);
    }

    line(x0, y0, x1, y1) {
        this.ctx.beginPath();
        this.ctx.moveTo(x0, y0);
        this.ctx.lineTo(x1, y1);
        this.ctx.stroke();
    }

    // A line through places of the axes, broken where a number is missing.
    path(xs, ys) {
        const { ctx } = this;
        let begun = false;
        ctx.beginPath();
        for (let i = 0; i < xs.length; i++) {
            const good = Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
            if (good) ctx[begun ? 'lineTo' : 'moveTo'](this.X(xs[i]), this.Y(ys[i]));
            begun = good;
        }
        ctx.stroke();
    }

    // ---- pointer ----

    pointOf(event) {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    listenTip() {
        const tip = el('div', { class: 'tip', hidden: true });
        this.element.append(tip);
        this.canvas.addEventListener('pointermove', (event) => {
            const [px, py] = this.pointOf(event);
            const inside = px >= this.left && px <= this.left + this.inner && py >= this.top && py <= this.top + this.tall;
            const text = inside ? this.options.tip(...this.back(px, py)) : null;
            tip.hidden = !text;
            if (!text) return;
            tip.textContent = text;
            tip.style.left = `${Math.min(px + 14, this.width - tip.offsetWidth - 4)}px`;
            tip.style.top = `${Math.max(0, py - tip.offsetHeight - 10)}px`;
        });
        this.canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
    }

    listenPick() {
        let from = null;
        const finish = (event) => {
            if (!from) return;
            const to = this.back(...this.pointOf(event));
            const moved = Math.hypot(...this.pointOf(event).map((x, i) => x - from.pixel[i])) > 4;
            this.range = moved && this.options.frame !== false ? [from.at, to] : null;
            this.options.pick(moved ? [Math.min(from.at[0], to[0]), Math.max(from.at[0], to[0]), Math.min(from.at[1], to[1]), Math.max(from.at[1], to[1])] : null, this);
            this.draw();
        };
        this.canvas.addEventListener('pointerdown', (event) => {
            if (event.button) return;
            from = { pixel: this.pointOf(event), at: this.back(...this.pointOf(event)) };
            this.canvas.setPointerCapture(event.pointerId);
        });
        this.canvas.addEventListener('pointermove', (event) => {
            if (from && Math.hypot(...this.pointOf(event).map((x, i) => x - from.pixel[i])) > 4) finish(event);
        });
        this.canvas.addEventListener('pointerup', (event) => {
            finish(event);
            from = null;
        });
        this.canvas.addEventListener('pointercancel', () => { from = null; });
    }

    drawRange() {
        const { ctx } = this;
        const [[x0, y0], [x1, y1]] = this.range;
        const flat = this.options.only === 'x';
        const box = [this.X(Math.min(x0, x1)), flat ? this.top : this.Y(Math.max(y0, y1)), Math.abs(this.X(x1) - this.X(x0)), flat ? this.tall : Math.abs(this.Y(y1) - this.Y(y0))];
        ctx.strokeStyle = styleValue('--mark');
        ctx.lineWidth = 1;
        ctx.setLineDash([4, 3]);
        ctx.strokeRect(...box);
        ctx.setLineDash([]);
    }

    forget() {
        if (!this.range) return;
        this.range = null;
        this.draw();
    }
}
