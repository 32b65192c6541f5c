"""Where the program `culprit` is, and what it is told of this Python."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Optional

from .errors import ToolNotFound

TOOL_VARIABLE = "CULPRIT_TOOL"
RUNTIME_VARIABLE = "CULPRIT_RUNTIME"


def tool_path() -> Path:
    """The program that this package runs.

    It is the file that the environment variable CULPRIT_TOOL names, else the one inside this package, else `culprit`
    on the PATH. Raises ToolNotFound if there is none.

        >>> culprit.tool_path()
        PosixPath('/usr/local/bin/culprit')
    """
    named = os.environ.get(TOOL_VARIABLE, "")
    if named:
        if not _is_program(Path(named)):
            raise ToolNotFound(
                f"{TOOL_VARIABLE} names {named}, which is no program", hint="name the file, or unset the variable"
            )
        return Path(named).absolute()
    packed = Path(__file__).resolve().parent / "_bin" / "culprit"
    if _is_program(packed):
        return packed
    for folder in os.get_exec_path():
        found = Path(folder) / "culprit"
        if _is_program(found) and not _is_python_script(found):  # such a script starts this package again
            return found.absolute()
    raise ToolNotFound(
        "the program culprit is not found",
        hint=f"set {TOOL_VARIABLE} to its file, or install a package that has it in {packed}, or put it on the PATH",
    )


def runtime_beside_python() -> Optional[Path]:
    """The library of ONNX Runtime that is installed for this Python; None if there is none. It is not loaded."""
    try:
        spec = importlib.util.find_spec("onnxruntime")
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or []) if spec else []:
        libraries = sorted((Path(folder) / "capi").glob("libonnxruntime.so*"), key=lambda path: (len(path.name), path))
        if libraries:
            return libraries[-1]
    return None


def environment() -> dict[str, str]:
    """The environment of the tool: this one. CULPRIT_RUNTIME, unless it is set, names the runtime of this Python.

    A tool that finds that one by itself is not told, so that `culprit doctor` says where it comes from.
    """
    found = dict(os.environ)
    if not found.get(RUNTIME_VARIABLE):
        library = runtime_beside_python()
        if library is not None and not _lies_beside(tool_path(), library):
            found[RUNTIME_VARIABLE] = str(library)
    return found


def _lies_beside(tool: Path, library: Path) -> bool:
    """Do packages lie side by side, culprit/_bin/culprit and onnxruntime/capi? The tool looks there first."""
    folder = tool.resolve().parent
    return folder.name == "_bin" and folder.parent.parent / "onnxruntime" / "capi" == library.resolve().parent


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _is_python_script(path: Path) -> bool:
    """Is this the script that pip makes of an entry point?"""
    try:
        with path.open("rb") as file:
            first = file.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first
