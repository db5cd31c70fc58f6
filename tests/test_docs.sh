#!/bin/sh
# The generated pages in docs/ are those that the program makes now, and docs.sh keeps the old ones when it fails.
set -u

source=${HOLONOM_SOURCE:?}
echo 1..3
if [ -z "${HOLONOM_PROGRAM-}" ]; then
    for i in 1 2 3; do echo "ok $i # SKIP built without the program"; done
    exit 0
fi

# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"

if ! "$HOLONOM_PROGRAM" version --features | grep -q '^ *fyaml *yes'; then
    # one of the pages is made of models that the program reads
    for i in 1 2; do echo "ok $i # SKIP built without libfyaml"; done
    mkdir "$scratch/docs" && cp "$source/docs/model-file.md" "$scratch/docs/" || exit 1
    survives 3 "$source/tools/docs.sh" "$scratch/docs" "$scratch/docs/model-file.md"
    exit $failed
fi

sh "$source/tools/docs.sh" "$HOLONOM_PROGRAM" "$scratch/docs" >"$scratch/out" 2>&1
result 1 "the pages can be made" $?

# What the committed pages and the new ones do not share.
stale=0
for page in "$scratch"/docs/*; do
    name=$(basename "$page")
    diff -u "$source/docs/$name" "$page" >"$scratch/diff" 2>&1 || say_stale "$name" "./dev docs"
done
[ "$(ls "$scratch/docs" | wc -l)" -eq 4 ] || stale=1
result 2 "the committed pages are up to date" $stale

survives 3 "$source/tools/docs.sh" "$scratch/docs" "$scratch/docs/model-file.md"
exit $failed
