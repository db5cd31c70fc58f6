"""What the tests share: models of the repository."""
import os
import pathlib
import sys

import pytest

import holonom

ROOT = pathlib.Path(os.environ.get("HOLONOM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

HAS = {name: feature.built for name, feature in holonom.features().items()}
needs = {name: pytest.mark.skipif(not built, reason=f"built without {name}") for name, built in HAS.items()}

PENDULUM = """\
holonom: 1
name: pendulum
space: planar
gravity: [0, -9.81]
parameters:
  L: 600 mm
  m: 2.5
bodies:
  rod: {mass: m, inertia: m*L^2/12, position: [L/2, 0]}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}
measures:
  angle: {type: angle, body: rod}
simulation: {end: 2, tolerance: 1e-10}
"""


@pytest.fixture
def models() -> pathlib.Path:
    return ROOT / "models"


@pytest.fixture
def four_bar(models):
    return holonom.load(models / "four_bar.yaml")


@pytest.fixture
def pendulum():
    return holonom.parse(PENDULUM, "pendulum.yaml")
