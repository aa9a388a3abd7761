"""`regpress-lint completion SHELL`: completion for bash, zsh and fish. Their scripts ask this program which words may
stand at the cursor, so that all of them know the command line's own grammar.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.parser import COMMANDS, grammar
from regpress_lint.core.errors import UsageError, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_FILES = "files"  # in place of words: names of files
_ASK = "words"  # in place of a shell: what may stand at the cursor
_LISTED = ("NAMES", "RULES")  # values joined by commas
SCRIPTS = {
    "bash": r"""_regpress_lint() {
  local IFS=$'\n'
  COMPREPLY=($(regpress-lint completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _regpress_lint regpress-lint
""",
    "zsh": r"""#compdef regpress-lint
_regpress_lint() {
  local -a found
  found=("${(@f)$(regpress-lint completion words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then compadd -- $found; else _files; fi
}
if [[ $funcstack[1] == _regpress-lint ]]; then _regpress_lint "$@"
else compdef _regpress_lint regpress-lint; fi
""",
    "fish": r"""complete -c regpress-lint -a \
  '(regpress-lint completion words (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
""",
}


def candidates(words: Sequence[str]) -> list[str]:
    """What the last of these words, behind the program's name, may become; nothing where names of files are meant."""
    words = [word for word in words if word != "="] or [""]  # bash makes three words of `--arch=sm_90`
    *before, current = words
    if not before and not current.startswith("-"):
        return _begun(tuple(COMMANDS), current)
    command, *before = before if before and before[0] in COMMANDS else ("check", *before)
    actions, listed = grammar()[command]._actions, _known()
    options = {option: action for action in actions for option in action.option_strings}
    option, equals, value = current.partition("=")
    if equals and option in options:
        return [f"{option}={word}" for word in _values(command, options[option], listed, value)]
    action = options.get(before[-1]) if before else None
    if action is not None and action.nargs != 0:
        return _values(command, action, listed, current)
    if current.startswith("-"):
        return _begun(tuple(options), current)
    places = (_words(action, listed) for action in actions if not action.option_strings)
    words = next((place for place in places if place), ())  # `baseline write PATH`: the first place has words
    return _begun(words, current)


def _begun(words: Sequence[str], current: str) -> list[str]:
    return [] if words == _FILES else [word for word in words if word.startswith(current)]


def _values(
    command: str, action: argparse.Action, listed: Mapping[str, tuple[str, ...] | str], current: str
) -> list[str]:
    """What the value of an option may become; of one with commas the part behind the last."""
    words = _words(action, listed)
    if "--output-format" in action.option_strings:
        words = _formats(command)
    elif action.metavar == "NAME":  # of a kernel
        words = ()
    before, comma, last = current.rpartition(",") if action.metavar in _LISTED else ("", "", current)
    return [f"{before}{comma}{word}" for word in _begun(words, last)]


def _known() -> Mapping[str, tuple[str, ...] | str]:
    """The possible words for a metavar of the grammar; others have none."""
    from regpress_lint.commands.kernels.rows import ORDERS
    from regpress_lint.config.options import SEVERITIES
    from regpress_lint.lint import registry
    from regpress_lint.targets.occupancy import architectures

    rules = registry.load().rules
    codes = tuple(rule.code for rule in rules)
    return {
        "NAMES": tuple(arch.name for arch in architectures()),
        "NAME": tuple(arch.name for arch in architectures()),
        "RULES": codes,
        "CODE|NAME": (*codes, *(rule.name for rule in rules)),
        "LEVEL": SEVERITIES,
        "COLUMN": tuple(ORDERS),
        **dict.fromkeys(("FILE", "PATH", "DIR", "BUILD_DIR", "BASE", "HEAD"), _FILES),
    }


def _formats(command: str) -> tuple[str, ...]:
    if command == "check":
        from regpress_lint.render import NAMES

        return NAMES
    more = {"diff": ("markdown",), "measure": ("csv",)}
    return ("text", "json", *more.get(command, ()))


def _words(action: argparse.Action, listed: Mapping[str, tuple[str, ...] | str]) -> tuple[str, ...] | str:
    metavar = str(action.metavar or "")
    if metavar in listed:
        return listed[metavar]
    return tuple(metavar.split("|")) if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", metavar) else ()


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"{parser.description}. bash: source <(regpress-lint completion bash); zsh: the same behind "
        "compinit; fish: regpress-lint completion fish > ~/.config/fish/completions/regpress-lint.fish"
    )
    parser.add_argument("shell", metavar="bash|zsh|fish")
    parser.add_argument("asked", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `completion`: 0. Raises UsageError for a shell that it does not know."""
    shell: str = arguments.shell
    if shell == _ASK:
        sys.stdout.writelines(f"{word}\n" for word in candidates(arguments.asked))
        return 0
    if shell not in SCRIPTS or arguments.asked:
        raise UsageError(f'unknown shell "{shell}"{suggestion(shell, tuple(SCRIPTS))}; known are {", ".join(SCRIPTS)}')
    sys.stdout.write(SCRIPTS[shell])
    return 0
