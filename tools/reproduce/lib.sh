# What the sections of docs/reproduce/ are written with (POSIX sh and awk); sourced by tools/reproduce.sh, in a folder of the section's
# own that holds `models`. A section prints its page with these:
#
#   section TITLE                  the heading
#   source_of TEXT                 where it stands: document, section, figure or table, row
#   claim TEXT                     what the document says, in our words
#   say TEXT                       a paragraph
#   typed COMMANDS                 shows the commands as a user types them, and runs them; `holonom run` and `holonom compare` leave what
#                                  they computed in the file `out`, a line of names and a line per run, with tabs
#   table [FILE] 'HEADING=COLUMN[:FORMAT]'...   a table of a file such as `out`; =!a;b;c gives the cells themselves
#   across FILE ROWS COLUMNS 'COLUMN:FORMAT'    a table with a line per value of ROWS and a column per value of COLUMNS; the column
#                                  `outcome` says in words how a run ended: passes (with its error), is lost, stops; `ending` tells
#                                  more closely whether a lost motion goes wrong or crashes, which is chance
#   picture FILE NAME TEXT         a picture that was made, with its text for those who do not see it
#   verdict CONDITION KIND TEXT [KIND TEXT]     the first if the awk condition holds, else the second; KIND: holds, differs, wrong
#
# and reads figures with these:
#
#   cell FILE COLUMN KEY=VALUE...  the figure of the first run that has these values, all digits
#   least FILE COLUMN, most FILE COLUMN   the least and the largest figure of a column
#   instructions MODEL STEP SHORT LONG OPTIONS...   instructions per step of `holonom run MODEL OPTIONS` with fixed steps, counted by
#                                  valgrind from the time SHORT to LONG; for slow sections, with the release build
#   fig NUMBER [FORMAT]            the figure for a text, %.1e by default
#   printed FIGURE                 a figure of the document, for a text
#
# A decimal figure can stand in say and verdict only through fig and printed, so that every one comes from a run or from the document.
# shellcheck shell=sh

# Say what is wrong; the page is not written then.
fail() {
    printf 'reproduce: %s: %s\n' "${section-}" "$*" >>"$failures"
    exit 1
}

# A text, its figures checked, in lines of at most 140 characters; $2 and on stand before and behind it.
text() {
    printf '%s\n' "$1" | tr '\n' ' ' | awk -f "$library/text.awk" || fail "a figure in this text is neither from fig nor from printed: $1"
}

section() {
    printf '# %s\n\n<!-- Written by tools/reproduce.sh from tools/reproduce/%s.sh; change that, not this. -->\n' "$1" "$section"
}

source_of() {
    printf '\n'
    text "Source: $(printed "$*")."
}

claim() {
    printf '\n'
    text "$(printed "*$**")"
}

say() {
    printf '\n'
    text "$*"
}

# ---- runs -----------------------------------------------------------------------------------------------------------

# The program as a user types it. What run and compare computed goes to the file out, the exit code to status.
holonom() {
    status=0
    case $1 in
    # times are not looked at, so that no run is repeated for them
    compare) "$program" "$@" --json --quiet --repeat 1 >json 2>messages </dev/null || status=$? ;;
    run)
        case " $* " in
        *' -o '* | *' --output '*) "$program" "$@" --json --quiet >json 2>messages </dev/null || status=$? ;;
        *) "$program" "$@" --json --quiet --no-output >json 2>messages </dev/null || status=$? ;;
        esac
        ;;
    *)
        "$program" "$@" >out 2>messages </dev/null || status=$?
        [ $status -eq 0 ] || fail "holonom $*: $(head -n 3 messages)"
        return 0
        ;;
    esac
    # a run that stops or ends beyond its tolerances has its place in the table; anything else is a mistake of the section
    [ $status -le 1 ] || [ $status -eq 8 ] || fail "holonom $*: $(head -n 3 messages)"
    awk -f "$library/rows.awk" json >out
}

typed() {
    printf '\n'
    printf '%s\n' "$*" | sed 's/^/    /'
    eval "$*"
}

# ---- figures --------------------------------------------------------------------------------------------------------

cell() {
    awk -f "$library/cell.awk" "$@" || fail "no run has $*"
}

# The figure of column $2 of the file $1 that is ahead of all others in the order $3, < or >.
extreme() {
    awk -F'\t' -v name="$2" -v order="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit; next }
        $at != "" && (best == "" || (order == "<" ? $at + 0 < best + 0 : $at + 0 > best + 0)) { best = $at }
        END { print best; exit best == "" }' "$1" || fail "$1 has no figures in a column $2"
}

least() {
    extreme "$1" "$2" '<'
}

most() {
    extreme "$1" "$2" '>'
}

# All instructions of a run of the program.
count_instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" run "$@" --quiet --no-output 2>&1 >/dev/null </dev/null |
        sed -n 's/.*Collected : *//p'
}

instructions() {
    command -v valgrind >/dev/null 2>&1 || fail "instructions are counted by valgrind, which is not there"
    from="--step $2 --end $3 --set output=$3" to="--step $2 --end $4 --set output=$4"
    steps=$(awk -v h="$2" -v a="$3" -v b="$4" 'BEGIN { printf "%.0f", (b - a) / h }')
    model=$1
    shift 4
    # shellcheck disable=SC2086 # words of options
    first=$(count_instructions "$model" "$@" $from) second=$(count_instructions "$model" "$@" $to)
    [ -n "$first" ] && [ -n "$second" ] || fail "the instructions of $model $* could not be counted"
    echo $(((second - first) / steps))
}

fig() {
    case $1 in
    '' | *[!-+0-9.eE]*) fail "'$1' is no figure" ;;
    esac
    awk -v x="$1" -v f="${2-%.1e}" 'BEGIN { printf "{{" f "}}", x }'
}

printed() {
    printf '{{%s}}' "$*"
}

# ---- tables, pictures, verdicts -------------------------------------------------------------------------------------

table() {
    file=out
    case $1 in *=*) ;; *) file=$1; shift ;; esac
    printf '\n'
    awk -f "$library/cells.awk" -f "$library/table.awk" "$file" "$@" || fail "the table of $file could not be made: $*"
}

across() {
    printf '\n'
    awk -f "$library/cells.awk" -f "$library/across.awk" "$@" || fail "the table of $1 could not be made: $*"
}

picture() {
    [ -s "$1" ] || fail "the picture $1 was not made"
    cp "$1" "$images/$section-$2.${1##*.}"
    printf '\n![%s](images/%s-%s.%s)\n' "$3" "$section" "$2" "${1##*.}"
}

# The words of a kind of verdict.
verdict_words() {
    case $1 in
    holds) echo 'Holds.' ;;
    differs) echo 'Differs.' ;;
    wrong) echo 'The print is wrong.' ;;
    *) fail "there is no verdict '$1': holds, differs or wrong" ;;
    esac
}

verdict() {
    if awk "BEGIN { exit !($1) }" 2>>"$failures"; then
        :
    elif [ $# -ge 5 ]; then
        set -- "$1" "$4" "$5"
    else
        fail "this no longer holds, and nothing is said about that: $1"
    fi
    printf '\n'
    text "**$(verdict_words "$2")** $3"
}
