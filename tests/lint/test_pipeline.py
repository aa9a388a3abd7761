"""Decisions of the one pipeline behind every command."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CUDA, HIP, run

from regpress_lint import lint_bytes, testing
from regpress_lint.api import Finding, Note, Rule, Severity, Span
from regpress_lint.core.settings import CompileCommand, Settings
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.lint import runner
from regpress_lint.lint.analysis import Analysis, Skipped, analyse
from regpress_lint.lint.checks import checks, more_severe
from regpress_lint.lint.discovery import Candidate
from regpress_lint.lint.registry import entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from regpress_lint.api import File, KernelFacts

TWO_KERNELS = """#include <hip/hip_runtime.h>
__device__ double twice(double x) { return x + x; }
__global__ void first(double *x) { x[0] = twice(x[1]); }
__global__ void second(double *x) { x[0] = twice(x[1]); }
"""
CALLEE = Span(TWO_KERNELS.index("twice"), TWO_KERNELS.index("twice") + 5)


class SeenFromKernels(Rule):
    """Says the same of a device function for each kernel, and is sure of one of them."""

    code = "TST111"
    name = "seen-from-kernels"
    sure = "second"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        severity = Severity.WARNING if facts.kernel.name == self.sure else Severity.INFO
        yield Finding(CALLEE, "costs", {"gfx90a": severity})


class SureOfTheFirst(SeenFromKernels):
    """The other order."""

    sure = "first"


def analysis(text: str = TWO_KERNELS, path: str = "a.hip", **settings: object) -> Analysis:
    found = analyse(text.encode(), path, Settings(**settings))  # type: ignore[arg-type]
    assert isinstance(found, Analysis)
    return found


@pytest.mark.parametrize(("rule", "kernel"), [(SeenFromKernels, "second"), (SureOfTheFirst, "first")])
def test_of_two_equal_findings_the_more_severe_one_is_kept(rule: type[Rule], kernel: str) -> None:
    (found,) = lint_bytes(TWO_KERNELS.encode(), "a.hip", Settings(), rules=[rule]).diagnostics
    assert (found.severity, found.kernel) == (Severity.WARNING, kernel)
    (seen,) = testing.run([rule], TWO_KERNELS, "a.hip")
    assert seen.severity is Severity.WARNING


def test_of_two_findings_alike_in_all_the_first_is_kept() -> None:
    class Equal(SeenFromKernels):
        """Never sure."""

        sure = ""

    (found,) = lint_bytes(TWO_KERNELS.encode(), "a.hip", Settings(), rules=[Equal]).diagnostics
    assert found.kernel == "first"


def test_a_finding_that_two_kernels_share_names_both() -> None:
    (found,) = lint_bytes(TWO_KERNELS.encode(), "a.hip", Settings(), rules=[SeenFromKernels]).diagnostics
    assert found.kernels == ("second", "first")
    assert found.about == "kernels: second, first"


def test_one_finding_about_two_places_of_another_file_has_both() -> None:
    class InHeader(Rule):
        """The same of two places that it cannot stand at."""

        code = "TST113"
        name = "in-header"

        def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
            for start in (0, 4, 0):
                notes = (Note(Span(start, start + 3), "the array", "b.h"), Note(Span(9, 10), "read here", "b.h"))
                yield Finding(facts.kernel.name_span, "spilled", {"gfx90a": Severity.INFO}, "", notes)

    headers = {"b.h": b"int a, b, c;"}
    project = Project(IncludeResolver(".", lambda path: headers.get(path)))
    found = lint_bytes(b"__global__ void k() {}", "a.hip", Settings(), rules=[InHeader], project=lambda: project)
    (only,) = found.diagnostics
    assert [(each.message, each.location.start.byte) for each in only.related] == [
        ("the array", 0),
        ("read here", 9),
        ("the array", 4),
    ]


def test_findings_that_differ_are_all_kept() -> None:
    class Several(Rule):
        """Differs in one thing at a time."""

        code = "TST112"
        name = "several-things"

        def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
            yield Finding(CALLEE, "one", {"gfx90a": Severity.WARNING})
            yield Finding(CALLEE, "two", {"gfx90a": Severity.WARNING})
            yield Finding(Span(CALLEE.start, CALLEE.end + 1), "one", {"gfx90a": Severity.WARNING})

    assert len(lint_bytes(TWO_KERNELS.encode(), "a.hip", Settings(), rules=[Several]).diagnostics) == 3
    assert len(testing.run([Several], TWO_KERNELS, "a.hip")) == 3


def test_more_severe_keeps_the_existing_one() -> None:
    low, same, high = (Finding(CALLEE, text, {}) for text in "abc")
    severities = {"a": Severity.INFO, "b": Severity.INFO, "c": Severity.ERROR}

    class Graded:
        def __init__(self, finding: Finding) -> None:
            self.severity = severities[finding.message]

    one, two, three = Graded(low), Graded(same), Graded(high)
    assert more_severe(None, one) is one
    assert more_severe(one, two) is one
    assert more_severe(one, three) is three
    assert more_severe(three, one) is three


def test_a_suppressed_finding_is_counted_for_each_kernel_that_sees_it() -> None:
    text = TWO_KERNELS.replace("return x + x; }", "return x + x; }  // regpress: ignore[TST111] known")
    report = lint_bytes(text.encode(), "a.hip", Settings(), rules=[SeenFromKernels])
    assert (report.diagnostics, report.suppressed) == ((), 2)


def test_oversized_and_host_files_are_skipped_early() -> None:
    def never() -> Project:
        raise AssertionError

    limit = Settings(max_file_bytes=len(HIP) - 1)
    assert analyse(b"int main() {}", "a.cpp", Settings(), never) == Skipped()
    skipped = analyse(HIP.encode(), "a.hip", limit, never)
    assert isinstance(skipped, Skipped)
    assert "more than" in (skipped.warning or "")
    assert lint_bytes(HIP.encode(), "a.hip", limit, project=never).extra == {"warnings": (skipped.warning,)}
    assert isinstance(analyse(HIP.encode(), "a.hip", Settings(max_file_bytes=len(HIP)), never), Analysis)


def test_settings_that_follow_from_the_compile_command_hold_for_facts_and_targets() -> None:
    class Compiled(Project):
        def command_of(self, path: str) -> CompileCommand | None:
            return CompileCommand("/a.hip", "/", "hip", targets=("gfx942", "gfx1100"))

    found = analyse(HIP.encode(), "a.hip", Settings(), Compiled)
    assert isinstance(found, Analysis)
    assert found.targets == ("gfx90a",)  # as long as nobody has looked
    (kernel,) = found.file.kernels
    assert list(found.targets) == ["gfx942", "gfx1100"]
    assert found.facts(kernel).targets == ("gfx942", "gfx1100")
    chosen = analyse(HIP.encode(), "a.hip", Settings(architectures=("gfx906",)), Compiled)
    assert isinstance(chosen, Analysis)
    assert chosen.file.kernels
    assert chosen.targets == ("gfx906",)


def test_facts_are_computed_once_until_released() -> None:
    found = analysis()
    first, second = found.file.kernels
    facts = found.facts(first)
    assert found.facts(first) is facts
    assert found.facts(second) is not facts
    found.done_with(first)
    assert found.facts(first) is not facts
    found.done_with(first)
    found.close()


def test_failure_is_recorded_and_the_rest_continues() -> None:
    class FailsForTheFirst(Rule):
        """Fails once."""

        code = "TST113"
        name = "fails-for-the-first"

        def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
            if facts.kernel.name == "first":
                raise KeyError("gone")
            yield Finding(facts.kernel.name_span, "seen", {"gfx90a": Severity.WARNING})

        def check_file(self, file: File) -> Iterator[Finding]:
            yield Finding(CALLEE, "file", {"*": Severity.WARNING})

    report = lint_bytes(TWO_KERNELS.encode(), "a.hip", Settings(), rules=[FailsForTheFirst])
    assert [(each.code, each.kernel) for each in report.diagnostics] == [
        ("TST113", None),
        ("RP009", "first"),
        ("TST113", "second"),
    ]
    assert "raise KeyError" in str(report.extra["tracebacks"])
    with pytest.raises(KeyError):
        testing.run([FailsForTheFirst], TWO_KERNELS, "a.hip")


def test_rule_that_cannot_be_constructed_is_reported_once() -> None:
    class Unmade(SeenFromKernels):
        """Cannot be made."""

        def __init__(self) -> None:
            raise OSError("no")

    found = analysis()
    assert list(checks(found, [entry(Unmade)])) == []
    assert [(failure.doing, failure.reason) for failure in found.failures] == [
        ("rule TST111 (seen-from-kernels)", "OSError: no")
    ]


def test_kernels_and_pressure_report_failures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("deep")

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_text(CUDA)
    import_module("regpress_lint.lint.advice.trials")  # imported below, it would keep the function that fails
    monkeypatch.setattr("regpress_lint.facts.kernel.kernel_facts", fail)
    for command in ("kernels", "pressure"):
        result = run(capsys, command, "a.cu")
        assert (result.status, result.out) == (2, "")
        assert result.err == "regpress-lint: error: a.cu: internal error: RecursionError: deep\n"
        assert "Traceback" in run(capsys, command, "-v", "a.cu").err


def _shouting() -> Callable[[str], str]:
    return str.upper


@pytest.mark.parametrize("started", [0, 1])
def test_no_more_processes_than_the_system_allows(monkeypatch: pytest.MonkeyPatch, started: int) -> None:
    """`ulimit -u`, `ulimit -n` and containers limit processes: those that start do the work, at worst only this one."""
    files = [Candidate(f"{number}.cu", 1_000) for number in range(9)]
    start, allowed = runner._Pool._start, iter(range(started))
    monkeypatch.setattr(runner._Pool, "_start", lambda pool: start(pool) if next(allowed, None) is not None else None)
    assert runner.run(_shouting, files, 4) == [file.path.upper() for file in files]


def test_run_continues_without_a_process_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("os.fork", fork)
    files = [Candidate(f"{number}.cu", 1_000) for number in range(3)]
    assert runner.run(_shouting, files, 2) == ["0.CU", "1.CU", "2.CU"]
