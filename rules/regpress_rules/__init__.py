"""The built-in rules. A module in a folder here that defines a `Rule` is one rule; `_index` lists them all, so that a
run loads only the rules that it needs (`python -m tools.generators.rule_index` makes the list).
"""

from __future__ import annotations

from regpress_lint.api import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import Rule


class Listed(NamedTuple):
    """The description of a built-in rule before its module is loaded: the attributes of its class, and its hooks."""

    code: str
    name: str
    module: str
    kind: str
    summary: str
    severity: str
    precision: str
    hooks: tuple[str, ...]
    languages: tuple[str, ...] = ()
    vendors: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def load(self) -> type[Rule]:
        """The rule's class."""
        from importlib import import_module

        type_: type[Rule] = getattr(import_module(self.module), self.kind)
        return type_


def listed() -> tuple[Listed, ...]:
    """All built-in rules by their codes; loads none."""
    from regpress_rules._index import RULES

    return RULES


def rules() -> Iterator[type[Rule]]:
    """All built-in rules, loaded; the same entry point that a plugin offers."""
    for entry in listed():
        yield entry.load()
