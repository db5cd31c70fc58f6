#!/bin/sh
# ask.sh PROGRAM FOLDER [QUESTION...] -- MODEL...: asks every question of every model and keeps what is said in FOLDER.
#
# FOLDER/answers.tsv has a line for each call: exit code, seconds of processor time, question, model, the message. FOLDER/refusals.txt counts the distinct messages, numbers
# and names left out. A call has 20 seconds of processor time (HOLONOM_ASK_SECONDS), and ten times that by the clock. What counts as wrong: an exit code that is neither an answer (0, 8) nor a refusal
# (1, 3, 5, 6), a refusal without a message, an answer without output, and a call that does not end in its time. The last line is "N answers, N refusals,
# N late, N wrong"; the exit code is 1 where something is late or wrong.
set -eu
program=${1:?the program holonom} folder=${2:?a folder for the answers}
shift 2
limit=${HOLONOM_ASK_SECONDS:-20}
all='equations symbolic symbolic-relative assemble kinematics kinematics-loads inverse statics statics-newton statics-starts statics-steady linearize
linearize-equilibrium linearize-steady gears sensitivity sensitivity-adjoint optimize identify'
wanted=
while [ $# -gt 0 ] && [ "$1" != -- ]; do wanted="$wanted $1"; shift; done
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || { echo "ask.sh: no models; give them after --" >&2; exit 2; }
mkdir -p "$folder"
export OPENBLAS_NUM_THREADS=1

# The first parameter of a model file that is a number other than 0: "name value", for the searches.
parameter() {
    awk '/^[a-z]/ { inside = $1 == "parameters:" }
        { line = $0; sub(/^ *parameters: *\{/, "", line) }
        inside || line != $0 {
            n = split(line, part, /[,{}]/)
            for (i = 1; i <= n; i++) {
                sub(/#.*/, "", part[i])
                if (match(part[i], /^ *[A-Za-z_][A-Za-z_0-9]* *: *-?[0-9.]+(e-?[0-9]+)? *$/)) {
                    split(part[i], word, ":"); gsub(/ /, "", word[1])
                    if (word[2] + 0 != 0) { print word[1], word[2] + 0; exit }
                }
            }
        }' "$1"
}

# The words of a question that is asked of a model; nothing where the model lacks what the question takes.
words() {
    case $1 in
    symbolic) echo "equations --symbolic --coordinates reference" ;;
    symbolic-relative) echo "equations --symbolic --coordinates relative" ;;
    kinematics-loads) echo "kinematics --loads" ;;
    statics-newton) echo "statics --search newton" ;;
    statics-starts) echo "statics --starts 10" ;;
    statics-steady) echo "statics --steady" ;;
    linearize-equilibrium) echo "linearize --about equilibrium" ;;
    linearize-steady) echo "linearize --about steady" ;;
    sensitivity-adjoint) echo "sensitivity --by adjoint" ;;
    optimize | identify)
        set -- "$1" $(parameter "$2")
        [ $# -eq 3 ] && [ -s "$folder/data.csv" ] || return 0
        range=$(awk -v p="$3" 'BEGIN { a = 0.97 * p; b = 1.03 * p; print a < b ? a ":" b : b ":" a }')
        measure=$(sed -n '/^#/!{s/^[^,]*,\([^,]*\).*/\1/;s/ \[.*//;s/"//g;p;q;}' "$folder/data.csv")
        if [ "$1" = optimize ]; then echo "optimize --vary $2=$range --evaluations 5 --minimize MEASURE:$measure"
        else echo "identify --vary $2=$range --evaluations 8 --data $folder/data.csv --fit MEASURE:$measure"; fi ;;
    *) echo "$1" ;;
    esac
}

# One call: QUESTION MODEL WORDS GOAL, its line in answers.tsv.
ask_one() {
    name=${3%% *} rest=
    [ "$name" = "$3" ] || rest=${3#* }
    # shellcheck disable=SC2086 # the words of a question
    (
        ulimit -t "$limit"
        code=0
        timeout -k 1 $((10 * limit)) "$program" "$name" "$2" $rest ${4:+"$4"} >"$folder/out" 2>"$folder/err" </dev/null || code=$?
        times >"$folder/times"
        exit $code
    ) && code=0 || code=$?
    seconds=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } printf "%.2f", s }' "$folder/times")
    said=$(tr '\n\t' '  ' <"$folder/err")
    [ "$code" != 0 ] || [ -s "$folder/out" ] || code=empty
    printf '%s\t%s\t%s\t%s\t%s\n' "$code" "$seconds" "$1" "$2" "$said" >>"$folder/answers.tsv"
}

: >"$folder/answers.tsv"
for model; do
    case " ${wanted:-$all} " in *optimize* | *identify*)
        rm -f "$folder"/data*.csv
        timeout -k 1 $((2 * limit)) "$program" run "$model" -o "$folder/data.csv" --quiet >/dev/null 2>&1 </dev/null || : ;;
    esac
    for question in ${wanted:-$all}; do
        call=$(words "$question" "$model")
        [ -n "$call" ] || continue
        goal=${call##*MEASURE:}
        case $call in *MEASURE:*) call=${call%MEASURE:*} ;; *) goal= ;; esac
        [ "$question" != optimize ] || goal="end $goal"
        ask_one "$question" "$model" "$call" "$goal"
        advice=$(sed -n 's/.*by their paths: \(--parameters [^ ]*\)$/\1/p' "$folder/err")
        [ -z "$advice" ] || ask_one "$question-by-path" "$model" "$call $advice" ""
    done
done

awk -F '\t' '$1 != 0 && $1 != 8 {
        text = $5
        gsub(/[^ ]*\.yaml(:[0-9]+)*/, "FILE", text); gsub(/\047[^\047]*\047/, "NAME", text); gsub(/[-+]?[0-9][0-9.e+-]*/, "N", text)
        count[$3 "\t" text]++; if (!(($3 "\t" text) in first)) first[$3 "\t" text] = $4
    }
    END { for (t in count) print count[t] "\t" first[t] "\t" t }' "$folder/answers.tsv" | sort -k3,3 -k1,1nr >"$folder/refusals.txt"
awk -F '\t' '
    $1 == 124 || $1 == 137 || $1 == 152 { late++; print "late: " $3 " " $4; next }
    $1 == 0 || $1 == 8 { answers++; next }
    ($1 == 1 || $1 == 3 || $1 == 5 || $1 == 6) && length($5) > 40 { refusals++; next }
    { wrong++; print "wrong (" $1 "): " $3 " " $4 " " $5 }
    END { printf "%d answers, %d refusals, %d late, %d wrong\n", answers, refusals, late, wrong; exit late + wrong > 0 }' "$folder/answers.tsv"
