"""The options of a run as type hints: prints holonom/_options.py from the table of the library.

    python3 -m holonom._hints > python/holonom/_options.py
"""
from __future__ import annotations

import json

from ._tables import Option, options


def hint_of(row: Option) -> str:
    """The type that a keyword of that name takes."""
    words = ", ".join(json.dumps(word) for word in row.choices)
    literal = f"Literal[{words}]" if words else ""
    if row.kind == "real":
        return "Union[float, str]"
    if row.kind == "integer":
        return f"Union[int, {literal}]" if literal else "int"
    if row.kind == "bool":
        return "bool"
    if row.kind == "choice":
        switch = {"on", "off"} <= set(row.choices)
        return f"Union[bool, {literal}]" if switch else literal or "str"
    return "Union[str, Sequence[str]]"


def hints() -> str:
    """The file."""
    lines = ['"""Made by holonom._hints from the table of options; do not edit."""',
             "from typing import Literal, Sequence, TypedDict, Union", "", "",
             "class Options(TypedDict, total=False):", '    """Options of a simulation."""', ""]
    for row in options().values():
        line = f"    {row.name}: {hint_of(row)}"
        if len(line) > 140:
            head, _, words = line.partition("Literal[")
            words, _, tail = words.rpartition("]")
            if tail or head.endswith("Union[bool, "):
                inner, _, rest = words.partition("]")
                words, tail = inner, "]" + rest if rest else tail
            lines.append(f"{head}Literal[")
            lines += [f"        {word}," for word in words.split(", ")]
            lines.append(f"    ]{tail}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(hints(), end="")
