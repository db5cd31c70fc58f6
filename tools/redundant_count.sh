# redundant_count.sh: instructions of a step of bench_redundant, for tools/redundant.sh and tests/test_redundant.sh. bench is the program.
# shellcheck shell=sh

# Steps that are counted, after those before them.
before=2 steps=200

# All instructions of a run.
count() {
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$bench" "$@" 2>&1 </dev/null |
        sed -n 's/.*I *refs: *//p' | tr -d ,
}

# Instructions of a step: MODEL N SETTINGS...
each() {
    model=$1 n=$2
    shift 2
    "$bench" "$model" "$n" 1 "$@" || { echo "redundant: $model $n $* does not run" >&2; exit 1; }
    first=$(count "$model" "$n" $before "$@") last=$(count "$model" "$n" $((before + steps)) "$@")
    [ -n "$first" ] && [ -n "$last" ] || { echo "redundant: the instructions of $model $n $* could not be counted" >&2; exit 1; }
    echo $(((last - first) / steps))
}
