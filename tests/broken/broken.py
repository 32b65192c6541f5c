#!/usr/bin/env python3
"""Breaks the tool on purpose, one thing at a time, and says whether the tests go red.

    broken.py [--turn TURN] [--jobs N] [NAME ...]   all breakages, or those named
    broken.py --check                               only: can each of them still be made?

The breakages stand in breakages.py. They are made in a copy of the tree, build/broken/tree, which has a build folder of its own; the
tree itself stays as it is. What costs little is run first: the unit tests, then the workers and the corpus, then everything else.
What is red is not tried further. Before each of the three the tests must be green with nothing broken. What the build and the tests
of a breakage say is kept in build/broken/NAME.log.

TURN is what `make test` names (tests/support/turn.h); without it long rows of cases are run whole, as by `make test-all`.
Exit code 1: with a turn, fewer than nine in ten are red; without one, any is green; one cannot be tried, for it does not compile.
"""
import argparse
import dataclasses
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from breakages import BREAKAGES  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "broken"
TREE = FOLDER / "tree"
BUILD = TREE / "build" / "release"
ENOUGH = 0.9  # of the breakages, where only a part of the tests has its turn

UNITS = sorted(f"unit_{folder.name}" for folder in (ROOT / "tests" / "unit").glob("*/*") if any(folder.rglob("*.cc")))
ALL_UNITS = (UNITS, ["-L", "^unit$", "--timeout", "300"])  # a breakage may make a test hang
# What is built and run, from cheap to dear. The test of this program is left out: in the copy it misses what is broken.
STAGES = {
    "the unit tests": ALL_UNITS,
    "the workers and the corpus": (["sanitized_tests"], ["-L", "^sanitized$"]),
    "all other tests": (["all"], ["-LE", "^(unit|sanitized)$", "-E", "^broken\\."]),
}

RED_TEST = re.compile(r"^\s*\d+ - (.+?) \((.+?)\)", re.MULTILINE)
RED_INSIDE = re.compile(r"\[  FAILED  \] (\w[\w/]*\.[\w/]+)")


class Stop(Exception):
    """Nothing can be told; the message says why."""


def say(text):
    print(f"broken: {text}", file=sys.stderr, flush=True)


def text_with(breakage, root):
    file = root / breakage.file
    text = file.read_text() if file.is_file() else ""
    count = text.count(breakage.old)
    if count != 1:
        what = "is no longer there" if count == 0 else f"is there {count} times"
        raise Stop(f"{breakage.name}: its text in {breakage.file} {what}: adapt tests/broken/breakages.py")
    return text


def check():
    names = [breakage.name for breakage in BREAKAGES]
    for breakage in BREAKAGES:
        if names.count(breakage.name) > 1:
            raise Stop(f"{breakage.name}: two breakages have this name: adapt tests/broken/breakages.py")
        text_with(breakage, ROOT)


def copy_tree():
    """Only what differs is written, so that nothing is compiled in vain."""
    if not (ROOT / ".git").exists():
        sys.exit(f"broken.py: {ROOT} is no git checkout, and git tells which files are to be copied")
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, check=True, text=True).stdout
    wanted = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for folder, folders, files in os.walk(TREE):
        if pathlib.Path(folder) == TREE and "build" in folders:
            folders.remove("build")
        for file in (pathlib.Path(folder) / name for name in files):
            if str(file.relative_to(TREE)) not in wanted:
                file.unlink()
    for name in wanted:
        source, target = ROOT / name, TREE / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


class Made:
    """The breakage is made in the copy, as long as this is open."""

    def __init__(self, breakage):
        self.file = TREE / breakage.file
        self.right = text_with(breakage, TREE)
        self.wrong = self.right.replace(breakage.old, breakage.new)

    def __enter__(self):
        self.file.write_text(self.wrong)

    def __exit__(self, *_):
        self.file.write_text(self.right)


class Tests:
    def __init__(self, turn, jobs):
        zoo = ROOT.parent / "shared" / "zoo"  # where the tests look, seen from the tree and not from its copy
        self.environment = {"CULPRIT_ZOO": str(zoo), **os.environ, "CULPRIT_TEST_TURN": turn}
        self.jobs = str(jobs)

    def run(self, command, log):
        """The exit code, and what it said, which is also written to the log."""
        before = log.tell()
        code = subprocess.run(command, cwd=TREE, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                              stderr=subprocess.STDOUT).returncode
        return code, pathlib.Path(log.name).read_bytes()[before:].decode(errors="replace")

    def build(self, targets, log):
        if not (BUILD / "build.ninja").is_file():
            if self.run(["cmake", "--preset", "release"], log)[0] != 0:
                raise Stop(f"the copy cannot be configured: {log.name} says why")
        if self.run(["cmake", "--build", BUILD, "-j", self.jobs, "--target", *targets], log)[0] != 0:
            raise Stop(f"it does not compile: {log.name} says why")

    def first_red(self, targets, chosen, log):
        """The name of a red test; "" where all are green."""
        self.build(targets, log)
        code, said = self.run(["ctest", "--test-dir", BUILD, "-j", self.jobs, "--no-tests=error", "--output-on-failure",
                               "--stop-on-failure", *chosen], log)
        if code == 0:
            return ""
        red = RED_TEST.search(said.rpartition("The following tests FAILED:")[2])
        if not red:
            raise Stop(f"ctest fails, and no test does: {log.name} says why")
        name, how = red.groups()
        inside = None if "." in name else RED_INSIDE.search(said)  # "unit_judge" is a program of many tests
        if inside:
            name += ": " + inside.group(1)
        return name if how == "Failed" else f"{name} ({how})"


def steps_of(stage, breakage):
    """Of unit tests, those of the room that is broken come first."""
    own = "unit_" + pathlib.PurePath(breakage.file).parts[2]
    first = [([own], ["-R", f"^{own}$", *ALL_UNITS[1]])] if STAGES[stage] == ALL_UNITS and own in UNITS else []
    return [*first, STAGES[stage]]


@dataclasses.dataclass
class Result:
    red: str = ""  # a test; "" where all that ran are green
    unusable: str = ""  # why it cannot be tried
    seconds: float = 0.0

    def __str__(self):
        return self.red or (f"NOT TRIED: {self.unusable}" if self.unusable else "GREEN: no test notices it")


def try_breakage(breakage, stage, tests, result):
    start = time.monotonic()
    with open(FOLDER / f"{breakage.name}.log", "ab") as log, Made(breakage):
        try:
            result.red = next(filter(None, (tests.first_red(*step, log) for step in steps_of(stage, breakage))), "")
        except Stop as stop:
            result.unusable = str(stop)
    result.seconds += time.monotonic() - start
    said = f"red by {result.red}" if result.red else result.unusable or f"{stage} stay green"
    say(f"{breakage.name}: {said}")


def try_all(breakages, tests):
    """By name of the breakage."""
    results = {breakage.name: Result() for breakage in breakages}
    for stage, whole in STAGES.items():
        left = [b for b in breakages if not results[b.name].red and not results[b.name].unusable]
        if not left:
            break
        say(f"{stage}, with nothing broken")
        with open(FOLDER / "nothing-broken.log", "wb") as log:
            if red := tests.first_red(*whole, log):
                raise Stop(f"{red} is red with nothing broken: {log.name} says why")
        for breakage in left:
            try_breakage(breakage, stage, tests, results[breakage.name])
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--turn", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    check()
    if options.check:
        print(f"{len(BREAKAGES)} breakages, and each can be made")
        return 0
    known = {breakage.name: breakage for breakage in BREAKAGES}
    if unknown := [name for name in options.names if name not in known]:
        raise Stop(f"there is no breakage {unknown[0]}; there are {', '.join(known)}")
    breakages = [known[name] for name in dict.fromkeys(options.names)] or BREAKAGES
    TREE.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Stop(f"another run works in {FOLDER}") from None
        copy_tree()
        for breakage in breakages:
            (FOLDER / f"{breakage.name}.log").unlink(missing_ok=True)
        results = try_all(breakages, Tests(options.turn, options.jobs))
    width = max(map(len, results))
    for name, result in results.items():
        print(f"{name:{width}}  {result.seconds:6.0f} s  {result}")
    red = sum(bool(result.red) for result in results.values())
    print(f"{red} of {len(results)} breakages make the tests red")
    unusable = any(result.unusable for result in results.values())
    return int(unusable or red < (ENOUGH if options.turn else 1) * len(results))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        say(str(stop))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
