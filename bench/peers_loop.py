#!/usr/bin/env python3
"""The way peers test an optimizer: for every pass one `python3 -m onnxoptimizer` process, a new session, all samples again.

    peers_loop.py MODEL SAMPLES

Kept as plain as theirs, but for two mistakes that would make the comparison unfair: optimizations of the runtime are really
off, and the outputs are compared. Prints the number of passes, runs and passes that differ.
"""
import os
import subprocess
import sys
import tempfile

import numpy
import onnxoptimizer
import onnxruntime

TYPES = {"tensor(float)": numpy.float32, "tensor(float16)": numpy.float16, "tensor(double)": numpy.float64}


def session(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def feeds(path, samples):
    random = numpy.random.default_rng(0)
    inputs = [(i.name, TYPES[i.type], [d if isinstance(d, int) else 1 for d in i.shape]) for i in session(path).get_inputs()]
    return [{name: random.standard_normal(shape).astype(dtype) for name, dtype, shape in inputs} for _ in range(samples)]


def outputs(path, samples):
    runner = session(path)
    return [runner.run(None, sample) for sample in samples]


def main(path, count):
    samples = feeds(path, count)
    reference = outputs(path, samples)
    different, broken = [], []
    passes = onnxoptimizer.get_fuse_and_elimination_passes()
    with tempfile.TemporaryDirectory() as folder:
        variant = os.path.join(folder, "variant.onnx")
        for name in passes:
            made = subprocess.run([sys.executable, "-m", "onnxoptimizer", path, variant, "-p", name], capture_output=True)
            if made.returncode != 0:
                broken.append(name)
                continue
            found = outputs(variant, samples)
            same = all(numpy.allclose(a, b, rtol=1e-3, atol=1e-4) for x, y in zip(reference, found) for a, b in zip(x, y))
            if not same:
                different.append(name)
    runs = (len(passes) - len(broken) + 1) * count
    print(f"{len(passes)} passes, {runs} runs, different: {different or 'none'}" + (f", no model: {broken}" if broken else ""))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
