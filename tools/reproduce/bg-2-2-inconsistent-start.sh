# BG section 2.2: initial conditions that do not satisfy the constraints.
# speed: fast
# rows: 147 155
section 'Inconsistent starts, and the rows that correct positions'
source_of 'BG, section 2.2; (4), (5), (16)'
claim 'The constraints are written so that neither an error-free computation nor consistent initial conditions are assumed. Positions are corrected by the
holonomic constraints, (4); velocities by holonomic and nonholonomic ones, (5).'
typed 'holonom run models/four_bar_apart.yaml --set assemble=off --method braun-goldfarb --integrator rk4 --step 1e-3 --end 1e-3'
cp out one
{
    printf 'steps\tphi\tpsi\n'
    printf '0\t%s\t%s\n' "$(cell one start_position_violation)" "$(cell one start_velocity_violation)"
    printf '1\t%s\t%s\n' "$(cell one max_position_violation)" "$(cell one max_velocity_violation)"
} >first
table first 'steps=steps' '‖Φ‖=phi:%.1e' '‖Φ̇‖=psi:%.1e'
verdict "$(cell first phi steps=1) < 1e-10 * $(cell first phi steps=0)" holds "The four-bar is drawn with a joint that is open by
$(fig "$(cell first phi steps=0)") m and \`assemble: off\` leaves it so. One step of 1 ms brings the positions to $(fig "$(cell first phi steps=1)")."
verdict "$(cell first psi steps=1) < 0.01 * $(cell first psi steps=0)" holds "Velocities, which start $(fig "$(cell first psi steps=0)") off, have
$(fig "$(cell first psi steps=1)") left after it: (5) is linear in the velocities of the moment, while (16) moves the positions; the next steps take that back."
typed 'holonom run models/bicycle.yaml --set assemble=off --method braun-goldfarb --integrator rk4 --step 1e-3 --end 1e-3'
table 'when=!after one step' '‖Φ‖=max_position_violation:%.1e' '‖ψ‖=max_velocity_violation:%.1e' '‖ψ‖ at the start=start_velocity_violation:%.1e'
verdict "$(cell out max_velocity_violation) < 1e-3 * $(cell out start_velocity_violation)" holds "The bicycle, drawn with the velocities of two of its
bodies only, has nonholonomic rows beside holonomic ones: ‖ψ‖ of both falls from $(fig "$(cell out start_velocity_violation)") to
$(fig "$(cell out max_velocity_violation)") in a step. (16) is solved with the rows of (4) alone: \`test_letter_braun_goldfarb\` follows it step by step
with an implementation of its own, to 1·10⁻¹²."
