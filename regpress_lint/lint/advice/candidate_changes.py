"""The changes that are worth a try for a kernel: rules' own fixes, and what can be written without a rule.

Attributes of a SYCL kernel: their places in a lambda, and in a functor. A histogram of each thread that is only added
up, counted as one of the block in LDS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.counters import is_added_up
from regpress_lint.api.preprocessor import macro_made
from regpress_lint.api.rewrite import WIDE_INTEGER
from regpress_lint.core.diagnostics import Edit, Severity
from regpress_lint.core.named import replace
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Assign, Constant, Declare, Evaluate, Index, InitList, Return, Update
from regpress_lint.cpp.traversal import nodes_of, written
from regpress_lint.facts.loop_groups import indexes_array
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.branch_removal import without_options
from regpress_lint.lint.advice.code_motion import apart, later, listed, whole
from regpress_lint.lint.advice.lds_spills import EXTENTS, declares_more, in_local_memory, lane_of, spilled_by_hand
from regpress_lint.source.cfg import root_variable
from regpress_lint.targets.compilers import habits
from regpress_lint.targets.occupancy import architecture
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.cpp.syntax_tree import Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Kind
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts


_OPENING, _CLOSING = "([{", ")]}"


def attributed(facts: KernelFacts, text: str, kind: Kind, cost: str, code: str) -> Iterator[Change]:
    """The kernel with an attribute; nothing for one that has no place for it (a function, made one by a property)."""
    if (at := _place(facts)) is not None:
        line = facts.file.source.line_of(facts.kernel.name_span.start)
        yield Change(kind, f"add `{text}`", line, (Edit(Span(at, at), f" {text} "),), cost, code)


def _place(facts: KernelFacts) -> int | None:
    """In front of a lambda's body (of a thin one, not of the function that it calls), of the head of an
    `operator()`, or of the name of an OpenCL kernel.
    """
    kernel, source = facts.kernel, facts.file.source
    if kernel.language == "opencl":
        return kernel.name_span.start if kernel.path == facts.file.path else None
    if kernel.entry is not None:
        head = source.text(kernel.entry)
        body = _body_of_lambda(head)
        return kernel.entry.start + len(head[:body].encode()) if body is not None else None
    if kernel.function.name != "operator()" or kernel.path != facts.file.path:
        return None
    return kernel.function.span.start


def _body_of_lambda(text: str) -> int | None:
    """Where the body of `[=](nd_item<1> item) { ... }` opens."""
    depth = 0
    for position, sign in enumerate(text):
        if sign == "{" and not depth:
            return position
        depth += (sign in _OPENING) - (sign in _CLOSING)
    return None


_MOST_LOOPS, _MOST_POINTERS = 8, 6
_SIXTEEN = {"sycl": "[[sycl::reqd_sub_group_size(16)]]", "opencl": "__attribute__((intel_reqd_sub_group_size(16)))"}
_USUAL_BLOCK = 256
_LOOP = pattern(r"(?:for|while|do)\b")
_DOUBLE = pattern(r"\bdouble(?!\d)\b")
_INT = pattern(r"\b(?:(?P<unsigned>unsigned(?:\s+int)?|uint|uint32_t|std::uint32_t)|int|int32_t|std::int32_t)\b")


def changes(facts: KernelFacts) -> Iterator[Change]:
    """Changes that need no rule, the smallest first."""
    yield from without_options(facts)
    for function in _own_functions(facts):
        yield from later(facts, function)
        yield from _loops(facts, function)
        yield from _narrow(facts, function)
    yield from apart(facts)
    yield from _restricted(facts)
    yield from _bounds(facts)
    yield from for_the_block(facts)
    yield from in_local_memory(facts)
    yield from spilled_by_hand(facts)
    yield from _modes(facts)


def _own_functions(facts: KernelFacts) -> list[Function]:
    """The kernel's function and those that it calls, as far as they are in the file itself."""
    return [function for function in facts.source.functions if function.path in ("", facts.file.path)]


# ------------------------------------------------------------------------------------------------------ rules' fixes


def every_finding(analysis: Analysis) -> tuple[Diagnostic, ...]:
    """All rules' findings in a file, at any severity."""
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.lint.pipeline import judged

    settings = replace(
        analysis.given,
        select=(),
        extend_select=(),
        ignore=(),
        per_file_ignores={},
        min_severity=Severity.HINT,
        severities={},
    )
    again = Analysis(analysis.source, analysis.file.language, settings, lambda: analysis.project)
    return judged(again, analysis.source.path, settings).diagnostics


def fixes_by_kernel(analysis: Analysis) -> dict[str, list[Change]]:
    """Repairs that rules offer, whatever they think these are worth, by the kernel's name."""
    fixes: dict[str, list[Change]] = {}
    for diagnostic in every_finding(analysis):
        if diagnostic.fix is None or diagnostic.kernel is None or diagnostic.location.path != analysis.source.path:
            continue
        edits = tuple(Edit(Span(edit.start.byte, edit.end.byte), edit.text) for edit in diagnostic.fix.edits)
        safe = diagnostic.fix.applicability == "safe"
        cost = (
            "nothing: every result stays" if safe else f"an unsafe fix: `regpress-lint rule {diagnostic.code}` says why"
        )
        change = Change("fix", diagnostic.fix.title, diagnostic.location.start.line, edits, cost, diagnostic.code)
        fixes.setdefault(diagnostic.kernel, []).append(change)
    return fixes


# -------------------------------------------------------------------------------------------------------------- loops


def _loops(facts: KernelFacts, function: Function) -> Iterator[Change]:
    source = facts.file.source
    loops = [loop for loop in facts.loops_of(function) if _LOOP.match(source.text(loop.loop.span))]
    for loop in loops[:_MOST_LOOPS]:
        line = source.line_of(loop.loop.span.start)
        if not _is_rolled(facts, loop) and _is_copied(facts, loop) and not indexes_array(facts, loop):
            yield Change(
                "roll-loop",
                f"`#pragma unroll 1` in front of the loop at line {line}",
                line,
                _with_pragma(facts, loop, "#pragma unroll 1"),
                "a test and a step in every iteration, and less to overlap",
                "RP501",
            )
        if loop.trip_count is not None and not loop.unrolled:
            yield Change(
                "unroll-loop",
                f"`#pragma unroll` in front of the loop at line {line}, so that its indices are constants",
                line,
                _with_pragma(facts, loop, "#pragma unroll"),
                f"{loop.trip_count} copies of its body",
                "RP407",
            )


def _is_rolled(facts: KernelFacts, loop: LoopFacts) -> bool:
    unroll = loop.loop.unroll
    return unroll is not None and unroll.factor is not None and facts.file.source.text(unroll.factor.span) == "1"


def _is_copied(facts: KernelFacts, loop: LoopFacts) -> bool:
    """False for a loop of which every compiler keeps one body, as `#pragma unroll 1` asks."""
    span = loop.loop.span
    for name in facts.targets:
        for part in facts.parts_on(name):
            notes = part.execution(name).notes
            copies = (number for copied, number in notes.copies.items() if copied.span == span)
            if notes.copied.whole.get(span) or max(copies, default=1) > 1:
                return True
    return False


def _with_pragma(facts: KernelFacts, loop: LoopFacts, pragma: str) -> tuple[Edit, ...]:
    """The loop under this pragma in place of the one that it may have."""
    source, unroll, start = facts.file.source, loop.loop.unroll, loop.loop.span.start
    inserted = Edit(Span(start, start), f"\n{pragma}\n")
    if unroll is None:
        return (inserted,)
    line = source.line_span(source.line_of(unroll.span.start))
    if source.text(line).lstrip().startswith("#") and line.end <= start:
        return (Edit(line, ""), inserted)
    return (Edit(unroll.span, ""), inserted)


# ---------------------------------------------------------------------------------------------------- what is declared


def _narrow(facts: KernelFacts, function: Function) -> Iterator[Change]:
    """Local variables of half the width, all of a kind at a time: one that stays wide makes the others so."""
    wide = [variable for variable in _locals(function) if variable.type.size == 8 and not variable.type.pointers]
    doubles = [variable for variable in wide if variable.type.floating]
    yield from _renamed(facts, doubles, _DOUBLE, "float", "float", "digits: 7 in place of 16")
    whole = [variable for variable in wide if not variable.type.floating]
    yield from _renamed(facts, whole, WIDE_INTEGER, "int", "unsigned", "range: values up to 2,147,483,647")
    if any(habits(name).packs_arrays for name in facts.targets):
        arrays = [
            variable
            for variable in _locals(function)
            if variable.dims and variable.type.size == 4 and not variable.type.floating
        ]
        arrays = [array for array in arrays if not array.type.pointers]
        yield from _renamed(facts, arrays, _INT, "short", "unsigned short", "range: values up to 32,767")


def _locals(function: Function) -> list[Variable]:
    variables = (variable for node in nodes_of(function) if isinstance(node, Declare) for variable in node.variables)
    return [variable for variable in variables if variable.storage == "local" and variable.type.lanes == 1]


def _renamed(
    facts: KernelFacts, variables: list[Variable], word: re.Pattern[str], signed: str, unsigned: str, cost: str
) -> Iterator[Change]:
    source, edits = facts.file.source, dict[Span, Edit]()
    for variable in variables:
        start = variable.declaration.start
        if (match := word.search(source.text(Span(start, variable.span.start)))) is not None:
            span = Span(start + match.start(), start + match.end())
            edits[span] = Edit(span, unsigned if match.groupdict().get("unsigned") else signed)
    if edits:
        names = list(dict.fromkeys(variable.name for variable in variables))
        title = f"{signed} for {listed(names)}"
        yield Change("narrow-type", title, source.line_of(variables[0].span.start), tuple(edits.values()), cost)


def _restricted(facts: KernelFacts) -> Iterator[Change]:
    """`__restrict__` on all pointers, and on one of them; what a SYCL kernel captures has an attribute for that."""
    source, kernel = facts.file.source, facts.kernel
    if kernel.path != facts.file.path:
        return
    cost = "a promise: nothing else that the kernel touches overlaps it"
    if any(capture.type.pointers == 1 and not capture.type.restrict for capture in kernel.function.captures):
        yield from attributed(facts, "[[intel::kernel_args_restrict]]", "restrict", cost, "RP604")
    word = "restrict" if kernel.language == "opencl" else "__restrict__"
    pointers = [
        parameter
        for parameter in kernel.function.parameters
        if parameter.type.pointers == 1
        and not parameter.type.restrict
        and not parameter.dims
        and source.text(parameter.span) == parameter.name
    ]
    edits = {pointer.name: Edit(Span(pointer.span.start, pointer.span.start), f"{word} ") for pointer in pointers}
    line = source.line_of(kernel.name_span.start)
    whole = tuple(edits.values())
    if edits:
        yield Change("restrict", f"`{word}` on {listed([*edits])}", line, whole, cost, "RP604")
    for name, edit in list(edits.items())[:_MOST_POINTERS] if len(edits) > 1 else ():
        yield Change("restrict", f"`{word}` on `{name}`", line, (edit,), cost, "RP604", whole=whole)


# --------------------------------------------------------------------------------------------- bounds and compilers


def _bounds(facts: KernelFacts) -> Iterator[Change]:
    """SYCL's word for launch bounds; CUDA's and HIP's, of the usual size, if there is no known launch for a rule to
    use.
    """
    kernel, launch = facts.kernel, facts.launch.chosen
    if kernel.launch_bounds is not None or kernel.path != facts.file.path:
        return
    if all(gpu(name).is_intel for name in facts.targets):
        return
    if kernel.language == "opencl":
        return  # clang takes 256 work-items for granted
    if kernel.language != "sycl":
        if not kernel.launches and not macro_made(facts.file, kernel):
            at, line = kernel.name_span.start, facts.file.source.line_of(kernel.name_span.start)
            title = f"add `__launch_bounds__({_USUAL_BLOCK})`, if no launch has more threads"
            edit = Edit(Span(at, at), f"__launch_bounds__({_USUAL_BLOCK}) ")
            yield Change("launch-bounds", title, line, (edit,), "larger blocks can no longer be launched", "RP101")
        return
    if launch is None or launch.block_dims is None:
        return
    sizes = ", ".join(map(str, reversed(launch.block_dims)))
    text = f"[[sycl::reqd_work_group_size({sizes})]]"
    yield from attributed(facts, text, "launch-bounds", "other work-group sizes can no longer be launched", "RP101")


def _modes(facts: KernelFacts) -> Iterator[Change]:
    """Intel: twice the registers, by the mode of the file or by lanes."""
    kernel = facts.kernel
    if not any(architecture(name).grf_modes for name in facts.targets) or facts.settings.registers.grf == 256:
        return
    line = facts.file.source.line_of(kernel.name_span.start) if kernel.path == facts.file.path else kernel.line
    if kernel.grf_mode is None:
        title = "256 registers a hardware thread: `grf_size<256>` or `-ze-opt-large-register-file`"
        yield Change("register-mode", title, line, (), "half of the hardware threads", "RP904", grf=256)
    if kernel.sub_group_size is None and kernel.path == facts.file.path:
        cost = "half as many work-items in a hardware thread, each with twice the registers"
        yield from attributed(facts, _SIXTEEN.get(kernel.language, _SIXTEEN["sycl"]), "sub-group", cost, "RP904")


# One histogram of the block in place of counters of each thread.


_BARRIER = "__syncthreads();"
_COUNTERS = {False: "unsigned int", True: "float"}  # types that every GPU adds to atomically in LDS
_WORD = 4  # bytes


def for_the_block(facts: KernelFacts) -> Iterator[Change]:
    """Each histogram of the kernel's own body that is only added to others, in CUDA and HIP."""
    if facts.kernel.path != facts.file.path or facts.kernel.has_work_items:
        return
    for array in facts.arrays:
        simple = array.function is facts.kernel.function and not array.escapes and is_added_up(facts, array)
        edits = _edits(facts, array) if simple else ()
        if edits:
            source, name = facts.file.source, array.variable.name
            yield Change(
                "block-histogram",
                f"`{name}` as one histogram of the block in LDS, counted with `atomicAdd`",
                source.line_of(array.variable.span.start),
                edits,
                "atomics in LDS, which take turns where threads count in the same bin, and two barriers",
                "RP403",
            )


def _edits(facts: KernelFacts, array: PrivateArray) -> tuple[Edit, ...]:
    """() for a histogram that is not written so: it is cleared, counted and added up by statements of their own."""
    variable, statements = array.variable, array.function.body.statements
    if any(isinstance(node, Return) for node in nodes_of(array.function)) or declares_more(array.function, variable):
        return ()  # a thread that has left would miss at a barrier
    if variable.type.size is None or variable.type.size > _WORD:
        return ()
    parts = {kind: _holding(statements, array, kind) for kind in ("write", "update", "read")}
    counting, adding = parts["update"], parts["read"]
    if len(counting) != 1 or len(adding) != 1:
        return ()
    if not all(statement.span.end <= counting[0].span.start for statement in parts["write"]):
        return ()
    if adding[0].span.start < counting[0].span.end:
        return ()
    declared = _declared(facts, variable)
    changed = _counted(facts, array)
    if declared is None or changed is None:
        return ()
    lane = lane_of(facts)
    assert lane is not None
    source = facts.file.source
    begin, last = whole(source, counting[0]).start, whole(source, adding[0])
    step = f"for (int at = {lane.number}; at < {array.elements}; at += {facts.launch.block_size})"
    cleared = "" if parts["write"] else f"{step} {variable.name}[at] = 0;\n"
    return (
        declared,
        Edit(Span(begin, begin), f"{cleared}{_BARRIER}\n"),
        *changed,
        Edit(Span(last.start, last.start), f"{_BARRIER}\nif ({lane.number} == 0) {{\n"),
        Edit(Span(last.end, last.end), " }"),
    )


def _holding(statements: Sequence[Stmt], array: PrivateArray, kind: str) -> list[Stmt]:
    """The statements of the kernel's body that access the array in a way."""
    spans = [access.span for access in array.accesses if access.kind == kind]
    return [statement for statement in statements if any(statement.span.contains(span) for span in spans)]


def _declared(facts: KernelFacts, variable: Variable) -> Edit | None:
    """The declaration in LDS; None where it has other values than zeros."""
    source, init = facts.file.source, variable.init
    if init is not None and not (isinstance(init, InitList) and all(_is_zero(expr) for expr in init.items)):
        return None
    tail = source.text(Span(variable.span.end, variable.declaration.end))
    extents = EXTENTS.match(tail)
    if extents is None:
        return None
    type_ = _COUNTERS[variable.type.floating]
    return Edit(variable.declaration, f"__shared__ {type_} {variable.name}{extents[0].strip()};")


def _is_zero(node: object) -> bool:
    return isinstance(node, Constant) and node.value == 0


def _counted(facts: KernelFacts, array: PrivateArray) -> tuple[Edit, ...] | None:
    """Each change of a counter as an atomic one; None where one is a part of something else."""
    source, edits = facts.file.source, []
    for node in nodes_of(array.function):
        if not isinstance(node, Evaluate):
            continue
        change = node.expression
        target = written(change)
        if not isinstance(target, Index) or root_variable(target) is not array.variable:
            continue
        if isinstance(change, Update) and change.op == "++":
            amount = "1"
        elif isinstance(change, Assign) and change.op == "+=":
            amount = source.text(change.value.span)
        elif isinstance(change, Assign) and change.op == "=" and _is_zero(change.value):
            continue
        else:
            return None
        edits.append(Edit(change.span, f"atomicAdd(&{source.text(target.span)}, {amount})"))
    updates = sum(access.kind == "update" for access in array.accesses)
    return tuple(edits) if len(edits) == updates else None
