/* rosenbrock_tables.c: Rosenbrock formulas as data, all stiffly accurate and L-stable.
 *
 * Sources: RODAS 4(3) of [HW IV.7, VI.4]; RODASP of Steinebach 1995, which keeps its order for
 * stiff systems that come from partial differential equations; RODAS3 3(2) of Sandu et al. 1997,
 * with an interpolant of our own: of order 2, it also meets the condition of third order for f_yy.
 * The tests check every number through the order conditions.
 */
#include "integ/rosenbrock.h"

/* clang-format off */

static const double rodas3_a[4 * 4] = {
    0, 0, 0, 0,
    0, 0, 0, 0,
    2, 0, 0, 0,
    2, 0, 1, 0,
};
static const double rodas3_c[4 * 4] = {
    0, 0,  0,        0,
    4, 0,  0,        0,
    1, -1, 0,        0,
    1, -1, -8.0 / 3, 0,
};
static const double rodas3_alpha[4] = {0, 0, 1, 1};
static const double rodas3_gamma[4] = {1.0 / 2, 3.0 / 2, 0, 0};
static const double rodas3_m[4] = {2, 0, 1, 1};
static const double rodas3_e[4] = {0, 0, 0, 1};
static const double rodas3_d1[4] = {3, -1, -2.0 / 3, 0};
static const double rodas3_d2[4] = {0, 0, -2.0 / 3, 0};

static const double rodas4_a[6 * 6] = {
    0,                  0,                  0,                  0,                   0, 0,
    1.544,              0,                  0,                  0,                   0, 0,
    0.9466785280815826, 0.2557011698983284, 0,                  0,                   0, 0,
    3.314825187068521,  2.896124015972201,  0.9986419139977817, 0,                   0, 0,
    1.221224509226641,  6.019134481288629,  12.53708332932087,  -0.6878860361058950, 0, 0,
    1.221224509226641,  6.019134481288629,  12.53708332932087,  -0.6878860361058950, 1, 0,
};
static const double rodas4_c[6 * 6] = {
    0,                   0,                   0,                  0,                 0,
        0,
    -5.6688,             0,                   0,                  0,                 0,
        0,
    -2.430093356833875,  -0.2063599157091915, 0,                  0,                 0,
        0,
    -0.1073529058151375, -9.594562251023355,  -20.47028614809616, 0,                 0,
        0,
    7.496443313967647,   -10.24680431464352,  -33.99990352819905, 11.70890893206160, 0,
        0,
    8.083246795921522,   -7.981132988064893,  -31.52159432874371, 16.31930543123136,
        -6.058818238834054, 0,
};
static const double rodas4_alpha[6] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double rodas4_gamma[6] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
static const double rodas4_m[6] = {1.221224509226641, 6.019134481288629, 12.53708332932087,
    -0.6878860361058950, 1, 1};
static const double rodas4_e[6] = {0, 0, 0, 0, 0, 1};
static const double rodas4_d1[6] = {10.12623508344586, -7.487995877610167, -34.80091861555747,
    -7.992771707568823, 1.025137723295662, 0};
static const double rodas4_d2[6] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
    24.76722511418386, -6.594389125716872, 0};

static const double rodasp_a[6 * 6] = {
    0,                  0,                    0,                  0,                  0, 0,
    3,                  0,                    0,                  0,                  0, 0,
    1.831036793486759,  0.4955183967433795,   0,                  0,                  0, 0,
    2.304376582692669,  -0.05249275245743001, -1.176798761832782, 0,                  0, 0,
    -7.170454962423024, -4.741636671481785,   -16.31002631330971, -1.062004044111401, 0, 0,
    -7.170454962423024, -4.741636671481785,   -16.31002631330971, -1.062004044111401, 1, 0,
};
static const double rodasp_c[6 * 6] = {
    0,                  0,                  0,                 0,                 0,
        0,
    -12,                0,                  0,                 0,                 0,
        0,
    -8.791795173947035, -2.207865586973518, 0,                 0,                 0,
        0,
    10.81793056857153,  6.780270611428266,  19.53485944642410, 0,                 0,
        0,
    34.19095006749676,  15.49671153725963,  54.74760875964130, 14.16005392148534, 0,
        0,
    34.62605830930532,  15.30084976114473,  56.99955578662667, 18.40807009793095,
        -5.714285714285717, 0,
};
static const double rodasp_alpha[6] = {0, 0.75, 0.21, 0.63, 1, 1};
static const double rodasp_gamma[6] = {0.25, -0.5, -0.023504, -0.0362, 0, 0};
static const double rodasp_m[6] = {-7.170454962423024, -4.741636671481785, -16.31002631330971,
    -1.062004044111401, 1, 1};
static const double rodasp_d1[6] = {25.09876703708589, 11.62013104361867, 28.49148307714626,
    -5.664021568594133, 0, 0};
static const double rodasp_d2[6] = {1.638054557396973, -0.7373619806678748, 8.477918219238990,
    15.99253148779520, -1.882352941176471, 0};

/* clang-format on */

#define TABLE(name, n_stages, diagonal, estimate)                                                  \
    &(const hol__rosenbrock_table) {                                                               \
        .stages = n_stages, .gamma = diagonal, .a = name##_a, .c = name##_c,                       \
        .alpha = name##_alpha, .gamma_i = name##_gamma, .m = name##_m, .e = estimate,              \
        .d1 = name##_d1, .d2 = name##_d2                                                           \
    }

const hol__stepper_type hol__stepper_rodas3 = {
    .name = "rodas3",
    .title = "Rosenbrock 3(2), implicit, for stiff systems at rough tolerances",
    .order = 3,
    .error_order = 2,
    .dense_order = 2,
    .implicit = 1,
    .ops = &hol__rosenbrock,
    .table = TABLE(rodas3, 4, 0.5, rodas3_e),
};

const hol__stepper_type hol__stepper_rodas4 = {
    .name = "rodas4",
    .title = "Rosenbrock 4(3) of Hairer and Wanner, implicit, for stiff systems",
    .order = 4,
    .error_order = 3,
    .dense_order = 3,
    .implicit = 1,
    .ops = &hol__rosenbrock,
    .table = TABLE(rodas4, 6, 0.25, rodas4_e),
};

const hol__stepper_type hol__stepper_rodasp = {
    .name = "rodasp",
    .title = "Rosenbrock 4(3) of Steinebach, implicit, for stiff systems with many time scales",
    .order = 4,
    .error_order = 3,
    .dense_order = 3,
    .implicit = 1,
    .ops = &hol__rosenbrock,
    .table = TABLE(rodasp, 6, 0.25, rodas4_e),
};
