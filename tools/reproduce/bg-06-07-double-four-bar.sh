# BG figures 6 and 7: the double four-bar over 1000 s.
# speed: slow
# rows: 163
section 'Double four-bar over 1000 s'
source_of 'BG, section 4.2, figures 6 and 7'
claim 'Over 1000 s with steps of 10⁻² s, through singular positions in which all links are horizontal, only the equation with energy correction stays on the
exact motion; constraints are steadily maintained with and without it.'
typed 'holonom run models/two_four_bar_reduced.yaml --output exact.csv
methods=braun-goldfarb,braun-goldfarb+energy_limit=0,baumgarte+step_gain=1
holonom compare models/double_four_bar_natural.yaml --coordinates natural --integrator rk4 --step 1e-2 --end 1000 --set output=1 \
    --reference exact.csv --methods $methods'
say 'The six coordinates are those of the paper, x and y of the three points that move. ‖Φ‖ counts lengths: a row of the paper, l² by l², is twice as
large.'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
with=$(cell out error method=braun-goldfarb) without=$(cell out error method=braun-goldfarb+energy_limit=0)
verdict "$with < 1e-3 && $without > 10 * $with" holds "The error is $(fig "$with") with the energy correction and $(fig "$without") without."
a=$(cell out max_position_violation method=braun-goldfarb) b=$(cell out max_position_violation method=braun-goldfarb+energy_limit=0)
verdict "$a < 1e-7 && $b < 1e-7" holds "‖Φ‖ stays at $(fig "$a") with it and $(fig "$b") without."
say 'The same mechanism as five bodies with seven revolute joints, 15 coordinates:'
typed 'holonom compare models/a02_two_four_bar.yaml --integrator rk4 --step 1e-2 --end 1000 --set output=1 --reference exact.csv --methods $methods'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
with=$(cell out error method=braun-goldfarb) without=$(cell out error method=braun-goldfarb+energy_limit=0)
verdict "$with < 1e-3 && $without > 10 * $with" holds "The error is $(fig "$with") with the energy correction and $(fig "$without") without."
