"""What tests of the cache share: a folder with a cache of its own, and which files a run really looks at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.commands.kernels import command as kernels_command
from regpress_lint.lint import pipeline

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

FLAGS = ("--arch", "gfx90a,sm_90", "--profile", "strict")


def with_a_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to work in, and a cache of its own."""
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of files that are really looked at."""
    paths: list[str] = []

    def counting(module: object, name: str) -> None:
        original: Callable[..., object] = getattr(module, name)

        def count(data: bytes, path: str, *rest: object, **named: object) -> object:
            paths.append(path)
            return original(data, path, *rest, **named)

        monkeypatch.setattr(module, name, count)

    counting(pipeline, "lint_bytes")
    counting(kernels_command, "analyse")
    return paths


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def looked_at(asked: list[str]) -> list[str]:
    """The lookups since the last call."""
    found = sorted(asked)
    asked.clear()
    return found
