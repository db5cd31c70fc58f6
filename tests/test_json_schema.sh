#!/bin/sh
# The JSON Schema of model files, as the program writes it, against ajv in strict mode: tests/schema/validate.mjs. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository.
set -u
source=${HOLONOM_SOURCE:?}
program=${HOLONOM_PROGRAM:-}
title="the schema of model files"
# shellcheck source=tests/npm_harness.sh
. "$source/tests/npm_harness.sh"

[ -n "$program" ] || skip "built without the program"
fetch_packages schema
"$program" schema >model-file.schema.json || exit 1
exec node schema/validate.mjs "$source" model-file.schema.json
