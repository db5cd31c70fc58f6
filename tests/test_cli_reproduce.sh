#!/bin/sh
# holonom reproduce: claims from files, their commands, values, verdicts, exit codes and messages.
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A claims file with the steps of standard input, over the pendulum beside it.
claims() {
    pendulum >pendulum.yaml
    {
        printf 'claims:\n  try:\n    title: A try\n    source: nowhere\n    claim: It swings.\n    steps:\n'
        sed 's/^/      /'
    } >c.yaml
}

# The steps of standard input are refused at line $1, column $2 with a message that matches $3.
refused() {
    where="c.yaml:$1:$2: error: .*$3"
    shift 3
    claims
    run 3 reproduce c.yaml --all --write pages
    has err "$where"
    is_absent pages/reproduce/try.md
}

listed() {
    need fyaml
    run 0 reproduce
    has out '^bg-04-steps  *Slider-crank: errors over the step'
    has out '^  *BG, section 4.1, figure 4'
    run 0 reproduce --json
    is_json out
    has out '"name": "gjb-table-5.1-gear"'
    run 2 reproduce bg-04-stepps
    has err "did you mean 'bg-04-steps'"
    run 0 reproduce BG-18-INVARIANTS
    has out '^bg-18-invariants: holds (1 of 1)$'
}
try listed "claims are listed, and found by their names in any case"

worked() {
    need fyaml
    file=$HOLONOM_SOURCE/examples/claims/pendulum.yaml
    run 0 reproduce "$file" pendulum
    has out '^pendulum: holds (2 of 2)$'
    has out 'The fitted order is 3.97'
    sed -n '/^```yaml$/,/^```$/p' "$HOLONOM_SOURCE/docs/questions/reproduce.md" | sed '1d;$d' | diff "$file" - >moved ||
        wrong "the example of docs/questions/reproduce.md is not $file: $(head -n 3 moved)"
    run 0 reproduce "$file" --all --json
    is_json out
    has out '"verdict": "holds"'
    has out '"predicted": 0.3618'
    run 0 reproduce "$file"
    has out 'a lecture on vibrations'
    same "$(ls)" "$(printf 'err\njson_said\nmoved\nout')" 'what is left in the folder'
}
try worked "the worked example of the guide runs, and leaves nothing behind"

# The figures are those that the commands give when they are typed.
figures() {
    need fyaml
    claims <<'YAML'
- compare: pendulum.yaml
  as: two
  integrator: rk4
  vary: {step: [0.02, 0.01]}
  methods: [lagrange, baumgarte]
- run: pendulum.yaml
  as: one
  set: {lift: 21 deg, output: 0.05}
  output: swing.csv
- run: pendulum.yaml
  each: {m: [lagrange, dae]}
  method: '{m}'
  as: each
- values:
    error: {of: two, figure: error, where: {method: baumgarte, step: 1e-2}}
    most: {of: two, figure: error, take: most}
    order: {of: two, figure: error, where: {method: lagrange}, over: step, take: order}
    ratio: {of: two, figure: steps, where: {method: lagrange, step: 0.01}, against: {method: lagrange, step: 0.02}}
    end: {of: one, figure: final.swing}
    last: {of: swing.csv, column: swing}
    at: {of: swing.csv, column: swing - 0.25, at: 0.4}
    change: {of: swing.csv, column: swing, take: change}
    rows: {of: swing.csv, column: t >= 0, take: count}
    zero: {of: swing.csv, column: spin, minus: swing.csv, take: largest}
    runs: {of: each, figure: ok, take: sum}
- verdict: ratio == 2 and runs == 2 and zero == 0 and end == last
  holds: Yes, {order:.1f}.
YAML
    run 0 reproduce c.yaml try --json
    cp out json
    value() { sed -n 's/^ *"'"$1"'": \([-0-9.e]*\),*$/\1/p' json | head -n 1; }
    "$program" compare pendulum.yaml --integrator rk4 --vary step=0.02,0.01 --methods lagrange,baumgarte --format csv >table 2>err
    near "$(value error)" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "error") c = i } $1 == "baumgarte" && $2 == 0.01 { print $c }' table)" 1e-15
    near "$(value order)" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "error") c = i } $1 == "lagrange" { e[++n] = $c } END { print log(e[1] / e[2]) / log(2) }' table)" 1e-5
    "$program" run pendulum.yaml --set 'lift=21 deg' --set output=0.05 -o typed.csv --quiet 2>err
    near "$(value last)" "$(awk -F, 'END { print $2 }' typed.csv)" 1e-15
    near "$(value at)" "$(awk -F, '$1 > 0.399 && $1 < 0.401 { printf "%.17g", $2 - 0.25 }' typed.csv)" 1e-15
    near "$(value change)" "$(awk -F, 'NR == 2 { x = $2 } NR > 1 { d = $2 - x; if (d < 0) d = -d; if (d > m) m = d } END { printf "%.17g", m }' typed.csv)" 1e-15
    same "$(value rows)" "$(($(wc -l <typed.csv) - 1))" 'the number of rows'
}
try figures "values are those of the commands as they are typed"

# Verdicts, and what the exit code says of them.
codes() {
    need fyaml
    claims <<'YAML'
- verdict: 2 > 1
  holds: Yes.
- verdict: 1 > 2
  holds: No.
  differs: It is {=0.5} of it.
YAML
    run 11 reproduce c.yaml try
    has out '^try: holds in part (1 of 2)$'
    has out '^\*\*Differs.\*\* It is 0.5 of it.$'
    claims <<'YAML'
- verdict: 1 > 2
  wrong: The print is.
YAML
    run 10 reproduce c.yaml try
    has out '^try: does not hold (0 of 1)$'
    run 0 reproduce c.yaml --write pages
    has pages/reproduce/try.md '^\*\*The print is wrong.\*\* The print is.$'
    run 2 reproduce c.yaml tyr
    has err "there is no claim 'tyr'; did you mean 'try'"
    run 4 reproduce nothing.yaml
}
try codes "the exit code says what became of the claims"

# A run that stops has its place in the rows.
stopped() {
    need fyaml
    claims <<'YAML'
- compare: pendulum.yaml
  as: out
  set: {max_steps: 3}
  reference: none
  methods: lagrange
- table: out
  columns: {method: method, status: status, ends: t:.2f}
- values:
    ok: {of: out, figure: ok}
    t: {of: out, figure: t}
- verdict: ok == 0 and t < 1.5
  holds: It stops at {t:.2f} s.
YAML
    run 0 reproduce c.yaml try
    has out '^| `lagrange` | HOL_ERR_[A-Z]* | 0.[0-9]* |$'
}
try stopped "a run that stops can be the claim"

# Mistakes, by line and column; the steps begin in line 7.
mistakes() {
    need fyaml
    refused 7 9 "did you mean 'compare'" <<'YAML'
- compere: pendulum.yaml
YAML
    refused 8 9 "'holonom run' has no option 'methd'; did you mean 'method'" <<'YAML'
- run: pendulum.yaml
  methd: lagrange
YAML
    refused 7 9 "holonom run ended with exit code 3.*no-such" <<'YAML'
- run: pendulum.yaml
  method: no-such
YAML
    refused 7 14 "the figure '0.12' in this text comes from no run" <<'YAML'
- say: The error is 0.12 m.
YAML
    refused 9 16 "there is no value 'nothing' to put in" <<'YAML'
- values: {something: 1}
- verdict: 1 > 0
  holds: It is {nothing}.
YAML
    refused 7 18 "the condition is not true, and there is no text 'differs'" <<'YAML'
- verdict: 1 > 2
  holds: Never.
YAML
    refused 7 22 "unknown name 'y'" <<'YAML'
- verdict: 1 > y
  holds: Never.
YAML
    refused 10 21 "2 runs of 'out' are as this says" <<'YAML'
- compare: pendulum.yaml
  as: out
  methods: [lagrange, dae]
- values: {e: {of: out, figure: error}}
YAML
    refused 9 41 "no command before this has 'as: outt'; did you mean 'out'" <<'YAML'
- run: pendulum.yaml
  as: out
- values: {e: {figure: steps, of: outt}}
YAML
    refused 9 39 "unknown name 'errror'" <<'YAML'
- run: pendulum.yaml
  as: out
- values: {e: {of: out, figure: errror}}
YAML
    refused 9 39 "take wants first.*did you mean 'largest'" <<'YAML'
- run: pendulum.yaml
  output: s.csv
- values: {e: {of: s.csv, take: larges, column: swing}}
YAML
    refused 7 9 "a step is a map, e.g. {say: text}" <<'YAML'
- run
YAML
    refused 7 9 "a step begins with a command (run, compare, plot, ...) or with values" <<'YAML'
- rum: pendulum.yaml
YAML
    refused 7 14 "a text is expected here" <<'YAML'
- say: [Nothing]
YAML
    refused 8 16 "'quiet' is a switch: write true" <<'YAML'
- run: pendulum.yaml
  quiet: very
YAML
    refused 9 52 "an order is over something: add 'over: step'" <<'YAML'
- compare: pendulum.yaml
  as: out
- values: {e: {of: out, figure: error, take: order}}
YAML
    refused 10 14 "'.1q' is no format: write .1e, .2f, .6g or d behind the name" <<'YAML'
- run: pendulum.yaml
  as: out
- values: {e: {of: out, figure: steps}}
- say: It takes {e:.1q} steps.
YAML
    refused 7 7 "end without a verdict" <<'YAML'
- say: Nothing.
YAML
    refused 7 9 "no step has written 'p.svg'" <<'YAML'
- picture: p.svg
  text: Nothing
YAML
    printf 'claims:\n  try: {title: A, sourse: B, steps: []}\n' >c.yaml
    run 3 reproduce c.yaml
    has err "c.yaml:2:19: error: there is no key 'sourse' here; did you mean 'source'"
    printf 'claims:\n  try: {title: A, steps: []}\n' >c.yaml
    run 3 reproduce c.yaml
    has err "c.yaml:2:3: error: source is missing in 'try'"
    printf 'claims: [\n' >c.yaml
    run 3 reproduce c.yaml
    has err 'c.yaml:[0-9]*:[0-9]*: error: '
}
try mistakes "mistakes are told with line and column, and no page is written"

# Claims that are something else than they should be, and files that are not there.
shapes() {
    need fyaml
    head='title: A, source: B, steps: []'
    while IFS='|' read -r where message claim; do
        printf 'claims:\n  try: %s\n' "$claim" >c.yaml
        run 3 reproduce c.yaml
        has err "c.yaml:$where: error: $message"
    done <<END
2:8|a claim is a map with title, source, claim, steps|[a, b]
2:47|also wants a list, e.g. \[a, b\]|{$head, also: other}
2:50|answers wants a list, e.g. \[a, b\]|{$head, answers: [[1]]}
2:37|steps wants a list: what is run, shown and concluded|{title: A, source: B, steps: all}
2:3|steps wants a list: what is run, shown and concluded|{title: A, source: B}
END
    printf 'claims:\n  try: {%s, also: [old]}\n  OLD: {%s}\n' "$head" "$head" >c.yaml
    run 3 reproduce c.yaml
    has err "c.yaml:3:3: error: there is a claim 'OLD' already"
}
try shapes "claims of another shape are refused where they stand"

# Steps that ask for what no run has given.
steps() {
    need fyaml
    refused 9 9 "a table has columns: {HEADING: figure:.1e, ...}" <<'YAML'
- run: pendulum.yaml
  as: out
- table: out
YAML
    refused 10 26 "a figure is expected here: error:.1e" <<'YAML'
- run: pendulum.yaml
  as: out
- table: out
  columns: {steps: [steps]}
YAML
    refused 9 57 "where wants figures with their values, e.g. {step: 0.01}" <<'YAML'
- run: pendulum.yaml
  as: out
- values: {error: {of: out, figure: steps, where: all}}
YAML
    refused 9 69 "the name of a figure, or a formula of figures, is expected here" <<'YAML'
- run: pendulum.yaml
  as: out
- values: {error: {of: out, figure: steps, take: order, over: {step: 1}}}
YAML
    message="data names a file, and has columns: {NAME: {of: RUN, figure: KEY}}"
    refused 7 9 "$message" <<'YAML'
- data: d.csv
  over: step
YAML
    refused 11 18 "$message" <<'YAML'
- run: pendulum.yaml
  as: out
- data: d.csv
  over: step
  columns: {a: steps}
YAML
    refused 12 51 "$message" <<'YAML'
- run: pendulum.yaml
  each: {m: [lagrange]}
  as: out
- data: d.csv
  over: m
  columns: {a: {of: out, figure: steps}, b: {of: out}}
YAML
    refused 15 51 "no run of 'two' has m = lagrange" <<'YAML'
- run: pendulum.yaml
  each: {m: [lagrange, dae]}
  method: '{m}'
  as: one
- run: pendulum.yaml
  as: two
- data: d.csv
  over: m
  columns: {a: {of: one, figure: steps}, b: {of: two, figure: steps}}
YAML
    refused 10 14 "the value 'order' is not a finite number" <<'YAML'
- run: pendulum.yaml
  as: out
- values: {order: {of: out, figure: steps, over: steps, take: order}}
- say: The order is {order:.2f}.
YAML
    refused 9 21 "the result has no row there" <<'YAML'
- run: pendulum.yaml
  output: s.csv
- values: {e: {of: s.csv, column: swing, from: 7.5}}
YAML
    refused 12 55 "the two results have no instant in common" <<'YAML'
- run: pendulum.yaml
  output: s.csv
- run: pendulum.yaml
  set: {end: 1.3, output: 0.0371}
  output: u.csv
- values: {e: {of: s.csv, column: swing, minus: u.csv, from: 1.4}}
YAML
    refused 9 21 "a value has 'of' and either 'figure' (of a run) or 'column' (of a result file)" <<'YAML'
- run: pendulum.yaml
  output: s.csv
- values: {e: {of: s.csv}}
YAML
    refused 7 21 "a formula of values is expected here" <<'YAML'
- values: {e: [1, 2]}
YAML
    refused 7 17 "values wants names with what they are" <<'YAML'
- values: [1, 2]
YAML
    refused 8 18 "a text is expected here" <<'YAML'
- run: pendulum.yaml
  method: [[lagrange]]
YAML
    refused 8 15 "each wants one name with a list, e.g. {method: \[lagrange, dae\]}" <<'YAML'
- run: pendulum.yaml
  each: {m: [lagrange, dae], n: [2]}
YAML
    refused 8 20 "a text is expected here" <<'YAML'
- run: pendulum.yaml
  each: {m: [[lagrange]]}
YAML
    refused 7 26 "no step has written 's.csv'" <<'YAML'
- values: {e: {of: s.csv, column: swing}}
YAML
    lacks err /holonom-
    refused 7 26 "the name of a result is expected here: out.csv" <<'YAML'
- values: {e: {of: [s.csv], column: swing}}
YAML
    refused 10 26 "the result 'table.csv' cannot be read" <<'YAML'
- compare: pendulum.yaml
  methods: lagrange
  output: table.csv
- values: {e: {of: table.csv, column: swing}}
YAML
}
try steps "steps that ask for what is not there are refused where they stand"

# Folders that cannot be made, and a program that came without its claims.
places() {
    need fyaml
    claims <<'YAML'
- verdict: 2 > 1
  holds: Yes.
YAML
    run 4 reproduce c.yaml --all --write nowhere/pages
    has err "cannot make the folder 'nowhere/pages': No such file"
    TMPDIR=$PWD/nowhere run 4 reproduce c.yaml --all
    has err "cannot make a folder for the files of claims"
    cp "$program" ./alone
    got=0
    ./alone reproduce >out 2>err </dev/null || got=$?
    same $got 4 'the exit code without claims'
    has err "the claims that come with the program (share/holonom/claims) are not there; name a file of claims"
}
try places "folders that cannot be made, and claims that were not installed"

# What a claim writes stays in its folder; a claim of a stranger changes nothing else and copies nothing out.
confined() {
    need fyaml
    mkdir tmp
    TMPDIR=$PWD/tmp
    export TMPDIR
    echo secret >secret.txt
    message="does not lie in the folder of the claim's files"
    for word in "$PWD/there.csv" ../there.csv a/../../there.csv ''; do
        for key in 'run: pendulum.yaml, output' 'compare: pendulum.yaml, plot' 'kinematics: pendulum.yaml, motion' \
            'assemble: pendulum.yaml, model' 'linearize: pendulum.yaml, modes' 'generate: pendulum.yaml, folder' \
            'animate: pendulum.yaml, output'; do
            column=$((9 + ${#key} + 4))
            refused 7 $column "'$word' $message" <<YAML
- {$key: '$word'}
YAML
        done
    done
    refused 7 18 "'../../secret.txt' $message" <<'YAML'
- picture: ../../secret.txt
  text: Nothing
YAML
    refused 9 15 "'/tmp/there.csv' $message" <<'YAML'
- run: pendulum.yaml
  as: out
- data: /tmp/there.csv
  over: step
  columns: {a: {of: out, figure: steps}}
YAML
    refused 7 26 "'../x.csv' $message" <<'YAML'
- values: {x: {of: ../x.csv, column: y}}
YAML
    refused 7 9 'a claim does not write to a run that is there' <<'YAML'
- resume: run.h5
YAML
    # a folder within is fine, and so is a name with dots
    claims <<'YAML'
- run: pendulum.yaml
  output: a..b.csv
- values: {x: {of: a..b.csv, column: swing, take: count}}
- verdict: x > 1
  holds: It swings.
YAML
    run 0 reproduce c.yaml --all
    same "$(ls -A tmp)" '' "what is left"
    same "$(ls)" "$(printf 'c.yaml\nerr\nout\npages\npendulum.yaml\nsecret.txt\ntmp')" 'what is in the folder'
    same "$(find pages -type f)" '' "what was written"
}
try confined "claims write into a folder of their own, and nowhere else"

# A text with many braces costs what its length says.
braces() {
    need fyaml
    { printf -- '- say: "'; awk 'BEGIN { for (i = 0; i < 40000; i++) printf "{=x}" }'; printf '"\n'
      printf -- '- run: pendulum.yaml\n  set: {lift: "'; awk 'BEGIN { for (i = 0; i < 40000; i++) printf "{" }'
      printf '"}\n'; } | claims
    # within 300 MB, where copies of what grows would need gigabytes
    got=0
    (ulimit -v 600000 && "$program" reproduce c.yaml --all >out 2>err </dev/null) || got=$?
    same $got 3 "the exit code"
    has err 'holonom run ended with exit code 3'
    lacks err 'out of memory'
}
try braces "long texts take memory in proportion"

# A claim whose command would run for hours, and is known among all processes by its end; its files go to tmp.
endless() {
    claims <<YAML
- run: pendulum.yaml
  end: 1$$.5e9
  set: {output: 1e9}
- verdict: 1 > 0
  holds: Never.
YAML
    rm -rf tmp
    mkdir tmp
}

# The process of its command; nothing where there is none.
child() {
    ps -e -o pid= -o args= | sed -n "s|^ *\([0-9]*\) [^ ]*holonom run .*--end 1$$.5e9 .*|\1|p"
}

# Start it as process $pid and wait until its command runs.
start_endless() {
    endless
    TMPDIR=$PWD/tmp "$program" reproduce c.yaml --all >out 2>err </dev/null &
    pid=$!
    n=0
    while [ -z "$(child)" ] && [ $n -lt 200 ]; do
        sleep 0.05
        n=$((n + 1))
    done
    [ -n "$(child)" ] || wrong "the command of the claim was not started"
}

# The command ends within some seconds.
child_ends() {
    n=0
    while [ -n "$(child)" ] && [ $n -lt 100 ]; do
        sleep 0.05
        n=$((n + 1))
    done
    [ -z "$(child)" ] || wrong "the command of the claim still runs"
}

# A signal ends the program and its command at once, and nothing is left.
signalled() {
    need fyaml
    while read -r name code; do
        start_endless
        kill -"$name" $pid
        wait $pid
        same $? "$code" "the exit code after SIG$name"
        child_ends
        has err "^warning: interrupted while running 'try'"
        lacks err 'error'
        same "$(ls -A tmp)" '' "what SIG$name left"
    done <<'END'
TERM 143
HUP 129
END
    # SIGINT is ignored by what a shell starts beside itself
    [ -z "$(sh -c 'kill -INT $$; echo ignored' 2>/dev/null)" ] || return 0
    command -v timeout >/dev/null 2>&1 || return 0
    endless
    got=0
    TMPDIR=$PWD/tmp timeout --preserve-status -k 20 -s INT 2 "$program" reproduce c.yaml --all >out 2>err </dev/null || got=$?
    same $got 130 "the exit code after SIGINT"
    child_ends
    same "$(ls -A tmp)" '' "what SIGINT left"
}
try signalled "a signal ends a claim and its command, and leaves nothing behind"

# SIGKILL leaves the folder, which the next claim takes away; folders of others and those in use stay.
killed() {
    need fyaml
    start_endless
    kill -KILL $pid
    wait $pid 2>/dev/null
    child_ends
    same "$(find tmp -name 'holonom-*' -type d | wc -l | tr -d ' ')" 1 "the number of folders that SIGKILL left"
    mkdir tmp/holonom-backup
    echo mine >tmp/holonom-backup/notes
    TMPDIR=$PWD/tmp "$program" reproduce "$HOLONOM_SOURCE/examples/claims/pendulum.yaml" pendulum >out 2>err </dev/null ||
        wrong "the next claim failed: $(head -n 3 err)"
    same "$(ls -A tmp)" holonom-backup "what is left after the next claim"
    same "$(cat tmp/holonom-backup/notes)" mine "a file of somebody"
    # two at a time do not take each other's folder
    start_endless
    used=$(ls -A tmp)
    TMPDIR=$PWD/tmp "$program" reproduce "$HOLONOM_SOURCE/examples/claims/pendulum.yaml" pendulum >out2 2>err2 </dev/null ||
        wrong "a claim beside another failed: $(head -n 3 err2)"
    same "$(ls -A tmp)" "$used" "the folder that is in use"
    kill -TERM $pid
    wait $pid
    same "$(ls -A tmp)" '' "what is left at the end"
}
try killed "what a killed claim left is taken away by the next one, and nothing else is"

finish
