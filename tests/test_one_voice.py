"""What one command advises, no other calls worse: changes of `kernels --advise`, held against `check` and `diff`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from regpress_lint import lint_bytes
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint.advice.ranking import file_advice
from regpress_lint.lint.advice.trials import edited
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.work import Scope

TESTDATA = Path(__file__).resolve().parent.parent / "testdata"
LARGER = ("rules/RP301/positive.hip", "rules/RP403/one_of_several.cu", "rules/RP604/positive.hip")


def found(data: bytes, path: str, settings: Settings, least: Severity) -> set[tuple[str | None, str]]:
    diagnostics = lint_bytes(data, path, settings).diagnostics
    return {(each.kernel, each.code) for each in diagnostics if each.severity >= least}


def contradictions(file: Path) -> list[str]:
    data, path = file.read_bytes(), str(file)
    settings = Settings(architectures=("sm_90" if file.suffix == ".cu" else "gfx90a",))
    analysis = analyse(data, path, settings, partial(Scope(settings, (str(file.parent),)).projects().of, path))
    assert isinstance(analysis, Analysis)
    known, wrong = found(data, path, settings, Severity.HINT), []
    for kernel in file_advice(analysis):
        for target in kernel.targets:
            for advice in target.advice:
                title, now, after = " + ".join(step.title for step in advice.steps), target.now, advice.after
                ends = after.memory_bytes < now.memory_bytes or after.excess < now.excess
                if after.waves < now.waves and not ends:
                    wrong.append(f"{kernel.name}: `diff` calls it worse: {title}")
                made = edited(data, advice.edits)
                if made is None or ends:  # where spills end, what that costs may be warned of
                    continue
                new = found(made, path, settings, Severity.WARNING) - known
                wrong += [
                    f"{kernel.name}: `check` warns of {code}: {title}" for name, code in new if name == kernel.name
                ]
    return wrong


@pytest.mark.parametrize(
    "name", ["rules/RP801/positive.hip", *(pytest.param(name, marks=pytest.mark.slow) for name in LARGER)]
)
def test_check_and_diff_agree_with_advice(name: str) -> None:
    file = TESTDATA / name
    assert not contradictions(file)
