"""The functions that hold one model against another: compare, diagnose, repair."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Optional

from ._answers import report_of
from ._calls import Call, PathLike, Way
from ._data import Data
from ._models import Model
from .reports import CompareReport, DiagnoseReport, RepairReport


def compare(
    a: Model,
    b: Model,
    *,
    data: Optional[Data] = None,
    samples: Optional[int] = None,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    map: Optional[Mapping[str, str]] = None,
    task: Optional[str] = None,
    labels: Optional[PathLike] = None,
    runtime: Optional[PathLike] = None,
    deploy_level: Optional[str] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    strict: bool = False,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> CompareReport:
    """Do these two models mean the same, and where is the first mismatch?

    Models, data, errors and the other keywords are those of `check`. `map` names an input or output of `a` and the one
    of `b` that it stands for.

        >>> culprit.compare("trained.onnx", "wrong.onnx").ok
        False
    """
    flags = dict(samples=samples, seed=seed, dim=dim, map=map, task=task, labels=labels)
    judging = dict(runtime=runtime, deploy_level=deploy_level, atol=atol, rtol=rtol, strict=strict)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(CompareReport, Call("compare", [("a", a), ("b", b)], {"data": data}, {**flags, **judging}, way))


def diagnose(
    source: Model,
    target: Model,
    *,
    data: Optional[Data] = None,
    target_data: Optional[Data] = None,
    samples: Optional[int] = None,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    map: Optional[Mapping[str, str]] = None,
    intermediate: Sequence[PathLike] = (),
    runtime: Optional[PathLike] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    strict: bool = False,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> DiagnoseReport:
    """Which layer, which tensor, which number did a conversion get wrong?

    Models may also be TFLite or Keras files, and paths of TensorFlow models. `target_data` is what the target is really
    fed, sample by sample for `data`. Errors and the other keywords are those of `check`.

        >>> [fault.class_ for fault in culprit.diagnose("trained.onnx", "wrong.onnx").faults]
        ['hyperparameter', 'parameter']
    """
    flags = dict(samples=samples, seed=seed, dim=dim, map=map, intermediate=intermediate)
    judging = dict(runtime=runtime, atol=atol, rtol=rtol, strict=strict)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(
        DiagnoseReport,
        Call(
            "diagnose",
            [("source", source), ("target", target)],
            {"data": data, "target-data": target_data},
            {**flags, **judging},
            way,
            no_repro=True,
        ),
    )


def repair(
    source: Model,
    target: Model,
    output: PathLike,
    *,
    data: Optional[Data] = None,
    target_data: Optional[Data] = None,
    samples: Optional[int] = None,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    map: Optional[Mapping[str, str]] = None,
    feeding: Optional[PathLike] = None,
    runtime: Optional[PathLike] = None,
    deploy_level: Optional[str] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    strict: bool = False,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> RepairReport:
    """Mends what a conversion got wrong, writes the target to `output`, and verifies it.

    The report is ok if a right target is there. Errors and the other keywords are those of `diagnose`.

        >>> culprit.repair("trained.onnx", "wrong.onnx", "mended.onnx").status
        'mended'
    """
    flags = dict(samples=samples, seed=seed, dim=dim, map=map, feeding=feeding)
    judging = dict(runtime=runtime, deploy_level=deploy_level, atol=atol, rtol=rtol, strict=strict)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(
        RepairReport,
        Call(
            "repair",
            [("source", source), ("target", target)],
            {"data": data, "target-data": target_data},
            {**flags, **judging},
            way,
            output=os.fspath(output),
        ),
    )
