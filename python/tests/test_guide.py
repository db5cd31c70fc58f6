"""The guide, docs/python.md: its blocks of Python run in their order, and print what the block of text behind them says."""
import contextlib
import io
import os
import re

import pytest

from conftest import HAS, ROOT

PAGE = ROOT / "docs/python.md"


@pytest.mark.skipif(not all(HAS.get(name) for name in ("hdf5", "web", "nlopt", "cminpack", "fyaml")), reason="built without a part it uses")
def test_the_guide_prints_what_it_says(tmp_path, monkeypatch):
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, re.M | re.S)
    assert len(blocks) >= 20
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "models", tmp_path / "models")
    names, printed = {}, None
    for kind, text in blocks:
        if kind == "text":
            assert printed == text, f"the block prints\n{printed}and the page says\n{text}"
            printed = None
            continue
        assert not printed, f"what this prints is not on the page:\n{printed}"
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, str(PAGE), "exec"), names)
        printed = out.getvalue()
    assert not printed
