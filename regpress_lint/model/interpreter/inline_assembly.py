"""Inline assembly: PTX read instruction by instruction, and the values that a statement makes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import HandOver, Memory, Place
from regpress_lint.model.graph.ops import BITS, CARRY, CONVERGENT, HIDDEN, UNKNOWN, bits_from
from regpress_lint.model.graph.values import BOOL, FLOAT, SIGNED, UNSIGNED, Form, Site, made_form
from regpress_lint.model.interpreter import arithmetic, inline_assembly as ptx
from regpress_lint.model.interpreter.machine import SPACES
from regpress_lint.model.interpreter.memory import barrier, load, store
from regpress_lint.model.interpreter.object_writes import assign
from regpress_lint.model.interpreter.operators import binary
from regpress_lint.model.interpreter.places import number, place_of
from regpress_lint.model.interpreter.private_objects import coerced
from regpress_lint.model.interpreter.value_forms import form_of

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Assembly, AssemblyOperand
    from regpress_lint.model.interpreter.machine import Machine


# PTX, as inline assembly has it: the instructions of a text, one by one.
#
# Only its shape is read: the instruction, its outputs, its inputs. Labels and jumps have no reading here.


_NAMED = pattern(r"%\[(\w+)\]")
_COMMENT = pattern(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INSTRUCTION = pattern(
    r"(?:@(?P<negation>!?)\s*(?P<guard>[%\w$]+)\s+)?(?P<opcode>[a-z]\w*(?:(?:\.|::)\w+)*)(?:\s+(?P<rest>.*))?",
    re.DOTALL,
)
_DECLARED = pattern(r"\.reg\s*\.(?P<type>\w+)\s+(?P<names>.+)", re.DOTALL)
_RANGE = pattern(r"([%\w$]+)<(\d+)>")
_OPERAND = pattern(r"\{[^{}]*\}|\[[^\[\]]*\]|[^,{}\[\]]+", re.DOTALL)
_JUMPS = frozenset(("bra", "brx", "call", "ret", "exit"))
# They write nothing into a register.
_SILENT = frozenset(
    (
        *("applypriority", "bar", "barrier", "cp", "discard", "fence", "griddepcontrol", "membar", "nanosleep"),
        *("pmevent", "prefetch", "prefetchu", "red", "st", "stmatrix", "sured", "sust", "trap"),
    )
)


class Instruction(NamedTuple):
    """opcode: without its types and modifiers, which are in `parts`. results, operands: names, numbers, and addresses
    with their brackets; a vector is several. guard: the predicate that it is executed under, or, if it is negated,
    that it is not executed under.
    """

    opcode: str
    parts: tuple[str, ...]
    results: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str = ""
    is_negated: bool = False


class Text(NamedTuple):
    """Instructions in order, and the types of the registers that the text declares for itself."""

    instructions: tuple[Instruction, ...]
    declared: dict[str, str]


@lru_cache(256)
def read(text: str) -> Text | None:
    """The instructions of a text; None for one with a jump or an unknown instruction."""
    instructions: list[Instruction] = []
    declared: dict[str, str] = {}
    for statement in _COMMENT.sub(" ", _NAMED.sub(r"%\1", text.replace("%%", "%"))).split(";"):
        words = _without_scopes(statement)
        if not words:
            continue
        if (declaration := _DECLARED.fullmatch(words)) is not None:
            declared.update(dict.fromkeys(_declared_names(declaration["names"]), declaration["type"]))
            continue
        match = _INSTRUCTION.fullmatch(words)
        if match is None:
            return None
        opcode, *parts = re.split(r"\.|::", match["opcode"])
        if opcode in _JUMPS:
            return None
        operands = [word.strip() for word in _OPERAND.findall(match["rest"] or "") if word.strip()]
        results: list[str] = []
        if operands and opcode not in _SILENT and not operands[0].startswith("["):
            results = [name.strip() for name in re.split(r"[|,]", operands.pop(0).strip("{} \n"))]
        read_ = tuple(part.strip() for operand in operands for part in _apart(operand))
        guard, is_negated = match["guard"] or "", bool(match["negation"])
        instructions.append(Instruction(opcode, tuple(parts), tuple(results), read_, guard, is_negated))
    return Text(tuple(instructions), declared)


def _without_scopes(statement: str) -> str:
    """A statement without the braces around several; those of a vector are inside of it."""
    words = statement.strip()
    while words[:1] in ("{", "}"):
        words = words[1:].strip()
    return words


def _declared_names(text: str) -> list[str]:
    """`a, b` or `r<3>`, which is r0, r1 and r2."""
    names: list[str] = []
    for part in text.split(","):
        several = _RANGE.fullmatch(part.strip())
        names += [f"{several[1]}{at}" for at in range(min(int(several[2]), 256))] if several else [part.strip()]
    return names


def _apart(operand: str) -> list[str]:
    return operand[1:-1].split(",") if operand.startswith("{") else [operand]


# The values of PTX instructions.


_ADDRESS = pattern(r"\[\s*([%\w$\[\]]+)\s*(?:\+\s*(-?\w+))?\s*\]")
_TYPE = pattern(r"([usfb])(\d+)")
_SPACES = {"shared": "shared", "local": "private", "const": "constant", "param": "constant"}
_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}
_CARRIED = frozenset(("addc", "subc", "madc"))
_CONVERGENT = frozenset(("activemask", "elect", "ldmatrix", "match", "mma", "redux", "shfl", "vote", "wgmma", "wmma"))
_BARRIERS = frozenset(("bar", "barrier"))
_CLOCKS = ("%clock", "%globaltimer")
_MATRICES = frozenset(("mma", "wmma"))


class Registers(NamedTuple):
    """values: of the names that a text knows. forms: of those that it may write, where more is known of them than the
    instruction says.
    """

    values: dict[str, int]
    forms: dict[str, Form]


def executed(machine: Machine, text: Text, registers: Registers) -> dict[str, int]:
    """The values that the names of a text have behind it; those that it writes and reads alone."""
    values = dict(registers.values)
    forms = {**{name: form_of_type(type_) for name, type_ in text.declared.items()}, **registers.forms}
    for instruction in text.instructions:
        machine.tally.operations += 1
        outputs = _made(machine, instruction, values, forms)
        guard = values.get(instruction.guard) if instruction.guard else None
        for name, value in outputs.items():
            old = values.get(name)
            if guard is not None and old is not None:
                first, second = (old, value) if instruction.is_negated else (value, old)
                value = arithmetic.choose(machine.graph, guard, first, second)
            values[name] = value
    return values


def form_of_type(name: str) -> Form:
    """Registers of a PTX type, `u32`."""
    if name == "pred":
        return BOOL
    match = _TYPE.fullmatch(name)
    if match is None:
        return made_form(1, UNSIGNED)
    kind = FLOAT if match[1] == "f" else SIGNED if match[1] == "s" else UNSIGNED
    return made_form(max(int(match[2]) // 32, 1), kind)


def _made(machine: Machine, instruction: Instruction, values: dict[str, int], forms: dict[str, Form]) -> dict[str, int]:
    """The outputs of one instruction, by name."""
    type_ = _result_type(instruction)
    results = {name: forms.get(name, type_) for name in instruction.results if name != "_"}
    if instruction.opcode in _BARRIERS:
        barrier(machine)
        return {}
    if instruction.opcode == "setmaxnreg":
        _handed_over(machine, instruction, values)
        return {}
    if instruction.opcode in ("ld", "ldu"):
        place = _place(machine, instruction.operands[0], instruction.parts, values) if instruction.operands else None
        return {
            name: load(machine, place.inside(4 * at * form.width), form) if place is not None else machine.undefined
            for at, (name, form) in enumerate(results.items())
        }
    operands = [_value(machine, text, values, type_) for text in instruction.operands]
    if instruction.opcode == "st" and operands:
        place = _place(machine, instruction.operands[0], instruction.parts, values)
        for at, value in enumerate(operands[1:]):
            store(machine, place.inside(4 * at * machine.graph.forms[value].width), value)
        return {}
    if instruction.opcode == "mov":
        return _moved(machine, operands, results)
    if not results or instruction.opcode in ("atom", "mbarrier"):
        return _effects(machine, instruction, operands, results)
    if instruction.opcode in _CONVERGENT:
        return _together(machine, instruction, operands, results, values)
    name, form = next(iter(results.items()))
    outputs = {name: _arithmetic(machine, instruction, operands, form)}
    outputs.update((result, machine.graph.pure(_op(instruction, result), tuple(operands), form)) for result, form in
                list(results.items())[1:])  # fmt: skip
    return outputs


def _handed_over(machine: Machine, instruction: Instruction, values: dict[str, int]) -> None:
    """`setmaxnreg.inc.sync.aligned.u32 240`: the shape of an instruction with one output."""
    value = (
        _value(machine, instruction.results[0], values, made_form(1, UNSIGNED))
        if instruction.results
        else machine.undefined
    )
    registers, site, at = machine.graph.constants[value], machine.graph.site, machine.graph.at
    while isinstance(site, Site):
        at, site = site.call, site.outer
    if at is not None:
        number = registers if isinstance(registers, int) else 0
        machine.tally.handed_over.append(HandOver(number, at.span, bool(number) and not machine.guards))


def _result_type(instruction: Instruction) -> Form:
    if instruction.opcode in ("setp", "testp", "isspacep") or "pred" in instruction.parts:
        return BOOL
    types = [part for part in instruction.parts if _TYPE.fullmatch(part)]
    if not types:
        return made_form(1, UNSIGNED)
    form = form_of_type(types[0])
    return made_form(2 * form.width, form.kind) if "wide" in instruction.parts else form


def _op(instruction: Instruction, result: str = "") -> ops.Op:
    return ops.instruction(".".join((instruction.opcode, *instruction.parts)) + (f" {result}" if result else ""))


def _arithmetic(machine: Machine, instruction: Instruction, operands: list[int], form: Form) -> int:
    graph = machine.graph
    carried = "cc" in instruction.parts
    if instruction.opcode in _CARRIED:
        operands = [*operands, _carry(machine)]
    carry = graph.pure(CARRY, tuple(operands), BOOL) if carried else None
    plain = (
        instruction.opcode not in _CARRIED and not {"hi", "wide", "sat"} & {*instruction.parts} and form.kind != FLOAT
    )
    if plain and instruction.opcode in _OPERATORS and len(operands) == 2:
        left, right = (arithmetic.convert(graph, value, form) for value in operands)
        result = binary(machine, _OPERATORS[instruction.opcode], left, right)
    elif plain and instruction.opcode == "mad" and len(operands) == 3:
        a, b, c = (arithmetic.convert(graph, value, form) for value in operands)
        result = binary(machine, "+", binary(machine, "*", a, b), c)
    elif instruction.opcode == "selp" and len(operands) == 3:
        result = arithmetic.choose(graph, arithmetic.convert(graph, operands[2], BOOL), operands[0], operands[1])
    else:
        result = graph.pure(_op(instruction), tuple(operands), form)
    if carry is not None:
        machine.carry = carry
    return result


def _carry(machine: Machine) -> int:
    """The carry that the last instruction left; one from another loop, or from no instruction, is unknown."""
    graph, carry = machine.graph, machine.carry
    is_carry = carry is not None and carry < len(graph) and graph.ops[carry] is CARRY
    if carry is not None and is_carry and graph.homes[carry] in (None, machine.loop_region()):
        return carry
    return machine.undefined


def _moved(machine: Machine, operands: list[int], results: dict[str, Form]) -> dict[str, int]:
    """`mov`: another name, or words put together and taken apart."""
    graph = machine.graph
    (first, form), *others = results.items()
    if len(operands) > 1:
        return {first: graph.pure(BITS, tuple(operands), form)}
    if others and operands:
        return {
            name: graph.pure(bits_from(4 * at * form.width), (operands[0],), form)
            for at, (name, form) in enumerate(results.items())
        }
    return {first: operands[0]} if operands else {}


def _effects(
    machine: Machine, instruction: Instruction, operands: list[int], results: dict[str, Form]
) -> dict[str, int]:
    """Atomics, copies, fences: they stay where they are."""
    space = next((_SPACES[part] for part in instruction.parts if part in _SPACES), "global")
    op = ops.atomic(space) if instruction.opcode in ("atom", "red") else UNKNOWN
    outputs = {name: machine.effect(op, tuple(operands), form, divergent=True) for name, form in results.items()}
    if not results:
        machine.effect(op, tuple(operands), BOOL, divergent=True)
    if instruction.opcode in ("atom", "red", "fence", "membar"):
        machine.memory.fenced(space)
    return outputs


def _together(
    machine: Machine, instruction: Instruction, operands: list[int], results: dict[str, Form], values: dict[str, int]
) -> dict[str, int]:
    """Lanes exchange values, or a matrix is made: all results at once. Each replaces its addend."""
    outputs: dict[str, int] = {}
    count = len(results)
    if instruction.opcode == "wgmma":
        machine.tally.widest_product = max(machine.tally.widest_product, count)
    added = operands[-count:] if instruction.opcode in _MATRICES and len(operands) > count else []
    reads = tuple(operands)
    for at, (name, form) in enumerate(results.items()):
        if at:
            old = added[at] if added else values.get(name)
            reads = (next(iter(outputs.values())), *((old,) if old is not None else ()))
        outputs[name] = machine.effect(CONVERGENT, reads, form, divergent=True)
    return outputs


def _place(machine: Machine, text: str, parts: tuple[str, ...], values: dict[str, int]) -> Memory:
    """`[name + offset]`."""
    match = _ADDRESS.fullmatch(text)
    space = next((_SPACES[part] for part in parts if part in _SPACES), "global")
    base = values.get(match[1]) if match is not None else None
    if base is None:
        base = machine.graph.source(("assembly", text), made_form(2, UNSIGNED), divergent=True)
    offset = match[2] if match is not None and match[2] else "0"
    number = int(offset, 0) if re.fullmatch(r"-?(?:0[xX][0-9a-fA-F]+|[1-9]\d*|0)", offset) else 0
    return Memory(base, number, space, None, machine.memory.roots.get(base))


def _value(machine: Machine, text: str, values: dict[str, int], form: Form) -> int:
    """The value of an operand: a register, a number, an address, or a special register of the thread."""
    graph = machine.graph
    sign, text = text[:1] if text[:1] in ("!", "-") else "", text.lstrip("!-")
    if (register := values.get(text)) is not None:
        return arithmetic.negated(graph, sign, register) if sign else register
    if text.startswith("["):
        match = _ADDRESS.fullmatch(text.partition(",")[0].rstrip("]") + "]")
        named = values.get(match[1]) if match is not None else None
        return named if named is not None else machine.undefined
    if text[:1].isdigit():
        try:
            number = int(text.rstrip("U"), 0)
            return graph.constant(-number if sign == "-" else number, form if form.width else made_form(1, SIGNED))
        except ValueError:
            return graph.constant(0, form)
    if text.startswith(_CLOCKS):
        return machine.effect(UNKNOWN, (), made_form(2 if text.endswith(("64", "timer")) else 1, UNSIGNED))
    if text.startswith("%") and text[1:2].isalpha():
        shared = text.startswith(("%ctaid", "%nctaid", "%ntid", "%nwarpid", "%smid", "%nsmid", "%gridid"))
        return graph.source(("register", text), made_form(1, UNSIGNED), divergent=not shared)
    return machine.undefined


# Inline assembly: its outputs are values of their own, computed from its inputs.
#
# PTX is read instruction by instruction, because ptxas does so too: to it nothing of it is assembly, `volatile` or not.
# Elsewhere, and where a text jumps, the first output depends on all inputs and the others come with it.


_FORMS = {
    "h": made_form(1, UNSIGNED), "r": made_form(1, UNSIGNED), "l": made_form(2, UNSIGNED), "q": made_form(4, UNSIGNED),
    "f": made_form(1, FLOAT), "d": made_form(2, FLOAT),
}  # fmt: skip


def assembled(machine: Machine, expr: Assembly) -> None:
    """Execute `asm(...)`: its outputs get new values."""
    if expr.text is not None and not expr.text.strip():
        _hidden(machine, expr)
        return
    read = {
        name: number(machine, one.value) for name, one in _named(expr).items() if not one.constraint.startswith("=")
    }
    text = ptx.read(expr.text) if machine.compiler.assembly == "ptx" and expr.text is not None else None
    size = machine.tally.size
    if text is None:
        outputs = _opaque(machine, expr, read)
    else:
        forms = {name: _form(machine, operand) for name, operand in _named(expr).items()}
        outputs = executed(machine, text, Registers(read, forms))
    machine.tally.size = size + 1
    if expr.clobbers_memory:
        machine.memory.fenced(*SPACES)
    names = _names(expr)
    for position, operand in enumerate(expr.outputs):
        if (value := next((outputs[name] for name in names[position] if name in outputs), None)) is not None:
            _write(machine, operand, value)


def _hidden(machine: Machine, expr: Assembly) -> None:
    """`asm volatile("" : "+v"(x))`: no instruction, and a value that clang does not recognise. ptxas never sees it:
    it treats two equal values in the same way with it and without.
    """
    graph = machine.graph
    for operand in expr.outputs if machine.compiler.empty_hides else ():
        old, where = machine.evaluate(operand.value), place_of(machine, operand.value)
        if isinstance(old, int) and isinstance(where, Place):
            new = machine.effect(HIDDEN, (old,), graph.forms[old], divergent=graph.divergent[old])
            assign(machine, where, new)


def _names(expr: Assembly) -> list[tuple[str, ...]]:
    """How the text may call each operand, outputs first: by its number and by the name that it is given."""
    named = (*expr.outputs, *expr.inputs)
    return [(f"%{at}", *((f"%{operand.name}",) if operand.name else ())) for at, operand in enumerate(named)]


def _named(expr: Assembly) -> dict[str, AssemblyOperand]:
    operands = (*expr.outputs, *expr.inputs)
    return {name: operand for names, operand in zip(_names(expr), operands, strict=True) for name in names}


def _form(machine: Machine, operand: AssemblyOperand) -> Form:
    """The form that holds an operand: for an output that of the constraint, as the text sees it."""
    letter = operand.constraint.strip("=+&% ")[:1]
    return _FORMS.get(letter) or form_of(machine.type_of(operand.value))


def _opaque(machine: Machine, expr: Assembly, read: dict[str, int]) -> dict[str, int]:
    """Outputs of a text that is not read."""
    machine.tally.operations += 1
    operands = tuple(dict.fromkeys(read.values()))
    if not expr.outputs:
        machine.effect(UNKNOWN, operands, BOOL, divergent=True)
        return {}
    outputs: dict[str, int] = {}
    for position, operand in enumerate(expr.outputs):
        form = form_of(machine.type_of(operand.value))
        form = form if form.width else made_form(1, SIGNED)
        scalar = machine.compiler.scalar_registers and "s" in operand.constraint
        outputs[f"%{position}"] = machine.effect(HIDDEN if scalar else UNKNOWN, operands, form, divergent=not scalar)
        old = (read[f"%{at}"] for at in range(position + 1, len(expr.outputs)) if f"%{at}" in read)
        operands = (outputs["%0"], *list(old)[:1])
    return outputs


def _write(machine: Machine, operand: AssemblyOperand, value: int) -> None:
    held = coerced(machine, value, machine.type_of(operand.value))
    where = place_of(machine, operand.value)
    if isinstance(where, Place):
        assign(machine, where, held)
    elif where is not None:
        store(machine, where, held)
