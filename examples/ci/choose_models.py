#!/usr/bin/env python3
"""Prints the models to check, each with a zero byte behind it.

They are the files of git that CULPRIT_MODELS names. If CULPRIT_CHANGED_ONLY is true, only those that differ from the commit
CULPRIT_BASE. If that commit is missing, or the list of known faults (CULPRIT_KNOWN) has changed, all of them.
"""
import os
import pathlib
import subprocess
import sys


def git(*words):
    """The names that git prints. In a container the folder may belong to another user, so it is called safe."""
    done = subprocess.run(["git", "-c", "safe.directory=*", *words], stdout=subprocess.PIPE, check=True)
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def changes_since(base):
    """The files that differ from the commit `base`; None if it is not there and cannot be fetched."""
    for fetch in (False, True):
        try:
            if fetch:
                git("fetch", "--quiet", "--depth=1", "origin", base)
            return git("diff", "-z", "--name-only", "--relative", base, "HEAD")
        except subprocess.CalledProcessError:
            continue
    return None


def belongs(changed, model):
    """Is `changed` the model, or a file that its answer depends on: weights or data of its name, test data, culprit.yaml?"""
    stem = str(pathlib.PurePosixPath(model).with_suffix(""))
    folder = "" if "/" not in model else model.rsplit("/", 1)[0] + "/"
    return changed == model or changed.startswith((stem + ".", folder + "culprit.yaml", folder + "test_data_set_"))


def chosen(models):
    base = os.environ.get("CULPRIT_BASE", "")
    if os.environ["CULPRIT_CHANGED_ONLY"] != "true" or not base.strip("0"):
        return models
    changes = changes_since(base)
    if changes is None:
        print(f"choose_models: the commit {base} is missing, so all models are checked", file=sys.stderr)
        return models
    known = os.environ["CULPRIT_KNOWN"]
    if known and os.path.normpath(known) in changes:
        return models
    return [model for model in models if any(belongs(changed, model) for changed in changes)]


if __name__ == "__main__":
    sys.stdout.write("".join(model + "\0" for model in chosen(git("ls-files", "-z", "--", *os.environ["CULPRIT_MODELS"].split()))))
