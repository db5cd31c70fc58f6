"""Answers of analyses: facts, and tables with names and units."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union

import numpy as np

from . import _core
from ._pages import Path, frame, path_of, read_text, scratch

if TYPE_CHECKING:
    import pandas


class Table:
    """A table of an answer: `values` (rows x columns) without a copy, names and units of rows and columns."""

    def __init__(self, row: tuple):
        (self.name, self.title, rows, columns, self.row_names, self.column_names, self.row_units, self.column_units,
         self.units_of, block, formulas, latex) = row
        self.values: np.ndarray = np.asarray(block)
        shape = (rows, columns)
        self.formulas: Optional[np.ndarray] = None if formulas is None else np.array(formulas, dtype=object).reshape(shape)
        self.latex: Optional[np.ndarray] = None if latex is None else np.array(latex, dtype=object).reshape(shape)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if copy:
            return np.array(self.values, dtype=dtype)
        return np.asarray(self.values, dtype=dtype)

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: Union[str, Any]) -> np.ndarray:
        """A column by its name; a row by its name, where no column has it; or what NumPy takes."""
        if isinstance(key, str):
            if key in self.column_names:
                return self.values[:, self.column_names.index(key)]
            if self.row_names and key in self.row_names:
                return self.values[self.row_names.index(key)]
            raise KeyError(f"table '{self.name}' has no column '{key}'; it has {', '.join(self.column_names)}")
        return self.values[key]

    def to_pandas(self) -> "pandas.DataFrame":
        """A pandas.DataFrame with the names of rows and columns."""
        import pandas

        values = self.values if self.formulas is None else self.formulas
        return pandas.DataFrame(values, index=self.row_names, columns=self.column_names)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.shape[0]} x {self.shape[1]}, {self.title}>"

    def _repr_html_(self) -> str:
        cells = self.values if self.formulas is None else self.formulas
        head = "".join(f"<th>{html.escape(f'{name} [{unit}]' if unit else name)}</th>" for name, unit in
                       zip(self.column_names, self.column_units or [""] * len(self.column_names)))
        most = 60
        rows = []
        for i, row in enumerate(cells[:most]):
            name = f"<th>{html.escape(self.row_names[i])}</th>" if self.row_names else ""
            rows.append(f"<tr>{name}" + "".join(f"<td>{x:.6g}</td>" if isinstance(x, float) else f"<td>{html.escape(str(x))}</td>"
                                                for x in row) + "</tr>")
        left = f"<p>… {len(cells) - most} more rows</p>" if len(cells) > most else ""
        corner = "<th></th>" if self.row_names else ""
        return f"<p>{html.escape(self.title)}</p><table><tr>{corner}{head}</tr>{''.join(rows)}</table>{left}"


class Answer:
    """What an analysis answers. Facts and tables are attributes and items: `a.least_stiffness`, `a["eigenvalues"]`. Numbers are in
    SI units unless `units` was asked for."""

    def __init__(self, core: "_core.Answer", units: Optional[str] = None):
        if units:
            core.set_units(units)
        self._core = core
        self.command, self.title = core.head()
        rows = core.facts()
        self.facts: dict[str, Union[float, str]] = {key: value for key, _, value, _ in rows}
        self.fact_titles: dict[str, str] = {key: title for key, title, _, _ in rows}
        self.units: dict[str, str] = {key: unit for key, _, _, unit in rows}
        tables = [Table(core.table(i)) for i in range(core.count())]
        self.tables: dict[str, Table] = {table.name: table for table in tables}

    def __getitem__(self, name: str) -> Union[Table, float, str]:
        if name in self.tables:
            return self.tables[name]
        if name in self.facts:
            return self.facts[name]
        raise KeyError(f"'{self.command}' has no '{name}'; it has {', '.join([*self.facts, *self.tables])}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("facts", "tables", "command"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.facts, *self.tables]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.facts, *self.tables])

    def __contains__(self, name: object) -> bool:
        return name in self.facts or name in self.tables

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of linearize and gears: all eigenvalues as complex numbers, both of a pair; the table `eigenvalues` has one row for a pair
        and says more of it."""
        table = self.tables.get("eigenvalues")
        if table is None:
            raise AttributeError(f"'{self.command}' has no eigenvalues")
        values: list[complex] = []
        paired = not (table["imaginary"] < 0).any()  # gears lists both
        for real, imaginary in zip(table["real"], table["imaginary"]):
            values += [complex(real, imaginary)] + ([complex(real, -imaginary)] if paired and imaginary > 0 else [])
        return np.array(values)

    @property
    def model_text(self) -> Optional[str]:
        """The model file with the values found, of optimize and identify."""
        return self._core.model()

    def save(self, path: Path) -> None:
        """Write it to a file by the end of its name: .txt, .json, .csv, .h5, .mat, .tex, .yaml, or a page .html."""
        name = path_of(path)
        if name.lower().endswith(".html"):
            self._core.report(name)
        else:
            self._core.write(name)

    def to_json(self) -> str:
        return self._core.text(-1)

    def __str__(self) -> str:
        return self._core.text(0)

    def __repr__(self) -> str:
        return self._core.text(20)

    def _repr_html_(self) -> str:
        with scratch("answer.html") as (page,):
            self._core.report(page)
            return frame(read_text(page), 700)
