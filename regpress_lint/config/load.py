"""Configuration files: `regpress.toml`, or `[tool.regpress-lint]` in `pyproject.toml`.

The file nearest to what is checked counts, upward from the common folder of all paths, else from the working folder;
a `pyproject.toml` without the section is passed over. Keys mirror the command line's flags.
"""

from __future__ import annotations

from os import path as paths
from typing import TYPE_CHECKING, Any

from regpress_lint.config import options
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

SECTION = "regpress-lint"
OWN_FILE = "regpress.toml"
_NOTHING: Mapping[str, Any] = {}


class Configuration(NamedTuple):
    """What a configuration file says: values of `Settings` by field name, and what only a run knows.

    `path` is the file, None without one. Patterns are anchored at the file's folder, include folders are absolute.
    """

    path: str | None = None
    settings: Mapping[str, Any] = _NOTHING
    output_format: str | None = None
    jobs: int | None = None
    cache_dir: str | None = None


def load(checked: Iterable[str] = (), file: str | None = None, isolated: bool = False) -> Configuration:
    """Configuration that holds for the checked paths. Raises UsageError naming file and key."""
    if isolated:
        return Configuration()
    if file is not None:
        return _parse(file, _table(file, required=True) or {})
    starts = [_common_folder(checked), paths.abspath(".")]
    for start in dict.fromkeys(starts):
        for candidate in _candidates(start):
            table = _table(candidate, required=False)
            if table is not None:
                return _parse(candidate, table)
    return Configuration()


def _common_folder(checked: Iterable[str]) -> str:
    absolute = [paths.abspath(path) for path in checked]
    if not absolute:
        return paths.abspath(".")
    try:
        folder = paths.commonpath(absolute)
    except ValueError:  # different drives
        folder = absolute[0]
    return folder if paths.isdir(folder) else paths.dirname(folder)


def _candidates(folder: str) -> Iterator[str]:
    while True:
        yield paths.join(folder, OWN_FILE)
        yield paths.join(folder, "pyproject.toml")
        parent = paths.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _table(file: str, required: bool) -> Mapping[str, Any] | None:
    """Our part of a TOML file; None if it is absent and not required."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        if required or paths.isfile(file):
            raise UsageError(f'cannot read configuration file "{file}": {os_reason(error)}') from None
        return None
    own = paths.basename(file) != "pyproject.toml"
    if not own and SECTION.encode() not in data:
        if required:
            raise UsageError(f"{file}: no [tool.{SECTION}] section")
        return None
    import tomllib

    try:
        content = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: not valid TOML: {' '.join(str(error).split())}") from None
    tool = content.get("tool", {})
    section = tool.get(SECTION) if isinstance(tool, dict) else None
    if section is None:
        return content if own else None
    if not isinstance(section, dict):
        raise UsageError(f"{file}: tool.{SECTION} must be a table")
    return section


def _parse(file: str, table: Mapping[str, Any]) -> Configuration:
    base = paths.dirname(paths.abspath(file))
    settings: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for key, value in table.items():
        option = options.BY_KEY.get(key)
        if option is None:
            raise UsageError(f'{file}: unknown key "{key}"{suggestion(key, options.BY_KEY)}')
        try:
            converted = option.convert(value)
        except options.WrongValueError as error:
            raise UsageError(f"{file}: {key}: {error}") from None
        (settings if option.field else run)[option.field or key] = _placed(option.anchor, converted, base)
    return Configuration(file, settings, run.get("output-format"), run.get("jobs"), run.get("cache-dir"))


def _placed(anchor: Callable[[Any, str], Any] | None, value: Any, base: str) -> Any:
    return anchor(value, base) if anchor else value
