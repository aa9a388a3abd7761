"""`verify` as a user runs it: a table, files that only --fix changes, and the use of its answers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import compilers
import pytest
from cli_helpers import CLEAN, HIP, ROOT, SYCL, run
from format_samples import strict

from regpress_lint.commands.verify import output as verified_text
from regpress_lint.commands.verify.output import VerifiedRow
from regpress_lint.commands.verify.trying import Change
from regpress_lint.measured.ratchet import Numbers

# A compiler for which each call of pow takes REGISTERS registers more than 20.
FAKE = """#!/bin/sh
for last; do :; done
echo run >> "{folder}/runs"
line=$(grep -n '__global__' "$last" | cut -d: -f1)
count=$(grep -c 'pow(' "$last")
say() {{ echo "$last:$line:1: remark: $1 [-Rpass-analysis=kernel-resource-usage]"; }}
say "Function Name: _Z6squarePd"
say "    SGPRs: 16"
say "    VGPRs: $((20 + count * {registers}))"
say "    AGPRs: 0"
say "    ScratchSize [bytes/lane]: 0"
say "    Dynamic Stack: False"
say "    Occupancy [waves/SIMD]: 8"
say "    SGPRs Spill: 0"
say "    VGPRs Spill: 0"
say "    LDS Size [bytes/block]: 0"
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    monkeypatch.setenv("COLUMNS", "200")
    path = Path("a.hip")
    path.write_text(HIP)
    return path


def compiler(folder: Path, registers: int) -> Path:
    path = folder / "clang-fake"
    path.write_text(FAKE.format(folder=folder, registers=registers))
    path.chmod(0o755)
    return path


def arguments(folder: Path, registers: int = 30) -> list[str | Path]:
    fixes = ["--unsafe-fixes", "--isolated", "--no-cache", "--arch", "gfx90a"]
    return [*fixes, "--compiler", compiler(folder, registers)]


def document(capsys: pytest.CaptureFixture[str], *given: str | Path) -> Any:
    return json.loads(run(capsys, "verify", "--output-format", "json", *given).out)


def test_a_fix_that_pays_is_confirmed(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    found = document(capsys, source, *arguments(tmp_path))
    (finding,) = found["findings"]
    numbers = finding["targets"]["gfx90a"]
    assert (finding["code"], finding["verdict"], finding["kept"]) == ("RP201", "confirmed", True)
    assert (numbers["before"]["registers"], numbers["after"]["registers"]) == (50, 20)
    assert found["compiled"] == len((tmp_path / "runs").read_text().split()) == 2
    assert source.read_text() == HIP
    assert list(Path().iterdir()) == [source]


def test_unsafe_fixes_left_out_are_counted(capsys: pytest.CaptureFixture[str], source: Path) -> None:
    result = run(capsys, "verify", source, "--isolated", "--no-cache", "--arch", "gfx90a")
    assert "none to verify (1 more with --unsafe-fixes)" in result.out


def test_the_schema_holds(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    Path("b.cpp").write_text(SYCL)
    schema = json.loads((ROOT / "schemas/verify.v1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(strict(schema)).validate(document(capsys, ".", *arguments(tmp_path)))


def test_a_fix_that_does_not_pay_is_refuted(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    result = run(capsys, "verify", source, "--fix", *arguments(tmp_path, -10))
    assert (result.status, "1 refuted; compiled 2 times" in result.out) == (1, True)
    assert "10 -> 20" in result.out
    assert source.read_text() == HIP


def test_fix_applies_confirmed_fixes(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    result = run(capsys, "verify", source, "--fix", *arguments(tmp_path))
    assert (result.status, "applied 1 fix" in result.err) == (0, True)
    assert source.read_text() == CLEAN


def test_ndebug_fix_is_compiled_with_ndebug(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    """RP204 puts a print between `#ifndef NDEBUG`: without that macro nothing of it shows."""
    source.write_text(HIP.replace("pow(", "other(").replace("{\n", '{\n  printf("%d\\n", 1);\n', 1))
    given = arguments(tmp_path)
    fake = compiler(tmp_path, 30).read_text().replace("'pow('", "'printf('")
    released = 'case "$*" in *-DNDEBUG=1*) grep -q "ifndef NDEBUG" "$last" && count=0;; esac\nsay() {'
    (tmp_path / "clang-fake").write_text(fake.replace("say() {", released))
    (finding,) = document(capsys, source, *given, "--unsafe-fixes", "--select", "RP204")["findings"]
    numbers = finding["targets"]["gfx90a"]
    assert (finding["verdict"], numbers["before"]["registers"], numbers["after"]["registers"]) == ("confirmed", 50, 20)


@pytest.mark.slow
def test_check_shows_confirmed_findings(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    checked = ("check", source, "--isolated", "--no-cache", "--arch", "gfx90a", "--output-format", "concise")
    for registers, expected in ((30, True), (-10, False)):
        proof = tmp_path / "proof.json"
        proof.write_text(run(capsys, "verify", "--output-format", "json", source, *arguments(tmp_path, registers)).out)
        assert ("RP201" in run(capsys, *checked, "--confirmed", proof).out) is expected
    assert "RP201" in run(capsys, *checked).out
    proof.write_text(run(capsys, "verify", "--output-format", "json", source, *arguments(tmp_path)).out)
    named = run(capsys, "check", source.resolve(), *checked[2:], "--confirmed", proof)
    assert ("RP201" in named.out, named.err) == (True, "")  # a file may be named in several ways
    source.write_text("\n" + HIP)
    moved = run(capsys, *checked, "--confirmed", proof)
    assert ("RP201" in moved.out, "1 of 1 confirmed findings are not in this run" in moved.err) == (False, True)
    assert run(capsys, *checked, "--confirmed", source).status == 2
    assert run(capsys, *checked, "--confirmed", proof, "--fix").status == 2


def test_sarif_has_the_numbers(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(run(capsys, "verify", "--output-format", "json", source, *arguments(tmp_path)).out)
    checked = ("check", source, "--isolated", "--no-cache", "--arch", "gfx90a", "--output-format", "sarif")
    (result,) = json.loads(run(capsys, *checked, "--confirmed", proof).out)["runs"][0]["results"]
    assert result["properties"]["compiler"]["gfx90a"]["verdict"] == "improved"
    assert result["properties"]["severity"] == "warning"


def test_a_header_is_compiled_with_a_source(capsys: pytest.CaptureFixture[str], tmp_path: Path, source: Path) -> None:
    source.write_text('#include "inc/other.h"\n')
    Path("inc").mkdir()
    Path("inc/other.h").write_text('#include "kernels.h"\n')
    Path("inc/kernels.h").write_text(HIP)
    fake = arguments(tmp_path)
    text = (tmp_path / "clang-fake").read_text()
    # The compiler reads the header beside the source that it is given, through a header that did not change.
    text = text.replace(
        "count=",
        'last=$(dirname "$last")/inc/$(sed -n \'s/.*"\\(.*\\)"/\\1/p\' "$(dirname "$last")/inc/other.h")\ncount=',
    )
    (tmp_path / "clang-fake").write_text(text)
    found = document(capsys, ".", *fake)
    (finding,) = found["findings"]
    assert (finding["path"], finding["verdict"]) == ("inc/kernels.h", "confirmed")
    numbers = finding["targets"]["gfx90a"]
    assert (numbers["before"]["registers"], numbers["after"]["registers"]) == (50, 20)
    assert Path("inc/kernels.h").read_text() == HIP
    assert run(capsys, "verify", ".", "--fix", *fake).status == 0
    assert Path("inc/kernels.h").read_text() == CLEAN


def test_a_source_that_the_build_does_not_compile_is_compiled_with_the_one_that_includes_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, source: Path
) -> None:
    Path("kernels.hip").write_text(HIP)
    source.write_text('#include "kernels.hip"\n')
    fake = arguments(tmp_path)
    text = (tmp_path / "clang-fake").read_text()
    text = text.replace(
        "count=", 'grep -q kernels.hip "$last" && last=$(dirname "$last")/kernels.hip || exit 1\ncount='
    )
    (tmp_path / "clang-fake").write_text(text)
    entry = {"directory": str(Path.cwd()), "file": str(source), "command": f"clang++ -x hip -c {source}"}
    Path("build").mkdir()
    Path("build/compile_commands.json").write_text(json.dumps([entry]))
    (alone,) = document(capsys, ".", *fake)["findings"]
    assert (alone["path"], alone["verdict"]) == ("kernels.hip", "unverified")
    (built,) = document(capsys, ".", "-p", "build", "--semantic", "off", *fake)["findings"]
    assert (built["path"], built["verdict"]) == ("kernels.hip", "confirmed")


def test_uncompiled_files_are_reported(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    Path("b.cpp").write_text(SYCL)
    Path("c.h").write_text(HIP)
    result = run(
        capsys, "verify", ".", "--unsafe-fixes", "--isolated", "--no-cache", "--compiler", compiler(tmp_path, 30)
    )
    assert "c.h: not verified, a header" in result.err
    (tmp_path / "clang-fake").write_text("#!/bin/sh\necho 'error: no'; exit 1\n")
    result = run(
        capsys, "verify", source, "--unsafe-fixes", "--isolated", "--no-cache", "--compiler", tmp_path / "clang-fake"
    )
    assert (result.status, "1 unverified" in result.out, "error: no" in result.out) == (2, True, True)
    assert "-p BUILD_DIR" in result.out


def test_macros_of_the_configuration_are_given(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path
) -> None:
    fake = arguments(tmp_path)
    text = (tmp_path / "clang-fake").read_text()
    text = text.replace("count=", 'case "$*" in *-DSIZE=8*) ;; *) exit 1 ;; esac\ncount=', 1)
    (tmp_path / "clang-fake").write_text(text)
    (without,) = document(capsys, source, *fake)["findings"]
    (given,) = document(capsys, source, "-D", "SIZE=8", *fake)["findings"]
    assert (without["verdict"], given["verdict"]) == ("unverified", "confirmed")


def test_file_changed_meanwhile_is_not_written(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path
) -> None:
    fake = arguments(tmp_path)
    text = (tmp_path / "clang-fake").read_text().replace("echo run", f"echo '// mine' >> {source.resolve()}; echo run")
    (tmp_path / "clang-fake").write_text(text)
    result = run(capsys, "verify", source, "--fix", *fake)
    assert (result.status, "changed while it was verified" in result.err) == (2, True)
    assert "pow" in source.read_text()


@pytest.mark.compiler
def test_real_compiler_confirms_and_runs_once(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    if compilers.missing(".hip"):
        pytest.skip("no clang for HIP")
    source.write_text(
        HIP.replace("  x[i] = pow(x[i], 2.0);", "  for (int k = 0; k < 9; ++k) x[i + k] = pow(x[k], 2.0);")
    )
    Path("h.h").write_text("#define N 1\n")
    source.write_text('#include "h.h"\n' + source.read_text())
    given = (source, "--isolated", "--unsafe-fixes", "--arch", "gfx90a", "--cache-dir", tmp_path / "cache")
    os.environ.pop("REGPRESS_LINT_NO_CACHE", None)
    first, second = document(capsys, *given), document(capsys, *given)
    assert [each["verdict"] for each in first["findings"]] == ["confirmed"]
    assert (first["compiled"], second["compiled"], second["findings"]) == (2, 0, first["findings"])
    Path("h.h").write_text("#define N 12\n")
    assert document(capsys, *given)["compiled"] == 2


INDEXED = HIP.replace(
    "  x[i] = pow(x[i], 2.0);",
    "  double v[64];\n  for (int k = 0; k < 64; ++k) v[k] = x[k + i];\n  x[i] = v[int(x[0]) & 63];",
)


LAUNCH = "another block size or grid changes host code and the use of its indices in the kernel"


def test_advice_is_tried_and_never_written(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    text = INDEXED + "void go(double *x) { square<<<1 << 20, 100>>>(x); }\n"
    source.write_text(text)
    fake = arguments(tmp_path, -10)
    program = tmp_path / "clang-fake"
    program.write_text(program.read_text().replace("'pow('", "'__shared__'"))
    found = document(capsys, source, "--advise", "--fix", *fake)
    (row,) = (each for each in found["findings"] if each["code"] == "RP403")
    assert (row["verdict"], row["kept"], row["how"], row["title"].split()[:3]) == (
        *("confirmed", False, "advice"),
        ["`v`", "in", "LDS,"],
    )
    assert (row["targets"]["gfx90a"]["before"]["registers"], row["targets"]["gfx90a"]["after"]["registers"]) == (20, 10)
    assert source.read_text() == text
    assert {each["code"]: each["reason"] for each in found["not_tried"]} == {"RP106": LAUNCH}
    shown = run(capsys, "verify", source, "--advise", *fake).out
    assert "  confirmed: `v` in LDS, a column for each of the 100 threads of a block; gfx90a improved" in shown
    assert f"RP106 not tried: {LAUNCH} (a.hip:8)" in shown
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(found))
    checked = ("check", source, "--isolated", "--no-cache", "--arch", "gfx90a", "--output-format", "json")
    kept = json.loads(run(capsys, *checked, "--confirmed", proof).out)["diagnostics"]
    assert [each["code"] for each in kept] == ["RP403"]


def test_harmful_advice_is_reported_without_failing(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path
) -> None:
    source.write_text(INDEXED)
    fake = arguments(tmp_path, 40)
    program = tmp_path / "clang-fake"
    program.write_text(program.read_text().replace("'pow('", "'__shared__'"))
    result = run(capsys, "verify", source, "--advise", *fake)
    assert (result.status, "  refuted: `v` in LDS" in result.out) == (0, True)
    assert (tmp_path / "runs").read_text().count("run") == 2
    assert run(capsys, "verify", source, *fake).out.startswith("0 fixes")


def test_compilers_of_the_user_and_of_the_project(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "home" / "regpress-lint").mkdir(parents=True)
    for name in ("user", "project"):
        (tmp_path / name).mkdir()
        compiler(tmp_path / name, 30)
    asked = ("verify", source, "--unsafe-fixes", "--no-cache", "--arch", "gfx90a")
    Path("regpress.toml").write_text('compilers = ["../project/clang-fake"]\n')
    (tmp_path / "home" / "regpress-lint" / "config.toml").write_text(f'compilers = "{tmp_path}/user/clang-fake"\n')
    told = run(capsys, *asked)
    assert "regpress.toml: its compilers are not run without --trust-project-compilers" in told.err
    assert [(tmp_path / name / "runs").exists() for name in ("user", "project")] == [True, False]
    run(capsys, *asked, "--trust-project-compilers")  # the user's own says more
    assert not (tmp_path / "project" / "runs").exists()
    (tmp_path / "home" / "regpress-lint" / "config.toml").unlink()
    assert run(capsys, *asked, "--trust-project-compilers").err == ""
    assert (tmp_path / "project" / "runs").read_text().count("run") == 2
    measured = ("measure", source, "--arch", "gfx90a", "--trust-project-compilers")
    assert run(capsys, *measured).status == 0
    assert (tmp_path / "project" / "runs").read_text().count("run") == 3


def test_users_file_contains_only_compilers(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "regpress-lint").mkdir(parents=True)
    (tmp_path / "home" / "regpress-lint" / "config.toml").write_text('ignore = ["RP201"]\n')
    wrong = run(capsys, "verify", source, "--unsafe-fixes", "--no-cache")
    assert (wrong.status, 'config.toml: "ignore" belongs in' in wrong.err) == (2, True)
    assert run(capsys, "verify", source, *arguments(tmp_path)).status == 0  # --isolated


def test_a_fix_for_a_gpu_that_is_not_compiled_is_left_out(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path
) -> None:
    source.write_text(
        "#include <hip/hip_runtime.h>\n__global__ void square(double *x) {\n"
        "  const double t[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n  x[threadIdx.x] = t[int(x[0]) & 7];\n}\n"
    )
    given = (source, "--select", "RP404", *arguments(tmp_path))
    result = run(capsys, "verify", *given, "--arch", "sm_90", "--unsafe-fixes")
    assert "a.hip: 1 not verified, for sm_90 it is not compiled" in result.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(("targets", "words"), [(("sm_90",), "warps/SMSP"), (("sm_90", "gfx90a"), "waves/SIMD")])
def test_the_table_speaks_as_the_vendor_does(targets: tuple[str, ...], words: str) -> None:
    numbers = Numbers(40, 0, 0, 8.0, 512)
    changes = tuple((target, Change("no change", numbers, numbers)) for target in targets)
    finding = ("RP201", "pow-small-exponent", "warning", "a.cu", 5, "k", "write", "safe")
    row = VerifiedRow(*finding, "no change", False, "alone", changes)
    assert words in next(verified_text.lines([row], [], 2, 0))
