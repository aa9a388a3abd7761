"""Ways to the same answer: files one by one and all at once, and the editor's server and the command line.

Any number of jobs (`test_cli.py`), a cache (`test_cache_edits.py`) and libclang switched off (`test_semantics.py`) have
tests of their own.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import run_json
from server_helpers import editor

if TYPE_CHECKING:
    from collections.abc import Sequence

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
FOLDERS = ("rules/RP205",)
# A launch in another file is seen by a run over both and by the server, not where a header is named alone.
SPLIT = {
    "kernel.cuh": "__global__ void __launch_bounds__(256) scale(double *x) {\n"
    "  x[threadIdx.x] = pow(x[0], 2.0) * POWER;\n}\n",
    "power.h": "#define POWER 3\n",
    "main.cu": '#include "power.h"\n#include "kernel.cuh"\nvoid run(double *x) { scale<<<4, 256>>>(x); }\n',
    "other.cu": '#include "power.h"\n__global__ void other(double *x) { x[POWER] = sin(x[0]) + cos(x[0]); }\n',
}


@pytest.fixture(params=[*FOLDERS, "split"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of fixtures, or one whose files need each other."""
    if request.param != "split":
        shutil.copytree(TESTDATA / request.param, tmp_path / "src")
        return tmp_path / "src"
    for name, text in SPLIT.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".cu", ".cuh", ".hip", ".cpp", ".h"))


def keys(found: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted(
        (each["path"], each["start"]["byte"], each["code"], each["severity"], each["message"]) for each in found
    )


def test_folder_run_equals_runs_over_its_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = run_json(capsys, "--arch", "gfx90a,sm_90", folder)["diagnostics"]
    single = [run_json(capsys, "--arch", "gfx90a,sm_90", path)["diagnostics"] for path in sources(folder)]
    assert keys(whole) == keys([each for found in single for each in found])


def test_server_and_command_line_agree(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with editor() as client:
        for path in sources(folder):
            shown = client.diagnostics(client.open(path, path.read_text()))
            found = run_json(capsys, path)["diagnostics"]
            assert sorted((each["code"], each["range"]["start"]["line"] + 1) for each in shown) == sorted(
                (each["code"], each["start"]["line"]) for each in found
            )
