# GJB 5.2.2: the hybrid method of Park and Haug.
# speed: fast
# rows: 33
section 'The hybrid method of Park and Haug'
source_of 'GJB, section 5.2.2, last paragraph but two; equations (5.10), (5.26), (5.57)'
claim 'When the errors of the constraints exceed a tolerance, accelerations are computed with Baumgarte’s terms, (5.26) instead of (5.10). When
the terms fail, near a singular position, the method reverts to pure coordinate partitioning with the solution of the position and velocity
problems.'
say 'How the method decides, and why, is on the page of the [correction](../theory/corrections/hybrid.md). All positions and velocities are
integrated, so that the terms can move them.'
typed 'hybrid=partitioning-hybrid
gains() { echo "alpha=$1+beta=$1"; }
holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --methods \
    lagrange,baumgarte,baumgarte+$(gains 50),partitioning,partitioning-extended,$hybrid+$(gains 0),$hybrid,$hybrid+$(gains 50)'
show() {
    table 'method=method' "$@" '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' \
        'error=error:%.1e' 'factorisations=factorizations'
}
show
held=$(cell out max_position_violation method=partitioning-hybrid) lagrange=$(cell out max_position_violation method=lagrange)
verdict "$held < 1.02e-8 && $lagrange > 1e-7" holds "The positions stay at the threshold, $(fig "$held"); without terms and partitioning they
reach $(fig "$lagrange")."
baumgarte=$(cell out error method=baumgarte) hybrid_error=$(cell out error method=partitioning-hybrid)
partitioning=$(cell out error method=partitioning)
verdict "$hybrid_error < 3 * $baumgarte" holds "The error of the motion, $(fig "$hybrid_error"), is about that of \`baumgarte\`, $(fig "$baumgarte"); \`partitioning\`
has $(fig "$partitioning")."
say 'How often the terms act and how often partitioning takes over, with a threshold that they can hold at this step and with one that they cannot:'
typed 'holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --vary threshold=1e-7,1e-8,1e-9 \
    --methods $hybrid+$(gains 0),$hybrid+$(gains 5),$hybrid+$(gains 50)'
table 'threshold=threshold' 'method=method' 'steps with terms=term_steps' 'steps by partitioning=partition_steps' 'changes=hybrid_switches' \
    '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e'
by() { cell out "$3" "threshold=$1" "method=partitioning-hybrid+$(gains "$2")"; }
verdict "$(by 1e-7 5 partition_steps) == 0 && $(by 1e-7 0 partition_steps) > 1000" holds "The gains act: with 5 and 50 the terms hold the
threshold of $(fig 1e-7 %.0e) alone, without them partitioning makes $(by 1e-7 0 partition_steps) steps."
verdict "$(by 1e-9 5 partition_steps) > 0 && $(by 1e-9 5 hybrid_switches) > 1" holds "A threshold that the terms cannot hold at this step is held by
partitioning where they fail: $(by 1e-9 5 partition_steps) of 10000 steps, $(by 1e-9 5 hybrid_switches) changes to and fro."
say 'Through singular positions: the slider-crank of equal links, where Baumgarte’s terms fail by themselves.'
typed 'holonom compare models/slider_crank.yaml --tol 1e-8 --methods baumgarte,partitioning,partitioning-extended,$hybrid'
show 'ends at=t:%.2f'
verdict "$(cell out t method=baumgarte) < 10 && $(cell out t method=partitioning-hybrid) == 10 && $(cell out error method=partitioning-hybrid) < 1e-7" holds "\`baumgarte\` stops in
one of them, at $(fig "$(cell out t method=baumgarte)" %.2f) s; the hybrid method partitions its way over all of them, with an error of $(fig "$(cell out error method=partitioning-hybrid)")."
