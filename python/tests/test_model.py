"""Models from files, text and calls; parameters; messages with their places."""
import pickle

import numpy as np
import pytest

import holonom
from conftest import PENDULUM


def test_file(four_bar):
    assert four_bar.name == "planar four-bar" and four_bar.space == "planar"
    assert four_bar.bodies == ["crank", "coupler", "follower"] and four_bar.joints == ["A", "B", "C", "D"]
    assert four_bar.sizes["n_constraints"] == 8 and len(four_bar.constraints) == 8 and len(four_bar.velocities) == 9
    assert four_bar.measures[0].name == "crank_angle" and four_bar.measures[0].unit == "rad"
    assert np.array_equal(four_bar.gravity, [0, -9.81, 0])
    assert four_bar.options["tolerance"] == 1e-9 and four_bar.options["end"] == 10
    assert four_bar.body("coupler")["mass"] == 2.25
    joint = four_bar.joint("B")
    assert joint["type"] == "revolute" and joint["bodies"] == ("crank", "coupler") and joint["line"] > 0


def test_parameters_have_values_and_units(four_bar, pendulum):
    p = four_bar.parameters
    assert p["L2"] == 2 and p["start"] == pytest.approx(np.pi / 3, abs=1e-15)
    # the closure of the loop, written out by hand
    dx, dy = 2.5 - 2 * np.cos(np.pi / 3), -2 * np.sin(np.pi / 3)
    d = np.hypot(dx, dy)
    assert p["phi"] == pytest.approx(np.arctan2(dy, dx) + np.arccos((16 + d * d - 16) / (8 * d)), abs=1e-14)
    assert pendulum.parameters["L"] == 0.6 and pendulum.parameter_units["L"] == "m" and pendulum.parameter_units["m"] == ""
    with pytest.raises(TypeError):
        p["L2"] = 3


def test_replace_makes_another_model(pendulum):
    longer = pendulum.replace({"bodies.rod.mass": 3.1}, L="75 cm", end=0.5)
    assert longer.parameters["L"] == 0.75 and longer.body("rod")["mass"] == 3.1 and longer.options["end"] == 0.5
    assert pendulum.parameters["L"] == 0.6 and pendulum.body("rod")["mass"] == 2.5
    assert longer.body("rod")["inertia"][2, 2] == pytest.approx(2.5 * 0.75**2 / 12, rel=1e-15)
    assert pendulum.replace(gravity=[0, -1.62]).gravity[1] == -1.62
    with pytest.raises(holonom.InputError, match="neither a parameter"):
        pendulum.replace(length=3)
    with pytest.raises(ValueError, match="finite"):
        pendulum.replace(L=float("nan"))


def test_rewrite_keeps_the_text(pendulum):
    text = pendulum.rewrite({"L": 0.7})
    assert "L: 700" in text and "# " not in text and text.splitlines()[5:7] != PENDULUM.splitlines()[5:7]
    assert holonom.parse(text).parameters["L"] == pytest.approx(0.7, rel=1e-15)


def test_builder_makes_the_same_model(pendulum):
    b = holonom.Builder("pendulum", space="planar", gravity=[0, -9.81])
    b.parameter("L", "600 mm").parameter("m", 2.5)
    b.body("rod", mass="m", inertia="m*L^2/12", position=["L/2", 0])
    b.joint("pin", "revolute", bodies=["ground", "rod"], at=[0, 0])
    b.measure("angle", "angle", body="rod")
    m = b.build(end=2, tolerance=1e-10)
    assert m.run()["angle"].tobytes() == pendulum.run()["angle"].tobytes()


def test_builder_takes_nested_values_and_arrays():
    b = holonom.Builder("m", space="spatial", gravity=np.array([0, 0, -9.81]))
    b.body("ball", mass=1.2, inertia=[0.1, 0.2, 0.3], position=(0.1, 0.2, 0.3),
           draw=[{"type": "sphere", "radius": 0.2, "color": "#ff0000"}])
    m = b.build(end=0.3)
    r = m.run()
    assert r.bodies["ball"].position[-1, 2] == pytest.approx(0.3 - 9.81 / 2 * 0.09, abs=1e-9)


def test_builder_mistakes_have_names():
    b = holonom.Builder("m")
    b.body("rod", mass=1, inertia=1)
    with pytest.raises(holonom.InputError, match="already in bodies"):
        b.body("rod", mass=1)
    b = holonom.Builder("m")
    b.body("rod", mass=1, inertia=1)
    b.joint("pin", "revolut", bodies=["ground", "rod"], at=[0, 0])
    with pytest.raises(holonom.InputError, match="revolute") as caught:
        b.build()
    assert caught.value.element == "joint 'pin'"
    with pytest.raises(TypeError, match="a value of a model"):
        holonom.Builder("m").body("x", mass=object())
    with pytest.raises(ValueError, match="not a finite number"):
        holonom.Builder("m").body("x", mass=float("inf"))


def test_errors_carry_places_and_all_messages():
    text = PENDULUM.replace("mass: m", "mass: -1").replace("type: angle", "type: angel").replace("tolerance", "tolerence")
    with pytest.raises(holonom.InputError) as caught:
        holonom.parse(text, "bad.yaml")
    error = caught.value
    assert len([m for m in error.messages if m.severity == "error"]) == 3
    places = {(m.file, m.line): m for m in error.messages}
    assert places["bad.yaml", 9].element == "body 'rod'" and places["bad.yaml", 9].column > 1
    assert "did you mean" in places["bad.yaml", 13].hint or "angle" in places["bad.yaml", 13].text
    assert ("bad.yaml", 14) in places and "tolerance" in places["bad.yaml", 14].text
    assert error.file == "bad.yaml" and error.line == error.messages[0].line and str(error).count("\n") == 2
    assert isinstance(error, ValueError) and isinstance(error, holonom.Error)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(holonom.Error, match="nothing_here.yaml"):
        holonom.load(tmp_path / "nothing_here.yaml")


def test_includes_stay_below_their_root(tmp_path):
    inside = tmp_path / "a"
    inside.mkdir()
    (tmp_path / "common.yaml").write_text("parameters: {L: 0.6, m: 2.5}\n")
    (inside / "m.yaml").write_text(PENDULUM.replace("parameters:\n  L: 600 mm\n  m: 2.5", "include: [../common.yaml]"))
    with pytest.raises(holonom.Error):
        holonom.load(inside / "m.yaml")
    assert holonom.load(inside / "m.yaml", include_root=tmp_path).parameters["L"] == 0.6


def test_pickle(pendulum):
    again = pickle.loads(pickle.dumps(pendulum))
    assert again.run()["angle"].tobytes() == pendulum.run()["angle"].tobytes()


def test_fields(models):
    spring = holonom.parse(holonom.elements("forces")[0].example)
    assert spring.forces
    m = holonom.load(models / "five_bar.yaml")
    assert m.element(f"joints.{m.joints[0]}").startswith("{type:")
    with pytest.raises(holonom.Error):
        m.field("forces.nothing.stiffness")


def test_wrong_types():
    with pytest.raises(TypeError):
        holonom.load(3)
    with pytest.raises(TypeError):
        holonom.parse(b"holonom: 1")
    with pytest.raises(ValueError):
        holonom.parse("holonom: 1\0")
