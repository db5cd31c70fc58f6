# bench_remarks.sh: what docs/performance.md says above its tables: how to read them, and why a wanted value is not reached.
# shellcheck shell=sh
# shellcheck disable=SC2154 # variables of tools/bench.sh

remarks() {
    case $1 in
    outputs)
        cat <<'TEXT'
What keeps outputs above 1.15, for the four-bar in reference-point coordinates (11.4 M beside a run of 27.9 M, 4.6 outputs in each step): bringing
positions onto the constraints to rounding takes 5.4 M (Φ and A 1.1, a factorisation 2.2, a solve 1.2), the three extra stages of the interpolant
where the free one does not do 2.7 M, its polynomials 1.9 M, the measures and the positions that they need 1.3 M. Both sides of the ratio are made
of the same evaluations and factorisations, so that making these cheaper does not lower it. Without the constraints it would be 1.21, without the
extra stages too 1.12 (`docs/decisions.md`, "Outputs are interpolated").

TEXT
        ;;
    loops)
        cat <<'TEXT'
The loop by hand knows that the four-bar has one coordinate and solves its position in closed form. The library's RK4 step has four evaluations of
6.7 k: factorising 17 rows along their pattern 1.8 k, solving 1.3 k, moving the matrix to its places and back 0.3 k, joints 0.6 k, sines and cosines
0.3 k, and 2.4 k for states, forces, stages and the checks of the step. `run --compiled` and `holonom generate` unroll all of it (2.1 to 10.6 times
fewer).

TEXT
        ;;
    program)
        cat <<'TEXT'
An HDF5 file adds 44 M to the run: 13 M to load Debian's HDF5 with its 30 libraries, 9 M to create and close 190 attributes and 18 datasets, 5 M for
five flushes, 16 M for what the records hold, of which the solution of the equations at a thousand instants inside the steps alone is more than 1.05
allows. `program.runs` is the run with a thousand outputs (above) and 1.3 M for the set of values.

TEXT
        ;;
    growth)
        [ ! -f "$source/docs/images/growth.svg" ] || printf '%s\n\n' '![What a step costs for each of N links or loops](images/growth.svg)'
        cat <<'TEXT'
Why loops in space are above 1.5 times those in the plane (`growth.space_loops`): for 40 of them a step in relative coordinates takes 2.0 M
instructions, 0.65 M in the plane. The factorisation is the same, since redundant rows are set aside: 0.17 M against 0.15 M with its solutions. The
rest is the geometry of a body in space, with matrices of nine numbers where the plane has one angle: rows of the closing joints 0.29 M against
0.04 M (three components and three moments in each; those that are set aside are left out), poses 0.29 M against 0.13 M, masses of the branches
0.27 M against 0.06 M, the closing joints themselves 0.21 M against 0.05 M, forces 0.09 M against 0.03 M, velocities 0.11 M against 0.03 M; what is
watched after a step (all rows, shares, energy, extremes) 0.38 M, in which some of these occur again. A mechanism in space that moves in a plane is
not evaluated there. In reference-point coordinates (`growth.space_reference`) a body has six velocities instead of three and a
hinge five rows instead of two: a factorisation takes the third power of a block, (6 + 5)³ against (3 + 2)³. In both the cost of a step and of setting
up (`setup.space_loops`) grows linearly with the number of loops, and with the length of one loop (`growth.loop_space`).

TEXT
        ;;
    target)
        cat <<'TEXT'
Ours is what `holonom run` takes: the tolerance 1e-8, its default, coordinates by its own choice, and a thousand outputs. Theirs are the cheapest
settings of a sweep over formulas, steps or accuracies, and the stiffness of closed loops (`tools/peer_sweep.sh`), without outputs, whose mass
centres are off by no more than 1e-3 m at the end (against ours at 1e-13) and whose energy by no more than 1e-5 of the largest kinetic energy. MuJoCo
needs its step for that, 0.2 ms for the four-bar and 12.5 ms for one square four-bar; Simbody, which stops at the singular positions of square
four-bars or leaves their branch, has rows for the other three. Counts are those of a part of the run (200 steps, a tenth of the time), times its
steps.

TEXT
        ;;
    generated)
        cat <<'TEXT'
The loop by hand here is that of `bench/limit/four_bar_by_hand.c`: one coordinate, one sine and cosine, no projection. Its error with a given step is
that of the generated code within a tenth (2.6e-6 and 2.4e-6 rad after 4 s with steps of 5 ms).

TEXT
        ;;
    setup)
        cat <<'TEXT'
Why 10 000 links in space take more than 200 MB: of some 310 MB that are asked for in relative coordinates (not all is touched) the description takes
60 (its items, texts and names), and there are two models, that of the run and its twin in reference-point coordinates, by which it is assembled: 33
for records of constraints, 22 for measures of joints, 20 for joints and bodies, 15 for names. Then 29 for the data of both, 10 for the factors with
which it is assembled, and many small parts. The description could be given up once it is compiled, but programs vary it and run it again.

TEXT
        ;;
    methods)
        cat <<'TEXT'
The bases of `nullspace` and `independent`, the pseudoinverse of `udwadia-kalaba` and A M⁻¹ Aᵀ over points that links share are full whatever the
order of elimination: every link of a chain moves all behind it. From 10⁷ multiplications an evaluation on a warning says how many there are and what
gives the same motion with sparse matrices: `lagrange`, `baumgarte` or `direct-correction` with the kernel `kkt`, for `udwadia-kalaba` its form
`range-space`. `auto` takes none of them.

TEXT
        ;;
    peers)
        cat <<'TEXT'
![Steps of peers](images/peers.svg)

Steps of 1 ms by RK4. MuJoCo closes the slider-crank by a soft constraint, which is cheaper than one that holds to rounding, and keeps no watch over
energy and singular positions; Simbody projects as we do. Why the chain in space is above what is wanted, 0.1, which is 4.0 M instructions
for 1000 links: of the 7.1 k instructions a link and step the elimination of the recursion takes 1.9 k and the way back 0.4 k, poses 1.6 k with their
sines and cosines, velocities 0.9 k, forces 0.75 k, inertias in global axes 0.65 k, weights and the sum of energies 0.3 k, extremes of all measures
0.4 k. All but the last are four evaluations: what is watched after a step uses the poses and velocities with which the next one begins.

TEXT
        ;;
    esac
}
