"""Parameter packs: `f(t...)` and `(t + ...)` for as many arguments as the executed call gives; what is not followed, a
pack of constants or of braces for an array, is in the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.cpp.lexical import size_of_pack
from regpress_lint.cpp.syntax_tree import Binary, Call, Constant, Member, Name, Type, Unknown, Variable
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Memory, Place
from regpress_lint.model.interpreter.member_calls import PACK, bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Expr, Function, TemplateParameter
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine

    Pack: TypeAlias = Variable | str


FOLD = "fold_expression"
_SEQUENCE = pattern(r"(?:const\s+)?(?:\w+::)*(?P<base>\w+)\s*<(?:.*,)?\s*(?P<pack>\w+)\s*\.\.\.\s*>")
_COUNTED = frozenset(("make_index_sequence", "make_integer_sequence"))
_MOST = 256  # numbers in a pack
_NUMBER = Type("int", 4)
HANDED_ON = frozenset(("forward", "move"))
_NOT_FOLLOWED = "what `{}...` of a template stands for is not followed: it is executed once, however many there are"


def with_elements(machine: Machine, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of a call, each `pattern...` as one for each element of its packs."""
    for arg in args:
        if arg.__class__ is Unknown and arg.kind == PACK:
            break
    else:
        return args
    written: list[Expr] = []
    for arg in args:
        node = arg.children[0] if isinstance(arg, Unknown) and arg.kind == PACK and arg.children else None
        packs = _packs_in(machine, node)
        if node is None or not packs:
            written.append(node if node is not None and _is_one(machine, node) else arg)
        else:
            written += _elements(machine, node, packs)
    return tuple(written)


def _packs_in(machine: Machine, pattern: Expr | None) -> tuple[Pack, ...]:
    """Packs that a pattern names: parameters of a function, and numbers of a template, `get<I>(t)`."""
    packs: dict[Pack, None] = {}
    for node in walk(pattern):
        if isinstance(node, Name) and node.variable is not None and node.variable in machine.bindings.packs:
            packs[node.variable] = None
        if machine.bindings.number_packs and isinstance(node, (Name, Call, Member)):
            words = (node.name,) if isinstance(node, Name) and node.variable is None else ()
            texts = (*words, *(word for text in node.template_args for word in WORD.findall(text)))
            packs.update((word, None) for word in texts if word in machine.bindings.number_packs)
    return tuple(packs)


def _is_one(machine: Machine, pattern: Expr) -> bool:
    """Whether a pattern has a parameter that was given one argument, and no number of a template that is not known."""
    names = [node for node in walk(pattern) if isinstance(node, Name)]
    parameters = (
        {parameter.name for parameter in getattr(machine.active[-1], "template", ())} if machine.active else set()
    )
    if any(name.variable is None and name.name in parameters - machine.constants.keys() for name in names):
        return False
    words = {word for name in names if name.variable is None for word in WORD.findall(name.written)}
    if any(machine.constants.get(size_of_pack(word), 1) != 1 for word in words):  # types
        return False
    if any(name.variable is None and _is_open(machine, name) for name in names):
        return False
    variables = [name.variable for name in names]
    return any(
        parameter is not None and parameter.storage == "parameter" and parameter in machine.variables
        for parameter in variables
    )


def _is_open(machine: Machine, name: Name) -> bool:
    """True for a word that nothing visible declares: a number of the class template around a function."""
    return bare(machine, name) and machine.file.find_function(name.name, -1) is None


def _elements(machine: Machine, pattern: Expr, packs: tuple[Pack, ...]) -> Iterator[Expr]:
    named = pattern
    if isinstance(pattern, Call) and pattern.name in HANDED_ON and len(pattern.args) == 1:  # `std::forward<T>(t)...`
        named = pattern.args[0]
    if isinstance(named, Name):
        if isinstance(packs[0], str):
            yield from (Constant(named.span, value, "int") for value in machine.bindings.number_packs[packs[0]])
        else:
            yield from (Name(named.span, element.name, element) for element in machine.bindings.packs[packs[0]])
        return
    for _ in _each(machine, packs):
        type_ = machine.type_of(pattern) or (packs[0].type if isinstance(packs[0], Variable) else _NUMBER)
        value = machine.evaluate(pattern)
        held = Variable("", type_._replace(reference=False), pattern.span, pattern.span)
        if isinstance(value, (Place, Memory)) and not type_.pointers:
            machine.references.add(held)
        machine.variables[held] = value
        yield Name(pattern.span, "", held)


def _each(machine: Machine, packs: Sequence[Pack]) -> Iterator[int]:
    """Let the packs stand for one of their elements after the other."""
    variables, constants, bindings = machine.variables, machine.constants, machine.bindings
    sizes = [len(bindings.number_packs[pack] if isinstance(pack, str) else bindings.packs[pack]) for pack in packs]
    for position in range(min(sizes)):
        ones = [(pack, bindings.packs[pack][position]) for pack in packs if isinstance(pack, Variable)]
        numbers = {pack: bindings.number_packs[pack][position] for pack in packs if isinstance(pack, str)}
        for pack, element in ones:
            variables[pack] = variables[element]
        machine.constants = {**constants, **numbers}
        yield position
        for pack, element in ones:
            variables[element] = variables[pack]
    machine.constants = constants


def numbers_given(
    parameters: Sequence[Variable], args: Sequence[Expr], value: Callable[[str], int | float | None]
) -> dict[str, tuple[int, ...]]:
    """The packs of numbers that a call settles: `I` of a parameter `std::index_sequence<I...>`."""
    result: dict[str, tuple[int, ...]] = {}
    for parameter, arg in zip(parameters, args, strict=False):
        wanted = _SEQUENCE.fullmatch(parameter.type.name)
        if wanted is None or not isinstance(arg, Call) or not arg.template_args:
            continue
        texts: Sequence[str | int] = arg.template_args
        if arg.name in _COUNTED:
            count = value(arg.template_args[-1])
            texts = range(int(count)) if count is not None and 0 <= count <= _MOST else ()
        elif arg.name == "integer_sequence":
            texts = arg.template_args[1:]
        elif arg.name not in ("index_sequence", wanted["base"]):
            continue
        values = [text if isinstance(text, int) else value(text) for text in texts]
        if values and None not in values:
            result[wanted["pack"]] = tuple(int(number) for number in values if number is not None)
    return result


def numbers_written(
    template: Sequence[TemplateParameter], texts: Sequence[str], value: Callable[[str], int | float | None]
) -> dict[str, tuple[int, ...]]:
    """The pack of numbers that a call writes out: `I` of `template <int... I>` in `sum<1, 2>(x)`; what the template has
    behind its pack is deduced.
    """
    at = next((place for place, parameter in enumerate(template) if parameter.is_pack), len(texts))
    if at >= len(texts) or template[at].is_type:
        return {}
    values = [value(text) for text in texts[at:]]
    return {} if None in values else {template[at].name: tuple(int(number) for number in values if number is not None)}


def packs_of_class(machine: Machine, function: Function) -> Mapping[str, tuple[str, ...]]:
    """The packs of the class template that a member function is of."""
    return machine.file.packs_of(function.owner) if function.owner.endswith(">") else {}


def numbers_of(
    machine: Machine, packs: Mapping[str, tuple[str, ...]], value: Callable[[str], int | float | None]
) -> dict[str, tuple[int, ...]]:
    """Those of numbers: `I` in a member of `Row<1, 2>`."""
    result: dict[str, tuple[int, ...]] = {}
    for name, texts in packs.items():
        values = [value(text) if machine.file.type_of(text) is None else None for text in texts]
        if None not in values:
            result[name] = tuple(int(number) for number in values if number is not None)
    return result


def sizes(
    function: Function,
    call: Call,
    elements: Mapping[Variable, Sequence[Variable]],
    packs: Mapping[str, Sequence[object]],
) -> dict[str, int | float]:
    """The values of `sizeof...` in an executed function."""
    result: dict[str, int | float] = {size_of_pack(name): len(values) for name, values in packs.items()}
    last = function.parameters[-1] if function.parameters else None
    types = [parameter.name for parameter in function.template[-1:] if parameter.is_pack and parameter.is_type]
    if last is not None and last.is_pack:
        count = len(elements[last]) if last in elements else len(call.args) - len(function.parameters) + 1
        result |= {size_of_pack(name): count for name in (last.name, *types)}
    elif types and len(call.template_args) >= len(function.template):
        result[size_of_pack(types[0])] = len(call.template_args) - len(function.template) + 1
    return result


def folded(machine: Machine, expr: Unknown) -> Value | None:
    """The value of a fold over a pack; None, with an entry in the ledger, where it is not known what it stands for."""
    from regpress_lint.model.interpreter.operators import combined

    operation = expr.children[0] if expr.children else None
    if not isinstance(operation, Binary):
        return None
    sides = [side for side in (operation.left, operation.right) if not _is_dots(side)]
    pattern = next((side for side in sides if _packs_in(machine, side)), None)
    if pattern is None:
        return machine.evaluate(sides[0]) if len(sides) == 1 and _is_one(machine, sides[0]) else None
    first = [machine.evaluate(side) for side in sides if side is not pattern]
    values = [*first, *(machine.evaluate(pattern) for _ in _each(machine, _packs_in(machine, pattern)))]
    if not values:
        return machine.undefined
    result = values[0]
    for value in values[1:]:
        result = value if operation.op == "," else combined(machine, operation.op, result, value)
    return result


def _is_dots(side: Expr) -> bool:
    return isinstance(side, Unknown) and side.kind == "..."


def not_followed(machine: Machine, expr: Unknown) -> None:
    """Note a pack of which only one element is executed."""
    from regpress_lint.source.indices import spelled

    inner = expr.children[0] if expr.kind == PACK and expr.children else None
    name = spelled(inner) if inner is not None else ""
    machine.unknown("loop", name, expr.span, _NOT_FOLLOWED.format(name), "up")
