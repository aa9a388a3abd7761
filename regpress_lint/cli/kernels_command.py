"""`regpress-lint kernels`: what every kernel takes and what that leaves, without judgement."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.cli.context import (
    Task,
    complain,
    context,
    find,
    folders,
    paths_of,
    projects,
    read_stdin,
    reads_stdin,
    stdin_path,
    tell_semantic,
)
from regpress_lint.cli.parser import output_is_json, table, write_json
from regpress_lint.core.errors import one_line
from regpress_lint.lint.pipeline import too_large
from regpress_lint.lint.runner import Crash
from regpress_lint.lint.runner import run as run_tasks
from regpress_lint.semantics.settled import settled_json, settled_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from regpress_lint.core.settings import Settings
    from regpress_lint.estimate.registers import RegisterEstimate
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.projects import Projects
    from regpress_lint.program.model import File, Instance, Kernel

_HEAD = (
    "kernel",
    "where",
    "target",
    "registers",
    "band",
    "scratch",
    "LDS",
    "block",
    "waves/SIMD",
    "limited by",
    "next step",
)


class Rows(NamedTuple):
    """Kernels of one file in version 1 of the machine output, and what was said about the file instead."""

    kernels: tuple[dict[str, Any], ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    traceback: str = ""
    files: int = 0
    notes: tuple[str, ...] = ()
    settled: tuple[dict[str, Any], ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    as_json = output_is_json(arguments)
    here = context(arguments)
    settings = here.settings
    problems: list[str] = []
    if reads_stdin(arguments):
        path = stdin_path(arguments)
        results = [_rows(read_stdin(settings), path, settings, projects(settings, (path,)))]
    else:
        found = find(arguments, settings)
        problems += found.problems
        task = Task(_rows, _failed, settings, paths_of(found.files), folders(arguments), _too_large)
        outcomes: list[Rows | Crash] = run_tasks(task, found.files, here.jobs)
        results = [_result(outcome) for outcome in outcomes]
        if not found.named and not problems and not any(part.files or part.problems for part in results):
            problems.append(f"no HIP, CUDA or SYCL code in {len(found.files)} files")
    kernels = [kernel for part in results for kernel in part.kernels]
    settled = [one for part in results for one in part.settled]
    if as_json:
        write_json({"version": 1, "kernels": kernels, **({"settled": settled} if settled else {})})
    elif kernels:
        print("\n".join(_table(kernels)))
    complain((line for part in results for line in part.warnings), "warning")
    problems += [line for part in results for line in part.problems]
    complain(problems)
    notes = [note for part in results for note in part.notes]
    tell_semantic(notes, tuple(map(settled_line, settled)), verbose=arguments.verbose)
    if arguments.verbose:
        print("".join(part.traceback for part in results), end="", file=sys.stderr)
    return 2 if problems else 0


def _failed(_path: str, reason: str) -> Rows:
    return Rows(problems=(reason,))


def _too_large(path: str, size: int, settings: Settings) -> Rows:
    return Rows(warnings=(too_large(path, size, settings),))


def _result(outcome: Rows | Crash) -> Rows:
    if isinstance(outcome, Crash):
        return Rows(problems=(f"{outcome.path}: the worker process died ({outcome.reason})",))
    return outcome


def _rows(data: bytes, path: str, settings: Settings, around: Projects) -> Rows:
    from regpress_lint.core.source import Source
    from regpress_lint.facts.kernel import kernel_facts
    from regpress_lint.program import build_file, detect_language

    if len(data) > settings.max_file_bytes:
        return _too_large(path, len(data), settings)
    language = detect_language(path, data)
    if language is None:
        return Rows()
    try:
        project = around.of(path)
        file = build_file(Source(path, data), language, project)
        settings = settings.compiled_for(project.command_of(path))
        targets = settings.targets(file.language)
        rows = tuple(_kernel(file, kernel, kernel_facts(file, kernel, settings), targets) for kernel in file.kernels)
    except Exception as error:
        import traceback

        return Rows(
            problems=(f"{path}: internal error: {one_line(error)}",), traceback=traceback.format_exc(limit=-30), files=1
        )
    settled = tuple(settled_json(file.settled(), project.line_of))
    return Rows(rows, files=1, notes=project.taken_notes(), settled=settled)


def _kernel(file: File, kernel: Kernel, facts: KernelFacts, targets: Iterable[str]) -> dict[str, Any]:
    bounds = kernel.launch_bounds
    return {
        "path": kernel.path,
        "line": kernel.line,
        "end_line": kernel.end_line,
        "name": kernel.name,
        "language": kernel.language,
        "complete": kernel.complete,
        "launch_bounds": bounds and {"max_threads": bounds.max_threads, "min_blocks": bounds.min_blocks},
        "launches": [
            {
                "path": launch.path,
                "line": launch.line,
                "block_size": launch.block_size,
                "dynamic_lds_bytes": launch.dynamic_lds_bytes,
            }
            for launch in kernel.launches
        ],
        "block_size": facts.block_size,
        "block_size_from": facts.block_size_from,
        "lds_bytes": facts.lds_bytes,
        "targets": {name: _target(facts, name) for name in targets},
    }


def _target(facts: KernelFacts, name: str) -> dict[str, Any]:
    from regpress_lint.cli.occupancy_json import occupancy_dict

    target = facts.target(name)
    registers = target.registers
    return {
        "registers": _band(registers),
        "budget": target.budget,
        "scratch_bytes": registers.scratch_bytes,
        "occupancy": occupancy_dict(target.occupancy, target.next),
        "instances": [_instance(facts, instance, name) for instance in facts.kernel.instances],
    }


def _instance(facts: KernelFacts, instance: Instance, name: str) -> dict[str, Any]:
    """One instantiation; of a template with very many only some are worked out, the others have no estimate."""
    own = facts.instances.get(instance) if facts.instances else facts
    registers = own.target(name).registers if own is not None else None
    return {
        "arguments": instance.arguments,
        "path": instance.path,
        "line": instance.line,
        "registers": registers and _band(registers),
        "scratch_bytes": registers and registers.scratch_bytes,
    }


def _band(registers: RegisterEstimate) -> dict[str, int]:
    return {"low": registers.low, "estimate": registers.estimate, "high": registers.high}


def _table(kernels: Iterable[dict[str, Any]]) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [_HEAD]
    assumed = several = False
    for kernel in kernels:
        assumed = assumed or kernel["block_size_from"] == "assumed"
        for name, target in kernel["targets"].items():
            several = several or len(target["instances"]) > 1
            rows.append(_cells(kernel, name, target))
    yield from table(rows, frozenset({0, 1, 2, 9, 10}))
    if assumed:
        yield "\n? the source does not say the block size; --block-size sets what is assumed"
    if several:
        yield (
            "\n(24..40) instantiations of a template take from 24 to 40, the number in front is their median; "
            "--output-format json lists them"
        )


def _cells(kernel: dict[str, Any], name: str, target: dict[str, Any]) -> tuple[str, ...]:
    from regpress_lint.cli.occupancy_text import limiters
    from regpress_lint.formats.terminal import visible

    registers, now = target["registers"], target["occupancy"]
    step = now["next"]
    waves = now["waves_per_simd"]
    return (
        visible(kernel["name"]) + ("" if kernel["complete"] else " (incomplete)"),
        visible(f"{kernel['path']}:{kernel['line']}"),
        name,
        f"{registers['estimate']}{_range([one['estimate'] for one in _estimates(target)])}",
        f"{registers['low']}-{registers['high']}",
        f"{target['scratch_bytes']}{_range(_scratch(target))}",
        "?" if kernel["lds_bytes"] is None else str(kernel["lds_bytes"]),
        f"{kernel['block_size']}{'?' if kernel['block_size_from'] == 'assumed' else ''}",
        f"{_short(waves)} of {now['max_waves_per_simd']}",
        limiters(now["limiters"]),
        "" if step is None else _step(step),
    )


def _estimates(target: dict[str, Any]) -> list[dict[str, int]]:
    return [one["registers"] for one in target["instances"] if one["registers"] is not None]


def _scratch(target: dict[str, Any]) -> list[int]:
    return [one["scratch_bytes"] for one in target["instances"] if one["scratch_bytes"] is not None]


def _range(numbers: list[int]) -> str:
    """` (24..40)` where the instantiations of a template do not agree."""
    return f" ({min(numbers)}..{max(numbers)})" if len(set(numbers)) > 1 else ""


def _step(step: dict[str, Any]) -> str:
    """`registers 96 -> 5 waves`: what a kernel may take, and what it then has a SIMD."""
    waves = step["waves_per_simd"]
    resource, value = step["resource"], step["value"]
    named = {"lds_bytes": f"LDS {value} bytes", "block_size": f"block {value}", "sgprs": f"SGPRs {value}"}
    return f"{named.get(resource, f'{resource} {value}')} -> {_short(waves)} {'wave' if waves == 1 else 'waves'}"


def _short(number: float) -> str:
    """A number of waves with two digits behind the point where it is no whole one."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
