"""The gallery: a page for each machine of models/ with its still, its motion and its model file.

Stills come from `holonom view`, motions from `holonom run` and `holonom report`. Both are kept and made anew where the model file or the
program is newer.
"""
import html
import pathlib
import re
import subprocess

LONGEST = 120  # s, for a run; a machine that takes longer has no motion, and its page says so


def _is_fresh(path, *sources):
    return path.exists() and all(path.stat().st_mtime > pathlib.Path(source).stat().st_mtime for source in sources)


def _call(*words, limit=LONGEST):
    """None, or why the program could not do it."""
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"the run takes longer than {limit} s"
    return None if done.returncode in (0, 8) else (done.stderr.strip().split("\n") or ["it failed"])[0]


def _picture(program, model, out):
    if _is_fresh(out, model, program):
        return None
    return _call(program, "view", model, "-o", out, "-q")


def _motion(program, model, out, scratch):
    if _is_fresh(out, model, program):
        return None
    results = scratch / "run.h5"
    return _call(program, "run", model, "-q", "-o", results) or _call(program, "report", results, "-o", out, "-q")


def describe(model):
    """The name of a model and the comment on top of its file."""
    text = model.read_text(encoding="utf-8")
    comment = re.match(r"(?:#.*\n)*", text)[0]
    words = " ".join(line.lstrip("# ").rstrip() for line in comment.split("\n")).strip()
    name = re.search(r"^name: *(.+)$", text, re.M)
    return (name[1].strip("\"' ") if name else model.stem.replace("_", " ")), words


def _page(title, words, model, still, report, missing):
    out = [f"# {title[:1].upper()}{title[1:]}\n\n{html.escape(words, quote=False)}\n"]
    if report:
        out.append(f'\n<iframe class="report" src="{report}" title="{html.escape(title)} in motion" loading="lazy"></iframe>\n\n'
                   f"[Open the report on a page of its own]({report}) · [model file]({model.name})\n")
    else:
        out.append(f"\n![{title}]({still})\n\n[Model file]({model.name})\n" if still else f"\n[Model file]({model.name})\n")
    if missing:
        out.append(f"\nThere is no motion here: {html.escape(missing, quote=False)}.\n")
    out.append(f'\n## The model\n\n    holonom run {model.parent.parent.name + "/" if model.parent.name == "gjb" else ""}{model.parent.name}/{model.name}\n\n```yaml\n{model.read_text(encoding="utf-8").rstrip()}\n```\n')
    return "".join(out)


def pages(program, models, staged, kept, motions):
    """Write models/*.md below `staged`, the stills and motions to `kept`; the names of `motions` (None: all) move."""
    rows = []
    scratch = kept / "scratch"
    for folder in (staged / "models", kept / "models", scratch):
        folder.mkdir(parents=True, exist_ok=True)
    for model in models:
        stem = model.stem
        title, words = describe(model)
        still, report = kept / "models" / f"{stem}.svg", kept / "models" / f"{stem}.html"
        no_still = _picture(program, model, still)
        missing = "this copy of the site was built without it" if motions is not None and stem not in motions else \
            _motion(program, model, report, scratch)
        page = _page(title, words, model, None if no_still else f"{stem}-still.svg", None if missing else f"{stem}-report.html", missing)
        (staged / "models" / f"{stem}.md").write_text(page, encoding="utf-8")
        (staged / "models" / model.name).write_bytes(model.read_bytes())
        if not no_still:
            (staged / "models" / f"{stem}-still.svg").write_bytes(still.read_bytes())
        if not missing:
            (staged / "models" / f"{stem}-report.html").write_bytes(report.read_bytes())
        picture = f'<img src="{stem}-still.svg" alt="" loading="lazy">' if not no_still else ""
        rows.append(f'<a class="machine" href="{stem}.html">{picture}<span>{html.escape(title[:1].upper() + title[1:])}</span></a>')
    (staged / "models" / "index.md").write_text(
        "# Machines\n\nThe models of the repository: each page has the mechanism in motion, with plots, and the model file. "
        "[Six machines](../examples/machines/README.md) come with engineering questions and their answers.\n\n"
        '<div class="machines">\n' + "\n".join(rows) + "\n</div>\n", encoding="utf-8")
