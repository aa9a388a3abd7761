"""`verify` at work on one file: its fixes tried one group after another, in a private folder.

A group is all fixes of one rule in one kernel: half of the fixes of a loop often show nothing, or even the opposite.
Groups of a rule are compiled at once, because kernels are allocated one by one; only a group that hurts is taken apart,
and what hurts alone is tried together with the other groups of its kernel.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core import fixes
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.measured.compile import Unit, command_of, compiled
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.ratchet import GOOD, HURT, Numbers, together, verdict
from regpress_lint.measured.rows import block_of, resident
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.core.diagnostics import Diagnostic, ResolvedFix
    from regpress_lint.core.measured import Row
    from regpress_lint.core.settings import CompileCommand, Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.advice.reasons import Answers
    from regpress_lint.measured.compile import Kept
    from regpress_lint.measured.rows import Reading
    from regpress_lint.measured.toolchains import Toolchain


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
    results: dict[Group, Result] = {}
    try:
        for code in dict.fromkeys(group.code for group in groups):
            results |= trial.of_rule([group for group in groups if group.code == code])
        for group in groups:
            if results[group].verdict in ("refuted", "broken") and len(group.fixes) > 1:
                results[group] = trial.taken_apart(results[group])
        results |= trial.of_kernels(results)
        results = trial.checked(results)
    except OutOfTimeError:
        pass
    return [results.get(group, Result(group, "unverified", {})) for group in groups]


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
        compiled = [group for group in groups if self._is_known(group.kernel)]
        results = {group: Result(group, "unverified", self._unknown()) for group in groups if group not in compiled}
        if not compiled:
            return results
        after = self._with([fix for group in compiled for fix in group.fixes])
        if len(compiled) > 1 and any(self._breaks(target, after) for target in self._before):
            for group in compiled:
                results |= self.of_rule([group])
            return results
        kernels = {group.kernel for group in compiled}
        return results | {group: self._judged(group, group.fixes, after, kernels) for group in compiled}

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

    def of_kernels(self, results: Mapping[Group, Result]) -> dict[Group, Result]:
        """Kernels of which a group hurts: all its groups together, whatever the rule."""
        changed: dict[Group, Result] = {}
        for kernel in dict.fromkeys(group.kernel for group in results):
            mine = [group for group in results if group.kernel == kernel and results[group].verdict != "unverified"]
            if len(mine) < 2 or all(results[group].verdict != "refuted" for group in mine):
                continue
            fixes = tuple(fix for group in mine for fix in group.fixes)
            after = self._with(fixes)
            for group in mine:
                tried = self._judged(group, group.fixes, after, {kernel})
                if tried.verdict == "confirmed" and results[group].verdict != "confirmed":
                    changed[group] = tried._replace(how="together")
        return changed

    def checked(self, results: Mapping[Group, Result]) -> dict[Group, Result]:
        """All that is kept, at once; where that hurts, group after group, and what then hurts is not kept."""
        kept = [group for group in results if results[group].kept]
        if len(kept) < 2 or not self._hurts([fix for group in kept for fix in results[group].kept]):
            return dict(results)
        result = dict(results)
        so_far: list[ResolvedFix] = []
        for group in sorted(kept, key=lambda group: results[group].how == "alone"):
            if self._hurts([*so_far, *results[group].kept]):
                result[group] = results[group]._replace(kept=())
            else:
                so_far += results[group].kept
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


_MOST_LINKS = 20_000


class Work(NamedTuple):
    """A file with findings that carry fixes, and how it is compiled: a header as a source that has it.

    advice: changes to be tried for findings that carry none.
    """

    path: str
    data: bytes
    findings: tuple[Diagnostic, ...]
    command: CompileCommand
    targets: tuple[str, ...]
    launches: dict[str, tuple[int, int]]
    advice: tuple[Answers, ...] = ()


class Proved(NamedTuple):
    """A file's groups with their results, and those of advice, one per finding and change."""

    work: Work
    results: tuple[Result, ...]
    advice: tuple[tuple[Diagnostic, Result], ...] = ()

    @property
    def kept(self) -> list[ResolvedFix]:
        """Fixes that a compiler confirmed and that may be applied together."""
        return [fix for result in self.results for fix in result.kept]


class Bench:
    """The compilers of a run, their time limit, and how often they ran."""

    def __init__(self, tools: Toolchain, seconds: float, budget: float | None, kept: Kept) -> None:
        self._tools, self._seconds, self._kept = tools, seconds, kept
        self._end = None if budget is None else time.monotonic() + budget
        self._lock = threading.Lock()
        self.compiled = 0
        self.recalled = 0

    def prove(self, work: Work) -> Proved:
        """All groups of a file, then its advice. Findings that only appear with NDEBUG are compiled with it."""
        groups = groups_of(work.findings)
        late = [group for group in groups if _for_release(group)]
        now = [group for group in groups if group not in late]
        build = self._builder(work)
        results = tuple(prove(work.data, now, build)) if now else ()
        if late:
            macros = (*work.command.macros, ("NDEBUG", "1"))
            release = work._replace(command=work.command._replace(macros=macros))
            results += tuple(prove(work.data, late, self._builder(release)))
        pairs = [(answer.finding, fix) for answer in work.advice for fix in answer.fixes]
        changes = [
            Group(diagnostic.code, (diagnostic.kernel or "").rpartition("::")[2], (fix,)) for diagnostic, fix in pairs
        ]
        advice = tried(work.data, changes, build) if changes else []
        return Proved(work, results, tuple(zip((diagnostic for diagnostic, _ in pairs), advice, strict=True)))

    def _builder(self, work: Work) -> Callable[[bytes], Builds]:
        """The function that compiles versions of a file, each once."""
        known: dict[bytes, Builds] = {}

        def build(data: bytes) -> Builds:
            if data not in known:
                known[data] = {target: self._build(work, target, data) for target in work.targets}
            return known[data]

        return build

    def _build(self, work: Work, target: str, data: bytes) -> Build:
        from tempfile import TemporaryDirectory

        compiler = self._tools.of(architecture(target).vendor)
        words = (*command_of(target)(compiler or "", Unit(work.command), target, "out"), os.path.abspath(work.path))
        key = self._kept.key(data, (*words, self._tools.assembler or ""), compiler or "")
        if (reading := self._kept.get(key)) is not None:
            with self._lock:
                self.recalled += 1
            return build_of(reading, work.launches)
        if self._end is not None and time.monotonic() > self._end:
            raise OutOfTimeError
        with TemporaryDirectory(prefix="regpress-verify-") as folder:
            unit = copied(work, data, folder)
            done = compiled(unit, target, self._tools, self._seconds)
        with self._lock:
            self.compiled += 1
        found_in = (unit.original(path) for path in done.dependencies)
        others = tuple(path for path in found_in if path not in (os.path.abspath(work.path), unit.source))
        self._kept.put(key, done._replace(dependencies=others))
        return build_of(done.reading, work.launches)


def _for_release(group: Group) -> bool:
    """Whether fixes leave something out where NDEBUG is defined: without it nothing of them shows."""
    return any("NDEBUG" in edit.text for fix in group.fixes for edit in fix.edits)


def copied(work: Work, data: bytes, folder: str) -> Unit:
    """The file with other content in a private folder: alone, or a header in a copy, made of links, of the folder that
    it shares with its source. Raises OSError.
    """
    changed, source = os.path.abspath(work.path), work.command.path
    if changed == source:
        copy = os.path.join(folder, os.path.basename(source))
        with open(copy, "wb") as stream:
            stream.write(data)
        return Unit(work.command, copy)
    root, tree = os.path.commonpath([os.path.dirname(changed), os.path.dirname(source)]), os.path.join(folder, "tree")
    _link(root, tree, [_MOST_LINKS])
    copy = tree + changed[len(root) :]
    os.unlink(copy)
    with open(copy, "wb") as stream:
        stream.write(data)
    return Unit(work.command, tree + source[len(root) :], (root, tree))


def _link(folder: str, copy: str, left: list[int]) -> None:
    os.mkdir(copy)
    with os.scandir(folder) as entries:
        for entry in entries:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(f"more than {_MOST_LINKS:,} files in the folder that a header shares with its source")
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    _link(entry.path, os.path.join(copy, entry.name), left)
            else:
                os.symlink(os.path.abspath(entry.path), os.path.join(copy, entry.name))


def groups_of(findings: Sequence[Diagnostic]) -> list[Group]:
    """Findings' fixes by rule and kernel, in the order of the findings."""
    groups: dict[tuple[str, str], list[ResolvedFix]] = {}
    for finding in findings:
        if finding.fix is not None:
            groups.setdefault((finding.code, finding.kernel or ""), []).append(finding.fix)
    return [Group(code, kernel.rpartition("::")[2], tuple(fixes)) for (code, kernel), fixes in groups.items()]


def build_of(reading: Reading, launches: dict[str, tuple[int, int]]) -> Build:
    """Numbers by kernel and instance, with the waves of the blocks that the source launches."""
    if not reading.rows:
        return Build({}, reading.problems[0] if reading.problems else "no kernel in the object")
    numbers: dict[str, dict[str, Numbers]] = {}
    counted: Counter[str] = Counter()
    for row in reading.rows:
        name = demangled(row.symbol)
        own = name.last
        counted[name.whole] += 1
        whole = name.whole if counted[name.whole] == 1 else f"{name.whole} ({counted[name.whole]})"
        numbers.setdefault(own, {})[whole] = _numbers(row, launches.get(own))
    return Build(numbers)


def _numbers(row: Row, launch: tuple[int, int] | None) -> Numbers:
    block, dynamic = launch or (block_of(row, 256), 0)
    now = resident(row._replace(lds_bytes=(row.lds_bytes or 0) + dynamic), block)
    return Numbers(
        row.registers or 0,
        row.scratch_bytes or 0,
        row.spills or 0,
        float(now.waves_per_simd) if now is not None else 0.0,
        row.code_bytes or 0,
        row.lds_bytes or 0,
    )


def launches(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> dict[str, tuple[int, int]]:
    """Threads a block and bytes of dynamic LDS of a file's kernels, as the linter sees them."""
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return {}
    by_kernel = {}
    for kernel in analysis.file.kernels:
        dynamic = max((launch.dynamic_lds_bytes or 0 for launch in kernel.launches), default=0)
        by_kernel[kernel.name] = analysis.facts(kernel).launch.block_size, dynamic
    analysis.close()
    return by_kernel


def results_of(proved: Proved) -> Iterator[tuple[Diagnostic, Result]]:
    """Each finding with the result of its group; one whose fix was not kept though the group is good says so. Then
    findings without a fix, with a result for each change that was tried.
    """
    by_key = {(result.group.code, result.group.kernel): result for result in proved.results}
    for finding in proved.work.findings:
        yield finding, by_key[finding.code, (finding.kernel or "").rpartition("::")[2]]
    yield from proved.advice
