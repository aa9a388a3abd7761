"""The input of the page: kernels, files and findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.formats.pressure_data import Section
    from regpress_lint.views.kernels import KernelRow


class Shown(NamedTuple):
    """A kernel of the page, its row as `kernels` has it, and what `pressure` says of it on each of its targets.

    advice: what to change, a sentence each, with the target that it is for.
    """

    heading: str
    row: KernelRow
    sections: tuple[Section, ...]
    advice: tuple[tuple[str, str], ...] = ()


class Entry(NamedTuple):
    """A kernel of the index. tones: of each target, by its name."""

    heading: str
    row: KernelRow
    tones: Mapping[str, tuple[int, int, int]]


class PageFile(NamedTuple):
    """A file of the page. packed: its kernels' sections, as `packed` makes it."""

    path: str
    kernels: tuple[Entry, ...]
    packed: str


class PageFinding(NamedTuple):
    """A finding and what its fix changes; empty without a fix."""

    diagnostic: Diagnostic
    diff: str = ""
