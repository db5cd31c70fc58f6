# The stabilisers side by side, for docs/theory/stabilizers.md.
# speed: fast
section 'Stabilisers side by side'
source_of 'docs/theory/stabilizers.md'
say 'The planar four-bar, RK4 with 1 ms, 10 s, `lagrange` with each of them:'
typed 'l=lagrange+stabilizer
holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --methods lagrange,$l=baumgarte,$l=penalty,$l=hybrid,$l=braun-goldfarb'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
say 'The gains of Baumgarte’s terms:'
b=baumgarte
typed 'b=baumgarte
holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 \
    --methods $b,$b+alpha=50+beta=50,$b+step_gain=1,$b+alpha=2000+beta=2000'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
few=$(cell out error method=baumgarte) many=$(cell out error method=baumgarte+alpha=2000+beta=2000)
verdict "$many > 100 * $few" holds "Gains beyond 1/h make things worse: an error of $(fig "$many") where the usual gains have $(fig "$few")."
