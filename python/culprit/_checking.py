"""The functions that look at what an optimizer makes: check, optimize."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ._answers import Models, named, report_of
from ._calls import Call, PathLike, Way
from ._data import Data
from ._models import Model
from .reports import CheckReport, OptimizeReport

Names = Union[str, Sequence[str]]
Time = Union[str, int, float]


def check(
    model: Models,
    *,
    data: Optional[Data] = None,
    samples: Optional[int] = None,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    optimizer: Optional[PathLike] = None,
    option: Optional[Mapping[str, Any]] = None,
    passes: Optional[Names] = None,
    each: Optional[Names] = None,
    runtime: Optional[PathLike] = None,
    second_runtime: Optional[PathLike] = None,
    deploy_level: Optional[str] = None,
    budget: Optional[Time] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    strict: bool = False,
    no_localize: bool = False,
    known: Optional[PathLike] = None,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> CheckReport:
    """Does optimizing break this model, and which pass does it?

    `model` is a path, bytes or an onnx.ModelProto, or a list of these. `data` is a path, an array, a dict of arrays
    with a row for each sample, or a list of dicts; without it the tool makes inputs. `budget` is the tool's own time,
    in seconds or as "2m"; it then ends with what it has. `timeout` is in seconds; the tool is then ended, and
    ToolTimedOut is raised. `run_dir` keeps models and small test cases. The other keywords are flags of `culprit
    check`; `arguments` are further words of its command line, such as ["--jobs", "1"].

    Raises a CulpritError if no report came. A fault is no error, but exit code 1 of the report.

        >>> report = culprit.check("detector.onnx")
        >>> report.ok, report.faults[0].culprits
        (False, ('fuse_pad_into_pool',))
    """
    flags = dict(samples=samples, seed=seed, dim=dim, optimizer=optimizer, option=option, passes=passes, each=each)
    judging = dict(atol=atol, rtol=rtol, strict=strict, no_localize=no_localize, known=known)
    running = dict(runtime=runtime, second_runtime=second_runtime, deploy_level=deploy_level, budget=budget)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(
        CheckReport, Call("check", named(model), {"data": data}, {**flags, **judging, **running}, way, no_repro=True)
    )


def optimize(
    model: Model,
    output: Optional[PathLike] = None,
    *,
    data: Optional[Data] = None,
    samples: Optional[int] = None,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    optimizer: Optional[PathLike] = None,
    option: Optional[Mapping[str, Any]] = None,
    passes: Optional[Names] = None,
    require_all: bool = False,
    runtime: Optional[PathLike] = None,
    deploy_level: Optional[str] = None,
    budget: Optional[Time] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    strict: bool = False,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> OptimizeReport:
    """Optimizes this model by the passes that are verified not to break it.

    `output` is the file that is written; without it the bytes are in the report, as `optimized`. The report is ok if
    the model was written and verified. Keywords and errors are those of `check`.

        >>> culprit.optimize("detector.onnx", "safe.onnx").ok
        True
    """
    flags = dict(samples=samples, seed=seed, dim=dim, optimizer=optimizer, option=option, passes=passes)
    judging = dict(atol=atol, rtol=rtol, strict=strict, require_all=require_all)
    running = dict(runtime=runtime, deploy_level=deploy_level, budget=budget)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(
        OptimizeReport,
        Call(
            "optimize",
            [("model", model)],
            {"data": data},
            {**flags, **judging, **running},
            way,
            no_repro=True,
            output="" if output is None else os.fspath(output),
        ),
    )
