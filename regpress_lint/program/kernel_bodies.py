"""From a lambda or functor that something launches to the function that the kernel executes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import split_list
from regpress_lint.cpp.lower.declared_types import lower_type_text
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.function_trees import lowered_function, lowered_include
from regpress_lint.cpp.names.host_lambdas import (
    aliases_around,
    aliases_of_class,
    captured,
    constants_around,
    included_body,
    named_in,
    numbers_among,
)
from regpress_lint.cpp.names.host_types import arguments_of, assumed_view, type_of_name
from regpress_lint.cpp.names.records import data_members
from regpress_lint.cpp.names.templates import parameters_of, substituted, template_parameters
from regpress_lint.cpp.syntax_tree import Constant, Declare, LambdaExpr, Storage, Variable
from regpress_lint.cpp.types import pointer_to
from regpress_lint.program.accessors import RANKS, accessor_variables, local_accessors, share_parameters
from regpress_lint.program.host_places import agreed_on, shown_argument, weight
from regpress_lint.program.launches import argument_values
from regpress_lint.program.model import Instance
from regpress_lint.program.sycl_forms import thin_callee
from regpress_lint.program.sycl_launches import callee_of, launch_shape
from regpress_lint.program.template_references import Reference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.host_values import HostValues
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.syntax_tree import Block, Function
    from regpress_lint.program.instances import Instances
    from regpress_lint.program.model import Kernel
    from regpress_lint.program.sycl_forms import Entry


# Data members of a functor that is a kernel: they are its arguments, like the captures of a lambda.


_ACCESSOR = pattern(r"(?:\w+::)*(local_accessor|accessor)\s*<(.*)>$")
_READS = pattern(r"\baccess(?:_mode|::mode)::read\b")
_LOCAL = pattern(r"\btarget::local\b")


def functor_members(
    values: HostValues, owner: FunctionNode, call: Node | None, bound: Mapping[str, str]
) -> dict[str, Variable]:
    """The members that a functor's `operator()` may name. Its launch copies them to where arguments are.

    bound: arguments of its class template. Arrays and members of unknown size stay members.
    """
    record = values.parsed.records.get(owner.record) if owner.record else None
    if record is None:
        return {}
    scope, members = values.scope, {}
    ctx = scope.context_for_text(values.parsed, 0, bound)
    for member in data_members(scope, values.parsed, record, bound):
        type_, dims = member.type, member.dims
        storage: Storage = "capture"
        if type_.size is None and (match := _ACCESSOR.fullmatch(" ".join(type_.name.split()))) is not None:
            parts = split_list(match[2])
            rank = parts[1].strip() if len(parts) > 1 else "1"
            element = lower_type_text(ctx, parts[0]) if parts else type_
            if element.size is None or rank not in RANKS:
                continue
            if match[1] == "local_accessor" or _LOCAL.search(match[2]):
                type_, storage, dims = (
                    element,
                    "shared",
                    _extents(values, member, substituted(parts[0], bound), int(rank), call),
                )
            elif rank == "1":
                type_ = pointer_to(element._replace(const=element.const or _READS.search(match[2]) is not None))
        elif dims:
            continue
        type_ = assumed_view(values.parsed.source.data, member.name, type_) or type_
        if type_.pointers or type_.size:
            members[member.name] = Variable(member.name, type_, member.span, member.declaration, storage, dims)
    return members


def _extents(
    values: HostValues, member: Variable, element: str, rank: int, call: Node | None
) -> tuple[Constant | None, ...]:
    """The extents of the local accessor that a functor's constructor receives: of the only one of that type in the
    group."""
    fitting = [
        accessor.extents
        for accessor in (local_accessors(values, call) if call is not None else ())
        if accessor.element.strip() == element.strip() and len(accessor.extents) == rank
    ]
    if len(fitting) != 1:
        return (None,) * rank
    return tuple(Constant(member.span, extent, "int") if extent else None for extent in fitting[0])


_CALL = pattern(r"(?<=>)\s*[({]")

Finish = Callable[["Function"], "Function"]
Lowered = Callable[["Mapping[str, str]"], "Function"]


class Body(NamedTuple):
    """The code that a kernel executes: the lambda's own statements, those of the callee of a thin lambda, or of an
    `operator()`.

    parsed: the file of the function. begin: where the kernel begins. around: arguments of the host template around a
    lambda, or of the callee of a thin one, one set for each known instantiation. callee: its function with such
    arguments.
    """

    function: Function
    parsed: ParsedFile
    begin: Span
    name: str
    bindings: Mapping[str, Number]
    around: tuple[Mapping[str, str], ...] = ()
    callee: Lowered | None = None

    @property
    def source(self) -> Source:
        """The file of the function."""
        return self.parsed.source

    def end_line(self, entry: Entry) -> int:
        """Last line of the kernel."""
        function, owner = self.function, entry.body_owner
        included = function.path not in ("", self.source.path)
        end = owner.end_byte if included and not isinstance(owner, FunctionNode) else function.body_span.end
        return self.source.line_of(max(end - 1, 0))


def body_of(values: HostValues, entry: Entry, instances: Instances, *, through: bool = True) -> Body:
    """The function that the kernel of an entry executes; `through` a thin lambda its callee."""
    scope, parsed, owner = values.scope, values.parsed, entry.body_owner
    if isinstance(owner, FunctionNode):
        types = _class_arguments(values, entry, owner)
        # What is changed afterwards must not be what calls of the same function execute.
        members = functor_members(values, owner, entry.call, types)
        shared = through and not members
        function = (
            scope.lower(owner, parsed, types) if shared else lowered_function(scope, owner, parsed, types, members)
        )
        begin = Span(owner.head_start, owner.head_start + 1)
        return Body(function, parsed, begin, entry.name or function.name, numbers_among(scope, types))
    thin = thin_callee(owner) if through else None
    callee = callee_of(scope, parsed, entry.parse_index, thin) if thin is not None else None
    if callee is not None:
        owner_unit, node, arguments = callee
        handed = tuple(arguments_of(thin)) if thin is not None else ()
        reference = Reference(owner.start_byte, arguments, handed)
        named = instances.of_reference(values, reference, node, owner_unit)
        around = tuple({tuple(types.items()): types for types in named}.values())
        host, agreed = agreed_on(instances.around(values, owner.start_byte)), agreed_on(around)

        def lowered(types: Mapping[str, str]) -> Function:
            function = scope.lower(node, owner_unit, types)
            text = owner_unit.parses[node.parse_index].masked.text[node.body.start_byte : node.body.end_byte]
            share_parameters(values, function, text, handed, entry.call, host)
            return function

        function = lowered(agreed)
        written = _callee_values(values, owner_unit, node, arguments, owner.start_byte)
        bindings = {**written, **numbers_among(scope, agreed)}
        return Body(function, owner_unit, function.name_span, function.name, bindings, around, lowered)
    name = entry.name or _enclosing_name(parsed, owner.start_byte)
    around = instances.around(values, owner.start_byte)
    agreed = agreed_on(around)
    constants = _values_around(values, owner, agreed)
    function = _lowered(values, entry, name, agreed, constants)
    return Body(function, parsed, Span(owner.start_byte, owner.start_byte + 1), name, constants, around)


def instances_of(values: HostValues, entry: Entry, kernel: Kernel, body: Body, finish: Finish) -> tuple[Instance, ...]:
    """The kernel of a lambda in a host template with the arguments of each known instantiation."""
    scope = values.scope
    return tuple(
        Instance(
            ", ".join(shown_argument(text, scope) for text in arguments.values()),
            values.parsed.source.path,
            kernel.line,
            weight(scope, arguments),
            partial(_instance, values, entry, kernel, finish, body.callee, arguments),
        )
        for arguments in body.around
        if arguments
    )


def _instance(
    values: HostValues,
    entry: Entry,
    kernel: Kernel,
    finish: Finish,
    callee: Lowered | None,
    arguments: Mapping[str, str],
) -> Kernel:
    owner = entry.body_owner
    assert not isinstance(owner, FunctionNode)
    from copy import copy  # it looks for Jython when it is loaded: 5 ms of the start of every run

    result = copy(kernel)
    if callee is not None:
        result.bindings, result.instances = {**kernel.bindings, **numbers_among(values.scope, arguments)}, ()
        result.function = finish(callee(arguments))
        return result
    result.bindings, result.instances = _values_around(values, owner, arguments), ()
    result.function = finish(_lowered(values, entry, kernel.name, arguments, result.bindings))
    return result


def _class_arguments(values: HostValues, entry: Entry, owner: FunctionNode) -> dict[str, str]:
    """The template arguments of a functor's class at a launch: of `Scale<float>(...)`, or of its variable."""
    record = values.parsed.records.get(owner.record)
    kernel = arguments_of(entry.call)[-1:] if entry.call is not None else []
    if record is None or record.template is None or not kernel:
        return {}
    text = values.parsed.text(kernel[0], entry.parse_index)
    if kernel[0].type == "identifier":
        text = type_of_name(values, kernel[0], text) or ""
    text = _CALL.split(text, maxsplit=1)[0]  # what it is made with may have arguments of its own
    arguments = split_list(text[text.find("<") + 1 : text.rfind(">")]) if "<" in text else []
    names = (parameter.name for parameter in template_parameters(values.parsed, record.template, entry.parse_index))
    return {name: argument for name, argument in zip(names, arguments, strict=False) if name and argument}


def _lowered(
    values: HostValues, entry: Entry, name: str, arguments: Mapping[str, str], constants: Mapping[str, Number]
) -> Function:
    """The function of a kernel's lambda. Pointers, numbers and plain structures that it captures are its arguments."""
    owner, scope = entry.body_owner, values.scope
    assert not isinstance(owner, FunctionNode)
    outside = captured(values, owner, arguments)
    variables = {
        name: variable
        for name, variable in outside.items()
        if name not in constants and (variable.type.pointers or variable.type.size)
    }
    of_class = aliases_of_class(values, owner, arguments)
    free = frozenset(named_in(values, owner)) - variables.keys()
    variables |= accessor_variables(values, owner, entry.call, free, {**of_class, **arguments})
    item = _item_type(values, entry)
    if (text := included_body(scope, owner, entry.parse_index)) is not None:
        return lowered_include(scope, owner, scope.parsed, entry.parse_index, name, variables, arguments, text, item)
    meanings = {**aliases_around(values, owner, arguments, of_class), **arguments}
    function = scope.lower_lambda(owner, scope.parsed, entry.parse_index, name, variables, meanings, item)
    if entry.form == "parallel_for_work_group":
        _share(function.body)
    return function


def _item_type(values: HostValues, entry: Entry) -> str:
    """The type that `auto` stands for in a kernel's `[=](auto item)`: the launch says how many dimensions it has."""
    if entry.call is None or entry.form not in ("parallel_for", "nd_launch"):
        return ""
    shape = launch_shape(values, entry)
    return f"sycl::{shape[0]}<{shape[1]}>" if shape is not None else ""


def _share(body: Block) -> None:
    """Arrays and objects of work-group scope are in local memory: one for all work-items of the group."""
    for statement in body.statements:
        for variable in statement.variables if isinstance(statement, Declare) else ():
            plain = variable.type.struct and not variable.type.pointers and not isinstance(variable.init, LambdaExpr)
            if variable.storage == "local" and (variable.dims or plain) and "private_memory" not in variable.type.name:
                variable.storage = "shared"


def _values_around(values: HostValues, node: Node, arguments: Mapping[str, str]) -> dict[str, Number]:
    """Constants in a lambda: template parameters of the host function, and its `const` locals."""
    bound = numbers_among(values.scope, arguments)
    return {**bound, **constants_around(values, node, bound)}


def _callee_values(
    values: HostValues, parsed: ParsedFile, node: FunctionNode, arguments: tuple[str, ...], offset: int
) -> Mapping[str, Number]:
    """Values of the callee's template parameters that a thin lambda's call gives."""
    parameters = parameters_of(parsed, node)
    numbers = argument_values(values, arguments, offset)
    pairs = zip((parameter.name for parameter in parameters), numbers, strict=False)
    return {name: value for name, value in pairs if value is not None and name}


def _enclosing_name(parsed: ParsedFile, offset: int) -> str:
    function = parsed.function_around(offset)
    return function.name if function is not None else "lambda"
