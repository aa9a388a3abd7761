"""Which GPUs the source of a kernel can be compiled for, as far as it says so itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.cpp.names.gpu_words import Word
    from regpress_lint.program.model import Kernel
    from regpress_lint.targets.instructions import Need


class Unserved(NamedTuple):
    """Why a kernel is not for a GPU: what its source requires, where, and which GPUs have that.

    since: the first architecture that meets all requirements; None if every one of the vendor has it.
    compiled: True where the GPU runs the kernel, and its registers are the author's own affair.
    """

    word: str
    path: str
    offset: int
    who: str
    since: str | None
    compiled: bool = False


def explicit_simd(kernel: Kernel, target: str) -> Unserved:
    """A kernel in ESIMD, whose vectors its author lays out in Intel's registers."""
    ours = architecture(target).vendor == "intel"
    who = "explicit SIMD: its registers are laid out by hand" if ours else "explicit SIMD for Intel's GPUs"
    return Unserved("ESIMD", kernel.path, kernel.name_span.start, who, None, compiled=ours)


def unserved(words: Iterable[Word], target: str) -> Unserved | None:
    """The rarest of a kernel's `words` that an architecture lacks; None if it has all."""
    binding = _binding(tuple(words))
    lacking = [word for word in binding if not word.asked.need.met_by(target)]
    if not lacking:
        return None
    worst = max(lacking, key=lambda word: (_rarity(word.asked.need), -word.offset))
    since = max((word.asked.need for word in binding), key=_rarity).first
    return Unserved(worst.asked.word, worst.path, worst.offset, worst.asked.need.words, since)


def _binding(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words that apply: a source that requires two vendors chooses in a way that is not seen here."""
    needs = [word.asked.need for word in words]
    if len({need.vendor for need in needs}) > 1:
        return ()
    if len({need.only for need in needs if need.only}) > 1:
        return tuple(word for word in words if not word.asked.need.only)
    return words


def _rarity(need: Need) -> tuple[bool, int]:
    return bool(need.only), need.since or 0
