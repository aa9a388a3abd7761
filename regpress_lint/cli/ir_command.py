"""`regpress-lint ir`: a kernel's graph after one of its passes, for who works on the tool."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, get_args

from regpress_lint.cli.context import context
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.work import Scope, read_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.analysis import Analysis


def run(arguments: argparse.Namespace) -> int:
    """Exit status 0. Raises UsageError for a file, kernel or pass that is not there."""
    from regpress_lint.passes.trace import PASSES
    from regpress_lint.views.ir import STAGES, Stage

    stage: Stage = next((one for one in get_args(Stage) if one == arguments.after), "liveness")
    if arguments.after not in STAGES:
        raise UsageError(_unknown("--after: no pass", arguments.after, STAGES))
    without = frozenset(name for given in arguments.without or () for name in given.split(",") if name)
    for name in sorted(without):
        if name not in PASSES:
            raise UsageError(_unknown("--without: no pass", name, PASSES))
    settings = context(arguments).settings
    analysis = _analysis(arguments.paths[0], settings)
    for line in _shown(analysis, arguments.kernel, stage, without):
        print(line)
    return 0


def _unknown(what: str, name: str, known: tuple[str, ...]) -> str:
    return f'{what} "{name}"{suggestion(name, known)}; there are: {", ".join(known)}'


def _analysis(path: str, settings: Settings) -> Analysis:
    try:
        data = read_file(path, settings.max_file_bytes)
    except OSError as error:
        raise UsageError(f'cannot read "{path}": {os_reason(error)}') from None
    around = Scope(settings, (path,)).projects()
    found = analyse(data, path, settings, partial(around.of, path)) if isinstance(data, bytes) else Skipped()
    if isinstance(found, Skipped):
        raise UsageError(f'"{path}" holds no HIP, CUDA, SYCL or OpenCL code, or is too large')
    return found


def _shown(analysis: Analysis, wanted: str | None, stage: str, without: frozenset[str]) -> Iterator[str]:
    from regpress_lint.passes.peak import Peak
    from regpress_lint.passes.trace import scheduled_kernel
    from regpress_lint.views.ir import STAGES, decisions, text
    from regpress_lint.views.pressure.places import Places

    file = analysis.file
    names = [kernel.name for kernel in file.kernels]
    if wanted is not None and wanted not in names:
        raise UsageError(_unknown("--kernel: no kernel", wanted, tuple(names)))
    for kernel in file.kernels:
        if wanted not in (None, kernel.name):
            continue
        for target in analysis.targets:
            facts = analysis.facts(kernel)
            compiler = facts.compiler(target)
            peak = Peak(scheduled_kernel(facts.input_for(compiler), without))
            span, source = kernel.function.span, file.source
            places = Places(peak.graph, source, source.line_of(span.start), source.line_of(max(span.end - 1, 0)))
            yield f"kernel {kernel.name}, {target}"
            if stage == "build":
                yield from decisions(peak.found.machine, source.line_of)
            yield from text(peak, next(one for one in STAGES if one == stage), places.line)
            yield ""
