# MSF figures 10 and 11: the spatial five-bar pendulum.
# speed: fast
section 'Spatial five-bar pendulum: violations'
source_of 'MSF, example 2, figures 10 and 11'
claim 'Stabilisation keeps the violations of positions and velocities under control; direct correction eliminates them (ΦᵀΦ of the order of 1e-18).'
typed 'methods=lagrange,baumgarte,augmented-lagrangian,index1-projection,partitioning,direct-correction
holonom compare models/five_bar.yaml --integrator rk4 --step 1e-3 --methods $methods'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.0e'
phi() { cell out max_position_violation "method=$1"; }
l=$(phi lagrange) b=$(phi baumgarte) a=$(phi augmented-lagrangian) d=$(phi direct-correction)
verdict "$b < $l / 50 && $a < $b && $d ^ 2 < 1e-18" holds "The multipliers alone drift to $(fig "$l"); with Baumgarte’s terms $(fig "$b") is left, with the
augmented Lagrangian $(fig "$a"), and with direct correction $(fig "$d"), rounding."
say 'The motion itself is very sensitive. Error of direct correction and of the multipliers alone, and its energy, over longer and longer runs:'
typed 'holonom compare models/five_bar.yaml --integrator rk4 --step 1e-3 --vary end=2.5,5,7.5,10 --methods lagrange,direct-correction'
across out method end error:%.0e
across out method end relative_energy_error:%.1e
g=$(awk "BEGIN { print $(cell out error method=direct-correction end=10) / $(cell out error method=direct-correction end=2.5) }")
verdict "$g > 1e5 && $(cell out relative_energy_error method=direct-correction end=10) < 1e-8" holds "From the first of these ends to the last the error of direct correction grows
by a factor of $(fig "$g" %.0e), while its energy stays within $(fig "$(cell out relative_energy_error method=direct-correction end=10)"): over 10 s the
column of errors says more about the pendulum than about the methods."
