"""Records are what the schemas say, and are read whatever the tool adds."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from culprit import CulpritError, records
from culprit._reading import json_of_file, record_of

MEASURED = {
    "max_abs": "inf", "max_rel": 0.5, "max_ulp": 7, "cosine": "nan", "nonfinite_mismatch": 0, "mismatched": 1,
    "beyond_floor": 1, "beyond_tolerance": 1, "ties": 0, "finite_instead": 0, "elements": 8, "atol": 0, "rtol": 0,
    "floor": 0, "worst": 0, "times": 0, "by_share": 0, "note": "",
}  # fmt: skip


def make(repo: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(repo / "scripts" / "records.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_file_is_what_the_schemas_give() -> None:
    assert make(ROOT, "--check").returncode == 0


def test_another_schema_is_noticed(tmp_path: Path) -> None:
    for folder in ("docs", "scripts", "python/culprit"):
        (tmp_path / folder).mkdir(parents=True)
    for path in [
        *(ROOT / "docs").glob("*.schema.json"),
        ROOT / "scripts/records.py",
        ROOT / "python/culprit/records.py",
    ]:
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    schema = tmp_path / "docs" / "compare.schema.json"
    schema.write_text(schema.read_text().replace('"unbound": {', '"unbounded": { "type": "string" }, "unbound": {', 1))
    found = make(tmp_path, "--check")
    assert (found.returncode, "run scripts/records.py" in found.stderr) == (1, True)
    assert make(tmp_path).returncode == 0
    assert "    unbounded: Optional[str] = None" in (tmp_path / "python/culprit/records.py").read_text()


def test_words_for_numbers_are_numbers() -> None:
    found = record_of(records.CompareMeasurement, MEASURED)
    assert found.max_abs == math.inf
    assert math.isnan(found.cosine)
    assert found.max_ulp == 7


def test_unknown_fields_are_left_out_and_absent_optional_ones_are_none() -> None:
    found = record_of(records.CompareMeasurement, {**MEASURED, "new": {"deep": 1}})
    assert not hasattr(found, "new")
    assert found.shared is None


def test_objects_within_are_records() -> None:
    shared = {"kind": "ratio", "off": 0.5, "explained": 0.25, "elements": 3}
    found = record_of(records.CompareMeasurement, {**MEASURED, "shared": shared})
    assert found.shared == records.CompareMeasurementShared(kind="ratio", off=0.5, explained=0.25, elements=3)


def test_keywords_of_python_have_an_underscore() -> None:
    found = record_of(records.CheckSafeRecipeLeftOut, {"pass": "fuse_qkv", "reason": "wrong"})
    assert found.pass_ == "fuse_qkv"


def test_records_are_frozen() -> None:
    found = record_of(records.CompareTool, {"name": "culprit", "version": "1"})
    with pytest.raises(AttributeError):
        found.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "culprit"}, "report: the report has no field 'version'"),
        ([], "report: an object was expected, and here is []"),
    ],
)
def test_what_is_no_record_is_told(fields: Any, words: str) -> None:
    with pytest.raises(CulpritError, match=words.replace("[]", r"\[\]")):
        record_of(records.CompareTool, fields)


def test_the_place_of_a_wrong_value_is_told() -> None:
    with pytest.raises(CulpritError, match=r"report\.max_rel: a number was expected, and here is 'much'"):
        record_of(records.CompareMeasurement, {**MEASURED, "max_rel": "much"})
    left_out = {"passes": [], "left_out": [{"reason": ""}]}
    with pytest.raises(CulpritError, match=r"report.left_out\[0\]: the report has no field 'pass'"):
        record_of(records.CheckSafeRecipe, {"repeat": "", "level": None, "disabled": [], "verified": None, **left_out})


@pytest.mark.parametrize("text", ["", '{"schema": ', "[]", "\udcff"])
def test_a_file_that_is_no_report_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CulpritError, match="report"):
        json_of_file(path)
