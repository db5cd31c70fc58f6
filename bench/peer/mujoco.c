/* mujoco.c: a mechanism in MuJoCo, to be counted beside ours:
 *
 *     peer_mujoco MODEL.xml STEPS                          steps as the model says
 *     peer_mujoco run MODEL.xml STEPS LENGTH INTEGRATOR STIFF
 *         so many steps of this length, in seconds, by Euler, implicit or RK4; joints
 *         that are closed by constraints as stiff as two steps allow, d of solimp = 1 - STIFF
 *
 * Built where Debian's libmujoco-dev is installed; no part of the library. Prints the sum of the
 * joint angles at the end; for runs the mass centre of every body, `centre NAME x y z`, and how far
 * the energy has moved against the largest kinetic energy of some hundred states, `energy SHARE`. */
#include <mujoco/mujoco.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is counted. */
__attribute__((noinline)) void bench_counted(const mjModel *model, mjData *data, int steps);
void bench_counted(const mjModel *model, mjData *data, int steps) {
    for (int i = 0; i < steps; i++) mj_step(model, data);
}

/* Integrator, step and stiffness from the words; 0: a word is wrong. */
static int take_settings(mjModel *model, char **words) {
    static const char *const names[] = {"Euler", "RK4", "implicit"};
    static const int kinds[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT};
    int k = 0;
    while (k < 3 && strcmp(names[k], words[1]) != 0) k++;
    if (k == 3) return 0;
    model->opt.timestep = atof(words[0]);
    model->opt.integrator = kinds[k];
    model->opt.tolerance = 1e-12;
    model->opt.enableflags |= mjENBL_ENERGY;
    for (int i = 0; i < model->neq; i++) {
        model->eq_solref[mjNREF * i] = 2 * model->opt.timestep;
        model->eq_solimp[mjNIMP * i] = model->eq_solimp[mjNIMP * i + 1] = 1 - atof(words[2]);
    }
    return 1;
}

/* Both energies of the state at hand. */
static double energy(const mjModel *model, mjData *data, double *kinetic) {
    mj_forward(model, data);
    *kinetic = fmax(*kinetic, data->energy[1]);
    return data->energy[0] + data->energy[1];
}

/* A run whose pieces are counted one by one. */
static int run(mjModel *model, mjData *data, int steps) {
    const int piece = steps > 100 ? steps / 100 : 1;
    double kinetic = 0;
    const double before = energy(model, data, &kinetic);
    for (int done = 0; done < steps; done += piece) {
        bench_counted(model, data, done + piece < steps ? piece : steps - done);
        energy(model, data, &kinetic);
    }
    const double after = energy(model, data, &kinetic);
    for (int i = 1; i < model->nbody; i++)
        printf("centre %s %.15g %.15g %.15g\n", mj_id2name(model, mjOBJ_BODY, i),
               data->xipos[3 * i], data->xipos[3 * i + 1], data->xipos[3 * i + 2]);
    printf("energy %.6g\nsteps %d\n", fabs(after - before) / kinetic, steps);
    return 0;
}

int main(int argc, char **argv) {
    char error[1000] = "";
    const int runs = argc > 1 && strcmp(argv[1], "run") == 0, at = 1 + runs;
    if (argc < (runs ? 7 : 3)) return 2;
    mjModel *model = mj_loadXML(argv[at], NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    if (runs && !take_settings(model, argv + 4)) return 2;
    mjData *data = mj_makeData(model);
    if (model->nkey) mj_resetDataKeyframe(model, data, 0);
    if (runs) return run(model, data, atoi(argv[3]));
    for (int i = 0; i < 2; i++) mj_step(model, data);
    bench_counted(model, data, atoi(argv[2]));
    double sum = 0;
    for (int i = 0; i < model->nq; i++) sum += data->qpos[i];
    printf("%.12g\n", sum);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
