"""Configuration files: `regpress.toml`, or `[tool.regpress-lint]` in `pyproject.toml`.

The file nearest to each checked file counts, upward from its folder, else from the working folder; a `pyproject.toml`
without the section is passed over. Keys mirror the command line's flags. `extend` names a file whose keys hold where
the file itself is silent. `required-version` says which versions of this program they were written for.
"""

from __future__ import annotations

import re
from functools import cached_property
from os import path as paths

from regpress_lint import __version__
from regpress_lint.config import options
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.reading import named, toml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any


SECTION = "regpress-lint"
OWN_FILE = "regpress.toml"
EXTEND = "extend"
REQUIRED_VERSION = "required-version"
COMPILERS, USER_FILE = "compilers", "config.toml"
_ABOUT_FILES = (EXTEND, REQUIRED_VERSION)  # keys that only a file can have
_LARGEST = 1 << 20  # bytes
_LONGEST_CHAIN = 20  # files that extend each other
_NOTHING: Mapping[str, Any] = {}
_NEARLY = pattern(rb"(?im)^\s*\[tool\.\"?(reg[_-]?press(?:[_ -]?lint)?)\"?[\].]")  # of a file without our section


class Configuration(NamedTuple):
    """The contents of a configuration file: values of `Settings` by field name, and options of a run.

    `path` is the file, None without one. compilers: programs that `measure` and `verify` may run, if the user trusts
    the file. Patterns are anchored at the file's folder, include folders are absolute.
    origins: the file that each of these values comes from, by field or key; with `extend` not all are the same. names:
    of the architectures, as the file spells them.
    """

    path: str | None = None
    settings: Mapping[str, Any] = _NOTHING
    output_format: str | None = None
    jobs: int | None = None
    cache_dir: str | None = None
    compilers: tuple[str, ...] = ()
    origins: Mapping[str, str] = _NOTHING
    names: tuple[str, ...] = ()


class Nearest:
    """The configuration of each path of a run; every file is read once. Raises UsageError naming file and key.

    file: the one that holds for all paths. isolated: none holds.
    """

    def __init__(self, file: str | None = None, isolated: bool = False) -> None:
        self._all = _read(file, ()) if file is not None and not isolated else Configuration() if isolated else None
        self._by_folder: dict[str, Configuration | None] = {}

    def of_folder(self, folder: str) -> Configuration:
        if self._all is not None:
            return self._all
        return self._of_folder(paths.abspath(folder)) or self._elsewhere

    def of_all(self, checked: Iterable[str]) -> Configuration:
        """The configuration for a run as a whole: that of the folder that all its paths have in common."""
        return self.of_folder(_common_folder(checked))

    @cached_property
    def _elsewhere(self) -> Configuration:
        """The configuration for a file without one above it: that of the working folder."""
        return self._of_folder(paths.abspath(".")) or Configuration()

    def _of_folder(self, folder: str) -> Configuration | None:
        waiting = []
        while folder not in self._by_folder:
            waiting.append(folder)
            prefix = folder if folder.endswith(paths.sep) else folder + paths.sep
            configuration = _optional(prefix + OWN_FILE) or _optional(prefix + "pyproject.toml")
            parent = paths.dirname(folder)
            if configuration is not None or parent == folder:
                self._by_folder[folder] = configuration
                break
            folder = parent
        answer = self._by_folder[folder]
        for below in waiting:
            self._by_folder[below] = answer
        return answer


def load(checked: Iterable[str] = (), file: str | None = None, isolated: bool = False) -> Configuration:
    """Configuration that holds for a run over the checked paths. Raises UsageError naming file and key."""
    return Nearest(file, isolated).of_all(checked)


def _common_folder(checked: Iterable[str]) -> str:
    absolute = [paths.abspath(path) for path in checked]
    if not absolute:
        return paths.abspath(".")
    try:
        folder = paths.commonpath(absolute)
    except ValueError:  # different drives
        folder = absolute[0]
    return folder if paths.isdir(folder) else paths.dirname(folder)


def _optional(file: str) -> Configuration | None:
    table = _table(file, required=False)
    return None if table is None else _extended(file, table, (paths.realpath(file),))


def _read(file: str, chain: tuple[str, ...]) -> Configuration:
    """The configuration of a file that must be there; `chain` holds the files that led to it."""
    return _extended(file, _table(file, required=True) or {}, (*chain, paths.realpath(file)))


def _table(file: str, required: bool) -> Mapping[str, Any] | None:
    """Our part of a TOML file; None if it is absent and not required."""
    try:
        data = named(file, _LARGEST, "configuration file")
    except (UsageError, FileNotFoundError) as error:
        if not required and not paths.isfile(file):  # a folder or a pipe of that name is no configuration
            return None
        if isinstance(error, OSError):
            raise UsageError(f'cannot read configuration file "{file}": {os_reason(error)}') from None
        raise
    is_ours = paths.basename(file) != "pyproject.toml"
    if not is_ours and SECTION.encode() not in data:
        if (similar := _NEARLY.search(data)) is not None:
            name = similar[1].decode("utf-8", "replace")
            raise UsageError(f"{file}: [tool.{name}] is not read: the section is called [tool.{SECTION}]")
        if required:
            raise UsageError(f"{file}: no [tool.{SECTION}] section")
        return None
    content = toml_of(data, file)
    tool = content.get("tool", {})
    section = tool.get(SECTION) if isinstance(tool, dict) else None
    if section is None:
        return content if is_ours else None
    if not isinstance(section, dict):
        raise UsageError(f"{file}: tool.{SECTION} must be a table")
    return section


def _extended(file: str, table: Mapping[str, Any], chain: tuple[str, ...]) -> Configuration:
    """The values of a table over those of the file that it extends."""
    if REQUIRED_VERSION in table:
        from regpress_lint.config.load import require

        require(table[REQUIRED_VERSION], f"{file}: {REQUIRED_VERSION}")
    values = _parse(file, table)
    if EXTEND not in table:
        return values
    try:
        base = options.folder(table[EXTEND])
    except options.WrongValueError as error:
        raise UsageError(f"{file}: {EXTEND}: {error}") from None
    extended = paths.normpath(paths.join(paths.dirname(paths.abspath(file)), paths.expanduser(base)))
    if len(chain) >= _LONGEST_CHAIN:
        raise UsageError(f"{file}: {EXTEND}: more than {_LONGEST_CHAIN} files extend each other")
    if paths.realpath(extended) in chain:
        raise UsageError(f'{file}: {EXTEND}: "{base}" extends this file, a circle')
    try:
        return _over(_read(extended, chain), values)
    except UsageError as error:
        text = str(error)
        raise UsageError(text if file in text or f": {EXTEND}: " in text else f"{file}: {EXTEND}: {text}") from None


def _over(base: Configuration, over: Configuration) -> Configuration:
    """A file's values over those of the file that it extends: lists that add on the command line also add here."""
    settings = dict(base.settings)
    for field, value in over.settings.items():
        settings[field] = options.joined(field, settings[field], value) if field in settings else value
    return Configuration(
        over.path,
        settings,
        over.output_format if over.output_format is not None else base.output_format,
        over.jobs if over.jobs is not None else base.jobs,
        over.cache_dir if over.cache_dir is not None else base.cache_dir,
        over.compilers or base.compilers,
        {**base.origins, **over.origins},
        over.names or base.names,
    )


def user_compilers() -> tuple[str, ...]:
    """Compilers that the user's own configuration names. Raises UsageError for a file that says anything else."""
    file = paths.join(user_folder(), USER_FILE)
    table = _table(file, required=False) if paths.isfile(file) else None
    if table is None:
        return ()
    if (wrong := next((key for key in table if key != COMPILERS), None)) is not None:
        raise UsageError(f'{file}: "{wrong}" belongs in a project\'s configuration; this file accepts only {COMPILERS}')
    return _parse(file, table).compilers


def user_folder() -> str:
    """The user's folder for configurations of this program."""
    import sys
    from os import environ

    if sys.platform == "win32":
        base = environ.get("APPDATA") or paths.expanduser("~\\AppData\\Roaming")
    else:
        base = environ.get("XDG_CONFIG_HOME", "")
        if not paths.isabs(base):  # as the specification wants it
            base = paths.expanduser("~/.config")
    return paths.join(base, SECTION)


def _parse(file: str, table: Mapping[str, Any]) -> Configuration:
    base = paths.dirname(paths.abspath(file))
    settings: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for key, value in table.items():
        if key in _ABOUT_FILES:
            continue
        option = options.BY_KEY.get(key)
        if option is None:
            raise UsageError(f'{file}: unknown key "{key}"{suggestion(key, (*options.BY_KEY, *_ABOUT_FILES))}')
        try:
            converted = option.convert(value)
        except options.WrongValueError as error:
            raise UsageError(f"{file}: {key}: {error}") from None
        value = option.anchor(converted, base) if option.anchor else converted
        (settings if option.field else run)[option.field or key] = value
    origins = dict.fromkeys((*settings, *run), file)
    of_run = (run.get("output-format"), run.get("jobs"), run.get("cache-dir"), run.get("compilers", ()))
    names = options.words(table["arch"]) if "architectures" in settings else ()
    return Configuration(file, settings, *of_run, origins, names)


_CLAUSE = pattern(r"\s*+(==|!=|>=|<=|>|<|~=)?\s*+v?(\d{1,9}(?:\.\d{1,9}){0,4})\s*+\Z")
_LONGEST = 200
_Release = tuple[int, ...]
_HOLDS: Mapping[str, Callable[[_Release, _Release], bool]] = {
    "==": lambda running, other: running == other,
    "!=": lambda running, other: running != other,
    ">=": lambda running, other: running >= other,
    "<=": lambda running, other: running <= other,
    ">": lambda running, other: running > other,
    "<": lambda own, other: own < other,
}


def require(wanted: Any, where: str, version: str = __version__) -> None:
    """Raise UsageError unless the version fits: clauses as in `>=0.2,<1`; a bare number is one version alone.

    where: the file and key that say so, for the message.
    """
    if not isinstance(wanted, str) or not wanted.strip():
        raise UsageError(f'{where}: expected a version such as ">=0.1"')
    if len(wanted) > _LONGEST:
        raise UsageError(f"{where}: {len(wanted):,} characters are not a version")
    for clause in wanted.split(","):
        match = _CLAUSE.match(clause)
        if match is None:
            raise UsageError(f'{where}: "{clause.strip()}" is not a version clause such as ">=0.1"')
        if not _fits(_release(version), match[1] or "==", match[2]):
            raise UsageError(f'{where}: requires "{wanted}", but this is regpress-lint {version}')


def _fits(running: _Release, sign: str, text: str) -> bool:
    if sign == "~=":  # the last number may grow, those before it may not
        parts = text.split(".")
        return running >= _release(text) and running[: len(parts) - 1] == tuple(map(int, parts[:-1]))
    return _HOLDS[sign](running, _release(text))


def _release(version: str) -> _Release:
    """The numbers of a version, five of them: `1.2` and `1.2.0` are the same."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    parts = tuple(map(int, numbers[0].split("."))) if numbers else ()
    return (*parts, 0, 0, 0, 0, 0)[:5]
