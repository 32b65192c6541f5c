#!/usr/bin/env python3
"""A small comparator: have the first numbers of two models the same sign?"""
import array
import json
import sys


def numbers(output):  # of a .npy file of float32: 12 bytes, a header of the length that they tell, and the numbers
    data = open(output["file"], "rb").read()
    return array.array("f", data[12 + int.from_bytes(data[8:12], "little"):])


for line in sys.stdin:
    sample = json.loads(line)
    a, b = (numbers(sample[whose][0])[0] for whose in ("reference", "variant"))
    changed = (a < 0) != (b < 0)
    print(json.dumps({"number": sample["number"], "changed": changed, "margin": abs(a - b) if changed else 0,
                      "reference": f"{a:.3g}", "variant": f"{b:.3g}", "metrics": {"difference": abs(a - b)}}), flush=True)
