"""Instances of kernels by macros: launches, instantiations and dispatch that uses of macros write: `LAUNCH(32)` with
`#define LAUNCH(N) kernel<T, N><<<g, b>>>(p)`.
"""

from __future__ import annotations

import re
from itertools import islice, product, takewhile
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import WORD, pattern, whole_word
from regpress_lint.core.source import Span
from regpress_lint.cpp.parse import children_of
from regpress_lint.cpp.written_code import calls_parameter, list_and_end, list_at, placed_uses, put_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.preprocess.macros import Macro


_MAX_DEPTH = 3  # of macros that use each other
_FAR = 300  # bytes between the name of a macro and an argument
_OPENING = pattern(r"\s*\(")
_OPEN_CALL = pattern(rb"\b([A-Za-z_]\w*)\s*\([^();{}]*\Z")
_CALL = pattern(r"\b([A-Za-z_]\w*)\s*\(")
_TOKEN = pattern(r"\w+|[^\w\s]")
_INSTANTIATION = pattern(rb"\btemplate\b(?!\s*<)[^;{}]*+;")
_SPACES = pattern(r"\b\w+\s*::\s*|::")


def macro_references(parsed: ParsedFile, name: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Uses of macros that write `name<...>`: where, and the template arguments with the macro's own put in.

    The name may be in the macro's body, in that of a macro that it uses or is handed (`FOR_EACH(LAUNCH)`), or be an
    argument: `SWITCH(type, run)` with `run<float>(...)` for one case.
    """
    pattern = re.compile(rf"\b{re.escape(name)}\s*<(?!<<)")
    users = frozenset(_handed_to(parsed.source.data, name))
    direct = {macro.name for macro in parsed.macros if name in macro.body and pattern.search(macro.body) is not None}
    writing = _with_users(parsed, direct)
    users |= {user for macro_name in writing for user in _handed_to(parsed.source.data, macro_name)}
    for macro in parsed.macros:
        if macro.name == name or not (macro.name in writing or (macro.name in users and macro.params)):
            continue
        for offset, given in _uses(parsed, macro):
            if macro.name in writing or name in given or not writing.isdisjoint(given):
                text = _expanded(parsed, put_in(macro.body, macro, given), 0)
                for match in pattern.finditer(text):
                    if arguments := list_at(text, match.end()):
                        yield offset, arguments


def macro_instantiations(
    parsed: ParsedFile, name: str, head: Iterable[str], names: tuple[str, ...]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Uses of macros that instantiate a template without writing its arguments, `template void f(Csr<double>*)`:
    where, and the arguments as the types of the parameters give them.

    head: the parameters of the function as the file spells them. names: its template parameters, in order.
    """
    declaring = [macro.name for macro in parsed.macros if macro.params and calls_parameter(macro.body, name)]
    form = _form_of(name, head, names) if declaring else None
    if form is None:
        return
    users = {user: macro for macro in declaring for user in _handed_to(parsed.source.data, macro)}
    for used in dict.fromkeys((*declaring, *users)):
        macro = parsed.macros.get(used)
        if macro is None:
            continue
        for offset, texts in _uses(parsed, macro):
            text = f"template {used}({', '.join(texts)})" if used in declaring else put_in(macro.body, macro, texts)
            for match in form.finditer(_expanded(parsed, text, 0)):
                arguments = tuple(" ".join(match[parameter].split()) for parameter in names)
                if arguments != names:
                    yield offset, arguments


def plain_instantiations(
    parsed: ParsedFile, name: str, head: Iterable[str], names: tuple[str, ...], returned: str = ""
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Instantiations whose types give the arguments: `template __global__ void f(Add*, float*);`, and of a function
    that returns `Loss<T>*` `template Loss<half>* f(int);`.
    """
    data, head = parsed.source.data, tuple(head)
    if not any(word in names for word in WORD.findall(returned)):
        returned = ""
    spoken = {word for text in (returned, *head) for word in WORD.findall(text)}
    names = tuple(takewhile(spoken.__contains__, names))  # the others have defaults
    if not names:
        return
    word = name.encode()
    statements = [match for match in _INSTANTIATION.finditer(data) if word in match[0]] if b"template" in data else ()
    if not statements or (form := _form_of(name, head, names, returned)) is None:
        return
    for match in statements:
        if (types := form.search(match[0].decode("latin-1"))) is not None:
            yield match.start() + types.start(), tuple(" ".join(types[parameter].split()) for parameter in names)


def _form_of(name: str, head: Iterable[str], names: tuple[str, ...], returned: str = "") -> re.Pattern[str] | None:
    """A pattern of the declarations of a function whose template's parameters are arguments; None if its types do not
    give all of them. returned: the type that it returns, if that is looked at.
    """
    seen: set[str] = set()
    parts = [_type_form(returned, names, seen), rf"\s*\b{re.escape(name)}\s*\(\s*"]
    for parameter in head:
        words = _TOKEN.findall(_SPACES.sub("", parameter.partition("=")[0]))
        if len(words) > 1 and WORD.fullmatch(words[-1]) and words[-2] != "const":
            words.pop()  # the parameter's own name
        parts += [_type_form(" ".join(words), names, seen), r"\s*\w*\s*,\s*"]
    parts[-1] = r"\s*\w*\s*\)" if len(parts) > 2 else parts[-1] + r"\)"
    return re.compile("".join(parts)) if seen.issuperset(names) else None


def _type_form(type_: str, names: tuple[str, ...], seen: set[str]) -> str:
    """A pattern of a type, in which `names` stand for any. seen: those in front of it, to which its own are added."""
    tokens = []
    for word in _TOKEN.findall(_SPACES.sub("", type_)):
        if word in names:
            tokens.append(f"(?P={word})" if word in seen else f"(?P<{word}>[^;()]+?)")
            seen.add(word)
        else:  # the declaration may stand in another namespace
            tokens.append(rf"(?:\w+\s*::\s*)*{word}" if WORD.fullmatch(word) else re.escape(word))
    return r"\s*".join(tokens)


class WrittenOut(NamedTuple):
    """A file's text with uses of macros replaced by their expansions: the places of the expansions and of the uses."""

    data: bytes
    places: tuple[tuple[Span, Span], ...]


def written_out(parsed: ParsedFile, writes: Callable[[str], bool]) -> WrittenOut | None:
    """The text of a file with the uses of those macros replaced whose body `writes` something, None without any use."""
    names = _with_users(parsed, {macro.name for macro in parsed.macros if writes(macro.body)})
    macros = [macro for name in sorted(names & parsed.words) if (macro := parsed.macros.get(name)) is not None]
    data, parts, places, done, length = parsed.source.data, [], [], 0, 0
    uses = sorted((offset, end, macro, given) for macro in macros for offset, end, given in placed_uses(data, macro))
    for offset, end, macro, given in uses:
        if offset < done:
            continue  # an argument of another one
        text = _in_place(parsed, put_in(macro.body, macro, given), names, 0).encode()
        parts += [data[done:offset], text]
        length += offset - done
        places.append((Span(length, length + len(text)), Span(offset, end)))
        done, length = end, length + len(text)
    return WrittenOut(b"".join([*parts, data[done:]]), tuple(places)) if places else None


def _with_users(parsed: ParsedFile, names: set[str]) -> set[str]:
    """Macros, and those that use them."""
    new = names
    for _ in range(_MAX_DEPTH):
        if not new:
            break
        new = {
            macro.name
            for macro in parsed.macros
            if any(name in macro.body for name in new) and not new.isdisjoint(WORD.findall(macro.body))
        }.difference(names)
        names = names | new
    return names


def _in_place(parsed: ParsedFile, text: str, names: set[str], depth: int) -> str:
    """A text with the macros of those names replaced in it."""
    result, done = "", 0
    for match in WORD.finditer(text) if depth < _MAX_DEPTH else ():
        macro = parsed.macros.get(match[0]) if match[0] in names and match.start() >= done else None
        if macro is None:
            continue
        end = match.end()
        arguments: tuple[str, ...] = ()
        if macro.params is not None:
            opening = _OPENING.match(text, end)
            listed = list_and_end(text, opening.end(), ")") if opening is not None else None
            if listed is None:
                continue
            arguments, end = listed
        result += text[done : match.start()] + _in_place(parsed, put_in(macro.body, macro, arguments), names, depth + 1)
        done = end
    return result + text[done:]


def _handed_to(data: bytes, name: str) -> Iterator[str]:
    """The call that a name is an argument of."""
    for match in re.finditer(whole_word(name.encode()) + rb"\s*[,)]", data):
        if (call := _OPEN_CALL.search(data[max(0, match.start() - _FAR) : match.start()])) is not None:
            yield call[1].decode("utf-8", "replace")


def _expanded(parsed: ParsedFile, text: str, depth: int) -> str:
    """A text, and behind it what the macros that it uses stand for."""
    parts = [text]
    for match in _CALL.finditer(text) if depth < _MAX_DEPTH else ():
        macro = parsed.macros.get(match[1])
        arguments = list_at(text, match.end(), ")") if macro is not None and macro.params is not None else None
        if macro is not None and arguments is not None:
            parts.append(_expanded(parsed, put_in(macro.body, macro, arguments), depth + 1))
    return " ; ".join(parts)


def _uses(parsed: ParsedFile, macro: Macro) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Where the file uses a macro, outside of `#define`s, and its arguments."""
    return ((offset, arguments) for offset, _, arguments in placed_uses(parsed.source.data, macro))


# Names that a macro or a templated lambda around a place gives one value after the other.
#
# `BOOL_SWITCH(flag, kFlag, [&] { run<kFlag>(); })`, `AT_DISPATCH_FLOATING_TYPES(type, "name", [&] { run<scalar_t>();
# })` and `auto go = [&]<bool A>() { run<A>(); }; go.operator()<true>();` name instantiations without a template around
# them.


MOST = 64
_VALUE = pattern(r"\b(?:constexpr|const|static)\s++(?:\w++\s++){0,8}?(\w++)\s*+=\s*+([\w:]++)\s*+;")
_TYPE = pattern(
    r"\busing\s++(\w++)\s*+=\s*+([\w:<>, *]{1,400}?)(?<!\s)\s*+;"
    r"|\btypedef\s++([\w:<>, *]{1,400}?)(?<!\s)\s++(\w++)\s*+;"
)
_AUTO = pattern(r"\s*(?:const\s+)?auto\s*(?:const\s*)?&{0,2}\s*(\w+)\s*")
_INTEGRAL = pattern(
    r"\s*+(?:,\s*+)?(?:std\s*+::\s*+)?"
    r"(?:(?:integral_constant\s*+<[^,<>]++,|bool_constant\s*+<)([^<>]++)>|(true|false)_type)\s*+(?:\{\s*+\}|\(\s*+\))"
)
_FLOATS = ("double", "float")
_INTEGERS = ("uint8_t", "int8_t", "int", "int64_t", "int16_t")
# PyTorch's (ATen/Dispatch.h), whose definitions no project has in its own files: the types of `scalar_t`.
_TORCH: Mapping[str, tuple[str, ...]] = {
    "AT_DISPATCH_FLOATING_TYPES": _FLOATS,
    "AT_DISPATCH_FLOATING_TYPES_AND_HALF": (*_FLOATS, "__half"),
    "AT_DISPATCH_FLOATING_TYPES_AND2": (*_FLOATS, "__half", "__nv_bfloat16"),
    "AT_DISPATCH_REDUCED_FLOATING_TYPES": ("__half", "__nv_bfloat16"),
    "AT_DISPATCH_INTEGRAL_TYPES": _INTEGERS,
    "AT_DISPATCH_ALL_TYPES": (*_INTEGERS, *_FLOATS),
    "AT_DISPATCH_ALL_TYPES_AND": (*_INTEGERS, *_FLOATS),
    "AT_DISPATCH_ALL_TYPES_AND2": (*_INTEGERS, *_FLOATS, "__half", "__nv_bfloat16"),
}


def dispatched(parsed: ParsedFile, around: Iterable[Node]) -> tuple[Mapping[str, str], ...]:
    """The possible values of the names that macros and lambdas around a place define, at most `MOST` combinations;
    `around` from the inside out.
    """
    groups: list[list[Mapping[str, str]]] = []
    inside = list(takewhile(lambda node: node.type != "function_definition", around))
    if inside:
        groups += _of_masked(parsed, inside[0].start_byte)
    for node in inside:
        if node.type == "lambda_expression":
            groups.append(_of_lambda(parsed, node))
        elif node.type == "call_expression":
            groups.append(_of_macro(parsed, node))
    combinations = product(*(group for group in groups if group))
    return tuple({k: v for part in parts for k, v in part.items()} for parts in islice(combinations, MOST))


def _of_macro(parsed: ParsedFile, call: Node) -> list[Mapping[str, str]]:
    function = call.child_by_field_name("function")
    name = parsed.text(function) if function is not None and function.type == "identifier" else ""
    arguments = call.child_by_field_name("arguments") if name.isupper() else None
    if arguments is None:
        return []
    macro = parsed.macros.get(name)
    if macro is None or macro.params is None:
        return [{"scalar_t": text} for text in _TORCH.get(name, ())]
    texts = tuple(map(parsed.text, children_of(arguments)))
    return _definitions(parsed, put_in(macro.body, macro, texts), 0, _defined_in(" ".join(texts)))


def _defined_in(text: str) -> set[str]:
    """The names that statements define."""
    return {match[1] or match[4] for match in _TYPE.finditer(text)} | {match[1] for match in _VALUE.finditer(text)}


def _of_masked(parsed: ParsedFile, offset: int) -> Iterator[list[Mapping[str, str]]]:
    """What the macros define whose arguments are the statements around a place: the masked text has only those."""
    for item in parsed.parses[0].masked.items:
        if item.kind == "macro" and item.start <= offset < item.end and item.expansion:
            statements = parsed.source.data[item.start : item.end].decode("utf-8", "replace")
            yield _definitions(parsed, item.expansion, 0, _defined_in(statements))


def _definitions(parsed: ParsedFile, body: str, depth: int, defined: Collection[str] = ()) -> list[Mapping[str, str]]:
    """Constants and types that the body of a macro defines, and those of the macros that it uses; the names `defined`
    are those of its arguments' own statements.
    """
    values = ((match.start(), match[1], match[2]) for match in _VALUE.finditer(body))
    types = ((match.start(), match[1] or match[4], match[2] or match[3]) for match in _TYPE.finditer(body))
    definitions = _cases([definition for definition in (*values, *types) if definition[1] not in defined])
    for match in _CALL.finditer(body) if not definitions and depth < _MAX_DEPTH else ():
        macro = parsed.macros.get(match[1])
        texts = list_at(body, match.end(), ")") if macro is not None and macro.params is not None else None
        if macro is not None and texts is not None:
            definitions += _definitions(parsed, put_in(macro.body, macro, texts), depth + 1, defined)
    return definitions if len({frozenset(definition) for definition in definitions}) == 1 else []


def _cases(definitions: list[tuple[int, str, str]]) -> list[Mapping[str, str]]:
    """Names with their values, in the order of their places, as one table for each case: a name that comes once more
    begins the next.
    """
    cases: list[dict[str, str]] = []
    for _, name, value in sorted(definitions):
        if not cases or name in cases[-1]:
            cases.append({})
        cases[-1][name] = value
    return [*cases]


def _of_lambda(parsed: ParsedFile, node: Node) -> list[Mapping[str, str]]:
    """Template arguments of the calls `name.operator()<...>()` of a lambda, and the values of integral constants in
    calls `name(std::integral_constant<int, 4>{})` of one with `auto` parameters.
    """
    templated, head = node.child_by_field_name("template_parameters"), node.child_by_field_name("declarator")
    listed = head.child_by_field_name("parameters") if head is not None else None
    parameters = [parsed.text(child) for child in listed.named_children] if listed is not None else []
    generic = [match[1] if (match := _AUTO.fullmatch(text)) is not None else "" for text in parameters]
    if templated is None and not any(generic):
        return []
    called = _called_as(parsed, node)
    if called is None:
        return []
    name, scope = called
    if templated is not None:
        words = [WORD.findall(parsed.text(child).partition("=")[0]) for child in templated.named_children]
        pattern = rf"\b{re.escape(name)}\s*\.\s*(?:template\s+)?operator\s*\(\s*\)\s*<"
        lists = (list_at(scope, match.end()) or () for match in re.finditer(pattern, scope))
        return [{parts[-1]: text for parts, text in zip(words, texts, strict=False) if parts} for texts in lists]
    calls = re.finditer(rf"(?<![\w.:>]){re.escape(name)}\s*\(", scope)
    constants = (dict(_constants(generic, scope, match.end())) for match in calls)
    return [values for values in constants if values]


def _called_as(parsed: ParsedFile, node: Node) -> tuple[str, str] | None:
    """The name by which a lambda is called, and the text that has the calls: what is behind the variable that holds it,
    or the body of the function that it is handed to.
    """
    owner = node.parent
    if owner is None or owner.parent is None:
        return None
    if owner.type == "init_declarator" and owner.parent.parent is not None:
        declared = owner.child_by_field_name("declarator")
        return (parsed.text(declared), parsed.text(owner.parent.parent)) if declared is not None else None
    function = owner.parent.child_by_field_name("function") if owner.type == "argument_list" else None
    if function is None or function.type != "identifier":
        return None
    place = children_of(owner).index(node)
    for callee in parsed.functions_by_name.get(parsed.text(function), ()):
        parameters = children_of(callee.declarator, "parameters")
        words = WORD.findall(parsed.text(parameters[place])) if place < len(parameters) else []
        if words:
            return words[-1], parsed.text(callee.body)
    return None


def _constants(names: Iterable[str], text: str, at: int) -> Iterator[tuple[str, str]]:
    """The values of those of a call's first arguments that are integral constants, by the parameters' names."""
    for name in names:
        match = _INTEGRAL.match(text, at)
        if match is None:
            break
        if name:
            yield name, (match[1] or match[2]).strip()
        at = match.end()
