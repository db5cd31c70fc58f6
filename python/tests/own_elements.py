"""Random elements of mechanisms: their words in a model file, and what they mean as functions of a state (own_mechanics.py)."""
import numpy as np

from own_mechanics import E3, TINY, State, catan2, cross, dot, norm, quat_of, rotvec, skew, unit

Z = np.zeros(3)


def one(a):
    return np.real(a)[0]


def stack(*a):
    return np.stack(np.broadcast_arrays(*a), -1)


class Frames:
    """A joint's drawing: bodies p, q, point, axes."""

    def __init__(self, sc, p, q, at, axis=None, apart=None):
        self.p, self.q = p, q
        rng = sc.rng
        z = np.array([0, 0, 1.0]) if sc.planar and axis is None else (axis if axis is not None else sc.udir())
        if sc.planar and axis is not None:  # slide axis in the plane: frame with z along axis
            x = np.cross([0, 0, 1.0], z)
        else:
            x = rng.normal(size=3)
            x = unit(x - z * (x @ z))
        y = np.cross(z, x)
        self.at, self.x, self.y, self.z = at, x, y, z
        self.P, self.Q = sc.at_local(p, at), sc.at_local(q, at if apart is None else apart)
        self.f1 = np.stack([sc.dir_local(p, e) for e in (x, y, z)], -1)
        self.f2 = np.stack([sc.dir_local(q, e) for e in (x, y, z)], -1)

    def D(self, S):
        return S.point(self.q, self.Q) - S.point(self.p, self.P)

    def F1(self, S):
        return S.R[self.p] @ self.f1

    def F2(self, S):
        return S.R[self.q] @ self.f2

    def rel(self, S):
        F1 = self.F1(S)
        return np.swapaxes(F1, -1, -2) @ self.F2(S)

    def angle(self, S):
        r = self.rel(S)
        return catan2(r[..., 1, 0] - r[..., 0, 1], r[..., 0, 0] + r[..., 1, 1])

    def slide(self, S):
        return dot(self.D(S), self.F1(S)[..., :, 2])


def col(F, k):
    return F[..., :, k]


def rigid_joint(j):
    """Joints of two frames that coincide as drawn."""
    sc, name, kind, p, q, at, words, info, pt = j
    rng, planar = sc.rng, sc.planar
    axis = None
    if planar and kind in ("prismatic", "point_on_line"):
        axis = sc.udir()
    fr = Frames(sc, p, q, at, axis)
    info["frames"] = fr
    if kind not in ("same_orientation", "parallel_axes"):
        words["at"] = sc.P(at)
    if kind not in ("spherical", "fixed", "same_orientation") and not (planar and kind == "revolute"):
        words["axis"] = sc.P(fr.z * rng.uniform(0.3, 3))
    if not planar and kind in ("revolute", "prismatic", "cylindrical", "planar", "screw") and rng.random() < 0.5:
        words["x_axis"] = sc.P(fr.x)
    pitch = rng.uniform(-1, 1)
    if kind == "screw":
        words["pitch"] = pitch

    def fn(S):
        D, F1, r = fr.D(S), fr.F1(S), fr.rel(S)
        dx, dy, dz = dot(D, col(F1, 0)), dot(D, col(F1, 1)), dot(D, col(F1, 2))
        level = (r[..., 0, 2], r[..., 1, 2])
        twist = r[..., 1, 0] - r[..., 0, 1]
        if planar:
            if kind == "prismatic":
                return stack(dx, r[..., 2, 0] - r[..., 0, 2])
            if kind == "point_on_line":
                return stack(dx)
            ang = (r[..., 1, 0] - r[..., 0, 1]) / 2
            return {
                "revolute": lambda: stack(D[..., 0], D[..., 1]),
                "fixed": lambda: stack(D[..., 0], D[..., 1], ang),
                "same_orientation": lambda: stack(ang),
            }[kind]()
        fixed = (r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], twist)
        return {
            "revolute": lambda: stack(dx, dy, dz, *level),
            "prismatic": lambda: stack(dx, dy, *fixed),
            "cylindrical": lambda: stack(dx, dy, *level),
            "spherical": lambda: stack(dx, dy, dz),
            "fixed": lambda: stack(dx, dy, dz, *fixed),
            "planar": lambda: stack(dz, *level),
            "point_on_line": lambda: stack(dx, dy),
            "point_in_plane": lambda: stack(dz),
            "same_orientation": lambda: stack(*fixed),
            "parallel_axes": lambda: stack(*level),
            "screw": lambda: stack(dx, dy, *level, dz - pitch * fr.angle(S) / (2 * np.pi)),
        }[kind]()

    sc.holo.append((name, p, q, fn, pt))
    return True


def crossed_axes(j):
    """Joints of an axis on each body."""
    sc, name, kind, p, q, at, words, info, pt = j
    rng = sc.rng
    x = sc.udir()
    y = rng.normal(size=3)
    y = unit(y) if kind == "constant_angle" else unit(y - x * (x @ y))
    if kind == "constant_velocity":
        y = unit(x + 0.6 * rng.normal(size=3))
    P, Q, xl, yl = sc.at_local(p, at), sc.at_local(q, at), sc.dir_local(p, x), sc.dir_local(q, y)
    if kind in ("universal", "constant_velocity", "line_in_plane"):
        words["at"] = sc.P(at)
    words["axis"] = sc.P(x)
    words["line" if kind == "line_in_plane" else "axis_second"] = sc.P(y)
    f1 = f2 = None
    if kind == "constant_velocity":
        a = rng.normal(size=3)
        a = unit(a - x * (a @ x))
        axis = np.cross(x, y)
        s = np.linalg.norm(axis)
        Rs = rotvec(axis / s * np.arctan2(s, x @ y))
        F1 = np.stack([a, np.cross(x, a), x], -1)
        f1, f2 = sc.R0[p].T @ F1, sc.R0[q].T @ (Rs @ F1)

    def fn(S):
        D = S.point(q, Q) - S.point(p, P)
        X, Y = S.dir(p, xl), S.dir(q, yl)
        if kind == "universal":
            return stack(D[..., 0], D[..., 1], D[..., 2], dot(X, Y))
        if kind == "constant_velocity":
            r = np.swapaxes(S.R[p] @ f1, -1, -2) @ (S.R[q] @ f2)
            return stack(D[..., 0], D[..., 1], D[..., 2], r[..., 1, 0] - r[..., 0, 1])
        if kind == "perpendicular_axes":
            return stack(dot(X, Y))
        if kind == "constant_angle":
            return stack(dot(X, Y) - x @ y)
        return stack(dot(D, X), dot(X, Y))

    sc.holo.append((name, p, q, fn, pt if "at" in words else (lambda S: S.r[p][0])))
    return True


def massless_link(j):
    """Links without mass."""
    sc, name, kind, p, q, at, words, info, pt = j
    rng, planar = sc.rng, sc.planar
    to = at + sc.vec()
    P, Q, L = sc.at_local(p, at), sc.at_local(q, to), np.linalg.norm(to - at)
    words["from"], words["to"] = sc.P(at), sc.P(to)
    a1, a2 = (sc.udir(), sc.udir())
    if planar:
        a1 = a2 = np.array([0, 0, 1.0])
    if kind in ("revolute_spherical", "revolute_revolute") and not planar:
        words["axis"] = sc.P(a1)
    if kind == "revolute_revolute" and not planar:
        words["axis_second"] = sc.P(a2)
    al, bl = sc.dir_local(p, a1), sc.dir_local(q, a2)
    law = kind == "distance" and rng.random() < 0.3
    if law:
        words["length"] = f"{L!r} + 0.1*sin(1.3*t)"
        sc.rheonomic = True
    c1, c2 = a1 @ (to - at), a2 @ (to - at)

    def dihedral(S):
        d = unit(S.point(q, Q) - S.point(p, P))
        X, Y = S.dir(p, al), S.dir(q, bl)
        X, Y = X - d * dot(X, d)[..., None], Y - d * dot(Y, d)[..., None]
        return catan2(dot(cross(X, Y), d), dot(X, Y))

    tau0 = dihedral(sc.state0())[0] if kind == "revolute_revolute" and not planar else 0

    def fn(S):
        d = S.point(q, Q) - S.point(p, P)
        ln = L + (0.1 * np.sin(1.3 * S.t) if law else 0)
        apart = (dot(d, d) - ln**2) / (2 * L)
        if kind == "revolute_spherical":
            return stack(apart, dot(d, S.dir(p, al)) - c1)
        if kind == "revolute_revolute" and not planar:
            return stack(apart, dot(d, S.dir(p, al)) - c1, dot(d, S.dir(q, bl)) - c2, dihedral(S) - tau0)
        return stack(apart)

    sc.holo.append((name, p, q, fn, pt))
    return True


def generic_joint(j):
    """Locked and driven directions."""
    sc, name, kind, p, q, at, words, info, pt = j
    rng, planar = sc.rng, sc.planar
    names = ["x", "y", "angle"] if planar else ["x", "y", "z", "rx", "ry", "rz"]
    lock = [k for k in names if rng.random() < 0.5] or ["x"]
    fr = Frames(sc, p, q, at, sc.udir() if planar else None)
    if planar:  # frame: x along the axis, y across, z out
        words["axis"] = sc.P(fr.z)
    else:
        words["axis"], words["x_axis"] = sc.P(fr.z), sc.P(fr.x)
    words["at"] = sc.P(at)
    drive = {}
    if rng.random() < 0.5:
        k = rng.choice(lock)
        if k in ("x", "y", "z") or planar or len([j for j in lock if j[0] == "r"]) <= 3:
            lock = [j for j in lock if j != k]
            drive[str(k)] = (rng.uniform(-0.4, 0.4), rng.uniform(0.5, 2))
            words["drive"] = {str(k): f"{drive[k][0]!r}*sin({drive[k][1]!r}*t)"}
            sc.rheonomic = True
    if lock:
        words["lock"] = [str(k) for k in lock]

    def fn(S):
        f = lambda k: drive[k][0] * np.sin(drive[k][1] * S.t) if k in drive else 0
        D, F1, r = fr.D(S), fr.F1(S), fr.rel(S)
        out = []
        if planar:
            dx = dot(D, col(F1, 2))
            dy = dot(D, cross(np.array([0, 0, 1.0]) + 0 * col(F1, 2), col(F1, 2)))
            R2 = S.R[q] @ sc.R0[q].T
            R1 = S.R[p] @ sc.R0[p].T
            rr = np.swapaxes(R1, -1, -2) @ R2
            ang = catan2(rr[..., 1, 0], rr[..., 0, 0])
            vals = dict(x=dx, y=dy, angle=ang)
            return stack(*[vals[k] - f(k) for k in names if k in lock or k in drive])
        for i, k in enumerate("xyz"):
            if k in lock or k in drive:
                out.append(dot(D, col(F1, i)) - f(k))
        B = np.broadcast_to(np.eye(3), r.shape)
        for i, k in enumerate(("rx", "ry", "rz")):
            if k in drive:
                u = (f(k) + 0 * r[..., 0, 0])[..., None] * E3[i]
                B = B @ rotvec(u)
        qq = quat_of(np.swapaxes(B, -1, -2) @ r)
        for i, k in enumerate(("rx", "ry", "rz")):
            if k in lock or k in drive:
                out.append(2 * qq[..., 1 + i])
        return stack(*out)

    sc.holo.append((name, p, q, fn, pt))
    return True


def follower(j):
    """Points, rollers and flat faces on the curve (s + k3 s^2, k2 s^2)."""
    sc, name, kind, p, q, at, words, info, pt = j
    rng, planar = sc.rng, sc.planar
    n = np.array([0, 0, 1.0]) if planar else sc.udir()
    X = sc.udir()
    X = unit(X - n * (X @ n))
    Y = np.cross(n, X)
    s0, k2, k3 = rng.uniform(-0.6, 0.6), rng.uniform(0.1, 0.5) * rng.choice([-1, 1]), rng.uniform(-0.2, 0.2)
    cx, cy = f"s + {k3!r}*s^2", f"{k2!r}*s^2"
    C = lambda s: (s + k3 * s**2, k2 * s**2)
    C1 = lambda s: (1 + 2 * k3 * s, 2 * k2 * s)
    C2 = (2 * k3, 2 * k2)
    o0 = at
    on = o0 + C(s0)[0] * X + C(s0)[1] * Y
    t0 = unit(C1(s0)[0] * X + C1(s0)[1] * Y)
    n0 = np.cross(n, t0)
    style = "point" if kind == "point_on_curve" else str(rng.choice(["tip", "roller", "flat"]))
    rad, side = rng.uniform(0.05, 0.2), rng.choice([-1, 1])
    foot = on + (rad * side * n0 if style == "roller" else 0)
    slide = rng.uniform(-0.3, 0.3)
    if style == "flat":
        foot = on + slide * t0
        words["face"] = sc.P(n0 * rng.choice([-1, 1]))
    words.update(at=sc.P(o0), x=cx, y=cy, s_from=-3, s_to=3, point=sc.P(foot))
    words["axis"] = sc.P(X if planar else n)
    if not planar:
        words["x_axis"] = sc.P(X)
    if style == "roller":
        words["radius"] = rad
    O, Xl, Yl, nl, Q, ml = sc.at_local(p, o0), sc.dir_local(p, X), sc.dir_local(p, Y), sc.dir_local(p, n), sc.at_local(q, foot), sc.dir_local(q, n0)

    def fn(S):
        d = S.point(q, Q) - S.point(p, O)
        x, y, z = dot(d, S.dir(p, Xl)), dot(d, S.dir(p, Yl)), dot(d, S.dir(p, nl))
        s = s0 + 0 * x
        if style == "flat":
            m = S.dir(q, ml)
            mx, my = dot(m, S.dir(p, Xl)), dot(m, S.dir(p, Yl))
            for _ in range(12):
                s = s - (mx * C1(s)[0] + my * C1(s)[1]) / (mx * C2[0] + my * C2[1])
            g = mx * (x - C(s)[0]) + my * (y - C(s)[1]) + dot(m, S.dir(p, nl)) * z
            return stack(g)
        for _ in range(12):
            f = (x - C(s)[0]) * C1(s)[0] + (y - C(s)[1]) * C1(s)[1]
            f1 = -C1(s)[0] ** 2 - C1(s)[1] ** 2 + (x - C(s)[0]) * C2[0] + (y - C(s)[1]) * C2[1]
            s = s - f / f1
        tx, ty = C1(s)
        l = np.sqrt(tx**2 + ty**2)
        g = (-ty * (x - C(s)[0]) + tx * (y - C(s)[1])) / l - (rad * side if style == "roller" else 0)
        return stack(g) if planar or kind == "cam" else stack(g, z)

    sc.holo.append((name, p, q, fn, pt))
    info["no_moment"] = True
    return True


def rolling_contact(j):
    """Disks, spheres, wheels and blades on planes."""
    sc, name, kind, p, q, at, words, info, pt = j
    rng, planar = sc.rng, sc.planar
    n = sc.udir()
    c = at
    a = sc.udir()
    if planar:
        if kind == "rolling_disk":
            a = np.array([0, 0, 1.0])
        elif kind == "rolling_sphere":
            return False
    contact = rng.random() < 0.75 or (planar and kind == "rolling_disk")
    r = rng.uniform(0.1, 0.8)

    def X_of(nn, aa, cc):
        if kind == "knife_edge":
            return cc
        if kind == "rolling_sphere":
            return cc - r * nn
        u = unit(nn - dot(nn, aa)[..., None] * aa)
        return cc - r * u

    X0 = X_of(n, a, c)
    tang = rng.normal(size=3)
    if planar:
        tang[2] = 0
    o0 = X0 + (tang - n * (tang @ n))
    if not contact:
        o0 = o0 + 0.2 * n
    if planar and kind in ("wheel", "knife_edge"):
        words["axis"] = sc.P(a)
        words["at" if kind == "knife_edge" else "center"] = sc.P(c)
        al, Cl = sc.dir_local(q, a), sc.at_local(q, c)
        if kind == "knife_edge":
            al = np.cross([0, 0, 1.0], al)
        speed = kind == "wheel" and rng.random() < 0.5
        if speed:
            words["speed"] = "0.4 + 0.3*sin(1.7*t)"
            sc.rheonomic = True
        fwd = -np.cross([0, 0, 1.0], al)  # axis turned by -90 deg

        def fn(S):
            x = S.point(q, Cl)
            dv = S.vel(q, x) - S.vel(p, x)
            out = [dot(S.dir(q, al), dv)]
            if speed:
                out.append(dot(S.dir(q, fwd), dv) - (0.4 + 0.3 * np.sin(1.7 * S.t)))
            return stack(*out)

        sc.nonholo.append((name, p, q, fn, None))
    else:
        words.update(plane=sc.P(o0), normal=sc.P(n * rng.uniform(0.5, 2)))
        if kind == "knife_edge":
            words.update(at=sc.P(c), axis=sc.P(a))
        else:
            words.update(center=sc.P(c), radius=float(r))
            if kind != "rolling_sphere" and not planar:
                words["axis"] = sc.P(a)
        if not planar:
            words["contact"] = bool(contact)
        spin = kind == "rolling_sphere" and rng.random() < 0.5
        if spin:
            words["spin"] = False
        nl, Ol, al, Cl = sc.dir_local(p, n), sc.at_local(p, o0), sc.dir_local(q, a), sc.at_local(q, c)

        def geo(S):
            nn, aa, cc = S.dir(p, nl), S.dir(q, al), S.point(q, Cl)
            return nn, aa, X_of(nn, aa, cc)

        def hol(S):
            nn, aa, X = geo(S)
            return stack(dot(nn, X - S.point(p, Ol)))

        def non(S):
            nn, aa, X = geo(S)
            dv = S.vel(q, X) - S.vel(p, X)
            if kind == "wheel":
                return stack(dot(unit(aa - dot(nn, aa)[..., None] * nn), dv))
            if kind == "knife_edge":
                return stack(dot(unit(cross(nn, aa)), dv))
            t1 = np.array([0.3, 0.5, -0.2]) if not planar else np.array([nl[1], -nl[0], 0])
            t1 = S.dir(p, unit(t1 - nl * (t1 @ nl)))
            out = [dot(t1, dv)]
            if not planar:
                out.append(dot(cross(nn, t1), dv))
            if spin:
                out.append(dot(nn, S.w[q] - S.w[p]))
            return stack(*out)

        if contact:
            sc.holo.append((name, p, q, hol, None))
        sc.nonholo.append((name, p, q, non, None))
        info["geo"] = geo
        info["plane_point"] = lambda S: S.point(p, Ol)[0]
    info["no_moment"] = True
    return True


FAMILIES = {
    rigid_joint: (
        "revolute",
        "prismatic",
        "cylindrical",
        "spherical",
        "fixed",
        "planar",
        "screw",
        "point_on_line",
        "point_in_plane",
        "same_orientation",
        "parallel_axes",
    ),
    crossed_axes: (
        "universal",
        "constant_velocity",
        "perpendicular_axes",
        "constant_angle",
        "line_in_plane",
    ),
    massless_link: (
        "distance",
        "spherical_spherical",
        "universal_spherical",
        "revolute_spherical",
        "revolute_revolute",
    ),
    generic_joint: ("generic",),
    follower: (
        "point_on_curve",
        "cam",
    ),
    rolling_contact: (
        "rolling_disk",
        "rolling_sphere",
        "wheel",
        "knife_edge",
    ),
}


def add_joint(sc, name, kind, p, q):
    """Adds a joint of this kind between bodies p and q; False where there is none."""
    at = sc.vec()
    words, info = dict(type=kind, bodies=[sc.names[p], sc.names[q]]), dict(kind=kind, p=p, q=q)
    local = sc.at_local(p, at)
    make = next(family for family, kinds in FAMILIES.items() if kind in kinds)
    if not make((sc, name, kind, p, q, at, words, info, lambda S: S.point(p, local)[0])):
        return False
    sc.words["joints"][name], sc.joint_info[name] = words, info
    return True


def coordinate(sc, label):
    """A random scalar coordinate: words of the map, function of a state."""
    rng = sc.rng
    turning = [k for k, i in sc.joint_info.items() if i["kind"] in ("revolute", "cylindrical")]
    sliding = [k for k, i in sc.joint_info.items() if i["kind"] in ("prismatic", "cylindrical")]
    kinds = (
        ["component", "distance"]
        + (["angle"] * 2 if turning else [])
        + (["displacement"] * 2 if sliding else [])
        + (["body_angle"] if sc.planar else [])
    )
    kind = str(rng.choice(kinds))
    if kind == "angle":
        j = str(rng.choice(turning))
        fr = sc.joint_info[j]["frames"]
        return dict(joint=j, component="angle"), fr.angle
    if kind == "displacement":
        j = str(rng.choice(sliding))
        fr = sc.joint_info[j]["frames"]
        return dict(joint=j, component="displacement"), fr.slide
    if kind == "body_angle":
        i = int(rng.integers(1, sc.n + 1))

        def ang(S, i=i):
            r = S.R[i] @ sc.R0[i].T
            return catan2(r[..., 1, 0], r[..., 0, 0]) + sc.theta[i]

        return dict(body=sc.names[i], component="angle"), ang
    if kind == "component":
        i, x = int(rng.integers(1, sc.n + 1)), sc.vec()
        k = int(rng.integers(0, 2 if sc.planar else 3))
        s = sc.at_local(i, x)
        return {"body": sc.names[i], "at": sc.P(x), "component": "xyz"[k]}, lambda S: S.point(i, s)[..., k]
    q = int(rng.integers(1, sc.n + 1))
    p = int(rng.choice([i for i in range(sc.n + 1) if i != q]))
    x, y = sc.vec(), sc.vec()
    P, Q = sc.at_local(p, x), sc.at_local(q, y)
    return {"bodies": [sc.names[p], sc.names[q]], "from": sc.P(x), "to": sc.P(y)}, lambda S: norm(S.point(q, Q) - S.point(p, P))


def add_coupling(sc, name, kind):
    rng = sc.rng
    if kind == "coupler":
        n = int(rng.integers(1, 4)) + 1
        cs = [coordinate(sc, "abcd"[i]) for i in range(n)]
        f = rng.uniform(0.5, 2, size=n) * rng.choice([-1, 1], size=n)
        S0 = sc.state0()
        x0 = [float(np.real(c[1](S0))[0]) for c in cs]
        words = dict(type="coupler", coordinates={"abcd"[i]: c[0] for i, c in enumerate(cs)})
        if rng.random() < 0.5:
            value = sum(f * x0)
            words.update(factors=f.tolist(), value=f"{value!r} + 0.1*sin(t)" if rng.random() < 0.3 else float(value))
            law = isinstance(words["value"], str)
            sc.rheonomic |= law
            fn = lambda S: stack(sum(fi * c[1](S) for fi, c in zip(f, cs)) - value - (0.1 * np.sin(S.t) if law else 0))
        else:
            off = f[0] * x0[0] + 0.3 * np.sin(x0[1]) + sum(0.2 * x * x for x in x0[2:])
            eq = f"{f[0]!r}*a + 0.3*sin(b) - ({off!r})" + "".join(f" + 0.2*{'abcd'[i]}^2" for i in range(2, n))
            words.update(equation=eq)
            fn = lambda S: stack(f[0] * cs[0][1](S) + 0.3 * np.sin(cs[1][1](S)) - off + sum(0.2 * c[1](S) ** 2 for c in cs[2:]))
        sc.holo.append((name, None, None, fn, None))
    elif kind == "driver":
        c = coordinate(sc, "a")
        S0 = sc.state0()
        x0 = float(np.real(c[1](S0))[0])
        words = dict(type="driver", **c[0])
        how = str(rng.choice(["position", "velocity", "acceleration"]))
        sc.rheonomic = True
        if how == "position":
            words["position"] = f"{x0!r} + 0.3*sin(1.1*t)"
            sc.holo.append((name, None, None, lambda S: stack(c[1](S) - x0 - 0.3 * np.sin(1.1 * S.t)), None))
        else:
            if how == "velocity":
                words["velocity"] = "0.2 + 0.5*sin(2*t)"
                rate = lambda t: 0.2 + 0.5 * np.sin(2 * t)
            else:
                words["acceleration"], words["initial_rate"] = "0.7*cos(2*t)", 0.3
                rate = lambda t: 0.3 + 0.35 * np.sin(2 * t)

            sc.nonholo.append((name, None, None, lambda S: stack(rate_of(sc, c[1], S) - rate(S.t)), None))
    elif kind == "velocity_coupler":
        cs = [coordinate(sc, "abcd"[i]) for i in range(int(rng.integers(2, 4)))]
        words = dict(
            type=kind,
            coordinates={"abcd"[i]: c[0] for i, c in enumerate(cs)},
            factors=["1", "2 + cos(a)", "0.3*b + 0.1*t"][: len(cs)],
            value="0.2*t + 0.1*a",
        )
        sc.rheonomic = True

        def fn(S):
            x = [np.real(c[1](S)) for c in cs]
            fac = [1, 2 + np.cos(x[0]), 0.3 * x[1] + 0.1 * S.t]
            return stack(sum(fi * rate_of(sc, c[1], S) for fi, c in zip(fac, cs)) - 0.2 * S.t - 0.1 * x[0])

        sc.nonholo.append((name, None, None, fn, None))
    elif kind == "velocity_constraint":
        c = coordinate(sc, "a")
        i, k = int(rng.integers(1, sc.n + 1)), int(rng.integers(1, sc.n + 1))
        x = sc.vec()
        s = sc.at_local(i, x)
        comp = "omega" if sc.planar else "wy"
        frame = str(rng.choice(["global", "body"]))
        against = [j for j in range(sc.n + 1) if j != i]
        j = int(rng.choice(against))
        words = dict(
            type=kind,
            coordinates={"a": c[0]},
            terms=[
                {"body": sc.names[i], "component": "vx", "factor": "1 + 0.5*sin(a)", "at": sc.P(x), "frame": frame, "against": sc.names[j]},
                {"body": sc.names[k], "component": comp, "factor": -0.4},
            ],
            value="0.1*a*t",
        )
        sc.rheonomic = True

        def fn(S):
            a = np.real(c[1](S))
            X = S.point(i, s)
            dv = S.vel(i, X) - S.vel(j, X)
            e = S.dir(i, np.array([1.0, 0, 0])) if frame == "body" else np.array([1.0, 0, 0])
            return stack((1 + 0.5 * np.sin(a)) * dot(e, dv) - 0.4 * S.w[k][..., 2 if sc.planar else 1] - 0.1 * a * S.t)

        sc.nonholo.append((name, None, None, fn, None))
    elif kind in ("gear", "belt", "rack_pinion", "motor"):
        turning = [k for k, i in sc.joint_info.items() if i["kind"] in ("revolute", "cylindrical")]
        if kind == "motor":
            if not turning:
                return False
            j = str(rng.choice(turning))
            if sc.joint_info[j]["kind"] == "cylindrical":
                pass
            fr = sc.joint_info[j]["frames"]
            words = dict(type="motor", joint=j)
            sc.rheonomic = True
            if rng.random() < 0.5:
                words["angle"] = "0.3*sin(1.4*t)"
                sc.holo.append((name, None, None, lambda S: stack(fr.angle(S) - 0.3 * np.sin(1.4 * S.t)), None))
            else:
                words["speed"] = "2 + sin(t)"
                sc.nonholo.append((name, None, None, lambda S: stack(rate_of(sc, fr.angle, S) - 2 - np.sin(S.t)), None))
        else:
            return False
    sc.words["joints"][name] = words
    sc.joint_info[name] = dict(kind=kind, p=None, q=None)
    return True


def rate_of(sc, f, S):
    """The rate of a coordinate at the velocities in S (linear in them, time not explicit)."""
    s = 1j * TINY
    St = State([r + s * v for r, v in zip(S.r, S.v)], [R + s * skew(w) @ R for R, w in zip(S.R, S.w)], S.v, S.w, S.t)
    return np.imag(f(St)) / TINY


def applied_force(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng, planar = sc.rng, sc.planar
    body_frame = bool(rng.random() < 0.5)
    f = rng.normal(size=3) * 5
    f[2] *= not planar
    words.update(
        body=sc.names[q],
        at=sc.P(y),
        force=[f"{f[0]!r}*(1 + sin(3*t))", float(f[1])] + ([] if planar else [float(f[2])]),
        frame="body" if body_frame else "global",
    )

    def fn(S):
        F = f * np.array([1 + np.sin(3 * S.t[0]), 1, 1])
        if body_frame:
            F = sc.frame(S, q) @ F
        return [(q, S.point(q, Q)[0], F, Z)]

    return fn


def applied_torque(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng, planar = sc.rng, sc.planar
    body_frame = bool(rng.random() < 0.5) and not planar
    f = rng.normal(size=3) * 2
    words.update(body=sc.names[q], reaction=sc.names[p])
    if planar:
        f[:2] = 0
        words["torque"] = f"{f[2]!r}*cos(2*t)"
    else:
        words["torque"] = [f"{f[0]!r}*cos(2*t)", float(f[1]), float(f[2])]
        words["frame"] = "body" if body_frame else "global"

    def fn(S):
        T = f * (np.array([1, 1, np.cos(2 * S.t[0])]) if planar else np.array([np.cos(2 * S.t[0]), 1, 1]))
        if body_frame:
            T = sc.frame(S, q) @ T
        return [(q, S.r[q][0], Z, T), (p, S.r[p][0], Z, -T)]

    return fn


def between_points(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng = sc.rng
    words.update(bodies=[sc.names[p], sc.names[q]])
    words["from"], words["to"] = sc.P(x), sc.P(y)
    L = np.linalg.norm(x - y)
    k, c, l0 = rng.uniform(5, 60), rng.uniform(0, 2), rng.uniform(0.3, 2)
    if kind == "spring":
        expr = rng.random() < 0.4
        words.update(
            stiffness=f"{k!r}*(1 + 0.3*length^2)" if expr else float(k),
            damping=f"{c!r}*(1 + rate^2)" if expr else float(c),
            free_length=float(l0),
            force="0.7*sin(t) + 0.1*rate",
        )
    elif kind == "bump_stop":
        above = bool(rng.random() < 0.5)
        L0 = L + (-0.3 if above else 0.3) * rng.uniform(0.2, 1) * min(1, L)
        ex, dep = float(rng.choice([1, 1.5, 2])), float(rng.choice([0, 0.01]))
        words.update(length=float(L0), acts="above" if above else "below", stiffness=float(k), exponent=ex, damping=float(c), depth=dep)
    else:
        R1 = L * rng.uniform(0.3, 0.5)
        R2 = L * 1.05 - R1
        mu = 0.3
        dis = str(rng.choice(["hunt_crossley", "flores", "linear", "none"]))
        words.update(radius_from=float(R1), radius_to=float(R2), stiffness=float(50 * k), exponent=1.5, friction=mu, slip_speed=0.2)
        if dis == "none":
            words["restitution"] = 1
            words["dissipation"] = "hunt_crossley"
        elif dis == "linear":
            words.update(dissipation="linear", damping=float(c))
        else:
            words.update(dissipation=dis, restitution=1)

    def fn(S):
        a, b = S.point(p, P)[0], S.point(q, Q)[0]
        d = b - a
        l = np.linalg.norm(d)
        e = d / l
        va, vb = S.vel(p, S.point(p, P))[0], S.vel(q, S.point(q, Q))[0]
        rate = e @ (vb - va)
        if kind == "spring":
            kk, cc = (k * (1 + 0.3 * l * l), c * (1 + rate * rate)) if expr else (k, c)
            F = kk * (l - l0) + cc * rate + 0.7 * np.sin(S.t[0]) + 0.1 * rate
        elif kind == "bump_stop":
            pen, pr = (l - L0, rate) if above else (L0 - l, -rate)
            if pen <= 0:
                return []
            u = min(1, pen / dep) if dep else 1
            s = u * u * u * (10 - 15 * u + 6 * u * u)
            N = max(0, k * pen**ex + c * s * pr)
            F = N if above else -N
        else:
            pen = R1 + R2 - l
            if pen <= 0:
                return []
            pr = -rate
            N = 50 * k * pen**1.5 + (c * pr if dis == "linear" else 0)
            if N <= 0:
                return []
            X = a + e * (R1 - pen / 2)
            V = S.vel(q, X[None])[0] - S.vel(p, X[None])[0]
            V = V - e * (V @ e)
            sl = np.linalg.norm(V)
            fr = -mu * N * (np.tanh(sl / 0.2) / sl if sl else 5) * V
            tot = N * e + fr  # on q
            return [(q, X, tot, Z), (p, X, -tot, Z)]
        return [(p, a, F * e, Z), (q, b, -F * e, Z)]

    return fn


def axial_spring(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng = sc.rng
    e = sc.udir()
    el = sc.dir_local(p, e)
    k, c, x0 = rng.uniform(5, 60), rng.uniform(0, 2), rng.uniform(-1, 1)
    words.update(
        bodies=[sc.names[p], sc.names[q]],
        axis=sc.P(e),
        stiffness=float(k),
        damping=float(c),
        free_length=float(x0),
        force="0.3*displacement^2 + 0.2*rate",
    )
    words["from"], words["to"] = sc.P(x), sc.P(y)

    def fn(S):
        a, b = S.point(p, P)[0], S.point(q, Q)[0]
        E = S.dir(p, el)[0]
        xx = E @ (b - a)
        rate = E @ (S.vel(q, b[None])[0] - S.vel(p, b[None])[0])
        F = k * (xx - x0) + c * rate + 0.3 * xx * xx + 0.2 * rate
        return [(q, b, -F * E, Z), (p, b, F * E, Z)]

    return fn


def in_joint(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng = sc.rng
    ok = [
        k
        for k, i in sc.joint_info.items()
        if i["kind"] in ("revolute", "cylindrical", "prismatic") and (kind != "torsion" or i["kind"] != "prismatic")
    ]
    if not ok:
        return None
    j = str(rng.choice(ok))
    i = sc.joint_info[j]
    fr = i["frames"]
    slide = i["kind"] == "prismatic" or (i["kind"] == "cylindrical" and kind != "torsion" and rng.random() < 0.5)
    words["joint"] = j
    if kind != "torsion" and i["kind"] == "cylindrical":
        words["component"] = "displacement" if slide else "angle"
    k, c, x0 = rng.uniform(2, 20), rng.uniform(0, 1), rng.uniform(-1, 1)
    if kind == "torsion":
        words.update(stiffness=float(k), damping=float(c), free_angle=float(x0), torque="0.4*sin(2*t) - 0.2*angle*rate")
        law = lambda X, V, t: -k * (X - x0) - c * V + 0.4 * np.sin(2 * t) - 0.2 * X * V
    elif kind == "limit":
        ex = float(rng.choice([1, 1.5]))
        words.update(lower=0.2 * abs(x0), upper=5.0, stiffness=float(k), exponent=ex, damping=float(c))
        law = lambda X, V, t: max(0, k * (0.2 * abs(x0) - X) ** ex - c * V) if X < 0.2 * abs(x0) else 0.0
    elif kind == "friction":
        words.update(level=float(k), level_static=float(1.3 * k), stribeck_speed=0.4, slip_speed=0.3, viscous=float(c))
        law = lambda X, V, t: -((k + 0.3 * k * np.exp(-((V / 0.4) ** 2))) * np.tanh(V / 0.3) + c * V)
    elif kind == "motor":
        words.update(curve=f"{k!r}*(1 - 0.2*speed)", command="0.5 + 0.3*sin(t)")
        law = lambda X, V, t: (0.5 + 0.3 * np.sin(t)) * k * (1 - 0.2 * V)
    else:
        words.update(target="0.3*sin(t)", target_rate="0.3*cos(t)", proportional=float(k), derivative=float(c), feed="0.2*coordinate", limit=float(k))
        law = lambda X, V, t: float(np.clip(k * (0.3 * np.sin(t) - X) + c * (0.3 * np.cos(t) - V) + 0.2 * X, -k, k))

    def fn(S):
        f = fr.slide if slide else fr.angle
        X, V = one(f(S)), rate_of(sc, f, S)[0]
        F = law(X, V, S.t[0])
        pp, qq = fr.p, fr.q
        if sc.planar and not slide:
            ax = np.array([0, 0, 1.0])
        else:
            ax = col(fr.F1(S), 2)[0]
        if slide:
            b = S.point(qq, fr.Q)[0]
            return [(qq, b, F * ax, Z), (pp, b, -F * ax, Z)]
        return [(qq, S.r[qq][0], Z, F * ax), (pp, S.r[pp][0], Z, -F * ax)]

    return fn


def drag(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng = sc.rng
    c1, c2, d1, d2 = rng.uniform(0, 1, size=4)
    wind = sc.vec()
    words.update(
        body=sc.names[q], at=sc.P(y), linear=float(c1), quadratic=float(c2), turn_linear=float(d1), turn_quadratic=float(d2), wind=sc.P(wind)
    )

    def fn(S):
        X = S.point(q, Q)
        u = S.vel(q, X)[0] - wind
        w = S.w[q][0]
        return [(q, X[0], -(c1 + c2 * np.linalg.norm(u)) * u, -(d1 + d2 * np.linalg.norm(w)) * w)]

    return fn


def rotor(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng, planar = sc.rng, sc.planar
    if planar:
        return None
    e = sc.udir()
    el = sc.dir_local(q, e)
    I, W = rng.uniform(0.01, 0.1), rng.uniform(-50, 50)
    words.update(body=sc.names[q], axis=sc.P(e), inertia=float(I), speed=float(W))
    return lambda S: [(q, S.r[q][0], Z, -np.cross(S.w[q][0], I * W * S.dir(q, el)[0]))]


def tyre(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng, planar = sc.rng, sc.planar
    up = 1 if planar else 2
    r, k, c = rng.uniform(0.3, 0.6), rng.uniform(50, 200), rng.uniform(0, 3)
    h0 = y[up] - 0.9 * r
    amp, om = 0.05, 1.5
    vertical = bool(rng.random() < 0.5)
    words.update(
        body=sc.names[q],
        center=sc.P(y),
        radius=float(r),
        stiffness=float(k),
        damping=float(c),
        road=f"{h0!r} + 0.05*(sin(1.5*x) - sin(1.5*{y[0]!r})) + 0.01*t",
        direction="vertical" if vertical else "normal",
    )

    def fn(S):
        def pen(St):
            X = St.point(q, Q)
            f = h0 + amp * (np.sin(om * X[..., 0]) - np.sin(om * y[0])) + 0.01 * St.t
            fx = amp * om * np.cos(om * X[..., 0])
            d = X[..., up] - f
            return r - (d if vertical else d / np.sqrt(1 + fx**2)), fx

        s = np.array([1j * TINY])
        St = sc.flow(S, s)
        pr = np.imag(pen(St)[0])[0] / TINY
        pp, fx = pen(S)
        pp, fx = pp[0], fx[0]
        if pp <= 0:
            return []
        N = max(0, k * pp + c * pr)
        n = np.zeros(3)
        n[up] = 1
        if not vertical:
            n[0] = -fx
            n /= np.sqrt(1 + fx * fx)
        return [(q, S.point(q, Q)[0], N * n, Z)]

    return fn


def contact_plane(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng = sc.rng
    n = sc.udir()
    r = float(rng.choice([0, rng.uniform(0.05, 0.3)]))
    pen0 = 0.05
    x = y - n * (r - pen0)
    tang = sc.vec()
    x = x + tang - n * (tang @ n)
    P, nl = sc.at_local(p, x), sc.dir_local(p, n)
    k, mu = rng.uniform(200, 900), 0.4
    words.update(
        bodies=[sc.names[p], sc.names[q]],
        plane=sc.P(x),
        normal=sc.P(n),
        point=sc.P(y),
        radius=r,
        stiffness=float(k),
        exponent=1.5,
        restitution=1,
        friction=mu,
        slip_speed=0.3,
    )

    def fn(S):
        nn, o, c = S.dir(p, nl)[0], S.point(p, P)[0], S.point(q, Q)[0]
        h = nn @ (c - o)
        pen = r - h
        if pen <= 0:
            return []
        N = k * pen**1.5
        X = c - nn * (r - pen)
        V = S.vel(q, X[None])[0] - S.vel(p, X[None])[0]
        V = V - nn * (V @ nn)
        sl = np.linalg.norm(V)
        F = N * nn - mu * N * (np.tanh(sl / 0.3) / sl if sl else 1 / 0.3) * V
        return [(q, X, F, Z), (p, X, -F, Z)]

    return fn


def bushing(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng, planar = sc.rng, sc.planar
    fr = Frames(sc, p, q, x, sc.udir() if planar else None)
    m = 3 if planar else 6
    B = rng.normal(size=(m, m))
    K, Cd = 10 * (B @ B.T / m + np.eye(m)), np.diag(rng.uniform(0.1, 1, size=m))
    words.update(
        bodies=[sc.names[p], sc.names[q]],
        at=sc.P(x),
        axis=sc.P(fr.z),
        stiffness=K.tolist(),
        damping=Cd.diagonal().tolist(),
        force=["3*deflection^3", "0.2*rate"] + ([] if planar else [0]),
    )
    if not planar:
        words["x_axis"] = sc.P(fr.x)

    def fn(S):
        if planar:
            ex = col(fr.F1(S), 2)
            F1 = np.stack([ex, cross(np.array([0, 0, 1.0]) + 0 * ex, ex), np.array([0, 0, 1.0]) + 0 * ex], -1)
            ex2 = col(fr.F2(S), 2)
            F2 = np.stack([ex2, cross(np.array([0, 0, 1.0]) + 0 * ex2, ex2), np.array([0, 0, 1.0]) + 0 * ex2], -1)
            rr = np.swapaxes(F1, -1, -2) @ F2
            th = np.arctan2(rr[0, 1, 0], rr[0, 0, 0])
            rot = np.array([0, 0, th])
        else:
            F1, F2 = fr.F1(S), fr.F2(S)
            rr = np.swapaxes(F1, -1, -2) @ F2
            qq = np.real(quat_of(rr))[0]
            sn = np.linalg.norm(qq[1:])
            rot = 2 * np.arctan2(sn, qq[0]) * (qq[1:] / sn if sn > 1e-300 else 0)
        F1 = np.real(F1)[0]
        a, b = S.point(p, fr.P)[0], S.point(q, fr.Q)[0]
        d = F1.T @ (b - a)
        vd = F1.T @ (S.vel(q, b[None])[0] - S.vel(p, b[None])[0])
        w = F1.T @ (S.w[q][0] - S.w[p][0])
        # rate of the rotation vector: inverse of the left/right Jacobian. d(rot)/dt with w in frame 1: R = exp(rot), R' = skew(w) R
        th = np.linalg.norm(rot)
        Kx = skew(rot)
        coef = 1 / 12 if th < 1e-4 else (1 / th**2) * (1 - th / 2 / np.tan(th / 2))
        Jinv = np.eye(3) - 0.5 * Kx + coef * Kx @ Kx
        rv = Jinv @ w
        if planar:
            X, V = np.array([d[0], d[1], rot[2]]), np.array([vd[0], vd[1], w[2]])
        else:
            X, V = np.concatenate([d, rot]), np.concatenate([vd, rv])
        f = -K @ X - Cd @ V
        f[0] -= 3 * X[0] ** 3
        f[1] -= 0.2 * V[1]
        if planar:
            Ff, T = F1 @ np.array([f[0], f[1], 0]), np.array([0, 0, f[2]])
        else:
            Ff, T = F1 @ f[:3], F1 @ (Jinv.T @ f[3:])
        return [(q, b, Ff, T), (p, b, -Ff, -T)]

    return fn


def rolling_resistance(given):
    sc, kind, p, q, x, y, P, Q, words = given
    rng, planar = sc.rng, sc.planar
    ok = [k for k, i in sc.joint_info.items() if i["kind"] in ("rolling_disk", "rolling_sphere")]
    if not ok:
        return None
    j = str(rng.choice(ok))
    i = sc.joint_info[j]
    geo, pp, qq = i["geo"], i["p"], i["q"]
    N, b, c = 3.0, 0.2, 0.1
    s, d = (0, 0) if planar else (0.15, 0.07)
    words.update(joint=j, load=N, arm=b, viscous=c, slip_rate=0.5)
    if not planar:
        words.update(spin_arm=s, spin_viscous=d)

    def fn(S):
        nn = np.real(geo(S)[0])[0]
        w = S.w[qq][0] - S.w[pp][0]
        wn = nn @ w
        wt = w - wn * nn
        g = lambda lev, cc, z: cc + lev * (np.tanh(z / 0.5) / z if z > 1e-12 else 2)
        if planar:
            wt, wn = w, 0
        M = g(b * N, c, np.linalg.norm(wt)) * wt + g(s * N, d, abs(wn)) * wn * nn
        return [(qq, S.r[qq][0], Z, -M), (pp, S.r[pp][0], Z, M)]

    return fn


FORCE_FAMILIES = {
    applied_force: ("force",),
    applied_torque: ("torque",),
    between_points: (
        "spring",
        "bump_stop",
        "contact_spheres",
    ),
    axial_spring: ("axial_spring",),
    in_joint: (
        "torsion",
        "limit",
        "friction",
        "motor",
        "pid",
    ),
    drag: ("drag",),
    rotor: ("rotor",),
    tyre: ("tyre",),
    contact_plane: ("contact_plane",),
    bushing: ("bushing",),
    rolling_resistance: ("rolling_resistance",),
}


def add_force(sc, name, kind):
    """Adds a force of this kind; False where there is nothing it could act in."""
    rng = sc.rng
    q = int(rng.integers(1, sc.n + 1))
    p = int(rng.choice([i for i in range(sc.n + 1) if i != q]))
    x, y = sc.vec(), sc.vec()
    words = dict(type=kind)
    make = next(family for family, kinds in FORCE_FAMILIES.items() if kind in kinds)
    fn = make((sc, kind, p, q, x, y, sc.at_local(p, x), sc.at_local(q, y), words))
    if fn is None:
        return False
    sc.words["forces"][name] = words
    sc.forces.append((name, fn))
    return True
