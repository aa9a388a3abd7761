"""`check --show-files` and `check --show-settings`: what would be checked, and who decided how."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import Context, complain
from regpress_lint.config.options import OPTIONS
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.errors import os_reason
from regpress_lint.core.globs import matches
from regpress_lint.lint import registry
from regpress_lint.lint.selection import OFF, rank, select
from regpress_lint.lint.work import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.cli.configured import Resolved
    from regpress_lint.lint.discovery import Candidate

_KEYS = {option.field or option.key: option.key for option in OPTIONS}


def show_files(files: Sequence[Candidate], problems: Sequence[str], here: Context) -> int:
    """Print the files that hold GPU code; the exit status."""
    from regpress_lint.program import detect_language

    unreadable = list(problems)
    for file in files:
        try:
            settings = here.of(file.path)
            data = read_file(file.path, settings.max_file_bytes)
        except OSError as error:
            unreadable.append(f'cannot read "{file.path}": {os_reason(error)}')
            continue
        if isinstance(data, bytes) and detect_language(file.path, data, settings.words.seen) is not None:
            print(file.path)
    complain(unreadable)
    return 2 if unreadable else 0


def show_settings(here: Context, paths: Iterable[str]) -> int:
    """Print the settings that hold for each of the paths, once for those that share them; the exit status."""
    shown: dict[str | None, tuple[Resolved, list[str]]] = {}
    for path in paths:
        resolved = here.files.of_all([path])
        shown.setdefault(resolved.configuration.path, (resolved, []))[1].append(path)
    sections = ("\n".join(_settings(*each)) for each in shown.values())
    print("\n\n".join(sections) if shown else "\n".join(_settings(here.whole, [])))
    return 0


def _settings(resolved: Resolved, paths: Sequence[str]) -> Iterator[str]:
    if paths:
        yield f"# for {' '.join(paths)}"
    yield f"# configuration file: {resolved.configuration.path or 'none'}"
    values: dict[str, Any] = {**resolved.settings._asdict(), **resolved.run}
    for field, key in _KEYS.items():
        value = values.get(field)
        origin = resolved.origins.get(field)
        line = f"{key} = {_toml(value)}"
        yield f"{line}  # {_named(origin)}" if origin else line
    path = paths[0] if len(paths) == 1 and not os.path.isdir(paths[0]) else None
    on = {rule.code for rule in select(registry.load().rules, resolved.settings, path).rules}
    yield f"# rules: {' '.join(sorted(on))}"
    reasons: dict[str, list[str]] = {}
    for rule in registry.load().rules:
        if rule.code not in on:
            reasons.setdefault(_why_off(rule, resolved, path), []).append(rule.code)
    yield from (f"# off: {' '.join(codes)}  # {reason}" for reason, codes in reasons.items())


def _why_off(rule: registry.Entry, resolved: Resolved, path: str | None) -> str:
    """The key, its file and the selector by which a rule is off."""
    settings, origins = resolved.settings, resolved.origins
    for pattern, selectors in settings.per_file_ignores.items():
        if path is not None and matches(path, (pattern,)) and (by := _naming(rule, selectors)):
            return f"per-file-ignores {json.dumps(pattern)} = {json.dumps(by)}, {_named(origins['per_file_ignores'])}"
    if by := _naming(rule, settings.ignore):
        return f"ignore {json.dumps(by)}, {_named(origins['ignore'])}"
    return f"not in select, {_named(origins.get('select', ''))}"


def _naming(rule: registry.Entry, selectors: Sequence[str]) -> str:
    """The most exact of the selectors that mean a rule; nothing if none does."""
    best = max(selectors, key=lambda selector: rank(selector, rule.code, rule.name), default="")
    return best if best and rank(best, rule.code, rule.name) != OFF else ""


def _named(origin: str) -> str:
    """A file's path relative to the working folder if it is below it."""
    own = os.path.abspath(".") + os.sep
    return origin.replace(own, "")


def _toml(value: object) -> str:
    """A value as a configuration file has it."""
    if isinstance(value, Severity):
        return json.dumps(value.label)
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return json.dumps(list(value) if isinstance(value, tuple) else value if value is not None else "")
