"""Models: read, asked, run."""
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _core
from ._answer import Answer
from ._build import text_of
from ._errors import Error
from ._fmu import Fmu, runtime
from ._pages import Path, Picture, path_of
from ._result import Result
from ._simulation import EventFunction, Force, Observer, Simulation, settle_of
from ._tables import add_doc, options_doc

if TYPE_CHECKING:
    from typing import Unpack

    from ._core import Data
    from ._options import Options

Vary = Union[Mapping[str, tuple[Optional[float], Optional[float]]], Sequence[str]]
Attempt = Callable[[dict[str, Any]], Any]


class Measure(NamedTuple):
    """A measured column: its name, SI unit, frame and meaning."""

    name: str
    unit: str
    frame: str
    doc: str


class Velocity(NamedTuple):
    """What an entry of v is."""

    name: str
    unit: str


class Constraint(NamedTuple):
    """What a row of A is: of which element, in which direction, and where that stands."""

    element: str
    direction: str
    file: Optional[str]
    line: int
    column: int


def _listed(value: Union[str, Sequence[str]]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _bounds(vary: Vary) -> list[str]:
    """{"L2": (0.1, 0.5)} as "L2=0.1:0.5"; a side that is None is open."""
    if not isinstance(vary, Mapping):
        return _listed(vary)
    words = []
    for name, bounds in vary.items():
        low, high = bounds if bounds is not None else (None, None)
        side = ["" if x is None else text_of(x) for x in (low, high)]
        words.append(name if side == ["", ""] else f"{name}={side[0]}:{side[1]}")
    return words


class Model:
    """A mechanism. It never changes, so that threads may share it: `replace` makes another one.

    Read it with holonom.load(path) or holonom.parse(text), or build it with holonom.Builder.
    """

    def __init__(self, description: "_core.Description", massless: bool = False):
        if massless:
            description.allow_massless()
        self._description = description
        self._massless = massless
        self._models: dict[str, "_core.Model"] = {}
        self._compiled_code: Optional["_core.Code"] = None
        self._info: dict[str, Any] = {"name": "(not read)"}
        self._options = self._check()
        self._info = self._plain.info()

    def _check(self) -> "_core.Options":
        """The options; everything that is wrong with them and with the description is raised together."""
        problems: list[Error] = []
        options = None
        try:
            options = self._description.copy().options()
        except Error as error:
            problems.append(error)
        try:
            self._compiled(options.coordinates(False) if options else "auto")
        except Error as error:
            problems.append(error)
        if len(problems) == 1:
            raise problems[0]
        if problems:
            messages = [message for error in problems for message in error.messages]
            raise type(problems[-1])("\n".join(str(error) for error in problems), messages, problems[-1].status)
        assert options is not None
        return options

    def _compiled(self, coordinates: str) -> "_core.Model":
        if coordinates not in self._models:
            self._models[coordinates] = self._description.copy().compile(coordinates)
        return self._models[coordinates]

    @property
    def _plain(self) -> "_core.Model":
        return self._compiled(self._options.coordinates(False))

    def _options_with(self, given: Mapping[str, Any]) -> "_core.Options":
        options = self._options.copy()
        for name, value in given.items():
            options.set(name, value)
        return options

    def _description_with(self, given: Mapping[str, Any]) -> "_core.Description":
        description = self._description.copy()
        for name, value in given.items():
            description.set(f"simulation.{name}", text_of(value), "option")
        return description

    def _with_options(self, given: Mapping[str, Any]) -> "Model":
        self._options_with(given)  # for its messages
        return Model(self._description_with(given), massless=self._massless)

    def _code(self) -> "_core.Code":
        """Machine code for the description, made once."""
        if self._compiled_code is None:
            self._compiled_code = _core.compile_code(self._description.copy(), None, None)
        return self._compiled_code

    def __reduce__(self) -> Any:
        return _unpickle, (self._description.copy().text(), self.source or self.name, self._massless)

    # ---- what it is ----

    @property
    def name(self) -> str:
        return self._info["name"]

    @property
    def source(self) -> str:
        """The file it was read from; "" where there is none."""
        return self._info["source"]

    @property
    def space(self) -> str:
        """"planar" or "spatial"."""
        return self._info["space"]

    @property
    def coordinates(self) -> str:
        """What q is, for Model.data and analyses; a run may choose others."""
        return self._info["coordinates"]

    @property
    def text(self) -> str:
        """The description as a model file."""
        return self._description.copy().text()

    @property
    def sizes(self) -> dict[str, int]:
        """n_q, n_v, n_constraints, n_holonomic, n_bodies, n_joints, n_forces, n_measures …"""
        return {key: value for key, value in self._info.items() if key.startswith("n_")}

    @property
    def parameters(self) -> Mapping[str, float]:
        """The values of the parameters, in SI units. Other values: replace()."""
        return MappingProxyType({name: value for name, value, _ in self._plain.names("parameters")})

    @property
    def parameter_units(self) -> Mapping[str, str]:
        """Their SI units, where they were given with a unit."""
        return MappingProxyType({name: unit for name, _, unit in self._plain.names("parameters")})

    @property
    def bodies(self) -> list[str]:
        return self._plain.names("bodies")

    @property
    def joints(self) -> list[str]:
        return self._plain.names("joints")

    @property
    def forces(self) -> list[str]:
        return self._plain.names("forces")

    @property
    def measures(self) -> list[Measure]:
        return [Measure(*row) for row in self._plain.names("measures")]

    @property
    def velocities(self) -> list[Velocity]:
        """What the entries of v are, in `coordinates`."""
        return [Velocity(*row) for row in self._plain.names("velocities")]

    @property
    def constraints(self) -> list[Constraint]:
        """What the rows of A are, in `coordinates`."""
        return [Constraint(*row) for row in self._plain.names("constraints")]

    @property
    def gravity(self) -> np.ndarray:
        return self._plain.gravity()

    @property
    def options(self) -> dict[str, Any]:
        """The options that a run has unless it is given others."""
        return {row[0]: self._options.get(row[0]) for row in _core.options()}

    def body(self, name: str) -> dict[str, Any]:
        """Mass, mass centre and inertia of a body, in its frame."""
        return self._plain.body(name)

    def joint(self, name: str) -> dict[str, Any]:
        """Type, bodies, point and axis (on each body, in its frame) and place of a joint."""
        return self._plain.joint(name)

    def force(self, name: str) -> dict[str, Any]:
        """The same of a force."""
        return self._plain.force(name)

    def field(self, path: str) -> Union[float, np.ndarray]:
        """The numbers of a field of an element, such as "forces.spring.stiffness", as the model has them."""
        values = self._plain.field(path)
        return float(values[0]) if len(values) == 1 else values

    def element(self, path: str) -> str:
        """All that an element was given, by a path such as "joints.A"."""
        return self._plain.element_text(path)

    # ---- other models ----

    def replace(self, values: Optional[Mapping[str, Any]] = None, /, **named: Any) -> "Model":
        """The model with other values of parameters, options of the simulation or anything by its path:
        m.replace(L2=0.35, end=2), m.replace({"bodies.crank.mass": 2, "gravity": [0, 0]}). Numbers are in SI units; a str is an
        expression or a number with a unit."""
        description = self._description.copy()
        for path, value in {**(values or {}), **named}.items():
            description.set(path, text_of(value), "replace()")
        return Model(description, massless=self._massless)

    def rewrite(self, values: Mapping[str, float]) -> str:
        """The model file that this was read from with other numbers, all else as it is written there."""
        return self._description.copy().rewrite(list(values), [float(x) for x in values.values()])

    def save(self, path: Path) -> None:
        """Write the description to a model file."""
        with open(path_of(path), "w", encoding="utf-8") as file:
            file.write(self.text)

    # ---- runs ----

    def simulation(self, *, force: Optional[Force] = None, compiled: bool = False, **options: "Unpack[Options]") -> Simulation:
        """A simulation, to be driven by step(), advance(t) or run(), with options for this one.

        force(data): forces of your own, added at each evaluation (see Simulation). compiled: evaluate the equations with machine
        code that the C compiler makes for this mechanism."""
        return Simulation(self, force=force, compiled=compiled, **options)

    def run(self, *, force: Optional[Force] = None, on_output: Optional[Observer] = None, on_step: Optional[Observer] = None,
            on_event: Optional[Callable[[Simulation, dict[str, Any]], Any]] = None,
            events: Optional[Mapping[str, EventFunction]] = None, record: bool = True, compiled: bool = False,
            **options: "Unpack[Options]") -> Result:
        """Simulate, and return the result. force, compiled: see simulation(); on_output, on_step, on_event, events, record: see
        Simulation.run(). All other keywords are options of the simulation."""
        simulation = Simulation(self, force=force, compiled=compiled, **options)
        return simulation.run(on_output=on_output, on_step=on_step, on_event=on_event, events=events, record=record)

    def data(self) -> "Data":
        """The state as drawn, in `coordinates`: set(t, q, v), term("M"), reaction("A"), …"""
        return _core.Data(self._plain)

    # ---- analyses ----

    def _ask(self, name: str, options: dict[str, Any], units: Optional[str] = None, function: Optional[Attempt] = None,
             sim: Any = None) -> Answer:
        return Answer(_core.ask(name, self._description.copy(), sim, options, function), units)

    def _at(self, at: Optional[float]) -> Simulation:
        """A simulation in the coordinates of the model, at a time."""
        options = self._options.copy()
        simulation = _core.Sim.__new__(Simulation, self._plain, options)
        simulation.model, simulation._force, simulation._given, simulation._is_compiled = self, None, {}, False
        if at is not None:
            simulation.advance(at)
        return simulation

    def equations(self, at: Optional[float] = None, units: Optional[str] = None) -> Answer:
        """The equations of motion at the start, or at the time `at`: M, Q, A, Phi, b, c, R, accelerations, lambda …"""
        return self._at(at).equations(units)

    def formulas(self, name_all: bool = False) -> Answer:
        """The equations of motion of a small model as formulas of its coordinates and parameters; the tables have `formulas` and
        `latex`."""
        return self._ask("symbolic", {"name_all": name_all})

    def assemblies(self, starts: int = 0, hold: Optional[str] = None, units: Optional[str] = None) -> Answer:
        """The ways in which the mechanism can be put together: tables assemblies, poses, joints."""
        return self._ask("assemblies", {"starts": starts, "hold": hold}, units)

    def kinematics(self, cycle: Optional[str] = None, points: int = 0, turns: float = 0, loads: bool = False,
                   transmission: Optional[str] = None, motion: bool = True, units: Optional[str] = None) -> Answer:
        """The motion that drivers determine, without integration: tables motion, extremes, curves, singular, loads."""
        sim = _core.Sim.__new__(Simulation, self._plain, self._options.copy(), None, True)
        return self._ask("kinematics", {"cycle": cycle, "points": points, "turns": turns, "loads": loads,
                                        "transmission": transmission, "motion": motion}, units, sim=sim)

    def workspace(self, drivers: Mapping[str, tuple[float, float]], point: str, points: int = 0,
                  units: Optional[str] = None) -> Answer:
        """Where a measured point can be brought by two drivers: workspace({"m1": (0, 1), "m2": (-1, 1)}, "tip")."""
        sim = _core.Sim.__new__(Simulation, self._plain, self._options.copy(), None, True)
        return self._ask("workspace", {"drivers": dict(drivers), "point": point, "points": points}, units, sim=sim)

    def inverse(self, actuators: Optional[Mapping[str, Optional[Mapping[str, float]]]] = None,
                motion: Union[Path, Result, None] = None, units: Optional[str] = None) -> Answer:
        """The loads of actuators that a motion takes: that of a run of this model, or of a result (a file, or one in memory).
        actuators: {"hip": {"weight": 2, "low": -20, "high": 20}, "knee": None}; none: the joints that are driven."""
        options: dict[str, Any] = {"actuators": actuators and {k: v and dict(v) for k, v in actuators.items()}, "motion": None}
        if isinstance(motion, Result):
            with motion._file("motion.h5") as path:
                return self._ask("inverse", {**options, "motion": path}, units)
        if motion is not None:
            options["motion"] = path_of(motion)
        return self._ask("inverse", options, units)

    def statics(self, time: Optional[float] = None, search: Optional[str] = None, tolerance: float = 0, steady: bool = False,
                starts: int = 0, reach: float = 0, vary: Optional[str] = None, from_: float = 0, to: float = 0, points: int = 0,
                preload: Sequence[str] = (), units: Optional[str] = None) -> Answer:
        """Where the mechanism rests and whether it stays there; from several starts; over a parameter (vary, from_, to); or the
        preloads that hold it as drawn."""
        return self._ask("statics", {"time": time, "search": search, "tolerance": tolerance, "steady": steady, "starts": starts,
                                     "reach": reach, "vary": vary, "from_": from_, "to": to, "points": points,
                                     "preload": list(preload)}, units)

    def linearize(self, about: str = "state", at: Optional[float] = None, inputs: Sequence[str] = (), outputs: Sequence[str] = (),
                  frequencies: Optional[tuple[float, float]] = None, n_frequencies: int = 0, period: float = 0,
                  units: Optional[str] = None) -> Answer:
        """Small motions about the start, or the state at the time `at`: see Simulation.linearize()."""
        return self._at(at).linearize(about, inputs, outputs, frequencies, n_frequencies, period, units)

    def locus(self, parameter: str, from_: float, to: float, n: int = 0, at: float = 0, about: str = "state",
              units: Optional[str] = None) -> Answer:
        """The eigenvalues over a parameter: tables locus and crossings."""
        return self._ask("locus", {"parameter": parameter, "from_": from_, "to": to, "n": n, "at": at,
                                   "settle": settle_of(about)}, units)

    def gears(self, shafts: Sequence[str], loads: Sequence[str] = (), at: Optional[float] = None,
              units: Optional[str] = None) -> Answer:
        """A gear train at the start, or at the time `at`: see Simulation.gears()."""
        return self._at(at).gears(shafts, loads, units)

    def sensitivity(self, parameters: Sequence[str] = (), goals: Union[str, Sequence[str], None] = None, by: Optional[str] = None,
                    tolerance: float = 0, points: int = 0, units: Optional[str] = None) -> Answer:
        """The derivatives of goals of a run ("max pin.fx", "end tip.x") by parameters: tables goals, sensitivity, scaled."""
        text = None if goals is None else ", ".join(_listed(goals))
        return self._ask("sensitivity", {"parameters": _listed(parameters), "goals": text, "by": by, "tolerance": tolerance,
                                         "points": points}, units)

    def _found(self, answer: Answer) -> Answer:
        text = answer.model_text
        answer.model = None if text is None else parse(text, self.source or self.name, massless=self._massless)
        return answer

    def optimize(self, vary: Vary, minimize: Union[str, Sequence[str]] = (), maximize: Union[str, Sequence[str]] = (),
                 subject: Union[str, Sequence[str]] = (), algorithm: Optional[str] = None, by: Optional[str] = None,
                 tolerance: float = 0, evaluations: int = 0, seed: int = 0, on_attempt: Optional[Attempt] = None,
                 units: Optional[str] = None, starts: int = 0, population: int = 0, threads: int = 1, log: Optional[Path] = None,
                 fresh: bool = False) -> Answer:
        """Parameters that make goals of a run small, between bounds and under constraints:

            a = m.optimize({"L3": (3.5, 4.5)}, minimize="max C.force", subject="end angle >= 0.1")
            a["parameters"], a.value, a.model

        on_attempt(attempt) hears of each evaluation and ends the search with what is true. `model` of the answer is the model with
        the values found. starts: so many searches from points between the bounds, told in the tables `optima` and `starts`; they and the
        algorithm "evolution" run on threads, go on from a log after they were ended, and do not call on_attempt."""
        return self._found(self._ask("optimize", {
            "starts": starts, "population": population, "threads": threads, "log": None if log is None else path_of(log), "fresh": fresh,
            "vary": _bounds(vary), "minimize": _listed(minimize), "maximize": _listed(maximize), "subject": _listed(subject),
            "algorithm": algorithm, "by": by, "tolerance": tolerance, "evaluations": evaluations, "seed": seed, "model": True},
            units, on_attempt))

    def identify(self, vary: Vary, data: Union[Path, Mapping[str, Any]], fit: Union[str, Sequence[str]] = (), tolerance: float = 0,
                 evaluations: int = 0, on_attempt: Optional[Attempt] = None, units: Optional[str] = None) -> Answer:
        """Parameters that make measures follow data: a file (.csv, .h5), or columns by name with "time" among them. fit: "tip.x",
        "tip.x=x", "tip.x=x:2.5" (a column and a weight)."""
        options = {"vary": _bounds(vary), "fit": _listed(fit), "tolerance": tolerance, "evaluations": evaluations, "model": True}
        if not isinstance(data, Mapping):
            return self._found(self._ask("identify", {**options, "data": path_of(data)}, units, on_attempt))
        from ._pages import scratch

        with scratch("data.csv") as (path,):
            _write_columns(path, data)
            return self._found(self._ask("identify", {**options, "data": path}, units, on_attempt))

    def certify(self, digits: float = 0, points: int = 0, refine: bool = False, quick: bool = False,
                conserved: Union[str, Sequence[str], None] = None, samples: Optional[Mapping[str, Any]] = None,
                units: Optional[str] = None) -> Answer:
        """How many digits of a run are certain, or of samples ({"time": …, "tip.x": …}) in its place; `certified` is 1 or 0."""
        text = None if conserved is None else ", ".join(_listed(conserved))
        return self._ask("certify", {"digits": digits, "points": points, "refine": refine, "quick": quick, "conserved": text,
                                     "samples": None if samples is None else dict(samples)}, units)

    def generate(self, folder: Path, name: Optional[str] = None, integrator: Optional[str] = None, step: float = 0,
                 parameters: Sequence[str] = (), lanes: int = 0) -> Answer:
        """Standalone C99 code that makes the steps of a run, with a test and a Makefile, into a folder."""
        return self._ask("generate", {"folder": path_of(folder), "name": name, "integrator": integrator, "step": step,
                                      "parameters": list(parameters), "lanes": lanes})

    def fmu(self, path: Path, version: int = 2, inputs: Union[str, Sequence[str]] = (), sources: bool = False,
            tunable: Union[str, Sequence[str]] = (), name: Optional[str] = None, module: Optional[Path] = None) -> Fmu:
        """Write the model as an FMU for other simulation programs, of the standard FMI 2.0 or (version=3) 3.0.

        inputs: beside the variables of the model, parameters that laws read, loads on bodies ("rod.fx"), and joints for a torque
        about their axis. tunable: parameters that can change during a run. sources: C99 code for any compiler in place of the
        binary. name: its identifier (default: from the name of the file). module: the runtime holonom_fmu.so that goes into a
        binary (default: that of this build or installation)."""
        file = module if module is not None else None if sources else runtime()
        return Fmu(*_core.write_fmu(self._description.copy(), path_of(path), {
            "version": version, "inputs": _listed(inputs), "sources": sources, "tunables": _listed(tunable), "name": name,
            "module": None if file is None else path_of(file)}))

    # ---- looks ----

    def picture(self, **how: Any) -> Picture:
        """The mechanism as it starts: see Simulation.picture()."""
        return self._at(None).picture(**how)

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.picture().svg
        except Error:  # a model that cannot be assembled, or no picture can be made: its text has to do
            return None

    def __repr__(self) -> str:
        i = self._info
        return (f"<Model {self.name}: {i['space']}, {i['n_bodies']} bodies, {i['n_joints']} joints, {i['n_forces']} forces, "
                f"{i['n_measures']} measured columns>")


def _write_columns(path: str, data: Mapping[str, Any]) -> None:
    """Columns by name as a CSV file, the time first."""
    import csv

    names = ["time"] + [name for name in data if name != "time"]
    if "time" not in data:
        raise ValueError("the data need a column 'time'")
    columns = [np.asarray(data[name], dtype=float) for name in names]
    if any(column.shape != columns[0].shape or column.ndim != 1 for column in columns):
        raise ValueError("all columns of the data must have one dimension and the same length")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*([repr(float(x)) for x in column] for column in columns)))


def _unpickle(text: str, name: str, massless: bool) -> Model:
    return parse(text, name, massless=massless)


def load(path: Path, *, massless: bool = False, include_root: Optional[Path] = None) -> Model:
    """Read a model file (YAML or JSON). All that is wrong with it is raised at once, with file, line and column.

    massless: bodies may lack masses, for kinematics and assemblies. include_root: the folder in which files that it names may lie
    (default: its own); "": none."""
    description = _core.Description()
    description.read_file(path_of(path), None if include_root is None else path_of(include_root))
    return Model(description, massless=massless)


def parse(text: str, name: str = "text", *, massless: bool = False, include_root: Optional[Path] = None) -> Model:
    """Read a model from a text; `name` stands for the file in messages, and files that it names are sought beside it."""
    description = _core.Description()
    description.read_text(text, name, None if include_root is None else path_of(include_root))
    return Model(description, massless=massless)


add_doc(Model.run, options_doc())
add_doc(Model.simulation, options_doc())

