# GJB 5.1.3.1 and 5.4.1: the mixed system with the second derivatives of the constraints (5.10), and with momenta and index 2 (5.97), (5.98).
# speed: slow
# rows: 11 49
section 'The mixed system in forms of index 1 and 2, with velocities and with momenta'
source_of 'GJB 5.1.3.1 and 5.4.1, (5.10), (5.97), (5.98)'
claim 'Momenta and multipliers with the constraints are a differential-algebraic system of index two, which is better behaved than one of index three;
integrating it may be advantageous compared with the accelerations of (5.10).'
say "With Φ = 0 as it stands, p = M q̇ and ṗ = … − Φ_qᵀ λ have index three, as the equations in velocities have: Φ has to be differentiated twice
before λ appears, and a third time for its rate. They have index two with the constraints on velocities, Φ_q q̇ = b, which is what is integrated here
(dae_form index-2-canonical); (5.10) with the second derivatives of the constraints has index one (index-1). No form is lent a correction. All by
backward differences of variable order on the equations as they are (IDA), with the same tolerance; M is constant in reference coordinates, where
both forms of index two are the same equations, and not in relative ones."
typed 'holonom compare models/four_bar.yaml --set tolerance=1e-7 --end 20 --integrator ida \
    --methods dae+dae_form=index-1,dae+dae_form=index-2,dae+dae_form=index-2-canonical,dae,lagrange,canonical'
table 'method=method' '‖Φ‖=max_position_violation:%.0e' '‖ψ‖=max_velocity_violation:%.0e' 'error=error:%.0e' 'evaluations=evaluations:%.0f'
p1=$(cell out max_position_violation method=dae+dae_form=index-1) v1=$(cell out max_velocity_violation method=dae+dae_form=index-1)
p2=$(cell out max_position_violation method=dae+dae_form=index-2-canonical) v2=$(cell out max_velocity_violation method=dae+dae_form=index-2-canonical)
e1=$(cell out error method=dae+dae_form=index-1) e2=$(cell out error method=dae+dae_form=index-2-canonical)
n1=$(cell out evaluations method=dae+dae_form=index-1) n2=$(cell out evaluations method=dae+dae_form=index-2-canonical)
verdict "$p2 < $p1 / 10 && $v2 < $v1 / 10 && $e2 < $e1 && $n2 < 1.5 * $n1" holds "With index two positions are off by $(fig "$p2" %.0e) m instead of
$(fig "$p1" %.0e), velocities by $(fig "$v2" %.0e) m/s instead of $(fig "$v1" %.0e), the crank by $(fig "$e2" %.0e) rad instead of $(fig "$e1" %.0e)." \
    differs "With index two positions are off by $(fig "$p2" %.0e) m instead of $(fig "$p1" %.0e), velocities by $(fig "$v2" %.0e) m/s instead of
$(fig "$v1" %.0e), the crank by $(fig "$e2" %.0e) rad instead of $(fig "$e1" %.0e)."
say 'How the violation of positions grows, in relative coordinates, where M changes:'
typed 'holonom compare models/four_bar.yaml --set tolerance=1e-7 --vary end=10,20,40 --integrator ida --coordinates relative \
    --methods dae+dae_form=index-1,dae+dae_form=index-2-canonical,dae'
across out method end 'max_position_violation:%.0e'
growth() { awk "BEGIN { print $(cell out max_position_violation "method=$1" end=40) / $(cell out max_position_violation "method=$1" end=10) }"; }
g1=$(growth dae+dae_form=index-1) g2=$(growth dae+dae_form=index-2-canonical)
verdict "$g1 > 8 && $g2 < 8" holds "In four times the time it becomes $(fig "$g1" %.0f) times as large with index one, where errors of the accelerations
are integrated twice, and $(fig "$g2" %.0f) times with index two, where those of velocities are integrated once." \
    differs "In four times the time it becomes $(fig "$g1" %.0f) times as large with index one and $(fig "$g2" %.0f) times with index two."
