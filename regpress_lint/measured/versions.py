"""Versions of compilers, as recorded in their output."""

from __future__ import annotations

import re

_CLANG = re.compile(r"\bclang version (\d{1,9}(?:\.\d{1,9}){0,3})")
_CUDA = re.compile(r"\bV(\d{1,9}(?:\.\d{1,9}){1,3})\b")


def clang_version(text: str) -> str | None:
    """The newest that is named: device libraries bear that of the clang that made them."""
    found = _CLANG.findall(text)
    return max(found, key=_parts) if found else None


def cuda_version(text: str) -> str | None:
    """The only one of CUDA's tools."""
    found = set(_CUDA.findall(text))
    return found.pop() if len(found) == 1 else None


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
