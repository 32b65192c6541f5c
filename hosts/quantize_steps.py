#!/usr/bin/env python3
"""ONNX Runtime's quantizers, told which nodes to leave as they are.

    quantize_steps.py KIND INPUT --list                        prints the nodes that it would touch, one a line
    quantize_steps.py KIND INPUT OUTPUT [--weight_type T] [--activation_type T] [--per_channel yes|no] [--data PATH] [--skip NODE ...]
    quantize_steps.py KIND --values OPTION                     prints the values that the installed onnxruntime has for it

KIND is quantize_dynamic, quantize_static or float16. Nodes go by their names; one without a name, or with one that cannot stand in a
command line, is "OpType#17" after its place in the graph. quantize_static is calibrated with at most 100 samples of --data, which is a
folder of test_data_set_N, one such folder, an .npz, a folder of .npz, or an .npy of a model with one input; without it with 8 samples of
random numbers (seed 0). An .npz or .npy that is no part of a folder has a row for each sample; a model of a fixed batch gets so many rows at once.
"""
import argparse
import pathlib
import re
import sys
import tempfile

import numpy
import onnx

if __name__ == "stays":  # hosts/stay.py: each kind imports its own only when it is asked
    import onnxruntime.quantization
    import onnxruntime.transformers.float16

PLAIN = re.compile(r"[A-Za-z0-9_./:][A-Za-z0-9_./:@+-]*")
DYNAMIC = {"MatMul", "Gemm", "Conv", "Gather", "LSTM", "Attention", "EmbedLayerNormalization"}
MOST = 100  # samples for calibration: each is run, and its ranges kept
STATIC = {"Conv", "ConvTranspose", "MatMul", "Gemm", "Add", "Mul", "Relu", "Clip", "MaxPool", "AveragePool", "GlobalAveragePool", "Concat",
          "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Resize", "Sigmoid", "LeakyRelu", "Softmax", "Gather", "Split", "Pad"}


def of_gemm(name):
    """quantize_dynamic makes a MatMul of this name of a Gemm, before it looks at the names of nodes to leave."""
    return name + "_MatMul"


def with_names(model):
    """Each node has a name of its own that a command line can hold."""
    seen = {of_gemm(node.name) for node in model.graph.node if node.op_type == "Gemm"}
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


def inputs_of(model):
    known = {value.name for value in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in known]


def random_samples(inputs):
    random = numpy.random.default_rng(0)

    def drawn(value):
        tensor = value.type.tensor_type
        shape = [dim.dim_value if dim.dim_value > 0 else 1 for dim in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if numpy.issubdtype(dtype, numpy.floating):
            return random.standard_normal(shape).astype(dtype)
        return random.integers(0, 2, shape).astype(dtype)

    return [{value.name: drawn(value) for value in inputs} for _ in range(8)]


def of_folder(folder, inputs):
    """A test_data_set_N: by the names in the files where all are the model's, else in their order."""
    files = sorted(folder.glob("input_*.pb"), key=lambda file: int(re.sub(r"\D", "", file.stem)))
    tensors = [onnx.load_tensor(str(file)) for file in files]
    names = [value.name for value in inputs]
    if not set(names) <= {tensor.name for tensor in tensors}:
        for tensor, name in zip(tensors, names):
            tensor.name = name
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in tensors if tensor.name in names}


def of_file(file, inputs):
    loaded = numpy.load(file, allow_pickle=False)
    if isinstance(loaded, numpy.ndarray):
        return {inputs[0].name: loaded}
    return {value.name: loaded[value.name] for value in inputs}


def sizes_of(value):
    """Each size of an input, 0 where it is open; None where the model does not say how many it has."""
    tensor = value.type.tensor_type
    return [dim.dim_value for dim in tensor.shape.dim] if tensor.HasField("shape") else None


def fits(array, sizes):
    return sizes is None or (array.ndim == len(sizes) and all(size in (0, here) for size, here in zip(sizes, array.shape)))


def in_batches(rows, inputs):
    """The rows of a file, so many at once as the model takes: all of them where its batch is open."""
    sizes = {value.name: sizes_of(value) for value in inputs}
    if all(fits(rows[name], sizes[name]) for name in sizes):
        return [rows]
    single = {name for name in sizes if sizes[name] is not None and rows[name].ndim == len(sizes[name]) + 1}  # without a batch
    batch = 1 if single else max((size[0] for size in sizes.values() if size), default=1) or 1
    count = min((len(rows[name]) for name in sizes if rows[name].ndim), default=0)
    starts = range(0, count - batch + 1, batch)[:MOST]
    return [{name: rows[name][at] if name in single else rows[name][at : at + batch] for name in sizes} for at in starts] or [rows]


def given_samples(path, inputs):
    if path.is_file():
        return in_batches(of_file(path, inputs), inputs)
    if list(path.glob("input_*.pb")):
        return [of_folder(path, inputs)]
    folders = sorted(path.glob("test_data_set_*"))
    files = sorted([*path.glob("*.npz"), *path.glob("*.npy")])
    return [of_folder(folder, inputs) for folder in folders[:MOST]] or [of_file(file, inputs) for file in files[:MOST]]


class Samples:
    """What calibration is fed with: each sample the inputs by name."""

    def __init__(self, model, data):
        inputs = inputs_of(model)
        samples = given_samples(pathlib.Path(data), inputs) if data else random_samples(inputs)
        if not samples:
            sys.exit(f"--data {data}: no test_data_set_N, .npz or .npy lies there, and calibration takes no pictures: "
                     "save them as the network takes them, one .npz a picture")
        self.samples = iter(samples)

    def get_next(self):
        return next(self.samples, None)


def quant_types(kind, option):
    """Those that the installed onnxruntime has, and that can be: whole activations are no four bits."""
    from onnxruntime.quantization import QuantType

    names = [one.name for one in QuantType]
    if kind == "quantize_dynamic" or option == "activation_type":
        return [name for name in names if name in ("QInt8", "QUInt8") or (kind == "quantize_static" and name in ("QInt16", "QUInt16"))]
    return [name for name in names if name.startswith(("QInt", "QUInt"))]


def options_for(arguments):
    """As the quantizers of onnxruntime take them."""
    from onnxruntime.quantization import QuantType

    options = {name: QuantType[getattr(arguments, name)] for name in ("weight_type", "activation_type") if getattr(arguments, name)}
    if arguments.per_channel:
        options["per_channel"] = arguments.per_channel == "yes"
    return options


def dynamic(model, source, arguments):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    left = [*arguments.skip, *map(of_gemm, arguments.skip)]
    quantize_dynamic(source, arguments.output, nodes_to_exclude=left, **{"weight_type": QuantType.QInt8, **options_for(arguments)})


def static(model, source, arguments):
    from onnxruntime.quantization import quantize_static

    quantize_static(source, arguments.output, Samples(model, arguments.data), nodes_to_exclude=arguments.skip, **options_for(arguments))


def float16(model, source, arguments):
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(model, keep_io_types=True, node_block_list=arguments.skip), arguments.output)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["quantize_dynamic", "quantize_static", "float16"])
    parser.add_argument("input", nargs="?")
    parser.add_argument("output", nargs="?")
    parser.add_argument("--values", choices=["weight_type", "activation_type"])
    for option in ("--weight_type", "--activation_type", "--per_channel", "--data"):
        parser.add_argument(option)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--skip", nargs="*", default=[])
    arguments = parser.parse_args()
    if arguments.values:
        print("\n".join(quant_types(arguments.kind, arguments.values)))
        return
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
        {"quantize_dynamic": dynamic, "quantize_static": static, "float16": float16}[arguments.kind](model, source, arguments)


if __name__ == "__main__":
    main()
