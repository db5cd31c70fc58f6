"""Models as FMUs."""
from __future__ import annotations

import pathlib
from typing import NamedTuple, Optional

from . import _core


class Fmu(NamedTuple):
    """What an FMU that was written has."""

    token: str  # its GUID (FMI 2.0) or instantiation token (3.0)
    n_parameters: int
    n_inputs: int
    n_outputs: int
    n_states: int
    n_conditions: int  # event indicators
    exchanges: bool  # it offers model exchange beside co-simulation
    n_constants: int  # of an FMU of sources: parameters that are numbers of its code
    n_left_out: int  # of an FMU of sources: measures that its code does not compute
    step: float  # of an FMU of sources: its longest step in co-simulation, s; otherwise 0


def runtime() -> Optional[str]:
    """The runtime that goes into FMUs, beside the module or in the build that it belongs to; None: the library looks where it was
    installed."""
    here = pathlib.Path(_core.__file__).parent
    for folder in (here, here.parent.parent):
        path = folder / "holonom_fmu.so"
        if path.is_file():
            return str(path)
    return None
