// flat.js: a planar mechanism as a line drawing: bars with outlines, pins, slides, ground, one above the other in z.

import * as T from './three.js';
import { UNSEEN } from './solid.js';

const STEPS = 24;

// Points of the convex hull, counter-clockwise (monotone chain).
export function hull(points) {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => {
        const out = [];
        for (const p of list) {
            while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
            out.push(p);
        }
        out.pop();
        return out;
    };
    if (sorted.length < 3) return sorted;
    return [...half(sorted), ...half(sorted.reverse())];
}

// A polygon grown by a radius, with round corners; two points give a bar, one a disc.
function rounded(points, radius) {
    const corners = hull(points);
    const n = corners.length;
    const shape = new T.Shape();
    if (n === 1) {
        shape.absarc(corners[0][0], corners[0][1], radius, 0, 2 * Math.PI);
        return new T.ShapeGeometry(shape, STEPS);
    }
    for (let i = 0; i < n; i++) {
        const p = corners[i];
        const before = corners[(i + n - 1) % n];
        const after = corners[(i + 1) % n];
        const from = Math.atan2(p[1] - before[1], p[0] - before[0]) - Math.PI / 2;
        let to = Math.atan2(after[1] - p[1], after[0] - p[0]) - Math.PI / 2;
        while (to < from - 1e-12) to += 2 * Math.PI;
        if (i === 0) shape.moveTo(p[0] + radius * Math.cos(from), p[1] + radius * Math.sin(from));
        shape.absarc(p[0], p[1], radius, from, to, false);
    }
    shape.closePath();
    return new T.ShapeGeometry(shape, STEPS);
}

function rectangle(width, height) {
    return new T.PlaneGeometry(width, height);
}

export class FlatStyle {
    constructor(radius, theme) {
        this.radius = radius; // half the width of a bar
        this.theme = theme;
        this.line = 0.22 * radius;
    }

    paint(color, opacity = 1) {
        return new T.MeshBasicMaterial({ color, side: T.DoubleSide, transparent: opacity < 1, opacity });
    }

    // A filled outline in a group: the dark rim below, the colour above.
    add(group, geometry, rim, color, z) {
        const below = new T.Mesh(rim, this.paint(new T.Color(color).multiplyScalar(0.62)));
        const above = new T.Mesh(geometry, this.paint(color));
        below.position.z = z;
        above.position.z = z + 0.2 * this.radius;
        group.add(below, above);
        return [below, above];
    }

    body(group, body, color, level) {
        const z = level * 0.9 * this.radius;
        const r = this.radius;
        const points = [];
        for (let i = 0; i + 2 < body.points.length; i += 3) points.push([body.points[i], body.points[i + 1]]);
        const parts = [];
        for (const shape of body.shapes) parts.push(...this.shape(group, shape, shape.color || color, z));
        if (body.given || !points.length) return parts;
        if (points.length > 2) {
            const plate = new T.Mesh(rounded(points, 0.5 * r), this.paint(color, 0.28));
            plate.position.z = z - 0.1 * r;
            group.add(plate);
            const ring = hull(points);
            for (let i = 0; i < ring.length; i++) parts.push(...this.bar(group, ring[i], ring[(i + 1) % ring.length], color, z));
            const middle = points.reduce((sum, p) => [sum[0] + p[0] / points.length, sum[1] + p[1] / points.length], [0, 0]);
            if (ring.length < points.length)
                for (const p of points) if (!ring.includes(p)) parts.push(...this.bar(group, middle, p, color, z));
        } else if (points.length === 2) parts.push(...this.bar(group, points[0], points[1], color, z));
        return parts;
    }

    bar(group, a, b, color, z) {
        if (a[0] === b[0] && a[1] === b[1]) return [];
        return this.add(group, rounded([a, b], this.radius - this.line), rounded([a, b], this.radius), color, z);
    }

    shape(group, shape, color, z) {
        const inner = new T.Group();
        const [a, b] = [shape.R[0], shape.R[3]];
        inner.position.set(shape.at[0], shape.at[1], 0);
        inner.rotation.z = Math.atan2(b, a);
        group.add(inner);
        const l = this.line;
        if (shape.kind === 'box') return this.add(inner, rectangle(shape.size[0] - 2 * l, shape.size[1] - 2 * l), rectangle(shape.size[0], shape.size[1]), color, z);
        if (shape.kind === 'rod') {
            inner.rotation.z = Math.atan2(shape.R[5], shape.R[2]);
            const r = shape.size[0] || this.radius;
            const ends = [[-shape.size[1] / 2, 0], [shape.size[1] / 2, 0]];
            return this.add(inner, rounded(ends, r - l), rounded(ends, r), color, z);
        }
        if (shape.kind === 'mesh') {
            const parts = [];
            let face = [];
            for (const index of shape.faces) {
                if (index >= 0) face.push(new T.Vector3(shape.vertices[3 * index], shape.vertices[3 * index + 1], 0));
                else {
                    const mesh = new T.Mesh(new T.ShapeGeometry(new T.Shape(face)), this.paint(color));
                    mesh.position.z = z;
                    inner.add(mesh);
                    parts.push(mesh);
                    face = [];
                }
            }
            return parts;
        }
        const r = shape.size[0] || 1.6 * this.radius;
        if (shape.kind === 'torus') {
            const half = shape.size[1] || 0.5 * this.radius;
            return this.add(inner, new T.RingGeometry(r - half + l, r + half - l, 64), new T.RingGeometry(r - half, r + half, 64), color, z);
        }
        const parts = this.add(inner, new T.CircleGeometry(Math.max(r - l, 0.1 * r), 48), new T.CircleGeometry(r, 48), color, z);
        const mark = new T.Mesh(rectangle(0.8 * r, 0.7 * l + 0.02 * r), this.paint(new T.Color(color).multiplyScalar(0.62)));
        mark.position.set(0.45 * r, 0, z + 0.4 * this.radius);
        inner.add(mark);
        return parts;
    }

    // The symbol of a joint at a point of a body, above all bodies.
    joint(group, point, axis, type, onGround, level) {
        if (UNSEEN.test(type)) return null;
        const r = this.radius;
        const { ink, pin } = this.theme;
        const symbol = new T.Group();
        symbol.position.set(point[0], point[1], level * 0.9 * r);
        const add = (geometry, color, z, turn = 0) => {
            const mesh = new T.Mesh(geometry, this.paint(color));
            mesh.position.z = z * r;
            mesh.rotation.z = turn;
            symbol.add(mesh);
            return mesh;
        };
        const angle = Math.atan2(axis[1], axis[0]);
        if (type === 'prismatic') {
            add(rectangle(3.6 * r, 2.3 * r), ink, 0.1, angle);
            add(rectangle(3.6 * r - 2 * this.line, 2.3 * r - 2 * this.line), pin, 0.3, angle);
            add(rectangle(1.6 * r, 0.8 * this.line), ink, 0.5, angle);
        } else if (type === 'fixed') {
            add(rectangle(1.5 * r, 1.5 * r), ink, 0.1, Math.PI / 4);
        } else if (type === 'revolute' || type === 'distance') {
            const size = type === 'distance' ? 0.6 : 1;
            add(new T.CircleGeometry(0.78 * r * size, 32), ink, 0.1);
            add(new T.CircleGeometry(0.48 * r * size, 32), pin, 0.3);
        } else {
            add(rectangle(1.35 * r, 1.35 * r), ink, 0.1, Math.PI / 4);
            add(rectangle(0.8 * r, 0.8 * r), pin, 0.3, Math.PI / 4);
        }
        group.add(symbol);
        if (onGround && type !== 'distance') group.add(this.ground(point, axis, type));
        return symbol;
    }

    // Where the mechanism stands on ground: a hatched foot, or a rail.
    ground(point, axis, type) {
        const r = this.radius;
        const group = new T.Group();
        const color = this.theme.ground;
        const z = -1.5 * r;
        group.position.set(point[0], point[1], 0);
        const add = (geometry, x, y, turn = 0, tint = color) => {
            const mesh = new T.Mesh(geometry, this.paint(tint));
            mesh.position.set(x, y, z);
            mesh.rotation.z = turn;
            group.add(mesh);
        };
        const hatch = (width, y) => {
            add(rectangle(width, this.line), 0, y);
            for (let x = -width / 2 + 0.35 * r; x <= width / 2 + 0.01 * r; x += 0.7 * r)
                add(rectangle(0.85 * r, 0.7 * this.line), x - 0.3 * r, y - 0.32 * r, Math.PI / 4);
        };
        if (type === 'prismatic') {
            group.rotation.z = Math.atan2(axis[1], axis[0]);
            hatch(16 * r, -1.55 * r);
            return group;
        }
        const foot = new T.Shape([new T.Vector3(0, 0, 0), new T.Vector3(1.55 * r, -2.5 * r, 0), new T.Vector3(-1.55 * r, -2.5 * r, 0)]);
        add(new T.ShapeGeometry(foot), 0, 0);
        const inner = new T.Shape([new T.Vector3(0, -0.55 * r, 0), new T.Vector3(1.1 * r, -2.5 * r + this.line, 0), new T.Vector3(-1.1 * r, -2.5 * r + this.line, 0)]);
        const fill = new T.Mesh(new T.ShapeGeometry(inner), this.paint(this.theme.pin));
        fill.position.z = z + 0.1 * r;
        group.add(fill);
        hatch(4.6 * r, -2.5 * r);
        return group;
    }
}

// A zigzag between two points as a ribbon, made anew for each frame.
export class FlatSpring {
    constructor(style, turns = 8) {
        this.width = 1.5 * style.line;
        this.swing = 2 * style.radius;
        this.turns = turns;
        const n = 2 * turns + 4;
        this.points = n;
        const geometry = new T.BufferGeometry();
        geometry.setAttribute('position', new T.BufferAttribute(new Float32Array(6 * n), 3));
        const index = [];
        for (let i = 0; i + 1 < n; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
        geometry.setIndex(index);
        this.object = new T.Mesh(geometry, style.paint(style.theme.spring));
        this.object.frustumCulled = false;
        this.z = 0;
    }

    update(a, b) {
        const array = this.object.geometry.attributes.position;
        const dx = b[0] - a[0];
        const dy = b[1] - a[1];
        const length = Math.hypot(dx, dy) || 1e-12;
        const [ux, uy] = [dx / length, dy / length];
        const n = this.points;
        const path = [];
        for (let i = 0; i < n; i++) {
            const inner = i > 0 && i < n - 1;
            const s = i === 0 ? 0 : i === n - 1 ? 1 : 0.12 + (0.76 * (i - 1)) / (n - 3);
            const side = inner && i > 1 && i < n - 2 ? (i % 2 ? 1 : -1) * this.swing : 0;
            path.push([a[0] + ux * s * length - uy * side, a[1] + uy * s * length + ux * side]);
        }
        for (let i = 0; i < n; i++) {
            const p = path[Math.max(i - 1, 0)];
            const q = path[Math.min(i + 1, n - 1)];
            const d = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
            const nx = (-(q[1] - p[1]) / d) * 0.5 * this.width;
            const ny = ((q[0] - p[0]) / d) * 0.5 * this.width;
            // a corner needs its full width across the turn
            const k = i > 1 && i < n - 2 ? 1.8 : 1;
            array.setXYZ(2 * i, path[i][0] + k * nx, path[i][1] + k * ny, this.z);
            array.setXYZ(2 * i + 1, path[i][0] - k * nx, path[i][1] - k * ny, this.z);
        }
        array.needsUpdate = true;
    }
}
