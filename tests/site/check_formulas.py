"""Plain formulas and the TeX that they become, written down by hand."""
import sys

import formulas

CASES = [
    ("M v' + Aᵀ λ = Q", r"M v^{\prime } + A^{T} λ = Q"),
    ("x_{i+1} = x_i + h/2 (a - b)", r"x_{i+1} = x_{i} + h/2 (a - b)"),
    ("K = [M Aᵀ; A 0]", r"K = \begin{bmatrix}M & A^{T}\\A & 0\end{bmatrix}"),
    ("[A; B] v = [b; w]", r"\begin{bmatrix}A\\B\end{bmatrix} v = \begin{bmatrix}b\\w\end{bmatrix}"),
    ("[D; B] delta = [-Phi(q); 0]", r"\begin{bmatrix}D\\B\end{bmatrix} \delta  = \begin{bmatrix}-\Phi (q)\\0\end{bmatrix}"),
    ("psi1'^2 / tau3", r"\psi _{1}^{\prime 2} / \tau _{3}"),
    ("|x| ≤ 1e-10 until all is done [HW IV.2]", r"|x| \le  10^{-10}\text{ until all is done [HW IV.2]}"),
    ("sqrt(a² + b²)", r"\sqrt{a^{2} + b^{2}}"),
    ("Σ_{j<i} a_ij k_j", r"\sum _{j<i} a_{i j} k_{j}"),
    ("T = 1/2 v^T M v", r"T = \tfrac{1}{2} v^{T} M v"),
    ("q (+) d", r"q \oplus  d"),
    ("Â⁺ᵀ y_kept", r"\hat{A}^{+T} y_{\text{kept}}"),
    ("position_tolerance", r"\text{position\_tolerance}"),
]
PIECES = ("a = b,   c = [1   2]     d", [(0, "a = b,"), (9, "c = [1   2]"), (25, "d")])
KINDS = [(["holonom run x.yaml"], "command"), (["A v = b"], "formula"), (["M = | 1 0 |", "    | 0 1 |"], "other"), (["joints:", "  a: {}"], "other"),
         (["warning: nothing is known"], "other"), (["|A x − c| ≈ |μ| / α"], "formula")]

wrong = [f"{text}: {formulas.tex(text)} and not {tex}" for text, tex in CASES if formulas.tex(text) != tex]
wrong += [f"{lines[0]}: {formulas.kind(lines)} and not {kind}" for lines, kind in KINDS if formulas.kind(lines) != kind]
if formulas.pieces(PIECES[0]) != PIECES[1]:
    wrong.append(f"{PIECES[0]}: {formulas.pieces(PIECES[0])}")
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
