"""One translation unit in libclang, and answers about positions and texts in it. Runs in the child process only.

A type as libclang knows it, in plain data: name, size, element, extents, fields. Runs in the child process only.
"""

from __future__ import annotations

import ctypes
import os
import re
from os import path as os_path
from typing import TYPE_CHECKING, Any

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import list_start
from regpress_lint.semantics.arguments import SHIMS

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    fields: list[list[Any]] = []
    for child in type_.get_declaration().get_children():
        if child.kind is CursorKind.CXX_BASE_SPECIFIER:
            fields += _fields(child.type.get_canonical())
    for field in type_.get_fields():
        element = field.type
        decayed = element.get_canonical().kind is TypeKind.CONSTANTARRAY
        while element.get_canonical().kind is TypeKind.CONSTANTARRAY:
            element = _element(element)
        if (described := _described(element)) is not None and field.spelling:
            fields.append([field.spelling, described, decayed])
    return fields[:_MAX_FIELDS]


_KEEP_GOING, _SKIP_BODIES, _PREAMBLE = 0x200, 0x40, 0x104  # CXTranslationUnit_Flags; a preamble from the first parse on
_IN_MEMORY = 4  # of CXIndexOptions: a preamble is not written to disk
_PROBE = "regpress_probe_"
_MAX_TEXT = 400
_FEW_PROBES = 8
# A probe is one expression or type on one line: nothing that could end it early and begin something else.
_NO_PROBE = pattern(r"[;{}#\\\n\r`@]|//|/\*")
_NOT_FOUND = pattern(r"'([^']+)' file not found")
_LAST_WORD = pattern(r"([A-Za-z_]\w*)\s*$")
_TYPES = (
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.UNION_DECL,
    CursorKind.ENUM_DECL,
    CursorKind.TYPEDEF_DECL,
    CursorKind.TYPE_ALIAS_DECL,
)
_TEMPLATES = (CursorKind.CLASS_TEMPLATE, CursorKind.TYPE_ALIAS_TEMPLATE_DECL)
_FUNCTIONS = (
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CONSTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
)


class _Options(ctypes.Structure):
    """CXIndexOptions of libclang 17 and later."""

    _fields_ = (
        ("size", ctypes.c_uint),
        ("background_indexing", ctypes.c_ubyte),
        ("background_editing", ctypes.c_ubyte),
        ("bits", ctypes.c_uint16),
        ("preamble_path", ctypes.c_char_p),
        ("invocation_path", ctypes.c_char_p),
    )


def _declare(library: Any) -> None:
    """Types of the functions that the Python binding leaves out."""
    signatures = (
        ("clang_Cursor_Evaluate", [cindex.Cursor], ctypes.c_void_p),
        ("clang_EvalResult_getKind", [ctypes.c_void_p], ctypes.c_int),
        ("clang_EvalResult_getAsLongLong", [ctypes.c_void_p], ctypes.c_longlong),
        ("clang_EvalResult_getAsUnsigned", [ctypes.c_void_p], ctypes.c_ulonglong),
        ("clang_EvalResult_isUnsignedInt", [ctypes.c_void_p], ctypes.c_uint),
        ("clang_EvalResult_getAsDouble", [ctypes.c_void_p], ctypes.c_double),
        ("clang_EvalResult_dispose", [ctypes.c_void_p], None),
        ("clang_isInvalidDeclaration", [cindex.Cursor], ctypes.c_uint),
        ("clang_createIndexWithOptions", [ctypes.c_void_p], cindex.c_object_p),
    )
    for name, arguments, result in signatures:
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, result


def make_index() -> cindex.Index:
    """A libclang index that writes nothing to disk; loads the library, which must happen before it is confined."""
    library = cindex.conf.lib
    _declare(library)
    options = _Options(size=ctypes.sizeof(_Options), bits=_IN_MEMORY)
    handle = library.clang_createIndexWithOptions(ctypes.byref(options))
    return cindex.Index(handle) if handle else cindex.Index.create()


class Translation:
    """A file and its includes, parsed with the first question. The file that libclang compiles is a probe's, which
    has this one as its only include: so this one is parsed once, into the preamble, and each probe costs a few lines.

    probe_path: a file that exists, or libclang keeps no preamble of it; nothing is written to it.
    """

    def __init__(self, index: cindex.Index, path: str, data: bytes, arguments: list[str], probe_path: str) -> None:
        self._index, self._path, self._arguments = index, path, arguments
        self._probe_path = probe_path
        self._include = f'#include "{path}"\n'
        self._data = data
        self._whole: cindex.TranslationUnit | None = None
        self._bare: cindex.TranslationUnit | None = None  # without the bodies of functions
        self._probes = 0
        self._tried = False
        self._answers: dict[tuple[str, str, tuple[str, ...]], Json | None] = {}
        self._namespaces: dict[str, list[tuple[int, int, tuple[str, ...]]]] = {}
        self._missing: list[str] | None = None

    # ------------------------------------------------------------------------------------------------- questions

    def type_named(self, text: str, path: str, offset: int, exact: bool) -> Json | None:
        """The type that a text means at a place."""
        cursor = self._reference(text, path, offset) if exact else None
        if cursor is None:
            # The tree cannot tell `clamp(x)` from `real_t(x)`.
            called = self._at(path, offset) if exact else None
            return None if called is not None and _names(called, text) else self._probe("type", text, path, offset)
        # What a function declares means something else in the next one, and the answer counts for the whole file.
        if cursor.kind not in _TYPES or _is_local(cursor):
            return None
        # An alias of a class template that nobody needed so far has no size before a probe needs it.
        return meant(cursor.type) or self._probe("type", text, path, offset)

    def type_declared(self, name: str, path: str, offset: int) -> Json | None:
        """The type of the variable whose name stands at a place."""
        cursor = self._at(path, offset)
        while cursor is not None and cursor.kind is CursorKind.DECL_STMT:
            cursor = next((child for child in cursor.get_children() if child.spelling == name), None)
        if cursor is None or cursor.spelling != name or not cursor.kind.is_declaration() or invalid(cursor):
            return None
        return meant(cursor.type)

    def value(self, text: str, path: str, offset: int, exact: bool) -> Json | None:
        """The value of a constant expression at a place."""
        cursor = self._reference(text, path, offset) if exact else None
        if cursor is None:
            return self._probe("value", text, path, offset)
        if cursor.kind is CursorKind.ENUM_CONSTANT_DECL:
            return {"value": cursor.enum_value}
        if cursor.kind is not CursorKind.VAR_DECL or _is_local(cursor) or invalid(cursor):
            return None
        # The initialiser of a variable that may change is no value.
        value = _evaluated(cursor) if cursor.type.is_const_qualified() else None
        return {"value": value} if value is not None else None

    def definition(self, name: str, path: str, offset: int) -> Json | None:
        """The function whose name stands at a place."""
        reference = self._reference(name, path, offset)
        if reference is None or reference.kind not in _FUNCTIONS:
            return None
        defined = reference.get_definition()
        cursor = defined or cindex.conf.lib.clang_getSpecializedCursorTemplate(reference) or reference
        if defined is None and (template := cursor.get_definition()) is not None:
            cursor = defined = template
        place = cursor.location
        if place.file is None:
            return None
        return {
            "path": place.file.name,
            "offset": place.offset,
            "defined": defined is not None,
            "virtual": bool(reference.kind is CursorKind.CXX_METHOD and reference.is_virtual_method()),
            "noinline": _noinline(cursor) or _noinline(reference),
        }

    @property
    def missing(self) -> list[str]:
        """Headers that were not found, as they are written."""
        if self._missing is None:
            matches = (_NOT_FOUND.match(diagnostic.spelling) for diagnostic in self._parsed().diagnostics)
            self._missing = sorted({match[1] for match in matches if match is not None})
        return self._missing

    # ------------------------------------------------------------------------------------------------- positions

    def _parsed(self) -> cindex.TranslationUnit:
        if self._whole is None:
            if self._tried:
                raise cindex.TranslationUnitLoadError("libclang cannot parse it")
            self._tried = True  # what made libclang crash once does so again
            self._whole = self._index.parse(self._probe_path, self._arguments, self._files(""), _KEEP_GOING | _PREAMBLE)
        return self._whole

    def _files(self, probe: str) -> list[tuple[str, bytes]]:
        return [(self._probe_path, (self._include + probe).encode()), (self._path, self._data)]

    def _at(self, path: str, offset: int) -> cindex.Cursor | None:
        return _at(self._parsed(), path, offset)

    def _reference(self, text: str, path: str, offset: int) -> cindex.Cursor | None:
        """The declaration that the last name of a text at a place refers to; None if the place has another text."""
        match = _LAST_WORD.search(_without_arguments(text))
        if match is None:
            return None
        cursor = self._at(path, offset + len(text[: match.start(1)].encode()))
        if cursor is None or cursor.kind.is_declaration():
            return None
        referenced = cursor.referenced
        if referenced is None or referenced.spelling != match[1]:
            return None
        return None if referenced.kind in _TEMPLATES else referenced  # of a template its arguments count, too

    def _scope_of(self, path: str, offset: int) -> tuple[str, ...]:
        """Names of the namespaces around a place, outermost first; "" for one without a name."""
        if path not in self._namespaces:
            self._namespaces[path] = list(_namespaces(self._parsed().cursor, path, ()))
        around = [names for start, end, names in self._namespaces[path] if start <= offset < end]
        return max(around, key=len, default=())

    # ---------------------------------------------------------------------------------------------------- probes

    def _probe(self, kind: str, text: str, path: str, offset: int) -> Json | None:
        """Answer by a declaration after the end of the file, in the namespace of a place."""
        if len(text) > _MAX_TEXT or _NO_PROBE.search(text) or not _balanced(text):
            return None
        scope = self._scope_of(path, offset)
        key = (kind, text, scope)
        if key not in self._answers:
            answer = self._asked(kind, text, scope)
            self._answers[key] = answer if answer is not None or not scope else self._asked(kind, text, ())
        return self._answers[key]

    def _asked(self, kind: str, text: str, scope: tuple[str, ...]) -> Json | None:
        before = "".join(f"namespace {name} {{ " for name in scope)
        if kind == "type":  # a class template has a size once it was needed
            before += f"constexpr decltype(sizeof(0)) {_PROBE}size = sizeof({text}); using "
            after = f" = {text};"
        else:
            before += "constexpr auto "
            after = f" = ({text});"
        unit = self._probed(f"{before}{_PROBE}{after}{' }' * len(scope)}\n")
        cursor = _at(unit, self._probe_path, len((self._include + before).encode()))
        if cursor is None or cursor.spelling != _PROBE or invalid(cursor):
            return None
        if kind == "type":
            return meant(cursor.underlying_typedef_type)
        value = _evaluated(cursor)
        return {"value": value} if value is not None else None

    def _probed(self, probe: str) -> cindex.TranslationUnit:
        """The translation unit with a probe behind the file. After a few of them a parse without the bodies of
        functions pays: then a probe takes a fifth of the time.
        """
        self._probes += 1
        if self._bare is None and self._probes <= _FEW_PROBES:
            unit = self._parsed()
            unit.reparse(self._files(probe), _KEEP_GOING | _PREAMBLE)
            return unit
        flags = _KEEP_GOING | _PREAMBLE | _SKIP_BODIES
        if self._bare is None:
            self._parsed()  # raises where that made libclang crash: this parse would do so with each question
            self._bare = self._index.parse(self._probe_path, self._arguments, self._files(probe), flags)
        else:
            self._bare.reparse(self._files(probe), flags)
        return self._bare


def _at(unit: cindex.TranslationUnit, path: str, offset: int) -> cindex.Cursor | None:
    try:
        file = unit.get_file(path)
    except (cindex.LibclangError, AssertionError):  # which of them depends on the binding's version
        return None
    cursor: cindex.Cursor | None = cindex.Cursor.from_location(
        unit, cindex.SourceLocation.from_offset(unit, file, offset)
    )
    return cursor


def _names(cursor: cindex.Cursor, text: str) -> bool:
    """True for an expression that is just this name, a function's."""
    is_expression = cursor.kind.is_expression() or cursor.kind is CursorKind.OVERLOADED_DECL_REF
    return is_expression and bool(cursor.spelling == text)


def _without_arguments(text: str) -> str:
    """`Vec` of `Vec<float, 4>`, all of `Traits<T>::n`."""
    start = list_start(text, len(text)) if text.endswith(">") else -1
    return text[:start] if start >= 0 else text


def _is_local(cursor: cindex.Cursor) -> bool:
    parent = cursor.semantic_parent
    return parent is not None and parent.kind in _FUNCTIONS


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("[") == text.count("]") and bool(text.strip())


def _namespaces(cursor: cindex.Cursor, path: str, names: tuple[str, ...]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Extent and names, outermost first, of each namespace in a file."""
    for child in cursor.get_children():
        if child.kind is CursorKind.NAMESPACE:
            inside = (*names, "" if child.is_anonymous() else child.spelling)
            extent = child.extent
            if extent.start.file is not None and _same_file(extent.start.file.name, path):
                yield extent.start.offset, extent.end.offset, inside
                yield from _namespaces(child, path, inside)


def _same_file(path: str, other: str) -> bool:
    return path == other or (os_path.basename(path) == os_path.basename(other) and os_path.samefile(path, other))


def _noinline(cursor: cindex.Cursor) -> bool:
    """True for a function with an attribute or macro that is spelled so before its name."""
    return any(
        "noinline" in token.spelling
        for child in cursor.get_children()
        if child.kind is CursorKind.UNEXPOSED_ATTR or child.kind.is_attribute()
        for token in child.get_tokens()
    )


def _evaluated(cursor: cindex.Cursor) -> int | float | None:
    library = cindex.conf.lib
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        kind = library.clang_EvalResult_getKind(result)
        if kind == 1:
            unsigned = library.clang_EvalResult_isUnsignedInt(result)
            read = library.clang_EvalResult_getAsUnsigned if unsigned else library.clang_EvalResult_getAsLongLong
            return int(read(result))
        return float(library.clang_EvalResult_getAsDouble(result)) if kind == 2 else None
    finally:
        library.clang_EvalResult_dispose(result)
