# The states side by side, for docs/theory/states.md.
# speed: fast
section 'States side by side'
source_of 'docs/theory/states.md'
say 'The planar four-bar, RK4 with 1 ms, 10 s:'
typed 'rk="--integrator rk4 --step 1e-3"
first=lagrange,direct-correction,partitioning-extended,partitioning,independent
second=canonical,canonical-augmented,canonical-augmented-basic,canonical-independent
holonom compare models/four_bar.yaml $rk --methods $first,$second'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.0e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
say 'Why independent coordinates are exchanged early: relative energy error of `partitioning` for several values of `watch`, RK4 with 1 ms over 5 s, and how
often they were exchanged.'
for model in four_bar three_links five_bar slider_crank_spatial; do
    typed "holonom compare models/$model.yaml \$rk --end 5 --reference none --vary watch=1.2,1.5,2,3,4,8 --methods partitioning"
    across out method watch relative_energy_error:%.0e
    across out method watch coordinate_changes
done
a=$(cell out relative_energy_error method=partitioning watch=1.5) b=$(cell out relative_energy_error method=partitioning watch=2)
verdict "$a > 10 * $b" holds "In the spatial slider-crank a watch that is too tight does harm: it leaves the angle of the crank, which serves for ever, for a
turn of the rod that is faster only for a moment ($(fig "$a" %.0e) against $(fig "$b" %.0e))."
