"""What notebooks show: reports, pictures, charts."""
import html
import re

import pytest

import holonom
from conftest import HAS, needs

whole = pytest.mark.skipif(not (HAS["hdf5"] and HAS.get("web")), reason="built without HDF5 or the report page")


@whole
def test_a_result_shows_its_report(four_bar, tmp_path):
    r = four_bar.run(end=1)
    cell = r._repr_html_()
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" [^>]*></iframe>', cell)
    page = html.unescape(frame.group(1))
    assert page.lstrip().lower().startswith("<!doctype html>") and "planar four-bar" in page and page == r.report()
    r.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page


@whole
def test_an_answer_shows_its_page(pendulum):
    assert 'srcdoc="' in pendulum.statics()._repr_html_()


def test_a_model_shows_its_picture(four_bar, tmp_path):
    svg = four_bar._repr_svg_()
    assert svg.lstrip().startswith("<") and "<svg" in svg and "coupler" in svg
    four_bar.picture(width=300, height=200).save(tmp_path / "a.svg")
    assert 'width="300"' in (tmp_path / "a.svg").read_text()
    with pytest.raises(ValueError, match="nothing 'smoke' to show"):
        four_bar.picture(show="smoke")
    apart = holonom.parse(four_bar.text.replace("L3: 4", "L3: 4"))
    assert apart._repr_svg_()


@needs["hdf5"]
def test_charts_and_motion(four_bar, tmp_path):
    r = four_bar.run(end=1)
    assert "<svg" in r.chart("crank_angle", "energy.kinetic").svg
    assert "<svg" in r.chart("energy.kinetic", x="crank_angle", title="energy").svg
    assert "<svg" in r.strobe(every=0.2, show=["trails", "reactions"]).svg and "<svg" in r.strobe(times=[0, 0.5])._repr_svg_()
    r.save_motion(tmp_path / "a.glb")
    assert (tmp_path / "a.glb").read_bytes()[:4] == b"glTF"
    assert r.save_frames(tmp_path, rate=5) == 6 and (tmp_path / "frame_00005.svg").exists()
    with pytest.raises(holonom.Error, match="nothing"):
        r.chart("nothing")
    sim = four_bar.simulation()
    sim.save_view(tmp_path / "v.svg")
    sim.save_view(tmp_path / "v.gltf")
    assert (tmp_path / "v.svg").stat().st_size > 1000 and (tmp_path / "v.gltf").stat().st_size > 1000
