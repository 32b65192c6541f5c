"""Keywords as flags of the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Union

FlagValue = Union[None, bool, int, float, str, "os.PathLike[str]", Sequence[Any], Mapping[str, Any]]

JOINED = {"passes", "each", "levels"}  # their values stand in one word, with commas
TIMES = {"budget"}


def words_of_flags(flags: Mapping[str, FlagValue]) -> list[str]:
    """The words of all flags that are set.

    None and False are no flag, True is a flag alone, a list is the flag repeated, a dict is NAME=VALUE repeated.
    """
    words: list[str] = []
    for name, value in flags.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
            continue
        for text in _texts(name, value):
            words += [f"{flag}={text}"] if text.startswith("-") else [flag, text]
    return words


def _texts(name: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={_text(name, item)}" for key, item in value.items()]
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Sequence):
        return [_text(name, value)]
    texts = [_text(name, item) for item in value]
    return [",".join(texts)] if name in JOINED else texts


def _text(name: str, value: Any) -> str:
    """One value. Times are seconds; the tool takes no fractions of them, but milliseconds."""
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if name in TIMES and isinstance(value, (int, float)):
        return f"{round(value * 1000)}ms"
    return str(value)
