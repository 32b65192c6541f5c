#!/usr/bin/env python3
"""`culprit run --on ray` on a cluster of three nodes, one of which is lost on the way.

    ray_campaign_test.py CULPRIT    the program

Its Python needs ray (`scripts/setup ray` brings one); without it one line says so. The nodes are processes of this machine.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORKS = ROOT / "examples" / "conversion"
CACHE = pathlib.Path(os.environ.get("CULPRIT_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "culprit")
SECONDS = 400  # of one run
QUICK_TO_NOTICE = {"health_check_period_ms": 1000}  # that a node is lost


def python_with_ray():
    """The one that the tool would take, if it has ray."""
    python = os.environ.get("CULPRIT_RAY_PYTHON") or CACHE / "ray" / "bin" / "python"
    for one in (str(python), sys.executable):
        if shutil.which(one) and subprocess.run([one, "-c", "import ray"], stderr=subprocess.DEVNULL).returncode == 0:
            return one
    return None


def wait_until(is_so, what):
    end = time.monotonic() + SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain: {what}")
        time.sleep(0.1)


def processes_with(word):
    """Those that live and have the word in their command."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (place / "cmdline").read_bytes() and place.name != str(os.getpid()):
                found.append(place.name)
        except OSError:
            pass
    return found


class Campaigns(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="culprit-ray-campaign-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name).resolve()
        (self.folder / "models").mkdir()
        for model in ("right", "rounded", "trained", "without_relu", "wrong"):
            shutil.copy(NETWORKS / f"{model}.onnx", self.folder / "models")
        text = "models: [models/*.onnx]\nrecipes: [nop, fuse_pad_into_conv, eliminate_identity, fuse_bn_into_conv]\n"
        (self.folder / "campaign.yaml").write_text(text + "flags: {check: --no-localize --no-repro}\n")

    def environment(self, **more):
        return {**os.environ, "NO_COLOR": "1", "CULPRIT_RAY_PYTHON": sys.executable, **more}

    def begin(self, folder, *words, **more):
        log = open(self.folder / f"{folder}.log", "w")
        self.addCleanup(log.close)
        command = [CULPRIT, "run", "campaign.yaml", "--run-dir", folder, *words]
        running = subprocess.Popen(command, cwd=self.folder, env=self.environment(**more), stdout=log, stderr=log)
        self.addCleanup(lambda: running.poll() is None and running.kill())
        return running

    def expect_done(self, running, folder):
        self.assertEqual(running.wait(SECONDS), 0, (self.folder / f"{folder}.log").read_text())

    def shown(self, folder):
        """What `show` tells of each case, without times."""
        done = subprocess.run([CULPRIT, "show", folder, "--format", "json"], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
        told = json.loads(done.stdout)
        for case in told["cases"]:
            case.pop("seconds", None)
        return told

    def finished(self, folder):
        return sum(case.get("status") is not None for case in self.shown(folder)["cases"]) if (self.folder / folder / "campaign.sqlite").exists() else 0

    def cluster(self, nodes, cpus_of_head=1):
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": cpus_of_head, "_system_config": QUICK_TO_NOTICE, "include_dashboard": False})
        self.addCleanup(cluster.shutdown)
        return cluster, [cluster.add_node(num_cpus=1) for _ in range(nodes - 1)]

    def test_a_node_that_is_lost_changes_nothing(self):
        cluster, others = self.cluster(3)
        running = self.begin("far", "--on", "ray", RAY_ADDRESS=cluster.address)
        wait_until(lambda: running.poll() is not None or self.finished("far") >= 4, "four cases")
        self.assertIsNone(running.poll(), "it ended before a node was lost: " + (self.folder / "far.log").read_text())
        os.kill(others[0].all_processes["raylet"][0].process.pid, signal.SIGKILL)
        self.assertLess(self.finished("far"), 20)
        self.expect_done(running, "far")
        near = self.begin("near")
        self.expect_done(near, "near")
        told = self.shown("far")
        self.assertEqual(len(told["cases"]), 20)
        self.assertEqual(told, self.shown("near"))

    def test_files_travel_to_a_node_that_has_none(self):
        hides = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none "{self.folder}" && exec "$@"', "sh"]
        if subprocess.run([*hides, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("folders cannot be hidden here: unshare --mount needs root")
        cluster, _ = self.cluster(1, cpus_of_head=0)
        ray_program = pathlib.Path(sys.executable).with_name("ray")
        node = subprocess.Popen([*hides, sys.executable, ray_program, "start", f"--address={cluster.address}", "--num-cpus=2", "--block"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(node.wait)
        self.addCleanup(node.terminate)
        ray.init(cluster.address, log_to_driver=False)
        self.addCleanup(ray.shutdown)
        wait_until(lambda: ray.cluster_resources().get("CPU") == 2, "the node")
        self.assertFalse(ray.get(ray.remote(os.path.exists).remote(str(self.folder / "models"))), "the node sees the models")
        self.expect_done(self.begin("far", "--on", "ray", RAY_ADDRESS=cluster.address), "far")
        self.expect_done(self.begin("near"), "near")
        self.assertEqual(self.shown("far"), self.shown("near"))

    def test_an_interrupt_leaves_nothing_running(self):
        running = self.begin("stopped", "--on", "ray", RAY_TMPDIR="/tmp")
        wait_until(lambda: running.poll() is not None or self.finished("stopped") >= 2, "two cases")
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(SECONDS), 130, (self.folder / "stopped.log").read_text())
        wait_until(lambda: not processes_with("/tmp/culprit-ray-") and not processes_with(str(self.folder)), "the end of Ray")
        resumed = self.begin("stopped", "--resume")
        self.expect_done(resumed, "stopped")


if __name__ == "__main__":
    CULPRIT = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = python_with_ray()
    if chosen is None:
        print("ray_campaign_test.py: Skipped\nno Python with ray: scripts/setup ray\n")
        sys.exit(0)
    if chosen != sys.executable:
        os.execv(chosen, [chosen, *sys.argv])
    import ray
    from ray.cluster_utils import Cluster
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
