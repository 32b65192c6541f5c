#!/usr/bin/env python3
"""Follows the README and the pages below docs/ as a reader would: runs their commands and holds what they print against them.

    follow.py CULPRIT              fails where a command fails, or prints anything else
    follow.py CULPRIT --update     puts what is printed into the pages; where they leave lines out with "...", the lines most like
                                   those that stand there: look at them
    follow.py CULPRIT PAGE...      these pages only

The commands of a page run in order, in a folder of its own, where the models of examples/ lie. Times, dates and names of
run folders may differ, and how many checks a search took. A command is `    $ culprit ...` with its output,
`    culprit ...` in a block of commands, `culprit ...` in the text, or the first line of a picture of a terminal, whose other
lines are the output. Commands with words in capitals are patterns.
"""
import argparse
import dataclasses
import difflib
import hashlib
import itertools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

root = pathlib.Path(__file__).resolve().parents[2]

# Files that the pages talk of, by what stands for them.
FILES = {"detector.onnx": "detector.onnx", "branches.onnx": "branches.onnx", "model.onnx": "detector.onnx",
         "models/detector.onnx": "detector.onnx", "same_sign.py": "comparators/same_sign.py",
         "campaign.yaml": "campaigns/campaign.yaml"}
FOLDERS = ["conversion", "shapes", "blocks", "exported"]  # models with their data
NETWORKS = {"silero_vad_16k_op15.onnx": "models/silero-vad-*"}  # in the cache folder, where `scripts/setup networks` puts them
NO_PYTHON = "no Python with the public packages: scripts/setup peers"
NO_NETWORK = "not this network: scripts/setup networks"
NOT_RUN = {"--data pictures": "pictures are no part of the examples: eval_test makes some", "densenet.onnx": "a network of 913 nodes: ReduceZoo runs it",
           "reduced/model.onnx": "what is left of that network", "--runtime": "needs another runtime", "onnxsim": "needs its packages: scripts/setup optimizer onnxsim",
           "quantize_": "needs its packages: scripts/setup optimizer quantize_dynamic", "q.onnx": "what that made",
           "mine.yaml": "a program of the reader's own", ".tflite": "needs LiteRT: scripts/setup tflite",
           "light-resnet50-9.onnx": "a network of the zoo: LightTwins makes this twin",
           "mnist-7.onnx": "a network of the zoo", "squeezenet-fp16-7.onnx": "a network of the zoo", " variant.onnx": "a file of yours",
           "data prepare": "needs tokenizers and texts: scripts/setup text", "imdb.jsonl": "texts that were prepared", "t5.jsonl": "texts that were prepared", "--data imdb": "texts of the reader's own", "prompts.jsonl": "texts that were prepared",
           "--data sounds": "sounds of the reader's own",
           "--on ray": "needs Ray: scripts/setup ray", "--compare before.json": "two kept reports: profile_test makes them"}
NO_TURN = "other cases have their turn at this commit: make test-all"
EXIT_CODES = {0, 1, 3}  # wrong usage, internal errors and signals are none of a reader's business


@dataclasses.dataclass
class Command:
    line: int            # in the page, from 0
    text: str
    output: list         # lines, without the indent; None: nothing is said of it
    end: int = 0         # the line behind its output; 0: it stands in a picture


def command_in_picture(line, file):
    """What docs/pictures/terminal.py has drawn: the command in the first line, and what it printed."""
    svg = xml.etree.ElementTree.parse(file)
    lines = ["".join(text.itertext()).rstrip() for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    return Command(line, lines[0].removeprefix("$ "), lines[1:])


def commands_of(page, lines):
    found, current = [], None
    for number, line in enumerate(lines):
        found += [command_in_picture(number, page.parent / name) for name in re.findall(r"!\[.*?\]\((.*?\.svg)\)", line)]
        if line.startswith("    $ "):
            current = Command(number, line[6:], [], number + 1)
            found.append(current)
        elif current and (line.startswith("    ") or (line == "" and number + 1 < len(lines) and lines[number + 1].startswith("    "))):
            current.output.append(line[4:])
            current.end = number + 1
        else:
            current = None
            texts = [line[4:]] if line.startswith("    culprit ") else re.findall(r"`(culprit [^`]*)`", line)
            found += [Command(number, text.split("  #")[0], None) for text in texts]
    return [command for command in found if re.match(r"(culprit [a-z-]|python3 )", command.text)]


def is_pattern(text):
    words = text.split()
    return len(words) < 2 + (words[0] == "culprit") or "..." in text or any(re.fullmatch(r"\[?[A-Z]{1,9}(\.\.\.)?\]?|.*\|.*", word) for word in words[1:])


def reason_not_to(text, python):
    if text.startswith("python3 ") and not python:
        return NO_PYTHON
    if any(name in text and not network(name) for name in NETWORKS):
        return NO_NETWORK
    return next((why for word, why in NOT_RUN.items() if word in text), None)


def words_of(lines):
    """The words without what differs from run to run, wherever lines are broken."""
    text = " ".join(" ".join(lines).split())
    text = re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{4}", "RUN", text)
    text = re.sub(r"<?\b\d+(\.\d+)? (ms|s|m|h)( \d+ s)?(?![\w/])", "TIME", text)
    text = re.sub(r"\d+ checks", "CHECKS", text)
    text = re.sub(r"(numpy|onnx|onnxoptimizer|onnxruntime) \d+(\.\d+)+", r"\1 VERSION", text)
    return text.split()


def place_of(wanted, words, at, is_gap):
    """Where `wanted` begins in `words`, from `at` on; without a gap just there. None: nowhere."""
    last = len(words) - len(wanted) if is_gap else at
    return next((i for i in range(at, last + 1) if words[i:i + len(wanted)] == wanted), None)


def difference(expected, printed):
    """The first thing of `expected` that is not there; None where all is. A line "..." stands for any lines."""
    words, at, is_gap = words_of(printed), 0, False
    for lines in "\n".join("\0" if line.strip() == "..." else line for line in expected).split("\0"):
        wanted = words_of(lines.split("\n"))
        place = place_of(wanted, words, at, is_gap)
        if place is None:
            shown = next((i for i, pair in enumerate(zip(wanted, words[at:])) if pair[0] != pair[1]), 0)
            part = slice(max(0, shown - 3), shown + 12)
            return f"expected: {' '.join(wanted[part])}\n    printed:  {' '.join(words[at:][part])}"
        at, is_gap = place + len(wanted), True
    is_open = expected and expected[-1].strip() == "..."
    return None if is_open or at == len(words) else f"printed besides: {' '.join(words[at:at + 15])}"


def run(text, folder, culprit, python):
    words = [str(culprit) if word == "culprit" else word for word in shlex.split(text)]
    words = [python if word == "python3" else word for word in words]
    names = [str(path.relative_to(folder)) for word in words if "*" in word for path in sorted(folder.glob(word))]
    at = next((i for i, word in enumerate(words) if "*" in word), None)
    words = words if at is None else words[:at] + names + words[at + 1:]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    lines = done.stdout.rstrip("\n").split("\n")
    return done.returncode, [line.rstrip() for line in lines], done.stderr


def cache_folder():
    return pathlib.Path(os.environ.get("CULPRIT_CACHE") or
                        pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "culprit")


def network(name):
    return next(iter(sorted(cache_folder().glob(f"{NETWORKS[name]}/{name}"))), None)


def peers_python():
    peers = cache_folder() / "peers"
    python = peers / "bin" / "python"
    return str(python) if (peers / ".complete").exists() and python.exists() else None


def is_its_turn(page):
    """`make test` names the commit in CULPRIT_TEST_TURN: then one of five pages is followed, and with it those that a
    newcomer reads first, and those that changed in the last four hours before the commit."""
    turn = os.environ.get("CULPRIT_TEST_TURN")
    name = page.relative_to(root)
    if not turn or name.parts[0] == "README.md" or "start" in name.parts:
        return True
    place = int.from_bytes(hashlib.sha256(turn.encode()).digest()[:8], "big") + pages().index(page)
    return place % 5 == 0 or str(name) in changed_pages()


def changed_pages():
    def git(*words):
        return subprocess.run(["git", *words], cwd=root, stdout=subprocess.PIPE, text=True).stdout

    newest = git("log", "-1", "--format=%ct").strip()  # nothing where there is no git
    since = f"--since={int(newest) - 4 * 3600}" if newest else "-1"
    return set(git("log", since, "--format=", "--name-only").split("\n")) | set(git("diff", "--name-only", "HEAD").split("\n"))


def pages():
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def follow(culprit, page, folder, update):
    """The errors of one page."""
    for name, source in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / "examples" / source, folder / name)
    for name in FOLDERS:
        shutil.copytree(root / "examples" / name, folder / name)
    for name in filter(network, NETWORKS):
        shutil.copy(network(name), folder / name)
    lines = page.read_text().split("\n")
    python, errors, changed = peers_python(), [], []
    for command in commands_of(page, lines):
        if is_pattern(command.text):
            continue
        place = f"{page.relative_to(root)}:{command.line + 1}: {command.text}"
        if why := reason_not_to(command.text, python):
            # In the words of gtest where it can be helped: scripts/skipped reads them.
            print(f"{place}: Skipped\n{why}\n\n[  SKIPPED ] {place} (0 ms)" if why in (NO_PYTHON, NO_NETWORK) else f"not run: {place}: {why}")
            continue
        code, printed, complaints = run(command.text, folder, culprit, python)
        print(f"{place}: exit {code}", flush=True)
        if code not in EXIT_CODES:
            errors.append(f"{place}\n    exit code {code}: {complaints.strip()}")
        if command.output is None:
            continue
        if found := difference(command.output, printed):
            errors.append(f"{place}\n    {found}" + ("" if command.end else "\n    docs/pictures/terminal.py draws it anew"))
            if command.end:
                changed.append((command, refreshed(command.output, printed)))
    if update:
        write(page, lines, changed)
    return errors


def most_like(piece, printed, at):
    """The lines of `printed` from `at` on that are most like those of `piece`: where they begin and end."""
    wanted = " ".join(piece)
    windows = [(begin, begin + length) for begin in range(at, len(printed))
               for length in range(max(1, len(piece) - 2), len(piece) + 5) if begin + length <= len(printed)]
    return max(windows, default=(at, at), key=lambda w: difflib.SequenceMatcher(None, wanted, " ".join(printed[w[0]:w[1]]), False).ratio())


def refreshed(output, printed):
    """`output` as it is printed now, with the same gaps."""
    if not any(line.strip() == "..." for line in output):
        return printed
    lines, at = [], 0
    for gap, piece in itertools.groupby(output, lambda line: line.strip() == "..."):
        piece = list(piece)
        if not gap:
            begin, at = most_like(piece, printed, at)
            piece = printed[begin:at]
        lines += piece
    return lines


def write(page, lines, changed):
    for command, printed in reversed(changed):
        lines[command.line + 1:command.end] = [("    " + line).rstrip() for line in printed]
    page.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("culprit", type=pathlib.Path)
    parser.add_argument("pages", type=pathlib.Path, nargs="*")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    errors = []
    for page in [page.resolve() for page in arguments.pages] or pages():
        if not is_its_turn(page):
            print(f"{page.relative_to(root)}:1: Skipped\n{NO_TURN}\n\n[  SKIPPED ] {page.relative_to(root)} (0 ms)")
            continue
        with tempfile.TemporaryDirectory(prefix="culprit-readme-") as folder:
            errors += follow(arguments.culprit.resolve(), page, pathlib.Path(folder), arguments.update)
    print("\n".join(errors))
    return bool(errors) and not arguments.update


if __name__ == "__main__":
    sys.exit(main())
