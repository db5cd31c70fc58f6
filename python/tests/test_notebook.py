"""The example notebook, executed: by a runner of our own everywhere, and by Jupyter's where nbclient and ipykernel are installed."""
import ast
import json
import os
import pathlib
import re

import pytest

from conftest import HAS, ROOT

NOTEBOOK = ROOT / "python/examples/four_bar.ipynb"

pytestmark = pytest.mark.skipif(not (HAS["hdf5"] and HAS.get("web") and HAS["nlopt"]), reason="built without what the notebook uses")


def run(source, names):
    """A cell as a notebook runs it: the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names) if last else None


def test_cells():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names, shown = {}, []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "the notebook is kept without outputs"
            shown.append(run("".join(cell["source"]), names))
    m, r, small, best = names["m"], names["r"], names["small"], names["best"]
    assert "<svg" in m._repr_svg_() and "<iframe srcdoc=" in r._repr_html_() and "<iframe srcdoc=" in best._repr_html_()
    assert any(value is r for value in shown) and any(value is best for value in shown) and any(value is m for value in shown)
    # about a rest that is stable the eigenvalues are imaginary, and the run starts above it
    assert abs(small.eigenvalues.real).max() < 1e-6 < abs(small.eigenvalues.imag).min()
    # the optimum is one: largest reactions with lengths beside it are larger
    at = names["better"].parameters["L4"]
    peak = {s: m.replace(L4=at + s).run(output="steps")["pin"].max() for s in (-0.05, 0, 0.05)} if 3.65 < at < 4.35 else None
    assert names["better"].run()["pin"].max() < r["pin"].max()
    assert peak is None or peak[0] <= min(peak[-0.05], peak[0.05]) * (1 + 1e-6)


@pytest.mark.skipif(not os.environ.get("HOLONOM_JUPYTER"), reason="./dev python runs it")
def test_jupyter(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    kinds = [set(output.get("data", {})) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert {"image/svg+xml", "text/plain"} <= kinds[0]
    frames = [output["data"]["text/html"] for cell in notebook.cells for output in cell.get("outputs", [])
              if "text/html" in output.get("data", {})]
    assert len(frames) >= 2 and all(re.match('<iframe srcdoc="', frame) for frame in frames)
    nbformat.write(notebook, pathlib.Path(os.environ.get("HOLONOM_JUPYTER_OUTPUT") or tmp_path / "executed.ipynb"))
