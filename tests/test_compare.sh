#!/bin/sh
# The program from end to end: `compare`, its plan, its figures, its four formats.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}
bar=$models/four_bar.yaml

# The figure $3 (a heading of the CSV file $1) of the first row whose method is $2; further words: heading=value.
figure() {
    awk -F, -v method="$2" -v want="$3" -v which="${4-}" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; split(which, part, "="); next }
        $1 == method && (which == "" || $column[part[1]] == part[2]) { print $column[want]; exit }' "$1"
}

# The awk condition $1 over the numbers a and b holds.
holds() {
    awk -v a="$2" -v b="$3" "BEGIN { exit !(a != \"\" && b != \"\" && ($1)) }" || wrong "a = '$2', b = '$3': not $1"
}

# ---- figures --------------------------------------------------------------------------------------------------------

four_bar() {
    need fyaml
    run 0 compare "$bar" --integrator rk4 --step 1e-3 --end 1 --format csv
    is_empty err
    cp out table
    run 0 methods --json
    sed -n '/"methods"/,/"parts"/s/^      "name": "\(.*\)",$/\1/p' out >names
    sed 1d table | cut -d, -f1 >rows
    cmp -s names rows || wrong "the rows are not the methods: $(tr '\n' ' ' <rows)"
    # uncorrected constraints drift by the truncation of the formula, corrected ones are left at rounding: 1e-15 times the size
    # of the mechanism, position_tolerance, where 4 m are the longest bar and four joints make the norm
    drift=$(figure table lagrange max_position_violation)
    direct=$(figure table direct-correction max_position_violation)
    holds 'a > 1e4 * b' "$drift" "$direct"
    holds 'a < 4 * 4e-15 && b == 0' "$direct" 0
    holds 'a < 4 * 4e-15 && b == 0' "$(figure table direct-correction max_velocity_violation)" 0
    holds 'a > b' "$drift" "$(figure table baumgarte max_position_violation)"
    # four evaluations a step, and one for the state that is recorded at the end
    same "$(figure table lagrange steps)" 1000 steps
    same "$(figure table lagrange evaluations)" 4001 evaluations
    same "$(figure table lagrange time_ratio)" 1 "the time of lagrange"
    same "$(figure table lagrange coordinate_changes)" 0 "the changes of lagrange"
    holds 'a > b' "$(figure table partitioning coordinate_changes)" 0
    # dae does not take rk4, which is no failure where no method was named
    sed -n 's/^dae,.*,HOL_ERR_INPUT,.*rk4.*/refused/p' table | grep -q refused || wrong "dae takes rk4"
    same "$(sed /^dae,/d table | cut -d, -f12 | sort -u | tr '\n' ' ')" 'crank_angle error_column ' "the columns of the error"
}
try four_bar "the four-bar under every method"

orders() {
    need fyaml
    run 0 compare "$bar" --integrator rk4 --vary step=2e-3,1e-3 --end 1 --methods direct-correction,lagrange -f csv
    same "$(sed -n 1p out | cut -d, -f2)" step "the second column"
    same "$(wc -l <out | tr -d ' ')" 5 "the lines"
    # order 4: half the step, a sixteenth of the error, but for the next term of the expansion
    for method in direct-correction lagrange; do
        holds 'a / b > 12 && a / b < 21' "$(figure out $method error step=2e-3)" "$(figure out $method error step=1e-3)"
    done
}
try orders "the error against the computed reference has the order of the formula"

# The order of a line through two runs is log(e1/e2)/log(h1/h2); the table, the JSON object and the picture have the same.
fits() {
    need fyaml
    run 0 compare "$bar" --integrator rk4 --vary step=4e-3,2e-3,1e-3 --end 1 --methods direct-correction,lagrange --plot fits.svg
    has out '^orders in step, by least squares$'
    sed -n '/^orders/,$s/^direct-correction *//p' out | awk '{ print $4 }' >order
    holds 'a > 3.8 && a < 4.4 && b == 0' "$(cat order)" 0
    grep -q ">direct-correction, order $(cat order)<" fits.svg || wrong "the picture has not the order $(cat order)"
    # four figures of two methods at three steps
    same "$(grep -c '<circle' fits.svg)" 24 "the points"
    run 0 compare "$bar" --integrator rk4 --vary step=2e-3,1e-3 --end 1 --methods lagrange --json --plot fits.png --figures error
    same "$(od -An -tx1 -N4 fits.png | tr -d ' \n')" 89504e47 "the first bytes"
    awk -F'[:,] *' '/"rows"/ { rows = 1 } /"orders"/ { rows = 0; fits = 1 }
        rows && /^ *"error"/ { e[++n] = $2 } fits && /^ *"error"/ { order = $2 }
        END { print order - log(e[1] / e[2]) / log(2) }' out >off
    holds 'a < 1e-12 && a > -1e-12 && b == 0' "$(cat off)" 0
    # without a number that varies there are no orders, and the picture has bars
    run 0 compare "$bar" --end 0.1 --vary correction=none,direct --methods lagrange,baumgarte --plot bars.svg --figures steps,evaluations
    lacks out '^orders'
    same "$(grep -c '<polygon' bars.svg)" 8 "the bars"
    has bars.svg '>correction = direct<'
    run 2 compare "$bar" --end 0.1 --methods lagrange --plot x.gif
    has err 'must end with .svg, .png, .pdf or .html'
    run 2 compare "$bar" --end 0.1 --methods lagrange --plot x.svg --figures error,stpes
    has err "there is no figure 'stpes'; there are max_position_violation,"
    run 2 compare "$bar" --end 0.1 --methods lagrange --figures error
    has err 'add --plot FILE'
    run 4 compare "$bar" --end 0.1 --methods lagrange --plot nowhere/x.svg
    is_absent x.svg
}
try fits "orders over a number that varies, and pictures"

references() {
    need fyaml
    pendulum | sed 's/^  spin: .*/  tip: {type: position, body: rod, at: [0.31, 0.42]}/' >p.yaml
    run 0 run p.yaml --step 3e-3 --method lagrange --output p.csv
    # the same run: no difference
    run 0 compare p.yaml --step 3e-3 -m lagrange,direct-correction --reference p.csv -f csv
    same "$(figure out lagrange error)" 0 "the error against itself"
    holds 'a > b' "$(figure out direct-correction error)" 0
    # an angle counts in radians
    awk -F, -v OFS=, 'NR > 1 { $2 = sprintf("%.17g", $2 + 0.1875) } { print }' p.csv >shifted.csv
    run 0 compare p.yaml --step 3e-3 -m lagrange --reference shifted.csv --json
    is_json out
    near "$(sed -n 's/^      "error": \(.*\),$/\1/p' out)" 0.1875 1e-14
    has out '"error_column": "swing"'
    near "$(sed -n 's/^        "swing": \(.*\),$/\1/p' out)" 0.1875 1e-14
    same "$(sed -n 's/^        "tip.x": \(.*\),$/\1/p' out)" 0 "the difference of the column that was left"
    same "$(field out reference)" '"shifted.csv"' reference
    # a length counts relative to the largest in the reference, or 1 m: here none is as long, and the difference is 0.07 |y|
    awk -F, -v OFS=, 'NR > 1 { $4 = sprintf("%.17g", $4 * 1.07) } { print }' p.csv >scaled.csv
    same "$(sed -n 1p p.csv | cut -d, -f4 | cut -d. -f2 | cut -c1)" y "the fourth column"
    run 0 compare p.yaml --step 3e-3 -m lagrange --reference scaled.csv -f csv
    same "$(figure out lagrange error_column)" tip.y "the column"
    want=$(awk -F, 'NR > 1 { y = $4 < 0 ? -$4 : $4; if (y > top) top = y } END { printf "%.17g", 0.07 * top }' p.csv)
    holds 'a < 0.07 && a > b' "$want" 0
    near "$(figure out lagrange error)" "$want" 1e-12
    # with the column twenty times as long, its largest value is the scale: 19/20
    awk -F, -v OFS=, 'NR > 1 { $4 = sprintf("%.17g", $4 * 20) } { print }' p.csv >scaled.csv
    run 0 compare p.yaml --step 3e-3 -m lagrange --reference scaled.csv -f csv
    near "$(figure out lagrange error)" 0.95 1e-12
    # only times that both have: of every third row, each that is left
    awk 'NR == 1 || NR % 3 == 2' shifted.csv >third.csv
    run 0 compare p.yaml --step 3e-3 -m lagrange --reference third.csv -f csv
    near "$(figure out lagrange error)" 0.1875 1e-14
    awk -F, -v OFS=, 'NR > 1 { $1 = $1 + 0.0007 } { print }' p.csv >between.csv
    run 0 compare p.yaml --step 3e-3 -m lagrange --reference between.csv -f csv
    same "$(figure out lagrange error)" '' "the error without common times"
    has err "warning: no run has an instant"
    run 0 compare p.yaml --step 3e-3 -m lagrange --reference none -f csv
    same "$(figure out lagrange error)" '' "the error without a reference"
    is_empty err
    run 4 compare p.yaml --reference nowhere.csv
    run 2 compare p.yaml --reference p.csv --reference-tol 1e-9
    # a loose reference is further from a run than a tight one is
    run 0 compare p.yaml --tol 1e-11 --set output=0.5 -m direct-correction --reference-tol 1e-4 -f csv
    loose=$(figure out direct-correction error)
    run 0 compare p.yaml --tol 1e-11 --set output=0.5 -m direct-correction -f csv
    holds 'a > 100 * b' "$loose" "$(figure out direct-correction error)"
}
try references "the error against a file, by its definition"

no_measures() {
    need fyaml
    # the columns that a model has by itself; the origin of the rod is at rest, so that differences there are rounding
    pendulum | awk '/^measures:/ { skip = 1 } /^simulation:/ { skip = 0 } !skip { print }' >n.yaml
    run 0 compare n.yaml -m lagrange,direct-correction --json
    is_json out
    list out error_columns >columns
    [ -s columns ] || wrong "no column counts for the error"
    sed -n 's/^      "error": \(.*\),$/\1/p' out | awk '!($1 < 1e-9) { print "the error is " $1 }' >>wrong
    # neither lengths nor angles: every column counts
    pendulum | sed '/^  swing:/d' >s.yaml
    run 0 compare s.yaml -m direct-correction -f csv
    same "$(figure out direct-correction error_column)" spin "the column"
}
try no_measures "models without measures, or with neither lengths nor angles"

# ---- the plan -------------------------------------------------------------------------------------------------------

entries() {
    need fyaml
    pendulum >p.yaml
    list='lagrange+kernel=schur, baumgarte+alpha=1e+1+beta=7.5 ,direct-correction+correction=direct-mass+step=2.5e-2'
    run 0 compare p.yaml --step 1e-2 --methods "$list" --json
    is_json out
    has out '"method": "lagrange+kernel=schur"'
    has out '"method": "baumgarte+alpha=1e+1+beta=7.5"'
    has out '"kernel": "schur"'
    has out '"correction": "direct-mass"'
    same "$(sed -n 's/^      "steps": \(.*\),$/\1/p' out | tr '\n' ' ')" '150 150 60 ' steps
    # lagrange is not in the list, and is run all the same as the unit of time
    lacks out '"time_ratio": null'
    lacks out '"method": "lagrange"'
    # without gains there is nothing but lagrange
    run 0 compare p.yaml --step 1e-2 -m lagrange,baumgarte,baumgarte+alpha=0+beta=0 -f csv
    plain=$(figure out lagrange max_position_violation)
    same "$(figure out baumgarte+alpha=0+beta=0 max_position_violation)" "$plain" "the drift without gains"
    holds 'a != b' "$(figure out baumgarte max_position_violation)" "$plain"
}
try entries "methods with further options"

cases() {
    need fyaml
    pendulum >p.yaml
    run 0 compare p.yaml --vary L=0.83,0.61,1.22/3 --vary tolerance=1e-6,1e-9 -m direct-correction,canonical -f csv
    same "$(wc -l <out | tr -d ' ')" 13 "the lines"
    same "$(sed 1d out | cut -d, -f1,2,3 | sort -u | wc -l | tr -d ' ')" 12 "the combinations"
    same "$(sed -n 2p out | cut -d, -f1,2,3)" direct-correction,0.83,1e-6 "the first"
    same "$(sed -n 13p out | cut -d, -f1,2,3)" canonical,1.22/3,1e-9 "the last"
    # each length has a reference of its own, so no error is of the size of the motion; the local error allowed is 1e-6 a step
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
        NR > 1 && !($c["error"] > 0 && $c["error"] < 1e3 * $3) { print $0 }' out >>wrong
    run 3 compare p.yaml --vary lfit=1,2
    has err "did you mean 'lift'"
    run 2 compare p.yaml --vary L
    has err 'KEY=VALUE,VALUE'
    run 2 compare p.yaml --vary =1,2
    run 2 compare p.yaml --vary L=
}
try cases "--vary: all combinations, each with the reference that belongs to it"

jobs() {
    need fyaml
    pendulum >p.yaml
    run 0 compare p.yaml --step 1e-2 --jobs 1 --repeat 1 -f csv
    cut -d, -f1-9,12- out >one
    run 0 compare p.yaml --step 1e-2 --jobs 5 --repeat 3 -f csv
    cut -d, -f1-9,12- out >five
    cmp -s one five || wrong "the figures depend on the number of jobs"
    for n in 0 -3 2.5 many; do
        run 2 compare p.yaml --jobs=$n
        has err 'a whole number'
    done
}
try jobs "the same figures one by one and side by side"

# ---- formats --------------------------------------------------------------------------------------------------------

formats() {
    need fyaml
    pendulum >p.yaml
    words='compare p.yaml --step 1e-2 -m lagrange,direct-correction+position_tolerance=1e-12 --vary L=0.83,0.61'
    # shellcheck disable=SC2086 # words are split
    {
        run 0 $words
        cp out text
        run 0 $words --format csv
        cp out csv
        run 0 $words --format json
        cp out json
        run 0 $words --json
        cp out json_too
        run 0 $words --format latex
        cp out latex
        run 0 $words --output t.json
        is_empty out
        run 0 $words --output t.csv
        run 0 $words --output t.tex
        run 2 $words --format yaml
        has err "there is no format 'yaml'"
        run 2 $words --format csv --json
    }
    is_json json
    is_json json_too
    is_json t.json
    same "$(field json status)" '"HOL_OK"' status
    sed '/^  "orders": /,/^  \]/d' json >json_rows
    same "$(grep -c '^      "method": ' json_rows)" 4 "the rows of JSON"
    # text: a heading, the rows, as wide as the heading, and what they mean
    same "$(sed -n '1,5p' text | awk '{ print NF }' | sort -u | tr '\n' ' ')" '11 ' "the columns of the text"
    same "$(sed -n '1,5p' text | awk '{ print length($0) }' | sort -u | wc -l | tr -d ' ')" 1 "the widths of the text"
    has text '^reference: method auto with tolerance 1e-12'
    # CSV: the same number of cells everywhere, and the figures of JSON to the last bit
    same "$(awk -F, '{ print NF }' csv | sort -u | wc -l | tr -d ' ')" 1 "the columns of CSV"
    sed 1d csv | cut -d, -f3-6 | tr ',' '\n' >from_csv
    sed -n 's/^      "\(max_.*\|relative_energy_error\|error\)": \(.*\),$/\2/p' json_rows >from_json
    cmp -s from_csv from_json || wrong "CSV and JSON differ"
    # LaTeX: as many cells in each row as there are columns, nothing that it would take for a command
    has latex '^\\begin{tabular}{llrrrrrrrrr}$'
    same "$(grep -c '\\\\$' latex)" 5 "the rows of LaTeX"
    same "$(grep '\\\\$' latex | sed 's/[^&]//g' | sort -u)" '&&&&&&&&&&' "the separators of LaTeX"
    has latex 'position\\_tolerance'
    lacks latex '[^\\]_[a-z]'
    same "$(sed 's/[0-9.e+-]*//g' t.csv | head -n 1)" "$(sed 's/[0-9.e+-]*//g' csv | head -n 1)" "the heading of the file"
    same "$(head -n 1 t.tex)" "$(head -n 1 latex)" "the first line of the file"
}
try formats "text, CSV, JSON and LaTeX show the same"

pdf() {
    need fyaml pdflatex
    pendulum >p.yaml
    run 1 compare p.yaml --step 1e-2 -m 'lagrange,nothing_$%&#~^{}' -o t.tex
    printf '\\documentclass{article}\\begin{document}\\input{t.tex}\\end{document}\n' >d.tex
    pdflatex -interaction=nonstopmode -halt-on-error d.tex >log 2>&1 || wrong "LaTeX: $(grep '^!' log)"
}
try pdf "LaTeX takes the table"

lost_output() {
    need fyaml
    pendulum >p.yaml
    run 4 compare p.yaml -m lagrange -o nowhere/t.csv
    has err "cannot write 'nowhere/t.csv'"
    run 4 compare nowhere.yaml -m lagrange -o t.csv
    is_absent t.csv
    [ -c /dev/full ] || exit 77
    run 4 compare p.yaml -m lagrange -o stream:/dev/full
    got=0
    "$program" compare p.yaml -m lagrange >/dev/full 2>err || got=$?
    same $got 4 "the exit code on a full disk"
}
try lost_output "a table that cannot be written: exit code 4"

# ---- failures -------------------------------------------------------------------------------------------------------

failures() {
    need fyaml
    pendulum >p.yaml
    list='lagrange,lagrnge,lagrange+max_violation=1e-9,direct-correction+corection=direct,direct-correction'
    run 1 compare p.yaml --step 0.05 -m "$list"
    is_empty err
    has out "^lagrnge  *failed: .*'lagrnge'"
    has out "^lagrange+max_violation=1e-9  *failed at t = [0-9.]* s: joint 'pivot'"
    has out "^direct-correction+corection=direct  *failed: .*corection"
    has out '^lagrange  *[0-9.]*e-'
    has out '^direct-correction  *[0-9.]*e-'
    run 1 compare p.yaml --step 0.05 -m "$list" -f csv
    same "$(figure out lagrnge status)" HOL_ERR_INPUT status
    same "$(figure out lagrange status)" HOL_OK status
    same "$(figure out direct-correction status)" HOL_OK status
    run 1 compare p.yaml --step 0.05 -m "$list" -f latex
    same "$(grep -c 'multicolumn{9}{l}{failed' out)" 3 "the failures in LaTeX"
    run 1 compare p.yaml --step 0.05 -m "$list" --json
    is_json out
    same "$(field out status)" '"HOL_ERR_INPUT"' status
    same "$(grep -c '^      "status": "HOL_OK"' out)" 2 "the runs that came through"
    # everything depends on the model
    run 3 compare p.yaml --set lfit=2
    broken >b.yaml
    run 3 compare b.yaml --json
    is_json out
    same "$(list out errors | wc -l | tr -d ' ')" 5 "the number of errors"
    same "$(field out rows)" '[]' rows
    apart >a.yaml
    run 1 compare a.yaml -m lagrange,direct-correction
    same "$(grep -c "failed: joint '" out)" 2 "the runs that cannot be assembled"
    has err 'warning: there is no reference'
    run 2 compare p.yaml -m ''
    run 2 compare p.yaml -m lagrange,,direct-correction
    run 2 compare p.yaml -m kernel=schur
    has err 'METHOD+KEY=VALUE'
}
try failures "a run that fails has the reason in its row, and the others come through"

interrupted() {
    need fyaml timeout
    pendulum >p.yaml
    # the pipe is closed when the program has gone: were a run left, the outer limit would strike
    got=0
    # shellcheck disable=SC2016 # expanded by the inner shell
    timeout 60 sh -c '{ timeout --foreground -s TERM 1 "$0" compare p.yaml -m lagrange,baumgarte --set end=1e6 \
        --step 1e-5 --jobs 2 --json 2>err; echo $? >code; } | cat >out' "$program" || got=$?
    same $got 0 "the exit code of the outer limit"
    is_json out
    same "$(field out status)" '"HOL_ERR_INTERRUPTED"' status
    has err 'interrupted'
    # timeout has an exit code of its own for a command that it stopped
    same "$(cat code)" 124 "the exit code of the limit"
    got=0
    "$program" compare p.yaml -m lagrange --set end=1e6 --step 1e-5 --reference none >out 2>err &
    pid=$!
    sleep 1
    kill -TERM $pid
    wait $pid || got=$?
    same $got 143 "the exit code"
    is_empty out
}
try interrupted "SIGTERM ends all runs: exit code 143"

# ---- claims of BG ----------------------------------------------------------------------------------------------------

singular() {
    need fyaml
    run 0 run "$models/two_four_bar_reduced.yaml" --end 100 --output exact.csv --quiet
    run 0 compare "$models/a02_two_four_bar.yaml" --integrator rk4 --step 1e-2 --end 100 --set output=1 --reference exact.csv \
        -m braun-goldfarb,direct-correction+correction=direct-mass-energy,braun-goldfarb+energy_limit=0 -f csv
    with=$(figure out braun-goldfarb error)
    holds 'a < 0.01 && b > 10 * a' "$with" "$(figure out braun-goldfarb+energy_limit=0 error)"
    holds 'a < 1e-3 && b == 0' "$(figure out direct-correction+correction=direct-mass-energy error)" 0
}
try singular "BG: the double four-bar through its singular positions"

finish
