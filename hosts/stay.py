#!/usr/bin/env python3
"""A Python program that stays: what takes long to import is imported once, and each question is answered by a fork of that.

    stay.py SCRIPT         of `python SCRIPT ...`
    stay.py -m MODULE      of `python -m MODULE ...`

It reads a question from each line of stdin, {"words": [...], "folder": "...", "log": "..."}, where `words` is the command as it would be
called, and does in a fork what that command does, in `folder`. What the fork prints goes to `log`. The answer is a line on stdout with
its exit status, or minus the number of the signal that ended it. A fork that hangs is ended by whoever asked, with this process.

A script may import what it needs late; where it is read for this it is named "stays", and can import it then.
"""
import ctypes
import importlib
import json
import os
import runpy
import signal
import sys
import traceback


PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
libc = ctypes.CDLL(None)


def children():
    try:
        return set(map(int, open(f"/proc/self/task/{os.getpid()}/children").read().split()))
    except FileNotFoundError:  # this system does not tell
        return set()


def end_what_is_left(before):
    """What a question started becomes ours when that is over, in whatever group and session it is."""
    while left := children() - before:
        for child in left:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def warm_up(target):
    """Imports what the program imports. What goes wrong here goes wrong again, and is told, when it is asked."""
    try:
        if target[0] == "-m":
            importlib.import_module(target[1])
        else:
            runpy.run_path(target[0], run_name="stays")
    except BaseException:  # also SystemExit
        traceback.print_exc()


def run(target, words):
    """As python does it; the exit status."""
    arguments = words[words.index(target[-1]) + 1:]
    sys.argv = [target[-1], *arguments]
    try:
        if target[0] == "-m":
            sys.path[0] = os.getcwd()
            runpy.run_module(target[1], run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = os.path.dirname(target[0])
            runpy.run_path(target[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 255
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def answer_in_fork(target, question, answers, host):
    """Never returns."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != host:
        return
    os.setpgid(0, 0)
    os.close(answers)
    log = os.open(question["log"], os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.chdir(question["folder"])
    os.environ["TMPDIR"] = question["folder"]
    status = run(target, question["words"])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(status)


def main():
    target = sys.argv[1:]
    host = os.getpid()
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    answers = os.dup(1)
    os.dup2(2, 1)  # what is printed meanwhile is no answer
    warm_up(target)
    for line in sys.stdin.buffer:
        question = json.loads(line)
        before = children()
        child = os.fork()
        if child == 0:
            try:
                answer_in_fork(target, question, answers, host)
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        end_what_is_left(before)
        end = os.waitstatus_to_exitcode(status)
        os.write(answers, f"{end}\n".encode())


if __name__ == "__main__":
    main()
