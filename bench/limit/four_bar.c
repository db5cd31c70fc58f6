/* four_bar.c: RK4 steps of the four-bar by hand, to be counted: limit_four_bar STEPS. */
#include "limit/four_bar.h"

#include <stdio.h>
#include <stdlib.h>

/* What is counted. */
__attribute__((noinline)) void bench_counted(double *y, int steps);
void bench_counted(double *y, int steps) {
    by_hand(y, 1e-3, steps);
}

int main(int argc, char **argv) {
    double y[2] = {acos(-1.0) / 3, 0};
    const int steps = argc > 1 ? atoi(argv[1]) : 10000;
    bench_counted(y, steps);
    printf("%.12g\n", y[0]);
    return 0;
}
