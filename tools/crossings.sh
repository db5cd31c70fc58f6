#!/bin/sh
# The table of docs/theory/crossing.md: which methods cross singular positions, and how far off they are then.
# crossings.sh program models
set -eu
program=$1 models=$2

# One run: "right, error" or "stops at t".
cell() {
    out=$("$program" run "$models/a02_two_four_bar.yaml" --json --quiet --set end=10 --set output=0.5 "$@" 2>/dev/null </dev/null) || true
    printf '%s' "$out" | awk '
        /"t":/ { gsub(/[^0-9.e+-]/, "", $2); t = $2 }
        /"crossings":/ { gsub(/[^0-9]/, "", $2); n = $2 }
        /"end":/ { end = $2 }
        /"final": / { final = 1 }
        final && /}/ { final = 0 }
        final && /"B0.x"/ { x = $0; sub(/.*: */, "", x); gsub(/[^0-9.e+-]/, "", x) }
        END {
            error = x - 0.3284581115; if (error < 0) error = -error
            if (end ~ /time/) printf "%.0e (%d crossed)", error, n
            else printf "stops at %.3g s", t
        }'
}

echo "| method | tolerance 1e-6 | tolerance 1e-8 | step 2e-3 | tolerance 1e-8, \`crossing: on\` |"
echo "|---|---|---|---|---|"
for method in auto direct-correction index1-projection partitioning independent velocity-transformation \
    canonical-independent lagrange baumgarte projection nullspace udwadia-kalaba penalty augmented-lagrangian \
    braun-goldfarb canonical canonical-augmented independent-extended; do
    printf '| `%s` | %s | %s | %s | %s |\n' "$method" "$(cell --method $method --set tolerance=1e-6)" \
        "$(cell --method $method --set tolerance=1e-8)" "$(cell --method $method --set step=2e-3)" \
        "$(cell --method $method --set tolerance=1e-8 --set crossing=on)"
done
