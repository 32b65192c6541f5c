"""What the tests share: the real tool, fake ones, the examples, and a look for what stays behind."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
pytest_plugins = ["pytester"]
CACHES = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
CACHE = os.environ.get("CULPRIT_CACHE") or str(CACHES / "culprit")  # pytester has another home

RUN_DIR = """
for word in "$@"; do
  [ "$before" = --run-dir ] && run="$word"
  before="$word"
done
"""


@pytest.fixture(autouse=True)
def scratch(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files. It must be empty after the test."""
    folder = tmp_path_factory.mktemp("scratch")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert [path.name for path in folder.glob("culprit-*")] == []


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The real tool."""
    path = Path(os.environ.get("CULPRIT_TOOL") or ROOT / "build" / "release" / "bin" / "culprit").absolute()
    if not path.is_file():
        pytest.skip("the tool is missing: make build, or set CULPRIT_TOOL")
    monkeypatch.setenv("CULPRIT_TOOL", str(path))
    monkeypatch.setenv("CULPRIT_CACHE", CACHE)
    return path


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the examples, which is the current folder."""
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def fake_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes a tool of a shell script. Its `$run` is the run folder."""

    def make(script: str) -> Path:
        path = tmp_path / "fake-culprit"
        path.write_text(f"#!/bin/sh\n{RUN_DIR}{script}\n", encoding="utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("CULPRIT_TOOL", str(path))
        return path

    return make
