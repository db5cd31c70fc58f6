#!/bin/sh
# What editors get: messages in parts with the range of what they are about, snippets that are model files when they are filled in, and the
# line that names the schema.
set -u

source=${HOLONOM_SOURCE:?}
program=${HOLONOM_PROGRAM:?}
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
command -v node >/dev/null 2>&1 || {
    echo "1..0 # SKIP no node"
    exit 0
}
"$program" version --features | grep -q '^ *fyaml *yes' || {
    echo "1..0 # SKIP not built with fyaml"
    exit 0
}
echo 1..4

# 1: the range of each message is the text that it is about
cat >"$scratch/bad.yaml" <<'YAML'
holonom: 1
space: planar
gravity: [0, -9.81]
parameters:
  L: 600 mn              # no such unit
bodies:
  rod: {mass: -2.5, inertia: 0.3, along: [[0, 0], [1, 0]]}
  λ-rod: {mass: 1, inertia: "0.1*Q", colour: red}
joints:
  hinge: {type: revolut, bodies: [ground, rod], at: [0, 0]}
  slide:
    type: prismatic
    bodies: [ground, rood]
    at: [0, 0]
    axis: [0, 0]
YAML
"$program" check "$scratch/bad.yaml" --json >"$scratch/said.json" 2>/dev/null
cat >"$scratch/ranges.mjs" <<'JS'
import { readFileSync } from 'node:fs'
const [file, said] = process.argv.slice(2)
const lines = readFileSync(file, 'utf8').split('\n')
for (const d of JSON.parse(readFileSync(said, 'utf8')).diagnostics) {
    if (d.line === undefined) continue
    const text = [...lines[d.line - 1]].slice(d.column - 1, d.end_column - 1).join('')
    console.log(`${d.line} ${d.severity} ${d.element ?? '-'} ${d.line === d.end_line ? text : '(several lines)'}`)
}
JS
node "$scratch/ranges.mjs" "$scratch/bad.yaml" "$scratch/said.json" | LC_ALL=C sort -n >"$scratch/found"
cat >"$scratch/expected" <<'TEXT'
5 error parameter 'L' mn
7 error body 'rod' -2.5
8 error body 'λ-rod' Q
8 error body 'λ-rod' colour
10 error joint 'hinge' revolut
13 error joint 'slide' rood
15 error joint 'slide' [0, 0]
TEXT
diff "$scratch/expected" "$scratch/found" >"$scratch/wrong"
result 1 "ranges of messages"

# 2: snippets are those of the program, and each names its element
"$program" schema --snippets >"$scratch/snippets.json"
cmp "$scratch/snippets.json" "$source/docs/holonom.code-snippets" >"$scratch/wrong" 2>&1
result 2 "docs/holonom.code-snippets is what the program makes (./dev docs)"

# 3: filled in as they stand, snippets are the examples of their elements, and the first one is a model that runs
cat >"$scratch/fill.mjs" <<'JS'
import { readFileSync, writeFileSync } from 'node:fs'
const [snippets, elements, model] = process.argv.slice(2)
const fill = body => body.join('\n')
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, (_, text) => text.replace(/\\(.)/g, '$1'))
    .replace(/\\\$/g, '$')
const all = JSON.parse(readFileSync(snippets, 'utf8'))
writeFileSync(model, fill(all.model.body) + '\n')
const flat = text => text.replace(/\s+/g, ' ')
let n = 0
for (const e of JSON.parse(readFileSync(elements, 'utf8')).elements) {
    const name = `${e.section.slice(0, -1)}: ${e.name}`, snippet = all[name]
    if (!snippet) console.log(`no snippet for ${name}`)
    else if (!snippet.body.join('').includes('${1:')) console.log(`${name} has no place to fill in`)
    else if (!flat(e.example).includes(flat(fill(snippet.body)))) console.log(`${name}: ${fill(snippet.body)}`)
    n++
}
if (n < 60 || n + 1 !== Object.keys(all).length) console.log(`${n} elements, ${Object.keys(all).length} snippets`)
JS
"$program" elements --json >"$scratch/elements.json"
node "$scratch/fill.mjs" "$scratch/snippets.json" "$scratch/elements.json" "$scratch/model.yaml" >"$scratch/wrong"
"$program" run "$scratch/model.yaml" -q --no-output >/dev/null 2>>"$scratch/wrong"
result 3 "snippets are examples that are right, with places to fill in" $?

# 4: the line on top of a model file
line=$("$program" schema --modeline)
schema=${line#\# yaml-language-server: \$schema=}
[ "$schema" != "$line" ] && cmp "$schema" "$source/docs/model-file.schema.json" >>"$scratch/wrong" 2>&1 || echo "$line" >>"$scratch/wrong"
(echo "$line" && cat "$source/models/four_bar.yaml") >"$scratch/four_bar.yaml"
"$program" check "$scratch/four_bar.yaml" -q >/dev/null 2>>"$scratch/wrong"
result 4 "the line that tells editors the schema" $?
exit $failed
