"""RP403 runtime-indexed-array."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Rule, Severity
from regpress_lint.api.counters import is_added_up, is_histogram
from regpress_lint.api.facts import bounds_declared, budget, is_vector
from regpress_lint.api.memory import own_root, places
from regpress_lint.api.report import place
from regpress_lint.api.syntax import evaluate
from regpress_lint.api.targets import amd_targets, architecture, gpu, habits, register_cap
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import column_in_doubt, column_pays
from regpress_rules.arrays._indexed_structs import in_shared, indexed_structs
from regpress_rules.arrays._private import (
    Case,
    by_story,
    calls_math,
    cases,
    causes,
    company,
    described,
    is_cold,
    is_crowded_out,
    lds_threads,
    loop_advice,
    notes_of,
    shown_access,
)
from regpress_rules.arrays._shared_counters import largest_count, ways_to_share
from regpress_rules.arrays._unrolling_fix import unrolling_fix

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Variable

_MOST_COPIES = 1024  # of a loop's body: nobody unrolls an insertion sort of 64 elements
_MOST_OF_MATH = 24  # of calls: 50 of two `powf` took 22 times the code on sm_90, and no byte less of scratch on gfx90a
_COUNTERS = (("unsigned int", 4), ("unsigned short", 2), ("unsigned char", 1))
# Elements and bytes among which selects were compiled: 3 to 8 doubles, 9 to 16 floats and 2 or 4 pairs of doubles leave
# no stack on sm_90 (24 to 64 bytes before) and no scratch on gfx90a.
_MOST_CHOICES, _CHOSEN_BYTES, _PAIR = 16, 64, 2
_NAMED = 3  # arrays in a help text
_DECIDED = frozenset(("memory", "call", "thread"))  # kinds of reasons
_SHORT = 16  # elements of an array that clang keeps in registers whatever the index


class RuntimeIndexedArray(Rule):
    """A private array whose index is known only at run time: it lives in memory and not in registers."""

    code = "RP403"
    name = "runtime-indexed-array"
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding for arrays that the same loops keep in memory, one for any other array or struct."""
        every = tuple(cases(facts))
        for case in every:
            if not case.tile:
                yield _finding(facts, case, _in_memory(every))
        yield from indexed_structs(facts)


def _in_memory(cases: Collection[Case]) -> dict[str, tuple[Variable, ...]]:
    """The arrays of a kernel that are in private memory, for each target."""
    arrays: dict[str, dict[Variable, None]] = {}
    for case in cases:
        for part in case.on or (case,):
            for name, frame in part.frames.items():
                if frame.where != "LDS":
                    arrays.setdefault(name, {}).update((array.variable, None) for array in part.arrays)
    return {name: tuple(variables) for name, variables in arrays.items()}


def _finding(facts: KernelFacts, case: Case, memory: Mapping[str, tuple[Variable, ...]]) -> Finding:
    array = case.array
    shared = array.function is not facts.kernel.function
    where = place(facts, array.variable.span, array.function.path, "the array")
    frames = {target: frame.where for target, frame in case.frames.items()}
    verb = "is moved to" if set(frames.values()) == {"LDS"} else "goes to"
    message = f"private array {described(array)} {verb} {places(frames)}{by_story(case, partial(_cause, facts))}"
    if case.in_lds:
        assert array.bytes is not None
        threads = lds_threads(facts)
        bound = "launch bound" if facts.kernel.launch_bounds is not None else "default bound"
        message += f"; clang takes {array.bytes} x {threads:,} bytes of LDS for the threads of the {bound}"
    message += _threshold(facts, case)
    message += company(case)
    designed = next(filter(None, map(_by_design, case.on or (case,))), "")
    message += f"; {designed}" if designed else ""
    severities = {target: _severity(facts, part, memory) for part in case.on or (case,) for target in part.frames}
    fix = unrolling_fix(facts, case) if where.here else None
    help_ = by_story(case, partial(_advice, facts, shared=shared), "; on {}: {}").removeprefix("; ")
    help_ += _price_of_cache(facts, case, memory, shared=shared)
    return Finding(where.span, message, severities, help_, where.notes + notes_of(case), fix)


def _severity(facts: KernelFacts, case: Case, memory: Mapping[str, tuple[Variable, ...]]) -> Severity:
    """Of a case of one target: information where there is nothing better, or it costs too many waves."""
    ((name, frame),) = case.frames.items()
    if _counts_for_all(facts, name, case):
        return frame.severity
    if not gpu(name).is_intel and not case.loops and case.reasons and _selectable(case.array) and not _by_design(case):
        return frame.severity
    from regpress_rules.arrays._price import row_picked

    if not gpu(name).is_intel and row_picked(facts, case):
        return frame.severity
    if not _curable(facts, name, case):
        return _unless_intel(name, frame.severity)
    if not _needs_column(facts, case):
        return frame.severity
    if _left_behind(name, case, memory):
        return min(frame.severity, Severity.INFO)
    return _unless_column(facts, name, case, frame.severity)


def _needs_column(facts: KernelFacts, case: Case) -> bool:
    """True if neither copies of loops nor a constant table can replace the array."""
    return bool(_by_design(case)) or not (_in_registers(facts, case) or _holds_constants(facts, case.array))


def _left_behind(name: str, case: Case, memory: Mapping[str, tuple[Variable, ...]]) -> tuple[Variable, ...]:
    """Other arrays of the kernel that stay in local memory, if that makes it doubtful that a column gains."""
    if case.frames[name].where == "LDS":
        return ()
    others = tuple(variable for variable in memory.get(name, ()) if variable is not case.array.variable)
    return others if column_in_doubt(name, len(others)) else ()


def _price_of_cache(facts: KernelFacts, case: Case, memory: Mapping[str, tuple[Variable, ...]], *, shared: bool) -> str:
    """The arrays that a column leaves in local memory, for the help; empty if there are none."""
    from regpress_rules.arrays._price import fits

    left_behind: dict[Variable, None] = {}
    for part in case.on or (case,):
        ((name, _),) = part.frames.items()
        registers = shared or fits(facts, part) if part.loops else _selectable(part.array)
        if registers or not _needs_column(facts, part):
            continue
        if _curable(facts, name, part) and not _counts_for_all(facts, name, part):
            left_behind.update(dict.fromkeys(_left_behind(name, part, memory)))
    if not left_behind:
        return ""
    names = [f"`{variable.name}`" for variable in left_behind]
    some = listing(names if len(names) <= _NAMED else [*names[:_NAMED], count(len(names) - _NAMED, "other")])
    return f"; {some} would stay in local memory with less L1 cache on NVIDIA: measure"


def _counts_for_all(facts: KernelFacts, name: str, case: Case) -> bool:
    """True for counters in private memory for which one histogram of the block in shared memory does as well."""
    return not gpu(name).is_intel and case.frames[name].where != "LDS" and is_added_up(facts, case.array)


def _by_design(case: Case) -> str:
    """Why a case's arrays are inherent to the algorithm, so that only smaller elements or LDS remain."""
    from regpress_rules.arrays._inherent import counts_lists, held, is_heap, is_list, is_ordered

    if any(map(is_list, case.arrays)):
        return "the data decides how many elements it has"
    if any(map(counts_lists, case.arrays)):
        return "it has the lengths of lists, which the data decides"
    if any(map(is_ordered, case.arrays)):
        return "its elements are moved to insert others in order"
    if any(map(is_heap, case.arrays)):
        return "it is a heap, in which the data decides what goes up"
    return held(case)


def _curable(facts: KernelFacts, name: str, case: Case) -> bool:
    """True if there is another place for the array: registers, shared memory, or a constant table."""
    if case.in_lds or _fits_block(facts, name, case.array):
        return True
    return _in_registers(facts, case) if case.loops else _holds_constants(facts, case.array)


def _in_registers(facts: KernelFacts, case: Case) -> bool:
    """True if copies of the loops bring the array into registers: there is room, and the copies are not too many."""
    from regpress_rules.arrays._price import fits

    if not case.loops or not fits(facts, case) or _is_long(case):
        return False
    # Each loop over an array of n elements runs n times in the end; loops within loops multiply.
    nested = max(sum(loop in case.loops for loop in access.loops) for access in case.reasons)
    over = max(nested - len(case.array.variable.dims) + 1, 1)
    return bool((case.array.elements or 0) ** over <= _MOST_COPIES)


def _is_beyond_any(case: Case) -> bool:
    """True if no kernel has so many registers, whatever its indices are."""
    from regpress_rules.arrays._price import registers

    return registers(case.arrays) > max(architecture(name).max_regs_per_thread for name in case.frames)


def _is_long(case: Case) -> bool:
    """True if copies of the loops would be many calls of mathematical functions."""
    return (case.array.elements or 0) > _MOST_OF_MATH and any(map(calls_math, case.loops))


def _unless_intel(name: str, severity: Severity) -> Severity:
    """Information, but on Intel, where a sub-group can share an array that is too large for a work-item."""
    return severity if gpu(name).is_intel else min(severity, Severity.INFO)


def _unless_column(facts: KernelFacts, name: str, case: Case, severity: Severity) -> Severity:
    """Info if a column of shared memory, the only remedy, is too large or leaves too few waves."""
    if case.frames[name].where == "LDS":
        return severity
    if gpu(name).is_intel:
        return severity if not _by_design(case) else min(severity, Severity.INFO)
    if not _fits_block(facts, name, case.array):
        return min(severity, Severity.INFO)
    if _pays(facts, name, case.array.bytes or 0):
        return severity
    narrow = _narrower_counters(facts, case.array, (name,))
    return severity if narrow is not None and narrow.certain else min(severity, Severity.INFO)


def _pays(facts: KernelFacts, name: str, bytes_: int) -> bool:
    """Whether so many bytes of a thread are better in a column of shared memory than in private memory."""
    if bytes_ * facts.launch.block_size > architecture(name).lds_max_per_group:
        return False
    from regpress_rules.arrays._price import waves_with_column

    return column_pays(name, *waves_with_column(facts, name, bytes_))


class _Narrow(NamedTuple):
    """Counters of a smaller type, whose columns leave enough waves; `certain` if the source shows that they fit."""

    type: str
    bytes: int
    condition: str
    certain: bool


def _narrower_counters(facts: KernelFacts, array: PrivateArray, names: Collection[str]) -> _Narrow | None:
    """The widest of the smaller types with which a histogram's column pays on these GPUs."""
    if not is_histogram(facts, array) or array.variable.type.floating:
        return None
    most = largest_count(facts, array)
    for type_, size in _COUNTERS:
        bytes_ = size * (array.elements or 0)
        if bytes_ >= (array.bytes or 0) or not all(_pays(facts, name, bytes_) for name in names):
            continue
        largest = (1 << 8 * size) - 1
        if most is not None and most > largest:
            return None
        condition = f"no counter exceeds {most:,}" if most is not None else f"if no counter exceeds {largest:,}"
        return _Narrow(type_, bytes_, condition, most is not None)
    return None


def _fits_block(facts: KernelFacts, name: str, array: PrivateArray) -> bool:
    """True if a block has room for a column of each of its threads, in shared memory that the launch requests."""
    return (array.bytes or 0) * facts.launch.block_size <= architecture(name).lds_max_per_group


def _cause(facts: KernelFacts, case: Case) -> str:
    if case.worst is None:
        return ""
    access, reasons = case.worst
    shown = shown_access(facts, case.array, access)
    name = case.array.variable.name
    whose = "" if re.search(rf"\b{re.escape(name)}\b", shown) else f", an element of `{name}`,"
    text = f" because the index of `{shown}`{whose} is not a constant: {causes(reasons, facts.kernel.language)}"
    if is_cold(case.array):
        text += "; it is copied there once, outside of the loops that use it most"
    return text


def _threshold(facts: KernelFacts, case: Case) -> str:
    array, kinds = case.array, {habits(target).indexing for target in case.frames}
    if not case.reasons:
        return ""
    parts: list[str] = []
    apart = "noinline" in array.function.qualifiers
    if "vector" in kinds and not case.in_lds:
        if apart:
            parts.append(
                f"clang keeps 32 bytes of such arrays in a function that is not inlined, `{array.function.name}`"
            )
        elif (crowded := _crowded(facts, case)) is not None:
            bytes_ = count(budget(facts.target(crowded).budget), "byte")
            parts.append(f"clang keeps {bytes_} of such arrays for blocks of up to {lds_threads(facts):,} threads")
        elif len(array.variable.dims) > 1:
            parts.append("clang keeps no array of two dimensions above 32 bytes")
        elif (array.elements or 0) > _SHORT:
            parts.append(f"clang keeps at most {_SHORT} elements in registers")
        elif array.variable.type.struct:
            parts.append("clang keeps no array of structs above 32 bytes")
    if "select" in kinds and apart:
        parts.append(f"nvcc keeps none of a function that is not inlined, `{array.function.name}`")
    elif "select" in kinds:
        parts.append("nvcc keeps an array in registers only if selecting among all its elements is cheap")
    indirect = next((target for target in case.frames if habits(target).indexing == "indirect"), None)
    if indirect is not None:
        parts.append(_intel_limit(facts, array, indirect))
    return f" ({'; '.join(parts)})" if parts else ""


def _crowded(facts: KernelFacts, case: Case) -> str | None:
    """A target on which the array is in memory only because the kernel has so many of its kind."""
    vectors = (target for target in case.frames if habits(target).indexing == "vector")
    return next((target for target in vectors if is_crowded_out(facts, target, case.array)), None)


def _intel_limit(facts: KernelFacts, array: PrivateArray, target: str) -> str:
    limits, size = facts.intel_limits(array, target), facts.kernel.sub_group_size
    if limits.never:
        return f"IGC keeps none of {'8-bit elements' if array.element_bytes == 1 else 'structs'}"
    if limits.in_pieces and array.bytes is not None and array.bytes <= limits.measured:
        return "IGC 1.0.12504 keeps none that an initialiser fills piece by piece: one that a loop fills has registers"
    lanes = f"at sub-group size {size}" if size is not None else "without a required sub-group size"
    newer = f", newer versions {limits.newer}" if limits.newer != limits.measured else ""
    return f"IGC 1.0.12504 keeps {limits.measured} bytes {lanes}{newer}"


# --------------------------------------------------------------------------------------------------------- advice


def _advice(facts: KernelFacts, case: Case, *, shared: bool) -> str:
    array = case.array
    advice: list[str] = []
    intel = tuple(target for target in case.frames if gpu(target).is_intel)
    shared_bins = ways_to_share(facts, array, intel) if intel and is_histogram(facts, array) else ""
    if shared_bins and len(intel) == len(case.frames):
        return shared_bins
    if len(intel) < len(case.frames) and not case.in_lds and is_added_up(facts, array):
        bytes_ = count(array.bytes or 0, "byte")
        add = "atomics" if facts.kernel.has_work_items else "`atomicAdd`"
        advice.append(
            f"count in one histogram of the block in shared memory ({bytes_}) with {add}, and add that to the result "
            "at the end"
        )
        advice += [f"on {listing(intel)} {shared_bins}"] if intel else []
        return "; ".join(advice)
    loops = case.loops
    crowded = _crowded(facts, case)
    declared = bounds_declared(facts.kernel, facts.launch.block_size)
    if crowded is not None and facts.kernel.launch_bounds is None and declared is not None:
        room = register_cap(architecture(crowded), max(facts.launch.block_size, 1))
        advice.append(f"declare {declared}: clang then keeps {count(budget(room), 'byte')} of such arrays on {crowded}")
    from regpress_rules.arrays._price import compared_rows, fits, price, row_picked, too_many

    if not case.reasons:
        advice.append("keep fewer elements in a thread, or the whole in shared memory or LDS")
    elif loops and not _is_beyond_any(case) and (shared or case.in_lds or (fits(facts, case) and not _is_long(case))):
        told = "" if shared or any(map(calls_math, loops)) else price(facts, case)
        advice.append(loop_advice(case) + told)
    elif loops:
        advice.append(_column(facts, case) + too_many(facts, case))
    elif _holds_constants(facts, array):
        constant = "" if facts.kernel.language == "sycl" else " (or `__constant__`)"
        advice.append(f"make it a `static const` table with an initialiser{constant}: it is the same for all threads")
    elif _selectable(array):
        advice.append(_selection(array))
    elif row := row_picked(facts, case):
        advice.append(compared_rows(row))
    else:
        advice.append(_column(facts, case))
    advice += _if_shorter(facts, case) if not loops else ()
    if shared_bins:
        advice.append(f"on {listing(intel)} {shared_bins}")
    return "; ".join(advice)


def _if_shorter(facts: KernelFacts, case: Case) -> Iterator[str]:
    """What keeps an array in registers that few elements have to be picked from."""
    array, elements = case.array, case.array.elements or 0
    if amd_targets(facts) and case.reasons and not _selectable(array):
        if _SHORT < elements <= 2 * _SHORT and len(array.variable.dims) == 1:
            yield f"on AMD an array of {_SHORT} elements stays in registers"
        elif elements <= _SHORT and not is_vector(array) and any(gpu(t).is_amd for t in case.frames):
            yield "on AMD arrays of scalars, one for each field or row, stay in registers up to 16 elements"
    if array.variable.type.size == 1 and elements <= 16:
        yield "or pack the elements into the bits of an integer"


def _holds_constants(facts: KernelFacts, array: PrivateArray) -> bool:
    """True if nothing but constants is ever written to the array."""
    if array.escapes or any(access.kind in ("update", "address") for access in array.accesses):
        return False
    flow = facts.flow_of(array.function)
    stored = [assign.value for assign in flow.assigns if own_root(assign.target) is array.variable]
    written = [access for access in array.accesses if access.kind == "write"]
    values = {evaluate(value, facts.source.environment) for value in stored}
    if not 0 < len(written) == len(stored) or None in values:
        return False
    # Which of two constants an element has depends on the thread if a run-time index decides it: a set of bytes seen.
    return len(values) == 1 or not any(access in array.dynamic for access in written)


def _selectable(array: PrivateArray) -> bool:
    """True for a few elements that are only read at indices of the run time: to choose among all of them is cheap."""
    if array.escapes or array.handed or len(array.variable.dims) != 1 or array.bytes is None:
        return False
    reads = all(access.kind == "read" for access in array.dynamic)
    return reads and (array.elements or 0) <= _MOST_CHOICES and array.bytes <= _CHOSEN_BYTES


def _selection(array: PrivateArray) -> str:
    name = array.variable.name
    if array.elements == _PAIR:
        return f"choose with a condition: `k ? {name}1 : {name}0`, of two variables"
    # nvcc 13.0.88 makes an index of `e == i + 1`, and of a loop that it copies without the pragma.
    return (
        f"choose among its {array.elements} elements: `int k = index;`, then `r = e == k ? {name}[e] : r` in a loop "
        "over `e` with `#pragma unroll`, which takes no memory at all"
    )


def _column(facts: KernelFacts, case: Case) -> str:
    from regpress_rules.arrays._price import lds_price

    array, names = case.array, case.frames
    assert array.bytes is not None
    threads, thread = facts.launch.block_size, facts.launch.thread_number
    name = array.variable.name
    elements = array.elements
    if not facts.kernel.has_work_items and not any(_pays(facts, target, array.bytes) for target in names):
        narrow = _narrower_counters(facts, array, names)
        if narrow is not None:
            return (
                f"count in `{narrow.type}` ({narrow.condition}), in a column of shared memory for each thread: "
                f"`{name}[{elements}][{threads}]`, indexed `[k][{thread}]` ({count(narrow.bytes * threads, 'byte')} "
                f"a block{lds_price(facts, names, narrow.bytes)})"
            )
    if not in_shared(facts, array.bytes):
        room = [target for target in names if not facts.kernel.has_work_items and _fits_block(facts, target, array)]
        if room and (len(room) == len(names) or any(_pays(facts, target, array.bytes) for target in room)):
            return _dynamic_column(facts, array, room, [target for target in names if target not in room])
        ways = "" if _decided(case) or _is_beyond_any(case) else "use constant indices, or "
        whole = count(array.bytes * threads, "byte")
        return f"{ways}keep fewer or smaller elements in a thread: `{name}` takes {whole} per block"
    if facts.kernel.has_work_items:
        where = "local memory" if facts.kernel.language == "opencl" else "a `local_accessor`"
        return f"keep it in {where}, a column for each work-item: `{name}[k * {threads} + {thread}]`"
    return (
        f"keep it in shared memory, a column for each thread: `{name}[{elements}][{threads}]`, indexed "
        f"`[k][{thread}]` ({count(array.bytes * threads, 'byte')} per block{lds_price(facts, names, array.bytes)})"
    )


def _dynamic_column(facts: KernelFacts, array: PrivateArray, room: Collection[str], others: Collection[str]) -> str:
    """Of the targets whose blocks have room; on the others there is none."""
    from regpress_rules.arrays._price import lds_price

    name, threads, bytes_ = array.variable.name, facts.launch.block_size, array.bytes or 0
    where = f"`{name}[k * {threads} + {facts.launch.thread_number}]` of `extern __shared__`"
    price_ = lds_price(facts, room, bytes_)
    whole = count(bytes_ * threads, "byte")
    text = f"keep it in dynamic shared memory, a column for each thread: {where} ({whole} per block{price_})"
    if not others:
        return text
    return (
        f"on {listing(room)} {text}; on {listing(others)} a block has no room for that: keep fewer or smaller elements"
    )


def _decided(case: Case) -> bool:
    """True for indices that no unrolling makes constant, because data or the thread decide them."""
    from regpress_rules.arrays._inherent import counts_lists, is_heap, is_list

    if any(reason.kind in _DECIDED for reasons in case.reasons.values() for reason in reasons):
        return True
    return is_list(case.array) or counts_lists(case.array) or is_heap(case.array)
