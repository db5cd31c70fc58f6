# bench_growth.sh: rows of tools/bench.sh: what one of many bodies costs, set-up and memory of large mechanisms, methods on long chains.
# shellcheck shell=sh
# shellcheck disable=SC2086,SC2154,SC2016 # words of settings; variables of tools/bench.sh; names in backquotes

# A model in the folder of work, written once: NAME WRITER WORDS...
made() {
    path=$work/$1.yaml
    shift
    [ -s "$path" ] || "$@" >"$path"
    echo "$path"
}
four_bars() { made "four_bars_$1" sh "$source/tools/make_n_four_bar.sh" "$1"; }
chain_of() { made "chain_$1_$2" chain "$1" "$2"; }

# ---- growth ----

heading 'growth'
if wanted_row growth.four_bars || wanted_row growth.exponent; then
    each_of_many=$(($(step 5 "$(four_bars 1000)" $rk4) / 25)) each_of_few=$(step 20 "$(four_bars 40)" $rk4)
    wanted_row growth.four_bars && row growth.four_bars $each_of_many $each_of_few \
        'N four-bars in the plane, RK4 step per four-bar, N = 1000 against 40'
    wanted_row growth.exponent && row growth.exponent "$(awk -v a=$each_of_many -v b=$each_of_few 'BEGIN { print log(25 * a / b) }')" \
        "$(awk 'BEGIN { print log(25) }')" 'the same as an exponent of N'
fi
if wanted_row growth.redundant; then
    row growth.redundant $(($(step 10 "$(made space_400 spring_four_bars 400 spatial)" coordinates=reference $rk4) / 400)) \
        "$(step 10 "$(made space_1 spring_four_bars 1 spatial)" coordinates=reference $rk4)" \
        'N four-bars in space with three redundant rows each, reference-point coordinates, RK4 step per four-bar, N = 400 against 1'
fi
for n in 1 10 40 1000; do
    wanted_row growth.space_loops.$n || continue
    row growth.space_loops.$n "$(step 10 "$(made space_$n spring_four_bars $n spatial)" coordinates=cheapest $rk4)" \
        "$(step 10 "$(made plane_$n spring_four_bars $n planar)" coordinates=cheapest $rk4)" \
        "N = $n four-bars in space with three redundant rows each, RK4 step in the coordinates of \`auto\`, against them in the plane"
done
if wanted_row growth.space_reference; then
    row growth.space_reference "$(step 10 "$(made space_40 spring_four_bars 40 spatial)" coordinates=reference $rk4)" \
        "$(step 10 "$(made plane_40 spring_four_bars 40 planar)" coordinates=reference $rk4)" 'N = 40 of them in reference-point coordinates'
fi
if wanted_row growth.reactions; then
    row growth.reactions $(($(inside "$bench/bench_count" output 3 "$(chain_of 1000 planar)" $rk4) / 3)) "$(step 3 "$(chain_of 1000 planar)" $rk4)" \
        'the reactions of all joints of a chain of 1000 links, relative coordinates, against an RK4 step'
fi
for method in canonical partitioning schur; do
    wanted_row growth.$method || continue
    setting=method=$method
    [ $method = schur ] && setting=kernel=schur
    row growth.$method "$(step 3 "$(chain_of 1000 planar)" $setting $rk4)" "$(step 3 "$(chain_of 1000 planar)" method=lagrange $rk4)" \
        "a chain of 1000 links, relative coordinates, RK4 step under \`$method\`, against \`lagrange\`"
done
if wanted_row growth.chain_space; then
    row growth.chain_space $(($(step 3 "$(chain_of 10000 spatial)" $rk4) / 10)) "$(step 3 "$(chain_of 1000 spatial)" $rk4)" \
        'a chain in space, relative coordinates, RK4 step of 1000 links, in a chain of 10 000 against one of 1000'
fi
if wanted_row growth.loop || wanted_row growth.loop_links; then
    ours=$(step 3 "$(made loop_1000 loop 1000)" coordinates=relative $rk4)
    wanted_row growth.loop && row growth.loop "$ours" "$(step 3 "$(made loop_1000 loop 1000)" coordinates=reference $rk4)" \
        'one loop of 1000 links in the plane, RK4 step in relative coordinates, against reference-point ones'
    wanted_row growth.loop_links && row growth.loop_links $((ours / 10)) "$(step 3 "$(made loop_100 loop 100)" coordinates=relative $rk4)" \
        'the same in relative coordinates, per link, 1000 links against 100'
fi
if wanted_row growth.loop_space; then
    row growth.loop_space $(($(step 3 "$(made loop_space_200 loop_in_space 200)" coordinates=reference $rk4) / 4)) \
        "$(step 3 "$(made loop_space_50 loop_in_space 50)" coordinates=reference $rk4)" \
        'one planar loop in space with three redundant rows, reference-point coordinates, RK4 step per link, 200 links against 50'
fi

# ---- set-up and memory ----

heading 'setup'
# Megabytes of a program that has set up a model: MODEL SETTINGS...
megabytes() { "$bench/bench_count" setup "$@" 2>/dev/null | awk '$1 == "peak" { printf "%.0f\n", $2 / 1024 }'; }
for set in plane.reference plane.relative space.reference space.relative space.natural; do
    kind=planar where='the plane'
    [ "${set%%.*}" = plane ] || kind=spatial where=space
    name=${set#*.}
    [ $set != space.relative ] && [ $set != space.natural ] && wanted_row setup.$set && row setup.$set $(($(inside "$bench/bench_count" setup "$(chain_of 10000 $kind)" coordinates=$name $rk4) / 10)) \
        "$(inside "$bench/bench_count" setup "$(chain_of 1000 $kind)" coordinates=$name $rk4)" \
        "set-up of 1000 links of a chain in $where, $name coordinates, in a chain of 10 000 against one of 1000"
    wanted_row memory.$set && row memory.$set "$(megabytes "$(chain_of 10000 $kind)" coordinates=$name $rk4)" 200 \
        "memory of the program with 10 000 links in $where, $name coordinates, in MB, against 200"
done
for set in reference relative; do
    wanted_row setup.space_loops.$set || continue
    row setup.space_loops.$set $(($(inside "$bench/bench_count" setup "$(made space_1000 spring_four_bars 1000 spatial)" coordinates=$set $rk4) / 25)) \
        "$(inside "$bench/bench_count" setup "$(made space_40 spring_four_bars 40 spatial)" coordinates=$set $rk4)" \
        "set-up of 40 four-bars in space with three redundant rows each, $set coordinates, of 1000 against 40"
done
if wanted_row memory.growth; then
    row memory.growth "$(megabytes "$(chain_of 100000 spatial)" coordinates=relative $rk4)" \
        $(($(megabytes "$(chain_of 10000 spatial)" coordinates=relative $rk4) * 10)) \
        'the same for 100 000 links in space, relative coordinates, against ten times that of 10 000'
fi

# ---- methods ----

heading 'methods'
# A step of a chain in the plane under other methods against `lagrange`: NAME LINKS COORDINATES SETTING... TEXT
method() {
    wanted_row "$1" || return 0
    row "$1" "$(step 1 "$(chain_of "$2" planar)" coordinates="$3" $4 $rk4)" "$(step 1 "$(chain_of "$2" planar)" coordinates="$3" method=lagrange $rk4)" "$5"
}
method methods.schur.reference 1000 reference kernel=schur 'a chain of 1000 links, reference-point coordinates, RK4 step with the kernel `schur`, against `kkt`'
method methods.schur.natural 300 natural kernel=schur '300 links, natural coordinates, the same: full, warned of'
method methods.udwadia_kalaba 300 natural method=udwadia-kalaba '300 links, natural coordinates, the pseudoinverse of `udwadia-kalaba`: full, warned of'
method methods.nullspace 300 natural method=nullspace '300 links, natural coordinates, `nullspace`: full, warned of'
method methods.partitioning 300 natural method=partitioning '300 links, natural coordinates, `partitioning`'
method methods.independent 300 natural method=independent '300 links, natural coordinates, `independent`: full, warned of'
