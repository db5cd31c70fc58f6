# BG (18): conserved quantities other than the energy.
# speed: fast
# rows: 151
section 'Invariants beside the energy'
source_of 'BG, section 2.5, (18) to (20)'
claim 'The law that is enforced by a nonideal force may, without restriction, be that of another conserved quantity than the energy.'
say 'Two hinged bodies in free flight keep momentum and angular momentum. Measures of them with `invariant: true` are rows beside the energy.'
typed 'grep invariant: models/elements/momentum.yaml
holonom run models/elements/momentum.yaml --method braun-goldfarb --integrator rk4 --step 0.05 --end 100 --output held.csv
holonom run models/elements/momentum.yaml --method direct-correction --integrator rk4 --step 0.05 --end 100 --output free.csv' | sed 's/^\(  [pL].*\)$/    \1/'
# The largest change of a column.
change() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); if (word[1] == name) at = i }; next }
        NR == 2 { start = $at } { d = $at - start; if (d < 0) d = -d; if (d > most) most = d } END { print most }' "$1"
}
{
    printf 'quantity\theld\tfree\n'
    for name in px py pz Lx Ly Lz energy.balance; do
        printf '%s\t%s\t%s\n' "$name" "$(change held.csv "$name")" "$(change free.csv "$name")"
    done
} >changes
table changes 'quantity=quantity' 'largest change, held=held:%.1e' 'direct-correction=free:%.1e'
verdict "$(cell changes held quantity=Ly) < 1e-2 * $(cell changes free quantity=Ly)" holds "Over 100 s with steps of 5·10⁻² s the angular momentum changes by
$(fig "$(cell changes held quantity=Ly)") where it is held and by $(fig "$(cell changes free quantity=Ly)") where it is not. Momentum, which is linear,
stays at rounding where it is held."
