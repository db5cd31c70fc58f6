// solid.js: a spatial mechanism: rods between joints, shapes of the model, joints as pins, balls, sleeves and crosses.

import * as T from './three.js';

const UP = new T.Vector3(0, 1, 0);

// Joints that act where bodies touch, or between other joints: there is no part to show.
export const UNSEEN = /roll|contact|gear|belt|rack|wheel|knife|curve|coupl|differential|cam|line|plane|motion|driver|same_orientation|_axes/;

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
        const points = [];
        for (let i = 0; i + 2 < body.points.length; i += 3) points.push([body.points[i], body.points[i + 1], body.points[i + 2]]);
        const material = this.material(color);
        for (const shape of body.shapes) this.shape(group, shape, shape.color || color);
        if (body.given || points.length < 2) return;
        if (points.length === 2) {
            this.rod(group, points[0], points[1], body.shapes.length ? 0.5 * this.radius : this.radius, material);
            return;
        }
        const middle = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
        for (const p of points) this.rod(group, middle, p, 0.85 * this.radius, material);
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
        else if (shape.kind === 'torus') add(new T.TorusGeometry(shape.size[0], shape.size[1] || 0.6 * this.radius, 14, 64));
        else if (shape.kind === 'cone') {
            const cone = add(new T.ConeGeometry(shape.size[0], shape.size[1], 40));
            cone.rotation.x = Math.PI / 2;
            cone.position.z = shape.size[1] / 4;
        } else if (shape.kind === 'sphere') {
            const r = shape.size[0] || 1.6 * this.radius;
            add(new T.SphereGeometry(r, 32, 20));
            add(new T.TorusGeometry(r, 0.03 * r, 8, 48), this.material(this.dark(color)));
        } else if (shape.kind === 'rod') add(new T.CapsuleGeometry(shape.size[0] || this.radius, shape.size[1], 6, 20)).rotation.x = Math.PI / 2;
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
    joint(first, second, joint) {
        const r = this.radius;
        const metal = this.material(this.theme.metal, 0.35);
        const [p, q] = joint.points;
        const [a, b] = joint.axes;
        switch (joint.type) {
        case 'revolute':
            this.pin(first, p, a, 1.35 * r, 3.6 * r, metal);
            this.pin(second, q, b, 1.7 * r, 1.5 * r, metal);
            break;
        case 'spherical': {
            const ball = new T.Mesh(new T.SphereGeometry(1.7 * r, 28, 18), metal);
            ball.position.set(...p);
            first.add(ball);
            break;
        }
        case 'universal':
            this.pin(first, p, a, 0.75 * r, 4.6 * r, metal);
            this.pin(second, q, b, 0.75 * r, 4.6 * r, metal);
            break;
        case 'prismatic':
            this.pin(first, p, a, 0.45 * r, 26 * r, metal);
            this.block(second, q, b, [3.2 * r, 4.2 * r, 3.2 * r], metal);
            break;
        case 'cylindrical':
            this.pin(first, p, a, 0.6 * r, 26 * r, metal);
            this.pin(second, q, b, 1.5 * r, 5 * r, metal);
            break;
        case 'fixed':
            this.block(first, p, a, [2.2 * r, 2.2 * r, 2.2 * r], metal);
            break;
        case 'distance':
            break;
        default: {
            if (UNSEEN.test(joint.type)) break;
            const mesh = new T.Mesh(new T.OctahedronGeometry(1.9 * r), metal);
            mesh.position.set(...p);
            first.add(mesh);
        }
        }
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
function meshGeometry(shape) {
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

class Helix extends T.Curve {
    getPoint(s, target = new T.Vector3()) {
        const inner = Math.min(1, Math.max(0, (s - 0.1) / 0.8));
        const fade = Math.min(1, 12 * Math.min(s, 1 - s));
        const angle = 2 * Math.PI * 8 * inner;
        return target.set(fade * Math.cos(angle), s, fade * Math.sin(angle));
    }
}

// A coil between two points: one of unit length, stretched.
export class SolidSpring {
    constructor(style) {
        this.width = 1.6 * style.radius;
        this.object = new T.Mesh(new T.TubeGeometry(new Helix(), 160, 0.2, 6), style.material(style.theme.spring, 0.3));
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
        this.object.scale.set(this.width, length, this.width);
    }
}
