// coverage.mjs: what the tests run of the sources, as a page: lines and branches by folder, the files with the most branches that no
// test takes, and the messages that no test produces.
//
//   node tools/coverage.mjs BUILD            the page, on standard output, from a build of the preset coverage whose tests ran
//   node tools/coverage.mjs BUILD FILE...    instead each line of these files that did not run, or of which some branch was not taken
//   node tools/coverage.mjs --self-test CC   check this tool on a small program
//
// gcov, which comes with gcc, reads the counters. Nothing is left out of the count: there are no marks for lines that need no test.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCounts, sum } from './coverage/counts.mjs';
import { findMessages, wasGiven } from './coverage/messages.mjs';

const LEAST = 20;
const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : '–');
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

// The counts of our own sources.
function ours(build, root, gcov) {
    return new Map([...readCounts(build, root, gcov)].filter(([name]) => name.startsWith('src/')).sort(([a], [b]) => (a < b ? -1 : 1)));
}

// All C sources below src/, name → text.
function sources(root) {
    return new Map(
        readdirSync(join(root, 'src'), { recursive: true })
            .filter((name) => name.endsWith('.c'))
            .sort()
            .map((name) => [`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')]),
    );
}

// The messages of the files that were compiled, and those of them that no test produced.
function messages(counts, root) {
    const all = findMessages(new Map([...sources(root)].filter(([name]) => counts.has(name))));
    return { all, silent: all.filter((message) => !wasGiven(message, counts.get(message.file))) };
}

// Sums by the first two parts of the names.
function folders(counts) {
    const found = new Map();
    for (const [name, lines] of counts) {
        const folder = name.split('/').slice(0, 2).join('/');
        const total = found.get(folder) ?? { lines: 0, linesRun: 0, branches: 0, branchesRun: 0 };
        const own = sum(lines);
        for (const key in total) total[key] += own[key];
        found.set(folder, total);
    }
    return found;
}

const row = (name, t) =>
    `| ${name} | ${t.lines} | ${percent(t.linesRun, t.lines)} | ${t.branches} | ${percent(t.branchesRun, t.branches)} |`;

// The page.
function page(counts, root) {
    const out = [readFileSync(join(root, 'tools/coverage/head.md'), 'utf8').trimEnd(), ''];
    const total = { lines: 0, linesRun: 0, branches: 0, branchesRun: 0 };
    out.push('| folder | lines | run | branches | taken |', '|---|---|---|---|---|');
    for (const [name, t] of folders(counts)) {
        out.push(row(`\`${name}\``, t));
        for (const key in total) total[key] += t[key];
    }
    out.push(row('all', total), '', '## Where most branches are not taken', '');
    out.push('| file | lines | run | branches | taken |', '|---|---|---|---|---|');
    const left = (t) => t.branches - t.branchesRun;
    const files = [...counts].map(([name, lines]) => [name, sum(lines)]).sort(([, a], [, b]) => left(b) - left(a));
    for (const [name, t] of files.slice(0, LEAST)) out.push(row(`\`${name}\``, t));
    const { all, silent } = messages(counts, root);
    out.push('', '## Messages without a test', '');
    out.push(`${all.length} calls in the sources give a message; no test produces ${silent.length} of them.`);
    if (silent.length) out.push('', '| place | text |', '|---|---|');
    for (const { file, line, text } of silent) out.push(`| \`${file}:${line}\` | ${cell(text)} |`);
    return `${out.join('\n')}\n`;
}

// Each line of some files that did not run, or of which some branch was not taken.
function details(counts, root, names) {
    for (const name of names) {
        const text = readFileSync(join(root, name), 'utf8').split('\n');
        for (const [number, { count, branches }] of [...(counts.get(name) ?? [])].sort(([a], [b]) => a - b)) {
            const taken = [...branches.values()].flat().map((n) => (n > 0 ? '+' : '-')).join('');
            if (count === 0 || taken.includes('-')) console.log(`${name}:${number}: ${count ? taken : 'not run'}: ${text[number - 1].trim()}`);
        }
    }
}

// ---- the check of this tool ----

const SAMPLE = `
int hol__report(int ctx, const char *format, ...);
int hol__report(int ctx, const char *format, ...) { return ctx + (format[0] == 'x'); }
/* hol__report(0, "in a comment") */
static int refuse(int ctx, const char *why) { return hol__report(ctx, "refused: %s", why); }
volatile int heard; int hol__vreport(int ctx, const char *format, int list);
int hol__vreport(int ctx, const char *format, int list) { heard = list; return ctx + list + !format; }
static int listed(int ctx, const char *format, ...) { return hol__vreport(ctx, format, 3); }
int main(int argc, char **argv) {
    (void)argv, listed(argc, "said by a list");
    if (argc > 1 && argc < 3)
        return hol__report(argc, "never said");
    if (argc > 5) return refuse(argc, "never said \\"in\\" one line");
    return refuse(
        argc - 1,
        "said at last") != 0;
}
`;

function selfTest(cc) {
    const root = mkdtempSync(join(tmpdir(), 'coverage-'));
    const expect = (what, got, wanted) => {
        if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
    };
    try {
        mkdirSync(join(root, 'src/part'), { recursive: true });
        mkdirSync(join(root, 'build'));
        writeFileSync(join(root, 'src/part/sample.c'), SAMPLE);
        const build = join(root, 'build');
        execFileSync(cc, ['-O1', '-fno-inline', '--coverage', '-c', join(root, 'src/part/sample.c'), '-o', 'sample.o'], { cwd: build });
        execFileSync(cc, ['--coverage', 'sample.o', '-o', 'sample'], { cwd: build });
        const untouched = ours(build, root, 'gcov');
        expect('lines run before the program', sum(untouched.get('src/part/sample.c')).linesRun, 0);
        execFileSync(join(build, 'sample'), { cwd: build });
        const counts = ours(build, root, 'gcov');
        const total = sum(counts.get('src/part/sample.c'));
        // of argc > 1, argc < 3 (which gcc makes one comparison) and argc > 5 one arm each
        expect('branches', [total.branches, total.branchesRun], [4, 2]);
        expect('a line of a branch that was not taken', counts.get('src/part/sample.c').get(12).count, 0);
        const { all, silent } = messages(counts, root);
        expect('messages', all.map((m) => m.text), ['refused: %s', 'said by a list', 'never said', 'never said \\"in\\" one line', 'said at last']);
        expect('messages without a test', silent.map((m) => m.line), [12, 13]);
        console.log('the coverage tool counts lines, branches and messages');
    } finally {
        rmSync(root, { recursive: true });
    }
}

const [first, ...rest] = process.argv.slice(2);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
if (first === '--self-test') selfTest(rest[0] ?? 'gcc');
else if (!first) throw new Error('give the folder of a build of the preset coverage');
else {
    const counts = ours(first, root, 'gcov');
    if (rest.length) details(counts, root, rest);
    else process.stdout.write(page(counts, root));
}
