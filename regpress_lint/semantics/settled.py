"""Questions that libclang settled, for the machine output of `kernels` and for --verbose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.cpp.answers import Definition, Meant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from regpress_lint.cpp.answers import Settled


def settled_json(answers: Iterable[Settled], line_of: Callable[[str, int], int]) -> list[dict[str, Any]]:
    """One object per question, in the order of the questions; `line_of` gives the line of a byte of a file."""
    return [
        {
            "kind": answer.kind,
            "text": answer.text,
            "path": answer.place.path,
            "line": line_of(answer.place.path, answer.place.offset),
            "value": _value(answer.answer.value),
            "origin": answer.answer.origin,
            "certain": answer.answer.certain,
        }
        for answer in answers
    ]


def settled_line(fact: Mapping[str, Any]) -> str:
    """One object of `settled_json` as text."""
    certainty = "" if fact["certain"] else ", without all headers"
    return f"{fact['path']}:{fact['line']}: `{fact['text']}` is {_shown(fact['value'])} ({fact['origin']}{certainty})"


def _value(value: object) -> object:
    if isinstance(value, Meant):
        described: dict[str, Any] = {"type": value.type.name, "bytes": value.type.size}
        if value.extents:
            described["extents"] = list(value.extents)
        return described
    if isinstance(value, Definition):
        return {
            "path": value.path,
            "offset": value.offset,
            "defined": value.defined,
            "virtual": value.virtual,
            "noinline": value.noinline,
        }
    return value


def _shown(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    if "bytes" not in value:
        return f"{'defined' if value['defined'] else 'declared'} in {value['path']}"
    extents = "".join(f"[{extent}]" for extent in value.get("extents", ()))
    return f"{value['type']}{extents} of {value['bytes']} bytes" + (" each" if extents else "")
