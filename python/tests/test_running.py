"""How runs end: each error, with fake tools that fail as real ones do."""

from __future__ import annotations

import os
import pickle
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Callable

import pytest
from conftest import ROOT

import culprit
from culprit import _running
from culprit._tool import environment, runtime_beside_python

FakeTool = Callable[[str], Path]


def alive(pid: int) -> bool:
    """Is there such a process, and no zombie?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def pid_in(path: Path) -> int:
    """The number that a fake tool wrote there."""
    for _ in range(200):
        if path.is_file() and path.read_text().strip():
            return int(path.read_text())
        time.sleep(0.02)
    raise AssertionError("the fake tool has not started")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_running, "ENDINGS", [(number, 0.4) for number, _ in _running.ENDINGS])


def test_wrong_usage_has_the_words_of_the_tool(tool: Path, tmp_path: Path) -> None:
    missing = tmp_path / "not there.onnx"
    with pytest.raises(culprit.UsageError) as caught:
        culprit.check(missing, seed=7)
    error = caught.value
    assert error.message == f"MODEL {missing}: there is no such file"
    assert error.hint.startswith("check the spelling")
    assert error.exit_code == 2
    assert shlex.split(error.command)[-4:] == ["check", str(missing), "--seed", "7"]
    assert error.message in str(error) and error.hint in str(error) and error.command in str(error)


def test_the_command_line_of_an_error_gives_the_same_when_pasted(tool: Path, tmp_path: Path) -> None:
    with pytest.raises(culprit.UsageError) as caught:
        culprit.compare(tmp_path / "it's.onnx", "b.onnx", atol=-1)
    pasted = subprocess.run(caught.value.command, shell=True, capture_output=True, text=True, check=False)
    assert pasted.returncode == 2
    assert pasted.stderr == caught.value.output


def test_the_command_line_of_an_error_names_no_temporary_folder(fake_tool: FakeTool, scratch: Path) -> None:
    program = fake_tool("exit 77")
    with pytest.raises(culprit.CulpritError) as caught:
        culprit.optimize(b"model", data=[{"x": [1.0]}])
    line = f"{program} optimize model.onnx --data data.npz -o optimized.onnx"
    assert caught.value.command.endswith(line)


def test_no_report_and_exit_code_3_is_an_error(tool: Path, tmp_path: Path) -> None:
    with pytest.raises(culprit.CannotJudge, match="not an ONNX model"):
        culprit.compare(b"no model", b"no model either")


def test_exit_code_3_with_a_report_is_a_result(tool: Path, tmp_path: Path) -> None:
    report = culprit.check(b"no model")
    assert (report.exit_code, report.ok) == (3, False)
    assert report.model.outcome == "not_judged"


@pytest.mark.parametrize(("name", "words"), [("SEGV", "report it"), ("KILL", "memory runs out")])
def test_a_signal_is_a_crash(fake_tool: FakeTool, name: str, words: str) -> None:
    fake_tool(f"kill -{name} $$")
    with pytest.raises(culprit.ToolCrashed, match=f"SIG{name}") as caught:
        culprit.check("m.onnx")
    assert caught.value.exit_code == -getattr(signal, f"SIG{name}")
    assert words in caught.value.hint


def test_exit_code_4_is_a_crash(fake_tool: FakeTool) -> None:
    fake_tool("echo 'culprit: internal error: a knot. Please report it with the command line' >&2; exit 4")
    with pytest.raises(culprit.ToolCrashed) as caught:
        culprit.check("m.onnx")
    assert caught.value.message == "internal error: a knot"
    assert caught.value.hint == "Please report it with the command line"


def test_an_unknown_exit_code_is_an_error(fake_tool: FakeTool) -> None:
    fake_tool("exit 77")
    with pytest.raises(culprit.CulpritError, match="exit code 77, and wrote no report"):
        culprit.check("m.onnx")


@pytest.mark.parametrize("code", [0, 1])
def test_no_report_is_an_error_whatever_the_exit_code(fake_tool: FakeTool, code: int) -> None:
    fake_tool(f"exit {code}")
    with pytest.raises(culprit.CulpritError, match="wrote no report"):
        culprit.check("m.onnx")


def test_half_a_report_is_an_error(fake_tool: FakeTool) -> None:
    fake_tool("""mkdir -p "$run"; printf '{"schema": "culprit.rep' >"$run/report.json"; exit 1""")
    with pytest.raises(culprit.CulpritError, match="the report cannot be read") as caught:
        culprit.check("m.onnx")
    assert caught.value.exit_code == 1
    assert "check m.onnx" in caught.value.command


def test_a_report_of_an_earlier_run_is_not_taken(fake_tool: FakeTool, tool: Path, examples: Path) -> None:
    assert culprit.compare("detector.onnx", "detector.onnx", run_dir="run").ok
    fake_tool("exit 0")
    with pytest.raises(culprit.CulpritError, match="wrote no report"):
        culprit.compare("detector.onnx", "detector.onnx", run_dir="run")


def test_a_full_disk_in_the_tool_is_told(fake_tool: FakeTool) -> None:
    fake_tool("echo 'culprit: cannot write run/report.json: No space left on device. make room' >&2; exit 3")
    with pytest.raises(culprit.CulpritError, match="No space left on device") as caught:
        culprit.check("m.onnx")
    assert caught.value.hint == "make room"


def test_a_full_disk_here_is_told(fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_tool("exit 0")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(culprit.CulpritError, match=r"cannot write model.onnx .*No space left on device"):
        culprit.check(b"model")
    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(culprit.CulpritError, match=r"temporary folder cannot be used: .*No space left on device"):
        culprit.optimize("model.onnx")


def test_a_hang_ends_with_the_whole_group(fake_tool: FakeTool, tmp_path: Path, impatient: None) -> None:
    fake_tool(f"trap '' INT TERM; sleep 60 & echo $! >'{tmp_path}/child'; echo $$ >'{tmp_path}/self'; wait; sleep 60")
    began = time.monotonic()
    with pytest.raises(culprit.ToolTimedOut, match=r"longer than 0.5 s") as caught:
        culprit.check("m.onnx", timeout=0.5)
    assert time.monotonic() - began < 5
    assert caught.value.exit_code is None
    assert not alive(pid_in(tmp_path / "self")) and not alive(pid_in(tmp_path / "child"))


def test_a_child_that_ignores_the_signal_its_parent_obeys_is_ended(fake_tool: FakeTool, tmp_path: Path) -> None:
    child = f"(trap '' INT TERM; exec sleep 60) & echo $! >'{tmp_path}/child'"
    fake_tool(f"{child}; trap 'exit 130' INT; wait; wait")
    with pytest.raises(culprit.ToolTimedOut):
        culprit.check("m.onnx", timeout=0.5)
    time.sleep(0.1)
    assert not alive(pid_in(tmp_path / "child"))


def test_the_real_tool_obeys_the_time(tool: Path, examples: Path) -> None:
    began = time.monotonic()
    with pytest.raises(culprit.ToolTimedOut):
        culprit.profile("detector.onnx", timeout=0.3)
    assert time.monotonic() - began < 10


def test_ctrl_c_ends_the_tool_and_is_raised(fake_tool: FakeTool, tmp_path: Path) -> None:
    fake_tool(
        f"trap 'echo got >'{tmp_path}/got'; exit 130' INT; echo $$ >'{tmp_path}/self'; while :; do sleep 0.05; done"
    )

    def press() -> None:
        pid_in(tmp_path / "self")
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        culprit.check(b"model", timeout=30)
    presser.join()
    assert (tmp_path / "got").read_text() == "got\n"
    assert not alive(pid_in(tmp_path / "self"))


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_real_tool_ends_if_python_is_killed(tool: Path, examples: Path) -> None:
    code = "import culprit; culprit.profile('detector.onnx', blocks=10000)"
    words = {"PYTHONPATH": str(ROOT / "python"), "CULPRIT_TOOL": str(tool)}
    python = subprocess.Popen([sys.executable, "-c", code], cwd=examples, env={**os.environ, **words})
    last = time.monotonic() + 20
    while not children_of(python.pid) and time.monotonic() < last:
        time.sleep(0.02)
    (tool_pid,) = children_of(python.pid)
    time.sleep(0.5)
    assert alive(tool_pid)
    python.kill()
    python.wait()
    last = time.monotonic() + 20
    while alive(tool_pid) and time.monotonic() < last:
        time.sleep(0.05)
    assert not alive(tool_pid)


def test_no_tool_says_the_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CULPRIT_TOOL", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(culprit.ToolNotFound) as caught:
        culprit.check("m.onnx")
    assert all(way in caught.value.hint for way in ("CULPRIT_TOOL", "_bin/culprit", "PATH"))


def test_a_named_tool_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CULPRIT_TOOL", str(tmp_path))
    with pytest.raises(culprit.ToolNotFound, match="CULPRIT_TOOL names"):
        culprit.tool_path()


def test_the_tool_is_found_on_the_path_but_not_a_script_of_python(
    fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = fake_tool("exit 0").rename(tmp_path / "culprit")
    monkeypatch.delenv("CULPRIT_TOOL")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert culprit.tool_path() == program
    program.write_text("#!/usr/bin/python3\nfrom culprit._command import main\n")
    with pytest.raises(culprit.ToolNotFound):
        culprit.tool_path()
    later = fake_tool("exit 0").rename((tmp_path / "later").mkdir() or tmp_path / "later" / "culprit")
    monkeypatch.delenv("CULPRIT_TOOL")
    monkeypatch.setenv("PATH", f"{tmp_path}:{later.parent}")
    assert culprit.tool_path() == later


def test_a_tool_that_cannot_be_started_is_told(fake_tool: FakeTool) -> None:
    fake_tool("").write_bytes(b"\x00\x01 neither a script nor a program")
    with pytest.raises(culprit.CulpritError, match="cannot be started"):
        culprit.check("m.onnx")


def test_errors_go_to_other_processes(tool: Path) -> None:
    with pytest.raises(culprit.UsageError) as caught:
        culprit.check("not_there.onnx")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is culprit.UsageError
    assert vars(copy) == vars(caught.value)


def test_the_runtime_of_this_python_is_named_unless_one_is_set(
    fake_tool: FakeTool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "packages" / "onnxruntime" / "capi" / "libonnxruntime.so.1.2.3"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"")
    (library.parent.parent / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    fake_tool(f"""echo "$CULPRIT_RUNTIME" >'{tmp_path}/runtime'; exit 77""")
    for given, seen in (("", str(library)), ("1.22.1", "1.22.1")):
        monkeypatch.setenv("CULPRIT_RUNTIME", given)
        with pytest.raises(culprit.CulpritError) as caught:
            culprit.check("m.onnx")
        assert (tmp_path / "runtime").read_text().strip() == seen
        assert caught.value.command.startswith("CULPRIT_RUNTIME=") == (given == "")
    assert runtime_beside_python() == library


def test_a_tool_beside_the_runtime_is_not_told_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / "packages"
    library = packages / "onnxruntime" / "capi" / "libonnxruntime.so.1.2.3"
    program = packages / "culprit" / "_bin" / "culprit"
    for file in (library, program, packages / "onnxruntime" / "__init__.py"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    program.chmod(0o755)
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setenv("CULPRIT_TOOL", str(program))
    monkeypatch.delenv("CULPRIT_RUNTIME", raising=False)
    assert "CULPRIT_RUNTIME" not in environment()
    monkeypatch.setenv("CULPRIT_RUNTIME", "1.22.1")
    assert environment()["CULPRIT_RUNTIME"] == "1.22.1"
    monkeypatch.delenv("CULPRIT_RUNTIME")
    elsewhere = tmp_path / "elsewhere" / "culprit"
    elsewhere.parent.mkdir()
    shutil.copy(program, elsewhere)
    monkeypatch.setenv("CULPRIT_TOOL", str(elsewhere))
    assert environment()["CULPRIT_RUNTIME"] == str(library)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    line = [sys.executable, "-m", "culprit", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False, env=surroundings)


def test_the_module_is_the_command(tool: Path, examples: Path) -> None:
    found = command("check", "detector.onnx", "--no-localize", "--no-repro", "--each", "fuse_pad_into_pool")
    assert (found.returncode, "fuse_pad_into_pool" in found.stdout) == (1, True)
    assert command("check").returncode == 2


def test_the_module_ends_by_the_signal_of_the_tool(fake_tool: FakeTool) -> None:
    fake_tool("kill -SEGV $$")
    assert command("check").returncode == -signal.SIGSEGV


def test_the_module_without_a_tool_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CULPRIT_TOOL", str(tmp_path / "none"))
    found = command("check")
    assert (found.returncode, found.stderr.startswith("culprit: CULPRIT_TOOL names")) == (2, True)
