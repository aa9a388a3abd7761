"""Number of tests to run in parallel, from the share of the machine that a container may use."""

from __future__ import annotations

import os
import re
from pathlib import Path

MOST = 16  # each process collects all tests first: more of them gain nothing
BYTES = 400 << 20  # that a process takes at its end, with what it starts


def workers(cores: int, share: float | None, memory: int | None) -> int:
    """Processes for a number of cores, a container's share of them (in cores), and bytes of free memory."""
    most = min(cores, MOST)
    if share is not None:
        most = min(most, round(share))
    if memory is not None:
        most = min(most, memory // BYTES)
    return max(most, 1)


def here(root: Path = Path("/")) -> int:
    """Processes for this machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return workers(cores, share_of(root), memory_of(root))


def share_of(root: Path) -> float | None:
    """Cores that the control group of a container may keep busy; None without a limit."""
    groups = root / "sys/fs/cgroup"
    quota, period = [*(_read(groups / "cpu.max").split() or ("max",)), "100000"][:2]
    if not quota.isdigit():
        quota, period = _read(groups / "cpu/cpu.cfs_quota_us"), _read(groups / "cpu/cpu.cfs_period_us")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None


def memory_of(root: Path) -> int | None:
    """Free bytes, or those that the control group allows if fewer; None if unknown."""
    free = re.search(r"^MemAvailable:\s+(\d+) kB", _read(root / "proc/meminfo"), re.MULTILINE)
    groups = root / "sys/fs/cgroup"
    limits = (_read(groups / "memory.max"), _read(groups / "memory/memory.limit_in_bytes"))
    found = [int(limit) for limit in limits if limit.isdigit()] + ([int(free[1]) * 1024] if free else [])
    return min(found, default=None)


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
