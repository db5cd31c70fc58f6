// roads.js: the road below a tyre: a ribbon over the way of the wheel, or a plate that goes up and down below it.

import * as T from './three.js';
import { place } from './motion.js';

// A ribbon along points (x, height), wide across (in the plane: thick).
function ribbon(road, planar, y, width) {
    const n = road.x.length;
    const array = new Float32Array(6 * n);
    for (let i = 0; i < n; i++) {
        const [x, z] = [road.x[i], road.z[i]];
        array.set(planar ? [x, z, 0, x, z - width, 0] : [x, y - width, z, x, y + width, z], 6 * i);
    }
    const index = [];
    for (let i = 0; i + 1 < n; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
    const geometry = new T.BufferGeometry().setAttribute('position', new T.BufferAttribute(array, 3));
    geometry.setIndex(index);
    return geometry;
}

// Add the roads of a result to the scene; returns functions that move what moves.
export function addRoads(mechanism) {
    const { result, motion, theme, object } = mechanism;
    const movers = [];
    const pose = { r: [0, 0, 0], q: [1, 0, 0, 0] };
    const centre = [0, 0, 0];
    for (const road of result.roads) {
        const { planar } = result;
        const material = new T.MeshBasicMaterial({ color: theme.road, side: T.DoubleSide });
        const width = planar ? 0.12 * road.radius : 0.4 * road.radius;
        place(motion.pose(road.body, { i: 0, s: 0 }, pose), road.center, centre);
        if (!road.moves) {
            const mesh = new T.Mesh(ribbon(road, planar, centre[1], width), material);
            if (planar) mesh.position.z = -2 * mechanism.radius;
            object.add(mesh);
            continue;
        }
        const plate = new T.Mesh(planar ? new T.BoxGeometry(2.2 * road.radius, width, 1e-6) : new T.BoxGeometry(2.2 * road.radius, 2 * width, 0.1 * road.radius), material);
        object.add(plate);
        const out = [0];
        movers.push((at) => {
            place(motion.pose(road.body, at, pose), road.center, centre);
            const [height] = motion.sample(road.height, 1, 0, 1, at, out);
            if (planar) plate.position.set(centre[0], height - 0.5 * width, -2 * mechanism.radius);
            else plate.position.set(centre[0], centre[1], height - 0.05 * road.radius);
        });
    }
    return movers;
}
