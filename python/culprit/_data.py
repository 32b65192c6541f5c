"""Inputs as files: arrays are written to an .npy or .npz with a row for each sample."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Union

import numpy as np

from ._models import word_of_path
from ._writing import written

Arrays = Mapping[str, Any]
Data = Union[str, "os.PathLike[str]", "np.ndarray[Any, Any]", Arrays, Sequence[Arrays]]


def path_of_data(data: Data, folder: Path, name: str = "data") -> str:
    """The path of the data; arrays are written into the folder.

    An array is for the only input, and its first axis counts the samples. A dict has such an array for each input. A
    list has a dict for each sample, of what one run is fed.
    """
    if isinstance(data, (str, os.PathLike)):
        return word_of_path(data)
    if hasattr(data, "__array__"):  # of other libraries, too
        array = np.asarray(data)
        return str(written(folder / f"{name}.npy", lambda file: _write(_Writer(file), array)))
    columns = data if isinstance(data, Mapping) else _columns_of(data)
    arrays = {str(key): _plain(key, value) for key, value in columns.items()}
    if not arrays:
        raise ValueError("data has no arrays")
    return str(written(folder / f"{name}.npz", lambda file: _save(file, arrays)))


class _Writer:
    """A file of which NumPy does not know that it is one; else it would not tell that the disk is full."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write = file.write


def _write(file: Any, array: Any) -> None:
    np.lib.format.write_array(file, array, allow_pickle=False)


def _save(file: Any, arrays: dict[str, Any]) -> None:
    """Like np.savez, which cannot take an input that is called `file`."""
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                _write(member, array)


def _columns_of(samples: Sequence[Arrays]) -> Arrays:
    """Dicts of samples as one dict of arrays with a row for each."""
    if not samples or not all(isinstance(sample, Mapping) for sample in samples):
        raise TypeError("data is a path, an array, a dict of arrays or a list of dicts that is not empty")
    names = set(samples[0])
    for number, sample in enumerate(samples):
        if set(sample) != names:
            raise ValueError(f"sample {number} has the inputs {sorted(sample)}, and sample 0 has {sorted(names)}")
    columns = {}
    for name in samples[0]:
        arrays = [np.asarray(sample[name]) for sample in samples]
        kinds = sorted({f"{array.dtype}{list(array.shape)}" for array in arrays if array.dtype.kind not in "USO"})
        if len(kinds) > 1:
            raise ValueError(f"input {name!r} is not the same in all samples: {', '.join(kinds)}")
        columns[name] = np.stack(arrays)
    return columns


def _plain(name: object, value: Any) -> Any:
    """An array without Python objects: texts get a fixed width."""
    array = np.asarray(value)
    if array.dtype.kind != "O":
        return array
    if all(isinstance(item, str) for item in array.flat):
        return array.astype(np.str_)
    raise TypeError(f"input {name!r} holds Python objects, and no numbers")
