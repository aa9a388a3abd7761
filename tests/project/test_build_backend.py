"""Files that an editable install leaves behind, and files that a wheel omits."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from build_backend import build_wheel, write_bytecode

ROOT = Path(__file__).resolve().parents[2]


def test_bytecode_is_written_where_python_would_not_write_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    sources = [tmp_path / "regpress_lint/a.py", tmp_path / "rules/regpress_rules/launch/b.py"]
    for source in sources:
        source.parent.mkdir(parents=True)
        source.write_text("x = 1\n", encoding="utf-8")
    write_bytecode(str(tmp_path))
    for source in sources:
        written = Path(importlib.util.cache_from_source(str(source)))
        assert written.is_file()
        loaded = subprocess.run(
            [sys.executable, "-v", "-c", f"import {source.stem}"], cwd=source.parent, capture_output=True, text=True
        )
        assert f"matches {source}" in loaded.stderr  # Python takes it, and does not compile again


def test_a_package_that_cannot_be_compiled_does_not_stop_the_install(tmp_path: Path) -> None:
    broken = tmp_path / "regpress_lint/broken.py"
    broken.parent.mkdir()
    broken.write_text("def\n", encoding="utf-8")
    write_bytecode(str(tmp_path))


@pytest.mark.slow
def test_wheel_contains_only_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with zipfile.ZipFile(tmp_path / build_wheel(str(tmp_path))) as wheel:
        names = wheel.namelist()
    assert "regpress_lint/__main__.py" in names
    assert not [name for name in names if name.endswith(".pyc") or name.startswith("build_")]
