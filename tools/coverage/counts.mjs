// counts.mjs: what gcov counted, merged over all object files.
//
// A file that is compiled several times (src/common, headers) has the sum of its counts. Branches are told apart by their line, their
// function and their place among those of the line: the arms of `a && b` count one by one.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const BATCH = 40;

// All files below a folder that end in so.
function below(folder, end) {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(end))
        .map((entry) => join(entry.path ?? entry.parentPath, entry.name));
}

// What gcov says of some object files: one JSON text in a line for each.
function ask(gcov, notes) {
    const text = execFileSync(gcov, ['--json-format', '--stdout', '--branch-probabilities', ...notes], {
        encoding: 'utf8',
        maxBuffer: 1 << 30,
        stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.split('\n').filter(Boolean).map(JSON.parse);
}

// Add the counts of one line: the sum, whether it has a block that never ran, and its branches.
function addLine(lines, { line_number: number, count, unexecuted_block: skipped, function_name: name, branches }) {
    const line = lines.get(number) ?? { count: 0, whole: false, branches: new Map() };
    line.count += count;
    line.whole ||= count > 0 && !skipped;
    const known = line.branches.get(name) ?? [];
    branches.forEach((branch, i) => (known[i] = (known[i] ?? 0) + branch.count));
    if (known.length) line.branches.set(name, known);
    lines.set(number, line);
}

// The counts of all sources below `root` that were compiled in `build`: file → line → {count, whole, branches}.
export function readCounts(build, root, gcov = 'gcov') {
    const files = new Map();
    const notes = below(build, '.gcno').sort();
    if (!notes.length) throw new Error(`${build}: nothing here was built for coverage (cmake --preset coverage)`);
    for (let i = 0; i < notes.length; i += BATCH)
        for (const answer of ask(gcov, notes.slice(i, i + BATCH)))
            for (const { file, lines } of answer.files) {
                const name = relative(root, resolve(answer.current_working_directory, file));
                if (name.startsWith('..')) continue;
                if (!files.has(name)) files.set(name, new Map());
                for (const line of lines) addLine(files.get(name), line);
            }
    return files;
}

// Lines and branches of a file, and how many of them ran.
export function sum(lines) {
    const total = { lines: 0, linesRun: 0, branches: 0, branchesRun: 0 };
    for (const { count, branches } of lines.values()) {
        total.lines++;
        total.linesRun += count > 0;
        for (const counts of branches.values()) {
            total.branches += counts.length;
            total.branchesRun += counts.filter((n) => n > 0).length;
        }
    }
    return total;
}
