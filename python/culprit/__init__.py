"""Finds the step that broke a neural network: the command `culprit` for Python.

import culprit

report = culprit.check("model.onnx")
print(report)
"""

from __future__ import annotations

from ._checking import check, optimize
from ._measuring import evaluate, profile
from ._pairs import compare, diagnose, repair
from ._tool import tool_path
from .errors import CannotJudge, CulpritError, ToolCrashed, ToolNotFound, ToolTimedOut, UsageError
from .reports import (
    CheckReport,
    CompareReport,
    DiagnoseReport,
    EvaluateReport,
    OptimizeReport,
    ProfileReport,
    RepairReport,
)

__all__ = [
    "CannotJudge",
    "CheckReport",
    "CompareReport",
    "CulpritError",
    "DiagnoseReport",
    "EvaluateReport",
    "OptimizeReport",
    "ProfileReport",
    "RepairReport",
    "ToolCrashed",
    "ToolNotFound",
    "ToolTimedOut",
    "UsageError",
    "check",
    "compare",
    "diagnose",
    "evaluate",
    "optimize",
    "profile",
    "repair",
    "tool_path",
]
