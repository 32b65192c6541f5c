#!/usr/bin/env python3
"""Are the subjects of new commits as they should be? scripts/lint asks.

A subject says what the commit does, in at most 72 characters, such as "Ask a task for its traits" or "reduce: Keep deltas in one
table". Looked at are the commits since the one that brought this file, merges aside. In a clone that does not reach back to it,
the last 20 are looked at.
"""
import pathlib
import re
import subprocess
import sys

MOST_CHARACTERS, MOST_COMMITS = 72, 20
THIS = "scripts/subjects.py"
SAYS_NOTHING = {"lint", "format", "formatted"}
# Words that begin no command, and commands that end as words of another form do.
OTHERS = {"All", "An", "It", "More", "New", "No", "Some", "That", "The", "This"}
COMMANDS = {"Bring", "Embed", "Exceed", "Feed", "Focus", "Need", "Ping", "Proceed", "Seed", "Shed", "Speed", "String", "Succeed"}


def complaint(subject):
    """What is wrong with a subject; "" where nothing is."""
    if len(subject) > MOST_CHARACTERS:
        return f"it has {len(subject)} characters, at most {MOST_CHARACTERS}"
    text = re.sub(r"^[a-z][\w/]*: ", "", subject)
    first = re.match(r"[A-Z][a-z]+(?:-[a-z]+)*(?=,? |$)", text)
    if not first:
        return "it does not begin with a command, such as Add or Keep"
    if text.lower() in SAYS_NOTHING:
        return "it does not say what changes"
    if first.group() in OTHERS or (re.search(r"(ed|ing|[^s]s)$", first.group()) and first.group() not in COMMANDS):
        return f"'{first.group()}' is no command, such as Add or Keep"
    return "it ends with a period" if text.endswith(".") else ""


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def beginning(folder):
    """The first commit with this file; "" where the clone does not reach back to it."""
    began = git(folder, "log", "--full-history", "--diff-filter=A", "--format=%H %P", "--", THIS)
    commit, *parents = began[-1].split(" ") if began else [""]
    # Where a clone is cut off, its last commit has no parent and brings all files.
    return commit if any(parents) else ""


def new_commits(folder):
    """Their short hashes and subjects."""
    began = beginning(folder)
    which = [f"{began}..HEAD"] if began else [f"-{MOST_COMMITS}"]
    return [line.split(" ", 1) for line in git(folder, "log", "--no-merges", "--format=%h %s", *which)]


def main(folder):
    commits = new_commits(folder)
    wrong = [f"{commit} '{subject}': {what}" for commit, subject in commits if (what := complaint(subject))]
    print("\n".join(wrong) or f"subjects: {len(commits)} new commits say what they do", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(__file__).resolve().parents[1]))
