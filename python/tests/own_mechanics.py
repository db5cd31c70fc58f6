"""Mechanics from the equations alone: bodies with positions, rotation matrices, velocities and angular velocities in space.

Constraints are functions of a state. Complex steps give A and the rate of Phi, differences of that along the motion at constant velocities give
c = b' - A' v; M a + A^T lambda = Q, A a = c are solved by singular values, so that redundant rows share their load by least squares. Numbers have a
leading dimension for states that are evaluated at once. Planar mechanisms are those whose bodies keep to x, y and turns about z.
"""
import numpy as np

TINY = 1e-40
E3 = np.eye(3)


def dot(a, b):
    return np.sum(a * b, axis=-1)


def cross(a, b):
    return np.stack(
        [a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2], a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]],
        -1,
    )


def mv(R, x):
    return np.einsum("...ij,...j->...i", R, x + 0 * R[..., 0])


def tv(R, x):
    return np.einsum("...ji,...j->...i", R, x + 0 * R[..., 0])


def skew(a):
    z = 0 * a[..., 0]
    return np.stack(
        [np.stack([z, -a[..., 2], a[..., 1]], -1), np.stack([a[..., 2], z, -a[..., 0]], -1), np.stack([-a[..., 1], a[..., 0], z], -1)], -2
    )


def norm(a):
    return np.sqrt(dot(a, a))


def unit(a):
    return a / norm(a)[..., None]


def catan2(s, c):
    s, c = np.asarray(s), np.asarray(c)
    re = np.arctan2(s.real, c.real)
    if np.iscomplexobj(s) or np.iscomplexobj(c):
        im = (c.real * s.imag - s.real * c.imag) / (s.real**2 + c.real**2)
        return re + 1j * im
    return re


def rotvec(u):
    """exp of a rotation vector u (..., 3), analytic in a complex factor."""
    th = np.sqrt(dot(u, u) + 0j) if np.iscomplexobj(u) else norm(u)
    th2 = dot(u, u)
    small = np.abs(th2) < 1e-12
    ths = np.where(small, 1, th)
    s = np.where(small, 1 - th2 / 6, np.sin(ths) / ths)
    c = np.where(small, 0.5 - th2 / 24, (1 - np.cos(ths)) / ths**2)
    K = skew(u)
    return E3 + s[..., None, None] * K + c[..., None, None] * (K @ K)


def random_rotation(rng, planar):
    if planar:
        return rotvec(np.array([0, 0, rng.uniform(-3, 3)]))
    return rotvec(unit(rng.normal(size=3)) * rng.uniform(0.1, 3))


def quat_of(R):
    """Complex-safe where w is away from 0."""
    w = np.sqrt(1 + R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2]) / 2
    return np.stack(
        [w, (R[..., 2, 1] - R[..., 1, 2]) / (4 * w), (R[..., 0, 2] - R[..., 2, 0]) / (4 * w), (R[..., 1, 0] - R[..., 0, 1]) / (4 * w)], -1
    )


class State:
    """r[i], R[i], v[i], w[i], index 0 ground; t. Leading batch dimension."""

    def __init__(self, r, R, v, w, t):
        self.r, self.R, self.v, self.w, self.t = r, R, v, w, t

    def point(self, i, s):
        return self.r[i] + mv(self.R[i], s)

    def dir(self, i, e):
        return mv(self.R[i], e)

    def vel(self, i, x):
        return self.v[i] + cross(self.w[i], x - self.r[i])


class Scene:
    """Bodies, constraints, forces, and the words for all of them."""

    def __init__(self, rng, planar, n):
        self.rng, self.planar, self.n = rng, planar, n
        self.dof = [0, 1, 5] if planar else list(range(6))
        self.cols = [6 * i + k for i in range(n) for k in self.dof]
        self.r0, self.R0 = [np.zeros(3)], [np.eye(3)]
        self.m, self.J = [], []
        self.holo, self.nonholo, self.forces = [], [], []  # (name, p, q, fn, point or None)
        self.names = ["ground"] + [f"b{i}" for i in range(n)]
        self.words = {"bodies": {}, "joints": {}, "forces": {}, "measures": {}}
        self.joint_info = {}
        self.rheonomic = False
        self.theta = [0.0]  # drawn angles, in the plane

    def P(self, x):
        """A vector as it is written in a model file."""
        x = np.asarray(x, float)
        return [float(a) for a in (x[:2] if self.planar else x)]

    def at_local(self, i, x):
        return self.R0[i].T @ (np.asarray(x) - self.r0[i])

    def dir_local(self, i, e):
        return self.R0[i].T @ np.asarray(e)

    def frame(self, S, i):
        return S.R[i][0]

    def vec(self, scale=1.0):
        x = self.rng.normal(size=3) * scale
        if self.planar:
            x[2] = 0
        return x

    def udir(self):
        return unit(self.vec())

    def state0(self):
        Z = [np.zeros((1, 3)) for _ in self.r0]
        return State([x[None] for x in self.r0], [x[None] for x in self.R0], Z, list(Z), np.zeros(1))

    def flow(self, S, s):
        """The state after time s (array, may be complex) at constant velocities."""
        s = np.asarray(s)[:, None]
        return State(
            [r + s * v for r, v in zip(S.r, S.v)],
            [rotvec(s * w) @ R for R, w in zip(S.R, S.w)],
            [v + 0 * s for v in S.v],
            [w + 0 * s for w in S.w],
            S.t + s[:, 0],
        )

    def perturbed(self, S):
        """One complex step per column, batch = len(cols)."""
        B = len(self.cols)
        r = [np.repeat(x, B, 0).astype(complex) for x in S.r]
        R = [np.repeat(x, B, 0).astype(complex) for x in S.R]
        for b, col in enumerate(self.cols):
            i, k = divmod(col, 6)
            e = E3[k % 3]
            if k < 3:
                r[i + 1][b] += 1j * TINY * e
            else:
                R[i + 1][b] = R[i + 1][b] + 1j * TINY * skew(e) @ R[i + 1][b]
        return State(r, R, S.v, S.w, np.repeat(S.t, B).astype(complex))

    def unit_velocities(self, S):
        B = len(self.cols) + 1
        v = [np.zeros((B, 3)) for _ in S.r]
        w = [np.zeros((B, 3)) for _ in S.r]
        for b, col in enumerate(self.cols):
            i, k = divmod(col, 6)
            (v if k < 3 else w)[i + 1][b, k % 3] = 1
        return State([np.repeat(x, B, 0) for x in S.r], [np.repeat(x, B, 0) for x in S.R], v, w, np.repeat(S.t, B))

    def rows(self, S):
        """A, b (A v = b), c (A a = c), Phi; rows in the order holo, nonholo; slices."""
        A, b, c, Phi, where = [], [], [], [], []
        Sp = self.perturbed(S)
        h = 2e-3
        off = np.array([-3, -2, -1, 1, 2, 3]) * h
        wt = np.array([-1, 9, -45, 45, -9, 1]) / (60 * h)
        Sf = self.flow(S, off + 1j * TINY)
        Sb = State(S.r, S.R, S.v, S.w, S.t + 1j * TINY)
        Sr = self.flow(S, off)
        Su = self.unit_velocities(S)
        k = 0
        for name, p, q, fn, pt in self.holo:
            rows = np.imag(fn(Sp)).T / TINY  # k x cols
            A.append(rows)
            Phi.append(np.real(fn(S))[0])
            b.append(-np.imag(fn(Sb))[0] / TINY)
            c.append(-(wt @ (np.imag(fn(Sf)) / TINY)))
            where.append(slice(k, k + rows.shape[0]))
            k += rows.shape[0]
        for name, p, q, fn, pt in self.nonholo:
            val = fn(Su)
            A.append((val[:-1] - val[-1]).T)
            b.append(-val[-1])
            c.append(-(wt @ fn(Sr)))
            where.append(slice(k, k + val.shape[1]))
            k += val.shape[1]
        nc = len(self.cols)
        if not A:
            return np.zeros((0, nc)), np.zeros(0), np.zeros(0), np.zeros(0), []
        return np.concatenate(A), np.concatenate(b), np.concatenate(c), (np.concatenate(Phi) if Phi else np.zeros(0)), where

    def loads(self, S):
        """M and Q: Newton and Euler with the forces."""
        n = self.n
        M, Q = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for i in range(n):
            J, w = S.R[i + 1][0] @ self.J[i] @ S.R[i + 1][0].T, S.w[i + 1][0]
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = self.m[i] * E3
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = J
            Q[6 * i : 6 * i + 6] = np.concatenate([self.m[i] * self.g, -np.cross(w, J @ w)])
        for name, fn in self.forces:
            for i, x, F, T in fn(S):
                if i:
                    Q[6 * i - 6 : 6 * i - 3] += F
                    Q[6 * i - 3 : 6 * i] += T + np.cross(x - S.r[i][0], F)
        c = self.cols
        return M[np.ix_(c, c)], Q[c]

    def kinetic(self, S):
        e = 0
        for i in range(self.n):
            J, w, v = S.R[i + 1][0] @ self.J[i] @ S.R[i + 1][0].T, S.w[i + 1][0], S.v[i + 1][0]
            e += 0.5 * self.m[i] * v @ v + 0.5 * w @ J @ w
        return e

    def solve(self, S):
        """Accelerations, multipliers, A, and which rows belong to which constraint."""
        M, Q = self.loads(S)
        A, b, c, Phi, where = self.rows(S)
        if not len(A):
            return np.linalg.solve(M, Q), np.zeros(0), A, where
        L = np.linalg.cholesky(M)
        Y = np.linalg.solve(L, A.T)  # n x m
        q0 = np.linalg.solve(L, Q)
        U, s, Vt = np.linalg.svd(Y.T, full_matrices=False)
        k = int((s > 1e-9 * s[0]).sum())
        self.rank, self.gap = k, s[k - 1] / s[0]
        res = c - Y.T @ q0
        x = Vt[:k].T @ (U[:, :k].T @ res / s[:k])
        a = np.linalg.solve(L.T, q0 + x)
        lam = -U[:, :k] @ (U[:, :k].T @ res / s[:k] ** 2)
        return a, lam, A, where

    def full(self, x):
        """Six numbers for each body."""
        y = np.zeros(6 * self.n)
        y[self.cols] = x
        return y
