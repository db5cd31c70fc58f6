"""A simulation: driven a step at a time, to a time, or whole."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

from . import _core
from ._answer import Answer
from ._errors import Message, messages_from
from ._pages import Path, Picture, bits, path_of, read_text, scratch
from ._result import Result, result_of_run
from ._tables import add_doc, options_doc

if TYPE_CHECKING:
    from typing import Unpack

    from ._core import Data
    from ._model import Model
    from ._options import Options

Force = Callable[["Data"], None]
Observer = Callable[["Simulation"], Any]
EventFunction = Callable[["Data"], float]

_SETTLE = {"state": 0, "steady": 1, "equilibrium": 2}


def settle_of(about: str) -> int:
    if about not in _SETTLE:
        raise ValueError(f"about takes state, steady or equilibrium, not '{about}'")
    return _SETTLE[about]


class _Watch:
    """Functions of the state whose zeros are found: their signs at the steps, and a twin of the simulation that goes from the step
    before to the times in between."""

    def __init__(self, simulation: "Simulation", functions: Mapping[str, EventFunction]):
        if not isinstance(functions, Mapping) or not all(callable(function) for function in functions.values()):
            raise TypeError("events must be a dict of functions of the data by name")
        self._simulation, self._functions = simulation, dict(functions)
        self._before: Optional[tuple[float, dict[str, float], bytes]] = None
        self._twin: Optional[Simulation] = None
        self.found: list[dict[str, Any]] = []
        self.last: Optional[tuple[float, bytes]] = None  # where a terminal event is, and the state before it

    def look(self, simulation: "Simulation") -> bool:
        """At a step: whether a terminal event lies behind it."""
        data = simulation.data
        values = {name: self._value(function, name, data) for name, function in self._functions.items()}
        now = (simulation.t, values, simulation.save_state())
        before, self._before = self._before, now
        return before is not None and before[0] < now[0] and self._find(before, now)

    @staticmethod
    def _value(function: EventFunction, name: str, data: "Data") -> float:
        value = float(function(data))
        if value != value:
            raise ValueError(f"events: '{name}' is nan at t = {data.t:g}")
        return value

    def _find(self, before: tuple[float, dict[str, float], bytes], now: tuple[float, dict[str, float], bytes]) -> bool:
        hits = []
        for name, function in self._functions.items():
            g0, g1 = before[1][name], now[1][name]
            direction = getattr(function, "direction", 0)
            if (g0 < 0 <= g1 and direction >= 0) or (g0 > 0 >= g1 and direction <= 0):
                hits.append((self._root(function, before, now[0], g0, g1), name, function))
        for t, name, function in sorted(hits, key=lambda hit: hit[0]):
            self.found.append({"t": t, "name": name, "data": self._at(before[2], t).data.copy()})
            if getattr(function, "terminal", False):
                self.last = (t, before[2])
                return True
        return False

    def _at(self, state: bytes, t: float) -> "Simulation":
        if self._twin is None:
            self._twin = self._simulation._again()
        self._twin.load_state(state)
        self._twin.advance(t)
        return self._twin

    def _root(self, function: EventFunction, before: tuple[float, dict[str, float], bytes], t1: float, g0: float,
              g1: float) -> float:
        """The zero between two steps, by the method of Illinois."""
        t0, side = before[0], 0
        for _ in range(60):
            if g1 == 0:
                return t1
            t = t1 - g1 * (t1 - t0) / (g1 - g0)
            if not t0 < t < t1 or t1 - t0 <= 4e-16 * max(abs(t0), abs(t1)):
                return t1
            g = float(function(self._at(before[2], t).data))
            if g == 0:
                return t
            if (g < 0) == (g1 < 0):
                t1, g1 = t, g
                g0, side = (g0 / 2 if side == 1 else g0), 1
            else:
                t0, g0 = t, g
                g1, side = (g1 / 2 if side == -1 else g1), -1
            if t1 - t0 <= 1e-14 * max(abs(t0), abs(t1), 1e-3):
                break
        return t1

    def finish(self, record: Any) -> None:
        """After the run: its last step; after a terminal event the simulation stands there, and the records end there."""
        simulation = self._simulation
        if self.last is None:
            self.look(simulation)
        if self.last is None:
            return
        t, state = self.last
        simulation.load_state(state)
        simulation.advance(t)
        if record is not None:
            record.cut(t)
            record.add()


class Simulation(_core.Sim):
    """A run of a model, with forces of your own if you like. Make it with Model.simulation().

    Drive it with step(), advance(t) or run(). It serves one thread at a time: others wait. Within callbacks it answers
    questions (data, t, info) and refuses to be changed.

    force(data) is called at each evaluation of the equations of motion and adds forces with data.add_force(body, point, force) and
    data.add_torque(body, torque). An exception in it stops the run and is raised by step(), advance() or run().
    """

    model: "Model"

    def __new__(cls, model: "Model", *, force: Optional[Force] = None, compiled: Optional[bool] = None,
                **options: "Unpack[Options]") -> "Simulation":
        given = dict(options)
        if compiled:  # code belongs to one description, that of this run
            given = {"coordinates": "relative", "method": "direct-correction", **given}
            model, given = model._with_options(given), {}
        own = model._options_with(given)
        self = super().__new__(cls, model._compiled(own.coordinates(True)), own, force)
        self.model = model
        self._force, self._given, self._is_compiled = force, given, bool(compiled)
        if compiled:
            self._use_code(model._code())
        return self

    def __init__(self, *args: Any, **kwargs: Any):
        """All is made by __new__."""

    def __reduce__(self) -> Any:
        raise TypeError("a simulation cannot be pickled or copied: pickle its model and save_state(), and load_state() in another simulation")

    def _again(self) -> "Simulation":
        return Simulation(self.model, force=self._force, compiled=self._is_compiled, **self._given)

    # ---- runs ----

    def run(self, *, on_output: Optional[Observer] = None, on_step: Optional[Observer] = None,
            on_event: Optional[Callable[["Simulation", dict[str, Any]], Any]] = None,
            events: Optional[Mapping[str, EventFunction]] = None, record: bool = True) -> Result:
        """Run to the end, and return the result.

        on_output(sim) is called at each output time, on_step(sim) after each accepted step, on_event(sim, event) at each event of the
        model (joints that take hold or let go, the section `events`); what they return stops the run when it is true, and an exception
        in them is raised here. events: functions of the data by name, whose zeros between steps are found to rounding and listed in
        result.events with a snapshot of the data; one with the attribute `terminal` ends the run there, `direction` (1, -1) leaves out
        the other one. record=False records nothing, for runs that callbacks follow. Ctrl-C stops a run in the main thread.
        """
        watch = _Watch(self, events) if events else None
        seen = len(self._events()) if on_event else 0

        def step(simulation: "Simulation") -> Any:
            nonlocal seen
            stop = False
            for event in simulation._events(seen) if on_event else ():
                seen += 1
                stop = bool(on_event(simulation, event)) or stop  # type: ignore[misc]
            return (bool(on_step(simulation)) if on_step else False) or stop

        records = self._run(record, on_output, step if on_event or on_step else None, watch.look if watch else None)
        if watch:
            watch.finish(records)
        result = result_of_run(records, self)
        if watch:
            result.events = sorted(result.events + watch.found, key=lambda event: event["t"])
        return result

    @property
    def info(self) -> dict[str, Any]:
        """What the run is made of and what it cost: method, steps, violations, energy error, verdict …"""
        return self._info()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the run so far: t, name, what joints and forces did, energy lost, impulses of joints."""
        return self._events()

    @property
    def messages(self) -> list[Message]:
        """What was said of the model and by this run."""
        return messages_from(self._messages())

    @property
    def options(self) -> dict[str, Any]:
        """The options of the run."""
        own = self._options()
        return {row[0]: own.get(row[0]) for row in _core.options()}

    def rank(self) -> dict[str, Any]:
        """Constraint analysis at this state: rank, n_redundant, dof, smallest pivot, and by row of A whether it is redundant and
        whether its multiplier is undetermined."""
        import numpy

        found = self._rank()
        for key in ("redundant", "undetermined"):
            found[key] = numpy.frombuffer(found[key], dtype=numpy.uint8).astype(bool)
        return found

    # ---- analyses at this state ----

    def _ask(self, name: str, units: Optional[str] = None, **options: Any) -> Answer:
        return Answer(_core.ask(name, self.model._description.copy(), self, options, None), units)

    def equations(self, units: Optional[str] = None) -> Answer:
        """The equations of motion at this state: M, Q, A, Phi, b, c, R, accelerations, lambda, and the system of the method."""
        return self._ask("equations", units)

    def linearize(self, about: str = "state", inputs: Sequence[str] = (), outputs: Sequence[str] = (),
                  frequencies: Optional[tuple[float, float]] = None, n_frequencies: int = 0, period: float = 0,
                  units: Optional[str] = None) -> Answer:
        """Small motions about this state, the "steady" motion or the "equilibrium" near it, or (period) a cycle: eigenvalues, shapes,
        A, and with inputs B, C, D, gain and phase over frequencies in Hz. The property `eigenvalues` has them as complex numbers."""
        low, high = frequencies or (None, None)
        return self._ask("linearize", units, settle=settle_of(about), inputs=list(inputs), outputs=list(outputs),
                         frequency_from=low, frequency_to=high, n_frequencies=n_frequencies, period=period)

    def gears(self, shafts: Sequence[str], loads: Sequence[str] = (), units: Optional[str] = None) -> Answer:
        """The mechanism seen from its shafts, as many as it has freedoms: ratios, reduced inertia, power flow, efficiency."""
        return self._ask("gears", units, shafts=list(shafts), loads=list(loads))

    def mode(self, i: int, about: str = "state", frames: int = 48, amplitude: float = 0.1) -> Result:
        """Mode i of linearize() in motion, over a period or three time constants. The simulation stands in that motion afterwards:
        take one that is not to be run on."""
        return result_of_run(self._mode(settle_of(about), i, frames, amplitude), self)

    def certify(self) -> bool:
        """After a run: make it again, finer and by other equations, and say whether all measures have at least three certain digits;
        info["certificate"] says more."""
        return _core.certify_run(self.model._description_with(self._given), self)

    # ---- pictures ----

    def picture(self, show: Union[str, Sequence[str]] = (), names: bool = True, dark: bool = False, width: int = 800,
                height: int = 600) -> Picture:
        """The mechanism as it stands. show: reactions, forces, axes, bare."""
        with scratch("picture.svg") as (svg,):
            _core.view(self, "picture", svg, width, height, bits(show), names, dark)
            return Picture(read_text(svg))

    def save_view(self, path: Path) -> None:
        """The mechanism as it stands: a page (.html), a scene (.glb, .gltf) or a picture (.svg, .png)."""
        name = path_of(path)
        end = name.lower().rsplit(".", 1)[-1]
        kind = {"html": "page", "glb": "scene", "gltf": "scene"}.get(end, "picture")
        _core.view(self, kind, name, 0, 0, 0, True, False)

    def _repr_svg_(self) -> str:
        return self.picture().svg

    def __repr__(self) -> str:
        info = self.info
        return f"<Simulation of {self.model.name}: {info['method']}, {info['integrator']}, t = {self.t:g} s, {info['steps']} steps>"


add_doc(Simulation, options_doc())
