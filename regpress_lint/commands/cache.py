"""`regpress-lint cache`: where answers are kept from run to run, and how to get rid of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import chosen, complain
from regpress_lint.config.load import load
from regpress_lint.config.options import BY_KEY, WrongValueError
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.lint.cache import clean, default_folder

if TYPE_CHECKING:
    import argparse


_ACTIONS = ("dir", "clean")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", metavar="dir|clean")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what is checked: its configuration counts")
    options.cache_folder(parser)
    options.configuration_file(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `cache`. Raises UsageError for an action that there is not."""
    if arguments.action not in _ACTIONS:
        near = suggestion(arguments.action, _ACTIONS)
        raise UsageError(f'cache does not know "{arguments.action}"{near}; it knows {" and ".join(_ACTIONS)}')
    folder = _folder(arguments)
    if arguments.action == "dir":
        print(folder)
        return 0
    done = clean(folder)
    print(f"removed {done.files} {'file' if done.files == 1 else 'files'} with {done.size:,} bytes from {folder}")
    complain(f'cannot remove "{path}"' for path in done.left)
    return 2 if done.left else 0


def _folder(arguments: argparse.Namespace) -> str:
    option = BY_KEY["cache-dir"]
    if arguments.cache_dir is not None:
        try:
            return _placed(option.convert(arguments.cache_dir)) or default_folder()
        except WrongValueError as error:
            raise UsageError(f"--cache-dir: {error}") from None
    configuration = load(arguments.paths, arguments.config, arguments.isolated)
    folder, refusal = chosen(configuration.cache_dir, configuration.origins.get("cache-dir"))
    if refusal is not None:
        complain((refusal,), "warning")
    return folder


def _placed(folder: str) -> str | None:
    from os import path

    placed = BY_KEY["cache-dir"].anchor
    assert placed is not None
    place: str | None = placed(folder, path.abspath("."))
    return place
