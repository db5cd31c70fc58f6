#!/bin/sh
# Pages of studies in a real browser: tests/web/study.mjs with playwright-core against Chromium. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository. Skipped, and said to be, where the page is not built in, or Node,
# npm, its registry or Chromium are not there. Screenshots stay in the folder `screenshots` of the working folder.
set -u

source=${HOLONOM_SOURCE:?}
title="studies in a browser"
# shellcheck source=tests/npm_harness.sh
. "$source/tests/npm_harness.sh"

program=${HOLONOM_PROGRAM:-}
[ -n "$program" ] || skip "built without the program"
features=$("$program" version --features)
for part in web fyaml hdf5; do
    printf '%s\n' "$features" | grep -q "^ *$part *yes" || skip "built without $part"
done
browser=${HOLONOM_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || skip "Chromium is not installed (Debian: chromium)"

fetch_packages web
rm -rf screenshots work
mkdir -p screenshots work
exec node web/study.mjs "$program" "$source" "$browser" "$PWD/work" "$PWD/screenshots"
