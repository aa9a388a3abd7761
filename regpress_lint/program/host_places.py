"""Template arguments as they read outside of the host function that names them, and its parameter packs: a body with
one counts once for each element, and once for each list with which the template calls itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.names.constant_objects import constant_object
from regpress_lint.cpp.names.host_lambdas import shown
from regpress_lint.cpp.names.host_types import LAMBDA, declaration_of, local_alias, type_of_name
from regpress_lint.cpp.names.templates import parameters_of, template_parameters
from regpress_lint.cpp.parse import nodes_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.host_values import HostValues
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import TemplateParameter


_QUALIFIED = pattern(r"(?:::)?[A-Za-z_]\w*(?:::\w+)*")
_MAX_DEPTH = 6  # of aliases and macros that stand for each other
_OBJECT = pattern(
    r"\bdecltype\s*\(\s*([A-Za-z_]\w*)\s*\)\s*::\s*value\b"
    r"|(?<![\w:.>])([A-Za-z_]\w*)\s*(?:\.\s*value\b\s*(?:\(\s*\))?|\(\s*\))"
)
_DECLTYPE = pattern(r"\bdecltype\s*\(\s*([A-Za-z_]\w*)\s*\)(?!\s*::)")


class HostPlace(NamedTuple):
    """A place in a host function, and the arguments of its template."""

    values: HostValues
    offset: int
    environment: Mapping[str, str]

    def settle(self, text: str, depth: int = 0, defined: str = "") -> str | None:
        """`text` with parameters, local aliases and constants of the function replaced by their definitions.

        defined: the alias that it defines; in `using Traits = Traits<T>` the second one is the template.
        """
        if text.startswith(LAMBDA):
            from regpress_lint.cpp.names.host_lambdas import named

            return named(text, self.environment)
        if depth > _MAX_DEPTH:
            return None
        if (match := _DECLTYPE.search(text)) is not None:
            node = self.values.root.descendant_for_byte_range(self.offset, self.offset)
            spelled = type_of_name(self.values, node, match[1]) if node is not None else None
            text = f"{text[: match.start()]}{spelled}{text[match.end() :]}"
            return self.settle(text, depth + 1) if spelled is not None else None
        text = _OBJECT.sub(self._of_object, text)
        result, end = [], 0
        for match in OWN_WORD.finditer(text):
            inside = "<" in text[: match.start()]
            word = match[0] if match[0] == defined else self._word(match[0], depth, inside=inside)
            if word is None:
                return None
            result += [text[end : match.start()], word]
            end = match.end()
        return "".join(result) + text[end:]

    def _of_object(self, match: re.Match[str]) -> str:
        """`c()` and `decltype(c)::value`, where the place has a value for `c`, an object of an integral constant."""
        name = match[1] or match[2]
        return name if _is_value(self.environment.get(name, "")) else match[0]

    def _word(self, word: str, depth: int, *, inside: bool) -> str | None:
        if word in self.environment:
            return self.environment[word]
        values = self.values
        if word in hidden(values, self.offset):
            return None
        alias = local_alias(values, word, self.offset)
        if alias is None and values.parsed is not values.scope.parsed and word in values.parsed.aliases:
            alias = values.parsed.aliases[word]
        if alias is not None and (text := values.parsed.text(alias)) != word and "{" not in text:
            return self.settle(" ".join(text.split()).removeprefix("typename "), depth + 1, word)
        if (constant := self._of_instance(word)) is not None:
            settled = self.settle(constant, depth + 1)
            return None if settled is None else f"({settled})"
        if inside and values.scope.type_of(word) is None:
            return self.value(word) or word
        return word

    def _of_instance(self, word: str) -> str | None:
        """How the local constant is written that a word means, if the instantiation decides it: `16 / sizeof(T)`."""
        names = self.environment.keys()
        node = self.values.root.descendant_for_byte_range(self.offset, self.offset) if names else None
        declared = declaration_of(self.values, node, word) if node is not None else None
        value = declared[1].child_by_field_name("value") if declared is not None else None
        if declared is None or value is None:
            return None
        head = self.values.parsed.text(declared[0]).partition("=")[0]
        text = self.values.parsed.text(value)
        fixed = not {"const", "constexpr"}.isdisjoint(words_of(head))
        return text if fixed and not names.isdisjoint(words_of(text)) else None

    def value(self, text: str) -> str | None:
        """Value of an expression at the place, as a literal; of a function its name."""
        scope = self.values.scope
        called = text.lstrip("& ").partition("<")[0]
        is_call = text.rstrip().endswith(")")
        if not is_call and _QUALIFIED.fullmatch(called) and scope.find_node(called, -1) is not None:
            return text.lstrip("& ")
        expr = scope.expression_of_text(text)
        if expr is None:
            return None
        if constant_object(scope, text) is not None:
            return "".join(text.split())
        numbers = ((name, scope.value_of_text(bound)) for name, bound in self.environment.items() if _is_value(bound))
        bound = {name: number for name, number in numbers if number is not None}
        return literal(text, self.values.number_in(expr, self.offset, bound))


def _is_value(text: str) -> bool:
    return text[:1].isdigit() or text[:1] == "-" or text in ("true", "false")


def literal(text: str, number: Number | None) -> str | None:
    """A value as it is written in a template argument list."""
    return text if text in ("true", "false") else repr(number) if number is not None else None


# Parameter packs.


LOST = "..."  # the key of an environment in which a pack is not known
NONE = ""  # the element of an empty pack
_MOST = 64  # lists with which a template calls itself
_PACK = pattern(r"\.\.\.\s*+(\w++)")


def split(values: HostValues, offset: int, arguments: Iterable[str]) -> tuple[str, ...]:
    """Arguments one by one: a macro may stand for several."""
    texts: list[str] = []
    for text in arguments:
        listed = _meant(values, offset, text)
        texts += split_template_arguments(listed + ">") if "," in listed else (text,)
    return tuple(texts)


def _meant(values: HostValues, offset: int, text: str) -> str:
    """The text of a macro without parameters; another text as it is."""
    for _ in range(_MAX_DEPTH):
        macro = values.parsed.macros.get(text) if text.isidentifier() else None
        body = values.scope.defined_before(text, offset, values.parsed.source.path) if text.isidentifier() else None
        if body is None and macro is not None and macro.params is None:
            body = macro.body
        if body is None:
            break
        text = body.strip()
    return text


def is_never(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether a place is left out because it stands for the elements of an empty pack."""
    single = (text for text in arguments if not text.endswith(LOST))
    return any(environment.get(word) == NONE for text in single for word in words_of(text))


def elements(arguments: Iterable[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Arguments with `Ns...` as the element for which the environment is; what is not known stays as it is."""
    texts: list[str] = []
    for text in arguments:
        followed = [environment[word] for word in words_of(text) if word in environment] if text.endswith(LOST) else []
        if NONE not in followed:
            texts.append(text.removesuffix(LOST).rstrip() if followed else text)
    return tuple(texts)


def lists_of(
    arguments: tuple[str, ...], parameters: Sequence[TemplateParameter], name: str, body: str
) -> Iterator[tuple[str, ...]]:
    """What the parameters of a template whose last one is a pack are for a call, and for the calls of itself that
    follow, with one element of the pack after the other.
    """
    heads, pack = len(parameters) - 1, parameters[-1].name
    for call in _calls(arguments, parameters, name, body):
        # LOST: what the pack would be deduced from is not known.
        nothing = NONE if heads and len(call) == heads else f"{pack}{LOST}"
        yield from ((*call[:heads], last) for last in call[heads:] or (nothing,))


def _calls(
    arguments: tuple[str, ...], parameters: Sequence[TemplateParameter], name: str, body: str
) -> Iterator[tuple[str, ...]]:
    """The arguments of a call, and those of the calls of itself that follow."""
    yield arguments
    heads = [parameter.name for parameter in parameters[:-1]]
    calls = re.findall(rf"\b{re.escape(name)}\s*<([^;{{}}()]*\b{re.escape(parameters[-1].name)})\s*\.\.\.\s*>", body)
    firsts = split_template_arguments(calls[0] + ">")[:-1] if calls else ()
    for _ in range(_MOST if calls else 0):
        bound = dict(zip(heads, arguments, strict=False))
        after = (*(bound.get(text, text) for text in firsts), *arguments[len(heads) :])
        if not len(heads) <= len(after) < len(arguments) or not after:
            break
        yield after
        arguments = after


def is_lost(values: HostValues, offset: int, text: str, environment: Mapping[str, str]) -> bool:
    """Whether an argument that is not settled depends on a pack that is not followed."""
    if text.endswith(LOST):
        return True
    packs = hidden(values, offset)
    names = [name for name in words_of(text) if name in packs and name not in environment]
    return any(LOST in environment or packs[name] for name in names)


def words_of(text: str) -> list[str]:
    """The names in an argument that may be parameters of the template around it."""
    return OWN_WORD.findall(text)


def hidden(values: HostValues, offset: int) -> Mapping[str, bool]:
    """Parameters of the templates around a place, of functions, lambdas and a class, and whether each is a pack."""
    parsed = values.parsed
    function = parsed.function_around(offset)
    if function is None:  # in the head of a template: `void build(Table<K, V>& t)`
        heads = (node for node in nodes_around(values.root, offset, offset) if node.type == "template_declaration")
        listed = tuple(
            parameter for head in heads for parameter in template_parameters(parsed, head, values.parse_index)
        )
        return {parameter.name: parameter.is_pack for parameter in listed}
    record = parsed.records.get(function.record.partition("<")[0])
    listed = parameters_of(parsed, function)
    if record is not None:
        listed = (*listed, *template_parameters(parsed, record.template, 0))
    parameters = {parameter.name: parameter.is_pack for parameter in listed}
    for node in nodes_around(values.root, offset, offset):
        templated = node.child_by_field_name("template_parameters") if node.type == "lambda_expression" else None
        if templated is not None:
            parameters.update((name, True) for name in _PACK.findall(parsed.text(templated)))
        elif node.type == "function_definition":
            break
    return parameters


def followed(environment: Mapping[str, str]) -> Mapping[str, str]:
    """An environment without what says that a pack is not known, or empty."""
    if LOST not in environment and NONE not in environment.values():
        return environment
    return {name: text for name, text in environment.items() if name != LOST and text != NONE}


# Arguments of several instantiations, and how they are shown.


def agreed_on(bindings: Iterable[Mapping[str, str]]) -> Mapping[str, str]:
    """Bindings that several instantiations agree on."""
    first, *others = bindings
    return {name: text for name, text in first.items() if all(binding.get(name) == text for binding in others)}


def shown_argument(text: str, scope: Scope) -> str:
    """An argument for a reader: a lambda by its line."""
    if not text.startswith(LAMBDA):
        return text

    return shown(text, scope)


def weight(scope: Scope, arguments: Mapping[str, str]) -> float:
    """How large an instantiation is likely to be: sizes of types and values, multiplied."""
    result = 1.0
    for text in arguments.values():
        type_ = scope.type_of(text) if not text[:1].isdigit() else None
        size = type_.size if type_ is not None else scope.value_of_text(text)
        result *= size if size is not None and size > 1 else 1
    return result
