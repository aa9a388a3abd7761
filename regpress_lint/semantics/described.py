"""A type as libclang knows it, in plain data: name, size, element, extents, fields. Runs in the child process only."""

from __future__ import annotations

import os
import re
from typing import Any

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from regpress_lint.core.patterns import pattern
from regpress_lint.semantics.arguments import SHIMS

_MAX_FIELDS = 256
_MAX_NESTING = 8
_SIGNED = range(TypeKind.CHAR_S.value, TypeKind.INT128.value + 1)
_HALVES = (32, 39)  # `_Float16` and `__bf16`, which the binding of libclang 18 does not know: asking for it raises
_VECTORS = frozenset((TypeKind.VECTOR, getattr(TypeKind, "EXTVECTOR", TypeKind.VECTOR)))

_UNSIZED = "regpress:unsized"
_LAMBDA = pattern(r"\(lambda at |\(anonymous class")
_UNNAMED = pattern(r"\((?:unnamed|anonymous)[^()]*\)")

Json = dict[str, Any]


def _kind_of(number: int) -> TypeKind:
    try:
        return TypeKind.from_id(number)
    except ValueError:
        return TypeKind(number)  # known from here on


_FLOATING = frozenset(
    (TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.HALF, TypeKind.FLOAT128, *map(_kind_of, _HALVES))
)


def invalid(cursor: cindex.Cursor) -> bool:
    """True for a declaration with an error in it. `translation.make_index` gives the function its types."""
    return bool(cindex.conf.lib.clang_isInvalidDeclaration(cursor))


def meant(type_: cindex.Type) -> Json | None:
    """A type with the extents of its array and its fields, or None if its size is not known for sure."""
    extents: list[int] = []
    element = type_
    while element.get_canonical().kind is TypeKind.CONSTANTARRAY:
        extents.append(element.get_canonical().element_count)
        element = _element(element)
    described = _described(element)
    if described is None:
        return None
    return {"type": described, "extents": extents, "fields": _fields(element.get_canonical())}


def _element(array: cindex.Type) -> cindex.Type:
    """Type of an array's elements, as it is written where an alias does not hide it."""
    return array.element_type if array.kind is TypeKind.CONSTANTARRAY else array.get_canonical().element_type


def _described(written: cindex.Type) -> Json | None:
    """A scalar, vector, pointer or record; None for a type without a known size."""
    type_ = written.get_canonical()
    reference = type_.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
    if reference:
        type_ = type_.get_pointee().get_canonical()
    pointers = 0
    core = type_
    while core.kind is TypeKind.POINTER and pointers < _MAX_NESTING:
        core = core.get_pointee().get_canonical()
        pointers += 1
    # libclang's answer is a negative error for what is incomplete or depends on a template's argument.
    size = max(core.get_size(), 0) if pointers == 0 or core.kind is not TypeKind.VOID else 0
    if size <= 0 and not pointers:
        return None
    if _LAMBDA.match(core.spelling) or not _trusted(core, 0):
        if not pointers:
            return None
        size = 0
    vector = core.kind in _VECTORS
    scalar = core.element_type.get_canonical() if vector else core
    if scalar.kind is TypeKind.ENUM:
        scalar = scalar.get_declaration().enum_type.get_canonical()
    return {
        "name": _plain(written.spelling),
        "canonical": _plain(core.spelling),
        "size": size,
        "pointers": pointers,
        "reference": reference,
        "const": type_.is_const_qualified(),
        "pointee_const": bool(pointers) and core.is_const_qualified(),
        "lanes": core.element_count if vector else 1,
        "record": scalar.kind is TypeKind.RECORD,
        "floating": scalar.kind in _FLOATING,
        "signed": scalar.kind.value in _SIGNED or scalar.kind in _FLOATING,
    }


def _plain(spelling: str) -> str:
    """A type's name without qualifiers and what makes a pointer of it."""
    spelling = re.sub(r"\b(?:const|volatile|struct|class|enum|union)\b", "", spelling)
    return _UNNAMED.sub("struct", spelling).strip(" *&")


def _trusted(type_: cindex.Type, depth: int) -> bool:
    """False for a type whose size is made up: after an error clang goes on with an `int`, or a record of one byte, and
    a class without members in one of our headers is a handle of which we do not know what is in it.
    """
    type_ = type_.get_canonical()
    while type_.kind is TypeKind.CONSTANTARRAY:
        type_ = type_.element_type.get_canonical()
    if type_.kind is not TypeKind.RECORD:
        return True
    declaration = type_.get_declaration()
    if invalid(declaration) or depth > _MAX_NESTING or _is_unsized(declaration):
        return False
    members = [
        c for c in declaration.get_children() if c.kind in (CursorKind.FIELD_DECL, CursorKind.CXX_BASE_SPECIFIER)
    ]
    if not members and _is_ours(declaration):
        return False
    return not any(
        (member.kind is CursorKind.FIELD_DECL and invalid(member)) or not _trusted(member.type, depth + 1)
        for member in members
    )


def _is_unsized(declaration: cindex.Cursor) -> bool:
    """True for a class of our headers that says of itself that its size is not the real one's."""
    if not _is_ours(declaration):
        return False
    template = cindex.conf.lib.clang_getSpecializedCursorTemplate(declaration)
    return any(
        child.kind is CursorKind.ANNOTATE_ATTR and child.spelling == _UNSIZED
        for cursor in (declaration, template)
        if cursor is not None
        for child in cursor.get_children()
    )


def _is_ours(declaration: cindex.Cursor) -> bool:
    file = declaration.location.file
    return file is not None and bool(file.name.startswith(SHIMS + os.sep))


def _fields(type_: cindex.Type) -> list[list[Any]]:
    """Name and type of each field of a record that has a size, those of its bases included."""
    if type_.kind is not TypeKind.RECORD:
        return []
    found: list[list[Any]] = []
    for child in type_.get_declaration().get_children():
        if child.kind is CursorKind.CXX_BASE_SPECIFIER:
            found += _fields(child.type.get_canonical())
    for field in type_.get_fields():
        element = field.type
        decayed = element.get_canonical().kind is TypeKind.CONSTANTARRAY
        while element.get_canonical().kind is TypeKind.CONSTANTARRAY:
            element = _element(element)
        described = _described(element)
        if described is not None and field.spelling:
            found.append([field.spelling, described, decayed])
    return found[:_MAX_FIELDS]
