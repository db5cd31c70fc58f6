#!/bin/sh
# The bill of materials of a built program, as SPDX 2.3 in JSON, on the standard output: the product, the shared
# libraries that it loads with their packages and versions (where dpkg knows them), and the packages of the npm registry that
# are bundled into the report page (--page), with their checksums.
#
#   bom.sh [--page] PROGRAM
set -eu

here=$(cd "$(dirname "$0")" && pwd)
page=no
[ "${1-}" != --page ] || { page=yes && shift; }
program=${1:?give the program}
version=$(sed -n 's/^#define HOL_VERSION "\(.*\)"$/\1/p' "$here/../include/holonom/version.h")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A row of tools/licences.txt for the library file $1: "licence|project". Licence expressions may have several words.
licence_of() {
    # with the digits that belong to a name (libxml2) and without those of a version (libopenblas-r0.3)
    whole=$(printf '%s' "$1" | sed 's/\.so.*//; s/_serial$//')
    stem=$(printf '%s' "$whole" | sed 's/[-_.0-9]*$//')
    awk -v whole="$whole" -v stem="$stem" '/^#/ { next } $1 == stem || $1 == whole {
        licence = $2
        i = 3
        while ($i == "WITH" || $i == "OR" || $i == "AND") { licence = licence " " $i " " $(i + 1); i += 2 }
        project = $i
        for (i++; i <= NF; i++) project = project " " $i
        print licence "|" project
        exit
    }' "$here/licences.txt"
}

# One package: id, name, version, licence, further members. Commas stand before all but the first.
put_package() {
    printf '%s    {\n      "SPDXID": "SPDXRef-%s",\n      "name": "%s",\n      "versionInfo": "%s",\n' "$comma" "$1" "$2" "$3"
    printf '      "downloadLocation": "NOASSERTION",\n      "filesAnalyzed": false,\n'
    printf '      "licenseConcluded": "%s",\n      "licenseDeclared": "%s",\n' "$4" "$4"
    printf '%s      "copyrightText": "NOASSERTION"\n    }' "$5"
    comma=',
'
}

put_relation() {
    printf '%s    { "spdxElementId": "SPDXRef-%s", "relationshipType": "%s", "relatedSpdxElement": "SPDXRef-%s" }' \
        "$relation_comma" "$1" "$2" "$3" >>"$work/relations"
    relation_comma=',
'
}

# The libraries that the program loads when it first uses them: their paths.
list_late() {
    "$program" version --features | sed -n 's/.*; loaded when used: //p' | while read -r name; do
        case $name in
        /*) echo "$name" ;;
        *) PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }' ;;
        esac
    done
}

# The libraries: file name and path, those that the program names itself marked "direct".
list_libraries() {
    list_late >"$work/late"
    { readelf -dW "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'; sed 's|.*/||' "$work/late"; } >"$work/needed"
    { # shellcheck disable=SC2046 # one word per library
        ldd "$program" $(cat "$work/late")
        sed 's|.*/\(.*\)|\1 => &|' "$work/late"
    } 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\.so[^ ]*\) => \(\/[^ ]*\).*/\1 \2/p' | LC_ALL=C sort -u -k 1,1 |
        while read -r name path; do
            if grep -qxF "$name" "$work/needed"; then echo "$name $path direct"; else echo "$name $path further"; fi
        done
}

# Which package of Debian owns each library: "path package" lines, with one question for all of them.
list_owners() {
    command -v dpkg-query >/dev/null 2>&1 || return 0
    while read -r _ path _; do
        for candidate in "$path" "$(readlink -f "$path")" "/usr$path"; do printf '%s\n' "$candidate"; done
    done <"$work/libraries" | sort -u | xargs dpkg-query -S 2>/dev/null | sed 's/:.*: / /' | awk '{ print $2, $1 }' || true
}

put_library() {
    name=$1 path=$2 how=$3
    owner='' found_version=NOASSERTION
    for candidate in "$path" "$(readlink -f "$path")" "/usr$path"; do
        [ -n "$owner" ] || owner=$(awk -v path="$candidate" '$1 == path { print $2; exit }' "$work/owners")
    done
    # shellcheck disable=SC2016 # dpkg's own variables
    [ -z "$owner" ] || found_version=$(dpkg-query -W -f '${Version}\n' "$owner" | head -1)
    row=$(licence_of "$name")
    licence=${row%%|*}
    more=$(printf '      "packageFileName": "%s",\n      "summary": "%s",' "$name" \
        "$([ -z "$row" ] && echo "${owner:-$name}" || echo "${row#*|}")${owner:+, Debian package $owner}")
    put_package "library-$(printf '%s' "$name" | tr -c 'A-Za-z0-9.\n' '-')" "$name" "$found_version" \
        "${licence:-NOASSERTION}" "$more
"
    id=library-$(printf '%s' "$name" | tr -c 'A-Za-z0-9.\n' '-')
    if [ "$how" = direct ]; then
        put_relation program DYNAMIC_LINK "$id"
    else
        put_relation "$id" RUNTIME_DEPENDENCY_OF program
    fi
}

# The packages that the page contains: the dependencies of web/package.json, by the lock file.
put_page_packages() {
    awk '/"dependencies": *{/ { on = 1; next } on && /}/ { exit } on { gsub(/[",:]/, ""); print $1 }' "$here/../web/package.json" |
        while read -r name; do
            awk -v key="\"node_modules/$name\": {" 'index($0, key) { on = 1; next } on && /^ *},?$/ { exit }
                on && /"(version|integrity|license)"/ { gsub(/[",]/, ""); sub(/:$/, "", $1); print $1, $2 }' \
                "$here/../web/package-lock.json" >"$work/package"
            echo "$name $(sed -n 's/^version //p' "$work/package") $(sed -n 's/^license //p' "$work/package") \
                $(sed -n 's/^integrity sha512-//p' "$work/package")"
        done
}

put_page_package() {
    sum=$(printf '%s' "$4" | base64 -d | od -An -v -tx1 | tr -d ' \n')
    put_package "npm-$1" "$1" "$2" "$3" "      \"checksums\": [ { \"algorithm\": \"SHA512\", \"checksumValue\": \"$sum\" } ],
      \"externalRefs\": [ {
        \"referenceCategory\": \"PACKAGE-MANAGER\",
        \"referenceType\": \"purl\",
        \"referenceLocator\": \"pkg:npm/$1@$2\"
      } ],
"
    put_relation program CONTAINS "npm-$1"
}

sum=$(sha256sum "$program" | cut -c 1-64)
cat <<TEXT
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "holonom-$version",
  "documentNamespace": "https://spdx.org/spdxdocs/holonom-$version-$sum",
  "creationInfo": {
    "created": "$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)",
    "creators": [ "Tool: holonom-bom-$version" ]
  },
  "packages": [
TEXT
comma='' relation_comma=''
put_package program holonom "$version" BSD-3-Clause "      \"checksums\": [ { \"algorithm\": \"SHA256\", \"checksumValue\": \"$sum\" } ],
"
put_relation DOCUMENT DESCRIBES program
list_libraries >"$work/libraries"
list_owners >"$work/owners"
while read -r name path how; do put_library "$name" "$path" "$how"; done <"$work/libraries"
if [ $page = yes ]; then
    put_page_packages >"$work/page"
    while read -r name found licence integrity; do put_page_package "$name" "$found" "$licence" "$integrity"; done <"$work/page"
fi
printf '\n  ],\n  "relationships": [\n'
cat "$work/relations"
printf '\n  ]\n}\n'
