"""The reports that the functions of this package return."""

from __future__ import annotations

import dataclasses
import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Optional

from . import records
from .errors import CulpritError

if TYPE_CHECKING:
    import pandas

NO_FIELD = {"of_json": False}


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What all reports have, besides the fields of their JSON."""

    #: The JSON as the tool wrote it, fields that this package does not know included.
    json: Dict[str, Any] = field(default_factory=dict, metadata=NO_FIELD)
    #: The page that the command prints.
    text: str = field(default="", metadata=NO_FIELD)
    #: What the tool wrote to standard error.
    log: str = field(default="", metadata=NO_FIELD)
    #: 0 nothing wrong, 1 a fault was found, 3 it could not be judged.
    exit_code: int = field(default=0, metadata=NO_FIELD)
    #: The folder with models, figures and small test cases; None if none was asked for, so that it is gone.
    run_dir: Optional[Path] = field(default=None, metadata=NO_FIELD)

    @property
    def ok(self) -> bool:
        """True if nothing is wrong: the exit code is 0."""
        return self.exit_code == 0

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table that `to_pandas` makes."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """The main table of the report. Raises CulpritError if pandas is not installed."""
        try:
            import pandas
        except ImportError as error:
            raise CulpritError("to_pandas() needs pandas", hint="install it, or use rows()") from error
        return pandas.DataFrame(self.rows())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        first = self.text.strip().split("\n", 1)[0]
        return f"<{type(self).__name__}: exit code {self.exit_code}: {first}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True, eq=False, repr=False)
class CheckReport(Report, records.CheckRecord):
    """What `check` found. Rows: the variants."""

    @property
    def model(self) -> records.CheckModelReport:
        """What was found of the first model."""
        return self.models[0]

    @property
    def faults(self) -> tuple[records.CheckFault, ...]:
        """The faults of all models."""
        return tuple(fault for model in self.models for fault in model.faults)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each variant, with the largest error of all outputs."""
        return [_row_of_variant(model, variant) for model in self.models for variant in model.variants]


@dataclass(frozen=True, eq=False, repr=False)
class OptimizeReport(CheckReport):
    """What `optimize` did; ok if a verified model was written. Rows: the variants that it tried."""

    #: The optimized model, if no file was named for it; None if none was written.
    optimized: Optional[bytes] = field(default=None, metadata=NO_FIELD)


@dataclass(frozen=True, eq=False, repr=False)
class CompareReport(Report, records.CompareRecord):
    """How far two models are apart; ok if they are the same. Rows: the outputs."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each output that was compared."""
        names = {pair.a: pair.b for pair in self.outputs}
        return [{"a": a, "b": names.get(a, a), **_plain(found)} for a, found in self.measurements.items()]


@dataclass(frozen=True, eq=False, repr=False)
class DiagnoseReport(Report, records.DiagnoseRecord):
    """What a conversion got wrong; ok if nothing. Rows: the layers of the source."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each layer."""
        return [
            {
                "source": row.source.name if row.source else None,
                "source_type": row.source.type if row.source else None,
                "target": row.target.name if row.target else None,
                "target_type": row.target.type if row.target else None,
                **{key: value for key, value in _plain(row).items() if key not in ("source", "target")},
            }
            for row in self.layers
        ]


@dataclass(frozen=True, eq=False, repr=False)
class RepairReport(Report, records.RepairRecord):
    """What was mended; ok if the target is right now. Rows: how the written file was verified."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each level of the runtime at which the file was verified."""
        return [_plain(found) for found in self.checks]


@dataclass(frozen=True, eq=False, repr=False)
class EvaluateReport(Report, records.EvaluateRecord):
    """How good models are; ok if all were judged, also if they differ. Rows: the models."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each model. A metric is a column, such as `labels_top1` and `first_top1_agreement`."""
        return [
            {
                "path": found.path,
                "task": found.task,
                "samples": found.samples,
                "labelled": found.labelled,
                "failures": found.failures,
                "changed": found.changed,
                **{f"labels_{name}": metric.value for name, metric in (found.against_labels or {}).items()},
                **{f"first_{name}": metric.value for name, metric in (found.against_first or {}).items()},
                "seconds_run": found.seconds_run,
            }
            for found in self.models
        ]


@dataclass(frozen=True, eq=False, repr=False)
class ProfileReport(Report, records.ProfileRecord):
    """How fast models are; ok if all rows were measured. Rows: the entries. Times are seconds, memory is bytes."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each entry."""
        return [
            {
                "name": entry.name,
                "model": entry.model,
                "level": entry.level,
                "runtime": entry.runtime,
                "provider": entry.provider,
                "verdict": entry.verdict,
                "seconds": entry.seconds.median if entry.seconds else None,
                "ratio": entry.ratio.value if entry.ratio else None,
                "ratio_low": entry.ratio.low if entry.ratio else None,
                "ratio_high": entry.ratio.high if entry.ratio else None,
                "nodes": entry.nodes,
                "throughput": entry.throughput,
                "memory": entry.memory.run_peak if entry.memory else None,
                "load_seconds": entry.load.median if entry.load else None,
                "failure": entry.failure,
            }
            for entry in self.entries
        ]


def _plain(record: Any) -> dict[str, Any]:
    """The fields of a record that are single values."""
    return {
        name: value
        for name, value in vars(record).items()
        if not isinstance(value, (tuple, dict)) and not dataclasses.is_dataclass(value)
    }


def _row_of_variant(model: records.CheckModelReport, variant: records.CheckVariant) -> dict[str, Any]:
    errors = [found.max_abs for found in variant.measurements.values()]
    return {
        "model": model.model.path,
        "id": variant.id,
        "passes": ",".join(variant.recipe.passes),
        "verdict": variant.verdict,
        "same_as": variant.same_as,
        "nodes_before": variant.nodes_before,
        "nodes": variant.nodes,
        "max_abs": max(errors) if errors else None,
        "confirmed": variant.confirmed,
        "message": variant.message,
        "file": variant.file,
        "optimize_seconds": variant.seconds.optimize,
        "run_seconds": variant.seconds.run,
    }
