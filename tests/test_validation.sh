#!/bin/sh
# docs/validation.md: the program still gives its values, and the page shows what tests/references.txt asks for.
set -u

source=${HOLONOM_SOURCE:?}
echo 1..3
if [ -z "${HOLONOM_PROGRAM-}" ] || ! "$HOLONOM_PROGRAM" check "$source/models/pendulum.yaml" >/dev/null 2>&1; then
    for i in 1 2 3; do echo "ok $i # SKIP there is no program that reads model files"; done
    exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# Number, name and result of a test.
result() {
    if [ "$3" -eq 0 ]; then
        echo "ok $1 - $2"
    else
        echo "not ok $1 - $2"
        failed=1
    fi
}

sh "$source/tools/validation.sh" "$HOLONOM_PROGRAM" "$scratch/validation.md" >"$scratch/out" 2>&1
status=$?
[ $status -eq 0 ] || sed 's/^/# /' "$scratch/out"
result 1 "all values agree with their references" $status

# The page without what was computed: models, quantities, instants and references.
asked() {
    sed -n -e '/^## /p' -e '/^`models/p' -e 's/^\(| [^|]* | [^|]* | [^|]* |\).*/\1/p' "$1"
}
asked "$source/docs/validation.md" >"$scratch/committed"
asked "$scratch/validation.md" >"$scratch/now"
stale=0
if ! [ -s "$scratch/now" ] || ! diff "$scratch/committed" "$scratch/now" >"$scratch/diff" 2>&1; then
    stale=1
    sed 's/^/# /' "$scratch/diff" | head -n 20
    echo "# docs/validation.md is not up to date: run tools/validation.sh PROGRAM"
fi
result 2 "the committed page asks for the same values" $stale

# A program that cannot run leaves the page that was there.
printf '#!/bin/sh\nexit 3\n' >"$scratch/broken"
chmod +x "$scratch/broken"
cp "$scratch/validation.md" "$scratch/before"
kept=1
if ! sh "$source/tools/validation.sh" "$scratch/broken" "$scratch/validation.md" >/dev/null 2>&1 &&
    cmp -s "$scratch/before" "$scratch/validation.md"; then
    kept=0
fi
result 3 "a page survives a program that fails" $kept
exit $failed
