"""Tables of the library, and what is made of them: docstrings and type hints."""
import ast
import pathlib
import typing

import holonom
from holonom import _core, _hints, _options


def test_tables():
    rows = holonom.options()
    assert rows["tolerance"].kind == "real" and rows["method"].choices[0] == "auto" and len(rows) > 60
    kinds = {(e.section, e.name) for e in holonom.elements()}
    assert ("joints", "revolute") in kinds and ("forces", "spring") in kinds and ("measures", "angle") in kinds
    spring = next(e for e in holonom.elements("forces") if e.name == "spring")
    assert {"stiffness"} <= {key.name for key in spring.keys} and holonom.parse(spring.example).forces
    assert "lagrange" in holonom.methods() and any(p.name == "dop853" for p in holonom.parts("integrator"))
    assert holonom.features()["hdf5"].purpose


def test_docstrings_come_from_the_tables():
    for row in holonom.options().values():
        assert f"    {row.name}: " in holonom.Model.run.__doc__
    for element in holonom.elements("joints"):
        assert f"    {element.name}: " in holonom.Builder.joint.__doc__
    assert "    mass: " in holonom.Builder.body.__doc__


def test_hints_are_those_of_the_table():
    """python3 -m holonom._hints > python/holonom/_options.py after a change of the options."""
    assert pathlib.Path(_options.__file__).read_text(encoding="utf-8") == _hints.hints()
    assert set(typing.get_type_hints(_options.Options)) == set(holonom.options())


def test_the_stub_has_all_of_the_module():
    """holonom/_core.pyi names every class, method and function of the extension."""
    path = pathlib.Path(holonom.__file__).with_name("_core.pyi")
    stub = ast.parse(path.read_text(encoding="utf-8"))
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    for name, value in vars(_core).items():
        if name.startswith("__") or name == "version":
            continue
        if not isinstance(value, type):
            assert name in functions, name
            continue
        members = {node.name if isinstance(node, ast.FunctionDef) else node.target.id for node in classes[name].body
                   if isinstance(node, (ast.FunctionDef, ast.AnnAssign))}
        own = {key for key in vars(value) if not key.startswith("__") and not key.startswith("n_")} - {"count", "index"}
        assert own - {"count", "index"} <= members | {"count"}, (name, own - members)
