"""Temporary files: written as a whole, or an error in words."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Callable

from .errors import CulpritError


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder that goes away, whatever happens. Raises CulpritError if the disk is full."""
    try:
        made = tempfile.mkdtemp(prefix="culprit-")
    except OSError as error:
        raise CulpritError(f"no temporary folder can be made: {error}", hint="make room, or set TMPDIR") from error
    folder = Path(made)
    try:
        yield folder
    except OSError as error:
        raise CulpritError(f"the temporary folder cannot be used: {error}", hint="make room, or set TMPDIR") from error
    finally:
        remove(folder)


def remove(folder: Path) -> None:
    """Removes a folder and all that is in it; what cannot be removed stays."""
    shutil.rmtree(folder, ignore_errors=True)


def written(path: Path, write: Callable[[IO[bytes]], Any]) -> Path:
    """Makes the file, its folder too. Raises CulpritError if the disk is full."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write(file)
    except OSError as error:
        raise CulpritError(
            f"cannot write {path.name} to {path.parent}: {error.strerror or error}", hint="make room, or set TMPDIR"
        ) from error
    return path
