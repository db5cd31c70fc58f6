#!/bin/sh
# Pages of studies in a real browser: tests/web/study.mjs.
set -u

title="studies in a browser" script=study.mjs
# shellcheck source=tests/browser_harness.sh
. "${HOLONOM_SOURCE:?}/tests/browser_harness.sh"
