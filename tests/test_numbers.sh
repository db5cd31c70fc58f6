#!/bin/sh
# The numbers of the report page, read back by Node: tests/web/numbers.mjs. Reports in TAP.
set -u
command -v node >/dev/null 2>&1 || {
    echo "1..1"
    echo "ok 1 # SKIP numbers of the page: Node.js is not installed"
    exit 0
}
exec node "${HOLONOM_SOURCE:?}/tests/web/numbers.mjs" "$HOLONOM_SOURCE"
