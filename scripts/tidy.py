#!/usr/bin/env python3
"""clang-tidy over sources, many at once, and a look whether files include what they need. scripts/lint calls it.

    tidy.py BUILD_FOLDER CACHE_FOLDER [--all] <CHANGED_FILES

The standard input names the files that changed, one a line. Looked at by clang-tidy is every source under src/ that is among them, and
those that see one of them: a change in the header of all would take the whole tree, so of more than MOST_BESIDE some are looked at,
those whose turn it is at the commit that LINT_TURN names. With --all, every source is. Most of its time goes into headers, so the sources of a batch are read as one, as the
compiler reads them (cmake/Batches.cmake). Sources and headers that changed themselves are compiled alone besides, with no header
precompiled. What was clean is remembered in the cache folder by the hash of all that it can see of ours. Exit code 1: something is
not clean.
"""
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
PRECOMPILED = re.compile(r' -Winvalid-pch| -include (\\"[^"]*|\S*)cmake_pch\.hxx(\\")?| -fpch-preprocess')
MOST_BESIDE = 60  # sources that did not change, but see what did: about four minutes on two cores
WINGS = sorted(path for path in (ROOT / "src").iterdir() if path.is_dir())


def room_of(file):
    """The second folder below src/."""
    return file.relative_to(ROOT / "src").parts[1]


def from_wing(file):
    """As it is included."""
    return file.relative_to(ROOT / "src" / file.relative_to(ROOT / "src").parts[0])


def say(text):
    print(f"clang-tidy: {text}", file=sys.stderr, flush=True)


class Tree:
    """The sources under src/, what each sees of ours, and how the compiler is called for each."""

    def __init__(self, build):
        self.includes = {}
        self.sources = sorted((ROOT / "src").rglob("*.cc"))
        self.seen = {source: self.closure(source) for source in self.sources}
        self.commands = dict(self.read_commands(build))

    def included_by(self, file):
        """Includes are written from a wing, a folder of src/, or beside the file."""
        if file not in self.includes:
            places = [place for name in INCLUDE.findall(file.read_text()) for place in (file.parent / name, *(wing / name for wing in WINGS))]
            self.includes[file] = [place for place in places if place.is_file()]
        return self.includes[file]

    def closure(self, file):
        found, left = set(), [file]
        while left:
            for header in self.included_by(left.pop()):
                if header not in found:
                    found.add(header)
                    left.append(header)
        return found

    def key(self, kind, file):
        """Changes with everything of ours that the file sees, and with how it is looked at."""
        text = hashlib.sha256(kind.encode() + (ROOT / ".clang-tidy").read_bytes() + pathlib.Path(__file__).read_bytes())
        for path in (file, *sorted(self.seen.get(file) or self.closure(file))):
            text.update(path.read_bytes())
        return text.hexdigest()[:32]

    @staticmethod
    def read_commands(build):
        """(source, (batch, folder, words of the compiler's call that any file of the batch shares))."""
        members = collections.defaultdict(list)
        for line in (build / "batches.txt").read_text().splitlines():
            batch, file = line.split()
            members[batch].append(file)
        for entry in json.loads((build / "compile_commands.json").read_text()):
            words = shlex.split(PRECOMPILED.sub("", entry["command"]))
            start = next(i for i, word in enumerate(words) if word.endswith(("/c++", "/g++", "/clang++")))
            shared = [word for word in words[start : words.index("-o")]
                      if word not in ("-MD", "-MT", "-MF") and not word.endswith((".o", ".o.d"))]
            for file in members.get(entry["file"], [entry["file"]]):
                yield pathlib.Path(file), (entry["file"], entry["directory"], shared)


def batches_of(tree, sources):
    """Of each batch those that are among these sources."""
    batches = collections.defaultdict(list)
    for source in sources:
        batches[tree.commands[source][0]].append(source)
    return batches.values()


def with_their_turn(batches, most, turn):
    """Whole batches in the order of their turn, until there are so many sources; without a turn, all of them."""
    taken = []
    for batch in sorted(batches, key=lambda files: hashlib.sha256(f"{turn} {files[0].name}".encode()).digest()):
        if not turn or len(taken) < most:
            taken += batch
    return taken


def tidy(tree, files, work, number):
    """What clang-tidy and the compiler in it say of these sources; "" where they are clean."""
    folder = work / str(number)
    folder.mkdir()
    batch = folder / "UnifiedSource.cc"  # by this name clang's analyzer knows that what it includes is no header
    batch.write_text("".join(f'#include "{from_wing(file)}"  // NOLINT(bugprone-suspicious-include)\n' for file in files))
    _, directory, words = tree.commands[files[0]]
    entry = {"directory": directory, "file": str(batch), "arguments": [*words, "-c", str(batch)]}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    done = subprocess.run(["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", "-p", folder, "--extra-arg=-Wno-unknown-warning-option", batch],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    said = "\n".join(line for line in done.stdout.splitlines() if not re.search(r" warnings? generated\.$", line))
    return said if done.returncode else ""


def compile_alone(tree, file, work, number):
    """What the compiler says of a file that is compiled alone: does it include what it needs? "" where it does."""
    room = room_of(file)
    source = file if file in tree.commands else next((s for s in tree.sources if room_of(s) == room and s in tree.commands), None)
    if source is None:
        return ""
    alone = work / f"alone{number}.cc"
    alone.write_text(f'#include "{from_wing(file)}"\n')
    _, directory, words = tree.commands[source]
    done = subprocess.run([*words, "-c", alone, "-fsyntax-only", "-w"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          cwd=directory)
    return done.stdout or f"{file}: the compiler failed" if done.returncode else ""


def main():
    build, cache = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    changed = {ROOT / line.strip() for line in sys.stdin if line.strip()}
    everything = "--all" in sys.argv or ROOT / ".clang-tidy" in changed
    tree = Tree(build)
    sources = [source for source in tree.sources if source in tree.commands and (everything or source in changed or tree.seen[source] & changed)]
    beside = [] if everything else [source for source in sources if source not in changed]
    if waiting := set(beside) - set(with_their_turn(batches_of(tree, beside), MOST_BESIDE, os.environ.get("LINT_TURN"))):
        say(f"{len(waiting)} sources that see a change have their turn at other commits: make lint-all")
        sources = [source for source in sources if source not in waiting]
    alone = [file for file in changed if file.suffix in (".cc", ".h") and file.is_file() and file.is_relative_to(ROOT / "src")]
    keys = {("tidy", source): cache / tree.key("tidy", source) for source in sources}
    keys |= {("alone", file): cache / tree.key("alone", file) for file in alone}
    left = [source for source in sources if not keys["tidy", source].exists()]
    left_alone = [file for file in sorted(alone) if not keys["alone", file].exists()]
    say(f"{len(sources)} of {len(tree.sources)} sources, of which {len(sources) - len(left)} were clean before; {len(left_alone)} files compiled alone")
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work, jobs = pathlib.Path(name), {}
        for files in sorted(batches_of(tree, left), key=len, reverse=True):
            jobs[pool.submit(tidy, tree, files, work, len(jobs))] = [("tidy", file) for file in files]
        for file in left_alone:
            jobs[pool.submit(compile_alone, tree, file, work, len(jobs))] = [("alone", file)]
        is_clean = True
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                print(job.result(), flush=True)
                is_clean = False
            else:
                for looked_at in jobs[job]:
                    keys[looked_at].touch()
    say(f"{len(sources)} sources are clean" if is_clean else "not clean")
    return not is_clean


if __name__ == "__main__":
    sys.exit(main())
