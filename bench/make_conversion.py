#!/usr/bin/env python3
"""Makes a network of about 57 MB (DenseNet-169 with seeded weights) in Keras, and what tf2onnx and TFLite make of it.

    make_conversion.py FOLDER    by the Python of `scripts/setup tensorflow`

FOLDER gets source.onnx, target.tflite and samples.npz with ten inputs.
"""
import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf2onnx  # noqa: E402

size = 224


def seeded(net):
    """Normalizations that were never trained would let the numbers of 169 layers grow or vanish."""
    random = np.random.default_rng(7)
    for layer in net.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            shape = layer.gamma.shape
            layer.set_weights([random.uniform(0.7, 1.3, shape), random.normal(0, 0.2, shape), random.normal(0, 0.1, shape), random.uniform(0.5, 1.5, shape)])


def main(folder):
    keras.utils.set_random_seed(7)
    image = keras.Input(batch_shape=(1, size, size, 3), name="image")
    net = keras.applications.DenseNet169(weights=None, input_tensor=image, classes=1000)
    seeded(net)
    spec = [tf.TensorSpec((1, size, size, 3), tf.float32, name="image")]
    function = tf.function(lambda image: net(image, training=False), input_signature=spec)
    tf2onnx.convert.from_function(function, input_signature=spec, opset=17, output_path=str(folder / "source.onnx"))
    (folder / "target.tflite").write_bytes(tf.lite.TFLiteConverter.from_keras_model(net).convert())
    np.savez(folder / "samples.npz", image=np.random.default_rng(1).standard_normal((10, size, size, 3)).astype(np.float32))


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    main(target)
