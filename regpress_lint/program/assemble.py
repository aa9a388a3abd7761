"""Model of one file out of its trees: kernels tied to their launches."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from regpress_lint.cpp.language import may_hold_kernels
from regpress_lint.cpp.names.argument_bindings import agreed_on, shown_argument, weight
from regpress_lint.cpp.names.declarators import specialised_arguments
from regpress_lint.cpp.names.view import View
from regpress_lint.program.instances import Binding, Instances
from regpress_lint.program.kernels import global_functions, launch_bounds
from regpress_lint.program.launches import cuda_launches
from regpress_lint.program.model import File, Instance, Kernel, Launch, LaunchBounds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.expansions import Expansions
    from regpress_lint.cpp.names.parsed_file import FunctionNode, Unit
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.syntax import Function, TemplateParameter
    from regpress_lint.program.model import ExpansionLookup


def _nothing(_name: str) -> None:
    return None


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
        from regpress_lint.program.sycl_kernels import sycl_kernels

        kernels, launches = sycl_kernels(view)
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
        view.value_of_call,
        view.settled,
    )


# Most commands ask none of these: what answers them is imported with the first question.


def _expansion_lookup(view: View) -> ExpansionLookup:
    @cache
    def expansions() -> Expansions:
        from regpress_lint.cpp.names.expansions import Expansions

        return Expansions(view)

    return lambda name, arity, names, types, before: expansions().expansion(name, arity, names, types, before)


def _specialised(view: View, function: Function, bound: Mapping[str, str]) -> Function:
    from regpress_lint.cpp.names.member_functions import specialised

    return specialised(view, function, bound)


def _is_virtual(view: View, type_name: str, name: str) -> bool:
    from regpress_lint.cpp.names.member_functions import is_virtual

    if view.questions is not None and view.record(type_name) is None:
        found = view.questions.definition("." + name)
        return found is not None and found.virtual
    return is_virtual(view, type_name, name)


def _method(view: View, type_name: str, name: str, arity: int) -> Function | None:
    from regpress_lint.cpp.names.member_functions import method

    found = method(view, type_name, name, arity)
    return found if found is not None or view.questions is None else view.defined_elsewhere("." + name)


# ------------------------------------------------------------------------------------------------- CUDA and HIP


def _cuda_kernels(view: View, nodes: list[FunctionNode], launches: tuple[Launch, ...]) -> tuple[Kernel, ...]:
    unit, project = view.unit, view.project
    if not nodes:
        return ()
    names = {node.name for node in nodes}
    foreign: list[Launch] = []
    for path in project.includers(unit.source.path):
        foreign.extend(launch for launch in launches_in(project, path, view.language) if launch.kernel_name in names)
    by_name: dict[str, list[Launch]] = {}
    for launch in (*launches, *foreign):
        by_name.setdefault(launch.kernel_name, []).append(launch)
    special = {(node.name, arguments) for node in nodes if (arguments := specialised_arguments(unit, node))}
    instances = Instances(view)
    return tuple(_cuda_kernel(view, node, _own_launches(unit, node, by_name, special), instances) for node in nodes)


def launches_in(project: Project, path: str, language: Language) -> tuple[Launch, ...]:
    """Launches of another file of the run."""

    def read() -> tuple[Launch, ...]:
        unit = project.unit(path)
        return cuda_launches(View(project, unit, language), path) if unit is not None else ()

    return project.once(("launches", path, language), read)


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
            weight(view, binding.arguments),
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
    return agreed_on(binding.arguments for binding in named)


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
    return ", ".join(shown_argument(arguments.get(parameter.name, "?"), view) for parameter in parameters)


def _line_of(instances: Instances, binding: Binding) -> int:
    values = instances.values_of(binding.path)
    return values.unit.source.line_of(binding.offset) if values is not None else 0


def _bound_bounds(
    view: View, bounds: LaunchBounds, bindings: Mapping[str, Number], parameters: tuple[TemplateParameter, ...]
) -> LaunchBounds:
    hidden = frozenset(parameter.name for parameter in parameters)
    numbers = [view.value_with(text, bindings, hidden) for text in bounds.texts]
    integers = [number if isinstance(number, int) else None for number in numbers]
    return LaunchBounds(bounds.span, bounds.texts, integers[0], integers[1] if len(integers) > 1 else None)
