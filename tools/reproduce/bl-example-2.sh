# BL example 2: the price of superfluous local coordinates.
# speed: slow
# rows: 133
section 'Local constraint frames: the price of superfluous local coordinates'
source_of 'BL, example 2, cases a and b, (26) to (33)'
claim 'The end of the chain slides on an inclined line. With one local coordinate (case b) the matrices are smaller than with two (case a), of which one is
superfluous: it is essential for the efficiency to choose as few as possible.'
typed 'm=nullspace+basis=local+local_coordinates
holonom compare models/three_links_slider.yaml --coordinates relative --step 1e-3 --end 3 --methods $m=full,$m=fewest'
table 'method=method' 'error=error:%.1e' 'energy=relative_energy_error:%.1e' 'changes=coordinate_changes'
a=$(cell out error 'method=nullspace+basis=local+local_coordinates=full') b=$(cell out error 'method=nullspace+basis=local+local_coordinates=fewest')
verdict "$a < 1.01 * $b && $b < 1.01 * $a" holds "Both cases give the same motion (errors $(fig "$a") and $(fig "$b"))."
options='--coordinates relative --method nullspace --set basis=local'
say 'Instructions per step of RK4, the whole step without output, for the paper’s example and for the slider-crank, whose
joints have superfluous coordinates too:'
line() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(instructions "$3" 1e-3 0.1 0.3 $4 --set local_coordinates=full)" "$(instructions "$3" 1e-3 0.1 0.3 $4)"; }
{
    printf 'model\tcoordinates\tfull\tfewest\n'
    line 'example 2' relative models/three_links_slider.yaml "$options"
    line 'example 2' reference models/three_links_slider.yaml '--coordinates reference --method nullspace --set basis=local'
    line 'slider-crank' natural models/slider_crank.yaml '--coordinates natural --method nullspace --set basis=local'
} >price
awk -F'\t' -v OFS='\t' 'NR == 1 { print $0, "ratio"; next } { print $0, $3 / $4 }' price >ratios
table ratios 'model=model' 'coordinates=coordinates' 'full (case a)=full' 'fewest (case b)=fewest' 'ratio=ratio:%.2f'
verdict "$(least ratios ratio) > 1" holds "Superfluous local coordinates cost $(fig "$(least ratios ratio)" %.2f) to $(fig "$(most ratios ratio)" %.2f) times
the fewest: the Jacobian has more rows, the block that is inverted is larger, and the local complements have to be formed."
