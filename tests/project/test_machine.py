"""Tests run side by side as a machine allows, also in a container that may use a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import machine
import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("cores", "share", "memory", "expected"),
    [
        (2, None, None, 2),
        (64, None, 64 << 30, machine.MOST),
        (64, 2.0, 64 << 30, 2),
        (64, 0.5, None, 1),
        (8, 1.5, None, 2),
        (8, None, 1 << 30, 2),
        (8, None, 1 << 20, 1),
    ],
)
def test_no_more_processes_than_a_container_may_use(
    cores: int, share: float | None, memory: int | None, expected: int
) -> None:
    assert machine.workers(cores, share, memory) == expected


@pytest.mark.parametrize(
    ("files", "share", "memory"),
    [
        ({}, None, None),
        ({"sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2.0, None),
        ({"sys/fs/cgroup/cpu.max": "max 100000\n", "sys/fs/cgroup/memory.max": "max\n"}, None, None),
        ({"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"}, None, None),
        ({"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"}, 0.5, None),
        ({"proc/meminfo": "MemTotal: 9 kB\nMemAvailable:    2048 kB\n"}, None, 2 << 20),
        ({"proc/meminfo": "MemAvailable: 2048 kB\n", "sys/fs/cgroup/memory.max": "1048576\n"}, None, 1 << 20),
    ],
)
def test_description_of_a_machine(
    tmp_path: Path, files: dict[str, str], share: float | None, memory: int | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert (machine.share_of(tmp_path), machine.memory_of(tmp_path)) == (share, memory)
