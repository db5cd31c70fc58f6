# bench_models.sh: mechanisms of any size for tools/bench.sh, written to standard output.
# shellcheck shell=sh

# A chain of N links: N [planar|spatial]; in space with axes across each other in turn.
chain() {
    awk -v n="$1" -v space="${2-planar}" 'BEGIN {
        s = space == "spatial"; z = s ? ", 0" : ""
        printf "holonom: 1\nspace: %s\ngravity: [0, %s-9.81]\nsimulation: {coordinates: relative}\nbodies:\n", space, s ? "0, " : ""
        inertia = s ? "[0.01, 0.08, 0.08]" : "0.08"
        for (i = 0; i < n; i++) printf "  b%d: {mass: 1, inertia: %s, along: [[%d, 0%s], [%d, 0%s]]}\n", i, inertia, i, z, i + 1, z
        print "joints:"
        for (i = 0; i < n; i++)
            printf "  j%d: {type: revolute, bodies: [%s, b%d], at: [%d, 0%s]%s}\n", i, i ? "b" i - 1 : "ground", i, i, z,
                !s ? "" : i % 2 ? ", axis: [0, 0, 1]" : ", axis: [0, 1, 0]"
    }'
}

# One loop of N links in the plane, hung between two points of ground.
loop() {
    awk -v n="$1" 'BEGIN {
        turn = 2.8 / n; r = 0.055 / sin(turn / 2)
        print "holonom: 1\nspace: planar\ngravity: [0, -9.81]\npoints:"
        for (i = 0; i <= n; i++) printf "  p%d: [%.15g, %.15g]\n", i, -r * cos(i * turn), -r * sin(i * turn)
        print "bodies:"
        for (i = 0; i < n; i++) printf "  b%d: {mass: 0.23, inertia: 2e-4, along: [p%d, p%d]}\n", i, i, i + 1
        print "joints:"
        for (i = 0; i <= n; i++)
            printf "  j%d: {type: revolute, bodies: [%s, %s], at: p%d}\n", i, i ? "b" i - 1 : "ground", i < n ? "b" i : "ground", i
    }'
}

# The same in a plane of space, with three redundant rows.
loop_in_space() {
    loop "$1" | sed -e 's/space: planar/space: spatial/' -e 's/, -9.81\]/, 0, -9.81]/' -e 's/^\(  p[0-9]*: \[[^,]*\),/\1, 0,/' \
        -e 's/inertia: 2e-4/inertia: [1e-5, 2e-4, 2e-4]/' -e 's/, at: /, axis: [0, 1, 0], at: /'
}

# N four-bars on the ground, with springs from one to the next: N planar|spatial; in space each has three redundant rows.
spring_four_bars() {
    awk -v n="$1" -v space="$2" '
    function p(x, h) { return s ? sprintf("[%g, 0, %g]", x, h) : sprintf("[%g, %g]", x, h) }
    function body(name, mass, J, a, b) { printf "  %s: {mass: %s, inertia: %s, along: [%s, %s]}\n", name, mass, s ? "[0.01, " J ", " J "]" : J, a, b }
    function pin(name, a, b, at) { printf "  %s: {type: revolute, bodies: [%s, %s], at: %s%s}\n", name, a, b, at, s ? ", axis: [0, 1, 0]" : "" }
    BEGIN {
        s = space == "spatial"
        printf "holonom: 1\nspace: %s\ngravity: %s\nbodies:\n", space, p(0, -9.81)
        for (i = 0; i < n; i++) {
            x = 2 * i
            body("c" i, 1.3, 0.11, p(x, 0), p(x + 0.3, 0.8))
            body("l" i, 0.9, 0.12, p(x + 0.3, 0.8), p(x + 1.5, 1.1))
            body("r" i, 1.1, 0.13, p(x + 1.2, 0), p(x + 1.5, 1.1))
        }
        print "joints:"
        for (i = 0; i < n; i++) {
            x = 2 * i
            pin("A" i, "ground", "c" i, p(x, 0))
            pin("B" i, "c" i, "l" i, p(x + 0.3, 0.8))
            pin("C" i, "l" i, "r" i, p(x + 1.5, 1.1))
            pin("D" i, "ground", "r" i, p(x + 1.2, 0))
        }
        if (n > 1) print "forces:"
        for (i = 0; i + 1 < n; i++)
            printf "  s%d: {type: spring, bodies: [r%d, c%d], from: %s, to: %s, stiffness: 40}\n", i, i, i + 1, p(2 * i + 1.5, 1.1), p(2 * i + 2.3, 0.8)
    }'
}

# N four-bars side by side as tools/make_n_four_bar.sh has them, for MuJoCo: loops closed by constraints.
four_bars_xml() {
    awk -v n="$1" '
    function rod(name, pos, joint, centre) {
        printf "<body name=\"%s\" pos=\"%s\"><joint type=\"hinge\" axis=\"0 0 1\"/><inertial pos=\"%s\" mass=\"1\" diaginertia=\"0.01 %.15g %.15g\"/>\n",
            name, pos, centre, 1 / 12, 1 / 12
    }
    BEGIN {
        print "<mujoco><option gravity=\"0 -9.81 0\"/><worldbody>"
        for (i = 0; i <= n; i++) {
            rod("up" i, i " 0 0", "", "0 0.5 0")
            if (i < n) { rod("top" i, "0 1 0", "", "0.5 0 0"); print "</body>" }
            print "</body>"
        }
        print "</worldbody><equality>"
        for (i = 0; i < n; i++) printf "<connect body1=\"top%d\" body2=\"up%d\" anchor=\"1 0 0\"/>\n", i, i + 1
        printf "</equality><keyframe><key qvel=\""
        for (i = 0; i <= n; i++) printf "%s-1%s", i ? " " : "", (i < n) ? " 1" : ""
        print "\"/></keyframe></mujoco>"
    }'
}

# models/four_bar.yaml for MuJoCo.
four_bar_xml() {
    awk 'BEGIN {
        L1 = 2.5; L2 = 2; L3 = 4; L4 = 4; a = atan2(0, -1) / 3
        bx = L2 * cos(a); by = L2 * sin(a); dx = L1 - bx; dy = -by; d = sqrt(dx * dx + dy * dy)
        k = (L3 * L3 + d * d - L4 * L4) / (2 * L3 * d)
        phi = atan2(dy, dx) + atan2(sqrt(1 - k * k), k); cx = L3 * cos(phi); cy = L3 * sin(phi)
        hinge = "<joint type=\"hinge\" axis=\"0 0 1\"/><inertial pos=\"%.17g %.17g 0\" mass=\"%g\" diaginertia=\"2 2 %g\"/>"
        print "<mujoco><option gravity=\"0 -9.81 0\"/><worldbody>"
        printf "<body name=\"crank\">" hinge "\n", bx / 2, by / 2, 1, 0.3
        printf "<body name=\"coupler\" pos=\"%.17g %.17g 0\">" hinge "</body></body>\n", bx, by, cx / 2, cy / 2, 2.25, 2
        printf "<body name=\"follower\" pos=\"%.17g 0 0\">" hinge "</body>\n", L1, (bx + cx - L1) / 2, (by + cy) / 2, 2.2, 1.35
        printf "</worldbody><equality><connect body1=\"coupler\" body2=\"follower\" anchor=\"%.17g %.17g 0\"/></equality></mujoco>\n", cx, cy
    }'
}
