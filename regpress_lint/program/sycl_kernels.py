"""Kernels of SYCL: lambdas, functors and the callees of thin lambdas, each with its launches."""

from __future__ import annotations

import math
import re
from copy import copy
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.cpp.names.argument_bindings import agreed_on, shown_argument, weight
from regpress_lint.cpp.names.declarators import template_parameters
from regpress_lint.cpp.names.host_values import HostValues
from regpress_lint.cpp.names.lambdas import captured, constants_around, included_body, named_in
from regpress_lint.cpp.names.lowering import lowered_include
from regpress_lint.cpp.names.parsed_file import FunctionNode, Unit
from regpress_lint.cpp.names.template_arguments import arguments_of, type_of_name
from regpress_lint.cpp.syntax import Declare, LambdaExpr
from regpress_lint.program.accessors import accessor_variables, share_as, share_parameters
from regpress_lint.program.instances import Instances, Reference
from regpress_lint.program.launches import argument_values
from regpress_lint.program.local_memory import template_parts
from regpress_lint.program.model import Instance, Kernel, Launch, LaunchBounds
from regpress_lint.program.sycl_forms import SyclEntry, sycl_entries, thin_callee
from regpress_lint.program.sycl_headers import callee_of, foreign_entries, has_its_own_file
from regpress_lint.program.sycl_launches import launch_shape, property_texts, sycl_launch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax import Block, Function


_SUB_GROUP = re.compile(r"(?:reqd_sub_group_size|sub_group_size)\s*(?:<\s*|\(\s*)([^)>]+)")
_WORK_GROUP = re.compile(r"\b(reqd_|max_)?work_group_size\s*(?:<\s*|\(\s*)([^)>]+)")
_GRF = re.compile(r"\bgrf_size\s*<\s*(128|256|512)\s*>")
_PROPERTY = re.compile(r"grf_size|group_size")
_PROPERTIES_TAG = re.compile(r"\bproperties_tag\b")
_EXPLICIT = re.compile(r"\bSYCL_ESIMD_KERNEL\b|\bsycl_explicit_simd\b")
_HEAD_WINDOW = 400  # bytes in front of an `operator()` that its attributes may take


def sycl_kernels(scope: Scope) -> tuple[tuple[Kernel, ...], tuple[Launch, ...]]:
    """Kernels of a SYCL file, those of the file itself first, and its launches.

    What a thin lambda calls is a kernel of the file that defines it, if the run lints that as well.
    """
    kernels: dict[tuple[str, int], Kernel] = {}
    launches: list[Launch] = []
    by_index: dict[int, HostValues] = {}
    instances = Instances(scope)
    for entry in sycl_entries(scope.unit):
        if entry.parse_index not in by_index:
            by_index[entry.parse_index] = HostValues(scope, scope.unit, entry.parse_index)
        found = _sycl_kernel(by_index[entry.parse_index], entry, instances)
        if not has_its_own_file(scope, found.kernel.path):
            _add(kernels, found, scope)
        if found.launch is not None:
            launches.append(found.launch)
    for values, entry in foreign_entries(scope):
        found = _sycl_kernel(values, entry, instances)
        if found.kernel.path == scope.unit.source.path:
            found.kernel.entry = None  # stands in the other file
            _add(kernels, found, scope)
    ordered = sorted(
        kernels.values(), key=lambda kernel: (kernel.path != scope.unit.source.path, kernel.path, kernel.name_span)
    )
    return tuple(ordered), tuple(sorted(launches, key=lambda launch: launch.span))


class _Launched(NamedTuple):
    kernel: Kernel
    launch: Launch | None


def _add(kernels: dict[tuple[str, int], Kernel], found: _Launched, scope: Scope) -> None:
    """Add a kernel, or what another launch says of one that is known."""
    kernel = found.kernel
    known = kernels.setdefault((kernel.path, kernel.name_span.start), kernel)
    if known.function is not kernel.function:  # nor one type for them: its tree without any
        from regpress_lint.cpp.names.member_functions import unbound

        before, known.function = known.function, unbound(scope, known.function)
        share_as(known.function, before)
    # A callee that is launched with different template arguments has no one value for them.
    known.bindings = {name: value for name, value in known.bindings.items() if kernel.bindings.get(name) == value}
    named = {instance.arguments for instance in known.instances}
    known.instances += tuple(each for each in kernel.instances if each.arguments not in named)
    if found.launch is not None:
        known.launches = (*known.launches, found.launch)


def _sycl_kernel(values: HostValues, entry: SyclEntry, instances: Instances) -> _Launched:
    scope, unit = values.scope, values.unit
    owner = entry.body_owner
    lambda_node: Node | None = None if isinstance(owner, FunctionNode) else owner
    bindings: Mapping[str, Number] = {}
    around: Iterable[Mapping[str, str]] = ()
    made: Callable[[Kernel, Mapping[str, str]], Kernel] = partial(_sycl_instance, values, entry)
    if isinstance(owner, FunctionNode):
        given_types = _class_arguments(values, entry, owner)
        function, owner_unit = scope.lower(owner, unit, given_types), unit
        bindings = _numbers(scope, given_types)
        begin = Span(owner.head_start, owner.head_start + 1)
        name = entry.name or function.name
    else:
        thin = thin_callee(owner)
        found = callee_of(scope, unit, entry.parse_index, thin) if thin is not None else None
        if found is not None:
            owner_unit, node, arguments = found
            given = tuple(arguments_of(thin)) if thin is not None else ()
            reference = Reference(owner.start_byte, arguments, given)
            named = instances.of_reference(values, reference, node, owner_unit)
            around = {tuple(types.items()): types for types in named}.values()
            host = agreed_on(instances.around(values, owner.start_byte))
            lowered = partial(_thin_function, values, entry, owner_unit, node, given, host)
            function, made = lowered(agreed_on(around)), partial(_thin_instance, scope, lowered)
            written = _callee_values(scope, values, owner_unit, node, arguments, owner.start_byte)
            bindings = {**written, **_numbers(scope, agreed_on(around))}
            begin, name = function.name_span, function.name
        else:
            name = entry.name or _enclosing_name(unit, owner.start_byte)
            around = instances.around(values, owner.start_byte)
            agreed = agreed_on(around)
            bindings = _values_around(values, owner, agreed)
            function, owner_unit = _lowered(values, entry, name, agreed, bindings), unit
            begin = Span(owner.start_byte, owner.start_byte + 1)
    head = f"{_head_text(unit, entry, lambda_node)} {_properties(values, entry)}"
    offset = owner.head_start if isinstance(owner, FunctionNode) else owner.start_byte
    source = owner_unit.source
    own = function.path in ("", source.path)
    end = function.body.span.end if own or lambda_node is None else lambda_node.end_byte
    kernel = Kernel(
        name,
        "sycl",
        function,
        source.path,
        source.line_of(begin.start),
        source.line_of(max(end - 1, 0)),
        begin,
        entry.form,
        _work_group(values, head, begin, offset),
        _attribute_value(values, _SUB_GROUP, head, offset),
        bindings=bindings,
        entry=Span(lambda_node.start_byte, lambda_node.end_byte) if lambda_node is not None else None,
        grf_mode=_grf_mode(head),
        explicit_simd=_EXPLICIT.search(head) is not None,
    )
    kernel.instances = tuple(
        Instance(
            ", ".join(shown_argument(text, scope) for text in arguments.values()),
            unit.source.path,
            kernel.line,
            weight(scope, arguments),
            partial(made, kernel, arguments),
        )
        for arguments in around
        if arguments
    )
    launch = sycl_launch(values, unit.source.path, entry, begin, name)
    return _Launched(kernel, launch)


def _thin_function(
    values: HostValues,
    entry: SyclEntry,
    unit: Unit,
    node: FunctionNode,
    given: Sequence[Node],
    host: Mapping[str, str],
    types: Mapping[str, str],
) -> Function:
    """What a thin lambda calls, with these template arguments. host: what is known of the template around it."""
    function = values.scope.lower(node, unit, types)
    share_parameters(values, function, given, entry.call, host)
    return function


def _thin_instance(
    scope: Scope, lowered: Callable[[Mapping[str, str]], Function], kernel: Kernel, arguments: Mapping[str, str]
) -> Kernel:
    """The kernel that a thin lambda calls with these template arguments."""
    result = copy(kernel)
    result.function, result.instances = lowered(arguments), ()
    result.bindings = {**kernel.bindings, **_numbers(scope, arguments)}
    return result


def _class_arguments(values: HostValues, entry: SyclEntry, owner: FunctionNode) -> dict[str, str]:
    """What the template parameters of a functor's class are at a launch: of `Scale<float>(...)`, or of its variable."""
    record = values.unit.records.get(owner.record)
    kernel = arguments_of(entry.call)[-1:] if entry.call is not None else []
    if record is None or record.template is None or not kernel:
        return {}
    text = values.unit.text(kernel[0], entry.parse_index)
    if kernel[0].type == "identifier":
        text = type_of_name(values, kernel[0], text) or ""
    arguments = template_parts(text[text.find("<") + 1 : text.rfind(">")]) if "<" in text else []
    names = (parameter.name for parameter in template_parameters(values.unit, record.template, entry.parse_index))
    return {name: argument for name, argument in zip(names, arguments, strict=False) if name and argument}


def _sycl_instance(values: HostValues, entry: SyclEntry, kernel: Kernel, arguments: Mapping[str, str]) -> Kernel:
    """The kernel of a lambda in a host template with these arguments of the template."""
    owner = entry.body_owner
    assert not isinstance(owner, FunctionNode)
    result = copy(kernel)
    result.bindings, result.instances = _values_around(values, owner, arguments), ()
    result.function = _lowered(values, entry, kernel.name, arguments, result.bindings)
    return result


def _lowered(
    values: HostValues, entry: SyclEntry, name: str, arguments: Mapping[str, str], constants: Mapping[str, Number]
) -> Function:
    """The function of a kernel's lambda. Pointers and numbers that it captures are the kernel's arguments."""
    owner, scope = entry.body_owner, values.scope
    assert not isinstance(owner, FunctionNode)
    outside = captured(values, owner, arguments)
    known = {
        name: variable
        for name, variable in outside.items()
        if name not in constants and (variable.type.pointers or (variable.type.size and not variable.type.struct))
    }
    known |= accessor_variables(values, owner, entry.call, frozenset(named_in(values, owner)) - known.keys(), arguments)
    item = _item_type(values, entry)
    other = included_body(scope, owner, entry.parse_index)
    if other is not None:
        return lowered_include(scope, owner, scope.unit, entry.parse_index, name, known, arguments, other, item)
    found = scope.lower_lambda(owner, scope.unit, entry.parse_index, name, known, arguments, item)
    if entry.form == "parallel_for_work_group":
        _share(found.body)
    return found


def _item_type(values: HostValues, entry: SyclEntry) -> str:
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
    """What is constant in a lambda: template parameters of the host function, and its `const` locals."""
    bound = _numbers(values.scope, arguments)
    return {**bound, **constants_around(values, node, bound)}


def _numbers(scope: Scope, arguments: Mapping[str, str]) -> dict[str, Number]:
    found = ((name, scope.value_of_text(text)) for name, text in arguments.items() if scope.type_of(text) is None)
    return {name: number for name, number in found if number is not None}


def _callee_values(
    scope: Scope, values: HostValues, unit: Unit, node: FunctionNode, arguments: tuple[str, ...], offset: int
) -> Mapping[str, Number]:
    """Values of the callee's template parameters that a thin lambda's call gives."""
    parameters = template_parameters(unit, node.template, node.parse_index)
    given = argument_values(values, arguments, offset)
    pairs = zip((parameter.name for parameter in parameters), given, strict=False)
    return {name: value for name, value in pairs if value is not None and name}


def _enclosing_name(unit: Unit, offset: int) -> str:
    function = unit.function_around(offset)
    return function.name if function is not None else "lambda"


def _head_text(unit: Unit, entry: SyclEntry, lambda_node: Node | None) -> str:
    """Attributes between a lambda's captures and its body, or in front of and inside an `operator()`'s head."""
    owner = entry.body_owner
    if isinstance(owner, FunctionNode):
        text = unit.parses[entry.parse_index].masked.text
        window = max(0, owner.head_start - _HEAD_WINDOW)
        start = max(text.rfind(mark, window, owner.head_start) for mark in (b";", b"}", b"{"))
        start, end = max(start, window), owner.body.start_byte
    else:
        assert lambda_node is not None
        body = lambda_node.child_by_field_name("body")
        start, end = lambda_node.start_byte, body.start_byte if body is not None else lambda_node.end_byte
    items = unit.parses[entry.parse_index].masked.items
    return " ".join(
        (item.expansion or item.text.decode("utf-8", "replace")) for item in items if start <= item.start < end
    )


def _attribute_number(values: HostValues, text: str, offset: int) -> int | None:
    expr = values.scope.expression_of_text(text)
    number = values.number(expr, offset) if expr is not None else None
    return number if isinstance(number, int) else None


def _attribute_value(values: HostValues, pattern: re.Pattern[str], head: str, offset: int) -> int | None:
    match = pattern.search(head)
    return _attribute_number(values, match[1].strip(), offset) if match is not None else None


def _work_group(values: HostValues, head: str, span: Span, offset: int) -> LaunchBounds | None:
    match = _WORK_GROUP.search(head)
    if match is None:
        return None
    required = match[1] != "max_"
    texts = tuple(part.strip() for part in match[2].split(","))
    sizes = [_attribute_number(values, text, offset) for text in texts]
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return LaunchBounds(span, texts, None, None, required)
    return LaunchBounds(span, texts, math.prod(known), None, required, tuple(reversed(known)))


def _grf_mode(head: str) -> int | None:
    """GRF registers that the kernel asks for, 0 where it leaves them to IGC."""
    if "grf_size_automatic" in head:
        return 0
    match = _GRF.search(head)
    return int(match[1]) if match is not None else None


def _properties(values: HostValues, entry: SyclEntry) -> str:
    """Properties of a launch as they are written: among its arguments, in variables of it, in the functor's `get`."""
    owner = entry.body_owner
    texts = property_texts(values, entry)
    if isinstance(owner, FunctionNode) and owner.record:
        record = values.unit.records.get(owner.record)
        text = values.unit.text(record.node) if record is not None else ""
        texts += [text[match.start() : match.start() + _HEAD_WINDOW] for match in _PROPERTIES_TAG.finditer(text)]
    return " ".join(text for text in texts if _PROPERTY.search(text))
