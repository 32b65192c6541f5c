#!/usr/bin/env python3
"""Runs a part of the tests of a program of gtest: one of so many shards, another one at the next commit, which `make test`
and `make asan` name in CULPRIT_TEST_TURN. Without that name all tests run.

    one_shard.py SHARDS PROGRAM [ARGUMENT...]
"""
import hashlib
import os
import sys


def main():
    shards, program = int(sys.argv[1]), sys.argv[2:]
    turn = os.environ.get("CULPRIT_TEST_TURN")
    if turn:
        index = int.from_bytes(hashlib.sha256(turn.encode()).digest()[:8], "big") % shards
        os.environ.update(GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(index))
        print(f"shard {index} of {shards}: the others have their turn at other commits", flush=True)
    os.execv(program[0], program)


if __name__ == "__main__":
    main()
