"""The grammar is loaded by its compiled part alone, and with all of its package where that cannot be found."""

from __future__ import annotations

from importlib.machinery import PathFinder
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from tree_sitter import Language, Parser

from regpress_lint.cpp import parse as grammar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec

KERNEL = b"__attribute__((global)) void k(float *x) { x[0] = 1; }"


def tree(language: Language) -> str:
    return str(Parser(language).parse(KERNEL).root_node)


def test_the_compiled_part_is_the_grammar_of_the_package() -> None:
    import tree_sitter_cpp

    assert grammar._binding().__name__ == "tree_sitter_cpp._binding"
    assert tree(grammar.language()) == tree(Language(tree_sitter_cpp.language()))


@pytest.mark.parametrize("missing", ["tree_sitter_cpp", "tree_sitter_cpp._binding"])
def test_all_of_the_package_is_loaded_where_its_parts_are_not_files(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_spec(name: str, path: Sequence[str] | None = None) -> ModuleSpec | None:
        return None if name == missing else PathFinder.find_spec(name, path)

    monkeypatch.setattr("regpress_lint.cpp.parse.PathFinder", SimpleNamespace(find_spec=find_spec))
    found = grammar._binding()
    assert found.__name__ == "tree_sitter_cpp"
    assert tree(Language(found.language())) == tree(grammar.language())
