"""Data and flags as the tool takes them, without the tool."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from culprit._data import path_of_data
from culprit._flags import words_of_flags
from culprit._models import file_of_model


def test_an_array_is_an_npy(tmp_path: Path) -> None:
    path = path_of_data(np.arange(6).reshape(3, 2), tmp_path)
    assert path.endswith("data.npy")
    assert np.load(path).tolist() == [[0, 1], [2, 3], [4, 5]]


def test_an_array_of_another_library_is_an_array(tmp_path: Path) -> None:
    class Tensor:
        def __array__(self, dtype: object = None, copy: object = None) -> Any:
            return np.array([[7.0]])

        def __bool__(self) -> bool:
            raise TypeError("neither true nor false")

    assert np.load(path_of_data(Tensor(), tmp_path)).tolist() == [[7.0]]  # type: ignore[arg-type]


def test_a_dict_is_an_npz_whatever_the_names(tmp_path: Path) -> None:
    arrays = {"file": np.ones([2, 1], np.float16), "a/b:0": [[True], [False]], "text": np.array(["a", "bcd"], object)}
    with np.load(path_of_data(arrays, tmp_path)) as found:
        assert sorted(found.files) == ["a/b:0", "file", "text"]
        assert found["file"].dtype == np.float16
        assert found["a/b:0"].tolist() == [[True], [False]]
        assert found["text"].tolist() == ["a", "bcd"]


def test_a_list_of_dicts_has_a_row_for_each(tmp_path: Path) -> None:
    with np.load(path_of_data([{"x": np.zeros(2), "n": 1}, {"x": np.ones(2), "n": 2}], tmp_path)) as found:
        assert found["x"].tolist() == [[0, 0], [1, 1]]
        assert found["n"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        ([], TypeError, "a list of dicts that is not empty"),
        ([1], TypeError, "a list of dicts"),
        ({}, ValueError, "no arrays"),
        ([{"x": 1}, {"y": 1}], ValueError, r"sample 1 has the inputs \['y'\]"),
        (
            [{"x": np.zeros(2)}, {"x": np.zeros(3)}],
            ValueError,
            r"not the same in all samples: float64\[2\], float64\[3\]",
        ),
        ({"x": [object()]}, TypeError, "'x' holds Python objects"),
    ],
)
def test_what_is_no_data_is_told(tmp_path: Path, data: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        path_of_data(data, tmp_path)


@pytest.mark.parametrize(
    ("content", "name"),
    [(b"\x1c\0\0\0TFL3", "m.tflite"), (b"PK\x03\x04", "m.keras"), (b"\x89HDF\r", "m.h5"), (b"\x08\x08", "m.onnx")],
)
def test_bytes_get_the_suffix_of_their_format(tmp_path: Path, content: bytes, name: str) -> None:
    path = Path(file_of_model(content, "m", tmp_path))
    assert (path.name, path.read_bytes()) == (name, content)


def test_paths_stay_as_they_are() -> None:
    assert file_of_model("some/model.onnx", "m", Path("unused")) == "some/model.onnx"
    assert path_of_data(Path("-x.npz"), Path("unused")) == "./-x.npz"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"seed": None, "strict": False}, []),
        ({"no_localize": True, "seed": 0}, ["--no-localize", "--seed", "0"]),
        ({"each": ["a", "b"]}, ["--each", "a,b"]),
        ({"provider": ["cpu", "cuda"]}, ["--provider", "cpu", "--provider", "cuda"]),
        ({"dim": {"N": 2, "M": 3}}, ["--dim", "N=2", "--dim", "M=3"]),
        ({"budget": 1.5, "atol": 1e-7}, ["--budget", "1500ms", "--atol", "1e-07"]),
        ({"budget": "2m", "known": Path("known.json")}, ["--budget", "2m", "--known", "known.json"]),
        ({"atol": -1}, ["--atol=-1"]),
    ],
)
def test_keywords_are_flags(flags: dict[str, Any], words: list[str]) -> None:
    assert words_of_flags(flags) == words
