"""Private arrays that a compiler keeps in memory: which, where, why, and what keeping them in registers would take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import KernelFacts, NamedTuple, Note, Severity
from regpress_lint.api.facts import call_size, constant_table, is_tile, is_vector
from regpress_lint.api.syntax import Call, names_in, walk
from regpress_lint.api.targets import gpu, habits, lds_bytes
from regpress_lint.api.text import count, listing, one_line, spelled
from regpress_lint.api.worth import waves_with_lds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from regpress_lint.api.facts import Access, Language, LoopFacts, PrivateArray, Reason
    from regpress_lint.api.syntax import Variable

LOOP_REASONS = frozenset(("pragma", "bound", "body"))
_SMALLEST_NARROW = 16  # bytes

_LAUNCH = frozenset(("blockIdx", "blockDim", "gridDim"))
# What SYCL and OpenCL C call them; a global index is made of the first two and the thread's.
_OF_WORK_ITEMS = {
    "sycl": {"blockIdx": "get_group", "blockDim": "get_local_range", "gridDim": "get_group_range"},
    "opencl": {"blockIdx": "get_group_id", "blockDim": "get_local_size", "gridDim": "get_num_groups"},
}


class Frame(NamedTuple):
    """An array in memory on one target: how bad that is, and where it went ("scratch memory", "LDS", ...)."""

    severity: Severity
    where: str


class Case(NamedTuple):
    """Arrays that are in memory for the same reasons, the largest first.

    frames: of the first array that has one, by target. reasons: why its indices are not constant, by access.
    on: of a case of several targets, the case of each of them alone.
    """

    arrays: tuple[PrivateArray, ...]
    frames: dict[str, Frame]
    reasons: dict[Access, tuple[Reason, ...]]
    on: tuple[Case, ...] = ()

    @property
    def stories(self) -> tuple[Case, ...]:
        """The case for each group of targets with the same message; most cases have one group."""
        told: dict[object, list[Case]] = {}
        for case in self.on or (self,):
            told.setdefault(_story(case), []).append(case)
        return tuple(map(_of_targets, told.values()))

    @property
    def array(self) -> PrivateArray:
        """The array that the finding is about."""
        return self.arrays[0]

    @property
    def in_lds(self) -> bool:
        """True if some target's compiler moves an array to LDS."""
        return any(frame.where == "LDS" for frame in self.frames.values())

    @property
    def tile(self) -> bool:
        """True if one of the arrays is a register tile."""
        return any(map(is_tile, self.arrays))

    @property
    def loops(self) -> tuple[LoopFacts, ...]:
        """Loops that keep an index from being constant; none if anything else does."""
        return loops_of(self.reasons)

    @property
    def worst(self) -> tuple[Access, tuple[Reason, ...]] | None:
        """The run-time index to speak about first: one that unrolling would not cure, then the one in most loops."""

        def rank(item: tuple[Access, tuple[Reason, ...]]) -> tuple[bool, int]:
            access, reasons = item
            return any(reason.kind not in LOOP_REASONS for reason in reasons), rolled_depth(access)

        of_array = [item for item in self.reasons.items() if item[0] in self.array.accesses]
        return max(of_array, key=rank, default=None)


def rolled_depth(access: Access) -> int:
    """Loops around an access that stay loops."""
    return sum(not loop.unrolled for loop in access.loops)


def loops_of(reasons: Mapping[Access, tuple[Reason, ...]]) -> tuple[LoopFacts, ...]:
    """The loops that alone make the indices dynamic, in order, or nothing."""
    reasons_found = [reason for reasons_of in reasons.values() for reason in reasons_of]
    if not reasons_found or any(reason.kind not in LOOP_REASONS for reason in reasons_found):
        return ()
    return tuple({reason.loop.loop: reason.loop for reason in reasons_found if reason.loop is not None}.values())


def cases(facts: KernelFacts) -> Iterator[Case]:
    """Arrays of a kernel that some target keeps in memory because of how they are indexed.

    Each target is looked at alone; what they say of the same array is one case, which keeps them apart.
    """
    by_place: dict[tuple[str, int, bool], list[Case]] = {}
    for target in facts.targets:
        for case in cases_on(facts, target):
            by_place.setdefault((*_place(case.array), case.tile), []).append(case)
    yield from map(_of_targets, by_place.values())


def cases_on(facts: KernelFacts, target: str) -> Iterator[Case]:
    """The same for one target.

    Arrays that the same loops keep in memory are one case: one change brings all of them back. Of a template's
    instances the one that is worst off speaks. Constant tables, and arrays of structs that clang alone keeps in memory
    for being such, have rules of their own.
    """
    worst: dict[tuple[str, int], Case] = {}
    for part in facts.parts_on(target):
        for array in part.arrays_for(target):
            frame = frame_of(part, target, array) if _is_candidate(array) else None
            if frame is None or _has_other_rule(part, target, array) or part.is_guessed(array, target):
                continue
            worse = worst.get(_place(array))
            if worse is None or frame.severity > worse.frames[target].severity:
                reasons = {access: part.why_dynamic(access, target) for access in array.dynamic}
                worst[_place(array)] = Case((array,), {target: frame}, reasons)
    yield from _grouped(worst.values())


def _place(array: PrivateArray) -> tuple[str, int]:
    return array.function.path, array.variable.span.start


def _of_targets(cases: Sequence[Case]) -> Case:
    """One case of several targets' cases of an array."""
    if len(cases) == 1:
        return cases[0]
    arrays = {array.variable: array for case in cases for array in case.arrays}
    frames = {target: frame for case in cases for target, frame in case.frames.items()}
    reasons = {access: reasons for case in cases for access, reasons in case.reasons.items()}
    return Case((*arrays.values(),), frames, reasons, tuple(cases))


def _story(case: Case) -> object:
    """The key that distinguishes messages for targets: arrays, reasons and whether the indices are outside of loops."""
    reasons = ((*access.span, tuple(why(reason, "cuda") for reason in each)) for access, each in case.reasons.items())
    return tuple(array.variable for array in case.arrays), frozenset(reasons), is_cold(case.array)


def by_story(case: Case, say: Callable[[Case], str], introduced: str = "; on {}{}") -> str:
    """The messages of a case, only one if it is the same for all targets."""
    texts: dict[str, list[str]] = {}
    for story in case.stories:
        texts.setdefault(say(story), []).extend(story.frames)
    if len(texts) == 1:
        return next(iter(texts))
    return "".join(introduced.format(listing(names), text) for text, names in texts.items() if text)


def company(case: Case) -> str:
    """The other arrays of a case, and on which targets where that is not all of them."""
    with_it: dict[str, list[str]] = {}
    for part in case.on or (case,):
        for array in part.arrays[1:]:
            with_it.setdefault(f"`{array.variable.name}`", []).extend(part.frames)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, targets in with_it.items():
        groups.setdefault(tuple(targets), []).append(name)
    text = ""
    for concerned, names in groups.items():
        text += f"; {listing(names)} {'goes' if len(names) == 1 else 'go'} with it"
        text += "" if concerned == tuple(case.frames) else f" on {listing(concerned)}"
    return text


def widest(facts: KernelFacts) -> Iterator[tuple[KernelFacts, PrivateArray]]:
    """Arrays of a kernel, of a template each with the facts of the instance in which it is widest."""
    widest_of: dict[tuple[str, int], tuple[KernelFacts, PrivateArray]] = {}
    for part in _executed(facts):
        for array in part.arrays:
            key = (array.function.path, array.variable.span.start)
            known = widest_of.get(key)
            if known is None or (array.bytes or 0) > (known[1].bytes or 0):
                widest_of[key] = part, array
    yield from widest_of.values()


def _executed(facts: KernelFacts) -> Iterator[KernelFacts]:
    """The instances of a template that are executed for a target, one after the other."""
    seen: set[KernelFacts] = set()
    for target in facts.targets:
        for part in facts.parts_on(target):
            if part not in seen:
                seen.add(part)
                yield part


def _has_other_rule(facts: KernelFacts, target: str, array: PrivateArray) -> bool:
    if not gpu(target).is_intel and constant_table(array, facts.source.environment) is not None:
        return True
    from regpress_rules.arrays._bulk_copies import goes_by_bytes
    from regpress_rules.arrays._moving_pointers import has_moving_pointer

    if has_moving_pointer(facts, array) or goes_by_bytes(facts, array):
        return True
    if habits(target).indexing != "vector":
        return False
    from regpress_rules.arrays._vectors import is_splittable

    return is_splittable(facts, target, array)


def _is_candidate(array: PrivateArray) -> bool:
    if not array.bytes or array.table or array.elements == 1:  # of one element the index is known
        return False
    # One that a function in memory reads is there whatever its indices are.
    return bool(array.dynamic) and not array.handed


def calls_math(loop: LoopFacts) -> bool:
    """True if a loop's body calls a library function that is more than an instruction or two."""
    return any(isinstance(node, Call) and call_size(node.name) for node in walk(loop.loop.body))


def _grouped(cases: Iterable[Case]) -> Iterator[Case]:
    groups: list[Case] = []
    for case in sorted(cases, key=lambda case: (not case.tile, -(case.array.bytes or 0))):
        loops, counters = set(case.loops), _list_counters(case.array)
        home = next(
            (
                n
                for n, group in enumerate(groups)
                if not (loops.isdisjoint(group.loops) and counters.isdisjoint(_list_counters(group.array)))
            ),
            None,
        )
        if home is None or groups[home].array.function is not case.array.function:
            groups.append(case)
        else:
            groups[home] = _joined(groups[home], case)
    yield from groups


def _list_counters(array: PrivateArray) -> set[Variable]:
    """Counters by which a list grows: those that grow by one counter are in memory for one reason."""
    from regpress_rules.arrays._inherent import is_list

    if not is_list(array):
        return set()
    written = (access for access in array.dynamic if access.kind == "write" and access.indices)
    names = (name.variable for access in written for name in names_in(access.indices[-1]))
    return {variable for variable in names if variable is not None}


def _joined(first: Case, second: Case) -> Case:
    """Two cases of one target."""
    frames = {
        target: max(frame, second.frames[target], key=lambda frame: frame.severity)
        for target, frame in first.frames.items()
    }
    return Case(first.arrays + second.arrays, frames, first.reasons | second.reasons)


# --------------------------------------------------------------------------------------------------------- frames


def frame_of(facts: KernelFacts, target: str, array: PrivateArray) -> Frame | None:
    """The memory of an array with run-time indices on a target; None if it stays in registers.

    Of a volatile array a hint is left: it is what another rule is about, until the word is gone. A compiler that drops
    the word has the array in memory for its indices.
    """
    if array.variable.volatile_span is None or habits(target).drops_volatile:
        return _frame(facts, target, array)
    frame = None if habits(target).indexing == "vector" and is_vector(array) else _frame(facts, target, array)
    return None if frame is None else frame._replace(severity=Severity.HINT)


def _frame(facts: KernelFacts, target: str, array: PrivateArray) -> Frame | None:
    if not array.dynamic:
        return None  # there copies of a loop make constants of the indices
    indexing, vendor = habits(target).indexing, gpu(target).vendor
    if indexing == "indirect":
        return None if array.stays_in_registers(vendor) else _intel(facts, target, array)
    from regpress_rules.arrays._hidden_accesses import is_hidden

    severity = Severity.INFO if is_cold(array) or is_hidden(facts, array) else Severity.WARNING
    if indexing == "select":
        return None if array.stays_in_registers(vendor) else Frame(severity, gpu(target).private_memory)
    assert array.bytes is not None
    vector = is_vector(array) and not is_crowded_out(facts, target, array)
    if array.bytes <= lds_bytes(target) and not vector and array.stays_in_registers(vendor):
        return Frame(lds_severity(facts, target, array.bytes), "LDS")
    return None if vector and array.stays_in_registers(vendor) else Frame(severity, gpu(target).private_memory)


def is_crowded_out(facts: KernelFacts, target: str, array: PrivateArray) -> bool:
    """True if clang would make a vector register of an array, had the kernel fewer of them."""
    return any(array.variable is vector.variable for vector in facts.crowded_out(target))


def is_cold(array: PrivateArray) -> bool:
    """True if the run-time indices are outside of the loops in which the array is used most: it is copied to memory
    once, and the loops go on in registers.
    """
    if not array.dynamic or any(access.function is not array.function for access in array.dynamic):
        return False  # of a function that the array is passed to, the loops around the call are not known
    return max(map(rolled_depth, array.dynamic)) < max(
        rolled_depth(access) for access in array.accesses if access.indices
    )


def lds_threads(facts: KernelFacts) -> int:
    """Threads for which clang sets LDS aside when it moves an array there."""
    return facts.launch.most_threads


def waves_beside_lds(facts: KernelFacts, target: str, bytes_: int) -> tuple[float, float]:
    """Waves per SIMD without and with an array of so many bytes that clang moves to LDS."""
    estimate = facts.target(target)
    return waves_with_lds(estimate, estimate.registers.low, bytes_ * lds_threads(facts))


def lds_severity(facts: KernelFacts, target: str, bytes_: int) -> Severity:
    """A warning if the LDS that the array takes then leaves fewer waves by the known launches; else a hint."""
    without, beside = waves_beside_lds(facts, target, bytes_)
    if beside >= without:
        return Severity.HINT
    certain = facts.launch.block_size_from != "assumed" and not facts.launch.launches_differ
    return Severity.WARNING if certain else Severity.INFO


def _intel(facts: KernelFacts, target: str, array: PrivateArray) -> Frame | None:
    """A warning where newer versions of IGC keep the array in memory as well; a hint for a few bytes."""
    assert array.bytes is not None
    limits = facts.intel_limits(array, target)
    severity = Severity.INFO if array.bytes <= limits.newer or is_cold(array) else Severity.WARNING
    if limits.never and array.bytes < _SMALLEST_NARROW:
        severity = Severity.HINT
    return Frame(severity, gpu(target).private_memory)


# ---------------------------------------------------------------------------------------------------------- words


def described(array: PrivateArray) -> str:
    """An array as its declaration says it, with its bytes if they are known: "`acc` of 64 x float (256 bytes per
    thread)". Of elements without a known type they are those of floats.
    """
    type_ = array.variable.type
    element = spelled(type_)
    presumed = f" if `{type_.shown or element}` is a float" if array.presumed else ""
    size = "" if array.bytes is None else f" ({count(array.bytes, 'byte')} per thread{presumed})"
    return f"`{array.variable.name}` of {array.elements} x {element}{size}"


def shown_access(facts: KernelFacts, array: PrivateArray, access: Access) -> str:
    """An access as it is written, or as it may have been."""
    from regpress_lint.api.facts import spelled

    if access.function.path in ("", facts.file.path):
        text = one_line(facts.file.source, access.span)
        if len(text) <= 40:
            return text
    return array.variable.name + "".join(f"[{spelled(index)}]" for index in access.indices)


def causes(reasons: Sequence[Reason], language: Language) -> str:
    """The first two reasons in words, to follow "is not a constant: "."""
    names = {reason.name.partition(".")[0] for reason in reasons}
    if language in _OF_WORK_ITEMS and {"blockIdx", "blockDim"} <= names:
        return "it depends on the work-item (`get_global_id`)"
    words = list(dict.fromkeys(why(reason, language) for reason in reasons[:2]))
    if len(words) > 1 and all(reason.kind == "memory" for reason in reasons[:2]):
        words[1] = f"`{reasons[1].source}`"
    return " and ".join(words)


def why(reason: Reason, language: Language) -> str:
    name = f"`{reason.name}`"
    if reason.kind == "pragma":
        pragma = " ".join(reason.source.split())
        return f"the loop over {name} is not unrolled (`{pragma if '#' in pragma else f'#pragma {pragma}'}`)"
    if reason.kind == "bound":
        how = f"its bound `{reason.source}` is known only at run time" if reason.source else "it has no constant bound"
        if reason.source.isdecimal():
            how = "what it begins with is known only at run time"
        return f"the loop over {name} is not unrolled, because {how}"
    if reason.kind == "body":
        trips = reason.loop.trip_count if reason.loop is not None else None
        return f"the loop over {name} is too long to be unrolled ({trips:,} iterations of its body)"
    if reason.kind == "carried":
        return f"{name} changes from one iteration to the next of a loop that stays one"
    if (builtin := reason.name.partition(".")[0]) in _LAUNCH:
        words = _OF_WORK_ITEMS.get(language)
        return f"it is decided by the launch ({f'`{words[builtin]}`' if words else name})"
    if reason.kind == "argument":
        return f"{name} is an argument of `{reason.source}`" if reason.source else f"{name} is an argument"
    if reason.kind == "thread":
        if language in _OF_WORK_ITEMS and (reason.source or reason.name).startswith("threadIdx"):
            return "it depends on the work-item (`get_local_id`)"
        return f"it depends on the thread (`{reason.source or reason.name}`)"
    if reason.kind == "memory":
        return f"it is read from memory, `{reason.source}`"
    if reason.kind == "call":
        return f"it is the result of `{reason.source}`"
    if reason.kind == "condition":
        return f"{name} is set under a condition"
    return f"{name} is known only at run time" if reason.name else "it is known only at run time"


def notes_of(case: Case) -> tuple[Note, ...]:
    """Places of the run-time indices and of what makes them so."""
    notes: dict[tuple[str, int], Note] = {}
    for access, reasons in case.reasons.items():
        path = access.function.path or None
        notes.setdefault((str(path), access.span.start), Note(access.span, "indexed at run time here", path))
        for reason in reasons:
            if reason.span is not None:
                words = "this loop stays a loop" if reason.kind in LOOP_REASONS else "the index is decided here"
                span = reason.span._replace(end=min(reason.span.end, reason.span.start + 3))
                notes.setdefault((str(path), reason.span.start), Note(span, words, path))
    return tuple(notes.values())[:_MOST_NOTES]


_MOST_NOTES = 6


def loop_advice(case: Case) -> str:
    """Advice for the loops that keep indices from being constants."""
    kinds = {reason.kind for reasons in case.reasons.values() for reason in reasons}
    named = dict.fromkeys(f"`{loop.counter.name}`" for loop in case.loops if loop.counter is not None)
    loops = f"{'loops' if len(case.loops) > 1 else 'loop'} over {listing(named)}" if named else "loop"
    if kinds == {"bound"}:
        return _with_bound(case, loops)
    if kinds == {"pragma"}:
        return f"drop the pragma that keeps the {loops} rolled"
    if kinds == {"body"}:
        if any(map(calls_math, case.loops)):
            return f"shorten the {loops}, or keep the array in shared memory or LDS, a column for each thread"
        return f"write `#pragma unroll` in front of the {loops}, or make the body shorter"
    return f"let the {loops} be unrolled completely: constant bounds, and no pragma against it"


def _with_bound(case: Case, loops: str) -> str:
    """A constant bound alone leaves a long body in its loop: nvcc and clang unroll it only where a pragma says so."""
    bound = next((r.source for reasons in case.reasons.values() for r in reasons if r.source), "")
    limits = "constant limits" if bound.isdecimal() else "a constant bound"
    test = f", test against `{bound}` inside" if bound and not bound.isdecimal() else ""
    return f"give the {loops} {limits}{test} and write `#pragma unroll` in front, so that the indices become constants"
