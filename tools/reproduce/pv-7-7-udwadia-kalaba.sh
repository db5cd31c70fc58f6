# PV 7.7: the two forms of Udwadia–Kalaba.
# speed: fast
# rows: 86
section 'Udwadia–Kalaba: the pseudoinverse and the range space'
source_of 'PV, section 7.7, (81) to (89); BG (13)'
claim 'With D = A M^−½ the multipliers can be eliminated, (87), and D⁺ = Dᵀ (D Dᵀ)⁻¹ makes of this v̇ = a + M^−½ D⁺ (c − A a), (89).'
typed 'uk=udwadia-kalaba
holonom compare models/slider_crank_spatial.yaml --integrator rk4 --step 1e-3 --methods $uk,$uk+uk_form=range-space,lagrange+kernel=schur'
table 'method=method' '‖Φ‖=max_position_violation:%.3e' '‖Φ̇‖=max_velocity_violation:%.3e' 'energy=relative_energy_error:%.3e' 'error=error:%.3e'
p=$(cell out error method=udwadia-kalaba) r=$(cell out error method=udwadia-kalaba+uk_form=range-space) s=$(cell out error method=lagrange+kernel=schur)
# 20000 evaluations, each with a rounding error of some 1e-13 in accelerations of some 100 rad/s^2 with a condition of 1000
verdict "($p - $r) ^ 2 < 1e-18 && $r == $s" holds "The two forms give one motion, with errors that agree to rounding. The second is the Schur complement of
the multipliers, to the last bit of its error; the first is the method."
say 'Where constraints are redundant D Dᵀ is singular and (88) is no pseudoinverse; D⁺ in (89) still is one. Bricard’s mechanism has a redundant
constraint:'
typed 'holonom compare models/a04_bricard.yaml --integrator rk4 --step 1e-3 --end 1 --methods $uk,$uk+uk_form=range-space,lagrange'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
e=$(most out error)
verdict "$e < 1e-8" holds "All of them run: the program drops what depends on the rest from D Dᵀ too, which the print does not say."
