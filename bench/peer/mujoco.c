/* mujoco.c: steps of a mechanism in MuJoCo, to be counted beside ours: peer_mujoco MODEL.xml STEPS.
 * Built where Debian's libmujoco-dev is installed; no part of the library. Prints the sum of the
 * joint angles at the end. */
#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>

/* What is counted. */
__attribute__((noinline)) void bench_counted(const mjModel *model, mjData *data, int steps);
void bench_counted(const mjModel *model, mjData *data, int steps) {
    for (int i = 0; i < steps; i++) mj_step(model, data);
}

int main(int argc, char **argv) {
    char error[1000] = "";
    if (argc < 3) return 2;
    mjModel *model = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData *data = mj_makeData(model);
    if (model->nkey) mj_resetDataKeyframe(model, data, 0);
    for (int i = 0; i < 2; i++) mj_step(model, data);
    bench_counted(model, data, atoi(argv[2]));
    double sum = 0;
    for (int i = 0; i < model->nq; i++) sum += data->qpos[i];
    printf("%.12g\n", sum);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
