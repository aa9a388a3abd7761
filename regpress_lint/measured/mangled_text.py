"""A mangled name as it is read: where the reader is, what it may name again, and how much it may become."""

from __future__ import annotations

import re

_MOST_TEXT = 200_000
_DIGITS, _DIGITS_36 = re.compile(r"\d{1,9}"), re.compile(r"[0-9A-Z]{1,6}")


class UnknownFormError(ValueError):
    """A form that this demangler does not read."""


class MangledText:
    """The characters of a symbol behind its `_Z`. known: names that a substitution may stand for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 2
        self.known: list[str] = []
        self.size = 0

    def _peek(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def _skip(self, word: str) -> bool:
        found = self.text.startswith(word, self.at)
        self.at += len(word) * found
        return found

    def _expect(self, word: str) -> None:
        if not self._skip(word):
            raise UnknownFormError(self.text)

    def _number(self) -> int:
        match = _DIGITS.match(self.text, self.at)
        if match is None:
            raise UnknownFormError(self.text)
        self.at = match.end()
        return int(match[0])

    def _base36(self) -> int:
        match = _DIGITS_36.match(self.text, self.at)
        if match is None:
            raise UnknownFormError(self.text)
        self.at = match.end()
        return int(match[0], 36)

    def _keep(self, name: str) -> None:
        self.known.append(self._sized(name))

    def _sized(self, name: str) -> str:
        """Substitutions of substitutions grow without end."""
        self.size += len(name)
        if self.size > _MOST_TEXT * 10 or len(name) > _MOST_TEXT:
            raise UnknownFormError(self.text)
        return name
