#!/usr/bin/env python3
"""Writes model.onnx, a small classifier with the leftovers of an exporter: nodes that do nothing, and a weight that is stored twice.

    python3 examples/exported/make.py        needs numpy and onnx

ONNX Optimizer makes it smaller. One of its passes breaks it: the zeros of the Pad become the padding of the AveragePool, and the padding
that the AveragePool had, which did not count, then counts as well.
"""
import pathlib

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save, shape_inference

here = pathlib.Path(__file__).parent


def net():
    random = np.random.default_rng(3)

    def normal(*shape):
        return (random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)

    kernel = normal(8, 8, 3, 3)
    tensors = {"kernel0": normal(8, 3, 3, 3), "kernel1": kernel, "kernel2": kernel, "bias0": normal(8, 1, 1), "border": np.array([0, 0, 1, 1, 0, 0, 1, 1]),
               "classes": normal(8, 4), "bias": normal(4)}
    node = helper.make_node
    nodes = [node("Cast", ["image"], ["cast"], "cast", to=TensorProto.FLOAT),
             node("Conv", ["cast", "kernel0"], ["c0"], "conv0", pads=[1, 1, 1, 1]),
             node("Add", ["c0", "bias0"], ["a0"], "add0"),
             node("Tanh", ["a0"], ["t0"], "tanh0"),
             node("Pad", ["t0", "border"], ["padded"], "pad"),
             node("AveragePool", ["padded"], ["pooled"], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
             node("Conv", ["pooled", "kernel1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
             node("Identity", ["c1"], ["i1"], "identity1"),
             node("Relu", ["i1"], ["r1"], "relu1"),
             node("Conv", ["r1", "kernel2"], ["c2"], "conv2", pads=[1, 1, 1, 1]),
             node("Transpose", ["c2"], ["last"], "last", perm=[0, 2, 3, 1]),
             node("Transpose", ["last"], ["first"], "first", perm=[0, 3, 1, 2]),
             node("GlobalAveragePool", ["first"], ["mean"], "mean"),
             node("Flatten", ["mean"], ["flat"], "flatten"),
             node("Dropout", ["flat"], ["kept"], "dropout"),
             node("MatMul", ["kept", "classes"], ["m"], "matmul"),
             node("Add", ["m", "bias"], ["scores"], "add")]
    graph = helper.make_graph(nodes, "exported", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 16, 16])],
                              [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 4])],
                              [numpy_helper.from_array(array, name) for name, array in tensors.items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8, producer_name="culprit-examples")
    checker.check_model(made)
    return shape_inference.infer_shapes(made)


save(net(), here / "model.onnx")
