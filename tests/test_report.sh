#!/bin/sh
# Reports in a real browser: tests/web/report.mjs with playwright-core against Chromium. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository. Skipped, and said to be, where the page is not built in, or Node,
# npm, its registry or Chromium are not there. Screenshots stay in the folder `screenshots` of the working folder.
set -u

skip() {
    echo "1..1"
    echo "ok 1 # SKIP reports in a browser: $*"
    exit 0
}

program=${HOLONOM_PROGRAM:-}
source=${HOLONOM_SOURCE:?}
[ -n "$program" ] || skip "built without the program"
features=$("$program" version --features)
for part in web hdf5 fyaml; do
    printf '%s\n' "$features" | grep -q "^ *$part *yes" || skip "built without $part"
done
command -v node >/dev/null 2>&1 || skip "Node.js is not installed"
command -v npm >/dev/null 2>&1 || skip "npm is not installed"
browser=${HOLONOM_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || skip "Chromium is not installed (Debian: chromium)"

# The test runs in a copy beside its packages, so that the sources stay clean.
mkdir -p web && cp "$source"/tests/web/*.json "$source"/tests/web/*.mjs web/ || exit 1
if ! cmp -s web/package-lock.json web/node_modules/.holonom-lock; then
    (cd web && npm ci --no-audit --no-fund --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=30000) >npm.log 2>&1 ||
        skip "the package playwright-core could not be fetched: $(tail -n 1 npm.log)"
    cp web/package-lock.json web/node_modules/.holonom-lock
fi
rm -rf screenshots work
mkdir -p screenshots work
exec node web/report.mjs "$program" "$source" "$browser" "$PWD/work" "$PWD/screenshots"
