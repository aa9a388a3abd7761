"""Text for XML 1.0, which has no way at all to write most control characters."""

from __future__ import annotations

from regpress_lint.formats.terminal import visible


def attribute(text: str) -> str:
    """A text between double quotes; line breaks and what cannot be written are shown as escapes."""
    return f'"{_escaped(visible(text))}"'


def content(text: str) -> str:
    """Text of an element, its lines kept."""
    return "\n".join(_escaped(visible(line)) for line in text.split("\n"))


def _escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return escaped.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
