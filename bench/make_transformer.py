#!/usr/bin/env python3
"""Writes a GPT-like transformer as an ONNX model, with seeded weights: `make_transformer.py OUT.onnx`.

Dynamic batch and sequence, int64 ids in, logits out; IR 8, opset 17; fp32 weights as true initializers. Layers and widths
are flags; the defaults make about 300 MB, 12 layers of width 512 over a vocabulary of 32,000 (embedding and head apart). Needs onnx and
numpy, as `scripts/setup peers` brings them. The graph is written as exporters write it: layer norms and GELU in parts,
reshapes by computed shapes, a causal mask from the length; so passes of an optimizer have something to do.
"""

import argparse

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Nodes and weights in the order in which they are made; a value is the name of what a node gives."""

    def __init__(self, seed):
        self.nodes, self.weights = [], []
        self.random = np.random.default_rng(seed)

    def node(self, op, *inputs, **attributes):
        output = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [output], name=output, **attributes))
        return output

    def constant(self, values, dtype=np.int64):
        return self.weight(np.array(values, dtype))

    def weight(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def matrix(self, rows, columns, scale=None):
        scale = rows**-0.5 if scale is None else scale
        return self.weight(scale * self.random.standard_normal((rows, columns), np.float32))

    def linear(self, x, rows, columns):
        bias = self.weight(0.02 * self.random.standard_normal(columns, np.float32))
        return self.node("Add", self.node("MatMul", x, self.matrix(rows, columns)), bias)

    def layer_norm(self, x, width):
        """As exporters of opsets below 17 write it: by its parts."""
        centred = self.node("Sub", x, self.node("ReduceMean", x, axes=[-1], keepdims=1))
        square = self.node("Pow", centred, self.constant(2.0, np.float32))
        variance = self.node("ReduceMean", square, axes=[-1], keepdims=1)
        deviation = self.node("Sqrt", self.node("Add", variance, self.constant(1e-5, np.float32)))
        gain = self.weight(1 + 0.1 * self.random.standard_normal(width, np.float32))
        bias = self.weight(0.1 * self.random.standard_normal(width, np.float32))
        return self.node("Add", self.node("Mul", self.node("Div", centred, deviation), gain), bias)

    def gelu(self, x):
        erf = self.node("Erf", self.node("Div", x, self.constant(2**0.5, np.float32)))
        one = self.node("Add", erf, self.constant(1.0, np.float32))
        return self.node("Mul", self.node("Mul", x, one), self.constant(0.5, np.float32))

    def size(self, x, axis):
        """One dimension of a value, as a vector of one element."""
        gathered = self.node("Gather", self.node("Shape", x), self.constant(axis), axis=0)
        return self.node("Unsqueeze", gathered, self.constant([0]))


def attention(g, x, batch, length, mask, width, heads):
    shape = g.node("Concat", batch, length, g.constant([heads]), g.constant([width // heads]), axis=0)

    def split(order):
        return g.node("Transpose", g.node("Reshape", g.linear(x, width, width), shape), perm=order)

    query, key, value = split([0, 2, 1, 3]), split([0, 2, 3, 1]), split([0, 2, 1, 3])
    scores = g.node("Div", g.node("MatMul", query, key), g.constant((width // heads) ** 0.5, np.float32))
    weights = g.node("Softmax", g.node("Add", scores, mask), axis=-1)
    mixed = g.node("Transpose", g.node("MatMul", weights, value), perm=[0, 2, 1, 3])
    flat = g.node("Reshape", mixed, g.node("Concat", batch, length, g.constant([width]), axis=0))
    return g.linear(flat, width, width)


def transformer(layers, width, heads, vocabulary, positions, seed):
    g = Graph(seed)
    batch, length = g.size("input_ids", 0), g.size("input_ids", 1)
    places = g.node("Slice", g.matrix(positions, width, 0.1), g.constant([0]), length, g.constant([0]))
    x = g.node("Add", g.node("Gather", g.matrix(vocabulary, width, 1), "input_ids"), places)
    future = g.node("Trilu", g.node("Expand", g.constant([[-1e4]], np.float32), g.node("Concat", length, length, axis=0)),
                    g.constant(1), upper=1)
    mask = g.node("Unsqueeze", future, g.constant([0, 1]))
    for _ in range(layers):
        x = g.node("Add", x, attention(g, g.layer_norm(x, width), batch, length, mask, width, heads))
        inner = g.gelu(g.linear(g.layer_norm(x, width), width, 4 * width))
        x = g.node("Add", x, g.linear(inner, 4 * width, width))
    logits = g.node("MatMul", g.layer_norm(x, width), g.matrix(width, vocabulary))
    g.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
    graph = helper.make_graph(
        g.nodes, "transformer",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "sequence"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "sequence", vocabulary])], g.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8,
                             producer_name="culprit-bench")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--vocabulary", type=int, default=32000)
    parser.add_argument("--positions", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    model = transformer(a.layers, a.width, a.heads, a.vocabulary, a.positions, a.seed)
    onnx.checker.check_model(model)
    onnx.save(model, a.out)


if __name__ == "__main__":
    main()
