#!/bin/sh
# soak --keep: a long run that is killed and started again goes on behind the last part that was finished, with the same
# numbers as one that was never stopped.
#
#   soak_resumed.sh SOAK MODEL
set -eu
soak=$1
model=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# t, steps, violations and energy of the parts; not the time that they took, nor the memory
numbers() { awk '$1 + 0 > 0 && NF == 8 {print $1, $2, $4, $5, $6}' "$1"; }

"$soak" 300 "$model:rattle8:0.0075" >"$dir/whole"
mkdir "$dir/kept"
"$soak" --keep "$dir/kept" 300 "$model:rattle8:0.0075" >"$dir/first" &
running=$!
until [ "$(numbers "$dir/first" | wc -l)" -ge 13 ]; do sleep 0.02; done
kill -9 $running
wait $running 2>/dev/null || :
"$soak" --keep "$dir/kept" 300 "$model:rattle8:0.0075" >"$dir/second"

grep -q '^goes on behind part 10$' "$dir/second" # the crank, which had ended
grep -q '^goes on behind part [2-9]$' "$dir/second"
numbers "$dir/whole" | tail -n 1 >"$dir/expected"
numbers "$dir/second" | tail -n 1 >"$dir/found"
cmp "$dir/expected" "$dir/found"
[ "$(numbers "$dir/second" | wc -l)" -lt 9 ]

# another length is refused, and the way out is said
if "$soak" --keep "$dir/kept" 301 >/dev/null 2>"$dir/errors"; then exit 1; fi
grep -q 'to begin anew$' "$dir/errors"
