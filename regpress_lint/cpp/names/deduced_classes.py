"""The arguments of a class template that an object's initialisers say: `Pair{x, 3}` is a `Pair<float, int>`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import bare_name, split_template_arguments
from regpress_lint.cpp.names.class_templates import members_of
from regpress_lint.cpp.names.host_types import argument_meant
from regpress_lint.cpp.names.templates import substituted, template_parameters
from regpress_lint.cpp.parse import children_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.names.definition_nodes import RecordNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope

# What is taken, and the arguments for it in terms of parameters.
_Form = tuple[tuple[str, ...], tuple[str, ...]]
_COUNT = pattern(r"sizeof\s*\.\.\.\s*\(\s*\w+\s*\)")
_TAKEN = pattern(r"(?P<base>(?:unsigned\s+|long\s+)?[\w:]+(?:\s*<.*>)?)\s*(?P<stars>[\s*]*)\w*")
_IGNORED = pattern(r"\b(?:const|volatile|typename)\b|&")
_WORD = pattern(r"[A-Za-z_]\w*")


def is_class_template(scope: Scope, name: str) -> bool:
    """Whether a name without arguments is that of a class template."""
    definition = scope.record(name) if "<" not in name else None
    return definition is not None and definition[1].template is not None


def deduced_arguments(scope: Scope, name: str, types: Sequence[str]) -> tuple[str, ...]:
    """The arguments of a class template for initialisers of these types: by a deduction guide, a constructor, or the
    members of a class without one. Nothing for a class that is no template, and where a parameter stays open.
    """
    definition = scope.record(name)
    if definition is None or definition[1].template is None or not types:
        return ()
    parsed, record = definition
    parameters = template_parameters(parsed, record.template, 0)
    names = tuple(f"{parameter.name}..." if parameter.is_pack else parameter.name for parameter in parameters)
    defaults = {parameter.name: parameter.default for parameter in parameters if parameter.default is not None}
    for taken, meant in (*_guides(parsed, record), *_forms(scope, parsed, record, names)):
        bound = _bound(taken, types)
        if bound is None:
            continue
        texts = [substituted(_COUNT.sub(bound.get("sizeof...", "0"), text), bound) for text in meant]
        texts = [defaults.get(text, text) for text in texts if text]
        words = {parameter.name for parameter in parameters}
        if texts and not any(words.intersection(_WORD.findall(text)) for text in texts):
            values = [scope.value_of_text(text) if "+" in text else None for text in texts]
            return tuple(text if value is None else str(value) for text, value in zip(texts, values, strict=True))
    return ()


def _guides(parsed: ParsedFile, record: RecordNode) -> Iterator[_Form]:
    """`template <class T> Box(T, int) -> Box<T>;`."""
    form = rb"\b%b\s*\(([^(){};]*)\)\s*->\s*%b\s*<([^{};]*)>\s*;" % (2 * (record.name.encode(),))
    for match in re.finditer(form, parsed.source.data):
        taken, meant = (text.decode(errors="replace") for text in match.groups())
        yield split_template_arguments(f"{taken}>"), split_template_arguments(f"{meant}>")


def _forms(scope: Scope, parsed: ParsedFile, record: RecordNode, names: tuple[str, ...]) -> Iterator[_Form]:
    """Parameter types of the constructors, or member types of a class without constructors."""
    constructors = [
        member_function
        for member_function in parsed.functions_by_name.get(record.name, ())
        if bare_name(member_function.record) == record.name
    ]
    for constructor in constructors:
        nodes = children_of(constructor.declarator, "parameters")
        yield tuple(parsed.text(node, constructor.parse_index) for node in nodes), names
    if not constructors:
        fields = [member for member in members_of(scope, parsed, record.node) if member.type == "field_declaration"]
        texts = [
            parsed.text(type_)
            for field in fields
            if (type_ := field.child_by_field_name("type")) is not None
            for declarator in field.children_by_field_name("declarator")
            if declarator.type in ("field_identifier", "pointer_declarator")
        ]
        yield tuple(texts), names


def _bound(taken: Sequence[str], types: Sequence[str]) -> dict[str, str] | None:
    """Meanings of the words in the parameter types; None where the number of arguments does not fit."""
    pack = taken[-1].partition("...")[0].strip(" &") if taken and "..." in taken[-1] else ""
    if len(taken) != len(types) and not (pack and len(types) >= len(taken) - 1):
        return None
    bound: dict[str, str] = {}
    for text, type_ in zip(taken[: len(taken) - bool(pack)], types, strict=False):
        shape = _TAKEN.fullmatch(_IGNORED.sub(" ", text.partition("=")[0]).strip())
        base, stars = type_.rstrip("*"), len(type_) - len(type_.rstrip("*"))
        if shape is None or (pointers := stars - shape["stars"].count("*")) < 0:
            continue
        for word in dict.fromkeys(_WORD.findall(shape["base"])):
            if (meant := argument_meant(shape["base"], word, base + "*" * pointers)) is not None:
                bound.setdefault(word, meant)
    if pack:
        rest_of = types[len(taken) - 1 :]
        bound |= {f"{pack}...": ", ".join(rest_of), "sizeof...": str(len(rest_of))}
    return bound
