"""Pages of the public headers, in reading order, from their comments.

A header opens with a comment (its first line is the title), and blank lines separate its declarations, each with its comment above.
"""
import html
import re

FUNCTION = re.compile(r"\b(hol_\w+)\s*\(")
TYPE = re.compile(r"^\}\s*(hol_\w+);|^typedef\b[^{;]*?\b(hol_\w+)(?:\s*\(|;)|^typedef struct (hol_\w+) \{", re.M)


def _comment(text):
    """The words of a comment, without its stars."""
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", text.strip())
    return re.sub(r"^[ \t]*\* ?", "", text, flags=re.M)


def _chunks(source):
    """The parts between blank lines outside comments and braces."""
    part, depth, inside = [], 0, False
    for line in source.split("\n") + [""]:
        if not line.strip() and depth == 0 and not inside:
            if part:
                yield "\n".join(part)
            part = []
            continue
        part.append(line)
        inside = "/*" in line and "*/" not in line[line.index("/*"):] or inside and "*/" not in line
        bare = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", line)
        depth += bare.count("{") - bare.count("}")


def names(code):
    """What a chunk of code declares: types and functions, in order."""
    found = []
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    for match in re.finditer(rf"{TYPE.pattern}|^(?![ \t}}]|typedef)[^\n;{{]*?\b(hol_\w+)\s*\(", bare, re.M):
        name = next(group for group in match.groups() if group)
        if name not in found:
            found.append(name)
    return found


def _words(text, where, page):
    """A comment as Markdown: names become code, those of the interface links; indented lines stay blocks of code."""
    def name(match):
        word = match[0]
        at = where.get(word)
        code = f"`{word}`"
        return code if not at else f"[{code}]({'' if at == page else at + '.md'}#{word})"

    lines, code, blank = [], False, True
    for line in text.split("\n"):
        code = line.startswith("    ") and (blank or code)
        blank = not line.strip()
        if not code:
            line = html.escape(line, quote=False).replace("*", r"\*").replace("`", r"\`")
            line = re.sub(r"(?<![\w`])_|_(?!\w)", r"\\_", line)
            line = re.sub(r"\b(?:hol_\w+|HOL_\w+)\b", name, line.strip())
        lines.append(line)
    return "\n".join(lines)


def read(path):
    """The title, the opening words and the chunks (comment, code) of a header."""
    source = path.read_text(encoding="utf-8")
    opening, rest = source.split("*/", 1)
    title, _, words = _comment(opening).partition("\n")
    rest = re.sub(r"^#(?:ifdef __cplusplus\n.*?\n#endif|ifndef HOLONOM_\w+|define HOLONOM_\w+_H|endif).*$", "", rest, flags=re.M)
    rest = re.sub(r'^(?:extern "C" \{|\}|#include.*)$', "", rest, flags=re.M)
    chunks = []
    for chunk in _chunks(rest):
        comment = re.match(r"\s*/\*.*?\*/\n?", chunk, re.S)
        code = chunk[comment.end():] if comment else chunk
        if code.strip():
            chunks.append((_comment(comment[0]) if comment else "", code.rstrip()))
    return title, words.strip("\n"), chunks


def _heading(found, given):
    """A heading with the names of a chunk and their anchors; names that have one already get none."""
    new = [name for name in found if name not in given]
    given.update(new)
    if not new:
        return ""
    title = ", ".join(f"`{name}`" for name in new[:3]) + (", …" if len(new) > 3 else "")
    more = "".join(f'<a id="{name}"></a>' for name in new[1:])
    return f"\n## {title} {{#{new[0]}}}\n{more}\n"


def pages(folder):
    """{name: text} for every header of the folder in the order of holonom.h, and an index."""
    order = re.findall(r'#include "(\w+)\.h"', (folder / "holonom.h").read_text(encoding="utf-8"))
    parsed = {name: read(folder / f"{name}.h") for name in order}
    where = {word: name for name, (_, _, chunks) in parsed.items() for _, code in chunks for word in names(code)}
    made, index = {}, []
    for name, (title, words, chunks) in parsed.items():
        sentence = title.partition(": ")[2]
        out, given = [f"# {name}.h\n\n{sentence[:1].upper()}{sentence[1:]}\n\n{_words(words, where, name)}\n"], set()
        for comment, code in chunks:
            out.append(_heading(names(code), given))
            if comment:
                out.append(f"\n{_words(comment, where, name)}\n")
            out.append(f"\n```c\n{code}\n```\n")
        made[name] = "".join(out)
        index.append(f"| [{name}.h]({name}.md) | {sentence} |")
    made["index"] = ("# Headers\n\n`#include <holonom/holonom.h>` brings all of them. What holds for every call (lives of objects, errors, threads) "
                     "is said on [the page of the library](../docs/api.md).\n\n| header | holds |\n|---|---|\n" + "\n".join(index) + "\n")
    return made, order
