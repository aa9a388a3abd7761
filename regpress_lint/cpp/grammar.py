"""The C++ grammar without the rest of its package, which loads `importlib.resources` for queries, which are unused
here."""

from __future__ import annotations

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import TYPE_CHECKING

from tree_sitter import Language

if TYPE_CHECKING:
    from types import ModuleType

_PACKAGE = "tree_sitter_cpp"


@cache
def language() -> Language:
    """The grammar. Raises ImportError if its package is not installed."""
    found: Language = Language(_binding().language())
    return found


def _binding() -> ModuleType:
    """The compiled part of the package; all of it if that is not in a folder, as in a zip archive."""
    package = PathFinder.find_spec(_PACKAGE)
    places = None if package is None else package.submodule_search_locations
    spec = None if places is None else PathFinder.find_spec(f"{_PACKAGE}._binding", places)
    if spec is None or spec.loader is None:
        import tree_sitter_cpp

        return tree_sitter_cpp
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
