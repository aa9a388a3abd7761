"""Kernels of portability layers: what they execute, under the launch bounds that the layer compiles them with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.names.argument_bindings import agreed_on
from regpress_lint.cpp.names.declarators import template_parameters
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.host_values import HostValues, Value
from regpress_lint.program.cuda_kernels import stated_bounds
from regpress_lint.program.instances import Instances
from regpress_lint.program.launches import make_launch
from regpress_lint.program.layers import layers_in
from regpress_lint.program.model import Instance, Kernel, LaunchBounds

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.program.layer_forms import Launched
    from regpress_lint.program.model import Launch

# Where a policy, or the template arguments of a call, say the launch bounds.
_STATED: Mapping[str, re.Pattern[str]] = {
    "Kokkos": pattern(r"\bLaunchBounds\s*<([^<>]*)>"),
    "AMReX": pattern(r"\b(?:ParallelFor(?:RNG)?|launch|For|HostDevice\w*For)\s*<\s*([^<>,]+)>"),
    "RAJA": pattern(
        r"\b(?:cuda|hip)_exec\w*_explicit\w*\s*<\s*([^<>,]+,\s*[^<>,]+)|\b(?:cuda|hip)_exec_explicit\w*\s*<\s*([^<>,]+,\s*[^<>,]+)"
        r"|\b(?:cuda|hip)_launch_explicit_t\s*<\s*\w+\s*,\s*([^<>,]+,\s*[^<>,]+)"
        r"|\b(?:Cuda|Hip)Kernel\w*FixedSM\w*\s*<\s*([^<>,]+,\s*[^<>,]+)"
        r"|\b(?:cuda|hip|sycl)_(?:exec|work)\w*\s*<\s*([^<>,]+)|\b(?:Cuda|Hip|Sycl)Kernel\w*Fixed\w*\s*<\s*([^<>,]+)"
        r"|\b(?:cuda|hip|sycl)_launch_t\s*<\s*\w+\s*,\s*([^<>,]+)"
    ),
}
_DYNAMIC_SHARED = pattern(r"Team|scratch|LaunchParams")


def layer_kernels(scope: Scope) -> tuple[tuple[Kernel, ...], tuple[Launch, ...]]:
    """Kernels that portability layers launch in a file, in its order, and their launches."""
    layers = tuple(layers_in(scope.unit.source.data, scope.project.words.launches))
    if not layers:
        return (), ()
    instances = Instances(scope)
    by_index: dict[int, HostValues] = {}
    kernels: list[Kernel] = []
    from regpress_lint.program.layer_forms import launched

    for found in launched(scope.unit, layers, scope.find_node):
        index = found.entry.parse_index
        if index not in by_index:
            by_index[index] = HostValues(scope, scope.unit, index)
        kernels.append(_kernel(by_index[index], found, instances))
    return tuple(kernels), tuple(launch for kernel in kernels for launch in kernel.launches)


def _kernel(values: HostValues, found: Launched, instances: Instances) -> Kernel:
    from regpress_lint.program.kernel_bodies import body_of, instances_of
    from regpress_lint.program.layer_loops import looped
    from regpress_lint.program.thread_indices import threaded

    entry, layer = found.entry, found.layer
    around = partial(looped, layer.name, found.form or entry.form, found.policy)
    finish = partial(threaded, elements=layer.elements, around=around)
    body = body_of(values, entry, instances, through=False)
    owner = entry.body_owner
    given = " ".join(agreed_on(body.around).values()) if body.around else ""
    bounds = _bounds(values, found, body.begin, given, body.bindings)
    kernel = Kernel(
        body.name,
        values.scope.language,
        finish(body.function),
        body.source.path,
        body.source.line_of(body.begin.start),
        body.end_line(entry),
        body.begin,
        entry.form,
        bounds,
        bindings=body.bindings,
        entry=None if isinstance(owner, FunctionNode) else Span(owner.start_byte, owner.end_byte),
        layer=layer.name or "user",
    )
    settled = partial(_bounds, values, found, body.begin)
    kernel.instances = tuple(_bounded(each, settled) for each in instances_of(values, entry, kernel, body, finish))
    if entry.call is not None:
        block = bounds.max_threads if bounds is not None else None
        size = Value((block,), "constant") if block else None
        lds = None if _DYNAMIC_SHARED.search(found.policy) else 0
        path = values.unit.source.path
        launch = make_launch(values, path, entry.call, body.name, (), entry.form, size, lds, "")
        kernel.launches = (launch,)
    return kernel


def _bounded(instance: Instance, bounds: Callable[[str, Mapping[str, Number]], LaunchBounds | None]) -> Instance:
    """An instantiation with the launch bounds that its own arguments give."""

    def made() -> Kernel:
        kernel = instance.kernel
        kernel.launch_bounds = bounds(instance.arguments, kernel.bindings)
        return kernel

    return Instance(instance.arguments, instance.path, instance.line, instance.weight, made)


def _bounds(
    values: HostValues, found: Launched, span: Span, given: str, bound: Mapping[str, Number]
) -> LaunchBounds | None:
    """The launch bounds that the layer gives a kernel; those of the policy go first.

    given, bound: arguments of the template around the launch as they are spelled, and numbers among them by name.
    """
    pattern = _STATED.get(found.layer.name)
    match = pattern.search(f"{found.policy} {given}") if pattern is not None else None
    stated = next((group for group in match.groups() if group), "") if match is not None else ""
    call = found.entry.call
    offset = call.start_byte if call is not None else span.start
    texts = tuple(part.strip() for part in stated.split(",") if part.strip())
    if texts:
        sizes = [_number(values, text, offset, bound) for text in texts]
        return stated_bounds(span, texts, sizes)
    if found.layer.threads is None:
        return None
    constant = values.scope.constant(found.layer.constant) if found.layer.constant else None
    threads = int(constant) if isinstance(constant, int) and constant > 0 else found.layer.threads
    return LaunchBounds(span, (found.layer.constant or str(threads),), threads, None)


def _number(values: HostValues, text: str, offset: int, bound: Mapping[str, Number]) -> int | None:
    expr = values.scope.expression_of_text(text)
    number = values.number_in(expr, offset, bound) if expr is not None else None
    if number is None and text.isidentifier() and (default := _default(values, text, offset)) is not None:
        number = values.scope.value_of_text(default)
    return number if isinstance(number, int) else None


def _default(values: HostValues, name: str, offset: int) -> str | None:
    """The default of a template parameter of the function around a launch."""
    function = values.unit.function_around(offset)
    if function is None:
        return None
    parameters = template_parameters(values.unit, function.template, function.parse_index)
    return next((each.default for each in parameters if each.name == name), None)
