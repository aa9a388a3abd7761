"""RP109 register-spill."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import Frame, branch_around, has_assembly, spilled_bytes
from regpress_lint.api.math import SLOW_PATH_BYTES, framed
from regpress_lint.api.preprocessor import inside_condition
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Block, Name
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, instance_name, listing
from regpress_lint.api.worth import SURELY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import CallSite, HeldValue, TargetFacts
    from regpress_lint.api.rule import Others
    from regpress_lint.api.syntax import Function, Variable


# Rules that say what leaves a thread too few registers, or which array alone takes too many.
_BUDGET_RULES = ("RP101", "RP104", "RP402", "RP407")
# As in RP101: shares of the cap from which the upper part of a band counts, and a band so wide that nobody knows.
_POSSIBLE, _REACHES = 0.7, 1.3
_GUESS, _FAR = 12, 1.5
_CROWDED = 90  # registers: see TargetFacts
_OF_ROOM = 2 / 3  # a kernel whose source reaches less does not fill the room: as 60 is to `_CROWDED`
_MOST_NAMED, _LEAST_NAMED = 5, 4  # values that are named, and registers from which one is worth a name


class _Spill(NamedTuple):
    """The registers that one instantiation (or the kernel, if there is one) needs on a target beyond its room."""

    severity: Severity
    facts: KernelFacts
    name: str
    low: int
    estimate: int
    high: int

    @property
    def room(self) -> int:
        return self.facts.compiled(self.name).room

    @property
    def bytes(self) -> int:
        """Bytes beyond the room at the estimate, or at the band's upper end where the estimate fits."""
        most = self.estimate if self.estimate > self.room else self.high
        return spilled_bytes(most, self.room)


class RegisterSpill(Rule):
    """A kernel, or one of its instantiations, whose values have no room in the registers that a thread may have."""

    code = "RP109"
    name = "register-spill"
    many_blocks = True
    tries_changes = True

    def check_after(self, facts: KernelFacts, others: Others) -> Iterator[Finding]:
        """At most one finding for spilled values, and one for other private memory that no other rule reports."""
        spills = {name: spill for name in facts.targets if (spill := _worst(facts, name)) is not None}
        for code in _BUDGET_RULES if spills else ():
            for finding in others(code):
                spills = {name: spill for name, spill in spills.items() if not _says(finding, name, spill, facts)}
        if spills:
            yield _finding(facts, spills)
        yield from in_memory(facts, others)


def _says(finding: Finding, target: str, spill: _Spill, facts: KernelFacts) -> bool:
    """Whether a finding about the whole kernel says it as well; of an instantiation that spills, no less severely."""
    said = finding.severities.get(target, Severity.HINT)
    return said > Severity.HINT and (spill.facts is facts or said >= spill.severity)


def _worst(facts: KernelFacts, name: str) -> _Spill | None:
    """The instantiation that is furthest beyond what it may have on a target; None where all fit."""
    spills = (_spill(part, name) for part in facts.parts_on(name))
    return max(
        (spill for spill in spills if spill is not None), key=lambda spill: (spill.severity, spill.bytes), default=None
    )


def _spill(facts: KernelFacts, name: str) -> _Spill | None:
    target, room = facts.target(name), facts.compiled(name).room
    if (measured := target.measured) is not None and measured.spills is not None:
        return _Spill(Severity.WARNING, facts, name, *target.registers[:3]) if measured.spills else None
    crowded = target.crowded if room >= _CROWDED else facts.source_reaches(name, round(_OF_ROOM * room))
    if not crowded and not _is_written_by_macros(facts):
        return None
    wanted = facts.compiled(name).wanted
    severity = _severity(facts, target, wanted.low, wanted.estimate, wanted.high)
    return _Spill(severity, facts, name, *wanted) if severity > Severity.HINT else None


def _is_written_by_macros(facts: KernelFacts) -> bool:
    """Whether the kernel uses macros with statements, whose variables the text of the kernel does not show."""
    file = facts.file
    for record in facts.flow_of(facts.kernel.function).calls:
        call = record.call
        if isinstance(call.callee, Name) and call.callee.variable is None and file.is_macro(call.name):
            expansion = file.expansion(call.name, len(call.args), {}, (), call.span.start)
            if expansion is None or isinstance(expansion.body, Block):
                return True
    return False


def _severity(facts: KernelFacts, target: TargetFacts, low: int, estimate: int, high: int) -> Severity:
    """A warning if the estimate is surely beyond the room; information if the band's upper part alone is."""
    room, arch = facts.compiled(target.architecture.name).room, target.architecture
    surely = estimate >= SURELY[arch.vendor] * room or low > room
    guessed = high > _GUESS * low and estimate < _FAR * room
    if surely and not guessed:
        return Severity.INFO if has_assembly(facts) else Severity.WARNING
    possible = estimate >= _POSSIBLE * room and high >= _REACHES * room
    return Severity.INFO if possible or estimate > room else Severity.HINT


# ------------------------------------------------------------------------------------------------------------- words


def _finding(facts: KernelFacts, spills: dict[str, _Spill]) -> Finding:
    severities = {name: spill.severity for name, spill in spills.items()}
    worst = max(spills.values(), key=lambda spill: (spill.severity, spill.bytes))
    part = worst.facts
    held = part.peak(worst.name).values
    named = [value for value in held if value.variable is not None and value.registers >= _LEAST_NAMED][:_MOST_NAMED]
    where = place(facts, facts.kernel.name_span, facts.kernel.path, "the kernel")
    notes = tuple(note for value in named if (note := _note(part, value)) is not None)
    message = _message(facts, worst) + _peak(part, worst.name, named)
    return Finding(where.span, message, severities, _help(worst, named), where.notes + notes)


def _message(facts: KernelFacts, worst: _Spill) -> str:
    target, name = worst.facts.target(worst.name), worst.name
    subject = instance_name(facts.kernel.name, worst.facts.arguments or "")
    cap = f"a thread may have {worst.room}"
    memory, fitting = gpu(name).private_memory, _others(facts, worst)
    if target.measured is not None:
        return f"`{subject}` spills on {name}: {target.measured.words}{fitting}"
    band = f"{worst.estimate} registers ({worst.low} to {worst.high})"
    if worst.severity == Severity.WARNING:
        about = f"about {count(worst.bytes, 'byte')} per thread spill to {memory}"
        return f"`{subject}` spills on {name}: its values want about {band} and {cap}, so {about}{fitting}"
    if worst.estimate > worst.room:
        text = f"`{subject}` may spill on {name}: its values want about {band} and {cap}"
        return f"{text}; {count(worst.bytes, 'byte')} per thread would go to {memory}{fitting}"
    text = f"`{subject}` may spill on {name}: the estimate is {band}, and {cap}"
    return f"{text}; at the upper end {count(worst.bytes, 'byte')} per thread go to {memory}{fitting}"


def _others(facts: KernelFacts, worst: _Spill) -> str:
    """The results of other instantiations on the target."""
    others = [part for part in facts.parts_on(worst.name) if part is not worst.facts and part is not facts]
    if not others:
        return ""
    spilled = [part for part in others if _spill(part, worst.name) is not None]
    if not spilled and len(others) + 1 < len(facts.instances):
        if len(others) == 1:
            return "; one of the other instantiations was also executed, and fits"
        return f"; {len(others)} of the other instantiations were also executed, and fit"
    if not spilled:
        return "; the other instantiation fits" if len(others) == 1 else f"; the other {len(others)} instantiations fit"
    names = listing(f"`{instance_name('', part.arguments or '')}`" for part in spilled[:_MOST_NAMED])
    more = f" and {len(spilled) - _MOST_NAMED} more" if len(spilled) > _MOST_NAMED else ""
    return f"; so {'does' if len(spilled) == 1 else 'do'} {names}{more} of {len(others) + 1} instantiations"


def _peak(facts: KernelFacts, name: str, named: list[HeldValue]) -> str:
    """Values alive at the widest place: values by their names, with lines and registers."""
    peak = facts.peak(name)
    number = peak.sequence[peak.place] if peak.place is not None else None
    span = peak.in_body(number) if number is not None else None
    in_file = facts.kernel.function.path in ("", facts.file.path)
    places = peak.made_at(number) if number is not None and in_file else ()
    lines = (facts.file.source.line_of(place.start) for place, path in places if path in ("", facts.file.path))
    line = next(lines, None)  # of an inlined function of this file the line itself, and not the call
    at = f"at line {line}" if line is not None else "where most are"
    branch = branch_around(facts, span) if span is not None and in_file else None
    if branch is not None:
        source = facts.file.source
        at += f", in {branch.words(source)} of line {source.line_of(branch.test.start)}"
    held, copies = Counter[str](), Counter[str]()
    for value in named:
        if value.variable is not None and value.variable.name:
            held[value.variable.name] += value.registers
            copies[value.variable.name] += _copies(value.variable, value.copies)
    texts = [
        f"`{name}` ({registers}{f' in {copies[name]} copies' if copies[name] > 1 else ''})"
        for name, registers in held.items()
    ]
    unnamed = sum(value.registers for value in peak.values if value not in named)
    if not texts:
        return f"; most are alive {at}" if unnamed else ""
    texts += [f"other values ({unnamed})"] if unnamed >= _LEAST_NAMED else []
    return f"; alive {at}: {listing(texts)}"


def _copies(variable: Variable, values: int) -> int:
    """How many values of a variable that is no more than one number are alive: loops that are copied make several."""
    type_ = variable.type
    single = not variable.dims and (type_.pointers > 0 or (type_.lanes == 1 and not type_.struct))
    return values if single else 1


def _note(facts: KernelFacts, held: HeldValue) -> Note | None:
    """Where a value is declared, if its function is one that the kernel reaches."""
    variable = held.variable
    if variable is None:
        return None
    home = next(
        (each for each in facts.source.functions if variable in (*facts.flow_of(each).declared, *each.parameters)), None
    )
    if home is None:
        return None
    copies = f" in {count(held.copies, 'value')}" if held.copies > 1 else ""
    text = f"`{variable.name}` holds {count(held.registers, 'register')}{copies} where most are alive"
    return Note(variable.span, text, None if home.path in ("", facts.file.path) else home.path)


def _help(worst: _Spill, named: list[HeldValue]) -> str:
    over = max(1, (worst.estimate if worst.estimate > worst.room else worst.high) - worst.room)
    arrays = [f"`{value.variable.name}`" for value in named if value.variable is not None and value.variable.dims]
    what = f", fewer elements of {listing(arrays)} for example" if arrays else ""
    more = ""
    if gpu(worst.name).is_intel:
        more = "; sub-groups of 16, or 256 registers a hardware thread, give a work-item twice as many"
    return f"keep about {count(over, 'register')} less alive{what}{more}"


# Private memory that is not spilled registers, where no other rule says why.

_ARRAYS = ("RP401", "RP402", "RP403", "RP404", "RP405", "RP406", "RP407", "RP408", "RP409", "RP601", "RP903")
# Which rules say why, by what lies there. The slow path of a sine is RP109's own.
_SAID_BY: Mapping[str, tuple[str, ...]] = {
    "array": _ARRAYS,
    "crowded": _ARRAYS,
    "object": _ARRAYS,
    "elsewhere": _ARRAYS,
    "handed": _ARRAYS,
    "volatile": _ARRAYS,
    "stack": _ARRAYS,
    "service": ("RP204",),
    "library": ("RP201", "RP202", "RP203", "RP205", "RP206", "RP701"),
    "slow-path": (),
}
_BECAUSE = {
    "array": "is indexed at run time, or its address is passed on",
    "crowded": "has no room in registers beside the other arrays",
    "object": "is a struct of which a part is picked at run time",
    "elsewhere": "shares a pointer with memory elsewhere, which one it leads to is known at run time only",
    "handed": "is handed by its address to a function that is not inlined",
    "volatile": "is volatile",
}
_OF_SEVERAL = {
    "array": "are indexed at run time, or their addresses are passed on",
    "crowded": "have no room in registers beside the other arrays",
    "object": "are structs of which a part is picked at run time",
    "elsewhere": "share a pointer with memory elsewhere, where it leads is known at run time only",
    "handed": "are handed by their addresses to a function that is not inlined",
    "volatile": "are volatile",
}
_UNLESS = ", unless nvcc keeps it in registers"
_MOST = 4  # places that are named
# Arguments from which nvcc 13.0.88 calls its slow path, in float and in double.
_LARGE = {True: "from 105,615 on", False: "from 2^31 on"}
_IN_TURNS = frozenset(("sin", "cos"))  # functions with a variant for multiples of pi
_OF_ANGLES = frozenset(("sin", "cos", "tan", "sincos"))


def in_memory(facts: KernelFacts, others: Others) -> Iterator[Finding]:
    """One finding for a thread's private memory on some target that no other rule reports."""
    if not _may_have(facts):
        return
    unsaid = {name: spilled for name in facts.targets if (spilled := _unsaid(facts, name, others))}
    if not unsaid:
        yield from _open_slow_path(facts)
        return
    severities = {target: _of_frames(target, frames) for target, frames in unsaid.items()}
    name = max(unsaid, key=lambda target: _bytes(unsaid[target]))
    typical, frames = facts.typical(name), unsaid[name]
    where = place(facts, facts.kernel.name_span, facts.kernel.path, "the kernel")
    total = " and ".join(f"{_bytes(size):,} on {target}" for target, size in unsaid.items() if target != name)
    size_text = f"{count(_bytes(frames), 'byte')} per thread in {gpu(name).private_memory} on {name}"
    has, unless = ("may have", _UNLESS) if _is_open(facts, name, frames) else ("has", "")
    message = f"`{facts.kernel.name}` {has} {size_text}{f' ({total})' if total else ''}: "
    message += "; ".join(_causes(typical, frames)) + unless
    notes = tuple(note for frame in frames for note in _notes(typical, frame))[:_MOST]
    alone = sum(frame.kind in {"array", "crowded", "object", "elsewhere"} for frame in frames) < 2
    help_ = "; ".join(dict.fromkeys(_advice(typical, frame, name, alone=alone) for frame in frames))
    fix = _without_volatile(typical, frames)
    yield Finding(where.span, message, severities, help_, where.notes + notes, fix)


def _is_open(facts: KernelFacts, name: str, frames: tuple[Frame, ...]) -> bool:
    """Whether all that is there is the table of a sine, which nvcc weighs against a kernel that is not known whole."""
    return all(frame.kind == "slow-path" for frame in frames) and any(
        unknown.opens in ("both", "up") for unknown in facts.unknowns(name)
    )


def _open_slow_path(facts: KernelFacts) -> Iterator[Finding]:
    """A sine alone, whose slow path is in registers or in memory for one register more or less."""
    asked = {
        target: unknown.name
        for target in facts.targets
        for unknown in facts.unknowns(target)
        if unknown.kind == "memory" and unknown.opens == "up" and framed(unknown.name)
    }
    if not asked:
        return
    target, call = next(iter(asked.items()))
    typical, frame = facts.typical(target), Frame("slow-path", SLOW_PATH_BYTES, None, (f"{framed(call)}:f",))
    where = place(facts, facts.kernel.name_span, facts.kernel.path, "the kernel")
    size_text = f"{count(frame.bytes, 'byte')} per thread in {gpu(target).private_memory} on {listing(asked)}"
    message = f"`{facts.kernel.name}` may have {size_text}: {_words(typical, frame, alone=True)}{_UNLESS}"
    severities = dict.fromkeys(asked, Severity.INFO)
    notes = where.notes + tuple(_notes(typical, frame))
    yield Finding(where.span, message, severities, _advice(typical, frame, target), notes)


def _without_volatile(facts: KernelFacts, frames: tuple[Frame, ...]) -> Fix | None:
    """The variables without `volatile`, where that is all that keeps them in memory."""
    source, edits = facts.file.source, []
    for frame in frames:
        variable = frame.variable if frame.kind == "volatile" else None
        span = variable.volatile_span if variable is not None else None
        if variable is None or span is None or source.text(span) != "volatile":
            return None
        if not any(
            _declares(facts, function, variable) and not _path(facts, function) for function in facts.source.functions
        ):
            return None
        edits.append(Edit(Span(span.start, span.end + (source.data[span.end : span.end + 1] == b" ")), ""))
    return Fix("delete `volatile`", "unsafe", tuple(sorted(edits)))


def _of_frames(target: str, frames: tuple[Frame, ...]) -> Severity:
    """A warning where every thread writes the memory, and what ends it is known: the word `volatile`, for clang, and
    for nvcc a choice between values.
    """
    ended = "volatile" if gpu(target).is_amd else "elsewhere"
    certain = all(frame.kind == ended for frame in frames)
    return Severity.WARNING if certain else Severity.INFO


def _bytes(frames: tuple[Frame, ...]) -> int:
    return sum(frame.bytes for frame in frames)


def _may_have(facts: KernelFacts) -> bool:
    """False for a kernel that declares and calls nothing that has a frame: it need not be executed for that."""
    if facts.source.arrays:
        return True
    if any(framed(site.call.name) or "noinline" in site.function.qualifiers for site in facts.calls):
        return True
    declared = (
        v for function in facts.source.functions for v in (*facts.flow_of(function).declared, *function.parameters)
    )
    return any(v.volatile_span is not None or (v.type.struct and not v.type.pointers) for v in declared)


def _unsaid(facts: KernelFacts, name: str, others: Others) -> tuple[Frame, ...]:
    if (measured := facts.target(name).measured) is not None and measured.scratch_bytes == 0:
        return ()
    frames = facts.typical(name).frames(name)
    said: dict[tuple[str, ...], bool] = {}
    for codes in {_SAID_BY[frame.kind] for frame in frames}:
        said[codes] = any(_is_said(finding, name) for code in codes for finding in others(code))
    return tuple(frame for frame in frames if not said[_SAID_BY[frame.kind]] and not _is_for_debugging(facts, frame))


def _is_for_debugging(facts: KernelFacts, frame: Frame) -> bool:
    """True for prints that a release build leaves out."""
    if frame.kind != "service":
        return False
    sites = [site for site in _sites(facts, frame) if site.path in ("", facts.file.path)]
    return bool(sites) and all(inside_condition(facts.file.source, site.call.span.start, "NDEBUG") for site in sites)


def _is_said(finding: Finding, target: str) -> bool:
    return finding.severities.get(target, finding.severities.get("*", Severity.HINT)) > Severity.HINT


# ------------------------------------------------------------------------------------------------------------- words


def _causes(facts: KernelFacts, frames: tuple[Frame, ...]) -> Iterator[str]:
    """The frames in memory and why, variables for the same reason in one clause."""
    variables: dict[str, list[Frame]] = {}
    for frame in frames:
        if frame.variable is not None:
            variables.setdefault(frame.kind, []).append(frame)
    for kind, alike in variables.items():
        if len(alike) == 1:
            yield _words(facts, alike[0], alone=len(frames) == 1)
        else:
            named = (f"`{frame.variable.name}` ({count(frame.bytes, 'byte')})" for frame in alike if frame.variable)
            yield f"{listing(dict.fromkeys(named))} {_OF_SEVERAL[kind]}"
    others = (_words(facts, frame, alone=len(frames) == 1) for frame in frames if frame.variable is None)
    yield from dict.fromkeys(others)


def _words(facts: KernelFacts, frame: Frame, *, alone: bool) -> str:
    size = "" if alone else f" ({count(frame.bytes, 'byte')})"
    if frame.variable is not None:
        return f"`{frame.variable.name}`{size} {_BECAUSE[frame.kind]}"
    if frame.kind == "stack":
        return f"structs that are passed on the stack{size}"
    names = [f"`{name}`" for name in dict.fromkeys(site.call.name for site in _sites(facts, frame))]
    names = names or [f"`{key.partition(':')[0]}`" for key in frame.keys]
    if _reduces(frame):
        return f"the slow path of {listing(names)} for arguments {_LARGE[frame.kind == 'slow-path']}{size}"
    return f"{listing(names)} {'needs' if len(names) == 1 else 'need'} a frame{size}"


def _reduces(frame: Frame) -> bool:
    """True for the frame in which angles of many turns are reduced to one."""
    return frame.kind == "slow-path" or (
        frame.kind == "library" and all(key.partition(":")[0] in _OF_ANGLES for key in frame.keys)
    )


def _sites(facts: KernelFacts, frame: Frame) -> list[CallSite]:
    """The calls that share a frame."""
    families = {key.partition(":")[0] for key in frame.keys}
    return [site for site in facts.calls if framed(site.call.name) in families]


def _notes(facts: KernelFacts, frame: Frame) -> Iterator[Note]:
    """Where the variable is declared, or the calls are."""
    if frame.variable is not None:
        home = next((each for each in facts.source.functions if _declares(facts, each, frame.variable)), None)
        if home is not None:
            yield Note(frame.variable.span, "in memory", _path(facts, home))
        return
    for site in _sites(facts, frame)[:_MOST]:
        yield Note(site.call.span, f"`{site.call.name}`", _path(facts, site.function))


def _declares(facts: KernelFacts, function: Function, variable: Variable) -> bool:
    return variable in (*facts.flow_of(function).declared, *function.parameters)


def _path(facts: KernelFacts, function: Function) -> str | None:
    return None if function.path in ("", facts.file.path) else function.path


def _advice(facts: KernelFacts, frame: Frame, name: str, *, alone: bool = True) -> str:
    if _reduces(frame):
        below = "leave it where arguments stay below that, the memory is then not touched"
        sites = _sites(facts, frame)
        called = next((stem for site in sites if (stem := site.call.name.removesuffix("f")) in _IN_TURNS), "")
        suffix = "f" if frame.kind == "slow-path" else ""
        turns = f"`{called}pi{suffix}(x)` in place of `{called}{suffix}(M_PI * x)`"
        if frame.kind == "slow-path":
            fast = called or next((site.call.name.removesuffix("f") for site in sites), "sin")
            text = f"{below}; `__{fast}f` and its like, or `-use_fast_math`, have none"
            return f"{text}, nor has {turns}" if called else text
        return f"{below}; {turns}, and its like, have none" if called else below
    if frame.kind == "service":
        return "take it out of the release build"
    if frame.kind == "library":
        return "compute it in single precision, or once and not in every thread"
    if frame.kind == "volatile":
        return "leave `volatile` out"
    if frame.kind == "elsewhere":
        copy = frame.variable is not None and frame.variable.storage == "parameter"
        by_reference = "; a reference as the parameter makes no copy" if copy else ""
        return f"choose between the values (`c ? a.x : p->x`), not between the addresses{by_reference}"
    if frame.kind in {"handed", "stack"}:
        return "let the function be inlined, or hand the value over and not its address"
    place_ = "LDS" if gpu(name).is_amd else "shared memory"
    return f"index {'it' if alone else 'them'} with constants, or keep {'it' if alone else 'them'} in {place_}"
