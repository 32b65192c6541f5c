"""The code of docs/python.md runs as it stands there, and prints what stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import culprit

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```(python)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = "# test_models.py\n"


def blocks() -> list[tuple[bool, str]]:
    """Whether each block is code, and its text."""
    return [(found[1] == "python", found[2]) for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def test_each_example_prints_what_the_page_says(
    tool: Path, examples: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    names: dict[str, Any] = {}
    found = blocks()
    for number, (is_code, text) in enumerate(found):
        if not is_code or text.startswith(NAMED):
            continue
        exec(compile(text, f"{PAGE.name}, block {number}", "exec"), names)
        printed = capsys.readouterr().out
        if number + 1 < len(found) and not found[number + 1][0]:
            assert printed == found[number + 1][1]
    assert sum(is_code for is_code, _ in found) == 7
    look_at_what_was_made(names)


def look_at_what_was_made(names: dict[str, Any]) -> None:
    """What the page does not print, for it is another number on each machine, or long."""
    assert culprit.compare("conversion/trained.onnx", "mended.onnx").ok
    assert [(row["level"], row["status"]) for row in names["repaired"].rows()] == [("off", "same"), ("all", "same")]
    assert list(names["quality"]["changed"])[1] == 9
    assert [round(value, 4) for value in names["quality"]["labels_top1"]] == [0.8667, 0.8833]
    assert all(0 < seconds < 1 for seconds in names["speed"]["seconds"])


def test_the_tests_of_the_page_pass(tool: Path, examples: Path) -> None:
    text = next(text for is_code, text in blocks() if is_code and text.startswith(NAMED))
    (examples / "test_models.py").write_text(text)
    line = [sys.executable, "-m", "pytest", "-q", "-p", "culprit.pytest_plugin", "test_models.py"]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    found = subprocess.run(line, capture_output=True, text=True, check=False, env=surroundings)
    assert (found.returncode, "2 passed" in found.stdout) == (0, True), found.stdout


def test_every_public_name_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    public = [name for name in culprit.__all__ if not name.endswith("Report")]
    assert [name for name in public if name not in page] == ["tool_path"]
