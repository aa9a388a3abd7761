"""`regpress-lint completion SHELL`: completion for bash, zsh and fish, made of the command line's own grammar."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.parser import grammar
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping


FILES = "files"  # in place of words: names of files
SHELLS = ("bash", "zsh", "fish")


class Flag(NamedTuple):
    """An option. takes: whether a value follows; words: those that it may be, or `FILES`; listed: joined by commas."""

    names: tuple[str, ...]
    about: str
    takes: bool
    words: tuple[str, ...] | str = ()
    listed: bool = False


class Command(NamedTuple):
    """A command: its options, and what may follow as a word (`FILES`, or these)."""

    name: str
    about: str
    flags: tuple[Flag, ...]
    words: tuple[str, ...] | str


def commands() -> tuple[Command, ...]:
    """All commands, in the order of the help."""
    known = _known()
    return tuple(_command(name, parser, known) for name, parser in grammar().items())


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
        **dict.fromkeys(("FILE", "PATH", "DIR", "BUILD_DIR", "BASE", "HEAD"), FILES),
    }


def _command(name: str, parser: argparse.ArgumentParser, known: Mapping[str, tuple[str, ...] | str]) -> Command:
    flags = tuple(_flag(name, action, known) for action in parser._actions if action.option_strings)
    places = [_words(action, known) for action in parser._actions if not action.option_strings]
    words = next((place for place in places if place), ())  # `baseline write PATH`: the first place has words
    return Command(name, _plain(parser.description or ""), flags, words)


def _flag(command: str, action: argparse.Action, known: Mapping[str, tuple[str, ...] | str]) -> Flag:
    takes, words = action.nargs != 0, _words(action, known)
    if "--output-format" in action.option_strings:
        words = _formats(command)
    elif action.metavar == "NAME":  # of a kernel
        words = ()
    listed = action.metavar in ("NAMES", "RULES")
    return Flag(tuple(action.option_strings), _plain(action.help or ""), takes, words if takes else (), listed)


def _formats(command: str) -> tuple[str, ...]:
    if command == "check":
        from regpress_lint.render import NAMES

        return NAMES
    more = {"diff": ("markdown",), "measure": ("csv",)}
    return ("text", "json", *more.get(command, ()))


def _words(action: argparse.Action, known: Mapping[str, tuple[str, ...] | str]) -> tuple[str, ...] | str:
    metavar = str(action.metavar or "")
    if metavar in known:
        return known[metavar]
    return tuple(metavar.split("|")) if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", metavar) else ()


def _plain(text: str) -> str:
    """The first sentence, without what shells have a meaning for."""
    return re.sub(r"[\[\]`'\"\\$:]", "", text.partition(". ")[0].replace("%%", "%")).strip()


# -------------------------------------------------------------------------------------------------------------- bash


def bash() -> str:
    """For `source <(regpress-lint completion bash)`."""
    found = commands()
    lines = [
        "_regpress_lint() {",
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}",
        "  local words= flags= listed=",
        "  [[ $current == = ]] && current=",
        "  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}",
        f"  case $command in {'|'.join(command.name for command in found)}) ;; *) command=check ;; esac",
        "  case $command in",
        *(
            f"    {command.name}) flags='{' '.join(name for flag in command.flags for name in flag.names)}' ;;"
            for command in found
        ),
        "  esac",
        '  case "$command $previous" in',
        *(line for command in found for line in _bash_values(command)),
        "  esac",
        "  if [[ $words == files ]]; then COMPREPLY=()",
        "  elif [[ -n $listed ]]; then",
        "    local before=; [[ $current == *,* ]] && before=${current%,*},",
        '    COMPREPLY=($(compgen -P "$before" -W "$words" -- "${current##*,}"))',
        '  elif [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))',
        '  elif [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))',
        "  elif ((COMP_CWORD == 1)); then",
        f"    COMPREPLY=($(compgen -W '{' '.join(command.name for command in found)}' -- \"$current\"))",
        "  else",
        "    case $command in",
        *(
            f"      {command.name}) words='{' '.join(command.words)}' ;;"
            for command in found
            if isinstance(command.words, tuple)
        ),
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "  fi",
        "}",
        "complete -o default -F _regpress_lint regpress-lint",
    ]
    return "\n".join(lines) + "\n"


def _bash_values(command: Command) -> Iterator[str]:
    for flag in command.flags:
        if flag.takes and flag.words:
            places = "|".join(f'"{command.name} {name}"' for name in flag.names)
            words = flag.words if isinstance(flag.words, str) else " ".join(flag.words)
            yield f"    {places}) words='{words}'{' listed=yes' if flag.listed else ''} ;;"


# --------------------------------------------------------------------------------------------------------------- zsh


def zsh() -> str:
    """For a file `_regpress-lint` in a folder of `$fpath`, or `source <(regpress-lint completion zsh)`."""
    found = commands()
    lines = [
        "#compdef regpress-lint",
        "_regpress_lint() {",
        "  local -a commands",
        "  commands=(",
        *(f"    '{command.name}:{command.about}'" for command in found),
        "  )",
        "  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then _describe command commands; _files; return; fi",
        "  local command=check",
        f"  case $words[2] in {'|'.join(command.name for command in found)})",
        "    command=$words[2]; shift words; ((CURRENT--)) ;;",
        "  esac",
        "  case $command in",
        *(line for command in found for line in _zsh_command(command)),
        "  esac",
        "}",
        'if [[ $funcstack[1] == _regpress-lint ]]; then _regpress_lint "$@"',
        "else compdef _regpress_lint regpress-lint; fi",
    ]
    return "\n".join(lines) + "\n"


def _zsh_command(command: Command) -> Iterator[str]:
    yield f"    {command.name}) _arguments -s \\"
    for flag in command.flags:
        names = (
            f"'({' '.join(flag.names)})'{{{','.join(flag.names)}}}" if len(flag.names) > 1 else f"'*'{flag.names[0]}"
        )
        value = f":value:{_zsh_words(flag)}" if flag.takes else ""
        yield f"      {names}'[{flag.about}]{value}' \\"
    words = "_files" if isinstance(command.words, str) or not command.words else f"({' '.join(command.words)})"
    yield f"      '*:word:{words}' ;;"


def _zsh_words(flag: Flag) -> str:
    if isinstance(flag.words, str):
        return "_files"
    return f"_values -s , value {' '.join(flag.words)}" if flag.listed else f"({' '.join(flag.words)})"


# -------------------------------------------------------------------------------------------------------------- fish


def fish() -> str:
    """For `~/.config/fish/completions/regpress-lint.fish`."""
    found = commands()
    others = " ".join(command.name for command in found if command.name != "check")
    lines = [
        f"complete -c regpress-lint -n __fish_use_subcommand -a {command.name} -d '{command.about}'"
        for command in found
    ]
    for command in found:
        seen = (
            f"__fish_seen_subcommand_from {command.name}"
            if command.name != "check"
            else (f"not __fish_seen_subcommand_from {others}")
        )
        start = f"complete -c regpress-lint -n '{seen}'"
        lines += [f"{start} {_fish_flag(flag)} -d '{flag.about}'" for flag in command.flags]
        if isinstance(command.words, tuple) and command.words:
            lines.append(f"{start} -a '{' '.join(command.words)}'")
    return "\n".join(lines) + "\n"


def _fish_flag(flag: Flag) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names)
    if not flag.takes:
        return names
    if isinstance(flag.words, str):
        return f"{names} -r"
    words = " ".join(flag.words)
    if flag.listed:
        return f"{names} -x -a '(__fish_complete_list , \"printf %s\\\\\\\\n {words}\")'"
    return f"{names} -x -a '{words}'"


def script(shell: str) -> str:
    """The completion script of a shell of `SHELLS`."""
    return {"bash": bash, "zsh": zsh, "fish": fish}[shell]()


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `completion`."""
    parser.description = (
        f"{parser.description}. bash: source <(regpress-lint completion bash); zsh: the same behind "
        "compinit; fish: regpress-lint completion fish > ~/.config/fish/completions/regpress-lint.fish"
    )
    parser.add_argument("shell", metavar="bash|zsh|fish")


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `completion`: 0. Raises UsageError for a shell that it does not know."""
    shell: str = arguments.shell
    if shell not in SHELLS:
        raise UsageError(f'unknown shell "{shell}"{suggestion(shell, SHELLS)}; known are {", ".join(SHELLS)}')
    sys.stdout.write(script(shell))
    return 0
