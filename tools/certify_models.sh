#!/bin/sh
# certify_models.sh PROGRAM [MODEL …]: a Markdown table of what `holonom certify --digits 12 --refine`
# says of the models (all of models/): certain digits at the end and along the run, how differences
# at the start grow, and what is in the way of more.
set -eu
program=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- "$here"/models/*.yaml
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
echo '| model | digits at the end | along the run | growth | what is in the way of twelve |'
echo '|---|---|---|---|---|'
for model in "$@"; do
    code=0
    "$program" certify "$model" --digits 12 --refine -q -o "$out/a.json" >"$out/said" 2>&1 || code=$?
    case $code in 0 | 9) ;; *)
        echo "| $(basename "$model" .yaml) | | | | exit code $code: $(head -1 "$out/said" | sed "s,$here/,,") |"
        continue
        ;;
    esac
    awk -v model="$(basename "$model" .yaml)" '
        function number(key,   s) {
            if (!match(all, "\"" key "\": *{[^}]*\"value\": *[^,}]*")) return ""
            s = substr(all, RSTART, RLENGTH); sub(/.*"value": */, "", s); return s
        }
        function text(key,   s) {
            if (!match(all, "\"" key "\": *{[^}]*\"text\": *\"[^\"]*")) return ""
            s = substr(all, RSTART, RLENGTH); sub(/.*"text": *"/, "", s); return s
        }
        { all = all $0 }
        END {
            g = number("growth"); sub(/ \(.*/, "", model)
            cause = text("cause"); sub(/[:;,(].*/, "", cause)
            if (cause == "" && number("certified") == 0) cause = text("verdict")
            printf "| %s | %.1f | %.1f | %s | %s |\n", model, number("digits_end"), number("digits_run"),
                g == "" ? "" : sprintf("%.2g", g), number("certified") == 1 ? "" : cause
        }' "$out/a.json"
done
