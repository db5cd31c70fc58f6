"""Builds the wheel: CMake makes the module, which holds the library, and this file packs it. It needs a compiler, CMake, Ninja and the
libraries of `./dev setup`, and no network.

HOLONOM_PYTHON_BUILD names a build folder to use (and keep), HOLONOM_PYTHON_CMAKE further words for CMake.
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent


def _version():
    header = (root / "include/holonom/version.h").read_text(encoding="utf-8")
    return re.search(r'#define HOL_VERSION "([^"]+)"', header).group(1)


def _tag():
    return f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _metadata():
    lines = ["Metadata-Version: 2.1", "Name: holonom", f"Version: {_version()}", "Summary: Constrained multibody dynamics",
             "License: BSD-3-Clause", "Requires-Python: >=3.11", "Requires-Dist: numpy>=1.24", "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (here / "README.md").read_text(encoding="utf-8")


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: holonom\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def write_info(folder):
    """What tells other tools of an installed package which one and of which version it is, below the folder."""
    info = pathlib.Path(folder) / f"holonom-{_version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata(), encoding="utf-8")


def _build(folder):
    """The package with its module below the folder."""
    if not (root / "CMakeLists.txt").exists():
        raise SystemExit("the module is built from the repository of Holonom: pip install <repository>/python")
    configure = ["cmake", "-S", str(root), "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DHOLONOM_TESTS=OFF", "-DHOLONOM_EXAMPLES=OFF",
                 "-DHOLONOM_BENCH=OFF", "-DHOLONOM_PYTHON=ON", f"-DHOLONOM_PYTHON_EXECUTABLE={sys.executable}"]
    if not (pathlib.Path(folder) / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    # pip hides the packages of the system from what it starts, and NumPy is one
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    subprocess.run(configure + shlex.split(os.environ.get("HOLONOM_PYTHON_CMAKE", "")), check=True, env=clean)
    done = subprocess.run(["cmake", "--build", folder, "-j", str(os.cpu_count() or 2), "--target", "holonom_python_package"], env=clean)
    if done.returncode:
        raise SystemExit("the module could not be built: it needs python3-dev and python3-numpy, and what ./dev setup installs")
    return pathlib.Path(folder) / "python" / "holonom"


def _pack(package, wheel):
    """The files of the package and their records as a wheel."""
    info = f"holonom-{_version()}.dist-info"
    files = {f"holonom/{file.name}": file.read_bytes() for file in sorted(package.iterdir()) if file.is_file()}
    files |= {f"{info}/METADATA": _metadata().encode(), f"{info}/WHEEL": _wheel().encode(),
              f"{info}/LICENSE": (root / "LICENSE").read_bytes()}
    rows = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            item = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            item.compress_type = zipfile.ZIP_DEFLATED
            item.external_attr = 0o644 << 16
            archive.writestr(item, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(data)}")
        archive.writestr(f"{info}/RECORD", "\n".join(rows + [f"{info}/RECORD,,"]) + "\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"holonom-{_version()}-{_tag()}.whl"
    kept = os.environ.get("HOLONOM_PYTHON_BUILD")
    with tempfile.TemporaryDirectory() as scratch:
        _pack(_build(kept or scratch), pathlib.Path(wheel_directory) / name)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("there is no source distribution of the module alone: it is built from the repository of Holonom")


def get_requires_for_build_wheel(config_settings=None):
    return []
