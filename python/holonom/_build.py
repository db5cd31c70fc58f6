"""Models built by calls."""
from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Optional

import numpy as np

from . import _core
from ._tables import add_doc, section_doc


def text_of(value: Any) -> str:
    """A value as it would stand in a model file: numbers to the last bit, lists and maps in flow style."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a finite number")
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(k), ensure_ascii=False)}: {_inside(v)}" for k, v in value.items()) + "}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_inside(item) for item in value) + "]"
    raise TypeError(f"a value of a model is a number, a str, a list or a dict, not {type(value).__name__}")


def _inside(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else text_of(value)


class Builder:
    """A model by calls. Each call adds an item, with its keys as keyword arguments; `build()` makes the model.

        b = holonom.Builder("pendulum", space="planar", gravity=[0, -9.81])
        b.parameter("L", 0.6)
        b.body("rod", mass=2.5, inertia="2.5*L^2/12", position=["L/2", 0])
        b.joint("pin", "revolute", bodies=["ground", "rod"], at=[0, 0])
        b.measure("angle", "angle", body="rod")
        m = b.build(end=5)

    Numbers may be expressions of parameters, with units ("30 deg", "2*L"). Calls return the builder.
    """

    def __init__(self, name: str = "model", space: str = "planar", **keys: Any):
        """Keys of the top level, such as gravity and units, as keyword arguments."""
        self._description = _core.Description()
        self._set(None, None, {"holonom": 1, "name": name, "space": space, **keys})

    def _set(self, section: Optional[str], item: Optional[str], keys: Mapping[str, Any]) -> None:
        for key, value in keys.items():
            key = key[:-1] if key.endswith("_") else key  # from_=, for words of Python
            text = text_of(value)
            if isinstance(value, (Mapping, list, tuple, np.ndarray)):
                path = ".".join(part for part in (section, item, key) if part)
                if section is None or item is None:
                    self._description.set(path, text, "builder")
                    continue
                self._description.key(section, item, key, "")
                self._description.set(path, text, "builder")
            else:
                self._description.key(section, item, key, text)

    def _add(self, section: str, name: str, type_: Optional[str], keys: Mapping[str, Any]) -> "Builder":
        if "." in name:
            raise ValueError(f"'{name}': a name has no dots")
        self._description.add(section, name, type_)
        self._set(section, name, keys)
        return self

    def parameter(self, name: str, value: Any) -> "Builder":
        """A number with a name, for use in expressions; it may be an expression itself."""
        self._description.key("parameters", None, name, text_of(value))
        return self

    def point(self, name: str, at: Any) -> "Builder":
        """A place with a name."""
        self._description.set(f"points.{name}", text_of(list(at)), "builder")
        return self

    def body(self, name: str, **keys: Any) -> "Builder":
        """A body."""
        return self._add("bodies", name, None, keys)

    def joint(self, name: str, type: str, **keys: Any) -> "Builder":
        """A joint or a driver. The keys of a type are holonom.elements("joints")[i].keys."""
        return self._add("joints", name, type, keys)

    def force(self, name: str, type: str, **keys: Any) -> "Builder":
        """A force. The keys of a type are holonom.elements("forces")[i].keys."""
        return self._add("forces", name, type, keys)

    def measure(self, name: str, type: str, **keys: Any) -> "Builder":
        """A measure. The keys of a type are holonom.elements("measures")[i].keys."""
        return self._add("measures", name, type, keys)

    def item(self, section: str, name: str, **keys: Any) -> "Builder":
        """An item of another section: events, tables, variables …"""
        return self._add(section, name, None, keys)

    def key(self, name: str, value: Any) -> "Builder":
        """A key of the top level: gravity, units, stop_when …"""
        self._set(None, None, {name: value})
        return self

    def build(self, *, massless: bool = False, **options: Any) -> Any:
        """The model, with options of its simulation. All that is wrong is raised at once."""
        from ._model import Model

        description = self._description.copy()
        for name, value in options.items():
            description.set(f"simulation.{name}", text_of(value), "build()")
        return Model(description, massless=massless)


add_doc(Builder.body, section_doc("bodies"))
add_doc(Builder.joint, section_doc("joints"))
add_doc(Builder.force, section_doc("forces"))
add_doc(Builder.measure, section_doc("measures"))
