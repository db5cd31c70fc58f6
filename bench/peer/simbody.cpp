/* simbody.cpp: steps of the mechanisms of bench/models in Simbody, to be counted beside ours:
 *
 *     peer_simbody chain N STEPS     N uniform links that hang on each other, as five_links.yaml
 *     peer_simbody space N STEPS     the same with axes that alternate: the chain of tools/bench.sh
 *     peer_simbody slider STEPS      the spatial slider-crank of models/slider_crank_spatial.yaml
 *
 *     peer_simbody run PROBLEM N END INTEGRATOR ACCURACY
 *         a run by an integrator of Simbody (Merson, Feldberg, RungeKutta3, Verlet): PROBLEM is
 *         chain or slider as above, four_bar (models/four_bar.yaml) or four_bars (N of
 *         tools/make_n_four_bar.sh); prints the mass centres, `centre NAME x y z`, and how far the
 *         energy has moved against the largest kinetic energy of a hundred states, `energy SHARE`
 *
 * RK4 with steps of 1 ms is written here over Simbody's derivatives, since its own integrators of
 * that order choose their steps. A loop is brought onto its constraints after a step. Built where
 * Debian's libsimbody-dev is installed; no part of the library. Prints the sum of the coordinates
 * and the energy at the end, and how much of it was lost. */
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace SimTK;

/* What is counted. */
extern "C" __attribute__((noipa)) void bench_counted(const MultibodySystem &system, State &state,
                                                     int steps, bool constrained);

/* One RK4 step of 1 ms over y = (q, u). */
static void step(const MultibodySystem &system, State &state, bool constrained) {
    const Real h = 1e-3, t = state.getTime();
    const Vector y = state.getY();
    Vector sum(y.size(), Real(0));
    static const Real at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    Vector rate(y.size(), Real(0));
    for (int k = 0; k < 4; k++) {
        state.setTime(t + at[k] * h);
        state.updY() = y + at[k] * h * rate;
        system.realize(state, Stage::Acceleration);
        rate = state.getYDot();
        sum += weight[k] * rate;
    }
    state.setTime(t + h);
    state.updY() = y + h * sum;
    if (constrained) {
        system.projectQ(state, 1e-10);
        system.projectU(state, 1e-10);
    }
}

void bench_counted(const MultibodySystem &system, State &state, int steps, bool constrained) {
    for (int i = 0; i < steps; i++) step(system, state, constrained);
}

/* Links of 1 m and 1 kg that start along x; joints about z, or in space about y and z in turn. */
static void chain(SimbodyMatterSubsystem &matter, int n, bool space) {
    const Real across = space ? 0.08 : 1. / 12;
    const Body::Rigid link(
        MassProperties(1, Vec3(0.5, 0, 0), UnitInertia(0.01, across + 0.25, across + 0.25)));
    const Rotation y(-Pi / 2, XAxis); /* its z axis is y */
    MobilizedBody parent = matter.updGround();
    for (int i = 0; i < n; i++) {
        const Rotation axis = space && i % 2 == 0 ? y : Rotation();
        parent = MobilizedBody::Pin(parent, Transform(axis, Vec3(i ? 1 : 0, 0, 0)), link,
                                    Transform(axis));
    }
}

/* A crank about y, a slider along y, a rod on the slider's universal joint; a ball closes it. */
static MobilizedBody slider_crank(SimbodyMatterSubsystem &matter, Real &tilt) {
    const Real ly = 0.147, length = std::hypot(ly, 0.25);
    const Rotation z_is_y(-Pi / 2, XAxis), x_is_y(Pi / 2, ZAxis);
    /* x of the first axis is y of the slider, y of the second one is x of the rod */
    const Rotation joint(UnitVec3(0, 1, 0), XAxis, Vec3(1, 0, 0), YAxis);
    tilt = std::atan2(-0.25, ly);
    const Body::Rigid crank(MassProperties(0.12, Vec3(0), Inertia(1e-4, 1e-4, 1e-5))),
        rod(MassProperties(0.5, Vec3(0), Inertia(4e-3, 4e-4, 4e-3))),
        slider(MassProperties(0.5, Vec3(0), Inertia(1e-4, 1e-4, 1e-4)));
    MobilizedBody::Pin O(matter.updGround(), Transform(z_is_y), crank,
                         Transform(z_is_y, Vec3(0, 0, -0.05)));
    MobilizedBody::Slider guide(matter.updGround(), Transform(x_is_y, Vec3(0, ly, -0.15)), slider,
                                Transform(x_is_y));
    MobilizedBody::Universal S(guide, Transform(joint), rod,
                               Transform(joint, Vec3(0, length / 2, 0)));
    Constraint::Ball T(O, Vec3(0, 0, 0.05), S, Vec3(0, -length / 2, 0));
    return S;
}

/* The slider-crank at its start: closed, the crank at 2 pi rad/s. */
static void start(const MultibodySystem &system, State &state, const MobilizedBody &rod,
                  Real tilt) {
    rod.setOneQ(state, 1, tilt);
    system.realize(state, Stage::Position);
    system.projectQ(state, 1e-12);
    state.updU()[0] = -6.2832;
    system.realize(state, Stage::Velocity);
    system.projectU(state, 1e-12);
    state.updU() *= -6.2832 / state.getU()[0];
    system.realize(state, Stage::Velocity);
}

/* ---- runs ---- */

/* Bodies with names, in order of making. */
struct Named {
    std::vector<std::string> names;
    std::vector<MobilizedBody> bodies;
    void add(const std::string &name, const MobilizedBody &body) {
        names.push_back(name);
        bodies.push_back(body);
    }
};

/* A uniform or other link whose frame is at its first end, along the global axes when drawn. */
static MobilizedBody link(MobilizedBody parent, Vec3 at, Vec3 end, Real mass, Real inertia) {
    const Vec3 c = end / 2;
    const Inertia about = Inertia(inertia, inertia, inertia).shiftFromMassCenter(c, mass);
    return MobilizedBody::Pin(parent, Transform(at), Body::Rigid(MassProperties(mass, c, about)),
                              Transform());
}

/* A point of one body held on the line along z through a point of another. */
static void close(MobilizedBody a, Vec3 on_a, MobilizedBody b, Vec3 on_b) {
    Constraint::PointOnLine(a, UnitVec3(0, 0, 1), on_a, b, on_b);
}

static void four_bar(SimbodyMatterSubsystem &matter, Named &all) {
    const Real L1 = 2.5, L2 = 2, L3 = 4, L4 = 4, a = Pi / 3;
    const Vec3 B(L2 * std::cos(a), L2 * std::sin(a), 0), D(L1, 0, 0);
    const Real d = (D - B).norm(), phi = std::atan2(D[1] - B[1], D[0] - B[0]) +
                                         std::acos((L3 * L3 + d * d - L4 * L4) / (2 * L3 * d));
    const Vec3 BC(L3 * std::cos(phi), L3 * std::sin(phi), 0), DC = B + BC - D;
    all.add("crank", link(matter.updGround(), Vec3(0), B, 1, 0.3));
    all.add("coupler", link(all.bodies[0], B, BC, 2.25, 2));
    all.add("follower", link(matter.updGround(), D, DC, 2.2, 1.35));
    close(all.bodies[2], DC, all.bodies[1], BC);
}

static void four_bars(SimbodyMatterSubsystem &matter, int n, Named &all) {
    for (int i = 0; i <= n; i++)
        all.add("up" + std::to_string(i),
                link(matter.updGround(), Vec3(i, 0, 0), Vec3(0, 1, 0), 1, 1. / 12));
    for (int i = 0; i < n; i++)
        all.add("top" + std::to_string(i),
                link(all.bodies[i], Vec3(0, 1, 0), Vec3(1, 0, 0), 1, 1. / 12));
    for (int i = 0; i < n; i++)
        close(all.bodies[i + 1], Vec3(0, 1, 0), all.bodies[n + 1 + i], Vec3(1, 0, 0));
}

static Integrator *integrator(const MultibodySystem &system, const char *name) {
    if (!std::strcmp(name, "Merson")) return new RungeKuttaMersonIntegrator(system);
    if (!std::strcmp(name, "Feldberg")) return new RungeKuttaFeldbergIntegrator(system);
    if (!std::strcmp(name, "RungeKutta3")) return new RungeKutta3Integrator(system);
    if (!std::strcmp(name, "Verlet")) return new VerletIntegrator(system);
    return nullptr;
}

/* The run to an instant, which is counted in pieces. */
extern "C" __attribute__((noipa)) void bench_counted_to(TimeStepper &stepper, Real t);
void bench_counted_to(TimeStepper &stepper, Real t) {
    stepper.stepTo(t);
}

static int run(char **words) {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    const std::string problem = words[0];
    const int n = std::atoi(words[1]);
    const Real end = std::atof(words[2]);
    const bool slider = problem == "slider";
    Force::Gravity gravity(forces, matter, slider ? Vec3(0, 0, -9.81) : Vec3(0, -9.81, 0));
    Named all;
    MobilizedBody rod;
    Real tilt = 0;
    if (slider) {
        rod = slider_crank(matter, tilt);
        const char *const names[] = {"crank", "slider", "rod"};
        for (int i = 0; i < 3; i++)
            all.add(names[i], matter.getMobilizedBody(MobilizedBodyIndex(i + 1)));
    } else if (problem == "chain") {
        chain(matter, n, false);
        for (int i = 0; i < n; i++)
            all.add(std::string(1, char('a' + i)),
                    matter.getMobilizedBody(MobilizedBodyIndex(i + 1)));
    } else if (problem == "four_bar")
        four_bar(matter, all);
    else
        four_bars(matter, n, all);
    State state = system.realizeTopology();
    system.realizeModel(state);
    if (slider) start(system, state, rod, tilt);
    if (problem == "four_bars") {
        for (int i = 0; i < 2 * n + 1; i++)
            all.bodies[i].setOneU(state, 0, i <= n ? -1 : 1);
    }
    Integrator *integ = integrator(system, words[3]);
    if (!integ) return 2;
    integ->setAccuracy(std::atof(words[4]));
    TimeStepper stepper(system, *integ);
    stepper.initialize(state);
    Real kinetic = 0, before = 0;
    for (int k = 0; k <= 100; k++) {
        if (k > 0) bench_counted_to(stepper, end * k / 100);
        const State &s = integ->getState();
        system.realize(s, Stage::Dynamics);
        kinetic = std::max(kinetic, system.calcKineticEnergy(s));
        if (k == 0) before = system.calcEnergy(s);
    }
    const State &s = integ->getState();
    for (size_t i = 0; i < all.bodies.size(); i++) {
        const Vec3 c = all.bodies[i].findMassCenterLocationInGround(s);
        std::printf("centre %s %.15g %.15g %.15g\n", all.names[i].c_str(), c[0], c[1], c[2]);
    }
    std::printf("energy %.6g\nsteps %d\n", std::fabs(system.calcEnergy(s) - before) / kinetic,
                integ->getNumStepsAttempted());
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 7 && !std::strcmp(argv[1], "run")) return run(argv + 2);
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    const char *what = argc > 1 ? argv[1] : "";
    const bool slider = !std::strcmp(what, "slider"), space = !std::strcmp(what, "space");
    if (argc < (slider ? 3 : 4)) return 2;
    const Vec3 down = slider || space ? Vec3(0, 0, -9.81) : Vec3(0, -9.81, 0);
    Force::Gravity gravity(forces, matter, down);
    MobilizedBody rod;
    Real tilt = 0;
    if (slider)
        rod = slider_crank(matter, tilt);
    else
        chain(matter, std::atoi(argv[2]), space);
    State state = system.realizeTopology();
    system.realizeModel(state);
    if (slider) start(system, state, rod, tilt);
    system.realize(state, Stage::Dynamics);
    const Real before = system.calcEnergy(state);
    for (int i = 0; i < 2; i++) step(system, state, slider);
    bench_counted(system, state, std::atoi(argv[argc - 1]), slider);
    system.realize(state, Stage::Dynamics);
    const Real after = system.calcEnergy(state);
    std::printf("%.12g %.12g %.3g\n", sum(state.getQ()), after, after - before);
}
