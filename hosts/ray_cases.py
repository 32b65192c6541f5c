#!/usr/bin/env python3
"""Runs the cases of a campaign as tasks of Ray, for `culprit run --on ray`.

    ray_cases.py ADDRESS PROGRAM CAMPAIGN-FOLDER CASES-FOLDER

ADDRESS is "ray", the cluster that runs on this machine or that RAY_ADDRESS names, else a new one, which ends with this program; or
"ray://HOST:PORT". The first line on stdout is {"cpus": N, "nodes": N}, or {"cannot": "...", "hint": "..."}. Each line on stdin is
{"start": KEY, "words": [...]} or {"stop": true}, which ends all cases that run. When a case has ended and CASES-FOLDER/KEY is there,
a line tells so:

    {"ended": KEY, "exit_code": N or null, "signal": N or null, "last_words": "...", "seconds": S, "lost": false}

"exit_code" is what the case told itself. "lost": Ray lost its worker or its node, again and again. The program ends with its stdin.

A task runs on files of its node where these are the same as here: same path, size and time of change. As soon as one node has not the
same, files travel through Ray's object store into a folder of the node, each once: the program, what the words of a case name, and what
lies beside that and is named in it.
"""
import ctypes
import hashlib
import io
import json
import os
import queue
import shutil
import signal
import socket
import sys
import tarfile
import tempfile
import threading
import time

MOST_LOSSES = 3  # of one case, before it is told
PR_SET_PDEATHSIG = 1
END = None  # of stdin
SECONDS_TO_END = 30  # of this program, after its stdin


# On the node of a task -----------------------------------------------------------------------------------------------


def is_the_same(file):
    try:
        there = os.stat(file["path"])
    except OSError:
        return False
    return (there.st_size, there.st_mtime_ns) == (file["size"], file["changed"])


def cached(file, carried):
    """The file of this content in the cache of the node."""
    folder = os.path.join(tempfile.gettempdir(), f"culprit-files-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        raise OSError(f"{folder} belongs to somebody else")
    place = os.path.join(folder, f"{file['digest']}-{file['mode']:o}")
    if not os.path.exists(place):
        number, new = tempfile.mkstemp(dir=folder)
        with os.fdopen(number, "wb") as out:
            out.write(ray.get(carried))
        os.chmod(new, file["mode"])
        os.rename(new, place)
    return place


def put_files(job, top):
    """All files of the case below `top`, each at its whole path."""
    os.makedirs(top + job["campaign"], exist_ok=True)
    for file, carried in zip(job["files"], job["carried"]):
        place = top + file["path"]
        os.makedirs(os.path.dirname(place), exist_ok=True)
        kept = cached(file, carried)
        try:
            os.link(kept, place)
        except OSError:  # another disk
            shutil.copy2(kept, place)


def environment_of(job):
    """What Ray sets for its own tasks would change what a case does."""
    mine = {name: value for name, value in os.environ.items() if name not in ("OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES")}
    if os.environ.get("CUDA_VISIBLE_DEVICES"):
        mine["CUDA_VISIBLE_DEVICES"] = os.environ["CUDA_VISIBLE_DEVICES"]
    given = {name: value for name, value in job["environment"].items() if not value.startswith("/") or os.path.exists(value)}
    return {**mine, **given}


def wait_for_end(pid):
    """Its wait status; what it left behind in its session's group is ended."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    os.killpg(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def told_code(ours):
    """The exit code in the message of a case (src/basics/process/channel.h): its length in four bytes, "exit " and a number."""
    ours.setblocking(False)
    try:
        message = ours.recv(64)[4:]
    except OSError:
        return None
    word, _, number = message.partition(b" ")
    return int(number) if word == b"exit" and number.isdigit() else None


def end_of_case(arguments, environment, log):
    """Runs the program of a case: what it told, and the signal that ended it."""
    ours, theirs = socket.socketpair()
    with ours, theirs, open(os.devnull) as nothing, open(log, "wb") as words:
        given = [(os.POSIX_SPAWN_DUP2, source, target) for source, target in
                 ((nothing.fileno(), 0), (words.fileno(), 1), (words.fileno(), 2), (theirs.fileno(), 3))]
        pid = os.posix_spawn(arguments[0], arguments, environment, file_actions=given, setsid=True)
        status = wait_for_end(pid)
        return told_code(ours), os.WTERMSIG(status) if os.WIFSIGNALED(status) else None


def remove_left_folders(parent):
    """Those of workers and hosts that were killed; the third word of their names is who made them."""
    for name in os.listdir(parent):
        pid = name.split("-")[2] if name.startswith(("culprit-case-", "culprit-ray-")) and name.count("-") > 2 else ""
        if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)


def packed(folder):
    memory = io.BytesIO()
    if os.path.isdir(folder):
        with tarfile.open(fileobj=memory, mode="w") as archive:
            archive.add(folder, arcname=".")
    return memory.getvalue()


def run_case(job):
    """The task. "unseen": this node has not the files."""
    top, began = "", time.monotonic()
    if not job["carried"] and not all(map(is_the_same, job["files"])):
        return {"unseen": True}
    remove_left_folders(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix=f"culprit-case-{os.getpid()}-") as place:
        if job["carried"]:
            top = os.path.join(place, "files")
            put_files(job, top)
        words = [top + word if job["carried"] and word in job["absolute"] else word for word in job["words"]]
        run, log = os.path.join(place, "run"), os.path.join(place, "log")
        arguments = [top + job["program"], "case", top + job["campaign"], run, *words]
        code, killed_by = end_of_case(arguments, environment_of(job), log)
        with open(log, "rb") as text:
            text.seek(max(os.path.getsize(log) - 4096, 0))
            last_words = text.read().decode(errors="replace")
        return {"exit_code": code, "signal": killed_by, "last_words": last_words, "seconds": time.monotonic() - began,
                "folder": packed(run)}


# Which files a case needs --------------------------------------------------------------------------------------------


def below(folder):
    for place, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(place, name)


def named_beside(path):
    """culprit.yaml beside a file, samples beside it, and whatever lies below its folder and is named in the file or in culprit.yaml."""
    folder = os.path.dirname(path)
    guide = os.path.join(folder, "culprit.yaml")
    texts = []
    for file in (path, guide):
        if os.path.isfile(file):
            with open(file, "rb") as opened:
                texts.append(opened.read())
    for other in below(folder):
        name = os.path.relpath(other, folder)
        is_samples = name.startswith("test_data_set_")
        is_other_model = os.path.splitext(other)[1] == os.path.splitext(path)[1]
        if other == guide or is_samples or (not is_other_model and any(os.fsencode(name) in text for text in texts)):
            yield other


def files_named(word, campaign):
    """What a word of a command names: a file with what it needs, a folder with all in it, or nothing."""
    path = os.path.normpath(os.path.join(campaign, word))
    if os.path.isdir(path):
        yield from below(path)
    elif os.path.isfile(path):
        yield path
        yield from named_beside(path)


def paths_in(word):
    """--flag=path and name=path, too."""
    return [word] + ([word.split("=", 1)[1]] if "=" in word else [])


def described(path):
    there = os.stat(path)
    return {"path": path, "size": there.st_size, "changed": there.st_mtime_ns, "mode": 0o555 if there.st_mode & 0o111 else 0o444}


class Carrier:
    """Files of this machine, in the object store as soon as a node needs them."""

    def __init__(self, campaign, program):
        self.campaign, self.program = campaign, os.path.realpath(program)
        self.is_needed = False
        self.of_word, self.references = {}, {}

    def files_of(self, words):
        paths = {self.program: None}
        for word in words:
            for part in paths_in(word):
                if part not in self.of_word:
                    self.of_word[part] = list(files_named(part, self.campaign))
                paths.update(dict.fromkeys(self.of_word[part]))
        return [described(path) for path in paths]

    def carry(self, file):
        """Its reference; its digest is written beside."""
        known = (file["path"], file["size"], file["changed"])
        if known not in self.references:
            with open(file["path"], "rb") as opened:
                content = opened.read()
            self.references[known] = hashlib.sha256(content).hexdigest(), ray.put(content)
        file["digest"], reference = self.references[known]
        return reference

    def job(self, words):
        files = self.files_of(words)
        return {"program": self.program, "campaign": self.campaign, "words": words, "files": files,
                "absolute": [word for word in words if os.path.isabs(word) and os.path.exists(word)],
                "carried": [self.carry(file) for file in files] if self.is_needed else [],
                "environment": {name: value for name, value in os.environ.items() if name.startswith("CULPRIT_") or name == "OMP_NUM_THREADS"}}


# The host ------------------------------------------------------------------------------------------------------------


def unpack(content, place):
    """All of it is there, or nothing."""
    new = place + ".new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new)
    if content:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            archive.extractall(new, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    shutil.rmtree(place, ignore_errors=True)
    os.rename(new, place)


class Case:
    def __init__(self, key, words):
        self.key, self.words, self.losses, self.began = key, words, 0, time.monotonic()


class Host:
    def __init__(self, carrier, cases, say):
        self.carrier, self.cases, self.say = carrier, cases, say
        self.task = ray.remote(num_cpus=1, max_retries=0, max_calls=0)(run_case)
        self.under_way = {}

    def take(self, line):
        asked = json.loads(line)
        if "start" in asked:
            self.submit(Case(asked["start"], asked["words"]))
        elif asked.get("stop"):
            self.stop()

    def submit(self, case):
        self.under_way[self.task.remote(self.carrier.job(case.words))] = case

    def stop(self):
        for reference in self.under_way:
            ray.cancel(reference, force=True)
        self.under_way.clear()

    def collect(self, reference):
        case = self.under_way.pop(reference)
        try:
            end = ray.get(reference)
        except ray.exceptions.RayError as error:  # of the worker, the node or the machine, never of the case
            self.lose(case, str(error))
            return
        if end.get("unseen"):
            self.carrier.is_needed = True
            self.submit(case)
            return
        unpack(end.pop("folder"), os.path.join(self.cases, case.key))
        self.say({"ended": case.key, **end, "lost": False})

    def lose(self, case, why):
        case.losses += 1
        print(f"{case.key}: {why}", file=sys.stderr, flush=True)
        if case.losses <= MOST_LOSSES:
            self.submit(case)
        else:
            self.say({"ended": case.key, "exit_code": None, "signal": None, "last_words": why[-4096:],
                      "seconds": time.monotonic() - case.began, "lost": True})

    def serve(self, lines):
        """Until nothing more is asked."""
        while True:
            try:
                line = lines.get(block=not self.under_way)
                if line is END:
                    self.stop()
                    return
                self.take(line)
                continue
            except queue.Empty:
                pass
            for reference in ray.wait(list(self.under_way), timeout=0.1)[0]:
                self.collect(reference)


def connect(address, temporary):
    """To a cluster that there is, or to a new one, whose files lie in `temporary`."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address != "ray":
        ray.init(address, **quiet)
        return
    try:
        ray.init("auto", **quiet)
    except ConnectionError:
        if "RAY_ADDRESS" in os.environ:
            raise
        ray.init("local", _temp_dir=temporary, include_dashboard=False, **quiet)


def read_lines(lines):
    for line in sys.stdin:
        lines.put(line)
    lines.put(END)
    time.sleep(SECONDS_TO_END)
    os._exit(1)


def main():
    address, program, campaign, cases = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # nobody else says anything there

    def say(message):
        print(json.dumps(message), file=answers, flush=True)

    try:
        global ray
        import ray
    except ImportError as missing:
        say({"cannot": f"{sys.executable} cannot import ray: {missing}",
             "hint": "`pip install ray` for it, or let CULPRIT_RAY_PYTHON name a Python that has it"})
        return
    lines = queue.Queue()
    threading.Thread(target=read_lines, args=(lines,), daemon=True).start()
    remove_left_folders("/tmp")
    temporary = tempfile.mkdtemp(prefix=f"culprit-ray-{os.getpid()}-", dir="/tmp")  # short: sockets lie in it
    try:
        try:
            connect(address, temporary)
            nodes = [node for node in ray.nodes() if node["Alive"]]
        except Exception as wrong:  # of many kinds, from deep inside
            say({"cannot": f"no cluster of Ray at '{address}': {wrong}",
                 "hint": "`ray status` tells of a cluster; its Python and its Ray must be of the same version as here"})
            return
        say({"cpus": int(ray.cluster_resources().get("CPU", 0)), "nodes": len(nodes)})
        Host(Carrier(campaign, program), cases, say).serve(lines)
        ray.shutdown()
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


if __name__ == "__main__":
    # It ends with its stdin, in whatever way that does: who is killed leaves processes of Ray behind.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0)
    os.environ.pop("TMPDIR", None)  # a folder of the campaign: Ray's sockets would have too long names in it
    tempfile.tempdir = None
    main()
