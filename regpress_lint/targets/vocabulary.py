"""Words for the same things on GPUs of different vendors.

Code, rules and machine output speak of waves, SIMDs and LDS whatever the GPU is; a text that is about GPUs of only one
vendor is translated into that vendor's words here, when it is shown.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.targets.occupancy import Vendor


class Gpu(NamedTuple):
    """An architecture as rules see it; `gpu(name)` makes one."""

    name: str
    vendor: Vendor

    @property
    def is_amd(self) -> bool:
        """True for AMD: clang compiles for it, and its registers are VGPRs and SGPRs."""
        return self.vendor == "amd"

    @property
    def is_nvidia(self) -> bool:
        """True for NVIDIA: nvcc compiles for it."""
        return self.vendor == "nvidia"

    @property
    def is_intel(self) -> bool:
        """True for Intel, whose threads have a fixed number of registers: there are no steps of occupancy."""
        return self.vendor == "intel"

    @property
    def is_gfx9(self) -> bool:
        """GCN and CDNA: 64-bit constants need VGPRs there, and gfx90a's numbers are the nearest that were measured."""
        return self.name.startswith("gfx9")

    @property
    def private_memory(self) -> str:
        """The vendor's term for the memory of private arrays."""
        return WORDS[self.vendor].memory

    @property
    def unit(self) -> str:
        """The vendor's term for the unit that runs a work-group, with its article."""
        return WORDS[self.vendor].a_unit

    @property
    def compiler(self) -> str:
        """The compiler that the vendor ships."""
        return WORDS[self.vendor].compiler

    @property
    def has_fast_fp64(self) -> bool:
        """Whether FP64 has half of the rate of FP32 or more, as on data-centre GPUs; others have 1/16 to 1/64 of it,
        or emulate it (arithmetic throughput in the vendors' programming guides and ISA documents).
        """
        from regpress_lint.targets.occupancy import architecture

        return architecture(self.name).fast_fp64


@cache
def gpu(name: str) -> Gpu:
    """The target of that name. Raises UnknownArchitectureError for a name that is none."""
    from regpress_lint.targets.occupancy import architecture

    return Gpu(name, architecture(name).vendor)


class Words(NamedTuple):
    """One vendor's words. unit: what a block stays on. simd: the part of it that has registers of its own. memory:
    where private arrays go that have none. per_simd: waves per SIMD where there is little room. brand: the vendor as a
    text says it. compiler: the one that it ships. api: the run-time function that returns the occupancy. note: what a
    reader of these words may not know.
    """

    wave: str
    simd: str
    unit: str
    lds: str
    memory: str
    per_simd: str
    registers: str
    brand: str
    compiler: str
    api: str
    note: str = ""

    @property
    def a_unit(self) -> str:
        return f"{'a' if self.unit[0] == 'C' else 'an'} {self.unit}"


WORDS: Mapping[Vendor, Words] = {
    "amd": Words(
        "wave",
        "SIMD",
        "CU",
        "LDS",
        "scratch memory",
        "waves/SIMD",
        "VGPRs",
        brand="AMD",
        compiler="hipcc",
        api="hipOccupancyMaxActiveBlocksPerMultiprocessor",
    ),
    "nvidia": Words(
        "warp",
        "sub-partition",
        "SM",
        "shared memory",
        "local memory",
        "warps/SMSP",
        "registers",
        brand="NVIDIA",
        compiler="nvcc",
        api="cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        note="SMSP: a sub-partition of an SM, with registers and a scheduler of its own",
    ),
    "intel": Words(
        "hardware thread",
        "EU",
        "Xe-core",
        "SLM",
        "private memory",
        "threads/EU",
        "registers",
        brand="Intel",
        compiler="icpx",
        api="zeKernelSuggestMaxCooperativeGroupCount",
    ),
}
_NEUTRAL: Vendor = "amd"  # whose words all of them are at first
MIXED = (
    "a wave is a warp on NVIDIA and a hardware thread on Intel, LDS is shared memory and SLM, a SIMD is a "
    "sub-partition and an EU"
)


def vendor_of(targets: Iterable[str]) -> Vendor | None:
    """The vendor of all these architectures; None if there are several."""
    from regpress_lint.targets.occupancy import architecture

    vendors = {architecture(name).vendor for name in targets}
    return vendors.pop() if len(vendors) == 1 else None


def in_words_of(vendor: Vendor | None, text: str) -> str:
    """A text in the words of a vendor. None stands for several: what names GPUs of one is in the words of that one."""
    if vendor is None:
        return _each_in_its_own(text)
    return text if vendor == _NEUTRAL else _spoken(vendor, text)


@cache
def _each_in_its_own(text: str) -> str:
    """A text whose clauses are each in the words of the GPUs that they name, or of those that were named last."""
    from regpress_lint.targets.occupancy import is_known

    if "wave" not in text and "LDS" not in text:
        return text
    words, last = [], _NEUTRAL
    for clause in re.split(r"([;()]|, (?!and\b))", text):
        named = [name for name in re.findall(r"\b(?:on|and) ([a-z][\w-]+)", clause) if is_known(name)]
        last = (vendor_of(named) or _NEUTRAL) if named else last
        words.append(clause if last == _NEUTRAL or not (named or "LDS" not in clause) else _spoken(last, clause))
    return "".join(words)


def explained(vendor: Vendor | None) -> list[str]:
    """The explanation of a vendor's words for readers of a text; None means a text about several vendors."""
    note = MIXED if vendor is None else WORDS[vendor].note
    return [note] if note else []


@cache
def _neutral() -> re.Pattern[str]:
    """The neutral words; compiled only where a text is about another vendor than AMD."""
    # What the source says stands between backticks; names of rules and of architectures have hyphens and digits.
    return re.compile(
        r"(?P<code>`[^`]*`)|(?<![-\w])(?:(?P<both>shared memory or LDS)|(?P<per>waves/SIMD)"
        r"|(?P<wave>wave(?:front)?)(?P<waves>s?)|(?P<lds>LDS)|(?P<simd>SIMD)(?P<simds>s?))(?![-\w])",
        re.IGNORECASE,
    )


@cache
def _spoken(vendor: Vendor, text: str) -> str:
    return _neutral().sub(partial(_translated, WORDS[vendor]), text)


def _translated(words: Words, match: re.Match[str]) -> str:
    if match["code"]:
        return match[0]
    if match["per"]:
        return words.per_simd
    if match["wave"]:
        word = words.wave + match["waves"].lower()
        return word[0].upper() + word[1:] if match[0][0].isupper() else word
    if match["simd"]:
        return words.simd + match["simds"].lower()
    return words.lds
