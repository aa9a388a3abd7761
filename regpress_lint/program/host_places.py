"""Template arguments as they read outside of the host function that names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.cpp.names.constant_objects import constant_object
from regpress_lint.cpp.names.host_types import LAMBDA, local_alias, type_of_name
from regpress_lint.program.packs import hidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.host_values import HostValues


_QUALIFIED = pattern(r"(?:::)?[A-Za-z_]\w*(?:::\w+)*")
_MAX_DEPTH = 6  # of aliases that stand for each other
_DECLTYPE = pattern(r"decltype\s*\(\s*([A-Za-z_]\w*)\s*\)$")


class HostPlace(NamedTuple):
    """A place in a host function, and the arguments of its template."""

    values: HostValues
    offset: int
    environment: Mapping[str, str]

    def settle(self, text: str, depth: int = 0, defined: str = "") -> str | None:
        """`text` with parameters, local aliases and constants of the function replaced by their definitions.

        defined: the alias that it defines; in `using Traits = Traits<T>` the second one is the template.
        """
        if text.startswith(LAMBDA):
            from regpress_lint.cpp.names.host_types import named

            return named(text, self.environment)
        if depth > _MAX_DEPTH:
            return None
        if (match := _DECLTYPE.match(text)) is not None:
            node = self.values.root.descendant_for_byte_range(self.offset, self.offset)
            spelled = type_of_name(self.values, node, match[1]) if node is not None else None
            return self.settle(spelled, depth + 1) if spelled is not None else None
        result, end = [], 0
        for match in OWN_WORD.finditer(text):
            inside = "<" in text[: match.start()]
            word = match[0] if match[0] == defined else self._word(match[0], depth, inside=inside)
            if word is None:
                return None
            result += [text[end : match.start()], word]
            end = match.end()
        return "".join(result) + text[end:]

    def _word(self, word: str, depth: int, *, inside: bool) -> str | None:
        if word in self.environment:
            return self.environment[word]
        values = self.values
        if word in hidden(values, self.offset):
            return None
        alias = local_alias(values, word, self.offset)
        if alias is None and values.parsed is not values.scope.parsed and word in values.parsed.aliases:
            alias = values.parsed.aliases[word]
        if alias is not None and (text := values.parsed.text(alias)) != word and "{" not in text:
            return self.settle(" ".join(text.split()).removeprefix("typename "), depth + 1, word)
        if inside and values.scope.type_of(word) is None:
            return self.value(word) or word
        return word

    def value(self, text: str) -> str | None:
        """Value of an expression at the place, as a literal; of a function its name."""
        scope = self.values.scope
        called = text.lstrip("& ").partition("<")[0]
        if _QUALIFIED.fullmatch(called) and scope.find_node(called, -1) is not None:
            return text.lstrip("& ")
        expr = scope.expression_of_text(text)
        if expr is None:
            return None
        if constant_object(scope, text) is not None:
            return "".join(text.split())
        numbers = ((name, scope.value_of_text(bound)) for name, bound in self.environment.items() if _is_value(bound))
        known = {name: number for name, number in numbers if number is not None}
        return literal(text, self.values.number_in(expr, self.offset, known))


def _is_value(text: str) -> bool:
    return text[:1].isdigit() or text[:1] == "-" or text in ("true", "false")


def literal(text: str, number: Number | None) -> str | None:
    """A value as it is written in a template argument list."""
    return text if text in ("true", "false") else repr(number) if number is not None else None
