"""Compilers' numbers of kernels at two times: matching instances, and the differences.

The effect of a change on a kernel, by a compiler's numbers before and after.

lost       more scratch or spills, or fewer waves (that is, worse by a step)
improved   less scratch or spills, more waves, or at least NOTICEABLE registers fewer
worse      at least NOTICEABLE registers more
less code  none of these, and at least 5 % less code: for rules whose claim is time
broken     does not compile any more
no change  nothing of this happened
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.rows import block_of, merged, resident

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.core.measured import Row


# From bad to good.
VERDICTS = ("broken", "lost", "worse", "no change", "less code", "improved")
HURT, GOOD = frozenset(VERDICTS[:3]), frozenset(VERDICTS[4:])
# Below this many registers a difference is the allocator's mood and no effect.
NOTICEABLE = 3
_LESS_CODE = 0.95


class Numbers(NamedTuple):
    """The numbers of one instance of a kernel."""

    registers: int
    scratch_bytes: int
    spills: int
    waves: float
    code_bytes: int
    lds_bytes: int = 0


def verdict(before: Numbers, after: Numbers) -> str:
    """See the module. Scratch comes before waves: what ended a spill may well take the registers for it."""
    if after.scratch_bytes > before.scratch_bytes or after.spills > before.spills:
        return "lost"
    if after.scratch_bytes < before.scratch_bytes or after.spills < before.spills or after.waves > before.waves:
        return "improved"
    if after.waves < before.waves:
        return "lost"
    if before.registers - after.registers >= NOTICEABLE:
        return "improved"
    if after.registers - before.registers >= NOTICEABLE:
        return "worse"
    return "less code" if after.code_bytes < _LESS_CODE * before.code_bytes else "no change"


def together(verdicts: Iterable[str]) -> str:
    """One verdict for all instances of a kernel: lost if one is, worse if at least as many are as improved, else the
    best."""
    counts = Counter(verdicts)
    if counts["lost"]:
        return "lost"
    if counts["worse"] and counts["worse"] >= counts["improved"]:
        return "worse"
    return next((name for name in reversed(VERDICTS) if counts[name]), "no change")


Verdict = Literal["worse", "better", "same", "new", "gone"]


class Taken(NamedTuple):
    """One instance of a kernel on one target. A number that no input has is None.

    name: demangled, with template arguments. path: the file that it is in, empty if unknown. spills: dwords per lane.
    waves: per SIMD.
    """

    name: str
    target: str
    path: str = ""
    registers: int | None = None
    spills: int | None = None
    scratch_bytes: int | None = None
    waves: float | None = None


class Move(NamedTuple):
    """An instance at both times; None where it is not there."""

    before: Taken | None
    after: Taken | None

    @property
    def now(self) -> Taken:
        """The later one, else the one that is gone."""
        present = self.after or self.before
        assert present is not None
        return present

    @property
    def moved(self) -> bool:
        """Whether a number that is known at both times is another."""
        return (
            self.before is None
            or self.after is None
            or _known(self.before, self.after) != _known(self.after, self.before)
        )

    @property
    def verdict(self) -> Verdict:
        """By the measure that `verify` judges fixes by: one or two registers that cost no wave are none."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        change = verdict(_known(self.before, self.after), _known(self.after, self.before))
        return "worse" if change in HURT else "better" if change == "improved" else "same"

    @property
    def steps(self) -> int:
        """1 for more waves, -1 for fewer, 0 for as many."""
        if self.before is None or self.after is None:
            return 0
        old, new = _known(self.before, self.after).waves, _known(self.after, self.before).waves
        return (new > old) - (new < old)


def taken(rows: Iterable[Row], block_size: int, file: Callable[[Row], str]) -> list[Taken]:
    """Instances by file, name and target, each once; of several compilations of one the worst.

    file: the file of a row.
    """
    by_key: dict[tuple[str, str, str], Taken] = {}
    for row in merged(rows):
        if row.target is None:
            continue
        now = resident(row, block_of(row, block_size))
        path = file(row)
        waves = None if now is None else float(now.waves_per_simd)
        name = demangled(row.symbol).whole
        instance = Taken(name, row.target, path, row.registers, row.spills, row.scratch_bytes, waves)
        key = path, name, row.target
        by_key[key] = max(by_key.get(key, instance), instance, key=_badness)
    return [by_key[key] for key in sorted(by_key)]


def compared(before: Sequence[Taken], after: Sequence[Taken]) -> list[Move]:
    """Which belong together, by file, name and target; a moved instance by its name, if only one on each side fits."""
    old = {_key(instance): instance for instance in before}
    pairs = {_key(instance): old.pop(_key(instance)) for instance in after if _key(instance) in old}
    unpaired = [instance for instance in after if _key(instance) not in pairs]
    was, now = _by_name(old.values()), _by_name(unpaired)
    for name, those in now.items():
        if len(those) == len(was.get(name, ())) == 1:
            pairs[_key(those[0])] = old.pop(_key(was[name][0]))
    moves = [Move(pairs.get(_key(instance)), instance) for instance in after]
    return sorted((*moves, *(Move(instance, None) for instance in old.values())), key=lambda move: _key(move.now))


def _by_name(these: Iterable[Taken]) -> dict[tuple[str, str], list[Taken]]:
    by_name: dict[tuple[str, str], list[Taken]] = defaultdict(list)
    for instance in these:
        by_name[instance.name, instance.target].append(instance)
    return by_name


def _key(instance: Taken) -> tuple[str, str, str]:
    return instance.path, instance.name, instance.target


def _badness(instance: Taken) -> tuple[int, int, int]:
    return instance.spills or 0, instance.scratch_bytes or 0, instance.registers or 0


def _known(instance: Taken, other: Taken) -> Numbers:
    """The numbers of one as far as both have them; what one lacks is 0 in both."""

    def both(mine: int | None, others: int | None) -> int:
        return mine if mine is not None and others is not None else 0

    waves = instance.waves if instance.waves is not None and other.waves is not None else 0.0
    return Numbers(
        both(instance.registers, other.registers),
        both(instance.scratch_bytes, other.scratch_bytes),
        both(instance.spills, other.spills),
        waves,
        0,
    )
