#!/bin/sh
# Write docs/validation.md: the benchmark mechanisms run by the program, beside their reference values.
#
#   validation.sh PROGRAM [FILE]   FILE is docs/validation.md of the repository unless it is given
#
# Models, instants, values and tolerances are those of tests/references.txt. Each instant is a run of its own, to that
# instant. Differences are given as a power of ten that they stay below, not finer than the digits of the reference,
# so that the page is the same on every machine. Ends with 1 when a value is off by more than its tolerance.
set -eu

[ $# -ge 1 ] && [ $# -le 2 ] || { echo "usage: validation.sh PROGRAM [FILE]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
program=$1
page=${2-$root/docs/validation.md}
[ -x "$program" ] || { echo "validation.sh: there is no program '$program'" >&2; exit 1; }
case $program in */*) ;; *) program=./$program ;; esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM

cat >"$scratch/table.awk" <<'AWK'
# The exponent of the smallest power of ten that is not below x, at least -digits.
function bound(x, digits,   k) {
    for (k = -digits; k < 12 && x > 1.0000001 * 10 ^ k; k++) ;
    return k
}

# The same in steps of a hundred from 1e-12 on, for figures that are noise.
function rough(x,   k) {
    for (k = -12; k < 0 && x > 10 ^ k; k += 2) ;
    return sprintf("1e%d", k)
}

# How many digits a number has behind its point, and its exponent.
function decimals(text,   mantissa, point) {
    mantissa = text
    sub(/[eE].*/, "", mantissa)
    point = index(mantissa, ".")
    return point ? length(mantissa) - point : 0
}

function exponent(text) {
    return text ~ /[eE]/ ? substr(text, match(text, /[eE]/) + 1) + 0 : 0
}

# Run the model to the time t; the numbers of the answer into got.
function run(t,   command, line, name, value) {
    split("", got)
    command = quoted(program) " run " quoted(file) " --include-root " quoted(root) " --json --quiet --no-output" settings " --set end=" t
    if (t > 0) command = command " --set output=" t
    command = command " 2>" quoted(scratch "/messages")
    while ((command | getline line) > 0) {
        if (line !~ /^ *"[^"]*": *[-+0-9.eE]+,?$/) continue
        name = line
        sub(/^ *"/, "", name)
        sub(/".*/, "", name)
        value = line
        sub(/^.*: */, "", value)
        sub(/,$/, "", value)
        got[name] = value + 0
    }
    if (close(command) != 0 || !("steps" in got)) {
        printf "validation.sh: the run of %s to t = %s failed\n", model, t >"/dev/stderr"
        while ((getline line <(scratch "/messages")) > 0) print line >"/dev/stderr"
        failed = 1
        exit 1
    }
    if (got["relative_energy_error"] > energy) energy = got["relative_energy_error"]
    if (got["max_position_violation"] > violation) violation = got["max_position_violation"]
    if (got["max_velocity_violation"] > violation) violation = got["max_velocity_violation"]
}

function quoted(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}

# The end of the part of a model.
function finish() {
    if (model == "") return
    printf "\nConstraints hold within %s, the energy balance within %s of the energy that moves.\n", rough(violation), rough(energy)
}

$1 == "model" {
    finish()
    model = $2
    file = scratch "/model.yaml"
    settings = shown = ""
    for (i = 3; i <= NF; i++) {
        if ($i ~ /^end=/) continue
        settings = settings " --set " quoted($i)
        shown = shown (shown == "" ? "" : ", ") "`" $i "`"
    }
    print "holonom: 1\ninclude: " root "/models/" model ".yaml" >file
    close(file)
    measures = t_now = ""
    energy = violation = 0
}

$1 == "title" { title = substr($0, 7) }

$1 == "source" {
    printf "\n## %s\n\n`models/%s.yaml` with %s.\nReference: %s.\n\n", title, model, shown, substr($0, 8)
    print "| quantity | t [s] | reference | computed | difference |"
    print "|---|---|---|---|---|"
}

$1 == "measure" {
    if (measures == "") print "measures:" >>file
    measures = 1
    print "  " substr($0, 9) >>file
    close(file)
}

$1 == "value" {
    if (t_now == "" || $2 != t_now) run($2)
    t_now = $2
    if (!($3 in got)) {
        printf "validation.sh: %s has no measure '%s'\n", model, $3 >"/dev/stderr"
        failed = 1
        exit 1
    }
    off = got[$3] - $4
    if (off < 0) off = -off
    # digits that differ are left out of the computed value
    digits = decimals($4) - exponent($4)
    if (digits == 0) digits = 12
    k = bound(off, digits)
    places = decimals($4) - (k > -digits ? k + digits + 1 : 0)
    if (places < 0) places = 0
    computed = sprintf("%." places (exponent($4) ? "e" : "f"), got[$3])
    sub(/e-0/, "e-", computed)
    sub(/^-0$/, "0", computed)
    printf "| %s | %s | %s | %s | < 1e%d |\n", $3, $2, $4, computed, k
    if (!(off <= $5)) {
        printf "validation.sh: %s at t = %s of %s is off by %g, allowed %g\n", $3, $2, model, off, $5 >"/dev/stderr"
        wrong = 1
    }
}

END {
    if (failed) exit 1
    finish()
    exit wrong ? 3 : 0
}
AWK

status=0
{
    cat <<'HEAD'
# Validation

<!-- Written by tools/validation.sh out of tests/references.txt and the runs of the program. -->

The benchmark mechanisms of `models/`, run by `holonom run`, beside reference values that were computed in another way or published. The same
values are tests (`tests/test_references.c`), with the tolerances of `tests/references.txt`. A difference is given as a power of ten that it stays
below, not finer than the digits of the reference. Angles are in radians, lengths in metres, energies in joules.
HEAD
    LC_ALL=C awk -v program="$program" -v root="$root" -v scratch="$scratch" -f "$scratch/table.awk" "$root/tests/references.txt"
} >"$scratch/page" || status=$?

[ "$status" = 0 ] || [ "$status" = 3 ] || { echo "validation.sh: $page is as it was" >&2; exit 1; }
mkdir -p "$(dirname "$page")"
cp "$scratch/page" "$page.new"
mv "$page.new" "$page"
echo "$page"
[ "$status" = 0 ]
