"""In CI a test that skips, or that had no time to begin, fails: a green run has run what it had to."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

TESTS = os.path.dirname(os.path.abspath(__file__))


def ran(folder: Path, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A file of tests, run with what holds for ours."""
    (folder / "test_it.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "-p", "no:xdist", "."]
    others = {name: value for name, value in os.environ.items() if not name.startswith(("REGPRESS_", "PYTEST_"))}
    given = others | {"PYTHONPATH": TESTS} | environment
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)


SKIPPED = {
    "in a test": "import pytest\n\ndef test_it():\n    pytest.skip('SARIF_SCHEMA does not name a copy')\n",
    "by a mark": "import pytest\n\n@pytest.mark.skipif(True, reason='nothing set it')\ndef test_it():\n    pass\n",
    "a whole file": "import pytest\npytest.importorskip('no_such_module_anywhere')\n\ndef test_it():\n    pass\n",
}


@pytest.mark.parametrize("text", SKIPPED.values(), ids=SKIPPED)
def test_what_skips_fails_where_it_is_required(tmp_path: Path, text: str) -> None:
    assert ran(tmp_path, text).returncode in (0, 5)
    required = ran(tmp_path, text, REGPRESS_REQUIRED="1")
    assert required.returncode in (1, 2)
    assert "required, but skipped" in required.stdout


@pytest.mark.parametrize("reason", ["no nvcc on PATH", "root may read everything", "no kernel"])
def test_what_a_machine_may_lack_still_skips(tmp_path: Path, reason: str) -> None:
    text = f"import pytest\n\ndef test_it():\n    pytest.skip({reason!r})\n"
    assert ran(tmp_path, text, REGPRESS_REQUIRED="1").returncode == 0


def test_what_had_no_time_to_begin_fails(tmp_path: Path) -> None:
    done = ran(tmp_path, "def test_it():\n    pass\n", REGPRESS_TESTS_UNTIL="1")
    assert done.returncode == 1
    assert "CI has no time left" in done.stdout
