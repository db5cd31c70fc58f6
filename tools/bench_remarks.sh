# bench_remarks.sh: what docs/performance.md says above its tables: how to read them, and why a wanted value is not reached.
# shellcheck shell=sh
# shellcheck disable=SC2154 # variables of tools/bench.sh

remarks() {
    case $1 in
    growth)
        [ ! -f "$source/docs/images/growth.svg" ] || printf '%s\n\n' '![What a step costs for each of N links or loops](images/growth.svg)'
        cat <<'TEXT'
Why loops in space are above 1.5 times those in the plane (`growth.space_loops`): for 40 of them a step in relative coordinates takes 2.19 M
instructions, 0.69 M in the plane. The factorisation is the same, since redundant rows are set aside: 0.18 M against 0.17 M. The rest is the
geometry of a body in space, with matrices of nine numbers where the plane has one angle: rows of the closing joints 0.37 M against 0.04 M (five rows
of three components and three moments against two of two and one; a joint whose rows are set aside in part evaluates all of them), poses 0.23 M
against 0.06 M, masses of the branches 0.27 M against 0.06 M, forces and what velocities add 0.21 M against 0.05 M, velocities 0.10 M against
0.03 M. In reference-point coordinates (`growth.space_reference`) a body has six velocities instead of three and a hinge five rows instead of two: a
factorisation takes the third power of a block, (6 + 5)³ against (3 + 2)³. In both the cost grows linearly with the number of loops, and with the
length of one loop (`growth.loop_space`).

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
for 1000 links: of the 7.3 k instructions a link and step the elimination of the recursion takes 1.9 k, poses 1.4 k, velocities 0.9 k, forces
0.75 k, inertias in global axes 0.65 k, and what is watched after a step (energy, extremes, measures) 1.3 k.

TEXT
        ;;
    esac
}
