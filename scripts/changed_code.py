#!/usr/bin/env python3
"""Files whose code differs from that of a commit, one a line: what scripts/lint looks at.

    changed_code.py COMMIT

A file that was only moved, or in which only comments and spaces changed, is left out: neither clang-tidy nor the compiler would say
anything else of it. A comment with NOLINT counts as code. Files that git does not have yet are all in."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# A raw string, a string, a character, a comment of either kind; else one character.
PIECE = re.compile(r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|.', re.DOTALL)


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, errors="replace", check=True).stdout


def code_of(text):
    """The text without comments, and with single spaces."""
    kept = (" " if piece.startswith(("//", "/*")) and "NOLINT" not in piece else piece for piece in (match[0] for match in PIECE.finditer(text)))
    return " ".join("".join(kept).split())


def differs(base, old, new):
    if new.suffix not in (".cc", ".h"):
        return True
    return code_of(git("show", f"{base}:{old}")) != code_of((ROOT / new).read_text(errors="replace"))


def changed_since(base):
    for line in git("diff", "-M", "--name-status", base).splitlines():
        kind, *names = line.split("\t")
        new = pathlib.PurePath(names[-1])
        is_same = kind == "D" or kind == "R100" or not (ROOT / new).is_file()
        if not is_same and (kind == "A" or differs(base, names[0], new)):
            yield str(new)
    yield from git("ls-files", "--others", "--exclude-standard").splitlines()


if __name__ == "__main__":
    print("\n".join(changed_since(sys.argv[1])))
