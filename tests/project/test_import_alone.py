"""Every module can be imported first: none depends on an earlier import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# One process a module: what an import leaves behind would help the next one.
ALONE = """
import os, sys
failed = []
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            __import__(name)
        except BaseException as error:
            print(f"{name}: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        failed.append(name)
sys.exit(f"do not import alone: {failed}" if failed else 0)
"""


def modules() -> list[str]:
    """All modules of the program and of the rules, except those that run when imported."""
    found = []
    for root, package in ((ROOT, "regpress_lint"), (ROOT / "rules", "regpress_rules")):
        paths = (path.relative_to(root).with_suffix("") for path in (root / package).rglob("*.py"))
        found += [".".join(path.parts).removesuffix(".__init__") for path in paths if path.name != "__main__"]
    return sorted(found)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no fork here")
def test_every_module_can_be_imported_first() -> None:
    names = modules()
    assert {"regpress_lint.server.open_texts", "regpress_lint.model.graph.values", "regpress_rules.math"} <= {*names}
    done = subprocess.run([sys.executable, "-c", ALONE, *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
