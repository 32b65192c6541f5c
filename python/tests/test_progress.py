"""Progress is shown where somebody sees it, and never gets into the words of an error."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import ROOT

import culprit
from culprit import _progress
from culprit._progress import MARK, Reader

DRAWN = f"{MARK}[1/3] the reference …{MARK}[2/3] fuse_qkv …{MARK}"


def shown_of(pieces: list[bytes]) -> tuple[list[str], str]:
    """The lines that are shown, and the words that are kept."""
    shown: list[str] = []
    reader = Reader(shown.append)
    for piece in pieces:
        reader.feed(piece)
    return shown, reader.finish()


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "SECONDS_BETWEEN_UPDATES", 0.0)


def test_progress_is_parted_from_words(often: None) -> None:
    stream = f"warning: one\n{DRAWN}culprit: no\n".encode()
    shown, words = shown_of([stream[:30], stream[30:]])
    assert words == "warning: one\nculprit: no\n"
    assert shown[-1] == ""


def test_any_cut_of_the_stream_gives_the_same_words(often: None) -> None:
    stream = f"a\n{DRAWN}b [1/2] c …\n".encode()
    for size in (1, 2, 3, 7):
        shown, words = shown_of([stream[i : i + size] for i in range(0, len(stream), size)])
        assert words == "a\nb [1/2] c …\n"
        assert "[1/3] the reference …" in shown and "[2/3] fuse_qkv …" in shown


def test_updates_are_not_more_frequent_than_the_eye() -> None:
    shown, _ = shown_of([f"{MARK}[{number}/999] step …".encode() for number in range(999)])
    assert len(shown) <= 3


def test_a_notebook_gets_one_line_that_is_updated(
    tool: Path, examples: Path, often: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    updates: list[str] = []
    displayed: list[Any] = []

    class Handle:
        def update(self, content: dict[str, str], raw: bool) -> None:
            updates.append(content["text/plain"])

    def display(content: dict[str, str], raw: bool, display_id: bool) -> Handle:
        displayed.append(content)
        return Handle()

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    shown = types.ModuleType("IPython.display")
    shown.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    monkeypatch.delenv("TERM", raising=False)
    culprit.check("detector.onnx", no_localize=True, each="fuse_pad_into_pool")
    assert len(displayed) == 1
    assert any(line.startswith("[") and "/2]" in line for line in updates), updates
    assert updates[-1] == ""
    culprit.check("detector.onnx", no_localize=True, each="fuse_pad_into_pool", progress=False)
    assert len(displayed) == 1


def on_terminal(script: str) -> str:
    """What a script of Python draws on a terminal."""
    ours, theirs = pty.openpty()
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=theirs, env=surroundings
    )
    drawn = b""
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            drawn += os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)
    return drawn.decode("utf-8", "replace")


CALL = "import culprit; culprit.check('detector.onnx', no_localize=True, each='fuse_pad_into_pool')"
CATCH = """
import culprit
try:
    culprit.check("m.onnx")
except culprit.CannotJudge as error:
    open("{}", "w").write(str(error.args) + error.hint)
"""


def test_a_terminal_shows_progress_and_clears_it(tool: Path, examples: Path) -> None:
    drawn = on_terminal(CALL)
    assert "/2] " in drawn
    assert drawn.endswith(MARK)


def test_errors_on_a_terminal_have_their_words(fake_tool: Callable[[str], Path], tmp_path: Path) -> None:
    fake_tool(r"printf '\r\033[K[0/3] a …\r\033[Kculprit: it is full. make room\n' >&2; exit 3")
    drawn = on_terminal(CATCH.format(tmp_path / "said"))
    assert "culprit: it is full" not in drawn
    assert (tmp_path / "said").read_text() == "('it is full',)make room"
