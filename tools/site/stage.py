"""Lay out the pages of the documentation site, as mkdocs takes them.

    stage.py PROGRAM FOLDER [--motions NAME...]

Pages keep their places in the repository, so that links between them stay as they are; links to other files lead to copies with colours.
Indented blocks become formulas (formulas.py) or commands. FOLDER/mkdocs.yml, FOLDER/pages and FOLDER/theme are made anew, stills and motions
of machines are kept in FOLDER/kept.
"""
import argparse
import html
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

import yaml

import formulas
import headers
import machines

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KATEX = pathlib.Path(os.environ.get("HOLONOM_KATEX_FOLDER", "/usr/share/javascript/katex"))
WITH_FORMULAS = ("docs/theory/", "docs/problems/", "docs/questions/", "docs/local-coordinates.md")
LANGUAGES = {".c": "c", ".h": "c", ".sh": "sh", ".yaml": "yaml", ".py": "python", ".m": "matlab", ".json": "json", ".mjs": "js"}
LINK = re.compile(r"(\]\(<?|(?:src|href)=\"|^\[[^\]]+\]: +<?)([^)\s\">]+)", re.M)


class Stage:
    """What has been laid out, and what is still to be copied because a page refers to it."""

    def __init__(self, folder):
        self.folder = folder
        self.wanted = set()
        self.formulas = []

    def target(self, page, link):
        """A link of a page of the repository as it has to be in the site; files that it needs are noted."""
        if re.match(r"[a-z]+:|#", link) or not link:
            return link
        path, _, anchor = link.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if not (ROOT / place).exists():
            return link  # mkdocs says so
        new = self.place(place)
        here = posixpath.dirname(self.place(page))
        return posixpath.relpath(new, here or ".") + (f"#{anchor}" if anchor else "")

    def place(self, path):
        """Where a file of the repository is in the site."""
        if path == "README.md":
            return "readme.md"
        if path == "docs/validation/index.html":
            self.wanted.add(path)
            return "docs/validation/all.html"
        if path.endswith(".md"):
            return path
        if re.fullmatch(r"include/holonom/\w+\.h", path):
            return f"api/{pathlib.Path(path).stem.replace('holonom', 'index')}.md"
        if re.fullmatch(r"models(/gjb)?/\w+\.yaml", path):
            return f"models/{pathlib.Path(path).stem}.md"
        if (ROOT / path).is_dir():
            return "models/index.md" if path.startswith("models") else path
        self.wanted.add(path)
        if path.endswith((".png", ".svg", ".html", ".glb")):
            return path
        return path + ".md"

    def links(self, page, text):
        """The text of a page with its links as they have to be; code is left alone."""
        parts = re.split(r"(^```.*?^```|`[^`\n]*`|\n\n(?:    [^\n]*(?:\n|$)|[ \t]*\n)+)", text, flags=re.M | re.S)
        return "".join(part if k % 2 else LINK.sub(lambda found: found[1] + self.target(page, found[2]), part) for k, part in enumerate(parts))


def blocks(text):
    """The lines of a page in runs: ("text" | "fence" | "block", lines). Lines of a block are without their indentation."""
    run, kind, fence, blank = [], "text", False, True
    for line in text.split("\n"):
        if line.startswith("```"):
            new = "fence"
            fence = not fence
        elif fence:
            new = "fence"
        elif line.startswith("    ") and (blank or kind == "block"):
            new = "block"
        elif not line.strip() and kind == "block":
            new = "block"
        else:
            new = "text"
        blank = not line.strip()
        if new != kind and run:
            yield kind, run
            run = []
        run.append(line[4:] if new == "block" else line)
        kind = new
        if kind == "fence" and not fence:
            yield kind, run
            run, kind = [], "text"
    if run:
        yield kind, run


def table(stage, lines):
    """A block of formulas: a table with a row for each line; where pieces of several lines begin in one column they stand under each other."""
    rows = [formulas.pieces(line) for line in lines if line.strip()]
    starts = [column for row in rows for column, _ in row]
    columns = sorted({0} | {column for column in starts if starts.count(column) > 1})
    out = []
    for row in rows:
        cells = {}
        for column, piece in row:
            stage.formulas.append(formulas.tex(piece))
            mark = f'<span role="math" aria-label="{html.escape(piece)}">@@{len(stage.formulas) - 1}@@</span>'
            cells.setdefault(max(k for k, at in enumerate(columns) if at <= column), []).append(mark)
        ends = [*sorted(cells)[1:], len(columns)]
        line = "".join(f'<td colspan="{end - k}">{"".join(cells[k])}</td>' for k, end in zip(sorted(cells), ends))
        first = min(cells)
        out.append("<tr>" + (f'<td colspan="{first}"></td>' if first else "") + line + "</tr>")
    return ['<div class="formula"><table class="f">' + "".join(out) + "</table></div>"]


def render(stage, page, text):
    """A page with its blocks as commands and formulas, and lists apart from the lines above them."""
    out, previous = [], ""
    for kind, lines in blocks(text):
        if kind == "block":
            tail = []
            while lines and not lines[-1].strip():
                tail.append(lines.pop())
            what = formulas.kind(lines) if lines else "other"
            if what == "command":
                out += ["```sh", *lines, "```"]
            elif what == "formula" and page.startswith(WITH_FORMULAS):
                out += table(stage, lines)
            else:
                out += ["    " + line for line in lines]
            out += tail
            previous = ""
            continue
        for line in lines:
            if kind == "text" and re.match(r"(?:[-*]|\d+\.) ", line) and previous.strip() and not re.match(r"(?:[-*]|\d+\.) |  ", previous):
                out.append("")
            out.append(line)
            previous = line
    return "\n".join(out)


def _notebook(path):
    """A notebook as a page: its texts and its code."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) if cell["cell_type"] == "markdown" else "```python\n" + "".join(cell["source"]) + "\n```"
                       for cell in cells)


def copy(stage, path):
    """A file that a page refers to: pictures as they are, others as a page with colours beside the file itself."""
    source, place = ROOT / path, stage.folder / "pages" / stage.place(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.suffix == ".html":
        text = LINK.sub(lambda found: found[1] + re.sub(r"\.md$", ".html", stage.target(path, found[2])), source.read_text(encoding="utf-8"))
        place.write_text(text, encoding="utf-8")
        return
    if place.suffix != ".md":
        shutil.copyfile(source, place)
        return
    shutil.copyfile(source, place.with_suffix(""))
    text = source.read_text(encoding="utf-8").rstrip()
    fence = "~~~~" if "```" in text else "```"
    body = _notebook(source) if source.suffix == ".ipynb" else f"{fence}{LANGUAGES.get(source.suffix, '')}\n{text}\n{fence}"
    place.write_text(f"# {source.name}\n\n`{path}` · [the file itself]({source.name})\n\n{body}\n", encoding="utf-8")


def short_title(page):
    """The heading of a page for the navigation: without marks, up to its colon."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.M)
    return re.sub(r"[`*]", "", found[1]).split(": ")[0] if found else page.stem


def navigation(entries, there):
    """nav.yml with its stars replaced by the pages that stand nowhere else, and without pages that are not there. `there`: page to title."""
    def named(items):
        for item in items:
            value = next(iter(item.values())) if isinstance(item, dict) else item
            if isinstance(value, list):
                yield from named(value)
            elif not value.endswith("*"):
                yield value

    taken = set(named(entries))

    def fill(items):
        out = []
        for item in items:
            title, value = next(iter(item.items())) if isinstance(item, dict) else (None, item)
            if isinstance(value, list):
                inner = fill(value)
                out += [{title: inner}] if inner else []
            elif value.endswith("*"):
                found = [page for page in there if page.startswith(value[:-1]) and "/" not in page[len(value) - 1:] and page not in taken]
                taken.update(found)
                found = [{there[page]: page} for page in found]
                out += [{title: found}] if title and found else [] if title else found
            elif value in there:
                out.append({title or there[value]: value})
        return out

    return fill(entries)


def commands(program):
    """What `holonom help` says, a section for each command."""
    def ask(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout

    text = ask("help")
    names = re.findall(r"^  ([a-z]+)\s{2,}[A-Z]", text.split("Commands:")[1].split("Data goes")[0], re.M)
    out = ["# Commands\n\nWhat `holonom help` prints; each command has a manual page, too (`man holonom-run`).\n\n```text\n" + text.rstrip() + "\n```\n"]
    for name in names:
        said = ask("help", name).split("\nExit codes:")[0].rstrip()
        out.append(f"\n## {name}\n\n```text\n{said}\n```\n")
    return "".join(out)


def _sources():
    """The pages of the repository that are part of the site."""
    tops = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
    found = [ROOT / top for top in tops] + sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "examples/machines").glob("*.md"))
    return [str(path.relative_to(ROOT)) for path in found]


def _assets(stage):
    """KaTeX's style and fonts, the site's style and scripts."""
    assets = stage.folder / "pages/assets"
    (assets / "katex/fonts").mkdir(parents=True)
    style = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    style = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)", "", style)
    (assets / "katex/katex.min.css").write_text(style, encoding="utf-8")
    for font in sorted(set(re.findall(r"url\(fonts/([^)]+)\)", style))):
        shutil.copyfile(KATEX / "fonts" / font, assets / "katex/fonts" / font)
    shutil.copyfile(HERE / "site.css", assets / "site.css")
    shutil.copyfile(HERE / "offline.js", assets / "offline.js")
    shutil.copyfile(HERE / "icon.svg", assets / "icon.svg")
    shutil.copytree(HERE / "theme", stage.folder / "theme")


def _set_formulas(stage, pages):
    """Put KaTeX's pieces where the marks are."""
    done = subprocess.run(["node", str(HERE / "katex.mjs")], input=json.dumps(stage.formulas), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    made = json.loads(done.stdout)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if "@@" in text:
            page.write_text(re.sub(r"@@(\d+)@@", lambda found: made[int(found[1])], text), encoding="utf-8")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("program")
    words.add_argument("folder", type=pathlib.Path)
    words.add_argument("--motions", nargs="*")
    given = words.parse_args()
    stage = Stage(given.folder)
    pages = given.folder / "pages"
    for old in (pages, given.folder / "theme", given.folder / "html"):
        shutil.rmtree(old, ignore_errors=True)
    pages.mkdir(parents=True)
    _assets(stage)

    def write(place, text):
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        (pages / place).write_text(text, encoding="utf-8")

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    model = re.search(r"^```yaml\n.*?^```\n.*?(?=^Error messages)", readme, re.M | re.S)[0]
    write("index.md", render(stage, "index.md", (HERE / "index.md").read_text(encoding="utf-8").replace("@MODEL@", model)))
    for path in _sources():
        text = (ROOT / path).read_text(encoding="utf-8")
        write(stage.place(path), render(stage, path, stage.links(path, text)))
    made, order = headers.pages(ROOT / "include/holonom")
    for name, text in made.items():
        write(f"api/{name}.md", text)
    write("commands.md", commands(given.program))
    models = sorted((ROOT / "models").glob("*.yaml")) + sorted((ROOT / "models/gjb").glob("*.yaml"))
    machines.pages(given.program, models, pages, given.folder / "kept", given.motions)
    done = set()
    while stage.wanted - done:  # a copy may refer to further files
        for path in sorted(stage.wanted - done):
            copy(stage, path)
            done.add(path)
    _set_formulas(stage, sorted(pages.rglob("*.md")))

    def natural(path):  # 5-2 before 5-10
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))]

    names = [str(path.relative_to(pages)) for path in sorted(pages.rglob("*.md"), key=natural)]
    names = [f"api/{name}.md" for name in order] + [name for name in names if not name.startswith("api/") or name == "api/index.md"]
    there = {name: short_title(pages / name) for name in names}
    settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    nav = yaml.safe_dump(navigation(yaml.safe_load((HERE / "nav.yml").read_text(encoding="utf-8")), there), allow_unicode=True, sort_keys=False)
    (given.folder / "mkdocs.yml").write_text(settings + "nav:\n" + nav, encoding="utf-8")


if __name__ == "__main__":
    main()
