"""Occupancy as text. One architecture: where the kernel is, what holds it there, what the next step takes, the curve.
Several: one column an architecture, as many tables as the width needs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.commands.kernels.output import LIMITERS, limiters, short
from regpress_lint.commands.occupancy.answer import Answer, spilled
from regpress_lint.render.columns import table
from regpress_lint.render.terminal import count, wrap
from regpress_lint.targets.occupancy.amd import DEFAULT_MAX_THREADS
from regpress_lint.targets.occupancy.steps import run_at, steps, sweep, value_of
from regpress_lint.targets.vocabulary import MIXED, WORDS, in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.targets.occupancy.advice import Free, Remedy
    from regpress_lint.targets.occupancy.quantities import Resource, Step
    from regpress_lint.targets.occupancy.steps import Run


AXES: dict[Resource, str] = {
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds_bytes": "LDS bytes",
    "block_size": "block",
}
_BAR = 40


def single(answer: Answer, width: int, *, steps: bool) -> Iterator[str]:
    """The whole answer; `steps`: with the table of register steps."""
    yield f"{answer.arch.name} ({answer.arch.title})"
    if not answer.arch.verified:
        yield "no vendor's tool was available to check these numbers"
    yield from _wrapped(answer, kernel(answer), width)
    yield ""
    if answer.now.impossible:
        yield from _indented(answer, f"the launch cannot work: {answer.now.impossible}", width)
        yield from _indented(answer, remedy(answer), width)
        return
    now = answer.now
    full = now.limiters == ("waves",) and now.fraction == 1 and not spilled(answer)
    held = "nothing but the wave slots" if full else held_by(answer)
    waves = f"{short(now.waves_per_simd)} of {now.max_waves_per_simd} waves per SIMD ({now.fraction:.1%})"
    yield from _indented(answer, f"{waves}, limited by {held}", width)
    yield from _indented(
        answer, f"{count(now.groups, 'block')}, {now.waves} of {now.max_waves} waves per {answer.unit}", width
    )
    yield from _indented(answer, f"blocks per {answer.unit} by limit: {_by_limit(answer)}", width)
    advice = [
        *(f"next step: {line}" for line in next_steps(answer)),
        *(free_of(answer, room) for room in shown_free(answer)),
    ]
    for group in (advice, list(notes(answer)), list(conventions(answer))):
        yield from ("", *(line for text in group for line in _indented(answer, text, width))) if group else ()
    if steps:
        yield from ("", *_step_table(answer))


def _indented(answer: Answer, text: str, width: int) -> list[str]:
    first, *others = wrap(in_words_of(answer.arch.vendor, text), width, first=2, indent="      ")
    return [f"  {first}", *others]


def _wrapped(answer: Answer, text: str, width: int) -> list[str]:
    return wrap(in_words_of(answer.arch.vendor, text), width, indent="    ")


def _spoken(answer: Answer, row: Sequence[str]) -> tuple[str, ...]:
    """A row of a table in the vendor's words."""
    return tuple(in_words_of(answer.arch.vendor, cell) for cell in row)


def held_by(answer: Answer) -> str:
    """The limiters, in words. A large register mode has fewer wave slots than the hardware: then it is named."""
    names = limiters(answer.now.limiters)
    if answer.arch.grf_modes and answer.use.grf != min(mode.registers for mode in answer.arch.grf_modes):
        return names.replace(LIMITERS["waves"], f"{LIMITERS['waves']} of the {answer.use.grf} GRF mode")
    return names


def kernel(answer: Answer) -> str:
    """The kernel's use, in one line."""
    use, size = answer.use, answer.arch.wave_size(answer.use.wave_size)
    registers = count(answer.total.vgprs, "register")
    if use.agprs:
        joint = "the larger of" if answer.arch.acc_regs == "separate" else "together"
        registers += f" ({joint} {count(use.vgprs, 'VGPR')} and {count(use.agprs, 'AGPR')})"
    used = [registers]
    if use.sgprs:
        used.append(count(use.sgprs, "SGPR"))
    used.append(f"{count(use.lds_bytes, 'byte')} of LDS" if use.lds_bytes else "no LDS")
    used.append(f"blocks of {use.block_size} ({count(answer.waves_of_block, 'wave')} of {size})")
    return ", ".join((*used, *modes(answer)))


def modes(answer: Answer) -> Iterator[str]:
    """The requested modes of the architecture: CU or WGP, the GRF mode, the carve-out."""
    if len(answer.arch.modes) > 1:
        yield f"{answer.unit} mode"
    if answer.arch.grf_modes:
        yield f"{answer.use.grf} GRF mode"
    if answer.use.carveout >= 0:
        yield f"{answer.use.carveout} % of the memory preferred as LDS"


def next_steps(answer: Answer) -> Iterator[str]:
    """Every step worth naming: `96 registers (6 fewer) -> 5 waves per SIMD`."""
    for step in answer.steps:
        yield f"{_step(answer, step)} -> {short(step.waves_per_simd)} waves per SIMD"
    if answer.larger is not None:
        more = answer.larger.value - answer.use.block_size
        lds = ", LDS in proportion" if answer.use.lds_bytes else ""
        waves = short(answer.larger.waves_per_simd)
        yield f"{amount('block_size', answer.larger.value)} ({more} more{lds}) -> {waves} waves per SIMD"
    if answer.together is not None:
        first = answer.together.steps[0]
        both = " and ".join(_step(answer, step) for step in answer.together.steps)
        yield f"{both}, together -> {short(first.waves_per_simd)} waves per SIMD"


def _step(answer: Answer, step: Step) -> str:
    fewer = value_of(answer.arch, answer.use, step.resource) - step.value
    return f"{amount(step.resource, step.value)} ({fewer} fewer)"


def amount(resource: str, value: int) -> str:
    """So much of a resource, in words."""
    if resource == "block_size":
        return f"blocks of {value}"
    if resource == "grf":
        return f"the {value} GRF mode"
    if resource == "lds_bytes":
        return f"{count(value, 'byte')} of LDS"
    return count(value, "SGPR" if resource == "sgprs" else "register")


def shown_free(answer: Answer) -> Iterator[Free]:
    """Free resources worth a line: SGPRs only of a kernel that names them, a block only where a wave is not full."""
    partly = answer.use.block_size % answer.arch.wave_size(answer.use.wave_size)
    for room in answer.free:
        if (room.resource == "sgprs" and not answer.use.sgprs) or (room.resource == "block_size" and not partly):
            continue
        yield room


def free_of(answer: Answer, room: Free) -> str:
    """How much more of a resource costs no wave, and why."""
    if room.resource == "block_size":
        return f"blocks of up to {room.last} take no more waves"
    lds = room.resource == "lds_bytes"
    most = answer.arch.lds_max_per_group if lds else answer.arch.max_regs_per_thread
    everything = f", all a {'block' if lds else 'thread'} can have," if room.last == most else ""
    resource_text = (
        f"LDS up to {room.last} bytes{everything} is"
        if lds
        else f"{AXES[room.resource]} up to {room.last}{everything} are"
    )
    if room.limits:
        return f"{resource_text} free here" + ("" if everything else ": the step ends there")
    if room.resource == "registers" and answer.arch.grf_modes:
        return f"{resource_text} free here: what the register mode gives a work-room"
    verb = "limits" if answer.now.limiters == ("lds",) else "limit"
    return f"{resource_text} free here: {limiters(answer.now.limiters)} {verb}"


def notes(answer: Answer) -> Iterator[str]:
    """Remarks that explain the numbers."""
    arch, use = answer.arch, answer.use
    if spills := spilled(answer):
        from regpress_lint.targets.occupancy import grf_budget

        largest = max(mode.registers for mode in arch.grf_modes)
        cure = f"; --grf {largest} leaves {grf_budget(arch, use.wave_size, largest)}" if largest > use.grf else ""
        budget = f"the {use.grf} GRF mode leaves a work-item {use.vgprs - spills} registers"
        yield f"spills: {budget}, {spills} too few{cure}"
    yield from _smaller_mode(answer)
    if (
        arch.lds_static_max is not None
        and arch.lds_static_max < arch.lds_max_per_group
        and use.lds_bytes > arch.lds_static_max
    ):
        allowed = "dynamic shared memory, after cudaFuncSetAttribute allowed it"
        yield f"more than {arch.lds_static_max} bytes of LDS: {allowed}"
    if use.cluster > 1 and arch.has_clusters:
        yield _clusters(answer)
    if arch.launch_max_regs and use.vgprs > arch.max_regs_per_thread:  # the launch check lets more pass
        yield f"ptxas gives a thread at most {arch.max_regs_per_thread} registers"


def _clusters(answer: Answer) -> str:
    """How many clusters are resident on the requested chip."""
    from regpress_lint.targets.occupancy.nvidia import H200, PORTABLE_CLUSTER, active_clusters, share_of_sms

    size, groups = answer.use.cluster, answer.now.groups
    asked = ""
    if size > PORTABLE_CLUSTER:
        asked = f"more than {PORTABLE_CLUSTER} blocks need cudaFuncAttributeNonPortableClusterSizeAllowed; "
    held, share = active_clusters(H200, groups, size), share_of_sms(H200, groups, size)
    return (
        f"clusters of {size}: {asked}one H200 held {held} at once, {share:.0%} of the blocks that its {sum(H200)} SMs "
        "hold without clusters; cudaOccupancyMaxActiveClusters knows other GPUs"
    )


def _smaller_mode(answer: Answer) -> Iterator[str]:
    """Intel: the smallest register mode, where the kernel fits into it and gains waves by it."""
    smallest = min((mode.registers for mode in answer.arch.grf_modes), default=answer.use.grf)
    if answer.use.grf == smallest or answer.now.impossible:
        return
    from regpress_lint.targets.occupancy import grf_budget, occupancy

    then = occupancy(answer.arch, answer.use._replace(grf=smallest))
    fits = answer.use.vgprs <= grf_budget(answer.arch, answer.use.wave_size, smallest)
    if fits and then.waves > answer.now.waves:
        waves = f"{short(then.waves_per_simd)} waves per SIMD"
        yield f"--grf {smallest} is enough for {count(answer.use.vgprs, 'register')}: {waves}"


def conventions(answer: Answer) -> Iterator[str]:
    """The occupancy of the compiler and the run-time API where it differs from the resident waves."""
    if answer.remark is not None and any(remarked != answer.now.waves_per_simd for remarked in answer.remark):
        unbounded, bounded = answer.remark
        text = f"clang's remark says {unbounded} waves per SIMD"
        if bounded == unbounded:
            yield f"{text}: it does not round to whole blocks"
        else:
            text = f"{text} without launch bounds (it assumes blocks of {DEFAULT_MAX_THREADS})"
            yield f"{text}, {bounded} with __launch_bounds__({answer.use.block_size})"
    if answer.api_blocks != answer.now.groups:
        waves = short(answer.api_waves_per_simd)
        yield f"{WORDS[answer.arch.vendor].api} says {count(answer.api_blocks, 'block')}, {waves} waves per SIMD"


def remedy(answer: Answer) -> str:
    """The changes that make an impossible launch work."""
    needed = [" or ".join(_at_most(way) for way in ways) for ways in answer.remedies]
    return f"it works with {' and '.join([', '.join(needed[:-1]), needed[-1]] if len(needed) > 1 else needed)}"


def _at_most(way: Remedy) -> str:
    if way.resource == "grf":
        return f"the {way.value} GRF mode (--grf {way.value})"
    if way.resource == "block_size":
        return f"blocks of at most {way.value}"
    return f"at most {amount(way.resource, way.value)}"


def _by_limit(answer: Answer) -> str:
    limits = [(limit, LIMITERS[name]) for name, limit in answer.now.per_limiter.items() if limit is not None]
    return ", ".join(f"{name} {limit}" for limit, name in sorted(limits, key=lambda pair: pair[0]))


def _step_table(answer: Answer) -> Iterator[str]:
    """The staircase of registers; the row that holds the kernel's is marked."""
    runs = steps(answer.arch, answer.use)
    present = present_run(answer, runs, "registers")
    grf = len(answer.arch.grf_modes) > 1
    rows: list[tuple[str, ...]] = [("", "registers", "waves/SIMD", "of the maximum", *(["GRF mode"] if grf else []))]
    for run in runs:
        now = run.occupancy
        row = (">" if run is present else "", span(run), short(now.waves_per_simd), f"{now.fraction:.1%}")
        rows.append((*row, *([str(run.grf)] if grf else [])))
    yield from (f"  {line}" for line in table([_spoken(answer, rows[0]), *rows[1:]]))


def present_run(answer: Answer, runs: tuple[Run, ...], resource: Resource) -> Run | None:
    """The run that the kernel is in. On Intel the register mode that it is compiled for decides, not how many registers
    it would like to have: beyond the mode it spills.
    """
    if resource == "registers" and answer.arch.grf_modes:
        return next((run for run in runs if run.grf == answer.use.grf), None)
    return run_at(runs, value_of(answer.arch, answer.use, resource))


def span(run: Run) -> str:
    """The values of a run: `97-128`."""
    return str(run.first) if run.first == run.last else f"{run.first}-{run.last}"


def curve(answer: Answer, resource: Resource, blocks: str, width: int, *, named: bool) -> Iterator[str]:
    """The sweep as bars, one row a run; `blocks` are the eighths of a full block, "" for a stream without them."""
    runs = sweep(answer.arch, answer.use, resource)
    present = present_run(answer, runs, resource)
    if named:
        yield from _wrapped(answer, f"{answer.arch.name}: {kernel(answer)}", width)
    rows = [_spoken(answer, ("", AXES[resource], "waves/SIMD", "of max", "limited by"))]
    for run in runs:
        now = run.occupancy
        held = limiters(now.limiters, "+") if now.groups else f"does not fit: {limiters(now.limiters, '+')}"
        held += f", {run.grf} GRF" if run.grf is not None and len(answer.arch.grf_modes) > 1 else ""
        row = (">" if run is present else "", span(run), short(now.waves_per_simd), f"{now.fraction:.1%}", held)
        rows.append(_spoken(answer, row))
    bars = _bars([float(run.occupancy.fraction) for run in runs], rows, blocks, width)
    shown = [(*row[:2], bar, *row[2:]) for row, bar in zip(rows, ["", *bars], strict=True)]
    yield from (f"  {line}" for line in table(shown, frozenset({0, 2, 5})))


def _bars(fractions: Sequence[float], rows: Sequence[Sequence[str]], blocks: str, width: int) -> list[str]:
    """Bars as wide as the other columns leave, 40 cells at most and 8 at least."""
    others = sum(max(map(len, column)) for column in zip(*rows, strict=True)) + 2 * (len(rows[0]) + 1)
    full = max(8, min(_BAR, width - others))
    return [bar(fraction, full, blocks) for fraction in fractions]


def bar(fraction: float, full: int, blocks: str) -> str:
    """A bar of `full` cells at 1.0: in eighths of a cell, or in whole `#`; anything above nothing shows."""
    if not blocks:
        return "#" * max(round(fraction * full), 1 if fraction else 0)
    eighths = max(round(fraction * full * 8), 1 if fraction else 0)
    return blocks[-1] * (eighths // 8) + (blocks[eighths % 8 - 1] if eighths % 8 else "")


_GAP = 2


def comparison(answers: Sequence[Answer], width: int) -> Iterator[str]:
    """The kernel's use, the table or tables, then remarks that do not fit into a cell."""
    use = answers[0].use
    used = [f"{use.vgprs} registers"]
    for name in ("agprs", "sgprs"):
        most = max(getattr(answer.use, name) for answer in answers)
        used += [f"{most} {name[0].upper()}GPRs"] if most else []
    used.append(f"{use.lds_bytes} bytes of LDS" if use.lds_bytes else "no LDS")
    vendor = vendor_of(answer.arch.name for answer in answers)
    say = partial(in_words_of, vendor)
    yield from wrap(say(", ".join((*used, f"blocks of {use.block_size}"))), width, indent="    ")
    rows = [list(map(say, row)) for row in _rows(answers)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for part in _parts(columns[0], columns[1:], width):
        yield ""
        yield from table(list(zip(columns[0], *part, strict=True)), frozenset(range(len(part) + 1)))
    for answer in answers:
        lines = [*notes(answer)]
        if answer.now.impossible:
            lines = [f"the launch cannot work: {answer.now.impossible}", remedy(answer)]
        if not answer.arch.verified:
            lines.append("no vendor's tool was available to check these numbers")
        lines = [in_words_of(answer.arch.vendor, line) for line in lines]
        if lines:
            yield ""
            yield from wrap(f"{answer.arch.name}: {lines[0]}", width, indent="  ")
            yield from (part for line in lines[1:] for part in wrap(f"  {line}", width, indent="    "))
    if vendor is None:
        yield ""
        yield from wrap(MIXED, width)


def _parts(head: list[str], columns: list[list[str]], width: int) -> Iterator[list[list[str]]]:
    """Columns that fit beside the head, at least one in each part."""
    used, part = max(map(len, head)), list[list[str]]()
    room = width - used
    for column in columns:
        need = _GAP + max(map(len, column))
        if part and need > room:
            yield part
            part, room = [], width - used
        part.append(column)
        room -= need
    yield part


def _rows(answers: Sequence[Answer]) -> list[list[str]]:
    """Head and body; a row that is empty for every architecture is left out."""
    cells: list[tuple[str, Callable[[Answer], str]]] = [
        ("", lambda answer: answer.arch.name),
        ("registers with AGPRs", lambda answer: str(answer.total.vgprs) if answer.use.agprs else ""),
        ("wave", lambda answer: str(answer.arch.wave_size(answer.use.wave_size))),
        ("unit", lambda answer: answer.unit),
        ("GRF mode", lambda answer: str(answer.use.grf) if answer.arch.grf_modes else ""),
        ("waves per SIMD", lambda answer: f"{short(answer.now.waves_per_simd)} of {answer.now.max_waves_per_simd}"),
        ("of the maximum", lambda answer: f"{answer.now.fraction:.1%}"),
        ("waves per unit", lambda answer: f"{answer.now.waves} of {answer.now.max_waves}"),
        ("blocks per unit", lambda answer: str(answer.now.groups)),
        ("limited by", lambda answer: "cannot work" if answer.now.impossible else limiters(answer.now.limiters, ", ")),
        ("next step, registers", lambda answer: _step_cell(answer, "registers")),
        ("next step, SGPRs", lambda answer: _step_cell(answer, "sgprs")),
        ("next step, LDS bytes", lambda answer: _step_cell(answer, "lds_bytes")),
        ("next step, block", lambda answer: _step_cell(answer, "block_size")),
        ("larger block", lambda answer: "" if answer.larger is None else _text(answer.larger)),
        ("next step, together", _together),
        ("registers free up to", lambda answer: _free(answer, "registers")),
        ("LDS bytes free up to", lambda answer: _free(answer, "lds_bytes")),
        ("blocks by run-time API", lambda answer: "" if answer.now.impossible else str(answer.api_blocks)),
        ("clang's remark", lambda answer: _remark(answer, 0)),
        ("  with launch bounds", lambda answer: _remark(answer, 1)),
    ]
    rows = [[title, *map(cell, answers)] for title, cell in cells]
    return [[row[0], *(cell or "-" for cell in row[1:])] for row in rows if any(row[1:])]


def _step_cell(answer: Answer, resource: Resource) -> str:
    return next((_text(step) for step in answer.steps if step.resource == resource), "")


def _text(step: Step) -> str:
    return f"{step.value} -> {short(step.waves_per_simd)}"


def _together(answer: Answer) -> str:
    if answer.together is None:
        return ""
    steps = answer.together.steps
    return f"{', '.join(f'{AXES[step.resource]} {step.value}' for step in steps)} -> {short(steps[0].waves_per_simd)}"


def _free(answer: Answer, resource: Resource) -> str:
    return next((str(room.last) for room in shown_free(answer) if room.resource == resource), "")


def _remark(answer: Answer, which: int) -> str:
    return "" if answer.remark is None or answer.now.impossible else str(answer.remark[which])
