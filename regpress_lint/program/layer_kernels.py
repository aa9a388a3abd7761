"""Kernels of portability layers: what they execute, under the launch bounds that the layer compiles them with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.host_values import HostValues, Value
from regpress_lint.program.cuda_kernels import stated_bounds
from regpress_lint.program.instances import Instances
from regpress_lint.program.kernel_bodies import body_of, instances_of
from regpress_lint.program.launches import make_launch
from regpress_lint.program.layer_forms import launched
from regpress_lint.program.layer_loops import looped
from regpress_lint.program.layers import layers_in
from regpress_lint.program.model import Kernel, LaunchBounds
from regpress_lint.program.thread_indices import threaded

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.program.layer_forms import Launched
    from regpress_lint.program.model import Launch

# Where a policy, or the template arguments of a call, say the launch bounds.
_STATED: Mapping[str, re.Pattern[str]] = {
    "Kokkos": pattern(r"\bLaunchBounds\s*<([^<>]*)>"),
    "AMReX": pattern(r"\b(?:ParallelFor(?:RNG)?|launch|For|HostDevice\w*For)\s*<\s*([^<>,]+)>"),
    "RAJA": pattern(
        r"\b(?:cuda|hip|sycl)_(?:exec|work)\w*\s*<\s*([^<>,]+)|\b(?:Cuda|Hip|Sycl)Kernel\w*Fixed\w*\s*<\s*([^<>,]+)"
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
    for found in launched(scope.unit, layers):
        index = found.entry.parse_index
        if index not in by_index:
            by_index[index] = HostValues(scope, scope.unit, index)
        kernels.append(_kernel(by_index[index], found, instances))
    return tuple(kernels), tuple(launch for kernel in kernels for launch in kernel.launches)


def _kernel(values: HostValues, found: Launched, instances: Instances) -> Kernel:
    entry, layer = found.entry, found.layer
    around = partial(looped, layer.name, entry.form, found.policy)
    finish = partial(threaded, elements=layer.elements, around=around)
    body = body_of(values, entry, instances, through=False)
    owner = entry.body_owner
    bounds = _bounds(values, found, body.begin)
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
    kernel.instances = instances_of(values, entry, kernel, body, finish)
    if entry.call is not None:
        block = bounds.max_threads if bounds is not None else None
        size = Value((block,), "constant") if block else None
        lds = None if _DYNAMIC_SHARED.search(found.policy) else 0
        path = values.unit.source.path
        launch = make_launch(values, path, entry.call, body.name, (), entry.form, size, lds, "", body.begin)
        kernel.launches = (launch,)
    return kernel


def _bounds(values: HostValues, found: Launched, span: Span) -> LaunchBounds | None:
    """The launch bounds that the layer gives a kernel; those of the policy go first."""
    pattern = _STATED.get(found.layer.name)
    match = pattern.search(found.policy) if pattern is not None else None
    stated = next((group for group in match.groups() if group), "") if match is not None else ""
    call = found.entry.call
    offset = call.start_byte if call is not None else span.start
    texts = tuple(part.strip() for part in stated.split(",") if part.strip())
    if texts:
        sizes = [_number(values, text, offset) for text in texts]
        return stated_bounds(span, texts, sizes)
    if found.layer.threads is None:
        return None
    constant = values.scope.constant(found.layer.constant) if found.layer.constant else None
    threads = int(constant) if isinstance(constant, int) and constant > 0 else found.layer.threads
    return LaunchBounds(span, (found.layer.constant or str(threads),), threads, None)


def _number(values: HostValues, text: str, offset: int) -> int | None:
    expr = values.scope.expression_of_text(text)
    number = values.number(expr, offset) if expr is not None else None
    return number if isinstance(number, int) else None
