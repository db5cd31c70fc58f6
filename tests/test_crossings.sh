#!/bin/sh
# The table of docs/theory/crossing.md is that of tools/crossings.sh: the same runs stop and cross, with errors within a factor of ten.
set -u

source=${HOLONOM_SOURCE:?}
echo 1..1
if [ -z "${HOLONOM_PROGRAM-}" ] || ! "$HOLONOM_PROGRAM" version --features | grep -q '^ *fyaml *yes'; then
    echo "ok 1 # SKIP built without the program or model files"
    exit 0
fi

# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"

sh "$source/tools/crossings.sh" "$HOLONOM_PROGRAM" "$source/models" >"$scratch/now" 2>&1
grep '^| `' "$source/docs/theory/crossing.md" | grep -E 'crossed|stops' >"$scratch/page"
grep '^| `' "$scratch/now" >"$scratch/rows"
awk -F'|' '
    NR == FNR { for (i = 2; i <= 6; i++) page[FNR, i] = $i; rows = FNR; next }
    {
        for (i = 2; i <= 6; i++) {
            a = page[FNR, i]; b = $i
            sub(/^ */, "", a); sub(/^ */, "", b)
            if (i == 2 || a ~ /stops/ || b ~ /stops/) same = a == b || (a ~ /stops/ && b ~ /stops/)
            else same = a + 0 <= 10 * b && b + 0 <= 10 * a && substr(a, index(a, "(")) == substr(b, index(b, "("))
            if (!same) { print "# page: " a "; now: " b; bad = 1 }
        }
    }
    END { exit bad || FNR != rows || rows < 18 }
' "$scratch/page" "$scratch/rows"
result 1 "the table of crossings is that of the page" $?
exit $failed
