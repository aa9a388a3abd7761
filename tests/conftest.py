"""What holds for all tests: no run finds answers of another one, unless a test is about that, and none is timed.

Properties are tried on the same examples in every run, so that what passes here passes elsewhere: a few in the unit
suite, `--hypothesis-profile=many` where CI runs them again, `--hypothesis-profile=new` to look for examples that fail.

`REGPRESS_TESTS_UNTIL`, seconds since 1970, is when CI's time is over: what has not begun by then skips and says so.

Python keeps its bytecode: where an environment forbids that, each of the many processes that tests start would compile
all modules again.
"""

from __future__ import annotations

import os
import sys
import time

import machine
import pytest
from hypothesis import HealthCheck, settings

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
settings.register_profile("many", settings.get_profile("few"), max_examples=100)
settings.register_profile("new", settings.get_profile("few"), max_examples=1_000, derandomize=False)
settings.load_profile("few")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """What `-n auto` means."""
    return machine.here()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin no test for which there is no time."""
    if time.time() > float(os.environ.get("REGPRESS_TESTS_UNTIL") or "inf"):
        pytest.skip("CI has no time left for it")
