// validate.mjs: glTF files of models of every kind: the validator finds nothing, bodies are where the results have them, names
// and colours are there, what is stretched reaches from end to end.
//
//   node validate.mjs PROGRAM REPOSITORY

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import validator from 'gltf-validator';

const [program, source] = process.argv.slice(2);

let count = 0;
let failed = 0;
async function test(name, run) {
    count += 1;
    try {
        await run();
        console.log(`ok ${count} - ${name}`);
    } catch (error) {
        failed += 1;
        console.log(`not ok ${count} - ${name}`);
        for (const line of String(error.message ?? error).split('\n').slice(0, 12)) console.log(`# ${line}`);
    }
}
const check = (condition, words) => {
    if (!condition) throw new Error(words);
};
const near = (a, b, tolerance, words) => check(Math.abs(a - b) <= tolerance, `${words}: ${a} is not within ${tolerance} of ${b}`);
const holonom = (...words) => execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });

// Columns of a result: {time: [...], name: [...]}.
function columns(file, ...names) {
    const lines = holonom('results', file, 'time', ...names).trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
    return Object.fromEntries(['time', ...names].map((name, k) => [name, lines.map((line) => line[k])]));
}

// ---- a reader of its own ----

// The JSON and the bytes of a file of either kind.
function read(path) {
    const data = readFileSync(path);
    if (data.toString('latin1', 0, 4) !== 'glTF') {
        const json = JSON.parse(data.toString('utf8'));
        const [head, coded] = (json.buffers?.[0].uri ?? ',').split(',');
        check(!json.buffers || head === 'data:application/octet-stream;base64', `the bytes are ${head}`);
        return { json, bytes: Buffer.from(coded, 'base64') };
    }
    check(data.readUInt32LE(4) === 2 && data.readUInt32LE(8) === data.length, 'the header');
    const n = data.readUInt32LE(12);
    check(data.toString('latin1', 16, 20) === 'JSON' && n % 4 === 0, 'the first chunk');
    const json = JSON.parse(data.toString('utf8', 20, 20 + n));
    if (data.length === 20 + n) return { json, bytes: Buffer.alloc(0) };
    check(data.readUInt32LE(24 + n) === 0x004e4942, 'the second chunk');
    return { json, bytes: data.subarray(28 + n) };
}

// The rows of an accessor of floats.
function rows({ json, bytes }, index) {
    const a = json.accessors[index];
    const view = json.bufferViews[a.bufferView];
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[a.type];
    check(a.componentType === 5126, 'floats');
    return Array.from({ length: a.count }, (_, i) => Array.from({ length: width }, (__, k) => bytes.readFloatLE(view.byteOffset + 4 * (i * width + k))));
}

// Place, orientation and scale of a node at key frame i.
function pose(file, index, i) {
    const node = file.json.nodes[index];
    const out = { translation: node.translation ?? [0, 0, 0], rotation: node.rotation ?? [0, 0, 0, 1], scale: node.scale ?? [1, 1, 1] };
    const animation = file.json.animations?.[0];
    for (const { sampler, target } of animation?.channels ?? [])
        if (target.node === index) out[target.path] = rows(file, animation.samplers[sampler].output)[i];
    return out;
}

const times = (file) => (file.json.animations ? rows(file, file.json.animations[0].samplers[0].input).map(([t]) => t) : [0]);
const named = (file, name) => file.json.nodes.findIndex((node) => node.name === name);

// v turned by a quaternion [x, y, z, w].
function turn([x, y, z, w], v) {
    const u = [x, y, z];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const t = cross(u, v).map((c) => 2 * c);
    const s = cross(u, t);
    return v.map((c, k) => c + w * t[k] + s[k]);
}

// A point of a node at key frame i, in the model.
function point(file, index, i, v) {
    const { translation, rotation, scale } = pose(file, index, i);
    return turn(rotation, v.map((c, k) => c * scale[k])).map((c, k) => c + translation[k]);
}

// ---- the validator ----

async function valid(path) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 20 });
    const { numErrors, numWarnings, messages } = report.issues;
    check(numErrors === 0 && numWarnings === 0, `${path}: ${numErrors} errors, ${numWarnings} warnings\n${messages.map((m) => `${m.code} ${m.pointer}: ${m.message}`).join('\n')}`);
    return report.info;
}

// Models of every kind: all elements, the machines, what has meshes, tyres, natural coordinates.
const models = [
    ...readdirSync(`${source}/models/elements`).map((name) => `models/elements/${name}`),
    ...['four_bar', 'a03_andrews', 'a04_bricard', 'a05_flyball_governor', 'bicycle', 'iltis_corner', 'slider_crank_spatial', 'double_pendulum_natural', 'rotary_drive'].map((name) => `models/${name}.yaml`),
    ...readdirSync(`${source}/examples/machines`).filter((name) => name.endsWith('.yaml')).map((name) => `examples/machines/${name}`),
].filter((name) => name.endsWith('.yaml'));

await test('every element and machine as .glb: nothing for the validator to say', async () => {
    let animated = 0;
    check(models.length > 60, `${models.length} models`);
    for (const model of models) {
        const run = spawnSync(program, ['run', `${source}/${model}`, '-o', 'all.h5', '-q', '--set', 'simulation.end=0.1'], { encoding: 'utf8' });
        check(run.status === 0 || run.status === 8, `${model}: ${run.stderr}`);
        holonom('animate', 'all.h5', '-o', 'all.glb', '-q');
        await valid('all.glb');
        const file = read('all.glb');
        animated += file.json.animations ? 1 : 0;
        // every body is a node of its name, and something is drawn
        const shown = file.json.meshes?.length ?? 0;
        check(shown > 0, `${model}: there is nothing to see`);
    }
    check(animated > 0.9 * models.length, `${animated} of ${models.length} move`);
});

await test('a model without a run as .gltf with its bytes inside', async () => {
    for (const model of ['models/four_bar.yaml', 'models/a05_flyball_governor.yaml', 'models/elements/shapes.yaml']) {
        holonom('view', `${source}/${model}`, '-o', 'still.gltf', '-q');
        await valid('still.gltf');
        check(!read('still.gltf').json.animations, `${model} does not move`);
    }
});

// ---- against the results ----

await test('the crank of the four-bar turns as its measured angle, at every key frame', async () => {
    holonom('run', `${source}/models/four_bar.yaml`, '-o', 'four_bar.h5', '-q', '--end', '3');
    holonom('animate', 'four_bar.h5', '-o', 'four_bar.glb', '-q');
    const info = await valid('four_bar.glb');
    const file = read('four_bar.glb');
    const table = columns('four_bar.h5', 'crank_angle');
    const t = times(file);
    check(info.animationCount === 1 && t.length === table.time.length, `${t.length} key frames of ${table.time.length} records`);
    const crank = named(file, 'crank');
    for (let i = 0; i < t.length; i += 17) {
        near(t[i], table.time[i], 1e-6, 'the time');
        // the crank, 2 m long, begins at A: 4-byte numbers of some metres are good for 1e-6 m
        const angle = table.crank_angle[i];
        const from = point(file, crank, i, [0, 0, 0]);
        const to = point(file, crank, i, [2, 0, 0]);
        [0, 0, 0].forEach((x, k) => near(from[k], x, 2e-6, `A at t = ${t[i]}`));
        [2 * Math.cos(angle), 2 * Math.sin(angle), 0].forEach((x, k) => near(to[k], x, 4e-6, `B at t = ${t[i]}`));
    }
    // planar: y is up already
    check(file.json.nodes[0].rotation === undefined, 'the plane is not turned');
});

await test('the governor: its tip is where it was measured, z is turned upwards, springs reach from end to end', async () => {
    holonom('run', `${source}/models/a05_flyball_governor.yaml`, '-o', 'governor.h5', '-q', '--end', '2');
    holonom('animate', 'governor.h5', '-o', 'governor.gltf', '-q');
    await valid('governor.gltf');
    const file = read('governor.gltf');
    const table = columns('governor.h5', 'tip.x', 'tip.y', 'tip.z');
    const up = turn(file.json.nodes[0].rotation, [0, 0, 1]);
    [0, 1, 0].forEach((x, k) => near(up[k], x, 1e-6, 'z points to +y'));
    const rod = named(file, 'rod1');
    for (let i = 0; i < table.time.length; i += 29) {
        const tip = point(file, rod, i, [1, 0, 0]);
        ['tip.x', 'tip.y', 'tip.z'].forEach((name, k) => near(tip[k], table[name][i], 4e-6, `${name} at t = ${table.time[i]}`));
    }
    // a quaternion is never far from the one before: no turn the long way round
    const { samplers, channels } = file.json.animations[0];
    for (const { sampler, target } of channels) {
        if (target.path !== 'rotation') continue;
        const list = rows(file, samplers[sampler].output);
        for (let i = 1; i < list.length; i++) check(list[i].reduce((sum, x, k) => sum + x * list[i - 1][k], 0) > 0, `${file.json.nodes[target.node].name} turns back at key frame ${i}`);
    }
    check(file.json.nodes.filter((node) => node.mesh !== undefined).length >= 5, 'bodies and springs have meshes');
});

// A cylinder that pushes an arm, and a spring: their ends against the geometry, in units of the user's own.
writeFileSync('press.yaml', `holonom: 1
name: press
space: planar
gravity: [0, -9.81]
units: {length: mm, angle: deg}
bodies:
  arm: {mass: 2, inertia: 0.1, along: [[0, 0], [0.9, 0]]}
  foot: {mass: 1, inertia: 0.01, position: [0.5, -0.4], draw: {type: box, size: [0.1, 0.06], color: "#cc3344"}}
joints:
  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}
  guide: {type: prismatic, bodies: [ground, foot], at: [0.5, -0.4], axis: [0, 1]}
  ram: {type: driver, bodies: [ground, arm], from: [0.3, -0.7], to: [0.7, 0], position: "0.806225774829855 + 0.1*sin(3*t)^2"}
forces:
  spring: {type: spring, bodies: [arm, foot], from: [0.5, 0], to: [0.5, -0.4], stiffness: 300, free_length: 0.42}
measures:
  length: {type: distance, bodies: [ground, arm], from: [0.3, -0.7], to: [0.7, 0]}
  foot: {type: position, body: foot}
  arm: {type: angle, body: arm}
simulation: {end: 1}
`);

await test('a cylinder and a spring keep to their ends; colours are those of the model; lengths are metres', async () => {
    holonom('run', 'press.yaml', '-o', 'press.h5', '-q');
    holonom('animate', 'press.h5', '-o', 'press.glb', '-q');
    await valid('press.glb');
    const file = read('press.glb');
    const table = columns('press.h5', 'length', 'foot.y', 'arm');
    const ram = named(file, 'ram');
    const rod = file.json.nodes[ram].children[0] - 0;
    const spring = named(file, 'spring');
    const bounds = file.json.accessors[file.json.meshes[file.json.nodes[spring].mesh].primitives[0].attributes.POSITION];
    for (let i = 0; i < table.time.length; i += 13) {
        const angle = (table.arm[i] * Math.PI) / 180;
        const foot = point(file, ram, i, [0, 0, 0]);
        [0.3, -0.7].forEach((x, k) => near(foot[k], x, 2e-6, 'the foot of the cylinder'));
        // the end of the rod, of length 1 along z, is the eye on the arm, 0.7 m from A
        const eye = point(file, ram, i, point(file, rod, i, [0, 0, 1]));
        [0.7 * Math.cos(angle), 0.7 * Math.sin(angle)].forEach((x, k) => near(eye[k], x, 4e-6, `the eye at t = ${table.time[i]}`));
        near(Math.hypot(eye[0] - 0.3, eye[1] + 0.7), table.length[i] / 1000, 4e-6, 'the length, which the result has in mm');
        // the wire of a coil adds some millimetres at its ends
        const below = point(file, spring, i, [0, 0, bounds.max[2]]);
        near(below[1], table['foot.y'][i] / 1000, 0.012, 'the lower end of the spring');
    }
    const red = file.json.materials.find(({ pbrMetallicRoughness: { baseColorFactor: [r, g] } }) => Math.abs(r - ((0xcc / 255 + 0.055) / 1.055) ** 2.4) < 1e-6 && g < 0.1);
    check(red, 'the colour of the foot');
    for (const name of ['arm', 'foot', 'ground', 'ram', 'spring']) check(named(file, name) > 0, `${name} is a node`);
});

// The mesh of a node, by its place among the nodes below another.
const below = (file, index, name) => file.json.nodes[index].children.find((k) => file.json.nodes[k].name === name);

writeFileSync('swing.yaml', `holonom: 1
name: swing
space: spatial
gravity: [0, 0, -9.81]
units: {length: mm, force: kN}
bodies:
  arm: {mass: 2.3, inertia: [0.02, 0.3, 0.29], along: [[0, 0, 0], [0.9, 0.1, 0.2]]}
  bob: {mass: 1.1, inertia: [0.01, 0.02, 0.03], position: [1.2, 0.3, 0.2]}
joints:
  A: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0.1, 1, 0]}
  B: {type: spherical, bodies: [arm, bob], at: [0.9, 0.1, 0.2]}
forces:
  spring: {type: spring, bodies: [arm, ground], from: [0.9, 0.1, 0.2], to: [1, 0, 1.4], stiffness: 60, free_length: 0.7}
measures:
  bob: {type: position, body: bob}
  pin: {type: reaction, joint: A}
  pull: {type: load, force: spring, quantity: force}
simulation: {end: 2}
`);

writeFileSync('skid.yaml', `holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  disc: {mass: 2.3, inertia: 0.012, position: [0.2, 0.1], velocity: [1.4, 0]}
forces:
  touch: {type: contact_plane, bodies: [ground, disc], plane: [0, 0], normal: [0, 1], point: [0.2, 0.1], radius: 0.1, stiffness: 1e6, exponent: 1, dissipation: linear, damping: 2e3, friction: 0.3, slip_speed: 0.02}
measures:
  place: {type: load, force: touch, quantity: place}
simulation: {end: 1, tolerance: 1e-6, output: 0.02}
`);

await test('the force of a contact is an arrow at the place of contact, without a moment', async () => {
    holonom('run', 'skid.yaml', '-o', 'skid.h5', '-q');
    holonom('animate', 'skid.h5', '-o', 'skid.glb', '-q', '--show', 'forces');
    const file = read('skid.glb');
    const table = columns('skid.h5', 'place.x', 'place.y');
    const arrow = named(file, 'force of touch');
    check(arrow > 0 && !(named(file, 'moment of touch') >= 0), 'an arrow and no moment');
    for (let i = 5; i < table.time.length; i += 7) {
        near(pose(file, arrow, i).translation[0], table['place.x'][i], 1e-5, `x of the arrow at t = ${table.time[i]}`);
        near(pose(file, arrow, i).translation[1], table['place.y'][i], 1e-5, `y of the arrow at t = ${table.time[i]}`);
    }
    check(Math.abs(table['place.x'].at(-1) - 0.2) > 0.5, 'the disc has gone on');
});

await test('arrows have the direction and the length of reactions and forces; trails go through measured points', async () => {
    holonom('run', 'swing.yaml', '-o', 'swing.h5', '-q');
    holonom('animate', 'swing.h5', '-o', 'swing.glb', '-q', '--show', 'trails,reactions,forces');
    await valid('swing.glb');
    const file = read('swing.glb');
    const { extras } = file.json.nodes[0];
    const table = columns('swing.h5', 'bob.x', 'bob.y', 'bob.z', 'pin.fx', 'pin.fy', 'pin.fz', 'pull.x', 'pull.y', 'pull.z');
    const pin = named(file, 'reaction of A');
    const spring = named(file, 'force of spring');
    check(pin > 0 && spring > 0 && named(file, 'reaction moment of A') > 0, 'arrows of the joint and the spring');
    // shaft: its length is the scale of a cylinder of length 1; a head of 2.6 widths keeps its size
    const length = (index, i) => {
        const shaft = pose(file, below(file, index, 'shaft'), i);
        const head = below(file, index, 'head');
        const cone = file.json.accessors[file.json.meshes[file.json.nodes[head].mesh].primitives[0].attributes.POSITION];
        near(pose(file, head, i).translation[2], shaft.scale[2], 2e-6, 'the head is at the end of the shaft');
        return shaft.scale[2] + pose(file, head, i).scale[2] * cone.max[2];
    };
    let compared = 0;
    const longest = Math.max(...table.time.map((_, i) => length(pin, i)));
    for (let i = 0; i < table.time.length; i += 23) {
        const force = ['pin.fx', 'pin.fy', 'pin.fz'].map((name) => 1000 * table[name][i]);
        const size = Math.hypot(...force);
        const drawn = length(pin, i);
        const along = turn(pose(file, pin, i).rotation, [0, 0, 1]);
        force.forEach((f, k) => near(along[k], f / size, 4e-6, `the direction of the reaction at t = ${table.time[i]}`));
        if (drawn < longest - 1e-6) {
            near(drawn * extras.reaction_newtons_per_metre, size, 2e-5 * size, `the reaction at t = ${table.time[i]}`);
            compared += 1;
        }
        const pull = Math.hypot(...['pull.x', 'pull.y', 'pull.z'].map((name) => 1000 * table[name][i]));
        near(length(spring, i) * extras.force_newtons_per_metre, pull, 2e-3 + 2e-5 * pull, 'the force of the spring');
    }
    check(compared > 20, `${compared} arrows compared`);
    const line = file.json.meshes[file.json.nodes[named(file, 'trail of bob')].mesh].primitives[0];
    const trail = rows(file, line.attributes.POSITION);
    check(line.mode === 3 && line.indices === undefined && trail.length === table.time.length, 'a line through all records');
    for (let i = 0; i < trail.length; i += 31) ['bob.x', 'bob.y', 'bob.z'].forEach((name, k) => near(trail[i][k], table[name][i] / 1000, 1e-6, `${name} of the trail, in metres`));
});

await test('trails alone by default, nothing with none; a planar mechanism without measured points leaves that of a mass centre', async () => {
    const names = (...words) => {
        holonom('animate', ...words, '-o', 'shown.glb', '-q');
        return read('shown.glb').json.nodes.map((node) => node.name);
    };
    check(names('swing.h5').includes('trail of bob') && !names('swing.h5').some((name) => /^(reaction|force) of/.test(name)), 'the default');
    check(!names('swing.h5', '--show', 'none').some((name) => /^(trail|reaction|force) of/.test(name)), 'none');
    check(!names('swing.h5', '--show', 'forces').includes('trail of bob'), 'forces alone');
    check(names('four_bar.h5').includes('trail of coupler'), 'the coupler, which no joint holds to ground');
    await valid('shown.glb');
    holonom('animate', 'four_bar.h5', '-o', 'shown.glb', '-q', '--show', 'reactions');
    await valid('shown.glb');
    const wrong = spawnSync(program, ['animate', 'swing.h5', '-o', 'no.glb', '--show', 'shadows'], { encoding: 'utf8' });
    check(wrong.status === 2 && /shadows/.test(wrong.stderr), wrong.stderr);
    check(['axis x', 'axis y', 'axis z'].every((name) => names('swing.h5', '--show', 'axes').includes(name)), 'the axes of bodies');
    await valid('shown.glb');
});

await test('a mesh from a file keeps its corners; key frames by rate, from and to, speed', async () => {
    // a tetrahedron with corners of its own kind
    const corners = [[0, 0, 0], [0.31, 0, 0], [0, 0.27, 0], [0.05, 0.04, 0.23]];
    const faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    writeFileSync('part.obj', `${corners.map((p) => `v ${p.join(' ')}`).join('\n')}\n${faces.map((f) => `f ${f.map((i) => i + 1).join(' ')}`).join('\n')}\n`);
    writeFileSync('part.yaml', `holonom: 1
name: a part that falls
space: spatial
gravity: [0, 0, -9.81]
bodies:
  part: {mass: 1, inertia: [0.01, 0.012, 0.014], position: [0, 0, 1], omega: [0.3, 2, 0.1], draw: {type: mesh, file: part.obj, color: "#88aa22"}}
measures:
  x: {type: position, body: part}
simulation: {end: 2, output: 0.01}
`);
    holonom('run', 'part.yaml', '-o', 'part.h5', '-q');
    holonom('animate', 'part.h5', '-o', 'part.glb', '-q', '--rate', '10', '--from', '0.5', '--to', '1.5', '--speed', '0.5');
    const info = await valid('part.glb');
    check(info.totalTriangleCount === 4, `${info.totalTriangleCount} triangles`);
    const file = read('part.glb');
    const mesh = file.json.meshes[file.json.nodes[named(file, 'part')].mesh].primitives[0];
    const seen = rows(file, mesh.attributes.POSITION).map((p) => p.map((x) => x.toFixed(5)).join());
    for (const p of corners) check(seen.includes(p.map((x) => x.toFixed(5)).join()), `the corner ${p}`);
    // normals point outwards: away from the middle
    const middle = [0, 1, 2].map((k) => corners.reduce((sum, p) => sum + p[k] / 4, 0));
    const normals = rows(file, mesh.attributes.NORMAL);
    rows(file, mesh.attributes.POSITION).forEach((p, i) => check(normals[i].reduce((sum, x, k) => sum + x * (p[k] - middle[k]), 0) > 0, 'a normal points inwards'));
    // a second of the result at half the speed: two seconds with 10 key frames each
    const t = times(file);
    check(t.length === 21, `${t.length} key frames`);
    near(t[0], 0, 0, 'the first');
    near(t[20], 2, 1e-6, 'the last');
    check(file.json.nodes[0].extras.start === 0.5, 'the time of the first');
});

await test('what cannot be written is refused', async () => {
    const refused = (words, wanted) => {
        const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
        check(status !== 0 && wanted.test(stderr), `${words.join(' ')}: ${status} ${stderr}`);
    };
    refused(['animate', 'missing.h5', '-o', 'no.glb'], /missing\.h5/);
    refused(['animate', 'part.h5', '-o', '/nowhere/no.glb'], /nowhere/);
    refused(['animate', 'part.h5', '-o', 'no.glb', '--rate', '240', '--speed', '0.001'], /key frames are too many/);
    refused(['animate', 'part.h5', '-o', 'no.glb', '--strobe', '0.1'], /picture/);
    check(!readdirSync('.').includes('no.glb'), 'no file is left');
    check(statSync('part.glb').size > 1000, 'the other one is');
});

console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
