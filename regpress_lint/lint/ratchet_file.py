"""The recorded use of kernels: TOML with one instance and target per line, in a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import toml_of
from regpress_lint.lint.baseline import toml_string
from regpress_lint.measured.ratchet import Taken

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = 1
_HEAD = (
    "# What compilers allocated when this file was written: `regpress-lint baseline check --measured FILE` compares.",
    "# What takes less goes in with `regpress-lint baseline prune`. A reason may be added to each entry.",
    f"version = {VERSION}",
    "kernels = [",
)
_TEXTS = {"kernel": "name", "target": "target", "path": "path", "body": "body"}
_NUMBERS = {"registers": "registers", "spills": "spills", "scratch": "scratch_bytes", "waves": "waves"}


class Held(NamedTuple):
    """An entry, and why it may be as it is."""

    taken: Taken
    reason: str = ""


def render(entries: Iterable[Held]) -> str:
    """The text of a file."""
    ordered = sorted(entries, key=lambda each: (each.taken.path, each.taken.name, each.taken.target))
    return "\n".join((*_HEAD, *map(_line, ordered), "]", ""))


def _line(entry: Held) -> str:
    values = entry.taken._asdict()
    shown = [f"{key} = {toml_string(values[name])}" for key, name in _TEXTS.items() if values[name]]
    shown += [f"{key} = {_number(values[name])}" for key, name in _NUMBERS.items() if values[name] is not None]
    shown += [f"reason = {toml_string(entry.reason)}"] if entry.reason else []
    return f"  {{ {', '.join(shown)} }},"


def _number(value: float) -> str:
    return str(int(value) if value == int(value) else value)


def parse(text: str, file: str) -> list[Held]:
    """Entries of a file. Raises UsageError naming it, and the entry that is wrong."""
    content = toml_of(text, file)
    rows = content.get("kernels")
    if content.get("version") != VERSION or not isinstance(rows, list):
        what = f"{file}: no baseline of measured numbers of version {VERSION}"
        raise UsageError(f"{what} (`regpress-lint baseline write --measured FILE` makes one)")
    return [_entry(row, f"{file}: kernel {number}") for number, row in enumerate(rows, 1)]


def _entry(row: Any, where: str) -> Held:
    if not isinstance(row, dict):
        raise UsageError(f"{where}: expected a table")
    unknown = set(row) - {*_TEXTS, *_NUMBERS, "reason"}
    if unknown:
        raise UsageError(f'{where}: unknown key "{min(unknown)}"')
    texts = {key: row.get(key, "") for key in (*_TEXTS, "reason")}
    wrong = next((key for key, value in texts.items() if not isinstance(value, str)), None)
    if wrong is not None or not texts["kernel"] or not texts["target"]:
        raise UsageError(f"{where}: {wrong or 'kernel and target'} must be a string")
    numbers = {key: row.get(key) for key in _NUMBERS}
    for key, value in numbers.items():
        whole = isinstance(value, int) or (key == "waves" and isinstance(value, float))
        if value is not None and (isinstance(value, bool) or not whole or not 0 <= value < 1 << 40):
            raise UsageError(f"{where}: {key} must be a number, 0 or more")
    fields: dict[str, Any] = {name: texts[key] for key, name in _TEXTS.items()}
    fields |= {name: numbers[key] for key, name in _NUMBERS.items()}
    return Held(Taken(**fields), texts["reason"])
