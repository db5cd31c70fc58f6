// validate.mjs: every model file of the repository, and every example of the program, is valid under the schema; a file with a
// mistake of each kind is not. Strict: a schema that ajv does not understand to the last word is refused.
//
//   node validate.mjs REPOSITORY SCHEMA

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { parse } from 'yaml';

const [source, schemaFile] = process.argv.slice(2);
const ajv = new Ajv({ strictSchema: true, strictNumbers: true, strictTuples: true, strictTypes: false });

let count = 0, failed = 0;
function report(ok, name, words = '') {
    console.log(`${ok ? 'ok' : 'not ok'} ${++count} - ${name}`);
    if (!ok) failed += 1;
    for (const line of ok ? [] : words.split('\n')) console.log(`# ${line}`);
}

let validate;
try {
    validate = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
    report(true, 'the schema is one under strict rules');
} catch (error) {
    report(false, 'the schema is one under strict rules', String(error.message));
    console.log(`1..${count}`);
    process.exit(1);
}

const said = () => (validate.errors ?? []).map((e) => `${e.instancePath || '/'} ${e.message} ${JSON.stringify(e.params)}`).join('\n');
const read = (text) => parse(text, { merge: true });

// The files below a folder whose names end so, by their paths in the repository.
function* below(folder, ending) {
    for (const entry of readdirSync(join(source, folder), { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) yield* below(path, ending);
        else if (path.endsWith(ending)) yield path;
    }
}

// Claims and studies have forms of their own.
const isOther = (file) => file?.claims || (file?.factors && file?.responses);

const files = ['models', 'examples', 'bench', 'docs'].flatMap((folder) => [...below(folder, '.yaml')]);
report(files.length > 80, 'there are model files', `${files.length}`);
for (const path of files) {
    const file = read(readFileSync(join(source, path), 'utf8'));
    if (!isOther(file)) report(validate(file), path, said());
}

// Models and parts of models in the pages: a part has some sections, which a body and what a file begins with make whole, in the plane or in space.
const sections = Object.keys(JSON.parse(readFileSync(schemaFile, 'utf8')).properties);
const isPart = (x) => x && typeof x === 'object' && !Array.isArray(x) && Object.keys(x).some((key) => sections.includes(key));
const whole = (part, space) => (part.holonom ? part : { holonom: 1, space, ...(part.natural ? {} : { bodies: { rod: { mass: 1, inertia: 1 } } }), ...part });
const pages = ['README.md', ...below('docs', '.md'), ...below('examples', '.md')];
let blocks = 0;
for (const path of pages) {
    const words = [];
    for (const [, text] of readFileSync(join(source, path), 'utf8').matchAll(/^```yaml\n(.*?)^```/gms)) {
        let part;
        try {
            part = parse(text);
        } catch {
            continue; // several ways to write one key
        }
        if (!isPart(part) || isOther(part)) continue;
        blocks += 1;
        if (!['planar', 'spatial'].some((space) => validate(whole(part, space)))) words.push(`${text.split('\n').slice(0, 3).join(' | ')}: ${said()}`);
    }
    if (words.length) report(false, path, words.join('\n'));
}
report(blocks > 60, `models in the pages: ${blocks}`);

// Mistakes, as changes of a file that is right.
const right = read(readFileSync(join(source, 'models/four_bar.yaml'), 'utf8'));
const mistakes = {
    'an unknown section': (m) => { m.bodys = {}; },
    'an unknown key of a body': (m) => { Object.values(m.bodies)[0].mas = 1; },
    'an unknown type of a joint': (m) => { Object.values(m.joints)[0].type = 'hinge'; },
    'a joint without a type': (m) => { delete Object.values(m.joints)[0].type; },
    'an unknown key of a joint': (m) => { Object.values(m.joints)[0].att = [0, 0]; },
    'a space that is none': (m) => { m.space = '3D'; },
    'no space': (m) => { delete m.space; },
    'an unknown option': (m) => { m.simulation = { ...m.simulation, tol: 1e-6 }; },
    'a method that is none': (m) => { m.simulation = { ...m.simulation, method: 'lagrang' }; },
    'a body called ground': (m) => { m.bodies.ground = { mass: 1, inertia: 1 }; },
    'an addition to a joint without a section natural': (m) => { m.joints.extra = { cut: true }; },
    'a list of bodies': (m) => { m.bodies = []; },
};
for (const [name, change] of Object.entries(mistakes)) {
    const wrong = structuredClone(right);
    change(wrong);
    report(!validate(wrong), `${name} is refused`);
}
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
