"""Runs the tool in a process group of its own, and ends it whatever happens."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Optional, Union

from ._progress import Reader, Show
from .errors import CulpritError, ToolNotFound

#: How the tool is ended: a signal, and so many seconds for it to obey.
ENDINGS = [(signal.SIGINT, 10.0), (signal.SIGTERM, 3.0), (signal.SIGKILL, 10.0)]
LOOK_SECONDS = 0.02

#: By this variable the tool is asked to end when its stdin is closed.
ENDS_WITH_STDIN = "CULPRIT_ENDS_WITH_STDIN"


@dataclass(frozen=True)
class Finished:
    """How a run of the tool ended. `exit_code` is negative if a signal ended it, and None if the time was up."""

    exit_code: Optional[int]
    page: str
    words: str


def run(
    command: Sequence[str], environment: Mapping[str, str], timeout: Optional[float], show: Optional[Show]
) -> Finished:
    """Runs the command.

    If `timeout` seconds pass, or an exception such as KeyboardInterrupt comes, the whole process group is ended.
    """
    if show is not None:
        environment = {**environment, "TERM": "xterm"}  # of the terminal that we are, or the tool would draw nothing
    reader = Reader(show)
    end = None if timeout is None else time.monotonic() + timeout
    with _capture() as page, _capture() as words, _terminal(show) as (terminal, theirs):
        process = _started(command, environment, page, words if theirs is None else theirs)
        try:
            in_time = _wait(process, terminal, reader, end)
        except BaseException:
            end_group(process)
            reader.finish()
            raise
        if not in_time:
            end_group(process)
        _drain(terminal, reader)
        _close_stdin(process)
        said = reader.finish() + _text_of(words)
        return Finished(process.returncode if in_time else None, _text_of(page), said)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and its group: it is asked, asked harder, and killed. Ctrl-C goes on to the next step."""
    for number, seconds in ENDINGS:
        if _has_ended(process):
            break
        with contextlib.suppress(KeyboardInterrupt):
            _signal(process, number)
            last = time.monotonic() + seconds
            while not _has_ended(process) and time.monotonic() < last:
                time.sleep(LOOK_SECONDS)
    _signal(process, signal.SIGKILL)  # what the process left behind; it still has its number, so no other is meant
    process.wait()
    _close_stdin(process)


def _close_stdin(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _capture() -> IO[bytes]:
    """What the tool prints goes into memory: no pipe can block, and its words come through if the disk is full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("culprit"), "w+b")
    return tempfile.TemporaryFile()


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _started(
    command: Sequence[str], environment: Mapping[str, str], stdout: IO[bytes], stderr: Union[int, IO[bytes]]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,  # if this Python is killed, the tool sees that it is closed, and ends
            stdout=stdout,
            stderr=stderr,
            env={**environment, ENDS_WITH_STDIN: "1"},
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise ToolNotFound(f"{command[0]} cannot be started: {error.strerror}") from error
    except (OSError, ValueError) as error:  # too many processes; a NUL in an argument
        raise CulpritError(f"{command[0]} cannot be started: {error}") from error


@contextlib.contextmanager
def _terminal(show: Optional[Show]) -> Iterator[tuple[Optional[int], Optional[int]]]:
    """Both ends of a terminal that is as wide as ours, and changes no byte: the tool draws progress only on one."""
    if show is None:
        yield None, None
        return
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    try:
        attributes = termios.tcgetattr(theirs)
        attributes[1] &= ~termios.OPOST
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        size = shutil.get_terminal_size((100, 24))
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))
        yield ours, theirs
    finally:
        os.close(ours)
        os.close(theirs)


def _wait(process: subprocess.Popen[bytes], terminal: Optional[int], reader: Reader, end: Optional[float]) -> bool:
    """Waits until the process has ended, and feeds the reader. False if the time is up."""
    while process.poll() is None:
        if end is not None and time.monotonic() >= end:
            return False
        if terminal is None:
            time.sleep(LOOK_SECONDS)
        elif select.select([terminal], [], [], LOOK_SECONDS)[0]:
            reader.feed(os.read(terminal, 65536))
    return True


def _drain(terminal: Optional[int], reader: Reader) -> None:
    """Reads what is left."""
    while terminal is not None and select.select([terminal], [], [], 0)[0]:
        with contextlib.suppress(OSError):
            piece = os.read(terminal, 65536)
            if piece:
                reader.feed(piece)
                continue
        return


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Without taking its exit code, so that its number stays its own."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
