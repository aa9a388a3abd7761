"""The built-in rules: a module in a folder here that defines a `Rule` is one rule, so a new rule is one new file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import Rule

GROUPS = ("", "launch", "math", "live", "arrays", "loops", "memory")


def rules() -> Iterator[type[Rule]]:
    """All built-in rules, in the order of their modules' names; the same entry point that a plugin offers."""
    from importlib import import_module

    from regpress_lint.api import Rule

    for module in sorted(_modules(), key=lambda name: name.rpartition(".")[2]):
        found = import_module(module)
        for value in vars(found).values():
            if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == found.__name__:
                yield value


def _modules() -> Iterator[str]:
    """Names of the modules that may be rules."""
    for group in GROUPS:
        package = f"{__name__}.{group}".rstrip(".")
        for name in _names(f"{__path__[0]}/{group}"):
            if not name.startswith("_") and name not in GROUPS:
                yield f"{package}.{name}"


def _names(folder: str) -> list[str]:
    """Names of the modules in a folder. pkgutil is asked only where no folder shows them (a zip file, an installation
    without sources): it imports `inspect`, and together they take longer than a dozen rules.
    """
    from os import listdir

    try:
        found = [name.removesuffix(".py") for name in listdir(folder) if name.endswith(".py")]
    except OSError:
        found = []
    if not found:
        from pkgutil import iter_modules

        found = [module.name for module in iter_modules([folder])]
    return found
