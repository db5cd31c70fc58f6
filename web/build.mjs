// build.mjs: the pages from their sources, each in three pieces, as a C header.
//
//   node build.mjs --out FOLDER [--modules FOLDER/node_modules]
//
// holonom_page.h holds the arrays page_head, page_middle and page_tail, between which the program puts the data of results, and
// study_head … for studies. The policy in a page names its script and its style by their hashes, so that nothing else can run.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const option = (name, otherwise) => {
    const at = process.argv.indexOf(`--${name}`);
    return at > 0 ? resolve(process.argv[at + 1]) : otherwise;
};
const modules = option('modules', join(here, 'node_modules'));
const out = option('out', join(here, 'dist'));
const { build, transform } = createRequire(join(modules, 'x'))('esbuild');

// The pages: the name of their arrays, title, script, styles, and the libraries that are inside.
const pages = [
    { name: 'page', title: 'Holonom report', script: 'src/main.js', styles: [join(modules, 'uplot/dist/uPlot.min.css'), join(here, 'src/style.css')], libraries: ['three', 'uplot'] },
    { name: 'study', title: 'Holonom study', script: 'src/study/main.js', styles: [join(here, 'src/style.css'), join(here, 'src/study/study.css')], libraries: [] },
];

// The notices of libraries.
function bannerOf(libraries) {
    const notices = libraries.map((name) => {
        const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
        return `${name} ${version}\n\n${readFileSync(join(modules, name, 'LICENSE'), 'utf8').trim()}`;
    });
    return notices.length ? `/*!\nThis page contains:\n\n${notices.join('\n\n----\n\n').replaceAll('*/', '* /')}\n*/` : '';
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

// The three pieces of a page.
async function piecesOf({ title, script: entry, styles, libraries }) {
    const bundle = await build({
        entryPoints: [join(here, entry)],
        bundle: true, minify: true, write: false, format: 'iife', target: ['es2022'], charset: 'utf8', legalComments: 'none',
        nodePaths: [modules], logLevel: 'warning',
        // every text inside must keep clear of the end of the script element
        supported: { 'inline-script': false },
        banner: { js: bannerOf(libraries) },
    });
    const script = bundle.outputFiles[0].text;
    const sheet = styles.map((path) => readFileSync(path, 'utf8')).join('\n');
    const style = (await transform(sheet, { loader: 'css', minify: true })).code;
    if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the script or the style would end early');
    const policy = ["default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, 'img-src data: blob:', "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"].join('; ');
    const page = readFileSync(join(here, 'page.html'), 'utf8').replace('{{title}}', () => title)
        .replace('{{policy}}', () => policy).replace('{{style}}', () => style).replace('{{script}}', () => script);
    const [head, rest] = page.split('{{data}}');
    return [head, ...rest.split('{{bytes}}')];
}

function array(name, text) {
    const bytes = Buffer.from(text, 'utf8');
    const lines = [];
    for (let i = 0; i < bytes.length; i += 32) lines.push(bytes.subarray(i, i + 32).join(','));
    return `static const unsigned char ${name}[] = {\n${lines.join(',\n')}};\n`;
}

let header = '/* Written by web/build.mjs. */\n';
for (const page of pages) {
    const pieces = await piecesOf(page);
    header += ['head', 'middle', 'tail'].map((part, i) => array(`${page.name}_${part}`, pieces[i])).join('');
    console.log(`${page.name}: ${Math.round(pieces.join('').length / 1024)} KiB`);
}
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'holonom_page.h'), header);
