# bench_peers.sh: rows of tools/bench.sh: steps beside those of other programs, where they are installed.
# shellcheck shell=sh
# shellcheck disable=SC2086,SC2154,SC2016 # words of settings; variables of tools/bench.sh; names in backquotes

five=$source/bench/models/five_links.yaml slider=$models/slider_crank_spatial.yaml
if wanted_row loop.chain.relative; then
    row loop.chain.relative "$(step 1000 "$five" method=lagrange coordinates=relative $rk4)" $(($(inside "$bench/limit_chain" 1000) / 1000)) \
        'five links, RK4 step, relative coordinates, against Cholesky by hand'
fi

heading 'peers'
# Ours and a peer's: NAME PEER OURS STEPS WORDS... TEXT
peer() {
    name=$1 program_of_peer=$bench/peer_$2
    [ -x "$program_of_peer" ] && wanted_row "$name" || return 0
    row "$name" "$3" $(($(inside "$program_of_peer" $5) / $4)) "$6"
}
if wanted_row loop.chain.mujoco || wanted_row loop.chain.simbody; then
    ours=$(step 1000 "$five" method=lagrange coordinates=relative $rk4)
    peer loop.chain.mujoco mujoco "$ours" 1000 "$source/bench/models/five_links.xml 1000" 'five links, RK4 step, against MuJoCo'
    peer loop.chain.simbody simbody "$ours" 1000 'chain 5 1000' 'the same against Simbody'
fi
if wanted_row loop.slider.mujoco || wanted_row loop.slider.simbody; then
    ours=$(step 1000 "$slider" method=lagrange coordinates=relative $rk4)
    peer loop.slider.mujoco mujoco "$ours" 1000 "$source/bench/models/slider_crank.xml 1000" \
        'spatial slider-crank, RK4 step on its constraints, against MuJoCo, where the loop is closed by a soft constraint'
    peer loop.slider.simbody simbody "$ours" 1000 'slider 1000' 'the same against Simbody, on its constraints'
fi
if wanted_row loop.chain_space.simbody; then
    chain 1000 spatial >"$work/chain_1000_spatial.yaml"
    peer loop.chain_space.simbody simbody "$(step 3 "$work/chain_1000_spatial.yaml" $rk4)" 10 'space 1000 10' \
        'a chain of 1000 links in space, RK4 step, against Simbody'
fi
