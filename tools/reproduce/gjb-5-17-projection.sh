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
for model in four_bar slider_crank_spatial five_bar bicycle a04_bricard; do
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
verdict "$q < 1" holds "Where constraints are redundant it is less than that of the multipliers, $(fig "$q" %.1f) times, as the text says: the rank comes with the
factors of R. Elsewhere it is more: the matrix of the multipliers is sparse and factored on a fixed pattern here." \
    differs "It is not less than that of the multipliers, whose matrix is sparse and factored on a fixed pattern here; R is dense."
say 'A large system, forty four-bars with 242 constraints, over ten steps from the start:'
typed 'holonom run models/a02_forty_four_bar.yaml --integrator rk4 --step 1e-3 --end 0.02 --method projection'
model=a02_forty_four_bar
price() { instructions "models/$model.yaml" 1e-3 0.01 0.02 --integrator rk4 --method "$@"; }
r=$(awk "BEGIN { print $(price projection) / $(price lagrange) }")
verdict "$r < 2" holds "A step takes $(fig "$r" %.1f) times as long as with the multipliers: the block of the dependent coordinates is factored as a
sparse matrix with kept pivots." \
    differs "A step takes $(fig "$r" %.0f) times as long as with the multipliers: the basis factors the constraints as a dense matrix, the kernel of the
multipliers as a sparse one."
