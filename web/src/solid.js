// solid.js: a spatial mechanism: rods between joints, shapes of the model, joints as pins, balls, sleeves and crosses.

import * as T from './three.js';

const UP = new T.Vector3(0, 1, 0);

// A group whose y axis runs from a to b, with its length.
function between(a, b) {
    const from = new T.Vector3(...a);
    const along = new T.Vector3(...b).sub(from);
    const length = along.length();
    const group = new T.Group();
    group.position.copy(from).addScaledVector(along, 0.5);
    if (length > 0) group.quaternion.setFromUnitVectors(UP, along.clone().divideScalar(length));
    return { group, length };
}

export class SolidStyle {
    constructor(radius, theme) {
        this.radius = radius;
        this.theme = theme;
        this.materials = new Map();
    }

    material(color, metalness = 0.05, opacity = 1) {
        const key = `${color} ${metalness} ${opacity}`;
        if (!this.materials.has(key))
            this.materials.set(key, new T.MeshStandardMaterial({ color, metalness, roughness: 0.55, transparent: opacity < 1, opacity, side: opacity < 1 ? T.DoubleSide : 0 }));
        return this.materials.get(key);
    }

    rod(group, a, b, radius, material) {
        const { group: axis, length } = between(a, b);
        if (!(length > 0)) return;
        axis.add(new T.Mesh(new T.CapsuleGeometry(radius, length, 6, 20), material));
        group.add(axis);
    }

    body(group, body, color) {
        for (const shape of body.shapes) this.shape(group, shape, shape.color || color);
    }

    shape(group, shape, color) {
        const material = this.material(color);
        const inner = new T.Group();
        const R = shape.R;
        inner.applyMatrix4(new T.Matrix4().set(R[0], R[1], R[2], shape.at[0], R[3], R[4], R[5], shape.at[1], R[6], R[7], R[8], shape.at[2], 0, 0, 0, 1));
        group.add(inner);
        const add = (geometry, paint = material) => {
            const mesh = new T.Mesh(geometry, paint);
            inner.add(mesh);
            return mesh;
        };
        if (shape.kind === 'box') add(new T.BoxGeometry(...shape.size));
        else if (shape.kind === 'plane') add(new T.BoxGeometry(...shape.size), this.material(color, 0, 0.4)).position.z = -shape.size[2] / 2;
        else if (shape.kind === 'torus') add(new T.TorusGeometry(shape.size[0], shape.size[1], 14, 64));
        else if (shape.kind === 'cone') {
            const cone = add(new T.ConeGeometry(shape.size[0], shape.size[1], 40));
            cone.rotation.x = Math.PI / 2;
            cone.position.z = shape.size[1] / 4;
        } else if (shape.kind === 'sphere') {
            const [r] = shape.size;
            add(new T.SphereGeometry(r, 32, 20));
            add(new T.TorusGeometry(r, 0.03 * r, 8, 48), this.material(this.dark(color)));
        } else if (shape.kind === 'rod') add(new T.CapsuleGeometry(shape.size[0], shape.size[1], 6, 20)).rotation.x = Math.PI / 2;
        else if (shape.kind === 'cylinder') {
            const [r, length] = shape.size;
            add(new T.CylinderGeometry(r, r, length, 48)).rotation.x = Math.PI / 2;
            // a bar across the ends shows how it turns
            add(new T.BoxGeometry(1.7 * r, 0.09 * r, 1.02 * length + 0.01 * r), this.material(this.dark(color)));
        } else if (shape.kind === 'mesh') add(meshGeometry(shape), this.faceted(color));
    }

    faceted(color) {
        const material = this.material(color, 0.051);
        material.flatShading = true;
        material.side = T.DoubleSide;
        return material;
    }

    dark(color) {
        return `#${new T.Color(color).multiplyScalar(0.55).getHexString()}`;
    }

    // A cylinder along a direction.
    pin(group, point, axis, radius, length, material) {
        const mesh = new T.Mesh(new T.CylinderGeometry(radius, radius, length, 28), material);
        const direction = new T.Vector3(...axis);
        if (direction.lengthSq() > 0) mesh.quaternion.setFromUnitVectors(UP, direction.normalize());
        mesh.position.set(...point);
        group.add(mesh);
        return mesh;
    }

    // The parts of a joint, each on the body that it belongs to.
    joint(bodies, joint) {
        const r = this.radius;
        const metal = this.material(this.theme.metal, 0.35);
        const [first, second] = bodies;
        const [p, q] = joint.points;
        const [a, b] = joint.axes;
        const ball = (group, point, size) => {
            const mesh = new T.Mesh(new T.SphereGeometry(size, 28, 18), metal);
            mesh.position.set(...point);
            group.add(mesh);
        };
        const parts = {
            pin: () => {
                this.pin(first, p, a, 1.35 * r, 3.6 * r, metal);
                this.pin(second, q, b, 1.7 * r, 1.5 * r, metal);
            },
            ball: () => ball(first, p, 1.7 * r),
            cross: () => {
                this.pin(first, p, a, 0.75 * r, 4.6 * r, metal);
                this.pin(second, q, b, 0.75 * r, 4.6 * r, metal);
            },
            track: () => ball(second, q, 1.2 * r),
            curve: () => ball(second, q, 1.2 * r),
            link: () => {
                ball(first, p, 1.1 * r);
                ball(second, q, 1.1 * r);
            },
            cylinder: () => parts.link(),
            weld: () => this.block(first, p, a, [2.2 * r, 2.2 * r, 2.2 * r], metal),
            point: () => {
                const mesh = new T.Mesh(new T.OctahedronGeometry(1.7 * r), metal);
                mesh.position.set(...p);
                first.add(mesh);
            },
        };
        parts[joint.symbol]?.();
        if (!joint.range) return;
        // the rail, as long as the way of what slides on it
        const k = joint.rail;
        const end = (s) => joint.points[k].map((x, i) => x + s * joint.axes[k][i]);
        this.rod(bodies[k], end(joint.range[0]), end(joint.range[1]), 0.5 * r, metal);
    }

    // The edge of a cam as a disc of some thickness, or a track as a bent rod.
    curve(group, points, { closed, filled, normal, color }) {
        const list = points.map((p) => new T.Vector3(...p));
        if (!filled) {
            const path = new T.CatmullRomCurve3(list, closed);
            group.add(new T.Mesh(new T.TubeGeometry(path, 2 * list.length, 0.5 * this.radius, 10, closed), this.material(color, 0.3)));
            return;
        }
        // the plane of the curve, with its first point as origin
        const z = new T.Vector3(...normal).normalize();
        const x = new T.Vector3().setComponent(Math.abs(z.x) < 0.9 ? 0 : 1, 1);
        x.addScaledVector(z, -x.dot(z)).normalize();
        const y = new T.Vector3().crossVectors(z, x);
        const [from] = list;
        const depth = 3 * this.radius;
        const shape = new T.Shape(list.map((p) => p.clone().sub(from)).map((p) => new T.Vector3(p.dot(x), p.dot(y), 0)));
        const mesh = new T.Mesh(new T.ExtrudeGeometry(shape, { depth, bevelEnabled: false }), this.material(color));
        mesh.applyMatrix4(new T.Matrix4().makeBasis(x, y, z).setPosition(from.clone().addScaledVector(z, -depth / 2)));
        group.add(mesh);
    }

    // What is stretched between two points.
    stretched(kind, length, barrel) {
        if (kind === 'spring') return new SolidSpring(this, length);
        return kind === 'cylinder' ? this.cylinder(barrel) : this.link(kind === 'rope' ? 0.2 : 0.5);
    }

    // A cylinder: its barrel from the first point, and the rod between both.
    cylinder(barrel) {
        const r = this.radius;
        const object = new T.Group();
        const rod = this.link();
        const body = new T.Mesh(new T.CylinderGeometry(1.15 * r, 1.15 * r, barrel, 28).translate(0, barrel / 2, 0), this.material(this.theme.spring, 0.3));
        const along = new T.Vector3();
        object.add(rod.object, body);
        return {
            object,
            update: (a, b) => {
                rod.update(a, b);
                along.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
                body.position.set(...a);
                body.quaternion.setFromUnitVectors(UP, along.divideScalar(along.length() || 1e-9));
            },
        };
    }

    // A massless rod or a rope, stretched between two points.
    link(width = 0.5) {
        const object = new T.Mesh(new T.CylinderGeometry(width * this.radius, width * this.radius, 1, 16), this.material(this.theme.metal, 0.35));
        const along = new T.Vector3();
        return {
            object,
            update: (a, b) => {
                along.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
                const length = along.length() || 1e-9;
                object.position.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
                object.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
                object.scale.y = length;
            },
        };
    }

    block(group, point, axis, size, material) {
        const mesh = new T.Mesh(new T.BoxGeometry(...size), material);
        const direction = new T.Vector3(...axis);
        if (direction.lengthSq() > 0) mesh.quaternion.setFromUnitVectors(UP, direction.normalize());
        mesh.position.set(...point);
        group.add(mesh);
    }
}

// The faces of a mesh as triangles.
export function meshGeometry(shape) {
    const geometry = new T.BufferGeometry();
    geometry.setAttribute('position', new T.BufferAttribute(new Float32Array(shape.vertices), 3));
    const index = [];
    let face = [];
    for (const i of shape.faces) {
        if (i >= 0) face.push(i);
        else {
            for (let k = 1; k + 1 < face.length; k++) index.push(face[0], face[k], face[k + 1]);
            face = [];
        }
    }
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    return geometry;
}

// A coil between two points, whose wire keeps its thickness: its surface is made anew for each length.
//     c(s) = (w cos θ, s L, w sin θ),  θ = 2π n s, straight towards the ends
export class SolidSpring {
    constructor(style, length) {
        this.width = 1.7 * style.radius;
        this.wire = 0.26 * style.radius;
        this.coils = Math.round(Math.min(16, Math.max(4, length / (1.9 * this.width))));
        this.steps = 18 * this.coils + 12;
        this.sides = 6;
        const geometry = new T.BufferGeometry();
        const n = (this.steps + 1) * this.sides;
        geometry.setAttribute('position', new T.BufferAttribute(new Float32Array(3 * n), 3));
        geometry.setAttribute('normal', new T.BufferAttribute(new Float32Array(3 * n), 3));
        const index = [];
        for (let i = 0; i < this.steps; i++)
            for (let k = 0; k < this.sides; k++) {
                const [a, b] = [i * this.sides + k, i * this.sides + ((k + 1) % this.sides)];
                index.push(a, b, a + this.sides, b, b + this.sides, a + this.sides);
            }
        geometry.setIndex(index);
        this.object = new T.Mesh(geometry, style.material(style.theme.spring, 0.3));
        this.object.frustumCulled = false;
        this.from = new T.Vector3();
        this.along = new T.Vector3();
    }

    update(a, b) {
        this.from.set(...a);
        this.along.set(...b).sub(this.from);
        const length = this.along.length() || 1e-9;
        this.object.position.copy(this.from);
        this.object.quaternion.setFromUnitVectors(UP, this.along.divideScalar(length));
        this.shape(length);
    }

    // The surface for a length, about the y axis.
    shape(length) {
        const { steps, sides, width, wire, coils } = this;
        const { position, normal } = this.object.geometry.attributes;
        const turn = 2 * Math.PI * coils;
        for (let i = 0; i <= steps; i++) {
            const s = i / steps;
            const inner = Math.min(1, Math.max(0, (s - 0.08) / 0.84));
            const angle = turn * inner;
            const out = width * Math.min(1, 12 * Math.min(s, 1 - s));
            const [c, d] = [Math.cos(angle), Math.sin(angle)];
            // tangent (the ends run along the axis), e: outwards, b: across both
            const speed = inner > 0 && inner < 1 ? (out * turn) / 0.84 : 0;
            const size = Math.hypot(speed, length);
            const [tx, ty, tz] = [(-d * speed) / size, length / size, (c * speed) / size];
            const [bx, by, bz] = [ty * d, tz * c - tx * d, -ty * c];
            for (let k = 0; k < sides; k++) {
                const phi = (2 * Math.PI * k) / sides;
                const [e, f] = [Math.cos(phi), Math.sin(phi)];
                const [nx, ny, nz] = [e * c + f * bx, f * by, e * d + f * bz];
                normal.setXYZ(i * sides + k, nx, ny, nz);
                position.setXYZ(i * sides + k, out * c + wire * nx, s * length + wire * ny, out * d + wire * nz);
            }
        }
        position.needsUpdate = true;
        normal.needsUpdate = true;
    }
}
