"""Reads JSON into the dataclasses of records.py."""

from __future__ import annotations

import dataclasses
import functools
import json
import keyword
import typing
from pathlib import Path
from typing import Any, Type, TypeVar, Union

from .errors import CulpritError

Record = TypeVar("Record")


def json_of_file(path: Path) -> dict[str, Any]:
    """The report in this file. Raises CulpritError if it is not a whole JSON object."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CulpritError(f"{path}: the report cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise CulpritError(f"{path}: the report is not a JSON object")
    return found


def record_of(kind: Type[Record], fields: Any, place: str = "report", **more: Any) -> Record:
    """The object `fields` as a dataclass of this kind.

    A field that the class does not know is left out, since reports only ever gain fields. A field that the report
    lacks is None if the class allows it; else CulpritError is raised. `more` are fields that are no part of the JSON.
    """
    if not isinstance(fields, dict):
        raise CulpritError(f"{place}: an object was expected, and here is {_short(fields)}")
    values = dict(more)
    for name, hint, required in _fields_of(typing.cast(typing.Hashable, kind)):
        key = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if key in fields:
            values.setdefault(name, _value_of(hint, fields[key], f"{place}.{key}"))
        elif required and name not in values:
            raise CulpritError(
                f"{place}: the report has no field {key!r}", hint="the tool and this package are of different versions"
            )
    return kind(**values)


@functools.lru_cache(maxsize=None)
def _fields_of(kind: Any) -> list[tuple[str, Any, bool]]:
    """Of each field its name, its type, and whether a report must have it."""
    hints = typing.get_type_hints(kind)
    return [
        (
            field.name,
            hints[field.name],
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
        if field.metadata.get("of_json", True)
    ]


def _value_of(hint: Any, value: Any, place: str) -> Any:
    """A value of the JSON as the type of its field wants it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union:
        if value is None:
            return None
        return _value_of(arguments[0], value, place)
    if origin is tuple:
        _must_be(list, value, place)
        return tuple(_value_of(arguments[0], item, f"{place}[{i}]") for i, item in enumerate(value))
    if origin is dict:
        _must_be(dict, value, place)
        return {key: _value_of(arguments[1], item, f"{place}[{key!r}]") for key, item in value.items()}
    if dataclasses.is_dataclass(hint):
        return record_of(typing.cast(Type[Any], hint), value, place)
    return _number_of(value, place) if hint is float else value


def _number_of(value: Any, place: str) -> float:
    """A number; "nan", "inf" and "-inf" are numbers too."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise CulpritError(f"{place}: a number was expected, and here is {_short(value)}") from None


def _must_be(kind: type, value: Any, place: str) -> None:
    if not isinstance(value, kind):
        raise CulpritError(f"{place}: a {kind.__name__} was expected, and here is {_short(value)}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
