#!/bin/sh
# Odd values of every option of every command: whatever is given, the program ends within its time with an exit code of its
# list and words that say why; no control characters reach the terminal, and inputs stay as they are.
#
# The commands and options are those that the program itself lists. By default a sample is tried, HOLONOM_WHOLE=1 tries all.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

sample=${HOLONOM_SAMPLE-97}
[ "${HOLONOM_WHOLE-0}" != 1 ] || sample=1
escape=$(printf '\033')

# What a command needs before its options; nothing: it is not tried.
words_of() {
    case $1 in
    results | report | plot) echo in.csv ;;
    animate) echo in.h5 ;;
    resume) echo in.checkpoint ;;
    methods | options | elements | schema | help | version) echo '' ;;
    identify) echo m.yaml --data in.csv --fit swing ;;
    optimize) echo m.yaml --minimize 'end_swing' ;;
    reproduce) echo c.yaml ;;
    study) echo s.yaml ;;
    import) echo r.urdf ;;
    *) echo m.yaml ;;
    esac
}

# One value a line is not enough: the values have numbers.
value() {
    case $1 in
    1) printf '' ;;
    2) printf -- -1 ;;
    3) printf 0 ;;
    4) printf nan ;;
    5) printf inf ;;
    6) printf 1e308 ;;
    7) printf 1e-320 ;;
    8) printf '%04000d' 7 ;;
    9) printf 'a\033[31mb\nc' ;;
    10) printf . ;;
    11) printf /dev/null ;;
    12) printf /dev/full ;;
    13) printf pipe.csv ;;
    14) printf m.yaml ;;
    15) printf in.csv ;;
    16) printf 'swing=0:inf' ;;
    17) printf '=' ;;
    18) printf '\303\050' ;;
    19) printf -- '--json' ;;
    esac
}
values=19

# The options of a command, by the page of its help: words behind the dashes that begin a line.
options_of() {
    "$program" help "$1" 2>/dev/null | sed -n '/^Options:/,/^[A-Z].*:$/s/^ \{2,6\}\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort -u
}

# Judge the exit code $1 of a call that the other words say. A run of years is one that says so and ends when it is asked to; a
# table may say in its rows what failed; what a call only writes to may change.
judge() {
    code=$1
    shift
    calls=$((calls + 1))
    said=$(printf '%.200s' "holonom $*" | tr '\n\033' '??')
    case $code in
    0 | [1-9]) ;;
    124) grep -q 'warning: interrupted' err || wrong "$said: does not end within its time" ;;
    *) wrong "$said: exit code $code" ;;
    esac
    [ "$code" -eq 0 ] || [ -s err ] || grep -q '"errors"\| failed' out || wrong "$said: exit code $code without a word"
    if grep -q "$escape" out err; then wrong "$said: a raw escape on the terminal"; fi
    for input in m.yaml in.csv c.yaml s.yaml r.urdf; do
        cmp -s $input kept/$input && continue
        case " $command $(words_of "$command") " in *" $input "*) wrong "$said: $input was changed" ;; esac
        cp kept/$input $input
    done
}

# The program with these words has 10 s and 1 GB.
call() {
    code=0
    (
        ulimit -v 1048576
        exec timeout -k 1 -s INT 10 "$program" "$@"
    ) >out 2>err </dev/null || code=$?
    judge $code "$@"
}

odd() {
    need fyaml
    command -v timeout >/dev/null || exit 77
    command -v mkfifo >/dev/null || exit 77
    pendulum | sed 's/^simulation:.*/simulation: {end: 0.05, output: 0.01}/' >m.yaml
    "$program" run m.yaml -q -o in.csv && "$program" run m.yaml -q -o in.h5 2>/dev/null
    printf 'claims:\n  try: {title: A try, source: nowhere, claim: It swings., steps: [{run: m.yaml}]}\n' >c.yaml
    printf 'model: m.yaml\nfactors: {L: {from: 0.7 m, to: 0.8 m}}\ndesign: random\ncases: 3\nresponses: {e: end swing}\n' >s.yaml
    printf '<robot name="r"><link name="a"/></robot>\n' >r.urdf
    mkdir kept && cp m.yaml in.csv c.yaml s.yaml r.urdf kept
    mkfifo pipe.csv
    calls=0 count=0
    for command in $("$program" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\{3,\}\) .*/\1/p'); do
        for option in $(options_of "$command"); do
            k=0
            while k=$((k + 1)) && [ $k -le $((values + 2)) ]; do
                count=$((count + 1))
                [ $((count % sample)) -eq 0 ] || continue
                # shellcheck disable=SC2046 # one word each
                set -- "$command" $(words_of "$command")
                case $k in
                "$((values + 1))") call "$@" "$option" ;;
                "$((values + 2))") call "$@" "$option" 1 "$option" 2 ;;
                *)
                    v=$(value $k; printf x)
                    call "$@" "$option" "${v%x}"
                    ;;
                esac
            done
        done
    done
    echo "# $calls calls of $count"
    [ $calls -gt $((count / sample - 1)) ] && [ $count -gt 4000 ] || wrong "only $calls of $count calls were made"
}
try odd "odd values of options"

# Words that look like options.
dashes() {
    need fyaml
    pendulum >m.yaml
    for word in --=== --=3 ---; do
        run 2 run m.yaml "$word"
        has err "there is no option '$word'$"
    done
}
try dashes "dashes that are no options"

finish
