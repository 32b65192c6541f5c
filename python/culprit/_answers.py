"""Makes the report of an answer, and names models that have no file yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, Union, cast

from ._calls import Call, answer_of
from ._models import Model
from ._reading import record_of
from .errors import CulpritError
from .reports import Report

Models = Union[Model, Sequence[Model]]
AnyReport = TypeVar("AnyReport", bound=Report)


def report_of(kind: type[AnyReport], call: Call) -> AnyReport:
    """Runs the tool, and reads its report as this kind."""
    answer = answer_of(call)
    more: dict[str, Any] = {
        "json": answer.json,
        "text": answer.text,
        "log": answer.log,
        "exit_code": answer.exit_code,
        "run_dir": answer.run_dir,
    }
    if call.output == "":
        more["optimized"] = answer.made
    try:
        return record_of(kind, answer.json, **more)
    except CulpritError as error:
        error.exit_code = answer.exit_code
        raise


def named(models: Models) -> list[tuple[str, Model]]:
    """One model or several, each with a name for its file."""
    if not isinstance(models, (list, tuple)):
        return [("model", cast(Model, models))]
    return [(f"model_{number}", model) for number, model in enumerate(models, 1)]
