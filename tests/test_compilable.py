"""What a compiled wheel is made of is something that mypyc understands. (`test_compiled_wheel.py` builds one.)"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
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
    # Looked for and not imported: setuptools refuses to load where a test before this one has loaded distutils.
    if missing := [name for name in ("mypyc", "hatchling", "setuptools") if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    done = subprocess.run([sys.executable, "-c", TRANSLATE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    errors = [line for line in (done.stdout + done.stderr).splitlines() if ": warning:" not in line]
    assert done.returncode == 0, "\n".join(errors)
    assert list(tmp_path.rglob("*.c"))
