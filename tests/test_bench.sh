#!/bin/sh
# tools/bench.sh: rows are measured and held against bench/thresholds.txt, which has one for each row of docs/performance.md; a ratio beyond
# its threshold, and a row without one, fail.
set -u

source=${HOLONOM_SOURCE:?}
build=$(dirname "${HOLONOM_PROGRAM-/}")
if [ ! -x "$build/bench/bench_count" ] || [ ! -x "$build/bench/limit_four_bar" ]; then
    echo "1..0 # SKIP built without the benches"
    exit 0
fi
if ! command -v valgrind >/dev/null 2>&1; then
    echo "1..0 # SKIP instructions are counted by valgrind, which is not there"
    exit 0
fi
if ! "$HOLONOM_PROGRAM" version --features | grep -q '^ *fyaml *yes'; then
    echo "1..0 # SKIP built without model files"
    exit 0
fi
echo 1..4
failed=0
result() {
    if [ "$2" -eq 0 ]; then echo "ok $1 - $3"; else echo "not ok $1 - $3" && failed=1; fi
}

sh "$source/tools/bench.sh" "$build" --check --only 'loop.four_bar*' >out 2>&1
status=$?
sed 's/^/# /' out
result 1 $status "the four-bar against the loop by hand is within its threshold"

printf 'loop.four_bar.lagrange 2 2\nloop.four_bar.relative 100 2\n' >strict
HOLONOM_THRESHOLDS=$PWD/strict sh "$source/tools/bench.sh" "$build" --check --only 'loop.four_bar*' >out 2>&1
[ $? -eq 1 ] && grep -q 'loop.four_bar.lagrange .* is beyond its threshold 2$' out && grep -q 'loop.four_bar.relative .*: holds$' out
result 2 $? "a ratio beyond its threshold fails and is named"

: >empty
HOLONOM_THRESHOLDS=$PWD/empty sh "$source/tools/bench.sh" "$build" --check --only 'loop.four_bar.lagrange' >out 2>&1
[ $? -eq 1 ] && grep -q 'has no threshold$' out
result 3 $? "a row without a threshold fails"

sed -n 's/^| .* | `\([a-z_.0-9]*\)` | .*/\1/p' "$source/docs/performance.md" | sort >page
sed -n 's/^\([a-z_]*\.[a-z_.0-9]*\) .*/\1/p' "$source/bench/thresholds.txt" | sort >kept
[ -s page ] && diff page kept >differences
result 4 $? "the page and the thresholds have the same rows"
exit $failed
