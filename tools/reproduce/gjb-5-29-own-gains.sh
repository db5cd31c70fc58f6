# GJB (5.29) to (5.31), BL (34): diagonal matrices of gains, given by joint.
# speed: fast
# rows: 17 136
section 'Gains of each constraint'
source_of 'GJB, equations (5.29) to (5.31), (5.37), (5.47); BL, equation (34)'
claim 'α, Ω and μ are diagonal matrices with the penalty number, the natural frequency and the damping ratio of every constraint; with the same values
for all they become numbers. Blajer’s gain matrices Kv and Kp are diagonal too.'
say 'The four-bar with penalty number and frequency of joint B as parameters, and the gaps of two joints as measures:'
typed 'sed -e "/^parameters:/a\  pB: 1e7" -e "/^parameters:/a\  wB: 10" -e "s/at: B}/at: B, gains: {penalty: pB, omega: wB}}/" \
    -e "/^measures:/a\  gap_B: {type: distance, bodies: [crank, coupler], from: B, to: B}" \
    -e "/^measures:/a\  gap_C: {type: distance, bodies: [coupler, follower], from: C, to: C}" models/four_bar.yaml >own.yaml
holonom run own.yaml --method penalty --step 1e-3 --end 2 --output same.csv
holonom run models/four_bar.yaml --method penalty --step 1e-3 --end 2 --output usual.csv'
digits=$(awk -F, 'FNR > 1 { if (NR == FNR) one[FNR] = $NF; else if (one[FNR] != $NF) n++ } END { print n + 0 }' same.csv usual.csv)
verdict "$digits == 0" holds 'With the numbers of the run in joint B the motion is that of one number for all, in all digits of all outputs.'
typed 'for p in 1e7 1e5 1e3; do holonom run own.yaml --method penalty --step 1e-3 --end 2 --set pB=$p --output p$p.csv; done
for w in 100 200; do holonom run own.yaml --method penalty --step 1e-3 --end 2 --set pB=1e3 --set wB=$w --output w$w.csv; done'
# the largest gaps of a run
gap() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ "^" name) c = i; next } $c > m { m = $c } END { print m }' "$1.csv"; }
{
    printf 'penalty\tomega\tb\tc\n'
    for p in 1e7 1e5 1e3; do printf '%s\t10\t%s\t%s\n' $p "$(gap p$p gap_B)" "$(gap p$p gap_C)"; done
    for w in 100 200; do printf '1e3\t%s\t%s\t%s\n' $w "$(gap w$w gap_B)" "$(gap w$w gap_C)"; done
} >gaps
table gaps 'penalty of B=penalty' 'Ω of B=omega' 'largest gap of B, m=b:%.1e' 'of C, m=c:%.1e'
b7=$(gap p1e7 gap_B) b3=$(gap p1e3 gap_B) c7=$(gap p1e7 gap_C) c3=$(gap p1e3 gap_C) w1=$(gap w100 gap_B) w2=$(gap w200 gap_B)
verdict "$b3 > 9e3 * $b7 && $b3 < 1.1e4 * $b7 && $c3 < 1.01 * $c7 && $c3 > 0.99 * $c7" holds "A ten thousandth of the penalty opens joint B ten
thousand times as far, from $(fig "$b7") to $(fig "$b3") m, and leaves joint C where it was. The springs of (5.29) have the stiffness α Ω²."
verdict "$b3 / $w1 > 10 && $w1 / $w2 > 3.2 && $w1 / $w2 < 4.2" holds "From 100 to 200 1/s the gap of B closes by a factor of
$(fig "$(awk "BEGIN { print $w1 / $w2 }")" %.1f): four, as Ω² says, once the springs are much faster than the motion."
say 'Blajer mixes the reaction-free equations with (34). The same diagonal gains by null space, with his local frames, and by multipliers; each
equation of joint B has gains of its own:'
typed 'sed "s/at: B}/at: B, gains: {alpha: [12, 30], beta: [9, 25]}}/" models/four_bar.yaml >rows.yaml
holonom compare rows.yaml --integrator rk4 --step 1e-2 --end 5 \
    --methods baumgarte,nullspace+basis=local+stabilizer=baumgarte,nullspace+basis=svd+stabilizer=baumgarte'
mv out rows
typed 'holonom compare models/four_bar.yaml --integrator rk4 --step 1e-2 --end 5 --methods baumgarte'
table rows 'method=method' '‖Φ‖=max_position_violation:%.4e' '‖Φ̇‖=max_velocity_violation:%.4e' 'error=error:%.4e'
m=$(cell rows max_position_violation method=baumgarte) l=$(cell rows max_position_violation method=nullspace+basis=local+stabilizer=baumgarte)
u=$(cell out max_position_violation method=baumgarte)
verdict "($m - $l) ^ 2 < (1e-9 * $m) ^ 2 && ($m - $u) ^ 2 > (0.01 * $m) ^ 2" holds "Both hold $(fig "$m" %.4e); one number for all, 5, holds
$(fig "$u" %.4e). tests/test\\_letter\\_gains.c has all methods against the printed equations with different gains in every row, on a planar, a
spatial and a nonholonomic model."
