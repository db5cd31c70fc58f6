#!/bin/sh
# `compare --sweep`: errors, orders and fronts against closed forms and against what the other formats say.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}
bar=$models/four_bar.yaml

# A mass on a guide with a spring: x = 0.8 + 0.5 cos(w t), w = sqrt(k/m), the largest length of the reference is 1.3 m.
oscillator() {
    cat >osc.yaml <<'YAML'
holonom: 1
space: planar
gravity: [0, 0]
bodies:
  block: {mass: 1.7, inertia: 0.21, position: [1.3, 0]}
joints:
  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}
forces:
  spring: {type: spring, bodies: [ground, block], from: [0, 0], to: [1.3, 0], stiffness: 23.85, free_length: 0.8}
measures:
  x: {type: position, body: block, component: x}
simulation: {end: 2.4, output: 0.08, output_mode: land}
YAML
}

# The largest |x - closed form| / 1.3 over the rows of the CSV result $1, and that of the last row.
true_errors() {
    awk -F, 'BEGIN { w = sqrt(23.85 / 1.7) }
        /^#/ { next } !head { for (i = 1; i <= NF; i++) if ($i ~ /^x( |$|\[)/) at = i; head = 1; next }
        $1 ~ /^[-0-9.]/ { e = $at - 0.8 - 0.5 * cos(w * $1); if (e < 0) e = -e; e /= 1.3; last = e; if (e > most) most = e }
        END { printf "%.17g %.17g\n", most, last }' "$1"
}

# The awk condition $1 over the numbers a and b holds.
holds() {
    awk -v a="$2" -v b="$3" "BEGIN { exit !(a != \"\" && b != \"\" && ($1)) }" || wrong "a = '$2', b = '$3': not $1"
}

# A member of the JSON file $1, by an expression over the object d.
member() {
    python3 -c "import json,sys; d = json.load(open(sys.argv[1])); print($2)" "$1" 2>/dev/null
}

# Cases that read JSON by Python are skipped without it.
need_python() {
    need fyaml
    python3 -c 'import json' >/dev/null 2>&1 || exit 77
}

# ---- orders and errors ------------------------------------------------------------------------------------------------

orders() {
    need_python
    oscillator
    # the last words of the orders are p, p(end), r: least squares over five halvings. The next term of the expansion of a
    # formula of order p changes the slope by O(h): w h <= 0.3 here, and less than 0.15 is left by five halvings.
    run 0 compare osc.yaml --methods lagrange --integrators euler,heun,rk4,dopri5 --sweep step=8e-2..2.5e-3 --json
    is_json out
    for formula in euler:1 heun:2 rk4:4 dopri5:5; do
        name=${formula%:*} order=${formula#*:}
        p=$(member out "[o['error']['order'] for o in d['sweep']['orders'] if o['method'].endswith('=$name')][0]")
        r=$(member out "[o['error']['order_in_evaluations'] for o in d['sweep']['orders'] if o['method'].endswith('=$name')][0]")
        holds 'a > b - 0.15 && a < b + 0.15' "$p" "$order"
        holds 'a > b - 0.15 && a < b + 0.15' "$r" "$order"
    done
}
try orders "the orders of the formulas on an oscillator"

errors() {
    need_python
    oscillator
    run 0 compare osc.yaml --methods lagrange --integrator rk4 --sweep step=8e-2..1e-2 -f csv
    cp out table
    run 0 compare osc.yaml --methods lagrange --integrator rk4 --sweep step=8e-2..1e-2 --json
    own=$(member out "d['sweep']['reference_error']")
    # the reference and its check differ by rounding: 3000 steps of 1e-16 at most
    holds 'a < 1e-12 && b == 0' "$own" 0
    for step in 0.08 0.04 0.02 0.01; do
        run 0 run osc.yaml --method lagrange --integrator rk4 --step $step -o r.csv -q
        true_errors r.csv >true
        read -r most last <true
        error=$(awk -F, -v s=$step 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $2 + 0 == s { print $at["error"] }' table)
        end=$(awk -F, -v s=$step 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $2 + 0 == s { print $at["error_end"] }' table)
        # numbers of the file have all digits, the reference the error it says; 2 for the closed form in awk
        holds "a - b < 2 * $own + 4e-16 && b - a < 2 * $own + 4e-16" "$error" "$most"
        holds "a - b < 2 * $own + 4e-16 && b - a < 2 * $own + 4e-16" "$end" "$last"
    done
}
try errors "errors along the run and at the end are those against the closed form"

given() {
    need_python
    oscillator
    awk 'BEGIN { w = sqrt(23.85 / 1.7); print "time,x"; for (i = 0; i <= 30; i++) printf "%.17g,%.17g\n", i * 0.08, 0.8 + 0.5 * cos(w * i * 0.08) }' >ref.csv
    run 0 run osc.yaml --method lagrange --integrator rk4 --step 0.01 -o r.csv -q
    run 0 compare osc.yaml --methods lagrange --integrator rk4 --sweep step=4e-2,1e-2 --reference ref.csv --json
    read -r most last <<WORDS
$(true_errors r.csv)
WORDS
    holds 'a - b < 1e-15 && b - a < 1e-15' "$(member out "d['rows'][1]['error']")" "$most"
    holds 'a - b < 1e-15 && b - a < 1e-15' "$(member out "d['rows'][1]['error_end']")" "$last"
    same "$(member out "d['sweep']['reference_check']")" "not checked: it was given" "the check"
}
try given "against a reference that is given"

# An error that neither step nor tolerance sets is left out of the fit: the springs of `penalty` give way by a fixed amount.
saturation() {
    need_python
    run 0 compare "$models/pendulum.yaml" --methods penalty --integrator rk4 --end 2 --sweep step=4e-2..1e-3 --json
    used=$(member out "d['sweep']['orders'][0]['error']['used']")
    holds 'a >= 2 && a < b' "$used" 6
    holds 'a > 3.8 && a < 4.2 && b == 0' "$(member out "d['sweep']['orders'][0]['error']['order']")" 0
    same "$(member out "'fall no further' in d['sweep']['orders'][0]['error']['left_out']")" True "the reason"
    # every error that is left out is below ten times the level, every other one is not
    same "$(member out "sum(1 for r in d['rows'] if r['error'] >= 10 * d['sweep']['orders'][0]['error']['level'])")" "$used" "the rule"
}
try saturation "what no longer falls is left out, and said to be"

# ---- the front --------------------------------------------------------------------------------------------------------

front() {
    need_python
    run 0 compare "$bar" --end 2 --methods lagrange,direct-correction --integrators dopri5,dop853 --coordinates reference,natural \
        --sweep tolerance=1e-3..1e-9 --json
    same "$(member out "len(d['rows'])")" 56 "the rows"
    # by a definition of its own: nothing is at least as good in both and better in one
    member out "'\n'.join(sorted('%s %s' % (r['method'], r['vary']['tolerance']) for r in d['rows'] if not any(
        max(o['error'], f) <= max(r['error'], f) and o['evaluations'] <= r['evaluations'] and
        (max(o['error'], f) < max(r['error'], f) or o['evaluations'] < r['evaluations'])
        for f in [d['sweep']['reference_error']] for o in d['rows'])))" >wanted
    member out "'\n'.join(sorted('%s %s' % (r['method'], r['tolerance']) for r in d['sweep']['front']['evaluations']))" >told
    cmp -s wanted told || wrong "the front is $(tr '\n' ';' <told), not $(tr '\n' ';' <wanted)"
    # an error against the tolerance falls about as the tolerance does
    member out "'\n'.join(str(o['error']['order']) for o in d['sweep']['orders'])" | while read -r p; do
        holds 'a > 0.7 && a < 1.5 && b == 0' "$p" 0
    done
}
try front "the front, by its definition, over methods, integrators and coordinates"

# ---- failures, formats, mistakes --------------------------------------------------------------------------------------

failing() {
    need fyaml
    # dae takes no explicit formula: each setting is named, and the exit code tells
    run 1 compare "$bar" --end 0.5 --methods lagrange,dae --integrator dop853 --sweep tolerance=1e-4..1e-6 -f csv
    same "$(grep -c '^dae,.*HOL_ERR_INPUT' out)" 3 "the rows that failed"
    run 1 compare "$bar" --end 0.5 --methods lagrange,dae --integrator dop853 --sweep tolerance=1e-4..1e-6
    same "$(grep -c '^dae .*failed' out)" 3 "the rows of the text"
    has out 'dae  .*none of 3; left out: 3 without an error'
}
try failing "a method that fails is named at every setting"

pictures() {
    need fyaml
    for ending in svg pdf html; do
        run 0 compare "$bar" --end 1 --methods lagrange --integrators dopri5,dop853 --sweep tolerance=1e-3..1e-6 --plot w.$ending
        is_file w.$ending
    done
    # two methods at four settings over three costs, or four where instructions are counted, and the front
    holds 'a >= 24 && b == 0' "$(grep -c '<circle' w.svg)" 0
    has w.svg '>factorizations<'
    has w.svg '>front<'
    has w.html 'Error against evaluations'
    has w.html 'front of error and evaluations'
    run 0 compare "$bar" --end 1 --methods lagrange --sweep tolerance=1e-3..1e-5 --plot e.svg --figures error_end,evaluations
    has e.svg '>tolerance<'
    need hdf5
    run 0 compare "$bar" --end 1 --methods lagrange --sweep tolerance=1e-3..1e-5 -o w.h5
    same "$(od -An -c -N4 w.h5 | tr -d ' ')" '211HDF' "the first bytes"
}
try pictures "pictures, pages and HDF5"

mistakes() {
    need fyaml
    oscillator
    for words in tolerance tolerance= tolerance=1e-3 tolerance=1e-3.. tolerance=..1e-3 tolerance=0..1e-3 tolerance=-1e-3..1e-6 \
        tolerance=1e-3..1e-3 tolerance=1e-3..1e-6:1 tolerance=1e-3..1e-6:900 tolerance=1e-3..1e-6:x tolerance=a..b \
        tolerance=1e-3,1e-3 tolerance=1e-3,0 'step=1 ms..2 ms' step=1e-3..9e-4 mass=1..2 'tolerance=nan..1'; do
        run 2 compare osc.yaml --methods lagrange --sweep "$words"
        has err "error: '--sweep "
    done
    run 2 compare osc.yaml --sweep tolerance=1e-3..1e-4 --vary step=1e-2,1e-3
    has err 'exclude each other'
    run 2 compare osc.yaml --sweep tolerance=1e-3..1e-4 --tol 1e-3
    has err 'would set what the sweep varies'
    run 2 compare osc.yaml --sweep tolerance=1e-3..1e-4 --step 1e-3
    has err 'no effect under the fixed step'
    run 2 compare osc.yaml --sweep tolerance=1e-3..1e-4 --sweep step=1e-3..1e-4
    has err 'only one --sweep'
    run 2 compare osc.yaml --sweep tolerance=1e-3..1e-4 --integrators rk4,dopri5 --integrator rk4
    has err 'exclude each other'
    run 2 compare osc.yaml --sweep tolerance=1e-3..1e-4 --plot w.doc
    has err 'must end with'
    # either end first: from loose to tight
    run 0 compare osc.yaml --methods lagrange --sweep tolerance=1e-5..1e-3 -f csv
    same "$(sed 1d out | cut -d, -f2 | tr '\n' ' ')" '1e-3 1e-4 1e-5 ' "the settings"
    # without measures of its own a model has those of its bodies
    sed '/^measures/,/^  x:/d' osc.yaml >bare.yaml
    run 0 compare bare.yaml --methods lagrange --sweep tolerance=1e-5..1e-3
    has out '^lagrange  1e-3  *[0-9]'
}
try mistakes "mistakes are named"

# The worked example of the page: what it prints of orders comes out again.
page() {
    need fyaml
    pages=${HOLONOM_SOURCE:?names the sources}/docs/work-precision.md
    sed -n 's/^    \(holonom compare .*\)$/\1/p' "$pages" | head -1 >command
    words=$(sed 's/^holonom //; s/ --plot [^ ]*//' command)
    (cd "$HOLONOM_SOURCE" && eval "\"\$program\" $words") >out 2>err || wrong "the example of the page fails: $(head -3 err)"
    sed -n '/^    orders:/,/^$/p' "$pages" | sed 1,2d | sed '/^$/d' >lines
    [ -s lines ] || wrong "the page has no orders"
    while read -r method p end r _; do
        got=$(sed -n '/^orders:/,/^$/p' out | awk -v m="$method" '$1 == m { print $2, $3, $4 }')
        # two digits that rounding in the last setting of a fit may move
        awk -v a="$p $end $r" -v b="$got" 'BEGIN { split(a, x, " "); split(b, y, " ")
            for (i = 1; i <= 3; i++) { d = x[i] - y[i]; if (y[i] == "" || d > 0.06 || d < -0.06) exit 1 } }' ||
            wrong "the page says $method $p $end $r, the program $got"
    done <lines
}
try page "the worked example of the page"

finish
