#!/bin/sh
# make_chain.sh N: writes the model of a chain of N rods (5 and more) of 0.1 m and 0.1 kg, hinged end to end and drawn along +x, to standard output.
set -eu
awk -v N="${1:?how many rods}" 'BEGIN {
  printf "# A chain of %d rods, released from rest along +x. Written by tools/make_chain.sh.\n", N
  printf "holonom: 1\nname: chain of %d rods\nspace: planar\ngravity: [0, -9.81]\nparameters: {m: 0.1, l: 0.1, I: m*l^2/12}\nbodies:\n", N
  for (i = 0; i < N; i++) printf "  rod%d: {mass: m, inertia: I, along: [[%d*l, 0], [%d*l, 0]]}\n", i, i, i + 1
  printf "joints:\n  J0: {type: revolute, bodies: [ground, rod0], at: [0, 0]}\n"
  for (i = 1; i < N; i++) printf "  J%d: {type: revolute, bodies: [rod%d, rod%d], at: [%d*l, 0]}\n", i, i - 1, i, i
  printf "measures:\n  tip: {type: position, body: rod%d, at: [%d*l, 0]}\n", N - 1, N
  printf "  fifth: {type: position, body: rod4, at: [5*l, 0]}\n  energy: {type: energy}\n"
  printf "simulation: {end: 1, tolerance: 1e-10}\n"
}'
