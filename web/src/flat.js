// flat.js: a planar mechanism as a line drawing: bars with outlines, pins, slides, ground, one above the other in z.

import * as T from './three.js';
import { meshGeometry } from './solid.js';

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

    // The shapes of a body, and the area between its points. What is behind lies below all bars.
    body(group, body, color, index) {
        const z = (body.behind ? index % 6 : 6 + (index % 6)) * 0.9 * this.radius;
        for (const shape of body.shapes) this.shape(group, shape, shape.color || color, z);
        if (!body.plate) return;
        const corners = [];
        for (let i = 0; i + 2 < body.plate.length; i += 3) corners.push([body.plate[i], body.plate[i + 1]]);
        const plate = new T.Mesh(rounded(corners, 0.4 * this.radius), this.paint(color, 0.28));
        plate.position.z = z - 0.1 * this.radius;
        group.add(plate);
    }

    shape(group, shape, color, z) {
        const inner = new T.Group();
        const [a, b] = [shape.R[0], shape.R[3]];
        inner.position.set(shape.at[0], shape.at[1], 0);
        inner.rotation.z = Math.atan2(b, a);
        group.add(inner);
        const least = Math.min(...shape.size.filter((x) => x > 0), Infinity);
        const l = Math.min(this.line, 0.25 * least);
        if (shape.kind === 'box') return this.add(inner, rectangle(shape.size[0] - 2 * l, shape.size[1] - 2 * l), rectangle(shape.size[0], shape.size[1]), color, z);
        if (shape.kind === 'plane') {
            const parts = this.add(inner, rectangle(shape.size[0] - 2 * l, shape.size[2] - 2 * l), rectangle(shape.size[0], shape.size[2]), color, z);
            for (const part of parts) part.position.y = -shape.size[2] / 2;
            return parts;
        }
        if (shape.kind === 'rod') {
            inner.rotation.z = Math.atan2(shape.R[5], shape.R[2]);
            const r = shape.size[0];
            const ends = [[-shape.size[1] / 2, 0], [shape.size[1] / 2, 0]];
            return this.add(inner, rounded(ends, r - l), rounded(ends, r), color, z);
        }
        if (shape.kind === 'mesh') {
            const mesh = new T.Mesh(meshGeometry(shape), this.paint(color));
            mesh.position.z = z;
            mesh.scale.z = 1e-6; // seen from the front, solids are flat
            inner.add(mesh);
            return [mesh];
        }
        const r = shape.size[0];
        if (shape.kind === 'torus') {
            const half = shape.size[1];
            return this.add(inner, new T.RingGeometry(r - half + l, r + half - l, 64), new T.RingGeometry(r - half, r + half, 64), color, z);
        }
        const parts = this.add(inner, new T.CircleGeometry(Math.max(r - l, 0.1 * r), 48), new T.CircleGeometry(r, 48), color, z);
        const mark = new T.Mesh(rectangle(0.8 * r, 0.7 * l + 0.02 * r), this.paint(new T.Color(color).multiplyScalar(0.62)));
        mark.position.set(0.45 * r, 0, z + 0.4 * this.radius);
        inner.add(mark);
        return parts;
    }

    // The edge of a cam, filled, or a track.
    curve(group, points, { closed, filled, color, index }) {
        const z = filled ? (index % 6) * 0.9 * this.radius : -1.2 * this.radius;
        const line = new T.LineGeometry().setPositions((closed ? [...points, points[0]] : points).flatMap((p) => [p[0], p[1], 0]));
        const dark = filled ? new T.Color(color).multiplyScalar(0.62) : color;
        const rim = new T.Line2(line, new T.LineMaterial({ color: dark, linewidth: filled ? 1.6 : 3 }));
        rim.position.z = z + 0.2 * this.radius;
        group.add(rim);
        if (!filled) return;
        const area = new T.Mesh(new T.ShapeGeometry(new T.Shape(points.map((p) => new T.Vector3(p[0], p[1], 0)))), this.paint(color));
        area.position.z = z;
        group.add(area);
    }

    // What is stretched between two points.
    stretched(kind, length, barrel) {
        if (kind === 'spring') return new FlatSpring(this);
        return kind === 'cylinder' ? this.cylinder(barrel) : this.link(kind === 'rope' ? 0.35 : 0.9);
    }

    // The symbol of a joint at a point of a body, above all bodies.
    joint(group, point, symbol) {
        const r = this.radius;
        const { ink, pin } = this.theme;
        const parts = new T.Group();
        parts.position.set(point[0], point[1], 14 * 0.9 * r);
        const add = (geometry, color, z, turn = 0) => {
            const mesh = new T.Mesh(geometry, this.paint(color));
            mesh.position.z = z * r;
            mesh.rotation.z = turn;
            parts.add(mesh);
        };
        if (symbol === 'weld') add(rectangle(1.5 * r, 1.5 * r), ink, 0.1, Math.PI / 4);
        else if (['pin', 'link', 'cylinder', 'track', 'curve', 'ball'].includes(symbol)) {
            const size = symbol === 'link' || symbol === 'cylinder' ? 0.7 : 1;
            add(new T.CircleGeometry(0.78 * r * size, 32), ink, 0.1);
            if (symbol !== 'ball') add(new T.CircleGeometry(0.48 * r * size, 32), pin, 0.3);
        } else {
            add(rectangle(1.35 * r, 1.35 * r), ink, 0.1, Math.PI / 4);
            add(rectangle(0.8 * r, 0.8 * r), pin, 0.3, Math.PI / 4);
        }
        group.add(parts);
        return parts;
    }

    // The rail of a slide, as long as the way of what slides on it; hatched where it is ground.
    rail(group, point, axis, [low, high], onGround) {
        const r = this.radius;
        const rail = new T.Group();
        rail.position.set(point[0], point[1], 0);
        rail.rotation.z = Math.atan2(axis[1], axis[0]);
        const middle = (low + high) / 2;
        const add = (geometry, x, y, turn = 0) => {
            const mesh = new T.Mesh(geometry, this.paint(this.theme.ground));
            mesh.position.set(x, y, onGround ? -1.5 * r : 13 * 0.9 * r);
            mesh.rotation.z = turn;
            rail.add(mesh);
        };
        if (onGround) {
            add(rectangle(high - low, this.line), middle, -2.3 * r);
            const step = Math.max(0.7 * r, (high - low) / 200);
            for (let x = low + 0.35 * r; x <= high; x += step) add(rectangle(0.85 * r, 0.7 * this.line), x - 0.3 * r, -2.6 * r, Math.PI / 4);
        } else add(rectangle(high - low, 0.8 * this.line), middle, 0);
        group.add(rail);
    }

    // A massless rod or a rope, stretched between two points.
    link(width = 0.9) {
        const object = new T.Mesh(rectangle(1, width * this.radius), this.paint(this.theme.metal));
        return {
            object,
            update: (a, b) => {
                object.position.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 5.5 * this.radius);
                object.rotation.z = Math.atan2(b[1] - a[1], b[0] - a[0]);
                object.scale.x = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1e-9;
            },
        };
    }

    // A cylinder: its barrel from the first point, and the rod between both.
    cylinder(barrel) {
        const r = this.radius;
        const object = new T.Group();
        const rod = this.link();
        const body = new T.Group();
        this.add(body, rectangle(barrel, 1.5 * r), rectangle(barrel, 1.9 * r), this.theme.metal, 12.8 * r);
        for (const part of body.children) part.position.x = barrel / 2;
        rod.object.material.color.set(this.theme.ground);
        object.add(rod.object, body);
        return {
            object,
            update: (a, b) => {
                rod.update(a, b);
                rod.object.position.z = 12.6 * r;
                body.position.set(a[0], a[1], 0);
                body.rotation.z = Math.atan2(b[1] - a[1], b[0] - a[0]);
            },
        };
    }

    // Where the mechanism stands on ground: a hatched foot.
    ground(point) {
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
