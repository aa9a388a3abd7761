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
    picture = render([panel(each, resource) for each in answers if resource in resources(each.arch)])
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(picture)
    except OSError as error:
        raise UsageError(f'--plot: cannot write "{path}": {os_reason(error)}') from None


def panel(each: Answer, resource: Resource) -> Panel:
    """One architecture's panel over `resource`."""
    runs = detailed(each.arch, each.use, resource)
    edges = (max(runs[0].first - 1, 0), *(run.last for run in runs))
    say = partial(in_words_of, each.arch.vendor)
    changes = [a.last for a, b in pairwise(runs) if a.occupancy.waves != b.occupancy.waves]
    return Panel(
        name=each.arch.name,
        title=each.arch.title,
        kernel=say(kernel(each)),
        result=say(_result(each)),
        x_title=say(_X_TITLES[resource]),
        y_title=say("resident waves per SIMD"),
        legend=say("resident waves"),
        unit=1024 if resource == "lds_bytes" else 1,
        edges=edges,
        resident=tuple(float(run.occupancy.waves_per_simd) for run in runs),
        limits=tuple(_limits(each, runs, resource)),
        ticks=(*changes, edges[-1]),
        most=each.now.max_waves_per_simd,
        mark=_mark(each, resource, runs),
        next=_next(each, resource),
        free=next((item.last for item in each.free if item.resource == resource), None),
    )


def _result(each: Answer) -> str:
    now = each.now
    if now.impossible:
        return f"cannot work: {now.impossible}"
    share = f"{now.fraction:.1%}".replace(".0%", "%")
    waves = f"{number(now.waves_per_simd)} of {now.max_waves_per_simd} waves per SIMD"
    return f"{waves} ({share}), limited by {held_by(each)}"


def _limits(each: Answer, runs: tuple[Run, ...], resource: Resource) -> list[Limit]:
    """The curves, with what each admits at the kernel's point; SGPRs only where the kernel names them."""
    here = present_run(each, runs, resource)
    found = []
    for index, name in enumerate(CURVES):
        if name == "sgprs" and not each.use.sgprs and resource != "sgprs":
            continue
        label, color, dashes = _LOOKS[name]
        if name == "registers" and each.arch.grf_modes:
            label = "register mode"
        if here is not None:
            label = _allows(label, here.limits[index], each)
        values = tuple(None if run.limits[index] is None else float(run.limits[index] or 0) for run in runs)
        found.append(Limit(in_words_of(each.arch.vendor, label), color, dashes, values))
    return found


def _allows(label: str, limit: Fraction | None, each: Answer) -> str:
    if limit is None or (label == "LDS" and not each.use.lds_bytes):  # NVIDIA reserves some for every block
        return f"{label}: no limit"
    off = " (off the chart)" if limit > each.now.max_waves_per_simd * ABOVE else ""
    return f"{label} {'allow' if label.endswith('s') else 'allows'} {number(limit)}{off}"


def _mark(each: Answer, resource: Resource, runs: tuple[Run, ...]) -> Mark | None:
    """The kernel's point; one that spills is at the end of its register mode."""
    value = value_of(each.arch, each.use, resource)
    here = present_run(each, runs, resource)
    if each.now.impossible or here is None:
        return None
    spills = f", {spilled(each)} spilled" if spilled(each) and resource == "registers" else ""
    waves = f"{number(each.now.waves_per_simd)} of {each.now.max_waves_per_simd} waves"
    text = f"{_at(resource, value)}: {waves}{spills}"
    return Mark(min(value, here.last), float(each.now.waves_per_simd), in_words_of(each.arch.vendor, text))


def _next(each: Answer, resource: Resource) -> Mark | None:
    step = next((step for step in each.steps if step.resource == resource), None)
    if step is None:
        return None
    waves = number(step.waves_per_simd)
    text = in_words_of(each.arch.vendor, f"{_at(resource, step.value)}: {waves} waves")
    return Mark(step.value, float(step.waves_per_simd), text)


def _at(resource: Resource, value: int) -> str:
    if resource == "block_size":
        return f"blocks of {value}"
    if resource == "lds_bytes":
        return f"{value / 1024:g} KiB of LDS"
    return f"{value} {AXES[resource]}"
