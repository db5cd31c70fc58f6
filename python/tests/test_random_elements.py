"""Random mechanisms of all elements that have equations, in the plane and in space, against mechanics of their own (own_mechanics.py, own_elements.py).

At the start and along runs under random coordinates and methods, accelerations and unique reactions have to be those of the independent equations at
the states that the run gives; constraints hold, kinetic energy and the energy balance agree, positions are integrals of the velocities, and the ends
of all runs are the same.
"""
import json
import os

import numpy as np
import pytest

import holonom
from own_elements import add_coupling, add_force, add_joint
from own_mechanics import Scene, State, random_rotation, rotvec, skew, unit

SPATIAL = (
    ["revolute", "revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "screw", "constant_velocity", "fixed", "generic"]
    + ["same_orientation", "point_on_line"],
    ["revolute", "cylindrical", "spherical", "universal", "distance", "spherical_spherical", "universal_spherical", "revolute_spherical", "prismatic"]
    + ["revolute_revolute", "point_on_line", "point_in_plane", "line_in_plane", "perpendicular_axes", "constant_angle", "parallel_axes", "generic"]
    + ["point_on_curve", "cam", "rolling_disk", "rolling_sphere", "wheel", "knife_edge", "screw", "constant_velocity", "planar"],
)
PLANAR = (
    ["revolute", "revolute", "revolute", "prismatic", "point_on_line", "generic", "same_orientation"],
    ["revolute", "distance", "point_on_line", "revolute_revolute", "generic", "point_on_curve", "cam", "rolling_disk", "wheel", "knife_edge"]
    + ["same_orientation", "prismatic", "fixed"],
)
COUPLINGS = ["coupler", "driver", "velocity_coupler", "velocity_constraint", "motor"]
FORCES = [
    "force",
    "torque",
    "spring",
    "bump_stop",
    "contact_spheres",
    "axial_spring",
    "torsion",
    "limit",
    "friction",
    "motor",
    "pid",
    "drag",
    "rotor",
]
FORCES += ["tyre", "contact_plane", "bushing", "rolling_resistance"]
CORNERS = {"bump_stop", "contact_spheres", "limit", "contact_plane", "tyre", "pid"}
METHODS = ["lagrange", "nullspace", "udwadia-kalaba", "partitioning", "partitioning-extended", "independent", "independent-extended", "canonical"]
METHODS += ["canonical-independent", "index1-projection", "direct-correction", "baumgarte", "projection", "braun-goldfarb"]
SETS = ["reference", "natural", "relative"]
END = 0.25

pytestmark = pytest.mark.filterwarnings("ignore::holonom.HolonomWarning")


def add_body(scene, rng, i):
    r, m, com = scene.vec(), 10 ** rng.uniform(-1, 1), scene.vec(0.3) * (rng.random() < 0.5)
    if scene.planar:
        angle = rng.uniform(-3, 3)
        R, J = rotvec(np.array([0, 0, angle])), np.diag([1.0, 1.0, m * 10 ** rng.uniform(-2, 0)])
        words = dict(mass=m, inertia=J[2, 2], angle=angle)
    else:
        axis, angle, u, turn = unit(rng.normal(size=3)), rng.uniform(-3, 3), 10 ** rng.uniform(-2, 0, size=3), random_rotation(rng, False)
        R, J = rotvec(axis * angle), m * turn @ np.diag([u[1] + u[2], u[0] + u[2], u[0] + u[1]]) @ turn.T
        entries = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        words = dict(mass=m, inertia=entries, orientation={"axis": axis.tolist(), "angle": angle})
    words.update(position=scene.P(r - R @ com), com=scene.P(com))
    if rng.random() < 0.2:
        d = scene.vec(0.3)
        words["inertia_at"] = scene.P(com + d)
        moved = J + m * ((d @ d) * np.eye(3) - np.outer(d, d))
        words["inertia"] = moved[2, 2] if scene.planar else moved.tolist()
    scene.r0.append(r)
    scene.R0.append(R)
    scene.m.append(m)
    scene.J.append(J)
    scene.theta.append(angle)
    scene.words["bodies"][f"b{i}"] = words


def mechanism(seed):
    """Up to four bodies in a tree of joints, loops, couplings and forces."""
    rng = np.random.default_rng(seed)
    planar, n = bool(rng.random() < 0.4), int(rng.integers(1, 5))
    scene = Scene(rng, planar, n)
    scene.g = scene.vec(6)
    for i in range(n):
        add_body(scene, rng, i)
    tree, loops = PLANAR if planar else SPATIAL
    pairs = [(int(rng.integers(0, i + 1)), i + 1, str(rng.choice(tree))) for i in range(n) if rng.random() < 0.9]
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 2, 3]))):
        q = int(rng.integers(1, n + 1))
        pairs.append((int(rng.choice([k for k in range(n + 1) if k != q])), q, str(rng.choice(loops))))
    for k, (p, q, kind) in enumerate(pairs):
        add_joint(scene, f"j{k}", kind, *((p, q) if rng.random() < 0.6 else (q, p)))
    for k in range(int(rng.choice([0, 0, 0, 1, 1, 2]))):
        add_coupling(scene, f"k{k}", str(rng.choice(COUPLINGS)))
    for k in range(int(rng.integers(0, 4))):
        add_force(scene, f"f{k}", str(rng.choice(FORCES)))
    return scene


def give_velocities(scene):
    """Random velocities with A v = b; a reason where the mechanism says little."""
    S = scene.state0()
    A, b, c, Phi, where = scene.rows(S)
    assert not len(Phi) or abs(Phi).max() < 1e-9
    free, v = np.eye(len(scene.cols)), np.zeros(len(scene.cols))
    if len(A):
        s, V = np.linalg.svd(A)[1:]
        rank = int((s > 1e-9).sum())
        if rank and s[rank - 1] < 1e-3:
            return "nearly singular as drawn"
        v = np.linalg.lstsq(A, b, rcond=1e-9)[0]
        if abs(A @ v - b).max() > 1e-9 or (rank < len(A) and scene.rheonomic):
            return "drivers on redundant constraints"
        free = V[rank:].T
    v = scene.full(v + 1.2 * free @ scene.rng.normal(size=free.shape[1]))
    if abs(v).max() > 30:
        return "fast"
    for i in range(scene.n):
        words, w = scene.words["bodies"][f"b{i}"], v[6 * i + 3 : 6 * i + 6]
        words.update(velocity=scene.P(v[6 * i : 6 * i + 3]), omega=float(w[2]) if scene.planar else w.tolist())
    return None


def model_of(scene):
    measures = {"E": dict(type="energy")}
    for i in range(scene.n):
        at = {"body": f"b{i}", "at": scene.words["bodies"][f"b{i}"]["com"]}
        for name, kind in (("x", "position"), ("v", "velocity"), ("a", "acceleration")):
            measures[f"{name}{i}"] = dict(type=kind, body=f"b{i}", at=at)
        measures.update({f"w{i}": dict(type="angular_velocity", body=f"b{i}"), f"e{i}": dict(type="angular_acceleration", body=f"b{i}")})
        if scene.planar:
            measures[f"th{i}"] = dict(type="angle", body=f"b{i}")
    text = {"holonom": 1, "space": "planar" if scene.planar else "spatial", "gravity": scene.P(scene.g), **scene.words, "measures": measures}
    text["simulation"] = {"end": END, "tolerance": 1e-9, "output": END / 30, "extremes": "off"}
    return holonom.parse(json.dumps({key: value for key, value in text.items() if value}))


def state_of(scene, result, k):
    """The state of row k, and its accelerations."""

    def vector(name):
        if scene.planar:
            return np.array([result[f"{name}.x"][k], result[f"{name}.y"][k], 0])
        return np.array([result[f"{name}.{c}"][k] for c in "xyz"])

    def turning(name):
        return np.array([0, 0, result[name][k]]) if scene.planar else vector(name)

    def rotation(i):
        if scene.planar:
            return rotvec(turning(f"th{i}"))
        q = result.bodies[f"b{i}"].quaternion[k]
        return (q[0] ** 2 - q[1:] @ q[1:]) * np.eye(3) + 2 * np.outer(q[1:], q[1:]) + 2 * q[0] * skew(q[1:])

    n, zero = range(scene.n), np.zeros((1, 3))
    state = State(
        [zero] + [vector(f"x{i}")[None] for i in n],
        [np.eye(3)[None]] + [rotation(i)[None] for i in n],
        [zero] + [vector(f"v{i}")[None] for i in n],
        [zero] + [turning(f"w{i}")[None] for i in n],
        np.array([result.time[k]]),
    )
    return state, np.concatenate([part for i in n for part in (vector(f"a{i}"), turning(f"e{i}"))])


def check_reactions(scene, result, k, S, A, multipliers, where, tolerance):
    """The wrench that the first body of a joint receives, where it is unique."""
    U, s = np.linalg.svd(A)[:2]
    loose, parts = U[:, int((s > 1e-9 * s[0]).sum()) :], {}
    for (name, p, q, fn, point), rows in zip(scene.holo + scene.nonholo, where):
        if p is not None:
            parts.setdefault(name, (p, q, point, []))[3].extend(range(rows.start, rows.stop))
    for name, (p, q, point, rows) in parts.items():
        if loose.size and abs(loose[rows]).max() > 1e-7:
            continue
        wrench, i = scene.full(-A[rows].T @ multipliers[rows]), q if q else p
        sign = -1 if i == q else 1
        force, moment = sign * wrench[6 * i - 6 : 6 * i - 3], sign * wrench[6 * i - 3 : 6 * i]
        got, info = result.reactions[name], scene.joint_info[name]
        place = info["plane_point"](S) if "plane_point" in info else got.point[k] if info.get("no_moment") else point(S)
        moment = moment + np.cross(S.r[i][0] - place, force)
        size = 1 + abs(force).max() + abs(moment).max()
        assert abs(got.force[k] - force).max() < tolerance * size, (name, info["kind"])
        assert abs(got.moment[k] - moment).max() < tolerance * size, (name, info["kind"])


def check_rows(scene, result, rows):
    for k in rows:
        S, got = state_of(scene, result, k)
        a, multipliers, A, where = scene.solve(S)
        weakest = max(scene.gap, 1e-3) if len(A) else 1
        if len(A) and scene.gap < 1e-4:
            return  # it has come near a singular position
        Phi = scene.rows(S)[3]
        assert abs(got[scene.cols] - a).max() < 1e-6 / weakest * (1 + abs(a).max())
        assert not len(Phi) or abs(Phi).max() < 1e-5
        assert abs(scene.kinetic(S) - result["E.kinetic"][k]) < 1e-8 * (1 + result["E.kinetic"][k])
        if len(A):
            check_reactions(scene, result, k, S, A, multipliers, where, 1e-5 / weakest)


def check_motion(scene, result):
    """The energy balance, and positions as integrals of velocities."""
    size = 1 + sum(abs(result[f"E.{part}"]).max() for part in ("kinetic", "potential", "work"))
    assert abs(result["E.balance"] - result["E.balance"][0]).max() < 1e-6 * size
    kinds = {words["type"] for words in scene.words["forces"].values()}
    h = np.diff(result.time)
    for column in [f"{i}.{c}" for i in range(scene.n) for c in "xyz"[: 2 if scene.planar else 3]] if not kinds & CORNERS else []:
        x, v, a = (result[name + column] for name in "xva")
        left = x[1:] - x[:-1] - h * (v[1:] + v[:-1]) / 2 + h * h * (a[1:] - a[:-1]) / 12
        assert abs(left).max() < 1e-4 * END / 30 * (1 + abs(x).max() + abs(v).max() + abs(a).max() + abs(np.diff(a)).max() * 100), column


def runs(model, rng):
    """Results under three ways and the default; None for one that the model cannot take, or that a dead point ends."""
    ways = [dict(coordinates=str(rng.choice(SETS)), method=str(m)) for m in ["lagrange", *rng.choice(METHODS, 2, replace=False)]]
    for options in [*ways, {}]:
        try:
            yield options, model.run(**options)
        except holonom.SingularError:
            yield options, None
        except holonom.Error as error:
            assert "do not go together" in str(error), options
            yield options, None


@pytest.mark.parametrize("seed", range(int(os.environ.get("HOLONOM_SEEDS", "32"))))
def test_random_elements(seed):
    scene = mechanism(seed)
    reason = give_velocities(scene)
    if reason:
        pytest.skip(reason)
    model, first = model_of(scene), None
    for options, result in runs(model, scene.rng):
        if result is None:
            continue
        check_rows(scene, result, (0, 15, 30))
        check_motion(scene, result)
        ends = np.array([result[f"x{i}.{c}"][-1] for i in range(scene.n) for c in "xyz"[: 2 if scene.planar else 3]])
        first = ends if first is None else first
        assert abs(ends - first).max() < 1e-6 * (1 + abs(first).max()), options
