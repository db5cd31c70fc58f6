# bench_plots.sh: the plots of docs/performance.md, for tools/bench.sh: the cost of a step over the size, and beside peers.
# shellcheck shell=sh
# shellcheck disable=SC2086,SC2154 # words of settings; variables of tools/bench.sh

# Instructions of an RK4 step for each of N: N MODEL, by as many steps as small models need.
per_body() {
    steps=3
    [ "$1" -lt 100 ] && steps=50
    awk -v a="$(step $steps "$2" $rk4)" -v n="$1" 'BEGIN { printf "%.6g", a / n / 1000 }'
}

plot_growth() {
    echo 'time [s],N,chain in the plane,chain in space,four-bars in the plane,four-bars in space' >"$work/growth.csv"
    for n in 1 10 100 1000; do
        echo "$n,$n,$(per_body $n "$(chain_of $n planar)"),$(per_body $n "$(chain_of $n spatial)"),$(
            per_body $n "$(made plane_$n spring_four_bars $n planar)"),$(per_body $n "$(made space_$n spring_four_bars $n spatial)")"
    done >>"$work/growth.csv"
    "$program" plot "$work/growth.csv" 'chain in the plane' 'chain in space' 'four-bars in the plane' 'four-bars in space' -x N --log --log-x --points \
        --name '1000 instructions of an RK4 step, for each of N' --title 'Growth with the number of links or loops' --quiet -o "$source/docs/images/growth.svg"
}

# Bars of the ratios of rows that the table has: NAME ROW...
plot_peers() {
    set --
    for row in chain.mujoco chain.simbody slider.mujoco slider.simbody chain_space.simbody; do
        ratio=$(sed -n "s/^| .* | \`loop\.$row\` | [^|]* | [^|]* | \*\*\([^*]*\)\*\* .*/\1/p" "$work/table")
        [ -z "$ratio" ] || set -- "$@" "$row=$(awk -v r="$ratio" 'BEGIN { printf "%.3g", 1 / r }')"
    done
    [ $# -eq 0 ] || "$program" plot --bars "$@" --log --name 'instructions of a step, peer over ours' --title 'Steps of peers' --quiet \
        -o "$source/docs/images/peers.svg"
}
