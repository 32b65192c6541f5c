#!/usr/bin/env python3
"""A comparator for models that write text: the word error rate, against the first model and against the labels.

    culprit eval model.onnx quantized.onnx --data recordings --comparator examples/comparators/word_error_rate.py

The first output is what was written: texts, whole numbers (tokens), or scores of which the best one of each place is the token. A
label is the right text, or the right tokens with blanks between. Only Python's standard library is used.
"""
import ast
import json
import math
import struct
import sys

TYPES = {"float16": "e", "float32": "f", "float64": "d", "bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q",
         "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q"}  # as `struct` calls them


def numbers(output):
    """Of a .npy file: the six letters of NumPy, a version, the length of the header, the header, the numbers."""
    with open(output["file"], "rb") as file:
        version = file.read(8)[6]
        length = int.from_bytes(file.read(2 if version == 1 else 4), "little")
        header = ast.literal_eval(file.read(length).decode())
        assert not header["fortran_order"], "culprit writes rows one behind the other"
        return struct.unpack(f"<{math.prod(output['shape'])}{TYPES[output['dtype']]}", file.read())


def words(output):
    if output["dtype"] == "string":
        return " ".join(output["values"]).split()
    values = numbers(output)
    if not output["dtype"].startswith("float"):
        return [str(token) for token in values]
    width = output["shape"][-1]
    places = [values[at:at + width] for at in range(0, len(values), width)]
    return [str(max(range(width), key=lambda token: -math.inf if math.isnan(place[token]) else place[token])) for place in places]


def edits(right, written):
    """How many words must be put in, left out or replaced (V. Levenshtein 1966)."""
    before = list(range(len(written) + 1))
    for i, word in enumerate(right, 1):
        now = [i]
        for j, other in enumerate(written, 1):
            now.append(min(before[j] + 1, now[j - 1] + 1, before[j - 1] + (word != other)))
        before = now
    return before[-1]


def rate(right, written):
    return edits(right, written) / max(len(right), 1)


def compared(sample):
    reference, variant = words(sample["reference"][0]), words(sample["variant"][0])
    answer = {
        "number": sample["number"],
        "changed": reference != variant,
        "margin": edits(reference, variant),  # in words
        "reference": " ".join(reference),
        "variant": " ".join(variant),
        "metrics": {"word_error_rate": rate(reference, variant)},
    }
    if sample["truth"] and "label" in sample["truth"]:
        answer["against_truth"] = {"word_error_rate": rate(sample["truth"]["label"].split(), variant)}
    return answer


print(json.dumps({"name": "word error rate"}), flush=True)
for line in sys.stdin:
    print(json.dumps(compared(json.loads(line))), flush=True)
