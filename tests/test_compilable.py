"""What a compiled wheel is made of is something that mypyc understands. (`test_compiled_wheel.py` builds one.)"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# setuptools first: what it finds of distutils imported before it, it takes for a mistake.
TRANSLATE = """
import setuptools
import sys
from build_hook import compiled_modules
from mypyc.build import mypycify
mypycify(["--config-file=", *compiled_modules(".")], opt_level="0", debug_level="0", target_dir=sys.argv[1])
"""


@pytest.mark.slow
def test_mypyc_translates_the_modules_that_a_compiled_wheel_has(tmp_path: Path) -> None:
    for name in ("mypyc", "hatchling", "setuptools"):
        pytest.importorskip(name)
    done = subprocess.run([sys.executable, "-c", TRANSLATE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    errors = [line for line in (done.stdout + done.stderr).splitlines() if ": warning:" not in line]
    assert done.returncode == 0, "\n".join(errors)
    assert list(tmp_path.rglob("*.c"))
