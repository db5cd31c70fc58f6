"""Studies: many runs of one model, and what follows from them."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping, Optional, Union

from . import _core
from ._answer import Answer
from ._pages import Path, path_of


def study(what: Union[Path, Mapping[str, Any]], *, processes: Optional[int] = None, threads: int = 0, log: Optional[Path] = None,
          fresh: bool = False, so_far: bool = False, progress: Optional[Callable[[int, int, int, float, float], Any]] = None,
          units: Optional[str] = None) -> Answer:
    """Run a study: a file (docs/study.md), or its keys as a dictionary, whose model is sought in the current folder.

        a = holonom.study({"model": "four_bar.yaml", "factors": {"L2": {"mean": "0.4 m", "deviation": "1 mm"}},
                           "design": "sobol", "cases": 1000, "responses": {"peak": "max torque"}})
        a.cases["L2"], a.cases["peak"], a.summary

    processes: cases at a time, each in a process of its own, which is replaced where it dies (default: as many as there are cores);
    threads: threads of this process instead. log: the file of the cases that are done, from which the same study goes on (without it
    nothing is kept); fresh: begin it anew; so_far: run nothing, answer from the log. progress(done, cases, failed, seconds, seconds
    left) is called several times a second; what is true ends the study, and the answer is that of the cases so far."""
    if threads and processes:
        raise ValueError("processes or threads, not both")
    if processes is None:
        processes = 0 if threads else len(os.sched_getaffinity(0))
    text = json.dumps(dict(what)) if isinstance(what, Mapping) else None
    core = _core.run_study(_core.Description(), "study" if text is not None else path_of(what), text, threads, processes,
                           None if log is None else path_of(log), fresh, so_far, progress)
    return Answer(core, units)
