"""`regpress-lint --version --verbose`: the components of this program, for bug reports."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING

from regpress_lint import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


_ENGINES = ("tree-sitter", "tree-sitter-cpp")
_TABLES = ("amd.toml", "nvidia.toml", "intel.toml", "instructions.toml")


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `--version --verbose`: 0."""
    print("\n".join(lines()))
    return 0


def lines() -> Iterator[str]:
    """The version, then the interpreter, engines, GPUs, rules and plugins, a line each."""
    from regpress_lint.lint import registry
    from regpress_lint.render.columns import table

    rows = [
        ("python", f"{platform.python_version()} ({platform.python_implementation()}, {sys.platform})"),
        *((name, _installed(name)) for name in _ENGINES),
        ("libclang", _libclang()),
        ("pygls", _installed("pygls", "`server` needs it: pip install 'regpress-lint[lsp] @ git+URL'")),
        ("targets", _targets()),
        ("rules", _rules()),
        *_plugins(),
    ]
    yield f"regpress-lint {__version__}"
    yield from table(rows, frozenset({0, 1}))
    yield from (f"problem: {problem}" for problem in registry.load().problems)


def _installed(name: str, without: str = "") -> str:
    """A distribution's version. without: what its absence means."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return f"not installed; {without}" if without else "not installed"


def _libclang() -> str:
    """Its version, by the names of PyPI and of conda; the questions that stay open without it; or why its library does
    not load."""
    from importlib.metadata import PackageNotFoundError, version

    from regpress_lint.semantics.client import UNANSWERED

    number = ""
    for name in ("libclang", "clang", "python-clang"):
        try:
            number = version(name)
        except PackageNotFoundError:
            continue
        break
    try:
        from clang.cindex import Index

        Index.create()
    except ImportError:
        return f"not installed; {UNANSWERED} (pip install libclang)"
    except Exception as error:
        return f"{number or 'installed'}, but its library does not load: {' '.join(str(error).split())[:200]}"
    return number or "installed, of unknown version"


def _targets() -> str:
    """How many GPUs are known, and a digest of the tables that their numbers come from."""
    import pkgutil

    from regpress_lint.core.digests import digest_of
    from regpress_lint.targets.occupancy import architectures
    from regpress_lint.targets.vocabulary import WORDS

    *counts, last = (f"{len(architectures(vendor))} {words.brand}" for vendor, words in WORDS.items())
    data = b"".join(pkgutil.get_data("regpress_lint.targets", f"data/{name}") or b"" for name in _TABLES)
    return f"{', '.join(counts)} and {last} GPUs, tables {digest_of(data)[:12]}"


def _rules() -> str:
    from regpress_lint.lint import registry

    own = [rule for rule in registry.load().rules if rule.code.startswith("RP")]
    return f"{len(own)}"


def _plugins() -> Iterator[tuple[str, str]]:
    """Distributions that bring rules, with their versions."""
    from regpress_lint.lint.registry import entry_points

    for name in dict.fromkeys(point.distribution for point in entry_points(sys.path)):
        yield "plugin", f"{name} {_installed(name)}"
