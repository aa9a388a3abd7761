"""The values of PTX instructions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.ir import ops
from regpress_lint.ir.build import arithmetic
from regpress_lint.ir.build.accesses import barrier, load, store
from regpress_lint.ir.build.operators import binary
from regpress_lint.ir.graph import BOOL, FLOAT, SIGNED, UNSIGNED, Form, made_form
from regpress_lint.ir.objects import Memory
from regpress_lint.ir.ops import BITS, CARRY, CONVERGENT, UNKNOWN, bits_from

if TYPE_CHECKING:
    from regpress_lint.cpp.ptx import Instruction, Text
    from regpress_lint.ir.build.machine import Machine

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
        made = _made(machine, instruction, values, forms)
        guard = values.get(instruction.guard) if instruction.guard else None
        for name, value in made.items():
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


def _made(machine: Machine, one: Instruction, values: dict[str, int], forms: dict[str, Form]) -> dict[str, int]:
    """The outputs of one instruction, by name."""
    type_ = _result_type(one)
    results = {name: forms.get(name, type_) for name in one.results if name != "_"}
    if one.opcode in _BARRIERS:
        barrier(machine)
        return {}
    if one.opcode in ("ld", "ldu"):
        place = _place(machine, one.operands[0], one.parts, values) if one.operands else None
        return {
            name: load(machine, place.inside(4 * at * form.width), form) if place is not None else machine.undefined
            for at, (name, form) in enumerate(results.items())
        }
    operands = [_value(machine, text, values, type_) for text in one.operands]
    if one.opcode == "st" and operands:
        place = _place(machine, one.operands[0], one.parts, values)
        for at, value in enumerate(operands[1:]):
            store(machine, place.inside(4 * at * machine.graph.forms[value].width), value)
        return {}
    if one.opcode == "mov":
        return _moved(machine, operands, results)
    if not results or one.opcode in ("atom", "mbarrier"):
        return _effects(machine, one, operands, results)
    if one.opcode in _CONVERGENT:
        return _together(machine, one, operands, results, values)
    name, form = next(iter(results.items()))
    made = {name: _arithmetic(machine, one, operands, form)}
    made.update((other, machine.graph.pure(_op(one, other), tuple(operands), form)) for other, form in
                list(results.items())[1:])  # fmt: skip
    return made


def _result_type(one: Instruction) -> Form:
    if one.opcode in ("setp", "testp", "isspacep") or "pred" in one.parts:
        return BOOL
    types = [part for part in one.parts if _TYPE.fullmatch(part)]
    if not types:
        return made_form(1, UNSIGNED)
    form = form_of_type(types[0])
    return made_form(2 * form.width, form.kind) if "wide" in one.parts else form


def _op(one: Instruction, result: str = "") -> ops.Op:
    return ops.instruction(".".join((one.opcode, *one.parts)) + (f" {result}" if result else ""))


def _arithmetic(machine: Machine, one: Instruction, operands: list[int], form: Form) -> int:
    graph = machine.graph
    carried = "cc" in one.parts
    if one.opcode in _CARRIED:
        operands = [*operands, _carry(machine)]
    carry = graph.pure(CARRY, tuple(operands), BOOL) if carried else None
    plain = one.opcode not in _CARRIED and not {"hi", "wide", "sat"} & {*one.parts} and form.kind != FLOAT
    if plain and one.opcode in _OPERATORS and len(operands) == 2:
        left, right = (arithmetic.convert(graph, value, form) for value in operands)
        made = binary(machine, _OPERATORS[one.opcode], left, right)
    elif plain and one.opcode == "mad" and len(operands) == 3:
        a, b, c = (arithmetic.convert(graph, value, form) for value in operands)
        made = binary(machine, "+", binary(machine, "*", a, b), c)
    elif one.opcode == "selp" and len(operands) == 3:
        made = arithmetic.choose(graph, arithmetic.convert(graph, operands[2], BOOL), operands[0], operands[1])
    else:
        made = graph.pure(_op(one), tuple(operands), form)
    if carry is not None:
        machine.carry = carry
    return made


def _carry(machine: Machine) -> int:
    """The carry that the last instruction left; one from another loop, or from no instruction, is unknown."""
    graph, carry = machine.graph, machine.carry
    known = carry is not None and carry < len(graph) and graph.ops[carry] is CARRY
    if carry is not None and known and graph.homes[carry] in (None, machine.loop_region()):
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


def _effects(machine: Machine, one: Instruction, operands: list[int], results: dict[str, Form]) -> dict[str, int]:
    """Atomics, copies, fences: they stay where they are."""
    space = next((_SPACES[part] for part in one.parts if part in _SPACES), "global")
    op = ops.atomic(space) if one.opcode in ("atom", "red") else UNKNOWN
    made = {name: machine.effect(op, tuple(operands), form, divergent=True) for name, form in results.items()}
    if not results:
        machine.effect(op, tuple(operands), BOOL, divergent=True)
    if one.opcode in ("atom", "red", "fence", "membar"):
        machine.memory.fenced(space)
    return made


def _together(
    machine: Machine, one: Instruction, operands: list[int], results: dict[str, Form], values: dict[str, int]
) -> dict[str, int]:
    """Lanes exchange values, or a matrix is made: all results at once. Each replaces its addend."""
    made: dict[str, int] = {}
    count = len(results)
    added = operands[-count:] if one.opcode in _MATRICES and len(operands) > count else []
    reads = tuple(operands)
    for at, (name, form) in enumerate(results.items()):
        if at:
            old = added[at] if added else values.get(name)
            reads = (next(iter(made.values())), *((old,) if old is not None else ()))
        made[name] = machine.effect(CONVERGENT, reads, form, divergent=True)
    return made


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
    known = values.get(text)
    if known is not None:
        return arithmetic.negated(graph, sign, known) if sign else known
    if text.startswith("["):
        match = _ADDRESS.fullmatch(text.partition(",")[0].rstrip("]") + "]")
        found = values.get(match[1]) if match is not None else None
        return found if found is not None else machine.undefined
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
