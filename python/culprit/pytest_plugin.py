"""Tests of models with pytest: the fixtures culprit_check and culprit_same.

A test that uses them has the mark `culprit`, so `-m "not culprit"` leaves it out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Optional, TypeVar

import pytest

from ._checking import check
from ._pairs import compare
from .errors import CulpritError
from .reports import CheckReport, CompareReport, Report

FIXTURES = {"culprit_check", "culprit_same"}
AnyReport = TypeVar("AnyReport", bound=Report)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --culprit-known FILE, and the same as a line of the ini file."""
    text = "list of known faults for the fixture culprit_check, made by `culprit known`"
    parser.getgroup("culprit").addoption("--culprit-known", metavar="FILE", default=None, help=text)
    parser.addini("culprit_known", help=text + " (relative to the ini file)", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Makes the mark known."""
    config.addinivalue_line("markers", "culprit: a test that runs the tool culprit (added by its fixtures)")


@pytest.hookimpl(tryfirst=True)  # before -m leaves tests out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that use the fixtures."""
    for item in items:
        if FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("culprit")


@pytest.fixture
def culprit_check(request: pytest.FixtureRequest) -> Callable[..., CheckReport]:
    """culprit_check(model, **keywords of culprit.check): fails the test if optimizing breaks the model.

    It also fails the test if the model cannot be judged. Returns the report. Known faults (--culprit-known) pass.

        def test_my_model(culprit_check):
            culprit_check("model.onnx")
    """
    known = _known(request.config)

    def checked(model: Any, **keywords: Any) -> CheckReport:
        __tracebackhide__ = True
        return _passed(lambda: check(model, **{"known": known, "progress": False, **keywords}))

    return checked


@pytest.fixture
def culprit_same() -> Callable[..., CompareReport]:
    """culprit_same(a, b, data=None, **keywords of culprit.compare): fails the test if two models do not mean the same.

    It also fails the test if that cannot be judged. Returns the report.

        def test_export(culprit_same):
            culprit_same("before.onnx", "after.onnx", data="samples.npz")
    """

    def same(a: Any, b: Any, data: Any = None, **keywords: Any) -> CompareReport:
        __tracebackhide__ = True
        return _passed(lambda: compare(a, b, data=data, **{"progress": False, **keywords}))

    return same


def _passed(ask: Callable[[], AnyReport]) -> AnyReport:
    """The report, if it is ok. Else the test fails with the page, and not with a traceback."""
    __tracebackhide__ = True
    try:
        report = ask()
    except CulpritError as error:
        said = str(error)
    else:
        if report.ok:
            return report
        said = report.text
    pytest.fail(said, pytrace=False)


def _known(config: pytest.Config) -> Optional[Path]:
    """The list of known faults: of the command line, else of the ini file."""
    given = config.getoption("--culprit-known")
    if given:
        return Path(config.invocation_params.dir) / str(given)
    named = str(config.getini("culprit_known"))
    folder: Path = config.inipath.parent if config.inipath else config.rootpath
    return folder / named if named else None
