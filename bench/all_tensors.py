#!/usr/bin/env python3
"""The usual way to look where a conversion went wrong: every tensor out of both frameworks, compared by name.

    all_tensors.py onnx MODEL SAMPLES.npz OUT.npz      by onnxruntime: all values as outputs, of all samples
    all_tensors.py tflite MODEL SAMPLES.npz ONNX.npz   by TensorFlow's interpreter, which keeps all tensors; held against those of the first

The second prints, as JSON: tensors of the source, how many of them have a tensor of the target that carries their name (the layer's path), and how many of these
are the same in the shape that they have or with channels last.
"""
import json
import os
import re
import sys

import numpy as np


def samples_of(path):
    arrays = np.load(path)
    name = arrays.files[0]
    return [arrays[name][i : i + 1] for i in range(len(arrays[name]))]


def all_of_onnx(model_path, samples_path, out):
    import onnx
    import onnxruntime as ort

    model = onnx.load(model_path)
    known = {output.name for output in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in known:
                model.graph.output.append(onnx.ValueInfoProto(name=name))
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    given = session.get_inputs()[0].name
    values = [session.run(names, {given: sample}) for sample in samples_of(samples_path)]
    np.savez(out, **{name.replace("/", "|"): np.concatenate([one[i] for one in values]) for i, name in enumerate(names) if values[0][i].ndim})


def key(name):
    """The layer's path without what converters put around it: "conv2_block1_0_relu/Relu"."""
    return re.sub(r"(:\d+|__\d+|;.*)$", "", name).split("StatefulPartitionedCall/")[-1].lower()


def same(one, other):
    if one.ndim == 4 and other.ndim == 4:
        other = np.moveaxis(other, -1, 1)
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-3, atol=1e-4)


def all_of_tflite(model_path, samples_path, of_onnx):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    interpreter = tf.lite.Interpreter(model_path=model_path, experimental_preserve_all_tensors=True)
    interpreter.allocate_tensors()
    given = interpreter.get_input_details()[0]["index"]
    details = interpreter.get_tensor_details()
    kept = {}
    for sample in samples_of(samples_path):
        interpreter.set_tensor(given, sample)
        interpreter.invoke()
        for detail in details:
            try:
                kept.setdefault(detail["name"], []).append(interpreter.get_tensor(detail["index"]))
            except ValueError:
                pass
    by_key = {}
    for name, values in kept.items():
        for part in name.split(";"):
            by_key.setdefault(key(part), np.concatenate(values) if values[0].ndim else None)
    source = np.load(of_onnx)
    found = agree = 0
    for name in source.files:
        other = by_key.get(key(name.replace("|", "/")))
        if other is None:
            continue
        found += 1
        agree += same(source[name], other)
    print(json.dumps({"tensors": len(source.files), "found": found, "same": agree}))


if __name__ == "__main__":
    which, *rest = sys.argv[1:]
    (all_of_onnx if which == "onnx" else all_of_tflite)(*rest)
