#!/usr/bin/env python3
"""ONNX Runtime's quantizers, told which nodes to leave as they are.

    quantize_steps.py KIND INPUT --list                        prints the nodes that it would touch, one a line
    quantize_steps.py KIND INPUT OUTPUT [--skip NODE ...]

KIND is quantize_dynamic, quantize_static or float16. Nodes go by their names; one without a name, or with one that cannot stand in a
command line, is "OpType#17" after its place in the graph. quantize_static is calibrated with 8 samples of random numbers (seed 0).
"""
import argparse
import pathlib
import re
import tempfile

import numpy
import onnx

PLAIN = re.compile(r"[A-Za-z0-9_./:][A-Za-z0-9_./:@+-]*")
DYNAMIC = {"MatMul", "Gemm", "Conv", "Gather", "LSTM", "Attention", "EmbedLayerNormalization"}
STATIC = {"Conv", "ConvTranspose", "MatMul", "Gemm", "Add", "Mul", "Relu", "Clip", "MaxPool", "AveragePool", "GlobalAveragePool", "Concat",
          "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Resize", "Sigmoid", "LeakyRelu", "Softmax", "Gather", "Split", "Pad"}


def with_names(model):
    """Each node has a name of its own that a command line can hold."""
    seen = set()
    for place, node in enumerate(model.graph.node):
        if not PLAIN.fullmatch(node.name) or node.name in seen:
            node.name = f"{node.op_type}#{place}"
        seen.add(node.name)
    return model


def steps_of(kind, model):
    float_values = {value.name for value in model.graph.initializer if value.data_type == onnx.TensorProto.FLOAT}
    for node in model.graph.node:
        if kind == "float16" and node.op_type != "Constant":
            yield node.name
        if kind == "quantize_dynamic" and node.op_type in DYNAMIC and float_values & set(node.input):
            yield node.name
        if kind == "quantize_static" and node.op_type in STATIC:
            yield node.name


class RandomSamples:
    """What calibration is fed with: each sample the inputs by name."""

    def __init__(self, model):
        known = {value.name for value in model.graph.initializer}
        random = numpy.random.default_rng(0)
        self.samples = iter([{value.name: self.drawn(value, random) for value in model.graph.input if value.name not in known} for _ in range(8)])

    @staticmethod
    def drawn(value, random):
        tensor = value.type.tensor_type
        shape = [dim.dim_value if dim.dim_value > 0 else 1 for dim in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if numpy.issubdtype(dtype, numpy.floating):
            return random.standard_normal(shape).astype(dtype)
        return random.integers(0, 2, shape).astype(dtype)

    def get_next(self):
        return next(self.samples, None)


def dynamic(model, source, target, skipped):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, weight_type=QuantType.QInt8, nodes_to_exclude=skipped)


def static(model, source, target, skipped):
    from onnxruntime.quantization import quantize_static

    quantize_static(source, target, RandomSamples(model), nodes_to_exclude=skipped)


def float16(model, source, target, skipped):
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(model, keep_io_types=True, node_block_list=skipped), target)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["quantize_dynamic", "quantize_static", "float16"])
    parser.add_argument("input")
    parser.add_argument("output", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--skip", nargs="*", default=[])
    arguments = parser.parse_args()
    model = with_names(onnx.load(arguments.input))
    steps = list(steps_of(arguments.kind, model))
    if arguments.list:
        print("\n".join(steps))
        return
    if set(steps) <= set(arguments.skip):  # nothing is left to do, and float16 would convert the weights all the same
        onnx.save(onnx.load(arguments.input), arguments.output)
        return
    with tempfile.TemporaryDirectory() as folder:
        source = str(pathlib.Path(folder) / "model.onnx")
        onnx.save(model, source)
        {"quantize_dynamic": dynamic, "quantize_static": static, "float16": float16}[arguments.kind](
            model, source, arguments.output, arguments.skip)


if __name__ == "__main__":
    main()
