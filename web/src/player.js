// player.js: the time that the page shows: playing, speed, steps, and who wants to know.

// The steps of speed that the buttons offer: 1, 2, 5 by powers of ten.
export const SPEEDS = [];
for (let power = -4; power <= 2; power++) for (const digit of [1, 2, 5]) SPEEDS.push(Number(`${digit}e${power}`));

// The speed at which a run takes a few seconds; real time where that is bearable.
export function suitableSpeed(duration) {
    if (!(duration > 0) || (duration >= 3 && duration <= 90)) return 1;
    const wanted = duration / 8;
    return SPEEDS.reduce((best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best));
}

export class Player {
    // discrete: the frames are positions with nothing between them, each shown for a second.
    constructor(start, end, times, discrete = false) {
        this.discrete = discrete;
        this.start = start;
        this.end = end;
        this.times = times; // of the frames, for single steps
        this.time = start;
        this.clock = start; // runs on between the frames of what is discrete
        this.speed = discrete ? 1 : suitableSpeed(end - start);
        this.playing = false;
        this.loop = true;
        this.listeners = [];
        this.last = 0;
    }

    onChange(listener) {
        this.listeners.push(listener);
    }

    tell() {
        for (const listener of this.listeners) listener(this);
    }

    seek(t) {
        const inside = Math.min(this.end, Math.max(this.start, t));
        this.set(this.discrete ? this.times.reduce((best, x) => (Math.abs(x - inside) < Math.abs(best - inside) ? x : best)) : inside);
        this.tell();
    }

    // The clock, and the time that it stands for.
    set(t) {
        this.clock = t;
        this.time = this.discrete ? this.times.findLast((x) => x <= t) ?? this.start : t;
    }

    // n frames on, or back.
    step(n) {
        this.pause();
        const near = 1e-9 * (this.end - this.start);
        let i = this.times.findIndex((t) => t >= this.time - near);
        if (i < 0) i = this.times.length - 1;
        const on = Math.abs(this.times[i] - this.time) <= near;
        if (!on && n > 0) i -= 1;
        this.seek(this.times[Math.min(this.times.length - 1, Math.max(0, i + n))]);
    }

    faster(n) {
        const i = SPEEDS.findIndex((speed) => speed >= this.speed * 0.999);
        this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i + n))];
        this.tell();
    }

    play() {
        if (this.playing || !(this.end > this.start)) return;
        const end = this.discrete ? this.end + 1 : this.end;
        if (this.time >= this.end) this.set(this.start);
        this.playing = true;
        this.last = performance.now();
        const tick = (now) => {
            if (!this.playing) return;
            // a page that was out of sight does not jump
            const passed = Math.min(100, Math.max(0, now - this.last)) / 1000;
            this.last = now;
            let t = this.clock + passed * this.speed;
            if (t >= end) {
                if (this.loop) t = this.start + ((t - this.start) % (end - this.start));
                else {
                    t = this.end;
                    this.playing = false;
                }
            }
            this.set(t);
            this.tell();
            if (this.playing) requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
        this.tell();
    }

    pause() {
        if (!this.playing) return;
        this.playing = false;
        this.tell();
    }

    toggle() {
        if (this.playing) this.pause();
        else this.play();
    }
}
