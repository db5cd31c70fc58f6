"""Results of runs: columns and blocks of numbers, without copies."""
from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _core
from ._errors import Message, messages_from
from ._pages import Path, Picture, bits, frame, path_of, read_bytes, read_text, scratch, write_bytes

if TYPE_CHECKING:
    import pandas
    import xarray


class Extremes(NamedTuple):
    """The least and the largest value of a column over all steps of a run, and when."""

    minimum: float
    minimum_time: float
    maximum: float
    maximum_time: float


class _Group(Mapping):
    """Bodies, joints or forces of a result by their names; each has its quantities as attributes (rows x 3)."""

    def __init__(self, what: str, names: Sequence[str], blocks: dict[str, np.ndarray]):
        self._what, self._names, self._blocks = what, list(names), blocks

    def __getitem__(self, name: str) -> SimpleNamespace:
        if name not in self._names:
            raise KeyError(f"there is no '{name}' among the {self._what}; there are {', '.join(self._names) or 'none'}")
        i = self._names.index(name)
        return SimpleNamespace(**{key: block[:, i] for key, block in self._blocks.items()})

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Result(Mapping):
    """A result: columns by their names, `r["tip.x"]`, each an array without a copy (read-only), and `r.time`.

    A result of a run in memory has besides: `q`, `v` (rows x n), `bodies[name].position, .quaternion`,
    `reactions[joint].force, .moment, .point, .force_joint, .moment_joint, .unique`, `loads[force].force, .moment, .point`,
    `info` (statistics of the run), `events`, `messages`. One that was read from a file has its columns, `text(key)` and what they say.
    """

    def __init__(self, source: Union["_core.Record", "_core.Result", None]):
        self._source = source
        self._read: Optional["_core.Result"] = None
        self.units: dict[str, str] = {}
        self.frames: dict[str, str] = {}
        self.docs: dict[str, str] = {}
        self._columns: dict[str, np.ndarray] = {}
        self._blocks: dict[str, dict[str, np.ndarray]] = {}
        self._names: dict[str, list[str]] = {}
        self.info: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.messages: list[Message] = []
        if isinstance(source, _core.Record):
            self._fill_from_record(source)
        elif source is None:  # a run that recorded nothing
            self._add("time", "s", "", "time", np.empty(0))
        else:
            for name, unit, frame_name, doc, block in source.columns():
                self._add(name, unit, frame_name, doc, np.asarray(block))

    def _add(self, name: str, unit: str, frame_name: str, doc: str, values: np.ndarray) -> None:
        self._columns[name] = values
        self.units[name], self.frames[name], self.docs[name] = unit, frame_name, doc

    def _fill_from_record(self, record: "_core.Record") -> None:
        block = np.asarray(record.values())
        for group, name, unit, frame_name, doc, rank, rows, columns, offset, names in record.quantities():
            if rank == 0:
                full = name if group in ("", "measures") else f"{group}.{name}"
                self._add(full, unit, frame_name, doc, block[:, offset])
                continue
            width = rows * (columns if rank == 2 else 1)
            values = block[:, offset:offset + width]
            if rank == 2:
                values = np.lib.stride_tricks.as_strided(values, (len(block), rows, columns),
                                                         (*block.strides[:1], 8 * columns, 8), writeable=False)
            self._blocks.setdefault(group, {})[name] = values
            if names:
                self._names[group] = names

    # ---- columns ----

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            import difflib

            near = difflib.get_close_matches(str(name), self._columns, 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(self._columns)}"
            raise KeyError(f"there is no column '{name}'{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, time first."""
        return list(self._columns)

    @property
    def time(self) -> np.ndarray:
        """The output times."""
        return self._columns["time"]

    def _block(self, group: str, name: str) -> np.ndarray:
        if group not in self._blocks:
            raise AttributeError(f"'{name}' is in results of runs in memory only, not in those read from files")
        return self._blocks[group][name]

    @property
    def q(self) -> np.ndarray:
        """Coordinates, rows x n_q."""
        return self._block("state", "q")

    @property
    def v(self) -> np.ndarray:
        """Velocities, rows x n_v."""
        return self._block("state", "v")

    @property
    def bodies(self) -> Mapping:
        """Poses by body: bodies["crank"].position (rows x 3, m) and .quaternion (rows x 4, scalar first)."""
        return _Group("bodies", self._names.get("bodies", []), self._blocks.get("bodies", {}))

    @property
    def reactions(self) -> Mapping:
        """Reactions by joint, on its first body: reactions["A"].force (N, global), .moment, .point, .force_joint, .moment_joint,
        .unique."""
        return _Group("joints", self._names.get("joints", []), self._blocks.get("joints", {}))

    @property
    def loads(self) -> Mapping:
        """What the first body of each force receives: loads["spring"].force (N, global), .moment, .point."""
        return _Group("forces", self._names.get("forces", []), self._blocks.get("forces", {}))

    def extremes(self, name: str) -> Optional[Extremes]:
        """The least and the largest value of a column over all steps, which the rows may miss; None where it is not known."""
        self[name]
        row = self._stored().extremes(self.columns.index(name))
        return Extremes(*row) if row else None

    def _stored(self) -> "_core.Result":
        """The result as a file has it, read back once."""
        if isinstance(self._source, _core.Result):
            return self._source
        if self._read is None:
            with self._file("result.h5") as path:
                self._read = _core.Result(path)
        return self._read

    def text(self, key: str) -> Optional[str]:
        """A text stored with a result file ("model", "method", "end", "statistics.steps", "options.tolerance" …)."""
        return self._stored().text(key)

    # ---- other forms ----

    def to_pandas(self) -> "pandas.DataFrame":
        """The columns as a pandas.DataFrame over time; its `attrs["units"]` has their units."""
        import pandas

        frame_ = pandas.DataFrame({name: values for name, values in self._columns.items() if name != "time"},
                                  index=pandas.Index(self.time, name="time"))
        frame_.attrs["units"] = dict(self.units)
        return frame_

    def to_xarray(self) -> "xarray.Dataset":
        """Everything as an xarray.Dataset over time, with units, frames and meanings as attributes."""
        import xarray

        data = {name: ("time", values, {"units": self.units[name], "frame": self.frames[name], "long_name": self.docs[name]})
                for name, values in self._columns.items() if name != "time"}
        coordinates: dict[str, Any] = {"time": ("time", self.time, {"units": self.units["time"]})}
        plural = {"bodies": "body", "joints": "joint", "forces": "force"}
        for group, blocks in self._blocks.items():
            if group in plural and not self._names.get(group):
                continue
            if group in plural:
                coordinates[plural[group]] = self._names[group]
            for name, values in blocks.items():
                second = plural.get(group, f"{name}_index")
                third = {3: "xyz", 4: "quaternion_index"}.get(values.shape[-1]) if values.ndim == 3 else None
                data[f"{group}.{name}"] = (("time", second) + ((third,) if third else ()), values)
        if any(dims[0][-1] == "xyz" for dims in data.values() if isinstance(dims[0], tuple)):
            coordinates["xyz"] = ["x", "y", "z"]
        return xarray.Dataset(data, coords=coordinates)

    # ---- files and pages ----

    def _file(self, name: str) -> Any:
        import contextlib

        @contextlib.contextmanager
        def make() -> Iterator[str]:
            if isinstance(self._source, _core.Result):
                yield self._path
                return
            if self._source is None and self._bytes is None:
                raise ValueError("this run recorded nothing (record=False)")
            with scratch(name if self._bytes is None else "result" + self._ending) as (path,):
                if self._bytes is None:
                    self._source.save(path)
                else:
                    write_bytes(path, self._bytes)
                yield path

        return make()

    _path = ""
    # of a result that comes from another process: its file
    _bytes: Optional[bytes] = None
    _ending = ".h5"

    def __reduce__(self) -> Any:
        """For other processes and copies: the numbers, and the file for what is asked of it. Snapshots of events stay behind."""
        kept = {key: getattr(self, key) for key in ("units", "frames", "docs", "_names", "info", "messages")}
        kept["events"] = [{key: value for key, value in event.items() if key != "data"} for event in self.events]
        kept["_columns"] = {name: np.array(values) for name, values in self._columns.items()}
        kept["_blocks"] = {group: {name: np.array(values) for name, values in blocks.items()} for group, blocks in self._blocks.items()}
        if self._source is not None or self._bytes is not None:
            with self._file("result.h5") as path:
                kept["_bytes"], kept["_ending"] = read_bytes(path), path[path.rindex("."):]
        return _unpickle, (kept,)

    def save(self, path: Path) -> None:
        """Write it to a result file, .h5 (everything) or .csv (measures), or a report page, .html."""
        name = path_of(path)
        if name.lower().endswith(".html"):
            with self._file("result.h5") as file:
                _core.report([file], name)
        elif isinstance(self._source, _core.Record):
            self._source.save(name)
        elif self._bytes is not None and name.lower().endswith(self._ending):
            write_bytes(name, self._bytes)
        elif self._bytes is not None:
            raise TypeError(f"this result comes from another process: save it as {self._ending} or as a report (.html)")
        else:
            raise TypeError("this result was read from a file; copy that, or save a report (.html)")

    def report(self) -> str:
        """The report as one page of HTML that needs nothing else: charts, and the mechanism in motion."""
        with scratch("report.html") as (page,):
            self.save(page)
            return read_text(page)

    def chart(self, *columns: str, x: Optional[str] = None, title: Optional[str] = None, width: int = 800, height: int = 500,
              log_x: bool = False, log_y: bool = False, units: Optional[str] = None) -> Picture:
        """A chart of columns, or of expressions of columns, against time or another column, as a picture."""
        with scratch("chart.svg") as (svg,), self._file("result.h5") as file:
            _core.chart([file], list(columns), svg, x, title, width, height, log_x, log_y, units)
            return Picture(read_text(svg))

    def strobe(self, every: float = 0, times: Optional[Sequence[float]] = None, show: Union[str, Sequence[str]] = (),
               names: bool = False, dark: bool = False, width: int = 800, height: int = 600) -> Picture:
        """Poses of the mechanism over each other, as a picture. show: trails, reactions, forces, axes."""
        with scratch("strobe.svg") as (svg,), self._file("result.h5") as file:
            _core.strobe(file, svg, float(every), times, width, height, bits(show), names, dark)
            return Picture(read_text(svg))

    def save_motion(self, path: Path, rate: float = 0, speed: float = 1, show: Union[str, Sequence[str]] = ()) -> None:
        """Write the mechanism in motion as a glTF file, .glb or .gltf."""
        with self._file("result.h5") as file:
            _core.motion(file, path_of(path), float(rate), float(speed), bits(show))

    def save_frames(self, folder: Path, rate: float = 25, png: bool = False, show: Union[str, Sequence[str]] = (),
                    width: int = 800, height: int = 600) -> int:
        """Write pictures of the mechanism into an existing folder, `rate` a second; returns how many."""
        with self._file("result.h5") as file:
            return _core.frames(file, path_of(folder), float(rate), width, height, png, bits(show))

    def __repr__(self) -> str:
        span = f"t = {self.time[0]:g} to {self.time[-1]:g} {self.units['time']}" if len(self.time) else "empty"
        return f"<Result: {len(self.time)} rows, {len(self)} columns, {span}>"

    def _repr_html_(self) -> str:
        return frame(self.report(), 900)


def _unpickle(kept: dict[str, Any]) -> Result:
    result = Result(None)
    result.__dict__.update(kept)
    for values in [*result._columns.values(), *(values for blocks in result._blocks.values() for values in blocks.values())]:
        values.flags.writeable = False
    return result


def result_of_run(record: Optional["_core.Record"], simulation: Any) -> Result:
    """The result of a run that has ended, with what is known of it."""
    result = Result(record)
    result.info = simulation.info
    result.events = simulation.events
    result.messages = messages_from(simulation._messages())
    return result


def read(path: Path, units: Optional[str] = None) -> Result:
    """Read a result file, .h5 or .csv; units: those to show it in, "angle=deg, length=mm" ("": SI)."""
    name = path_of(path)
    result = Result(_core.Result(name, units))
    result._path = name
    return result
