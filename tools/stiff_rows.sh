# stiff_rows.sh: runs of stiff mechanisms for tools/stiff.sh and tests/test_stiff_table.sh. program is Holonom, models the folder of models.
# shellcheck shell=sh

# BLAS and the C library choose instructions by the processor, and formulas with a history decide by rounding: runs take those instructions that
# all x86-64 processors have, so that the page is the same from all of them (tools/hashes.sh does so too).
export OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=1
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F_Usable,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX2,-FMA

# The mechanisms: NAME MODEL SETTINGS MEASURES. Results are written at the end alone, so that nothing but the motion asks for steps.
mechanisms='governor a05_flyball_governor coordinates=relative,end=10,output=10 s,spin,tip.x,tip.y,tip.z
governor-reference a05_flyball_governor coordinates=reference,end=10,output=10 s,spin,tip.x,tip.y,tip.z
suspension stiff_suspension coordinates=reference,end=2,output=2 hub,body,camber.x,load.z
cam cam_follower coordinates=reference,end=1,output=1 speed,turn,lift'

# Field N of the mechanism NAME.
field() {
    printf '%s\n' "$mechanisms" | awk -v name="$1" -v n="$2" '$1 == name { print $n }'
}

# A run of the mechanism NAME: INTEGRATOR TOLERANCE; its summary as JSON.
run_stiff() {
    # shellcheck disable=SC2046 # one word per setting
    "$program" run "$models/$(field "$1" 2).yaml" --no-output --json --integrator "$2" --tol "$3" \
        $(field "$1" 3 | tr ',' '\n' | sed 's/^/--set /') 2>/dev/null </dev/null
}

# Of a summary on the input, for the mechanism NAME: steps, evaluations, derivatives, then value and size (the largest in the run) of each measure.
# Nothing where the run failed.
numbers() {
    tr -d ',"' | awk -v names="$(field "$1" 4)" '
        $1 == "status:" { ok = $2 == "HOL_OK" }
        $1 == "steps:" || $1 == "evaluations:" || $1 == "derivatives:" { count[$1] = $2 }
        $1 == "final:" { final = 1 }
        $1 == "}" { final = 0 }
        final { value[$1] = $2 }
        $1 == "name:" { name = $2 ":" }
        $1 == "minimum:" || $1 == "maximum:" { x = $2 < 0 ? -$2 : $2; if (x > size[name]) size[name] = x }
        END {
            if (!ok) exit
            printf "%d %d %d", count["steps:"], count["evaluations:"], count["derivatives:"]
            n = split(names, list, ",")
            for (i = 1; i <= n; i++) printf " %.17g %.17g", value[list[i] ":"], size[list[i] ":"]
            print ""
        }'
}

# Steps, evaluations, derivatives and the largest error of a measure against the numbers in $4, relative to its size: NAME INTEGRATOR TOLERANCE.
# Formulas with a history decide on order and step by numbers that rounding turns: the error at the end changes by a factor of 4 with a few per mille of
# the tolerance, or with another BLAS. Of them the medians of five runs count, at tolerances 3 per mille apart.
against() {
    case $2 in
    bdf | ida)
        for factor in 0.994 0.997 1 1.003 1.006; do
            against_once "$1" "$2" "$(awk -v t="$3" -v f="$factor" 'BEGIN { printf "%.5g", t * f }')" "$4"
        done | medians
        ;;
    *) against_once "$@" ;;
    esac
}

# The median of each column of five rows; nothing where some are missing.
medians() {
    awk '
        { for (i = 1; i <= 4; i++) x[i, NR] = $i }
        END {
            if (NR != 5) exit
            for (i = 1; i <= 4; i++)
                for (j = 1; j <= 5; j++) {
                    less = same = 0
                    for (k = 1; k <= 5; k++) { less += x[i, k] < x[i, j]; same += x[i, k] == x[i, j] }
                    if (less <= 2 && less + same > 2) m[i] = x[i, j]
                }
            print m[1], m[2], m[3], m[4]
        }'
}

# The same of one run.
against_once() {
    run_stiff "$1" "$2" "$3" | numbers "$1" | compare_with "$4"
}

# The same of the numbers of a run on the input, against those in $1.
compare_with() {
    awk -v reference="$1" '
        {
            split(reference, r, " ")
            for (i = 4; i < NF; i += 2) {
                e = ($i - r[i]) / r[i + 1]
                if (e < 0) e = -e
                if (e > most) most = e
            }
            printf "%d %d %d %.3g\n", $1, $2, $3, most
        }'
}
