#!/bin/sh
# make_n_four_bar.sh N: writes the model of N connected four-bars (IFToMM benchmark A02) to standard output.
set -eu
awk -v N="${1:?how many four-bars}" 'BEGIN {
  printf "# %d four-bars side by side: 2N+1 uniform links of 1 m and 1 kg; every half turn all links lie in one line (singular position).\n", N
  printf "# IFToMM benchmark A02, N = %d. Written by tools/make_n_four_bar.sh.\n", N
  printf "holonom: 1\nname: %d-four-bar (A02)\nspace: planar\ngravity: [0, -9.81]\nparameters: {m: 1, I: m/12}\nbodies:\n", N
  for (i = 0; i <= N; i++) printf "  up%d: {mass: m, inertia: I, along: [[%d, 0], [%d, 1]]%s}\n", i, i, i, i == 0 ? ", velocity: [0.5, 0], omega: -1" : ""
  for (i = 0; i < N; i++) printf "  top%d: {mass: m, inertia: I, along: [[%d, 1], [%d, 1]]}\n", i, i, i + 1
  printf "joints:\n"
  for (i = 0; i <= N; i++) printf "  A%d: {type: revolute, bodies: [ground, up%d], at: [%d, 0]}\n", i, i, i
  for (i = 0; i < N; i++) {
    printf "  B%d: {type: revolute, bodies: [up%d, top%d], at: [%d, 1]}\n", i, i, i, i
    printf "  C%d: {type: revolute, bodies: [top%d, up%d], at: [%d, 1]}\n", i + 1, i, i + 1, i + 1
  }
  printf "measures:\n  B0: {type: position, body: up0, at: [0, 1]}\n  theta: {type: angle, body: up0}\n  energy: {type: energy}\n"
  printf "simulation: {end: %d, tolerance: 1e-10}\n", (N > 10) ? 20 : 10
}'
