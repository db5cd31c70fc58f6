#!/bin/sh
# The program from end to end: `run` and its results, interruption, and what a terminal shows.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

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
    has out '^coordinates  *relative: '
    has out '^integrator  *[a-z0-9]*, .*1e-09$'
    has out '^steps  *[0-9]* ([0-9]* rejected), [0-9]* evaluations$'
    has out '^end  *t = 1.5 s, the end of the run$'
    has out '^wall time  *[0-9.e-]* s$'
    has out '^max |Phi|  *0.00e+00$' # the joint has no rows
    has out '^max |psi|  *0.00e+00$'
    has out '^energy error  *[0-9.]*e-[0-9]* (relative)$'
    has out '^degrees of freedom  *1 (1 velocity, 0 constraints, 0 redundant)$'
    has out '^output  *p.csv$'
    # the last line of the file, with fewer digits
    same "$(awk '/^  swing / { print $2 }' out)" "$(awk -F, 'END { printf "%.12g", $2 }' p.csv)" "the final angle"
    has out '^  swing  *[-0-9.e]* rad  *[-0-9.e]* (t = [0-9.]*) to [-0-9.e]* (t = [0-9.]*)$'
    has out '^  spin  *[-0-9.e]* rad/s  *[-0-9.e]* (t = [0-9.]*) to [-0-9.e]* (t = [0-9.]*)$'
    run 0 run p.yaml --output p.csv --coordinates reference
    has out '^coordinates  *planar '
    lacks out 'multiplications'
    has out '^max |Phi|  *[0-9.]*e-[0-9]*$'
    has out '^max |psi|  *[0-9.]*e-[0-9]*$'
    has out '^degrees of freedom  *1 (3 velocities, 2 constraints, 0 redundant)$'
}

# What is left open is chosen by cost, and said; what is named is kept.
cheapest() {
    need fyaml
    pendulum >p.yaml
    run 0 check p.yaml
    has out '^coordinates  *relative: .*, 1 (1 velocity)$'
    has out '^chosen by auto  *relative coordinates (an evaluation costs some 31 multiplications, in$'
    has out '^  *reference-point ones 160); method direct-correction (there are no$'
    for part in coordinates=reference method=lagrange kernel=schur correction=direct; do
        run 0 check p.yaml --set $part
        has out '^coordinates  *planar reference point, 3 (3 velocities)$'
        lacks out 'multiplications'
    done
    run 0 check p.yaml --coordinates cheapest --method lagrange --quiet --json
    same "$(field out coordinates)" "\"relative: joint coordinates of a spanning tree, in the plane\"" coordinates
    run 0 check p.yaml --coordinates cheapest --method lagrange
    has out '^coordinates  *relative: '
    # a body that nothing holds has no shorter description
    run 0 check "${HOLONOM_MODELS:?}/rocking_block.yaml"
    has out '^coordinates  *planar reference point'
    has out '^chosen by auto  *reference-point coordinates (an evaluation costs some 82 multiplications,'
}
try summary "run: the summary"

summary_json() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml --output p.csv --json
    is_json out
    is_empty err
    for key in status model method coordinates integrator kernel stabilizer correction choice end t steps rejected \
        evaluations factorizations coordinate_changes wall_time max_position_violation max_velocity_violation relative_energy_error dof \
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
    ! grep -q "$(grep '"swing":' plain)" out || wrong "--set L changes nothing"
    cp out short
    run 0 run p.yaml --no-output --json --set parameters.L=0.83 --set L=0.61
    same "$(grep '"swing"' out)" "$(grep '"swing"' short)" "the last --set"
    run 0 run p.yaml --no-output --json --set 'L=1.22/2'
    same "$(grep '"swing"' out)" "$(grep '"swing"' short)" "an expression"
    run 0 run p.yaml --no-output --json --set bodies.rod.mass=2.54 --set bodies.rod.inertia=0.143
    near "$(sed -n 's/.*"swing": \([^,]*\).*/\1/p' out)" "$(sed -n 's/.*"swing": \([^,]*\).*/\1/p' plain)" 1e-6
    run 8 run p.yaml --no-output --json --method lagrange --integrator heun --kernel schur --step 0.01 --end 0.5 \
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
    cp out loose
    run 0 run p.yaml --no-output --json --coordinates reference
    [ "$(field loose steps)" -le "$(field out steps)" ] || wrong "a looser tolerance takes more steps"
    is_empty err
    # steps end at the 75 multiples of 0.02 and the 100 of 0.015, of which 25 are the same
    run 0 run p.yaml --no-output --step 0.02 --set output=0.015
    has err '^note: steps were cut short to end at output times: 150 instead of 75'
}
try settings "--set and its shorthands"
try cheapest "coordinates that are left open are the cheapest"

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

# A chain of 20 rods on universal joints, whose crosses have no inertia: $1 ends the list of joints, $2 that of bodies.
crosses() {
    echo 'holonom: 1'
    echo 'space: spatial'
    echo 'gravity: [0.7, -1.9, -9.81]'
    echo 'simulation: {end: 1e-5, coordinates: reference, method: lagrange}'
    echo 'bodies:'
    awk 'BEGIN { for (i = 0; i < 20; i++) {
        printf "  rod%d: {mass: 1.3, inertia: [0.02, 0.021, 0.004], position: [%.1f, 0, 0]}\n", i, 0.4 * i + 0.2
        printf "  cross%d: {mass: 1e-3, inertia: [0, 0, 0], position: [%.1f, 0, 0]}\n", i, 0.4 * i } }'
    [ -z "${2-}" ] || echo "  $2"
    echo 'joints:'
    awk 'BEGIN { for (i = 0; i < 20; i++) {
        printf "  a%d: {type: revolute, bodies: [%s, cross%d], at: [%.1f, 0, 0], axis: [0, 1, 0]}\n", i, i ? "rod" i - 1 : "ground", i, 0.4 * i
        printf "  b%d: {type: revolute, bodies: [cross%d, rod%d], at: [%.1f, 0, 0], axis: [0, 0, 1]}\n", i, i, i, 0.4 * i } }'
    [ -z "${1-}" ] || echo "  $1"
    echo 'measures: {tip: {type: acceleration, body: rod19}}'
}

# Redundant constraints beside bodies without inertia, more than the decomposition of the sparse solver has room for: no body is
# called free that is not, and what the message advises gives the motion of the chain without the redundant joint.
crosses_in_large_models() {
    need fyaml
    again='again: {type: revolute, bodies: [cross3, rod3], at: [1.2, 0, 0], axis: [0, 0, 1]}'
    crosses >plain.yaml
    crosses "$again" >doubled.yaml
    crosses "$again" 'loose: {mass: 1, inertia: [0, 0, 0], position: [1, 2, 3]}' >loose.yaml
    run 1 run doubled.yaml -o d.csv
    has err "^doubled.yaml:[0-9]*:3: error: body 'cross0': has no inertia in some direction; .* set .storage: dense."
    lacks err 'no joint determines'
    run 1 run loose.yaml -o l.csv
    has err "body 'loose': has no inertia, and no joint determines its motion"
    lacks err 'storage'
    run 0 run plain.yaml -o plain.csv -q
    run 0 run doubled.yaml -o doubled.csv -q --set storage=dense
    tail -n 1 plain.csv >last
    tail -n 1 doubled.csv >>last
    awk -F , 'NR == 1 { split($0, a) } NR == 2 { for (i = 1; i <= NF; i++) { d = $i - a[i]; if (d * d > 1e-16 * (1 + a[i] * a[i])) bad = 1 }
        if (a[4] * a[4] < 1) bad = 1 } END { exit bad || NR != 2 }' last || wrong "dense differs: $(cat last)"
}
try crosses_in_large_models "bodies without inertia beside redundant constraints in a large model"

drift() {
    need fyaml
    pendulum >p.yaml
    for more in "" --quiet --json; do
        run 8 run p.yaml --no-output --method lagrange --step 0.05 --end 20 --set output=1 $more
        has err "warning: joint .*|Phi| = .*'lagrange'.*direct-correction"
    done
    is_json out
    has out 'warning: joint .*direct-correction'
    same "$(field out verdict)" '"not met: positions, velocities, energy"' verdict
    same "$(field out status)" '"HOL_OK"' status
    run 0 run p.yaml --no-output --step 0.05 --end 20 --set output=1
    is_empty err
}
try drift "drift is said aloud"

# A measure that is not a number ends the run; the rows before it are kept, and none that has it.
not_a_number() {
    need fyaml
    pendulum >p.yaml
    printf 'holonom: 1\ninclude: p.yaml\nmeasures:\n  odd: {type: expression, value: sqrt(0.5 - t)}\n' >q.yaml
    run 1 run q.yaml -o q.csv --end 2 --set output=0.1
    has err "q.yaml:4:3: error: measure 'odd': is NaN or infinite at t = 0.6"
    ! grep -qi nan q.csv || wrong "q.csv has a value that is not a number"
    same "$(grep -c '^[0-9]' q.csv)" 6 "rows"
}
try not_a_number "a measure that is not a number is named, and its row left out"

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
    # the extremes over all steps stand beside each
    same "$(head -n 1 one.extremes.csv)" 'column,minimum,minimum_time [s],maximum,maximum_time [s]' "the head of the extremes"
    same "$(grep -v '^#' one.extremes.csv | cut -d, -f1 | tail -n +2 | tr '\n' ' ')" 'swing [rad] spin [rad/s] ' "the columns of the extremes"
    same "$(tail -n 1 one.extremes.csv)" '# end: 1001 rows, time' "the last line of the extremes"
    head -n 300 one.csv >cut.csv
    cp one.extremes.csv cut.extremes.csv
    run 0 results cut.csv time
    has err "has 299 rows, and the run wrote 1001: it was cut or changed"
    rm cut.csv cut.extremes.csv
    run 0 results one.csv
    is_empty err
    rm -rf one.csv one.extremes.csv sub/*
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
    run 4 run p.yaml -o f.csv
    has err 'not a regular file'
    [ -c f.csv ] || wrong "the device is gone"
    run 4 run p.yaml -o stream:f.csv --json
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
    echo "earlier results" >p.csv
    (ulimit -f 20 && exec "$program" run p.yaml -o p.csv --json) >out 2>err || got=$?
    same $got 4 "the exit code"
    is_json out
    same "$(field out output)" '[]' output
    same "$(field out end)" '"failed"' end
    has err "what was written before is in 'p.part.csv'; the older file is as it was"
    same "$(cat p.csv)" "earlier results" "the older file"
    awk -F, 'NF != 3 { exit 1 }' p.part.csv || wrong "a line is not whole"
    same "$(tail -c 1 p.part.csv | od -An -c | tr -d ' ')" '\n' "the last character"
    run 0 results p.part.csv time
    has err 'did not end: [0-9]* rows are whole'
}
try disk_fills "a disk that fills up: exit code 4, whole lines, the older file stays"

# A model of three files, and every way to write over one of them.
inputs() {
    need fyaml
    mkdir parts
    pendulum >p.yaml
    printf 'include: parts/more.yaml\n' >>p.yaml
    printf 'tables:\n  f: {file: data.csv}\n' >parts/more.yaml
    printf 'x,y\n0,1\n1,2\n' >parts/data.csv
    cp -r . ../before
    ln parts/data.csv second.csv
    ln -s p.yaml link.csv
    for file in p.yaml ./p.yaml parts/more.yaml parts/data.csv parts/../parts/data.csv second.csv link.csv; do
        for command in "view p.yaml" "compare p.yaml -m lagrange"; do
            # shellcheck disable=SC2086 # the words of the command
            run 2 $command -o "$file"
            has err 'would overwrite'
        done
        case $file in *.csv)
            run 2 run p.yaml -o "$file"
            has err 'would overwrite'
            ;;
        esac
    done
    run 0 run p.yaml -o r.csv -q
    cp r.csv r.before
    run 2 compare p.yaml -m lagrange --reference r.csv -o r.csv
    run 2 compare p.yaml -m lagrange --reference r.csv -o ./r.csv --json
    run 2 report r.csv -o ./r.csv
    ln -s r.csv r.svg
    run 2 plot r.csv swing -o r.svg
    cmp -s r.csv r.before || wrong "the result was overwritten"
    for file in p.yaml parts/more.yaml parts/data.csv; do
        cmp -s "$file" "../before/$file" || wrong "$file was overwritten"
    done
    rm -r ../before
}
try inputs "no output is an input, whatever it is called"

# Two runs into one file: the second is refused, and told which process has it.
two_runs() {
    need fyaml timeout
    pendulum >p.yaml
    "$program" run p.yaml --end 1e6 --set output=0.05 -q -o p.csv 2>err1 &
    pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ ! -s p.part.csv ] || break
        sleep 0.2
    done
    run 4 run p.yaml -o p.csv
    has err "process $pid is writing it"
    run 0 results p.part.csv time
    has err "process $pid is writing this file"
    run 4 results p.csv
    has err "'p.part.csv' is there"
    kill -KILL $pid
    wait $pid 2>kill_err || true
    run 0 run p.yaml -o p.csv
    is_absent p.part.csv
}
try two_runs "two runs into one file: the second says who writes it"

# An older file stays when the run is interrupted.
interrupt_older() {
    need fyaml timeout
    pendulum >p.yaml
    echo "earlier results" >p.csv
    got=0
    timeout --preserve-status -k 20 -s TERM 1 \
        "$program" run p.yaml --end 1e6 --set output=0.05 --json -o p.csv >out 2>err </dev/null || got=$?
    same $got 143 "the exit code"
    same "$(list out output)" p.part.csv "the file that is named"
    has err "the older 'p.csv' is as it was"
    same "$(cat p.csv)" "earlier results" "the older file"
    run 0 results p.part.csv time
    near "$(tail -n 1 out)" "$(tail -n 1 p.part.csv | cut -d , -f 1)" 1e-12
}
try interrupt_older "an interrupted run leaves an older file as it was"

# A run that would fill the disk is refused before it starts, by its rows or by the size of its file.
limits() {
    need fyaml
    pendulum >p.yaml
    sed 's/^simulation: {/simulation: {output: 1e-9, /' p.yaml >fine.yaml
    grep -q 'output: 1e-9' fine.yaml || wrong "the model has no such line"
    run 3 run fine.yaml -o p.csv
    has err '^fine.yaml:[0-9]*:[0-9]*: error: output: an interval of 1e-09 s over 1.5 s gives 1.5e+09 rows, and max_rows allows 1e+08'
    run 3 run p.yaml --set output=1e-3 --set max_bytes=1e4 -o p.csv
    has err "'p.csv' would have 1501 rows and about .* kB, and max_bytes allows 10 kB"
    for file in *.csv *.h5; do is_absent "$file"; done
    # where nobody knows the rows before, the run stops at the limit and keeps what it has
    run 1 run p.yaml --set output=steps --set max_rows=7 -o p.csv -q
    has err 'after 7 rows, as many as max_rows allows'
    awk 'END { exit NR < 8 || NR > 9 }' p.csv || wrong "p.csv has $(wc -l <p.csv) lines"
    run 1 run p.yaml --set output=steps --set max_bytes=400 -o q.csv -q
    has err 'max_bytes allows 400 bytes'
    awk 'END { exit NR < 5 || NR > 10 }' q.csv || wrong "q.csv has $(wc -l <q.csv) lines"
    run 0 check p.yaml
    has out '^output  *1001 rows: about .* as .csv$'
    run 0 run p.yaml --set output=1e-6 --end 1.5e-3 --set max_bytes=0 --set max_rows=0 -o p.csv -q
    same "$(wc -l <p.csv | tr -d ' ')" 1502 "the lines without limits"
    # a run so short that no thousandth of it is a number
    for end in 4.9e-324 1e-321 1e-310; do
        run 0 run p.yaml --end $end -o short.csv -q
    done
}
try limits "rows and bytes have limits"

# Names that would drive a terminal or a spreadsheet.
escape=$(printf '\033')
hostile_names() {
    need fyaml
    cat >p.yaml <<'END'
holonom: 1
space: planar
name: "model\e]0;title\a"
gravity: [0, -9.81]
bodies:
  "rod\e[31m": {mass: 2, inertia: 0.1, position: [0.5, 0]}
joints:
  "pin\e[2J": {type: revolute, bodies: [ground, "rod\e[31m"], at: [0, 0]}
measures:
  "=1+1": {type: angle, body: "rod\e[31m"}
  "@sum\e[5m": {type: reaction, joint: "pin\e[2J"}
  "+x\u202e\u009b": {type: angle, body: "rod\e[31m"}
simulation: {end: 0.1}
END
    for words in "check p.yaml" "run p.yaml -o p.csv" "results p.csv" "compare p.yaml -m lagrange" "check p.yaml --set bodies.x=1"; do
        got=0
        # shellcheck disable=SC2086 # the words of the command
        "$program" $words >out 2>err </dev/null || got=$?
        case $words:$got in check*x=1:3 | *:0) ;; *) wrong "holonom $words: exit code $got, said: $(head -n 3 err)" ;; esac
        ! grep -q "$escape" out err || wrong "holonom $words prints an escape"
        ! LC_ALL=C grep -q "$(printf '\302\233\|\342\200\256')" out err || wrong "holonom $words prints other controls"
    done
    run 0 results p.csv
    has out '^  =1+1 \[rad\]'
    has out '@sum\\x1b\[5m.fx'
    has out '^  +x\\u202e\\x9b \[rad\]'
    case $(head -n 1 p.csv) in "time [s],'=1+1 [rad],'@sum"*) ;; *) wrong "the header: $(head -n 1 p.csv)" ;; esac
    run 0 results p.csv '=1+1'
    same "$(head -n 1 out)" "'=1+1 [rad]" "the header on standard output"
}
try hostile_names "names that would drive a terminal or a spreadsheet"

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
    run 0 results p.csv time swing --digits 3
    same "$(sed -n 1,2p out | tr '\n' ' ')" 'time [s],swing [rad] 0,0.646 ' "three digits of 37 deg"
    for wrong_digits in 0 18 3.5 three ''; do
        run 2 results p.csv time --digits "$wrong_digits"
        has err 'takes a whole number from 1 to 17'
    done
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
        "$program" run p.yaml --end 1e7 --set output=0.2 --json $files >out 2>err </dev/null || got=$?
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
# While a model is awaited from a pipe nothing is there to be kept: the first signal ends the program.
interrupt_reading() {
    command -v mkfifo >/dev/null || exit 77
    mkfifo m.yaml
    "$program" run m.yaml --no-output >out 2>err &
    pid=$!
    sleep 0.3
    kill -TERM $pid
    wait $pid
    same $? 143 "the exit code"
    is_empty out
}
try interrupt_reading "a signal while the model is read ends the program"

include_root() {
    need fyaml
    mkdir -p a/b
    pendulum >a/base.yaml
    printf 'holonom: 1\ninclude: ../base.yaml\n' >a/b/m.yaml
    run 3 check a/b/m.yaml
    has err "m.yaml:2:10: error: '.*base.yaml' lies outside of '.*/a/b', .*--include-root"
    run 0 check a/b/m.yaml --include-root a
    ! built web || run 0 view a/b/m.yaml --include-root a
    run 0 run a/b/m.yaml --include-root a --no-output
    run 0 compare a/b/m.yaml --include-root a --methods lagrange --reference none -o t.csv
    run 2 check a/b/m.yaml --include-root nowhere
    has err 'no such folder'
    mkfifo a/b/pipe.yaml
    printf 'holonom: 1\ninclude: pipe.yaml\n' >a/b/m.yaml
    run 4 check a/b/m.yaml
    has err 'it is a pipe'
}
try include_root "files that a model names lie below a folder, and are regular"

interrupt_term() {
    interrupt TERM 143
}
try interrupt_int "Ctrl-C keeps readable files: exit code 130"
try interrupt_term "SIGTERM keeps readable files: exit code 143"

killed() {
    need fyaml hdf5 timeout
    pendulum >p.yaml
    kill_after 2 "$program" run p.yaml --end 1e7 --set output=0.2 -q -o p.h5 -o p.csv
    run 0 results p.part.h5 time
    [ "$(wc -l <out)" -gt 10 ] || wrong "the file holds $(wc -l <out) lines"
    awk -F, 'NF != 3 { exit 1 }' p.part.csv || wrong "a line is not whole"
    same "$("$program" results p.part.h5 --text end 2>err)" running "the end in the file"
    is_absent p.h5
    is_absent p.csv
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
    has shown "t = [0-9.e+]* of 1e+07 s .* %  ETA [0-9:]*.*|Phi| [0-9.e+-]*  energy [0-9.e-]*"
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

finish
