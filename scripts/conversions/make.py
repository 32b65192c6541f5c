#!/usr/bin/env python3
"""Pairs of networks that real converters made of the same Keras network: honest ones, and ones with a mistake.

    make.py FOLDER

Run it with the Python that `scripts/setup tensorflow` brings; `scripts/setup conversions` does. FOLDER/<pair> gets source.onnx (by
tf2onnx), target.onnx or target.tflite, and truth.json: a list of faults {class, layer, attribute}, where `layer` is the node of the source
that is wrong. Seeds are fixed. A mistake in an ONNX target is an edit of what tf2onnx wrote; one in a TFLite target was made in the Keras
network before TFLiteConverter took it.
"""
import copy
import json
import os
import pathlib
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")

import keras
import numpy as np
import onnx
import tensorflow as tf
import tf2onnx
from keras import layers as L
from onnx import helper, numpy_helper
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

tf.get_logger().setLevel("ERROR")
STEPS, BATCH = 50, 16


# Networks. What is given by name is what a mistake changes.
def image(size=16):
    return keras.Input((size, size, 3), name="picture")


def cnn(activation="relu", pool="max"):
    x = inputs = image()
    for filters, strides in ((8, 1), (12, 2), (16, 1)):
        x = L.Conv2D(filters, 3, strides, padding="same", use_bias=False)(x)
        x = L.Activation(activation if filters == 12 else "relu")(L.BatchNormalization()(x))
    x = (L.MaxPooling2D if pool == "max" else L.AveragePooling2D)(2)(x)
    x = L.Dense(24, activation="relu")(L.Flatten()(x))
    return keras.Model(inputs, L.Dense(10, activation="softmax")(x))


def separable(dilation=2):
    x = inputs = image()
    x = L.ReLU(6.0)(L.BatchNormalization()(L.Conv2D(8, 3, 2, padding="same", use_bias=False)(x)))
    for filters, strides, rate in ((12, 1, 1), (16, 2, 1), (16, 1, dilation)):
        x = L.DepthwiseConv2D(3, strides, padding="same", use_bias=False, dilation_rate=rate)(x)
        x = L.ReLU(6.0)(L.BatchNormalization()(x))
        x = L.ReLU(6.0)(L.BatchNormalization()(L.Conv2D(filters, 1, use_bias=False)(x)))
    return keras.Model(inputs, L.Dense(10, activation="softmax")(L.GlobalAveragePooling2D()(x)))


def residual(slope=0.1):
    x = inputs = image(12)
    x = L.ReLU(6.0)(L.Conv2D(16, 3, padding="same")(x))
    for _ in range(2):
        y = L.PReLU(shared_axes=[1, 2], alpha_initializer=keras.initializers.RandomUniform(0.1, 0.4, seed=3))(
            L.DepthwiseConv2D(3, padding="same")(x)
        )
        y = L.LeakyReLU(negative_slope=slope)(L.Conv2D(16, 1)(y))
        # Two groups. Keras' own `groups` becomes a StatefulPartitionedCall, which tf2onnx 1.17 leaves in its file.
        parts = [L.Conv2D(8, 3, padding="same")(part) for part in keras.ops.split(y, 2, -1)]
        x = L.Add()([x, L.Concatenate()(parts)])
    return keras.Model(inputs, L.Dense(10)(L.GlobalAveragePooling2D()(L.AveragePooling2D(3, 2, padding="same")(x))))


def lstm():
    x = inputs = keras.Input((8, 6), name="steps")
    x = L.LSTM(12, return_sequences=True)(x)
    x = L.LSTM(10)(x)
    return keras.Model(inputs, L.Dense(5, activation="softmax")(L.Dense(16, activation="sigmoid")(x)))


def gru():
    x = inputs = keras.Input((8, 6), name="steps")
    x = L.Dense(16, activation="tanh")(L.GRU(12)(x))
    return keras.Model(inputs, L.Dense(5, activation="softmax")(x))


def gelu(x):
    """Not the exact one: that becomes an Erfc, which tf2onnx 1.17 leaves in its file."""
    return keras.activations.gelu(x, approximate=True)


def attention():
    x = inputs = keras.Input((6, 16), name="tokens")
    for _ in range(2):
        h = L.LayerNormalization()(x)
        x = L.Add()([x, L.MultiHeadAttention(4, 4)(h, h)])
        h = L.Dense(32)(L.LayerNormalization()(x))
        x = L.Add()([x, L.Dense(16)(L.Activation(gelu)(h))])
    return keras.Model(inputs, L.Dense(5)(L.GlobalAveragePooling1D()(x)))


def embedding(length=12, words=40):
    x = inputs = keras.Input((length,), dtype="int32", name="words")
    x = L.Embedding(words, 16, embeddings_initializer="normal")(x)
    x = L.Conv1D(24, 3, padding="same", activation="relu")(x)
    x = L.Conv1D(16, 3, 2, padding="same", activation="relu")(x)
    x = L.Dense(16, activation="tanh")(L.GlobalMaxPooling1D()(x))
    return keras.Model(inputs, L.Dense(4, activation="softmax")(x))


def two(shares="sigmoid"):
    picture, facts = image(12), keras.Input((5,), name="facts")
    x = L.Conv2D(8, 3, padding="same", activation="relu")(picture)
    x = L.Conv2D(12, 3, padding="same", activation="relu")(L.MaxPooling2D()(x))
    x = L.Dense(16, activation="relu")(L.Flatten()(x))
    v = L.Dense(16, activation="tanh")(facts)
    both = L.Dense(24, activation="relu")(L.Concatenate()([x, v]))
    return keras.Model(
        [picture, facts], [L.Dense(6, activation="softmax")(both), L.Dense(6, activation=shares)(L.Subtract()([x, v]))]
    )


def samples(model, count, seed):
    random = np.random.default_rng(seed)
    made = []
    for tensor in model.inputs:
        shape = (count, *tensor.shape[1:])
        is_whole = tensor.dtype.startswith("int")
        made.append(random.integers(0, 40, shape).astype("int32") if is_whole else random.standard_normal(shape).astype("float32"))
    return made


def trained(build):
    """Some steps towards outputs that a fixed matrix makes of the inputs."""
    keras.utils.set_random_seed(7)
    model = build()
    given = samples(model, STEPS * BATCH, 1)
    flat = np.concatenate([one.reshape(len(one), -1) for one in given], 1).astype("float32")
    flat = (flat - flat.mean()) / flat.std()
    random = np.random.default_rng(2)
    wanted = []
    for output in model.outputs:
        wish = flat @ random.standard_normal((flat.shape[1], output.shape[-1])).astype("float32")
        wanted.append(np.eye(output.shape[-1], dtype="float32")[wish.argmax(1)])
    model.compile(keras.optimizers.Adam(3e-3), loss=["mse"] * len(wanted))
    model.fit(given if len(given) > 1 else given[0], wanted if len(wanted) > 1 else wanted[0], BATCH, 1, verbose=0, shuffle=False)
    return model


def like(model, build, **changes):
    """The trained network with another setting."""
    changed = build(**changes)
    changed.set_weights(model.get_weights())
    return changed


# Converters.
def function_of(model):
    signature = [tf.TensorSpec((1, *tensor.shape[1:]), tensor.dtype, name=tensor.name) for tensor in model.inputs]

    @tf.function(input_signature=signature)
    def run(*given):
        return model(list(given) if len(given) > 1 else given[0], training=False)

    return run, signature


def by_tf2onnx(model, opset=17, nchw=()):
    run, signature = function_of(model)
    made, _ = tf2onnx.convert.from_function(run, input_signature=signature, opset=opset, inputs_as_nchw=list(nchw) or None)
    return made


def by_tflite(model):
    run, _ = function_of(model)
    # Variables become constants: else the file reads what nothing assigns, and no runtime runs it.
    frozen = convert_variables_to_constants_v2(run.get_concrete_function())
    return tf.lite.TFLiteConverter.from_concrete_functions([frozen]).convert()


# Edits of ONNX files.
def node(model, kind, number=0):
    return [one for one in model.graph.node if one.op_type == kind][number]


def initializer(model, name):
    return next(one for one in model.graph.initializer if one.name == name)


def set_weight(model, name, change):
    old = initializer(model, name)
    old.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(change(numpy_helper.to_array(old)).astype("float32")), name))


def set_attribute(one, name, value):
    for old in [old for old in one.attribute if old.name == name]:
        one.attribute.remove(old)
    one.attribute.append(helper.make_attribute(name, value))


def constant_of(model, one):
    """The first float constant that it takes."""
    known = {tensor.name: tensor.data_type for tensor in model.graph.initializer}
    return next(name for name in one.input if known.get(name) == onnx.TensorProto.FLOAT)


def without(model, one):
    for other in model.graph.node:
        for at, name in enumerate(other.input):
            if name == one.output[0]:
                other.input[at] = one.input[0]
    model.graph.node.remove(one)


def one_wrong(tensor):
    changed = tensor.copy()
    changed.flat[7 % changed.size] += 1
    return changed


def half(tensor):
    return tensor.astype("float16").astype("float32")


def gates_turned(tensor):
    """Of i, f, c, o along the last axis: i, c, f, o, as TensorFlow's older cells have them."""
    blocks = tensor.reshape(*tensor.shape[:-1], 4, -1)[..., [0, 2, 1, 3], :]
    return blocks.reshape(tensor.shape)


def edit_weight(kind, number, change):
    def edit(model):
        one = node(model, kind, number)
        set_weight(model, constant_of(model, one), change)

    return edit


def edit_attribute(kind, number, name, value):
    return lambda model: set_attribute(node(model, kind, number), name, value)


def edit_gates(model):
    for name in node(model, "Loop").input[-3:]:
        set_weight(model, name, gates_turned)


def edit_type(kind, number, to):
    def edit(model):
        node(model, kind, number).op_type = to

    return edit


def lose(kind, number):
    return lambda model: without(model, node(model, kind, number))


# Pairs.
class Pairs:
    def __init__(self, folder):
        self.folder, self.models = folder, {}

    def keras(self, build):
        if build not in self.models:
            self.models[build] = trained(build)
        return self.models[build]

    def add(self, name, source, target, truth=()):
        here = self.folder / name
        here.mkdir(parents=True)
        onnx.save(source, here / "source.onnx")
        if isinstance(target, bytes):
            (here / "target.tflite").write_bytes(target)
        else:
            onnx.save(target, here / "target.onnx")
        (here / "truth.json").write_text(json.dumps(list(truth), indent=1) + "\n")
        print(name, flush=True)

    def edited(self, name, build, kind, number, fault, edit, attribute="", **options):
        """A mistake in what tf2onnx wrote; the node is counted among its like."""
        source = by_tf2onnx(self.keras(build))
        target = by_tf2onnx(self.keras(build), **options)
        edit(target)
        self.add(name, source, target, [{"class": fault, "layer": node(source, kind, number).name, "attribute": attribute}])

    def remade(self, name, build, kind, numbers, fault, change, attribute=""):
        """A mistake in the network that TFLiteConverter took; it shows at each of these nodes."""
        source = by_tf2onnx(self.keras(build))
        wrong = change(self.keras(build))
        truth = [{"class": fault, "layer": node(source, kind, number).name, "attribute": attribute} for number in numbers]
        self.add(name, source, by_tflite(wrong), truth)


def with_weight(build, shape, change):
    """The first weight of this shape is another one."""

    def make(model):
        wrong = build()
        weights = model.get_weights()
        at = [weight.shape for weight in weights].index(shape)
        weights[at] = change(weights[at]).astype("float32")
        wrong.set_weights(weights)
        return wrong

    return make


def rows_by_channels(kernel):
    """Rows of a picture [6,6,12] as if it had been [12,6,6]."""
    return kernel.reshape(6, 6, 12, -1).transpose(2, 0, 1, 3).reshape(kernel.shape)


def make(folder):
    pairs = Pairs(folder)
    of = lambda build, **options: by_tf2onnx(pairs.keras(build), **options)
    picture = ["picture"]
    pairs.add("cnn_channels_first", of(cnn), of(cnn, nchw=picture))
    pairs.add("separable_older", of(separable), of(separable, opset=11))
    pairs.add("lstm_newer", of(lstm), of(lstm, opset=18))
    pairs.add("attention_newer", of(attention), of(attention, opset=18))
    pairs.add("cnn_tflite", of(cnn), by_tflite(pairs.keras(cnn)))
    pairs.add("residual_tflite", of(residual), by_tflite(pairs.keras(residual)))
    pairs.add("embedding_tflite", of(embedding), by_tflite(pairs.keras(embedding)))
    pairs.add("two_tflite", of(two), by_tflite(pairs.keras(two)))
    pairs.add("separable_tflite", of(separable), by_tflite(pairs.keras(separable)))
    pairs.add("attention_tflite", of(attention), by_tflite(pairs.keras(attention)))
    pairs.add("lstm_tflite", of(lstm), by_tflite(pairs.keras(lstm)))
    pairs.add("gru_newer", of(gru), of(gru, opset=18))

    pairs.edited("cnn_one_element", cnn, "Conv", 1, "parameter", edit_weight("Conv", 1, one_wrong), nchw=picture)
    pairs.edited("cnn_relu_lost", cnn, "Relu", 1, "graph", lose("Relu", 1), nchw=picture)
    pairs.edited("separable_pads", separable, "Conv", 0, "hyperparameter", edit_attribute("Conv", 0, "pads", [1, 1, 0, 0]), "pads", opset=11)
    pairs.edited("residual_half", residual, "Conv", 2, "precision", edit_weight("Conv", 2, half), nchw=picture)
    pairs.edited("residual_slope", residual, "LeakyRelu", 0, "hyperparameter", edit_attribute("LeakyRelu", 0, "alpha", 0.01), "alpha")
    pairs.edited("lstm_gates", lstm, "Loop", 0, "layout", edit_gates)
    pairs.edited("attention_softmax", attention, "Softmax", 0, "hyperparameter", edit_attribute("Softmax", 0, "axis", 2), "axis")
    pairs.edited("embedding_late", embedding, "Gather", 0, "layout", edit_weight("Gather", 0, lambda table: np.roll(table, 1, 0)))
    pairs.edited("two_tanh", two, "Sigmoid", 0, "graph", edit_type("Sigmoid", 0, "Tanh"))
    pairs.edited("two_nothing_turned", two, "Transpose", 1, "layout", lose("Transpose", 1))
    pairs.remade("cnn_tflite_kernel", cnn, "Conv", [1], "parameter", with_weight(cnn, (3, 3, 8, 12), one_wrong))
    pairs.remade("cnn_tflite_pool", cnn, "MaxPool", [0], "graph", lambda model: like(model, cnn, pool="average"))
    pairs.remade("separable_tflite_dilation", separable, "Conv", [5], "hyperparameter", lambda model: like(model, separable, dilation=1), "dilations")
    pairs.remade("residual_tflite_slope", residual, "LeakyRelu", [0, 1], "hyperparameter", lambda model: like(model, residual, slope=0.01), "alpha")
    pairs.remade("residual_tflite_half", residual, "Conv", [2], "precision", with_weight(residual, (1, 1, 16, 16), half))
    pairs.remade("embedding_tflite_late", embedding, "Gather", [0], "layout", with_weight(embedding, (40, 16), lambda table: np.roll(table, 1, 0)))
    pairs.remade("two_tflite_rows", two, "Gemm", [1], "layout", with_weight(two, (432, 16), rows_by_channels))
    pairs.remade("two_tflite_tanh", two, "Sigmoid", [0], "graph", lambda model: like(model, two, shares="tanh"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(pathlib.Path(sys.argv[1]))
