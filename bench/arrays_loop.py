#!/usr/bin/env python3
"""The plain way to evaluate two models on arrays, for bench/arrays.

    arrays_loop.py make MODEL ROWS FOLDER      makes ROWS.npz, model.onnx and copy.onnx
    arrays_loop.py run ARRAYS MODEL...         prints the top-1 accuracy of each
"""
import multiprocessing
import os
import sys

import numpy
import onnx
import onnxruntime


def make(path, rows, folder):
    model = onnx.load(path)
    initializers = {tensor.name for tensor in model.graph.initializer}
    taken = next(value for value in model.graph.input if value.name not in initializers)
    shape = [dim.dim_value or 1 for dim in taken.type.tensor_type.shape.dim]
    random = numpy.random.default_rng(0)
    samples = random.standard_normal([rows] + shape[1:]).astype(numpy.float32)
    numpy.savez(os.path.join(folder, f"{rows}.npz"), **{taken.name: samples, "y": random.integers(0, 10, rows)})
    onnx.save(model, os.path.join(folder, "model.onnx"))
    model.doc_string = "a copy"
    onnx.save(model, os.path.join(folder, "copy.onnx"))


def part(task):
    arrays, models, number, count = task
    with numpy.load(arrays) as file:
        labels = file["y"]
        name = next(key for key in file.files if key != "y")
        samples = file[name]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    sessions = [onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]) for model in models]
    right = [0] * len(models)
    for i in range(len(samples) * number // count, len(samples) * (number + 1) // count):
        for j, session in enumerate(sessions):
            right[j] += int(numpy.argmax(session.run(None, {name: samples[i : i + 1]})[0])) == labels[i]
    return numpy.array(right), len(samples)


def run(arrays, models):
    processes = len(os.sched_getaffinity(0))
    with multiprocessing.Pool(processes) as pool:
        parts = pool.map(part, [(arrays, models, number, processes) for number in range(processes)])
    for right in sum(right for right, _ in parts):
        print(f"{right / parts[0][1]:.4f}")


if __name__ == "__main__":
    make(sys.argv[2], int(sys.argv[3]), sys.argv[4]) if sys.argv[1] == "make" else run(sys.argv[2], sys.argv[3:])
