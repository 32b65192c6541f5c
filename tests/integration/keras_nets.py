"""Networks of Keras and what TensorFlow's converters make of them, right and wrong, for diagnose_keras_test.cc.

    keras_nets.py FOLDER

A mistake is made in the Keras network before the converter takes it; one number in a TFLite file is the test's to change.
"""

import os
import pathlib
import sys

os.environ.update(KERAS_BACKEND="tensorflow", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1", TF_ENABLE_ONEDNN_OPTS="0")

import keras
import numpy as np
import tensorflow as tf
import tf2onnx
from keras import layers as L
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

MARK = -0.7291  # one number of the kernel of 'second'


def cnn(strides=2, padding="same", pool="max"):
    x = inputs = keras.Input((12, 12, 3), name="picture")
    x = L.Conv2D(8, 3, padding="same", use_bias=False, name="first")(x)
    x = L.ReLU(name="relu")(L.BatchNormalization(name="norm")(x))
    x = L.Conv2D(6, 3, strides, padding=padding, activation="relu", name="second")(x)
    x = (L.MaxPooling2D if pool == "max" else L.AveragePooling2D)(2, padding="same", name="pool")(x)
    return keras.Model(inputs, L.Dense(5, activation="softmax", name="label")(L.GlobalAveragePooling2D(name="mean")(x)))


def lstm():
    inputs = keras.Input((8, 6), name="steps")
    return keras.Model(inputs, L.Dense(4, name="score")(L.LSTM(7, name="memory")(inputs)))


def two():
    left, right = keras.Input((6,), name="left"), keras.Input((6,), name="right")
    twin = L.Dense(6, activation="tanh", name="twin")
    inner = keras.Sequential([keras.Input((6,)), L.Dense(4, activation="relu", name="dense")], name="inner")
    both = L.Concatenate(name="both")([twin(left), inner(twin(right))])
    return keras.Model([left, right], [L.Dense(3, name="sum")(both), L.Dense(2, activation="sigmoid", name="share")(both)])


def foreign():
    """Its file holds Python code."""
    return keras.Sequential([keras.Input((3,), name="x"), L.Lambda(lambda x: x * 2, name="double"), L.Dense(2, name="end")])


def filled(build, seed):
    """With weights that are all different, and variances that are positive."""
    model = build()
    random = np.random.default_rng(seed)
    weights = []
    for variable in model.weights:
        numbers = random.standard_normal(variable.shape).astype("float32") * 0.4
        weights.append(1 + np.abs(numbers) if "variance" in variable.path else numbers)
    model.set_weights(weights)
    return model


def like(model, build, change=lambda weights: weights, **settings):
    """The network with other settings or weights."""
    other = build(**settings)
    other.set_weights(change(model.get_weights()))
    return other


def gates_turned(weights):
    """Of the kernel of an LSTM, i f c o: i c f o."""
    kernel = weights[0]
    blocks = kernel.reshape(len(kernel), 4, -1)[:, [0, 2, 1, 3]]
    return [blocks.reshape(kernel.shape), *weights[1:]]


def one_wrong(weights):
    """One number of the kernel of 'second'."""
    kernel = weights[5].copy()
    kernel[0, 1, 2, 3] += 3
    return [*weights[:5], kernel, *weights[6:]]


def function_of(model):
    signature = [tf.TensorSpec((1, *tensor.shape[1:]), tensor.dtype, name=tensor.name) for tensor in model.inputs]

    @tf.function(input_signature=signature)
    def run(*given):
        return model(list(given) if len(given) > 1 else given[0], training=False)

    return run, signature


def tflite(model, in_half=False):
    frozen = convert_variables_to_constants_v2(function_of(model)[0].get_concrete_function())
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen])
    if in_half:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.target_spec.supported_types = [tf.float16]
    return converter.convert()


def make(folder):
    models = {"cnn": filled(cnn, 1), "lstm": filled(lstm, 2), "two": filled(two, 3), "foreign": filled(foreign, 4)}
    kernel = models["cnn"].get_layer("second").kernel
    numbers = kernel.numpy()
    numbers[1, 1, 2, 3] = MARK
    kernel.assign(numbers)
    for name, model in models.items():
        model.save(folder / f"{name}.keras")
        (folder / f"{name}.tflite").write_bytes(tflite(model))
    models["cnn"].save(folder / "cnn.h5")
    run, signature = function_of(models["cnn"])
    proto, _ = tf2onnx.convert.from_function(run, input_signature=signature, opset=17, inputs_as_nchw=["picture"])
    (folder / "cnn.onnx").write_bytes(proto.SerializeToString())
    np.savez(folder / "pictures.npz", picture=np.random.default_rng(5).standard_normal((1, 12, 12, 3)).astype("float32"))
    (folder / "half.tflite").write_bytes(tflite(models["cnn"], in_half=True))
    (folder / "half_wrong.tflite").write_bytes(tflite(like(models["cnn"], cnn, one_wrong), in_half=True))
    wrong = {
        "strides": like(models["cnn"], cnn, strides=1),
        "padding": like(models["cnn"], cnn, padding="valid"),
        "pool": like(models["cnn"], cnn, pool="average"),
        "gates": like(models["lstm"], lstm, gates_turned),
    }
    for name, model in wrong.items():
        (folder / f"{name}.tflite").write_bytes(tflite(model))
    proto, _ = tf2onnx.convert.from_tflite(str(folder / "strides.tflite"), opset=17)
    (folder / "strides.onnx").write_bytes(proto.SerializeToString())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(pathlib.Path(sys.argv[1]))
