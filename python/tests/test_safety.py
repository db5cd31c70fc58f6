"""No crash on misuse, no leak, threads side by side, the interpreter lock free during runs."""
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import holonom
from conftest import PENDULUM
from holonom import _core


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_nothing_leaks(pendulum):
    def work():
        r = pendulum.run(end=0.2, force=lambda d: d.add_torque("rod", 0.1), on_step=lambda s: None)
        d = r.bodies["rod"].position
        assert len(d) == len(r.time)
        sim = pendulum.simulation(end=0.2)
        sim.step(3)
        copy = sim.data.copy()
        copy.term("M"), copy.a, copy.reaction("pin"), sim.info, sim.events, sim.save_state()
        pendulum.statics()["stiffness"].values
        pendulum.replace(L=0.7).parameters
        for bad in ({"tolerence": 1}, {"tolerance": -1}):
            with pytest.raises(holonom.Error):
                pendulum.run(**bad)
        with pytest.raises(ZeroDivisionError):
            pendulum.run(end=0.2, force=lambda d: 1 / 0)
        with pytest.raises(holonom.Error):
            holonom.parse(PENDULUM.replace("mass: m", "mass: -1"))

    for _ in range(15):
        work()
    gc.collect()
    before = resident()
    for _ in range(60):
        work()
    gc.collect()
    # a simulation has some 100 kB: one that stayed each time would be 6 MB
    assert resident() - before < 2e6


def test_cycles_are_collected(pendulum):
    class Owner:
        pass

    gc.collect()
    alive = []
    for _ in range(5):
        owner = Owner()
        owner.sim = pendulum.simulation(force=lambda data, o=owner: None)
        import weakref

        alive.append(weakref.ref(owner))
        del owner
    gc.collect()
    assert not any(ref() for ref in alive)


def test_objects_outlive_their_parents():
    def parts():
        m = holonom.parse(PENDULUM)
        sim = m.simulation(end=0.3)
        r = sim.run()
        return sim.data, sim.data.copy(), r["angle"], r.bodies, m.statics()["stiffness"], r

    data, copy, angle, bodies, table, r = parts()
    gc.collect()
    assert data.q.shape == copy.q.shape and np.isfinite(angle).all() and bodies["rod"].position.shape[1] == 3
    assert copy.reaction("pin").unique and np.isfinite(table.values).any() and data.term("M").size and r.extremes("angle")


def test_data_of_a_callback_is_gone_afterwards(pendulum):
    kept = []
    pendulum.run(end=0.1, force=kept.append)
    assert len(set(map(id, kept))) > 1  # what is kept is not used again
    for ask in (lambda d: d.q, lambda d: d.t, lambda d: d.pose("rod"), lambda d: d.copy(), lambda d: d.set(0, [0], [0]),
                lambda d: d.add_force("rod", [0, 0], [0, 0])):
        with pytest.raises(RuntimeError, match="gone|added within"):
            ask(kept[0])
    copies = []
    pendulum.run(end=0.1, force=lambda d: copies.append(d.copy()))
    assert copies[-1].q.shape == copies[0].q.shape and np.isfinite(copies[3].a).all()


def test_force_functions_are_checked(pendulum):
    for call, error in ((lambda d: d.add_force("rod", [0, 0], [float("nan"), 0]), ValueError),
                        (lambda d: d.add_force("rod", [0], [1, 0]), ValueError),
                        (lambda d: d.add_force("rot", [0, 0], [1, 0]), KeyError),
                        (lambda d: d.add_force(99, [0, 0], [1, 0]), holonom.Error),
                        (lambda d: d.add_torque("rod", "x"), (TypeError, ValueError)),
                        (lambda d: d.a, holonom.Error),  # what follows from the force cannot be asked for
                        (lambda d: d.nothing, AttributeError)):
        with pytest.raises(error):
            pendulum.run(end=0.1, force=call)


def test_objects_that_were_not_made():
    for kind in (_core.Options, _core.Model, _core.Record, _core.Answer, _core.Block, _core.Code):
        with pytest.raises(TypeError):
            kind()
    with pytest.raises(TypeError):
        _core.Sim()
    with pytest.raises(TypeError):
        _core.Data(3)
    with pytest.raises(ValueError, match="no analysis"):
        _core.ask("dance", _core.Description(), None, {}, None)
    with pytest.raises(TypeError):
        _core.ask("gears", _core.Description(), None, {}, None)
    with pytest.raises(TypeError):
        _core.ask("statics", 3, None, {}, None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        _core.ask("statics", _core.Description(), None, {"x": 1}, None)
    for wrong in ({"starts": "many"}, {"tolerance": "small"}, {"search": 3}, {"preload": "spring"}, {"starts": 2**40},
                  {"tolerance": float("nan")}, {"time": float("inf")}):
        with pytest.raises((TypeError, ValueError)):
            _core.ask("statics", _core.Description(), None, wrong, None)


def test_threads_run_side_by_side(four_bar):
    """One model, many runs: the same bits as in one thread."""
    expected = four_bar.run(end=1)["crank_angle"].tobytes()
    out, errors = [], []

    def work(i):
        try:
            out.append(four_bar.run(end=1)["crank_angle"].tobytes())
            m = four_bar.replace(L3=4 + 0.01 * i)
            assert m.parameters["L3"] == 4 + 0.01 * i
            assert four_bar.statics()["positions"].shape[0]
            with pytest.raises(holonom.Error, match=f"tolerence{i}'"):
                four_bar.run(**{f"tolerence{i}": 3})
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and out == [expected] * 6


def test_threads_share_a_simulation(pendulum):
    """They take turns; nothing breaks, and as many steps are made as were asked for."""
    sim = pendulum.simulation(end=1000, integrator="rk4", step=1e-3, force=lambda data: None)
    errors = []

    def work():
        try:
            for _ in range(100):
                sim.step()
                sim.data.q, sim.info, sim.t, sim.data.copy()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and sim.info["steps"] == 400


def test_the_interpreter_goes_on_during_a_run(pendulum):
    sim = pendulum.simulation(end=1e6, integrator="rk4", step=1e-3, output=50)
    ticks, stop = [], threading.Event()

    def run():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of extremes between the outputs
            sim.run(on_output=lambda s: stop.is_set(), record=False)

    t = threading.Thread(target=run)
    t.start()
    for _ in range(20):
        time.sleep(0.005)
        ticks.append(time.monotonic())
    stop.set()
    t.join(60)
    assert not t.is_alive() and len(ticks) == 20 and sim.info["end"] == "interrupted"
    assert ticks[-1] - ticks[0] < 5  # it would wait for the whole run, hours, if the lock were held


def test_ctrl_c_stops_a_run(tmp_path):
    code = f"""
import holonom, os, signal, threading
m = holonom.parse({PENDULUM!r})
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with it ignored
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    m.run(end=1e6, integrator="rk4", step=1e-3, output=1000)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted", done.stderr
    assert signal.SIGINT


@pytest.mark.parametrize("call", ["sim.advance(1e300)", "sim.step(10**12)"])
def test_ctrl_c_stops_single_steps(call):
    code = f"""
import holonom, os, signal, threading
sim = holonom.parse({PENDULUM!r}).simulation(end=1e6, integrator="rk4", step=1e-3)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with it ignored
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    t = sim.t
    sim.step()
    print("interrupted", 0 < t < sim.t)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted True", done.stderr


def test_units_of_an_answer_do_not_move_its_arrays(pendulum):
    a = pendulum.statics()
    with pytest.raises(RuntimeError, match="in use"):
        a._core.set_units("angle=deg")
    view = np.asarray(pendulum.run(end=0.1)["angle"])
    with pytest.raises(ValueError):
        view[0] = 1
    block = _core.ask("statics", pendulum._description.copy(), None, {}, None).table(0)[9]
    with pytest.raises(TypeError, match="read-only"):
        memoryview(block)[0, 0] = 1
    with pytest.raises(ValueError):
        np.frombuffer(block)[0] = 1


def test_a_step_from_python_costs_little_more(models):
    """python/bench/steps.py, shorter: at most 1 us more than from C. The smallest of three, as other work on the machine adds only."""
    sys.path.insert(0, str(models.parent / "python/bench"))
    import steps

    assert min(steps.measure(models / "pendulum.yaml", 200, 15)[2] for _ in range(3)) < 1
