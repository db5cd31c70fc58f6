# npm_harness.sh: for tests that run on Node: what is missing makes them skip, and their packages come by the lock file.
#
# Sourced. `skip WORDS` ends the test as skipped under the name in $title; `fetch_packages FOLDER` copies tests/FOLDER beside its packages, so
# that the sources stay clean, and installs these once for each content of the lock file.

skip() {
    echo "1..1"
    echo "ok 1 # SKIP $title: $*"
    exit 0
}

fetch_packages() {
    command -v node >/dev/null 2>&1 || skip "Node.js is not installed"
    command -v npm >/dev/null 2>&1 || skip "npm is not installed"
    mkdir -p "$1" && cp "$source/tests/$1"/*.json "$source/tests/$1"/*.mjs "$1/" || exit 1
    cmp -s "$1/package-lock.json" "$1/node_modules/.holonom-lock" && return 0
    (cd "$1" && npm ci --no-audit --no-fund --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=30000) >npm.log 2>&1 ||
        skip "the packages of tests/$1 could not be fetched: $(tail -n 1 npm.log)"
    cp "$1/package-lock.json" "$1/node_modules/.holonom-lock"
}
