#!/bin/sh
# The generated pages in docs/ are those that the program makes now, and docs.sh keeps the old ones when it fails.
set -u

source=${HOLONOM_SOURCE:?}
echo 1..3
if [ -z "${HOLONOM_PROGRAM-}" ]; then
    for i in 1 2 3; do echo "ok $i # SKIP built without the program"; done
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

sh "$source/tools/docs.sh" "$HOLONOM_PROGRAM" "$scratch/docs" >"$scratch/out" 2>&1
result 1 "the pages can be made" $?

# What the committed pages and the new ones do not share.
stale=0
for page in "$scratch"/docs/*; do
    name=$(basename "$page")
    if ! diff -u "$source/docs/$name" "$page" >"$scratch/diff" 2>&1; then
        stale=1
        sed 's/^/# /' "$scratch/diff" | head -n 20
        echo "# docs/$name is not up to date: run ./dev docs"
    fi
done
[ "$(ls "$scratch/docs" | wc -l)" -eq 2 ] || stale=1
result 2 "the committed pages are up to date" $stale

# A program that fails half-way leaves the page that was there.
printf '#!/bin/sh\necho half\nexit 3\n' >"$scratch/broken"
chmod +x "$scratch/broken"
cp "$scratch/docs/model-file.md" "$scratch/before"
kept=1
if ! sh "$source/tools/docs.sh" "$scratch/broken" "$scratch/docs" >/dev/null 2>&1 &&
    cmp -s "$scratch/before" "$scratch/docs/model-file.md" && [ ! -e "$scratch/docs/model-file.md.new" ]; then
    kept=0
fi
result 3 "a page survives a program that fails" $kept
exit $failed
