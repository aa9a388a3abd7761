"""In CI a test that skips, or that had no time to begin, fails: a green run has run what it had to."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.slow  # each starts pytest several times, and it is about CI
REQUIRED = {"REGPRESS_REQUIRED": "1"}
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def ran(folder: Path, files: Mapping[str, str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Files of tests, run with what holds for ours."""
    for name, text in {**files, "pytest.ini": "[pytest]\n"}.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "-p", "no:xdist", "."]
    others = {name: value for name, value in os.environ.items() if not name.startswith(("REGPRESS_", "PYTEST_"))}
    given = others | {"PYTHONPATH": TESTS} | environment
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)


MAY_SKIP = "import pytest\n\n@pytest.mark.parametrize('why', {reasons})\ndef test_it(why):\n    pytest.skip(why)\n"
MUST_RUN = {
    "test_inside.py": "import pytest\n\ndef test_it():\n    pytest.skip('SARIF_SCHEMA does not name a copy')\n",
    "test_mark.py": "import pytest\n\n@pytest.mark.skipif(True, reason='nothing set it')\ndef test_it():\n    pass\n",
    "test_file.py": "import pytest\npytest.importorskip('no_such_module_anywhere')\n\ndef test_it():\n    pass\n",
}


def test_skipped_test_fails_if_required(tmp_path: Path) -> None:
    assert ran(tmp_path, MUST_RUN).returncode == 0
    (tmp_path / "test_file.py").rename(tmp_path / "whole_file.py")
    tests = ran(tmp_path, {name: text for name, text in MUST_RUN.items() if name != "test_file.py"}, **REQUIRED)
    assert tests.returncode == 1
    assert tests.stdout.count("\nrequired, but skipped: ") == 2
    file = ran(tmp_path, MUST_RUN, **REQUIRED)
    assert file.returncode == 2  # nothing was collected from it
    assert "required, but skipped: could not import 'no_such_module_anywhere'" in file.stdout


def test_test_of_an_optional_tool_still_skips(tmp_path: Path) -> None:
    reasons = ["no nvcc on PATH", "root may read everything", "no kernel"]
    done = ran(tmp_path, {"test_it.py": MAY_SKIP.format(reasons=reasons)}, **REQUIRED)
    assert done.returncode == 0
    assert "3 skipped" in done.stdout


def test_test_without_time_to_begin_fails(tmp_path: Path) -> None:
    done = ran(tmp_path, {"test_it.py": "def test_it():\n    pass\n"}, REGPRESS_TESTS_UNTIL="1")
    assert done.returncode == 1
    assert "CI has no time left" in done.stdout
