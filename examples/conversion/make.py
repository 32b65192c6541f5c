#!/usr/bin/env python3
"""Makes trained.onnx, and files that a converter could have made of it: right.onnx, five with mistakes, and one that is fed otherwise.

Needs numpy and onnx. The converter folds the normalizations into the convolutions, makes MatMul and Add of the Gemm, and gives
everything new names. Its mistakes are the functions of MISTAKES; each makes a file of its name.
"""
import pathlib

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

HERE = pathlib.Path(__file__).resolve().parent
EPSILON = 1e-3


def weights():
    random = np.random.default_rng(7)

    def normal(*shape):
        return (random.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))).astype(np.float32)

    made = {}
    for i, shape in enumerate([(8, 3, 3, 3), (12, 8, 3, 3)]):
        made[f"conv{i}.weight"] = normal(*shape)
        made[f"bn{i}.scale"] = (1 + 0.2 * random.standard_normal(shape[0])).astype(np.float32)
        made[f"bn{i}.bias"] = (0.1 * random.standard_normal(shape[0])).astype(np.float32)
        made[f"bn{i}.mean"] = (0.2 * random.standard_normal(shape[0])).astype(np.float32)
        made[f"bn{i}.var"] = (0.5 + random.random(shape[0])).astype(np.float32)
    made["dense.weight"] = normal(5, 12)
    made["dense.bias"] = (0.1 * random.standard_normal(5)).astype(np.float32)
    return made


def model(name, nodes, constants, given, got):
    graph = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info(given, TensorProto.FLOAT, [1, 3, 16, 16])],
        [helper.make_tensor_value_info(got, TensorProto.FLOAT, [1, 5])],
        [numpy_helper.from_array(array, key) for key, array in constants.items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(made)
    save(made, HERE / f"{name}.onnx")


def trained(w):
    node = helper.make_node
    nodes = [node("Conv", ["image", "conv0.weight"], ["c0"], "conv0", pads=[1, 1, 1, 1]),
             node("BatchNormalization", ["c0", "bn0.scale", "bn0.bias", "bn0.mean", "bn0.var"], ["b0"], "bn0", epsilon=EPSILON),
             node("Relu", ["b0"], ["r0"], "relu0"),
             node("MaxPool", ["r0"], ["p0"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
             node("Conv", ["p0", "conv1.weight"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
             node("BatchNormalization", ["c1", "bn1.scale", "bn1.bias", "bn1.mean", "bn1.var"], ["b1"], "bn1", epsilon=EPSILON),
             node("Relu", ["b1"], ["r1"], "relu1"),
             node("GlobalAveragePool", ["r1"], ["g"], "mean"),
             node("Flatten", ["g"], ["f"], "flatten"),
             node("Gemm", ["f", "dense.weight", "dense.bias"], ["d"], "dense", transB=1),
             node("Softmax", ["d"], ["label"], "softmax", axis=1)]
    model("trained", nodes, w, "image", "label")


def converted(w):
    constants = {"t6": w["dense.weight"].T.copy(), "t7": w["dense.bias"]}
    for i in range(2):
        factor = w[f"bn{i}.scale"] / np.sqrt(w[f"bn{i}.var"] + EPSILON)
        constants[f"t{2 * i}"] = w[f"conv{i}.weight"] * factor[:, None, None, None]
        constants[f"t{2 * i + 1}"] = w[f"bn{i}.bias"] - w[f"bn{i}.mean"] * factor
    node = helper.make_node
    nodes = [node("Conv", ["in", "t0", "t1"], ["v0"], "n0", pads=[1, 1, 1, 1]),
             node("Relu", ["v0"], ["v1"], "n1"),
             node("MaxPool", ["v1"], ["v2"], "n2", kernel_shape=[2, 2], strides=[2, 2]),
             node("Conv", ["v2", "t2", "t3"], ["v3"], "n3", pads=[1, 1, 1, 1]),
             node("Relu", ["v3"], ["v4"], "n4"),
             node("GlobalAveragePool", ["v4"], ["v5"], "n5"),
             node("Flatten", ["v5"], ["v6"], "n6"),
             node("MatMul", ["v6", "t6"], ["v7"], "n7"),
             node("Add", ["v7", "t7"], ["v8"], "n8"),
             node("Softmax", ["v8"], ["out"], "n9", axis=1)]
    return nodes, constants


def wrong(nodes, constants):
    """One number of the second kernel is another one, and the pool has windows of 3 x 3."""
    constants["t2"][4, 2, 0, 1] += 1
    nodes[2] = helper.make_node("MaxPool", ["v1"], ["v2"], "n2", kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1])


def transposed(nodes, constants):
    """The second kernel has its height and width exchanged."""
    constants["t2"] = constants["t2"].transpose(0, 1, 3, 2).copy()


def rounded(nodes, constants):
    """The dense layer's weights are rounded to half precision, and stored as float32."""
    constants["t6"] = constants["t6"].astype(np.float16).astype(np.float32)


def all_rounded(nodes, constants):
    """All weights were written with two decimals."""
    for name in ("t0", "t2", "t6"):
        constants[name] = np.round(constants[name], 2)


def without_relu(nodes, constants):
    """The second Relu is missing."""
    del nodes[4]
    nodes[4].input[0] = "v3"


def blue_first(nodes, constants):
    """It is right, and takes pictures as blue, green, red."""
    constants["t0"] = constants["t0"][:, ::-1].copy()


MISTAKES = [wrong, transposed, rounded, all_rounded, without_relu, blue_first]


if __name__ == "__main__":
    made = weights()
    trained(made)
    model("right", *converted(made), "in", "out")
    for mistake in MISTAKES:
        nodes, constants = converted(made)
        mistake(nodes, constants)
        model(mistake.__name__, nodes, constants, "in", "out")
