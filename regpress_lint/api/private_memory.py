"""Where private objects are that do not stay in registers, in the words of each target's vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.targets import gpu, lds_bytes
from regpress_lint.api.text import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.source.arrays import Access, PrivateArray


def places(frames: Mapping[str, str]) -> str:
    """Where arrays went, by target: "scratch memory on gfx90a and local memory on sm_90"."""
    kinds: dict[str, list[str]] = {}
    for target, where in frames.items():
        kinds.setdefault(where, []).append(target)
    return listing(f"{where} on {listing(targets)}" for where, targets in kinds.items())


def memory_of(targets: Iterable[str], bytes_: int, nvidia: str = "private memory") -> str:
    """Where an object that AMD's compiler cannot keep in registers goes, by target if that differs."""
    on_amd = {True: "LDS", False: "private memory"}
    frames = {t: on_amd[bytes_ <= lds_bytes(t)] if gpu(t).is_amd else nvidia for t in targets}
    kinds = set(frames.values())
    return kinds.pop() if len(kinds) == 1 else places(frames)


def first_dynamic(array: PrivateArray) -> Access | None:
    """The first access with a run-time index in the function that owns the array."""
    body = array.function.span
    return next((access for access in array.dynamic if access.indices and body.contains(access.span)), None)
