// sketches.mjs: the sketches of the reference page, docs/images/elements/*.svg, from their descriptions in tools/sketches/.
//
//   node tools/sketches.mjs [FOLDER]   FOLDER is docs/images/elements of the repository unless it is given
//
// The sketch of an element is <section>-<name>.svg; that of a part of the page without elements of its own is <name>.svg. Files in
// the folder that belong to no description are removed. To add one, write an entry in the file of its family.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sheet } from './sketches/paper.mjs';
import * as pairs from './sketches/joints_pairs.mjs';
import * as directions from './sketches/joints_directions.mjs';
import * as links from './sketches/joints_links.mjs';
import * as coupled from './sketches/joints_coupled.mjs';
import * as rolling from './sketches/joints_rolling.mjs';
import * as push from './sketches/joints_push.mjs';
import * as forces from './sketches/forces.mjs';
import * as contacts from './sketches/forces_contact.mjs';
import * as drives from './sketches/forces_drive.mjs';
import * as measures from './sketches/measures.mjs';
import * as sections from './sketches/sections.mjs';

const families = [pairs, directions, links, coupled, rolling, push, forces, contacts, drives, measures, sections];
const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, '../docs/images/elements'));

const files = new Map();
for (const { section, sketches } of families)
    for (const [name, { words, parts }] of Object.entries(sketches)) {
        const file = `${section ? `${section}-` : ''}${name}.svg`;
        if (files.has(file)) throw new Error(`two sketches are called ${file}`);
        files.set(file, sheet(name.replaceAll('_', ' '), words, parts()));
    }

mkdirSync(folder, { recursive: true });
for (const old of readdirSync(folder)) if (old.endsWith('.svg') && !files.has(old)) rmSync(join(folder, old));
for (const [file, text] of files) writeFileSync(join(folder, file), text);
console.log(`${folder}: ${files.size} sketches`);
