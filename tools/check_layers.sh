#!/bin/sh
# Check that includes and calls under src/ point downwards only.
#
#   check_layers.sh [root]            check the #include lines of the tree at root (the repository by default)
#   check_layers.sh --symbols BUILD   check what the object files under BUILD call
#   check_layers.sh --self-test       check the check, on scratch trees with and without violations
#
# The table says for each folder which folders it may include, and so whose functions it may call. Public headers,
# <holonom/...>, are open to all, but a call of a public function still has to point downwards: to a folder of the table
# or to one that those may call in turn; `public` allows the public functions of any folder but cli. Each violation is
# printed as file:line: message or file: message; the exit status is 1 when there is one. Elements, besides, read no nodes
# of a description: they get their parameters filled (model/fields.h).
set -eu

here=$(cd "$(dirname "$0")" && pwd)

layers='
common:   common
base:     common base
math:     common base math
la:       common base la
symbolic: common base symbolic
model:    common base math la model
element:  common base symbolic math la model element
coords:   common base symbolic math la model element coords
compile:  common base math la model element coords compile
dyn:      common base math la model element coords kernel dyn
kernel:   common base la kernel
form:     common base math la model element coords dyn kernel form
correct:  common base la model dyn kernel correct
integ:    common base la integ
sim:      common base math la model element coords compile dyn kernel form correct integ sim
schema:   common base math la model element coords compile sim schema
analysis: common base symbolic math la model element coords compile dyn kernel form correct integ sim analysis public
io:       common base model sim io
generate: common base symbolic math la model element coords compile dyn kernel form correct integ sim analysis io generate public
exchange: common base math model io exchange public
report:   common base io report public
fmu:      common base io generate fmu public
study:    common base math la model element coords compile dyn kernel form correct integ sim analysis io study public
cli:      common cli public
'

# The table as awk sees it: may[folder, other], names[folder], known[folder].
read_table='
    BEGIN {
        n = split(table, lines, "\n")
        for (i = 1; i <= n; i++) {
            m = split(lines[i], words, " ")
            if (m == 0) continue
            folder = substr(words[1], 1, length(words[1]) - 1)
            known[folder] = 1
            for (j = 2; j <= m; j++) {
                may[folder, words[j]] = 1
                if (words[j] != "public") names[folder] = names[folder] " " words[j]
            }
        }
    }
'

# ---- includes -------------------------------------------------------------------------------------------------------

# Print the violations under $1/src, sorted; succeed when there are none.
check() {
    root=$1
    [ -d "$root/src" ] || { echo "$root/src: there is no such folder"; return 1; }
    found=$(
        cd "$root"
        find src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort | while IFS= read -r file; do
            awk -v table="$layers" -v file="$file" "$read_table"'
                BEGIN {
                    split(file, path, "/")
                    own = path[2]
                    if (!(own in known) || path[3] == "") {
                        print file ":1: this folder is not in the table of tools/check_layers.sh"
                        exit
                    }
                }
                own == "element" && /hol__node|"model\/(read|node)\.h"/ {
                    print file ":" NR ": elements read no nodes; give the element a field (model/fields.h)"
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
    found=$found$(check_python "$root")
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# Print the violations of the Python module under $1/python/src: it includes public headers and its own, and names no internals.
check_python() {
    [ -d "$1/python/src" ] || return 0
    (cd "$1" && find python/src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort | while IFS= read -r file; do
        awk -v file="$file" -v table="$layers" "$read_table"'
            /hol__/ { print file ":" NR ": the Python module uses the public interface alone" }
            /^[ \t]*#[ \t]*include[ \t]*["<]/ {
                line = $0
                sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", line)
                sub(/[">].*$/, "", line)
                split(line, part, "/")
                if (line ~ /\.\.\// || part[1] in known)
                    print file ":" NR ": \"" line "\": the Python module may include only <holonom/...> and its own headers"
            }' "$file"
    done)
}

# ---- calls ----------------------------------------------------------------------------------------------------------

# The symbols of the objects under $1 whose source is still in $2: "file D symbol" (defined) and "file U symbol".
list_symbols() {
    find "$1" -type f -name '*.o' | LC_ALL=C sort | while IFS= read -r object; do
        source=$(printf '%s\n' "$object" | sed -n 's|.*/\(src/[a-z]*/[^/]*\.c\)\.o$|\1|p')
        [ -n "$source" ] && [ -f "$2/$source" ] || continue
        nm -P "$object" | awk -v source="$source" '
            $1 !~ /^hol_/ { next }
            $2 == "U" { print source, "U", $1; next }
            $2 ~ /^[A-TV-Z]$/ { print source, "D", $1 }
        '
    done
}

# Print the calls that point upwards in the list of symbols on standard input; succeed when there are none.
judge_symbols() {
    found=$(awk -v table="$layers" "$read_table"'
        # What a folder may call in turn: the closure of the table.
        BEGIN {
            for (pair in may) reach[pair] = 1
            for (again = 1; again;) {
                again = 0
                for (a in known) for (b in known) if ((a, b) in reach)
                    for (c in known) if ((b, c) in reach && !((a, c) in reach)) reach[a, c] = again = 1
            }
        }
        { split($1, path, "/") }
        $2 == "D" { home[$3] = path[2]; count++ }
        $2 == "U" { calls[++n_calls] = $1 " " path[2] " " $3 }
        END {
            if (!count) print "there are no object files of src/ to look at"
            for (i = 1; i <= n_calls; i++) {
                split(calls[i], call, " ")
                file = call[1]; own = call[2]; symbol = call[3]
                if (!(symbol in home)) continue
                to = home[symbol]
                good = symbol ~ /^hol__/ ? (own, to) in may : (own, to) in reach
                if (symbol !~ /^hol__/ && (own, "public") in may && to != "cli") good = 1
                if (!good) print file ": calls " symbol " of " to ", which is above " own
            }
        }
    ' | LC_ALL=C sort -u)
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

check_symbols() {
    list_symbols "$1" "$2" | judge_symbols
}

# ---- self-test ------------------------------------------------------------------------------------------------------

# Compare what was said ($3) and whether it was good or bad ($2) with what was expected ($1), for the case $4.
judge_case() {
    tests=$((tests + 1))
    case $2:$1:$3 in
    good:good:) ;;
    bad:bad:"$5"*"$6"*) ;;
    *)
        failed=$((failed + 1))
        echo "expected $1 but found $2: $4${3:+, said: $3}"
        ;;
    esac
}

# A scratch tree with one file, src/$2, that contains the line $3; $1 is "good" or "bad", $4 what the message holds.
try() {
    rm -rf "$scratch/src"
    mkdir -p "$scratch/src/$(dirname "$2")"
    printf '/* opening */\n\n%s\n' "$3" >"$scratch/src/$2"
    if out=$(check "$scratch"); then got=good; else got=bad; fi
    judge_case "$1" "$got" "$out" "src/$2 with '$3'" "src/$2" "${4-}"
}

# The same with the line $2 in a file of the Python module; $3 is what the message holds.
try_python() {
    rm -rf "$scratch/src" "$scratch/python"
    mkdir -p "$scratch/src" "$scratch/python/src"
    printf '%s\n' "$2" >"$scratch/python/src/a.c"
    if out=$(check "$scratch"); then got=good; else got=bad; fi
    judge_case "$1" "$got" "$out" "python/src/a.c with '$2'" "python/src/a.c" "${3-}"
    rm -rf "$scratch/python"
}

# Two object files, made from C: src/$2 with the text $3 and src/$4 with the text $5; $6 is what the message holds.
try_call() {
    rm -rf "$scratch/src" "$scratch/build"
    for pair in "$2|$3" "$4|$5"; do
        file=${pair%%|*}
        mkdir -p "$scratch/src/$(dirname "$file")" "$scratch/build/src/$(dirname "$file")"
        printf '%s\n' "${pair#*|}" >"$scratch/src/$file"
        ${CC:-cc} -c "$scratch/src/$file" -o "$scratch/build/src/$file.o"
    done
    if out=$(check_symbols "$scratch/build" "$scratch"); then got=good; else got=bad; fi
    judge_case "$1" "$got" "$out" "src/$2 against src/$4" "src/$2" "${6-}"
}

self_test_calls() {
    call='void hol__f(void); void hol__g(void) { hol__f(); }' give='void hol__f(void) {}'
    public='void hol_f(void); void hol_g(void) { hol_f(); }' offer='void hol_f(void) {}'
    try_call good sim/a.c "$call" dyn/b.c "$give"
    try_call bad dyn/a.c "$call" sim/b.c "$give" 'calls hol__f of sim, which is above dyn'
    try_call bad model/a.c "$public" sim/b.c "$offer" 'calls hol_f of sim'
    try_call bad compile/a.c "$public" io/b.c "$offer" 'calls hol_f of io'
    try_call good io/a.c "$public" dyn/b.c "$offer"
    try_call bad io/a.c "$call" dyn/b.c "$give" 'calls hol__f of dyn'
    try_call good cli/a.c "$public" sim/b.c "$offer"
    try_call bad cli/a.c "$call" sim/b.c "$give" 'calls hol__f of sim'
    try_call bad report/a.c "$public" cli/b.c "$offer" 'calls hol_f of cli'
    try_call bad kernel/a.c 'extern int hol__x; int *hol__p = &hol__x;' form/b.c 'int hol__x = 1;' 'calls hol__x of form'
    # an object whose source is gone says nothing, and no objects at all are a mistake
    rm "$scratch/src/kernel/a.c"
    if out=$(check_symbols "$scratch/build" "$scratch"); then got=good; else got=bad; fi
    judge_case good "$got" "$out" 'an object without its source' '' ''
    rm -rf "$scratch/build"
    mkdir "$scratch/build"
    if out=$(check_symbols "$scratch/build" "$scratch"); then got=good; else got=bad; fi
    judge_case bad "$got" "$out" 'no objects' 'there are no object files' ''
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    tests=0 failed=0
    try good base/a.c '#include "base/a.h"'
    try bad element/a.c 'hol__node *item;' 'elements read no nodes'
    try bad element/a.c '#include "model/read.h"' 'elements read no nodes'
    try good model/a.c 'hol__node *item;'
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
    try_python good '#include <holonom/sim.h>'
    try_python good '#include "core.h"'
    try_python bad '#include "base/context.h"' 'may include only <holonom/...>'
    try_python bad '#include "../../src/base/context.h"' 'may include only <holonom/...>'
    try_python bad 'int x = hol__f();' 'the public interface alone'
    self_test_calls
    echo "$((tests - failed)) of $tests trees judged as they should be"
    [ "$failed" -eq 0 ]
}

case ${1-} in
--self-test) self_test ;;
--symbols)
    check_symbols "${2:?give the build folder}" "$here/.." || exit 1
    echo "all calls point downwards"
    ;;
*)
    check "${1-$here/..}" || exit 1
    echo "all includes point downwards"
    ;;
esac
