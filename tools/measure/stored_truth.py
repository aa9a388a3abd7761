"""Shared by scripts that hold estimates against compilers: numbers kept in testdata, and the options for them."""

from __future__ import annotations

import argparse
import csv
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Row = TypeVar("Row", bound="tuple[Any, ...]")


def parser(text: str | None) -> argparse.ArgumentParser:
    """The command line of such a script, whose docstring this is."""
    found = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--store", action="store_true", help="compile, and write what the compilers say")
    found.add_argument("--stored", action="store_true", help="compile nothing")
    return found


def stored(path: Path, kind: type[Row]) -> list[Row]:
    """Rows of a table; kind: a named tuple of words and whole numbers, whose fields are the columns."""
    types = get_type_hints(kind)
    with path.open(newline="") as stream:
        return [kind(*(types[name](value) for name, value in row.items())) for row in csv.DictReader(stream)]


def rows(given: argparse.Namespace, path: Path, kind: type[Row], compiled: Iterable[Row]) -> list[Row]:
    """Compilers' numbers: now (`compiled`, which compiles as it is gone through), and stored if that is requested, or
    when it was stored.
    """
    if given.stored:
        return stored(path, kind)
    found = list(compiled)
    if given.store:
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(get_type_hints(kind))
            writer.writerows(sorted(found))
    return found
