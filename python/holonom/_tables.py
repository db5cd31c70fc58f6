"""The tables of the library: options, elements, methods; and documentation made of them."""
from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Optional

from . import _core


@dataclass(frozen=True)
class Option:
    """A row of the table of options: how a run is made."""

    name: str
    kind: str  # "real", "integer", "bool", "choice", "list"
    minimum: float
    maximum: float
    default: str
    unit: str
    choices: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class Key:
    """A key that an element takes; `default` is None where it must be given, "" where it may be left out."""

    name: str
    kind: str
    unit: str
    default: Optional[str]
    doc: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Element:
    """A kind of joint, force or measure."""

    section: str
    name: str
    title: str
    equations: Optional[str]
    planar: bool
    spatial: bool
    unit: str

    @property
    def keys(self) -> list[Key]:
        """Its keys, its own first, then those that all elements of its section have."""
        own = _core.keys(self.section, self.name)
        names = {row[0] for row in own}
        shared = [row for row in _core.keys(self.section, None) if row[0] not in names]
        return [Key(*row[:5], tuple(row[5])) for row in own + shared]

    @property
    def example(self) -> str:
        """A whole model file that uses it and runs as it stands."""
        return _core.example(self.section, self.name)


@dataclass(frozen=True)
class Method:
    """A formulation of the equations of motion."""

    name: str
    title: str
    state: Optional[str]
    kernel: Optional[str]
    basis: Optional[str]
    stabilizer: Optional[str]
    correction: Optional[str]
    source: Optional[str]


@dataclass(frozen=True)
class Part:
    """A part that options choose: integrators, kernels, corrections."""

    part: str
    name: str
    title: str


@dataclass(frozen=True)
class Feature:
    """An optional part of the library."""

    name: str
    built: bool
    purpose: str


def options() -> dict[str, Option]:
    """The options of a run by their names."""
    return {row[0]: Option(*row[:6], tuple(row[6]), row[7]) for row in _core.options()}


def elements(section: Optional[str] = None) -> list[Element]:
    """The kinds of joints, forces and measures, or those of one section."""
    return [Element(*row[:4], *row[5:]) for row in _core.elements() if section in (None, row[0])]


def methods() -> dict[str, Method]:
    """The methods by their names."""
    return {row[0]: Method(*row) for row in _core.methods()}


def parts(part: Optional[str] = None) -> list[Part]:
    """Integrators, kernels, corrections …, or those of one kind: parts("integrator")."""
    return [Part(*row) for row in _core.parts() if part in (None, row[0])]


def features() -> dict[str, Feature]:
    """What the library was built with."""
    return {row[0]: Feature(*row) for row in _core.features()}


def algorithms() -> dict[str, str]:
    """The algorithms of Model.optimize, with a line each."""
    return dict(_core.algorithms())


# ---- documentation ----


def _wrap(name: str, text: str) -> str:
    return textwrap.fill(f"{name}: {text}", 110, initial_indent="    ", subsequent_indent="        ")


def options_doc() -> str:
    """The table of options, a paragraph each, for docstrings."""
    lines = []
    for row in options().values():
        kind = " | ".join(row.choices) if row.choices and len(row.choices) < 12 else row.kind
        unit = f" [{row.unit}]" if row.unit else ""
        lines.append(_wrap(row.name, f"{kind}{unit}, default {row.default or 'none'}. {row.doc}"))
    return "Options:\n" + "\n".join(lines)


def section_doc(section: str) -> str:
    """The kinds of elements of a section, or the keys where it has no kinds, for docstrings."""
    kinds = elements(section)
    if kinds:
        return "Types:\n" + "\n".join(_wrap(row.name, row.title) for row in kinds)
    return "Keys:\n" + "\n".join(_wrap(name, doc or "") for name, _, _, _, doc, _ in _core.keys(section, None))


def add_doc(function: object, *more: str) -> None:
    """Let a docstring end with what the tables say."""
    function.__doc__ = "\n\n".join([textwrap.dedent(function.__doc__ or ""), *more])
