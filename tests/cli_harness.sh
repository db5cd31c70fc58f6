# What the tests of the program share, sourced by test_cli*.sh (POSIX sh).
#
# HOLONOM_PROGRAM is the program. Each case runs in a folder of its own and is reported in TAP. What the build lacks
# (HDF5, libfyaml) or the machine (script, timeout, /dev/full) is skipped, and said to be.
# shellcheck shell=sh
set -u

program=${HOLONOM_PROGRAM:?names the program to test}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
unset NO_COLOR
export TERM=xterm
tests=0 failed=0

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

# Run a command and kill it after $1 seconds unless it ends before. In the foreground, or timeout kills itself with it, and the
# command may still be there, with its lock on the results, when the next one starts.
kill_after() {
    timeout --foreground -s KILL "$@" >out 2>err </dev/null
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
        hdf5 | fyaml | web | cairo | sundials | suitesparse | nlopt | cminpack | xml2 | zip | mpi) built "$part" || exit 77 ;;
        *) command -v "$part" >/dev/null 2>&1 || exit 77 ;;
        esac
    done
}

# The end of a script: the plan, and the exit status.
finish() {
    echo "1..$tests"
    [ $failed -eq 0 ]
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
