"""The functions that measure models: evaluate, profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ._answers import Models, named, report_of
from ._calls import Call, PathLike, Way
from ._checking import Names, Time
from ._data import Data
from .reports import EvaluateReport, ProfileReport


def evaluate(
    models: Models,
    *,
    data: Optional[Data] = None,
    labels: Optional[PathLike] = None,
    pairs: Optional[PathLike] = None,
    preprocess: Optional[PathLike] = None,
    samples: Optional[int] = None,
    shuffle: bool = False,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    task: Optional[str] = None,
    detector: Optional[PathLike] = None,
    curves: bool = False,
    runtime: Optional[PathLike] = None,
    deploy_level: Optional[str] = None,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> EvaluateReport:
    """What do these models predict on a data set, how good is it, and do they agree with the first?

    The command is `culprit eval`. Models may also be TFLite or Keras files, and paths of TensorFlow models. Errors and
    the other keywords are those of `check`.

        >>> culprit.evaluate(["model.onnx", "coarse.onnx"]).models[1].changed
        9
    """
    flags = dict(labels=labels, pairs=pairs, preprocess=preprocess, samples=samples, shuffle=shuffle, seed=seed)
    deciding = dict(dim=dim, task=task, detector=detector, curves=curves, runtime=runtime, deploy_level=deploy_level)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(EvaluateReport, Call("eval", named(models), {"data": data}, {**flags, **deciding}, way))


def profile(
    model: Models,
    *,
    data: Optional[Data] = None,
    samples: Optional[int] = None,
    seed: Optional[int] = None,
    dim: Optional[Mapping[str, int]] = None,
    levels: Optional[Names] = None,
    optimizer: Optional[PathLike] = None,
    passes: Optional[Names] = None,
    each: Optional[Names] = None,
    runtime: Union[PathLike, Sequence[PathLike], None] = None,
    provider: Optional[Names] = None,
    against: Optional[str] = None,
    blocks: Optional[int] = None,
    until_sure: bool = False,
    budget: Optional[Time] = None,
    sweep: Optional[Names] = None,
    blame: bool = False,
    threads: Optional[int] = None,
    baseline: Optional[PathLike] = None,
    run_dir: Optional[PathLike] = None,
    arguments: Sequence[str] = (),
    timeout: Optional[float] = None,
    progress: bool = True,
) -> ProfileReport:
    """Is an optimized model faster, why, and what does it cost in memory?

    `model` is one model or a list. Without more, one model is measured at several levels of the runtime's
    optimizations. Times of the report are seconds, memory is bytes. Errors and the other keywords are those of `check`.

        >>> [entry.name for entry in culprit.profile("detector.onnx", levels=["off", "all"], blocks=6).entries]
        ['off', 'all']
    """
    rows: dict[str, Any] = dict(levels=levels, optimizer=optimizer, passes=passes, each=each, runtime=runtime)
    rows.update(provider=provider, against=against, sweep=sweep, baseline=baseline)
    time: dict[str, Any] = dict(blocks=blocks, until_sure=until_sure, budget=budget, blame=blame, threads=threads)
    way = Way(arguments, run_dir, timeout, progress)
    return report_of(
        ProfileReport,
        Call(
            "profile", named(model), {"data": data}, {**rows, **time, "samples": samples, "seed": seed, "dim": dim}, way
        ),
    )
