"""The identity of this program: its version, its code and its dependencies, for answers that outlive a run."""

from __future__ import annotations

import os
import re
import sys
from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint import __version__
from regpress_lint.core.digests import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGES = ("regpress_lint", "regpress_rules")
_MOST_FILES = 20_000  # of a plugin's package


def fingerprint(*, plugins: bool) -> str:
    """A digest that changes with the program, the interpreter, its installed dependencies and the code of plugins.

    plugins: whether rules of plugins run; they are loaded by then.
    """
    from importlib.util import find_spec

    names = [*_PACKAGES]
    if plugins:
        from regpress_lint.lint.registry import entry_points

        names += (point.module.partition(".")[0] for point in entry_points(sys.path))
    lines = [__version__, sys.version, *_distributions(sys.path)]
    for name in dict.fromkeys(names):
        module = sys.modules.get(name)
        spec = module.__spec__ if module is not None else find_spec(name)
        if spec is None:
            continue
        for place in spec.submodule_search_locations or [spec.origin or ""]:
            lines += (name, *_code(place, name))
    return digest_of("\n".join(lines).encode("utf-8", "surrogateescape"))


def _distributions(folders: Iterable[str]) -> Iterator[str]:
    """Names and versions of all that is installed: parsers, libclang, dependencies of plugins."""
    for folder in folders:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        yield from sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))


def _code(place: str, package: str) -> Iterator[str]:
    """A mark of a package's files that differs between versions.

    An installer has written down digests of them; files under development are known by their times.
    """
    record = _record(os.path.dirname(place), package)
    if record is not None:
        yield digest_of(record)
    for path, status in islice(_files(place), _MOST_FILES):
        when = status.st_mtime_ns if record is None else 0
        yield f"{os.path.relpath(path, place)} {status.st_size} {when}"


def _files(place: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        with os.scandir(place) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except NotADirectoryError:
        yield place, os.stat(place)
        return
    except OSError:  # inside an archive
        above = os.path.dirname(place)
        if above != place:
            yield from ((path, status) for path, status in _files(above) if os.path.isfile(above))
        return
    for entry in found:
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _files(entry.path)
        else:
            yield entry.path, entry.stat()


def _record(folder: str, package: str) -> bytes | None:
    """The list of a package's files that its installer has left beside it."""
    words = re.sub(r"[-_.]+", "[-_.]", package)
    try:
        names = [name for name in os.listdir(folder) if re.match(rf"{words}-.*\.dist-info\Z", name, re.IGNORECASE)]
    except OSError:
        return None
    if package == "regpress_rules":  # comes with the other one
        return _record(folder, "regpress_lint")
    for name in names:
        try:
            with open(os.path.join(folder, name, "RECORD"), "rb") as stream:
                data = stream.read()
        except OSError:
            continue
        if f"{package}/__init__.py".encode() in data:
            return data
    return None
