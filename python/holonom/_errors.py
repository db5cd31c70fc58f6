"""Messages of the library as exceptions and warnings."""
from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from ._result import Result

_SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Message:
    """What the library says: what is wrong, where, and what to try."""

    severity: str
    text: str
    element: Optional[str] = None
    file: Optional[str] = None
    line: int = 0
    column: int = 0
    status: int = 0

    @property
    def hint(self) -> str:
        """What to try: the text behind the first semicolon, or its question ("did you mean …?"); "" where it says nothing."""
        _, mark, rest = self.text.partition("; ")
        return rest if mark else ""

    @property
    def place(self) -> str:
        """"file:line:column", as far as it is known."""
        parts = [self.file or ""]
        if self.line:
            parts += [str(self.line)] + ([str(self.column)] if self.column else [])
        return ":".join(parts) if parts[0] else ""

    def __str__(self) -> str:
        who = f"{self.element}: " if self.element else ""
        where = f"{self.place}: " if self.place else ""
        return f"{where}{who}{self.text}"


def messages_from(rows: Sequence[tuple]) -> list[Message]:
    return [Message(_SEVERITIES[severity], text or "", element, file, line, column, status)
            for severity, status, element, text, file, line, column in rows]


class HolonomWarning(UserWarning):
    """A warning of the library; `message` has its place and its element."""

    def __init__(self, message: Message):
        super().__init__(str(message))
        self.message = message


class Error(Exception):
    """A call that failed. `messages` has all that was said; `file`, `line`, `column`, `element` and `hint` are those of the first
    error. After a run that failed, `result` has what was recorded until then."""

    def __init__(self, text: str, messages: Sequence[Message] = (), status: int = 0):
        super().__init__(text)
        self.messages = list(messages)
        self.status = status
        self.record = None
        self._result: Optional["Result"] = None

    @property
    def _first(self) -> Message:
        return next((m for m in self.messages if m.severity == "error"), Message("error", str(self)))

    @property
    def element(self) -> Optional[str]:
        return self._first.element

    @property
    def file(self) -> Optional[str]:
        return self._first.file

    @property
    def line(self) -> int:
        return self._first.line

    @property
    def column(self) -> int:
        return self._first.column

    @property
    def hint(self) -> str:
        return self._first.hint

    @property
    def result(self) -> Optional["Result"]:
        if self._result is None and self.record is not None:
            from ._result import Result

            self._result = Result(self.record)
        return self._result


class InputError(Error, ValueError):
    """The model or an option is wrong."""


class ArgumentError(Error, ValueError):
    """A call was made with arguments that it does not take."""


class FileError(Error):
    """A file could not be read or written."""


class AssemblyError(Error):
    """The mechanism cannot be assembled."""


class ToleranceError(Error):
    """The run cannot meet its tolerances."""


class SingularError(Error):
    """The equations cannot be solved at this state."""


class FeatureError(Error, NotImplementedError):
    """Not built with the part that this needs."""


class Interrupted(Error):
    """The caller asked to stop."""


_KINDS = {-2: InputError, -3: ArgumentError, -4: FileError, -5: AssemblyError, -6: ToleranceError, -7: SingularError,
          -8: FeatureError, -9: Interrupted}


def error_of(status: int, text: str, rows: Sequence[tuple]) -> Error:
    """The exception of a status with its messages: its text is that of all errors, one a line."""
    messages = messages_from(rows)
    errors = [str(m) for m in messages if m.severity == "error"]
    return _KINDS.get(status, Error)("\n".join(errors) or text, messages, status)


def _caller() -> int:
    """How far up the stack the first line outside this package is, for warnings."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("holonom"):
        frame, level = frame.f_back, level + 1
    return level


def heard(rows: Sequence[tuple]) -> None:
    """Warnings of a call that succeeded."""
    for message in messages_from(rows):
        if message.severity == "warning":
            warnings.warn(HolonomWarning(message), stacklevel=_caller())
