"""The plug-in of pytest, in runs of pytest of their own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Callable

import pytest
from conftest import ROOT

import culprit

PLUGIN = ("-p", "culprit.pytest_plugin", "-p", "no:cacheprovider")


def test_a_fault_fails_the_test_with_the_page_alone(tool: Path, pytester: pytest.Pytester) -> None:
    shutil.copy(ROOT / "examples" / "detector.onnx", pytester.path)
    pytester.makepyfile(
        """
        def test_wrong(culprit_check):
            culprit_check("detector.onnx", no_localize=True, each=["fuse_pad_into_pool"])

        def test_right(culprit_check):
            report = culprit_check("detector.onnx", no_localize=True, each=["eliminate_identity"])
            assert report.exit_code == 0
        """
    )
    found = pytester.runpytest_inprocess(*PLUGIN)
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["detector.onnx  FAULT  1 variant*", "*variants    V01*"])
    found.stdout.no_fnmatch_line("*pytest_plugin.py*")
    found.stdout.no_fnmatch_line("*Traceback*")
    found.stdout.no_fnmatch_line("*def test_wrong*")


def test_other_values_fail_the_test(tool: Path, pytester: pytest.Pytester) -> None:
    shutil.copytree(ROOT / "examples" / "conversion", pytester.path / "conversion")
    pytester.makepyfile(
        """
        def test_wrong(culprit_same):
            culprit_same("conversion/trained.onnx", "conversion/wrong.onnx")

        def test_right(culprit_same):
            assert culprit_same("conversion/trained.onnx", "conversion/right.onnx").verdict == "equivalent"
        """
    )
    found = pytester.runpytest_inprocess(*PLUGIN)
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["MISMATCH*"])


def test_an_error_of_the_tool_fails_the_test_in_its_words(
    fake_tool: Callable[[str], Path], pytester: pytest.Pytester
) -> None:
    fake_tool("kill -SEGV $$")
    pytester.makepyfile("def test_it(culprit_check): culprit_check('m.onnx')")
    found = pytester.runpytest_inprocess(*PLUGIN)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["the tool was ended by SIGSEGV", "command: *check m.onnx*"])
    found.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_what_cannot_be_judged_fails_the_test(tool: Path, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(culprit_check): culprit_check(b'no model')")
    found = pytester.runpytest_inprocess(*PLUGIN)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*cannot judge: the model cannot be read*"])


def test_the_mark_is_there_before_tests_are_chosen(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_of_a_model(culprit_check): raise AssertionError("this was to be left out")
        def test_of_two(culprit_same): raise AssertionError("this was to be left out")
        def test_other(): pass
        """
    )
    found = pytester.runpytest_inprocess(*PLUGIN, "--strict-markers", "-m", "not culprit")
    found.assert_outcomes(passed=1, deselected=2)


@pytest.mark.parametrize("way", ["option", "ini", "keyword", "none"])
def test_the_known_list_is_given_to_the_tool(
    fake_tool: Callable[[str], Path], pytester: pytest.Pytester, way: str
) -> None:
    fake_tool(f"""echo "$@" >'{pytester.path}/words'; exit 77""")
    pytester.mkdir("below")
    keyword = ", known='mine.json'" if way == "keyword" else ""
    pytester.makepyfile(f"def test_it(culprit_check): culprit_check('m.onnx'{keyword})")
    pytester.makeini("[pytest]\n" + ("culprit_known = below/known.json" if way in ("ini", "keyword") else ""))
    options = ["--culprit-known", "below/known.json"] if way == "option" else []
    pytester.runpytest_inprocess(*PLUGIN, *options).assert_outcomes(failed=1)
    words = (pytester.path / "words").read_text().split()
    expected = {"keyword": "mine.json", "none": None}.get(way, str(pytester.path / "below" / "known.json"))
    assert (words[words.index("--known") + 1] if "--known" in words else None) == expected


def test_a_known_fault_passes(tool: Path, pytester: pytest.Pytester) -> None:
    shutil.copy(ROOT / "examples" / "detector.onnx", pytester.path)
    culprit.check("detector.onnx", no_localize=True, each=["fuse_pad_into_pool"], run_dir="run")
    subprocess.run([tool, "known", "add", "run/repro/F1", "--known", "known.json"], check=True, capture_output=True)
    pytester.makepyfile(
        """
        def test_it(culprit_check):
            culprit_check("detector.onnx", no_localize=True, each=["fuse_pad_into_pool"])
        """
    )
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(failed=1)
    pytester.runpytest_inprocess(*PLUGIN, "--culprit-known", "known.json").assert_outcomes(passed=1)
