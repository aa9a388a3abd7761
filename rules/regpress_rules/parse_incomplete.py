"""RP001 parse-incomplete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import EVERY_TARGET, File, Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.api.report import USED, Span, Unknown, place
from regpress_lint.api.text import listing, pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_NOTES = 5
_MOST_HEADERS = 3
_NOTHING = "nothing else can be said about it"
_BLOCK_MACRO = pattern(r"([A-Za-z_]\w*)\s*\([^;{}]*\)\s*")
_WRITTEN = pattern(r"(?!__global__\b)([A-Za-z_]\w*)\(")


class ParseIncomplete(Rule):
    """A kernel of which a part was not understood."""

    code = "RP001"
    name = "parse-incomplete"
    severity = Severity.INFO
    needs = ("kernel.function", "kernel.explicit_simd")

    def check_file(self, file: File) -> Iterator[Finding]:
        """Definitions that no tree holds, or that are of another language than the file: without this they would be
        missing without a word.
        """
        yield from _lost(file)
        for span in file.begun:
            message = "a text begins a kernel here, and the program puts the rest together when it runs: it is not read"
            yield Finding(span, message, {EVERY_TARGET: Severity.INFO}, _NOTHING)
        if file.library_kernels:
            message = "the kernel that CUTLASS builds here out of templates is not in view"
            help_ = "nothing is said about it: `regpress-lint measure` of what nvcc made has its registers"
            notes = tuple(Note(span, "and here") for span in file.library_kernels[1:_MOST_NOTES])
            yield Finding(file.library_kernels[0], message, {EVERY_TARGET: Severity.INFO}, help_, notes)
        if file.other:
            places = f" (and {len(file.other) - 1} more)" if len(file.other) > 1 else ""
            sycl = file.language == "sycl"
            read, this = ("SYCL", "CUDA or HIP") if sycl else (file.language.upper(), "SYCL")
            message = f"the file is read as {read}, and this is {this}{places}"
            kernels = "`__global__` functions and `<<<...>>>` launches" if sycl else "SYCL kernels"
            help_ = f"nothing is said about its {kernels}; a file of their own is read"
            yield Finding(file.other[0], message, {EVERY_TARGET: Severity.INFO}, help_)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the first place that was not understood."""
        kernel = facts.kernel
        if kernel.complete:
            yield from _unknown(facts)
            return
        if kernel.explicit_simd:
            yield _explicit(facts)
            return
        spans = sorted(kernel.function.unparsed)
        path = kernel.function.path or kernel.path
        where = place(facts, spans[0], path, "not understood")
        source = facts.file.source
        severities = {EVERY_TARGET: Severity.INFO}
        message = f"kernel `{kernel.name}` was not read whole"
        help_, notes = "other findings about this kernel may be incomplete", where.notes
        if where.here:
            lines = sorted({source.line_of(span.start) for span in spans})
            shown = ", ".join(map(str, lines[:_MOST_NOTES])) + (", ..." if len(lines) > _MOST_NOTES else "")
            message += f": line{'s' if len(lines) > 1 else ''} {shown} not understood"
            notes = tuple(Note(span, "nor this") for span in spans[1:_MOST_NOTES])
            text = source.data[where.span.start : where.span.end].decode("utf-8", "replace")
            if (macro := _BLOCK_MACRO.fullmatch(text)) is not None:
                help_ = (
                    f"no file that was found defines `{macro[1]}`; its block counts as a loop's, and {help_}: "
                    "name the folder of its header with -I"
                )
        yield Finding(where.span, message, severities, help_, notes, None, kernel.name)


def _lost(file: File) -> Iterator[Finding]:
    """Kernels of which not even the head was read: each, but those that a macro writes are one finding."""
    written: dict[str, list[Span]] = {}
    for span in file.lost:
        if (macro := _WRITTEN.match(file.source.text(Span(span.start, span.end + 1)))) is not None:
            written.setdefault(macro[1], []).append(span)
            continue
        message = "the kernel that begins here was not understood at all"
        yield Finding(span, message, {EVERY_TARGET: Severity.INFO}, _NOTHING)
    for name, spans in written.items():
        more = f" (and {len(spans) - 1:,} more)" if len(spans) > 1 else ""
        message = f"the kernel that `{name}` writes here, head and body, is not read{more}"
        help_ = f"{_NOTHING}: a function template in place of the macro has lines that can be named"
        notes = tuple(Note(span, "and here") for span in spans[1:_MOST_NOTES])
        yield Finding(spans[0], message, {EVERY_TARGET: Severity.INFO}, help_, notes)


def _unknown(facts: KernelFacts) -> Iterator[Finding]:
    """The unknowns of a completely read kernel, as far as its numbers depend on them: one finding for all."""
    kernel = facts.kernel
    severities: dict[str, Severity] = {}
    told: dict[str, Unknown] = {}
    for target in facts.targets:
        for unknown in facts.decisive_unknowns(target):
            severities[target] = Severity.INFO
            told.setdefault(unknown.text, unknown)
    if not told:
        return
    first, *others = told.values()
    if all(map(_may_be_there, told.values())) and facts.file.missing_headers():
        yield _without_headers(facts, severities, first)
        return
    where = place(facts, first.span, first.path, "here")
    more = f" (and {len(others)} more)" if others else ""
    message = f"kernel `{kernel.name}` is not known whole: {first.text}{more}"
    notes = [*where.notes]
    notes += [Note(one.span, one.text) for one in others if one.path == facts.file.path][: _MOST_NOTES - 1]
    help_ = "its band is wider to that side, and rules that would need it have not judged it"
    yield Finding(where.span, message, severities, help_, tuple(notes), None, kernel.name)


def _may_be_there(unknown: Unknown) -> bool:
    """Whether a header that is not found may declare or define what is not known."""
    return "its header (-I)" in unknown.text or "`--define " in unknown.text


def _without_headers(facts: KernelFacts, severities: dict[str, Severity], first: Unknown) -> Finding:
    """The same words for all kernels that may miss these headers: so it is one finding about all of them."""
    headers = facts.file.missing_headers()
    names = [f"`{header.name}`" for _, header in headers]
    more = [f"{len(names) - _MOST_HEADERS} more"] if len(names) > _MOST_HEADERS else []
    named = listing([*names[:_MOST_HEADERS], *more])
    message = f"{named} {'was' if len(names) == 1 else 'were'} not found, and what kernels use of it is not known"
    outside = next((header for _, header in headers if header.outside), None)
    told = "its folder (-I), its macros (--define) or a build folder (-p) would tell"
    if outside is not None:
        told = f"`{outside.name}` is outside of the folder that was named: `-I {outside.outside}` would tell"
    help_ = f"{told}; these kernels' bands are open to that side, and rules that would need it have not judged them"
    where = place(facts, first.span, first.path, USED)
    notes = (Note(first.span, USED),) if where.here else where.notes
    return Finding(headers[0][0], message, severities, help_, notes)


def _explicit(facts: KernelFacts) -> Finding:
    kernel = facts.kernel
    where = place(facts, kernel.name_span, kernel.path, "the kernel")
    severities = {EVERY_TARGET: Severity.INFO}
    message = f"kernel `{kernel.name}` is explicit SIMD (ESIMD): its registers are laid out by hand and not estimated"
    help_ = "no other rule reports it"
    return Finding(where.span, message, severities, help_, where.notes, None, kernel.name)
