"""The first tier: what the trees of a file and of its project headers say themselves. It knows names, not places."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import takewhile
from operator import attrgetter
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.answers import Answer, Meant, Place
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.lower.declared_types import (
    MARK,
    Declarator,
    lower_type_node,
    lower_type_text,
    product,
    unwind,
    vector_type,
)
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, arguments_in, is_in_class, split_owner, two_last
from regpress_lint.cpp.names.definitions import (
    SCOPED_PREFIX,
    bound_environment,
    compiled_alias,
    declared_constant,
    entries_of,
    macro_constant,
    shaped_alias,
    unowned,
)
from regpress_lint.cpp.names.host_types import LAMBDA, lambda_type
from regpress_lint.cpp.names.name_index import TYPE, VALUE
from regpress_lint.cpp.names.templates import alias_arguments, record_named, with_defaults
from regpress_lint.cpp.names.type_traits import trait_type, trait_value
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import (
    FUNCTION,
    FUNCTION_POINTER,
    OF_A_LIBRARY,
    VIEW_BYTES,
    builtin_type,
    opencl_type,
    pointer_to,
    view_member,
    view_shape,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope


_MEMBER = pattern(r"::\w+$")
_ARITHMETIC = pattern(r"[\w\s:()]++(?:[-+*/%]|<<|>>)(?:[-+*/%\w\s:()]|<<|>>)*(?<=[\w)])")
_OF_NUMBERS = pattern(r"(?:\w+::)*(?:vec|marray|HIP_vector_type|fragment|joint_matrix|complex)\s*<")
_ELEMENT = pattern(r"[A-Za-z_][^.]*+(?:\.\d++)++")
_EXTENTS = pattern(r"([^\[\]]+)((?:\[[^\[\]]*\])+)$")
_ARRAY = "array_declarator"
_RECORDS = ("struct_specifier", "union_specifier", "class_specifier")
_START = attrgetter("start")  # of a masked item
_OPENCL_LANES = 8  # of vectors that CUDA and HIP have no names for


class SyntacticSemantics:
    """Answers out of the trees that a view has; a header's also out of those of the files that include it.

    A view makes one for each question: kept, the two would hold each other and the trees until the collector comes by.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def type_named(self, text: str, _place: Place) -> Answer[Meant] | None:
        """See `Semantics`. A record of unknown size is also an answer, with a size of None."""
        type_ = self._type(text)
        return Answer(Meant(type_)) if type_ is not None else None

    def value(self, text: str, _place: Place) -> Answer[Number] | None:
        """See `Semantics`: of a macro, a constant, an enumerator, a static member of a class template or a member of a
        constant object.
        """
        scope = self._scope
        if "." in text and not text[-1].isdigit():
            from regpress_lint.cpp.names.constant_objects import object_member

            member = object_member(scope, text)
            return Answer(member) if member is not None else None
        if _ELEMENT.fullmatch(text) is not None:
            from regpress_lint.cpp.names.constant_objects import table_element

            element = table_element(scope, text)
            return Answer(element) if element is not None else None
        value = macro_constant(scope, text)
        if value is None and (body := scope.predefined_macro(text)) is not None:
            value = scope.value_of_text(body)
        if value is None:
            value = self._of_template(text) if "<" in text else self._declared_constant(text)
        if value is None and "::" in text:
            value = self._member_of_alias(text)
            value = self._in_renamed_namespace(text) if value is None else value
            value = self._inherited(text) if value is None else value
        owner = text.rpartition("::")[0]
        if value is None and (IDENTIFIER.match(text) or (owner and scope.record(owner) is not None)):
            # A header sees what the file that includes it defined before; all including files must agree.
            values = {includer.constant(text) for includer in scope.includer_scopes()} - {None}
            value = values.pop() if len(values) == 1 else None
        if value is None:
            from regpress_lint.targets.builtins import STANDARD_CONSTANTS

            value = STANDARD_CONSTANTS.get(text)
        return Answer(value) if value is not None else None

    def _type(self, name: str) -> Type | None:
        scope = self._scope
        if name.endswith("]"):
            return self._array(name)
        if scope.language == "opencl" and (vector := opencl_type(name)) is not None:
            return vector
        if name.startswith(("fragment<", "wmma::fragment<")) and b"rocwmma" in scope.parsed.source.data:
            name = f"rocwmma::{name.removeprefix('wmma::')}"
        type_ = lambda_type(name) if name.startswith(LAMBDA) else builtin_type(name) or layer_type(scope, name)
        if type_ is None and _OF_NUMBERS.match(name) is not None:
            type_ = self._of_numbers(name)
        if type_ is None:
            type_ = (trait_type(scope, name) if "<" in name else None) or self._declared_type(name)
            if type_ is None and scope.language == "sycl" and "::" not in name:  # `id<2>`
                type_ = builtin_type("sycl::" + name)
        elif type_.lanes == 3 and scope.language == "sycl" and "::" not in name:
            # `using namespace sycl` (three lanes take the room of four), or a type of a ported file's own.
            type_ = self._declared_type(name) or builtin_type("sycl::" + name)
        elif type_.lanes >= _OPENCL_LANES and "::" not in name:  # `typedef unsigned char uint8;` is no eight integers
            type_ = (
                self._declared_type(name)
                or (builtin_type(f"{name}_t") if scope.language not in ("sycl", "opencl") else None)
                or type_
            )
        if type_ is None and ("::" not in name or scope.record(name) is not None):
            others = (includer.type_of(name) for includer in scope.includer_scopes())
            type_ = next((type_ for type_ in others if type_ is not None), None)
        return type_ if type_ is not None else layer_alias(scope, name)

    def _array(self, name: str) -> Type | None:
        """The type that `float[8][4]` is, an argument of a template or what an alias stands for."""
        array = _EXTENTS.match(name)
        element = lower_type_text(self._scope.context_for_text(self._scope.parsed, 0), array[1]) if array else None
        if array is None or element is None or element.size is None:
            return None
        sizes = [self._scope.value_of_text(size) for size in array[2].strip("[] ").split("][")]
        extents = tuple(size for size in sizes if isinstance(size, int) and size > 0)
        return element._replace(extents=(*extents, *element.extents)) if len(extents) == len(sizes) else None

    def _of_numbers(self, name: str) -> Type | None:
        """`vec<real, N>` and its like with what the file says that `real` and `N` are; None where that is not known."""
        written = arguments_in(name)
        meant = [self._folded(argument) for argument in written]
        for at, argument in enumerate(meant):
            if argument == written[at] and IDENTIFIER.match(argument) and builtin_type(argument) is None:
                value = self._scope.value_of_text(argument)
                meant[at] = argument if value is None else str(value)
        return builtin_type(f"{name.partition('<')[0]}<{', '.join(meant)}>") if meant != list(written) else None

    def _declared_type(self, name: str) -> Type | None:
        scope = self._scope
        plain = name.removeprefix("typename ").removeprefix("struct ").strip()
        owner, member = split_owner(plain)
        if owner and "<" not in member and (member_type := self._member(owner, member)) is not None:
            return member_type[0]
        if owner:
            plain = member  # of a namespace: names are looked up by their last part
        base, _, arguments = plain.partition("<")
        base = base.strip()
        if not IDENTIFIER.match(base):
            return None
        body = scope.macro(base)
        if body is not None and not arguments and body != base and (type_ := self._macro_type(body)) is not None:
            return type_
        of_class: tuple[ParsedFile, Node] | None = None
        for parsed in scope.headers.saying(base, TYPE):
            if (pointer := parsed.function_aliases.get(base)) is not None:
                return FUNCTION_POINTER if pointer else Type(FUNCTION)
            target = compiled_alias(scope, parsed, base)
            if target is not None and target.type not in _RECORDS and not _brings(parsed.text(target), base):
                if not is_in_class(target):
                    return self._alias_type(parsed, target, base, plain)
                of_class = of_class or (parsed, target)  # `size_type` of some container
            if (shape := shaped_alias(scope, parsed, base)) is not None and shape.parent is not None:
                return self._shaped(parsed, shape.parent, shape, base)
            if (record_type := self._record_type(parsed, base, plain)) is not None:
                return record_type
            if (underlying := parsed.enums.get(base)) is not None:
                scalar = builtin_type(underlying)
                return scalar._replace(name=base) if scalar is not None else Type(base)
        return self._alias_type(*of_class, base, plain) if of_class is not None else None

    def _member(self, owner: str, member: str) -> tuple[Type | None] | None:
        """The type that is a class's member or that its member has; None if the class has no such member."""
        from regpress_lint.cpp.names.class_templates import nested_class
        from regpress_lint.cpp.names.records import agreed_member, member_type

        scope = self._scope
        if owner.endswith(">"):  # `Traits<real>::type`: a specialisation for float is meant
            owner = f"{owner.partition('<')[0]}<{', '.join(map(self._folded, arguments_in(owner)))}>"
        if (field_type := member_type(scope, owner, member)) is not None:
            return (field_type,)
        if "<" in owner and (agreed := agreed_member(scope, owner, member)) is not None:
            return agreed
        inner = nested_class(scope, owner, member) if "<" in owner else None
        return (scope.type_of(inner),) if inner is not None else None

    def _alias_type(self, parsed: ParsedFile, target: Node, base: str, plain: str) -> Type | None:
        """The type that a `typedef` or `using` of a file gives the name `base`, with its template's arguments in
        `plain`.
        """
        if target.type == "enum_specifier":
            return Type(base, 4)
        bound = alias_arguments(parsed, target, plain) if plain != base else {}
        if (shape := target.child_by_field_name("declarator")) is not None and _ARRAY in shape.type:
            return self._shaped(parsed, target, shape, base, bound)  # `using row = float[8];`
        if parsed.text(target) == base:
            return None
        vector = self._vector(parsed, target, bound)
        return vector or lower_type_node(self._scope.context_for_text(parsed, 0, bound), target)

    def _vector(self, parsed: ParsedFile, target: Node, bound: Mapping[str, str]) -> Type | None:
        """The vector type of clang or GCC that a `typedef` or `using` names by an attribute, also one in terms of
        template parameters, which are `bound` to arguments.
        """
        scope, definition = self._scope, target.parent
        if definition is None:
            return None
        text = parsed.source.data[definition.start_byte : definition.end_byte].decode(errors="replace")
        text += _behind_macros(parsed, definition)
        if MARK not in text:
            return None
        element = lower_type_node(scope.context_for_text(parsed, 0, bound), target)
        if element.name in bound:
            element = scope.type_of(bound[element.name]) or element

        def value(written: str) -> Number | None:
            meant = bound.get(written, written)
            number = product(meant, scope.type_of)
            return number if number is not None else scope.value_of_text(meant)

        return vector_type(element, text, value)

    def _shaped(
        self, parsed: ParsedFile, definition: Node, shape: Node, base: str, bound: Mapping[str, str] | None = None
    ) -> Type | None:
        """The type behind a `typedef` or `using` of an array or a pointer, also to a class without a name; None for
        pointers to arrays, and where an extent is not known.
        """
        scope, target, declarator = self._scope, definition.child_by_field_name("type"), Declarator()
        ctx = scope.context_for_text(parsed, 0, bound)
        unwind(ctx, shape, declarator)
        if target is None or declarator.rows:
            return None
        env = bound_environment(scope, bound) if bound else scope.environment
        sizes = [evaluate_int(lower_expression(ctx, dim), env) if dim else None for dim in declarator.dims]
        element = self._record_type(parsed, base, base) or lower_type_node(ctx, target)  # of `struct { ... } *p`
        if element.size is None or not all(sizes):
            return None
        if declarator.pointers:
            element = pointer_to(element._replace(extents=()), declarator.pointers)
        return element._replace(extents=(*(size for size in sizes if size), *element.extents))

    def _macro_type(self, body: str) -> Type | None:
        words = body.replace("*", " ").split()
        if not words or len(words) > 4 or not all(IDENTIFIER.match(word.replace("::", "_")) for word in words):
            return None
        return self._scope.type_of(" ".join(words)) if "*" not in body else None

    def _record_type(self, parsed: ParsedFile, base: str, plain: str) -> Type | None:
        """The type of a class of the file, with its template's arguments in `plain`."""
        if base not in parsed.records and base not in parsed.specialised:
            return None
        from regpress_lint.cpp.names.records import record_type

        plain = with_defaults(parsed, base, plain)
        arguments = tuple(map(self._folded, arguments_in(plain)))
        written = f"{base}<{', '.join(arguments)}>" if plain.endswith(">") else base
        record = record_named(parsed, base, written, self._scope.value_of_text)
        if record is None:
            return None
        # An anonymous struct is known by its typedef's name: its members are looked up by it.
        type_ = record_type(self._scope, parsed, record, arguments)
        return type_._replace(name=written if record.name else base)

    def _folded(self, argument: str) -> str:
        """An argument's value where it is arithmetic, `3 - 1`: a specialisation for 2 is meant. `double` for a `real`
        that stands for it here: where the class is, nobody knows that name.
        """
        if (named := IDENTIFIER.match(argument)) or _MEMBER.search(argument):
            type_ = self._scope.type_of(argument)
            plain = builtin_type(type_.name) if type_ is not None and not type_.pointers and not type_.extents else None
            if plain is not None and type_ is not None and (plain.lanes == 1 or not named):
                return type_.name
            if plain is None and type_ is not None and type_.extents and not type_.pointers:
                return type_.name + "".join(f"[{extent}]" for extent in type_.extents)  # `typedef unsigned Words[8];`
            if named:
                return argument
        elif not _ARITHMETIC.fullmatch(argument):
            return argument
        value = self._scope.value_of_text(argument)
        return str(value) if type(value) is int else argument

    def _of_template(self, text: str) -> Number | None:
        """A static constant of a class template, a constant that is a template, or the value of a trait."""
        from regpress_lint.cpp.names.class_templates import static_constant, templated_constant

        if text.endswith(">"):
            value = templated_constant(self._scope, text)
        else:
            value = static_constant(self._scope, self._with_folded_arguments(text))
        return value if value is not None else trait_value(self._scope, text)

    def _with_folded_arguments(self, text: str) -> str:
        """`Log2<8, 4, 1>::v` of `Log2<8, (8 >> 1), 0 + 1>::v`, which would grow with every step of a recursion."""
        owner, member = split_owner(text)
        arguments = arguments_in(owner)
        folded = tuple(map(self._folded, arguments))
        return text if folded == arguments else f"{owner.partition('<')[0]}<{', '.join(folded)}>::{member}"

    def _member_of_alias(self, text: str) -> Number | None:
        """`K::N` after `using K = Tile<4>` at file level."""
        scope = self._scope
        owner, member = split_owner(text)
        if not IDENTIFIER.match(owner) or not IDENTIFIER.match(member):
            return None
        for parsed in scope.headers.saying(owner, TYPE):
            target = compiled_alias(scope, parsed, owner)
            if target is not None and (named := " ".join(parsed.text(target).split())) != owner:
                return scope.constant(f"{named.removeprefix('typename ')}::{member}")
        return None

    def _in_renamed_namespace(self, text: str) -> Number | None:
        """`v::N` after `namespace v = very::deep;`."""
        scope, (name, _, inner) = self._scope, text.partition("::")
        if IDENTIFIER.match(name):
            for parsed in scope.headers.saying(name, TYPE):
                if (named := parsed.renamed_namespaces.get(name, name)) != name:
                    return scope.constant(f"{named}::{inner}")
        return None

    def _inherited(self, text: str) -> Number | None:
        """A constant of a base class."""
        from regpress_lint.cpp.names.class_templates import inherited_constant

        return inherited_constant(self._scope, *split_owner(text))

    def _declared_constant(self, name: str) -> Number | None:
        qualifier, _, last = name.rpartition("::")
        if not IDENTIFIER.match(last):
            return None
        if qualifier.startswith(SCOPED_PREFIX):
            units = self._scope.headers.saying(last, 0xFF)
            declaring = ((parsed, nodes) for parsed in units if (nodes := entries_of(parsed, name)) is not None)
            return next((declared_constant(self._scope, *pair) for pair in declaring), None)
        for parsed in self._scope.headers.saying(last, VALUE):
            entries = parsed.constants.get(two_last(name))
            if entries is None and (not qualifier or not parsed.has_owner(last)):
                entries = parsed.constants.get(last)
            if entries and not qualifier:
                entries = parsed.free_constants(last) or entries
            if entries and name.startswith("::"):
                entries = unowned(parsed, last)
            if entries:
                return declared_constant(self._scope, parsed, entries)
        return None


def _behind_macros(parsed: ParsedFile, definition: Node) -> str:
    """Expansions of the masked macros in a definition, including those after its name: `typedef float f4 VEC(4);`
    has its `;` there.
    """
    end = parsed.source.data.find(b";", definition.start_byte)
    items = parsed.parses[0].masked.items
    first = bisect_left(items, definition.start_byte, key=_START)
    masked = takewhile(lambda item: item.start < end, items[first:])
    return "".join(f" {item.expansion}" for item in masked if item.expansion)


# Types of portability layers: views, their members, and names for numbers, whether or not their headers are available.
#
# A layer's own headers spell them in several thousand lines of templates, out of which no reader of sources gets
# further than a compiler's front end would. So built-in knowledge of the layer takes precedence over its headers.


# AMReX is built for double unless somebody asks for float (`AMReX_REAL.H`, `AMReX_INT.H`).
_ALIASES = {
    "amrex": (
        (b"AMREX_", b"AMReX", b"amrex::"),
        {"Real": "double", "ParticleReal": "double", "Long": "long long", "ULong": "unsigned long long"},
    ),
    "RAJA": ((b"RAJA",), {"Index_type": "long", "Real_type": "double"}),
}
_MARKS = (b"KOKKOS_", b"Kokkos", b"AMREX_", b"RAJA", b"mdspan")


def layer_type(scope: Scope, name: str) -> Type | None:
    """A view by its type's name, or a member of one: `Kokkos::View<double**>::data`."""
    if not name.endswith(">"):
        owner, member = split_owner(name) if ">::" in name else ("", "")
        spelled = view_member(owner, member) if owner else None
        return lower_type_text(scope.context_for_text(scope.parsed, 0), spelled) if spelled is not None else None
    if view_shape(name) is None:
        return None
    if not OF_A_LIBRARY.match(name) and not any(mark in scope.parsed.source.data for mark in _MARKS):
        return None
    return Type(name, VIEW_BYTES, struct=True)


def _brings(target: str, name: str) -> bool:
    """Whether an alias only brings a name from another namespace, as in `typedef Eigen::Vector3f Vector3f;`: names are
    looked up without their namespaces, so it would lead back to itself.
    """
    return target.rpartition("::")[2].strip() == name != target


def layer_alias(scope: Scope, name: str) -> Type | None:
    """A layer's name for a number where no known header defines it; a view by the name that a function of the
    host gives its type.
    """
    space, _, last = name.rpartition("::")
    if not space and (spelled := _local_view(scope, name)) is not None:
        return lower_type_text(scope.context_for_text(scope.parsed, 0), spelled)
    for layer, (marks, aliases) in _ALIASES.items():
        if last in aliases and space in ("", layer) and any(mark in scope.parsed.source.data for mark in marks):
            return builtin_type(aliases[last])
    return None


def _local_view(scope: Scope, name: str) -> str | None:
    """The view of `using name = ...;` in a function, if all of a file's agree."""
    data = scope.parsed.source.data
    if not name.isidentifier() or b"using " + name.encode() not in data:
        return None
    targets = {
        " ".join(match.decode("utf-8", "replace").split())
        for match in re.findall(rb"\busing\s+%b\s*=\s*([^;]{1,500});" % name.encode(), data)
    }
    spelled = targets.pop() if len(targets) == 1 else ""
    return spelled if view_shape(spelled.removeprefix("const ").removeprefix("typename ")) is not None else None
