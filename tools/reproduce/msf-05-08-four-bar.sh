# MSF figures 5 to 8: the planar four-bar under six methods.
# speed: fast
section 'Planar four-bar: drift, bounds and corrections'
source_of 'MSF, example 1, figures 5 to 7'
claim 'Positions and velocities drift without bound under standard Lagrange multipliers, stay bounded with Baumgarte’s terms and the augmented
Lagrangian, and vanish with index-1 projection, partitioning and direct correction.'
typed 'methods=lagrange,baumgarte,augmented-lagrangian,index1-projection,partitioning,direct-correction
holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --methods $methods'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
phi() { cell out max_position_violation "method=$1"; }
best=$(phi lagrange)
for method in index1-projection partitioning direct-correction; do
    verdict "$(phi $method) < 1e-12" holds "\`$method\` keeps ‖Φ‖ at rounding, $(fig "$(phi $method)"), where \`lagrange\` has $(fig "$best")."
done
