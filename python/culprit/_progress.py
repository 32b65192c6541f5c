"""Shows how far the tool is: on a terminal, or as a line of a notebook."""

from __future__ import annotations

import codecs
import re
import sys
import time
from typing import Any, Callable, Optional

MARK = "\r\x1b[K"  # the tool draws its progress anew with this before it
DRAWN = re.compile(r"\[\d+/\d+\] .*…", re.DOTALL)
SECONDS_BETWEEN_UPDATES = 0.2

Show = Callable[[str], None]


def shower() -> Optional[Show]:
    """What shows a line of progress here, and nothing if it is given ""; None where nobody would see it."""
    handle = _notebook()
    if handle is not None:
        return handle
    try:
        seen = sys.stderr.isatty()
    except (AttributeError, ValueError):  # replaced, or closed
        return None
    return _on_terminal if seen else None


def _on_terminal(line: str) -> None:
    sys.stderr.write(MARK + line)
    sys.stderr.flush()


def _notebook() -> Optional[Show]:
    """A line that is updated, in the kernel of a notebook. IPython is not imported where it is not at work."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display

    handle: Any = display({"text/plain": ""}, raw=True, display_id=True)
    return lambda line: handle.update({"text/plain": line}, raw=True)


class Reader:
    """Parts what the tool writes to a terminal into progress, which is shown, and words, which are kept."""

    def __init__(self, show: Optional[Show]) -> None:
        self._show = show
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._words: list[str] = []
        self._shown_at = 0.0
        self._is_shown = False

    def feed(self, piece: bytes) -> None:
        """Takes the next bytes."""
        parts = (self._rest + self._decoder.decode(piece)).split(MARK)
        drawn = [part for part in parts if DRAWN.fullmatch(part)]
        self._words += [part for part in parts[:-1] if part not in drawn]
        self._rest = parts[-1]
        now = time.monotonic()
        if self._show and drawn and now - self._shown_at >= SECONDS_BETWEEN_UPDATES:
            self._shown_at, self._is_shown = now, True
            self._show(drawn[-1])

    def finish(self) -> str:
        """Clears the line, and returns the words."""
        if not DRAWN.fullmatch(self._rest):
            self._words.append(self._rest)
        self._rest = ""
        if self._show and self._is_shown:
            self._is_shown = False
            self._show("")
        return "".join(self._words).replace("\r\n", "\n")
