#!/usr/bin/env python3
"""Makes small.tflite and what another reader of the format says of it: needs ai-edge-litert (2.3.0) and numpy."""
import json
import pathlib

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as fb

here = pathlib.Path(__file__).resolve().parent


def tensor(name, shape, buffer, kind=fb.TensorType.FLOAT32, scale=None):
    made = fb.TensorT(shape=shape, type=kind, buffer=buffer, name=name, hasRank=True)
    if scale:
        made.quantization = fb.QuantizationParametersT(scale=scale, zeroPoint=[0] * len(scale), quantizedDimension=0)
    return made


def node(code, inputs, outputs, kind=0, options=None):
    return fb.OperatorT(opcodeIndex=code, inputs=inputs, outputs=outputs, builtinOptionsType=kind, builtinOptions=options)


def buffer(values=None):
    return fb.BufferT(data=None if values is None else np.frombuffer(values.tobytes(), np.uint8))


def small():
    """input -> convolution 1x1 -> plus a bias that shares its buffer -> softmax."""
    weights = (np.arange(6, dtype=np.float32) - 2.5).reshape(3, 1, 1, 2)
    tensors = [tensor("input", [1, 4, 4, 2], 1), tensor("weights", [3, 1, 1, 2], 2, scale=[0.5, 0.25, 1.0]),
               tensor("bias", [3], 3), tensor("conv", [1, 4, 4, 3], 1), tensor("bias_again", [3], 3),
               tensor("sum", [1, 4, 4, 3], 4), tensor("output", [1, 4, 4, 3], 5)]
    conv = fb.Conv2DOptionsT(padding=fb.Padding.VALID, strideW=1, strideH=1, fusedActivationFunction=1)
    nodes = [node(0, [0, 1, 2], [3], fb.BuiltinOptions.Conv2DOptions, conv),
             node(1, [3, 4], [5], fb.BuiltinOptions.AddOptions, fb.AddOptionsT()),
             node(2, [5], [6], fb.BuiltinOptions.SoftmaxOptions, fb.SoftmaxOptionsT(beta=1.0))]
    graph = fb.SubGraphT(tensors=tensors, inputs=[0], outputs=[6], operators=nodes, name="main")
    codes = [fb.OperatorCodeT(deprecatedBuiltinCode=c, builtinCode=c, version=1) for c in (3, 0, 25)]
    signature = fb.SignatureDefT(inputs=[fb.TensorMapT(name="x", tensorIndex=0)],
                                 outputs=[fb.TensorMapT(name="y", tensorIndex=6)], signatureKey="serving_default")
    bias = np.array([1, 2, 3], np.float32)
    model = fb.ModelT(version=3, operatorCodes=codes, subgraphs=[graph], description="made for a test",
                      buffers=[buffer(), buffer(), buffer(weights), buffer(bias), buffer(), buffer()],
                      signatureDefs=[signature])
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def plain(value):
    """What the other reader says, as JSON; the elements of buffers as lists of bytes."""
    if isinstance(value, (list, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "__dict__"):
        return {name: plain(v) for name, v in vars(value).items()}
    return value.item() if isinstance(value, np.generic) else value


if __name__ == "__main__":
    (here / "small.tflite").write_bytes(small())
    read = plain(fb.ModelT.InitFromPackedBuf(small()))
    (here / "small.json").write_text(json.dumps(read, sort_keys=True, indent=1) + "\n")
