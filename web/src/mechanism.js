// mechanism.js: one result in the scene: a group for each body, its joints and springs, arrows and trails, moved to a time.

import * as T from './three.js';
import { Arrow, Turn } from './arrows.js';
import { valueAt } from './data.js';
import { FlatSpring, FlatStyle } from './flat.js';
import { Motion, place } from './motion.js';
import { BODY_COLORS } from './palette.js';
import { SolidSpring, SolidStyle, UNSEEN } from './solid.js';

const MAX_TRAIL_POINTS = 4000;

// The thickness of what is drawn: by the length of a body, but never too thin for the whole.
export function thickness(result) {
    const size = result.size || result.link || 1;
    return result.planar ? Math.max(0.031 * result.link, 0.0042 * size) : Math.max(0.028 * result.link, 0.0042 * size);
}

export class Mechanism {
    // strength: 1 for the main result, less for what stands beside it; bare: without arrows and trails.
    constructor(result, theme, strength = 1, bare = false) {
        this.result = result;
        this.theme = theme;
        this.strength = strength;
        this.bare = bare;
        this.motion = new Motion(result);
        this.object = new T.Group();
        this.radius = thickness(result);
        this.size = Math.max(result.size, 4 * this.radius);
        this.style = result.planar ? new FlatStyle(this.radius, theme) : new SolidStyle(this.radius, theme);
        this.poses = result.bodies.map(() => ({ r: [0, 0, 0], q: [1, 0, 0, 0] }));
        this.bodies = result.bodies.map(() => new T.Group());
        this.object.add(...this.bodies);
        this.buildBodies();
        this.buildJoints();
        this.buildSprings();
        this.buildArrows();
        this.buildTrails();
        if (strength < 1) this.fade();
        this.update(this.motion.start);
    }

    color(i) {
        return BODY_COLORS[i % BODY_COLORS.length];
    }

    buildBodies() {
        const { result } = this;
        for (let i = 0; i + 1 < result.bodies.length; i++) this.style.body(this.bodies[i], result.bodies[i], this.color(i), i % 6);
    }

    buildJoints() {
        const { result } = this;
        const ground = result.bodies.length - 1;
        for (const joint of result.joints) {
            const [a, b] = joint.bodies;
            if (!result.planar) this.style.joint(this.bodies[a], this.bodies[b], joint);
            else {
                // a slide is drawn where it moves, a pin on its first body
                const k = joint.type === 'prismatic' || joint.type === 'distance' ? 1 : 0;
                const onGround = a === ground || b === ground;
                this.style.joint(this.bodies[joint.bodies[k]], joint.points[k], joint.axes[k], joint.type, false, 8);
                if (joint.type === 'distance') this.style.joint(this.bodies[a], joint.points[0], joint.axes[0], 'distance', false, 8);
                else if (onGround && !UNSEEN.test(joint.type)) {
                    const g = a === ground ? 0 : 1;
                    this.bodies[ground].add(this.style.ground(joint.points[g], joint.axes[g], joint.type));
                }
            }
        }
    }

    // Springs, and massless rods of distance joints: stretched between two points.
    buildSprings() {
        const { result } = this;
        this.stretched = [];
        for (const force of result.forces) {
            if (force.type !== 'spring') continue;
            const part = result.planar ? new FlatSpring(this.style) : new SolidSpring(this.style);
            part.z = 9 * this.radius;
            this.stretched.push({ part, element: force });
            this.object.add(part.object);
        }
        for (const joint of result.joints) {
            if (joint.type !== 'distance') continue;
            const line = new T.Line(new T.BufferGeometry().setAttribute('position', new T.BufferAttribute(new Float32Array(6), 3)), new T.LineBasicMaterial({ color: this.theme.ink }));
            line.frustumCulled = false;
            this.stretched.push({
                element: joint,
                part: {
                    object: line,
                    update: (a, b) => {
                        line.geometry.attributes.position.set([...a, ...b]);
                        line.geometry.attributes.position.needsUpdate = true;
                    },
                },
            });
            this.object.add(line);
        }
    }

    // A length for the largest vector that suits the mechanism.
    buildArrows() {
        const { result, motion, theme, radius } = this;
        const longest = 0.2 * this.size;
        // what is only rounding is not worth an arrow
        const unit = (name, length, least) => {
            const most = motion.typical(name);
            return most > least ? length / most : 0;
        };
        const noise = 1e-9 * Math.max(motion.typical('jointForce'), motion.typical('forceForce'));
        this.arrows = [];
        const add = (set, elements, forceName, momentName, color) => {
            const group = new T.Group();
            const force = unit(forceName, longest, noise);
            const moment = unit(momentName, 0.24 * longest, noise * this.size);
            elements.forEach((element, i) => {
                if (force) this.arrows.push({ set, i, name: forceName, element, unit: force, part: new Arrow(0.9 * radius, color), group });
                if (moment) this.arrows.push({ set, i, name: momentName, element, unit: moment, part: new Turn(0.9 * radius, theme.moment), group });
            });
            for (const arrow of this.arrows) if (arrow.group === group) group.add(arrow.part.object);
            group.visible = false;
            group.position.z = result.planar ? 12 * radius : 0;
            this.object.add(group);
            return group;
        };
        this.reactions = add('reactions', this.bare ? [] : result.joints, 'jointForce', 'jointMoment', theme.reaction);
        this.forces = add('forces', this.bare ? [] : result.forces, 'forceForce', 'forceMoment', theme.force);
        this.arrowScale = 1;
    }

    // Measured points, and mass centres of bodies that nothing holds to ground (or of the last one).
    buildTrails() {
        const { result, motion } = this;
        const n = motion.frames;
        this.trails = [];
        if (n < 2 || this.bare) return;
        const step = Math.max(1, Math.ceil(n / MAX_TRAIL_POINTS));
        const frames = [];
        for (let i = 0; i < n; i += step) frames.push(i);
        const ground = result.bodies.length - 1;
        const out = [0, 0, 0];
        const pose = { r: [0, 0, 0], q: [1, 0, 0, 0] };
        const add = (name, kind, color, at) => {
            const array = new Float32Array(3 * frames.length);
            frames.forEach((frame, k) => array.set(at(frame), 3 * k));
            if (result.planar) for (let k = 2; k < array.length; k += 3) array[k] = -0.6 * this.radius;
            const make = (width, opacity) => {
                const geometry = new T.LineGeometry().setPositions(array);
                const line = new T.Line2(geometry, new T.LineMaterial({ color, linewidth: width, transparent: true, opacity, depthWrite: false }));
                line.frustumCulled = false;
                return line;
            };
            const trail = { name, kind, step, whole: make(1.2, 0.35), past: make(2.4, 0.9), group: new T.Group() };
            trail.group.add(trail.whole, trail.past);
            this.object.add(trail.group);
            this.trails.push(trail);
        };
        const { columns, time, sampleTime } = result.table;
        for (const k of result.trails) {
            const parts = columns.slice(k, k + (result.planar ? 2 : 3));
            const times = parts[0].samples ? sampleTime : time;
            add(parts[0].name.replace(/\.x$/, ''), 'measured', trailColor(this.trails.length), (frame) => {
                parts.forEach((column, c) => {
                    out[c] = valueAt(times, column.samples || column.values, motion.times[frame]) * (column.si ?? 1);
                });
                if (result.planar) out[2] = 0;
                return out;
            });
        }
        const held = new Set();
        for (const joint of result.joints) if (joint.bodies.includes(ground)) joint.bodies.forEach((b) => held.add(b));
        const free = result.bodies.map((_, i) => i).filter((i) => i < ground && !held.has(i));
        for (const i of free.length ? free.slice(-3) : ground > 0 ? [ground - 1] : [])
            add(result.bodies[i].name, 'mass centre', this.color(i), (frame) => place(motion.pose(i, { i: frame, s: 0 }, pose), result.bodies[i].com, out));
        const measured = this.trails.some((trail) => trail.kind === 'measured');
        for (const trail of this.trails) trail.group.visible = this.strength === 1 && n > 1 && (measured ? trail.kind === 'measured' : true);
    }

    // Another result, or another instant, beside the main one: pale.
    fade() {
        this.object.traverse((part) => {
            if (!part.material) return;
            part.material = part.material.clone();
            part.material.transparent = true;
            part.material.opacity *= this.strength;
            part.material.depthWrite = false;
        });
    }

    // Move everything to the time t.
    update(t) {
        const { motion, poses } = this;
        if (!motion.frames) return;
        const at = motion.locate(t);
        for (let i = 0; i + 1 < poses.length; i++) {
            const { r, q } = motion.pose(i, at, poses[i]);
            this.bodies[i].position.set(r[0], r[1], r[2]);
            this.bodies[i].quaternion.set(q[1], q[2], q[3], q[0]);
        }
        const a = [0, 0, 0];
        const b = [0, 0, 0];
        for (const { part, element } of this.stretched) {
            place(poses[element.bodies[0]], element.points[0], a);
            place(poses[element.bodies[1]], element.points[1], b);
            part.update(a, b);
        }
        for (const arrow of this.arrows) {
            if (!arrow.group.visible) continue;
            place(poses[arrow.element.bodies[0]], arrow.element.points[0], a);
            const vector = motion.vector(arrow.name, arrow.i, at, b);
            arrow.part.update(a, vector, arrow.unit * this.arrowScale);
        }
        for (const trail of this.trails) trail.past.geometry.instanceCount = Math.floor((at.i + at.s) / trail.step);
        this.time = t;
    }

    // The mass centre of a body, or the point of a joint, in the scene.
    bodyPoint(i) {
        return place(this.poses[i], this.result.bodies[i].com, [0, 0, 0]);
    }

    jointPoint(i) {
        const joint = this.result.joints[i];
        return place(this.poses[joint.bodies[0]], joint.points[0], [0, 0, 0]);
    }

    dispose() {
        this.object.traverse((part) => {
            part.geometry?.dispose();
            part.material?.dispose();
        });
    }
}

// Colours of measured points, apart from those of the first bodies.
function trailColor(i) {
    return ['#c8415f', '#8a63d2', '#169cb5', '#b58a1b'][i % 4];
}
