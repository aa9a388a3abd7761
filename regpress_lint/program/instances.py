"""Instantiations of a function template that the known files name, and the argument of each for every parameter.

A kernel's template is instantiated where it is launched, by `template __global__ void k<float>(...)`, and wherever else
`k<float>` stands: its address, an attribute that is set. Inside a host template the arguments are in terms of that
template's own parameters: each of its calls gives one environment, and so on up to `main`.
"""

from __future__ import annotations

import re
from itertools import islice, product, takewhile
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import OWN_WORD, whole_word
from regpress_lint.cpp.lexical import split_template_arguments, with_meanings
from regpress_lint.cpp.names.constant_objects import constant_object
from regpress_lint.cpp.names.definition_nodes import RECORDS, FunctionNode, split_owner
from regpress_lint.cpp.names.host_types import alike, arguments_of, deduced, may_take, template_arguments_of
from regpress_lint.cpp.names.host_values import HostValues
from regpress_lint.cpp.names.macro_parameters import counts_in
from regpress_lint.cpp.names.templates import parameters_of, takes, template_parameters
from regpress_lint.cpp.parse import children_of, nodes_around, past
from regpress_lint.cpp.types import builtin_type
from regpress_lint.program.host_places import (
    LOST,
    NONE,
    HostPlace,
    elements,
    followed,
    is_lost,
    is_never,
    lists_of,
    literal,
    split,
)
from regpress_lint.program.macro_instances import macro_instantiations, macro_references, plain_instantiations
from regpress_lint.program.recursive_instances import with_own
from regpress_lint.program.template_references import (
    Reference,
    explicit_instantiations,
    named_nodes,
    return_type,
    written_arguments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import RecordNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import TemplateParameter
    from regpress_lint.program.model import Launch


MOST = 64  # instantiations of a kernel, and environments of a host template, that are told apart
_MOST_FILES = 8  # that include a header and are searched for what they instantiate
_MOST_BESIDE = 16  # host templates that are asked what they are instantiated with
_MOST_GIVEN = 1_000  # arguments for a parameter pack
_SPOKEN = 4  # letters
_FIRST_ARGUMENT = {"<<<>>>": 0, "hipLaunchKernelGGL": 5}  # of the kernel, among those of the launch
_NOTHING: Mapping[str, str] = {}


def _arguments_of(values: HostValues, launch: Launch) -> list[Node]:
    call = values.root.descendant_for_byte_range(launch.span.start, launch.span.end)
    first = _FIRST_ARGUMENT.get(launch.form)
    return arguments_of(call)[first:] if call is not None and first is not None else []


class Binding(NamedTuple):
    """One instantiation: arguments by the parameter's name (values as literals), and the place that names it.

    An argument that the source does not settle is left out. hosted: the place is in a template of the host. lost: it
    depends on a parameter pack that is not followed.
    """

    arguments: Mapping[str, str]
    path: str
    offset: int
    hosted: bool = False
    lost: bool = False


class Instances:
    """Look-ups for the templates of one file; each file that names one of them is indexed once."""

    __slots__ = ("_environments", "_scope", "_values")

    def __init__(self, scope: Scope, *replaced: HostValues) -> None:
        """`replaced`: the content of the files at those paths in place of their own."""
        self._scope = scope
        self._values: dict[str, HostValues | None] = {values.parsed.source.path: values for values in replaced}
        self._environments: dict[tuple[str, int], tuple[Mapping[str, str], ...]] = {}

    def of_kernel(
        self, kernel: FunctionNode, parsed: ParsedFile, launches: Iterable[Launch], alike: Iterable[Launch]
    ) -> tuple[Binding, ...]:
        """Distinct instantiations of a kernel in the order in which they are named, at most `MOST`. alike: launches of
        whatever kernel of its name.
        """
        bindings: dict[tuple[object, ...], Binding] = {}
        for path, reference in self._references(kernel, parsed, launches, alike):
            values = self.values_of(path)
            if values is None:
                continue
            around = values.parsed.function_around(reference.offset)
            hosted = around is not None and around.template is not None
            for bound in self._of_reference(values, reference, kernel, parsed):
                arguments, lost = followed(bound), LOST in bound
                bindings.setdefault(_key(bound), Binding(arguments, path, reference.offset, hosted, lost))
                if len(bindings) == MOST:
                    return tuple(bindings.values())
        count = sum(bool(parameter.name) for parameter in parameters_of(parsed, kernel))
        return tuple(_of_their_own(bindings.values(), count))

    def of_reference(
        self, values: HostValues, reference: Reference, function: FunctionNode, parsed: ParsedFile
    ) -> Iterator[Mapping[str, str]]:
        """Arguments of a template at one place, once for each instantiation of the host template around it."""
        return map(followed, self._of_reference(values, reference, function, parsed))

    def around(self, values: HostValues, offset: int) -> tuple[Mapping[str, str], ...]:
        """The arguments of the host template around a place, once for each instantiation of it."""
        return tuple(map(followed, self._all_around(values, offset)))

    def _of_reference(
        self,
        values: HostValues,
        reference: Reference,
        function: FunctionNode,
        parsed: ParsedFile,
        body: Node | None = None,
    ) -> Iterator[Mapping[str, str]]:
        """`body` is that of a template of the host: of its pack each element gives an environment."""
        parameters = parameters_of(parsed, function)
        packed = body is not None and bool(parameters) and parameters[-1].is_pack
        written = split(values, reference.offset, reference.template)
        for environment in self._all_around(values, reference.offset):
            texts = elements(written, environment)
            if is_never(texts, environment):
                continue
            one = reference._replace(template=texts)
            if body is None or not packed:
                if len(texts) <= len(parameters) or body is None:
                    yield self._arguments(values, one, environment, function, parsed)
                continue
            heads, pack = len(parameters) - 1, parameters[-1].name
            if len(texts) <= heads and (deduction := next(deduced(values, function, parsed, pack, one.given), None)):
                texts = (*texts, *split(values, reference.offset, (deduction,)))
            for listed in lists_of(texts, parameters, function.name, parsed.text(body, function.parse_index)):
                bound = self._arguments(values, one._replace(template=listed), environment, function, parsed)
                yield {**bound, pack: NONE} if listed[-1] == NONE else bound

    def _all_around(self, values: HostValues, offset: int) -> tuple[Mapping[str, str], ...]:
        # Many references stand at one place: a macro's body names a kernel for each case.
        from regpress_lint.program.macro_instances import dispatched

        key = "dispatched", values.parsed, offset
        local = self._scope.remember(key, lambda: dispatched(values.parsed, nodes_around(values.root, offset, offset)))
        environments = product(self._around(values, offset), local)
        around = ({**environment, **bound} for environment, bound in islice(environments, MOST))
        return tuple({_key(environment): environment for environment in around}.values())

    def types_alike(self, launch: Launch, kernel: FunctionNode) -> int:
        """How many arguments of a launch are spelled with the types of a kernel of the file."""
        values = self.values_of(launch.path)
        if values is None:
            return 0
        return alike(values, kernel, self._scope.parsed, _arguments_of(values, launch))

    def values_of(self, path: str) -> HostValues | None:
        """Look-ups in a file of the project."""
        if path not in self._values:
            scope = self._scope
            parsed = scope.parsed if path == scope.parsed.source.path else scope.project.parsed(path)
            self._values[path] = HostValues(scope, parsed) if parsed is not None else None
        return self._values[path]

    # -------------------------------------------------------------------------------------------------- references

    def _references(
        self, kernel: FunctionNode, parsed: ParsedFile, launches: Iterable[Launch], alike: Iterable[Launch]
    ) -> Iterator[tuple[str, Reference]]:
        seen: dict[str, list[tuple[int, int]]] = {}
        for launch in alike:
            seen.setdefault(launch.path, []).append((launch.span.start, launch.span.end))
        for launch in launches:
            values = self.values_of(launch.path)
            if values is None:
                continue
            arguments = _arguments_of(values, launch)
            if launch.template_args or may_take(values, kernel, parsed, arguments):
                yield launch.path, Reference(launch.span.start, launch.template_args, tuple(arguments))
        for values in self._files_with(parsed.source.path, kernel.name):
            spans = seen.get(values.parsed.source.path, ())
            for node in named_nodes(values, kernel.name):
                if any(start <= node.start_byte < end for start, end in spans):
                    continue
                if takes(parsed, kernel, written := written_arguments(values, node)):
                    yield values.parsed.source.path, Reference(node.start_byte, written)
            for offset, template in macro_references(values.parsed, kernel.name):
                yield values.parsed.source.path, Reference(offset, template)
            for offset, template in self._declared(values.parsed, kernel, parsed, plain_instantiations):
                yield values.parsed.source.path, Reference(offset, template)

    def _files_with(self, path: str, name: str) -> Iterator[HostValues]:
        """The file itself and those that include it, as far as they write `name<` or hand the name to a macro."""
        pattern = re.compile(whole_word(name.encode()) + rb"\s*(?:<(?!<<)|[,)(])")
        scope = self._scope
        for file in (path, *scope.project.above(path, _MOST_FILES)):
            data = scope.parsed.source.data if file == scope.parsed.source.path else scope.project.read(file)
            if data is not None and pattern.search(data) is not None and (values := self.values_of(file)) is not None:
                yield values

    # ------------------------------------------------------------------------------------------------- environments

    def _around(self, values: HostValues, offset: int) -> tuple[Mapping[str, str], ...]:
        """The possible arguments of the host template around a place; one empty answer outside of any."""
        function = values.parsed.function_around(offset)
        if function is None:
            return self._in_class(values, offset)
        owners = self._of_class(values, function)
        if function.template is None:
            return owners
        pairs = islice(product(owners, self._of_function(values, function)), MOST)
        return tuple([{**of_function, **owner} for owner, of_function in pairs])

    def _in_class(self, values: HostValues, offset: int) -> tuple[Mapping[str, str], ...]:
        """The arguments of the class template around a place outside of functions: `struct App : Solver<T>`."""
        parsed = values.parsed
        for node in nodes_around(values.root, offset, offset):
            name = node.child_by_field_name("name") if node.type in RECORDS else None
            record = parsed.records.get(parsed.text(name)) if name is not None else None
            if record is not None and record.template is not None and record.node == node:
                return self._of_record(parsed, record)
        return (_NOTHING,)

    def _of_class(self, values: HostValues, function: FunctionNode) -> tuple[Mapping[str, str], ...]:
        """The arguments of the class template that a function is a member of, as `Launcher<F>` is named elsewhere; of
        one that is defined behind the class by the names that it has for them.
        """
        owner, _, written = split_owner(function.qualified)[0].partition("<")
        name = (function.record or owner).rpartition("::")[2]
        parsed, record = values.parsed, values.parsed.records.get(name)
        if record is None and written and (defined := self._scope.record(name)) is not None:
            parsed, record = defined
        if record is None or record.template is None:
            return (_NOTHING,)
        bound = self._of_record(parsed, record)
        names = [parameter.name for parameter in template_parameters(parsed, record.template, 0)]
        called = dict(zip(names, split_template_arguments(written), strict=False))
        return tuple({called.get(name, name): text for name, text in known.items()} for known in bound)

    def _of_record(self, parsed: ParsedFile, record: RecordNode) -> tuple[Mapping[str, str], ...]:
        path, key = parsed.source.path, (parsed.source.path, record.node.start_byte)
        if key not in self._environments:
            self._environments[key] = (_NOTHING,)
            node = record.node
            head = FunctionNode(record.name, "", node, node, node, node, record.template, 0, "")  # for its template
            distinct: dict[tuple[object, ...], Mapping[str, str]] = {}
            within: list[Reference] = []
            for values in self._files_with(path, record.name):
                named = (
                    Reference(node.start_byte, written_arguments(values, node))
                    for node in named_nodes(values, record.name)
                )
                for reference in islice((*named, *explicit_instantiations(values, record.name)), MOST):
                    if values.parsed is parsed and node.start_byte <= reference.offset < node.end_byte:
                        within.append(reference)
                        continue
                    for arguments in self._of_reference(values, reference, head, parsed, node):
                        if arguments:
                            distinct.setdefault(_key(arguments), arguments)
            begun = tuple(islice(distinct.values(), MOST)) or (_NOTHING,)
            self._environments[key] = self._recursive(parsed, begun, within, head)
        return self._environments[key]

    def _of_function(self, values: HostValues, function: FunctionNode) -> tuple[Mapping[str, str], ...]:
        key = (values.parsed.source.path, function.body.start_byte)
        if key not in self._environments:
            self._environments[key] = (_NOTHING,)  # functions that call each other settle nothing
            environments = self._calls(values, function)
            if any(_spoken(values.parsed, function) - environment.keys() for environment in environments):
                pairs = product(self._beside(values, function), environments)
                merged = ({**beside, **environment} for beside, environment in islice(pairs, MOST))
                environments = tuple({_key(environment): environment for environment in merged}.values())
            self._environments[key] = environments
        return self._environments[key]

    def _recursive(
        self,
        parsed: ParsedFile,
        begun: tuple[Mapping[str, str], ...],
        within: Sequence[Reference],
        function: FunctionNode,
    ) -> tuple[Mapping[str, str], ...]:
        """Instantiations of a template, and those that each of them causes by references in its own body."""
        values = self.values_of(parsed.source.path) if within and begun != (_NOTHING,) else None
        if values is None:
            return begun
        recursive = {reference.offset: reference for reference in within}

        def arguments_at(offset: int, environment: Mapping[str, str]) -> Mapping[str, str]:
            return self._arguments(values, recursive[offset], environment, function, parsed)

        return with_own(values, begun, recursive, arguments_at, self._scope.value_of_text)

    def _calls(self, values: HostValues, function: FunctionNode) -> tuple[Mapping[str, str], ...]:
        parsed = values.parsed
        environments: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
        for caller, reference in self._calls_of(function, parsed):
            for environment in self._of_reference(caller, reference, function, parsed, function.body):
                environments.setdefault(tuple(environment.items()), environment)
                if len(environments) == MOST:
                    return tuple(environments.values())
        within = [
            Reference(call.start_byte, template_arguments_of(values, call), tuple(arguments_of(call)))
            for call in (values.calls_of(function.name) or () if environments else ())
            if function.body.start_byte <= call.start_byte < function.body.end_byte
        ]
        return self._recursive(parsed, tuple(environments.values()) or (_NOTHING,), within, function)

    def _beside(self, values: HostValues, function: FunctionNode) -> tuple[Mapping[str, str], ...]:
        """What other host templates of the file are instantiated with, for types that both give the same name: where
        every caller says `ValueType`, one that is called by a macro means the same by it.
        """
        parsed = values.parsed
        names = _spoken(parsed, function)
        others = [
            other
            for other in parsed.functions
            if other.template is not None and other.body != function.body and names and names <= _spoken(parsed, other)
        ]
        for other in others[:_MOST_BESIDE]:
            environments = [
                {name: environment[name] for name in sorted(names)}
                for environment in self._calls(values, other)
                if names <= environment.keys()
            ]
            if environments:
                return tuple({_key(environment): environment for environment in environments}.values())
        return (_NOTHING,)

    def _calls_of(self, function: FunctionNode, parsed: ParsedFile) -> Iterator[tuple[HostValues, Reference]]:
        """Calls, explicit instantiations and macros, in its file and those that include it. A call in its own body
        depends on the arguments that are searched (`_recursive` follows it).
        """
        parameters = parameters_of(parsed, function)
        count = _MOST_GIVEN if parameters and parameters[-1].is_pack else len(parameters)
        arities = counts_in(parsed, function)
        scope, path, name = self._scope, parsed.source.path, function.name.encode()
        for file in (path, *scope.project.above(path, _MOST_FILES)):
            data = parsed.source.data if file == path else scope.project.read(file) or b""
            values = self.values_of(file) if name in data else None
            if values is None:
                continue
            body = range(function.body.start_byte, function.body.end_byte) if file == path else range(0)
            for call in values.calls_of(function.name) or ():
                template, arguments = template_arguments_of(values, call), tuple(arguments_of(call))
                fits = len(template) <= count or template[-1].endswith(LOST)
                if call.start_byte not in body and fits and len(arguments) in arities:
                    yield values, Reference(call.start_byte, template, arguments)
            for node in named_nodes(values, function.name):
                owner = past(node.parent, ("qualified_identifier",))
                if owner is not None and owner.type == "function_declarator":
                    yield values, Reference(node.start_byte, written_arguments(values, node))
            for offset, template in macro_references(values.parsed, function.name):
                if len(template) <= count:
                    yield values, Reference(offset, template)
            for written in (macro_instantiations, plain_instantiations):
                for offset, template in self._declared(values.parsed, function, parsed, written):
                    yield values, Reference(offset, template)

    def _declared(
        self,
        user: ParsedFile,
        function: FunctionNode,
        parsed: ParsedFile,
        written: Callable[..., Iterator[tuple[int, tuple[str, ...]]]] = macro_instantiations,
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Instantiations of a template whose declaration gives the arguments; by default those that macros write."""
        names = tuple(p.name for p in parameters_of(parsed, function))
        head = [parsed.text(node, function.parse_index) for node in children_of(function.declarator, "parameters")]
        if not head or not all(names):
            return iter(())
        if written is plain_instantiations:
            return written(user, function.name, head, names, return_type(function, parsed))
        return written(user, function.name, head, names)

    # ---------------------------------------------------------------------------------------------------- arguments

    def _arguments(
        self,
        values: HostValues,
        reference: Reference,
        environment: Mapping[str, str],
        function: FunctionNode,
        parsed: ParsedFile,
    ) -> Mapping[str, str]:
        result: dict[str, str] = {}
        template = tuple(takewhile(_is_one, reference.template))
        parameters = parameters_of(parsed, function)
        for position, parameter in enumerate(parameters):
            if not parameter.name:
                continue
            offset, argument = reference.offset, None
            if position < len(template):
                argument = self._settled(values, offset, template[position], environment, parameter)
            else:
                texts = deduced(values, function, parsed, parameter.name, reference.given)
                settled = (self._settled(values, offset, text, environment, parameter) for text in texts)
                argument = next((text for text in settled if text), None)
                if argument is None and parameter.is_type and parameter.default is None:
                    argument = environment.get(parameter.name)  # the host's own, by the name that both give it
            if argument is None and position >= len(template) and parameter.default is not None:
                argument = self._default(parameter, parameters, result)
            if argument:
                result[parameter.name] = argument
            else:
                listed = reference.template
                text = listed[position] if position < len(listed) else parameter.name if parameter.is_pack else ""
                if is_lost(values, offset, text, environment):
                    result[LOST] = parameter.name
        return result

    def _default(
        self, parameter: TemplateParameter, parameters: tuple[TemplateParameter, ...], meanings: Mapping[str, str]
    ) -> str | None:
        """A default argument, in terms of the parameters in front of it."""
        text = parameter.default or ""
        if any(p.name in OWN_WORD.findall(text) and p.name not in meanings for p in parameters):
            return None
        text = with_meanings(text, meanings)
        if parameter.is_type or constant_object(self._scope, text) is not None:
            return text
        return literal(text, self._scope.value_of_text(text))

    def _settled(
        self, values: HostValues, offset: int, text: str, environment: Mapping[str, str], parameter: TemplateParameter
    ) -> str | None:
        """An argument as it reads outside of its function; None if that depends on unknown values."""
        scope = HostPlace(values, offset, environment)
        settled = scope.settle(text)
        return settled if settled is None or parameter.is_type else scope.value(settled)


def _of_their_own(bindings: Collection[Binding], count: int) -> Iterator[Binding]:
    """Instantiations without unsettled ones that a settled one covers: a launch in a template without a known
    instantiation adds nothing to the launch beside it.
    """
    whole = [binding.arguments for binding in bindings if len(binding.arguments) == count]
    for binding in bindings:
        settled, counts = binding.arguments.items(), binding.lost or not binding.hosted
        if counts or len(settled) == count or not any(settled <= arguments.items() for arguments in whole):
            yield binding


def _key(arguments: Mapping[str, str]) -> tuple[object, ...]:
    """The key that distinguishes instantiations: `int` and `int32_t` are one type."""
    types = ((name, builtin_type(text), text) for name, text in arguments.items())
    plain = ((name, type_ if type_ is not None and not type_.floating else None, text) for name, type_, text in types)
    return tuple((name, text if type_ is None else type_._replace(name="")) for name, type_, text in plain)


def _is_one(argument: str) -> bool:
    """False for a pack: how many it stands for, and what, is not known."""
    return not argument.endswith("...")


def _spoken(parsed: ParsedFile, function: FunctionNode) -> frozenset[str]:
    """The types among a template's parameters whose names say what they are: `ValueType`, and not `T`."""
    listed = parameters_of(parsed, function)
    return frozenset(parameter.name for parameter in listed if parameter.is_type and len(parameter.name) >= _SPOKEN)


# Arguments that instantiations of a template have: what several agree on, how they are shown, which are large.
