/* robot_joint.c: what the readers of all formats do with the numbers of a joint: limits, losses,
 * coordinates that follow others.
 */
#include "exchange/import.h"

#include <math.h>

/* ---- limits and losses ---- */

/* The coordinate at the start: 0, or the nearest that the limits allow. */
static void choose_start(hol_import *im, hol__robot_joint *j) {
    j->start = j->lower > 0 ? j->lower : j->upper < 0 ? j->upper : 0;
    if (j->start != 0)
        hol__note(im, HOL_IMPORT_CHANGED, j->element, NULL,
                  "0 is outside of its limits: it starts at %g, the nearest", j->start);
}

void hol__robot_limit(hol_import *im, int joint, const hol__xml *limit) {
    hol__robot_joint *j = &im->robot.joints[joint];
    if (j->lower > j->upper)
        hol__import_error(im, limit, "lower", "the lower limit %g is above the upper one, %g",
                          j->lower, j->upper);
    else if (j->lower == j->upper || im->how.no_limits) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, limit, NULL, "%s: it moves without limits",
                  im->how.no_limits ? "as was asked for" : "its limits leave no travel");
        j->lower = -HUGE_VAL, j->upper = HUGE_VAL;
    } else {
        const char *name = hol__robot_key(im, j->name, "joint");
        choose_start(im, j);
        if (j->stiff > 0)
            hol__note(im, HOL_IMPORT_CHANGED, limit, NULL,
                      "its limits are springs ('%s_stop') of its stiffness and dissipation", name);
        else if (j->lower > -HUGE_VAL || j->upper < HUGE_VAL)
            hol__note(im, HOL_IMPORT_CHANGED, limit, NULL,
                      "its limits are rigid stops without rebound ('%s_stop')", name);
    }
}

void hol__robot_losses(hol_import *im, int joint, const hol__xml *dynamics) {
    const hol__robot_joint *j = &im->robot.joints[joint];
    if (j->damping < 0 || j->friction < 0)
        hol__import_error(im, dynamics, j->damping < 0 ? "damping" : "friction",
                          "it is negative: the joint would drive itself");
    if (j->friction > 0)
        hol__note(im, HOL_IMPORT_CHANGED, dynamics, "friction",
                  "dry friction rises smoothly with the speed up to 0.001 (slip_speed)");
}

/* ---- followers ---- */

void hol__robot_follow(hol_import *im, const hol__xml *element, int own, int master, double factor,
                       double offset) {
    hol__robot *robot = &im->robot;
    if (own == master) {
        hol__import_error(im, element, "joint", "a joint cannot follow itself");
        return;
    }
    hol__follower *grown =
        hol__arena_grow(&im->arena, robot->followers, sizeof *grown, robot->n_followers,
                        &robot->room_followers, robot->n_followers + 1);
    if (!grown) return;
    robot->followers = grown;
    grown[robot->n_followers++] = (hol__follower){element, own, master, factor, offset};
}

/* Where a follower starts, once that is known of its master. */
static void start_one(hol_import *im, const hol__follower *f) {
    hol__robot_joint *j = &im->robot.joints[f->own];
    j->start = f->offset;
    if (f->master >= 0) j->start += f->factor * im->robot.joints[f->master].start;
    if ((j->lower == -HUGE_VAL && j->upper == HUGE_VAL) || f->master < 0) return;
    hol__note(im, HOL_IMPORT_CHANGED, f->element, NULL,
              "the joint follows another one: that has the limits, its own are left out");
    j->lower = -HUGE_VAL, j->upper = HUGE_VAL;
}

/* From each follower up to a joint that follows none, or is done, and back down. */
void hol__robot_start_followers(hol_import *im) {
    hol__robot *robot = &im->robot;
    int *of = HOL__NEW_N(&im->arena, int, robot->n_joints + 1), /* 1 + follower; less: done */
        *way = HOL__NEW_N(&im->arena, int, robot->n_followers + 1);
    if (!of || !way) return;
    for (int i = 0; i < robot->n_followers; i++) of[robot->followers[i].own] = i + 1;
    for (int i = 0; i < robot->n_followers; i++) {
        int n = 0, at = robot->followers[i].own;
        for (; at >= 0 && of[at] > 0 && n <= robot->n_followers;
             at = robot->followers[of[at] - 1].master)
            way[n < robot->n_followers ? n : 0] = of[at] - 1, n++;
        if (n > robot->n_followers) {
            hol__import_error(im, robot->followers[i].element, "joint",
                              "joints follow each other in a circle: '%s' follows itself",
                              robot->joints[at].name);
            return;
        }
        while (n-- > 0) {
            const hol__follower *f = &robot->followers[way[n]];
            start_one(im, f);
            of[f->own] = -1;
        }
    }
}

void hol__robot_write_followers(hol_import *im) {
    const hol__robot *robot = &im->robot;
    for (int i = 0; i < robot->n_followers; i++) {
        const hol__follower *f = &robot->followers[i];
        const char *name = hol__arena_format(&im->arena, "%s_mimic", robot->joints[f->own].called);
        hol__robot_couple(im, f->element, name, f->master < 0 ? 1 : 2,
                          (const int[2]){f->own, f->master}, (const double[2]){1, -f->factor},
                          f->offset);
    }
}
