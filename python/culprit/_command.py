"""Becomes the program `culprit`, with the words of this command line."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from ._tool import environment, tool_path
from .errors import CulpritError


def main() -> NoReturn:
    """Runs the tool in the place of this Python, so that its exit code and all signals are its own.

    If the tool is not found, this ends with exit code 2 and says so on standard error.
    """
    try:
        program = str(tool_path())
        words = [program, *sys.argv[1:]]
        if os.name != "posix":
            sys.exit(subprocess.call(words, env=environment()))
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(program, words, environment())
    except (CulpritError, OSError) as error:
        print(f"culprit: {error}", file=sys.stderr)
    sys.exit(2)
