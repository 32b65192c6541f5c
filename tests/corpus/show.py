#!/usr/bin/env python3
"""Shows a case of runtime/faults/ or programs/ without Culprit, with public packages only (onnx, numpy, onnxruntime).

    show.py runtime/faults/pad-maxpool-neg.onnxtxt                        ONNX Runtime's own optimizations: without, then with
    show.py programs/onnxslim-weight-tying-negative-zero.onnxtxt onnxslim the model, then what this program makes of it
"""
import sys

import numpy
import onnxruntime
from onnx import parser

TYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(double)": "float64", "tensor(int64)": "int64",
         "tensor(int32)": "int32", "tensor(bool)": "bool"}


def session(model, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def feed_of(text, inputs):
    """Random values, but for the inputs that the case gives: `# input: x = float[2,3] 1 2 3 4 5 6`."""
    feed = {}
    for value in inputs:
        shape = [n if isinstance(n, int) else 2 for n in value.shape]
        values = 4 * numpy.random.default_rng(0).standard_normal(shape)
        feed[value.name] = numpy.array(values).astype(TYPES.get(value.type, "float32"))
    for line in text.splitlines():
        if not line.startswith("# input: "):
            continue
        name, value = line[len("# input: "):].split(" = ")
        kind, _, numbers = value.partition("]") if "[" in value else value.partition(" ")
        name_of_type, _, sizes = kind.partition("[")
        kind = {"float": "float32", "double": "float64"}.get(name_of_type, name_of_type)
        feed[name] = numpy.array([float(n) for n in numbers.split()]).astype(kind).reshape([int(n) for n in sizes.split(",") if n])
    return feed


def made_by(program, model):
    if program == "onnxsim":
        import onnxsim
        return onnxsim.simplify(model)[0]
    if program == "onnxslim":
        import onnxslim
        return onnxslim.slim(model)
    import onnxscript.optimizer
    return onnxscript.optimizer.optimize(model)


def main():
    text = open(sys.argv[1]).read()
    model = parser.parse_model(text)
    plain = session(model, "ORT_DISABLE_ALL")
    feed = feed_of(text, plain.get_inputs())
    print("the model:", plain.run(None, feed))
    if len(sys.argv) > 2:
        changed = session(made_by(sys.argv[2], model), "ORT_DISABLE_ALL")
    else:
        changed = session(model, "ORT_ENABLE_ALL")
    print("optimized:", changed.run(None, feed))


if __name__ == "__main__":
    main()
