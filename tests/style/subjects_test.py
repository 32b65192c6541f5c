#!/usr/bin/env python3
"""scripts/subjects.py: which subjects of commits it takes, and which commits it looks at."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import subjects  # noqa: E402

GOOD = ["Ask a task for its traits, not for its name", "reduce: Keep deltas in one table", "Feed nodes", "Lint headers, too",
        "Show, feed and cut models", "Re-weight twins", "Pass names through", "Say " + "a" * 68]
BAD = ["", "Lint", "Format", "Formatted", "reduce: Format", "Added a test", "Adding a test", "Adds a test", "add a test", "Add a test.",
       "A test of names", "The names of tests", "fixup! Add a test", "Say " + "a" * 69, "Reduce: keep deltas", "READ names"]


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True)


class Subjects(unittest.TestCase):
    def test_good_ones_are_taken_and_bad_ones_are_not(self):
        for subject in GOOD:
            self.assertEqual(subjects.complaint(subject), "", subject)
        for subject in BAD:
            self.assertNotEqual(subjects.complaint(subject), "", subject)

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_commits_since_the_rule_began_are_looked_at_and_merges_are_not(self):
        with tempfile.TemporaryDirectory() as folder:
            tree, cut_off = folder + "/tree", folder + "/cut_off"
            subprocess.run(["git", "init", "-q", "-b", "main", tree], check=True)
            self.assertEqual(self.commit(tree, "Old", "old"), ["Old"], "no commit brought the rule: all, for they are few")
            self.assertEqual(self.commit(tree, "Begin", subjects.THIS), [])
            git(tree, "checkout", "-q", "-b", "side")
            self.commit(tree, "Add one", "side")
            git(tree, "checkout", "-q", "main")
            self.commit(tree, "Add two", "new")
            git(tree, "merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side")
            self.assertEqual(self.looked_at(tree), ["Add one", "Add two"])
            subprocess.run(["git", "clone", "-q", "--depth", "2", "file://" + tree, cut_off], check=True)
            self.assertIn("Add two", self.looked_at(cut_off), "the last ones, where the beginning cannot be told")
            self.assertFalse(subjects.main(tree))
            self.commit(tree, "Added", "added")
            self.assertTrue(subjects.main(tree))

    def commit(self, tree, subject, file):
        path = pathlib.Path(tree, file)
        path.parent.mkdir(exist_ok=True)
        path.write_text(subject)
        git(tree, "add", "-A")
        git(tree, "commit", "-q", "-m", subject)
        return self.looked_at(tree)

    def looked_at(self, tree):
        return sorted(subject for _, subject in subjects.new_commits(tree))


if __name__ == "__main__":
    unittest.main()
