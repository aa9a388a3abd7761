"""Attributes of a SYCL kernel: their places in a lambda, and in a functor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.source import Span
from regpress_lint.lint.advice.advice_data import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Kind

_OPENING, _CLOSING = "([{", ")]}"


def attributed(facts: KernelFacts, text: str, kind: Kind, cost: str, code: str) -> Iterator[Change]:
    """The kernel with an attribute; nothing for one that has no place for it (a function, made one by a property)."""
    at = _place(facts)
    if at is not None:
        line = facts.file.source.line_of(facts.kernel.name_span.start)
        yield Change(kind, f"add `{text}`", line, (Edit(Span(at, at), f" {text} "),), cost, code)


def _place(facts: KernelFacts) -> int | None:
    """In front of a lambda's body (of a thin one, not of the function that it calls), of the head of an
    `operator()`, or of the name of an OpenCL kernel.
    """
    kernel, source = facts.kernel, facts.file.source
    if kernel.language == "opencl":
        return kernel.name_span.start if kernel.path == facts.file.path else None
    if kernel.entry is not None:
        head = source.text(kernel.entry)
        body = _body_of_lambda(head)
        return kernel.entry.start + len(head[:body].encode()) if body is not None else None
    if kernel.function.name != "operator()" or kernel.path != facts.file.path:
        return None
    return kernel.function.span.start


def _body_of_lambda(text: str) -> int | None:
    """Where the body of `[=](nd_item<1> item) { ... }` opens."""
    depth = 0
    for position, sign in enumerate(text):
        if sign == "{" and not depth:
            return position
        depth += (sign in _OPENING) - (sign in _CLOSING)
    return None
