"""What tests ask many times: files of testdata, some in every run, the rest where time is no matter (`-m slow`), and
examples of a property.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from _pytest.mark.structures import MarkDecorator, ParameterSet

TESTDATA = Path(__file__).resolve().parents[1] / "testdata"
QUICK_BYTES = 2500


def shown(path: Path) -> str:
    """A file as its test is called: its path in testdata."""
    return path.relative_to(TESTDATA).as_posix()


def is_quick(path: Path) -> bool:
    """True for a fixture that is small; evidence, golden kernels and large files have many kernels each."""
    within = path.relative_to(TESTDATA).parts[0]
    return within not in ("evidence", "golden") and path.stat().st_size <= QUICK_BYTES


def examples(share: float) -> settings:
    """For a property that takes its time: that share of the examples that others get (`conftest.py`)."""
    return settings(max_examples=max(round(share * settings().max_examples), 1))


def drawn(examples: Iterable[Any], every: int) -> list[ParameterSet]:
    """One parameter an example, all but one in `every` marked `slow`. A file is called by its path in testdata."""
    found: list[ParameterSet] = []
    for number, example in enumerate(examples):
        name = shown(example) if isinstance(example, Path) else None
        found.append(pytest.param(example, id=name, marks=pytest.mark.slow if number % every else ()))
    return found


def walked(
    paths: Iterable[Path], every: int = 1, rest: MarkDecorator = pytest.mark.slow, *, whole: bool = False
) -> list[ParameterSet]:
    """One parameter a file; `rest` marks those that are not small, and of the small ones all but one in `every`.

    Without `whole`, fifteen in sixteen of those are `long`: CI, whose tests have to end in time, looks at the others.
    Files of testdata/golden are large and have a test of their own (`test_golden`): others look at them with `-m long`.
    """
    found: list[ParameterSet] = []
    quick = later = 0
    for path in sorted(paths):
        golden = path.is_relative_to(TESTDATA / "golden")
        marks: tuple[MarkDecorator, ...] = (pytest.mark.long if golden else rest,)
        if is_quick(path):
            marks = () if quick % every == 0 else marks
            quick += 1
        if marks == (rest,) and not whole:
            marks = (pytest.mark.long,) if later % 16 else marks
            later += 1
        found.append(pytest.param(path, id=shown(path), marks=marks))
    return found
