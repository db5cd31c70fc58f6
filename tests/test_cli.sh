#!/bin/sh
# The program from end to end: what it prints, what it writes, what it returns. Reports in TAP.
#
# HOLONOM_PROGRAM is the program. Each case runs in a folder of its own. What the build lacks (HDF5, libfyaml) or the
# machine (script, timeout, /dev/full) is skipped, and said to be.
set -u

program=${HOLONOM_PROGRAM:?names the program to test}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
unset NO_COLOR
export TERM=xterm
tests=0 failed=0

# ---- the harness ----------------------------------------------------------------------------------------------------

# Run the case $1, a function, described by the other words; a line in the file `wrong` of its folder fails it, 77 skips.
try() {
    tests=$((tests + 1))
    folder=$scratch/$tests
    mkdir "$folder"
    function=$1
    shift
    status=0
    (cd "$folder" && "$function") || status=$?
    if [ -s "$folder/wrong" ] || { [ $status -ne 0 ] && [ $status -ne 77 ]; }; then
        failed=$((failed + 1))
        echo "not ok $tests - $*"
        [ ! -s "$folder/wrong" ] || sed 's/^/# /' "$folder/wrong"
    elif [ $status -eq 77 ]; then
        echo "ok $tests # SKIP $*"
    else
        echo "ok $tests - $*"
    fi
}

wrong() {
    printf '%s\n' "$*" >>wrong
}

# Run the program with the words after $1, which is the exit code to expect; its words go to the files out and err.
run() {
    want=$1
    shift
    got=0
    "$program" "$@" >out 2>err </dev/null || got=$?
    [ $got -eq "$want" ] || wrong "holonom $*: exit code $got instead of $want; it said: $(head -n 3 err)"
}

# The file $1 has a line that matches $2, or has none.
has() {
    grep -q -e "$2" "$1" || wrong "no '$2' in $1: $(head -n 5 "$1")"
}
lacks() {
    if grep -q -e "$2" "$1"; then wrong "there should be no '$2' in $1: $(grep -e "$2" "$1" | head -n 3)"; fi
}

# The file is empty, or is there and is not.
is_empty() {
    [ ! -s "$1" ] || wrong "$1 should be empty and says: $(head -n 3 "$1")"
}
is_file() {
    [ -s "$1" ] || wrong "$1 was not written"
}
is_absent() {
    [ ! -e "$1" ] || wrong "$1 should not be there"
}

# Two texts are the same.
same() {
    [ "$1" = "$2" ] || wrong "${3-the value} is '$1' instead of '$2'"
}

# Two numbers are equal to the relative error $3.
near() {
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; exit !(d <= e * s) }' ||
        wrong "$1 is not within $3 of $2"
}

# The value of a key of the outermost object of the JSON file $1.
field() {
    sed -n 's/^  "'"$2"'": \(.*[^,]\),\{0,1\}$/\1/p' "$1"
}

# The texts of an array of texts, one a line.
list() {
    sed -n '/^  "'"$2"'": \[$/,/^  \]/s/^    "\(.*\)",\{0,1\}$/\1/p' "$1"
}

# The file holds one JSON object and nothing else. Without Python only its frame is looked at.
if python3 -c 'import json' >/dev/null 2>&1; then
    is_json() {
        python3 - "$1" >json_said 2>&1 <<'PYTHON' || wrong "$1 is no JSON object: $(tail -n 1 json_said)"
import json, sys
def refuse(word):
    raise ValueError(word + " is not JSON")
def unique(pairs):
    assert len(dict(pairs)) == len(pairs), "a key stands twice"
    return dict(pairs)
with open(sys.argv[1], encoding="utf-8") as file:
    assert isinstance(json.load(file, parse_constant=refuse, object_pairs_hook=unique), dict), "not an object"
PYTHON
    }
else
    is_json() {
        [ "$(head -c 1 "$1")" = '{' ] && [ "$(tail -n 1 "$1")" = '}' ] || wrong "$1 is no JSON object"
    }
fi

"$program" version --features >"$scratch/features" || { echo "not ok 1 - the program does not start"; exit 1; }
built() {
    grep -q "^ *$1  *yes" "$scratch/features"
}

# Leave the case when a part of the build or a command of the machine is missing.
need() {
    for part in "$@"; do
        case $part in
        hdf5 | fyaml) built "$part" || exit 77 ;;
        *) command -v "$part" >/dev/null 2>&1 || exit 77 ;;
        esac
    done
}

# ---- models ---------------------------------------------------------------------------------------------------------

# A pendulum; the column of the angle is "swing".
pendulum() {
    cat <<'YAML'
holonom: 1
name: test pendulum
space: planar
gravity: [0, -9.81]
parameters:
  L: 0.83
  lift: 37 deg
bodies:
  rod: {mass: 1.27, inertia: 0.0715, along: [[0, 0], [L*cos(lift), L*sin(lift)]]}
joints:
  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}
measures:
  swing: {type: angle, body: rod}
  spin: {type: angular_velocity, body: rod}
simulation: {end: 1.5, tolerance: 1e-9}
YAML
}

# The same with the joint given twice: two redundant constraints.
doubled() {
    pendulum | awk '/^measures:/ { print "  again: {type: revolute, bodies: [ground, rod], at: [0, 0]}" } { print }'
}

# A rod that would have to reach four metres further than it does.
apart() {
    pendulum | awk '/^measures:/ {
        print "  link: {type: distance, bodies: [ground, rod], from: [5, 0], to: [0.4, 0.3], length: 0.71}" } { print }'
}

# Five errors, one a line, in lines 5 to 9; line 6 has letters of two bytes before the place.
broken() {
    cat <<'YAML'
holonom: 1
name: broken
space: planar
bodies:
  rod: {mass: -1.27, inertia: 0.07, along: [[0, 0], [1, 0]]}
  bär: {mass: 1.27, inertai: 0.07, inertia: 0.07, along: [[0, 0], [1, 0]]}
joints: {pivot: {type: revolut, bodies: [ground, rod], at: [0, 0]},
  other: {type: revolute, bodies: [ground, rodd], at: [0, 0]}}
simulation: {end: 1.5, tolerence: 1e-9}
YAML
}

# ---- without a model ------------------------------------------------------------------------------------------------

version() {
    run 0 version
    same "$(cat out)" "$(head -n 1 "$scratch/features")" "the version"
    has out '^holonom [0-9]*\.[0-9]*\.[0-9]*$'
    cp out first
    run 0 --version
    same "$(cat out)" "$(cat first)" "--version"
    is_empty err
    for part in suitesparse hdf5 fyaml; do has "$scratch/features" "^ *$part  *[yn][eo]s*  *[a-z]"; done
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
    for code in 0 1 2 3 4 5 6 7 130; do has all "^  $code[ ,]"; done
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
    run 0 schema
    is_json out
    has out '"\$schema"'
    run 0 schema --markdown
    has out '^# '
}
try tables "methods, options, elements, schema"

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

# ---- run ------------------------------------------------------------------------------------------------------------

summary() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml --output p.csv
    is_empty err
    is_file p.csv
    has out '^model  *test pendulum$'
    has out '^method  *direct-correction '
    has out '^chosen by auto '
    has out '^coordinates  *planar '
    has out '^integrator  *[a-z0-9]*, .*1e-09$'
    has out '^steps  *[0-9]* ([0-9]* rejected), [0-9]* evaluations$'
    has out '^end  *t = 1.5 s, the end of the run$'
    has out '^wall time  *[0-9.e-]* s$'
    has out '^max |Phi|  *[0-9.]*e-[0-9]*$'
    has out '^max |psi|  *[0-9.]*e-[0-9]*$'
    has out '^energy error  *[0-9.]*e-[0-9]* (relative)$'
    has out '^degrees of freedom  *1 (3 velocities, 2 constraints, 0 redundant)$'
    has out '^output  *p.csv$'
    # the last line of the file, with fewer digits
    same "$(awk '/^  swing / { print $2 }' out)" "$(awk -F, 'END { printf "%.12g", $2 }' p.csv)" "the final angle"
    has out '^  swing  *[-0-9.e]* rad$'
    has out '^  spin  *[-0-9.e]* rad/s$'
}
try summary "run: the summary"

summary_json() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml --output p.csv --json
    is_json out
    is_empty err
    for key in status model method coordinates integrator kernel stabilizer correction choice end t steps rejected \
        evaluations factorizations wall_time max_position_violation max_velocity_violation relative_energy_error dof \
        redundant final warnings errors output; do
        grep -q "^  \"$key\": " out || wrong "no key $key"
    done
    same "$(field out status)" '"HOL_OK"' status
    same "$(field out model)" '"test pendulum"' model
    same "$(field out end)" '"time"' end
    same "$(field out t)" 1.5 t
    same "$(field out dof)" 1 dof
    same "$(field out warnings)" '[]' warnings
    same "$(field out errors)" '[]' errors
    same "$(list out output)" p.csv output
    # every measured column, to the last bit
    sed -n 's/^    "swing": \([^,]*\),\{0,1\}$/\1/p' out | awk '{ printf "%.17g\n", $1 }' >swing
    awk -F, 'END { printf "%.17g\n", $2 }' p.csv >want
    same "$(cat swing)" "$(cat want)" "the final angle"
    same "$(sed -n '/"final"/,/}/p' out | grep -c '": ')" 3 "the lines of 'final'"
    # conservative: the energy at 1.5 s is that of the start, I w^2/2 = m g (L/2) (sin lift - sin swing), I about the pivot
    awk -F, 'END {
        lift = 37 * atan2(0, -1) / 180; m = 1.27; L = 0.83
        kinetic = (0.0715 + m * L * L / 4) * $3 * $3 / 2
        potential = m * 9.81 * L / 2 * (sin($2) - sin(lift))
        d = kinetic + potential; if (d < 0) d = -d
        exit !(d < 1e-7 * m * 9.81 * L) }' p.csv || wrong "the energy changed"
}
try summary_json "run --json: every key, final values to the last bit"

quiet() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml --quiet --output p.csv
    is_empty out
    is_empty err
    is_file p.csv
    run 3 run p.yaml -q --method nothing
    is_empty out
    has err 'error: '
}
try quiet "run --quiet: errors only"

settings() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml --no-output --json
    cp out plain
    run 0 run p.yaml --no-output --json --set L=0.61
    [ "$(field plain steps)" != "" ] || wrong "no steps"
    ! grep -q "$(grep '"swing"' plain)" out || wrong "--set L changes nothing"
    cp out short
    run 0 run p.yaml --no-output --json --set parameters.L=0.83 --set L=0.61
    same "$(grep '"swing"' out)" "$(grep '"swing"' short)" "the last --set"
    run 0 run p.yaml --no-output --json --set 'L=1.22/2'
    same "$(grep '"swing"' out)" "$(grep '"swing"' short)" "an expression"
    run 0 run p.yaml --no-output --json --set bodies.rod.mass=2.54 --set bodies.rod.inertia=0.143
    near "$(sed -n 's/.*"swing": \([^,]*\).*/\1/p' out)" "$(sed -n 's/.*"swing": \([^,]*\).*/\1/p' plain)" 1e-6
    run 0 run p.yaml --no-output --json --method lagrange --integrator heun --kernel schur --step 0.01 --end 0.5 \
        --set output=0.5
    same "$(field out method)" '"lagrange"' method
    same "$(field out integrator)" '"heun"' integrator
    same "$(field out kernel)" '"schur"' kernel
    same "$(field out correction)" '"none"' correction
    same "$(field out t)" 0.5 t
    same "$(field out steps)" 50 steps
    run 0 run p.yaml --no-output --json --stabilizer=baumgarte --correction direct --tol=1e-5
    same "$(field out stabilizer)" '"baumgarte"' stabilizer
    same "$(field out correction)" '"direct"' correction
    [ "$(field out steps)" -le "$(field plain steps)" ] || wrong "a looser tolerance takes more steps"
    is_empty err
    # steps end at the 75 multiples of 0.02 and the 100 of 0.015, of which 25 are the same
    run 0 run p.yaml --no-output --step 0.02 --set output=0.015
    has err '^note: steps were cut short to end at output times: 150 instead of 75'
}
try settings "--set and its shorthands"

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

run_fails() {
    need fyaml
    pendulum >p.yaml
    run 1 run p.yaml --method lagrange --step 0.05 --set output=0.05 --set max_violation=1e-9 --output p.csv
    has err "error: joint 'pivot'"
    has out '^end .* failed$'
    # what was computed is kept, and the last line is where the run stopped
    stopped=$(sed -n 's/^end  *t = \([0-9.e-]*\) s, failed$/\1/p' out)
    near "$(awk -F, 'END { print $1 }' p.csv)" "$stopped" 1e-6
    run 1 run p.yaml --method lagrange --step 0.05 --set output=0.05 --set max_violation=1e-9 --no-output --json
    is_json out
    same "$(field out status)" '"HOL_ERR_TOLERANCE"' status
    same "$(field out end)" '"failed"' end
    run 1 run p.yaml --set max_steps=3 --no-output --quiet
    has err max_steps
}
try run_fails "a run that fails: exit code 1, results kept"

drift() {
    need fyaml
    pendulum >p.yaml
    for more in "" --quiet --json; do
        run 0 run p.yaml --no-output --method lagrange --step 0.05 --end 20 --set output=1 $more
        has err "^warning: .*|Phi| = .*'lagrange'.*direct-correction"
    done
    is_json out
    has out '"warning: .*direct-correction'
    run 0 run p.yaml --no-output --step 0.05 --end 20 --set output=1
    is_empty err
}
try drift "drift is said aloud"

# ---- result files ---------------------------------------------------------------------------------------------------

outputs() {
    need fyaml
    pendulum >p.yaml
    mkdir sub
    run 0 run p.yaml --output one.csv -o sub/two.csv -osub/three.csv
    for file in one.csv sub/two.csv sub/three.csv; do is_file $file; done
    cmp -s one.csv sub/two.csv || wrong "the files differ"
    same "$(wc -l <one.csv | tr -d ' ')" 1002 "the number of lines"
    same "$(head -n 1 one.csv)" 'time [s],swing [rad],spin [rad/s]' "the header"
    has out '^output  *one.csv$'
    rm -rf one.csv sub/*
    run 0 run p.yaml --output none
    run 0 run p.yaml --no-output
    has out '^output  *none$'
    for file in *.csv *.h5; do is_absent "$file"; done
    # the name of the model, in the current folder
    cp p.yaml sub/named.model.yaml
    run 0 run sub/named.model.yaml --quiet
    if built hdf5; then is_file named.model.h5; else is_file named.model.csv; fi
}
try outputs "several files, none, and the default"

outputs_wrong() {
    need fyaml
    pendulum >p.yaml
    echo "earlier results" >old.csv
    run 2 run p.yaml -o a.csv -o a.csv
    has err 'twice'
    run 2 run p.yaml -o a.csv --no-output
    run 2 run p.yaml -o a.xyz
    has err '\.csv'
    run 4 run p.yaml -o new.csv -o old.csv -o nowhere/b.csv
    has err "nowhere/b.csv.*No such file"
    same "$(cat old.csv)" "earlier results" "a file beside a wrong name"
    mkdir folder.csv
    run 4 run p.yaml -o folder.csv
    cp p.yaml m.csv
    run 2 run m.csv -o ./m.csv
    has err 'overwrite the model'
    cmp -s p.yaml m.csv || wrong "the model was overwritten"
    rmdir folder.csv
    rm old.csv m.csv
    for file in *.csv *.h5 *.xyz; do is_absent "$file"; done
}
try outputs_wrong "wrong result files: nothing is written or lost"

without_hdf5() {
    need fyaml
    ! built hdf5 || exit 77
    pendulum >p.yaml
    run 6 run p.yaml -o p.h5
    is_absent p.h5
}
try without_hdf5 "without HDF5: exit code 6"

disk_full() {
    need fyaml
    [ -c /dev/full ] || exit 77
    pendulum >p.yaml
    ln -s /dev/full f.csv
    run 4 run p.yaml -o f.csv --json
    is_json out
    same "$(field out status)" '"HOL_ERR_IO"' status
    same "$(field out output)" '[]' output
    got=0
    "$program" run p.yaml -o g.csv >/dev/full 2>err || got=$?
    same $got 4 "the exit code of a summary on a full disk"
    # with stdout closed the summary must not end up in the file
    got=0
    "$program" run p.yaml -o h.csv >&- 2>err || got=$?
    same $got 4 "the exit code with stdout closed"
    cmp -s g.csv h.csv || wrong "the results depend on stdout"
}
try disk_full "a full disk: exit code 4"

# A disk that fills up during the run: a limit on the size of files, in blocks of 512 or 1024 bytes.
disk_fills() {
    need fyaml
    pendulum >p.yaml
    got=0
    (ulimit -f 20 && exec "$program" run p.yaml -o p.csv --json) >out 2>err || got=$?
    same $got 4 "the exit code"
    is_json out
    same "$(field out output)" '[]' output
    same "$(field out end)" '"failed"' end
    awk -F, 'NF != 3 { exit 1 }' p.csv || wrong "a line is not whole"
    same "$(tail -c 1 p.csv | od -An -c | tr -d ' ')" '\n' "the last character"
}
try disk_fills "a disk that fills up: exit code 4, whole lines"

hdf5() {
    need fyaml hdf5
    pendulum >p.yaml
    run 0 run p.yaml -o p.h5 -o p.csv --set L=0.77 --quiet
    run 0 results p.h5
    has out '^p.h5: 1001 rows, [0-9]* columns, t = 0 to 1.5 s$'
    has out '^  swing \[rad\]'
    has out '^  end  *time$'
    has out '^  options.tolerance '
    has out '^  model  *[0-9]* lines'
    run 0 results p.h5 time swing spin
    cmp -s out p.csv || wrong "the columns of the two files differ"
    run 2 results p.h5 time swng
    has err "did you mean 'swing'"
    is_empty out
    # the model in the file, with what was set, is the model that ran
    run 0 results p.h5 --text model
    cp out again.yaml
    run 0 run again.yaml -o again.csv -q
    cmp -s p.csv again.csv || wrong "the stored model gives another run"
    run 2 results p.h5 --text nothing
}
try hdf5 "HDF5: read back, and its model run again"

results_csv() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml -o p.csv -q
    run 0 results p.csv
    has out '^p.csv: 1001 rows, 3 columns, t = 0 to 1.5 s$'
    run 0 results p.csv spin time
    same "$(head -n 1 out)" 'spin [rad/s],time [s]' "the header"
    same "$(wc -l <out | tr -d ' ')" 1002 "the number of lines"
    run 4 results nowhere.csv
    run 2 results p.xyz
    printf 'time [s],a\n0,1\n1\n' >bad.csv
    run 3 results bad.csv
    has err '^bad.csv:3:[0-9]*: error: '
}
try results_csv "results of a CSV file"

# ---- interruption ---------------------------------------------------------------------------------------------------

# A run without an end that gets the signal $1 after a second must return $2.
interrupt() {
    need fyaml timeout
    pendulum >p.yaml
    files="-o p.csv" n_files=1
    ! built hdf5 || files="$files -o p.h5" n_files=2
    got=0
    # shellcheck disable=SC2086 # files are split
    timeout --preserve-status -k 20 -s "$1" 1 \
        "$program" run p.yaml --end 1e7 --set output=0.05 --json $files >out 2>err </dev/null || got=$?
    same $got "$2" "the exit code"
    is_json out
    same "$(field out status)" '"HOL_ERR_INTERRUPTED"' status
    same "$(field out end)" '"interrupted"' end
    has err '^warning: interrupted at t = '
    stopped=$(field out t)
    same "$(list out output | wc -l | tr -d ' ')" $n_files "the number of files"
    for file in $(list out output); do
        run 0 results "$file" time
        near "$(tail -n 1 out)" "$stopped" 1e-12
    done
    ! built hdf5 || same "$("$program" results p.h5 --text end)" interrupted "the end in the file"
}
interrupt_int() {
    # A shell that ignores the signal passes that on to all it starts.
    [ -z "$(sh -c 'kill -INT $$; echo ignored' 2>/dev/null)" ] || exit 77
    interrupt INT 130
}
interrupt_term() {
    interrupt TERM 143
}
try interrupt_int "Ctrl-C keeps readable files: exit code 130"
try interrupt_term "SIGTERM keeps readable files: exit code 143"

killed() {
    need fyaml hdf5 timeout
    pendulum >p.yaml
    timeout -s KILL 2 "$program" run p.yaml --end 1e7 --set output=0.05 -q -o p.h5 -o p.csv >out 2>err </dev/null
    run 0 results p.h5 time
    [ "$(wc -l <out)" -gt 10 ] || wrong "the file holds $(wc -l <out) lines"
    awk -F, 'NF != 3 { exit 1 }' p.csv || wrong "a line is not whole"
    same "$("$program" results p.h5 --text end)" running "the end in the file"
}
try killed "a killed run leaves readable files"

# ---- terminal -------------------------------------------------------------------------------------------------------

escape=$(printf '\033')

# Run the words on a terminal, with what it shows in the file shown.
on_terminal() {
    need fyaml script timeout
    script -qec true /dev/null </dev/null >/dev/null 2>&1 || exit 77
    script -qec "$*" /dev/null </dev/null >shown 2>&1
}

colours() {
    broken >b.yaml
    on_terminal "'$program' check b.yaml"
    has shown "$escape\[1;31merror: $escape\[0m"
    (export NO_COLOR=1 && on_terminal "'$program' check b.yaml")
    lacks shown "$escape"
    has shown '^b.yaml:5:15: error: '
    (export NO_COLOR= && on_terminal "'$program' check b.yaml")
    has shown "$escape"
    (export TERM=dumb && on_terminal "'$program' check b.yaml")
    lacks shown "$escape"
    run 3 check b.yaml
    lacks err "$escape"
}
try colours "colours on a terminal, unless NO_COLOR is set"

progress() {
    pendulum >p.yaml
    endless="timeout -s TERM 1 '$program' run p.yaml --end 1e7 --no-output"
    on_terminal "$endless"
    has shown "t = [0-9.e+]* of 1e+07 s .* %  ETA [0-9:]*.*|Phi| [0-9.e-]*  energy [0-9.e-]*"
    # at most five a second, and none left standing
    n=$(tr '\r' '\n' <shown | grep -c 'ETA')
    [ "$n" -le 6 ] || wrong "$n updates in a second"
    has shown "$escape\[K$escape\[1;35mwarning: "
    for switch in --quiet --json; do
        on_terminal "$endless $switch"
        lacks shown ETA
    done
    sh -c "$endless" >out 2>err </dev/null
    lacks err ETA
}
try progress "a progress line on a terminal, and nowhere else"

# ---- check ----------------------------------------------------------------------------------------------------------

check_models() {
    need fyaml
    doubled >d.yaml
    run 0 check d.yaml
    has out '^bodies  *1: rod$'
    has out '^joints  *2: pivot, again$'
    has out '^constraints  *4, of which 2 independent$'
    has out '^degrees of freedom  *1$'
    has out "^redundant  *joint 'again', translation x$"
    has out "^  *joint 'again', translation y$"
    has out '^reactions not unique  *pivot, again$'
    has out '^result  *the model can run$'
    has err '^warning: .*redundant'
    run 0 check d.yaml --json
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

echo "1..$tests"
[ $failed -eq 0 ]
