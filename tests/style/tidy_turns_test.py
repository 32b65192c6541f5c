#!/usr/bin/env python3
"""scripts/tidy.py: which of many sources have their turn."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import tidy  # noqa: E402

BATCHES = [[pathlib.Path(f"batch{batch}_{file}.cc") for file in range(5)] for batch in range(20)]
ALL = {file for batch in BATCHES for file in batch}


class Turns(unittest.TestCase):
    def test_few_are_all_looked_at(self):
        self.assertEqual(set(tidy.with_their_turn(BATCHES, 100, "a commit")), ALL)

    def test_of_many_whole_batches_are_looked_at(self):
        taken = tidy.with_their_turn(BATCHES, 23, "a commit")
        self.assertEqual(len(taken), 25)
        self.assertEqual(len({file.name.split("_")[0] for file in taken}), 5)

    def test_all_have_a_turn(self):
        taken = {file for commit in range(40) for file in tidy.with_their_turn(BATCHES, 25, str(commit))}
        self.assertEqual(taken, ALL)

    def test_without_a_turn_all_are_looked_at(self):
        self.assertEqual(set(tidy.with_their_turn(BATCHES, 25, None)), ALL)


if __name__ == "__main__":
    unittest.main()
