"""Models as FMUs: what the archive describes, and a run of its binary as an importer makes it."""
import ctypes
import xml.etree.ElementTree as xml
import zipfile

import pytest

import holonom
from conftest import PENDULUM, needs
from holonom import _fmu

pytestmark = needs["zip"]
binary = pytest.mark.skipif(_fmu.runtime() is None, reason="built without the runtime of FMUs")

DAMPED = PENDULUM.replace("  m: 2.5\n", "  m: 2.5\n  D: 0.31\n") + "forces:\n  drag: {type: torsion, joint: pin, torque: -D*rate}\n"


def described(path):
    """modelDescription.xml, the files, and {name: (reference, causality, variability)}."""
    with zipfile.ZipFile(path) as archive:
        root, names = xml.fromstring(archive.read("modelDescription.xml")), archive.namelist()
    found = {v.get("name"): (int(v.get("valueReference")), v.get("causality"), v.get("variability")) for v in root.find("ModelVariables")}
    return root, names, found


class Callbacks(ctypes.Structure):
    """fmi2CallbackFunctions."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("logger", "allocate", "free", "finished", "environment")]


class Slave:
    """An FMU of version 2.0 in co-simulation."""

    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        root, names, self.variables = described(path)
        libc = ctypes.CDLL(None)
        log = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)(lambda *words: None)
        address = [ctypes.cast(f, ctypes.c_void_p).value for f in (log, libc.calloc, libc.free)]
        self.kept = log, Callbacks(*address, None, None)
        self.lib = ctypes.CDLL(str(folder / next(name for name in names if name.endswith(".so"))))
        self.lib.fmi2Instantiate.restype = ctypes.c_void_p
        self.at = ctypes.c_void_p(self.lib.fmi2Instantiate(b"rod", 1, root.get("guid").encode(), (folder / "resources").as_uri().encode(),
                                                           ctypes.byref(self.kept[1]), 0, 0))
        assert self.at

    def call(self, name, *words):
        assert getattr(self.lib, name)(self.at, *words) == 0, name

    def start(self):
        self.call("fmi2SetupExperiment", 0, ctypes.c_double(0), ctypes.c_double(0), 0, ctypes.c_double(0))
        self.call("fmi2EnterInitializationMode")
        self.call("fmi2ExitInitializationMode")

    def set(self, name, value):
        self.call("fmi2SetReal", ctypes.byref(ctypes.c_uint(self.variables[name][0])), ctypes.c_size_t(1), ctypes.byref(ctypes.c_double(value)))

    def get(self, name):
        value = ctypes.c_double()
        self.call("fmi2GetReal", ctypes.byref(ctypes.c_uint(self.variables[name][0])), ctypes.c_size_t(1), ctypes.byref(value))
        return value.value

    def step(self, t, h):
        self.call("fmi2DoStep", ctypes.c_double(t), ctypes.c_double(h), 1)


@binary
def test_fmu(tmp_path):
    m = holonom.parse(DAMPED, "rod.yaml")
    made = m.fmu(tmp_path / "rod.fmu", inputs=["pin"], tunable="D")
    root, names, found = described(tmp_path / "rod.fmu")
    assert root.get("fmiVersion") == "2.0" and root.get("guid") == made.token and made.exchanges and made.step == 0
    assert found["pin_torque"][1] == "input" and found["L"][1:] == ("parameter", "fixed") and found["D"][1:] == ("parameter", "tunable")
    assert found["angle"][1] == "output" and made[1:4] == (3, 1, 1)
    m.fmu(tmp_path / "three.fmu", version=3)
    assert described(tmp_path / "three.fmu")[0].get("fmiVersion") == "3.0"


@binary
def test_run_of_an_fmu(tmp_path):
    """The same bits as a run here; and with a torque from outside and another damping, what a run with these gives."""
    m = holonom.parse(DAMPED, "rod.yaml")
    m.fmu(tmp_path / "plain.fmu")
    slave, sim = Slave(tmp_path / "plain.fmu", tmp_path / "plain"), m.simulation()
    slave.start()
    for i in range(4):
        slave.step(0.25 * i, 0.25)
        sim.advance(0.25 * (i + 1))
        assert slave.get("angle") == sim.data.measure("angle")
    m.fmu(tmp_path / "driven.fmu", inputs="pin", tunable=["D"])
    slave = Slave(tmp_path / "driven.fmu", tmp_path / "driven")
    slave.start()
    slave.set("pin_torque", 1.7)
    slave.set("D", 0.83)
    slave.step(0, 0.5)
    sim = m.replace(D=0.83).simulation(force=lambda data: data.add_torque("rod", 1.7))
    sim.advance(0.5)
    assert slave.get("angle") == pytest.approx(sim.data.measure("angle"), abs=1e-8)
    undriven = m.simulation()
    undriven.advance(0.5)
    assert abs(slave.get("angle") - undriven.data.measure("angle")) > 0.05


def test_fmu_of_sources(tmp_path):
    m = holonom.parse(DAMPED, "rod.yaml")
    made = m.fmu(tmp_path / "rod.fmu", sources=True, tunable=["D"], name="my_rod")
    root, names, found = described(tmp_path / "rod.fmu")
    assert made.step > 0 and root.find("CoSimulation").get("modelIdentifier") == "my_rod"
    assert any(name.startswith("sources/") for name in names) and not any(name.startswith("binaries/") for name in names)
    assert found["D"][1:] == ("parameter", "tunable")


def test_mistakes(pendulum, tmp_path):
    path = tmp_path / "rod.fmu"
    with pytest.raises(holonom.Error, match="rud"):
        pendulum.fmu(path, inputs=["rud.fx"], sources=True)
    with pytest.raises(holonom.Error, match="version|FMI"):
        pendulum.fmu(path, version=4, sources=True)
    with pytest.raises(holonom.Error, match="nowhere.so"):
        pendulum.fmu(path, module=tmp_path / "nowhere.so")
    with pytest.raises(TypeError, match="PathLike"):
        pendulum.fmu(3)
    assert not path.exists()
