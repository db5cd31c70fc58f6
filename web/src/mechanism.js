// mechanism.js: one result in the scene: a group for each body, its joints and springs, arrows and trails, moved to a time.

import * as T from './three.js';
import { Arrow, Turn } from './arrows.js';
import { valueAt } from './data.js';
import { FlatStyle } from './flat.js';
import { Motion, place } from './motion.js';
import { BODY_COLORS } from './palette.js';
import { addRoads } from './roads.js';
import { SolidStyle } from './solid.js';

const MAX_TRAIL_POINTS = 4000;

export class Mechanism {
    // strength: 1 for the main result, less for what stands beside it; bare: without arrows and trails.
    constructor(result, theme, strength = 1, bare = false) {
        this.result = result;
        this.theme = theme;
        this.strength = strength;
        this.bare = bare;
        this.motion = new Motion(result);
        this.object = new T.Group();
        this.radius = result.radius;
        this.size = Math.max(result.size, 4 * this.radius);
        this.style = result.planar ? new FlatStyle(this.radius, theme) : new SolidStyle(this.radius, theme);
        this.poses = result.bodies.map(() => ({ r: [0, 0, 0], q: [1, 0, 0, 0] }));
        this.bodies = result.bodies.map(() => new T.Group());
        this.object.add(...this.bodies);
        this.buildBodies();
        this.buildCurves();
        this.buildJoints();
        this.surfaces = this.bodies.map((group) => surfaceOf(group, this.size / 70));
        this.buildStretched();
        this.roads = addRoads(this);
        this.buildAxes();
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
        const ground = result.bodies.length - 1;
        for (let i = 0; i < ground; i++) this.style.body(this.bodies[i], result.bodies[i], this.color(i), i);
        this.style.body(this.bodies[ground], result.bodies[ground], this.theme.ground, -2);
    }

    // The axes of the bodies' frames, in the colours of the triad.
    buildAxes() {
        const { result } = this;
        this.axes = [];
        if (this.bare) return;
        for (let i = 0; i + 1 < this.bodies.length; i++) {
            const group = new T.Group();
            for (let k = 0; k < (result.planar ? 2 : 3); k++) {
                const end = [0, 0, 0];
                end[k] = result.axis;
                const line = new T.Line2(new T.LineGeometry().setPositions([0, 0, 0, ...end]), new T.LineMaterial({ color: this.theme.axes[k], linewidth: 2.4, depthTest: false }));
                line.renderOrder = 10;
                group.add(line);
            }
            group.visible = false;
            this.bodies[i].add(group);
            this.axes.push(group);
        }
    }

    // Where the axes of a body end, in the scene.
    axisEnds(i) {
        return this.axes[i].children.map((_, k) => place(this.poses[i], [0, 1, 2].map((j) => (j === k ? this.result.axis : 0)), [0, 0, 0]));
    }

    // Edges of cams, and tracks.
    buildCurves() {
        const { result } = this;
        const ground = result.bodies.length - 1;
        for (const curve of result.curves) {
            if (curve.given) continue;
            const points = [];
            for (let i = 0; i + 2 < curve.points.length; i += 3) points.push(curve.points.slice(i, i + 3));
            const filled = curve.closed && curve.body !== ground;
            this.style.curve(this.bodies[curve.body], points, { closed: curve.closed, filled, normal: curve.normal, index: curve.body, color: curve.body === ground ? this.theme.ground : this.color(curve.body) });
        }
    }

    buildJoints() {
        const { result } = this;
        const ground = result.bodies.length - 1;
        for (const joint of result.joints) {
            const bodies = joint.bodies.map((i) => this.bodies[i]);
            if (joint.symbol === 'none') continue;
            if (!result.planar) {
                this.style.joint(bodies, joint);
                continue;
            }
            const k = joint.rail;
            const onRail = isOnRail(joint);
            if (joint.range) this.style.rail(bodies[k], joint.points[k], joint.axes[k], joint.range, joint.bodies[k] === ground);
            // a pin is on its first body, a point of a track or a curve on its second one; what is stretched has two ends
            const follows = isFollower(joint);
            if (!onRail) this.style.joint(bodies[follows ? 1 : 0], joint.points[follows ? 1 : 0], joint.symbol);
            if (joint.symbol === 'link' || joint.symbol === 'cylinder') this.style.joint(bodies[1], joint.points[1], 'link');
            const g = joint.bodies.indexOf(ground);
            if (g >= 0 && !onRail && !follows) this.bodies[ground].add(this.style.ground(joint.points[g]));
        }
    }

    // How far apart the ends of an element are at the start.
    spanOf(element) {
        const at = { i: 0, s: 0 };
        const ends = [0, 1].map((k) => place(this.motion.pose(element.bodies[k], at, { r: [0, 0, 0], q: [1, 0, 0, 0] }), element.points[k], [0, 0, 0]));
        return Math.hypot(...ends[0].map((x, i) => x - ends[1][i]));
    }

    // Springs, massless rods and cylinders: stretched between two points.
    buildStretched() {
        const { result } = this;
        this.stretched = result.stretched.map(({ kind, section, index, barrel }) => {
            const element = result[section][index];
            const part = this.style.stretched(kind, this.spanOf(element), barrel);
            part.z = 15 * this.radius;
            this.object.add(part.object);
            return { part, element };
        });
    }

    // Arrows whose length is in proportion to the vector, up to a limit that keeps them in sight. Moments are small rings.
    buildArrows() {
        const { result, motion, theme, radius } = this;
        const longest = 0.15 * this.size;
        this.longestArrow = 1.4 * longest;
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
            const moment = unit(momentName, 0.22 * longest, noise * this.size);
            elements.forEach((element, i) => {
                if (force) this.arrows.push({ set, i, name: forceName, turns: false, element, unit: force, part: new Arrow(0.8 * radius, color, this.longestArrow), group });
                if (moment) this.arrows.push({ set, i, name: momentName, forceName: motion.has(forceName) ? forceName : null, turns: true, element, unit: moment, part: new Turn(0.8 * radius, theme.moment, 0.3 * longest), group });
            });
            for (const arrow of this.arrows) if (arrow.group === group) group.add(arrow.part.object);
            group.visible = false;
            group.position.z = result.planar ? 20 * radius : 0;
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
        if (n < 2 || this.bare || result.branches) return;
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
            const acts = arrow.set === 'forces' && motion.has('forcePoint');
            if (acts) motion.actsAt(arrow.i, at, a);
            else this.placeOf(arrow.element, a);
            const vector = motion.vector(arrow.name, arrow.i, at, b);
            if (arrow.turns && arrow.forceName && !acts) this.carry(arrow, at, a, vector);
            arrow.value = Math.hypot(...vector);
            arrow.part.update(a, vector, arrow.unit, this.arrowScale);
        }
        for (const trail of this.trails) trail.past.geometry.instanceCount = Math.floor((at.i + at.s) / trail.step);
        for (const road of this.roads) road(at, this);
        this.time = t;
    }

    // A moment about the point of the first body, to which results refer it, as one about the place of the arrow.
    carry(arrow, at, to, moment) {
        const [x, y, z] = place(this.poses[arrow.element.bodies[0]], arrow.element.points[0], [0, 0, 0]).map((c, k) => c - to[k]);
        const force = this.motion.vector(arrow.forceName, arrow.i, at, [0, 0, 0]);
        moment[0] += y * force[2] - z * force[1];
        moment[1] += z * force[0] - x * force[2];
        moment[2] += x * force[1] - y * force[0];
    }

    // Where the ends of an element are.
    endsOf(element) {
        return [0, 1].map((k) => place(this.poses[element.bodies[k]], element.points[k], [0, 0, 0]));
    }

    // The mass centre of a body, or the point of a joint, in the scene.
    bodyPoint(i) {
        return place(this.poses[i], this.result.bodies[i].com, [0, 0, 0]);
    }

    // Where the name of a body belongs.
    labelPoint(i) {
        return place(this.poses[i], this.result.bodies[i].label, [0, 0, 0]);
    }

    jointPoint(i) {
        return this.placeOf(this.result.joints[i], [0, 0, 0]);
    }

    // Where an element is: at the block of a rail, at the point that runs on a track or a curve, else at its point of the first body.
    placeOf(element, out) {
        if (isOnRail(element) && element.block) return place(this.poses[element.bodies[1 - element.rail]], element.block, out);
        const k = isFollower(element) ? 1 : 0;
        return place(this.poses[element.bodies[k]], element.points[k], out);
    }

    dispose() {
        this.object.traverse((part) => {
            part.geometry?.dispose();
            part.material?.dispose();
        });
    }
}

// Points of the surfaces in a group, in its frame, about `step` apart: the meshes in their triangles, one point for each cube.
function surfaceOf(group, step) {
    const cubes = new Map();
    const corner = [new T.Vector3(), new T.Vector3(), new T.Vector3()];
    const point = new T.Vector3();
    const inverse = new T.Matrix4();
    group.updateMatrixWorld(true);
    inverse.copy(group.matrixWorld).invert();
    group.traverse((part) => {
        const position = part.isMesh && !part.isLine2 && part.geometry.attributes.position;
        if (!position) return;
        const index = part.geometry.index;
        const toGroup = new T.Matrix4().multiplyMatrices(inverse, part.matrixWorld);
        const count = index ? index.count : position.count;
        // large meshes are looked at here and there
        const stride = 3 * Math.max(1, Math.ceil(count / 60000));
        for (let i = 0; i + 2 < count; i += stride) {
            corner.forEach((v, k) => v.fromBufferAttribute(position, index ? index.getX(i + k) : i + k).applyMatrix4(toGroup));
            const [a, b, c] = corner;
            const n = Math.min(60, Math.max(1, Math.ceil(a.distanceTo(b) / step)));
            const m = Math.min(60, Math.max(1, Math.ceil(a.distanceTo(c) / step)));
            for (let k = 0; k <= n; k++)
                for (let l = 0; l <= m && k / n + l / m <= 1 + 1e-9; l++) {
                    point.copy(a).multiplyScalar(1 - k / n - l / m).addScaledVector(b, k / n).addScaledVector(c, l / m);
                    cubes.set([point.x, point.y, point.z].map((x) => Math.round(x / step)).join(), point.toArray());
                }
        }
    });
    return [...cubes.values()].flat();
}

// Whether a block of a joint runs on a rail.
const isOnRail = (joint) => joint.symbol === 'slide' || joint.symbol === 'sleeve';

// Whether the second body of a joint runs on something of the first one.
const isFollower = (joint) => joint.symbol === 'track' || joint.symbol === 'curve';

// Colours of measured points, apart from those of the first bodies.
function trailColor(i) {
    return ['#c8415f', '#8a63d2', '#169cb5', '#b58a1b'][i % 4];
}
