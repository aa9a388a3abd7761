"""Model of one file out of its trees: kernels tied to their launches."""

from __future__ import annotations

import re
from copy import copy
from functools import cache, partial
from typing import TYPE_CHECKING

from regpress_lint.frontend.detect import may_hold_kernels
from regpress_lint.frontend.heads import specialised_arguments
from regpress_lint.frontend.hostvalues import HostValues
from regpress_lint.frontend.instances import Binding, Instances, Reference
from regpress_lint.frontend.kernels import global_functions, launch_bounds
from regpress_lint.frontend.launches import argument_values, cuda_launches, sycl_launch
from regpress_lint.frontend.lowering.expressions import template_arguments
from regpress_lint.frontend.sycl import SyclEntry, sycl_entries, thin_callee
from regpress_lint.frontend.typeargs import LAMBDA, arguments_of
from regpress_lint.frontend.unit import FunctionNode, Unit
from regpress_lint.frontend.view import View
from regpress_lint.model import File, Instance, Kernel, Launch, LaunchBounds, Number
from regpress_lint.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tree_sitter import Node

    from regpress_lint.frontend.expansions import Expansions
    from regpress_lint.frontend.project import Project
    from regpress_lint.model import ExpansionLookup
    from regpress_lint.settings import Language
    from regpress_lint.syntax import Function, TemplateParameter

_SUB_GROUP = re.compile(r"(?:reqd_sub_group_size|sub_group_size)\s*(?:<\s*|\(\s*)([^)>]+)")
_WORK_GROUP = re.compile(r"(?:reqd_work_group_size|work_group_size)\s*(?:<\s*|\(\s*)([^)>]+)")
_GRF = re.compile(rb"\bgrf_size\s*<\s*(128|256|512)\s*>")


def _nothing(_name: str) -> None:
    return None


_HEAD_WINDOW = 400  # bytes in front of an `operator()` that its attributes may take


def build(source: Source, language: Language, project: Project) -> File:
    """Parse and model one file; kernels are in file order, each body once.

    A file that cannot hold a kernel is not parsed: its launches count when a file with kernels asks for them.
    """
    if not may_hold_kernels(source.data) and not project.makes_kernels(source.path, source.data):
        return File(source, language, (), (), _nothing, lambda _name, _count: None, _nothing, _nothing)
    language = project.language_of(source.path, source.data, language)
    unit = project.unit(source.path, source.data)
    assert unit is not None
    view = View(project, unit, language)
    if language == "sycl":
        kernels, launches = _sycl_kernels(view, HostValues(view, unit))
        lost: tuple[Span, ...] = ()
    else:
        launches = cuda_launches(view, source.path)
        nodes, lost = global_functions(unit)
        kernels = _cuda_kernels(view, nodes, launches)
    return File(
        source,
        language,
        kernels,
        launches,
        view.constant,
        view.find_function,
        view.type_of,
        view.macro,
        lost,
        _expansion_lookup(view),
        partial(_specialised, view),
        partial(_method, view),
        view.expression_of_text,
        partial(_is_virtual, view),
    )


# Most commands ask none of these four: what answers them is imported with the first question.


def _expansion_lookup(view: View) -> ExpansionLookup:
    @cache
    def expansions() -> Expansions:
        from regpress_lint.frontend.expansions import Expansions

        return Expansions(view)

    return lambda name, arity, names, types, before: expansions().expansion(name, arity, names, types, before)


def _specialised(view: View, function: Function, bound: Mapping[str, str]) -> Function:
    from regpress_lint.frontend.methods import specialised

    return specialised(view, function, bound)


def _is_virtual(view: View, type_name: str, name: str) -> bool:
    from regpress_lint.frontend.methods import is_virtual

    return is_virtual(view, type_name, name)


def _method(view: View, type_name: str, name: str, arity: int) -> Function | None:
    from regpress_lint.frontend.methods import method

    return method(view, type_name, name, arity)


# ------------------------------------------------------------------------------------------------- CUDA and HIP


def _cuda_kernels(view: View, nodes: list[FunctionNode], launches: tuple[Launch, ...]) -> tuple[Kernel, ...]:
    unit, project = view.unit, view.project
    if not nodes:
        return ()
    names = {node.name for node in nodes}
    foreign: list[Launch] = []
    for path in project.includers(unit.source.path):
        foreign.extend(launch for launch in project.launches(path, view.language) if launch.kernel_name in names)
    by_name: dict[str, list[Launch]] = {}
    for launch in (*launches, *foreign):
        by_name.setdefault(launch.kernel_name, []).append(launch)
    special = {(node.name, arguments) for node in nodes if (arguments := specialised_arguments(unit, node))}
    instances = Instances(view)
    return tuple(_cuda_kernel(view, node, _own_launches(unit, node, by_name, special), instances) for node in nodes)


def _own_launches(
    unit: Unit,
    node: FunctionNode,
    by_name: Mapping[str, list[Launch]],
    special: set[tuple[str, tuple[str, ...]]],
) -> tuple[Launch, ...]:
    """Launches by name; an explicit specialisation takes those with its arguments from the general template."""
    launches = by_name.get(node.name, [])
    if not special:
        return tuple(launches)
    own = specialised_arguments(unit, node)
    result: list[Launch] = []
    for launch in launches:
        arguments = tuple("".join(text.split()) for text in launch.template_args)
        if not arguments or (arguments == own if own else (node.name, arguments) not in special):
            result.append(launch)
    return tuple(result)


def _cuda_kernel(view: View, node: FunctionNode, launches: tuple[Launch, ...], instances: Instances) -> Kernel:
    parameters = view.parameters_of(node)
    if not parameters:
        return _bound_kernel(view, node, launches, (), {})
    named = instances.of_kernel(node, view.unit, launches)
    kernel = _bound_kernel(view, node, launches, parameters, _agreed(view, parameters, named))
    kernel.instances = tuple(
        Instance(
            _spelled(parameters, binding.arguments, view),
            binding.path,
            _line_of(instances, binding),
            _weight(view, binding.arguments),
            partial(_bound_kernel, view, node, launches, parameters, binding.arguments),
        )
        for binding in named
        if binding.arguments
    )
    return kernel


def _bound_kernel(
    view: View,
    node: FunctionNode,
    launches: tuple[Launch, ...],
    parameters: tuple[TemplateParameter, ...],
    arguments: Mapping[str, str],
) -> Kernel:
    """The kernel with these arguments of its template bound."""
    unit = view.unit
    function = view.lower(node, unit, _texts(arguments))
    bounds = launch_bounds(unit, node, view)
    values = _values(view, parameters, arguments)
    if bounds is not None and parameters:
        bounds = _bound_bounds(view, bounds, values, parameters)
    line = unit.source.line_of(node.name_node.start_byte)
    return Kernel(
        function.name,
        view.language,
        function,
        unit.source.path,
        line,
        unit.source.line_of(max(node.body.end_byte - 1, 0)),
        function.name_span,
        "__global__",
        bounds,
        None,
        launches,
        values,
    )


def _texts(arguments: Mapping[str, str]) -> Mapping[str, str]:
    """What the types of the body are looked up with; a function of its own, so that it can be switched off."""
    return arguments


def _agreed(view: View, parameters: tuple[TemplateParameter, ...], named: tuple[Binding, ...]) -> Mapping[str, str]:
    """Arguments that all instantiations in view agree on; the defaults where none is in view."""
    if not named:
        return {p.name: p.default for p in parameters if p.name and p.default is not None}
    return _common(binding.arguments for binding in named)


def _values(view: View, parameters: tuple[TemplateParameter, ...], arguments: Mapping[str, str]) -> dict[str, Number]:
    """Values of the template's parameters that are no types."""
    hidden = frozenset(parameter.name for parameter in parameters)
    result: dict[str, Number] = {}
    for parameter in parameters:
        text = arguments.get(parameter.name) if not parameter.is_type else None
        value = view.value_with(text, result, hidden) if text is not None else None
        if value is not None:
            result[parameter.name] = value
    return result


def _spelled(parameters: tuple[TemplateParameter, ...], arguments: Mapping[str, str], view: View) -> str:
    """Arguments in the order of the template, `?` for one that the source does not settle."""
    return ", ".join(_argument(arguments.get(parameter.name, "?"), view) for parameter in parameters)


def _argument(text: str, view: View) -> str:
    """An argument for a reader: a lambda by its line."""
    if not text.startswith(LAMBDA):
        return text
    from regpress_lint.frontend.lambdas import shown

    return shown(text, view)


def _line_of(instances: Instances, binding: Binding) -> int:
    values = instances.values_of(binding.path)
    return values.unit.source.line_of(binding.offset) if values is not None else 0


def _weight(view: View, arguments: Mapping[str, str]) -> float:
    """How large an instantiation is likely to be: sizes of types and values, multiplied."""
    result = 1.0
    for text in arguments.values():
        type_ = view.type_of(text) if not text[:1].isdigit() else None
        size = type_.size if type_ is not None else view.value_of_text(text)
        result *= size if size is not None and size > 1 else 1
    return result


def _bound_bounds(
    view: View, bounds: LaunchBounds, bindings: Mapping[str, Number], parameters: tuple[TemplateParameter, ...]
) -> LaunchBounds:
    hidden = frozenset(parameter.name for parameter in parameters)
    numbers = [view.value_with(text, bindings, hidden) for text in bounds.texts]
    integers = [number if isinstance(number, int) else None for number in numbers]
    return LaunchBounds(bounds.span, bounds.texts, integers[0], integers[1] if len(integers) > 1 else None)


# --------------------------------------------------------------------------------------------------------- SYCL


def _sycl_kernels(view: View, values: HostValues) -> tuple[tuple[Kernel, ...], tuple[Launch, ...]]:
    kernels: dict[tuple[str, int], Kernel] = {}
    launches: list[Launch] = []
    by_index: dict[int, HostValues] = {0: values}
    instances = Instances(view)
    for entry in sycl_entries(view.unit):
        if entry.parse_index not in by_index:
            by_index[entry.parse_index] = HostValues(view, view.unit, entry.parse_index)
        kernel, launch = _sycl_kernel(view, by_index[entry.parse_index], entry, instances)
        key = (kernel.path, kernel.function.body.span.start)
        known = kernels.setdefault(key, kernel)
        if known.function is not kernel.function:  # nor one type for them: its tree without any
            from regpress_lint.frontend.methods import unbound

            known.function = unbound(view, known.function)
        # A callee that is launched with different template arguments has no one value for them.
        known.bindings = {name: value for name, value in known.bindings.items() if kernel.bindings.get(name) == value}
        if launch is not None:
            launches.append(launch)
            known.launches = (*known.launches, launch)
    ordered = sorted(
        kernels.values(), key=lambda kernel: (kernel.path != view.unit.source.path, kernel.path, kernel.name_span)
    )
    return tuple(ordered), tuple(sorted(launches, key=lambda launch: launch.span))


def _sycl_kernel(
    view: View, values: HostValues, entry: SyclEntry, instances: Instances
) -> tuple[Kernel, Launch | None]:
    unit = view.unit
    owner = entry.body_owner
    lambda_node: Node | None = None if isinstance(owner, FunctionNode) else owner
    bindings: Mapping[str, Number] = {}
    around: tuple[Mapping[str, str], ...] = ()
    if isinstance(owner, FunctionNode):
        function, owner_unit = view.lower(owner, unit), unit
        begin = Span(owner.head_start, owner.head_start + 1)
        name = entry.name or function.name
    else:
        thin = thin_callee(owner)
        found = _callee(view, unit, entry.parse_index, thin) if thin is not None else None
        if found is not None:
            owner_unit, node, arguments = found
            given = tuple(arguments_of(thin)) if thin is not None else ()
            reference = Reference(owner.start_byte, arguments, given)
            types = _common(instances.of_reference(values, reference, node, owner_unit))
            function = view.lower(node, owner_unit, types)
            bindings = _callee_values(view, values, owner_unit, node, arguments, owner.start_byte)
            begin, name = function.name_span, function.name
        else:
            name = entry.name or _enclosing_name(unit, owner.start_byte)
            around = instances.around(values, owner.start_byte)
            agreed = _common(around)
            function, owner_unit = view.lower_lambda(owner, unit, entry.parse_index, name, None, agreed), unit
            bindings = _numbers(view, agreed)
            begin = Span(owner.start_byte, owner.start_byte + 1)
    head = _head_text(unit, entry, lambda_node)
    offset = owner.head_start if isinstance(owner, FunctionNode) else owner.start_byte
    source = owner_unit.source
    kernel = Kernel(
        name,
        "sycl",
        function,
        source.path,
        source.line_of(begin.start),
        source.line_of(max(function.body.span.end - 1, 0)),
        begin,
        entry.form,
        _required_work_group(values, head, begin, offset),
        _attribute_value(values, _SUB_GROUP, head, offset),
        bindings=bindings,
        entry=Span(lambda_node.start_byte, lambda_node.end_byte) if lambda_node is not None else None,
        grf_mode=_grf_mode(unit, entry),
    )
    kernel.instances = tuple(
        Instance(
            ", ".join(_argument(text, view) for text in arguments.values()),
            unit.source.path,
            kernel.line,
            _weight(view, arguments),
            partial(_sycl_instance, view, entry, kernel, arguments),
        )
        for arguments in around
        if arguments
    )
    launch = sycl_launch(values, unit.source.path, entry, begin, name)
    return kernel, launch


def _sycl_instance(view: View, entry: SyclEntry, kernel: Kernel, arguments: Mapping[str, str]) -> Kernel:
    """The kernel of a lambda in a host template with these arguments of the template."""
    owner = entry.body_owner
    assert not isinstance(owner, FunctionNode)
    result = copy(kernel)
    result.function = view.lower_lambda(owner, view.unit, entry.parse_index, kernel.name, None, arguments)
    result.bindings, result.instances = _numbers(view, arguments), ()
    return result


def _numbers(view: View, arguments: Mapping[str, str]) -> dict[str, Number]:
    found = ((name, view.value_of_text(text)) for name, text in arguments.items() if view.type_of(text) is None)
    return {name: number for name, number in found if number is not None}


def _callee(view: View, unit: Unit, parse_index: int, call: Node) -> tuple[Unit, FunctionNode, tuple[str, ...]] | None:
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    tail = function
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    template: tuple[str, ...] = ()
    if tail.type == "template_function" and (inner := tail.child_by_field_name("name")) is not None:
        template = template_arguments(view.context_for_text(unit, parse_index), tail.child_by_field_name("arguments"))
        tail = inner
    count = sum(child.type != "comment" for child in arguments.named_children)
    name = unit.text(tail, parse_index)
    found = view.find_node(name, count) or view.find_node(name, -1)
    return (*found, template) if found is not None else None


def _callee_values(
    view: View, values: HostValues, unit: Unit, node: FunctionNode, arguments: tuple[str, ...], offset: int
) -> Mapping[str, Number]:
    """Values of the callee's template parameters that a thin lambda's call gives."""
    parameters = view.parameters_of(node, unit)
    given = argument_values(values, arguments, offset)
    pairs = zip((parameter.name for parameter in parameters), given, strict=False)
    return {name: value for name, value in pairs if value is not None and name}


def _common(found: Iterable[Mapping[str, str]]) -> Mapping[str, str]:
    """What several instantiations agree on."""
    first, *others = found
    return {name: text for name, text in first.items() if all(other.get(name) == text for other in others)}


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
    expr = values.view.expression_of_text(text)
    number = values.number(expr, offset) if expr is not None else None
    return number if isinstance(number, int) else None


def _attribute_value(values: HostValues, pattern: re.Pattern[str], head: str, offset: int) -> int | None:
    match = pattern.search(head)
    return _attribute_number(values, match[1].strip(), offset) if match is not None else None


def _required_work_group(values: HostValues, head: str, span: Span, offset: int) -> LaunchBounds | None:
    match = _WORK_GROUP.search(head)
    if match is None:
        return None
    texts = tuple(part.strip() for part in match[1].split(","))
    total = 1
    for text in texts:
        number = _attribute_number(values, text, offset)
        if number is None:
            return LaunchBounds(span, texts, None, None, required=True)
        total *= number
    return LaunchBounds(span, texts, total, None, required=True)


def _grf_mode(unit: Unit, entry: SyclEntry) -> int | None:
    if entry.call is None:
        return None
    arguments = entry.call.child_by_field_name("arguments")
    start = arguments.start_byte if arguments is not None else entry.call.start_byte
    match = _GRF.search(unit.source.data, start, entry.call.end_byte)
    return int(match[1]) if match is not None else None
