"""One call of the tool: models and data become files, the report and the page become an answer."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

from ._data import Data, path_of_data
from ._flags import FlagValue, words_of_flags
from ._models import Model, file_of_model, word_of_path
from ._progress import Show, shower
from ._reading import json_of_file
from ._running import Finished, run
from ._tool import RUNTIME_VARIABLE, environment, tool_path
from ._writing import scratch_folder
from .errors import CannotJudge, CulpritError, ToolCrashed, ToolTimedOut, UsageError

ANSWERS = (0, 1, 3)  # exit codes with which there may be a report
ERRORS: dict[int, type[CulpritError]] = {2: UsageError, 3: CannotJudge, 4: ToolCrashed}
COMPLAINT = "culprit: "  # begins a line of standard error
MEMORY_HINT = "the system ends a program so if memory runs out: see --memory and --jobs"
PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Way:
    """How the tool is run: the keywords that all functions have."""

    arguments: Sequence[str] = ()
    run_dir: Optional[PathLike] = None
    timeout: Optional[float] = None
    progress: bool = True


@dataclass(frozen=True)
class Call:
    """What is asked. `models` are the words after the command, each with the name of its file if it has none yet."""

    command: str
    models: Sequence[tuple[str, Model]]
    data: dict[str, Optional[Data]]
    flags: dict[str, FlagValue]
    way: Way
    no_repro: bool = False  # the command knows --no-repro, which is given if the run folder is not kept
    output: Optional[str] = None  # a file that the tool writes; "" is one in the temporary folder


@dataclass(frozen=True)
class Answer:
    """What came of it. `made` is the file of `output` if that was to be temporary."""

    json: dict[str, Any]
    text: str
    log: str
    exit_code: int
    run_dir: Optional[Path]
    made: Optional[bytes]


def answer_of(call: Call) -> Answer:
    """Runs the tool. Raises CulpritError, in words, if no report came of it."""
    program = tool_path()
    with scratch_folder() as scratch:
        run_dir = Path(call.way.run_dir) if call.way.run_dir is not None else scratch / "run"
        surroundings = environment()
        kept = call.way.run_dir is not None
        words = [call.command, *_words(call, scratch)]
        place = ["--run-dir", word_of_path(run_dir), *(["--no-repro"] if call.no_repro and not kept else [])]
        pasted = _pasted([str(program), *words, *(place if kept else [])], surroundings, scratch)
        report = run_dir / "report.json"
        before = _state_of(report)
        finished = run([str(program), *words, *place], surroundings, call.way.timeout, _shower(call))
        if finished.exit_code not in ANSWERS or _state_of(report) in (None, before):
            raise error_of(finished, pasted, call.way.timeout)
        try:
            json = json_of_file(report)
        except CulpritError as error:
            error.command, error.exit_code, error.output = pasted, finished.exit_code, finished.words
            raise
        text = _complaints(finished) + (finished.page if kept else _without_pointers(finished.page))
        made = _made_in(scratch / "made") if call.output == "" else None
        return Answer(json, text, finished.words, int(finished.exit_code or 0), run_dir if kept else None, made)


def _words(call: Call, scratch: Path) -> list[str]:
    """The command line behind the command, less the run folder."""
    words = [file_of_model(model, name, scratch / "models") for name, model in call.models]
    for flag, data in call.data.items():
        if data is not None:
            words += [f"--{flag}", path_of_data(data, scratch / "data", flag)]
    words += words_of_flags(call.flags)
    if call.output is not None:
        words += ["-o", word_of_path(call.output) if call.output else str(_folder(scratch / "made") / "optimized.onnx")]
    return [*words, *map(str, call.way.arguments)]


def _pasted(words: Sequence[str], surroundings: Mapping[str, str], scratch: Path) -> str:
    """The command line as one can paste it: with the runtime if this Python named it, without temporary folders."""
    words = [Path(word).name if word.startswith(f"{scratch}{os.sep}") else word for word in words]
    runtime = surroundings.get(RUNTIME_VARIABLE, "")
    line = shlex.join(words)
    return (
        line if os.environ.get(RUNTIME_VARIABLE, "") == runtime else f"{RUNTIME_VARIABLE}={shlex.quote(runtime)} {line}"
    )


def _shower(call: Call) -> Optional[Show]:
    return shower() if call.way.progress else None


def _folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def _made_in(folder: Path) -> Optional[bytes]:
    """The only file of the folder; None if nothing was made."""
    files = sorted(folder.iterdir())
    if len(files) > 1:
        raise CulpritError(
            "the optimized model has its weights in another file", hint="name a file for it: output='optimized.onnx'"
        )
    return files[0].read_bytes() if files else None


def _state_of(path: Path) -> Optional[tuple[int, int, int]]:
    """Tells a file that was written anew from the one before it."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size


def _complaints(finished: Finished) -> str:
    """What a terminal shows beside the page, such as that `optimize` wrote no file."""
    lines = [line for line in finished.words.splitlines() if line.startswith(COMPLAINT)]
    return "\n".join([*lines, ""]) if finished.exit_code else ""


def _without_pointers(page: str) -> str:
    """The page without the last lines, which point into a folder that is gone."""
    lines = page.rstrip().split("\n")
    while lines and lines[-1].startswith(("report: ", "figures: ")):
        lines.pop()
    return "\n".join(lines).rstrip() + "\n"


def error_of(finished: Finished, command: str, timeout: Optional[float]) -> CulpritError:
    """The error of a run without a report, in the tool's own words."""
    code = finished.exit_code
    message, hint = _told(finished.words)
    kind = CulpritError if code is None else ERRORS.get(code, CulpritError)
    if code is None:
        kind, message, hint = ToolTimedOut, f"the tool ran longer than {timeout:g} s, and was ended", ""
    elif code < 0:
        kind = ToolCrashed
        hint = MEMORY_HINT if -code == signal.SIGKILL else "please report it, with the command line"
        message = f"the tool was ended by {_name_of_signal(-code)}" + (f"; it said: {message}" if message else "")
    elif not message:
        message = f"the tool ended with exit code {code}, and wrote no report"
    return kind(message, hint=hint, exit_code=code, command=command, output=finished.words)


def _told(words: str) -> tuple[str, str]:
    """The last complaint of the tool: what is wrong, and what to do."""
    complaints = [line[len(COMPLAINT) :] for line in words.splitlines() if line.startswith(COMPLAINT)]
    text = complaints[-1] if complaints else words.strip()
    for end in (". ", "? "):
        message, found, hint = text.partition(end)
        if found:
            return message + end.strip(". "), hint
    return text, ""


def _name_of_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
