#!/bin/sh
# docs/validation: the committed pages have the mechanisms and rows of tests/validation.yaml, with their pictures, and no row that
# fails. That the numbers are still right is the test validate_quick, and ./dev validate as a whole.
set -u

source=${HOLONOM_SOURCE:?}
page=$source/docs/validation/README.md
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
echo 1..3

# 1: the mechanisms of the table, in its order
sed -n "s/^    title: //p" "$source/tests/validation.yaml" >"$scratch/asked"
sed -n 's/^## //p' "$page" | grep -v '^The benchmark library' >"$scratch/shown"
[ -s "$scratch/asked" ] || echo "no titles found" >"$scratch/wrong"
diff "$scratch/asked" "$scratch/shown" >>"$scratch/wrong" || echo "run ./dev validate" >>"$scratch/wrong"
result 1 "the page has the mechanisms of the table"

# 2: both pages show the same, and every picture is there
for mechanism in $(sed -n "s/^  '\{0,1\}\([a-z0-9_]*:\{0,1\}[a-z0-9_-]*\)'\{0,1\}:\$/\1/p" "$source/tests/validation.yaml" | tr ':' '-'); do
    grep -q "](images/$mechanism.svg)" "$page" || echo "$mechanism: not in README.md" >>"$scratch/wrong"
    grep -q "src=\"images/$mechanism.svg\"" "$source/docs/validation/index.html" || echo "$mechanism: not in index.html" >>"$scratch/wrong"
    [ -s "$source/docs/validation/images/$mechanism.svg" ] || echo "$mechanism: no picture" >>"$scratch/wrong"
done
result 2 "both pages have all pictures"

# 3: nothing on the page fails
grep -n '\*\*fail\*\*\|\*\*differs\*\*' "$page" >"$scratch/wrong"
result 3 "no row of the page fails"
exit $failed
