"""Templates: parameters of a head, the specialisation that a name means, and class templates with their arguments."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.cpp.lexical import bare_name, pack_meanings, split_template_arguments, squeezed, with_meanings
from regpress_lint.cpp.lower.declared_types import pointer_to_member
from regpress_lint.cpp.names.definition_nodes import FRIEND, RecordNode, arguments_in, explicit_arguments, split_owner
from regpress_lint.cpp.syntax_tree import TemplateParameter
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile

    Values: TypeAlias = Callable[[str], Number | None]  # of texts


# The content of a definition's head: template parameters, argument counts, qualifiers, bases; and broken bodies.


_NOINLINE = pattern(r"noinline")
_FIRST = itemgetter(0)
_TRUTHS = {"true": "1", "false": "0"}
_ROW = pattern(r"([^\[\]]++)((?:\[[^\[\]]*+\]\s*+)++)")
_CONDITION = pattern(r"(?:typename\s+)?(?:\w+::)*enable_if(?:_t)?\s*<")
_LONGEST = 4000  # characters of a text with arguments in it: aliases of aliases double it at each step


def base_names(parsed: ParsedFile, node: Node) -> Iterator[str]:
    """Base classes of a class as it names them, `M...` for those that a pack gives."""
    for child in node.named_children:
        for base in child.named_children if child.type == "base_class_clause" else ():
            if base.type != "access_specifier":
                behind = base.next_sibling
                yield parsed.text(base) + ("..." if behind is not None and behind.type == "..." else "")


def bases_given(parsed: ParsedFile, node: Node, bound: Mapping[str, str]) -> Iterator[str]:
    """The same with the arguments of the class's template, each element of a pack by itself."""
    for base in base_names(parsed, node):
        if not base.endswith("..."):
            yield substituted(base, bound)
            continue
        pattern_of = base.removesuffix("...")
        packs = [word for word in OWN_WORD.findall(pattern_of) if f"{word}..." in bound]
        for element in split_template_arguments(f"{bound[f'{packs[0]}...']}>") if packs else ():
            yield substituted(pattern_of, {**bound, packs[0]: element})


def _inner_declarator(node: Node) -> Node | None:
    inner = node.child_by_field_name("declarator") or pointer_to_member(node)
    if inner is None and node.type in ("parenthesized_declarator", "reference_declarator"):
        inner = node.named_children[-1] if node.named_children else None
    return inner


_NAMED_TYPES = ("type_identifier", "qualified_identifier", "template_type")
_VALUES = frozenset(("size_t", "std::size_t", "bool", "int32_t", "uint32_t", "int64_t", "uint64_t", "unsigned"))
_CONCEPTS = frozenset(
    (
        *("integral", "signed_integral", "unsigned_integral", "floating_point", "same_as", "convertible_to"),
        *"derived_from invocable regular_invocable predicate copyable movable semiregular regular".split(),
        *("default_initializable", "constructible_from", "ranges::range", "random_access_iterator"),
    )
)
_HEAD = 1000  # bytes of a function's head that are looked at


def template_parameters(parsed: ParsedFile, template: Node | None, parse_index: int) -> tuple[TemplateParameter, ...]:
    if template is None:
        return ()
    heads, key = parsed.template_heads, (template.start_byte, template.end_byte, parse_index)
    if key not in heads:
        heads[key] = _template_parameters(parsed, template, parse_index)
    return heads[key]


def parameters_of(parsed: ParsedFile, function: FunctionNode) -> tuple[TemplateParameter, ...]:
    """The parameters of a function's template; none of a plain function."""
    return template_parameters(parsed, function.template, function.parse_index)


def _template_parameters(parsed: ParsedFile, template: Node, parse_index: int) -> tuple[TemplateParameter, ...]:
    parameters = template.child_by_field_name("parameters")
    if parameters is None:
        return ()
    result: list[TemplateParameter] = []
    for child in parameters.named_children:
        if child.type == "comment":
            continue
        is_type = "type_parameter" in child.type or child.type == "template_template_parameter_declaration"
        name = child.child_by_field_name("name") or child.child_by_field_name("declarator")
        if name is None and is_type:
            below = [*child.named_children, *(node for inner in child.named_children for node in inner.named_children)]
            name = next((inner for inner in reversed(below) if inner.type == "type_identifier"), None)
        while not is_type and name is not None and (inside := _inner_declarator(name)) is not None:
            name = inside  # `float (*F)(float)`
        if not is_type and name is not None:
            is_type = _is_constrained(parsed, template, child, parsed.text(name, parse_index), parse_index)
        default = child.child_by_field_name("default_type") or child.child_by_field_name("default_value")
        result.append(
            TemplateParameter(
                parsed.text(name, parse_index).lstrip(". ") if name is not None else "",
                is_type,
                parsed.text(default, parse_index) if default is not None else None,
                "variadic" in child.type,
            )
        )
    return tuple(result)


def _is_constrained(parsed: ParsedFile, template: Node, parameter: Node, name: str, parse_index: int) -> bool:
    """True for a type with a concept, `template <std::integral I>`, which reads like a value of a type: by the concept,
    or because a parameter of the function is of it.
    """
    type_ = parameter.child_by_field_name("type")
    if type_ is None or type_.type not in _NAMED_TYPES or not name.isidentifier():
        return False
    text = parsed.text(type_, parse_index).partition("<")[0].strip()
    space, _, last = text.rpartition("::")
    if text in _VALUES:
        return False
    if "concept" in space or (space.startswith("std") and last in _CONCEPTS):
        return True
    end = min(template.end_byte, parameter.end_byte + _HEAD)
    head = parsed.parses[parse_index].masked.text[parameter.end_byte : end].partition(b"{")[0]
    used = rb"[(,]\s*(?:const\s+)?%b\b\s*(?:const\b)?\s*[&*]*\s*\w+\s*[,)=]" % re.escape(name.encode())
    return re.search(used, head) is not None


def takes(parsed: ParsedFile, function: FunctionNode, arguments: Sequence[str]) -> bool:
    """False if a function's template cannot take these arguments: too many, a type for a value or a value for a type,
    or one is missing that neither its parameters nor a default give.
    """
    parameters = parameters_of(parsed, function)
    if not arguments or not parameters or any(parameter.is_pack for parameter in parameters) or "..." in arguments[-1]:
        return True
    if len(arguments) > len(parameters):
        return False
    for parameter, text in zip(parameters, arguments, strict=False):
        is_value = text in _TRUTHS or text.isdigit()
        if is_value if parameter.is_type else builtin_type(text) is not None:
            return False
    missing = [parameter for parameter in parameters[len(arguments) :] if parameter.default is None]
    listed = function.declarator.child_by_field_name("parameters") if missing else None
    if listed is None:
        return True
    words = set(OWN_WORD.findall(parsed.text(listed, function.parse_index)))
    return all(parameter.name in words for parameter in missing) or _is_declared(parsed, function.name)


def _is_declared(parsed: ParsedFile, name: str) -> bool:
    """Whether a file may have a declaration of a kernel, which has the defaults then."""
    return re.search(rf"__global__\b[^;{{}}]*\b{name}\s*\([^;{{}}]*\)\s*;".encode(), parsed.source.data) is not None


def qualifiers(words: tuple[str, ...], head: bytes, function: FunctionNode) -> frozenset[str]:
    """The words in front of a definition that matter, `static` too, and the `const` behind a member function's
    parameters.
    """
    text, node = " ".join(words), function.node
    words_found = {name for name in ("global", "device", "host") if f"__{name}__" in text}
    if _NOINLINE.search(text):
        words_found.add("noinline")
    if "__forceinline__" in text or "always_inline" in text:
        words_found.add("forceinline")
    if b"inline" in head:
        words_found.add("inline")
    words_found.update(word for word in ("virtual", "static") if word.encode() in head)
    if any(child.type == "type_qualifier" and child.text == b"const" for child in function.declarator.children):
        words_found.add("const")
    if node.parent is not None and node.parent.type == FRIEND:
        words_found.add("friend")
    return frozenset(words_found)


def specialised_arguments(parsed: ParsedFile, function: FunctionNode) -> tuple[str, ...]:
    """Template arguments of an explicit specialisation, without blanks."""
    name = function.declarator.child_by_field_name("declarator")
    arguments = name.child_by_field_name("arguments") if name is not None else None
    if arguments is None:
        return ()
    return tuple(squeezed(parsed.text(child, function.parse_index)) for child in arguments.named_children)


# Which definition a name with arguments means: an explicit specialisation, or the template itself.


def same_arguments(first: Sequence[str], second: Sequence[str]) -> bool:
    """True if two argument lists mean the same, as far as their texts tell: `unsigned` and `unsigned int` do."""
    return len(first) == len(second) and all(_plain(a) == _plain(b) for a, b in zip(first, second, strict=True))


def _plain(text: str) -> object:
    if text in _TRUTHS:
        return _TRUTHS[text]
    type_ = builtin_type(text)
    return type_._replace(name="") if type_ is not None else "".join(text.split()).rpartition("::")[2]


def record_named(parsed: ParsedFile, base: str, written: str, value: Values) -> RecordNode | None:
    """The class of a file that `written` means, `base` without its arguments: the specialisation for them, an explicit
    one before a partial one, of partial ones the one with the fewest parameters left open. value: of an argument.
    """
    arguments = arguments_in(written)
    fitting = [
        (len(bound), record)
        for record in (parsed.specialised.get(base, ()) if arguments or written.endswith("<>") else ())
        if (bound := matched_arguments(parsed, record, arguments, value)) is not None
    ]
    return min(fitting, key=_FIRST)[1] if fitting else parsed.records.get(base)


def matched_arguments(
    parsed: ParsedFile, record: RecordNode, arguments: Sequence[str], value: Values
) -> dict[str, str] | None:
    """The meanings that a specialisation's own parameters have for these arguments, none for an explicit one; None if
    it is not for them, or is the template itself.
    """
    name = record.node.child_by_field_name("name")
    patterns = arguments_in(parsed.text(name)) if name is not None else ()
    if not patterns:
        return {} if not arguments and name is not None and name.type == "template_type" else None
    template = parsed.records.get(record.name)
    all_ = template_parameters(parsed, template.template, 0) if template is not None else ()
    parameters = {parameter.name for parameter in template_parameters(parsed, record.template, 0)}
    return bound_by(patterns, parameters, all_, arguments, value)


def bound_by(
    patterns: Sequence[str],
    own: Collection[str],
    parameters: Iterable[TemplateParameter],
    arguments: Sequence[str],
    value: Values,
) -> dict[str, str] | None:
    """What arguments give the `own` parameters of a specialisation that is written with `patterns`; None where it is
    not for them. parameters: those of the template itself, whose defaults stand for arguments that are left out.
    """
    bound: dict[str, str] = {}
    pack = patterns[-1].removesuffix("...").rstrip() if patterns and patterns[-1].endswith("...") else ""
    if pack in own and len(arguments) >= len(patterns) - 1:
        patterns = patterns[:-1]
        arguments, packed = arguments[: len(patterns)], arguments[len(patterns) :]
        bound |= pack_meanings(pack, packed)
    if len(arguments) < len(patterns):
        arguments = tuple(by_parameter(parameters, arguments).values())
    if len(patterns) != len(arguments):
        return None
    late: list[tuple[str, str]] = []
    for form, argument in zip(patterns, arguments, strict=True):
        if _CONDITION.match(form):
            late.append((form, argument))
        elif not _match(form, settled(argument, value), own, bound):
            return None
    return bound if all(_holds(form, argument, bound, value) for form, argument in late) else None


def settled(argument: str, value: Values) -> str:
    """An argument as the number that it is: `4 - 1`, `(N < 8)`, the name of a constant."""
    if argument.isdigit() or builtin_type(argument) is not None or (number := value(argument)) is None:
        return argument
    return str(int(number)) if number == int(number) else argument


def _holds(written: str, argument: str, bound: Mapping[str, str], value: Values) -> bool:
    """Whether `std::enable_if_t<condition, T>` in a specialisation is there for what its other parameters mean."""
    condition, *result = arguments_in(written)
    return bool(value(substituted(condition, bound))) and same_arguments((result or ["void"])[:1], (argument,))


def _match(written: str, argument: str, own: Collection[str], bound: dict[str, str]) -> bool:
    """Whether a specialisation's argument as `written` stands for the other one: `T`, `T *`, `const T`, `Vec<T, N>`
    in terms of its `own` parameters, which are `bound` to what they mean.
    """
    written, argument = written.strip(), argument.strip()
    if written in own:
        return bound.setdefault(written, argument) == argument
    for mark in ("*", "&"):
        if written.endswith(mark):
            return argument.endswith(mark) and _match(written[:-1], argument[:-1], own, bound)
    if written.startswith("const "):
        return argument.startswith("const ") and _match(written[6:], argument[6:], own, bound)
    if written.endswith("]"):
        return _match_array(written, argument, own, bound)
    inner, outer = arguments_in(written), arguments_in(argument)
    if not inner or len(inner) != len(outer):
        return not inner and same_arguments((written,), (argument,))
    same = same_arguments((written.partition("<")[0],), (argument.partition("<")[0],))
    return same and all(_match(form, part, own, bound) for form, part in zip(inner, outer, strict=True))


def _match_array(written: str, argument: str, own: Collection[str], bound: dict[str, str]) -> bool:
    """The same for `T[N]` and `float[4][8]`: `T` is then a row, `float[8]`."""
    wanted, is_ = _ROW.fullmatch(written), _ROW.fullmatch(argument)
    if wanted is None or is_ is None:
        return False
    sizes, extents = (match_[2].strip("[] ").split("][") for match_ in (wanted, is_))
    left = "".join(f"[{size}]" for size in extents[len(sizes) :])
    return (
        len(sizes) <= len(extents)
        and all(_match(size, extent, own, bound) for size, extent in zip(sizes, extents, strict=False))
        and _match(wanted[1].rstrip(), is_[1].rstrip() + left, own, bound)
    )


def by_parameter(
    parameters: Iterable[TemplateParameter], arguments: Sequence[str], *, all_default: bool = False
) -> dict[str, str]:
    """Arguments by the names of a template's parameters; a default, in terms of the others, where there is none.

    all_default: no argument at all is `Row<>`, and not a name without a list.
    """
    result: dict[str, str] = {}
    for position, parameter in enumerate(parameters):
        if parameter.is_pack and arguments:
            result |= pack_meanings(parameter.name, [substituted(text, result) for text in arguments[position:]])
            continue
        default = parameter.default if arguments or all_default else None
        text = arguments[position] if position < len(arguments) else default
        if text is not None and parameter.name:
            result[parameter.name] = substituted(text, result)
    return result


def with_defaults(parsed: ParsedFile, base: str, written: str) -> str:
    """A class's name with the arguments that `Row<>` leaves to their defaults; any other as it is written."""
    record = parsed.records.get(base) if written.rstrip().endswith("<>") else None
    if record is None or record.template is None:
        return written
    parameters = template_parameters(parsed, record.template, 0)
    if any(parameter.is_pack or parameter.default is None for parameter in parameters):
        return written
    return f"{written.rstrip()[:-1]}{', '.join(by_parameter(parameters, (), all_default=True).values())}>"


def substituted(text: str, bound: Mapping[str, str]) -> str:
    """A text with parameters replaced by their arguments; as it is where it would get longer than `_LONGEST`."""
    if not bound:
        return text
    result = with_meanings(text, bound)
    return result if len(result) <= _LONGEST else text


def alias_arguments(parsed: ParsedFile, target: Node, written: str) -> dict[str, str]:
    """Arguments of the template `template <...> using name = target;` by its parameters, for the name as written."""
    definition = target.parent
    around = definition.parent if definition is not None and definition.type == "alias_declaration" else None
    if around is None or around.type != "template_declaration":
        return {}
    empty = written.rstrip().endswith("<>")
    return by_parameter(template_parameters(parsed, around, 0), arguments_in(written), all_default=empty)


def for_class(parsed: ParsedFile, functions: Iterable[FunctionNode], written: str, value: Values) -> list[FunctionNode]:
    """Member functions of one class of a file, first those of the specialisation that `written` means. A specialisation
    has none of the template's own.
    """
    arguments = arguments_in(written)
    chosen: dict[str, RecordNode | None] = {}

    def rank(function: FunctionNode) -> int:
        owner = function.record or split_owner(function.qualified)[0]
        arguments_of_owner = arguments_in(owner)
        if not function.record and function.template is not None:  # `template <class T> void Foo<T>::run()`
            arguments_of_owner = arguments_of_owner if not function.template.child_by_field_name("parameters") else ()
        base = bare_name(owner)
        if arguments and base not in chosen:
            chosen[base] = record_named(parsed, base, written, value)
        if not arguments_of_owner or same_arguments(arguments_of_owner, arguments):
            return 1 if not arguments_of_owner else 0
        if base not in chosen:
            chosen[base] = record_named(parsed, base, written, value)
        record = chosen[base]
        name = record.node.child_by_field_name("name") if record is not None else None
        return 0 if name is not None and arguments_in(parsed.text(name)) == arguments_of_owner else 2

    ranked = sorted(((rank(function), function) for function in functions), key=_FIRST)
    special = any(_is_special(parsed, record) for record in chosen.values())
    return [function for place, function in ranked if place == 0 or not special]


def _is_special(parsed: ParsedFile, record: RecordNode | None) -> bool:
    """True for a specialisation, whose name has arguments."""
    name = record.node.child_by_field_name("name") if record is not None else None
    return name is not None and bool(arguments_in(parsed.text(name)))


def for_arguments(functions: Iterable[FunctionNode], arguments: Sequence[str], value: Values) -> FunctionNode | None:
    """The explicit specialisation for these arguments, which may be written by name or by value: `Order::ROW`, `0`."""
    special = [(own, function) for function in functions if (own := explicit_arguments(function))]
    for own, function in special:
        if same_arguments(own, arguments):
            return function
    if not all(arguments):
        return None
    meant = tuple(_by_value(text, value) for text in arguments)
    return next((function for own, function in special if tuple(_by_value(text, value) for text in own) == meant), None)


def _by_value(text: str, value: Values) -> object:
    plain = _plain(text)
    number = value(text) if isinstance(plain, str) else None
    return plain if number is None else number
