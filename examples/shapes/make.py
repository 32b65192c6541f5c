#!/usr/bin/env python3
"""Draws the pictures of this folder, trains a classifier on others that are drawn alike, and writes model.onnx, and
coarse.onnx, which is the same with weights of 9 levels.

    python3 examples/shapes/make.py        needs numpy, onnx and Pillow

The net has random filters, and a last layer that learns by logistic regression: a minute, and no other package.
"""
import pathlib

import numpy
import onnx
import PIL.Image
import PIL.ImageDraw
from onnx import helper, numpy_helper

here = pathlib.Path(__file__).parent
CLASSES = ["circle", "square", "triangle"]
SIZE, FILTERS, NOISE = 24, 24, 20


def drawn(shape, chance):
    """A light shape of any size on a darker ground, turned a little, with noise: 24 x 24, grey."""
    big = PIL.Image.new("L", (4 * SIZE, 4 * SIZE), int(chance.integers(0, 110)))
    radius, light = chance.uniform(22, 40), int(chance.integers(130, 256))
    middle = 2 * SIZE + chance.uniform(-6, 6, 2)
    draw = PIL.ImageDraw.Draw(big)
    if shape == "circle":
        draw.ellipse([*(middle - radius), *(middle + radius)], fill=light)
    else:
        corners = {"square": 4, "triangle": 3}[shape]
        angles = 2 * numpy.pi * numpy.arange(corners) / corners + chance.uniform(0, 2 * numpy.pi)
        draw.polygon([tuple(middle + radius * numpy.array([numpy.cos(a), numpy.sin(a)])) for a in angles], fill=light)
    pixels = numpy.asarray(big.resize((SIZE, SIZE), PIL.Image.BOX), float) + chance.normal(0, NOISE, (SIZE, SIZE))
    return PIL.Image.fromarray(numpy.clip(pixels, 0, 255).astype("uint8"))


def features(pictures, weights, mean, deviation):
    """What the net computes before its last layer."""
    windows = numpy.lib.stride_tricks.sliding_window_view(pictures, (5, 5), (1, 2))
    found = numpy.einsum("nhwij,fij->nfhw", windows, weights[:, 0])
    found = numpy.maximum((found - mean[:, None, None]) / deviation[:, None, None], 0)
    blocks = found.reshape(len(pictures), FILTERS, 5, 4, 5, 4)
    return blocks.max((3, 5)).reshape(len(pictures), -1)


def learn(inputs, labels, steps=1500):
    """Logistic regression by gradient descent; returns the weights [inputs, classes] and the bias."""
    weights, bias, truth = numpy.zeros((inputs.shape[1], 3)), numpy.zeros(3), numpy.eye(3)[labels]
    for _ in range(steps):
        scores = inputs @ weights + bias
        chances = numpy.exp(scores - scores.max(1, keepdims=True))
        wrong = (chances / chances.sum(1, keepdims=True) - truth) / len(inputs)
        weights -= 0.3 * (inputs.T @ wrong + 1e-3 * weights)
        bias -= 0.3 * wrong.sum(0)
    return weights, bias


def coarse(weights):
    step = abs(weights).max() / 4
    return numpy.round(weights / step) * step


def net(weights, mean, deviation, last, bias):
    """Two nodes that an optimizer may fold into the convolution, and one that does nothing."""
    tensors = {"filters": weights, "one": numpy.ones(FILTERS), "zero": numpy.zeros(FILTERS), "mean": mean,
               "variance": deviation ** 2, "last": last, "bias": bias}
    nodes = [helper.make_node("Conv", ["picture", "filters"], ["a"], "conv"),
             helper.make_node("BatchNormalization", ["a", "one", "zero", "mean", "variance"], ["b"], "norm", epsilon=0.0),
             helper.make_node("Relu", ["b"], ["c"], "relu"),
             helper.make_node("MaxPool", ["c"], ["d"], "pool", kernel_shape=[4, 4], strides=[4, 4]),
             helper.make_node("Flatten", ["d"], ["e"], "flatten"),
             helper.make_node("Identity", ["e"], ["f"], "nothing"),
             helper.make_node("Gemm", ["f", "last", "bias"], ["g"], "last_layer"),
             helper.make_node("Softmax", ["g"], ["shape"], "chances", axis=1)]
    graph = helper.make_graph(nodes, "shapes",
                              [helper.make_tensor_value_info("picture", onnx.TensorProto.FLOAT, [1, 1, SIZE, SIZE])],
                              [helper.make_tensor_value_info("shape", onnx.TensorProto.FLOAT, [1, 3])],
                              [numpy_helper.from_array(array.astype("float32"), name) for name, array in tensors.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8, producer_name="culprit-examples")


def main():
    chance = numpy.random.default_rng(1)
    labels = numpy.arange(2400) % 3
    pictures = numpy.array([numpy.asarray(drawn(CLASSES[label], chance)) / 255 for label in labels])
    weights = chance.normal(0, 1, (FILTERS, 1, 5, 5))
    weights -= weights.mean((2, 3), keepdims=True)
    plain = numpy.einsum("nhwij,fij->nfhw", numpy.lib.stride_tricks.sliding_window_view(pictures, (5, 5), (1, 2)), weights[:, 0])
    mean, deviation = plain.mean((0, 2, 3)), plain.std((0, 2, 3))
    last, bias = learn(features(pictures, weights, mean, deviation), labels)
    onnx.save(net(weights, mean, deviation, last, bias), here / "model.onnx")
    onnx.save(net(coarse(weights), mean, deviation, coarse(last), bias), here / "coarse.onnx")
    for shape in CLASSES:
        (here / "pictures" / shape).mkdir(parents=True, exist_ok=True)
        for number in range(20):
            drawn(shape, chance).save(here / "pictures" / shape / f"{number:02}.png")


main()
