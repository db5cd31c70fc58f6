# GJB 5.1.2: what form (5.17) costs beside the multipliers.
# speed: slow
# rows: 7
section 'Form (5.17): the upper part is factored already'
source_of 'GJB 5.1.2, (5.17) and algorithm 5-2'
claim 'The upper part of [A; RᵀM] v̇ = [c; RᵀQ] has been factored to compute R, so that the system is solved with very little additional effort; the
method is sometimes more efficient than (5.10), the multipliers.'
say 'Instructions per step of RK4 with 1 ms, counted over 200 steps from 1 s on:'
typed 'holonom run models/four_bar.yaml --integrator rk4 --step 1e-3 --end 1.2 --method projection'
say 'and so on for the others.'
printf 'model\tlagrange\tprojection\tqr\treduced\n' >costs
worst=0
for model in four_bar slider_crank_spatial five_bar; do
    price() { instructions "models/$model.yaml" 1e-3 1 1.2 --integrator rk4 --method "$@"; }
    l=$(price lagrange) p=$(price projection) q=$(price projection --set basis=qr) n=$(price nullspace --set basis=partition)
    printf '%s\t%s\n' "$model" "$(awk "BEGIN { printf \"%d\t%.4f\t%.4f\t%.4f\", $l, $p / $l, $q / $l, $n / $l }")" >>costs
    worst=$(awk "BEGIN { r = $p / $l; print (r > $worst ? r : $worst) }")
done
say 'Multiples of `lagrange`; the last column is form (5.67) with the same basis.'
table costs 'model=model' 'projection=projection:%.1f' 'with basis qr=qr:%.1f' '(5.67), basis partition=reduced:%.1f'
verdict "$worst < 2" holds "With the factors of R used again a step takes $(fig "$worst" %.1f) times as long as with the multipliers at most. The rows of the upper
part are eliminated by what the basis has at hand, and what is left to factor is a block as large as the number of degrees of freedom: as in (5.67),
the last column." \
    differs "A step takes up to $(fig "$worst" %.1f) times as long as with the multipliers."
q=$(least costs projection)
verdict "$q < 1" holds "It is less than that of the multipliers here." differs "It is not less than that of the multipliers, whose matrix is sparse and
factored on a fixed pattern here; R is dense."
