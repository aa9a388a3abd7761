"""Model of one file out of its trees: kernels tied to their launches, in this file or another."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.core.source import Span, Spliced
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.language import included_parts, may_hold_kernels
from regpress_lint.cpp.lexical import lex
from regpress_lint.cpp.names.definitions import scoped_names, value_with
from regpress_lint.cpp.names.macro_parameters import counts_in
from regpress_lint.cpp.names.resolver import Resolver
from regpress_lint.cpp.names.templates import parameters_of, specialised_arguments, takes
from regpress_lint.cpp.preprocess.kernel_strings import begun_in_literals
from regpress_lint.cpp.preprocess.splicing import as_read
from regpress_lint.program.file import File
from regpress_lint.program.instances import Binding, Instances
from regpress_lint.program.kernel_functions import (
    cluster_blocks,
    global_functions,
    launch_bounds,
    other_words,
    register_limits,
    stated_bounds,
    written_name,
)
from regpress_lint.program.launches import cuda_launches
from regpress_lint.program.layers import layers_in
from regpress_lint.program.linked_files import MOST_FILES, linked_files
from regpress_lint.program.model import Instance, Kernel, Launch, LaunchBounds
from regpress_lint.program.open_conditions import never_compiled, open_conditions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import TemplateParameter


_MOST_ALIKE = 6  # other kernels of a name among which types choose
# Pairs of kernels of one name and their launches that are all looked at, and kinds of launches where there are more.
_MOST_PAIRS, _MOST_KINDS = 20_000, 64


def _scope(source: Source, language: Language, project: Project) -> Resolver:
    """What resolves the names of a file; its text is parsed for it."""
    parsed = project.parsed(source.path, source.data)
    assert parsed is not None
    return Resolver(project, parsed, language)


def build(source: Source, language: Language, project: Project) -> File:
    """Parse and model one file; kernels are in file order, each body once.

    A file that cannot hold a kernel is not parsed: its launches are read when a file with kernels needs them.
    """
    # What a thin lambda of another file calls is a plain function.
    launched_elsewhere = language == "sycl" and bool(project.includers(source.path))
    text = as_read(source.data)
    spelled = may_hold_kernels(text, project.words.seen) or bool(included_parts(text))
    if not (spelled or launched_elsewhere or project.makes_kernels(source.path, text)):
        later = partial(_scope, source, language, project)
        built = _built(text, project, source) if language == "cuda" else ()
        return File(source, language, (), (), later, library_kernels=built)
    language = project.decided(source.path, source.data, language).language
    scope = _scope(source, language, project)
    parsed = scope.parsed
    source = parsed.source
    if language == "sycl":
        from regpress_lint.program.sycl_kernels import sycl_kernels

        kernels, launches, lost = sycl_kernels(scope)
        kernels, launches = _with_layers(scope, kernels, launches)
        kernels = _compiled(scope, kernels)
        for kernel in kernels:
            kernel.unknowns = open_conditions(scope, kernel)
        return File(source, language, kernels, launches, scope, lost, other_words(parsed))
    if language == "opencl":
        from regpress_lint.program.kernel_functions import opencl_kernels

        kernels, lost = opencl_kernels(scope)
        return File(source, language, _compiled(scope, kernels), (), scope, lost)
    launches = cuda_launches(scope, source.path)
    nodes, headed = global_functions(parsed)
    lost = tuple(sorted({*headed, *parsed.unwritten}))
    kernels, launches = _with_layers(scope, _cuda_kernels(scope, nodes, launches), launches)
    kernels = _compiled(scope, kernels)
    begun = begun_in_literals(source.path, text)
    built = () if any(kernel.name.endswith(_DEVICE_KERNEL) for kernel in kernels) else _built(text, project, source)
    return File(
        source, language, kernels, launches, scope, lost, _sycl_among(parsed), begun=begun, library_kernels=built
    )


def _compiled(scope: Scope, kernels: tuple[Kernel, ...]) -> tuple[Kernel, ...]:
    """The kernels without those that no build compiles; what of a part that another file has several times says so."""
    home = scope.parsed.source.path
    if kernels and (above := _included_anew(scope.project, scope.parsed)):
        text = f"`{above}` includes this file several times, and defines other macros for each: its kernels are there"
        for kernel in kernels:
            kernel.unknowns += (Unknown("macro", kernel.name, kernel.path, kernel.name_span, text, "both"),)
    dead = never_compiled(scope, [kernel.name_span.start for kernel in kernels if kernel.path == home])
    return tuple(
        kernel
        for kernel in kernels
        if not dead or kernel.path != home or not any(arm.contains(kernel.name_span) for arm in dead)
    )


_DEVICE_KERNEL = "device_kernel"
_DEFINED = pattern(rb"\bdevice_kernel\s*+\(")
_OF_CLASS = pattern(rb"device_kernel\s*+<\s*+(?:\w++\s*+::\s*+)*+(\w++)")
_ALIAS = rb"\busing\s+%s\s*=\s*(?:typename\s+)?(?:\w+\s*::\s*)*(\w+)\s*[<;]"
_CLASS = rb"\b(?:struct|class)\s+%s\b"
_BUILT = pattern(r"\b(?:CollectiveBuilder|device_kernel)\s*+<")


def _built(text: bytes, project: Project, source: Source) -> tuple[Span, ...]:
    """Where a file asks CUTLASS for a kernel: no text of the file is its body, its type consists of templates. Where
    the header is visible, and the class that it gets, the kernel is one of the header.
    """
    if b"CollectiveBuilder" not in text and b"device_kernel" not in text:
        return ()
    spans = [Span(match.start(), match.end() - 1) for match in _BUILT.finditer(lex(text).code)]
    if not spans:
        return ()
    parsed = project.parsed(source.path, source.data)
    read = [project.read(path) or b"" for path in project.closure(parsed)] if parsed is not None else []
    if any(_DEFINED.search(data) for data in read):
        spans = [span for span in spans if not _is_of_class(text, span, [text, *read])]
    return tuple(spans)


def _is_of_class(text: bytes, span: Span, read: list[bytes]) -> bool:
    """Whether `device_kernel<C>` names a class that one of the texts defines, by itself or by an alias."""
    named = _OF_CLASS.match(text, span.start)
    name = named[1] if named is not None else b""
    alias = re.search(_ALIAS % name, text) if name else None
    name = alias[1] if alias is not None else name
    return bool(name) and any(re.search(_CLASS % name, data) for data in read)


def _sycl_among(parsed: ParsedFile) -> tuple[Span, ...]:
    """SYCL kernels in a CUDA or HIP file."""
    if b"sycl" not in parsed.source.data:
        return ()
    from regpress_lint.program.sycl_forms import other_entries

    return other_entries(parsed)


def _with_layers(
    scope: Scope, kernels: tuple[Kernel, ...], launches: tuple[Launch, ...]
) -> tuple[tuple[Kernel, ...], tuple[Launch, ...]]:
    """Kernels and launches of the language itself, and those of the portability layers that the file uses."""
    layers = tuple(layers_in(scope.parsed.source.data, scope.project.words.launches))
    if not layers:
        return kernels, launches
    from regpress_lint.program.layer_kernels import layer_kernels

    layered, started = layer_kernels(scope, layers)
    placed = {(kernel.path, kernel.name_span.start) for kernel in kernels}
    new = (kernel for kernel in layered if (kernel.path, kernel.name_span.start) not in placed)
    home = scope.parsed.source.path
    return (
        tuple(sorted((*kernels, *new), key=lambda kernel: (kernel.path != home, kernel.path, kernel.name_span))),
        tuple(sorted((*launches, *started), key=lambda launch: launch.span)),
    )


# ------------------------------------------------------------------------------------------------- CUDA and HIP


def _cuda_kernels(scope: Scope, nodes: list[FunctionNode], launches: tuple[Launch, ...]) -> tuple[Kernel, ...]:
    parsed, project = scope.parsed, scope.project
    if not nodes:
        return ()
    written = [written_name(parsed, node) for node in nodes]
    names = {*written, *(node.name for node in nodes)}
    foreign: list[Launch] = []
    above = project.includers(parsed.source.path), project.above(parsed.source.path, MOST_FILES)
    for path in dict.fromkeys((*above[0], *above[1])):
        foreign.extend(launch for launch in launches_in(project, path, scope.language) if launch.kernel_name in names)
    by_name: dict[str, list[Launch]] = {}
    for launch in (*launches, *foreign):
        by_name.setdefault(launch.kernel_name, []).append(launch)
    # The linker finds a plain function alone: a template is launched where it is defined.
    plain = frozenset(
        name for node, macro in zip(nodes, written, strict=True) if node.template is None for name in (node.name, macro)
    )
    for path, undefined in linked_files(project, parsed, plain):
        for launch in launches_in(project, path, scope.language):
            if launch.kernel_name in undefined:
                by_name.setdefault(launch.kernel_name, []).append(launch)
    _few_of_many(nodes, by_name)
    special = {(node.name, arguments) for node in nodes if (arguments := specialised_arguments(parsed, node))}
    instances, kernels = Instances(scope), []
    for node, name in zip(nodes, written, strict=True):
        others = tuple(sibling for sibling in nodes if sibling is not node and sibling.name == node.name)
        started = [launch for called in dict.fromkeys((node.name, name)) for launch in by_name.get(called, ())]
        named = [launch for launch in started if _fits(parsed, node, launch, others, instances)]
        launched = _own_launches(parsed, node, named, special)
        kernels.append(_cuda_kernel(scope, node, launched, instances, started))
    return tuple(kernels)


def _included_anew(project: Project, parsed: ParsedFile) -> str:
    """A file that includes this one several times, which has the kernels as it writes them; "" without one."""
    path = parsed.source.path
    for includer in project.includers(path):
        unit = project.parsed(includer) if included_parts(project.read(includer) or b"") else None
        if unit is not None and isinstance(unit.source, Spliced) and any(a.path == path for a in unit.source.annexes):
            return includer
    return ""


def _fits(
    parsed: ParsedFile, node: FunctionNode, launch: Launch, others: tuple[FunctionNode, ...], instances: Instances
) -> bool:
    """False for a launch of another kernel of that name: by its template arguments, or because its arguments are as
    many as another one has parameters, or more of them have its types. (Defaults may stand at a declaration elsewhere:
    too few alone say nothing.)
    """
    if not takes(parsed, node, launch.template_args):
        return False
    counts = launch.given in counts_in(parsed, node)
    if launch.given is None or (counts and len(others) > _MOST_ALIKE):
        return True
    alike = [
        sibling
        for sibling in others
        if launch.given in counts_in(parsed, sibling) and takes(parsed, sibling, launch.template_args)
    ]
    if not counts or not alike:
        return not alike
    alike_types = instances.types_alike(launch, node)
    return all(instances.types_alike(launch, sibling) <= alike_types for sibling in alike)


def _few_of_many(nodes: list[FunctionNode], by_name: dict[str, list[Launch]]) -> None:
    """Where many kernels of one name have many launches each, keep one launch of each kind: others say nothing new, and
    all pairs take the square of the file.
    """
    for name, count in Counter(node.name for node in nodes).items():
        launches = by_name.get(name, [])
        if count * len(launches) > _MOST_PAIRS:
            kinds = {_kind(launch): launch for launch in reversed(launches)}
            by_name[name] = list(reversed(kinds.values()))[:_MOST_KINDS]


def _kind(launch: Launch) -> tuple[object, ...]:
    """The parts of a launch that describe its kernel."""
    template = (launch.template_args, launch.template_values)
    return (*template, launch.block_size, launch.block_dims, launch.dynamic_lds_bytes)


def launches_in(project: Project, path: str, language: Language) -> tuple[Launch, ...]:
    """Launches of another file of the run."""

    def read() -> tuple[Launch, ...]:
        parsed = project.parsed(path)
        return cuda_launches(Resolver(project, parsed, language), path) if parsed is not None else ()

    return project.once(("launches", path, language), read)


def _own_launches(
    parsed: ParsedFile, node: FunctionNode, launches: list[Launch], special: set[tuple[str, tuple[str, ...]]]
) -> tuple[Launch, ...]:
    """Launches by name; an explicit specialisation takes those with its arguments from the general template."""
    if not special:
        return tuple(launches)
    specialised = specialised_arguments(parsed, node)
    result: list[Launch] = []
    for launch in launches:
        arguments = tuple("".join(text.split()) for text in launch.template_args)
        if not arguments or (arguments == specialised if specialised else (node.name, arguments) not in special):
            result.append(launch)
    return tuple(result)


def _cuda_kernel(
    scope: Scope, node: FunctionNode, launches: tuple[Launch, ...], instances: Instances, alike: Collection[Launch]
) -> Kernel:
    """alike: its launches, and those of other kernels of its name."""
    parameters = parameters_of(scope.parsed, node)
    if not parameters:
        return _bound_kernel(scope, node, launches, (), {})
    named = instances.of_kernel(node, scope.parsed, launches, alike)
    settled = tuple(binding for binding in named if binding.arguments)
    kernel = _bound_kernel(scope, node, launches, parameters, _agreed(parameters, settled or named))
    kernel.launch_bounds = _agreed_bounds(scope, node, parameters, kernel.launch_bounds, settled)
    missing = _not_followed(kernel, instances, named, settled)
    kernel.unknowns += missing
    from regpress_lint.program.host_places import weight

    kernel.instances = tuple(
        Instance(
            _spelled(parameters, binding.arguments, scope),
            binding.path,
            _line_of(instances, binding),
            weight(scope, binding.arguments),
            partial(_bound_kernel, scope, node, launches, parameters, binding.arguments, missing),
        )
        for binding in settled
    )
    return kernel


def _not_followed(
    kernel: Kernel, instances: Instances, named: tuple[Binding, ...], settled: tuple[Binding, ...]
) -> tuple[Unknown, ...]:
    """The entry for a place that instantiates the kernel with what nothing here settles."""
    for binding in named:
        if binding.lost or (settled and not binding.arguments):
            place = f"{binding.path}:{_line_of(instances, binding)}"
            text = f"what {place} instantiates this kernel with is not followed: the band is that of the others"
            return (Unknown("instances", kernel.name, kernel.path, kernel.name_span, text, "both"),)
    return ()


def _bound_kernel(
    scope: Scope,
    node: FunctionNode,
    launches: tuple[Launch, ...],
    parameters: tuple[TemplateParameter, ...],
    arguments: Mapping[str, str],
    missing: tuple[Unknown, ...] = (),
) -> Kernel:
    """The kernel with these arguments of its template bound. missing: entries about other instantiations."""
    parsed = scope.parsed
    function = scope.lower(node, parsed, _texts(arguments))
    values = _values(scope, parameters, arguments)
    bounds = _bounds(scope, node, parameters, arguments, values)
    line = parsed.source.line_of(node.name_node.start_byte)
    kernel = Kernel(
        written_name(parsed, node),
        scope.language,
        function,
        parsed.source.path,
        line,
        parsed.source.line_of(max(node.body.end_byte - 1, 0)),
        function.name_span,
        "__global__",
        bounds,
        None,
        launches,
        values,
        register_limits=register_limits(parsed, node, scope, values),
        cluster=cluster_blocks(parsed, node, scope, values) if scope.language == "cuda" else None,
    )
    kernel.unknowns = (*open_conditions(scope, kernel), *missing)
    return kernel


def _bounds(
    scope: Scope,
    node: FunctionNode,
    parameters: tuple[TemplateParameter, ...],
    arguments: Mapping[str, str],
    values: Mapping[str, Number],
) -> LaunchBounds | None:
    """The launch bounds of a kernel with these arguments of its template bound."""
    bounds = launch_bounds(scope.parsed, node, scope)
    if bounds is None or not parameters:
        return bounds
    scoped = scoped_names(scope.parsed, node.node, names=WORD.findall(" ".join(bounds.texts)))
    return _bound_bounds(scope, bounds, values, parameters, scoped, arguments)


def _agreed_bounds(
    scope: Scope,
    node: FunctionNode,
    parameters: tuple[TemplateParameter, ...],
    bounds: LaunchBounds | None,
    settled: Collection[Binding],
) -> LaunchBounds | None:
    """The bounds of a template: numbers that depend on its arguments where all known instantiations have the same ones,
    `Op::threads` of several classes.
    """
    if bounds is None or bounds.max_threads is not None or len(settled) < 2:
        return bounds
    lists = [binding.arguments for binding in settled]
    first, *others = (_bounds(scope, node, parameters, bound, _values(scope, parameters, bound)) for bound in lists)
    return first if all(other == first for other in others) else bounds


def _texts(arguments: Mapping[str, str]) -> Mapping[str, str]:
    """The lookup for the types of the body; a function of its own, so that it can be switched off."""
    return arguments


def _agreed(parameters: tuple[TemplateParameter, ...], named: tuple[Binding, ...]) -> Mapping[str, str]:
    """Arguments that all known instantiations agree on; the defaults if none is known."""
    if not named:
        return {p.name: p.default for p in parameters if p.name and p.default is not None}
    from regpress_lint.program.host_places import agreed_on

    return agreed_on(binding.arguments for binding in named)


def _values(scope: Scope, parameters: tuple[TemplateParameter, ...], arguments: Mapping[str, str]) -> dict[str, Number]:
    """Values of the template's parameters that are no types."""
    hidden = frozenset(parameter.name for parameter in parameters)
    result: dict[str, Number] = {}
    for parameter in parameters:
        text = arguments.get(parameter.name) if not parameter.is_type else None
        value = value_with(scope, text, result, hidden) if text is not None else None
        if value is not None:
            result[parameter.name] = value
    return result


def _spelled(parameters: tuple[TemplateParameter, ...], arguments: Mapping[str, str], scope: Scope) -> str:
    """Arguments in the order of the template, `?` for one that the source does not settle."""
    from regpress_lint.program.host_places import shown_argument

    return ", ".join(shown_argument(arguments.get(parameter.name, "?"), scope) for parameter in parameters)


def _line_of(instances: Instances, binding: Binding) -> int:
    values = instances.values_of(binding.path)
    return values.parsed.source.line_of(binding.offset) if values is not None else 0


def _bound_bounds(
    scope: Scope,
    bounds: LaunchBounds,
    bindings: Mapping[str, Number],
    parameters: tuple[TemplateParameter, ...],
    scoped: Mapping[str, str],
    arguments: Mapping[str, str],
) -> LaunchBounds:
    from regpress_lint.cpp.names.templates import substituted

    hidden = frozenset(parameter.name for parameter in parameters)
    meanings = {name: text for name, text in scoped.items() if name not in hidden}
    meanings |= {
        parameter.name: arguments[parameter.name]
        for parameter in parameters
        if parameter.is_type and parameter.name in arguments
    }
    numbers = [value_with(scope, substituted(text, meanings), bindings, hidden) for text in bounds.texts]
    integers = [number if isinstance(number, int) else None for number in numbers]
    return stated_bounds(bounds.span, bounds.texts, integers)
