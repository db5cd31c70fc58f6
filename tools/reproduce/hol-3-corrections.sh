# The corrections side by side, for docs/theory/corrections.md.
# speed: fast
section 'Corrections side by side'
source_of 'docs/theory/corrections.md'
say '`direct-correction` with each of them, RK4: 1 ms for the four-bar over 10 s and the spatial slider-crank over 5 s, 2 ms for the double four-bar
over 10 s, through singular positions; there `lagrange`, which stops as it is, has `crossing=on`.'
typed 'd=direct-correction+correction
all=lagrange,$d=direct,$d=direct-mass,$d=partition,$d=drift,$d=mass-orthogonal,$d=direct-energy,$d=direct-mass-energy
holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --methods $all'
table 'method=method' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
n=$(cell out relative_energy_error method=lagrange) e=$(cell out relative_energy_error method=direct-correction+correction=direct-mass-energy)
typed 'holonom compare models/slider_crank_spatial.yaml --integrator rk4 --step 1e-3 --methods $all'
table 'method=method' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
typed 'holonom compare models/a02_two_four_bar.yaml --integrator rk4 --step 2e-3 --set crossing=on --methods $all'
table 'method=method' 'energy=relative_energy_error:%.0e' 'error=error:%.0e'
verdict "$e < 1e-12" holds "On the four-bar corrections of the energy hold it at rounding, $(fig "$e"); \`lagrange\` lets $(fig "$n") through."
say 'Large steps over a long time, the slider-crank of BG through its singular positions, 50 ms over 100 s; the column is the position of the slider:'
typed 'holonom compare models/slider_crank.yaml --integrator rk4 --step 5e-2 --end 100 --methods $d=direct-mass,$d=direct-mass-energy,braun-goldfarb'
table 'method=method' 'energy=relative_energy_error:%.0e' 'slider x [m]=differences.x:%.1g'
with=$(cell out differences.x method=direct-correction+correction=direct-mass-energy)
without=$(cell out differences.x method=direct-correction+correction=direct-mass)
verdict "$with < 0.1 && $without > 1" holds "With the correction of the energy the slider stays within $(fig "$with" %.1g) m; without it is at the other end
of its way."
