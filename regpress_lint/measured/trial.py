"""Fixes tried one group after another: which of them a compiler confirms, and which may be applied together.

A group is all fixes of one rule in one kernel: half of the fixes of a loop often show nothing, or even the opposite.
Groups of a rule are compiled at once, because kernels are allocated one by one; only a group that hurts is taken apart,
and what hurts alone is tried together with the other groups of its kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core import fixes
from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.ratchet import GOOD, HURT, Numbers, together, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from regpress_lint.core.diagnostics import ResolvedFix

Kernels = dict[str, dict[str, Numbers]]
"""By the kernel's own name, its instances by their whole names."""


class Build(NamedTuple):
    """A file compiled for a target: its kernels, or why there are none."""

    kernels: Kernels
    error: str = ""


Builds = dict[str, Build]


class Group(NamedTuple):
    """Fixes of one rule in one kernel."""

    code: str
    kernel: str
    fixes: tuple[ResolvedFix, ...]


class Change(NamedTuple):
    """A kernel on one target. `before` and `after` are those of the instance that changed most."""

    verdict: str
    before: Numbers | None = None
    after: Numbers | None = None
    error: str = ""


class Result(NamedTuple):
    """A group with its verdict: confirmed, refuted, no change, broken or unverified.

    kept: the fixes of it that may be applied. how: `alone`, or `together` where only other fixes of the kernel make it
    good; `advice` for a change that is not applied automatically.
    """

    group: Group
    verdict: str
    changes: Mapping[str, Change]
    kept: tuple[ResolvedFix, ...] = ()
    how: str = "alone"


class OutOfTimeError(Exception):
    """The budget of the run is spent."""


def prove(data: bytes, groups: Sequence[Group], build: Callable[[bytes], Builds]) -> list[Result]:
    """A result for each group, in their order. `build` compiles a version of the file for all targets."""
    try:
        before = build(data)
    except OutOfTimeError:
        return [Result(group, "unverified", {}) for group in groups]
    trial = _Trial(data, before, build)
    found: dict[Group, Result] = {}
    try:
        for code in dict.fromkeys(group.code for group in groups):
            found |= trial.of_rule([group for group in groups if group.code == code])
        for group in groups:
            if found[group].verdict in ("refuted", "broken") and len(group.fixes) > 1:
                found[group] = trial.taken_apart(found[group])
        found |= trial.of_kernels(found)
        found = trial.checked(found)
    except OutOfTimeError:
        pass
    return [found.get(group, Result(group, "unverified", {})) for group in groups]


def tried(data: bytes, groups: Sequence[Group], build: Callable[[bytes], Builds]) -> list[Result]:
    """A result for each group, compiled by itself and then discarded: changes that exclude each other."""
    results: list[Result] = []
    try:
        trial = _Trial(data, build(data), build)
        for group in groups:
            results += [trial.of_rule([group])[group]._replace(kept=(), how="advice")]
    except OutOfTimeError:
        results += [Result(group, "unverified", {}, how="advice") for group in groups[len(results) :]]
    return results


class _Trial:
    def __init__(self, data: bytes, before: Builds, build: Callable[[bytes], Builds]) -> None:
        self._data, self._before, self._build = data, before, build

    def of_rule(self, groups: Sequence[Group]) -> dict[Group, Result]:
        """All groups of a rule at once; each by itself where the whole does not compile."""
        known = [group for group in groups if self._is_known(group.kernel)]
        found = {group: Result(group, "unverified", self._unknown()) for group in groups if group not in known}
        if not known:
            return found
        after = self._with([fix for group in known for fix in group.fixes])
        if len(known) > 1 and any(self._breaks(target, after) for target in self._before):
            for group in known:
                found |= self.of_rule([group])
            return found
        own = {group.kernel for group in known}
        return found | {group: self._judged(group, group.fixes, after, own) for group in known}

    def taken_apart(self, result: Result) -> Result:
        """Those fixes of a group that do no harm one after another."""
        kept: list[ResolvedFix] = []
        best = result
        for fix in result.group.fixes:
            tried = self._judged(result.group, (*kept, fix), self._with([*kept, fix]), {result.group.kernel})
            if tried.verdict == "confirmed":
                kept.append(fix)
                best = tried
        return best

    def of_kernels(self, found: Mapping[Group, Result]) -> dict[Group, Result]:
        """Kernels of which a group hurts: all its groups together, whatever the rule."""
        changed: dict[Group, Result] = {}
        for kernel in dict.fromkeys(group.kernel for group in found):
            mine = [group for group in found if group.kernel == kernel and found[group].verdict != "unverified"]
            if len(mine) < 2 or all(found[group].verdict != "refuted" for group in mine):
                continue
            every = tuple(fix for group in mine for fix in group.fixes)
            after = self._with(every)
            for group in mine:
                tried = self._judged(group, group.fixes, after, {kernel})
                if tried.verdict == "confirmed" and found[group].verdict != "confirmed":
                    changed[group] = tried._replace(how="together")
        return changed

    def checked(self, found: Mapping[Group, Result]) -> dict[Group, Result]:
        """All that is kept, at once; where that hurts, group after group, and what then hurts is not kept."""
        kept = [group for group in found if found[group].kept]
        if len(kept) < 2 or not self._hurts([fix for group in kept for fix in found[group].kept]):
            return dict(found)
        result = dict(found)
        so_far: list[ResolvedFix] = []
        for group in sorted(kept, key=lambda one: found[one].how == "alone"):
            if self._hurts([*so_far, *found[group].kept]):
                result[group] = found[group]._replace(kept=())
            else:
                so_far += found[group].kept
        return result

    def _is_known(self, kernel: str) -> bool:
        return any(kernel in build.kernels for build in self._before.values())

    def _unknown(self) -> dict[str, Change]:
        return {
            target: Change(
                "unverified", error=build.error or "the kernel is not in the object: nothing instantiates it"
            )
            for target, build in self._before.items()
        }

    def _with(self, wanted: Sequence[ResolvedFix]) -> Builds:
        return self._build(fixes.apply(self._data, wanted)[0])

    def _breaks(self, target: str, after: Builds) -> bool:
        return bool(after[target].error) and not self._before[target].error

    def _hurts(self, wanted: Sequence[ResolvedFix]) -> bool:
        after = self._with(wanted)
        return any(
            self._breaks(target, after)
            or any(self._change(target, kernel, after).verdict in HURT for kernel in self._before[target].kernels)
            for target in self._before
        )

    def _judged(self, group: Group, kept: tuple[ResolvedFix, ...], after: Builds, fixed: set[str]) -> Result:
        """A group by its kernel, and by those that no fix is in but that call the same functions."""
        changes: dict[str, Change] = {}
        hurt = False
        for target in self._before:
            changes[target] = self._change(target, group.kernel, after)
            others = (kernel for kernel in self._before[target].kernels if kernel not in fixed)
            hurt = hurt or any(self._change(target, kernel, after).verdict in HURT for kernel in others)
        verdicts = {change.verdict for change in changes.values()}
        if "broken" in verdicts:
            return Result(group, "broken", changes)
        if hurt or verdicts & HURT:
            return Result(group, "refuted", changes)
        if verdicts & GOOD:
            return Result(group, "confirmed", changes, kept)
        return Result(group, "no change" if verdicts - {"unverified"} else "unverified", changes)

    def _change(self, target: str, kernel: str, after: Builds) -> Change:
        old, new = self._before[target], after[target]
        if old.error:
            return Change("unverified", error=old.error)
        if new.error:
            return Change("broken", error=new.error)
        pairs = list(paired(old.kernels.get(kernel, {}), new.kernels.get(kernel, {})))
        if not pairs:
            return Change("unverified", error="the kernel is not in the object: nothing instantiates it")
        verdicts = [verdict(*pair) for pair in pairs]
        whole = together(verdicts)
        telling = max(
            zip(verdicts, pairs, strict=True),
            key=lambda each: (each[0] == whole, abs(each[1][0].registers - each[1][1].registers)),
        )
        return Change(whole, *telling[1])


def paired(before: Mapping[str, Numbers], after: Mapping[str, Numbers]) -> list[tuple[Numbers, Numbers]]:
    """Instances of a kernel in two builds: by name, else in their order where there are as many."""
    if all(name in after for name in before):
        return [(numbers, after[name]) for name, numbers in before.items()]
    return list(zip(before.values(), after.values(), strict=True)) if len(before) == len(after) else []
