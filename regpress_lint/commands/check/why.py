"""`check --why FILE:LINE`: the checks at a line, and why it is reported as it is or not at all, as text and as JSON."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import readable, scope
from regpress_lint.cli.parser import write_json
from regpress_lint.commands.kernels.advise import state_json
from regpress_lint.core.errors import UsageError
from regpress_lint.lint.advice.reasons import reasons
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.lint.advice.advice_data import State
    from regpress_lint.lint.advice.reasons import Reason, Tried


def reasons_json(path: str, line: int, found: Sequence[Reason]) -> dict[str, Any]:
    """The document of `--output-format json`."""
    return {"version": 1, "path": path, "line": line, "reasons": list(map(_reason_json, found))}


def _reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "code": reason.code or None,
        "name": reason.name or None,
        "line": reason.line,
        "kernel": reason.kernel,
        "severity": reason.severity.label if reason.severity is not None else None,
        "message": reason.message,
        "why": reason.why,
        "tried": [
            {
                "title": each.title,
                "targets": {
                    name: {"before": state_json(each.before[name]), "after": state_json(after)}
                    for name, after in each.after.items()
                },
            }
            for each in reason.tried
        ],
    }


def reasons_text(path: str, line: int, found: Sequence[Reason]) -> Iterator[str]:
    """Lines for a terminal."""
    if not found:
        yield f"{path}:{line}: nothing here that any rule knows, and no change that could be tried"
    for reason in found:
        where = f"{path}:{reason.line}: "
        if reason.code:
            yield f"{where}{reason.code} {reason.name} in `{reason.kernel}`: {reason.message}"
        else:
            yield f"{where}no finding in `{reason.kernel}`: {reason.message}"
        say = partial(in_words_of, vendor_of(name for each in reason.tried for name in each.after))
        for each in reason.tried:
            title = f"tried: {each.title}: " if reason.code else "tried: "
            yield "  " + say(title + "; ".join(f"{_moved(each, name)} on {name}" for name in each.after))
        yield f"  {say(reason.why)}"


def _moved(tried: Tried, name: str) -> str:
    """How a kernel's numbers move."""
    before, after = tried.before[name], tried.after[name]
    if not after.waves:
        return "it does not compile, or the launch cannot work,"
    parts = [_registers(before, after)]
    if (before.memory_bytes, before.excess) != (after.memory_bytes, after.excess):
        parts.append(f"{_memory(before)} -> {_memory(after)} bytes of private memory")
    if before.waves != after.waves:
        parts.append(f"{before.waves} -> {after.waves} waves per SIMD")
    return ", ".join(parts)


def _memory(state: State) -> str:
    return f"{state.memory_bytes}" + (f"+{state.excess * 4}?" if state.excess else "")


def _registers(before: State, after: State) -> str:
    one, other = before.registers.estimate, after.registers.estimate
    return f"{one} registers either way" if one == other else f"{one} -> {other} registers"


def why(arguments: argparse.Namespace, here: Context) -> int:
    """Exit status: 0. Raises UsageError unless it is a line of a file with GPU code."""
    path, line = _place(arguments.why)
    settings = here.files.of(path).settings
    try:
        data = readable(Path(path).read_bytes(), path, settings)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    projects = scope(arguments, settings, (path,)).projects()
    analysis = analyse(data, path, settings, partial(projects.of, path))
    if isinstance(analysis, Skipped):
        raise UsageError(analysis.warning or f"{path} has no GPU code")
    if line > analysis.source.line_of(len(data)):
        raise UsageError(f"{path} has no line {line}")
    found = reasons(analysis, line)
    if arguments.output_format == "json":
        write_json(reasons_json(path, line, found))
    else:
        sys.stdout.write("".join(f"{text}\n" for text in reasons_text(path, line, found)))
    return 0


def _place(text: str) -> tuple[str, int]:
    path, _, line = text.rpartition(":")
    if not path or not line.isdigit() or not int(line):
        raise UsageError(f'--why {text}: expected FILE:LINE, "src/step.cu:42" for example')
    return path, int(line)
