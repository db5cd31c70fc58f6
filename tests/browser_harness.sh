# Pages in a real browser: runs tests/web/$script with playwright-core against Chromium, which reports in TAP. For tests/test_*.sh that set
# title and script.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository. Skipped, with the reason, if the page is not built in, or Node, npm, its
# registry or Chromium are missing. Screenshots stay in the folder `screenshots` of the working folder.
# shellcheck shell=sh
# shellcheck disable=SC2154 # title and script are set by the test

source=${HOLONOM_SOURCE:?}
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
exec node "web/$script" "$program" "$source" "$browser" "$PWD/work" "$PWD/screenshots"
