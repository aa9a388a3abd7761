"""The results of `check --why` for a line, as text and as plain data for JSON."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from regpress_lint.formats.advice_json import state_json
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
