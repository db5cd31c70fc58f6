"""Formulas of the pages as TeX.

The pages write formulas as plain text in indented blocks, so that they can be read in a terminal and on a code host:

    M v' + Aᵀ λ = Q        (W + A^T alpha A) x_{i+1} = f        until |x| ≤ eps        [MSF 25]

`tex` turns one such piece into TeX, `blocks` finds the blocks of a page. Names of Greek letters, `_`, `^`, primes, raised and
lowered signs, hats, `[A b; c 0]` (a matrix) and sqrt(...) have their usual meaning; longer words are words.
"""
import re
import unicodedata

GREEK = ("alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
         "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega").split()
FUNCTIONS = "sin cos tan cot exp log max min diag rate null det sign abs hypot atan2 acos asin dexp conj".split()
# Words of two letters, which would otherwise be products or a letter with an index.
SHORT = "as at be by do if in is it no of on or so to we An As At By If In Is It No Of On Or So To".split()
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵀˣ", "0123456789+-()Tx"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖ", "0123456789+-ijk"))
ACCENTS = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0307": r"\dot", "\u0308": r"\ddot", "\u0304": r"\bar"}
SIGNS = {
    "−": "-", "·": r"\cdot ", "×": r"\times ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "≈": r"\approx ", "→": r"\to ",
    "←": r"\gets ", "↔": r"\leftrightarrow ", "⊕": r"\oplus ", "⊖": r"\ominus ", "∈": r"\in ", "∂": r"\partial ", "∫": r"\int ",
    "∓": r"\mp ", "±": r"\pm ", "…": r"\dots ", "½": r"\tfrac12 ", "Σ": r"\sum ", "Π": r"\prod ", "√": r"\surd ", "—": r"\text{—}",
    "–": r"\text{–}", "°": r"^{\circ}", "∞": r"\infty ", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "~": r"\sim ",
    "<-": r"\gets ", "->": r"\to ", "<=": r"\le ", ">=": r"\ge ", "(+)": r"\oplus ", "(-)": r"\ominus ", "+=": r"\mathrel{+}=",
    "−=": r"\mathrel{-}=", "...": r"\dots ", ":": r"{:}\;", ";": r";\;", "$": r"\$", "⟨": r"\langle ", "⟩": r"\rangle ", "∇": r"\nabla ",
}
TOKEN = re.compile(r"""
    (?P<ref>\[[A-Z]{2,}[A-Za-z]*(?:\s[^\]\[;]*)?\])
  | (?P<file>[a-z-]+/[a-z/_-]+\.[a-z]+)
  | `(?P<code>[^`]+)`
  | (?P<name>[a-z]{3,}(?:_[a-z]{3,})+)
  | (?P<half>(?<![\w.)\]])\d/\d(?![\w.^]))
  | (?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)
  | (?P<word>[A-Za-z]+(?:['’]s\b|-[a-z]{3,})?)
  | (?P<sign><-|->|<=|>=|\(\+\)|\(-\)|\+=|−=|\.\.\.)
  | (?P<space>\s+)
  | (?P<char>.)
""", re.X)


def _closing(text, start):
    """The place of the bracket that closes the one at `start`, or -1."""
    depth = 0
    for i in range(start, len(text)):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        if depth == 0:
            return i
    return -1


def _split(text, separator):
    """The parts of a text between separators (a pattern) that stand in no bracket."""
    parts, depth, begin, i = [], 0, 0, 0
    while i < len(text):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        found = re.compile(separator).match(text, i) if depth == 0 else None
        if found and found.end() > i:
            parts.append(text[begin:i])
            begin = i = found.end()
        else:
            i += 1
    return [part.strip() for part in parts + [text[begin:]]]


def _matrix(inside):
    """Rows between `;`; entries between commas or wide spaces or, where that makes no rectangle, between spaces."""
    rows = _split(inside, ";")
    table = [_split(row, r",") if len(_split(row, ",")) > 1 else _split(row, r"\s{2,}") for row in rows]
    width = max(map(len, table))
    table = [row if len(row) == width else _split(line, r"\s+") for row, line in zip(table, rows)]
    if width == 1:
        words = [_split(row, r"\s+") for row in rows]
        alone = all(re.fullmatch(r"[\w'⁰-ₜᵀ⁻¹\u0302-\u0308^]+", word) for row in words for word in row)
        if alone and len(words[0]) > 1 and len(set(map(len, words))) == 1:
            table = words
    if len(set(map(len, table))) > 1:
        table = [[row] for row in rows]
    return r"\begin{bmatrix}" + r"\\".join(" & ".join(tex(entry) for entry in row) for row in table) + r"\end{bmatrix}"


def _index(word):
    """A word as an index."""
    if len(word) > 2 and word.isalpha() and word not in GREEK or word in SHORT:
        return r"\text{" + word + "}"
    return " ".join(word) if len(word) == 2 and word.isalpha() and word not in GREEK else tex(word)


def _script(text, i):
    """What stands after `_` or `^` at i: its TeX and where it ends."""
    if i < len(text) and text[i] in "{(":
        end = _closing(text, i)
        if end > 0:
            return tex(text[i + 1:end]), end + 1
    found = re.compile(r"[+-]?(?:[A-Za-z]+|\d+|[^\W\d_])|[+*-]").match(text, i)
    return (_index(found[0]), found.end()) if found else ("", i)


def _scripts(text, i):
    """The indices, exponents, primes and stars of what ends at i: TeX, and where they end."""
    low, high, primes = "", "", ""
    while i < len(text):
        c = text[i]
        if c in "'′":
            primes += r"\prime "
            i += 1
        elif c in RAISED and c != "ˣ" or c == "ˣ":
            high += RAISED[c]
            i += 1
        elif c in LOWERED:
            low += LOWERED[c]
            i += 1
        elif c in "_^" and i + 1 < len(text):
            part, end = _script(text, i + 1)
            if end == i + 1:
                break
            low, high = (low + part, high) if c == "_" else (low, high + part)
            i = end
        elif c == "*" and (i + 1 == len(text) or text[i + 1] in " ),;"):
            high += "*"
            i += 1
        else:
            break
    return (f"_{{{low}}}" if low else "") + (f"^{{{primes}{high}}}" if primes or high else ""), i


def _symbol(word):
    """A word that is a symbol, a function or a product, as TeX; None where it is a word."""
    if word in GREEK:
        return "\\" + word + " "
    if word == "sum":
        return r"\sum "
    if word in FUNCTIONS:
        return r"\operatorname{" + word + "}"
    if len(word) == 1:
        return word
    if word[1:] == "bar":
        return r"\bar{" + word[0] + "}"
    if word in SHORT:
        return None
    if word[0] == "d" and (len(word) == 2 or word[1:] in GREEK):
        return "d" + (_symbol(word[1:]) or "")
    if len(word) == 2 and word[0].isupper() and word[1].islower():
        return f"{word[0]}_{{{word[1]}}}"
    if len(word) == 2 and word[0].isupper():
        return f"{word[0]} {word[1]}"
    return None


class _Line:
    """TeX that is put together; words that follow each other become one text, with the spaces around them."""

    def __init__(self):
        self.parts, self.words = [], ""

    def word(self, text):
        if not self.words and self.parts and self.parts[-1] == " ":
            self.parts.pop()
            self.words = " "
        self.words += text.replace("_", r"\_")

    def space(self):
        if self.words:
            self.words = self.words.rstrip() + " "
        else:
            self.parts.append(" ")

    def math(self, text):
        self.flush()
        self.parts.append(text)

    def flush(self):
        if self.words:
            self.parts.append(r"\text{" + self.words + "}")
        self.words = ""


def _bracket(text, i):
    """A matrix that begins at i, or a root: TeX and its end; None where there is none."""
    end = _closing(text, i)
    if text[i] == "[" and end > 0 and len(_split(text[i + 1:end], ";")) > 1:
        return _matrix(text[i + 1:end]), end + 1
    return None


def _accented(text, i):
    """A letter with an accent over it."""
    letters = unicodedata.normalize("NFD", text[i])
    if len(letters) == 2 and letters[1] in ACCENTS:
        return ACCENTS[letters[1]] + "{" + letters[0] + "}", i + 1
    if i + 1 < len(text) and text[i + 1] in ACCENTS:
        return ACCENTS[text[i + 1]] + "{" + text[i] + "}", i + 2
    return None


def _is_article(text, found):
    """Whether the letter a is a word: behind a word, and before one."""
    before, after = text[:found.start()].rstrip(), text[found.end():].lstrip()
    return found[0] in "aA" and bool(re.search(r"\b[a-z]{2,}$", before)) and bool(re.match(r"[a-z]{2,}\b", after))


def tex(text):
    """A formula, or a formula with words, as TeX."""
    out, i = _Line(), 0
    text = unicodedata.normalize("NFC", text.strip())
    while i < len(text):
        made = _bracket(text, i) or (_accented(text, i) if text[i] not in SIGNS else None)
        found = TOKEN.match(text, i)
        kind, word = found.lastgroup, found[0]
        if made:
            part, i = made
        elif text.startswith("sqrt(", i) and _closing(text, i + 4) > 0:
            end = _closing(text, i + 4)
            part, i = r"\sqrt{" + tex(text[i + 5:end]) + "}", end + 1
        elif kind in ("ref", "file", "code", "name"):
            out.word(word.strip("`"))
            i = found.end()
            continue
        elif kind == "space":
            aligned = text[found.end():found.end() + 1] in tuple("=≤≥") or text[i - 1] in "=≤≥"
            out.math(r"\quad ") if len(word) > 1 and not aligned else out.space()
            i = found.end()
            continue
        elif kind == "word" and (_symbol(word) is None or _is_article(text, found)) and text[found.end():found.end() + 1] not in tuple("_^"):
            out.word(word)
            i = found.end()
            continue
        elif kind == "word":
            part, i = _symbol(word) or r"\mathrm{" + word + "}", found.end()
            digits = re.compile(r"\d+").match(text, i)
            if digits and word not in FUNCTIONS:
                i = digits.end()
                part = part[:-1] + digits[0] + "}" if part.endswith("}") and "_{" in part else part + f"_{{{digits[0]}}}"
        elif kind == "number":
            part, i = re.sub(r"^1e\+?(-?)0*(\d+)$", r"10^{\1\2}", word), found.end()
        elif kind == "half":
            part, i = rf"\tfrac{{{word[0]}}}{{{word[2]}}}", found.end()
        elif word == "." and found.end() < len(text):
            part, i = r"\cdot ", found.end()
        elif kind == "char" and (word in RAISED or word in LOWERED or word in "'′_^*"):
            # a script with nothing before it
            scripts, end = _scripts(text, i)
            part, i = ("{}" + scripts, end) if end > i else ("\\" + word if word in "_^" else word, i + 1)
        else:
            part, i = SIGNS.get(word, word), found.end()
            if word not in ")]}|ΣΠ∫" and not word.isalpha():
                out.math(part)
                continue
        scripts, i = _scripts(text, i)
        if "_{" in part and scripts.startswith("_{") and not part.startswith("\\"):
            part = "{" + part + "}"
        out.math(part + scripts)
    out.flush()
    return "".join(out.parts)


COMMAND = re.compile(r"\s*(?:\$ |holonom |\./dev |cmake |make |pip |python3 |export |apt|sudo |for \w+ in |valgrind )")
# Lines of a model file, diagrams, and matrices that are drawn over several lines: they stay as they are.
DRAWN = re.compile(r"^\s*(?:[A-Za-z-]+:\s*(?:\{|$)|joint '|text →)|(?:^|[\s=])\| .* \|(?:\s|$)|^b=")


def kind(lines):
    """"command", "formula" or "other": what an indented block holds."""
    if COMMAND.match(lines[0]):
        return "command"
    if any(COMMAND.match(line) for line in lines):
        return "other"
    drawn = sum(bool(DRAWN.search(line)) for line in lines)
    signs = any(re.search(r"[=≤≥<≈Σ²³⁻ᵀ]|\b\w\^", line) for line in lines)
    return "other" if drawn or not signs else "formula"


def pieces(line):
    """The pieces of a line, which three spaces or more separate outside brackets, with the columns where they begin."""
    found, depth, begin, i = [], 0, None, 0
    while i <= len(line):
        if i == len(line) or depth <= 0 and re.compile(r"\s{3,}").match(line, i):
            if begin is not None:
                found.append((begin, line[begin:i].rstrip()))
            begin = None
            i += 1
            while i < len(line) and line[i].isspace():
                i += 1
            continue
        if begin is None and not line[i].isspace():
            begin = i
        depth += line[i] in "(["
        depth -= line[i] in ")]"
        i += 1
    return found
