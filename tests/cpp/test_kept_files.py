"""Parsed files that are kept for other files of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.names import kept_files
from regpress_lint.cpp.names.project import Project

if TYPE_CHECKING:
    import pytest


def _asked(paths: str) -> list[str]:
    files = Project()
    for path in paths:
        files.parsed(path, b"int x;")
    return [*files._units]


def test_least_recently_used_files_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "_MOST", 3)
    assert _asked("abcad") == ["c", "a", "d"]


def test_files_missed_after_they_were_dropped_stay_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file of a project includes a, b, c and d in this order, and there is room for two."""
    monkeypatch.setattr(kept_files, "_MOST", 2)
    assert sorted(_asked("abcdabcd")) == ["a", "b", "c", "d"]
    assert sorted(_asked("abcdabcdefgh")) == ["a", "b", "g", "h"]


def test_there_is_little_room_for_those_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "_MOST", 1)
    monkeypatch.setattr(kept_files, "_MOST_MISSED", 2)
    assert _asked("abcdabcd")[-2:] == ["c", "d"]
    monkeypatch.setattr(kept_files, "_MOST_MISSED_BYTES", 1)
    assert len(_asked("abcdabcd")) == 2
