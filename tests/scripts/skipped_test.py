#!/usr/bin/env python3
"""scripts/skipped on reports as ctest writes them."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "skipped"

ROOM = """[==========] Running 4 tests from 2 test suites.
[ RUN      ] Room.Works
[       OK ] Room.Works (0 ms)
[ RUN      ] Room.Zoo
{source}/zoo_test.cc:28: Skipped
no zoo of models: set CULPRIT_ZOO to its folder

[  SKIPPED ] Room.Zoo (3 ms)
[ RUN      ] Room.Silent
{source}/zoo_test.cc:31: Skipped

[  SKIPPED ] Room.Silent (0 ms)
[ RUN      ] Room/Files.Run/1
{source}/zoo_test.cc:35: Skipped
b.onnx is not there: scripts/setup networks

[  SKIPPED ] Room/Files.Run/1, where GetParam() = "b.onnx" (0 ms)
[  PASSED  ] 1 test.
[  SKIPPED ] 3 tests, listed below:
[  SKIPPED ] Room.Zoo
[  SKIPPED ] Room.Silent
[  SKIPPED ] Room/Files.Run/1, where GetParam() = "b.onnx"
"""
ONE = """/zoo_test.cc:35: Skipped
a.onnx is not there: scripts/setup networks

[  SKIPPED ] Files.Run/0 (0 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Files.Run/0
"""


def case(output, status="run", skipped=""):
    return f'<testcase name="t" status="{status}">{skipped}<system-out>{output}</system-out></testcase>'


class Skipped(unittest.TestCase):
    def lines(self, *cases):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as report:
            report.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite>{"".join(cases)}</testsuite>')
            report.flush()
            return self.said_of(report.name)

    def said_of(self, *words):
        done = subprocess.run([sys.executable, SCRIPT, *words], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.splitlines()

    def test_rooms_and_single_tests_are_counted_by_what_brings_what_they_lack(self):
        skip = '<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
        self.assertEqual(self.lines(case(ROOM), case(ONE, "notrun", skip), case(ROOM)), [
            "3 tests were skipped: a.onnx is not there, and 1 more: scripts/setup networks",
            "2 tests were skipped: it does not say why",
            "2 tests were skipped: no zoo of models: set CULPRIT_ZOO to its folder"])

    def test_a_test_that_only_ctest_knows_to_be_skipped_counts(self):
        skip = '<skipped message="SKIP_RETURN_CODE=77"/>'
        self.assertEqual(self.lines(case("", "notrun", skip)), ["1 test was skipped: it does not say why"])

    def test_what_cannot_be_started_is_not_skipped(self):
        cannot = '<skipped message="Unable to find executable"/>'
        self.assertEqual(self.lines(case("", "notrun", cannot), case("[       OK ] A.b (0 ms)")), ["no test was skipped"])

    def test_a_report_that_is_not_there_is_said(self):
        [line] = self.said_of("/nowhere/report.xml")
        self.assertIn("cannot be told", line)


if __name__ == "__main__":
    unittest.main()
