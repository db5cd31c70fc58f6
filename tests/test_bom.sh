#!/bin/sh
# The bill of materials is JSON, names every library that the program is linked with and its licence, and the packages of the page
# with the checksums of the lock file. Lock files pin every package by its content and name no host.
set -u

source=${HOLONOM_SOURCE:?} program=${HOLONOM_PROGRAM:?}
echo 1..4
number=0 failed=0
report() { # status, what
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2" && failed=1; fi
}
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

bom=bill.json
sh "$source/tools/bom.sh" --page "$program" >$bom
report $? "a bill is written"

if command -v node >/dev/null 2>&1; then
    node - "$bom" "$source" <<'JS'
const fs = require('fs'), [, , file, source] = process.argv, bill = JSON.parse(fs.readFileSync(file)), faults = [];
const expect = (holds, words) => holds || faults.push(words);
expect(bill.spdxVersion === 'SPDX-2.3' && bill.dataLicense === 'CC0-1.0', 'version and licence of the document');
const ids = new Set(bill.packages.map((p) => p.SPDXID).concat(bill.SPDXID));
expect(ids.size === bill.packages.length + 1, 'two packages with one id');
for (const r of bill.relationships) expect(ids.has(r.spdxElementId) && ids.has(r.relatedSpdxElement), JSON.stringify(r));
for (const p of bill.packages)
    for (const key of ['name', 'versionInfo', 'downloadLocation', 'licenseConcluded', 'licenseDeclared', 'copyrightText'])
        expect(typeof p[key] === 'string' && p[key] && /^SPDXRef-[A-Za-z0-9.-]+$/.test(p.SPDXID), `${p.name}: ${key}`);
const lock = JSON.parse(fs.readFileSync(`${source}/web/package-lock.json`)).packages;
for (const name of Object.keys(lock[''].dependencies)) {
    const entry = lock[`node_modules/${name}`], p = bill.packages.find((q) => q.SPDXID === `SPDXRef-npm-${name}`);
    const sum = Buffer.from(entry.integrity.replace('sha512-', ''), 'base64').toString('hex');
    expect(p && p.versionInfo === entry.version && p.licenseConcluded === entry.license && p.checksums[0].checksumValue === sum, name);
}
for (const words of faults) console.log('#', words);
process.exit(faults.length ? 1 : 0);
JS
    report $? "it is complete in itself, with the packages of the page"
else
    skip "it is complete in itself, with the packages of the page" "there is no node"
fi

status=0
for library in $(readelf -dW "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p') \
    $("$program" version --features | sed -n 's/.*; loaded when used: //p'); do
    grep -A 6 "\"name\": \"$library\"" $bom | grep '"licenseConcluded"' | grep -qv NOASSERTION || {
        echo "# $library has no licence in tools/licences.txt"
        status=1
    }
done
report $status "every library that the program names has its licence"

status=0
for lock in "$source"/web/package-lock.json "$source"/tests/*/package-lock.json; do
    packages=$(grep -c '^    "node_modules/' "$lock") sums=$(grep -c '"integrity": "sha512-' "$lock")
    [ "$packages" -eq "$sums" ] && [ "$packages" -gt 0 ] || { echo "# $lock: $packages packages, $sums checksums" && status=1; }
    ! grep -n '"resolved"' "$lock" || status=1
    # shellcheck disable=SC2016 # nothing to expand
    ! grep -nE '"[^"]+": "[\^~<>*]' "$(dirname "$lock")/package.json" || status=1
done
report $status "lock files pin every package by its content"
exit $failed
