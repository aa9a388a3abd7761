"""Registers that a thread may have, those that a compiler gave it, and whether an estimate keeps a kernel's budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.model.estimate.registers import RegisterEstimate
from regpress_lint.model.graph.ops import ACCUMULATED, Kind, lane_of
from regpress_lint.targets.budget_text import ORDER, Budget, BudgetError, parse
from regpress_lint.targets.builtins import AMD_DEFAULT_THREADS, MATRIX_BUILTIN, MATRIX_WRITERS
from regpress_lint.targets.compilers.amdgpu import MOST_VGPRS
from regpress_lint.targets.compilers.traits import ESTIMATED_BLOCK
from regpress_lint.targets.occupancy import architecture, grf_budget, register_cap
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.measured import Row
    from regpress_lint.core.settings import RegisterOptions
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.measured.matching import Measurements
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel
    from regpress_lint.targets.occupancy import Architecture


# Registers that a thread may have: launch bounds, attributes and the options of the compile command together.
#
# As clang 19.1.7 and nvcc 13.0.88 were seen to decide (`tests/model/test_register_budget.py` asks them again).


_LEAST = {"sm_90": 24}  # ptxas: "adjusting per thread register count to lower bound"
_LEAST_ELSEWHERE = 16
_GRF = 128


def register_budget(arch: Architecture, kernel: Kernel, options: RegisterOptions, wave: int | None, grf: int) -> int:
    """Registers a thread of the kernel may have on an architecture, in waves of that size (None: its usual one).

    grf: those of a hardware thread of an Intel GPU.
    """
    bounds, limits = kernel.launch_bounds, kernel.register_limits
    threads = _positive(bounds.max_threads) if bounds is not None else None
    blocks = _positive(bounds.min_blocks) if bounds is not None else None
    if arch.grf_modes:
        return grf_budget(arch, wave, grf)
    unread = bounds is not None and threads is None and bool(bounds.texts)
    if gpu(arch.name).is_nvidia:
        # Of `(INX * INX, 2)` with an INX that only the build knows nobody can say what it leaves.
        cap = register_cap(arch, threads, None if unread else blocks, wave)
        if limits is not None and limits.max_registers:
            asked: int | None = limits.max_registers
        else:  # the option is for kernels without bounds of their own
            asked = options.max_registers if bounds is None else None
        return cap if asked is None else min(cap, max(asked, _LEAST.get(arch.name, _LEAST_ELSEWHERE)))
    waves = blocks
    if limits is not None:
        waves = waves or limits.waves
        threads = threads or limits.max_threads
    if unread:
        threads = threads or ESTIMATED_BLOCK
    if kernel.language == "opencl":
        threads = threads or AMD_DEFAULT_THREADS
    cap = register_cap(arch, threads or options.max_threads, waves, wave)
    if limits is None or not limits.vgprs:
        return cap
    # Where AGPRs are in the same file, as many of them come with the VGPRs that are asked for.
    return min(cap, limits.vgprs * (2 if arch.acc_regs == "unified" else 1))


def grf_modes(arch: Architecture, kernel: Kernel, options: RegisterOptions) -> tuple[int, ...]:
    """GRF registers of a hardware thread: the kernel's setting, else the command's, else 128. Where either leaves it
    to IGC there are several: it takes the first with which nothing is spilled.
    """
    wanted = kernel.grf_mode if kernel.grf_mode is not None else options.grf
    modes = sorted(mode.registers for mode in arch.grf_modes)
    if wanted == 0 and modes:
        return tuple(modes)
    return (wanted if wanted in modes else _GRF,)


def _positive(value: int | None) -> int | None:
    return value if value and value > 0 else None


# VGPRs and AGPRs of a kernel apart, on the GPUs of AMD that have both (gfx908 and later of CDNA).
#
# clang 19.1.7, 43 kernels with MFMA and without, for gfx908, gfx90a and gfx942 (`tools/measure/agpr_truth.py`):
#
# - gfx908 has two files. MFMA accumulates only in AGPRs; the initial values come from VGPRs and return there, so that
#   there is one VGPR for each, and one for values in between. Other values are in AGPRs where VGPRs are full.
# - gfx90a and later have one file of 512; instructions reach 256 of them as VGPRs. Where a thread may have more than
#   256 (launch bounds of at most 256 threads), MFMA adds up in AGPRs, else in VGPRs. Without MFMA, AGPRs hold the
#   registers beyond 256, those that a loop changes twice (`estimate.registers`).


_PASSED_ON = frozenset((Kind.PHI, Kind.EXIT))
_MOVES = {"unified": 2, "separate": 3}  # in and out of an AGPR, for each accumulator; gfx908 copies zeros first


class RegisterFiles(NamedTuple):
    """Registers of a thread at the estimate. accumulators: how many of them MFMA adds up in; moves: copies between the
    two kinds that clang writes for these, None where AGPRs hold what VGPRs have no room for, and each use is one.
    """

    vgprs: int
    agprs: int
    accumulators: int
    moves: int | None


def register_files(facts: KernelFacts, name: str) -> RegisterFiles | None:
    """VGPRs and AGPRs on an architecture, of a template of the instantiation in the middle; None where there is one
    kind of registers.
    """
    kind = architecture(name).acc_regs
    if kind == "none":
        return None
    middle = facts.typical(name)
    target, held = middle.target(name), accumulators(middle, name)
    taken = target.registers.estimate
    if kind == "separate":
        if held:
            return RegisterFiles(min(beside(taken, held), target.budget), held, held, _MOVES[kind] * held)
        wanted = middle.compiled(name).wanted.estimate if taken >= target.budget else taken
        beyond = min(max(0, wanted - target.budget), target.budget)
    else:
        if target.budget <= MOST_VGPRS:  # clang spills before it takes AGPRs
            return RegisterFiles(min(taken, target.budget), 0, held, 0)
        if held:
            return RegisterFiles(max(taken - held, 1), held, held, _MOVES[kind] * held)
        beyond = max(0, taken - MOST_VGPRS)
    vgprs = taken - beyond if kind == "unified" else min(taken, target.budget)
    return RegisterFiles(vgprs, beyond, held, None if beyond else 0)


def beside(taken: int, held: int) -> int:
    """VGPRs on gfx908, of a kernel that takes so many registers in all with so many accumulators."""
    return max(taken - held, held + 1)


def accumulators(facts: KernelFacts, name: str) -> int:
    """Registers in which MFMA adds up, at the place where these are most."""
    names = {site.call.name for site in facts.calls}
    if names.isdisjoint(MATRIX_WRITERS) and not any(map(MATRIX_BUILTIN.match, names)):
        return 0
    return _most(facts.peak(name))


def _most(peak: Peak) -> int:
    """The most accumulators alive beside an MFMA. It writes all lanes of its result at once, also those that nothing
    uses, and whatever the order that is assumed does between two of them.
    """
    graph = peak.graph
    lanes_of = _instructions(graph)
    sums = set(lanes_of)
    for number, op in enumerate(graph.ops):
        if op.kind in _PASSED_ON and not sums.isdisjoint(graph.args[number]):
            sums.add(number)
    places = [place for place, number in enumerate(peak.sequence) if number in lanes_of]
    alive = peak.numbers_at(places)
    most = 0
    for place in places:
        lanes = lanes_of[peak.sequence[place]]
        replaced = {*lanes, *(graph.args[lane][0] for lane in lanes)}
        beside_it = sum(peak.width(number) for number in alive[place] if number in sums and number not in replaced)
        most = max(most, beside_it + sum(graph.widths[lane] for lane in lanes))
    return most


def _instructions(graph: Graph) -> dict[int, list[int]]:
    """The lanes of each MFMA of a graph, by each of them."""
    lanes_of: dict[int, list[int]] = {}
    lanes: list[int] = []
    for number, op in enumerate(graph.ops):
        if op.about == ACCUMULATED:
            if op == lane_of(ACCUMULATED, 0):
                lanes = []
            lanes.append(number)
            lanes_of[number] = lanes
    return lanes_of


# A compiler's allocation for a kernel, if it was measured: it overrides the estimate.


class Measured(NamedTuple):
    """Numbers of the worst of a kernel's instantiations; `arguments` are its, with their brackets.

    spills: dwords per lane, None where the input does not say.
    """

    registers: int
    spills: int | None
    scratch_bytes: int | None
    arguments: str = ""

    @property
    def words(self) -> str:
        """`measured: 64 registers and 496 dwords of spills a lane`."""
        which = f" in `{self.arguments}`" if self.arguments else ""
        dwords = "dword" if self.spills == 1 else "dwords"
        spilled = f" and {self.spills} {dwords} of spills a lane" if self.spills else ""
        none = " without spills" if self.spills == 0 else ""
        return f"measured: {self.registers} registers{spilled}{none}{which}"

    def as_estimate(self, estimated: RegisterEstimate | None, budget: int) -> RegisterEstimate:
        """A band of this number alone. A kernel that spills wants more than it got: at least the estimate, if that is
        more than its budget.
        """
        scratch = self.scratch_bytes if self.scratch_bytes is not None else estimated.scratch_bytes if estimated else 0
        if not self.spills:
            return RegisterEstimate(self.registers, self.registers, self.registers, scratch)
        least = max(budget, self.registers) + 1
        low, middle, high = estimated[:3] if estimated is not None else (least, least, least)
        return RegisterEstimate(max(low, least), max(middle, least), max(high, least), scratch)


def measured_of(
    rows: tuple[Row, ...], file: File, kernel: Kernel, target: str, arguments: str | None
) -> Measured | None:
    """The measured numbers of a kernel, or of one of its instantiations, on a target; None if there are none."""
    from regpress_lint.measured.demangle import demangled
    from regpress_lint.measured.matching import Place, of_instance

    lines = tuple(
        (like.line, like.end_line) for like in file.kernels if (like.name, like.path) == (kernel.name, kernel.path)
    )
    own_rows = _measurements(rows).of(Place(kernel.name, kernel.path, kernel.line, kernel.end_line, lines), target)
    if arguments is not None:
        own_rows = of_instance(own_rows, arguments)
    counted = [row for row in own_rows if row.registers is not None]
    if not counted:
        return None
    worst = max(counted, key=lambda row: (row.spills or 0, row.registers or 0))
    shown = demangled(worst.symbol).arguments if len(counted) > 1 else ""
    return Measured(worst.registers or 0, worst.spills, worst.scratch_bytes, shown)


# The rows of a run are one object; to look them up by their value would take as long as to index them.
_last: list[tuple[tuple[Row, ...], Measurements]] = []


def _measurements(rows: tuple[Row, ...]) -> Measurements:
    if not _last or _last[0][0] is not rows:
        from regpress_lint.measured.matching import Measurements

        _last[:] = [(rows, Measurements(rows))]
    return _last[0][1]


# The budgets of a kernel, and whether its estimate keeps them on a target.


Verdict = Literal["kept", "may", "exceeded"]
_BREAKS = frozenset(";{}")


class KernelBudget(NamedTuple):
    """A limit of a kernel. span: the comment that says so, None for the configuration's."""

    budget: Budget
    span: Span | None = None


def budgets_of(facts: KernelFacts) -> tuple[KernelBudget, ...]:
    """All limits that hold for a kernel: those of comments above it, then those of the configuration."""
    return (*_written(facts), *_configured(facts))


def _written(facts: KernelFacts) -> Iterator[KernelBudget]:
    """Limits of comments between which and the kernel no other code ends."""
    from regpress_lint.cpp.lexical import without_comments

    kernel, source = facts.kernel, facts.file.source
    if kernel.path != source.path:
        return
    starts = [kernel.name_span.start, kernel.function.span.start, *([kernel.entry.start] if kernel.entry else [])]
    begin = min(start for start in starts if start > 0) if any(starts) else 0
    for match in ORDER.finditer(source.data, 0, begin):
        span = Span(match.start(), match.end(1))
        head = source.text(Span(source.line_span(source.line_of(span.start)).start, span.start))
        between = source.text(Span(source.line_span(source.line_of(span.start)).start, begin))
        if not ("//" in head or "/*" in head) or _BREAKS.intersection(without_comments(between)):
            continue
        try:
            yield from (KernelBudget(budget, span) for budget in parse(match[1].decode("utf-8", "replace")))
        except BudgetError:
            continue  # suppressions are read with all other orders, and say so


def _configured(facts: KernelFacts) -> Iterator[KernelBudget]:
    from fnmatch import fnmatchcase

    for pattern, texts in facts.settings.budgets.items():
        if fnmatchcase(facts.kernel.name, pattern):
            yield from (KernelBudget(budget) for text in texts for budget in parse(text))


def verdict(facts: KernelFacts, target: TargetFacts, budget: Budget) -> Verdict:
    """Whether a limit is kept: `may` where a part of the estimate's band says that it is not."""
    if budget.resource == "registers":
        low, high = _registers(target)
        return _between(low > budget.limit, high > budget.limit)
    if budget.resource == "waves":
        best, worst = (now.waves / now.simds < budget.limit for now in (target.best, target.worst))
        return _between(best, worst)
    taken = target.registers.scratch_bytes if budget.resource == "scratch" else target.lds_at_least
    return _between(taken > budget.limit, taken > budget.limit)


def _registers(target: TargetFacts) -> tuple[int, int]:
    """Ends of the band. A measured allocation takes precedence, though a kernel that spills needed more."""
    if target.measured is not None:
        return target.measured.registers, target.measured.registers
    return target.registers.low, target.registers.high


def _between(surely: bool, perhaps: bool) -> Verdict:
    return "exceeded" if surely else "may" if perhaps else "kept"


def taken(facts: KernelFacts, target: TargetFacts, budget: Budget) -> str:
    """The estimate's or a compiler's number that a limit is compared with, in words."""
    registers = target.registers
    if budget.resource == "registers":
        if target.measured is not None:
            return target.measured.words
        return f"the estimate is {registers.estimate} ({registers.low} to {registers.high})"
    if budget.resource == "waves":
        low, now, high = (case.waves / case.simds for case in (target.worst, target.occupancy, target.best))
        band = "" if low == high else f" ({low:g} to {high:g})"
        return f"{now:g}{band} waves per SIMD fit"
    if budget.resource == "scratch":
        if target.measured is not None and target.measured.scratch_bytes is not None:
            return f"measured: {registers.scratch_bytes:,} bytes of scratch"
        return f"{registers.scratch_bytes:,} bytes go to scratch memory"
    return f"it takes {target.lds_at_least:,} bytes of LDS"
