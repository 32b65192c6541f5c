#!/usr/bin/env python3
"""examples/ci: the shell steps of the GitHub action, run as GitHub runs them, and the hook of pre-commit.

    ci_action_test.py CULPRIT    the program that the steps call
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = ROOT / "examples" / "ci" / "action.yml"
GOOD, FAULTY = "models/good.onnx", "models/faulty.onnx"


def inputs_of(text):
    """The inputs and their defaults."""
    return {name: default.strip('"') for name, default in re.findall(r"^  ([\w-]+):\n    description: .*\n    default: (.*)$", text, re.MULTILINE)}


def shell_steps(text):
    """(environment, command) of each step with a command. The file is laid out for this."""
    for step in re.split(r"^    - ", text.split("\n  steps:\n")[1], flags=re.MULTILINE)[1:]:
        command = re.search(r"^      run: '(.*)'$", step, re.MULTILINE)
        if command:
            yield dict(re.findall(r"^        (\w+): \$\{\{ (.*) \}\}$", step, re.MULTILINE)), command.group(1)


class Action(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="culprit-ci-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name).resolve()
        self.repository = self.folder / "repository"
        (self.repository / "models").mkdir(parents=True)
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "culprit").symlink_to(CULPRIT)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        self.git("init", "--quiet")
        self.add(GOOD, "conversion/trained.onnx")
        self.base = self.commit()

    def git(self, *words):
        mine = ["git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.com", *words]
        return subprocess.run(mine, cwd=self.repository, env=self.environment, capture_output=True, text=True, check=True).stdout.strip()

    def add(self, name, example):
        shutil.copy(ROOT / "examples" / example, self.repository / name)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change models")
        return self.git("rev-parse", "HEAD")

    def act(self, base="", **inputs):
        """Runs the step behind the installation. Its exit code, the summary, the outputs and all that it prints."""
        given = {**inputs_of(ACTION.read_text()), **{name.replace("_", "-"): value for name, value in inputs.items()}}
        values = {"github.event.pull_request.base.sha || github.event.before": base, **{f"inputs.{name}": value for name, value in given.items()}}
        temporary = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        files = {name: temporary / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        for file in files.values():
            file.touch()
        _, (variables, command) = shell_steps(ACTION.read_text())
        environment = {**self.environment, **{name: str(file) for name, file in files.items()}, "RUNNER_TEMP": str(temporary),
                       "GITHUB_ACTION_PATH": str(ACTION.parent), **{name: values[said] for name, said in variables.items()}}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command], cwd=self.repository,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return done.returncode, files["GITHUB_STEP_SUMMARY"].read_text(), outputs, done.stdout

    def test_a_good_model_is_green(self):
        code, summary, outputs, printed = self.act()
        self.assertEqual((code, outputs), (0, {"models": "1", "exit-code": "0"}), printed)
        self.assertIn(f"| {GOOD} | ok |", summary)

    def test_a_faulty_model_is_red_and_the_summary_names_the_pass(self):
        self.add(FAULTY, "detector.onnx")
        self.commit()
        code, summary, outputs, printed = self.act()
        self.assertEqual((code, outputs), (1, {"models": "2", "exit-code": "1"}), printed)
        self.assertIn(f"| {FAULTY} | **wrong** | fuse_pad_into_pool | skip fuse_pad_into_pool", summary)
        self.assertIn(f"| {GOOD} | ok |", summary)
        self.assertIn("1 new fault in 2 models, 0 known, 0 models not judged, exit code 1", summary)

    def test_only_what_has_changed_is_checked(self):
        self.add(FAULTY, "detector.onnx")
        later = self.commit()
        self.assertEqual(self.act(base=self.base)[2]["models"], "1")
        code, summary, outputs, printed = self.act(base=later)
        self.assertEqual((code, outputs), (0, {"models": "0"}), printed)
        self.assertIn("no model to check", summary)
        (self.repository / "models" / "good.data").write_text("weights")
        self.commit()
        self.assertEqual(self.act(base=later)[2], {"models": "1", "exit-code": "0"})

    def test_a_commit_that_is_missing_means_all_models(self):
        code, _, outputs, printed = self.act(base="1" * 40)
        self.assertEqual((code, outputs["models"]), (0, "1"), printed)
        self.assertIn("is missing, so all models are checked", printed)

    def test_a_known_fault_is_green(self):
        self.add(FAULTY, "detector.onnx")
        run = self.folder / "run"
        subprocess.run([CULPRIT, "check", FAULTY, "--no-localize", "--quiet", "--run-dir", run], cwd=self.repository, stdout=subprocess.DEVNULL)
        fault = json.loads((run / "report.json").read_text())["models"][0]["faults"][0]
        # As `culprit known add` writes it, which needs a repro: that would take ten seconds.
        known = {"id": "K-1", **{name: fault[name] for name in ("culprits", "verdict", "signature")}, "fingerprint": None, "note": "", "source": FAULTY}
        (self.repository / "known.json").write_text(json.dumps({"schema": "culprit.known/1", "faults": [known]}))
        self.commit()
        code, summary, _, printed = self.act(known="known.json", models="models/f*.onnx")
        self.assertEqual(code, 0, printed)
        self.assertIn(f"| {FAULTY} | known K-1 | fuse_pad_into_pool |", summary)

    def test_a_model_without_an_answer_is_a_warning_or_red(self):
        (self.repository / GOOD).write_text("no model")
        self.commit()
        code, summary, outputs, printed = self.act()
        self.assertEqual((code, outputs["exit-code"]), (0, "3"), printed)
        self.assertIn("::warning", printed)
        self.assertIn("not judged", summary)
        self.assertEqual(self.act(not_judged="fail")[0], 3)

    def test_a_list_that_is_missing_is_red(self):
        code, summary, _, printed = self.act(known="none.json")
        self.assertEqual(code, 2, printed)
        self.assertIn("no report, exit code 2", summary)

    def test_both_hooks_of_pre_commit_are_red_for_a_faulty_model_only(self):
        self.add(FAULTY, "detector.onnx")
        entries = [re.search(r"^ +entry: (culprit .*)$", (ROOT / name).read_text(), re.MULTILINE).group(1)
                   for name in (".pre-commit-hooks.yaml", "examples/ci/.pre-commit-config.yaml")]
        self.assertEqual(entries[0], entries[1])
        for models, code in (([GOOD], 0), ([GOOD, FAULTY], 1)):
            done = subprocess.run([CULPRIT, *entries[0].split()[1:], *models], cwd=self.repository, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)

    def test_the_workflow_gives_inputs_that_there_are(self):
        text = (ACTION.parent / "workflow.yml").read_text()
        given = {name for part in re.findall(r"culprit\n        with:\n((?:          .*\n?)+)", text) for name in re.findall(r"^ {10}([\w-]+):", part, re.MULTILINE)}
        self.assertTrue(given)
        self.assertLessEqual(given, set(inputs_of(ACTION.read_text())))


if __name__ == "__main__":
    CULPRIT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
