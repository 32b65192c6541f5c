#!/usr/bin/env python3
"""scripts/setup runtime on wheels that lack the library. pip is a script here that makes the wheel."""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup"

PYTHON = f"""#!{sys.executable}
import sys, zipfile
if "pip" in sys.argv:
    kind = open("{{kind}}").read()
    with open("onnxruntime-1.17.1-cp39-manylinux.whl", "wb") as file:
        if kind == "broken":
            file.write(b"no zip at all")
        else:
            with zipfile.ZipFile(file, "w") as wheel:
                for name in kind.split():
                    wheel.writestr("onnxruntime/capi/" + name, "x")
"""


class SetupRuntime(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def setup_with(self, names):
        """The wheel has these files; what setup did and said."""
        (self.folder / "kind").write_text(names)
        for name in ("python", "python3"):
            program = self.folder / name
            program.write_text(PYTHON.replace("{kind}", str(self.folder / "kind")))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "CULPRIT_CACHE": str(self.folder / "cache")}
        (self.folder / "cache").mkdir(exist_ok=True)
        return subprocess.run([SCRIPT, "runtime", "1.17.1"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_a_wheel_without_the_library_says_what_it_has_and_what_to_do(self):
        done = self.setup_with("onnxruntime_pybind11_state.so libonnxruntime_providers_shared.so")
        self.assertEqual(done.returncode, 1)
        for part in ("onnxruntime-1.17.1-cp39-manylinux.whl has no libonnxruntime.so.* in onnxruntime/capi",
                     "it has there: libonnxruntime_providers_shared.so onnxruntime_pybind11_state.so",
                     "'scripts/setup runtime 1.19.2' brings the oldest"):
            self.assertIn(part, done.stdout)
        self.assertFalse((self.folder / "cache/runtimes/1.17.1").exists())

    def test_a_wheel_without_any_library_says_so(self):
        self.assertIn("it has there: no library at all", self.setup_with("__init__.py").stdout)

    def test_what_is_no_wheel_is_told_apart(self):
        done = self.setup_with("broken")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be read as a wheel", done.stdout)

    def test_the_library_is_taken_out_of_a_wheel_that_has_it(self):
        done = self.setup_with("libonnxruntime.so.1.17.1 onnxruntime_pybind11_state.so")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual([file.name for file in (self.folder / "cache/runtimes/1.17.1").iterdir()], ["libonnxruntime.so.1.17.1"])


if __name__ == "__main__":
    unittest.main()
