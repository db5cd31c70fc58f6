"""Constrained multibody dynamics: models of mechanisms, runs, and every analysis of the library Holonom.

    import holonom

    m = holonom.load("four_bar.yaml")
    r = m.run(end=5, tolerance=1e-8)
    r.time, r["crank_angle"], r.reactions["A"].force
    m.linearize().eigenvalues

SI units and radians throughout, unless `units` says otherwise. Models never change and may be shared by threads; a simulation serves
one thread at a time. Runs release the interpreter lock.
"""
from . import _core
from ._errors import (ArgumentError, AssemblyError, Error, FeatureError, FileError, HolonomWarning, InputError, Interrupted, Message,
                      SingularError, ToleranceError, error_of, heard)

_core.bind(error_of, heard)

from ._answer import Answer, Table  # noqa: E402
from ._build import Builder  # noqa: E402
from ._core import Data, Energy, Load, Pose, Reaction, Twist  # noqa: E402
from ._fmu import Fmu  # noqa: E402
from ._model import Constraint, Measure, Model, Velocity, load, parse  # noqa: E402
from ._pages import Picture  # noqa: E402
from ._result import Extremes, Result, read  # noqa: E402
from ._simulation import Simulation  # noqa: E402
from ._study import study  # noqa: E402
from ._tables import Element, Feature, Key, Method, Option, Part, algorithms, elements, features, methods, options, parts  # noqa: E402

__version__: str = _core.version

__all__ = [
    "load", "parse", "read", "study", "Builder", "Model", "Simulation", "Data", "Result", "Answer", "Table", "Picture", "Extremes", "Fmu",
    "Pose", "Twist", "Energy", "Reaction", "Load", "Measure", "Velocity", "Constraint",
    "options", "elements", "methods", "parts", "features", "algorithms", "Option", "Element", "Key", "Method", "Part", "Feature",
    "Error", "InputError", "ArgumentError", "FileError", "AssemblyError", "ToleranceError", "SingularError", "FeatureError",
    "Interrupted", "HolonomWarning", "Message", "__version__",
]
