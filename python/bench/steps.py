"""What a step that is called from Python costs beside one that C calls, in one process and on the same simulation.

    PYTHONPATH=build/release/python python3 python/bench/steps.py [models folder]

step(n) makes n steps in C; step() n times makes them from Python. Blocks of both take turns, by the processor time of the thread, and the
median of the differences is told, so that other work on the machine hardly counts.
"""
import pathlib
import statistics
import sys
import time

import holonom

MODELS = ("pendulum.yaml", "four_bar.yaml", "a03_andrews.yaml")


def measure(path, n=400, blocks=41):
    """Microseconds a step: C, Python, and their difference."""
    m = holonom.load(path)
    sim = m.simulation(integrator="rk4", step=1e-5, end=1, output=1)
    step, times, differences = sim.step, [], []
    sim.step(n)
    for _ in range(blocks):
        t0 = time.thread_time()
        sim.step(n)
        t1 = time.thread_time()
        for _ in range(n):
            step()
        t2 = time.thread_time()
        times.append((t1 - t0) / n)
        differences.append(((t2 - t1) - (t1 - t0)) / n)
    c, more = statistics.median(times), statistics.median(differences)
    return 1e6 * c, 1e6 * (c + more), 1e6 * more


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "models")
    print(f"{'model':<18} {'C [us/step]':>12} {'Python':>8} {'more':>6}")
    for name in MODELS:
        print("{:<18} {:12.2f} {:8.2f} {:6.2f}".format(name, *measure(folder / name)))


if __name__ == "__main__":
    main()
