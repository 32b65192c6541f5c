"""What goes wrong when Culprit is run. Each error has the tool's own words."""

from __future__ import annotations

from typing import Optional


class CulpritError(Exception):
    """Culprit gave no report. Base of all errors of this package.

    Attributes: `message`, what went wrong. `hint`, what to do; "" if there is none. `exit_code`, of the tool; None if
    it was not run or has not ended by itself; negative if a signal ended it. `command`, the command line as
    one can paste it; "" if there was none. `output`, all that the tool wrote to standard error.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        exit_code: Optional[int] = None,
        command: str = "",
        output: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.command = command
        self.output = output

    def __str__(self) -> str:
        lines = [self.message]
        if self.hint:
            lines.append(self.hint)
        if self.command:
            lines.append(f"command: {self.command}")
        return "\n".join(lines)


class UsageError(CulpritError):
    """A flag or its value is wrong, or a file that was named is not there (exit code 2)."""


class CannotJudge(CulpritError):
    """The tool could not judge, and wrote no report (exit code 3)."""


class ToolCrashed(CulpritError):
    """The tool made a mistake of its own (exit code 4), or a signal ended it. Please report it."""


class ToolTimedOut(CulpritError):
    """The tool ran longer than `timeout` seconds, and was ended."""


class ToolNotFound(CulpritError):
    """The program `culprit` is not installed."""
