#!/usr/bin/env python3
"""hosts/stay.py: one Python that answers many questions, each in a fork."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

STAY = pathlib.Path(__file__).resolve().parents[2] / "hosts" / "stay.py"

PROGRAM = """import os, signal, sys
with open(os.environ["STARTS"], "a") as starts:
    starts.write("main " if __name__ == "__main__" else "warm ")
if __name__ == "__main__":
    what = sys.argv[1]
    if what == "say":
        print("said", *sys.argv[2:], os.getcwd(), os.environ["TMPDIR"])
    if what == "raise":
        raise ValueError("not this one")
    if what == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "exit":
        sys.exit(int(sys.argv[2]))
    if what == "wait":
        import time
        open("pid", "w").write(str(os.getpid()))
        time.sleep(1000)
    if what == "leave":
        import subprocess
        print(subprocess.Popen(["setsid", "sleep", "1000"]).pid)
    if what == "state":
        import json
        print(hasattr(json, "mine"))
        json.mine = 1
"""


class Stay(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name).resolve()
        self.program = self.folder / "program.py"
        self.program.write_text(PROGRAM)
        self.start(str(self.program))

    def start(self, *target):
        environment = {**os.environ, "STARTS": str(self.folder / "starts"), "PYTHONPATH": str(self.folder)}
        self.host = subprocess.Popen([sys.executable, STAY, *target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True,
                                     stderr=subprocess.DEVNULL)

    def stop(self):
        self.host.stdin.close()
        self.host.stdout.close()
        return self.host.wait()

    def tearDown(self):
        self.stop()
        self.place.cleanup()

    def ask(self, *arguments, target=None):
        """The answer, and what was said meanwhile."""
        (self.folder / "log").write_text("")
        words = [sys.executable, *(target or [str(self.program)]), *arguments]
        self.host.stdin.write(json.dumps({"words": words, "folder": str(self.folder), "log": str(self.folder / "log")}) + "\n")
        self.host.stdin.flush()
        return int(self.host.stdout.readline()), (self.folder / "log").read_text()

    def test_answers_as_the_program_would_end(self):
        self.assertEqual(self.ask("say", "a b"), (0, f"said a b {self.folder} {self.folder}\n"))
        self.assertEqual(self.ask("exit", "7"), (7, ""))
        status, said = self.ask("raise")
        self.assertEqual((status, said.splitlines()[-1]), (1, "ValueError: not this one"))

    def test_a_crash_is_that_of_a_fork_and_the_next_question_is_answered(self):
        self.assertEqual(self.ask("die")[0], -11)
        self.assertEqual(self.ask("say")[0], 0)

    def test_it_is_imported_once_and_nothing_is_left_of_a_question(self):
        self.assertEqual([self.ask("state")[1] for _ in range(3)], ["False\n"] * 3)
        self.assertEqual((self.folder / "starts").read_text(), "warm main main main ")

    def test_what_a_question_leaves_behind_is_ended(self):
        status, said = self.ask("leave")
        self.assertEqual(status, 0)
        self.assertFalse(pathlib.Path("/proc", said.strip()).exists())

    def test_a_question_ends_with_it(self):
        words = [sys.executable, str(self.program), "wait"]
        self.host.stdin.write(json.dumps({"words": words, "folder": str(self.folder), "log": os.devnull}) + "\n")
        self.host.stdin.flush()
        pid = self.folder / "pid"
        while not pid.exists() or not pid.read_text():
            time.sleep(0.01)
        self.host.kill()
        self.host.wait()
        running = pathlib.Path("/proc", pid.read_text(), "exe")
        for _ in range(1000):
            if not os.path.lexists(running):
                break
            time.sleep(0.01)
        self.assertFalse(os.path.lexists(running))

    def test_a_module_is_run_as_with_m(self):
        self.stop()
        self.start("-m", "program")
        self.assertEqual(self.ask("exit", "3", target=["-m", "program"])[0], 3)

    def test_ends_when_nothing_more_comes(self):
        self.ask("say")
        self.assertEqual(self.stop(), 0)
        self.start(str(self.program))

    def test_what_cannot_be_imported_fails_at_each_question(self):
        self.program.write_text("import no_such_module_of_ours\n")
        self.stop()
        self.start(str(self.program))
        status, said = self.ask("say")
        self.assertEqual((status, said.splitlines()[-1]), (1, "ModuleNotFoundError: No module named 'no_such_module_of_ours'"))


if __name__ == "__main__":
    unittest.main()
