// view.js: the drawing: camera, light, ground, mechanisms, names, and how the mouse and fingers move it.

import * as T from './three.js';
import { formatNumber, shown, unitOf } from './data.js';
import { el } from './dom.js';
import { ScaleBar, Triad } from './instruments.js';
import { Ink, Labels } from './labels.js';
import { Mechanism } from './mechanism.js';
import { PickCard } from './pick.js';

// How strong another result is drawn beside the main one; and the newest and the oldest pose of the stroboscope.
const BESIDE = 0.28;
const NEWEST = 0.6;
const OLDEST = 0.12;

// A square grid in the x-z plane. Its lines are made of short pieces, for what passes behind the eye may be lost whole.
function makeGrid(cells, step, theme) {
    const half = (cells * step) / 2;
    const pieces = Math.max(1, Math.ceil(cells / 5));
    const group = new T.Group();
    const make = (lines, color) => {
        const points = [];
        for (const at of lines)
            for (let i = 0; i < pieces; i++) {
                const a = -half + (2 * half * i) / pieces;
                const b = -half + (2 * half * (i + 1)) / pieces;
                points.push(at, 0, a, at, 0, b, a, 0, at, b, 0, at);
            }
        const geometry = new T.BufferGeometry().setAttribute('position', new T.BufferAttribute(new Float32Array(points), 3));
        group.add(new T.LineSegments(geometry, new T.LineBasicMaterial({ color })));
    };
    const all = Array.from({ length: cells + 1 }, (_, i) => -half + i * step);
    make(all.filter((_, i) => 2 * i !== cells), theme.grid);
    make([0], theme.gridStrong);
    return group;
}

// A time between poses that suits a motion: 1, 2 or 5 times a power of ten, about a fortieth of it.
function suitableInterval({ motion, branches }) {
    if (branches) return 1;
    const span = motion.time.length > 1 ? motion.time[motion.time.length - 1] - motion.time[0] : 0;
    if (!(span > 0)) return 0.1;
    const power = 10 ** Math.floor(Math.log10(span / 40));
    return Number(([1, 2, 5, 10].find((k) => k * power >= span / 40) * power).toPrecision(3));
}

export class View {
    constructor(canvas, overlay, results, theme) {
        this.canvas = canvas;
        this.overlay = overlay;
        this.results = results;
        this.selected = 0;
        this.options = { trails: true, reactions: false, forces: false, axes: false, names: undefined, grid: true, overlay: results.length > 1, arrowScale: 1, follow: undefined, strobe: 0, strobeEvery: suitableInterval(results[0]) };
        this.renderer = new T.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
        this.scene = new T.Scene();
        this.mechanisms = [];
        this.poses = [];
        this.labels = new Labels(overlay);
        this.triad = new Triad(canvas.parentElement);
        this.scaleBar = new ScaleBar(canvas.parentElement, el);
        this.card = new PickCard(canvas.parentElement, this);
        this.listenToClicks();
        this.time = 0;
        this.pending = false;
        this.setTheme(theme);
    }

    get result() {
        return this.results[this.selected];
    }

    get main() {
        return this.mechanisms[this.selected];
    }

    // Build the scene anew; the camera stays where it is unless the result has another kind of space.
    setTheme(theme) {
        this.theme = theme;
        this.build();
    }

    select(index) {
        this.selected = index;
        this.card.chosen = null;
        this.build(true);
    }

    build(reset = false) {
        for (const mechanism of this.mechanisms) {
            this.scene.remove(mechanism.object);
            mechanism.dispose();
        }
        this.scene.clear();
        this.scene.background = new T.Color(this.theme.background);
        const kind = this.result.planar ? 'flat' : 'solid';
        this.mechanisms = this.results.map((result, i) => new Mechanism(result, this.theme, i === this.selected ? 1 : BESIDE));
        this.mechanisms.forEach((mechanism) => this.scene.add(mechanism.object));
        this.buildStrobe();
        this.addLight();
        this.up = this.upDirection();
        this.addGround();
        if (this.options.follow === undefined || reset) this.options.follow = this.travellingBody();
        if (this.kind !== kind || reset) this.makeCamera(kind);
        this.kind = kind;
        this.buildLabels();
        this.applyOptions();
    }

    // Against gravity; z where there is none.
    upDirection() {
        if (this.result.planar) return new T.Vector3(0, 1, 0);
        const up = new T.Vector3(...this.result.gravity).negate();
        return up.lengthSq() > 0 ? up.normalize() : new T.Vector3(0, 0, 1);
    }

    // The body to follow where the mechanism goes a long way: the heaviest; -1 elsewhere.
    travellingBody() {
        const { bodies, travels } = this.result;
        if (!travels) return -1;
        return bodies.slice(0, -1).reduce((best, body, i) => (body.mass > bodies[best].mass ? i : best), 0);
    }

    addLight() {
        if (this.result.planar) return;
        const up = this.upDirection();
        const sky = new T.HemisphereLight('#ffffff', '#8d97a6', 1.7);
        sky.position.copy(up);
        const sun = new T.DirectionalLight('#ffffff', 2.1);
        sun.position.copy(up).multiplyScalar(2).add(new T.Vector3(1.2, -1.6, 0.8));
        const fill = new T.DirectionalLight('#dfe8ff', 0.7);
        fill.position.copy(up).multiplyScalar(0.4).add(new T.Vector3(-1.5, 1.1, -0.6));
        this.scene.add(sky, sun, fill);
    }

    // A grid below the motion, or behind it in the plane, with steps of 1, 2 or 5.
    addGround() {
        const { low, high, planar } = this.result;
        const size = Math.max(this.main.size, 1e-9);
        const rough = size / 9;
        const power = 10 ** Math.floor(Math.log10(rough));
        const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
        const way = Math.hypot(...high.map((x, k) => x - low[k]));
        const cells = planar ? Math.min(400, 2 * Math.ceil(way / step) + 60) : Math.min(200, 2 * Math.ceil((0.9 * Math.max(size, way)) / step));
        const grid = makeGrid(cells, step, this.theme);
        const middle = low.map((x, k) => Math.round((x + high[k]) / 2 / step) * step);
        if (planar) {
            grid.rotation.x = Math.PI / 2;
            grid.position.set(middle[0], middle[1], -40 * this.main.radius);
        } else {
            const up = this.up;
            const corner = low.map((x, k) => (up.getComponent(k) >= 0 ? x : high[k]));
            const depth = up.x * corner[0] + up.y * corner[1] + up.z * corner[2] - 0.04 * size;
            grid.quaternion.setFromUnitVectors(new T.Vector3(0, 1, 0), up);
            const centre = new T.Vector3(...middle);
            centre.addScaledVector(up, depth - centre.dot(up));
            grid.position.copy(centre);
        }
        this.gridStep = step;
        this.grid = grid;
        this.scene.add(grid);
    }

    // ---- stroboscope ----

    // Poses of the selected result before the time that is shown, the older ones paler.
    buildStrobe() {
        const n = this.options.strobe;
        for (const pose of this.poses) {
            this.scene.remove(pose.object);
            pose.dispose();
        }
        this.poses = Array.from({ length: n }, (_, k) => new Mechanism(this.result, this.theme, NEWEST - ((NEWEST - OLDEST) * k) / Math.max(n - 1, 1), true));
        for (const pose of this.poses) this.scene.add(pose.object);
    }

    placeStrobe() {
        this.poses.forEach((pose, k) => {
            const t = Math.min(pose.motion.end, this.time) - (k + 1) * this.options.strobeEvery;
            pose.object.visible = t >= pose.motion.start - 1e-9 * this.options.strobeEvery;
            if (pose.object.visible) pose.update(t);
        });
    }

    // ---- names and values ----

    // Values of arrows come first, then joints, then bodies. What the compiler added has no name to show, nor what stands at the
    // same place as another of the same name ("B", "B.coupler").
    buildLabels() {
        this.labels.clear();
        const { bodies, joints } = this.result;
        if (this.options.names === undefined) this.options.names = bodies.length - 1 + joints.length <= 24;
        const there = (point) => {
            const p = this.project(point);
            return p.depth < 1 ? p : null;
        };
        for (const arrow of this.main.arrows) {
            const kind = arrow.turns ? 'moment' : 'force';
            // forces lie at their joints, whose names stand there; a moment, and what acts at the place of another, says whose it is
            const words = () => `${arrow.element.name} ${formatNumber(shown(this.result, kind, arrow.value))} ${unitOf(this.result, kind)}`;
            this.labels.add(`value ${arrow.set} ${kind}`, '', () => (arrow.group.visible && arrow.part.object.visible ? there(arrow.part.end.toArray()) : null), words);
        }
        if (bodies.length + joints.length > 600) return;
        const named = (point) => (this.options.names ? there(point()) : null);
        const names = new Set(joints.map((joint) => joint.name));
        joints.forEach((joint, i) => {
            const first = joint.name.slice(0, joint.name.indexOf('.'));
            if (joint.symbol !== 'none' && !names.has(first)) this.labels.add('joint', joint.name, () => named(() => this.main.jointPoint(i)));
        });
        bodies.slice(0, -1).forEach((body, i) => {
            if (body.shapes.length || this.result.curves.some((curve) => curve.body === i && curve.closed)) this.labels.add('body', body.name, () => named(() => this.main.labelPoint(i)));
        });
    }

    // What the main mechanism covers of the canvas.
    ink() {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const ink = new Ink(width, height);
        const whole = new T.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse);
        const toClip = new T.Matrix4();
        this.main.bodies.forEach((group, i) => {
            const m = toClip.multiplyMatrices(whole, group.matrixWorld).elements;
            const points = this.main.surfaces[i];
            for (let k = 0; k < points.length; k += 3) {
                const [x, y, z] = [points[k], points[k + 1], points[k + 2]];
                const w = m[3] * x + m[7] * y + m[11] * z + m[15];
                if (w > 0) ink.mark((0.5 + (0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12])) / w) * width, (0.5 - (0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13])) / w) * height);
            }
        });
        for (const { element } of this.main.stretched) ink.line(...this.main.endsOf(element).map((point) => this.project(point)));
        return ink;
    }

    // ---- picking ----

    // A click that is no drag chooses what lies below it: the nearest joint or spring within 12 pixels, else a body.
    listenToClicks() {
        let from = null;
        this.canvas.addEventListener('pointerdown', (event) => {
            from = [event.clientX, event.clientY];
        });
        this.canvas.addEventListener('pointerup', (event) => {
            if (from && event.button === 0 && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 5) {
                const box = this.canvas.getBoundingClientRect();
                this.card.choose(this.under(event.clientX - box.left, event.clientY - box.top));
            }
            from = null;
        });
    }

    // What is drawn at a place of the canvas: {kind, index}, or null.
    under(x, y) {
        const { joints, forces } = this.result;
        let best = null;
        let nearest = 12;
        const take = (kind, index, distance) => {
            if (distance < nearest) [best, nearest] = [{ kind, index }, distance];
        };
        joints.forEach((joint, i) => {
            if (joint.symbol === 'none') return;
            const p = this.project(this.main.jointPoint(i));
            take('joint', i, Math.hypot(p.x - x, p.y - y));
        });
        if (best) return best;
        this.main.stretched.forEach(({ element }) => {
            const [a, b] = this.main.endsOf(element).map((point) => this.project(point));
            const [dx, dy] = [b.x - a.x, b.y - a.y];
            const s = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
            const index = forces.indexOf(element);
            take(index >= 0 ? 'force' : 'joint', index >= 0 ? index : joints.indexOf(element), Math.hypot(a.x + s * dx - x, a.y + s * dy - y));
        });
        if (best && nearest < 7) return best;
        const ray = new T.Raycaster();
        ray.setFromCamera(new T.Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight), this.camera);
        let hit = null;
        this.main.bodies.slice(0, -1).forEach((group, index) => {
            const [first] = ray.intersectObject(group, true);
            if (first && (!hit || first.distance < hit.distance)) hit = { index, distance: first.distance };
        });
        return hit ? { kind: 'body', index: hit.index } : best;
    }

    // ---- camera ----

    makeCamera(kind) {
        this.controls?.dispose();
        if (kind === 'flat') this.camera = new T.OrthographicCamera(-1, 1, 1, -1, 0, 20 * this.main.size);
        else this.camera = new T.PerspectiveCamera(32, 1, 0.002 * this.main.size, 100 * this.main.size);
        this.camera.up.copy(this.up);
        this.controls = new T.OrbitControls(this.camera, this.canvas);
        this.controls.enableRotate = kind === 'solid';
        this.controls.screenSpacePanning = true;
        this.controls.zoomToCursor = true;
        if (kind === 'flat') {
            // one finger or the left button moves the drawing
            this.controls.mouseButtons.LEFT = 2;
            this.controls.touches.ONE = 1;
        }
        this.controls.addEventListener('change', () => this.request());
        this.controls.addEventListener('start', () => {
            this.touched = true;
        });
        this.resize();
        this.fit();
    }

    // Look from a side: 'front' (x to the right, gravity downwards), 'side', 'top', or 'iso' from between them.
    look(name) {
        if (this.result.planar) return;
        const right = new T.Vector3().setComponent(Math.abs(this.up.x) < 0.9 ? 0 : 1, 1);
        right.addScaledVector(this.up, -right.dot(this.up)).normalize();
        const front = new T.Vector3().crossVectors(right, this.up);
        const eyes = {
            front: front.clone(), side: right.clone(), top: this.up.clone().addScaledVector(front, 1e-4),
            iso: front.clone().add(right).add(this.up),
        };
        this.fit(eyes[name]?.normalize());
    }

    // See the whole motion, from a direction or from where it shows most.
    fit(from = null) {
        const { low, high, planar } = this.result;
        // what travels far is followed, and seen near by
        const { follow } = this.options;
        const centre = this.result.travels && follow >= 0 ? new T.Vector3(...this.main.bodyPoint(follow)) : new T.Vector3(...low.map((x, k) => (x + high[k]) / 2));
        // arrows that are shown reach beyond the mechanism
        const margin = Math.max(6 * this.main.radius, this.options.reactions || this.options.forces ? this.main.longestArrow * Math.min(1, this.options.arrowScale) : 0);
        const near = this.result.travels && follow >= 0;
        const width = this.canvas.clientWidth || 1;
        const height = this.canvas.clientHeight || 1;
        this.controls.target.copy(centre);
        if (planar) {
            const w = (near ? this.main.size : high[0] - low[0]) + 2 * margin;
            const h = (near ? this.main.size : high[1] - low[1]) + 2 * margin;
            this.camera.zoom = Math.min(width / w, height / h) * 0.9;
            this.camera.position.set(centre.x, centre.y, 10 * this.main.size);
        } else {
            const radius = 0.5 * (near ? this.main.size : Math.hypot(...high.map((x, k) => x - low[k]))) + margin;
            const half = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, width / height);
            const distance = (0.97 * radius) / Math.sin(Math.atan(half));
            // the longer side of the motion lies across the screen
            const level = [0, 1, 2].filter((k) => Math.abs(this.up.getComponent(k)) < 0.9).sort((a, b) => high[b] - low[b] - (high[a] - low[a]) || a - b);
            const side = new T.Vector3().setComponent(level[0], 1);
            const front = new T.Vector3().crossVectors(side, this.up).normalize();
            const eye = from ?? front.addScaledVector(side, 0.62).addScaledVector(this.up, 0.5).normalize();
            this.camera.position.copy(centre).addScaledVector(eye, distance);
        }
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.anchor = null;
        this.touched = false;
        this.request();
    }

    resize() {
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        if (!width || !height) return;
        this.renderer.setSize(width, height, false);
        if (this.camera.isOrthographicCamera) {
            this.camera.left = -width / 2;
            this.camera.right = width / 2;
            this.camera.top = height / 2;
            this.camera.bottom = -height / 2;
        } else this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.request();
    }

    zoom(factor) {
        if (this.camera.isOrthographicCamera) this.camera.zoom *= factor;
        else this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.request();
    }

    // Keep a body where it is on the screen.
    follow() {
        if (this.options.follow < 0) {
            this.anchor = null;
            return;
        }
        const now = new T.Vector3(...this.main.bodyPoint(this.options.follow));
        if (this.anchor) {
            const moved = now.clone().sub(this.anchor);
            this.camera.position.add(moved);
            this.controls.target.add(moved);
        } else {
            const moved = now.clone().sub(this.controls.target);
            this.camera.position.add(moved);
            this.controls.target.copy(now);
        }
        this.anchor = now;
        this.controls.update();
    }

    // ---- showing ----

    setOption(name, value) {
        this.options[name] = value;
        if (name === 'follow') this.anchor = null;
        if (name === 'strobe') this.buildStrobe();
        this.applyOptions();
        // what was not moved by hand shows all of the arrows
        if ((name === 'reactions' || name === 'forces') && !this.touched) this.fit();
    }

    applyOptions() {
        const { options } = this;
        this.grid.visible = options.grid;
        this.mechanisms.forEach((mechanism, i) => {
            const isMain = i === this.selected;
            mechanism.object.visible = isMain || options.overlay;
            mechanism.reactions.visible = isMain && options.reactions;
            mechanism.forces.visible = isMain && options.forces;
            for (const group of mechanism.axes) group.visible = isMain && options.axes;
            mechanism.arrowScale = options.arrowScale;
            const measured = mechanism.trails.some((trail) => trail.kind === 'measured');
            for (const trail of mechanism.trails)
                trail.group.visible = isMain && options.trails && mechanism.motion.frames > 1 && (!measured || trail.kind === 'measured');
        });
        this.setTime(this.time);
    }

    setTime(t) {
        this.time = t;
        for (const mechanism of this.mechanisms) if (mechanism.object.visible) mechanism.update(Math.min(mechanism.motion.end, t));
        this.placeStrobe();
        this.follow();
        this.request();
    }

    // Draw once, at the next occasion.
    request() {
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame(() => {
            this.pending = false;
            this.draw();
        });
    }

    draw() {
        this.camera.updateMatrixWorld();
        this.renderer.render(this.scene, this.camera);
        this.labels.place(this.canvas.clientWidth, this.canvas.clientHeight, () => this.ink(), this.covered());
        this.card.update();
        this.placeInstruments();
    }

    // The places of the canvas that buttons, the axes and the scale cover.
    covered() {
        const { left, top } = this.canvas.getBoundingClientRect();
        const parts = this.canvas.closest('.viewer').querySelectorAll('.toolbar > *, .triad, .scale-bar, .pick');
        return [...parts].map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0)
            .map((box) => ({ left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top }));
    }

    // The axes as the camera sees them, and how long a metre is at the middle of the drawing.
    placeInstruments() {
        const turn = this.camera.quaternion.clone().invert();
        this.triad.update([0, 1, 2].slice(0, this.result.planar ? 2 : 3).map((k) => new T.Vector3().setComponent(k, 1).applyQuaternion(turn)));
        const { camera } = this;
        const distance = camera.position.distanceTo(this.controls.target);
        const metre = camera.isOrthographicCamera ? camera.zoom : this.canvas.clientHeight / (2 * distance * Math.tan((camera.fov * Math.PI) / 360));
        this.scaleBar.update(metre / shown(this.result, 'length', 1), unitOf(this.result, 'length'));
    }

    // Where a point of the scene is on the canvas, in CSS pixels from its upper left corner.
    project(point) {
        this.camera.updateMatrixWorld();
        const p = new T.Vector3(...point).project(this.camera);
        return { x: (0.5 + 0.5 * p.x) * this.canvas.clientWidth, y: (0.5 - 0.5 * p.y) * this.canvas.clientHeight, depth: p.z };
    }
}
