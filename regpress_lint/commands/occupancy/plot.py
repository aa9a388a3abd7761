"""`occupancy --plot`: the answers as panels of the picture, and the file."""

from __future__ import annotations

import os
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.commands.occupancy.answer import spilled
from regpress_lint.commands.occupancy.svg import ABOVE, Limit, Mark, Panel, render
from regpress_lint.commands.occupancy.text import AXES, held_by, kernel, number, present_run
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.targets.occupancy.curves import CURVES, Run, detailed, resources, value_of
from regpress_lint.targets.vocabulary import in_words_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from regpress_lint.commands.occupancy.answer import Answer
    from regpress_lint.targets.occupancy.quantities import Resource


# Colours that colour-blind readers tell apart (Okabe and Ito's, for SGPRs Tol's), dashes for paper without colours.
_LOOKS = {
    "registers": ("registers", "#0072b2", ""),
    "sgprs": ("SGPRs", "#aa4499", "12 4 3 4"),
    "lds": ("LDS", "#d55e00", "11 6"),
    "block": ("block size", "#4d4d4d", "3 4"),
}
_X_TITLES: dict[Resource, str] = {
    "registers": "registers per thread",
    "sgprs": "SGPRs per wave",
    "lds_bytes": "LDS per block, KiB",
    "block_size": "threads per block",
}


def check_path(path: str) -> None:
    """Raises UsageError for a file that cannot become an SVG, before anything is worked out."""
    if not path.lower().endswith(".svg"):
        raise UsageError(f'--plot: "{path}" must end in .svg, the one format that is written')
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise UsageError(f'--plot: the folder "{folder}" does not exist, create it first')
    if os.path.isdir(path):
        raise UsageError(f'--plot: "{path}" is a folder, name a file')


def write(path: str, answers: Sequence[Answer], resource: Resource) -> None:
    """Write the picture of the answers that have the resource. Raises UsageError."""
    picture = render([panel(answer, resource) for answer in answers if resource in resources(answer.arch)])
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(picture)
    except OSError as error:
        raise UsageError(f'--plot: cannot write "{path}": {os_reason(error)}') from None


def panel(answer: Answer, resource: Resource) -> Panel:
    """One architecture's panel over `resource`."""
    runs = detailed(answer.arch, answer.use, resource)
    edges = (max(runs[0].first - 1, 0), *(run.last for run in runs))
    say = partial(in_words_of, answer.arch.vendor)
    changes = [a.last for a, b in pairwise(runs) if a.occupancy.waves != b.occupancy.waves]
    return Panel(
        name=answer.arch.name,
        title=answer.arch.title,
        kernel=say(kernel(answer)),
        result=say(_result(answer)),
        x_title=say(_X_TITLES[resource]),
        y_title=say("resident waves per SIMD"),
        legend=say("resident waves"),
        unit=1024 if resource == "lds_bytes" else 1,
        edges=edges,
        resident=tuple(float(run.occupancy.waves_per_simd) for run in runs),
        limits=tuple(_limits(answer, runs, resource)),
        ticks=(*changes, edges[-1]),
        most=answer.now.max_waves_per_simd,
        mark=_mark(answer, resource, runs),
        next=_next(answer, resource),
        free=next((item.last for item in answer.free if item.resource == resource), None),
    )


def _result(answer: Answer) -> str:
    now = answer.now
    if now.impossible:
        return f"cannot work: {now.impossible}"
    share = f"{now.fraction:.1%}".replace(".0%", "%")
    waves = f"{number(now.waves_per_simd)} of {now.max_waves_per_simd} waves per SIMD"
    return f"{waves} ({share}), limited by {held_by(answer)}"


def _limits(answer: Answer, runs: tuple[Run, ...], resource: Resource) -> list[Limit]:
    """The curves, with what each admits at the kernel's point; SGPRs only where the kernel names them."""
    here = present_run(answer, runs, resource)
    found = []
    for index, name in enumerate(CURVES):
        if name == "sgprs" and not answer.use.sgprs and resource != "sgprs":
            continue
        label, color, dashes = _LOOKS[name]
        if name == "registers" and answer.arch.grf_modes:
            label = "register mode"
        if here is not None:
            label = _allows(label, here.limits[index], answer)
        values = tuple(None if run.limits[index] is None else float(run.limits[index] or 0) for run in runs)
        found.append(Limit(in_words_of(answer.arch.vendor, label), color, dashes, values))
    return found


def _allows(label: str, limit: Fraction | None, answer: Answer) -> str:
    if limit is None or (label == "LDS" and not answer.use.lds_bytes):  # NVIDIA reserves some for every block
        return f"{label}: no limit"
    off = " (off the chart)" if limit > answer.now.max_waves_per_simd * ABOVE else ""
    return f"{label} {'allow' if label.endswith('s') else 'allows'} {number(limit)}{off}"


def _mark(answer: Answer, resource: Resource, runs: tuple[Run, ...]) -> Mark | None:
    """The kernel's point; one that spills is at the end of its register mode."""
    value = value_of(answer.arch, answer.use, resource)
    here = present_run(answer, runs, resource)
    if answer.now.impossible or here is None:
        return None
    spills = f", {spilled(answer)} spilled" if spilled(answer) and resource == "registers" else ""
    waves = f"{number(answer.now.waves_per_simd)} of {answer.now.max_waves_per_simd} waves"
    text = f"{_at(resource, value)}: {waves}{spills}"
    return Mark(min(value, here.last), float(answer.now.waves_per_simd), in_words_of(answer.arch.vendor, text))


def _next(answer: Answer, resource: Resource) -> Mark | None:
    step = next((step for step in answer.steps if step.resource == resource), None)
    if step is None:
        return None
    waves = number(step.waves_per_simd)
    text = in_words_of(answer.arch.vendor, f"{_at(resource, step.value)}: {waves} waves")
    return Mark(step.value, float(step.waves_per_simd), text)


def _at(resource: Resource, value: int) -> str:
    if resource == "block_size":
        return f"blocks of {value}"
    if resource == "lds_bytes":
        return f"{value / 1024:g} KiB of LDS"
    return f"{value} {AXES[resource]}"
