"""Settings, reports and diagnostics are frozen keyword-only dataclasses that do not import `dataclasses`."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest

from regpress_lint import Diagnostic, Report, Settings, Severity
from regpress_lint.core.diagnostics import Location
from regpress_lint.core.named import by_name, dataclass, values
from regpress_lint.core.source import Position

PLACE = Location("a.hip", Position(1, 1, 1, 1, 0), Position(1, 2, 2, 2, 1), "x")
FOUND = Diagnostic(code="RP201", name="pow", severity=Severity.WARNING, location=PLACE, message="costs")
CHOSEN = Settings(architectures=("gfx90a",), select=("RP2",))
EXAMPLES = [FOUND, CHOSEN, Report(diagnostics=(FOUND,), files=1)]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: type(example).__name__)


def in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@each
def test_dataclass_functions_accept_every_public_record(example: Any) -> None:
    assert dataclasses.is_dataclass(type(example))
    fields = dataclasses.fields(example)
    assert [field.name for field in fields] == list(type(example).__annotations__)
    assert all(field.kw_only for field in fields)
    assert dataclasses.replace(example) == example
    assert dataclasses.asdict(example).keys() == by_name(example).keys()


@each
def test_positional_arguments_are_refused(example: Any) -> None:
    with pytest.raises(TypeError, match="positional"):
        type(example)(*values(example))


@each
def test_fields_cannot_be_assigned_deleted_or_added(example: Any) -> None:
    name = dataclasses.fields(example)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError, match=name):
        setattr(example, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError, match=name):
        delattr(example, name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.another = 1
    assert not hasattr(example, "__dict__")


@each
def test_records_are_not_tuples(example: Any) -> None:
    assert not isinstance(example, tuple)
    assert example != values(example)
    for use in (len, iter, lambda one: one[0]):
        with pytest.raises(TypeError):
            use(example)


@each
def test_copy_and_pickle_keep_class_and_values(example: Any) -> None:
    copies = [copy.copy(example), copy.deepcopy(example)]
    copies += [pickle.loads(pickle.dumps(example, level)) for level in (2, 3, 4, 5)]
    for made in copies:
        assert made == example
        assert type(made) is type(example)
    assert repr(example).startswith(f"{type(example).__name__}({dataclasses.fields(example)[0].name}=")


def test_unknown_and_missing_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'selected'"):
        Settings(selected=("RP2",))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'location' and 'message'"):
        Diagnostic(code="RP201", name="pow", severity=Severity.HINT)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'file'"):
        dataclasses.replace(Report(), file=1)  # type: ignore[call-arg]


def test_hash_follows_the_values() -> None:
    assert hash(FOUND) == hash(dataclasses.replace(FOUND))
    assert len({FOUND, dataclasses.replace(FOUND), dataclasses.replace(FOUND, message="spills")}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(CHOSEN)  # mappings are among its values, as in any dataclass


def test_signature_shows_names_and_defaults() -> None:
    parameters = inspect.signature(Diagnostic).parameters
    assert list(parameters)[:2] == ["code", "name"]
    assert {one.kind for one in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert parameters["code"].default is inspect.Parameter.empty
    assert parameters["help"].default == ""


def test_a_dataclass_of_a_user_can_extend_one() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Ours(Report):
        commit: str = ""

    assert Ours(files=2, commit="abc").files == 2
    assert [field.name for field in dataclasses.fields(Ours)][-1] == "commit"


def test_other_options_than_the_three_are_refused() -> None:
    with pytest.raises(TypeError, match="frozen"):
        dataclass(frozen=False, kw_only=True, slots=True)  # type: ignore[call-overload,unused-ignore]


def test_start_imports_no_dataclasses() -> None:
    code = "import sys, regpress_lint as r; r.Settings(); r.Report(); r.lint_bytes; print('dataclasses' in sys.modules)"
    assert in_a_new_process(code) == "False"
