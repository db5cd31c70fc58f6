"""Results in other processes and as copies, runs that the interpreter leaves behind, functions that give nothing sensible."""
import copy
import math
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import holonom
from conftest import PENDULUM, needs


def _run(L):
    return holonom.parse(PENDULUM).replace(L=L).run(end=0.137, output=0.01)


@needs["hdf5"]
def test_results_come_back_from_other_processes():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(_run, [0.513, 0.727]))
    for L, r in zip([0.513, 0.727], found):
        own = _run(L)
        assert r.columns == own.columns and r.units == own.units
        assert np.array_equal(r["angle"], own["angle"]) and np.array_equal(r.q, own.q)
        assert np.array_equal(r.reactions["pin"].force, own.reactions["pin"].force)
        assert r.info["steps"] == own.info["steps"] and r.extremes("angle") == own.extremes("angle")
        assert r.text("method") == own.text("method")
        with pytest.raises(ValueError):
            r.time[0] = 1


@needs["hdf5"]
def test_copies_and_files_of_results(pendulum, tmp_path):
    r = pendulum.run(end=0.137, output=0.01, events={"down": lambda d: d.measure("angle") + 0.05})
    for other in (copy.deepcopy(r), pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(r))))):
        other.save(tmp_path / "a.h5")
        assert np.array_equal(holonom.read(tmp_path / "a.h5")["angle"], r["angle"])
        assert [event["t"] for event in other.events] == [event["t"] for event in r.events] and len(r.events) == 1
        with pytest.raises(TypeError, match="another process"):
            other.save(tmp_path / "a.csv")
    read = pickle.loads(pickle.dumps(holonom.read(tmp_path / "a.h5")))
    assert np.array_equal(read["angle"], r["angle"]) and read.text("name") == "pendulum"
    empty = pickle.loads(pickle.dumps(pendulum.run(end=0.1, record=False)))
    assert len(empty.time) == 0


def test_simulations_say_how_they_are_taken_along(pendulum):
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="save_state"):
            take(pendulum.simulation())


@pytest.mark.parametrize("words", ["", "force=lambda d: None", "on_step=lambda s: None"])
def test_the_interpreter_ends_during_a_run(words):
    code = f"""
import holonom, threading, time
m = holonom.parse({PENDULUM!r})
threading.Thread(target=lambda: m.run(end=1e6, integrator="rk4", step=1e-3, output=1000, {words}), daemon=True).start()
time.sleep(0.3)
print("leaving")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "leaving", "")


def test_functions_of_events_give_numbers(pendulum):
    with pytest.raises(ValueError, match="'lost' is nan at t = "):
        pendulum.run(end=0.1, events={"lost": lambda d: math.nan if d.t > 0.05 else 1.0})
    with pytest.raises(TypeError, match="dict of functions"):
        pendulum.run(end=0.1, events=[lambda d: d.t])
    with pytest.raises(TypeError, match="dict of functions"):
        pendulum.run(end=0.1, events={"a": 3})
