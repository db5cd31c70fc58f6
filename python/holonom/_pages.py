"""Files that come and go, and pages within pages."""
from __future__ import annotations

import contextlib
import html
import os
import tempfile
from typing import Iterator, Union

Path = Union[str, "os.PathLike[str]"]


def path_of(path: Path) -> str:
    """A path as the library takes it."""
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError("a path must be a str or an os.PathLike of str")
    return text


@contextlib.contextmanager
def scratch(*names: str) -> Iterator[list[str]]:
    """Paths in a folder that is taken away afterwards."""
    with tempfile.TemporaryDirectory(prefix="holonom-") as folder:
        yield [os.path.join(folder, name) for name in names]


def read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def frame(page: str, height: int) -> str:
    """A whole page within a cell of a notebook: its scripts and styles stay its own."""
    return (f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" style="border: 0" '
            'sandbox="allow-scripts allow-downloads allow-popups"></iframe>')


def read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def write_bytes(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


class Picture:
    """An SVG picture that notebooks show; `svg` is its text."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Path) -> None:
        """Write it to an .svg file."""
        with open(path_of(path), "w", encoding="utf-8") as file:
            file.write(self.svg)


# Bits of what pictures show beside the mechanism.
SHOW = {"trails": 1, "reactions": 2, "forces": 4, "bare": 8, "axes": 16}


def bits(show: Union[str, "tuple[str, ...]", "list[str]"]) -> int:
    words = [show] if isinstance(show, str) else list(show)
    for word in words:
        if word not in SHOW:
            raise ValueError(f"there is nothing '{word}' to show; take {', '.join(SHOW)}")
    return sum({SHOW[word] for word in words})
