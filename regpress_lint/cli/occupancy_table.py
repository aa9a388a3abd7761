"""Several architectures side by side: one column an architecture, as many tables as the width needs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cli.occupancy_text import AXES, notes, number, remedy, shown_free
from regpress_lint.formats.columns import table
from regpress_lint.formats.kernels_text import limiters
from regpress_lint.targets.vocabulary import MIXED, in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.cli.occupancy_answer import Answer
    from regpress_lint.targets.occupancy.quantities import Resource, Step

_GAP = 2


def comparison(answers: Sequence[Answer], width: int) -> Iterator[str]:
    """The kernel's use, the table or tables, then remarks that do not fit into a cell."""
    from regpress_lint.formats.terminal import wrap

    use = answers[0].use
    used = [f"{use.vgprs} registers"]
    for name in ("agprs", "sgprs"):
        most = max(getattr(each.use, name) for each in answers)
        used += [f"{most} {name[0].upper()}GPRs"] if most else []
    used.append(f"{use.lds_bytes} bytes of LDS" if use.lds_bytes else "no LDS")
    vendor = vendor_of(each.arch.name for each in answers)
    say = partial(in_words_of, vendor)
    yield from wrap(say(", ".join((*used, f"blocks of {use.block_size}"))), width, indent="    ")
    rows = [list(map(say, row)) for row in _rows(answers)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for part in _parts(columns[0], columns[1:], width):
        yield ""
        yield from table(list(zip(columns[0], *part, strict=True)), frozenset(range(len(part) + 1)))
    for each in answers:
        lines = [*notes(each)]
        if each.now.impossible:
            lines = [f"the launch cannot work: {each.now.impossible}", remedy(each)]
        if not each.arch.verified:
            lines.append("no vendor's tool was at hand to check these numbers")
        lines = [in_words_of(each.arch.vendor, line) for line in lines]
        if lines:
            yield ""
            yield from wrap(f"{each.arch.name}: {lines[0]}", width, indent="  ")
            yield from (part for line in lines[1:] for part in wrap(f"  {line}", width, indent="    "))
    if vendor is None:
        yield ""
        yield from wrap(MIXED, width)


def _parts(head: list[str], columns: list[list[str]], width: int) -> Iterator[list[list[str]]]:
    """Columns that fit beside the head, at least one in each part."""
    used, part = max(map(len, head)), list[list[str]]()
    left = width - used
    for column in columns:
        need = _GAP + max(map(len, column))
        if part and need > left:
            yield part
            part, left = [], width - used
        part.append(column)
        left -= need
    yield part


def _rows(answers: Sequence[Answer]) -> list[list[str]]:
    """Head and body; a row that is empty for every architecture is left out."""
    cells: list[tuple[str, Callable[[Answer], str]]] = [
        ("", lambda each: each.arch.name),
        ("registers with AGPRs", lambda each: str(each.total.vgprs) if each.use.agprs else ""),
        ("wave", lambda each: str(each.arch.wave_size(each.use.wave_size))),
        ("unit", lambda each: each.unit),
        ("GRF mode", lambda each: str(each.use.grf) if each.arch.grf_modes else ""),
        ("waves per SIMD", lambda each: f"{number(each.now.waves_per_simd)} of {each.now.max_waves_per_simd}"),
        ("of the maximum", lambda each: f"{each.now.fraction:.1%}"),
        ("waves per unit", lambda each: f"{each.now.waves} of {each.now.max_waves}"),
        ("blocks per unit", lambda each: str(each.now.groups)),
        ("limited by", lambda each: "cannot work" if each.now.impossible else limiters(each.now.limiters, ", ")),
        ("next step, registers", lambda each: _step(each, "registers")),
        ("next step, SGPRs", lambda each: _step(each, "sgprs")),
        ("next step, LDS bytes", lambda each: _step(each, "lds_bytes")),
        ("next step, block", lambda each: _step(each, "block_size")),
        ("larger block", lambda each: "" if each.larger is None else _text(each.larger)),
        ("next step, together", _together),
        ("registers free up to", lambda each: _free(each, "registers")),
        ("LDS bytes free up to", lambda each: _free(each, "lds_bytes")),
        ("blocks by run-time API", lambda each: "" if each.now.impossible else str(each.api_blocks)),
        ("clang's remark", lambda each: _remark(each, 0)),
        ("  with launch bounds", lambda each: _remark(each, 1)),
    ]
    rows = [[title, *map(cell, answers)] for title, cell in cells]
    return [[row[0], *(cell or "-" for cell in row[1:])] for row in rows if any(row[1:])]


def _step(each: Answer, resource: Resource) -> str:
    return next((_text(step) for step in each.steps if step.resource == resource), "")


def _text(step: Step) -> str:
    return f"{step.value} -> {number(step.waves_per_simd)}"


def _together(each: Answer) -> str:
    if each.together is None:
        return ""
    steps = each.together.steps
    return f"{', '.join(f'{AXES[step.resource]} {step.value}' for step in steps)} -> {number(steps[0].waves_per_simd)}"


def _free(each: Answer, resource: Resource) -> str:
    return next((str(item.last) for item in shown_free(each) if item.resource == resource), "")


def _remark(each: Answer, which: int) -> str:
    return "" if each.remark is None or each.now.impossible else str(each.remark[which])
