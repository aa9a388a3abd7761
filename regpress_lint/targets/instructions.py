"""Requirements of instructions, built-ins, names and headers on a GPU; the rows are data/instructions.toml."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.targets.vocabulary import WORDS, gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.targets.occupancy import Vendor

Kind = Literal["ptx", "amd", "names", "headers"]
_VENDOR_OF: dict[str, Vendor] = {"ptx": "nvidia", "amd": "amd"}
_BUILT_IN = "__builtin_amdgcn_"
# PTX has dots in its words (`cp.async.wait_all`, `ld.shared::cluster.u32`), AMD's assembly says its unit in front.
_PTX = pattern(r"(?<![\w.%$@])[a-z][a-z0-9_]*+(?:(?:\.|::)[a-z0-9_]++)++", re.ASCII)
# Intel's vISA says of each instruction which lanes execute it: `mov (M1, 16) V1(0,0)<1> ...`; it declares registers.
_VISA = pattern(
    r"\b\w+(?:\.\w+)*[ \t]*\((?:M[1-8]|NoMask|M[1-8]_NM)[ \t]*,[ \t]*(?:1|2|4|8|16|32)\)|\.decl\s+\w+\s+v_type=\w",
    re.ASCII,
)
_GCN = pattern(r"(?<![\w.%$])(?:v|s|ds|global|buffer|flat|scratch|image)_[a-z]\w++", re.ASCII)
_NUMBER = pattern(r"sm_(\d+)")


class Need(NamedTuple):
    """A requirement on a GPU: its vendor, and either a compute capability of at least `since` or a name that begins
    with one of `only`.
    """

    vendor: Vendor
    since: int | None = None
    only: tuple[str, ...] = ()

    def met_by(self, target: str) -> bool:
        """Whether an architecture has it."""
        if gpu(target).vendor != self.vendor:
            return False
        if self.only:
            return target.startswith(self.only)
        number = _NUMBER.match(target) if self.since is not None else None
        return number is None or self.since is None or int(number[1]) >= self.since

    @property
    def first(self) -> str | None:
        """The first architecture that has it, None if all of a vendor's do."""
        return self.only[0] if self.only else None if self.since is None else f"sm_{self.since}"

    @property
    def words(self) -> str:
        """Who has it, as `kernels` says it."""
        brand = WORDS[self.vendor].brand
        if self.only:
            return f"{brand}'s, for {', '.join(self.only)} only"
        return f"{brand}'s" + ("" if self.since is None else f", from sm_{self.since} on")


class Asked(NamedTuple):
    """A word of a source and its requirement."""

    word: str
    need: Need


@cache
def _rows(kind: Kind) -> tuple[tuple[re.Pattern[str], Need], ...]:
    from regpress_lint.targets.instructions_table import TABLE

    rows: list[dict[str, Any]] = TABLE[kind]["rows"]
    return tuple(
        (
            pattern(row["is"], re.ASCII),
            Need(row.get("vendor") or _VENDOR_OF[kind], row.get("since"), tuple(row.get("only", ()))),
        )
        for row in rows
    )


@lru_cache(maxsize=1024)
def need_of(kind: Kind, word: str) -> Need | None:
    """The requirement of a word; None for a name or a header that no row knows."""
    for form, need in _rows(kind):
        if form.match(word):
            return need
    return Need(_VENDOR_OF[kind]) if kind in _VENDOR_OF else None


def asked_by_assembly(text: str) -> Iterator[Asked]:
    """The requirements of the instructions in an inline assembly's text."""
    intel = _VISA.search(text)
    if intel is not None:  # its words may look like others': `.decl x v_type=G`, `add.sat (M1, 8)`
        yield Asked(intel[0], Need("intel"))
        return
    for match in _PTX.finditer(text):
        yield Asked(match[0], need_of("ptx", match[0]) or Need("nvidia"))
    for match in _GCN.finditer(text):
        yield Asked(match[0], Need("amd"))


def asked_by_name(name: str) -> Asked | None:
    """The requirement of a name in device code."""
    need = need_of("names", name)
    if need is None:
        return None
    if name.startswith(_BUILT_IN):
        need = need_of("amd", name.removeprefix(_BUILT_IN)) or need
    return Asked(name, need)


def asked_by_header(name: str) -> Asked | None:
    """The requirement of an `#include` of a name."""
    need = next((need for form, need in _rows("headers") if form.fullmatch(name)), None)
    return None if need is None else Asked(f"#include <{name}>", need)


@cache
def name_pattern() -> re.Pattern[str]:
    """Finds names of the table in a text."""
    from regpress_lint.targets.instructions_table import TABLE

    rows: list[dict[str, Any]] = TABLE["names"]["rows"]
    names = "|".join(row["is"] for row in rows)
    return pattern(rf"(?<!\w)(?:{names})", re.ASCII)
