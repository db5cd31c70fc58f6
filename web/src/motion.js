// motion.js: poses of bodies at any time, from the frames of a result.
//
// Between frames positions and quaternions follow a Catmull–Rom curve, which passes through the frames and has no corners:
//     x(s) = x1 + s/2 (x2 − x0) + s²/2 (2x0 − 5x1 + 4x2 − x3) + s³/2 (3x1 − x0 − 3x2 + x3)

import { indexAt } from './data.js';

function curve(x0, x1, x2, x3, s) {
    return x1 + 0.5 * s * (x2 - x0 + s * (2 * x0 - 5 * x1 + 4 * x2 - x3 + s * (3 * (x1 - x2) + x3 - x0)));
}

export class Motion {
    constructor(result) {
        this.result = result;
        this.discrete = result.branches;
        this.times = result.motion.time;
        this.frames = this.times.length;
        this.count = result.bodies.length - 1;
        this.start = this.frames ? this.times[0] : 0;
        this.end = this.frames ? this.times[this.frames - 1] : 0;
    }

    // Frame and fraction of a time.
    locate(t) {
        const i = indexAt(this.times, t);
        const j = Math.min(i + 1, this.frames - 1);
        const span = this.times[j] - this.times[i];
        if (this.discrete) return { i: t - this.times[i] > this.times[j] - t ? j : i, s: 0 };
        return { i, s: span > 0 ? Math.min(1, Math.max(0, (t - this.times[i]) / span)) : 0 };
    }

    // width numbers of each frame, at a place between frames, from entry `at` of the array.
    sample(values, width, at, n, place, out) {
        const last = this.frames - 1;
        const { i, s } = place;
        if (s === 0) {
            for (let k = 0; k < n; k++) out[k] = values[i * width + at + k];
            return out;
        }
        const a = Math.max(i - 1, 0) * width + at;
        const b = i * width + at;
        const c = Math.min(i + 1, last) * width + at;
        const d = Math.min(i + 2, last) * width + at;
        for (let k = 0; k < n; k++) {
            out[k] = i === 0 || i + 2 > last
                ? values[b + k] + s * (values[c + k] - values[b + k])
                : curve(values[a + k], values[b + k], values[c + k], values[d + k], s);
        }
        return out;
    }

    // Pose of a body (count: ground) into {r: [3], q: [w, x, y, z]}.
    pose(body, place, out) {
        if (body >= this.count || !this.frames) {
            out.r[0] = out.r[1] = out.r[2] = 0;
            out.q[0] = 1;
            out.q[1] = out.q[2] = out.q[3] = 0;
            return out;
        }
        const { position, quaternion } = this.result.motion;
        this.sample(position, 3 * this.count, 3 * body, 3, place, out.r);
        this.sample(quaternion, 4 * this.count, 4 * body, 4, place, out.q);
        const length = Math.hypot(...out.q) || 1;
        for (let k = 0; k < 4; k++) out.q[k] /= length;
        return out;
    }

    has(name) {
        return Boolean(this.result.motion[name]);
    }

    // A vector of an element (reactions, forces).
    vector(name, index, place, out) {
        const values = this.result.motion[name];
        if (!values) return null;
        return this.sample(values, values.length / this.frames, 3 * index, 3, place, out);
    }

    // Where a force acts: between two frames in proportion; where it acts in one of them alone the point of the other says nothing.
    actsAt(index, at, out) {
        const { forceForce: force, forcePoint: points } = this.result.motion;
        const width = force.length / this.frames;
        const [b, c] = [at.i, Math.min(at.i + 1, this.frames - 1)].map((i) => i * width + 3 * index);
        const acts = [b, c].map((from) => force[from] !== 0 || force[from + 1] !== 0 || force[from + 2] !== 0);
        const s = acts[0] === acts[1] ? at.s : Number(acts[1]);
        for (let k = 0; k < 3; k++) out[k] = points[b + k] + s * (points[c + k] - points[b + k]);
        return out;
    }

    // How long the vectors of a block are: of the longest one in each frame, the one that eight in ten frames stay below. Short
    // peaks would make all else too small to see.
    typical(name) {
        const values = this.result.motion[name];
        if (!values || !this.frames) return 0;
        const width = values.length / this.frames;
        const most = new Float64Array(this.frames);
        for (let i = 0; i + 2 < values.length; i += 3) {
            const length = Math.hypot(values[i], values[i + 1], values[i + 2]);
            const frame = Math.floor(i / width);
            if (length > most[frame] && Number.isFinite(length)) most[frame] = length;
        }
        most.sort();
        return most[Math.floor(0.8 * (this.frames - 1))];
    }
}

// out = r + R(q) s
export function place(pose, s, out) {
    const [w, x, y, z] = pose.q;
    const tx = 2 * (y * s[2] - z * s[1]);
    const ty = 2 * (z * s[0] - x * s[2]);
    const tz = 2 * (x * s[1] - y * s[0]);
    out[0] = pose.r[0] + s[0] + w * tx + y * tz - z * ty;
    out[1] = pose.r[1] + s[1] + w * ty + z * tx - x * tz;
    out[2] = pose.r[2] + s[2] + w * tz + x * ty - y * tx;
    return out;
}
