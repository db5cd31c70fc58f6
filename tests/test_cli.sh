#!/bin/sh
# The program from end to end: help, tables, wrong use, wrong models, `check`.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# ---- without a model ------------------------------------------------------------------------------------------------

version() {
    run 0 version
    same "$(cat out)" "$(head -n 1 "$scratch/features")" "the version"
    has out '^holonom [0-9]*\.[0-9]*\.[0-9]*$'
    cp out first
    run 0 --version
    same "$(cat out)" "$(cat first)" "--version"
    is_empty err
    for part in suitesparse hdf5 fyaml cairo sundials nlopt cminpack xml2 zip mpi; do has "$scratch/features" "^ *$part  *[yn][eo]s*  *[a-z]"; done
    run 0 version --json
    is_json out
}
try version "version and features"

help() {
    run 0 help
    is_empty err
    cp out all
    run 0 --help
    cmp -s out all || wrong "help and --help differ"
    for code in 0 1 2 3 4 5 6 7 130; do has all "^  ${code}[ ,]"; done
    for command in run check methods options elements schema results help version; do
        has all "^  $command "
        run 0 help $command
        has out "^holonom $command"
        is_empty err
        cp out one
        run 0 $command --help
        cmp -s out one || wrong "help $command and $command --help differ"
    done
    run 0 help run
    for option in output set method step tol end json quiet; do has out "--$option"; done
    has out '^  tolerance  *1e-'
    run 2 help rnu
    has err "did you mean 'run'"
}
try help "help of the program and of every command"

wrong_use() {
    run 2
    is_empty out
    has err '^Commands:'
    run 2 rnu
    has err "no command 'rnu'; did you mean 'run'"
    run 2 qqqqqqqq
    lacks err 'did you mean'
    run 2 four_bar.yaml
    has err "did you mean 'holonom run four_bar.yaml'"
    run 2 run x.yaml --metod lagrange
    has err "no option '--metod'; did you mean '--method'"
    run 2 run x.yaml --jsn
    has err "did you mean '--json'"
    run 2 run x.yaml -Z
    has err "no option '-Z'"
    run 2 run x.yaml --method
    has err "'--method' needs a value"
    run 2 run x.yaml --output --json
    has err "'--output' needs a value"
    run 2 run x.yaml --quiet=yes
    has err "'--quiet' takes no value"
    run 2 run
    has err 'MODEL is missing'
    run 2 run x.yaml y.yaml
    has err "'y.yaml' is one argument too many"
    run 2 methods everything
    run 2 elements revolut
    has err "did you mean 'revolute'"
    is_empty out
}
try wrong_use "wrong use: exit code 2, a suggestion, nothing on stdout"

wrong_use_json() {
    run 2 run x.yaml --json --metod lagrange
    is_json out
    same "$(field out status)" '"HOL_ERR_ARGUMENT"' status
    same "$(list out errors)" "error: there is no option '--metod'; did you mean '--method'?" errors
    run 2 rnu --json
    is_json out
}
try wrong_use_json "wrong use with --json: one object"

tables() {
    run 0 methods
    for name in lagrange baumgarte direct-correction kkt schur rk4 dop853; do has out "^  $name "; done
    run 0 methods --json
    is_json out
    has out '"name": "direct-correction"'
    run 0 options
    has out '^tolerance  *1e-'
    run 0 options --json
    is_json out
    run 0 elements
    for name in revolute prismatic spring position; do has out "^  $name "; done
    cp out list
    run 0 elements --json
    is_json out
    same "$(grep -c '^      "section":' out)" "$(grep -c '^  [a-z_]*  *[A-Z]' list)" "the number of elements"
    run 0 elements distance
    has out '^joints: distance'
    has out '^measures: distance'
    has out '^    length '
    run 0 elements joints
    has out '^  revolute '
    lacks out '^  spring '
    run 0 elements bodies
    has out '^    inertia_at '
    run 0 elements shapes
    has out '^    type .*: box, cylinder'
    run 0 elements force
    has out '^    frame  *choice: global, body; default global'
    run 0 elements revolute
    has out '^    axis  *direction; required (in space)'
    run 0 schema
    is_json out
    has out '"\$schema"'
    run 0 schema --markdown
    has out '^# '
}
try tables "methods, options, elements, schema"

# Every element prints its keys, its equations and, last, an example that runs as it is printed.
examples() {
    built fyaml || exit 77
    run 0 elements
    grep -E '^(joints|forces|measures)$|^  [a-z_]+( |$)' out | grep -v 'their keys' >names
    n=0
    section=
    while read -r name rest; do
        case $name in joints | forces | measures) section=$name && continue ;; esac
        run 0 elements "$section.$name"
        has out "^$section: $name"
        has out '^  keys$'
        [ "$section" = measures ] || has out '^  equations$'
        sed -n '/^holonom: 1/,$p' out >example.yaml
        same "$(head -n 1 example.yaml)" 'holonom: 1' "the first line of the example of $name"
        run 0 run example.yaml -q --no-output
        is_empty err
        n=$((n + 1))
    done <names
    same $n "$("$program" elements --json | grep -c '^      "section":')" "the number of examples"
}
try examples "elements: every example runs as it is printed"

stdout_lost() {
    [ -c /dev/full ] || exit 77
    for words in help "help run" methods elements schema options; do
        got=0
        # shellcheck disable=SC2086 # words are split
        "$program" $words >/dev/full 2>err || got=$?
        same $got 4 "the exit code of '$words' on a full disk"
        has err 'cannot write to standard output'
    done
    got=0
    "$program" help >&- 2>err || got=$?
    same $got 4 "the exit code with stdout closed"
    # More than a pipe holds, to a reader that leaves at once.
    { { "$program" schema; "$program" schema --markdown; "$program" elements --json; echo $? >code; } 2>err | :; } 2>&1
    same "$(cat code)" 4 "the exit code of a broken pipe"
    is_empty err
}
try stdout_lost "output that cannot be written: exit code 4"

without_fyaml() {
    ! built fyaml || exit 77
    pendulum >p.yaml
    run 6 run p.yaml --json
    is_json out
    same "$(field out status)" '"HOL_ERR_FEATURE"' status
    run 6 check p.yaml
    has err 'libfyaml'
}
try without_fyaml "without libfyaml: exit code 6"

# ---- wrong models ---------------------------------------------------------------------------------------------------

wrong_settings() {
    need fyaml
    pendulum >p.yaml
    run 3 run p.yaml --method lagrnge
    has err "^--method: error: .*did you mean 'lagrange'"
    run 3 run p.yaml --set lfit=1
    has err "^--set: error: 'lfit' .*did you mean 'lift'"
    run 3 run p.yaml --tol 7
    has err '^--tol: error: '
    run 3 run p.yaml --end=-1
    has err '^--end: error: '
    run 3 run p.yaml --integrator rk4
    has err 'step'
    run 2 run p.yaml --set lift
    has err 'KEY=VALUE'
    for file in *.h5 *.csv; do is_absent "$file"; done
}
try wrong_settings "wrong settings: exit code 3 and no files"

places() {
    need fyaml
    broken >b.yaml
    run 3 run b.yaml
    is_empty out
    for place in 5:15 6:21 7:24 8:44 9:24; do has err "^b.yaml:$place: error: "; done
    same "$(grep -c ': error: ' err)" 5 "the number of errors"
    has err "did you mean 'inertia'"
    # after each message the line of the file, and a caret in its column (awk may count bytes: both lines are cut alike)
    awk '
        /^b.yaml:[0-9]+:[0-9]+: error: / { split($0, part, ":"); line = part[2]; column = part[3]; next }
        /^ *[0-9]+ \| / {
            while ((getline text < "b.yaml") > 0) if (++n == line) break
            close("b.yaml"); n = 0
            if ($1 != line || substr($0, 10) != text) { print "line " line " is shown as " $0; exit 1 }
            next
        }
        /^ *\| *\^$/ { carets++; if (index($0, "^") - 9 != column) { print "caret of line " line ": " $0; exit 1 } }
        END { if (carets != 5) { print carets " carets"; exit 1 } }' err >>wrong
    printf 'bodies:\t[\n' >t.yaml
    run 3 check t.yaml
    has err '^t.yaml:[0-9]*:[0-9]*: error: '
    # a long line is shown in part
    pendulum | awk '/^space:/ { printf "space:%200splanr   # %300s\n", "", "and more"; next } { print }' >long.yaml
    run 3 check long.yaml
    has err '^long.yaml:3:207: error: '
    has err '^     3 | .*planr'
    awk 'length($0) > 300 { exit 1 }' err || wrong "the line is shown whole"
}
try places "errors: all of them, with line, column and the line itself"

failure_json() {
    need fyaml
    broken >b.yaml
    run 3 run b.yaml --json
    is_json out
    same "$(field out status)" '"HOL_ERR_INPUT"' status
    same "$(list out errors | wc -l | tr -d ' ')" 5 "the number of errors"
    has out '"b.yaml:5:15: error: '
    run 4 run nowhere.yaml --json
    is_json out
    same "$(field out status)" '"HOL_ERR_IO"' status
    run 3 check b.yaml --json
    is_json out
    pendulum | sed 's/^name: .*/name: "quoted \\"name\\" \\\\ \\t ä"/' >q.yaml
    run 0 run q.yaml --json --no-output
    is_json out
    printf 'x: \377\n' >"$(printf 'bad\377.yaml')"
    run 3 run "$(printf 'bad\377.yaml')" --json
    is_json out
}
try failure_json "--json after a failure: one object"

files_missing() {
    need fyaml
    run 4 run nowhere.yaml
    has err "nowhere.yaml"
    run 4 check nowhere.yaml
    run 4 run .
    pendulum | awk '/^name:/ { print "include: nowhere.yaml" } { print }' >i.yaml
    run 4 run i.yaml
    has err '^i.yaml:2:10: error: .*nowhere.yaml'
}
try files_missing "a model that cannot be read: exit code 4"

assembly() {
    need fyaml
    apart >a.yaml
    run 5 run a.yaml
    has err "^a.yaml:[0-9]*:3: error: joint '"
    is_empty out
    is_absent a.h5
    is_absent a.csv
    run 5 check a.yaml --json
    is_json out
    same "$(field out status)" '"HOL_ERR_ASSEMBLY"' status
}
try assembly "a mechanism that cannot be assembled: exit code 5"

# ---- check ----------------------------------------------------------------------------------------------------------

check_models() {
    need fyaml
    doubled >d.yaml
    run 0 check d.yaml --coordinates reference
    has out '^bodies  *1: rod$'
    has out '^joints  *2: pivot, again$'
    has out '^constraints  *4, of which 2 independent$'
    has out '^degrees of freedom  *1$'
    has out "^redundant  *joint 'again', translation x$"
    has out "^  *joint 'again', translation y$"
    has out '^reactions not unique  *pivot, again$'
    has out '^result  *the model can run$'
    has err '^warning: .*redundant'
    run 0 check d.yaml --json --coordinates reference
    is_json out
    same "$(field out rank)" 2 rank
    same "$(field out dof)" 1 dof
    same "$(field out constraints)" 4 constraints
    same "$(grep -c "\"element\": \"joint 'again'\"" out)" 2 "the redundant rows"
    same "$(list out not_unique | tr '\n' ' ')" 'pivot again ' not_unique
    for file in *.h5 *.csv; do is_absent "$file"; done
    pendulum >p.yaml
    run 0 check p.yaml --set lift=0.4
    has out '^redundant  *none$'
    apart >a.yaml
    run 5 check a.yaml
    has out '^result  *the model cannot run$'
}
try check_models "check: degrees of freedom and redundant constraints by name"

all_models() {
    need fyaml
    for model in "${HOLONOM_MODELS:-/nowhere}"/*.yaml; do
        [ -e "$model" ] || exit 77
        run 0 check "$model" --json
        is_json out
    done
}
try all_models "check: every model of models/"

finish
