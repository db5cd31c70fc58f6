/* fuzz_robot.h: robot descriptions made of a row of choices: what is in them is spelled right, and
 * fits together or does not. */
#ifndef HOL_TESTS_FUZZ_ROBOT_H
#define HOL_TESTS_FUZZ_ROBOT_H

#include "base/text.h"
#include "fuzz_tape.h"

enum { ROBOT_NAMES = 7 };

/* A name; mostly one of the few that things have. */
static inline const char *robot_name(tape *t, const char *kind) {
    static char names[8][24];
    static int turn;
    char *name = names[turn++ % 8];
    const int i = tape_below(t, 24);
    if (i == 23) return "world";
    if (i == 22) return "";
    if (i == 21) return "__model__";
    if (i == 20) return "m::l1";
    snprintf(name, sizeof names[0], "%s%d", kind, i % ROBOT_NAMES);
    return name;
}

static inline const char *robot_number(tape *t) {
    static const char *const numbers[] = {"1",    "0",   "0.3", "-0.7", "2.385", "1e-3", "-1",
                                          "0.02", "1e3", "5",   "1e-9", "1e15",  "",     "nan"};
    const int i = tape_below(t, 40);
    return numbers[i < 14 ? i : i % 6];
}

/* n numbers with spaces between. */
static inline void robot_numbers(tape *t, hol__text *out, int n) {
    for (int i = 0; i < n; i++) hol__text_add(out, "%s%s", i ? " " : "", robot_number(t));
}

static inline void robot_value(tape *t, hol__text *out, const char *name, int n) {
    if (!tape_below(t, 3)) return;
    hol__text_add(out, " %s=\"", name);
    robot_numbers(t, out, n);
    hol__text_add(out, "\"");
}

static inline void robot_child(tape *t, hol__text *out, const char *name, int n) {
    if (!tape_below(t, 3)) return;
    hol__text_add(out, "<%s>", name);
    robot_numbers(t, out, n);
    hol__text_add(out, "</%s>", name);
}

static inline const char *robot_word(tape *t, int n, const char *const *words) {
    return words[tape_below(t, n)];
}

/* ---- URDF ---- */

static inline void robot_urdf(tape *t, hol__text *out) {
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed",
                                        "floating", "planar",     "spherical"};
    const int n = 1 + tape_below(t, ROBOT_NAMES);
    hol__text_add(out, "<robot name=\"r\">");
    for (int i = 0; i < n; i++) {
        hol__text_add(out, "<link name=\"l%d\"><inertial><origin", i);
        robot_value(t, out, "xyz", 3), robot_value(t, out, "rpy", 3);
        hol__text_add(out, "/><mass value=\"%s\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"",
                      robot_number(t));
        robot_value(t, out, "ixy", 1);
        hol__text_add(out, "/></inertial><visual><geometry><box size=\"1 2 3\"/></geometry>"
                           "</visual></link>");
    }
    for (int i = 1; i < n; i++) {
        const int odd = !tape_below(t, 8);
        hol__text_add(out, "<joint name=\"j%d\" type=\"%s\"><parent link=\"", i,
                      robot_word(t, 7, types));
        if (odd)
            hol__text_add(out, "%s", robot_name(t, "l"));
        else
            hol__text_add(out, "l%d", tape_below(t, i));
        hol__text_add(out, "\"/><child link=\"l%d\"/><origin", i);
        robot_value(t, out, "xyz", 3), robot_value(t, out, "rpy", 3);
        hol__text_add(out, "/><axis");
        robot_value(t, out, "xyz", 3);
        hol__text_add(out, "/><limit");
        robot_value(t, out, "lower", 1), robot_value(t, out, "upper", 1);
        hol__text_add(out, "/><dynamics");
        robot_value(t, out, "damping", 1), robot_value(t, out, "friction", 1);
        hol__text_add(out, "/>");
        if (!tape_below(t, 3)) {
            hol__text_add(out, "<mimic joint=\"%s\"", robot_name(t, "j"));
            robot_value(t, out, "multiplier", 1), robot_value(t, out, "offset", 1);
            hol__text_add(out, "/>");
        }
        hol__text_add(out, "</joint>");
    }
    hol__text_add(out, "</robot>");
}

/* ---- SDFormat ---- */

static inline void robot_pose(tape *t, hol__text *out) {
    static const char *const formats[] = {"", " degrees=\"true\"",
                                          " rotation_format=\"quat_xyzw\""};
    const int format = tape_below(t, 3);
    if (!tape_below(t, 3)) return;
    hol__text_add(out, "<pose%s", formats[format]);
    if (!tape_below(t, 3)) {
        static const char *const kinds[] = {"l", "j", "f", "m"};
        hol__text_add(out, " relative_to=\"%s\"", robot_name(t, robot_word(t, 4, kinds)));
    }
    hol__text_add(out, ">");
    robot_numbers(t, out, format == 2 ? 7 : 6);
    hol__text_add(out, "</pose>");
}

static inline void robot_axis(tape *t, hol__text *out, const char *name) {
    hol__text_add(out, "<%s><xyz%s>", name, tape_below(t, 4) ? "" : " expressed_in=\"__model__\"");
    robot_numbers(t, out, 3);
    hol__text_add(out, "</xyz><limit>");
    robot_child(t, out, "lower", 1), robot_child(t, out, "upper", 1);
    robot_child(t, out, "stiffness", 1);
    hol__text_add(out, "</limit><dynamics>");
    robot_child(t, out, "damping", 1), robot_child(t, out, "friction", 1);
    robot_child(t, out, "spring_stiffness", 1), robot_child(t, out, "spring_reference", 1);
    hol__text_add(out, "</dynamics>");
    if (!tape_below(t, 4)) {
        hol__text_add(out, "<mimic joint=\"%s\" axis=\"%s\">", robot_name(t, "j"),
                      tape_below(t, 2) ? "axis" : "axis2");
        robot_child(t, out, "multiplier", 1), robot_child(t, out, "offset", 1);
        hol__text_add(out, "</mimic>");
    }
    hol__text_add(out, "</%s>", name);
}

static inline void robot_model(tape *t, hol__text *out, int depth) {
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed",  "ball",
                                        "screw",    "universal",  "revolute2", "gearbox"};
    const int n = 1 + tape_below(t, ROBOT_NAMES), joints = tape_below(t, ROBOT_NAMES + 2);
    hol__text_add(out, "<model name=\"m%s\"", depth ? "1" : "");
    if (!tape_below(t, 6)) hol__text_add(out, " placement_frame=\"%s\"", robot_name(t, "l"));
    hol__text_add(out, "><static>%d</static>", !tape_below(t, 8));
    robot_pose(t, out);
    for (int i = 0; i < n; i++) {
        hol__text_add(out, "<link name=\"l%d\">", i);
        robot_pose(t, out);
        if (tape_below(t, 5)) {
            hol__text_add(out, "<inertial><mass>%s</mass>", robot_number(t));
            robot_pose(t, out);
            hol__text_add(out, "</inertial>");
        }
        robot_child(t, out, "gravity", 1);
        hol__text_add(out, "<visual name=\"v\"><geometry><capsule><radius>1</radius><length>2"
                           "</length></capsule></geometry></visual></link>");
    }
    for (int i = 0; i < joints; i++) {
        hol__text_add(out, "<joint name=\"j%d\" type=\"%s\"><parent>%s</parent><child>", i,
                      robot_word(t, 9, types), robot_name(t, "l"));
        hol__text_add(out, "%s</child>", robot_name(t, "l"));
        robot_pose(t, out);
        robot_axis(t, out, "axis"), robot_axis(t, out, "axis2");
        robot_child(t, out, "screw_thread_pitch", 1), robot_child(t, out, "gearbox_ratio", 1);
        hol__text_add(out, "<gearbox_reference_body>%s</gearbox_reference_body></joint>",
                      robot_name(t, "l"));
    }
    for (int i = tape_below(t, 3); i > 0; i--) {
        hol__text_add(out, "<frame name=\"f%d\" attached_to=\"%s\">", i, robot_name(t, "f"));
        robot_pose(t, out);
        hol__text_add(out, "</frame>");
    }
    if (depth < 2 && !tape_below(t, 3)) robot_model(t, out, depth + 1);
    hol__text_add(out, "</model>");
}

static inline void robot_sdf(tape *t, hol__text *out) {
    const int world = tape_below(t, 2);
    hol__text_add(out, "<sdf version=\"1.%d\">%s", 4 + tape_below(t, 8),
                  world ? "<world name=\"w\">" : "");
    robot_model(t, out, 0);
    hol__text_add(out, "%s</sdf>", world ? "</world>" : "");
}

/* ---- MJCF ---- */

static inline void robot_body(tape *t, hol__text *out, int depth, int *n) {
    static const char *const types[] = {"hinge", "slide", "ball", "free"};
    hol__text_add(out, "<body name=\"b%d\"", *n);
    robot_value(t, out, "pos", 3), robot_value(t, out, "quat", 4);
    if (!tape_below(t, 8)) robot_value(t, out, "gravcomp", 1);
    hol__text_add(out, ">");
    for (int i = tape_below(t, 4); i > 0; i--) {
        hol__text_add(out, "<joint name=\"j%d%d\" type=\"%s\"", *n, i, robot_word(t, 4, types));
        robot_value(t, out, "pos", 3), robot_value(t, out, "axis", 3);
        robot_value(t, out, "ref", 1), robot_value(t, out, "range", 2);
        robot_value(t, out, "damping", 1), robot_value(t, out, "stiffness", 1);
        robot_value(t, out, "springref", 1), robot_value(t, out, "armature", 1);
        hol__text_add(out, "/>");
    }
    hol__text_add(out, "<geom type=\"box\" size=\"0.1 0.2 0.3\"");
    robot_value(t, out, "pos", 3), robot_value(t, out, "density", 1);
    hol__text_add(out, "/><site name=\"s%d\"", *n);
    robot_value(t, out, "pos", 3);
    hol__text_add(out, "/>");
    for (int i = tape_below(t, 3); i > 0 && depth < 4 && *n < ROBOT_NAMES; i--)
        ++*n, robot_body(t, out, depth + 1, n);
    hol__text_add(out, "</body>");
}

static inline void robot_mjcf(tape *t, hol__text *out) {
    static const char *const kinds[] = {"connect", "weld"};
    int n = 0;
    hol__text_add(out, "<mujoco><compiler angle=\"radian\"/><worldbody>");
    robot_body(t, out, 0, &n);
    hol__text_add(out, "</worldbody><equality>");
    for (int i = tape_below(t, 3); i > 0; i--) {
        hol__text_add(out, "<%s body1=\"%s\" anchor=\"0 0 0\"/>", robot_word(t, 2, kinds),
                      robot_name(t, "b"));
        hol__text_add(out, "<joint joint1=\"%s1\" joint2=\"", robot_name(t, "j"));
        hol__text_add(out, "%s1\"", robot_name(t, "j"));
        robot_value(t, out, "polycoef", 5);
        hol__text_add(out, "/>");
    }
    hol__text_add(out, "</equality><tendon>");
    for (int i = tape_below(t, 3); i > 0; i--) {
        hol__text_add(out, "<spatial name=\"t%d\"", i);
        robot_value(t, out, "stiffness", 1), robot_value(t, out, "range", 2);
        hol__text_add(out, "><site site=\"%s\"/><site site=\"", robot_name(t, "s"));
        hol__text_add(out, "%s\"/></spatial>", robot_name(t, "s"));
    }
    hol__text_add(out, "</tendon><actuator>");
    for (int i = tape_below(t, 3); i > 0; i--) {
        hol__text_add(out, "<position joint=\"%s1\"", robot_name(t, "j"));
        robot_value(t, out, "kp", 1);
        hol__text_add(out, "/>");
    }
    hol__text_add(out, "</actuator></mujoco>");
}

/* Any of them. */
static inline void robot_any(tape *t, hol__text *out) {
    switch (tape_below(t, 3)) {
    case 0: robot_urdf(t, out); break;
    case 1: robot_sdf(t, out); break;
    default: robot_mjcf(t, out);
    }
}

#endif
