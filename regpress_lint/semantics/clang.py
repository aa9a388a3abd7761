"""The tier that queries libclang: one `Tier` per process, one `ClangSemantics` per file. It may answer nothing."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from regpress_lint.core.patterns import pattern
from regpress_lint.core.reading import relative
from regpress_lint.cpp.answers import Answer, Definition, Input, LateError, Meant, NoAnswerError, Place
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import builtin_type, pointer_to
from regpress_lint.semantics.arguments import SHIMS, arguments, roots
from regpress_lint.targets.builtins import is_vendors

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.environment import Number
    from regpress_lint.semantics.client import Client

Json = dict[str, Any]
_UNQUOTABLE = pattern(r'["\n\r\0]')
_MOST_FILES = 16  # kept: what is still asked about
_MOST_QUESTIONS = 2000  # of a file: a bound for what is generated or hostile


class Tier:
    """The state that the files of a process share: the child, its deadline and what went wrong.

    seconds: the time limit of libclang for one file, all questions together.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._client: Client | None = None
        self._notes: dict[str, None] = {}
        self._files: OrderedDict[tuple[str, Language], ClangSemantics] = OrderedDict()

    def of(self, file: Input) -> ClangSemantics:
        """Answers about a file that is compiled, and all that it includes: the same object for each of them."""
        key = file.path, file.language
        semantics = self._files.get(key)
        if semantics is None or semantics.data != file.data:
            semantics = self._files[key] = ClangSemantics(self, file)
        self._files.move_to_end(key)
        if len(self._files) > _MOST_FILES:
            self._files.popitem(last=False)
        return semantics

    @property
    def client(self) -> Client:
        """The child; what it needs is imported with the first question."""
        if self._client is None:
            from regpress_lint.semantics.client import Client

            self._client = Client()
        return self._client

    def note(self, text: str) -> None:
        """Remember why a file got no answers."""
        self._notes[text] = None

    def taken_notes(self) -> tuple[str, ...]:
        """The notes since the last call."""
        notes = tuple(self._notes)
        self._notes.clear()
        return notes


class ClangSemantics:
    """Answers of libclang about one file and its headers. Nothing happens before the first question."""

    def __init__(self, tier: Tier, file: Input) -> None:
        self._tier, self._given = tier, file
        self._path = os.path.abspath(file.path)
        self._unit = f"{file.language} {self._path}"
        # The name must fit between the quotes of an `#include`.
        self._left = 0.0 if _UNQUOTABLE.search(self._path) else tier.seconds
        self._generation = 0
        self._asked = 0

    @property
    def data(self) -> bytes:
        return self._given.data

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        _, _, _, command, sources, project_folders = self._given
        named = tuple(folder.path for folder in command.include_dirs) if command is not None else ()
        return roots((*project_folders, *sources.folders, *named, os.path.dirname(self._path)))

    def type_named(self, text: str, place: Place) -> Answer[Meant] | None:
        """See `Semantics`."""
        return self._meant(text, "type_named", text, os.path.abspath(place.path), place.offset, place.exact)

    def type_declared(self, name: str, place: Place) -> Answer[Meant] | None:
        """See `PlacedSemantics`."""
        return self._meant("", "type_declared", name, os.path.abspath(place.path), place.offset)

    def value(self, text: str, place: Place) -> Answer[Number] | None:
        """See `Semantics`."""
        reply, certain = self._answer("value", text, os.path.abspath(place.path), place.offset, place.exact)
        value = reply.get("value") if reply is not None else None
        return Answer(value, "libclang", certain) if isinstance(value, (int, float)) else None

    def definition(self, name: str, place: Place) -> Answer[Definition] | None:
        """See `PlacedSemantics`."""
        reply, certain = self._answer("definition", name, os.path.abspath(place.path), place.offset)
        # What is declared in a shim is the toolkit's, whatever its definition would say.
        is_visible = reply is not None and not reply["path"].startswith(SHIMS + os.sep)
        return Answer(Definition(**reply), "libclang", certain) if reply is not None and is_visible else None

    def _meant(self, text: str, *about: Any) -> Answer[Meant] | None:
        reply, certain = self._answer(*about)
        if reply is None:
            return None
        fields = tuple((name, _field(type_, decayed)) for name, type_, decayed in reply["fields"])
        return Answer(Meant(as_type(reply["type"], text), tuple(reply["extents"]), fields), "libclang", certain)

    def _answer(self, question: str, *about: Any) -> tuple[Json | None, bool]:
        if self._left <= 0 or self._asked >= _MOST_QUESTIONS:
            return None, False
        self._asked += 1
        begin = time.monotonic()
        try:
            reply = self._reply(question, about)
        except NoAnswerError as error:
            late = isinstance(error, LateError)
            if late or self._tier.client.absent or self._generation != self._tier.client.generation:
                self._left = 0.0
            why = f"no answer within {self._tier.seconds:g} s" if late else str(error)
            self._tier.note(f"{relative(self._path)}: libclang: {why}")
            return None, False
        finally:
            self._left -= time.monotonic() - begin
        # Without a toolkit's library its functions are unknown; the project's types are what they are.
        return reply.get("answer"), all(is_vendors(name) for name in reply.get("missing", ()))

    def _reply(self, question: str, about: tuple[Any, ...]) -> Json:
        client = self._tier.client
        for _ in range(2):
            client.ready(self._roots)
            if self._generation != client.generation:
                self._open()
            request = {"question": question, "unit": self._unit, "about": about}
            reply = client.ask(request, max(self._left, 0.001))
            if reply.get("known"):
                return reply
            self._generation = 0  # it had to make room for other files
        raise NoAnswerError("it forgets its files")

    def _open(self) -> None:
        import base64

        client = self._tier.client
        _, data, language, command, sources, project_folders = self._given
        request = {
            "question": "open",
            "unit": self._unit,
            "path": self._path,
            "data": base64.b64encode(data).decode(),
            "arguments": ["-ivfsoverlay", client.overlay, *arguments(language, command, sources, project_folders)],
            "probe": client.probe,
        }
        client.ask(request, max(self._left, 0.001))
        self._generation = client.generation


def as_type(described: Json, text: str = "") -> Type:
    """Convert the child's description of a type to ours; `text` is how the source names it."""
    name = text or described["name"]
    size = described["size"] or None
    # HIP's float4 is a class template; the name it is written with says more.
    builtins = (builtin_type(spelled) for spelled in (described["canonical"], described["name"]))
    core = next((type_ for type_ in builtins if type_ is not None and type_.size == size), None)
    if core is None:
        core = Type(
            name,
            size,
            lanes=described["lanes"],
            struct=described["record"],
            floating=described["floating"],
            signed=described["signed"],
        )
    if not core.struct or text:
        core = core._replace(name=name)
    if described["pointers"]:
        return pointer_to(core._replace(const=described["pointee_const"]), described["pointers"])
    return core._replace(const=described["const"], reference=described["reference"])


def _field(described: Json, decayed: bool) -> Type:
    type_ = as_type(described)
    return pointer_to(type_)._replace(decayed=True) if decayed else type_
