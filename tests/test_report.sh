#!/bin/sh
# Reports in a real browser: tests/web/report.mjs.
set -u

title="reports in a browser" script=report.mjs
# shellcheck source=tests/browser_harness.sh
. "${HOLONOM_SOURCE:?}/tests/browser_harness.sh"
