"""docs/architecture.md shows what the program has in its hands now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_walk_matches_the_command() -> None:
    command = [sys.executable, "-m", "tools.generators.architecture_walk", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run `python -m tools.generators.architecture_walk`\n{done.stderr}"
