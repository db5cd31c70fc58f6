"""Studies: the same numbers by processes and threads as by single runs, progress, ends, logs, errors."""
import numpy as np
import pytest

import holonom

PENDULUM = """
holonom: 1
name: pendulum
space: planar
gravity: [0, -9.81]
parameters: {L: 0.83 m, lift: 37 deg}
bodies:
  rod: {mass: 1.27, inertia: 0.0715, along: [[0, 0], [L*cos(lift), L*sin(lift)]]}
joints:
  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}
measures:
  swing: {type: angle, body: rod}
simulation: {end: 0.4, tolerance: 1e-7}
"""


@pytest.fixture
def keys(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.yaml").write_text(PENDULUM)
    return {"model": "p.yaml", "factors": {"L": {"mean": "0.8 m", "deviation": "10 mm"}, "lift": {"from": "20 deg", "to": "50 deg"}},
            "design": "sobol", "cases": 40, "responses": {"last": "end swing", "least": "min swing", "when": "when min swing"}}


def test_columns(keys, tmp_path):
    a = holonom.study(keys)
    assert a.done == 40 and a.failed == 0 and len(a.cases) == 40
    assert a.cases.column_units[1:4] == ["m", "rad", "rad"]
    m = holonom.load("p.yaml")
    for k in (3, 17):
        row = dict(zip(a.cases.column_names, a.cases[k]))
        r = m.replace(L=row["L"], lift=row["lift"]).run()
        assert r["swing"][-1] == pytest.approx(row["last"], abs=1e-12)
    b = holonom.study(keys, threads=2)
    assert np.array_equal(a.cases.values, b.cases.values)
    (tmp_path / "s.yaml").write_text(str(keys).replace("'", '"'))
    c = holonom.study(tmp_path / "s.yaml", processes=3, log="s.cases")
    assert np.array_equal(a.cases.values, c.cases.values)
    d = holonom.study("s.yaml", so_far=True, log="s.cases")
    assert np.array_equal(a.cases.values, d.cases.values)


def test_progress(keys):
    keys["cases"] = 1000000
    heard = []

    def tell(done, cases, failed, seconds, left):
        heard.append((done, cases, failed, seconds, left))
        return done > 100

    a = holonom.study(keys, processes=2, progress=tell)
    assert 100 < a.done < 1000000 and heard[-1][1] == 1000000 and heard[-1][2] == 0

    def break_down(*numbers):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        holonom.study(keys, processes=2, progress=break_down)


def test_errors(keys):
    keys["responses"] = {"last": "end swim"}
    with pytest.raises(holonom.InputError, match="swim"):
        holonom.study(keys)
    with pytest.raises(ValueError):
        holonom.study(keys, processes=1, threads=1)
    with pytest.raises(holonom.Error, match="nowhere"):
        holonom.study("nowhere.yaml")
