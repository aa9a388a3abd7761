"""The JSON that `measure` writes, read again: rows, or an error for any other document."""

from __future__ import annotations

from typing import Any

from regpress_lint.core.errors import UsageError
from regpress_lint.core.measured import NUMBERS, Row

_WORDS = ("target", "compiler", "version", "path", "unit")
_LARGEST = 1 << 40


def is_document(data: bytes) -> bool:
    """Whether this is JSON rather than a log or an object."""
    return data[:64].lstrip().startswith(b"{")


def rows_of(data: bytes, name: str) -> tuple[Row, ...]:
    """Rows of a document. Raises UsageError with one line for the user."""
    import json

    try:
        content = json.loads(data)
        if content["version"] != 1:
            raise UsageError(f'"{name}" is of version {content["version"]!r}, this program reads version 1')
        return tuple(_row(instance) for kernel in content["kernels"] for instance in kernel["instances"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f'"{name}" is not what `regpress-lint measure --output-format json` writes') from None


def _row(found: dict[str, Any]) -> Row:
    symbol = found["symbol"]
    if not isinstance(symbol, str):
        raise TypeError
    values: dict[str, Any] = {name: _number(found.get(name)) for name in (*NUMBERS, "line")}
    values |= {name: _word(found.get(name)) for name in _WORDS}
    return Row(symbol, **values, origin="+".join(map(str, found["origin"])), inputs=tuple(map(str, found["inputs"])))


def _number(value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST):
        return value
    raise TypeError


def _word(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise TypeError
