// arrows.js: vectors as arrows, moments as turning arrows.

import * as T from './three.js';

const UP = new T.Vector3(0, 1, 0);
const AHEAD = new T.Vector3(0, 0, 1);

// An arrow whose length is that of the vector times a unit and a scale, up to a limit; thickness and head keep their size.
export class Arrow {
    constructor(width, color, most) {
        const material = new T.MeshBasicMaterial({ color, depthTest: false });
        this.width = width;
        this.object = new T.Group();
        this.shaft = new T.Mesh(new T.CylinderGeometry(0.32, 0.32, 1, 12), material);
        this.head = new T.Mesh(new T.ConeGeometry(0.95, 2.6, 18), material);
        this.object.add(this.shaft, this.head);
        this.object.renderOrder = 5;
        this.shaft.renderOrder = this.head.renderOrder = 5;
        this.direction = new T.Vector3();
        this.end = new T.Vector3();
        this.most = most;
        this.shown = 0;
    }

    // Hides itself where there is nothing to show.
    update(point, vector, unit, scale) {
        this.direction.set(...vector);
        const length = Math.min(this.direction.length() * unit, this.most) * scale;
        const w = this.width;
        this.shown = length;
        this.object.visible = length > 0.35 * w && Number.isFinite(length);
        if (!this.object.visible) return;
        const head = Math.min(2.6 * w, 0.6 * length);
        this.object.position.set(...point);
        this.object.quaternion.setFromUnitVectors(UP, this.direction.normalize());
        this.shaft.scale.set(w, length - head, w);
        this.shaft.position.y = (length - head) / 2;
        this.head.scale.set((w * head) / (2.6 * w), head / 2.6, (w * head) / (2.6 * w));
        this.head.position.y = length - head / 2;
        this.end.set(...point).addScaledVector(this.direction, length);
    }
}

// Three quarters of a ring about the moment, whose size follows its length.
export class Turn {
    constructor(width, color, most) {
        const material = new T.MeshBasicMaterial({ color, depthTest: false });
        const sweep = 1.5 * Math.PI;
        this.object = new T.Group();
        const ring = new T.Mesh(new T.TorusGeometry(1, 0.055, 8, 40, sweep), material);
        const head = new T.Mesh(new T.ConeGeometry(0.17, 0.42, 14), material);
        head.position.set(Math.cos(sweep), Math.sin(sweep), 0);
        head.rotation.z = sweep;
        ring.renderOrder = head.renderOrder = 5;
        this.object.add(ring, head);
        this.direction = new T.Vector3();
        this.end = new T.Vector3();
        this.width = width;
        this.most = most;
        this.shown = 0;
    }

    update(point, vector, unit, scale) {
        this.direction.set(...vector);
        const radius = Math.min(this.direction.length() * unit, this.most) * scale;
        this.shown = radius;
        this.end.set(...point);
        this.object.visible = radius > 0.35 * this.width && Number.isFinite(radius);
        if (!this.object.visible) return;
        this.object.position.set(...point);
        this.object.quaternion.setFromUnitVectors(AHEAD, this.direction.normalize());
        this.object.scale.setScalar(radius);
    }
}
