# GJB 5.2.1: the speed of integration as the criterion for changes of independent coordinates under multistep formulas.
# speed: slow
# rows: 28
section 'The speed of integration as the criterion for other independent coordinates'
source_of 'GJB 5.2.1'
claim 'Multistep formulas have to be started again at each change of the independent coordinates, which is long and drawn out, so that there should be
few changes; coordinates that become inadequate make the integration much slower. The speed of the integration can be the criterion.'
say "The criterion is the option watch_by. With bound others are chosen as soon as a coordinate moves twice as far as the one that tells it; with pace,
which auto takes for formulas with a history of steps, only when the evaluations that were lost against the pace before are as many as a fresh start
was measured to cost, or where the coordinates would fail within the next step (docs/theory/states.md)."
methods=partitioning,independent,independent-extended,canonical-independent
for integrator in adams bdf; do
    for model in four_bar slider_crank_spatial a04_bricard; do
        typed "holonom compare models/$model.yaml --set tolerance=1e-8 --end 10 --integrator $integrator --vary watch_by=bound,pace \\
    --methods $methods"
        cp out "$integrator-$model"
    done
done
printf '\n| formula | model | method | evaluations by `bound` | by `pace` | changes | | error | |\n|---|---|---|---|---|---|---|---|---|\n'
for integrator in adams bdf; do
    for model in four_bar slider_crank_spatial a04_bricard; do
        for method in partitioning independent independent-extended canonical-independent; do
            of() { cell "$integrator-$model" "$1" "method=$method" "watch_by=$2"; }
            printf '| %s | %s | `%s` | %.0f | %.0f | %.0f | %.0f | %.0e | %.0e |\n' "$integrator" "$model" "$method" "$(of evaluations bound)" \
                "$(of evaluations pace)" "$(of coordinate_changes bound)" "$(of coordinate_changes pace)" "$(of error bound)" "$(of error pace)"
            echo "$(of evaluations bound) $(of evaluations pace) $(of coordinate_changes bound) $(of coordinate_changes pace)" >>sums
        done
    done
done
total() { awk -v at="$1" '{ s += $at } END { print s }' sums; }
best=$(awk '{ r = $2 / $1; if (NR == 1 || r < b) b = r } END { print 100 * (1 - b) }' sums)
worst=$(awk '{ r = $2 / $1; if (NR == 1 || r > b) b = r } END { print 100 * (b - 1) }' sums)
saved=$(awk "BEGIN { print 100 * (1 - $(total 2) / $(total 1)) }")
verdict "$(total 2) < $(total 1) && $(total 4) < 0.7 * $(total 3)" holds "Over all runs the criterion makes $(fig "$(total 4)" %.0f) changes instead of
$(fig "$(total 3)" %.0f) and saves $(fig "$saved" %.0f) per cent of the evaluations; of single runs between $(fig "$best" %.0f) per cent saved and
$(fig "$worst" %.0f) per cent more. In space the history is lost whenever a body has turned far; changes that come with that cost nothing and are made at
once." \
    differs "Over all runs the criterion makes $(fig "$(total 4)" %.0f) changes instead of $(fig "$(total 3)" %.0f) and saves $(fig "$saved" %.0f) per cent of the
evaluations; of single runs between $(fig "$best" %.0f) per cent saved and $(fig "$worst" %.0f) per cent more."
say 'Formulas of single steps lose nothing at a change, and keep to the bound:'
typed 'holonom compare models/four_bar.yaml --set tolerance=1e-8 --end 10 --integrator dop853 --vary watch_by=bound,auto --methods independent'
table 'watch_by=watch_by' 'evaluations=evaluations:%.0f' 'changes=coordinate_changes:%.0f' 'error=error:%.1e'
verdict "$(cell out evaluations watch_by=bound) == $(cell out evaluations watch_by=auto)" holds "Nothing changes."
