#!/bin/sh
# Add the figures of fuzzers to the page that sums them up.
#
#   fuzz_ledger.sh PAGE TABLE [DATE]    add the rows of TABLE, as tools/fuzz.sh prints them: name executions seconds edges
#                                       findings; PAGE is made where there is none
#   fuzz_ledger.sh --self-test          check this tool
#
# The rule: figures add up over runs of the same version of the library (HOL_VERSION) since the last run with a finding.
# A run with findings, and the first run of another version, begin anew. Edges are those of the run that saw most, since
# runs see the same ones. TABLE is one run: the same file added twice counts twice.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)

# The page's text, before its rows.
head_of_page() {
    cat <<EOF
# Hours of the fuzzers

Kept by \`./dev fuzz\`, which adds each of its runs (\`tools/fuzz_ledger.sh\`). A row sums up the runs of one fuzzer with one version of the
library since its last run with a finding: a run with findings, and the first run of another version, begin anew. Within a version the sources
change, and the sum stays: it says how long was searched, not that today's sources were searched for so long. Seconds are processor time; edges
are those of the run that saw most. \`none\` under "last finding" means none since this page is kept. The rows \`fuzz_mutated_models\` and
\`fuzz_mutated_results\` count the files of \`./dev mutate\`, which goes on behind those that are read; they see no edges.

| fuzzer | version | runs | executions | processor s | edges | last run | last finding |
|---|---|---|---|---|---|---|---|
EOF
}

# Print the page $1 (or none) with the rows of the table $2 added, on the day $3, with version $4.
sum_up() {
    head_of_page
    [ -f "$1" ] || set -- /dev/null "$2" "$3" "$4"
    awk -v day="$3" -v version="$4" '
        part == 1 {
            if ($0 !~ /^\| fuzz_/) next
            gsub(/[| ]+/, " "); sub(/^ /, ""); split($0, f, " ")
            row[f[1]] = 1; v[f[1]] = f[2]; runs[f[1]] = f[3]; n[f[1]] = f[4]; s[f[1]] = f[5]; e[f[1]] = f[6]
            last[f[1]] = f[7]; found[f[1]] = f[8]
            next
        }
        NF == 0 { next }
        NF != 5 || $1 !~ /^fuzz_[a-z0-9_]+$/ || ($2 $3 $4 $5) !~ /^[0-9]+$/ {
            printf "fuzz_ledger.sh: line %d is no row of fuzz.sh: %s\n", FNR, $0 >"/dev/stderr"
            bad = 1
            exit 1
        }
        {
            k = $1
            if (!(k in row) || v[k] != version || $5 > 0) runs[k] = n[k] = s[k] = e[k] = 0
            if (!(k in row)) found[k] = "none"
            row[k] = 1; v[k] = version; last[k] = day
            if ($5 > 0) { found[k] = day; next }
            runs[k]++; n[k] += $2; s[k] += $3
            if ($4 > e[k]) e[k] = $4
        }
        END {
            if (bad) exit 1
            for (k in row)
                printf "| %s | %s | %d | %.0f | %.0f | %d | %s | %s |\n", k, v[k], runs[k], n[k], s[k], e[k], last[k],
                    found[k] | "sort"
        }' part=1 "$1" part=2 "$2"
}

# Twice the same run adds up; a finding and another version begin anew; what is no row changes nothing.
self_test() {
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    page=$folder/page table=$folder/table
    wants() {
        grep -qxF "$1" "$page" || {
            printf 'fuzz_ledger.sh: no row "%s" in\n%s\n' "$1" "$(cat "$page")" >&2
            exit 1
        }
    }
    add() {
        sum_up "$page" "$table" "$@" >"$page.new" && mv "$page.new" "$page"
    }
    printf 'fuzz_mesh      4294967296   300  959  0\nfuzz_yaml   7  20 15 0\n' >"$table"
    add 2031-02-03 1.2.3
    wants '| fuzz_mesh | 1.2.3 | 1 | 4294967296 | 300 | 959 | 2031-02-03 | none |'
    printf 'fuzz_mesh 5 11 900 0\n' >"$table"
    add 2031-02-04 1.2.3
    wants '| fuzz_mesh | 1.2.3 | 2 | 4294967301 | 311 | 959 | 2031-02-04 | none |'
    wants '| fuzz_yaml | 1.2.3 | 1 | 7 | 20 | 15 | 2031-02-03 | none |'
    printf 'fuzz_mesh 5 11 900 2\n' >"$table"
    add 2031-02-05 1.2.3
    wants '| fuzz_mesh | 1.2.3 | 0 | 0 | 0 | 0 | 2031-02-05 | 2031-02-05 |'
    printf 'fuzz_mesh 6 12 901 0\nfuzz_yaml 8 21 16 0\n' >"$table"
    add 2031-02-06 1.2.4
    wants '| fuzz_mesh | 1.2.4 | 1 | 6 | 12 | 901 | 2031-02-06 | 2031-02-05 |'
    wants '| fuzz_yaml | 1.2.4 | 1 | 8 | 21 | 16 | 2031-02-06 | none |'
    printf 'fuzz_mesh six 12 901 0\n' >"$table"
    cp "$page" "$folder/before"
    if add 2031-02-07 1.2.4 2>/dev/null; then
        echo "fuzz_ledger.sh: a row without numbers was taken" >&2
        exit 1
    fi
    cmp -s "$page" "$folder/before"
    echo "the ledger of the fuzzers adds up"
}

if [ "${1-}" = --self-test ]; then
    self_test
    exit
fi
[ $# -ge 2 ] || {
    echo "fuzz_ledger.sh: write fuzz_ledger.sh PAGE TABLE [DATE]" >&2
    exit 2
}
version=$(sed -n 's/^#define HOL_VERSION "\(.*\)"/\1/p' "$root/include/holonom/version.h")
new=$1.new.$$
sum_up "$1" "$2" "${3-$(date +%Y-%m-%d)}" "$version" >"$new" || {
    rm -f "$new"
    exit 1
}
mv "$new" "$1"
