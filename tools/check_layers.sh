#!/bin/sh
# Check that the #include lines under src/ point downwards only.
#
#   check_layers.sh [root]       check the tree at root (the repository by default)
#   check_layers.sh --self-test  check the check, on scratch trees with and without violations
#
# The table says for each folder which folders it may include; public headers, <holonom/...>, are open
# to all. Each violation is printed as file:line: message; the exit status is 1 when there is one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

layers='
common:   common
base:     common base
math:     common base math
la:       common base la
model:    common base math la model
element:  common base math la model element
coords:   common base math la model element coords
compile:  common base math la model element coords compile
dyn:      common base math la model element coords kernel dyn
kernel:   common base la kernel
form:     common base math la model element coords dyn kernel form
correct:  common base la model dyn kernel correct
integ:    common base la integ
sim:      common base math la model element coords compile dyn kernel form correct integ sim
analysis: common base math la model element coords compile dyn kernel form correct integ sim analysis
io:       common base model sim io
report:   common base io report
fmu:      common base io fmu
sweep:    common base io sweep
cli:      common cli
'

# Print the violations under $1/src, sorted; succeed when there are none.
check() {
    root=$1
    [ -d "$root/src" ] || { echo "$root/src: there is no such folder"; return 1; }
    found=$(
        cd "$root"
        find src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort | while IFS= read -r file; do
            awk -v table="$layers" -v file="$file" '
                BEGIN {
                    n = split(table, lines, "\n")
                    for (i = 1; i <= n; i++) {
                        m = split(lines[i], words, " ")
                        if (m == 0) continue
                        folder = substr(words[1], 1, length(words[1]) - 1)
                        known[folder] = 1
                        for (j = 2; j <= m; j++) {
                            may[folder, words[j]] = 1
                            names[folder] = names[folder] " " words[j]
                        }
                    }
                    split(file, path, "/")
                    own = path[2]
                    if (!(own in known) || path[3] == "") {
                        print file ":1: this folder is not in the table of tools/check_layers.sh"
                        exit
                    }
                }
                # Any spelling the preprocessor takes: #include "x", # include "x", #  include <x>
                /^[ \t]*#[ \t]*include[ \t]*["<]/ {
                    line = $0
                    quoted = line ~ /include[ \t]*"/
                    sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", line)
                    sub(/[">].*$/, "", line)
                    if (line ~ /(^|\/)\.\.?\//) {
                        print file ":" NR ": \"" line "\": write the path from src/, without . or .."
                        next
                    }
                    split(line, part, "/")
                    if (!quoted && !(part[1] in known && part[2] != "")) next
                    if (part[1] == "holonom") next
                    if (part[2] == "") {
                        print file ":" NR ": \"" line "\": write \"" own "/" line "\""
                        next
                    }
                    if (!((own, part[1]) in may))
                        print file ":" NR ": \"" line "\": " own " may include only" names[own]
                }
            ' "$file"
        done
    )
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# A scratch tree with one file, src/$2, that contains the line $3; $1 is "good" or "bad", $4 what the message holds.
try() {
    rm -rf "$scratch/src"
    mkdir -p "$scratch/src/$(dirname "$2")"
    printf '/* opening */\n\n%s\n' "$3" >"$scratch/src/$2"
    if out=$(check "$scratch"); then got=good; else got=bad; fi
    tests=$((tests + 1))
    case $got:$1:$out in
    good:good:) ;;
    bad:bad:"src/$2"*"${4-}"*) ;;
    *)
        failed=$((failed + 1))
        echo "expected $1 but found $got: src/$2 with '$3'${out:+, said: $out}"
        ;;
    esac
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    tests=0 failed=0
    try good base/a.c '#include "base/a.h"'
    try good base/a.c '#include <holonom/status.h>'
    try good base/a.c '#include <stdio.h>'
    try good io/a_with_hdf5.c '#include <hdf5.h>'
    try good sim/a.c '#include "correct/a.h"'
    try good kernel/a.c '#include "la/csr.h"'
    try good cli/run.c '#include "cli/cli.h"'
    try good cli/run.c '#include "common/json.h"'
    try bad base/a.c '#include "la/csr.h"' ':3: "la/csr.h": base may include only common base'
    try bad common/a.c '#include "base/text.h"' ':3:'
    try bad base/a.c '  #  include "la/csr.h"' ':3:'
    try bad base/a.c '#include <la/csr.h>' ':3:'
    try bad kernel/a.h '#include "model/model.h"' ':3:'
    try bad integ/a.c '#include "dyn/dyn.h"' ':3:'
    try bad compile/a.c '#include "dyn/dyn.h"' ':3:'
    try bad io/a.c '#include "kernel/kernel.h"' ':3:'
    try bad cli/run.c '#include "base/context.h"' ':3:'
    try bad la/a.c '#include "../dyn/dyn.h"' 'without . or ..'
    try bad la/a.c '#include "csr.h"' 'write "la/csr.h"'
    try bad elsewhere/a.c '#include "base/a.h"' 'not in the table'
    try bad a.c '#include "base/a.h"' 'not in the table'
    echo "$((tests - failed)) of $tests trees judged as they should be"
    [ "$failed" -eq 0 ]
}

case ${1-} in
--self-test) self_test ;;
*)
    check "${1-$here/..}" || exit 1
    echo "all includes point downwards"
    ;;
esac
