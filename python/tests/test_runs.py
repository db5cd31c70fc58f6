"""Runs: results without copies, steps, callbacks, events, exact states."""
import math

import numpy as np
import pytest

import holonom
from conftest import needs


def motion_of_pendulum(L, times):
    """The angle of a rod that falls from the horizontal, theta'' = -3 g/(2 L) cos(theta), by RK4 with tiny steps: another program
    than the library, from the equation alone."""
    k, theta, omega, t, out = -1.5 * 9.81 / L, 0.0, 0.0, 0.0, []
    for end in times:
        n = max(1, math.ceil((end - t) / 2e-4))
        h = (end - t) / n
        for _ in range(n):
            def f(a, w):
                return w, k * math.cos(a)
            k1 = f(theta, omega)
            k2 = f(theta + h / 2 * k1[0], omega + h / 2 * k1[1])
            k3 = f(theta + h / 2 * k2[0], omega + h / 2 * k2[1])
            k4 = f(theta + h * k3[0], omega + h * k3[1])
            theta += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            omega += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        t = end
        out.append(theta)
    return np.array(out)


def test_run_agrees_with_the_equation(pendulum):
    r = pendulum.run(end=1, output=0.05)
    assert np.max(np.abs(r["angle"] - motion_of_pendulum(0.6, r.time))) < 1e-8
    assert r.units["angle"] == "rad" and r.units["time"] == "s" and r.time[-1] == 1
    # the pin carries weight and centripetal force: on the ground, minus what the rod receives
    a, w2 = r["angle"], 3 * 9.81 / 0.6 * (-np.sin(r["angle"]))
    alpha = -1.5 * 9.81 / 0.6 * np.cos(a)
    fx = 2.5 * 0.3 * (-alpha * np.sin(a) - w2 * np.cos(a))
    fy = 2.5 * 0.3 * (alpha * np.cos(a) - w2 * np.sin(a)) + 2.5 * 9.81
    force = r.reactions["pin"].force
    assert np.allclose(-force[:, 0], fx, atol=1e-6) and np.allclose(-force[:, 1], fy, atol=1e-6)
    assert r.info["verdict"] == "met" and r.info["end"] == "time" and r.info["degrees_of_freedom" if "degrees_of_freedom" in r.info
                                                                           else "dof"] == 1


def test_arrays_are_views(four_bar):
    r = four_bar.run(end=1)
    base = r.time
    while base.base is not None and isinstance(base.base, np.ndarray):
        base = base.base
    for array in (r["crank_angle"], r.q, r.v, r.bodies["crank"].position, r.reactions["B"].force):
        assert np.shares_memory(array, base) and not array.flags.writeable and not array.flags.owndata
    with pytest.raises(ValueError):
        r["crank_angle"][0] = 3
    angle, copy = r["crank_angle"], r["crank_angle"].copy()
    del r, base, array
    assert np.array_equal(angle, copy)  # the block lives as long as its views


def test_columns_and_blocks_have_their_places(four_bar):
    r = four_bar.run(end=0.7, output=0.1, coordinates="reference", method="lagrange")
    assert r.q.shape == (8, 9) and r.v.shape == (8, 9)
    # reference points: q has x, y and angle of each body's mass centre
    p, u = r.bodies["coupler"].position, r.bodies["coupler"].quaternion
    assert np.allclose(p[:, :2], r.q[:, 3:5]) or np.allclose(np.diff(p[:, 0]), np.diff(r.q[:, 3]), atol=0.5)
    assert np.allclose(2 * np.arctan2(u[:, 3], u[:, 0]) % (2 * np.pi), r.q[:, 5] % (2 * np.pi), atol=1e-12)
    assert np.allclose(r["energy.kinetic"] + r["energy.potential"] - r["energy.work"], r["energy.balance"], atol=1e-12)
    assert set(r.columns) == set(r.units) == set(r.docs) and len(r) == len(r.columns) and "crank_angle" in r
    with pytest.raises(KeyError, match="did you mean 'crank_angle'"):
        r["crank_angel"]
    with pytest.raises(KeyError, match="there are A, B, C, D"):
        r.reactions["E"]


@needs["hdf5"]
def test_files_hold_the_same_numbers(four_bar, tmp_path):
    r = four_bar.run(end=1, units=["angle=deg"])
    for name in ("a.h5", "a.csv"):
        r.save(tmp_path / name)
        again = holonom.read(tmp_path / name)
        assert again.time.tobytes() == np.ascontiguousarray(r.time).tobytes()
        assert again["crank_angle"].tobytes() == np.ascontiguousarray(r["crank_angle"]).tobytes()
        assert again.units["crank_angle"] == r.units["crank_angle"] == "deg"
    whole = holonom.read(tmp_path / "a.h5", units="angle=rad")
    assert np.allclose(np.rad2deg(whole["crank_angle"]), r["crank_angle"], rtol=1e-14)
    assert whole.text("method") == r.info["method"] and r.text("name") == "planar four-bar"
    x = r.extremes("crank_angle")
    assert x.maximum >= r["crank_angle"].max() - 1e-9 and x.minimum <= r["crank_angle"].min() + 1e-9 and x.maximum_time == 0
    assert holonom.read(tmp_path / "a.h5").extremes("crank_angle") == x
    # the same file as the writer of a run makes, apart from what the clock says
    assert float(whole.text("statistics.steps")) == r.info["steps"]
    with pytest.raises(holonom.Error):
        r.save(tmp_path / "a.txt")
    with pytest.raises(holonom.Error):
        holonom.read(tmp_path / "none.h5")


def test_options_by_keyword(four_bar):
    with pytest.raises(holonom.ArgumentError, match="unknown option 'tolerence'; did you mean 'tolerance'"):
        four_bar.run(tolerence=1e-6)
    with pytest.raises(holonom.Error, match="method"):
        four_bar.run(method="lagrang")
    with pytest.raises(holonom.Error, match="tolerance"):
        four_bar.run(tolerance=-1)
    with pytest.raises(holonom.Error, match="tolerance"):
        four_bar.run(tolerance=float("nan"))
    with pytest.raises(TypeError, match="option 'tolerance' takes a number"):
        four_bar.run(tolerance=[1])
    with pytest.raises(TypeError, match="option 'method' takes a word"):
        four_bar.run(method=3)
    r = four_bar.run(end="500 ms", integrator="rk4", step=0.01, extremes=False)
    assert r.time[-1] == 0.5 and r.info["integrator"] == "rk4" and r.info["steps"] == 50
    assert four_bar.simulation(end=2).options["end"] == 2


def test_steps_are_those_of_the_run(four_bar):
    whole = four_bar.run(end=1, output_mode="dense")
    sim = four_bar.simulation(end=1, output_mode="dense")
    times = []
    while sim.t < 1:
        sim.step()
        times.append(sim.t)
    assert sim.data.q.tobytes() == whole.q[-1].tobytes() and len(times) == sim.info["steps"]
    with pytest.raises(holonom.ArgumentError, match="over"):
        sim.step()
    other = four_bar.simulation(end=1)
    other.advance(0.25)
    assert other.t == 0.25
    with pytest.raises(holonom.ArgumentError):
        other.advance(float("nan"))
    other.restart(0, sim.data.q, np.zeros(len(sim.data.v)))
    with pytest.raises(ValueError, match="q must have 3 numbers, not 2"):
        other.restart(0, [1, 2], [0, 0, 0])
    with pytest.raises(ValueError, match="number 1 is not finite"):
        other.restart(0, [0, float("inf"), 0], [0, 0, 0])
    with pytest.raises(TypeError, match="q must be numbers"):
        other.restart(0, ["a", "b", "c"], [0, 0, 0])


def test_exact_states(four_bar, tmp_path):
    one = four_bar.simulation(end=2)
    one.advance(0.8)
    block = one.save_state()
    one.write_checkpoint(str(tmp_path / "x.checkpoint"))
    one.advance(2)
    for how in ("block", "file"):
        two = four_bar.simulation(end=2)
        two.load_state(block) if how == "block" else two.read_checkpoint(str(tmp_path / "x.checkpoint"))
        two.advance(2)
        assert two.data.q.tobytes() == one.data.q.tobytes() and two.info["steps"] == one.info["steps"]
    with pytest.raises(holonom.Error):
        two.load_state(block[:-3] + b"abc")
    with pytest.raises(TypeError):
        two.load_state("text")


def test_force_of_the_caller(pendulum):
    k, c = 40.0, 0.7

    def spring(data):
        x = data.pose("rod").r[:2] - [0.2, -0.3]
        data.add_force("rod", [0, 0], -k * x)
        data.add_torque("rod", -c * data.twist("rod").omega[2])

    r = pendulum.run(force=spring, end=0.5, output=0.1)
    # the equation of the rod with the spring at its mass centre and the damper, integrated on its own
    L, m, g = 0.6, 2.5, 9.81

    def rate(y):
        a, w = y
        x, z = L / 2 * math.cos(a) - 0.2, L / 2 * math.sin(a) + 0.3
        torque = -m * g * L / 2 * math.cos(a) - k * (z * L / 2 * math.cos(a) - x * L / 2 * math.sin(a)) - c * w
        return np.array([w, torque / (m * L * L / 3)])

    y, h = np.zeros(2), 1e-4
    out = [0.0]
    for i in range(5000):
        k1 = rate(y); k2 = rate(y + h / 2 * k1); k3 = rate(y + h / 2 * k2); k4 = rate(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (i + 1) % 1000 == 0:
            out.append(y[0])
    assert np.allclose(r["angle"], out, atol=1e-8)


def test_exceptions_of_callbacks_come_back(pendulum):
    class Mine(Exception):
        pass

    def fail(what):
        raise Mine("from the callback")

    for keyword in ("force", "on_step", "on_output"):
        with pytest.raises(Mine, match="from the callback"):
            pendulum.run(**{keyword: fail})
    with pytest.raises(Mine):
        pendulum.run(events={"e": fail})
    sim = pendulum.simulation(force=lambda data: fail(data) if data.t > 0.3 else None)
    with pytest.raises(Mine):
        sim.advance(1)
    with pytest.raises(Mine):
        pendulum.simulation(force=lambda data: fail(data) if data.t > 0 else None).step()
    with pytest.raises(TypeError):
        pendulum.run(force=3)
    with pytest.raises(TypeError):
        pendulum.run(on_step="x")
    assert pendulum.run(end=0.1).info["end"] == "time"  # nothing of it is left behind


def test_observers(four_bar):
    steps, outputs = [], []
    r = four_bar.run(end=1, on_step=lambda s: steps.append(s.t), on_output=lambda s: outputs.append(s.data.measure("crank_angle")))
    assert len(steps) == r.info["steps"] and np.array_equal(outputs, r["crank_angle"]) and steps[-1] == 1
    r = four_bar.run(end=1, on_step=lambda s: s.t > 0.5)
    assert r.info["end"] == "interrupted" and 0.5 < r.time[-1] + 0.2 < 1
    empty = four_bar.run(end=1, record=False)
    assert len(empty.time) == 0 and empty.info["steps"] > 0
    with pytest.raises(ValueError, match="recorded nothing"):
        empty.report()


def test_observers_may_ask_and_not_change(four_bar):
    sims = []

    def step(sim):
        sims.append(sim)
        assert sim.data.q.shape == sim.data.v.shape and sim.info["steps"] > 0 and sim.data.copy().t == sim.t
        for change in (sim.step, sim.run, sim.save_state and (lambda: sim.load_state(b"")), lambda: sim.advance(2),
                       lambda: sim.restart(0, [0], [0]), lambda: sim.data.set(0, sim.data.q, sim.data.v), sim.equations):
            with pytest.raises(RuntimeError, match="in use"):
                change()
        return True

    four_bar.run(end=1, on_step=step)
    sim = sims[0]  # afterwards it is free again
    sim.restart(0, sim.data.q, sim.data.v)
    sim.step()
    assert sim.t > 0


def test_events_of_the_caller(pendulum):
    down = lambda data: data.measure("angle") + math.pi / 2  # noqa: E731
    r = pendulum.run(end=1.3, events={"down": down})
    times = [e["t"] for e in r.events if e["name"] == "down"]
    # a quarter swing from the horizontal takes K(1/sqrt 2) sqrt(2 L/(3 g)) by the complete elliptic integral
    a, b = 1.0, math.sqrt(0.5)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    quarter = math.pi / (2 * a) * math.sqrt(2 * 0.6 / (3 * 9.81))
    assert times[0] == pytest.approx(quarter, abs=1e-9) and times[1] == pytest.approx(3 * quarter, abs=1e-8)
    assert r.events[0]["data"].measure("angle") == pytest.approx(-math.pi / 2, abs=1e-12) and r.time[-1] == 1.3
    down.terminal = True
    r = pendulum.run(end=1, events={"down": down})
    assert r.time[-1] == pytest.approx(quarter, abs=1e-9) and r["angle"][-1] == pytest.approx(-math.pi / 2, abs=1e-12)
    assert np.all(np.diff(r.time) > 0)
    down.direction, down.terminal = 1, False
    assert pendulum.run(end=1.3, events={"down": down}).events[0]["t"] == pytest.approx(3 * quarter, abs=1e-8)


def test_events_of_the_model(models):
    m = holonom.load(models / "bouncing_ball.yaml")
    heard = []
    r = m.run(on_event=lambda sim, event: heard.append(event["t"]))
    assert [e["t"] for e in r.events] == heard or r.info["switches"] == len(r.events) == len(heard)


def test_a_run_that_fails_keeps_its_records(pendulum):
    m = pendulum.replace(max_steps=20, tolerance=1e-12)
    with pytest.raises(holonom.Error) as caught:
        m.run()
    r = caught.value.result
    assert r is not None and 0 < len(r.time) and r.time[-1] < 2 and caught.value.status < 0


def test_data_answers(four_bar):
    d = four_bar.data()
    M, A, Q, c = (d.term(name) for name in "MAQc")
    assert M.shape == (9, 9) and A.shape == (8, 9) and Q.shape == (9,) and np.array_equal(M, M.T)
    # the equations of motion, solved here
    x = np.linalg.solve(np.block([[M, A.T], [A, np.zeros((8, 8))]]), np.concatenate([Q, c]))
    assert np.allclose(d.a, x[:9], atol=1e-9) and np.allclose(d.multipliers, x[9:], atol=1e-8)
    R = d.term("R")
    assert R.shape == (9, 1) and np.allclose(A @ R, 0, atol=1e-12)
    values, columns, starts, shape = d.term_rows("A")
    dense = np.zeros(shape)
    for i in range(shape[0]):
        dense[i, columns[starts[i]:starts[i + 1]]] = values[starts[i]:starts[i + 1]]
    assert np.array_equal(dense, A)
    # a tangent, by differences of the term that it belongs to
    v = np.linspace(0.3, 1.1, 9)
    d.set(0, d.q, v)
    h, got = 1e-6, d.term("c_v")
    for j in range(9):
        e = np.zeros(9)
        e[j] = h
        up, low = four_bar.data(), four_bar.data()
        up.set(0, d.q, v + e), low.set(0, d.q, v - e)
        assert np.allclose((up.term("c") - low.term("c")) / (2 * h), got[:, j], atol=1e-7)
    assert d.energy().kinetic == pytest.approx(v @ M @ v / 2)
    assert d.pose("crank").R.shape == (3, 3) and d.twist(0).omega[2] == pytest.approx(v[2])
    with pytest.raises(KeyError, match="there is no term 'X'"):
        d.term("X")
    with pytest.raises(KeyError, match="no body 'x'"):
        d.pose("x")
    with pytest.raises(IndexError):
        d.pose(-1)
    with pytest.raises(holonom.ArgumentError):
        d.pose(77)
    with pytest.raises(RuntimeError, match="added within"):
        d.add_force("crank", [0, 0], [1, 0])
    with pytest.raises(ValueError, match="9 numbers"):
        d.set(0, np.zeros(4), v)
    with pytest.raises(ValueError, match="finite"):
        d.set(float("nan"), d.q, v)


def test_pandas_and_xarray(four_bar):
    r = four_bar.run(end=1)
    pandas = pytest.importorskip("pandas")
    frame = r.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "time" and frame.attrs["units"]["crank_angle"] == "rad"
    assert np.array_equal(frame["crank_angle"], r["crank_angle"])
    pytest.importorskip("xarray")
    data = r.to_xarray()
    assert np.array_equal(data["joints.force"].sel(joint="B", xyz="y"), r.reactions["B"].force[:, 1])
    assert data["crank_angle"].attrs["units"] == "rad" and data["bodies.position"].dims == ("time", "body", "xyz")


def test_warnings_are_pythons(models):
    m = holonom.load(models / "four_bar.yaml")
    with pytest.warns(holonom.HolonomWarning) as heard:
        r = m.run(method="lagrange", coordinates="reference", integrator="rk4", step=0.05)
    assert "not met" in r.info["verdict"] and any(w.message.message.severity == "warning" for w in heard)
    assert any(m.severity == "warning" for m in r.messages)


def test_compiled(pendulum):
    import shutil

    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    plain = pendulum.run(coordinates="relative", method="direct-correction", end=0.3)
    fast = pendulum.run(compiled=True, end=0.3)
    assert np.allclose(fast["angle"], plain["angle"], atol=1e-9) and fast.info["beside_code"] == 0
