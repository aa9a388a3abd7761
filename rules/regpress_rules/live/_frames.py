"""Private memory that is not spilled registers, where no other rule says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Severity
from regpress_lint.api.math import framed
from regpress_lint.api.preprocessor import inside_condition
from regpress_lint.api.report import place
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import CallSite, Frame
    from regpress_lint.api.rule import Others
    from regpress_lint.api.syntax import Function, Variable

_ARRAYS = ("RP401", "RP402", "RP403", "RP404", "RP405", "RP406", "RP407", "RP408", "RP409", "RP601", "RP903")
# Which rules say why, by what lies there. The slow path of a sine is RP109's own.
_SAID_BY: Mapping[str, tuple[str, ...]] = {
    "array": _ARRAYS,
    "crowded": _ARRAYS,
    "object": _ARRAYS,
    "handed": _ARRAYS,
    "volatile": _ARRAYS,
    "stack": _ARRAYS,
    "service": ("RP204",),
    "library": ("RP201", "RP202", "RP203", "RP205", "RP206", "RP701"),
    "slow-path": (),
}
_BECAUSE = {
    "array": "is indexed at run time, or its address is handed on",
    "crowded": "has no room in registers beside the other arrays",
    "object": "is a struct of which a part is picked at run time",
    "handed": "is handed by its address to a function that is not inlined",
    "volatile": "is volatile",
}
_MOST = 4  # places that are named


def in_memory(facts: KernelFacts, others: Others) -> Iterator[Finding]:
    """One finding for a thread's private memory on some target that no other rule reports."""
    if not _may_have(facts):
        return
    left = {name: found for name in facts.targets if (found := _unsaid(facts, name, others))}
    if not left:
        return
    severities = dict.fromkeys(left, Severity.INFO)
    name = max(left, key=lambda target: _bytes(left[target]))
    own, frames = facts.typical(name), left[name]
    where = place(facts, facts.kernel.name_span, facts.kernel.path, "the kernel")
    total = " and ".join(f"{_bytes(each):,} on {target}" for target, each in left.items() if target != name)
    kept = f"{count(_bytes(frames), 'byte')} per thread in {gpu(name).private_memory} on {name}"
    message = f"`{facts.kernel.name}` has {kept}{f' ({total})' if total else ''}: "
    message += "; ".join(dict.fromkeys(_words(own, each, alone=len(frames) == 1) for each in frames))
    notes = tuple(note for each in frames for note in _notes(own, each))[:_MOST]
    help_ = "; ".join(dict.fromkeys(_advice(each, name) for each in frames))
    yield Finding(where.span, message, severities, help_, where.notes + notes, None, facts.kernel.name)


def _bytes(frames: tuple[Frame, ...]) -> int:
    return sum(each.bytes for each in frames)


def _may_have(facts: KernelFacts) -> bool:
    """False for a kernel that declares and calls nothing that has a frame: it need not be executed for that."""
    if facts.described_arrays:
        return True
    if any(framed(site.call.name) or "noinline" in site.function.qualifiers for site in facts.calls):
        return True
    declared = (v for each in facts.functions for v in (*facts.flow_of(each).declared, *each.parameters))
    return any(v.volatile_span is not None or (v.type.struct and not v.type.pointers) for v in declared)


def _unsaid(facts: KernelFacts, name: str, others: Others) -> tuple[Frame, ...]:
    measured = facts.target(name).measured
    if measured is not None and measured.scratch_bytes == 0:
        return ()
    found = facts.typical(name).frames(name)
    said: dict[tuple[str, ...], bool] = {}
    for codes in {_SAID_BY[each.kind] for each in found}:
        said[codes] = any(_says(one, name) for code in codes for one in others(code))
    return tuple(each for each in found if not said[_SAID_BY[each.kind]] and not _is_for_debugging(facts, each))


def _is_for_debugging(facts: KernelFacts, frame: Frame) -> bool:
    """True for prints that a release build leaves out."""
    if frame.kind != "service":
        return False
    sites = [site for site in _sites(facts, frame) if site.path in ("", facts.file.path)]
    return bool(sites) and all(inside_condition(facts.file.source, site.call.span.start, "NDEBUG") for site in sites)


def _says(found: Finding, target: str) -> bool:
    return found.severities.get(target, found.severities.get("*", Severity.HINT)) > Severity.HINT


# ------------------------------------------------------------------------------------------------------------- words


def _words(own: KernelFacts, frame: Frame, *, alone: bool) -> str:
    size = "" if alone else f" ({count(frame.bytes, 'byte')})"
    if frame.variable is not None:
        return f"`{frame.variable.name}`{size} {_BECAUSE[frame.kind]}"
    if frame.kind == "stack":
        return f"structs that are handed over on the stack{size}"
    names = [f"`{each}`" for each in dict.fromkeys(site.call.name for site in _sites(own, frame))]
    names = names or [f"`{key.partition(':')[0]}`" for key in frame.keys]
    if frame.kind == "slow-path":
        return f"the slow path of {listing(names)} for large arguments{size}"
    return f"{listing(names)} {'needs' if len(names) == 1 else 'need'} a frame{size}"


def _sites(own: KernelFacts, frame: Frame) -> list[CallSite]:
    """The calls that share a frame."""
    families = {key.partition(":")[0] for key in frame.keys}
    return [site for site in own.calls if framed(site.call.name) in families]


def _notes(own: KernelFacts, frame: Frame) -> Iterator[Note]:
    """Where the variable is declared, or the calls are."""
    if frame.variable is not None:
        home = next((each for each in own.functions if _declares(own, each, frame.variable)), None)
        if home is not None:
            yield Note(frame.variable.span, "in memory", _path(own, home))
        return
    for site in _sites(own, frame)[:_MOST]:
        yield Note(site.call.span, f"`{site.call.name}`", _path(own, site.function))


def _declares(own: KernelFacts, function: Function, variable: Variable) -> bool:
    return variable in (*own.flow_of(function).declared, *function.parameters)


def _path(own: KernelFacts, function: Function) -> str | None:
    return None if function.path in ("", own.file.path) else function.path


def _advice(frame: Frame, name: str) -> str:
    if frame.kind == "slow-path":
        return (
            "where arguments are small, `__sinf`, `__cosf` and their like, or `-use_fast_math`, have none; `sinpif(x)` "
            "in place of `sinf(M_PI * x)` reduces its argument exactly and without memory"
        )
    if frame.kind == "service":
        return "take it out of the release build"
    if frame.kind == "library":
        return "compute it in single precision, or once and not in every thread"
    if frame.kind == "volatile":
        return "leave `volatile` out"
    if frame.kind in {"handed", "stack"}:
        return "let the function be inlined, or hand the value over and not its address"
    place_ = "LDS" if gpu(name).is_amd else "shared memory"
    return f"index it with constants, or keep it in {place_}"
