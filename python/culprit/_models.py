"""Models as files: a path stays where it is, bytes and a ModelProto are written to a temporary folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Union

from ._writing import written
from .errors import CulpritError

if TYPE_CHECKING:
    import onnx

Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, "onnx.ModelProto"]

EXTERNAL = 1  # TensorProto.DataLocation
SUFFIXES = ((b"PK\x03\x04", ".keras"), (b"\x89HDF", ".h5"))


def file_of_model(model: Model, name: str, folder: Path) -> str:
    """The path of a model. One that is no path yet is written into the folder, as `name` and the right suffix."""
    if isinstance(model, (str, os.PathLike)):
        return word_of_path(model)
    content = _content_of(model)
    path = folder / (name + _suffix_of(content))
    written(path, lambda file: file.write(content))
    return str(path)


def word_of_path(path: Union[str, os.PathLike[str]]) -> str:
    """The path as a word of a command line, where a `-` at the beginning would be a flag."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


def _content_of(model: object) -> bytes:
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if type(model).__name__ != "ModelProto" or not hasattr(model, "SerializeToString"):
        raise TypeError(f"a model is a path, bytes or an onnx.ModelProto, and here is {type(model).__name__}")
    if any(tensor.data_location == EXTERNAL for tensor in model.graph.initializer):  # type: ignore[attr-defined]
        raise CulpritError(
            "the weights of this ModelProto are in another file",
            hint="give the path of the model, or load the weights: onnx.load(path)",
        )
    try:
        return bytes(model.SerializeToString())
    except Exception as error:  # more than 2 GiB: each version of protobuf has its own error
        raise CulpritError(
            f"this ModelProto cannot be written: {error}",
            hint="save it with onnx.save(model, path, save_as_external_data=True), and give the path",
        ) from error


def _suffix_of(content: bytes) -> str:
    if content[4:8] == b"TFL3":
        return ".tflite"
    return next((suffix for start, suffix in SUFFIXES if content.startswith(start)), ".onnx")
