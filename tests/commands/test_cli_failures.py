"""Rules, plugins and workers that fail: reported, and nothing else is lost."""

from __future__ import annotations

import multiprocessing
import os
import signal
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run

from regpress_lint import lint_bytes
from regpress_lint.api import Edit, Finding, Fix, Rule, Severity, Span
from regpress_lint.api.rule import API_VERSION
from regpress_lint.core.errors import UsageError
from regpress_lint.core.settings import Settings
from regpress_lint.lint import registry, runner
from regpress_lint.lint.discovery import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from regpress_lint.api import File, KernelFacts


class Good(Rule):
    """Names every kernel."""

    code = "TST101"
    name = "good-rule"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        span = facts.kernel.name_span
        severities = {"gfx90a": Severity.HINT, "gfx906": Severity.WARNING, "sm_90": Severity.ERROR}
        yield Finding(span, "a kernel", severities)
        yield Finding(span, "a kernel", severities)


def failing(error: BaseException) -> type[Rule]:
    """A rule that yields a finding and then raises."""

    class Failing(Rule):
        """Fails."""

        code = "TST102"
        name = "failing-rule"

        def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
            yield Finding(facts.kernel.name_span, "half a result", {"gfx90a": Severity.ERROR})
            raise error

    return Failing


def lint(*rules: type[Rule], **settings: object) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Code, severity, message and targets of a kernel's findings."""
    report = lint_bytes(HIP.encode(), "a.hip", Settings(**settings), rules=rules)  # type: ignore[arg-type]
    return [(d.code, d.severity.label, d.message, d.targets) for d in report.diagnostics]


def test_severity_is_the_highest_over_enabled_targets_and_targets_reach_the_threshold() -> None:
    assert lint(Good) == []
    assert lint(Good, profile="strict") == [("TST101", "hint", "a kernel", ("gfx90a",))]
    assert lint(Good, select=("TST101",)) == [("TST101", "hint", "a kernel", ("gfx90a",))]
    assert lint(Good, select=("TST",)) == []
    assert lint(Good, select=("TST101",), min_severity=Severity.INFO) == []
    both = ("gfx90a", "gfx906")
    assert lint(Good, architectures=both) == [("TST101", "warning", "a kernel", ("gfx906",))]
    assert lint(Good, architectures=both, profile="strict") == [("TST101", "warning", "a kernel", both)]
    assert lint(Good, architectures=("pvc",), profile="strict") == []


@pytest.mark.parametrize("error", [ValueError("two\nlines"), RecursionError("deep"), MemoryError(), KeyError("x")])
def test_a_failing_rule_is_an_internal_error_and_the_others_go_on(error: Exception) -> None:
    found = lint(failing(error), Good, profile="strict")
    assert [code for code, *_ in found] == ["RP009", "TST101"]
    message = found[0][2]
    assert message.startswith("rule TST102 (failing-rule) failed: " + type(error).__name__)
    assert "\n" not in message


def test_a_failing_file_rule_and_overlapping_edits() -> None:
    class Overlapping(Rule):
        """Offers a fix that cannot be."""

        code = "TST103"
        name = "overlapping-edits"

        def check_file(self, file: File) -> Iterator[Finding]:
            edits = (Edit(Span(0, 5), "a"), Edit(Span(3, 6), "b"))
            yield Finding(Span(0, 6), "x", {"gfx90a": Severity.ERROR}, fix=Fix("x", "safe", edits))

    assert "overlap" in lint(Overlapping)[0][2]


def test_a_failing_front_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object) -> None:
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr("regpress_lint.program.build_file", build)
    assert lint(Good)[0][:3] == ("RP009", "error", "parsing failed: RecursionError: maximum recursion depth exceeded")


@pytest.mark.parametrize("verbose", [False, True])
def test_an_internal_error_exits_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verbose: bool
) -> None:
    monkeypatch.setattr(
        registry, "load", lambda: registry.Registry((registry.entry(Good), registry.entry(failing(ValueError("boom")))))
    )
    path = tmp_path / "a.hip"
    path.write_text(HIP)
    result = run(capsys, "check", "--exit-zero", *(["-v"] if verbose else []), path)
    assert result.status == 2
    assert "boom" in result.out
    assert ("Traceback" in result.err) is verbose


# ------------------------------------------------------------------------------------------------------ workers


class Deadly:
    """Task maker: a file called "kill" ends its worker, "exit" does so politely, others give their name back."""

    def __call__(self) -> Callable[[str], str]:
        def task(path: str) -> str:
            if path == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if path == "exit":
                os._exit(3)
            return path.upper()

        return task


def candidates(*names: str) -> list[Candidate]:
    return [Candidate(name, 1000) for name in names]


@pytest.mark.parametrize("jobs", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_worker_that_dies_loses_only_its_file(jobs: int) -> None:
    names = [f"f{index:03}" for index in range(150)]
    names[7], names[8], names[100] = "kill", "kill", "exit"
    results = runner.run(Deadly(), candidates(*names), jobs)
    assert [r for r in results if isinstance(r, runner.Crash)] == [
        runner.Crash("kill", "signal SIGKILL"),
        runner.Crash("kill", "signal SIGKILL"),
        runner.Crash("exit", "exit status 3"),
    ]
    assert [r for r in results if isinstance(r, str)] == [n.upper() for n in names if n.startswith("f")]


class Telling:
    """Task maker: every file gives the process that did it."""

    def __call__(self) -> Callable[[str], int]:
        return lambda _path: os.getpid()


@pytest.mark.parametrize(("limit", "changes"), [(1 << 40, False), (0, True)])
def test_a_worker_with_too_much_memory_makes_room_for_another(
    limit: int, changes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_FULL_BYTES", limit)
    names = [f"f{index:03}" for index in range(150)]
    results = runner.run(Telling(), candidates(*names), 2)
    assert len(results) == len(names)
    assert len(set(results)) == (len(runner.chunks(candidates(*names), 2)) if changes else 2)


def test_workers_share_modules_loaded_before_the_fork() -> None:
    where: list[int] = []
    results = runner.run(Telling(), candidates("a", "b", "c"), 2, warm=lambda: where.append(os.getpid()))
    assert where == [os.getpid()]
    assert os.getpid() not in results


@pytest.mark.slow
def test_a_rule_that_fails_does_not_end_the_run_before_it_began(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "load", lambda: registry.Registry((registry.entry(failing(ValueError("boom"))),)))
    monkeypatch.chdir(tmp_path)
    for name in "abcd":
        (tmp_path / f"{name}.hip").write_text(HIP)
    result = run(capsys, "check", "-j", "2", "--output-format", "concise", ".")
    assert result.status == 2
    assert result.out.count("boom") == 4


def test_a_dead_worker_is_an_internal_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killer(Rule):
        """Kills the process on one file."""

        code = "TST104"
        name = "killer-rule"

        def check_file(self, file: File) -> Iterator[Finding]:
            if file.path.endswith("b.hip"):
                os.kill(os.getpid(), signal.SIGKILL)
            return iter(())

    monkeypatch.setattr(registry, "load", lambda: registry.Registry((registry.entry(Killer),)))
    monkeypatch.chdir(tmp_path)
    for name in "abcd":
        (tmp_path / f"{name}.hip").write_text(HIP)
    result = run(capsys, "check", "-j", "2", "--output-format", "concise", ".")
    assert result.status == 2
    assert "b.hip:1:1: error: the worker process died while it linted this file (signal SIGKILL)" in result.out
    assert result.out.count(".hip:") == 1


def test_small_runs_stay_in_this_process() -> None:
    def task(_path: str) -> int:
        return os.getpid()

    assert set(runner.run(lambda: task, candidates("a", "b"), None)) == {os.getpid()}


def test_chunks_hold_every_file_once_in_order() -> None:
    files = [Candidate(str(index), size) for index, size in enumerate([10, 900_000, 1, 1, 300_000, *[5_000] * 200])]
    made = runner.chunks(files, 2)
    assert [path for chunk in made for _, path in chunk.files] == [file.path for file in files]
    assert len(made) >= 8
    assert all(len(chunk.files) <= 64 for chunk in made)


def test_a_chunk_has_a_quarter_of_a_worker_s_share_at_most() -> None:
    sizes = [6, 7, 6, 6, 6, 6, 6, 5]
    made = runner.chunks([Candidate(str(index), size) for index, size in enumerate(sizes)], 1)
    assert all(sum(sizes[index] for index, _ in chunk.files) <= sum(sizes) // 4 for chunk in made)
    assert [len(chunk.files) for chunk in made] == [1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("status", "said"),
    [(None, "exit status None"), (0, "exit status 0"), (3, "exit status 3"), (-1, "signal SIGHUP"), (-99, "signal 99")],
)
def test_death_of_a_worker_is_explained(status: int | None, said: str) -> None:
    assert runner._death(status) == said


def test_who_interrupts_a_run_leaves_no_worker_behind() -> None:
    def interrupted(_more: int) -> None:
        raise KeyboardInterrupt

    before = multiprocessing.active_children()
    with pytest.raises(KeyboardInterrupt):
        runner.run(Telling(), candidates(*(f"f{index:03}" for index in range(150))), 2, interrupted)
    assert multiprocessing.active_children() == before


# ------------------------------------------------------------------------------------------------------ plugins


def install(folder: Path, distribution: str, entry: str, code: str) -> None:
    info = folder / f"{distribution}-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(f"[console_scripts]\nx = y:z\n\n[regpress_lint.rules]\n{entry}\n")
    (folder / f"{distribution}_module.py").write_text(code)


RULE = """
from regpress_lint.api import Rule
class Mine(Rule):
    \"\"\"Mine.\"\"\"
    code = "{code}"
    name = "{name}"
def rules():
    return [Mine]
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    registry.load.cache_clear()
    yield tmp_path
    registry.load.cache_clear()


def test_a_plugin_is_found(plugins: Path) -> None:
    install(plugins, "first", "mine = first_module:rules", RULE.format(code="MIN101", name="my-rule"))
    assert "MIN101" in [rule.code for rule in registry.load().rules]
    assert registry.load().problems == ()


@pytest.mark.parametrize(
    ("entry", "code", "expected"),
    [
        ("mine = broken_module:rules", "raise OSError('no device')", "OSError: no device"),
        ("mine = broken_module:absent", "", "AttributeError"),
        ("mine = broken_module:rules", "def rules(): return [int]", "not a subclass"),
        ("mine = broken_module:rules", RULE.format(code="RP777", name="my-rule"), "belong to regpress-lint"),
        ("mine = broken_module:rules", RULE.format(code="x", name="my-rule"), "needs a code"),
        *(
            (
                "mine = broken_module:rules",
                RULE.format(code="MIN101", name="my-rule").replace("def rules", f"    api = {version}\ndef rules"),
                f"needs version {version} of the rule interface",
            )
            for version in (0, API_VERSION + 1)
        ),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_named(
    plugins: Path, monkeypatch: pytest.MonkeyPatch, entry: str, code: str, expected: str
) -> None:
    import sys

    monkeypatch.delitem(sys.modules, "broken_module", raising=False)
    install(plugins, "broken", entry, code)
    (problem,) = registry.load().problems
    assert 'plugin "mine" of distribution "broken" cannot be loaded' in problem
    assert expected in problem
    assert "RP201" in [rule.code for rule in registry.load().rules]


def test_rules_that_exist_twice_are_an_error(plugins: Path) -> None:
    install(plugins, "twice", "mine = twice_module:rules", RULE.format(code="MIN102", name="pow-small-exponent"))
    with pytest.raises(UsageError, match=r'"pow-small-exponent" exists twice: .*"regpress-lint".*"twice"'):
        registry.load()


@pytest.mark.parametrize("command", ["check", "kernels", "pressure"])
def test_deleted_working_folder_is_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = run(capsys, command, str(tmp_path / "a.hip"))
    monkeypatch.undo()
    said = "regpress-lint: error: the working folder has been deleted; change into another one\n"
    assert (result.status, result.err) == (2, said)


def test_empty_answer_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "launch.cu"
    path.write_text("template void run<128>(cudaStream_t stream);\nvoid go(cudaStream_t s) { k<<<1, 32, 0, s>>>(); }\n")
    result = run(capsys, "kernels", "--isolated", "--no-cache", path)
    assert (result.status, result.out) == (0, "")
    assert "no kernel is defined in the named files" in result.err
