"""The options that configuration files and command line share: name, field of `Settings`, check and conversion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from os import path as paths

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.errors import suggestion
from regpress_lint.core.named import NamedTuple, TypeVar
from regpress_lint.core.patterns import PatternError, anchor, check
from regpress_lint.core.settings import as_defined, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEVERITIES = tuple(severity.label for severity in reversed(Severity))
PROFILES = ("default", "strict")
SEMANTIC = ("auto", "off", "on")


class WrongValueError(Exception):
    """A value of the wrong type or outside its range; the text names the expected and the actual value."""


class Option(NamedTuple):
    """One key. `field` is the field of `Settings` ("" for what only a run knows), `anchor` places it in a folder."""

    key: str
    field: str
    convert: Callable[[Any], Any]
    anchor: Callable[[Any, str], Any] | None = None


# No number in range is longer: Python refuses to read or to print one of thousands of digits.
_DIGITS = 12
_SHOWN = 40
_LONGEST_BODY = 4000  # characters of a macro that is given
# Entries of an array or a table: more of them than anybody writes, and few enough that looking at all of them for each
# rule and file takes no time.
_MOST = 2_000
_TABLES = frozenset(("per_file_ignores", "severities", "budgets", "kernel_macros", "launch_functions", "defines"))


def _shown(value: Any) -> str:
    """A wrong value for an error: a string as it was typed, anything else with its kind."""
    if isinstance(value, str):
        text = value if len(value) <= _SHOWN else f"{value[: _SHOWN - 3]}..."
        return f'"{repr(text)[1:-1]}"'
    kinds = {bool: "a boolean", list: "an array", dict: "a table", int: "an integer", float: "a number"}
    kind = kinds.get(type(value), type(value).__name__)
    short = isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**_SHOWN)
    return f"{kind} ({value!r})" if short else kind


def words(value: Any) -> tuple[str, ...]:
    """A string with commas or an array of strings, as a tuple without empty parts."""
    return _bounded(tuple(part.strip() for item in _texts(value) for part in item.split(",") if part.strip()))


def strings(value: Any) -> tuple[str, ...]:
    """Like `words`, but commas stay: patterns and folders may hold one."""
    return _bounded(_texts(value))


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise WrongValueError(f"expected a string or an array of strings, got {_shown(value)}")
    return tuple(value)


def patterns(value: Any) -> tuple[str, ...]:
    """Patterns of files, as strings."""
    patterns_given = strings(value)
    for pattern in patterns_given:
        _check_pattern(pattern)
    return patterns_given


def _check_pattern(pattern: str) -> None:
    try:
        check(pattern)
    except PatternError as error:
        raise WrongValueError(f"{_shown(pattern)}: {error}") from None


T = TypeVar("T", bound=Sized)


def _bounded(entries: T) -> T:
    if len(entries) > _MOST:
        raise WrongValueError(f"{len(entries):,} entries; at most {_MOST:,} can be used")
    return entries


def architectures(value: Any) -> tuple[str, ...]:
    """Canonical architecture names, each once."""
    from regpress_lint.targets.occupancy import UnknownArchitectureError, architecture, is_known

    try:
        return tuple(dict.fromkeys(architecture(name).name for name in words(value)))
    except UnknownArchitectureError as error:
        apart = error.name.split()
        if len(apart) > 1 and all(map(is_known, apart)):
            raise WrongValueError(
                f"unknown architecture '{error.name}'; names are separated by commas: {','.join(apart)}"
            ) from None
        raise WrongValueError(" ".join(str(error).split())) from None


def severity(value: Any) -> Severity:
    """One of the four severities by its name."""
    return Severity[choice(SEVERITIES)(value).upper()]


def choice(words: tuple[str, ...]) -> Callable[[Any], str]:
    """Converter that accepts one of the words."""

    def convert(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            near = suggestion(value, words) if isinstance(value, str) else ""
            raise WrongValueError(f"expected one of {', '.join(words)}, got {_shown(value)}{near}")
        return value

    return convert


def output_format(value: Any) -> str:
    from regpress_lint.render import NAMES

    return choice(tuple(NAMES))(value)


def whole(low: int, high: int) -> Callable[[Any], int]:
    """Converter for an integer in a closed range; on the command line it comes as text."""

    def convert(value: Any) -> int:
        number = _integer(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise WrongValueError(f"expected an integer from {low} to {high}, got {_shown(value)}")
        return number

    return convert


def _integer(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS else None


def _number(value: Any) -> float:
    """A number of a configuration or of the command line; -1 for anything else."""
    try:
        return -1.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return -1.0


def fraction(value: Any) -> float:
    """A number from 0 to 1."""
    number = _number(value)
    if not 0 <= number <= 1:
        raise WrongValueError(f"expected a number from 0 to 1, got {_shown(value)}")
    return number


def seconds(value: Any) -> float:
    """A time that is more than none and at most an hour."""
    number = _number(value)
    if not 0 < number <= 3600:
        raise WrongValueError(f"expected seconds, more than 0 and at most 3600, got {_shown(value)}")
    return number


def folder(value: Any) -> str:
    """One path; empty for none."""
    if not isinstance(value, str) or "\0" in value:
        raise WrongValueError(f"expected a path, got {_shown(value)}")
    return value


def per_file(value: Any) -> dict[str, tuple[str, ...]]:
    """Table of pattern to selectors; on the command line `PATTERN:SELECTOR[,SELECTOR]`."""
    if isinstance(value, (list, tuple)):
        pairs = [str(item).rpartition(":") for item in value]
        if not all(pattern and selectors for pattern, _, selectors in pairs):
            raise WrongValueError("expected PATTERN:CODE[,CODE...]")
        merged: dict[str, tuple[str, ...]] = {}
        for pattern, _, selectors in pairs:
            _check_pattern(pattern)
            merged[pattern] = (*merged.get(pattern, ()), *words(selectors))
        return merged
    if not isinstance(value, Mapping):
        raise WrongValueError(f"expected a table of pattern to rules, got {_shown(value)}")
    for pattern in _bounded(value):
        _check_pattern(str(pattern))
    return {str(pattern): words(selectors) for pattern, selectors in value.items()}


def severities(value: Any) -> dict[str, Severity]:
    """Table of selector to severity; on the command line `SELECTOR:LEVEL`."""
    if isinstance(value, (list, tuple)):
        pairs = [str(part).strip().rpartition(":") for item in value for part in str(item).split(",")]
        if not all(selector and level for selector, _, level in pairs):
            raise WrongValueError("expected RULE:LEVEL")
        return {selector: severity(level) for selector, _, level in pairs}
    if not isinstance(value, Mapping):
        raise WrongValueError(f"expected a table of rule to severity, got {_shown(value)}")
    return {str(selector): severity(level) for selector, level in _bounded(value).items()}


def budgets(value: Any) -> dict[str, tuple[str, ...]]:
    """Table of a pattern of kernel names to limits, each a string or an array of strings."""
    from regpress_lint.targets.budget_text import BudgetError, parse

    if not isinstance(value, Mapping):
        raise WrongValueError(f"expected a table of kernel to limits, got {_shown(value)}")
    limits_of = {str(pattern): strings(limits) for pattern, limits in _bounded(value).items()}
    try:
        for text in (limit for limits in limits_of.values() for limit in limits):
            parse(text)
    except BudgetError as error:
        raise WrongValueError(str(error)) from None
    return limits_of


def kernel_macros(value: Any) -> dict[str, str]:
    """Table from a macro, with its parameters if it has some, to its replacement."""
    if not isinstance(value, Mapping):
        raise WrongValueError(f"expected a table of macro to its replacement, got {_shown(value)}")
    _check_names(value, "a macro")
    if wrong := [text for text in value.values() if not isinstance(text, str) or "\n" in text]:
        raise WrongValueError(f"expected what the macro stands for in one line, got {_shown(wrong[0])}")
    return {str(name): text for name, text in _bounded(value).items()}


def _check_names(value: Mapping[Any, Any], what: str) -> None:
    if (wrong := next(filter(unknown, value), None)) is not None:
        raise WrongValueError(f"expected the name of {what}, got {_shown(wrong)}")


def defines(value: Any) -> dict[str, str | None]:
    """Table of a macro to its body; `true` is 1 and `false` not defined. Or, as on the command line, `NAME[=VALUE]`."""
    if isinstance(value, (list, tuple)):
        value = dict(map(as_defined, strings(value)))
    if not isinstance(value, Mapping):
        raise WrongValueError(f"expected a table, or an array of NAME=VALUE, got {_shown(value)}")
    if (wrong := next((name for name in value if unknown(name) or "::" in name), None)) is not None:
        raise WrongValueError(f"expected NAME or NAME=VALUE, got {_shown(wrong)} for a name")
    return {str(name): _body(body) for name, body in _bounded(value).items()}


def _body(value: Any) -> str | None:
    if isinstance(value, bool):
        return "1" if value else None
    if isinstance(value, str) and "\n" not in value and len(value) <= _LONGEST_BODY:
        return value
    if isinstance(value, int) and abs(value) < 10**_SHOWN:
        return str(value)
    raise WrongValueError(f"expected a macro's body in one line, a number or a boolean, got {_shown(value)}")


def launch_functions(value: Any) -> dict[str, int]:
    """Table from a function to the block size for which the kernels that it launches are compiled."""
    if not isinstance(value, Mapping):
        raise WrongValueError(f"expected a table of function to threads per block, got {_shown(value)}")
    _check_names(value, "a function")
    return {str(name): whole(0, 1024)(threads) for name, threads in _bounded(value).items()}


def joined(field: str, base: Any, own: Any) -> Any:
    """A value of `Settings` that is said twice: lists that leave out or add, and tables, add up; others give way.

    base: what the file further away says, or any file where `own` is the command line's.
    """
    if field in ("exclude", "extend_select"):
        return (*base, *own)
    return {**base, **own} if field in _TABLES else own


def _anchor_all(patterns: tuple[str, ...], base: str) -> tuple[str, ...]:
    return tuple(anchor(pattern, base) for pattern in patterns)


def _anchor_keys(table: Mapping[str, tuple[str, ...]], base: str) -> dict[str, tuple[str, ...]]:
    return {anchor(pattern, base): selectors for pattern, selectors in table.items()}


def _join_all(folders: tuple[str, ...], base: str) -> tuple[str, ...]:
    return tuple(paths.join(base, paths.expanduser(folder)) for folder in folders)


def _join(folder: str, base: str) -> str | None:
    return paths.normpath(paths.join(base, paths.expanduser(folder))) if folder else None


def _join_programs(programs: tuple[str, ...], base: str) -> tuple[str, ...]:
    """A bare name is looked for on PATH."""
    return tuple(
        paths.normpath(paths.join(base, paths.expanduser(program)))
        if "/" in program or paths.sep in program
        else program
        for program in programs
    )


OPTIONS = (
    Option("arch", "architectures", architectures),
    Option("select", "select", words),
    Option("extend-select", "extend_select", words),
    Option("ignore", "ignore", words),
    Option("severity", "severities", severities),
    Option("budgets", "budgets", budgets),
    Option("profile", "profile", choice(PROFILES)),
    Option("min-severity", "min_severity", severity),
    Option("fail-on", "fail_on", severity),
    Option("exclude", "exclude", patterns, _anchor_all),
    Option("per-file-ignores", "per_file_ignores", per_file, _anchor_keys),
    Option("baseline", "baseline", folder, _join),
    Option("include-dirs", "include_dirs", strings, _join_all),
    Option("kernel-macros", "kernel_macros", kernel_macros),
    Option("launch-functions", "launch_functions", launch_functions),
    Option("defines", "defines", defines),
    Option("block-size", "assumed_block_size", whole(1, 1024)),
    Option("low-occupancy", "low_occupancy", fraction),
    Option("block-size-gain", "block_size_gain", fraction),
    Option("max-file-bytes", "max_file_bytes", whole(1, 1 << 30)),
    Option("semantic", "semantic", choice(SEMANTIC)),
    Option("build-dir", "build_dir", folder, _join),
    Option("semantic-seconds", "semantic_seconds", seconds),
    Option("output-format", "", output_format),
    Option("jobs", "", whole(1, 1024)),
    Option("cache-dir", "", folder, _join),
    Option("compilers", "", strings, _join_programs),
)
BY_KEY: Mapping[str, Option] = {option.key: option for option in OPTIONS}
