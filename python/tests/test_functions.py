"""The functions with the real tool and real models. test_page.py also runs repair, evaluate and profile."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import culprit

onnx = pytest.importorskip("onnx", reason="onnx makes the models of these tests: pip install onnx")


def scaled(factor: float, name: str = "x", output: str = "y") -> Any:
    """A model that multiplies its input of [1, 4] with a number."""
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    ends = [helper.make_tensor_value_info(end, kind, [1, 4]) for end in (name, output)]
    node = helper.make_node("Mul", [name, "factor"], [output])
    stored = helper.make_tensor("factor", kind, [1], [factor])
    graph = helper.make_graph([node], "scaled", ends[:1], ends[1:], [stored])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def test_check_names_the_pass(tool: Path, examples: Path) -> None:
    report = culprit.check("detector.onnx", no_localize=True)
    assert (report.exit_code, report.ok, report.model.outcome) == (1, False, "fault")
    assert [fault.culprits for fault in report.faults] == [("fuse_pad_into_pool",)]
    assert report.json["models"][0]["faults"][0]["culprits"] == ["fuse_pad_into_pool"]
    assert str(report) == report.text
    assert report.text.startswith("detector.onnx  FAULT")
    assert "report: " not in report.text
    assert repr(report).startswith("<CheckReport: exit code 1: detector.onnx  FAULT")
    assert report.run_dir is None
    assert "--no-repro" in report.json["command"], "nobody would see the small test cases"
    assert not (examples / ".culprit").exists()


def test_a_run_folder_is_kept(tool: Path, examples: Path) -> None:
    report = culprit.check("detector.onnx", no_localize=True, each=["fuse_pad_into_pool"], run_dir=examples / "run")
    assert report.run_dir == examples / "run"
    assert [variant.file for variant in report.model.variants] != [None]
    assert (examples / "run" / str(report.model.variants[0].file)).is_file()
    assert (examples / "run" / str(report.faults[0].repro)).is_dir()
    assert report.text.splitlines()[-1].startswith("report: ")


def test_known_faults_are_no_fault(tool: Path, examples: Path) -> None:
    culprit.check("detector.onnx", no_localize=True, each="fuse_pad_into_pool", run_dir="run")
    subprocess.run([tool, "known", "add", "run/repro/F1", "--known", "known.json"], check=True, capture_output=True)
    report = culprit.check("detector.onnx", no_localize=True, each="fuse_pad_into_pool", known="known.json")
    assert (report.ok, report.model.outcome) == (True, "known"), report.text
    assert report.faults[0].known is not None


def test_several_models_in_all_forms(tool: Path, examples: Path) -> None:
    models = [scaled(2), scaled(3).SerializeToString(), Path("branches.onnx")]
    report = culprit.check(models, no_localize=True, each=["eliminate_identity"], samples=2)
    assert report.ok, report.text
    assert [Path(found.model.path).name for found in report.models] == ["model_1.onnx", "model_2.onnx", "branches.onnx"]
    assert [found.data.samples for found in report.models] == [2, 2, 2]


def test_flags_and_arguments_reach_the_tool(tool: Path, examples: Path) -> None:
    more = ["--jobs", "1", "--threads", "1"]
    report = culprit.check(
        "detector.onnx", passes=["fuse_pad_into_pool"], no_localize=True, budget=60.5, seed=5, atol=1e6, arguments=more
    )
    words = report.json["command"]
    assert words[words.index("--budget") + 1] == "60500ms"
    assert words[words.index("--passes") + 1] == "fuse_pad_into_pool"
    assert words[words.index("--jobs") :][:4] == more
    assert report.model.data.seed == 5
    assert report.ok, "the tolerance is larger than the error"


@pytest.mark.parametrize("form", ["array", "dict", "list", "list of batches", "path"])
def test_compare_takes_data_in_all_forms(tool: Path, tmp_path: Path, form: str) -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.savez(tmp_path / "mine.npz", x=array)
    data: Any = {
        "array": array,
        "dict": {"x": array},
        "list": [{"x": row} for row in array],
        "list of batches": [{"x": row[None]} for row in array],
        "path": tmp_path / "mine.npz",
    }[form]
    report = culprit.compare(scaled(2), scaled(2.5), data=data)
    assert not report.ok
    assert (report.verdict, report.data.source, report.data.samples) == ("diverged", "file", 3)
    assert report.measurements["y"].max_abs == pytest.approx(0.5 * 11)


def test_compare_maps_names_and_has_a_table(tool: Path) -> None:
    pandas = pytest.importorskip("pandas")
    report = culprit.compare(scaled(2), scaled(2, name="z", output="w"), map={"x": "z", "y": "w"})
    assert report.ok
    table = report.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert (list(table["a"]), list(table["b"])) == (["y"], ["w"])
    assert list(table["max_abs"]) == [0.0]


def test_diagnose_finds_the_number(tool: Path, examples: Path) -> None:
    report = culprit.diagnose("conversion/trained.onnx", Path("conversion/wrong.onnx").read_bytes(), samples=2)
    assert [fault.class_ for fault in report.faults] == ["hyperparameter", "parameter"]
    marked = [row["source"] for row in report.rows() if row["fault"]]
    assert marked == ["pool", "conv1"]


def test_optimize_gives_bytes_or_a_file(tool: Path, examples: Path) -> None:
    report = culprit.optimize("detector.onnx", passes=["eliminate_identity"])
    assert report.ok and report.optimized is not None
    assert culprit.compare("detector.onnx", report.optimized).ok
    written = culprit.optimize("detector.onnx", examples / "safe.onnx", passes="eliminate_identity")
    assert written.optimized is None
    assert (examples / "safe.onnx").read_bytes() == report.optimized


def test_optimize_without_a_safe_file_is_not_ok(tool: Path, examples: Path) -> None:
    report = culprit.optimize("detector.onnx", passes="fuse_pad_into_pool", require_all=True)
    assert (report.exit_code, report.optimized) == (1, None)


def test_optimize_says_that_nobody_can_verify_it(tool: Path) -> None:
    report = culprit.optimize(scaled(0), passes="eliminate_identity")
    assert (report.exit_code, report.ok, report.optimized) == (3, False, None)
    assert "its outputs say nothing about its values" in report.text
    assert "its outputs say nothing about its values" in repr(report)


def test_the_page_is_escaped_in_a_notebook(tool: Path) -> None:
    report = culprit.compare(scaled(2), scaled(3))
    page = report._repr_html_()
    assert page.startswith("<pre>") and page.endswith("</pre>")
    assert "<" not in page[5:-6]
    assert culprit.CompareReport._repr_html_(type("R", (), {"text": "a<b>&"})()) == "<pre>a&lt;b&gt;&amp;</pre>"


def test_to_pandas_without_pandas_says_so(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = culprit.compare(scaled(2), scaled(2))
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(culprit.CulpritError, match="needs pandas"):
        report.to_pandas()


def test_weights_in_another_file_stay_there(tool: Path, examples: Path) -> None:
    model = scaled(2)
    model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(np.full([1], 2, np.float32), "factor"))
    options = {"save_as_external_data": True, "location": "weights", "size_threshold": 0}
    onnx.save(model, "external.onnx", **options)
    assert culprit.compare("external.onnx", scaled(2)).ok
    loaded = onnx.load("external.onnx", load_external_data=False)
    with pytest.raises(culprit.CulpritError, match="weights of this ModelProto are in another file"):
        culprit.compare(loaded, "external.onnx")


def test_a_path_that_looks_like_a_flag_is_a_path(tool: Path, examples: Path) -> None:
    Path("detector.onnx").rename("--help")
    assert culprit.compare("--help", "--help").ok


def test_what_is_no_model_is_a_type_error(tool: Path) -> None:
    with pytest.raises(TypeError, match=r"a model is a path, bytes or an onnx\.ModelProto, and here is int"):
        culprit.check(7)  # type: ignore[arg-type]
