"""Every analysis, each with a number that is known without it."""
import math

import numpy as np
import pytest

import holonom
from conftest import PENDULUM, needs


def test_equations(four_bar):
    a = four_bar.equations()
    M, A, lam = a["M"], a["A"], a["lambda"]
    assert M.shape == (9, 9) and A.row_names and np.allclose(M.values, four_bar.data().term("M"))
    assert np.allclose(M.values @ a["accelerations"].values[:, -1] + A.values.T @ lam.values[:, -1], a["Q"].values[:, -1], atol=1e-8)
    sim = four_bar.simulation(end=1, coordinates="reference")
    sim.advance(0.3)
    assert sim.equations()["M"].shape == (9, 9)


def test_formulas(pendulum):
    a = pendulum.formulas()
    assert a["M"].formulas is not None and a["M"].latex.shape == a["M"].formulas.shape and np.isnan(a["M"].values).all()


def test_linearize(pendulum):
    hanging = pendulum.replace({"bodies.rod.position": ["0", "-L/2"], "bodies.rod.angle": "-90 deg"})
    w = math.sqrt(1.5 * 9.81 / 0.6)  # of small swings of a rod about its end
    a = hanging.linearize(about="equilibrium")
    assert sorted(a.eigenvalues.imag) == pytest.approx([-w, w], rel=1e-9) and np.allclose(a.eigenvalues.real, 0, atol=1e-9)
    a = hanging.linearize(inputs=["pin"], outputs=["angle"], frequencies=(0.1, 10), n_frequencies=5)
    assert a["B"].shape[1] == 1 and a["gain"].values.shape[0] == 5
    sim = hanging.simulation()
    r = sim.mode(0, frames=8)
    assert len(r.time) == 9 and r.time[-1] - r.time[0] == pytest.approx(2 * math.pi / w, rel=1e-9)
    with pytest.raises(IndexError):
        hanging.simulation().mode(5)
    with pytest.raises(ValueError, match="about takes"):
        hanging.linearize(about="rest")
    locus = hanging.locus("L", 0.4, 0.9, n=6)
    assert locus["locus"].shape[0] == 6


def test_statics(pendulum):
    a = pendulum.statics()
    assert a["measures"].values.ravel()[0] % (2 * math.pi) == pytest.approx(1.5 * math.pi, abs=1e-7)
    assert a.least_stiffness > 0 and a.units["least_stiffness"]
    with pytest.raises(TypeError, match="unexpected keyword"):
        holonom.Model.statics(pendulum, begin=3)


def test_sensitivity(pendulum):
    a = pendulum.sensitivity(["L"], goals=["end angle"])
    h = 1e-5
    ends = [pendulum.replace(L=0.6 + s, tolerance=1e-13).run()["angle"][-1] for s in (h, -h)]
    assert a["sensitivity"].values[0, 0] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


@needs["nlopt"]
def test_optimize(pendulum):
    """The length with which the rod hangs straight down at a given time, from the elliptic integral."""
    text = PENDULUM.replace("measures:", "measures:\n  miss: {type: expression, value: (angle + pi/2)^2}").replace("end: 2", "end: 0.35")
    m = holonom.parse(text)
    a, b = 1.0, math.sqrt(0.5)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    length = 1.5 * 9.81 * (0.35 * 2 * a / math.pi) ** 2
    heard = []
    found = m.optimize({"L": (0.4, 1)}, minimize="end miss", tolerance=1e-9, on_attempt=heard.append)
    assert found.model.parameters["L"] == pytest.approx(length, rel=1e-4) and len(heard) == found.evaluations
    assert set(heard[0]) == {"number", "better", "failed", "value", "violation", "values"} and "L" in heard[0]["values"]
    stopped = m.optimize({"L": (0.4, 1)}, minimize="end miss", on_attempt=lambda attempt: attempt["number"] >= 2)
    assert stopped.evaluations <= 3

    def fail(attempt):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        m.optimize({"L": (0.4, 1)}, minimize="end miss", on_attempt=fail)
    with pytest.raises(holonom.Error, match="L9"):
        m.optimize({"L9": (0.4, 1)}, minimize="end miss")
    assert "slsqp" in holonom.algorithms()


@needs["nlopt"]
def test_optimize_widely(pendulum, tmp_path):
    """A function with two troughs, whose deeper one is not that of the start: (L - 0.5)^2 (L - 0.9)^2 + 0.01 L."""
    m = holonom.parse(PENDULUM.replace("measures:", "measures:\n  troughs: {type: expression, value: 10*((L/1 m - 0.5)*(L/1 m - 0.9))^2 + 0.01*L/1 m}")
                      .replace("end: 2", "end: 0.01")).replace(L=0.95)
    bounds = {"L": (0.3, 1.1)}
    one = m.optimize(bounds, minimize="end troughs")
    many = m.optimize(bounds, minimize="end troughs", starts=6, threads=2, log=tmp_path / "s.log")
    again = m.optimize(bounds, minimize="end troughs", starts=6, log=tmp_path / "s.log")
    assert one.value > many.value and many.model.parameters["L"] == pytest.approx(0.5, abs=0.01)
    assert again.value == many.value and (again["starts"].values == many["starts"].values).all()
    assert len(many["optima"].values) == 2 and len(many["starts"].values) == 6
    evolved = m.optimize(bounds, minimize="end troughs", algorithm="evolution", evaluations=400)
    assert evolved.value == pytest.approx(many.value, abs=1e-8)
    with pytest.raises(holonom.Error, match="both"):
        m.optimize({"L": (0.3, None)}, minimize="end troughs", starts=3)


@needs["cminpack"]
def test_identify(pendulum, tmp_path):
    pendulum = pendulum.replace(tolerance=1e-9)
    r = pendulum.replace(L=0.71).run(end=0.4, output=0.01)
    data = {"time": r.time, "angle": r["angle"]}
    a = pendulum.identify({"L": (0.3, 1.5)}, data)
    assert a.model.parameters["L"] == pytest.approx(0.71, rel=1e-7)
    r.save(tmp_path / "data.csv")
    assert pendulum.identify(["L=0.3:1.5"], tmp_path / "data.csv", fit="angle").model.parameters["L"] == pytest.approx(0.71, rel=1e-7)
    with pytest.raises(ValueError, match="time"):
        pendulum.identify({"L": (0.3, 1.5)}, {"angle": [1, 2]})
    with pytest.raises(ValueError, match="same length"):
        pendulum.identify({"L": (0.3, 1.5)}, {"time": [0, 1, 2], "angle": [1, 2]})


def test_certify(pendulum):
    m = pendulum.replace(end=0.5)
    a = m.certify(digits=5, quick=True)
    assert a.certified == 1 and "verdict" in a
    r = m.run()
    good = m.certify(samples={"time": r.time[::20], "angle": r["angle"][::20]})
    bad = m.certify(samples={"time": r.time[::20], "angle": r["angle"][::20] + 0.1})
    assert good.certified == 1 and bad.certified == 0
    with pytest.raises(ValueError, match="has 2 numbers"):
        m.certify(samples={"time": [0, 1, 2], "angle": [1, 2]})
    sim = m.simulation()
    sim.run()
    assert sim.certify() is True and sim.info["certificate"]


def test_generate(pendulum, tmp_path):
    a = pendulum.generate(tmp_path / "code", name="rod", parameters=["L"])
    assert (tmp_path / "code/rod.c").exists() and "rod" in str(a)


def test_kinematics_and_inverse(models):
    m = holonom.load(models / "slider_crank_iftomm.yaml")
    driven = m.replace({"joints.motor": {"type": "motor", "joint": m.joints[0], "angle": "2*pi*t"}}, end=1)
    a = driven.kinematics(points=0)
    assert a["motion"].shape[0] > 10 and a["extremes"].shape[0] >= 1
    loads = driven.inverse()["loads"]
    r = driven.run()
    same = driven.inverse(motion=r)["loads"]
    assert loads.column_names[0] == "time" and np.allclose(loads.values[0, 1], same.values[0, 1], rtol=1e-5, atol=1e-6)
    limited = driven.inverse({"motor": {"weight": 2.0}})["loads"]
    assert np.allclose(limited.values[:, 1], loads.values[:, 1], rtol=1e-9, atol=1e-9)
    with pytest.raises(holonom.Error, match="nobody"):
        driven.inverse({"nobody": None})
    with pytest.raises(TypeError):
        driven.inverse({"motor": 3})


def test_assemblies(four_bar):
    a = four_bar.assemblies(hold="crank.angle", starts=100)
    assert a["assemblies"].shape[0] == 2  # a four-bar closes in two ways


def test_workspace():
    m = holonom.Builder("arm", gravity=[0, 0])
    m.body("upper", mass=1, inertia=0.1, along=[[0, 0], [0.5, 0]])
    m.body("lower", mass=1, inertia=0.1, along=[[0.5, 0], [0.5, 0.4]])
    m.joint("shoulder", "revolute", bodies=["ground", "upper"], at=[0, 0])
    m.joint("elbow", "revolute", bodies=["upper", "lower"], at=[0.5, 0])
    m.joint("m1", "motor", joint="shoulder", angle="0").joint("m2", "motor", joint="elbow", angle="0")
    m.measure("tip", "position", body="lower", at=[0.5, 0.4])
    arm = m.build(end=1)
    a = arm.workspace({"m1": (-0.3, 0.3), "m2": (-0.4, 0.4)}, "tip", points=5)
    assert a["workspace"].shape[0] == 25
    with pytest.raises(TypeError):
        arm.workspace({"m1": (0, 1)}, "tip")


def test_gears(models):
    text = next(e for e in holonom.elements("joints") if e.name == "gear").example
    m = holonom.parse(text)
    with pytest.raises(holonom.Error):
        m.gears(["nothing"])
    a = m.gears([m.joints[0]])
    assert a["V"].shape[1] == 1 and a.eigenvalues.shape == (1,)


def test_answers_have_forms(pendulum, tmp_path):
    a = pendulum.statics(units="angle=deg")
    assert a["measures"].values.ravel()[0] % 360 == pytest.approx(270, abs=1e-5)
    for name in ("a.txt", "a.json", "a.tex") + (("a.h5", "a.mat") if holonom.features()["hdf5"].built else ()):
        a.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 50
    assert "stiffness" in str(a) and a.to_json().startswith("{") and "least_stiffness" in dir(a)
    values = a["stiffness"].values
    assert not values.flags.owndata and not values.flags.writeable
    del a
    assert np.isfinite(values).any()
    with pytest.raises(AttributeError, match="has no 'nothing'"):
        pendulum.statics().nothing
    with pytest.raises(KeyError):
        pendulum.statics()["nothing"]
    pandas = pytest.importorskip("pandas")
    table = pendulum.statics()["stiffness"]
    assert isinstance(table.to_pandas(), pandas.DataFrame) and "<table>" in table._repr_html_()
