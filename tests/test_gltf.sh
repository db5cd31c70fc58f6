#!/bin/sh
# Mechanisms as glTF files, against the validator of the Khronos Group and against their results: tests/gltf/validate.mjs. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository.
set -u
source=${HOLONOM_SOURCE:?}
program=${HOLONOM_PROGRAM:-}
title="mechanisms as glTF"
# shellcheck source=tests/npm_harness.sh
. "$source/tests/npm_harness.sh"

[ -n "$program" ] || skip "built without the program"
features=$("$program" version --features)
for part in hdf5 fyaml; do
    printf '%s\n' "$features" | grep -q "^ *$part *yes" || skip "built without $part"
done
fetch_packages gltf
exec node gltf/validate.mjs "$program" "$source"
