"""RP701 indirect-call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import Recursion, recursive
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Function, Name
from regpress_lint.api.targets import amd_and_nvidia_targets, gpu
from regpress_lint.api.text import count, listing, one_line
from regpress_lint.api.worth import small_grid
from regpress_rules.memory._late_calls import LateCall, through_pointers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_NOTES = 5
_MOST_SHOWN = 3
_LONGEST_SHOWN = 40


class _Late(NamedTuple):
    """A call for the message: what it is, its replacement, and its measured time."""

    span: Span
    function: Function
    what: str
    instead: str
    time: str
    notes: tuple[Note, ...] = ()


class IndirectCall(Rule):
    """A call whose target the compiler does not know: virtual, through a pointer, or recursive."""

    code = "RP701"
    name = "indirect-call"
    vendors = ("amd", "nvidia")
    needs = ("calls",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per call site and recursive function; those in headers are one, at the kernel."""
        targets = amd_and_nvidia_targets(facts)
        found = [*(_bound_late(facts, call) for call in through_pointers(facts)), *map(_recursion, recursive(facts))]
        if not found:
            return
        launches = facts.kernel.launches
        small = bool(launches) and all(small_grid(launch) for launch in launches)
        severities = dict.fromkeys(targets, Severity.HINT if small else Severity.WARNING)
        groups: dict[Span, list[tuple[_Late, tuple[Note, ...]]]] = {}
        for late in found:
            where = place(facts, late.span, late.function.path, "the call")
            notes = (*where.notes, *(late.notes if where.here else ()))
            groups.setdefault(where.span, []).append((late, notes))
        for span, group in groups.items():
            (late, _), *others = group
            more = f" (and {count(len(others), 'more such call')} in headers)" if others else ""
            message = f"{late.what}{more}: it is not inlined and costs {_costs(late, targets)}"
            notes = tuple(note for _, each in group for note in each)[:_MOST_NOTES]
            yield Finding(span, message, severities, late.instead, notes, None, facts.kernel.name)


def _bound_late(facts: KernelFacts, call: LateCall) -> _Late:
    text = _written(facts, call)
    if call.class_name:
        what = f"`{call.names[0]}` is a virtual function, and `{text}` may be of any class derived from "
        what += f"`{call.class_name}`"
        instead = "switch over a tag that says which class it is, or make the kernel a template of the class"
        return _Late(call.site.call.span, call.site.function, what, instead, "6 to 10 x in a loop around the call")
    if len(call.names) > 1:
        shown = [f"`{name}`" for name in call.names[:_MOST_SHOWN]]
        what = f"`{text}` may be {listing([*shown, 'others'] if len(call.names) > _MOST_SHOWN else shown)}"
        instead = "call the functions by name in a `switch` or `if`"
    else:
        what = f"`{text}` is a function pointer that is read at run time"
        instead = "call the functions by name in a `switch`, or make the function a template argument"
    return _Late(call.site.call.span, call.site.function, what, instead, "6 to 7 x in a loop around the call")


def _written(facts: KernelFacts, call: LateCall) -> str:
    """The object or pointer as it is written, cut short."""
    if call.site.path in ("", facts.file.path):
        return one_line(facts.file.source, call.value.span)[:_LONGEST_SHOWN]
    return call.value.name if isinstance(call.value, Name) else "the object"


def _recursion(recursion: Recursion) -> _Late:
    through = f" through {listing(f'`{name}`' for name in recursion.through)}" if recursion.through else ""
    what = f"`{recursion.function.name}` calls itself{through}"
    instead = "write it as a loop, with a small stack of its own if it needs one"
    notes = tuple(Note(call.span, "here too") for call in recursion.others)
    return _Late(recursion.call.span, recursion.function, what, instead, "51 x for a small sum", notes)


def _costs(late: _Late, targets: Sequence[str]) -> str:
    words: list[str] = []
    amd = [target for target in targets if gpu(target).is_amd]
    nvidia = [target for target in targets if gpu(target).is_nvidia]
    if amd:
        words.append(f"at least 44 to 58 VGPRs and a stack of unknown depth in scratch on {listing(amd)}")
    if nvidia:
        words.append(f"time on {listing(nvidia)} ({late.time} on an H200)")
    return ", ".join(words)
