# BG figures 2 and 3: the slider-crank over 100 s with large steps.
# speed: fast
# rows: 149
section 'Slider-crank: constraints and energy over 100 s'
source_of 'BG, section 4.1, figures 2 and 3; (18) to (20)'
claim 'With steps of 5·10⁻² s only the equation with constraint and energy correction follows the exact motion of the slider. With steps of 10⁻² s the
constraints are steadily maintained with and without the energy correction, alike, which shows that the two do not interfere; the energy does not
drift with it, and the overall error is smaller.'
typed 'methods=braun-goldfarb,braun-goldfarb+energy_limit=0,baumgarte+step_gain=1
holonom compare models/slider_crank.yaml --integrator rk4 --end 100 --vary step=5e-2,1e-2 --methods $methods'
table 'method=method' 'step=step' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error of x, m=differences.x:%.1e'
at() { cell out "$1" "method=$2" "step=$3"; }
bg=braun-goldfarb
x=differences.x
verdict "$(at $x $bg 5e-2) < 0.02 && $(at $x $bg+energy_limit=0 5e-2) > 1" holds "With 5·10⁻² s the slider is off by $(fig "$(at $x $bg 5e-2)") m with
the energy correction and by $(fig "$(at $x $bg+energy_limit=0 5e-2)") m without: the motion is lost."
ratio=$(awk "BEGIN { print $(at max_position_violation $bg 1e-2) / $(at max_position_violation $bg+energy_limit=0 1e-2) }")
verdict "$ratio > 0.9 && $ratio < 1.1" holds "With 10⁻² s ‖Φ‖ with the energy correction is $(fig "$ratio" %.2f) times that without."
verdict "$(at $x $bg 1e-2) < $(at $x $bg+energy_limit=0 1e-2) / 10" holds "The slider is off by $(fig "$(at $x $bg 1e-2)") m with it and
$(fig "$(at $x $bg+energy_limit=0 1e-2)") m without."
